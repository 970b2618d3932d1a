//! Which shapes can be touched at all.

use parry3d::shape::{Shape, TypedShape};

/// Refuses shapes with sizes that are not numbers, infinite or negative.
pub fn check(shape: &dyn Shape) -> Result<(), &'static str> {
    let size = |sizes: &[f32]| {
        if sizes.iter().all(|s| s.is_finite() && *s >= 0.0) {
            Ok(())
        } else {
            Err("a size is negative, infinite or not a number")
        }
    };
    let points = |points: &[parry3d::math::Vector]| {
        if points.iter().all(|p| p.is_finite()) {
            Ok(())
        } else {
            Err("a point is infinite or not a number")
        }
    };
    match shape.as_typed_shape() {
        TypedShape::Ball(s) => size(&[s.radius])?,
        TypedShape::Cuboid(s) => size(&s.half_extents.to_array())?,
        TypedShape::Capsule(s) => {
            size(&[s.radius])?;
            points(&[s.segment.a, s.segment.b])?;
        }
        TypedShape::Segment(s) => points(&[s.a, s.b])?,
        TypedShape::Triangle(s) => points(s.vertices())?,
        TypedShape::Voxels(s) => {
            if !(s.voxel_size().is_finite() && s.voxel_size().min_element() > 0.0) {
                return Err("the size of a voxel is not a positive number");
            }
        }
        TypedShape::TriMesh(s) => points(s.vertices())?,
        TypedShape::Polyline(s) => points(s.vertices())?,
        TypedShape::HalfSpace(s) => {
            // It has no box to look at, and its normal is all there is.
            let unit = (s.normal.length() - 1.0).abs() < 1e-3;
            return if unit {
                Ok(())
            } else {
                Err("the normal of a half-space is not of unit length")
            };
        }
        TypedShape::HeightField(s) => {
            points(&[s.scale()])?;
            if s.scale().min_element() < 0.0 || s.scale().x == 0.0 || s.scale().z == 0.0 {
                return Err("the scale of a height field is not positive");
            }
            if !s.heights().data().iter().all(|h| h.is_finite()) {
                return Err("a height is infinite or not a number");
            }
        }
        TypedShape::Compound(s) => {
            for (pose, part) in s.shapes() {
                if !pose.translation.is_finite()
                    || (pose.rotation.length() - 1.0).abs() > 1e-3
                    || !pose.rotation.is_finite()
                {
                    return Err("the place of a part is not a rigid motion");
                }
                check(&**part)?;
            }
            // A half-space among the parts has an infinite box.
            return Ok(());
        }
        TypedShape::ConvexPolyhedron(s) => points(s.points())?,
        TypedShape::Cylinder(s) => size(&[s.half_height, s.radius])?,
        TypedShape::Cone(s) => size(&[s.half_height, s.radius])?,
        TypedShape::RoundCuboid(s) => {
            size(&[s.border_radius])?;
            check(&s.inner_shape)?;
        }
        TypedShape::RoundTriangle(s) => {
            size(&[s.border_radius])?;
            check(&s.inner_shape)?;
        }
        TypedShape::RoundCylinder(s) => {
            size(&[s.border_radius])?;
            check(&s.inner_shape)?;
        }
        TypedShape::RoundCone(s) => {
            size(&[s.border_radius])?;
            check(&s.inner_shape)?;
        }
        TypedShape::RoundConvexPolyhedron(s) => {
            size(&[s.border_radius])?;
            check(&s.inner_shape)?;
        }
        TypedShape::Custom(_) => {}
    }
    let bounds = shape.compute_local_aabb();
    points(&[bounds.mins, bounds.maxs])
}
