//! Whole poses at once, into memory that the caller keeps: what rendering and components read every frame.
//!
//! A chain lies in one lane of consecutive rows, so that its copy is a loop without look-ups; graphs look up the place of each element.

use glam::{Quat, Vec3};

use super::{
    block::{Layout, position, quaternion, vector},
    readback::RodRef,
    rows::{SegmentRow, VertexRow},
};

impl RodRef<'_> {
    /// All positions, world, in single precision: for rendering. What was in `out` is replaced.
    pub fn positions_into(&self, out: &mut Vec<Vec3>) {
        let origin = self.origin();
        self.vertices_into(out, |row, lane| (origin + position(row, lane)).as_vec3());
    }

    /// All velocities, m/s. What was in `out` is replaced.
    pub fn velocities_into(&self, out: &mut Vec<Vec3>) {
        self.vertices_into(out, |row, lane| vector(&row.velocity, lane));
    }

    /// The orientations of all segments. What was in `out` is replaced.
    pub fn orientations_into(&self, out: &mut Vec<Quat>) {
        let copy = |row: &SegmentRow, lane| quaternion(&row.orientation, lane);
        let segments = &self.block.segments;
        out.clear();
        match &self.block.layout {
            // Row 0 is the frame of a wall.
            Layout::Chains => {
                out.extend((segments.iter().skip(1).take(self.segment_count())).map(|row| copy(row, self.lane)))
            }
            Layout::Graph(_) => out.extend((0..self.segment_count()).map(|s| {
                let (row, lane) = self.block.segment_place(self.lane, s);
                copy(&segments[row], lane)
            })),
        }
    }

    /// The tension of all segments, N. What was in `out` is replaced.
    pub fn tensions_into(&self, out: &mut Vec<f32>) {
        out.clear();
        out.extend((0..self.segment_count()).map(|s| self.tension(s) as f32));
    }

    fn vertices_into(&self, out: &mut Vec<Vec3>, copy: impl Fn(&VertexRow, usize) -> Vec3) {
        let vertices = &self.block.vertices;
        out.clear();
        match &self.block.layout {
            Layout::Chains => out.extend((vertices.iter().take(self.vertex_count())).map(|row| copy(row, self.lane))),
            Layout::Graph(_) => out.extend((0..self.vertex_count()).map(|v| {
                let (row, lane) = self.block.vertex_place(self.lane, v);
                copy(&vertices[row], lane)
            })),
        }
    }
}
