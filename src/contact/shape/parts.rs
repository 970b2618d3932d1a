//! The convex parts of a shape, by number.
//!
//! A part's number is stable as long as the shape is: triangle of a mesh or height field, segment of a polyline, voxel, part of a compound. A part of
//! a compound may itself have parts (parry3d lets height fields and voxels in); its number then has the part's own in the bits above the compound's.

use glam::{DVec3, Vec3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::partitioning::Bvh;
use parry3d::shape::{CompositeShape, HeightField, Polyline, Segment, Shape, TriMesh, Triangle, TypedShape, Voxels};

use super::Pose;
use super::nearest::{Core, Nearest};
use super::segment::nearest_to_segment;

/// A convex part in the frame of the whole shape.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) core: Core<'a>,
    /// Rounding radius.
    pub(super) radius: f64,
    /// Where the part is in the whole shape; `None` for at its origin.
    frame: Option<Pose>,
}

impl<'a> Part<'a> {
    fn new(core: Core<'a>, radius: f32) -> Part<'a> {
        Part {
            core,
            radius: f64::from(radius),
            frame: None,
        }
    }

    pub(super) fn nearest(&self, to: DVec3) -> Nearest {
        let Some(frame) = &self.frame else {
            return self.core.nearest(to).rounded(self.radius);
        };
        let found = self.core.nearest(frame.inverse_point(to));
        from_frame(frame, found.rounded(self.radius))
    }

    /// See [`nearest_to_segment`].
    pub(super) fn nearest_to_segment(&self, tail: DVec3, head: DVec3, limit: f64) -> Option<(f64, Nearest)> {
        let limit = limit + self.radius;
        let Some(frame) = &self.frame else {
            let (along, found) = nearest_to_segment(&self.core, tail, head, limit)?;
            return Some((along, found.rounded(self.radius)));
        };
        let (tail, head) = (frame.inverse_point(tail), frame.inverse_point(head));
        let (along, found) = nearest_to_segment(&self.core, tail, head, limit)?;
        Some((along, from_frame(frame, found.rounded(self.radius))))
    }

    fn triangle(triangle: &Triangle) -> Part<'a> {
        let [a, b, c] = triangle.vertices().map(|p| p.as_dvec3());
        Part::new(Core::Triangle(a, b, c), 0.0)
    }

    fn segment(segment: &Segment) -> Part<'a> {
        Part::new(Core::Segment(segment.a.as_dvec3(), segment.b.as_dvec3()), 0.0)
    }

    fn voxel(size: DVec3, key: [i32; 3]) -> Part<'a> {
        Part::new(voxel_core(size, key), 0.0)
    }
}

/// The box of a cell of a voxel grid.
pub(super) fn voxel_core(size: DVec3, key: [i32; 3]) -> Core<'static> {
    let middle = DVec3::from_array(key.map(f64::from)) + 0.5;
    Core::Cuboid(middle * size, 0.5 * size)
}

fn from_frame(frame: &Pose, found: Nearest) -> Nearest {
    Nearest {
        point: frame.point(found.point),
        normal: frame.vector(found.normal),
        ..found
    }
}

/// A box in the frame of the shape.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

impl Region {
    /// All that is nearer than `reach` to the segment between two points.
    pub(super) fn around(a: DVec3, b: DVec3, reach: f64) -> Region {
        Region {
            low: a.min(b) - reach,
            high: a.max(b) + reach,
        }
    }

    /// In `f32`, rounded outward.
    fn outward(&self) -> Aabb {
        let low = self.low.as_vec3().to_array().map(f32::next_down);
        let high = self.high.as_vec3().to_array().map(f32::next_up);
        Aabb::new(Vec3::from_array(low), Vec3::from_array(high))
    }

    /// The same region seen from a frame in it.
    fn inside(&self, frame: &Pose) -> Region {
        let middle = frame.inverse_point(0.5 * (self.low + self.high));
        let half = frame.inverse_vector_extent(0.5 * (self.high - self.low));
        Region {
            low: middle - half,
            high: middle + half,
        }
    }
}

/// The shape as one convex part, or `None` when it has several.
pub(super) fn single(shape: &dyn Shape) -> Option<Part<'_>> {
    let part = match shape.as_typed_shape() {
        TypedShape::Ball(ball) => Part::new(Core::Point(DVec3::ZERO), ball.radius),
        TypedShape::Cuboid(cuboid) => Part::new(cuboid_core(cuboid.half_extents), 0.0),
        TypedShape::Capsule(capsule) => Part {
            radius: f64::from(capsule.radius),
            ..Part::segment(&capsule.segment)
        },
        TypedShape::Segment(segment) => Part::segment(segment),
        TypedShape::Triangle(triangle) => Part::triangle(triangle),
        TypedShape::HalfSpace(half_space) => {
            let normal = half_space.normal.as_dvec3().normalize_or(DVec3::Y);
            Part::new(Core::HalfSpace(normal), 0.0)
        }
        TypedShape::Cylinder(c) => Part::new(cylinder_core(c.half_height, c.radius), 0.0),
        TypedShape::Cone(c) => Part::new(cone_core(c.half_height, c.radius), 0.0),
        TypedShape::ConvexPolyhedron(polyhedron) => Part::new(Core::Polyhedron(polyhedron), 0.0),
        TypedShape::RoundCuboid(s) => Part::new(cuboid_core(s.inner_shape.half_extents), s.border_radius),
        TypedShape::RoundTriangle(s) => Part {
            radius: f64::from(s.border_radius),
            ..Part::triangle(&s.inner_shape)
        },
        TypedShape::RoundCylinder(s) => {
            let inner = &s.inner_shape;
            Part::new(cylinder_core(inner.half_height, inner.radius), s.border_radius)
        }
        TypedShape::RoundCone(s) => {
            let inner = &s.inner_shape;
            Part::new(cone_core(inner.half_height, inner.radius), s.border_radius)
        }
        TypedShape::RoundConvexPolyhedron(s) => Part::new(Core::Polyhedron(&s.inner_shape), s.border_radius),
        TypedShape::Custom(custom) if custom.as_composite_shape().is_none() => Part::new(Core::Other(custom), 0.0),
        TypedShape::Voxels(_)
        | TypedShape::TriMesh(_)
        | TypedShape::Polyline(_)
        | TypedShape::HeightField(_)
        | TypedShape::Compound(_)
        | TypedShape::Custom(_) => return None,
    };
    Some(part)
}

fn cuboid_core(half: Vec3) -> Core<'static> {
    Core::Cuboid(DVec3::ZERO, half.as_dvec3().abs())
}

fn cylinder_core(half_height: f32, radius: f32) -> Core<'static> {
    Core::Cylinder(f64::from(half_height), f64::from(radius))
}

fn cone_core(half_height: f32, radius: f32) -> Core<'static> {
    Core::Cone(f64::from(half_height), f64::from(radius))
}

/// Calls `visit` with number and part for every part whose box meets a region (and maybe some more).
pub(super) fn visit(shape: &dyn Shape, region: &Region, visit: &mut dyn FnMut(u32, &Part)) {
    if let Some(part) = single(shape) {
        return visit(0, &part);
    }
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => leaves(mesh.bvh(), region, |id| visit(id, &mesh_part(mesh, id))),
        TypedShape::Polyline(line) => {
            leaves(line.bvh(), region, |id| visit(id, &Part::segment(&line.segment(id))));
        }
        TypedShape::HeightField(field) => {
            let mut each = |id: u32, triangle: &Triangle| visit(id, &Part::triangle(triangle));
            field.map_elements_in_local_aabb(&region.outward(), &mut each);
        }
        TypedShape::Voxels(voxels) => {
            let Some(range) = voxels.compute_local_aabb().intersection(&region.outward()) else {
                return;
            };
            let size = voxels.voxel_size().as_dvec3();
            for voxel in voxels.voxels_intersecting_local_aabb(&range) {
                let part = Part::voxel(size, voxel.grid_coords.to_array());
                visit(voxel.linear_id.flat_id() as u32, &part);
            }
        }
        _ => {
            if let Some(composite) = shape.as_composite_shape() {
                visit_composite(composite, region, visit);
            }
        }
    }
}

fn mesh_part<'a>(mesh: &TriMesh, id: u32) -> Part<'a> {
    Part::triangle(&mesh.triangle(id))
}

fn leaves(bvh: &Bvh, region: &Region, mut each: impl FnMut(u32)) {
    let region = region.outward();
    for id in bvh.leaves(|node| node.aabb().intersects(&region)) {
        each(id);
    }
}

/// How many low bits of a number name the part of a composite shape.
fn index_bits(composite: &dyn CompositeShape) -> u32 {
    u32::BITS - composite.bvh().leaf_count().saturating_sub(1).leading_zeros()
}

fn visit_composite(composite: &dyn CompositeShape, region: &Region, visit_part: &mut dyn FnMut(u32, &Part)) {
    let bits = index_bits(composite);
    leaves(composite.bvh(), region, |index| {
        composite.map_part_at(index, &mut |frame, shape, _| {
            let frame = frame.map(Pose::from_parry);
            let region = frame.map_or(*region, |frame| region.inside(&frame));
            visit(shape, &region, &mut |inner, part| {
                let number = index | inner.checked_shl(bits).unwrap_or(0);
                visit_part(number, &Part { frame, ..*part });
            });
        });
    });
}

/// Calls `visit` with the part that has a number, if there is one.
pub(super) fn with_part(shape: &dyn Shape, number: u32, visit: &mut dyn FnMut(&Part)) {
    if let Some(part) = single(shape) {
        return visit(&part);
    }
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => visit(&mesh_part(mesh, number)),
        TypedShape::Polyline(line) => visit(&polyline_part(line, number)),
        TypedShape::HeightField(field) => field_part(field, number).iter().for_each(visit),
        TypedShape::Voxels(voxels) => voxel_part(voxels, number).iter().for_each(visit),
        _ => {
            let Some(composite) = shape.as_composite_shape() else {
                return;
            };
            let bits = index_bits(composite);
            let inner = number.checked_shr(bits).unwrap_or(0);
            let index = number & !u32::MAX.checked_shl(bits).unwrap_or(0);
            composite.map_part_at(index, &mut |frame, shape, _| {
                let frame = frame.map(Pose::from_parry);
                with_part(shape, inner, &mut |part| visit(&Part { frame, ..*part }));
            });
        }
    }
}

fn polyline_part<'a>(line: &Polyline, number: u32) -> Part<'a> {
    Part::segment(&line.segment(number))
}

fn field_part<'a>(field: &HeightField, number: u32) -> Option<Part<'a>> {
    field.triangle_at_id(number).map(|t| Part::triangle(&t))
}

fn voxel_part<'a>(voxels: &Voxels, number: u32) -> Option<Part<'a>> {
    let key = voxels.voxel_at_flat_id(number)?;
    Some(Part::voxel(voxels.voxel_size().as_dvec3(), key.to_array()))
}
