//! The equations of a step (paper 3, Eq. 14–20) and their Jacobian.
//!
//! A node has a velocity `u` and a curvature `κ`, the segment before it an angular velocity `ω` and a contact force `n`, all in that segment's frame; before the first node that is the frame at which
//! the rod starts. With `E = exp(κs)` the rotation at a node, which stands for the length `s` of the rod, Eq. 14 becomes
//!
//! - (14a) at a node: `m(∂ₜu + ω × u) = E n₊ − n + f`;
//! - (14b) of a segment: `I∂ₜω + ω × Iω = J⁻¹(κs) M − J⁻ᵀ(κ₋s₋) M₋ + l d₃ × n + t`, with `M = K(κ − κ̂)` at its two nodes;
//! - (14c) at a node: `ω₊ = Eᵀω + J(κs) s ∂ₜκ`;
//! - (14d) of a segment: `u = E₋ᵀu₋ + l ω × d₃`.
//!
//! What differs from the paper, and why:
//!
//! - Eq. 18 has everything at every node and `κ×` for the rotation between two of them. Tried first, with `α = β = γ = 1/2` in space: of second order, and stable, but frames (made of κ by Eq. 23) and velocities
//!   (by 14d) then part by `(κl)²/12`, weight does work that it should not, and a curl of hair of 50 segments wins its weight times its length within three seconds at any step. Staggered, with the
//!   rotations themselves, velocities are those of the vertices to the last bit, and energy is kept by everything but the step in time. In space it is `α = β = γ = 1/2` still: centred.
//! - `Λ` is taken of the mean state instead of the mean of four `Λ` (Eq. 18): the same order, one evaluation, and with ρ∞ = 1 the midpoint rule.
//! - `n` is the mean force of the step, and (14d) holds at its end. `n` has no rate; weighted like the rest it would swing with `−ρ∞` from step to step about that mean.
//! - The paper turns the loads along after each iteration, outside of its Jacobian: a fixed-point iteration, which diverges where weight outdoes bending at long steps. Here the small rotation `θ` of each
//!   frame is an unknown beside the twelve, `θ₊ = Eᵀθ + J(κs) s δκ`, so that Newton's method sees how loads turn. The band grows from 17 to 23.
//! - Eq. 22 lacks a minus; the text below it has it.
//! - Damping of bending (Kelvin–Voigt) is not in the paper: `M = K(κ − κ̂ + τ ∂ₜκ)`.

use glam::{DMat3, DQuat, DVec3};

use super::{
    band::Band,
    coefficients::Weights,
    model::Model,
    rotation::{cross, derivative, exp, inverse, inverse_derivative, second_derivative},
};

/// Unknowns of a node: `θ`, `u`, `ω`, `κ`, `n`.
pub const NODE: usize = 15;
const THETA: usize = 0;
const U: usize = 3;
const OMEGA: usize = 6;
const KAPPA: usize = 9;
const N: usize = 12;
/// Equations of the first end: six, and three for its frame.
const START: usize = 9;
/// Equations of a node and the segment after it in their order: forces, moments, curvature, length, frame.
const MOMENTS: usize = 3;
const CURVATURE: usize = 6;
const LENGTH: usize = 9;
const FRAME: usize = 12;
/// Second half of an end's equations.
const TURN: usize = 3;

/// The state of a node and of the segment before it, in that segment's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// m/s.
    pub velocity: DVec3,
    /// Of the segment before it, 1/s.
    pub spin: DVec3,
    /// 1/m.
    pub curvature: DVec3,
    /// In the segment before it, N: what its end pulls at its start with.
    pub force: DVec3,
}

/// Time derivatives of the first three.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    pub velocity: DVec3,
    pub spin: DVec3,
    pub curvature: DVec3,
}

/// How an end is led at the end of the step, in the world; `None` is free.
#[derive(Clone, Copy, Debug, Default)]
pub struct End {
    /// m/s.
    pub velocity: Option<DVec3>,
    /// 1/s.
    pub spin: Option<DVec3>,
}

/// All that a step knows before it begins.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    pub model: &'a Model,
    pub weights: Weights,
    /// s.
    pub h: f64,
    /// Linear drag, 1/s.
    pub drag: f64,
    pub old: &'a [Node],
    pub rates: &'a [Rates],
    /// Where the rod starts, then of every segment, before the step.
    pub old_frames: &'a [DQuat],
    /// Weight and forces on each node, world, N.
    pub force: &'a [DVec3],
    /// Torques on each segment, world, N·m.
    pub torque: &'a [DVec3],
    pub ends: [End; 2],
    /// The frame at which the rod starts, at the end of the step, where a wall says it.
    pub wall: Option<DQuat>,
    /// Mean angular velocity of that frame over the last step, 1/s.
    pub start_spin: DVec3,
}

impl Step<'_> {
    /// Number of equations, and of unknowns.
    pub fn size(&self) -> usize {
        NODE * (self.model.segments() + 1)
    }

    /// Weight of the new state in a mean.
    fn share(&self) -> f64 {
        1.0 - self.weights.beta
    }

    /// How a mean rate follows the new state, 1/s.
    fn pace(&self) -> f64 {
        (1.0 - self.weights.alpha) / (self.weights.gamma * self.h)
    }

    /// Eq. 19.
    fn rate(&self, new: DVec3, old: DVec3, rate: DVec3) -> DVec3 {
        let gamma = self.weights.gamma;
        (new - old) / (gamma * self.h) - rate * ((1.0 - gamma) / gamma)
    }

    /// The new rates of a node.
    pub fn rates_of(&self, j: usize, new: &Node) -> Rates {
        let (old, rates) = (&self.old[j], &self.rates[j]);
        Rates {
            velocity: self.rate(new.velocity, old.velocity, rates.velocity),
            spin: self.rate(new.spin, old.spin, rates.spin),
            curvature: self.rate(new.curvature, old.curvature, rates.curvature),
        }
    }

    /// Means over the step, as Eq. 16 weighs them. The force is its mean already.
    fn mean(&self, j: usize, new: &Node) -> Node {
        let (old, beta) = (&self.old[j], self.weights.beta);
        let mean = |new: DVec3, old: DVec3| new * (1.0 - beta) + old * beta;
        Node {
            velocity: mean(new.velocity, old.velocity),
            spin: mean(new.spin, old.spin),
            curvature: mean(new.curvature, old.curvature),
            force: new.force,
        }
    }

    fn mean_rates(&self, j: usize, new: &Node) -> Rates {
        let (fresh, old, alpha) = (self.rates_of(j, new), &self.rates[j], self.weights.alpha);
        let mean = |new: DVec3, old: DVec3| new * (1.0 - alpha) + old * alpha;
        Rates {
            velocity: mean(fresh.velocity, old.velocity),
            spin: mean(fresh.spin, old.spin),
            curvature: mean(fresh.curvature, old.curvature),
        }
    }

    /// The mean of a world vector in a frame that turns.
    fn seen(&self, world: DVec3, new: DQuat, old: DQuat) -> DVec3 {
        let beta = self.weights.beta;
        (new.conjugate() * world) * (1.0 - beta) + (old.conjugate() * world) * beta
    }

    /// Eq. 11, with Kelvin–Voigt damping.
    fn moment(&self, j: usize, mean: &Node, rates: &Rates) -> DVec3 {
        let model = self.model;
        model.rigidity[j] * (mean.curvature - model.rest[j] + rates.curvature * model.relaxation[j])
    }

    /// How the moment of a node follows its curvature.
    fn stiffness(&self, j: usize) -> DMat3 {
        DMat3::from_diagonal(self.model.rigidity[j] * (self.share() + self.model.relaxation[j] * self.pace()))
    }

    /// Angular velocity and turn of the frame at the start where no wall says them: it goes by the same weights as everything else.
    pub fn start_turn(&self, first: &Node) -> (DVec3, DVec3) {
        let w = &self.weights;
        let mean = first.spin * (1.0 - w.beta) + self.old[0].spin * w.beta;
        let spin = (mean - self.start_spin * w.alpha) / (1.0 - w.alpha);
        (spin, (spin * w.gamma + self.start_spin * (1.0 - w.gamma)) * self.h)
    }

    /// The frame at the start, then of every segment (Eq. 23).
    pub fn frames(&self, nodes: &[Node], out: &mut [DQuat]) {
        out[0] = match self.wall {
            Some(wall) => wall,
            None => (self.old_frames[0] * exp(self.start_turn(&nodes[0]).1)).normalize(),
        };
        for j in 0..self.model.segments() {
            out[j + 1] = (out[j] * exp(nodes[j].curvature * self.model.spans[j])).normalize();
        }
    }

    /// What is left of the equations.
    pub fn residual(&self, nodes: &[Node], frames: &[DQuat], out: &mut [f64]) {
        let (n, model) = (self.model.segments(), self.model);
        let first = self.ends[0];
        let back = frames[0].conjugate();
        let place = first.velocity.map_or(nodes[0].force, |v| nodes[0].velocity - back * v);
        let mut mean = self.mean(0, &nodes[0]);
        let mut rates = self.mean_rates(0, &nodes[0]);
        let mut moment = self.moment(0, &mean, &rates);
        write(out, 0, place);
        write(out, TURN, first.spin.map_or(moment, |spin| nodes[0].spin - back * spin));
        write(out, 2 * TURN, DVec3::ZERO);
        for j in 0..n {
            let (l, s, inertia) = (model.lengths[j], model.spans[j], model.inertia[j]);
            let next = self.mean(j + 1, &nodes[j + 1]);
            let next_rates = self.mean_rates(j + 1, &nodes[j + 1]);
            let next_moment = self.moment(j + 1, &next, &next_rates);
            let (turn, next_turn) = (mean.curvature * s, next.curvature * model.spans[j + 1]);
            let rotation = exp(turn);
            let force = self.inertia(j, &mean, &rates) + mean.force
                - rotation * next.force
                - self.seen(self.force[j], frames[j], self.old_frames[j]);
            let turning = inertia * next_rates.spin + next.spin.cross(inertia * next.spin)
                - inverse(next_turn) * next_moment
                + inverse(-turn) * moment
                - l * DVec3::Z.cross(next.force)
                - self.seen(self.torque[j], frames[j + 1], self.old_frames[j + 1]);
            let curvature = next.spin - rotation.conjugate() * mean.spin - derivative(turn) * rates.curvature * s;
            let now = exp(nodes[j].curvature * s);
            let length =
                nodes[j + 1].velocity - now.conjugate() * nodes[j].velocity - l * nodes[j + 1].spin.cross(DVec3::Z);
            let row = START + NODE * j;
            for (k, part) in [force, turning, curvature, length, DVec3::ZERO].into_iter().enumerate() {
                write(out, row + 3 * k, part);
            }
            (mean, rates, moment) = (next, next_rates, next_moment);
        }
        let last = self.ends[1];
        let place = last.velocity.map_or_else(
            || self.inertia(n, &mean, &rates) + mean.force - self.seen(self.force[n], frames[n], self.old_frames[n]),
            |v| nodes[n].velocity - frames[n].conjugate() * v,
        );
        // The wall's angular velocity is that of the frame beyond the last node.
        let turn = last.spin.map_or(moment, |spin| {
            let turn = mean.curvature * model.spans[n];
            let beyond = self.end_frame(nodes, frames);
            exp(-turn) * mean.spin + derivative(turn) * rates.curvature * model.spans[n] - beyond.conjugate() * spin
        });
        write(out, START + NODE * n, place);
        write(out, START + NODE * n + TURN, turn);
    }

    /// Of a node's mass.
    fn inertia(&self, j: usize, mean: &Node, rates: &Rates) -> DVec3 {
        self.model.masses[j] * (rates.velocity + mean.spin.cross(mean.velocity) + mean.velocity * self.drag)
    }

    /// The frame beyond the last node, which a wall holds.
    pub fn end_frame(&self, nodes: &[Node], frames: &[DQuat]) -> DQuat {
        let n = self.model.segments();
        frames[n] * exp(nodes[n].curvature * self.model.spans[n])
    }

    /// The derivative of all equations by all unknowns, each in units of its scale.
    pub fn jacobian(&self, nodes: &[Node], frames: &[DQuat], scales: &Scales, band: &mut Band) {
        band.clear(self.size());
        let n = self.model.segments();
        let mut put = Writer { band, scales };
        self.start_jacobian(nodes, frames, &mut put);
        for j in 0..n {
            self.node_jacobian(j, nodes, frames, &mut put);
        }
        self.end_jacobian(nodes, frames, &mut put);
    }

    fn start_jacobian(&self, nodes: &[Node], frames: &[DQuat], put: &mut Writer) {
        let (one, back) = (DMat3::IDENTITY, frames[0].conjugate());
        match self.ends[0].velocity {
            Some(velocity) => {
                put.add(0, U, one);
                put.add(0, THETA, -cross(back * velocity));
            }
            None => put.add(0, N, one),
        }
        match self.ends[0].spin {
            Some(spin) => {
                put.add(TURN, OMEGA, one);
                put.add(TURN, THETA, -cross(back * spin));
            }
            None => put.add(TURN, KAPPA, self.stiffness(0)),
        }
        put.add(2 * TURN, THETA, one);
        if self.wall.is_none() {
            let w = &self.weights;
            let follows = w.gamma * self.share() / (1.0 - w.alpha) * self.h;
            let (_, turn) = self.start_turn(&nodes[0]);
            put.add(2 * TURN, OMEGA, derivative(turn) * -follows);
        }
    }

    /// Mass, drag and weight of a node, whose equation is at `row`.
    fn inertia_jacobian(&self, row: usize, j: usize, mean: &Node, frames: &[DQuat], put: &mut Writer) {
        let (node, mass, share) = (NODE * j, self.model.masses[j], self.share());
        let linear = DMat3::IDENTITY * (self.pace() + share * self.drag) + cross(mean.spin) * share;
        put.add(row, node + U, linear * mass);
        put.add(row, node + OMEGA, cross(mean.velocity) * (-share * mass));
        put.add(row, node + N, DMat3::IDENTITY);
        // A frame that turns sees the loads turn the other way.
        let load = frames[j].conjugate() * self.force[j];
        put.add(row, node + THETA, cross(load) * -share);
    }

    fn node_jacobian(&self, j: usize, nodes: &[Node], frames: &[DQuat], put: &mut Writer) {
        let model = self.model;
        let (l, s, inertia) = (model.lengths[j], model.spans[j], model.inertia[j]);
        let (one, share, pace) = (DMat3::IDENTITY, self.share(), self.pace());
        let [mean, after] = [j, j + 1].map(|k| self.mean(k, &nodes[k]));
        let [rates, rates_after] = [j, j + 1].map(|k| self.mean_rates(k, &nodes[k]));
        let moment = self.moment(j, &mean, &rates);
        let moment_after = self.moment(j + 1, &after, &rates_after);
        let (turn, turn_after) = (mean.curvature * s, after.curvature * model.spans[j + 1]);
        let rotation = DMat3::from_quat(exp(turn));
        let follows = derivative(turn);
        let (here, next, row) = (NODE * j, NODE * (j + 1), START + NODE * j);

        self.inertia_jacobian(row, j, &mean, frames, put);
        put.add(row, next + N, -rotation);
        put.add(row, here + KAPPA, rotation * cross(after.force) * follows * (share * s));

        let row = row + MOMENTS;
        let matrix = DMat3::from_diagonal(inertia);
        let gyration = cross(after.spin) * matrix - cross(inertia * after.spin);
        put.add(row, next + OMEGA, matrix * pace + gyration * share);
        put.add(row, next + N, cross(DVec3::Z) * -l);
        let bends = inverse_derivative(turn_after, moment_after) * (share * model.spans[j + 1]);
        put.add(row, next + KAPPA, -bends - inverse(turn_after) * self.stiffness(j + 1));
        let bends = inverse_derivative(-turn, moment) * (-share * s);
        put.add(row, here + KAPPA, bends + inverse(-turn) * self.stiffness(j));
        let load = frames[j + 1].conjugate() * self.torque[j];
        put.add(row, next + THETA, cross(load) * -share);

        let row = START + NODE * j + CURVATURE;
        put.add(row, next + OMEGA, one * share);
        put.add(row, here + OMEGA, rotation.transpose() * -share);
        let carried = cross(rotation.transpose() * mean.spin) * follows + second_derivative(turn, rates.curvature) * s;
        put.add(row, here + KAPPA, carried * (-share * s) - follows * (pace * s));

        let row = START + NODE * j + LENGTH;
        let turn = nodes[j].curvature * s;
        let (rotation, follows) = (DMat3::from_quat(exp(-turn)), derivative(turn));
        put.add(row, next + U, one);
        put.add(row, here + U, -rotation);
        put.add(row, here + KAPPA, cross(rotation * nodes[j].velocity) * follows * -s);
        put.add(row, next + OMEGA, cross(DVec3::Z) * l);

        let row = START + NODE * j + FRAME;
        put.add(row, next + THETA, one);
        put.add(row, here + THETA, -rotation);
        put.add(row, here + KAPPA, follows * -s);
    }

    fn end_jacobian(&self, nodes: &[Node], frames: &[DQuat], put: &mut Writer) {
        let n = self.model.segments();
        let (row, node, s) = (START + NODE * n, NODE * n, self.model.spans[n]);
        let (one, share, pace) = (DMat3::IDENTITY, self.share(), self.pace());
        let (mean, rates) = (self.mean(n, &nodes[n]), self.mean_rates(n, &nodes[n]));
        match self.ends[1].velocity {
            Some(velocity) => {
                put.add(row, node + U, one);
                put.add(row, node + THETA, -cross(frames[n].conjugate() * velocity));
            }
            None => self.inertia_jacobian(row, n, &mean, frames, put),
        }
        let row = row + TURN;
        let Some(spin) = self.ends[1].spin else {
            put.add(row, node + KAPPA, self.stiffness(n));
            return;
        };
        let turn = mean.curvature * s;
        let (back, follows) = (DMat3::from_quat(exp(-turn)), derivative(turn));
        put.add(row, node + OMEGA, back * share);
        let carried = cross(back * mean.spin) * follows + second_derivative(turn, rates.curvature) * s;
        put.add(row, node + KAPPA, carried * (share * s) + follows * (pace * s));
        let turn = nodes[n].curvature * s;
        let led = cross(self.end_frame(nodes, frames).conjugate() * spin);
        put.add(row, node + THETA, -led * DMat3::from_quat(exp(-turn)));
        put.add(row, node + KAPPA, led * derivative(turn) * -s);
    }
}

fn write(out: &mut [f64], row: usize, value: DVec3) {
    out[row..row + 3].copy_from_slice(&value.to_array());
}

/// The unit of each kind of unknown: what one segment's turn by a radian in a step would be.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    /// Of `θ`, `u`, `ω`, `κ` and `n`.
    units: [f64; 5],
}

impl Scales {
    pub fn of(step: &Step) -> Self {
        let (length, model) = (step.model.mean_length(), step.model);
        let stiffest = model
            .rigidity
            .iter()
            .fold(0.0, |most: f64, k| most.max(k.max_element()));
        let heaviest = model.masses.iter().fold(0.0, |most: f64, m| most.max(*m));
        // Elastic force of a sharp bend, or the force that carries a node by a segment in a step.
        let force = (stiffest / (length * length)).max(heaviest * length / (step.h * step.h));
        Self {
            units: [
                1.0,
                length / step.h,
                1.0 / step.h,
                1.0 / length,
                force.max(f64::MIN_POSITIVE),
            ],
        }
    }

    fn unit(&self, column: usize) -> f64 {
        self.units[column % NODE / 3]
    }

    /// Add a scaled change to a node.
    pub fn apply(&self, node: &mut Node, change: &[f64], factor: f64) {
        let part = |k: usize| DVec3::from_slice(&change[3 * k..]) * (self.units[k] * factor);
        node.velocity += part(1);
        node.spin += part(2);
        node.curvature += part(3);
        node.force += part(4);
    }

    /// How large a scaled change is: `u`, `ω` and `κ`. Frames follow from those, and the force is as uncertain as a constraint's force is.
    pub fn size(&self, change: &[f64]) -> f64 {
        largest(change, U, N)
    }

    /// By how much a scaled change bends a segment at most, rad.
    pub fn bend(&self, change: &[f64]) -> f64 {
        largest(change, KAPPA, N)
    }
}

/// The largest of some unknowns of all nodes. `f64::max` would hide a NaN.
fn largest(change: &[f64], from: usize, to: usize) -> f64 {
    let some = change.chunks_exact(NODE).flat_map(|node| &node[from..to]);
    some.fold(0.0, |most: f64, x| {
        if most.is_nan() || x.abs() <= most {
            most
        } else {
            x.abs()
        }
    })
}

/// Puts 3×3 blocks into the band.
struct Writer<'a> {
    band: &'a mut Band,
    scales: &'a Scales,
}

impl Writer<'_> {
    fn add(&mut self, row: usize, column: usize, block: DMat3) {
        let unit = self.scales.unit(column);
        for (c, entries) in block.to_cols_array_2d().into_iter().enumerate() {
            for (r, entry) in entries.into_iter().enumerate() {
                if entry != 0.0 {
                    self.band.add(row + r, column + c, entry * unit);
                }
            }
        }
    }
}
