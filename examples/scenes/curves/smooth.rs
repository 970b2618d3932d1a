//! Smooth curves from few control points, and points evenly spaced along any curve.

use glam::DVec3;

/// Points along an open polyline, evenly by its arc length: about `segment` apart, both ends kept.
pub fn resample(points: &[DVec3], segment: f64) -> Vec<DVec3> {
    let mut arcs = vec![0.0];
    for pair in points.windows(2) {
        arcs.push(arcs[arcs.len() - 1] + pair[0].distance(pair[1]));
    }
    let length = arcs[arcs.len() - 1];
    let count = ((length / segment).round() as usize).max(1);
    let mut at = 0;
    (0..=count)
        .map(|i| {
            let arc = length * i as f64 / count as f64;
            while at + 2 < points.len() && arcs[at + 1] < arc {
                at += 1;
            }
            // A side without length (a tail of 0) has 0/0 here: any share of it is the same point.
            let share = (arc - arcs[at]) / (arcs[at + 1] - arcs[at]).max(f64::MIN_POSITIVE);
            points[at].lerp(points[at + 1], share.clamp(0.0, 1.0))
        })
        .collect()
}

/// The same for a closed polyline.
pub fn resample_closed(points: &[DVec3], segment: f64) -> Vec<DVec3> {
    let mut around = points.to_vec();
    around.push(points[0]);
    let mut even = resample(&around, segment);
    even.pop();
    even
}

/// How finely a span of a spline is sampled before it is spaced evenly: the polyline is off by less than 1e-4 of a span.
const FINE: usize = 48;

/// The uniform cubic B-spline of control points, from the first to the last of them: smooth in curvature, straight
/// where four in a row are, and straight at its ends.
pub(super) fn spline(control: &[DVec3]) -> Vec<DVec3> {
    let count = control.len();
    // A mirrored point beyond each end makes the curve begin there, along the first side and without curvature.
    let mut points = vec![2.0 * control[0] - control[1]];
    points.extend_from_slice(control);
    points.push(2.0 * control[count - 1] - control[count - 2]);
    let mut curve = Vec::with_capacity(count * FINE + 1);
    for four in points.windows(4) {
        curve.extend((0..FINE).map(|i| blend(four, i as f64 / FINE as f64)));
    }
    curve.push(control[count - 1]);
    curve
}

fn blend(four: &[DVec3], t: f64) -> DVec3 {
    let s = 1.0 - t;
    let (square, cube) = (t * t, t * t * t);
    (four[0] * s * s * s
        + four[1] * (3.0 * cube - 6.0 * square + 4.0)
        + four[2] * (-3.0 * cube + 3.0 * square + 3.0 * t + 1.0)
        + four[3] * cube)
        / 6.0
}
