//! Looking at a whole rod at once, into lists that are used again, and at any place along it.

use glam::{DVec3, Quat, Vec3};

use super::readback::RodRef;
use crate::rod::Topology;

/// A place on the centre line of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodPose {
    /// Which segment.
    pub segment: usize,
    /// Where on it: 0 at its tail, 1 at its head.
    pub along: f64,
    /// World, m.
    pub position: DVec3,
    /// Along the segment, of unit length. (The frame's third axis is the same but for shear.)
    pub tangent: DVec3,
    /// The segment's frame.
    pub orientation: Quat,
    /// Mean of the ends' velocities by distance, m/s.
    pub velocity: Vec3,
}

/// Of every list: what was in it is replaced, and nothing is allocated where it has room.
impl RodRef<'_> {
    /// Velocities of the vertices, m/s.
    pub fn velocities_into(&self, out: &mut Vec<Vec3>) {
        out.clear();
        out.extend((0..self.vertex_count()).map(|v| self.velocity(v)));
    }

    /// Orientations of the segments.
    pub fn orientations_into(&self, out: &mut Vec<Quat>) {
        out.clear();
        out.extend((0..self.segment_count()).map(|s| self.orientation(s)));
    }

    /// Tensions of the segments, N.
    pub fn tensions_into(&self, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..self.segment_count()).map(|s| self.tension(s) as f32));
    }

    /// Strains of the segments.
    pub fn strains_into(&self, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..self.segment_count()).map(|s| self.segment_strain(s) as f32));
    }

    /// Twists of the joints, rad.
    pub fn twists_into(&self, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..self.description().joints().len()).map(|j| self.twist(j) as f32));
    }

    /// The place at an arc length, m of rest length from vertex 0. Before the start and past the end of a chain it is its end; round a loop it goes on. `None` on a
    /// graph, where no one way leads along it (see [`pose_on`](Self::pose_on)), and for what is not a number.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let mut world = RodWorld::default();
    /// let id = world.insert(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 8)).build()?)?;
    /// let pose = world.rod(id).and_then(|rod| rod.pose_at(0.6)).ok_or("no such place")?;
    /// assert!(pose.position.distance(DVec3::X * 0.6) < 1e-6);
    /// assert_eq!(pose.segment, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose_at(&self, arc_length: f64) -> Option<RodPose> {
        let rod = self.description();
        if !arc_length.is_finite() {
            return None;
        }
        let mut left = match rod.topology() {
            Topology::Chain => arc_length.max(0.0),
            Topology::Loop => arc_length.rem_euclid(rod.rest_length()),
            Topology::Graph => return None,
        };
        for (segment, described) in rod.segments().iter().enumerate() {
            if left < described.rest_length {
                return self.pose_on(segment, left / described.rest_length);
            }
            left -= described.rest_length;
        }
        self.pose_on(self.segment_count() - 1, 1.0)
    }

    /// The place on a segment: 0 is its tail, 1 its head; beyond is cut off. `None` where there is no such segment, or for what is not a number.
    pub fn pose_on(&self, segment: usize, along: f64) -> Option<RodPose> {
        let described = self.description().segments().get(segment)?;
        if along.is_nan() {
            return None;
        }
        let along = along.clamp(0.0, 1.0);
        let ends = [described.tail, described.head].map(|v| v as usize);
        let [tail, head] = ends.map(|v| self.position(v));
        let [from, to] = ends.map(|v| self.velocity(v));
        let orientation = self.orientation(segment);
        Some(RodPose {
            segment,
            along,
            position: tail.lerp(head, along),
            tangent: (head - tail).normalize_or(orientation.as_dquat() * DVec3::Z),
            orientation,
            velocity: from.lerp(to, along as f32),
        })
    }
}
