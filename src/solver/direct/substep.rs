//! A substep from the stored state and back: what [`Newton`] needs is laid out, and what it found is written.

use super::{
    blocks::{read_vector, write_vector},
    memory::Memory,
    newton::{Newton, load_position, load_vector, read_quaternion, write_quaternion},
    plan::{Part, Plan},
};
use crate::{
    math::{
        Quaternion, Vector,
        lanes::{Double, DoubleKernel, LANES, QuaternionRow, Row, VectorRow},
    },
    solver::{
        Solver,
        stable_cosserat::{
            chain::fade,
            rows::{Outcome, Substep},
        },
    },
    state::block::{Block, Layout},
};

/// A position or speed beyond this does not go back into single precision.
const LARGEST: f64 = 1e37;

/// One substep of a block.
pub struct DirectStep<'a> {
    pub block: &'a mut Block,
    pub plan: &'a Plan,
    pub memory: &'a mut Memory,
    pub substep: Substep,
    /// What the rods of the plan ask for, all together.
    pub features: Features,
    /// Second order in time.
    pub second_order: bool,
}

/// What rods need beyond the plain model. Rods that are solved together all get what one of them needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// Bending and twist differ in stiffness.
    pub anisotropic: bool,
    /// Some relaxation time is not zero.
    pub damped: bool,
    /// Further stages add to the vertices.
    pub extra: bool,
    /// Outer torques turn segments.
    pub torque: bool,
}

impl Features {
    /// Of a block.
    pub fn of(block: &Block) -> Self {
        Self {
            anisotropic: block.kind.anisotropic,
            damped: block.kind.damped,
            extra: !block.extra.is_empty(),
            torque: !block.torque.is_empty(),
        }
    }

    /// What either needs.
    pub fn or(self, other: Self) -> Self {
        Self {
            anisotropic: self.anisotropic || other.anisotropic,
            damped: self.damped || other.damped,
            extra: self.extra || other.extra,
            torque: self.torque || other.torque,
        }
    }
}

impl DoubleKernel for DirectStep<'_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<R: Double>(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        let graph = matches!(self.block.layout, Layout::Graph(_));
        let part = self.plan.whole();
        let mut lane = 0;
        while lane < LANES {
            // Lanes without a rod are passed over; a graph is one rod.
            if self.block.rods[lane..lane + R::WIDTH].iter().any(Option::is_some) {
                open::<R>(self.memory, self.features);
                self.start::<R>(lane, &part);
                measure::<R>(self.memory, self.plan);
                let taken = Newton {
                    anisotropic: self.features.anisotropic,
                    damped: self.features.damped,
                    chain: !graph,
                    plan: self.plan,
                    memory: self.memory,
                    iterations: self.substep.iterations,
                    bodies: None,
                }
                .run::<R>();
                outcome.iterations = outcome.iterations.max(taken);
                self.finish::<R>(&mut outcome, lane, &part);
            }
            if graph {
                break;
            }
            lane += R::WIDTH;
        }
        outcome
    }
}

#[inline(always)]
fn load_quaternion<R: Double>(rows: &QuaternionRow, lane: usize) -> Quaternion<R> {
    let [x, y, z, w] = rows;
    Quaternion::new(R::load(x, lane), R::load(y, lane), R::load(z, lane), R::load(w, lane))
}

#[inline(always)]
fn store_vector<R: Double>(v: Vector<R>, rows: &mut VectorRow, lane: usize) {
    let [x, y, z] = rows;
    v.x.store(x, lane);
    v.y.store(y, lane);
    v.z.store(z, lane);
}

/// Position of a vertex of the rod in a lane.
#[inline(always)]
fn vertex_position<R: Double>(block: &Block, lane: usize, vertex: usize) -> Vector<R> {
    let (row, cell) = block.vertex_place(lane, vertex);
    load_position(&block.vertices[row], cell)
}

/// Before the rods of a plan are started.
#[inline(always)]
pub fn open<R: Double>(m: &mut Memory, features: Features) {
    m.has_extra = features.extra;
    m.has_torque = features.torque;
    m.has_contact = false;
    R::zero().write(&mut m.standing, 0);
}

/// After they were: the length by which motion is measured.
#[inline(always)]
pub fn measure<R: Double>(m: &mut Memory, plan: &Plan) {
    let mut total = R::zero();
    for s in 0..plan.segments.len() {
        total = total + R::read(&m.segments, 4 * s + 2);
    }
    // Bodies alone have no length to go by.
    let count = plan.segments.len() as f64;
    let inverse = if count > 0.0 { R::splat(count) / total } else { R::one() };
    inverse.write(&mut m.inverse_mean_length, 0);
}

impl DirectStep<'_> {
    /// Lay out the rod of a lane as a part of the plan.
    #[inline(always)]
    pub fn start<R: Double>(&mut self, lane: usize, part: &Part) {
        let (block, plan, m) = (&*self.block, self.plan, &mut *self.memory);
        let Features {
            anisotropic, damped, ..
        } = self.features;
        let (first_vertex, first_segment) = (part.vertices.start, part.segments.start);
        let h = R::splat(self.substep.h.into());
        let one = R::one();
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        let drag = R::load(&block.drag, lane);
        let fade = R::load(&fade(&block.drag, self.substep.h), lane);
        // BDF2 where the last substep was as long as this one, else Euler.
        let known = if self.second_order {
            let off = R::load(&block.history_step, lane) - h;
            let same = off.flip_by(off).neg_mul_add(R::splat(1e5), h);
            R::select_positive(same, one, R::zero())
        } else {
            R::zero()
        };

        let even = matches!(block.kind.solver, Solver::StableCosserat { .. });
        let mut standing = R::read(&m.standing, 0);
        for v in part.vertices.clone() {
            let (row, at) = block.vertex_place(lane, v - first_vertex);
            let vertex = &block.vertices[row];
            let free = R::load(&vertex.free, at);
            let velocity = load_vector::<R>(&vertex.velocity, at);
            let mut acceleration = gravity;
            if let Some(extra) = block.acceleration.get(row) {
                acceleration = acceleration + load_vector(extra, at);
            }
            let fall = acceleration * (h * h);
            let coasting = velocity * (h * fade);
            let driven = velocity * h;
            let mut inertia = R::load(&vertex.mass, at) / (h * h);
            let mut inertial = coasting + fall;
            if let Some(history) = block.history.get(row) {
                // BDF2: v = (3u − u₋)/2h and (3v − 4v₀ + v₋)/2h + c v = a, drag c, give the inertia 9m/4h² D with D = 1 + 2ch/3
                // towards û = (u₋ (1/3 + 2ch/9) + 2h/9 (4v₀ − v₋) + 4h²/9 a)/D.
                let last = load_vector::<R>(&history.increment, at);
                let earlier = load_vector::<R>(&history.velocity, at);
                let slowing = drag * h;
                let stiffer = slowing.mul_add(R::splat(2.0 / 3.0), one);
                let carried = last * slowing.mul_add(R::splat(2.0 / 9.0), R::splat(1.0 / 3.0));
                let swing = (velocity * R::splat(4.0) - earlier) * (h * R::splat(2.0 / 9.0));
                let second = (carried + swing + fall * R::splat(4.0 / 9.0)) * (one / stiffer);
                inertial = Vector::select_positive(known, second, inertial);
                inertia = R::select_positive(known, inertia * stiffer * R::splat(2.25), inertia);
            }
            let guess = fall.mul_add(R::load(&vertex.falling, at), coasting);
            write_vector(Vector::select_positive(free, guess, driven), &mut m.u, 3 * v);
            write_vector(Vector::select_positive(free, inertial, driven), &mut m.inertial, 3 * v);
            if let Some(extra) = block.extra.get(row) {
                write_vector(load_vector::<R>(&extra.gradient, at), &mut m.extra, 9 * v);
                for (k, entry) in extra.hessian.iter().enumerate() {
                    R::load(entry, at).write(&mut m.extra, 9 * v + 3 + k);
                }
            } else if self.features.extra {
                for k in 0..9 {
                    R::zero().write(&mut m.extra, 9 * v + k);
                }
            }
            inertia.write(&mut m.inertia, v);
            free.write(&mut m.free, v);
            let away = Vector::select_positive(free, inertial, Vector::zero());
            standing = (away.length_squared() * R::splat(0.5)).mul_add(inertia, standing);
        }
        for s in part.segments.clone() {
            let at = &plan.segments[s];
            let (row, cell) = block.segment_place(lane, s - first_segment);
            let segment = &block.segments[row];
            let [tail, head] = [at.tail, at.head].map(|v| v as usize - first_vertex);
            let edge = vertex_position::<R>(block, lane, head) - vertex_position(block, lane, tail);
            write_vector(edge, &mut m.edges, 3 * s);
            let length = R::load(&segment.rest_length, cell);
            R::load(&segment.axial, cell).write(&mut m.segments, 4 * s);
            // A rod of Stable Cosserat is as stiff against shear as against stretch.
            let shear = if even { &segment.axial } else { &segment.shear };
            R::load(shear, cell).write(&mut m.segments, 4 * s + 1);
            length.write(&mut m.segments, 4 * s + 2);
            let inverse = one / length;
            inverse.write(&mut m.segments, 4 * s + 3);
            let held = R::load(&segment.held, cell);
            (one - held).write(&mut m.free, plan.vertices + s);
            let q = load_quaternion::<R>(&segment.orientation, cell).normalize();
            write_quaternion(q, &mut m.start_q, 4 * s);
            if damped {
                (R::load(&segment.relaxation, cell) / h).write(&mut m.segment_alpha, s);
                write_vector(q.conjugate().rotate(edge * inverse), &mut m.strains, 3 * s);
            }
            if let Some(torque) = block.torque.get(row) {
                write_vector(load_vector::<R>(torque, cell), &mut m.torque, 3 * s);
            } else if self.features.torque {
                write_vector(Vector::<R>::zero(), &mut m.torque, 3 * s);
            }
            // First guess: the frame turns with its segment.
            let moved = edge + (read_vector::<R>(&m.u, 3 * at.head as usize) - read_vector(&m.u, 3 * at.tail as usize));
            let swing = edge.cross(moved);
            let along = edge.dot(moved) + (edge.length_squared() * moved.length_squared()).sqrt();
            let turn = Quaternion::from_parts(swing, along.max(R::splat(1e-30)));
            let turned = Quaternion::select_positive(held, q, (turn * q).normalize());
            write_quaternion(turned, &mut m.q, 4 * s);
        }
        for wall in part.walls.clone() {
            let (row, cell) = block.wall_row(lane, wall - part.walls.start);
            let q = load_quaternion::<R>(&block.segments[row].orientation, cell).normalize();
            let slot = 4 * (plan.frames + wall);
            for frames in [&mut m.q, &mut m.kept_q, &mut m.start_q] {
                write_quaternion(q, frames, slot);
            }
        }
        for j in part.joints.clone() {
            let at = &plan.joints[j];
            let (row, cell, entry) = block.joint_row(lane, j - part.joints.start);
            let joint = &block.joints[row];
            write_quaternion(load_quaternion::<R>(&joint.rest, cell).normalize(), &mut m.rests, 4 * j);
            R::load(&joint.stiffness, cell).write(&mut m.joint_stiffness, j);
            if anisotropic {
                let mut none = [Row::default(); 8];
                none[7] = Row::splat(1.0); // Its smallest stiffness is its largest.
                let softness = block.softness.get(entry).unwrap_or(&none);
                for (k, value) in softness.iter().enumerate() {
                    R::load(value, cell).write(&mut m.softness, 8 * j + k);
                }
            }
            if damped {
                let first = read_quaternion::<R>(&m.start_q, 4 * at.first as usize);
                let second = read_quaternion::<R>(&m.start_q, 4 * at.second as usize);
                (R::load(&joint.relaxation, cell) / h).write(&mut m.joint_alpha, j);
                write_quaternion(first.conjugate() * second, &mut m.turns, 4 * j);
            }
        }
        standing.write(&mut m.standing, 0);
        // Elastic energies only add to it, while what further stages add may be anything.
        m.standing_is_whole = false;
        if m.has_extra {
            R::splat(f64::NEG_INFINITY).write(&mut m.standing, 0);
        }
    }

    /// Write back what was found for a part of the plan.
    #[inline(always)]
    pub fn finish<R: Double>(&mut self, outcome: &mut Outcome, lane: usize, part: &Part) {
        let (first_vertex, first_segment) = (part.vertices.start, part.segments.start);
        let (block, plan, m) = (&mut *self.block, self.plan, &*self.memory);
        let (zero, one) = (R::zero(), R::one());
        let h = R::splat(self.substep.h.into());
        let inverse_h = one / h;
        let mut health = zero;
        for v in part.vertices.clone() {
            let u = read_vector::<R>(&m.u, 3 * v);
            let (row, at) = block.vertex_place(lane, v - first_vertex);
            let place = load_position::<R>(&block.vertices[row], at) + u;
            // Beyond single precision is as good as infinite. (NaN is not above zero either.)
            let size = place.length_squared() + (u * inverse_h).length_squared();
            let room = R::splat(LARGEST * LARGEST) - size;
            health = health + R::select_positive(room, zero, R::splat(f64::NAN));
        }
        for s in part.segments.clone() {
            let q = read_quaternion::<R>(&m.q, 4 * s);
            health = health + (q.x + q.y + q.z + q.w) * zero;
        }
        let good = health + one;
        let gravity: Vector<R> = Vector::splat(self.substep.gravity.map(f64::from));
        let mut known = zero;
        if self.second_order {
            let off = R::load(&block.history_step, lane) - h;
            let same = off.flip_by(off).neg_mul_add(R::splat(1e5), h);
            known = R::select_positive(same, one, zero);
        }
        for v in part.vertices.clone() {
            let (row, at) = block.vertex_place(lane, v - first_vertex);
            let mut acceleration = gravity;
            if let Some(extra) = block.acceleration.get(row) {
                acceleration = acceleration + load_vector(extra, at);
            }
            let vertex = &mut block.vertices[row];
            let u = read_vector::<R>(&m.u, 3 * v);
            let u = Vector::select_positive(good, u, Vector::zero());
            let before = load_vector::<R>(&vertex.velocity, at);
            let mut velocity = u * inverse_h;
            if let Some(history) = block.history.get_mut(row) {
                let last = load_vector::<R>(&history.increment, at);
                let second = (u * R::splat(3.0) - last) * (inverse_h * R::splat(0.5));
                let free = R::load(&vertex.free, at) * known;
                velocity = Vector::select_positive(free, second, velocity);
                store_vector(u, &mut history.increment, at);
                store_vector(before, &mut history.velocity, at);
            }
            let strength = acceleration.length_squared().max(R::splat(1e-12));
            let followed = (velocity - before).dot(acceleration) * inverse_h / strength;
            followed.clamp(zero, one).store(&mut vertex.falling, at);
            store_vector(velocity, &mut vertex.velocity, at);
            let place = load_position::<R>(vertex, at) + u;
            store_vector(place, &mut vertex.position, at);
            let rounded = load_vector::<R>(&vertex.position, at);
            store_vector(place - rounded, &mut vertex.residual, at);
        }
        for s in part.segments.clone() {
            let (row, cell) = block.segment_place(lane, s - first_segment);
            let stored = &mut block.segments[row].orientation;
            let q = read_quaternion::<R>(&m.q, 4 * s);
            let before = load_quaternion::<R>(stored, cell);
            let q = Quaternion::select_positive(good, q, before);
            if let Some(spin) = block.spin.get_mut(row) {
                // Of rods that XPBD moves on: the turn of the substep, in the segment's own frame.
                let turn = before.conjugate() * q;
                let turn = turn.flip_by(turn.w);
                let rate = inverse_h * R::splat(2.0) / turn.w.max(R::splat(0.5));
                store_vector(turn.vector() * rate, spin, cell);
            }
            let [x, y, z, w] = stored;
            q.x.store(x, cell);
            q.y.store(y, cell);
            q.z.store(z, cell);
            q.w.store(w, cell);
        }
        if self.second_order {
            h.store(&mut block.history_step, lane);
        }
        health.store(&mut outcome.health, lane);
        if block.kind.breakable {
            let mut most = -one;
            for s in part.segments.clone() {
                let at = &plan.segments[s];
                let (row, cell) = block.segment_place(lane, s - first_segment);
                let moved = read_vector::<R>(&m.u, 3 * at.head as usize) - read_vector(&m.u, 3 * at.tail as usize);
                let edge = read_vector::<R>(&m.edges, 3 * s) + moved;
                let length = R::read(&m.segments, 4 * s + 2);
                let longest = R::load(&block.segments[row].strain_limit, cell).mul_add(length, length);
                most = most.max(edge.length_squared() - longest * longest);
            }
            most.store(&mut outcome.excess, lane);
        }
    }
}
