//! A rod between two blocks: everything that it does, lifted out of one lane and put down in another.
//!
//! Whatever changes what a rod *is* (a cut, a winch, another material) goes through here: the rod is lifted, its description replaced, the
//! lists of its elements shortened or lengthened to match, and put down in a block of its kind, under the same name. Rows that follow from
//! the description are written from it; the rest is carried bit by bit, so that what did not change is the same to the last bit.

use glam::{DQuat, Quat, Vec3};

use super::{
    block::{Block, Kind, Layout, quaternion, set_quaternion, set_vector, vector},
    resident::Resident,
    world::{RodId, RodWorld},
};
use crate::{math::lanes::Row, rod::RodParts, solver::Solver};

/// What a vertex does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexState {
    /// Leading part and residual, from the rod's origin, m.
    pub position: [Vec3; 2],
    /// m/s.
    pub velocity: Vec3,
    /// 0 where it is pinned, else 1.
    pub free: f32,
    /// See [`VertexRow`](super::rows::VertexRow).
    pub falling: f32,
    /// Increment and velocity that BDF2 remembers.
    pub history: [Vec3; 2],
}

/// What a segment does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentState {
    pub orientation: Quat,
    /// 1 where the orientation is held, else 0.
    pub held: f32,
    /// N·m.
    pub torque: Vec3,
    /// Angular velocity in its own frame, rad/s, where the solver keeps one.
    pub spin: Vec3,
    /// Rest length now, m; `None` takes the described one.
    pub rest_length: Option<f32>,
    /// Rest of its angle that discrete elastic rods remember, rad.
    pub residual: f32,
}

/// What a joint or a clamp does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointState {
    /// Rest orientation now; `None` takes the described one.
    pub rest: Option<Quat>,
    /// Broken or let go.
    pub released: bool,
    /// Twist that discrete elastic rods remember, rad.
    pub twist: f32,
}

/// A rod outside of any block. The lists have an entry for each element of `resident.description`.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    pub resident: Resident,
    pub solver: Solver,
    /// In a block of its own.
    pub alone: bool,
    /// Linear drag, 1/s.
    pub drag: f32,
    /// Length of the substep that the history comes from, s; 0 forgets it.
    pub history_step: f32,
    pub vertices: Vec<VertexState>,
    pub segments: Vec<SegmentState>,
    /// Joints, then clamps.
    pub joints: Vec<JointState>,
    /// Orientation of the wall of each clamp.
    pub walls: Vec<Quat>,
}

impl Lifted {
    /// The parts of the rod as it is now: what flowed is in them.
    pub fn parts(&self) -> RodParts {
        let mut parts = self.resident.description.parts().clone();
        for ((segment, state), number) in parts.segments.iter_mut().zip(&self.segments).zip(0u32..) {
            let flowed = |now: &f32| *now != segment.rest_length as f32 && !self.resident.feeding.contains(&number);
            if let Some(now) = state.rest_length.filter(flowed) {
                segment.flow(now.into());
            }
        }
        for (joint, state) in parts.joints.iter_mut().zip(&self.joints) {
            if let Some(now) = state.rest.filter(|&now| now != joint.rest.as_quat()) {
                joint.rest = now.as_dquat().normalize();
            }
        }
        parts
    }

    /// Say where each vertex and segment that something acts on has gone; `None` drops it.
    pub fn renumber(&mut self, vertex: impl Fn(u32) -> Option<u32>, segment: impl Fn(u32) -> Option<u32>) {
        let resident = &mut self.resident;
        for list in [&mut resident.targets, &mut resident.moving] {
            list.retain_mut(|(v, _)| vertex(*v).map(|now| *v = now).is_some());
        }
        resident
            .forces
            .retain_mut(|(v, _)| vertex(*v).map(|now| *v = now).is_some());
        for list in [&mut resident.broken, &mut resident.feeding] {
            list.retain_mut(|s| segment(*s).map(|now| *s = now).is_some());
        }
    }

    /// It is not what it was when it fell asleep.
    pub fn rouse(&mut self) {
        self.resident.sleep.asleep = false;
        self.resident.sleep.quiet = 0.0;
    }

    pub fn kind(&self) -> Kind {
        Kind {
            alone: self.alone,
            ..Kind::of(&self.resident.description, self.solver)
        }
    }
}

impl Block {
    /// Everything that the rod in a lane does. The block is left as it is.
    pub(super) fn lift(&self, lane: usize) -> Option<Lifted> {
        let resident = self.rods[lane].clone()?;
        let rod = &resident.description;
        let vertices = (0..rod.vertices().len()).map(|v| {
            let (row, at) = self.vertex_place(lane, v);
            let vertex = &self.vertices[row];
            let history = self.history.get(row);
            VertexState {
                position: [vector(&vertex.position, at), vector(&vertex.residual, at)],
                velocity: vector(&vertex.velocity, at),
                free: vertex.free.0[at],
                falling: vertex.falling.0[at],
                history: history.map_or([Vec3::ZERO; 2], |h| [vector(&h.increment, at), vector(&h.velocity, at)]),
            }
        });
        let segments = (0..rod.segments().len()).map(|s| {
            let (row, at) = self.segment_place(lane, s);
            let segment = &self.segments[row];
            SegmentState {
                orientation: quaternion(&segment.orientation, at),
                held: segment.held.0[at],
                torque: self.torque.get(row).map_or(Vec3::ZERO, |torque| vector(torque, at)),
                spin: self.spin.get(row).map_or(Vec3::ZERO, |spin| vector(spin, at)),
                rest_length: Some(segment.rest_length.0[at]),
                residual: self.twists.get(row).map_or(0.0, |twist| twist.residual.0[at]),
            }
        });
        let stiffest = (rod.joints().iter().map(|j| (j.bending, j.torsion)))
            .chain(rod.clamps().iter().map(|c| (c.bending, c.torsion)))
            .map(|([a, b], torsion)| a.max(b).max(torsion));
        let joints = stiffest.enumerate().map(|(j, stiffness)| {
            let [_, (row, at)] = self.joint_places(lane, rod, j);
            JointState {
                rest: Some(quaternion(&self.joints[row].rest, at)),
                released: stiffness > 0.0 && self.joints[row].stiffness.0[at] == 0.0,
                twist: self.twists.get(row).map_or(0.0, |twist| twist.twist.0[at]),
            }
        });
        let walls = (0..rod.clamps().len()).map(|k| {
            let (row, at) = self.wall_place(lane, rod, k);
            quaternion(&self.segments[row].orientation, at)
        });
        Some(Lifted {
            vertices: vertices.collect(),
            segments: segments.collect(),
            joints: joints.collect(),
            walls: walls.collect(),
            solver: self.kind.solver,
            alone: self.kind.alone,
            drag: self.drag.0[lane],
            history_step: self.history_step.0[lane],
            resident,
        })
    }

    /// Put what a rod does over its description, which [`write`](Block::write) has just put into the lane.
    pub(super) fn resume(&mut self, lane: usize, lifted: &Lifted) {
        let rod = &*lifted.resident.description;
        self.set_scales(lane, lifted.resident.gravity_scale, lifted.resident.wind_scale);
        for (v, state) in lifted.vertices.iter().enumerate() {
            let (row, at) = self.vertex_place(lane, v);
            let vertex = &mut self.vertices[row];
            set_vector(&mut vertex.position, at, state.position[0]);
            set_vector(&mut vertex.residual, at, state.position[1]);
            set_vector(&mut vertex.velocity, at, state.velocity);
            vertex.free.0[at] = state.free;
            vertex.falling.0[at] = state.falling;
            if let Some(history) = self.history.get_mut(row) {
                set_vector(&mut history.increment, at, state.history[0]);
                set_vector(&mut history.velocity, at, state.history[1]);
            }
        }
        if self.torque.is_empty() && lifted.segments.iter().any(|s| s.torque != Vec3::ZERO) {
            self.torque = vec![[Row::default(); 3]; self.segments.len()];
        }
        for (s, state) in lifted.segments.iter().enumerate() {
            let (row, at) = self.segment_place(lane, s);
            set_quaternion(&mut self.segments[row].orientation, at, state.orientation);
            self.segments[row].held.0[at] = state.held;
            if let Some(rest_length) = state.rest_length {
                self.set_rest_length(lane, rod, s, rest_length);
            }
            if let Some(torque) = self.torque.get_mut(row) {
                set_vector(torque, at, state.torque);
            }
            if let Some(spin) = self.spin.get_mut(row) {
                set_vector(spin, at, state.spin);
            }
            if let Some(twist) = self.twists.get_mut(row) {
                twist.residual.0[at] = state.residual;
            }
        }
        for (k, &wall) in lifted.walls.iter().enumerate() {
            let (row, at) = self.wall_place(lane, rod, k);
            set_quaternion(&mut self.segments[row].orientation, at, wall);
        }
        for (j, state) in lifted.joints.iter().enumerate() {
            if let Some(rest) = state.rest {
                self.set_rest(lane, rod, j, rest);
            }
            if state.released {
                self.release_joint(lane, rod, j);
            }
            let [_, (row, at)] = self.joint_places(lane, rod, j);
            if let Some(twist) = self.twists.get_mut(row) {
                twist.twist.0[at] = state.twist;
            }
        }
        for &segment in &lifted.resident.broken {
            self.break_segment(lane, rod, segment as usize);
        }
        if self.acceleration.is_empty() && !lifted.resident.forces.is_empty() {
            self.acceleration = vec![[Row::default(); 3]; self.vertices.len()];
        }
        match self.layout {
            Layout::Chains => {
                self.drag.0[lane] = lifted.drag;
                self.history_step.0[lane] = lifted.history_step;
            }
            Layout::Graph(_) => {
                self.drag.0.fill(lifted.drag);
                self.history_step.0.fill(lifted.history_step);
            }
        }
        // Before the last step it was elsewhere in memory: draw it where it is.
        self.forget_previous(lane);
    }
}

impl RodWorld {
    /// Everything that a rod does. The world is left as it is. `None` when it is not there.
    pub(crate) fn lift(&self, id: RodId) -> Option<Lifted> {
        let place = self.place(id)?;
        self.blocks[place.block as usize]
            .as_ref()?
            .lift(usize::from(place.lane))
    }

    /// Make the rod what `lifted` says, under the same name, in whatever block is of its kind. `None` when it is not there.
    ///
    /// The caller has checked the description ([`fits`](super::insert::fits)) and kept the lists in step with it.
    pub(crate) fn put_down(&mut self, id: RodId, lifted: &Lifted) -> Option<()> {
        let place = self.place(id)?;
        self.vacate(place);
        self.settle(id, lifted);
        Some(())
    }

    /// A lifted rod under a name of its own.
    pub(crate) fn put_in(&mut self, lifted: &mut Lifted) -> RodId {
        let id = self.new_name();
        lifted.resident.index = id.index();
        self.settle(id, lifted);
        id
    }

    fn settle(&mut self, id: RodId, lifted: &Lifted) {
        let mut resident = lifted.resident.clone();
        resident.measure();
        resident.reserve();
        let (block, lane) = self.occupy(id, lifted.kind(), resident, DQuat::IDENTITY);
        block.resume(lane, lifted);
        // It is another rod now, or tied to something else.
        block.wake(lane);
    }

    /// Move a rod into a block of its own, or out of it and among its like again. Everything is kept to the last bit, and so is its motion.
    /// Answers whether the rod is there.
    pub(crate) fn relocate(&mut self, id: RodId, alone: bool) -> bool {
        let Some(mut lifted) = self.lift(id) else {
            return false;
        };
        if lifted.alone != alone {
            lifted.alone = alone;
            self.put_down(id, &lifted);
        }
        true
    }
}

#[cfg(test)]
mod tests;
