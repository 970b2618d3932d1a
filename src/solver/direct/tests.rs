//! Gradients and Hessians against finite differences in `f64`.

use super::{
    blocks::{cross_matrix, full},
    element::{BendLaw, Stretch, StretchLaw, bend, stretch},
};
use crate::{
    math::{Quaternion, Symmetric, Vector},
    solver::stable_cosserat::energy::Softness,
};

type Q = Quaternion<f64>;
type V = Vector<f64>;

/// Step of central differences of a gradient: `δ²` times a third derivative meets the rounding of `E/δ` near 1e-10.
const DELTA: f64 = 1e-5;
/// Step of second differences: `δ²` times a fourth derivative meets the rounding of `E/δ²` near 1e-7.
const SECOND_DELTA: f64 = 1e-4;

/// SplitMix64: the same cases on every run and machine.
struct Random(u64);

impl Random {
    /// Even in −1..1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (0.5 + 0.5 * self.number())
    }

    /// From `10^low` to `10^high`, even in the exponent.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    fn vector(&mut self) -> V {
        V::new(self.number(), self.number(), self.number())
    }

    /// Even over the unit sphere.
    fn rotation(&mut self) -> Q {
        let q = Q::new(self.number(), self.number(), self.number(), self.number());
        if (0.01..1.0).contains(&q.norm_squared()) {
            q.normalize()
        } else {
            self.rotation()
        }
    }

    /// A segment with any strain, pressed together to a tenth or pulled to twice its length.
    fn segment(&mut self, damped: bool) -> (V, Q, StretchLaw<f64>) {
        let q = self.rotation();
        let length = self.scale(-2.0, 0.0);
        let axial = self.scale(2.0, 4.0);
        let local = self.vector() * 0.6 + V::new(0.0, 0.0, self.between(0.1, 2.0));
        let law = StretchLaw {
            axial,
            shear: axial * self.scale(-1.0, 0.3),
            length,
            inverse_length: 1.0 / length,
            alpha: if damped { self.scale(-1.0, 1.0) } else { 0.0 },
            before: if damped { local + self.vector() * 0.3 } else { V::zero() },
        };
        (q.rotate(local) * length, q, law)
    }

    /// A joint whose rest is curved, with three stiffnesses if `anisotropic`.
    fn joint(&mut self, anisotropic: bool, damped: bool) -> BendLaw<f64> {
        let stiffness = self.scale(-1.0, 2.0);
        let softness = if anisotropic {
            // (k − K)/k² with K from nothing to k along turned axes.
            let axes = self.rotation();
            let lost = [0.0; 3].map(|_: f64| self.between(0.0, 1.0));
            let most = lost.into_iter().fold(0.0, f64::max);
            Softness {
                matrix: spread(axes, lost.map(|share| share / stiffness)),
                real: most / stiffness,
                ratio: 1.0 - most,
            }
        } else {
            Softness::none()
        };
        BendLaw {
            rest: self.rotation(),
            stiffness,
            softness,
            alpha: if damped { self.scale(-1.0, 1.0) } else { 0.0 },
            before: self.rotation(),
        }
    }
}

/// `R diag(d) Rᵀ`.
fn spread(q: Q, d: [f64; 3]) -> Symmetric<f64> {
    let mut sum = [0.0; 6];
    for (axis, weight) in [V::new(1.0, 0.0, 0.0), V::new(0.0, 1.0, 0.0), V::new(0.0, 0.0, 1.0)]
        .into_iter()
        .zip(d)
    {
        let a = q.rotate(axis);
        let outer = [a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z];
        for (s, o) in sum.iter_mut().zip(outer) {
            *s += weight * o;
        }
    }
    Symmetric(sum)
}

/// `exp(ω/2) q`.
fn turned(q: Q, omega: V) -> Q {
    let angle = omega.length();
    if angle == 0.0 {
        return q;
    }
    Q::from_parts(omega * ((0.5 * angle).sin() / angle), (0.5 * angle).cos()) * q
}

fn entries(v: V) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// Energy of a segment after a motion of tail, head and frame.
fn stretch_moved(edge: V, q: Q, law: &StretchLaw<f64>, by: &[f64]) -> f64 {
    let part = |k: usize| V::new(by[k], by[k + 1], by[k + 2]);
    stretch(law.alpha > 0.0, edge + (part(3) - part(0)), turned(q, part(6)), law).energy
}

/// Energy of a joint after a motion of its two frames.
fn bend_moved(first: Q, second: Q, kind: [bool; 2], law: &BendLaw<f64>, by: &[f64]) -> f64 {
    let part = |k: usize| V::new(by[k], by[k + 1], by[k + 2]);
    bend(kind[0], kind[1], turned(first, part(0)), turned(second, part(3)), law).energy
}

fn gradient(size: usize, f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut by = vec![0.0; size];
    (0..size)
        .map(|k| {
            by[k] = DELTA;
            let up = f(&by);
            by[k] = -DELTA;
            let down = f(&by);
            by[k] = 0.0;
            (up - down) / (2.0 * DELTA)
        })
        .collect()
}

fn hessian(size: usize, steps: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
    let mut by = vec![0.0; size];
    let mut at = |i: usize, a: f64, j: usize, b: f64| {
        by.fill(0.0);
        by[i] += a * steps[i];
        by[j] += b * steps[j];
        f(&by)
    };
    (0..size)
        .map(|i| {
            (0..size)
                .map(|j| {
                    let mixed = at(i, 1.0, j, 1.0) - at(i, 1.0, j, -1.0) - at(i, -1.0, j, 1.0) + at(i, -1.0, j, -1.0);
                    mixed / (4.0 * steps[i] * steps[j])
                })
                .collect()
        })
        .collect()
}

/// The 9×9 of tail, head and rotation that `Newton` assembles from a segment.
fn stretch_matrix(part: &Stretch<f64>) -> Vec<Vec<f64>> {
    let mut m = vec![vec![0.0; 9]; 9];
    let coupling = cross_matrix(part.coupling);
    let (stiffness, rotation) = (full(part.stiffness), full(part.rotation));
    for i in 0..3 {
        for j in 0..3 {
            let (k, r, c) = (
                entries(stiffness[i])[j],
                entries(rotation[i])[j],
                entries(coupling[i])[j],
            );
            m[i][j] = k;
            m[3 + i][3 + j] = k;
            m[i][3 + j] = -k;
            m[3 + i][j] = -k;
            m[6 + i][6 + j] = r;
            m[3 + i][6 + j] = c;
            m[6 + j][3 + i] = c;
            m[i][6 + j] = -c;
            m[6 + j][i] = -c;
        }
    }
    m
}

fn largest(m: &[Vec<f64>]) -> f64 {
    m.iter().flatten().fold(0.0, |most, x| most.max(x.abs()))
}

/// The smallest eigenvalue of a symmetric matrix, by Jacobi's rotations.
fn smallest_eigenvalue(mut m: Vec<Vec<f64>>) -> f64 {
    let n = m.len();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if m[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in &mut m {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (row_p, row_q) = (m[p].clone(), m[q].clone());
                for (k, (x, y)) in row_p.into_iter().zip(row_q).enumerate() {
                    (m[p][k], m[q][k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    (0..n).map(|k| m[k][k]).fold(f64::INFINITY, f64::min)
}

#[test]
fn jacobi_finds_a_known_spectrum() {
    let found = smallest_eigenvalue(vec![vec![2.0, -1.0, 0.0], vec![-1.0, 2.0, -1.0], vec![0.0, -1.0, 2.0]]);
    assert!((found - (2.0 - 2f64.sqrt())).abs() < 1e-14, "{found}");
}

#[test]
fn gradient_of_stretch() {
    let mut random = Random(1);
    for case in 0..400 {
        let (edge, q, law) = random.segment(case % 2 == 1);
        let part = stretch(case % 2 == 1, edge, q, &law);
        let expected = gradient(9, |by| stretch_moved(edge, q, &law, by));
        let found: Vec<f64> = [-part.force, part.force, part.torque]
            .into_iter()
            .flat_map(entries)
            .collect();
        // Truncation is third derivatives times δ², at most (1 + α) EA/l² δ²; rounding E/δ.
        let size = (1.0 + law.alpha) * law.axial;
        for (k, (a, b)) in found.iter().zip(&expected).enumerate() {
            assert!((a - b).abs() < 3e-6 * size, "case {case}, entry {k}: {a} and {b}");
        }
    }
}

/// The energy itself, written out: `l/2 (P − e₃)ᵀW(P − e₃)` and the viscous twin.
#[test]
fn energy_of_stretch() {
    let mut random = Random(2);
    for case in 0..100 {
        let (edge, q, law) = random.segment(case % 2 == 1);
        let p = q.conjugate().rotate(edge * law.inverse_length);
        let quadratic = |v: V| 0.5 * law.length * (law.shear * (v.x * v.x + v.y * v.y) + law.axial * v.z * v.z);
        let expected = quadratic(p - V::new(0.0, 0.0, 1.0)) + law.alpha * quadratic(p - law.before);
        let found = stretch(case % 2 == 1, edge, q, &law).energy;
        assert!((found - expected).abs() < 1e-12 * expected, "{found} and {expected}");
    }
}

/// Without shear and under tension the Hessian is the true one: Newton converges quadratically on taut ropes.
#[test]
fn hessian_of_stretch_is_exact_under_tension() {
    let mut random = Random(3);
    for case in 0..200 {
        let (_, q, mut law) = random.segment(case % 2 == 1);
        // T stays below GA λ, beyond which the frame itself is unstable.
        let ratio = random.between(1.0, 1.04);
        let before = random.between(0.97, 1.0);
        law.before = V::new(0.0, 0.0, before);
        let edge = q.axis() * (ratio * law.length);
        let found = stretch_matrix(&stretch(case % 2 == 1, edge, q, &law));
        let steps: Vec<f64> = (0..9)
            .map(|k| SECOND_DELTA * if k < 6 { law.length } else { 1.0 })
            .collect();
        let expected = hessian(9, &steps, |by| stretch_moved(edge, q, &law, by));
        for i in 0..9 {
            for j in 0..9 {
                // In units where a position counts in segments every entry is of the size (1 + α) EA l.
                let unit = |k: usize| if k < 6 { law.length } else { 1.0 };
                let error = (found[i][j] - expected[i][j]) * unit(i) * unit(j);
                let size = (1.0 + law.alpha) * law.axial.max(law.shear) * law.length;
                assert!(
                    error.abs() < 1e-6 * size,
                    "case {case}, entry {i} {j}: {} and {}",
                    found[i][j],
                    expected[i][j]
                );
            }
        }
    }
}

#[test]
fn hessian_of_stretch_is_positive() {
    let mut random = Random(4);
    let mut pressed = 0;
    for case in 0..1000 {
        let (mut edge, q, law) = random.segment(case % 2 == 1);
        if case % 5 == 0 {
            // Turned back on itself.
            edge = -edge;
        }
        let part = stretch(case % 2 == 1, edge, q, &law);
        pressed += usize::from(part.force.dot(q.axis()) < 0.0);
        let m = stretch_matrix(&part);
        let lowest = smallest_eigenvalue(m.clone());
        // Six directions are free (rigid motion and twist): rounding makes them ±1e-16 of the largest.
        assert!(lowest > -1e-13 * largest(&m), "case {case}: {lowest}");
        // It resists what it must: pulling the head along d₃ costs (1 + α) EA/l.
        let d = entries(q.axis());
        let along: f64 = (0..3)
            .flat_map(|i| (0..3).map(move |j| (i, j)))
            .map(|(i, j)| d[i] * m[3 + i][3 + j] * d[j])
            .sum();
        let expected = (1.0 + law.alpha) * law.axial / law.length;
        assert!((along / expected - 1.0).abs() < 1e-12);
    }
    assert!(pressed > 200, "only {pressed} cases were under pressure");
}

#[test]
fn gradient_of_bend() {
    let mut random = Random(5);
    let mut seen = 0;
    for case in 0..800 {
        let kind = [case % 2 == 1, case % 4 > 1];
        let law = random.joint(kind[0], kind[1]);
        let (first, second) = (random.rotation(), random.rotation());
        let turn = first.conjugate() * second;
        // At half a turn from rest φ changes sign and the energy has an edge.
        if law.rest.dot(turn).abs() < 0.01 || law.before.dot(turn).abs() < 0.01 {
            continue;
        }
        seen += 1;
        let torque = entries(bend(kind[0], kind[1], first, second, &law).torque);
        let expected = gradient(6, |by| bend_moved(first, second, kind, &law, by));
        let size = (1.0 + law.alpha) * law.stiffness;
        for k in 0..3 {
            let (a, b) = (torque[k], expected[3 + k]);
            assert!((a - b).abs() < 1e-9 * size, "case {case}, second {k}: {a} and {b}");
            let (a, b) = (-torque[k], expected[k]);
            assert!((a - b).abs() < 1e-9 * size, "case {case}, first {k}: {a} and {b}");
        }
    }
    assert!(seen > 700);
}

/// At rest, and at rest since the step began, the Hessian is the true one, whatever the rest shape and the three stiffnesses.
#[test]
fn hessian_of_bend_is_exact_at_rest() {
    let mut random = Random(6);
    for case in 0..200 {
        let kind = [case % 2 == 1, case % 4 > 1];
        let mut law = random.joint(kind[0], kind[1]);
        law.before = law.rest;
        let first = random.rotation();
        let second = first * law.rest;
        let found = full(bend(kind[0], kind[1], first, second, &law).stiffness);
        let expected = hessian(6, &[SECOND_DELTA; 6], |by| bend_moved(first, second, kind, &law, by));
        let size = (1.0 + law.alpha) * law.stiffness;
        for i in 0..3 {
            let row = entries(found[i]);
            for j in 0..3 {
                for (a, b) in [
                    (row[j], expected[3 + i][3 + j]),
                    (row[j], expected[i][j]),
                    (-row[j], expected[i][3 + j]),
                ] {
                    assert!((a - b).abs() < 1e-6 * size, "case {case}, entry {i} {j}: {a} and {b}");
                }
            }
        }
    }
}

#[test]
fn hessian_of_bend_is_positive() {
    let mut random = Random(7);
    for case in 0..1000 {
        let kind = [case % 2 == 1, case % 4 > 1];
        let law = random.joint(kind[0], kind[1]);
        let part = bend(kind[0], kind[1], random.rotation(), random.rotation(), &law);
        let m: Vec<Vec<f64>> = full(part.stiffness).map(|row| entries(row).to_vec()).to_vec();
        let lowest = smallest_eigenvalue(m.clone());
        assert!(lowest > -1e-13 * largest(&m), "case {case}: {lowest}");
        assert!(largest(&m) > 0.0);
    }
}

mod extra;
mod factorization;
