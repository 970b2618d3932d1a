//! The place of a convex shape that is nearest to a segment.
//!
//! The signed distance from a convex shape is a convex function of the place along a segment, and its slope is the normal times the direction. So a
//! search on the line finds the one minimum of any convex shape, and the slopes at both ends tell most segments off at once. Points, segments and
//! triangles have closed forms.

use glam::DVec3;

use super::nearest::{Core, Nearest, direction, parameter, square_to};

/// The place nearest to the segment from `tail` to `head`: how far along it is (exactly 0 or 1 at the ends), and what it is like. `None` when the
/// shape is certainly farther than `limit`.
pub(super) fn nearest_to_segment(core: &Core, tail: DVec3, head: DVec3, limit: f64) -> Option<(f64, Nearest)> {
    match *core {
        Core::Point(center) => {
            let along = parameter(tail, head, center);
            Some((along, core.nearest(tail.lerp(head, along))))
        }
        Core::Segment(a, b) => Some(two_segments(tail, head, a, b)),
        Core::Triangle(a, b, c) => Some(triangle(core, tail, head, [a, b, c])),
        Core::HalfSpace(normal) => {
            let along = if normal.dot(head - tail) < 0.0 { 1.0 } else { 0.0 };
            Some((along, core.nearest(if along == 0.0 { tail } else { head })))
        }
        _ => search(core, tail, head, limit),
    }
}

/// Nearest places of two segments: the parameter along the first, and the place on the second as seen from the first.
fn two_segments(tail: DVec3, head: DVec3, a: DVec3, b: DVec3) -> (f64, Nearest) {
    let u = head - tail;
    let v = b - a;
    let w = tail - a;
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let determinant = uu * vv - uv * uv;
    let along = if uu == 0.0 || vv == 0.0 {
        parameter(tail, head, a)
    } else if determinant > 1e-14 * uu * vv {
        let free = ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0);
        // Where that falls off the end of the other segment, the end is the place.
        let t = ((free * uv + vw) / vv).clamp(0.0, 1.0);
        ((t * uv - uw) / uu).clamp(0.0, 1.0)
    } else {
        // Parallel: the middle of what they have in common, which moves smoothly when they slide.
        let (from, till) = (parameter(tail, head, a), parameter(tail, head, b));
        0.5 * (from + till)
    };
    let on_first = if along == 1.0 { head } else { tail + u * along };
    let t = parameter(a, b, on_first);
    let fallback = match u.cross(v).try_normalize() {
        Some(normal) => normal,
        None => square_to(u),
    };
    (along, Nearest::unsigned(on_first, a + v * t, fallback))
}

/// A triangle is nearest at an end of the segment, on an edge of its own, or where the segment passes through.
fn triangle(core: &Core, tail: DVec3, head: DVec3, [a, b, c]: [DVec3; 3]) -> (f64, Nearest) {
    let mut best = (0.0, core.nearest(tail));
    let other = core.nearest(head);
    if other.distance < best.1.distance {
        best = (1.0, other);
    }
    let across = (b - a).cross(c - a);
    let (over_tail, over_head) = (across.dot(tail - a), across.dot(head - a));
    if (over_tail < 0.0) != (over_head < 0.0) {
        let along = over_tail / (over_tail - over_head);
        let here = core.nearest(tail.lerp(head, along));
        // Rounding of the crossing puts it off the plane, and not by more than this.
        if here.distance <= 1e-12 * (head - tail).length() {
            // The longer part of the segment says on which side it belongs.
            let outer = if over_tail.abs() > over_head.abs() {
                over_tail
            } else {
                over_head
            };
            let (normal, _) = direction(across * outer.signum(), DVec3::Y);
            return (
                along,
                Nearest {
                    normal,
                    distance: 0.0,
                    ..here
                },
            );
        }
    }
    for (from, till) in [(a, b), (b, c), (c, a)] {
        let found = two_segments(tail, head, from, till);
        if found.1.distance < best.1.distance {
            best = found;
        }
    }
    best
}

/// A place along the segment, with the distance there and its slope.
struct Sample {
    along: f64,
    slope: f64,
    nearest: Nearest,
}

/// Minimum of a convex function between two slopes of different sign. The tangents at both sides meet below the minimum: that is the bound which
/// ends the search, and where the function has a corner also its place. Where it is smooth, the secant of the slopes is better; and halving keeps
/// both honest.
fn search(core: &Core, tail: DVec3, head: DVec3, limit: f64) -> Option<(f64, Nearest)> {
    let whole = head - tail;
    let scale = whole.length();
    let sample = |along: f64| {
        let at = if along == 1.0 { head } else { tail + whole * along };
        let nearest = core.nearest(at);
        Sample {
            along,
            slope: nearest.normal.dot(whole),
            nearest,
        }
    };
    let mut low = sample(0.0);
    // Slopes of rounding size say that the segment lies along the surface.
    let level = 1e-13 * scale;
    if low.slope >= -level {
        return Some((0.0, low.nearest));
    }
    let mut high = sample(1.0);
    if high.slope <= level {
        return Some((1.0, high.nearest));
    }
    // Fifty halvings in the worst case; the usual count is six to ten.
    for round in 0..150 {
        let width = high.along - low.along;
        let rise = high.nearest.distance - low.nearest.distance;
        let met = (rise - high.slope * width) / (low.slope - high.slope);
        let bound = low.nearest.distance + low.slope * met;
        if bound > limit {
            return None;
        }
        let best = low.nearest.distance.min(high.nearest.distance);
        if best - bound <= 1e-15 * scale || width < 1e-12 {
            break;
        }
        let step = match round % 3 {
            0 => {
                // Of the squared distance where there is one: to an edge or a corner its slope is linear.
                let solid = low.nearest.distance <= 0.0 || high.nearest.distance <= 0.0;
                let weight = |s: &Sample| if solid { s.slope } else { s.slope * s.nearest.distance };
                let (from, till) = (weight(&low), weight(&high));
                width * from / (from - till)
            }
            1 => met,
            _ => 0.5 * width,
        };
        let along = low.along + step.clamp(1e-4 * width, (1.0 - 1e-4) * width);
        let here = sample(along);
        if here.slope.abs() <= level {
            return Some((here.along, here.nearest));
        }
        if here.slope < 0.0 {
            low = here;
        } else {
            high = here;
        }
    }
    let best = if low.nearest.distance <= high.nearest.distance {
        low
    } else {
        high
    };
    Some((best.along, best.nearest))
}
