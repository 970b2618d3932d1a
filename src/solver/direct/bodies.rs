//! Rigid bodies among the unknowns: the centre of a body is a further vertex, its rotation a further frame, and a tie holds a point of a
//! segment to a point of a body.
//!
//! A body enters with its mass and inertia, so that a crate of 100 kg on a segment of 30 g is as stable as a feather. Rods with bodies
//! are taken one lane at a time: everything here is plain `f64`. Roots and products only, so that the bits are the same on every machine.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::{
    memory::Memory,
    plan::{Coupling, Plan},
};

/// More than this in a substep is fast, rad: it leaves rods some room to turn the body further before half a turn is reached.
const FAST: f64 = 2.0;

/// A body during a substep.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Centre of mass, world, and orientation at the start of the substep.
    pub center: DVec3,
    pub orientation: DQuat,
    pub linear_velocity: DVec3,
    pub angular_velocity: DVec3,
    /// What the host adds by itself, m/s².
    pub acceleration: DVec3,
    /// kg; `None` for a body that goes where its velocities say.
    pub mass: Option<f64>,
    /// About the centre, in the world's axes at the start of the substep; `None` where it does not turn but by its velocity.
    pub inertia: Option<DMat3>,
    /// The substep before this one, where the body goes by BDF2.
    pub history: Option<BodyHistory>,
}

/// What BDF2 remembers of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyHistory {
    /// How far it went and turned in the last substep, m and rad.
    pub moved: [DVec3; 2],
    /// Velocities before it, m/s and rad/s.
    pub before: [DVec3; 2],
    /// How long it was, s.
    pub h: f64,
}

impl Body {
    /// Where the body goes by itself in a substep, and how it turns; and the factor on its inertia. With the last substep known it is BDF2 as for
    /// vertices (`substep.rs`), else implicit Euler.
    pub fn ahead(&self, h: f64) -> ([DVec3; 2], f64) {
        let fall = self.acceleration * (h * h);
        let [v, w] = [self.linear_velocity, self.angular_velocity];
        match self.history {
            Some(BodyHistory { moved, before, .. }) => {
                let coast = |k: usize, now: DVec3| moved[k] / 3.0 + (now * 4.0 - before[k]) * (h * 2.0 / 9.0);
                ([coast(0, v) + fall * (4.0 / 9.0), coast(1, w)], 2.25)
            }
            None => ([v * h + fall, w * h], 1.0),
        }
    }

    /// How far the body has turned when it is at `q`, and how that changes with a further turn, if by itself it would turn by `expected`.
    ///
    /// A rotation vector from the start says nothing beyond half a turn. What spins that fast is seen from where it would be by itself.
    fn turn_since(&self, q: DQuat, expected: DVec3) -> (DVec3, DMat3) {
        if expected.length_squared() <= FAST * FAST {
            return rotation_since(q * self.orientation.conjugate());
        }
        let (more, inverse) = rotation_since(q * (rotation_by(expected) * self.orientation).conjugate());
        (expected + more, inverse)
    }

    /// Turn by its angular velocity for so long.
    pub fn turn(&mut self, h: f64) {
        self.turn_to((rotation_by(self.angular_velocity * h) * self.orientation).normalize());
    }

    /// Its inertia turns along.
    fn turn_to(&mut self, orientation: DQuat) {
        if let Some(inertia) = &mut self.inertia {
            let turn = DMat3::from_quat(orientation * self.orientation.conjugate());
            *inertia = turn * *inertia * turn.transpose();
        }
        self.orientation = orientation;
    }
}

/// A point of a segment that is held to a point of a body, during a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tie {
    /// Place on the segment, from 0 at its tail to 1 at its head.
    pub along: f64,
    pub body: usize,
    /// From the body's centre, in its frame.
    pub anchor: DVec3,
    /// From the anchor to the point of the rod at the start.
    pub gap: DVec3,
    /// N/m, its relaxation time over the step, and the most that it pulls with, N.
    pub stiffness: f64,
    pub alpha: f64,
    pub max_force: f64,
}

/// The bodies and ties of a plan.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Length of the substep, s.
    pub h: f64,
    pub bodies: Vec<Body>,
    pub ties: Vec<Tie>,
}

impl Bodies {
    /// Lay out the bodies: where they go by themselves.
    pub fn start(&self, plan: &Plan, m: &mut Memory) {
        let h = self.h;
        for (b, body) in self.bodies.iter().enumerate() {
            let (vertex, frame) = (plan.first_body() + b, plan.segments.len() + b);
            let ([coasting, turning], factor) = body.ahead(h);
            let led = body.linear_velocity * h;
            let u = if body.mass.is_some() { coasting } else { led };
            set(&mut m.u, 3 * vertex, u);
            set(&mut m.inertial, 3 * vertex, u);
            m.inertia[vertex] = body.mass.unwrap_or(0.0) * factor / (h * h);
            m.free[vertex] = f64::from(u8::from(body.mass.is_some()));
            if m.has_extra {
                m.extra[9 * vertex..9 * vertex + 9].fill(0.0);
            }
            let turn = if body.inertia.is_some() {
                turning
            } else {
                body.angular_velocity * h
            };
            let turned = rotation_by(turn) * body.orientation;
            set_quaternion(&mut m.q, 4 * frame, turned);
            let still = if body.inertia.is_some() {
                body.orientation
            } else {
                turned
            };
            set_quaternion(&mut m.start_q, 4 * frame, still);
            m.free[plan.vertices + frame] = f64::from(u8::from(body.inertia.is_some()));
        }
    }

    /// What rotations and ties add to the potential.
    pub fn energy(&self, plan: &Plan, m: &Memory) -> f64 {
        let turning = (0..self.bodies.len()).filter_map(|b| self.turning(plan, m, b));
        let turning: f64 = turning.map(|part| 0.5 * part.off.dot(part.weight * part.off)).sum();
        let ties = (0..self.ties.len()).map(|t| self.ties[t].pull(self.gap(plan, m, t).0).energy);
        turning + ties.sum::<f64>()
    }

    /// Inertia against turning: `½ (θ − θ̂)ᵀ I/h² (θ − θ̂)` with `θ` the rotation since the start and `θ̂` the one that the body does by itself.
    pub fn add_rotation(&self, plan: &Plan, m: &mut Memory, body: usize) -> f64 {
        let Some(Turning { off, weight, inverse }) = self.turning(plan, m, body) else {
            return 0.0;
        };
        let node = plan.vertices + plan.segments.len() + body;
        let pull = weight * off;
        add(&mut m.rhs, 3 * node, -(inverse.transpose() * pull));
        add_symmetric(m, node, inverse.transpose() * weight * inverse);
        0.5 * off.dot(pull)
    }

    fn turning(&self, plan: &Plan, m: &Memory, body: usize) -> Option<Turning> {
        let at = &self.bodies[body];
        let ([_, turning], factor) = at.ahead(self.h);
        let weight = at.inertia? * (factor / (self.h * self.h));
        let q = quaternion(&m.q, 4 * (plan.segments.len() + body));
        let (turn, inverse) = at.turn_since(q, turning);
        let off = turn - turning;
        Some(Turning { off, weight, inverse })
    }

    /// A tie: `½ k |g|²` of its gap, up to the most that it pulls with.
    ///
    /// With `a` the arm from the body's centre the gap changes by `(1 − t) u_tail + t u_head − u_center + a × δ` as the body turns by `δ`. To the square of that the Hessian
    /// adds what turns the arm towards the pull, where that is positive: a crate that hangs by its corner wants to hang straight.
    pub fn add_tie(&self, plan: &Plan, m: &mut Memory, t: usize) -> f64 {
        let (tie, at) = (&self.ties[t], &plan.ties[t]);
        let (gap, arm) = self.gap(plan, m, t);
        let Pull {
            energy,
            force,
            stiffness: k,
        } = tie.pull(gap);
        let (near, far) = (1.0 - tie.along, tie.along);
        let [tail, head, center, rotation] = [at.tail, at.head, at.center, at.rotation].map(|n| n as usize);
        add(&mut m.rhs, 3 * tail, force * -near);
        add(&mut m.rhs, 3 * head, force * -far);
        add(&mut m.rhs, 3 * center, force);
        add(&mut m.rhs, 3 * rotation, arm.cross(force));
        let (one, cross) = (DMat3::IDENTITY * k, cross(arm) * k);
        add_symmetric(m, tail, one * (near * near));
        add_symmetric(m, head, one * (far * far));
        add_symmetric(m, center, one);
        let straightening = force.dot(arm).max(0.0) / arm.length_squared().max(f64::MIN_POSITIVE) + k;
        add_symmetric(m, rotation, perpendicular(arm) * straightening);
        let off = &mut m.off;
        add_block(off, at.tail_head, one * (near * far));
        add_block(off, at.tail_center, one * -near);
        add_block(off, at.head_center, one * -far);
        add_block(off, at.tail_rotation, cross * near);
        add_block(off, at.head_rotation, cross * far);
        add_block(off, at.center_rotation, -cross);
        energy
    }

    /// What touches bodies, between their centres and their rotations.
    pub fn add_touched(&self, plan: &Plan, m: &mut Memory) {
        for (&at, cell) in plan.centers.iter().zip(m.contact_bodies.chunks_exact(9)) {
            add_block(&mut m.off, at, DMat3::from_cols_slice(cell));
        }
    }

    /// From the anchor to the point of the rod now, and the arm from the body's centre to the anchor.
    fn gap(&self, plan: &Plan, m: &Memory, t: usize) -> (DVec3, DVec3) {
        let (tie, at) = (&self.ties[t], &plan.ties[t]);
        let [tail, head, center] = [at.tail, at.head, at.center].map(|v| vector(&m.u, 3 * v as usize));
        let arm = quaternion(&m.q, 4 * (plan.segments.len() + tie.body)) * tie.anchor;
        let before = self.bodies[tie.body].orientation * tie.anchor;
        let moved = tail * (1.0 - tie.along) + head * tie.along - center - (arm - before);
        (tie.gap + moved, arm)
    }

    /// The force on the body through a tie, N, and the gap that is left, at the end of a substep.
    pub fn force(&self, plan: &Plan, m: &Memory, t: usize) -> (DVec3, DVec3) {
        let (gap, _) = self.gap(plan, m, t);
        (self.ties[t].pull(gap).force, gap)
    }

    /// Take the bodies to the end of the substep: as far as they moved, with the velocities that take them there. Answers whether they are finite.
    ///
    /// `remember` makes the next substep one of BDF2.
    pub fn finish(&mut self, plan: &Plan, m: &Memory, remember: bool) -> bool {
        let mut good = true;
        for b in 0..self.bodies.len() {
            let u = vector(&m.u, 3 * (plan.first_body() + b));
            let q = quaternion(&m.q, 4 * (plan.segments.len() + b));
            good &= u.is_finite() && q.is_finite();
        }
        if !good {
            return false;
        }
        for (b, body) in self.bodies.iter_mut().enumerate() {
            let u = vector(&m.u, 3 * (plan.first_body() + b));
            let q = quaternion(&m.q, 4 * (plan.segments.len() + b)).normalize();
            let ([_, turning], _) = body.ahead(self.h);
            let turn = body.turn_since(q, turning).0;
            let before = [body.linear_velocity, body.angular_velocity];
            let velocity = |k: usize, way: DVec3| match body.history {
                Some(BodyHistory { moved, .. }) => (way * 3.0 - moved[k]) / (2.0 * self.h),
                None => way / self.h,
            };
            let [linear, angular] = [velocity(0, u), velocity(1, turn)];
            if body.mass.is_some() {
                body.linear_velocity = linear;
            }
            if body.inertia.is_some() {
                body.angular_velocity = angular;
            }
            body.history = (remember && body.mass.is_some()).then_some(BodyHistory {
                moved: [u, turn],
                before,
                h: self.h,
            });
            body.center += u;
            body.turn_to(q);
        }
        true
    }
}

/// How far a body is turned from where it would go by itself, the weight of that, and how it changes with a further turn.
struct Turning {
    off: DVec3,
    weight: DMat3,
    inverse: DMat3,
}

/// Energy, force and stiffness of a tie at some gap.
struct Pull {
    energy: f64,
    force: DVec3,
    stiffness: f64,
}

impl Tie {
    /// Spring and damper are one spring: `½ k |g|² + ½ α k |g − g₀|²` is `½ (1 + α) k |g − g₀ α/(1 + α)|²` and a constant. It pulls no harder than
    /// it may: beyond, its energy grows linearly, and the secant is its stiffness.
    fn pull(&self, gap: DVec3) -> Pull {
        let k = self.stiffness * (1.0 + self.alpha);
        let away = gap - self.gap * (self.alpha / (1.0 + self.alpha));
        let length = away.length();
        let (energy, stiffness) = if k * length <= self.max_force {
            (0.5 * k * length * length, k)
        } else {
            (
                self.max_force * (length - 0.5 * self.max_force / k),
                self.max_force / length,
            )
        };
        Pull {
            energy,
            force: away * stiffness,
            stiffness,
        }
    }
}

/// The quaternion of a rotation by `|v|` about `v`: a series for a sixteenth of it, squared four times.
pub fn rotation_by(v: DVec3) -> DQuat {
    let mut small = v * (1.0 / 32.0); // Half the angle of a sixteenth.
    if small.length_squared() > 0.1 {
        // For the series to be short, whole rounds are left out.
        let rounds = v.length() / TAU;
        small *= 1.0 - rounds.round() / rounds;
    }
    let x = small.length_squared();
    let cosine = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0))));
    let sine = 1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0))));
    let mut q = DQuat::from_xyzw(small.x * sine, small.y * sine, small.z * sine, cosine);
    for _ in 0..4 {
        q = q * q;
    }
    q.normalize()
}

/// The rotation vector `θ` of a quaternion, and `J⁻¹`: how `θ` changes as a small rotation comes after it.
///
/// `J⁻¹ = 1 − ½[θ]× + c [θ]×²` with `c = (1 − θ/2 cot θ/2)/θ²`.
pub fn rotation_since(q: DQuat) -> (DVec3, DMat3) {
    let q = if q.w < 0.0 { -q } else { q };
    let (axis, w) = (q.xyz(), q.w);
    let sine = axis.length();
    // tan of a quarter of the angle, then of an eighth, of a 16th and of a 32nd: there the series of the arc tangent is short.
    let mut tangent = sine / (1.0 + w);
    for _ in 0..3 {
        tangent /= 1.0 + (1.0 + tangent * tangent).sqrt();
    }
    let x = tangent * tangent;
    let series = 1.0
        - x * (1.0 / 3.0
            - x * (1.0 / 5.0 - x * (1.0 / 7.0 - x * (1.0 / 9.0 - x * (1.0 / 11.0 - x * (1.0 / 13.0 - x / 15.0))))));
    let angle = 32.0 * tangent * series;
    let (turn, c) = if angle < 1e-3 {
        // sin(θ/2) = θ/2 − θ³/48.
        (axis * (2.0 + angle * angle / 12.0), 1.0 / 12.0 + angle * angle / 720.0)
    } else {
        let c = (1.0 - 0.5 * angle * w / sine) / (angle * angle);
        (axis * (angle / sine), c)
    };
    let cross = cross(turn);
    (turn, DMat3::IDENTITY - cross * 0.5 + cross * cross * c)
}

/// `[v]×`.
pub fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// `|v|² − v vᵀ`.
fn perpendicular(v: DVec3) -> DMat3 {
    DMat3::IDENTITY * v.length_squared() - DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

fn vector(list: &[f64], at: usize) -> DVec3 {
    DVec3::from_slice(&list[at..at + 3])
}

fn set(list: &mut [f64], at: usize, v: DVec3) {
    v.write_to_slice(&mut list[at..at + 3]);
}

fn add(list: &mut [f64], at: usize, v: DVec3) {
    set(list, at, vector(list, at) + v);
}

fn quaternion(list: &[f64], at: usize) -> DQuat {
    DQuat::from_slice(&list[at..at + 4])
}

fn set_quaternion(list: &mut [f64], at: usize, q: DQuat) {
    q.write_to_slice(&mut list[at..at + 4]);
}

/// Add to the block of a node, and to its size.
fn add_symmetric(m: &mut Memory, node: usize, s: DMat3) {
    let entries = [s.x_axis.x, s.y_axis.y, s.z_axis.z, s.y_axis.x, s.z_axis.x, s.z_axis.y];
    m.size[node] += entries[0] + entries[1] + entries[2];
    for (cell, entry) in m.diagonal[6 * node..6 * node + 6].iter_mut().zip(entries) {
        *cell += entry;
    }
}

/// Add to a block off the diagonal, which stands by rows.
fn add_block(off: &mut [f64], at: Coupling, block: DMat3) {
    let rows = if at.transposed { block } else { block.transpose() };
    let start = 9 * at.block as usize;
    for (cell, entry) in off[start..start + 9].iter_mut().zip(rows.to_cols_array()) {
        *cell += entry;
    }
}

#[cfg(test)]
mod tests;
