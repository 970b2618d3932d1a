//! Loose knots in ropes with straight ends, from control points: a plan (x, y) and a height z that goes over and under.
//!
//! In every knot `size` is the unit of its plan, and the ropes leave along x. How a knot goes over and under follows from its diagram alone;
//! the tests recognize each one by its determinant.

use super::smooth::{resample, spline};
use glam::DVec3;

/// Radius of rope over `size` up to which [`overhand`] has no overlap, with segments of up to two radii.
pub const OVERHAND_TIGHTEST: f64 = 0.54;
/// The same for [`figure_eight`].
pub const FIGURE_EIGHT_TIGHTEST: f64 = 0.56;
/// The same for [`reef`] and [`granny`].
pub const REEF_TIGHTEST: f64 = 0.41;
/// The same for [`slip_knot`].
pub const SLIP_TIGHTEST: f64 = 0.42;

/// A curve through a knot: control points times `size`, with straight tails of length `tail` at either end.
fn rope(control: &[[f64; 3]], size: f64, tail: f64, segment: f64) -> Vec<DVec3> {
    let control: Vec<DVec3> = control.iter().map(|&p| DVec3::from_array(p) * size).collect();
    let mut curve = spline(&control);
    let count = curve.len();
    let out = (curve[count - 1] - curve[count - 2]).normalize();
    let back = (curve[0] - curve[1]).normalize();
    curve.push(curve[count - 1] + out * tail);
    curve.insert(0, curve[0] + back * tail);
    resample(&curve, segment)
}

/// A knot whose second half is an image of its first, run backwards.
fn symmetric(half: &[[f64; 3]], image: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<[f64; 3]> {
    let second = half.iter().rev().map(|&p| image(p));
    half.iter().copied().chain(second).collect()
}

/// Up to the middle of the overhand: in from the left, under and over to the right, up and under to the top.
const OVERHAND: [[f64; 3]; 10] = [
    [-6.0, 1.0, 0.0],
    [-4.5, 1.0, 0.0],
    [-3.0, 0.8, -0.5],
    [-1.6, -0.9, -0.9],
    [-0.5, -2.6, 0.6],
    [0.6, -3.8, 0.8],
    [2.0, -4.4, 0.3],
    [2.9, -3.2, -0.3],
    [2.1, -1.3, -0.9],
    [0.9, 0.2, -0.5],
];

/// An overhand knot (trefoil): its own image under half a turn about y.
pub fn overhand(size: f64, tail: f64, segment: f64) -> Vec<DVec3> {
    rope(&symmetric(&OVERHAND, |[x, y, z]| [-x, y, -z]), size, tail, segment)
}

/// Up to the middle of the figure-eight.
const FIGURE_EIGHT: [[f64; 3]; 14] = [
    [-8.0, -1.5, 0.0],
    [-6.0, -1.5, 0.0],
    [-4.4, -1.2, -0.5],
    [-2.9, -0.2, -1.0],
    [-1.5, 1.8, 1.0],
    [-0.3, 3.6, 0.6],
    [1.3, 4.3, 0.0],
    [2.7, 3.2, -0.5],
    [3.4, 0.9, -1.0],
    [3.7, -1.0, -0.3],
    [2.9, -2.4, 0.7],
    [1.3, -1.8, 1.1],
    [0.5, -0.6, 0.4],
    [0.2, -0.2, 0.1],
];

/// A figure-eight knot: its own image under inversion through the origin.
pub fn figure_eight(size: f64, tail: f64, segment: f64) -> Vec<DVec3> {
    rope(&symmetric(&FIGURE_EIGHT, |[x, y, z]| [-x, -y, -z]), size, tail, segment)
}

/// The upper leg of the left rope of a reef knot: over the other's bight, under its leg, over its end again.
const REEF: [[f64; 3]; 9] = [
    [-8.0, 0.9, 0.0],
    [-6.0, 0.9, 0.0],
    [-4.5, 0.9, 0.5],
    [-3.0, 0.8, 1.0],
    [-1.5, 0.9, 0.3],
    [0.0, 1.4, -1.0],
    [1.5, 2.1, 0.0],
    [2.8, 2.0, 0.7],
    [3.4, 0.9, 1.0],
];

/// A reef (square) knot of two ropes: the first leaves to the left, the second to the right. The standing parts are on y > 0, where both begin.
///
/// Each rope is the other after half a turn about y, and the knot is its own mirror image in the plane y = 0.
pub fn reef(size: f64, tail: f64, segment: f64) -> [Vec<DVec3>; 2] {
    two_bights(1.0, size, tail, segment)
}

/// The granny knot: a reef knot whose lower half goes over where it should go under.
pub fn granny(size: f64, tail: f64, segment: f64) -> [Vec<DVec3>; 2] {
    two_bights(-1.0, size, tail, segment)
}

fn two_bights(lower: f64, size: f64, tail: f64, segment: f64) -> [Vec<DVec3>; 2] {
    let left = symmetric(&REEF, |[x, y, z]| [x, -y, lower * z]);
    let right: Vec<_> = left.iter().map(|&[x, y, z]| [-x, y, -z]).collect();
    [left, right].map(|control| rope(&control, size, tail, segment))
}

/// From the top of the overhand on: through its loop as a bight, and back out beside itself.
const SLIP: [[f64; 3]; 19] = [
    [-0.9, 0.2, 0.5],
    [-2.1, -1.3, 0.9],
    [-2.9, -3.2, 0.3],
    [-2.0, -4.4, -0.3],
    [-0.6, -3.8, -0.8],
    [0.5, -2.6, -0.6],
    [1.6, -0.9, 0.9],
    [2.8, 0.9, 0.6],
    [3.9, 1.6, 0.3],
    [4.5, 0.7, 0.3],
    [3.4, -0.4, 0.6],
    [2.4, -1.6, 0.9],
    [1.4, -3.1, -0.6],
    [0.7, -4.0, -0.9],
    [0.1, -5.2, -0.5],
    [0.8, -6.4, 0.0],
    [2.6, -6.8, 0.0],
    [5.0, -6.8, 0.0],
    [7.0, -6.8, 0.0],
];

/// A slip knot: an overhand whose last tuck is a bight. The standing part begins at the left; pulling the other end, at
/// the right, draws the bight out and leaves no knot (its determinant is 1).
pub fn slip_knot(size: f64, tail: f64, segment: f64) -> Vec<DVec3> {
    let control: Vec<_> = OVERHAND.iter().chain(&SLIP).copied().collect();
    rope(&control, size, tail, segment)
}
