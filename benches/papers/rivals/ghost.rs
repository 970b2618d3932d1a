//! Position-based elastic rods (Umetani, Schmidt and Stam 2014): a ghost point beside each segment stands for its frame.
//!
//! Four constraints a segment: its length; the ghost point at a given distance from its middle, and square to it; bending and twist between two of
//! them, which couples five points. Instead of the derivatives of three directors by each point, as in the original, the rotation ω of a frame is written down by its points:
//!
//! ```text
//!   ω = d₃ × δe/|e| + d₃ (d₂·δr/ρ − s d₂·δe/(|e| ρ)),   e = b − a,   r = g − a,   ρ = r·d₁,   s = r·d₃
//! ```
//!
//! and with `Ψ = tan(θ/2) n` between two frames `δΨ = ½ (1 − [Ψ]× + ΨΨᵀ) Rᵀ(ω₂ − ω₁)`. That is the same gradient with fewer operations.

use lariat::{
    math::{
        Real, Symmetric, Vector,
        lanes::{Kernel, LANES, Lanes, dispatch},
    },
    solver::xpbd::constraint::solve,
};

use super::{Pace, Points, interleaved};
use crate::lanes_of;

/// Eight rods: the points of the centre line, then the ghost points.
pub struct GhostRods {
    pub points: Points,
    segments: usize,
    length: f32,
    /// Distance of a ghost point from the middle of its segment, m.
    aside: f32,
}

impl GhostRods {
    /// Straight along x, the first segment and its ghost point held.
    pub fn new(segments: usize, length: f32) -> Self {
        let line = (0..=segments).map(|k| [k as f32 * length, 0.0, 0.0]);
        let ghosts = (0..segments).map(|k| [(k as f32 + 0.5) * length, 0.0, length]);
        let mut points = Points::new(line.chain(ghosts), 2);
        points.weight[segments + 1] = points.weight[0];
        Self {
            points,
            segments,
            length,
            aside: length,
        }
    }

    /// One step.
    pub fn step(&mut self, pace: Pace) {
        dispatch(pace.arithmetic, Step { rods: self, pace });
    }
}

struct Step<'a> {
    rods: &'a mut GhostRods,
    pace: Pace,
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { rods, pace } = self;
        let n = rods.segments;
        let length = R::splat(rods.length.into());
        let aside = R::splat(rods.aside.into());
        lanes_of!(lane, R, {
            rods.points.predict::<R>(pace.h, lane);
            for _ in 0..pace.iterations {
                for step in 0..n {
                    let s = interleaved(step, n);
                    rods.points.keep_apart(s, s + 1, length, lane);
                    square::<R>(&mut rods.points, [s, s + 1, n + 1 + s], lane);
                    beside::<R>(&mut rods.points, [s, s + 1, n + 1 + s], aside, lane);
                }
                for step in 0..n - 1 {
                    let s = interleaved(step, n - 1);
                    bend::<R>(&mut rods.points, [s, s + 1, s + 2, n + 1 + s, n + 2 + s], lane);
                }
            }
            rods.points.conclude::<R>(pace.h, lane);
        });
    }
}

/// `(m − g)·(b − a) = 0`, m the middle of a and b.
#[inline(always)]
fn square<R: Lanes>(points: &mut Points, [i, j, k]: [usize; 3], lane: usize) {
    let [a, b, g] = [points.at::<R>(i, lane), points.at(j, lane), points.at(k, lane)];
    let [u, v, w] = [points.light::<R>(i, lane), points.light(j, lane), points.light(k, lane)];
    let half = R::splat(0.5);
    let edge = b - a;
    let off = (a + b) * half - g;
    let at_a = edge * half - off;
    let at_b = edge * half + off;
    let sum = u.mul_add(
        at_a.length_squared(),
        v.mul_add(at_b.length_squared(), w * edge.length_squared()),
    );
    let factor = -(off.dot(edge) * sum.max(R::splat(1e-20)).reciprocal());
    points.put(i, at_a.mul_add(factor * u, a), lane);
    points.put(j, at_b.mul_add(factor * v, b), lane);
    points.put(k, edge.mul_add(-(factor * w), g), lane);
}

/// `|g − m| = distance`.
#[inline(always)]
fn beside<R: Lanes>(points: &mut Points, [i, j, k]: [usize; 3], distance: R, lane: usize) {
    let [a, b, g] = [points.at::<R>(i, lane), points.at(j, lane), points.at(k, lane)];
    let [u, v, w] = [points.light::<R>(i, lane), points.light(j, lane), points.light(k, lane)];
    let (half, quarter) = (R::splat(0.5), R::splat(0.25));
    let off = g - (a + b) * half;
    let inverse = off.length_squared().max(R::splat(1e-20)).inverse_sqrt();
    let sum = (u + v).mul_add(quarter, w).max(R::splat(1e-10)).reciprocal();
    let correction = off * (distance.neg_mul_add(inverse, R::one()) * sum);
    points.put(i, correction.mul_add(u * half, a), lane);
    points.put(j, correction.mul_add(v * half, b), lane);
    points.put(k, correction.mul_add(-w, g), lane);
}

/// The directors of a segment, and what its rotation depends on.
struct Frame<R> {
    d: [Vector<R>; 3],
    /// 1/|e|.
    inverse_edge: R,
    /// 1/ρ.
    inverse_arm: R,
    /// s/(|e| ρ).
    slope: R,
}

#[inline(always)]
fn frame<R: Real>(a: Vector<R>, b: Vector<R>, g: Vector<R>) -> Frame<R> {
    let least = R::splat(1e-20);
    let (edge, arm) = (b - a, g - a);
    let inverse_edge = edge.length_squared().max(least).inverse_sqrt();
    let d3 = edge * inverse_edge;
    let across = d3.cross(arm);
    let inverse_arm = across.length_squared().max(least).inverse_sqrt();
    let d2 = across * inverse_arm;
    Frame {
        d: [d2.cross(d3), d2, d3],
        inverse_edge,
        inverse_arm,
        slope: arm.dot(d3) * inverse_edge * inverse_arm,
    }
}

/// Gradients of `m·ω` by the edge and by the arm of a frame.
#[inline(always)]
fn gradients<R: Real>(m: Vector<R>, frame: &Frame<R>) -> [Vector<R>; 2] {
    let [_, d2, d3] = frame.d;
    let about = m.dot(d3);
    let edge = m.cross(d3) * frame.inverse_edge - d2 * (frame.slope * about);
    [edge, d2 * (frame.inverse_arm * about)]
}

/// Bending and twist between two segments, all three components at once; zero at rest.
#[inline(always)]
fn bend<R: Lanes>(points: &mut Points, index: [usize; 5], lane: usize) {
    let [a, b, c, g, h] = index;
    let place = [
        points.at::<R>(a, lane),
        points.at(b, lane),
        points.at(c, lane),
        points.at(g, lane),
        points.at(h, lane),
    ];
    let light = [
        points.light::<R>(a, lane),
        points.light(b, lane),
        points.light(c, lane),
        points.light(g, lane),
        points.light(h, lane),
    ];
    let first = frame(place[0], place[1], place[3]);
    let second = frame(place[1], place[2], place[4]);
    let [a1, a2, a3] = first.d;
    let [b1, b2, b3] = second.d;
    // Antisymmetric part over one plus the trace of the relative rotation.
    let trace = R::one() + a1.dot(b1) + a2.dot(b2) + a3.dot(b3);
    let inverse = trace.max(R::splat(0.05)).reciprocal();
    let psi = Vector::new(
        a3.dot(b2) - a2.dot(b3),
        a1.dot(b3) - a3.dot(b1),
        a2.dot(b1) - a1.dot(b2),
    ) * inverse;
    // Rows of ½ (1 − [Ψ]× + ΨΨᵀ) Rᵀ.
    let half = R::splat(0.5);
    let along = a1.mul_add_each(psi.x, a2, psi.y, a3, psi.z);
    let rows = [
        along.mul_add(psi.x, a1 + a2 * psi.z - a3 * psi.y) * half,
        along.mul_add(psi.y, a2 + a3 * psi.x - a1 * psi.z) * half,
        along.mul_add(psi.z, a3 + a1 * psi.y - a2 * psi.x) * half,
    ];
    let slopes = [
        by_points(rows[0], &first, &second),
        by_points(rows[1], &first, &second),
        by_points(rows[2], &first, &second),
    ];
    let matrix = Symmetric([
        product(&slopes[0], &slopes[0], &light),
        product(&slopes[1], &slopes[1], &light),
        product(&slopes[2], &slopes[2], &light),
        product(&slopes[0], &slopes[1], &light),
        product(&slopes[0], &slopes[2], &light),
        product(&slopes[1], &slopes[2], &light),
    ]);
    let lambda = solve(matrix, psi);
    let mut k = 0;
    while k < 5 {
        let step = slopes[0][k].mul_add_each(lambda.x, slopes[1][k], lambda.y, slopes[2][k], lambda.z);
        points.put(index[k], step.mul_add(-light[k], place[k]), lane);
        k += 1;
    }
}

/// Gradients of one component by the five points.
#[inline(always)]
fn by_points<R: Real>(row: Vector<R>, first: &Frame<R>, second: &Frame<R>) -> [Vector<R>; 5] {
    let [edge, arm] = gradients(row, first);
    let [next_edge, next_arm] = gradients(row, second);
    [edge + arm, -(edge + next_edge + next_arm), next_edge, -arm, next_arm]
}

#[inline(always)]
fn product<R: Real>(a: &[Vector<R>; 5], b: &[Vector<R>; 5], light: &[R; 5]) -> R {
    let mut sum = R::splat(1e-12);
    let mut k = 0;
    while k < 5 {
        sum = light[k].mul_add(a[k].dot(b[k]), sum);
        k += 1;
    }
    sum
}
