//! Strains and twists of a whole rod at once, and any place along it.

use glam::{DVec3, Quat, Vec3};

use super::readback::RodRef;
use crate::rod::{RodPoint, RodPointError};

/// A place on the centre line of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceOnRod {
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
    /// The strains of all segments.
    pub fn strains_into(&self, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..self.segment_count()).map(|s| self.segment_strain(s) as f32));
    }

    /// The twists of all joints, rad.
    pub fn twists_into(&self, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..self.description().joints().len()).map(|j| self.twist(j) as f32));
    }

    /// Where a point of the rod is.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let mut world = RodWorld::default();
    /// let id = world.insert(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 8)).build()?)?;
    /// let rod = world.rod(id).ok_or("no rod")?;
    /// let place = rod.place_at(RodPoint::Arc(0.6))?;
    /// assert!(place.position.distance(DVec3::X * 0.6) < 1e-6);
    /// assert_eq!(place.segment, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place_at(&self, point: RodPoint) -> Result<PlaceOnRod, RodPointError> {
        let (segment, along) = self.description().locate(point)?;
        let described = self.description().segments()[segment as usize];
        let segment = segment as usize;
        let ends = [described.tail, described.head].map(|v| v as usize);
        let [tail, head] = ends.map(|v| self.position(v));
        let [from, to] = ends.map(|v| self.velocity(v));
        let orientation = self.orientation(segment);
        Ok(PlaceOnRod {
            segment,
            along,
            position: tail.lerp(head, along),
            tangent: (head - tail).normalize_or(orientation.as_dquat() * DVec3::Z),
            orientation,
            velocity: from.lerp(to, along as f32),
        })
    }
}
