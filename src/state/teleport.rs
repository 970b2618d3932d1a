//! Carrying a rod elsewhere as one rigid piece, with everything that it remembers.

use glam::{DQuat, DVec3};

use super::{
    block::{Block, position, quaternion, set_position, set_quaternion, set_vector, vector},
    edit::{RodAccessError, RodMut, finite, unit_rotation},
};
use crate::math::lanes::{QuaternionRow, VectorRow};

impl RodMut<'_> {
    /// Carry the rod elsewhere: turned about a place (world), then moved. Shape and strain are kept, and its velocity turns along; so do the walls of its clamps and the
    /// targets of its pins, since the whole scene moved from where the rod sees it. Forces and torques stay as they are in the world.
    ///
    /// Exact at any distance: the origin moves, and without a rotation not a bit of the rod's state changes. [`translate`](Self::translate) leaves the targets where they are.
    ///
    /// ```
    /// use glam::{DQuat, DVec3};
    /// use lariat::prelude::*;
    ///
    /// let mut world = RodWorld::default();
    /// let id = world.insert(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8)).pin(0).build()?)?;
    /// world.step(1.0 / 60.0)?;
    /// if let Some(mut rod) = world.rod_mut(id) {
    ///     // A portal: half a turn about the vertical through the rod's pin, and ten kilometres north.
    ///     rod.teleport(DVec3::NEG_Z * 1e4, DQuat::from_rotation_y(std::f64::consts::PI), DVec3::ZERO)?;
    /// }
    /// let tip = world.rod(id).map(|rod| rod.position(8));
    /// assert!(tip.is_some_and(|tip| tip.x < -0.99 && tip.z < -9999.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn teleport(&mut self, translation: DVec3, rotation: DQuat, about: DVec3) -> Result<(), RodAccessError> {
        finite("translation", 0, translation)?;
        finite("about", 0, about)?;
        let turn = unit_rotation("rotation", 0, rotation)?;
        let resident = self.resident()?;
        let turns = turn.xyz() != DVec3::ZERO;
        let turned = if turns {
            about + turn * (resident.origin - about)
        } else {
            resident.origin
        };
        let origin = turned + translation;
        finite("translation", 0, origin)?;
        resident.origin = origin;
        if turns {
            for (_, place) in resident.targets.iter_mut().chain(&mut resident.moving) {
                *place = turn * *place;
            }
            self.block.turn(self.lane, turn);
        }
        self.block.wake(self.lane);
        Ok(())
    }
}

impl Block {
    /// Turn a rod about its origin, its past along with it.
    fn turn(&mut self, lane: usize, turn: DQuat) {
        let Some(resident) = &self.rods[lane] else {
            return;
        };
        let rod = resident.description.clone();
        let turn_vector = |rows: &mut VectorRow, lane: usize| {
            let turned = turn * vector(rows, lane).as_dvec3();
            set_vector(rows, lane, turned.as_vec3());
        };
        let turn_frame = |rows: &mut QuaternionRow, lane: usize| {
            let turned = turn * quaternion(rows, lane).as_dquat();
            set_quaternion(rows, lane, turned.normalize().as_quat());
        };
        for vertex in 0..rod.vertices().len() {
            let (row, at) = self.vertex_place(lane, vertex);
            let stored = &mut self.vertices[row];
            let place = turn * position(stored, at);
            set_position(stored, at, place);
            turn_vector(&mut stored.velocity, at);
            if let Some(history) = self.history.get_mut(row) {
                turn_vector(&mut history.increment, at);
                turn_vector(&mut history.velocity, at);
            }
            if let Some(previous) = self.previous.positions.get_mut(row) {
                turn_vector(previous, at);
            }
        }
        let frames = rod.segments().len() + rod.clamps().len();
        for frame in 0..frames {
            let (row, at) = match frame.checked_sub(rod.segments().len()) {
                None => self.segment_place(lane, frame),
                Some(clamp) => self.wall_place(lane, &rod, clamp),
            };
            turn_frame(&mut self.segments[row].orientation, at);
            if let Some(previous) = self.previous.orientations.get_mut(row) {
                turn_frame(previous, at);
            }
        }
    }
}
