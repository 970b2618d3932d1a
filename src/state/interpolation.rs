//! Poses between the last two steps, for hosts that draw more often than they step.
//!
//! A block keeps positions and orientations as they were before the last step, from the rod's origin: what moves the origin, such as a teleport, moves both, and
//! nothing is smeared across the world.

use glam::{DVec3, Quat, Vec3};

use super::{
    block::{Block, Layout, copy_lane, quaternion, vector},
    in_place::clone_in_place,
    readback::RodRef,
};
use crate::math::lanes::{QuaternionRow, VectorRow};

/// Where a block was before the last step. Empty while nobody asks for it.
#[derive(Debug, Default)]
pub struct Previous {
    pub positions: Vec<VectorRow>,
    pub orientations: Vec<QuaternionRow>,
}

clone_in_place!(Previous {
    positions,
    orientations,
});

impl Block {
    /// Before a step: remember where everything is, or forget what was remembered.
    pub fn keep_previous(&mut self, wanted: bool) {
        let Previous {
            positions,
            orientations,
        } = &mut self.previous;
        positions.clear();
        orientations.clear();
        if wanted {
            positions.extend(self.vertices.iter().map(|row| row.position));
            orientations.extend(self.segments.iter().map(|row| row.orientation));
        }
    }

    /// A rod did not come from where it was before: it has always been here.
    pub fn forget_previous(&mut self, lane: usize) {
        let Previous {
            positions,
            orientations,
        } = &mut self.previous;
        for (row, now) in positions.iter_mut().zip(&self.vertices) {
            match self.layout {
                Layout::Chains => copy_lane(std::slice::from_mut(row), &now.position, lane),
                Layout::Graph(_) => *row = now.position,
            }
        }
        for (row, now) in orientations.iter_mut().zip(&self.segments) {
            match self.layout {
                Layout::Chains => copy_lane(std::slice::from_mut(row), &now.orientation, lane),
                Layout::Graph(_) => *row = now.orientation,
            }
        }
    }

    /// The same for one vertex.
    pub fn forget_previous_vertex(&mut self, row: usize, lane: usize) {
        if let Some(previous) = self.previous.positions.get_mut(row) {
            copy_lane(std::slice::from_mut(previous), &self.vertices[row].position, lane);
        }
    }

    /// The same for one segment.
    pub fn forget_previous_segment(&mut self, row: usize, lane: usize) {
        if let Some(previous) = self.previous.orientations.get_mut(row) {
            copy_lane(std::slice::from_mut(previous), &self.segments[row].orientation, lane);
        }
    }
}

impl RodRef<'_> {
    /// The pose between the last two steps: 0 is before the last step, 1 is now; beyond is cut off, and NaN is now. What was in the lists is replaced.
    ///
    /// Where [`Settings::interpolation`](crate::solver::Settings::interpolation) is off, or the rod has not been stepped since it was put in, it is the pose now.
    /// Orientations go the short way round.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let mut world = RodWorld::new(Settings { interpolation: true, ..Settings::default() })?;
    /// let id = world.insert(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8)).pin(0).build()?)?;
    /// world.step(1.0 / 30.0)?;
    /// let (mut positions, mut orientations) = (Vec::new(), Vec::new());
    /// if let Some(rod) = world.rod(id) {
    ///     rod.interpolated_into(0.5, &mut positions, &mut orientations);
    ///     let halfway = 0.5 * rod.position(8).y as f32; // It started at zero.
    ///     assert!((positions[8].y - halfway).abs() < 1e-6);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interpolated_into(&self, alpha: f32, positions: &mut Vec<Vec3>, orientations: &mut Vec<Quat>) {
        positions.clear();
        positions.extend((0..self.vertex_count()).map(|v| self.interpolated_position(v, alpha).as_vec3()));
        orientations.clear();
        orientations.extend((0..self.segment_count()).map(|s| self.interpolated_orientation(s, alpha)));
    }

    /// Position of a vertex between the last two steps, world, m. See [`interpolated_into`](Self::interpolated_into).
    pub fn interpolated_position(&self, vertex: usize, alpha: f32) -> DVec3 {
        let now = self.position(vertex);
        if vertex >= self.vertex_count() {
            return now;
        }
        let (row, lane) = self.block.vertex_place(self.lane, vertex);
        match self.block.previous.positions.get(row) {
            Some(row) => {
                let before = self.origin() + vector(row, lane).as_dvec3();
                before.lerp(now, share(alpha).into())
            }
            None => now,
        }
    }

    /// Orientation of a segment between the last two steps.
    pub fn interpolated_orientation(&self, segment: usize, alpha: f32) -> Quat {
        let now = self.orientation(segment);
        if segment >= self.segment_count() {
            return now;
        }
        let (row, lane) = self.block.segment_place(self.lane, segment);
        match self.block.previous.orientations.get(row) {
            // `lerp` flips the sign where that is nearer, and normalizes.
            Some(row) => quaternion(row, lane).lerp(now, share(alpha)),
            None => now,
        }
    }
}

fn share(alpha: f32) -> f32 {
    if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) }
}
