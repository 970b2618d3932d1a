//! Acting on a rod: pins and their targets, clamps, forces, poses.

use glam::{DQuat, DVec3, Quat, Vec3};
use thiserror::Error;

use super::{
    block::{Block, Layout, position, quaternion, set_position, set_quaternion, set_vector, vector},
    resident::Resident,
};
use crate::{
    math::lanes::Row,
    solver::{Solver, Unsupported},
};

/// Why a rod was left as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RodAccessError {
    /// The rod has no such element.
    #[error("{element} {index} is outside the rod, which has {count}")]
    OutOfRange {
        /// "vertex", "segment" or "clamp".
        element: &'static str,
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A number that is not finite, or negative where that makes no sense.
    #[error("`{field}` for element {index} is not usable: {value}")]
    BadValue {
        /// Which.
        field: &'static str,
        /// Of which vertex, segment or clamp.
        index: usize,
        /// What it was.
        value: String,
    },
    /// Only a pinned vertex can be led.
    #[error("vertex {index} is not pinned, so it can't be given a target")]
    NotPinned {
        /// Which.
        index: usize,
    },
    /// A vertex without mass can't move by itself.
    #[error("vertex {index} has no mass, so it can't be unpinned")]
    Massless {
        /// Which.
        index: usize,
    },
    /// The rod is frozen after it went non-finite.
    #[error("the rod is quarantined")]
    Quarantined,
    /// The rod's solver does not know that.
    #[error("generalized-α can't do that: {0}")]
    Unsupported(#[from] Unsupported),
}

/// A rod of a [`RodWorld`](super::RodWorld), to act on. A bad call changes nothing.
#[derive(Debug)]
pub struct RodMut<'a> {
    pub(super) block: &'a mut Block,
    pub(super) lane: usize,
}

type Answer = Result<(), RodAccessError>;

impl<'a> RodMut<'a> {
    pub(super) fn new(block: &'a mut Block, lane: usize) -> Option<Self> {
        block.rods[lane].is_some().then_some(Self { block, lane })
    }

    /// Hold a vertex where it is. A target that it had is forgotten.
    pub fn pin(&mut self, vertex: usize) -> Answer {
        let (row, lane) = self.vertex(vertex)?;
        if self.only_ends() && vertex != 0 && vertex != self.block.kind.segments as usize {
            return Err(Unsupported::InnerPin { vertex: vertex as u32 }.into());
        }
        let resident = self.resident()?;
        resident.targets.retain(|(v, _)| *v as usize != vertex);
        resident.moving.retain(|(v, _)| *v as usize != vertex);
        let row = &mut self.block.vertices[row];
        let changed = row.free.0[lane] > 0.0 || vector(&row.velocity, lane) != Vec3::ZERO;
        row.free.0[lane] = 0.0;
        set_vector(&mut row.velocity, lane, Vec3::ZERO);
        self.wake_if(changed);
        Ok(())
    }

    /// Let a vertex go. It keeps the velocity that it was led with.
    pub fn unpin(&mut self, vertex: usize) -> Answer {
        let (row, lane) = self.vertex(vertex)?;
        let resident = self.resident()?;
        if resident.description.vertices()[vertex].mass <= 0.0 {
            return Err(RodAccessError::Massless { index: vertex });
        }
        resident.targets.retain(|(v, _)| *v as usize != vertex);
        resident.moving.retain(|(v, _)| *v as usize != vertex);
        let free = &mut self.block.vertices[row].free.0[lane];
        let changed = *free == 0.0;
        *free = 1.0;
        self.block.forget(lane);
        self.wake_if(changed);
        Ok(())
    }

    /// Lead a pinned vertex to a place (world) during the next step, evenly over its substeps.
    pub fn set_target(&mut self, vertex: usize, place: DVec3) -> Answer {
        let (row, lane) = self.vertex(vertex)?;
        finite("target", vertex, place)?;
        if self.block.vertices[row].free.0[lane] > 0.0 {
            return Err(RodAccessError::NotPinned { index: vertex });
        }
        let local = place - self.resident()?.origin;
        let here = self.block.vertices[row];
        let mut there = here;
        set_position(&mut there, lane, local);
        // A hand that holds still does not wake what it holds.
        let moves = position(&there, lane) != position(&here, lane);
        self.wake_if(moves);
        let resident = self.resident()?;
        resident.targets.retain(|(v, _)| *v as usize != vertex);
        if !resident.sleep.asleep {
            resident.targets.push((vertex as u32, local));
        }
        Ok(())
    }

    /// Turn the wall that a clamp holds to: `frame` is the orientation (world) that the clamped segment has at rest.
    pub fn set_clamp(&mut self, clamp: usize, frame: DQuat) -> Answer {
        let (row, lane) = self.wall(clamp)?;
        let frame = rotation("frame", clamp, frame)?;
        self.turn(row, lane, frame);
        Ok(())
    }

    /// Let a clamped end turn freely; its vertex stays pinned.
    pub fn release_clamp(&mut self, clamp: usize) -> Answer {
        self.wall(clamp)?;
        let rod = self.resident()?.description.clone();
        let joint = rod.joints().len() + clamp;
        let [_, (row, lane)] = self.block.joint_places(self.lane, &rod, joint);
        self.wake_if(self.block.joints[row].stiffness.0[lane] > 0.0);
        self.block.release_joint(self.lane, &rod, joint);
        Ok(())
    }

    /// Hold the orientation of a segment as it is.
    pub fn hold_segment(&mut self, segment: usize) -> Answer {
        let (row, lane) = self.segment(segment)?;
        if self.only_ends() {
            return Err(Unsupported::HeldSegment {
                segment: segment as u32,
            }
            .into());
        }
        self.hold(row, lane, 1.0);
        Ok(())
    }

    /// Let a segment turn again.
    pub fn release_segment(&mut self, segment: usize) -> Answer {
        let (row, lane) = self.segment(segment)?;
        self.hold(row, lane, 0.0);
        Ok(())
    }

    /// Set the orientation of a segment, world.
    pub fn set_orientation(&mut self, segment: usize, orientation: Quat) -> Answer {
        let (row, lane) = self.segment(segment)?;
        let orientation = rotation("orientation", segment, orientation.as_dquat())?;
        self.turn(row, lane, orientation);
        Ok(())
    }

    /// Put a vertex somewhere (world), at once.
    pub fn set_position(&mut self, vertex: usize, place: DVec3) -> Answer {
        let (row, lane) = self.vertex(vertex)?;
        finite("position", vertex, place)?;
        let local = place - self.resident()?.origin;
        let before = position(&self.block.vertices[row], lane);
        set_position(&mut self.block.vertices[row], lane, local);
        let changed = position(&self.block.vertices[row], lane) != before;
        self.block.forget(lane);
        self.block.forget_previous_vertex(row, lane);
        self.wake_if(changed);
        Ok(())
    }

    /// Set the velocity of a vertex, m/s. A pinned one goes where its targets lead it: its own is left alone.
    pub fn set_velocity(&mut self, vertex: usize, velocity: Vec3) -> Answer {
        let (row, lane) = self.vertex(vertex)?;
        finite("velocity", vertex, velocity.as_dvec3())?;
        if self.block.vertices[row].free.0[lane] == 0.0 {
            return Ok(());
        }
        let changed = vector(&self.block.vertices[row].velocity, lane) != velocity;
        set_vector(&mut self.block.vertices[row].velocity, lane, velocity);
        self.block.forget(lane);
        self.wake_if(changed);
        Ok(())
    }

    /// Carry the rod elsewhere, shape and velocity kept. Exact at any distance: the origin moves, not the coordinates.
    pub fn translate(&mut self, by: DVec3) -> Answer {
        finite("translation", 0, by)?;
        let resident = self.resident()?;
        resident.origin += by;
        // Targets are places in the world: they stay.
        for (_, target) in &mut resident.targets {
            *target -= by;
        }
        self.wake_if(by != DVec3::ZERO);
        Ok(())
    }

    /// A force on a vertex, N, until it is set again.
    pub fn set_force(&mut self, vertex: usize, force: Vec3) -> Answer {
        self.vertex(vertex)?;
        finite("force", vertex, force.as_dvec3())?;
        let forces = &mut self.resident()?.forces;
        let before = forces.iter().find(|(v, _)| *v as usize == vertex);
        let changed = before.map_or(Vec3::ZERO, |(_, force)| *force) != force;
        forces.retain(|(v, _)| *v as usize != vertex);
        forces.push((vertex as u32, force));
        self.block.make_acceleration();
        self.wake_if(changed);
        Ok(())
    }

    /// A torque on a segment (world), N·m, until it is set again. A broken segment has nothing to turn against and takes none.
    pub fn set_torque(&mut self, segment: usize, torque: Vec3) -> Answer {
        let (row, lane) = self.segment(segment)?;
        finite("torque", segment, torque.as_dvec3())?;
        if self.resident()?.broken.contains(&(segment as u32)) {
            return Ok(());
        }
        if self.block.torque.is_empty() {
            self.block.torque = vec![[Row::default(); 3]; self.block.segments.len()];
        }
        let changed = vector(&self.block.torque[row], lane) != torque;
        set_vector(&mut self.block.torque[row], lane, torque);
        self.wake_if(changed);
        Ok(())
    }

    /// Take back every force and torque that was set, but those on the vertices and segments that are to keep theirs.
    pub fn clear_loads(&mut self, keep_vertex: impl Fn(usize) -> bool, keep_segment: impl Fn(usize) -> bool) -> Answer {
        let resident = self.resident()?;
        let count = resident.forces.len();
        resident.forces.retain(|&(vertex, _)| keep_vertex(vertex as usize));
        let mut changed = resident.forces.len() < count;
        for segment in 0..resident.description.segments().len() {
            let (row, lane) = self.block.segment_place(self.lane, segment);
            if let Some(torque) = self.block.torque.get_mut(row)
                && !keep_segment(segment)
                && vector(torque, lane) != Vec3::ZERO
            {
                set_vector(torque, lane, Vec3::ZERO);
                changed = true;
            }
        }
        self.wake_if(changed);
        Ok(())
    }

    /// Linear drag, 1/s.
    pub fn set_drag(&mut self, drag: f32) -> Answer {
        if !(drag.is_finite() && drag >= 0.0) {
            return Err(RodAccessError::BadValue {
                field: "drag",
                index: 0,
                value: drag.to_string(),
            });
        }
        self.wake_if(self.block.drag.0[self.lane] != drag);
        match self.block.layout {
            Layout::Chains => self.block.drag.0[self.lane] = drag,
            Layout::Graph(_) => self.block.drag.0.fill(drag),
        }
        Ok(())
    }

    /// Break a segment now, as if its limit were passed.
    pub fn break_segment(&mut self, segment: usize) -> Answer {
        self.segment(segment)?;
        if self.only_ends() {
            return Err(Unsupported::Breakable {
                segment: segment as u32,
            }
            .into());
        }
        let resident = self.resident()?;
        if !resident.broken.contains(&(segment as u32)) {
            resident.broken.push(segment as u32);
            let rod = resident.description.clone();
            self.block.break_segment(self.lane, &rod, segment);
            self.block.wake(self.lane);
        }
        Ok(())
    }

    /// Whether the solver knows chains that are held at their ends alone.
    fn only_ends(&self) -> bool {
        matches!(self.block.kind.solver, Solver::GeneralizedAlpha { .. })
    }

    /// A rod that something acts on wakes; what was so before does not act.
    pub(super) fn wake_if(&mut self, changed: bool) {
        if changed {
            self.block.wake(self.lane);
        }
    }

    /// Turn a segment or a wall.
    fn turn(&mut self, row: usize, lane: usize, frame: Quat) {
        let stored = &mut self.block.segments[row].orientation;
        let changed = quaternion(stored, lane) != frame;
        set_quaternion(stored, lane, frame);
        self.block.forget_previous_segment(row, lane);
        self.wake_if(changed);
    }

    fn hold(&mut self, row: usize, lane: usize, held: f32) {
        let stored = &mut self.block.segments[row].held.0[lane];
        let changed = *stored != held;
        *stored = held;
        self.wake_if(changed);
    }

    pub(super) fn resident(&mut self) -> Result<&mut Resident, RodAccessError> {
        match &mut self.block.rods[self.lane] {
            Some(resident) if !resident.quarantined => Ok(resident),
            _ => Err(RodAccessError::Quarantined),
        }
    }

    fn vertex(&mut self, index: usize) -> Result<(usize, usize), RodAccessError> {
        let count = self.resident()?.description.vertices().len();
        in_range("vertex", index, count)?;
        Ok(self.block.vertex_place(self.lane, index))
    }

    fn segment(&mut self, index: usize) -> Result<(usize, usize), RodAccessError> {
        let count = self.resident()?.description.segments().len();
        in_range("segment", index, count)?;
        Ok(self.block.segment_place(self.lane, index))
    }

    fn wall(&mut self, index: usize) -> Result<(usize, usize), RodAccessError> {
        let rod = self.resident()?.description.clone();
        in_range("clamp", index, rod.clamps().len())?;
        Ok(self.block.wall_place(self.lane, &rod, index))
    }
}

fn in_range(element: &'static str, index: usize, count: usize) -> Answer {
    if index < count {
        return Ok(());
    }
    Err(RodAccessError::OutOfRange { element, index, count })
}

pub(super) fn finite(field: &'static str, index: usize, value: DVec3) -> Answer {
    // Beyond 1e18 the square of a single-precision number is infinite.
    if value.is_finite() && value.abs().max_element() < 1e18 {
        return Ok(());
    }
    Err(RodAccessError::BadValue {
        field,
        index,
        value: value.to_string(),
    })
}

fn rotation(field: &'static str, index: usize, q: DQuat) -> Result<Quat, RodAccessError> {
    unit_rotation(field, index, q).map(|q| q.as_quat())
}

pub(super) fn unit_rotation(field: &'static str, index: usize, q: DQuat) -> Result<DQuat, RodAccessError> {
    let size = q.length_squared();
    if size.is_finite() && size > 1e-12 {
        return Ok(q.normalize());
    }
    Err(RodAccessError::BadValue {
        field,
        index,
        value: q.to_string(),
    })
}
