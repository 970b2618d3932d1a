//! The place of a convex shape that is nearest to a point, in doubles.
//!
//! Sizes come from parry3d as `f32` and are exact when widened; everything after that is `f64`, because a contact barrier takes second derivatives
//! of the distance and would see the rounding of `f32` as a rough surface. A shape is a core with a rounding radius: a ball is a point, a capsule a
//! segment, and the signed distance of the rounded shape is that of the core less the radius.

use glam::{DVec2, DVec3};
use parry3d::shape::{ConvexPolyhedron, Shape};

/// The place of a shape nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// On the surface.
    pub(super) point: DVec3,
    /// Unit, away from the surface: the direction in which the distance grows fastest.
    pub(super) normal: DVec3,
    /// Negative inside a solid.
    pub(super) distance: f64,
    /// Whether the place is inside a face of a surface: nothing that meets this part along its rim can be nearer.
    pub(super) within_face: bool,
}

impl Nearest {
    /// The answer for a place `point` of something without an inside; `fallback` is the normal where the two coincide.
    pub(super) fn unsigned(of: DVec3, point: DVec3, fallback: DVec3) -> Nearest {
        let (normal, distance) = direction(of - point, fallback);
        Nearest {
            point,
            normal,
            distance,
            within_face: false,
        }
    }

    /// A shape that is larger by `radius` all around.
    pub(super) fn rounded(mut self, radius: f64) -> Nearest {
        self.point += self.normal * radius;
        self.distance -= radius;
        self
    }
}

/// A convex shape without its rounding.
#[derive(Clone, Copy)]
pub(super) enum Core<'a> {
    Point(DVec3),
    Segment(DVec3, DVec3),
    Triangle(DVec3, DVec3, DVec3),
    /// Centre and half extents.
    Cuboid(DVec3, DVec3),
    /// Half height along y, radius.
    Cylinder(f64, f64),
    /// Half height along y, radius of the base at the lower end.
    Cone(f64, f64),
    /// Outward normal; the plane goes through the origin.
    HalfSpace(DVec3),
    Polyhedron(&'a ConvexPolyhedron),
    /// A shape of a user: answers in `f32`.
    Other(&'a dyn Shape),
}

impl Core<'_> {
    pub(super) fn nearest(&self, to: DVec3) -> Nearest {
        match *self {
            Core::Point(center) => Nearest::unsigned(to, center, DVec3::Y),
            Core::Segment(a, b) => on_segment(a, b, to),
            Core::Triangle(a, b, c) => on_triangle(a, b, c, to),
            Core::Cuboid(center, half) => on_cuboid(center, half, to),
            Core::Cylinder(half_height, radius) => on_cylinder(half_height, radius, to),
            Core::Cone(half_height, radius) => on_cone(half_height, radius, to),
            Core::HalfSpace(normal) => {
                let distance = normal.dot(to);
                Nearest {
                    point: to - normal * distance,
                    normal,
                    distance,
                    within_face: true,
                }
            }
            Core::Polyhedron(shape) => on_polyhedron(shape, to),
            Core::Other(shape) => on_other(shape, to),
        }
    }
}

/// Unit vector and length; `fallback` where there is no direction.
pub(super) fn direction(v: DVec3, fallback: DVec3) -> (DVec3, f64) {
    let length = v.length();
    // Below this the squares under the root have lost their digits.
    if length > 1e-150 {
        (v / length, length)
    } else {
        (fallback, 0.0)
    }
}

/// Some direction square to `along`.
pub(super) fn square_to(along: DVec3) -> DVec3 {
    match along.try_normalize() {
        Some(unit) => unit.any_orthonormal_vector(),
        None => DVec3::Y,
    }
}

/// How far along from `a` to `b` the place nearest to a point is, 0 to 1.
pub(super) fn parameter(a: DVec3, b: DVec3, to: DVec3) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    if square > 0.0 {
        ((to - a).dot(along) / square).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

fn on_segment(a: DVec3, b: DVec3, to: DVec3) -> Nearest {
    let t = parameter(a, b, to);
    let point = if t == 1.0 { b } else { a + (b - a) * t };
    let v = to - point;
    let length = v.length();
    if length > 1e-150 {
        Nearest {
            point,
            normal: v / length,
            distance: length,
            within_face: false,
        }
    } else {
        Nearest::unsigned(point, point, square_to(b - a))
    }
}

fn on_triangle(a: DVec3, b: DVec3, c: DVec3, to: DVec3) -> Nearest {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let across = ab.cross(-ca);
    let square = across.length_squared();
    // A needle has no plane: its edges say everything.
    let flat = square <= 1e-24 * ab.length_squared() * ca.length_squared();
    if !flat {
        // How far inside each edge the foot of the point is: barycentric coordinates.
        let within = |corner: DVec3, edge: DVec3| edge.cross(to - corner).dot(across) / square;
        let least = within(a, ab).min(within(b, bc)).min(within(c, ca));
        if least >= 0.0 {
            let normal = across / square.sqrt();
            let height = normal.dot(to - a);
            let side = if height < 0.0 { -normal } else { normal };
            return Nearest {
                point: to - normal * height,
                normal: side,
                distance: height.abs(),
                // On an edge the neighbour is as near, up to rounding.
                within_face: least > 1e-6,
            };
        }
    }
    let mut best = on_segment(a, b, to);
    for (from, till) in [(b, c), (c, a)] {
        let other = on_segment(from, till, to);
        if other.distance < best.distance {
            best = other;
        }
    }
    if best.distance == 0.0 && !flat {
        best.normal = across / square.sqrt();
    }
    best
}

fn on_cuboid(center: DVec3, half: DVec3, to: DVec3) -> Nearest {
    let local = to - center;
    let clamped = local.clamp(-half, half);
    if clamped != local {
        // `clamped != local` does not keep the square from underflowing; the fallback is then as good as any.
        return Nearest::unsigned(to, center + clamped, DVec3::Y);
    }
    let depth = half - local.abs();
    let axis = depth.min_position();
    let sign = if local[axis] < 0.0 { -1.0 } else { 1.0 };
    let normal = DVec3::AXES[axis] * sign;
    Nearest {
        point: to + normal * depth[axis],
        normal,
        distance: -depth[axis],
        within_face: false,
    }
}

/// A point as seen from the axis of a body of revolution: distance from the axis and height, and the unit direction outward.
fn around_y(to: DVec3) -> (DVec2, DVec3) {
    let (outward, from_axis) = direction(DVec3::new(to.x, 0.0, to.z), DVec3::X);
    (DVec2::new(from_axis, to.y), outward)
}

/// Back from the half plane to space.
fn revolved(outward: DVec3, profile: DVec2) -> DVec3 {
    outward * profile.x + DVec3::Y * profile.y
}

fn on_cylinder(half_height: f64, radius: f64, to: DVec3) -> Nearest {
    let (at, outward) = around_y(to);
    let beyond_side = at.x - radius;
    let beyond_end = at.y.abs() - half_height;
    if beyond_side > 0.0 || beyond_end > 0.0 {
        let profile = DVec2::new(at.x.min(radius), at.y.clamp(-half_height, half_height));
        return Nearest::unsigned(to, revolved(outward, profile), outward);
    }
    let (normal, distance) = if beyond_side >= beyond_end {
        (outward, beyond_side)
    } else {
        (if at.y < 0.0 { -DVec3::Y } else { DVec3::Y }, beyond_end)
    };
    Nearest {
        point: to - normal * distance,
        normal,
        distance,
        within_face: false,
    }
}

fn on_cone(half_height: f64, radius: f64, to: DVec3) -> Nearest {
    let (at, outward) = around_y(to);
    let apex = DVec2::new(0.0, half_height);
    let rim = DVec2::new(radius, -half_height);
    // The side goes from the apex to the rim; turned by a right angle that points outward.
    let side_normal = (rim - apex).perp().normalize_or(DVec2::X);
    let beyond_side = side_normal.dot(at - apex);
    let beyond_base = -half_height - at.y;
    // The side of a needle without a radius does not end at the apex, hence the third question.
    if beyond_side <= 0.0 && beyond_base <= 0.0 && at.y <= half_height {
        let (normal, distance) = if beyond_side >= beyond_base {
            (revolved(outward, side_normal), beyond_side)
        } else {
            (-DVec3::Y, beyond_base)
        };
        return Nearest {
            point: to - normal * distance,
            normal,
            distance,
            within_face: false,
        };
    }
    let on = |from: DVec2, till: DVec2| {
        let along = till - from;
        let square = along.length_squared();
        let t = if square > 0.0 {
            ((at - from).dot(along) / square).clamp(0.0, 1.0)
        } else {
            0.0
        };
        from + along * t
    };
    let side = on(apex, rim);
    let base = on(DVec2::new(0.0, -half_height), rim);
    let profile = if base.distance_squared(at) < side.distance_squared(at) {
        base
    } else {
        side
    };
    Nearest::unsigned(to, revolved(outward, profile), revolved(outward, side_normal))
}

/// The nearest of all faces; the point is inside when it is behind that one.
///
/// parry3d merges faces whose normals differ by as much as a degree and a half, so that a face need not be flat: it is taken as a fan of triangles,
/// from the corner that makes a square fold outward.
fn on_polyhedron(shape: &ConvexPolyhedron, to: DVec3) -> Nearest {
    let points = shape.points();
    let corners = shape.vertices_adj_to_face();
    let mut best: Option<(Nearest, f64)> = None;
    for face in shape.faces() {
        let first = face.first_vertex_or_edge as usize;
        let count = face.num_vertices_or_edges as usize;
        let corner = |i: usize| points[corners[first + i % count] as usize].as_dvec3();
        let start = usize::from(
            count == 4 && {
                let across = (corner(1) - corner(0)).cross(corner(2) - corner(0));
                across.dot(corner(3) - corner(0)) > 0.0
            },
        );
        for i in start + 1..(start + count).saturating_sub(1) {
            let (a, b, c) = (corner(start), corner(i), corner(i + 1));
            let across = (b - a).cross(c - a);
            let square = across.length_squared();
            if square < f64::MIN_POSITIVE {
                continue;
            }
            let limit = best.map_or(f64::INFINITY, |(nearest, _)| nearest.distance);
            // On an edge or a corner that faces share, the one that is seen most squarely knows the side.
            let tie = 1e-13 * (limit.min(1e300) + (to - a).abs().max_element());
            let scaled = across.dot(to - a);
            if scaled * scaled > (limit + tie) * (limit + tie) * square {
                continue;
            }
            let height = scaled / square.sqrt();
            let found = on_triangle(a, b, c, to);
            let squarer = best.is_none_or(|(_, other)| height.abs() > other.abs());
            if found.distance < limit - tie || found.distance <= limit + tie && squarer {
                best = Some((found, height));
            }
        }
    }
    let Some((mut found, height)) = best else {
        // Nothing but needles: the first corner stands for the shape.
        let point = points.first().map_or(DVec3::ZERO, |p| p.as_dvec3());
        return Nearest::unsigned(to, point, DVec3::Y);
    };
    found.within_face = false;
    if height < 0.0 {
        found.normal = -found.normal;
        found.distance = -found.distance;
    }
    found
}

fn on_other(shape: &dyn Shape, to: DVec3) -> Nearest {
    let found = shape.project_local_point(to.as_vec3(), false);
    let point = found.point.as_dvec3();
    let point = if point.is_finite() { point } else { to };
    let (away, distance) = direction(to - point, DVec3::Y);
    let sign = if found.is_inside && distance > 0.0 { -1.0 } else { 1.0 };
    Nearest {
        point,
        normal: away * sign,
        distance: distance * sign,
        within_face: false,
    }
}
