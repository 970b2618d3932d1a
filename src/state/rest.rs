//! Changing in place what a rod is at rest: lengths, orientations, masses, joints that are let go.

use glam::Quat;

use super::block::{Block, described_joint, quaternion};
use crate::rod::RodDescription;

impl Block {
    /// Change the length that a segment has without load. It still breaks at the length that it was described to.
    pub fn set_rest_length(&mut self, lane: usize, rod: &RodDescription, segment: usize, rest_length: f32) {
        let (row, at) = self.segment_place(lane, segment);
        let row = &mut self.segments[row];
        if row.rest_length.0[at] == rest_length {
            return;
        }
        row.rest_length.0[at] = rest_length;
        if row.strain_limit.0[at] < f32::INFINITY {
            let described = &rod.segments()[segment];
            let longest = (1.0 + described.break_strain) * described.rest_length;
            row.strain_limit.0[at] = (longest / f64::from(rest_length) - 1.0) as f32;
        }
    }

    /// Change the orientation that a joint (clamps come after the joints) has without load.
    pub fn set_rest(&mut self, lane: usize, rod: &RodDescription, joint: usize, rest: Quat) {
        let [_, (row, at)] = self.joint_places(lane, rod, joint);
        if quaternion(&self.joints[row].rest, at) == rest {
            return;
        }
        let (stiffness, relaxation) = described_joint(rod, joint);
        self.write_joint(lane, rod, joint, rest.as_dquat(), stiffness, relaxation);
    }

    /// Write what a segment of a chain weighs from its description again, and the joints on it. Its rest length is left.
    pub fn rewrite_segment(&mut self, lane: usize, rod: &RodDescription, segment: usize) {
        let described = &rod.segments()[segment];
        let (row, at) = self.segment_place(lane, segment);
        let row = &mut self.segments[row];
        if row.strain_limit.0[at] < f32::INFINITY {
            row.strain_limit.0[at] = described.break_strain as f32;
        }
        for vertex in [described.tail, described.head] {
            let (row, at) = self.vertex_place(lane, vertex as usize);
            self.vertices[row].mass.0[at] = rod.vertices()[vertex as usize].mass as f32;
        }
        let joints = segment.saturating_sub(1)..rod.joints().len().min(segment + 1);
        let clamps = rod.joints().len()..rod.joints().len() + rod.clamps().len();
        for joint in joints.chain(clamps) {
            let [_, (row, at)] = self.joint_places(lane, rod, joint);
            // What broke or was let go stays so.
            if self.joints[row].stiffness.0[at] > 0.0 {
                let rest = quaternion(&self.joints[row].rest, at).as_dquat();
                let (stiffness, relaxation) = described_joint(rod, joint);
                self.write_joint(lane, rod, joint, rest, stiffness, relaxation);
            }
        }
    }

    /// Forget the stiffness of a joint or clamp.
    pub fn release_joint(&mut self, lane: usize, rod: &RodDescription, joint: usize) {
        for (row, at) in self.joint_places(lane, rod, joint) {
            self.joints[row].stiffness.0[at] = 0.0;
        }
    }
}
