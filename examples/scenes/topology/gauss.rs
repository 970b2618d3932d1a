//! Gauss integrals of polylines, exactly: linking number, writhe, and the link of a rod whose ends are held.
//!
//! For two segments the double integral of `(x − y)·(dx × dy) / |x − y|³` is (but for its sign) the solid angle under which the
//! parallelogram of all differences x − y is seen from the origin: two flat triangles, and for each
//! `tan(Ω/2) = det(a, b, c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)` (van Oosterom and Strackee 1983).

use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// Signed solid angle of the triangle `a b c` seen from the origin; 0 when the origin lies in its plane outside of it.
fn triangle(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    // A flat triangle that does not hold the origin counts nothing; atan2(±0, −x) would make it ±2π by the sign of a zero.
    if volume == 0.0 {
        return 0.0;
    }
    2.0 * volume.atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
}

/// Share of two segments in the Gauss integral, in turns: at most ±1/2.
fn segment_pair(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let (start, along) = (a[0] - b[0], a[1] - b[0]);
    let (both, across) = (a[1] - b[1], a[0] - b[1]);
    // d(x − y) has −dy in it: hence the minus.
    -(triangle(start, along, both) + triangle(start, both, across)) / (2.0 * TAU)
}

fn segments(points: &[DVec3], closed: bool) -> impl Iterator<Item = [DVec3; 2]> + Clone {
    let count = if closed {
        points.len()
    } else {
        points.len().saturating_sub(1)
    };
    (0..count).map(move |i| [points[i], points[(i + 1) % points.len()]])
}

/// Linking number of two closed polylines: an integer but for rounding (some 1e-13 for hundreds of segments).
///
/// Positive for a right-handed crossing. It says nothing where curves are linked with number 0 (Whitehead): see
/// [`super::link_determinant`].
pub fn linking_number(a: &[DVec3], b: &[DVec3]) -> f64 {
    double_sum(a, true, b, true)
}

/// The same integral of two open polylines: no integer, but it moves steadily with them and jumps by ±1 where one passes through the other.
pub fn gauss_integral(a: &[DVec3], b: &[DVec3]) -> f64 {
    double_sum(a, false, b, false)
}

fn double_sum(a: &[DVec3], a_closed: bool, b: &[DVec3], b_closed: bool) -> f64 {
    segments(a, a_closed)
        .map(|one| segments(b, b_closed).map(|two| segment_pair(one, two)).sum::<f64>())
        .sum()
}

/// Writhe of a closed polyline, in turns.
pub fn writhe(closed: &[DVec3]) -> f64 {
    self_sum(closed, true)
}

/// Writhe of an open polyline, in turns: the double integral over the curve alone, without any closure.
///
/// It is a measure of coiling, not an invariant: see [`held_link`] for what is conserved.
pub fn writhe_open(points: &[DVec3]) -> f64 {
    self_sum(points, false)
}

/// Pairs (i, j) and (j, i) are equal; a segment with itself or its neighbour lies in a plane and gives 0.
fn self_sum(points: &[DVec3], closed: bool) -> f64 {
    let count = segments(points, closed).count();
    let mut sum = 0.0;
    for (i, one) in segments(points, closed).enumerate() {
        for (j, two) in segments(points, closed).enumerate().skip(i + 2) {
            if !(closed && i == 0 && j + 1 == count) {
                sum += 2.0 * segment_pair(one, two);
            }
        }
    }
    sum
}

/// Twist of the material frames of an open rod, in turns: a frame a segment, of which `frame · X` is a material direction.
///
/// Between neighbours the direction is carried by the smallest rotation of the tangents, and what is missing to the next
/// direction is the twist of the joint, in (−1/2, 1/2]. A joint that twists further wraps around: use segments short enough. Tangents come from
/// the points, not from the frames, so that the sum fits the writhe of the same points even where frames shear.
pub fn total_twist(points: &[DVec3], frames: &[DQuat]) -> f64 {
    let tangents: Vec<DVec3> = segments(points, false).map(|[a, b]| (b - a).normalize()).collect();
    let joints = tangents.windows(2).zip(frames.windows(2));
    let angles = joints.map(|(tangent, frame)| {
        let carried = DQuat::from_rotation_arc(tangent[0], tangent[1]) * across(frame[0] * DVec3::X, tangent[0]);
        let direction = across(frame[1] * DVec3::X, tangent[1]);
        carried.cross(direction).dot(tangent[1]).atan2(carried.dot(direction))
    });
    angles.sum::<f64>() / TAU
}

fn across(direction: DVec3, tangent: DVec3) -> DVec3 {
    (direction - tangent * direction.dot(tangent)).normalize()
}

/// Tw + Wr of an open rod that is closed by the far points `closure` (from its last point back to its first), in turns.
///
/// What is conserved. For a closed ribbon Lk = Tw + Wr is an integer (Călugăreanu, White), also for a polygon when twist is
/// measured by parallel transport, because rounding a corner by an arc adds neither. Let both end segments be held: tangent and
/// frame. Close the rod by a path that is fixed, leaves along the end tangents, and is never crossed. The twist of the frames
/// along that path is some constant number, so Tw(rod) + Wr(rod and path together) is constant however the rod moves, so long as it does
/// not pass through itself or the path and no joint folds or wraps by half a turn. The writhe has to be that of both together:
/// the mixed terms of rod and path change, and [`writhe_open`] alone drifts by them. Two allowed motions: an end may slide along its own
/// straight piece of the path (the closed curve is the same one); and turning an end about its tangent by an angle α adds α/2π exactly.
pub fn held_link(points: &[DVec3], frames: &[DQuat], closure: &[DVec3]) -> f64 {
    let whole: Vec<DVec3> = points.iter().chain(closure).copied().collect();
    total_twist(points, frames) + writhe(&whole)
}
