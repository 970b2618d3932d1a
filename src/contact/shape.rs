//! Where a rod is near a shape of parry3d.
//!
//! Points are moved into the frame of the shape, where everything is done in doubles: a shape ten kilometres out is touched as exactly as one at the
//! origin. A shape is a union of convex parts (`parts`), each with an exact distance (`nearest`, `segment`). A place on a part counts when the
//! distance from the *union* has a minimum there: over a flat mesh a vertex touches the one triangle below it, and not the rims of its neighbours.

mod check;
mod nearest;
mod parts;
mod pose;
mod segment;
#[cfg(test)]
mod tests;
mod voxels;

use glam::DVec3;
use parry3d::shape::{Shape, ShapeType};

pub use self::check::check;
use self::nearest::{Core, Nearest};
use self::parts::{Part, Region, single, visit, with_part};
pub use self::pose::Pose;

/// Places of a segment this near to an end (as a part of its length) are left to the vertex there.
const END: f64 = 0.02;
/// By how much of the reach a place inside a segment has to be nearer than its ends.
const CLEARLY: f64 = 1e-3;
/// With more parts than that near, the tree of the shape is asked which of them meet; with fewer, each is asked.
const FEW: usize = 24;

/// A place where a vertex or a segment is near a shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapePoint {
    /// 0 at the tail of the segment, 1 at its head; 0 for a vertex.
    pub along: f64,
    /// On the surface of the shape, in the world.
    pub on_shape: DVec3,
    /// Unit, from the shape to the rod, in the world.
    pub normal: DVec3,
    /// From the surface of the shape to the centre line; negative inside.
    pub distance: f64,
    /// Which convex part of the shape it is: the same from step to step.
    pub feature: u32,
}

impl ShapePoint {
    fn new(along: f64, feature: u32, nearest: &Nearest) -> ShapePoint {
        ShapePoint {
            along,
            on_shape: nearest.point,
            normal: nearest.normal,
            distance: nearest.distance,
            feature,
        }
    }
}

/// Appends all places of a vertex nearer than `reach`: at most one for each convex part of the shape.
pub fn near_point(shape: &dyn Shape, pose: &Pose, point: DVec3, reach: f64, found: &mut Vec<ShapePoint>) {
    let local = pose.inverse_point(point);
    let start = found.len();
    if let Some(part) = single(shape) {
        let nearest = part.nearest(local);
        if nearest.distance < reach {
            found.push(ShapePoint::new(0.0, 0, &nearest));
        }
    } else if let Some((feature, nearest)) = shape.as_voxels().and_then(|voxels| voxels::from_inside(voxels, local)) {
        found.push(ShapePoint::new(0.0, feature, &nearest));
    } else {
        let region = Region::around(local, local, reach);
        visit(shape, &region, &mut |feature, part| {
            let nearest = part.nearest(local);
            if nearest.distance < reach {
                // Whatever is within a face has nothing to fear from its neighbours: marked for `drop_rims`, and 0 again in the end.
                let along = if nearest.within_face { 1.0 } else { 0.0 };
                found.push(ShapePoint::new(along, feature, &nearest));
            }
        });
        let order = |part: &Part, feature| {
            let nearest = part.nearest(local);
            Order::new(nearest.distance, nearest.within_face, feature, reach)
        };
        let within_face = |place: &ShapePoint| place.along == 1.0;
        drop_rims(shape, reach, &mut found[start..], within_face, |_| true, order);
        remove_dropped(found, start);
        found[start..].iter_mut().for_each(|place| place.along = 0.0);
    }
    to_world(pose, &mut found[start..]);
}

/// Appends the places of a segment nearer than `reach` that are inside it (not at its ends, which [`near_point`] sees) and clearly nearer than the
/// ends: where bars, edges and corners touch it.
pub fn near_segment(shape: &dyn Shape, pose: &Pose, tail: DVec3, head: DVec3, reach: f64, found: &mut Vec<ShapePoint>) {
    let (tail, head) = (pose.inverse_point(tail), pose.inverse_point(head));
    let start = found.len();
    if let Some(part) = single(shape) {
        if let Some((along, nearest)) = inside_segment(&part, tail, head, reach)
            && along > 0.0
        {
            found.push(ShapePoint::new(along, 0, &nearest));
        }
    } else {
        let region = Region::around(tail, head, reach);
        let mut inside = false;
        visit(shape, &region, &mut |feature, part| {
            if let Some((along, nearest)) = inside_segment(part, tail, head, reach) {
                inside |= along > 0.0;
                found.push(ShapePoint::new(along, feature, &nearest));
            }
        });
        if !inside {
            found.truncate(start);
            return;
        }
        let order = |part: &Part, feature| {
            let nearest = part.nearest_to_segment(tail, head, reach);
            let distance = nearest.map_or(f64::INFINITY, |(_, nearest)| nearest.distance);
            Order::new(distance, false, feature, reach)
        };
        let places = &mut found[start..];
        let inside = |place: &ShapePoint| place.along > 0.0;
        drop_rims(shape, reach, places, |_| false, inside, order);
        drop_flats(shape, tail, head, reach, places);
        for place in places {
            if place.along == 0.0 {
                place.normal = DVec3::ZERO;
            }
        }
        remove_dropped(found, start);
        if let Some(voxels) = shape.as_voxels() {
            // A face between two voxels is no way out.
            for place in found[start..].iter_mut().filter(|place| place.distance < 0.0) {
                let at = tail.lerp(head, place.along);
                if let Some((_, nearest)) = voxels::from_inside(voxels, at) {
                    *place = ShapePoint::new(place.along, place.feature, &nearest);
                }
            }
        }
    }
    to_world(pose, &mut found[start..]);
}

/// The place of one part nearest to a segment, if that is nearer than `reach`. `along` is 0 where the place is not clearly inside the segment.
fn inside_segment(part: &Part, tail: DVec3, head: DVec3, reach: f64) -> Option<(f64, Nearest)> {
    let (along, nearest) = part.nearest_to_segment(tail, head, reach)?;
    if nearest.distance >= reach {
        return None;
    }
    let bar = nearest.distance + CLEARLY * reach;
    let inside =
        along > END && along < 1.0 - END && part.nearest(tail).distance > bar && part.nearest(head).distance > bar;
    Some((if inside { along } else { 0.0 }, nearest))
}

/// Which of several parts that meet in a place has it: the nearest; among equals one that is square to it, and then the one with the smallest
/// number. Equal is what agrees to a billionth of the reach: rounding must not hand a contact to and fro.
#[derive(PartialEq, PartialOrd)]
struct Order(f64, bool, u32);

impl Order {
    fn new(distance: f64, within_face: bool, feature: u32, reach: f64) -> Order {
        Order((distance / (1e-9 * reach)).round(), !within_face, feature)
    }
}

/// Drops places of parts where another part that touches the same place comes first: the distance from all parts together has no minimum there, or
/// it is another's. Places within a face stay, and of the rest those that are not `wanted` need no decision. `order` is that of a part by number.
///
/// Dropped places stay in the list, as their parts still count, and are marked by a normal of zero.
fn drop_rims(
    shape: &dyn Shape,
    reach: f64,
    places: &mut [ShapePoint],
    within_face: impl Fn(&ShapePoint) -> bool,
    wanted: impl Fn(&ShapePoint) -> bool,
    order: impl Fn(&Part, u32) -> Order,
) {
    let order_of = |place: &ShapePoint| Order::new(place.distance, within_face(place), place.feature, reach);
    for i in 0..places.len() {
        let place = places[i];
        if within_face(&place) || !wanted(&place) {
            continue;
        }
        // Seams of compounds are as exact as `f32` makes them.
        let touching = 1e-6 * reach + 2e-7 * place.on_shape.length();
        let touches = |part: &Part| part.nearest(place.on_shape).distance < touching;
        let own = order_of(&place);
        let mut beaten = false;
        if places.len() <= FEW {
            for other in &*places {
                if !beaten && order_of(other) < own {
                    with_part(shape, other.feature, &mut |part| beaten = touches(part));
                }
            }
        } else {
            let region = Region::around(place.on_shape, place.on_shape, touching);
            visit(shape, &region, &mut |feature, part| {
                beaten = beaten || touches(part) && order(part, feature) < own;
            });
        }
        if beaten {
            places[i].normal = DVec3::ZERO;
        }
    }
}

/// Drops places of a segment from which the distance does not rise toward both ends: a segment that lies along a flat mesh is as near everywhere.
fn drop_flats(shape: &dyn Shape, tail: DVec3, head: DVec3, reach: f64, places: &mut [ShapePoint]) {
    for i in 0..places.len() {
        let place = places[i];
        if place.along == 0.0 || place.normal == DVec3::ZERO {
            continue;
        }
        let bar = place.distance + CLEARLY * reach;
        let rises = |end: f64| {
            // Three looks each way: the end alone may be near something else.
            [1.0, 0.6, 0.3].into_iter().any(|way| {
                let at = tail.lerp(head, place.along + (end - place.along) * way);
                let mut low = false;
                for other in &*places {
                    if !low {
                        with_part(shape, other.feature, &mut |part| {
                            low = part.nearest(at).distance <= bar;
                        });
                    }
                }
                !low
            })
        };
        if !(rises(0.0) && rises(1.0)) {
            places[i].normal = DVec3::ZERO;
        }
    }
}

/// Takes the marked places from `start` on away.
fn remove_dropped(found: &mut Vec<ShapePoint>, start: usize) {
    let mut end = start;
    for i in start..found.len() {
        if found[i].normal != DVec3::ZERO {
            found[end] = found[i];
            end += 1;
        }
    }
    found.truncate(end);
}

fn to_world(pose: &Pose, places: &mut [ShapePoint]) {
    for place in places {
        place.on_shape = pose.point(place.on_shape);
        place.normal = pose.vector(place.normal);
    }
}

/// The box of a shape in the world. That of a half-space is finite, and larger than anything.
pub fn bounds(shape: &dyn Shape, pose: &Pose) -> (DVec3, DVec3) {
    if shape.shape_type() == ShapeType::HalfSpace {
        let far = DVec3::splat(f64::from(f32::MAX) / 2.0);
        return (-far, far);
    }
    if let Some(Part { core, radius, .. }) = single(shape) {
        let ends = match core {
            Core::Point(center) => Some((center, center)),
            Core::Segment(a, b) => Some((a, b)),
            _ => None,
        };
        if let Some((a, b)) = ends {
            let (a, b) = (pose.point(a), pose.point(b));
            return (a.min(b) - radius, a.max(b) + radius);
        }
    }
    let local = shape.compute_local_aabb();
    let (low, high) = (local.mins.as_dvec3(), local.maxs.as_dvec3());
    let middle = pose.point(0.5 * (low + high));
    // Boxes of parry3d are sums in `f32`, and not rounded outward.
    let slack = 1e-6 * low.abs().max(high.abs()).max_element();
    let half = pose.vector_extent(0.5 * (high - low)) + slack;
    (middle - half, middle + half)
}

/// How far the shape reaches from its origin, at most: infinite for a half-space.
pub fn extent(shape: &dyn Shape) -> f64 {
    if shape.shape_type() == ShapeType::HalfSpace {
        return f64::INFINITY;
    }
    match single(shape) {
        Some(Part {
            core: Core::Point(center),
            radius,
            ..
        }) => center.length() + radius,
        Some(Part {
            core: Core::Segment(a, b),
            radius,
            ..
        }) => a.length().max(b.length()) + radius,
        _ => {
            let local = shape.compute_local_aabb();
            let corner = local.mins.as_dvec3().abs().max(local.maxs.as_dvec3().abs());
            corner.length() * (1.0 + 1e-6)
        }
    }
}
