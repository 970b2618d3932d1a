//! The energies against finite differences, in `f64`, and the positions that a step finds against their forces.

mod orientation_of_one_segment;

use glam::{DMat3, DQuat, DVec3};

use super::{
    energy::{Softness, bend_energy, bend_moment, stretch_damping_energy, stretch_energy, stretch_force},
    orientation::{gap, joint_bias, joint_bias_anisotropic, orientation, torque_bias},
};
use crate::{
    math::{Quaternion, Symmetric, Vector},
    prelude::{Damping, Material, RodRef, RodSpec, RodWorld, Settings, Shape},
};

type Q = Quaternion<f64>;
type V = Vector<f64>;

/// The axis without damping.
const E3: V = Vector { x: 0.0, y: 0.0, z: 1.0 };
/// Step of central differences: their error, `δ²` times a third derivative, meets the rounding of `E/δ` near 1e-10.
const DELTA: f64 = 1e-5;
const NO_SOFTNESS: Softness<f64> = Softness {
    matrix: Symmetric([0.0; 6]),
    real: 0.0,
    ratio: 1.0,
};

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

    /// From `10^low` to `10^high`, even in the exponent.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(low + (high - low) * (0.5 + 0.5 * self.number()))
    }

    /// Of length 1 or less.
    fn vector(&mut self) -> V {
        let v = V::new(self.number(), self.number(), self.number());
        if v.length_squared() <= 1.0 { v } else { self.vector() }
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

    /// Of a joint with the largest stiffness `k`: `(k − K)/k²` in a turned frame.
    fn softness(&mut self, k: f64) -> Softness<f64> {
        let share = DVec3::new(0.0, 0.5 + 0.5 * self.number(), 0.5 + 0.5 * self.number());
        let softest = share.max_element();
        Softness {
            matrix: turned_matrix(glam_of(self.rotation()), DMat3::from_diagonal(share / k)),
            real: softest / k,
            ratio: 1.0 - softest,
        }
    }
}

fn turned_matrix(turn: DQuat, matrix: DMat3) -> Symmetric<f64> {
    let turn = DMat3::from_quat(turn);
    let m = turn * matrix * turn.transpose();
    Symmetric([m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y])
}

fn glam_of(q: Q) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

fn matrix(s: Symmetric<f64>) -> DMat3 {
    let [xx, yy, zz, xy, xz, yz] = s.0;
    DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
}

/// `exp(ω/2) q`.
fn turned(omega: V, q: Q) -> Q {
    let angle = omega.length();
    Q::from_parts(omega * ((0.5 * angle).sin() / angle.max(1e-300)), (0.5 * angle).cos()) * q
}

/// `v q η`.
fn swing(v: V, q: Q, axis: V) -> Q {
    Q::vector_times(v, q).times_vector(axis)
}

/// `−∇E` by central differences.
fn descent(energy: impl Fn(V) -> f64) -> V {
    let along = |e: V| (energy(-e) - energy(e)) / (2.0 * DELTA);
    let d = DELTA;
    V::new(
        along(V::new(d, 0.0, 0.0)),
        along(V::new(0.0, d, 0.0)),
        along(V::new(0.0, 0.0, d)),
    )
}

#[track_caller]
fn close(a: V, b: V, tolerance: f64) {
    let error = (a - b).length();
    assert!(error <= tolerance * (1.0 + b.length()), "{a:?} {b:?}: {error:e}");
}

#[test]
fn stretch_force_and_torque() {
    let mut random = Random(1);
    for _ in 0..200 {
        let (edge, q) = (random.vector(), random.rotation());
        let (axial, length) = (random.scale(-1.0, 1.0), random.scale(-1.0, 0.5));
        let of_edge = |d| stretch_energy(edge + d, q, axial, length);
        close(descent(of_edge), -stretch_force(edge, q, axial, length), 1e-8 / length);
        // v q e₃ (Eq. 10, 15) is −∂E/∂q; along δq = ½ ω q that is ½ vec(v q e₃ q̄).
        let of_turn = |w| stretch_energy(edge, turned(w, q), axial, length);
        let torque = (swing(edge * (-2.0 * axial), q, E3) * q.conjugate()).vector() * 0.5;
        close(descent(of_turn), torque, 1e-8 / length);
    }
}

/// Paper 2, Eq. 24: stretch with its damping depends on `q` as `−½ q·(v q η)`, and on the edge as a spring that pulls towards `q η q̄`.
#[test]
fn stretch_damping_force_and_generalized_axis() {
    let mut random = Random(2);
    for _ in 0..200 {
        let (edge, before) = (random.vector(), E3 + random.vector() * 0.3);
        let (axial, length, alpha) = (
            random.scale(-1.0, 1.0),
            random.scale(-1.0, 0.5),
            random.scale(-2.0, 1.0),
        );
        let energy = |edge, q| {
            stretch_energy(edge, q, axial, length) + stretch_damping_energy(edge, q, before, alpha, axial, length)
        };
        let axis = E3 + before * alpha;
        let pull = edge * (-2.0 * axial);
        let constant = |q: Q| energy(edge, q) + 0.5 * q.dot(swing(pull, q, axis));
        let (p, q) = (random.rotation(), random.rotation());
        assert!(
            (constant(p) - constant(q)).abs() < 1e-12 * (1.0 + constant(p)),
            "{axis:?}"
        );
        // Eq. 33 with r, added to Eq. 28: EA ((1 + α) Δx/l − q η q̄).
        let force = (edge * ((1.0 + alpha) / length) - q.rotate(axis)) * axial;
        close(descent(|d| energy(edge + d, q)), -force, 1e-7 / length);
    }
}

#[test]
fn bend_moment_is_the_slope_of_bend_energy() {
    let mut random = Random(3);
    for case in 0..400 {
        let (first, rest) = (random.rotation(), random.rotation());
        // Away from half a turn, where φ flips and the energy has a kink.
        let away = random.vector() * 2.5;
        let second = turned(away, first * rest);
        let k = random.scale(-1.0, 1.0);
        let softness = if case % 2 == 0 { NO_SOFTNESS } else { random.softness(k) };
        let moment = bend_moment(first, second, rest, k, softness);
        let on_second = |w| bend_energy(first, turned(w, second), rest, k, softness);
        let on_first = |w| bend_energy(turned(w, first), second, rest, k, softness);
        close(descent(on_second), moment, 1e-8);
        close(descent(on_first), -moment, 1e-8);
    }
}

/// What the joints put into `b`, and the bars that the papers misplace: `t = qᵢ q⁰` for the segment after (paper 1's Eq. 12 has a bar too
/// many), `t = qⱼ q̄⁰` for the one before (paper 2's Eq. 17 has one too few).
#[test]
fn bars_of_the_rest_orientation() {
    let mut random = Random(4);
    for _ in 0..200 {
        let first = random.rotation();
        // A rest shape that is clearly bent, by 1 to 2 rad, and a joint strained by less.
        let rest = turned(
            V::new(1.0, 0.5 * random.number(), 1.0 + 0.5 * random.number()),
            Q::new(0.0, 0.0, 0.0, 1.0),
        );
        let second = turned(random.vector(), first * rest);
        let torque = |b: Q, own: Q| (b * own.conjugate()).vector() * 0.5;
        let on_second = descent(|w| bend_energy(first, turned(w, second), rest, 1.0, NO_SOFTNESS));
        let on_first = descent(|w| bend_energy(turned(w, first), second, rest, 1.0, NO_SOFTNESS));
        close(torque(joint_bias(first, rest, second), second), on_second, 1e-8);
        close(
            torque(joint_bias(second, rest.conjugate(), first), first),
            on_first,
            1e-8,
        );
        let printed = torque(joint_bias(first, rest.conjugate(), second), second);
        assert!(
            (printed - on_second).length() > 0.05,
            "Eq. 12 of paper 1 as printed would do"
        );
        let printed = torque(joint_bias(second, rest, first), first);
        assert!(
            (printed - on_first).length() > 0.05,
            "Eq. 17 of paper 2 as printed would do"
        );
    }
}

/// Without stretch an outer torque turns a segment until its joint answers with the opposite moment.
#[test]
fn torque_meets_the_moment_of_the_joint() {
    let mut random = Random(10);
    for _ in 0..50 {
        let (first, rest) = (random.rotation(), random.rotation());
        // Up to 0.6 of k/2, the most that a joint of this model can bear.
        let torque = random.vector() * 0.3;
        let mut q = first * rest;
        for _ in 0..300 {
            let bias = joint_bias(first, rest, q) + torque_bias(torque, q);
            q = orientation::<f64, false>(V::zero(), bias.scale(0.5), E3, q, true);
        }
        close(bend_moment(first, q, rest, 1.0, NO_SOFTNESS), -torque, 1e-6);
    }
}

/// A vertex update never forms a force: it is a weighted mean (see `rows.rs`). Swept until it stands still it must balance inertia,
/// gravity and the forces of `energy.rs`, damping included.
#[test]
fn positions_balance_the_forces_of_the_energy() {
    const STEP: f64 = 1.0 / 64.0;
    let (axial, tau) = (100.0, 0.02);
    let settings = Settings {
        substeps: 1,
        iterations: 600,
        threads: Some(1),
        ..Settings::default()
    };
    for damping in [Damping::None, Damping::Time(tau)] {
        let material = Material::rigidity(axial, axial, 0.3, 0.2, 0.5).with_damping(damping);
        let spec = RodSpec::new(Shape::helix(0.5, 0.3, 0.8, 9)).material(material).pin(0);
        let mut world = RodWorld::new(settings.clone()).expect("sound settings");
        let id = world.insert(spec.build().expect("a sound rod")).expect("a sound rod");
        for _ in 0..8 {
            world.step(STEP as f32).expect("a sound step");
        }
        let before = world.clone();
        world.step(STEP as f32).expect("a sound step");
        let (old, new) = (before.rod(id).expect("the rod"), world.rod(id).expect("the rod"));
        let alpha = if damping == Damping::None { 0.0 } else { tau / STEP };
        let mut forces = [V::zero(); 10];
        for (s, segment) in new.description().segments().iter().enumerate() {
            let length = segment.rest_length;
            let edge = |rod: &RodRef<'_>| V::from(rod.position(s + 1) - rod.position(s));
            let frame = |rod: &RodRef<'_>| Q::from(rod.orientation(s).as_dquat().normalize());
            let local = frame(&old).conjugate().rotate(edge(&old) * (1.0 / length));
            let rate = edge(&new) * (1.0 / length) - frame(&new).rotate(local);
            let force = stretch_force(edge(&new), frame(&new), axial, length) + rate * (alpha * axial);
            forces[s] = forces[s] + force;
            forces[s + 1] = forces[s + 1] - force;
        }
        for (v, vertex) in new.description().vertices().iter().enumerate().skip(1) {
            let moved = new.position(v) - old.position(v) - old.velocity(v).as_dvec3() * STEP;
            let inertia = (moved / (STEP * STEP) + DVec3::Y * 9.81) * vertex.mass;
            // Of forces around a newton; 1e-7 EA is the rounding of one frame, and viscosity doubles the stiffness: 5e-5 N seen.
            close(forces[v], V::from(inertia), 3e-4);
        }
    }
}
