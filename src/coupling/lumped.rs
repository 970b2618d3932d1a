//! Bodies on rods that are not solved as a whole together with their bodies (all but Direct's): a tied vertex carries the mass that the body has at its anchor.
//!
//! With `K = 1/m − [r]× I⁻¹ [r]×` the velocity that an impulse at the anchor gives to the anchor, the body looks like the mass `K⁻¹`, and the vertex is moved
//! with `½ (u − û)ᵀ K⁻¹/h² (u − û)` towards where the anchor goes by itself. What the vertex then lacks of that way is the body's impulse. Several ties on a body
//! take a share of its mass each, so that all of them together are no stronger than the body. A ball between two vertices is carried by the nearer one,
//! so that its force acts up to half a segment off; a weld is carried by both.

use bytemuck::Zeroable;
use glam::{DMat3, DQuat, DVec3};

use super::{
    attachment::Tie,
    island::{Island, RIGID},
};
use crate::{
    math::Quaternion,
    solver::{
        Settings, Solver,
        direct::bodies::{Body, cross, rotation_by},
        law::BentJoint,
        step::{Work, conclude, solve},
    },
    state::{
        block::{Block, position, quaternion, set_quaternion, vector},
        rows::ExtraRow,
    },
};

/// What a tie puts on a segment during a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lump {
    /// Number of the tie in the island.
    tie: usize,
    /// Where its point of the rod goes if the rod is not in the way, m; what tail and head go beyond that as the segment turns, and how much of
    /// the tie each of them carries.
    target: DVec3,
    leads: [DVec3; 2],
    shares: [f64; 2],
    /// `H`, N/m.
    stiffness: DMat3,
    /// Inverse of the inertia that the tie turns, 1/(kg·m²): of the body, and by a weld of the segment with it.
    turning: DMat3,
    /// Of the tail and of the head before the substep.
    before: [DVec3; 2],
    /// Whether the segment was held before, where the weld holds it.
    held: Option<f32>,
}

impl Island {
    /// Move the rods that are not Direct's by one substep, and give their bodies what they pulled with.
    pub(super) fn advance_lumped(&mut self, work: &mut Work, settings: &Settings, h: f32) {
        for member in 0..self.members.len() {
            if self.members[member].part.is_some() {
                continue;
            }
            self.put_on(member);
            let block = &mut self.blocks[member];
            let outcome = solve(block, work, settings, h);
            conclude(block, &outcome);
            self.iterations += outcome.iterations;
            self.take_off(member);
        }
    }

    /// Put the bodies' masses on the tied vertices of a member.
    fn put_on(&mut self, member: usize) {
        self.blocks[member].extra.fill(ExtraRow::zeroed());
        self.lumps.clear();
        for k in 0..self.ties.len() {
            if self.ties[k].member != member || self.ties[k].broken {
                continue;
            }
            self.choose_frame(k);
            let lump = self.lump(k);
            let tie = &self.ties[k];
            let vertices = ends(&self.blocks[member], tie.segment);
            let block = &mut self.blocks[member];
            for (k, vertex) in vertices.into_iter().enumerate() {
                let (row, at) = block.vertex_place(0, vertex);
                let extra = &mut block.extra[row];
                let share = lump.shares[k];
                let pull = lump.stiffness * (lump.target + lump.leads[k]) * -share;
                for (cell, value) in extra.gradient.iter_mut().zip(pull.to_array()) {
                    cell.0[at] += value as f32;
                }
                let m = lump.stiffness * share;
                let entries = [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.y_axis.x, m.z_axis.x, m.z_axis.y];
                for (cell, value) in extra.hessian.iter_mut().zip(entries) {
                    cell.0[at] += value as f32;
                }
            }
            self.lumps.push(lump);
        }
    }

    /// What a tie puts on its segment. A weld turns the segment with the body.
    fn lump(&mut self, k: usize) -> Lump {
        let h = self.bodies.h;
        let tie = &self.ties[k];
        let body = &self.bodies.bodies[tie.body];
        let anchor = self.anchor(k);
        let arm = body.orientation * anchor;
        let turned = rotation_by(body.angular_velocity * h) * body.orientation;
        let fall = body.mass.map_or(DVec3::ZERO, |_| body.acceleration * (h * h));
        let ahead = body.center + body.linear_velocity * h + fall + turned * anchor;
        let point = self.rod_point(k);
        let gap = point - (body.center + arm);
        let share = self
            .ties
            .iter()
            .filter(|other| other.body == tie.body && !other.broken)
            .count();
        let alpha = tie.spec.relaxation / h;
        let target = ahead - point + gap * (alpha / (1.0 + alpha));
        // A rigid tie to what does not yield: far above the segment, within single precision of it.
        let rigid = RIGID * RIGID * self.segment_stiffness(k);
        let most = tie.spec.max_force / target.length().max(f64::MIN_POSITIVE);
        let own = (tie.spec.stiffness.unwrap_or(rigid) * (1.0 + alpha)).min(most);
        // Whatever turns the body turns the segments that are welded to it.
        let welds = (self.ties.iter())
            .filter(|weld| weld.spec.kind == Tie::Weld && weld.body == tie.body && weld.tie.is_none() && !weld.broken);
        let resistance: f64 = welds
            .map(|weld| segment_torque(&self.blocks[weld.member], weld.segment as usize).1)
            .sum();
        let turning = body.turning(resistance * h * h);
        let mut yielding = DMat3::IDENTITY * (1.0 / own);
        yielding += body.yielding(arm, turning) * (h * h * share as f64);
        let block = &self.blocks[tie.member];
        let vertices = ends(block, tie.segment);
        let before = vertices.map(|v| place(block, v));
        let middle = before[0].lerp(before[1], tie.along);
        let (shares, leads) = match tie.spec.kind {
            // A body turns the segment that is welded to it.
            Tie::Weld => (
                [1.0 - tie.along, tie.along],
                before.map(|place| turned * (body.orientation.conjugate() * (place - middle)) - (place - middle)),
            ),
            // Two vertices with the same aim would not let the segment turn: the nearer one has it all, and goes on around the point as it did.
            Tie::Ball => {
                let far = tie.along.round();
                let speeds = vertices.map(|v| speed(block, v));
                let mean = speeds[0].lerp(speeds[1], tie.along);
                ([1.0 - far, far], speeds.map(|speed| (speed - mean) * h))
            }
        };
        let (member, segment, frame) = (tie.member, tie.segment, tie.spec.frame);
        let mut held = None;
        if let (Tie::Weld, Some(frame), false) = (tie.spec.kind, frame, is_frozen(block)) {
            let block = &mut self.blocks[member];
            let (row, at) = block.segment_place(0, segment as usize);
            held = Some(block.segments[row].held.0[at]);
            block.segments[row].held.0[at] = 1.0;
            set_quaternion(&mut block.segments[row].orientation, at, (turned * frame).as_quat());
        }
        Lump {
            tie: k,
            target,
            leads,
            shares,
            stiffness: yielding.inverse(),
            turning,
            before,
            held,
        }
    }

    /// Give the bodies what the vertices of a member lacked of their way.
    fn take_off(&mut self, member: usize) {
        let h = self.bodies.h;
        for l in 0..self.lumps.len() {
            let lump = self.lumps[l];
            let block = &self.blocks[member];
            let tie = &self.ties[lump.tie];
            let segment = tie.segment as usize;
            let vertices = ends(block, tie.segment);
            let moved: [DVec3; 2] = std::array::from_fn(|k| place(block, vertices[k]) - lump.before[k]);
            let gone = |k: usize| (moved[k] - lump.leads[k]) * lump.shares[k];
            let away = gone(0) + gone(1) - lump.target;
            let force = lump.stiffness * away;
            let torque = match lump.held {
                Some(_) => segment_torque(block, segment).0,
                None => DVec3::ZERO,
            };
            // What went bad is reported, and pulls at nothing.
            let [force, torque] = [force, torque].map(|pull| if pull.is_finite() { pull } else { DVec3::ZERO });
            let arm = self.bodies.bodies[tie.body].orientation * self.anchor(lump.tie);
            let body = &mut self.bodies.bodies[self.ties[lump.tie].body];
            if let Some(mass) = body.mass {
                body.linear_velocity += force * (h / mass);
            }
            body.angular_velocity += lump.turning * (arm.cross(force) + torque) * h;
            let block = &mut self.blocks[member];
            // What was frozen in between stays so.
            if let Some(held) = lump.held.filter(|_| !is_frozen(block)) {
                let (row, at) = block.segment_place(0, segment);
                block.segments[row].held.0[at] = held;
            }
            let tie = &mut self.ties[lump.tie];
            (tie.force, tie.torque) = (force, torque);
        }
    }
}

impl Body {
    /// `1/m − [r]× I⁻¹ [r]×`: the velocity of a point at `arm` per impulse there.
    fn yielding(&self, arm: DVec3, turning: DMat3) -> DMat3 {
        let r = cross(arm);
        DMat3::IDENTITY * self.mass.map_or(0.0, |mass| 1.0 / mass) - r * turning * r
    }

    /// `(I + more)⁻¹`: a torque that falls as the body follows it, taken at the end of the substep, can't throw a light body about.
    fn turning(&self, more: f64) -> DMat3 {
        (self.inertia).map_or(DMat3::ZERO, |inertia| (inertia + DMat3::IDENTITY * more).inverse())
    }
}

fn is_frozen(block: &Block) -> bool {
    block.rods[0].as_ref().is_some_and(|rod| rod.quarantined)
}

/// The two vertices of a segment.
fn ends(block: &Block, segment: u32) -> [usize; 2] {
    let resident = block.rods[0].as_ref();
    resident.map_or([0, 0], |resident| {
        let segment = &resident.description.segments()[segment as usize];
        [segment.tail as usize, segment.head as usize]
    })
}

/// Position of a vertex from the rod's origin.
fn place(block: &Block, vertex: usize) -> DVec3 {
    let (row, at) = block.vertex_place(0, vertex);
    position(&block.vertices[row], at)
}

/// Velocity of a vertex, m/s.
fn speed(block: &Block, vertex: usize) -> DVec3 {
    let (row, at) = block.vertex_place(0, vertex);
    vector(&block.vertices[row].velocity, at).as_dvec3()
}

/// The torque that a held segment passes on to what holds it, N·m, and the most that it grows by with a turn, N·m/rad.
fn segment_torque(block: &Block, segment: usize) -> (DVec3, f64) {
    let Some(resident) = &block.rods[0] else {
        return (DVec3::ZERO, 0.0);
    };
    let rod = &resident.description;
    let frame = |s: usize| -> DQuat {
        let (row, at) = block.segment_place(0, s);
        quaternion(&block.segments[row].orientation, at).as_dquat().normalize()
    };
    let own = frame(segment);
    let (row, at) = block.segment_place(0, segment);
    let solver = block.kind.solver;
    let axial = f64::from(block.segments[row].axial.0[at]);
    let shear = solver.shear_stiffness(axial, block.segments[row].shear.0[at].into());
    let length = f64::from(block.segments[row].rest_length.0[at]);
    let [tail, head] = ends(block, segment as u32).map(|v| place(block, v));
    let stretched = (head - tail) / length;
    // E = l/2 (P − e₃)ᵀW(P − e₃), P = Rᵀp: turning the frame gives the torque l p × R W(P − e₃).
    let strain = own.conjugate() * stretched - DVec3::Z;
    let force = own * (strain * DVec3::new(shear, shear, axial));
    let mut torque = stretched.cross(force) * length;
    let mut resistance = shear * length;
    for (j, joint) in rod.joints().iter().enumerate() {
        let [first, second] = [joint.first, joint.second].map(|s| s as usize);
        if first != segment && second != segment {
            continue;
        }
        let (rest, stiffness, softness) = block.stored_joint(0, rod, j);
        let [a, b, rest] = [frame(first), frame(second), rest.as_dquat().normalize()].map(Quaternion::from);
        let mut moment = solver.bend_moment(&BentJoint {
            first: a,
            second: b,
            rest,
            stiffness,
            softness,
        });
        if matches!(solver, Solver::Elastic { .. }) {
            // Its bending turns the edge, which then shears; only twist reaches the frame.
            let axis = own * DVec3::Z;
            moment = axis * axis.dot(moment);
        }
        torque += if second == segment { moment } else { -moment };
        resistance += 0.25 * stiffness;
    }
    (torque, resistance)
}
