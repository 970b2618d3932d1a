//! The closest points of two segments.

use glam::DVec3;

/// How strongly the closest points are drawn to the middles of their segments, as a share of the squares of the lengths.
///
/// Parallel segments have no one pair of closest points: without this the contact would jump from end to end. It moves the points where the angle between
/// the segments is below about its square root (two degrees), and lengthens the distance by at most an eighth of it times the segments' lengths squared over the distance.
const CENTERING: f64 = 1e-3;

/// A pair of points, one on each of two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Where on the first segment, from 0 at its tail to 1 at its head.
    pub first: f64,
    /// Where on the second.
    pub second: f64,
    /// From the point on the first to that on the second, m.
    pub between: DVec3,
}

/// The closest points of the segments `a` and `b`, each from tail to head. Parallel ones touch in the middle of what they share; one that is a
/// point is taken as one.
pub fn closest(a: [DVec3; 2], b: [DVec3; 2]) -> Closest {
    let (along_a, along_b, offset) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let (aa, bb, ab) = (along_a.length_squared(), along_b.length_squared(), along_a.dot(along_b));
    let (ao, bo) = (along_a.dot(offset), along_b.dot(offset));
    // Minimize |offset + t b − s a|² + c (aa (s − ½)² + bb (t − ½)²) over the unit square.
    let (c, tiny) = (CENTERING, f64::MIN_POSITIVE);
    let (stiff_a, stiff_b) = ((1.0 + c) * aa, (1.0 + c) * bb);
    let (pull_a, pull_b) = (ao + 0.5 * c * aa, 0.5 * c * bb - bo);
    let best_first = |t: f64| ((ab * t + pull_a) / stiff_a.max(tiny)).clamp(0.0, 1.0);
    let best_second = |s: f64| ((ab * s + pull_b) / stiff_b.max(tiny)).clamp(0.0, 1.0);
    let determinant = (stiff_a * stiff_b - ab * ab).max(tiny);
    let s = (pull_a * stiff_b + ab * pull_b) / determinant;
    let t = (pull_b * stiff_a + ab * pull_a) / determinant;
    let inside = 0.0..=1.0;
    let (first, second) = if aa <= tiny || bb <= tiny {
        // A point, to which any place is as good as its middle.
        let s = best_first(best_second(0.5));
        (s, best_second(s))
    } else if inside.contains(&s) && inside.contains(&t) {
        (s, t)
    } else {
        // Strictly convex: the minimum is on one of the sides that the free one lies beyond.
        let cost = |s: f64, t: f64| {
            let (ds, dt) = (s - 0.5, t - 0.5);
            (offset + along_b * t - along_a * s).length_squared() + c * (aa * ds * ds + bb * dt * dt)
        };
        let edge = |s: f64, t: f64| (cost(s, t), s, t);
        let mut best = (f64::INFINITY, 0.5, 0.5);
        let side = if s < 0.5 { 0.0 } else { 1.0 };
        let other = if t < 0.5 { 0.0 } else { 1.0 };
        for candidate in [edge(side, best_second(side)), edge(best_first(other), other)] {
            if candidate.0 < best.0 {
                best = candidate;
            }
        }
        (best.1, best.2)
    };
    Closest {
        first,
        second,
        between: offset + along_b * second - along_a * first,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = DVec3> {
        [-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(DVec3::from_array)
    }

    proptest! {
        // Against sampling both segments at 201 places each: no sample is nearer than what is found, but for what the centering costs.
        #[test]
        fn no_place_is_nearer(a in [point(), point()], b in [point(), point()]) {
            let found = closest(a, b);
            let distance = found.between.length();
            let mut least = f64::INFINITY;
            for i in 0..=200 {
                for j in 0..=200 {
                    let p = a[0].lerp(a[1], f64::from(i) / 200.0);
                    let q = b[0].lerp(b[1], f64::from(j) / 200.0);
                    least = least.min(p.distance(q));
                }
            }
            let cost = CENTERING * 0.25 * (a[0].distance_squared(a[1]) + b[0].distance_squared(b[1]));
            prop_assert!(distance * distance <= least * least + cost + 1e-12, "{distance} against {least}");
            let point = a[0].lerp(a[1], found.first) + found.between;
            prop_assert!(point.distance(b[0].lerp(b[1], found.second)) < 1e-12);
        }
    }

    #[test]
    fn parallel_segments_touch_in_the_middle_of_what_they_share() {
        let a = [DVec3::ZERO, DVec3::X];
        let b = [DVec3::new(0.5, 0.1, 0.0), DVec3::new(1.5, 0.1, 0.0)];
        let found = closest(a, b);
        // Each is drawn to its middle by a part of the centering, whose square shows in the distance.
        assert!((found.between.length() - 0.1).abs() < CENTERING * CENTERING);
        assert!(
            (found.first - 0.75).abs() < CENTERING && (found.second - 0.25).abs() < CENTERING,
            "{found:?}"
        );
    }

    #[test]
    fn points_and_coincident_segments_are_finite() {
        for (a, b) in [
            ([DVec3::ZERO; 2], [DVec3::ZERO; 2]),
            ([DVec3::ZERO; 2], [DVec3::X, -DVec3::X]),
            ([DVec3::ZERO, DVec3::X], [DVec3::ZERO, DVec3::X]),
        ] {
            let found = closest(a, b);
            assert!(found.between.length() < 1e-9, "{found:?}");
            assert!(found.first.is_finite() && found.second.is_finite());
        }
    }
}
