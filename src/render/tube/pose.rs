//! Where a rod is drawn: slices, and buffers to fill them from a rod.

use glam::{DVec3, Quat, Vec3};

use super::TubeError;
use crate::{rod::RodDescription, state::RodRef};

/// Beyond it the square of a single-precision number is infinite.
const LARGEST: f32 = 1e18;

/// A pose to draw, in the order of the description.
#[derive(Clone, Copy, Debug)]
pub struct TubePose<'a> {
    /// Of every vertex, from the origin of the drawing, m.
    pub positions: &'a [Vec3],
    /// Of every segment; of any length but zero.
    pub orientations: &'a [Quat],
    /// Of the surface at every vertex, m.
    pub radii: &'a [f32],
}

impl TubePose<'_> {
    pub(super) fn check(&self, rod: &RodDescription) -> Result<(), TubeError> {
        let (vertices, segments) = (rod.vertices().len(), rod.segments().len());
        count("positions", self.positions.len(), vertices)?;
        count("orientations", self.orientations.len(), segments)?;
        count("radii", self.radii.len(), vertices)?;
        let bad = |field, index, value: String| Err(TubeError::BadValue { field, index, value });
        // Written so that NaN fails.
        if let Some(i) = (self.positions.iter()).position(|p| !(p.abs().cmplt(Vec3::splat(LARGEST)).all())) {
            return bad("positions", i, self.positions[i].to_string());
        }
        let turns = |q: &Quat| (1e-12..LARGEST).contains(&q.length_squared());
        if let Some(i) = self.orientations.iter().position(|q| !turns(q)) {
            return bad("orientations", i, self.orientations[i].to_string());
        }
        if let Some(i) = (self.radii.iter()).position(|&r| !(r > 0.0 && r < LARGEST)) {
            return bad("radii", i, self.radii[i].to_string());
        }
        Ok(())
    }
}

pub(super) fn count(field: &'static str, count: usize, expected: usize) -> Result<(), TubeError> {
    if count == expected {
        return Ok(());
    }
    Err(TubeError::CountMismatch { field, count, expected })
}

/// A pose of its own, read from a rod; the buffers are used again.
#[derive(Clone, Debug, Default)]
pub struct PoseBuffer {
    /// Of every vertex, from the origin of the drawing, m.
    pub positions: Vec<Vec3>,
    /// Of every segment.
    pub orientations: Vec<Quat>,
    /// Of the surface at every vertex, m.
    pub radii: Vec<f32>,
}

impl PoseBuffer {
    /// Read a rod. Positions are counted from `origin`, and rounded to single precision after that.
    pub fn read(&mut self, rod: &RodRef<'_>, origin: DVec3) {
        self.positions.clear();
        (self.positions).extend((0..rod.vertex_count()).map(|v| (rod.position(v) - origin).as_vec3()));
        self.orientations.clear();
        (self.orientations).extend((0..rod.segment_count()).map(|s| rod.orientation(s)));
        self.radii.clear();
        (self.radii).extend(rod.description().vertices().iter().map(|v| v.radius as f32));
    }

    /// What is in the buffers, to draw.
    pub fn pose(&self) -> TubePose<'_> {
        TubePose {
            positions: &self.positions,
            orientations: &self.orientations,
            radii: &self.radii,
        }
    }
}
