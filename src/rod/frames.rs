//! Material frames along a centre line: rotation-minimizing (parallel transport), so that no twist is there that nobody
//! asked for.
//!
//! On a polyline the frame of a segment is carried to the next by the smallest rotation that turns one tangent into the
//! other; this is exact, where the double reflection of a smooth curve would be an approximation.

use std::collections::VecDeque;
use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

use super::error::{Place, RodError};

/// Below this sine of the angle between two unit vectors they count as parallel.
const PARALLEL: f64 = 1e-9;

/// A unit vector across another, x if possible.
pub(super) fn across(axis: DVec3) -> DVec3 {
    let reference = if axis.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    (reference - axis * reference.dot(axis)).normalize()
}

/// A rotation about the rod's own axis in the segment's frame.
pub(super) fn turn(angle: f64) -> DQuat {
    DQuat::from_rotation_z(angle)
}

/// The frame of the first segment: d3 along the tangent and d2 as near as possible to `up`; without `up`, the smallest
/// rotation from z.
pub(super) fn first_frame(tangent: DVec3, up: Option<DVec3>) -> Result<DQuat, RodError> {
    let Some(up) = up else {
        return Ok(carry(DQuat::IDENTITY, tangent));
    };
    let d2 = up - tangent * up.dot(tangent);
    if d2.length() < PARALLEL {
        return Err(RodError::NoDirection { at: Place::field("up") });
    }
    let d2 = d2.normalize();
    Ok(DQuat::from_mat3(&DMat3::from_cols(d2.cross(tangent), d2, tangent)).normalize())
}

/// Turns a frame by the smallest rotation that takes its d3 to `tangent`. When they are opposite, the smallest rotation
/// is not unique; the half turn about d1 is taken.
pub(super) fn carry(frame: DQuat, tangent: DVec3) -> DQuat {
    let d3 = frame * DVec3::Z;
    let cosine = d3.dot(tangent);
    let axis = d3.cross(tangent);
    if cosine < 0.0 && axis.length() < PARALLEL {
        return (frame * DQuat::from_rotation_x(PI)).normalize();
    }
    // Half-angle form: (axis·sin θ, 1 + cos θ) normalized is (axis·sin θ/2, cos θ/2).
    (DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine).normalize() * frame).normalize()
}

/// Twist-free frames along an open polyline of unit tangents.
pub(super) fn along(tangents: &[DVec3], up: Option<DVec3>) -> Result<Vec<DQuat>, RodError> {
    let mut frames = Vec::with_capacity(tangents.len());
    let Some(&first) = tangents.first() else {
        return Ok(frames);
    };
    let mut frame = first_frame(first, up)?;
    frames.push(frame);
    for &tangent in &tangents[1..] {
        frame = carry(frame, tangent);
        frames.push(frame);
    }
    Ok(frames)
}

/// Frames along a closed polyline. Carried once around, a frame comes back turned by the loop's total torsion; that
/// angle is spread evenly so that the frames close without a jump.
pub(super) fn around(tangents: &[DVec3], up: Option<DVec3>) -> Result<Vec<DQuat>, RodError> {
    let mut frames = along(tangents, up)?;
    if let (Some(&first), Some(&last)) = (frames.first(), frames.last()) {
        let back = carry(last, tangents[0]);
        let gap = twist_angle(back.conjugate() * first);
        let count = frames.len() as f64;
        for (i, frame) in frames.iter_mut().enumerate() {
            *frame = (*frame * turn(gap * i as f64 / count)).normalize();
        }
    }
    Ok(frames)
}

/// Frames of a graph: carried along the joints, breadth first from the lowest segment of every connected part.
///
/// Segments may meet head to head. The frame is carried along the *path*, so a segment that the path runs through
/// backwards is taken with d2 and d3 reversed: two branches in one line get the same d1 whichever way they point.
pub(super) fn through(
    tangents: &[DVec3],
    segments: &[[u32; 2]],
    joints: &[[u32; 2]],
    up: Option<DVec3>,
) -> Result<Vec<DQuat>, RodError> {
    let neighbours = Neighbours::new(segments.len(), joints);
    let mut frames: Vec<Option<DQuat>> = vec![None; segments.len()];
    let mut queue = VecDeque::new();
    for root in 0..segments.len() {
        if frames[root].is_some() {
            continue;
        }
        // One direction cannot be across every segment of a graph: where it is parallel, any direction serves.
        let frame = first_frame(tangents[root], up).or_else(|_| first_frame(tangents[root], None))?;
        frames[root] = Some(frame);
        queue.push_back((root, frame));
        while let Some((from, frame)) = queue.pop_front() {
            for &to in neighbours.of(from) {
                let to = to as usize;
                if frames[to].is_none() {
                    let leaves_by_head = segments[to].contains(&segments[from][1]);
                    let meets = if leaves_by_head {
                        segments[from][1]
                    } else {
                        segments[from][0]
                    };
                    let enters_by_tail = segments[to][0] == meets;
                    let reversed = DQuat::from_rotation_x(PI);
                    let outgoing = if leaves_by_head { frame } else { frame * reversed };
                    let carried = if enters_by_tail {
                        carry(outgoing, tangents[to])
                    } else {
                        carry(outgoing, -tangents[to]) * reversed.conjugate()
                    };
                    frames[to] = Some(carried.normalize());
                    queue.push_back((to, carried.normalize()));
                }
            }
        }
    }
    // Every segment is a root or was reached from one.
    Ok(frames
        .into_iter()
        .map(|frame| frame.unwrap_or(DQuat::IDENTITY))
        .collect())
}

/// The angle about z of a rotation, in (−π, π].
pub(super) fn twist_angle(rotation: DQuat) -> f64 {
    let angle = 2.0 * rotation.z.atan2(rotation.w);
    if angle > PI {
        angle - 2.0 * PI
    } else if angle <= -PI {
        angle + 2.0 * PI
    } else {
        angle
    }
}

/// Which segments each segment is joined to, in compressed rows.
struct Neighbours {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Neighbours {
    fn new(segments: usize, joints: &[[u32; 2]]) -> Self {
        let mut starts = vec![0u32; segments + 1];
        for &[first, second] in joints {
            starts[first as usize + 1] += 1;
            starts[second as usize + 1] += 1;
        }
        for i in 0..segments {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut others = vec![0u32; joints.len() * 2];
        for &[first, second] in joints {
            for (from, to) in [(first, second), (second, first)] {
                let slot = &mut next[from as usize];
                others[*slot as usize] = to;
                *slot += 1;
            }
        }
        Self { starts, others }
    }

    fn of(&self, segment: usize) -> &[u32] {
        &self.others[self.starts[segment] as usize..self.starts[segment + 1] as usize]
    }
}
