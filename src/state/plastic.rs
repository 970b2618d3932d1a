//! Plastic yield: what is strained beyond its limit takes on a new rest length or rest orientation.
//!
//! Perfect plasticity by return mapping: after each substep the elastic part of strain and curvature is brought back to the limit, and what
//! exceeded it becomes part of the rest shape. Bending and twist of a joint count together, as one rotation. The rest shape lives in the rows, so
//! that the solvers and readbacks see it and blocks that can't yield pay nothing.

use glam::{DQuat, DVec3, Quat};

use super::block::{Block, position, quaternion};
use crate::{math::lanes::LANES, rod::RodDescription};

/// Beyond the limit by less than this fraction is rounding, not flow.
const ROUNDING: f64 = 1e-6;
/// A segment that is crushed keeps this part of its described length: with none at all there would be nothing left to push back.
const CRUSHED: f64 = 0.05;

/// Let everything flow that a substep strained too far.
pub(crate) fn flow(block: &mut Block) {
    for lane in 0..LANES {
        let Some(resident) = block.rods[lane].as_ref().filter(|resident| !resident.quarantined) else {
            continue;
        };
        let rod = resident.description.clone();
        for segment in 0..rod.segments().len() {
            // What a winch feeds has the length that the winch says.
            let fed = (block.rods[lane].as_ref()).is_some_and(|rod| rod.feeding.contains(&(segment as u32)));
            if let Some(length) = stretched(block, lane, &rod, segment).filter(|_| !fed) {
                block.set_rest_length(lane, &rod, segment, length);
            }
        }
        for joint in 0..rod.joints().len() + rod.clamps().len() {
            if let Some(rest) = bent(block, lane, &rod, joint) {
                block.set_rest(lane, &rod, joint, rest);
            }
        }
    }
}

/// The new rest length of a segment that yields.
fn stretched(block: &Block, lane: usize, rod: &RodDescription, segment: usize) -> Option<f32> {
    let described = &rod.segments()[segment];
    let limit = described.yield_strain;
    let (row, at) = block.segment_place(lane, segment);
    let row = &block.segments[row];
    if limit == f64::INFINITY || row.axial.0[at] == 0.0 {
        return None;
    }
    let [tail, head] = [described.tail, described.head].map(|vertex| {
        let (row, at) = block.vertex_place(lane, vertex as usize);
        position(&block.vertices[row], at)
    });
    let along = quaternion(&row.orientation, at).as_dquat().normalize() * DVec3::Z;
    let length = (head - tail).dot(along);
    let strain = length / f64::from(row.rest_length.0[at]) - 1.0;
    if strain.abs() <= limit * (1.0 + ROUNDING) {
        return None;
    }
    // A limit of 1 or more can't be passed under pressure: the length would have to turn around.
    let elastic = 1.0 + limit.copysign(strain);
    let rest = (length / elastic).max(CRUSHED * described.rest_length);
    (elastic > 0.0 && rest.is_finite()).then_some(rest as f32)
}

/// The new rest orientation of a joint or clamp that yields.
fn bent(block: &Block, lane: usize, rod: &RodDescription, joint: usize) -> Option<Quat> {
    let orientation = |segment: u32| {
        let (row, at) = block.segment_place(lane, segment as usize);
        quaternion(&block.segments[row].orientation, at)
    };
    let (first, second, limit) = match rod.joints().get(joint) {
        Some(j) => (
            orientation(j.first),
            orientation(j.second),
            j.yield_curvature * j.length,
        ),
        None => {
            let k = joint - rod.joints().len();
            let clamp = &rod.clamps()[k];
            let (row, at) = block.wall_place(lane, rod, k);
            let wall = quaternion(&block.segments[row].orientation, at);
            (wall, orientation(clamp.segment), clamp.yield_curvature * clamp.length)
        }
    };
    if limit == f64::INFINITY {
        return None;
    }
    let (rest, stiffness, _) = block.stored_joint(lane, rod, joint);
    if stiffness == 0.0 {
        return None;
    }
    let [first, second, rest] = [first, second, rest].map(|q| q.as_dquat().normalize());
    let elastic = rest.conjugate() * (first.conjugate() * second);
    let elastic = if elastic.w < 0.0 { -elastic } else { elastic };
    let turned = elastic.to_scaled_axis();
    let angle = turned.length();
    if angle <= limit * (1.0 + ROUNDING) {
        return None;
    }
    let flowed = rest * DQuat::from_scaled_axis(turned * (1.0 - limit / angle));
    Some(flowed.normalize().as_quat())
}
