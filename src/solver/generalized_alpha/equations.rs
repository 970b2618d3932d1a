//! The equations of a step (paper 3, Eq. 14–20) and their Jacobian.
//!
//! A node has velocity `u`, angular velocity `ω`, curvature `κ` and contact force `n`, all in its own frame, which is not an unknown of Eq. 14. A segment between nodes `a` and `b`
//! holds (14a)–(14d) at its middle. Beyond the paper, and why:
//!
//! - In space `α = β = γ = 1/2`: with `γ = 1 − β` the weights of Eq. 18 and the recursion of Eq. 20 cancel, `∂ₛx` is `(x_b − x_a)/l`, and no `∂ₛx₀` has to be guessed. The scheme is centred and
//!   of second order.
//! - `Λ` is taken of the mean state instead of the mean of four `Λ`: the same order, one evaluation, and with ρ∞ = 1 the midpoint rule.
//! - `n` is the mean force of the step, and (14d) holds at its end. `n` has no rate; weighted like the rest it would swing with `−ρ∞` from step to step about that mean.
//! - The paper turns the loads along after each iteration, outside of its Jacobian: that is a fixed-point iteration, which diverges where weight outdoes bending at long steps. Here the
//!   small rotation `θ` of each segment's frame is an unknown beside the twelve, `θ_b = exp(−κl) θ_a + J(κl) l δκ`, so that Newton's method sees how loads turn. The band grows from 17 to 23.
//! - Eq. 22 lacks a minus; the text below it has it.
//! - Ends: Eq. 14 is local, so a point load sits in the boundary condition, together with the inertia of what is tied there.

use glam::{DMat3, DQuat, DVec3};

use super::{
    band::Band,
    coefficients::Weights,
    model::Model,
    rotation::{cross, derivative, exp},
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
/// Equations of a segment in their order: forces, moments, curvature, length, frame.
const MOMENTS: usize = 3;
const CURVATURE: usize = 6;
const LENGTH: usize = 9;
const FRAME: usize = 12;
/// Second half of an end's equations.
const TURN: usize = 3;

/// The state of a node, in its own frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// m/s.
    pub velocity: DVec3,
    /// 1/s.
    pub spin: DVec3,
    /// 1/m.
    pub curvature: DVec3,
    /// What the rod beyond the node pulls at what is before it with, N.
    pub force: DVec3,
}

/// Time derivatives of the first three.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    pub velocity: DVec3,
    pub spin: DVec3,
    pub curvature: DVec3,
}

/// What an end is told, in the world.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub place: Place,
    pub turn: Turn,
}

#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Moves freely under a force, N.
    Free(DVec3),
    /// At a velocity at the end of the step, m/s.
    Led(DVec3),
}

#[derive(Clone, Copy, Debug)]
pub enum Turn {
    /// Turns freely under a torque, N·m.
    Free(DVec3),
    /// At an angular velocity at the end of the step, 1/s.
    Led(DVec3),
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
    /// m/s².
    pub gravity: DVec3,
    pub old: &'a [Node],
    pub rates: &'a [Rates],
    /// Frame of the first node, then of every segment, before the step.
    pub old_frames: &'a [DQuat],
    /// Weight and forces on each segment, world, N/m.
    pub force: &'a [DVec3],
    /// Torques on each segment, world, N.
    pub torque: &'a [DVec3],
    pub ends: [End; 2],
    /// The first node's frame at the end of the step where a wall says it.
    pub wall: Option<DQuat>,
    /// Mean angular velocity of the first node over the last step, 1/s.
    pub start_spin: DVec3,
}

/// The middle of a segment.
struct Middle {
    velocity: DVec3,
    spin: DVec3,
    curvature: DVec3,
    force: DVec3,
    moment: DVec3,
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
    pub fn rate(&self, new: DVec3, old: DVec3, rate: DVec3) -> DVec3 {
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
    fn stiffness(&self, j: usize) -> DVec3 {
        self.model.rigidity[j] * (self.share() + self.model.relaxation[j] * self.pace())
    }

    /// By how much the first node turns where no wall says it: its rotation goes by the same weights as everything else.
    pub fn start_turn(&self, first: &Node) -> (DVec3, DVec3) {
        let w = &self.weights;
        let mean = first.spin * (1.0 - w.beta) + self.old[0].spin * w.beta;
        let spin = (mean - self.start_spin * w.alpha) / (1.0 - w.alpha);
        (spin, (spin * w.gamma + self.start_spin * (1.0 - w.gamma)) * self.h)
    }

    /// The frame of the first node, then of every segment (Eq. 23).
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
        let n = self.model.segments();
        for side in 0..2 {
            let [place, turn] = self.end_residual(side, nodes, frames);
            let row = if side == 0 { 0 } else { START + NODE * n };
            write(out, row, place);
            write(out, row + TURN, turn);
        }
        write(out, 2 * TURN, DVec3::ZERO);
        for s in 0..n {
            let model = self.model;
            let (l, density, inertia) = (model.lengths[s], model.line_density[s], model.inertia[s]);
            let (means, rates) = self.means(s, nodes);
            let moments = [0, 1].map(|k| self.moment(s + k, &means[k], &rates[k]));
            let mid = middle(&means, &moments);
            let rate = |pick: fn(&Rates) -> DVec3| 0.5 * (pick(&rates[0]) + pick(&rates[1]));
            let frame = [frames[s + 1], self.old_frames[s + 1]];
            let force = density
                * (rate(|r| r.velocity) + mid.spin.cross(mid.velocity) + mid.velocity * self.drag)
                - (means[1].force - means[0].force) / l
                - mid.curvature.cross(mid.force)
                - self.seen(self.force[s], frame[0], frame[1]);
            let moment = inertia * rate(|r| r.spin) + mid.spin.cross(inertia * mid.spin)
                - (moments[1] - moments[0]) / l
                - mid.curvature.cross(mid.moment)
                - DVec3::Z.cross(mid.force)
                - self.seen(self.torque[s], frame[0], frame[1]);
            let curvature =
                rate(|r| r.curvature) - (means[1].spin - means[0].spin) / l + mid.spin.cross(mid.curvature);
            let (a, b) = (&nodes[s], &nodes[s + 1]);
            let length = (b.velocity - a.velocity) / l
                + (0.5 * (a.curvature + b.curvature)).cross(0.5 * (a.velocity + b.velocity))
                - (0.5 * (a.spin + b.spin)).cross(DVec3::Z);
            let row = START + NODE * s;
            for (k, part) in [force, moment, curvature, length, DVec3::ZERO].into_iter().enumerate() {
                write(out, row + 3 * k, part);
            }
        }
    }

    fn means(&self, s: usize, nodes: &[Node]) -> ([Node; 2], [Rates; 2]) {
        let pair = [s, s + 1];
        (
            pair.map(|j| self.mean(j, &nodes[j])),
            pair.map(|j| self.mean_rates(j, &nodes[j])),
        )
    }

    /// Node, sign of what the rod beyond pulls with, and frame now and before, of an end.
    fn end(&self, side: usize, nodes: &[Node], frames: &[DQuat]) -> (usize, f64, [DQuat; 2]) {
        if side == 0 {
            return (0, -1.0, [frames[0], self.old_frames[0]]);
        }
        let n = self.model.segments();
        (n, 1.0, [self.end_frame(nodes, frames), self.end_frame(self.old, self.old_frames)])
    }

    /// The frame of the last node.
    pub fn end_frame(&self, nodes: &[Node], frames: &[DQuat]) -> DQuat {
        let n = self.model.segments();
        frames[n] * exp(nodes[n].curvature * self.model.spans[n])
    }

    fn end_residual(&self, side: usize, nodes: &[Node], frames: &[DQuat]) -> [DVec3; 2] {
        let (j, sign, [frame, before]) = self.end(side, nodes, frames);
        let (mean, rates) = (self.mean(j, &nodes[j]), self.mean_rates(j, &nodes[j]));
        let End { place, turn } = self.ends[side];
        let place = match place {
            Place::Led(velocity) => nodes[j].velocity - frame.conjugate() * velocity,
            Place::Free(force) => {
                let load = self.model.loads[side];
                let inertia = rates.velocity + mean.spin.cross(mean.velocity) + mean.velocity * self.drag;
                sign * mean.force + load * inertia - self.seen(force + load * self.gravity, frame, before)
            }
        };
        let turn = match turn {
            Turn::Led(spin) => nodes[j].spin - frame.conjugate() * spin,
            Turn::Free(torque) => sign * self.moment(j, &mean, &rates) - self.seen(torque, frame, before),
        };
        [place, turn]
    }

    /// The derivative of all equations by all unknowns, each in units of its scale.
    pub fn jacobian(&self, nodes: &[Node], frames: &[DQuat], scales: &Scales, band: &mut Band) {
        band.clear(self.size());
        let n = self.model.segments();
        let mut put = Writer { band, scales };
        self.end_jacobian(0, nodes, frames, &mut put);
        for s in 0..n {
            self.segment_jacobian(s, nodes, frames, &mut put);
        }
        self.end_jacobian(1, nodes, frames, &mut put);
    }

    fn segment_jacobian(&self, s: usize, nodes: &[Node], frames: &[DQuat], put: &mut Writer) {
        let model = self.model;
        let (l, density, inertia) = (model.lengths[s], model.line_density[s], model.inertia[s]);
        let (means, rates) = self.means(s, nodes);
        let moments = [0, 1].map(|k| self.moment(s + k, &means[k], &rates[k]));
        let mid = middle(&means, &moments);
        let half = 0.5 * self.share();
        let (one, pace) = (DMat3::IDENTITY, 0.5 * self.pace());
        let row = START + NODE * s;
        let now = [nodes[s], nodes[s + 1]];
        let velocity_now = 0.5 * (now[0].velocity + now[1].velocity);
        let curvature_now = 0.5 * (now[0].curvature + now[1].curvature);
        for (k, side) in [(0, -1.0), (1, 1.0)] {
            let node = NODE * (s + k);
            let ends = one * (side / l);
            let stiffness = DMat3::from_diagonal(self.stiffness(s + k));
            let matrix = DMat3::from_diagonal(inertia);
            put.add(
                row,
                node + U,
                (one * (pace + half * self.drag) + cross(mid.spin) * half) * density,
            );
            put.add(row, node + OMEGA, cross(mid.velocity) * (-half * density));
            put.add(row, node + KAPPA, cross(mid.force) * half);
            put.add(row, node + N, -ends - cross(mid.curvature) * 0.5);

            let gyration = (cross(mid.spin) * matrix - cross(inertia * mid.spin)) * half;
            put.add(row + MOMENTS, node + OMEGA, matrix * pace + gyration);
            put.add(
                row + MOMENTS,
                node + KAPPA,
                -(ends + cross(mid.curvature) * 0.5) * stiffness + cross(mid.moment) * half,
            );
            put.add(row + MOMENTS, node + N, cross(DVec3::Z) * -0.5);

            put.add(row + CURVATURE, node + KAPPA, one * pace + cross(mid.spin) * half);
            put.add(
                row + CURVATURE,
                node + OMEGA,
                -ends * self.share() - cross(mid.curvature) * half,
            );

            put.add(row + LENGTH, node + U, ends + cross(curvature_now) * 0.5);
            put.add(row + LENGTH, node + KAPPA, cross(velocity_now) * -0.5);
            put.add(row + LENGTH, node + OMEGA, cross(DVec3::Z) * 0.5);
        }
        // A frame that turns sees the loads turn the other way.
        let (here, next) = (NODE * s, NODE * (s + 1));
        let back = frames[s + 1].conjugate();
        put.add(row, next + THETA, cross(back * self.force[s]) * -self.share());
        put.add(row + MOMENTS, next + THETA, cross(back * self.torque[s]) * -self.share());
        let turn = nodes[s].curvature * model.spans[s];
        put.add(row + FRAME, next + THETA, one);
        put.add(row + FRAME, here + THETA, -DMat3::from_quat(exp(-turn)));
        put.add(row + FRAME, here + KAPPA, derivative(turn) * -model.spans[s]);
    }

    fn end_jacobian(&self, side: usize, nodes: &[Node], frames: &[DQuat], put: &mut Writer) {
        let (j, sign, [frame, _]) = self.end(side, nodes, frames);
        let n = self.model.segments();
        let (row, node) = (if side == 0 { 0 } else { START + NODE * n }, NODE * j);
        let (one, share) = (DMat3::IDENTITY, self.share());
        // How a world vector in the frame of this end follows the unknowns.
        let turn = nodes[j].curvature * self.model.spans[j];
        let seen = |put: &mut Writer, row: usize, world: DVec3, weight: f64| {
            let turned = cross(frame.conjugate() * world) * weight;
            if side == 0 {
                put.add(row, node + THETA, turned);
            } else {
                put.add(row, node + THETA, turned * DMat3::from_quat(exp(-turn)));
                put.add(row, node + KAPPA, turned * derivative(turn) * self.model.spans[j]);
            }
        };
        let End { place, turn: held } = self.ends[side];
        match place {
            Place::Led(velocity) => {
                put.add(row, node + U, one);
                seen(put, row, velocity, -1.0);
            }
            Place::Free(force) => {
                let load = self.model.loads[side];
                let mean = self.mean(j, &nodes[j]);
                put.add(row, node + N, one * sign);
                let inertia = one * (self.pace() + share * self.drag) + cross(mean.spin) * share;
                put.add(row, node + U, inertia * load);
                put.add(row, node + OMEGA, cross(mean.velocity) * (-share * load));
                seen(put, row, force + load * self.gravity, -share);
            }
        }
        match held {
            Turn::Led(spin) => {
                put.add(row + TURN, node + OMEGA, one);
                seen(put, row + TURN, spin, -1.0);
            }
            Turn::Free(torque) => {
                put.add(row + TURN, node + KAPPA, DMat3::from_diagonal(self.stiffness(j)) * sign);
                seen(put, row + TURN, torque, -share);
            }
        }
        if side == 0 {
            put.add(2 * TURN, THETA, one);
            if self.wall.is_none() {
                let w = &self.weights;
                let follows = w.gamma * share / (1.0 - w.alpha) * self.h;
                let (_, turn) = self.start_turn(&nodes[0]);
                put.add(2 * TURN, OMEGA, derivative(turn) * -follows);
            }
        }
    }
}

fn middle(means: &[Node; 2], moments: &[DVec3; 2]) -> Middle {
    let [a, b] = means;
    Middle {
        velocity: 0.5 * (a.velocity + b.velocity),
        spin: 0.5 * (a.spin + b.spin),
        curvature: 0.5 * (a.curvature + b.curvature),
        force: 0.5 * (a.force + b.force),
        moment: 0.5 * (moments[0] + moments[1]),
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
        let stiffest = model.rigidity.iter().fold(0.0, |most: f64, k| most.max(k.max_element()));
        let heaviest = model.line_density.iter().fold(0.0, |most: f64, d| most.max(*d));
        // Elastic force of a sharp bend, or the force that carries a segment by its length in a step.
        let force = (stiffest / (length * length)).max(heaviest * (length / step.h).powi(2));
        Self {
            units: [1.0, length / step.h, 1.0 / step.h, 1.0 / length, force.max(f64::MIN_POSITIVE)],
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
        if most.is_nan() || x.abs() <= most { most } else { x.abs() }
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
