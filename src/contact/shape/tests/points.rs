//! Places of a vertex.

use glam::DVec3;
use parry3d::math::{IVector, Vector};
use parry3d::shape::*;

use super::zoo::{Random, flat_mesh, solids, surfaces};
use super::{Pose, ShapePoint, near_point, nearest_of};

/// How far a point is beyond the plane that touches a convex shape square to `u`.
fn gap(shape: &dyn Shape, point: DVec3, u: DVec3) -> f64 {
    if let Some(half_space) = shape.as_halfspace() {
        let normal = half_space.normal.as_dvec3().normalize();
        return if u.distance(normal) < 1e-6 {
            normal.dot(point)
        } else {
            f64::NEG_INFINITY
        };
    }
    let support = shape.as_support_map().expect("convex");
    u.dot(point - support.local_support_point_toward(u.as_vec3().normalize()).as_dvec3())
}

/// The signed distance from a convex shape is the largest gap over all directions. Searched on a grid of directions and then uphill: nothing but the
/// support function is known of the shape. Ridges may stop the search early: a lower bound.
fn largest_gap(shape: &dyn Shape, point: DVec3) -> f64 {
    let gap = |u: DVec3| gap(shape, point, u);
    let n = 400;
    let start = (0..n).map(|i| {
        let y = 1.0 - (2 * i + 1) as f64 / n as f64;
        let (s, c) = (i as f64 * 2.399_963_229_728_653).sin_cos();
        let r = (1.0 - y * y).sqrt();
        DVec3::new(r * c, y, r * s)
    });
    let mut starts: Vec<(f64, DVec3)> = start.map(|u| (gap(u), u)).collect();
    starts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut best = f64::NEG_INFINITY;
    // Inside, the gap has a peak for each face: several starts.
    let mut random = Random::new(7);
    for &(mut value, mut u) in starts.iter().take(4) {
        let mut step = 0.1;
        // The gap has ridges: only directions at random get up along them.
        while step > 1e-7 {
            let (a, b) = u.any_orthonormal_pair();
            let mut found = false;
            for _ in 0..16 {
                let (s, c) = (6.3 * random.unit()).sin_cos();
                let v = (u + (a * c + b * s) * step * random.unit()).normalize();
                let higher = gap(v);
                if higher > value {
                    (value, u, found) = (higher, v, true);
                }
            }
            if !found {
                step *= 0.8;
            }
        }
        best = best.max(value);
    }
    best
}

fn assert_consistent(name: &str, point: DVec3, place: &ShapePoint) {
    assert!((place.normal.length() - 1.0).abs() < 1e-12, "{name}: {place:?}");
    let back = place.on_shape + place.normal * place.distance;
    assert!(back.distance(point) < 1e-12, "{name}: {point} {place:?}");
}

#[test]
fn solids_agree_with_their_support_functions() {
    let mut random = Random::new(11);
    for (name, shape) in solids() {
        let mut inside = 0;
        for k in 0..40 {
            // Half of them near the middle, to be inside.
            let point = random.vector([1.3, 0.3][k % 2]);
            let place = nearest_of(&*shape, &Pose::default(), point);
            assert_consistent(name, point, &place);
            // Support points are rounded to `f32`.
            let tolerance = 4e-6;
            // No direction has a larger gap, and that of the normal is the distance: together they prove it.
            let bound = largest_gap(&*shape, point);
            assert!(
                place.distance > bound - tolerance,
                "{name} at {point}: {place:?} {bound}"
            );
            let attained = gap(&*shape, point, place.normal);
            assert!(
                place.distance < attained + tolerance,
                "{name} at {point}: {place:?} {attained}"
            );
            inside += usize::from(place.distance < 0.0);
        }
        assert!((3..38).contains(&inside), "{name}: {inside} of 40 inside");
    }
}

#[test]
fn others_agree_with_projections_of_parry() {
    let mut random = Random::new(12);
    for (name, shape) in surfaces() {
        for _ in 0..400 {
            let point = random.vector(1.5);
            let place = nearest_of(&*shape, &Pose::default(), point);
            assert_consistent(name, point, &place);
            let expected = shape.project_local_point(point.as_vec3(), false);
            if place.distance < 0.0 && name == "voxels" {
                // Parry3d knows the faces of single voxels only; a test below has its own reference.
                continue;
            }
            let away = f64::from((expected.point - point.as_vec3()).length());
            let expected = if expected.is_inside { -away } else { away };
            // Rounding of `f32` at a size of one.
            assert!(
                (place.distance.abs() - expected.abs()).abs() < 2e-6,
                "{name} at {point}: {place:?} {expected}"
            );
        }
    }
}

#[test]
fn distance_never_jumps() {
    let mut random = Random::new(13);
    for (name, shape) in solids().into_iter().chain(surfaces()) {
        for _ in 0..8 {
            let (from, till) = (random.vector(1.5), random.vector(1.5));
            let steps = 1000;
            let step = from.distance(till) / f64::from(steps);
            let mut last: Option<f64> = None;
            for k in 0..=steps {
                let at = from.lerp(till, f64::from(k) / f64::from(steps));
                let distance = nearest_of(&*shape, &Pose::default(), at).distance;
                if let Some(last) = last {
                    let tolerance = match name {
                        "custom" => 1e-6,
                        _ => 1e-12,
                    };
                    let jump = (distance - last).abs() - step;
                    assert!(jump < tolerance, "{name} at {at}: {jump:e}");
                }
                last = Some(distance);
            }
        }
    }
}

#[test]
fn depth_in_voxels_is_the_distance_from_the_nearest_empty_cell() {
    let (_, shape) = surfaces().pop().expect("voxels");
    let voxels = shape.as_voxels().expect("voxels");
    let size = voxels.voxel_size().as_dvec3();
    let mut random = Random::new(14);
    let mut inside = 0;
    for _ in 0..300 {
        let point = random.vector(0.7);
        let filled = |key: IVector| voxels.voxel_state(key).is_some_and(|s| !s.is_empty());
        if !filled((point / size).floor().as_ivec3()) {
            continue;
        }
        inside += 1;
        let mut expected = f64::INFINITY;
        for x in -9..10 {
            for y in -9..10 {
                for z in -9..10 {
                    let low = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * size;
                    if !filled(IVector::new(x, y, z)) {
                        expected = expected.min(point.clamp(low, low + size).distance(point));
                    }
                }
            }
        }
        let place = nearest_of(&*shape, &Pose::default(), point);
        assert!(
            (place.distance + expected).abs() < 1e-9,
            "{point}: {place:?} {expected}"
        );
    }
    assert!(inside > 100, "{inside}");
}

/// Cuboids that make a floor at y = 0, side by side.
pub(super) fn floor_of_cuboids() -> SharedShape {
    let mut parts = Vec::new();
    for i in -5..5 {
        for j in -5..5 {
            let at = Vector::new(0.3 * (i as f32 + 0.5), -0.1, 0.3 * (j as f32 + 0.5));
            let pose = parry3d::math::Pose::from_translation(at);
            parts.push((pose, SharedShape::cuboid(0.15, 0.1, 0.15)));
        }
    }
    SharedShape::compound(parts)
}

/// The same of voxels.
pub(super) fn floor_of_voxels() -> SharedShape {
    let keys: Vec<IVector> = (-10..10)
        .flat_map(|x| (-10..10).map(move |z| IVector::new(x, -1, z)))
        .collect();
    SharedShape::voxels(Vector::splat(0.15), &keys)
}

#[test]
fn a_vertex_over_a_floor_touches_it_once() {
    let heights = parry3d::utils::Array2::repeat(11, 11, 0.0);
    let field = SharedShape::heightfield(heights, Vector::new(3.0, 1.0, 3.0));
    let floors = [
        ("mesh", flat_mesh(11, 0.3, 0.0)),
        ("height field", field),
        ("cuboids", floor_of_cuboids()),
        ("voxels", floor_of_voxels()),
    ];
    let mut random = Random::new(15);
    for (name, floor) in floors {
        for k in 0..300 {
            let mut point = random.vector(1.2);
            point.y = 1e-3 + 0.3 * point.y.abs();
            // Also over edges and corners, where several parts are equally near.
            if k % 3 > 0 {
                point.x = 0.3 * (point.x / 0.3).round();
            }
            if k % 3 > 1 {
                point.z = 0.3 * (point.z / 0.3).round();
            }
            let mut found = Vec::new();
            near_point(&*floor, &Pose::default(), point, 0.5, &mut found);
            assert_eq!(found.len(), 1, "{name} at {point}: {found:?}");
            assert!((found[0].distance - point.y).abs() < 1e-7, "{name}");
            assert!(found[0].normal.distance(DVec3::Y) < 1e-4, "{name}: {found:?}");
        }
    }
}

#[test]
fn a_corner_is_touched_on_both_sides() {
    // A floor and a wall that meet along z.
    let points = [[0, 0, -1], [0, 0, 1], [2, 0, -1], [2, 0, 1], [0, 2, -1], [0, 2, 1]];
    let points = points.map(|p| Vector::from_array(p.map(|c| c as f32))).to_vec();
    let mesh = SharedShape::trimesh(points, vec![[0, 1, 2], [1, 3, 2], [0, 4, 1], [1, 4, 5]]).expect("a mesh");
    let mut found = Vec::new();
    near_point(&*mesh, &Pose::default(), DVec3::new(0.2, 0.1, 0.33), 0.5, &mut found);
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].normal.distance(DVec3::Y) < 1e-12 && (found[0].distance - 0.1).abs() < 1e-12);
    assert!(found[1].normal.distance(DVec3::X) < 1e-12 && (found[1].distance - 0.2).abs() < 1e-12);
    // From the other side it is one edge.
    found.clear();
    near_point(&*mesh, &Pose::default(), DVec3::new(-0.3, -0.4, 0.33), 0.6, &mut found);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].distance - 0.5).abs() < 1e-12);
}

#[test]
fn many_parts_and_few_parts_are_sorted_out_alike() {
    // With a reach that sees hundreds of triangles the tree is asked, and the nearest few must be the same.
    let mesh = flat_mesh(41, 0.1, 0.3);
    let mut random = Random::new(16);
    for _ in 0..100 {
        let point = random.vector(1.5) * DVec3::new(1.0, 0.3, 1.0);
        let (mut few, mut many) = (Vec::new(), Vec::new());
        near_point(&*mesh, &Pose::default(), point, 0.1, &mut few);
        near_point(&*mesh, &Pose::default(), point, 0.8, &mut many);
        many.retain(|place| place.distance < 0.1);
        let list = |places: &[ShapePoint]| {
            let mut list: Vec<u32> = places.iter().map(|p| p.feature).collect();
            list.sort();
            list
        };
        assert_eq!(list(&few), list(&many), "{point}");
    }
}

#[test]
fn shapes_without_size_still_answer() {
    let o = Vector::ZERO;
    let needle = Triangle::new(o, Vector::X, Vector::X * 2.0);
    let shapes: Vec<SharedShape> = vec![
        SharedShape::ball(0.0),
        SharedShape::cuboid(0.0, 0.0, 0.0),
        SharedShape::cuboid(1.0, 0.0, 1.0),
        SharedShape::capsule_y(0.0, 0.0),
        SharedShape::cylinder(0.0, 0.0),
        SharedShape::cylinder(1.0, 0.0),
        SharedShape::cylinder(0.0, 1.0),
        SharedShape::cone(0.0, 0.0),
        SharedShape::cone(1.0, 0.0),
        SharedShape::cone(0.0, 1.0),
        SharedShape::segment(o, o),
        SharedShape::new(needle),
        SharedShape::new(Triangle::new(o, o, o)),
        SharedShape::round_cuboid(0.0, 0.0, 0.0, 0.0),
        SharedShape::trimesh(vec![o, Vector::X, Vector::X * 2.0], vec![[0, 1, 2], [0, 0, 1]]).expect("a mesh"),
        SharedShape::polyline(vec![o, o], None),
    ];
    let points = [
        DVec3::ZERO,
        DVec3::X,
        DVec3::Y,
        DVec3::splat(1e-200),
        DVec3::splat(1e8),
        DVec3::new(0.0, -0.5, 0.0),
    ];
    for (i, shape) in shapes.iter().enumerate() {
        for a in points {
            let mut found = Vec::new();
            near_point(&**shape, &Pose::default(), a, 1e9, &mut found);
            assert!(!found.is_empty(), "{i}");
            for b in points {
                super::near_segment(&**shape, &Pose::default(), a, b, 1e9, &mut found);
            }
            for place in &found {
                assert!(
                    place.distance.is_finite() && place.on_shape.is_finite(),
                    "{i}: {place:?}"
                );
                assert!((place.normal.length() - 1.0).abs() < 1e-9, "{i}: {place:?}");
            }
        }
        // All of them are within the box from -1 to 2, and flat: nothing is inside.
        let away = nearest_of(&**shape, &Pose::default(), DVec3::new(0.0, 3.0, 0.0)).distance;
        assert!((2.0..=3.0).contains(&away), "{i}: {away}");
    }
}
