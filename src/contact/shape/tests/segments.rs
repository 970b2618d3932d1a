//! Places inside a segment.

use glam::DVec3;
use parry3d::math::Vector;
use parry3d::shape::*;

use super::super::{Part, single};
use super::points::{floor_of_cuboids, floor_of_voxels};
use super::zoo::{Random, flat_mesh, solids, surfaces};
use super::{Pose, ShapePoint, near_segment, nearest_of};

fn places(shape: &dyn Shape, tail: DVec3, head: DVec3, reach: f64) -> Vec<ShapePoint> {
    let mut found = Vec::new();
    near_segment(shape, &Pose::default(), tail, head, reach, &mut found);
    found
}

#[test]
fn dips_of_the_distance_are_found() {
    let mut random = Random::new(21);
    for (name, shape) in solids().into_iter().chain(surfaces()) {
        let (mut dips, reach) = (0, 0.4);
        for _ in 0..80 {
            let (tail, head) = (random.vector(1.5), random.vector(1.5));
            let found = places(&*shape, tail, head, reach);
            let n = 250;
            let distance: Vec<f64> = (0..=n)
                .map(|k| {
                    let at = tail.lerp(head, f64::from(k) / f64::from(n));
                    nearest_of(&*shape, &Pose::default(), at).distance
                })
                .collect();
            for place in &found {
                assert!(place.distance < reach && place.along > 0.0 && place.along < 1.0);
                assert!((place.normal.length() - 1.0).abs() < 1e-12);
                let at = tail.lerp(head, place.along);
                let back = place.on_shape + place.normal * place.distance;
                assert!(back.distance(at) < 1e-9, "{name}: {place:?}");
                // At an interior minimum of a smooth or outer distance the normal is square to the segment; a corner of a solid's depth is none.
                if place.distance > 1e-6 && name != "custom" {
                    let slant = place.normal.dot((head - tail).normalize()).abs();
                    assert!(slant < 1e-5, "{name}: {slant:e} {place:?}");
                }
            }
            // The lowest sample, if it is well inside and clearly lower than the ends and positive, must be among the places.
            let lowest = (0..=n as usize)
                .min_by(|a, b| distance[*a].total_cmp(&distance[*b]))
                .expect("samples");
            let low = distance[lowest];
            let along = lowest as f64 / f64::from(n);
            let clear = low + 0.01 < distance[0].min(distance[n as usize]);
            let outside = low > 0.01 || single(&*shape).is_some();
            if clear && outside && low < 0.99 * reach && (0.03..0.97).contains(&along) {
                dips += 1;
                let spacing = tail.distance(head) / f64::from(n);
                // A shape that answers in `f32` has a noisy minimum.
                let noise = if name == "custom" { 1e-6 } else { 1e-9 };
                let hit = found
                    .iter()
                    .any(|p| p.distance <= low + noise && p.distance > low - spacing);
                assert!(hit, "{name}: {low} at {along} of {tail} {head}: {found:?}");
            }
        }
        assert!(dips > 4 || name == "half-space", "{name}: {dips} dips");
        assert!(dips == 0 || name != "half-space");
    }
}

#[test]
fn the_search_is_as_exact_as_doubles_allow() {
    // Bars that cross edges of a cuboid, and rims of a cylinder, at known places.
    let cuboid = SharedShape::cuboid(0.5, 0.25, 1.0);
    // Over the edge x = 0.5, y = 0.25, in the diagonal direction (1,-1,0), 0.1 away from the edge along (1,1,0).
    let (out, across) = (
        DVec3::new(1.0, 1.0, 0.0).normalize(),
        DVec3::new(1.0, -1.0, 0.0).normalize(),
    );
    let edge = DVec3::new(0.5, 0.25, 0.3);
    let middle = edge + out * 0.1;
    let found = places(
        &*cuboid,
        middle - across * 0.3 - DVec3::Z * 0.1,
        middle + across * 0.6 + DVec3::Z * 0.2,
        0.2,
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].distance - 0.1).abs() < 1e-14, "{found:?}");
    assert!((found[0].along - 1.0 / 3.0).abs() < 1e-7, "{found:?}");
    assert!(found[0].normal.distance(out) < 1e-7 && found[0].on_shape.distance(edge) < 1e-7);
    let cylinder = SharedShape::cylinder(0.5, 0.25);
    // Along a tangent of the mantle.
    let found = places(&*cylinder, DVec3::new(0.3, 0.1, -0.5), DVec3::new(0.3, 0.2, 0.3), 0.2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        (found[0].distance - 0.05).abs() < 1e-9 && (found[0].along - 0.625).abs() < 1e-6,
        "{found:?}"
    );
    // Through the middle of a solid: as deep as the nearest way out of the deepest place.
    let found = places(&*cuboid, DVec3::new(-0.1, -2.0, 0.0), DVec3::new(-0.1, 1.0, 0.0), 0.2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        (found[0].distance + 0.25).abs() < 1e-12 && (found[0].along - 2.0 / 3.0).abs() < 1e-9,
        "{found:?}"
    );
}

#[test]
fn a_segment_along_a_floor_has_no_places_of_its_own() {
    let heights = parry3d::utils::Array2::repeat(11, 11, 0.0);
    let floors = [
        ("mesh", flat_mesh(11, 0.3, 0.0)),
        (
            "height field",
            SharedShape::heightfield(heights, Vector::new(3.0, 1.0, 3.0)),
        ),
        ("cuboid", SharedShape::cuboid(2.0, 0.0, 2.0)),
        ("cuboids", floor_of_cuboids()),
        ("voxels", floor_of_voxels()),
        ("half-space", SharedShape::new(HalfSpace { normal: Vector::Y })),
    ];
    let mut random = Random::new(22);
    for (name, floor) in floors {
        for k in 0..200 {
            let (mut tail, mut head) = (random.vector(1.2), random.vector(1.2));
            tail.y = 0.05;
            // Level, nearly level, and inclined.
            head.y = 0.05 + [0.0, 1e-9, 0.1][k % 3];
            let found = places(&*floor, tail, head, 0.2);
            assert!(found.is_empty(), "{name}: {tail} {head} {found:?}");
        }
    }
}

#[test]
fn a_ridge_is_touched_once() {
    // A roof of many triangles along z, with a slope of one in two.
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for k in 0..21u32 {
        let z = 0.1 * k as f32 - 1.0;
        for x in [-1.0f32, 0.0, 1.0] {
            points.push(Vector::new(x, -0.5 * x.abs(), z));
        }
        if k > 0 {
            let i = 3 * (k - 1);
            for j in [i, i + 1] {
                triangles.push([j, j + 1, j + 3]);
                triangles.push([j + 1, j + 4, j + 3]);
            }
        }
    }
    let roof = SharedShape::trimesh(points, triangles).expect("a mesh");
    let mut random = Random::new(23);
    for k in 0..200 {
        let z = 0.8 * (2.0 * random.unit() - 1.0);
        let skew = if k % 2 == 0 { 0.0 } else { 0.2 * random.unit() };
        let (tail, head) = (DVec3::new(-0.6, 0.05, z), DVec3::new(0.4, 0.05, z + skew));
        let found = places(&*roof, tail, head, 0.1);
        assert_eq!(found.len(), 1, "{tail} {head}: {found:?}");
        assert!((found[0].distance - 0.05).abs() < 1e-7 && (found[0].along - 0.6).abs() < 1e-6);
        assert!(found[0].normal.distance(DVec3::Y) < 1e-6);
    }
}

#[test]
fn a_segment_through_a_triangle_keeps_to_its_longer_part() {
    let triangle = SharedShape::triangle(
        Vector::new(-1.0, 0.0, -1.0),
        Vector::new(1.0, 0.0, -1.0),
        Vector::new(0.0, 0.0, 1.0),
    );
    for (low, high, up) in [(-0.1, 0.3, 1.0), (-0.3, 0.1, -1.0)] {
        let found = places(&*triangle, DVec3::Y * low, DVec3::Y * high, 0.2);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].distance, 0.0);
        assert!(found[0].normal.distance(DVec3::Y * up) < 1e-12);
    }
}

#[test]
fn parallel_bars_touch_in_the_middle_of_what_they_share() {
    let bar = SharedShape::capsule_y(0.2, 0.05);
    let found = places(&*bar, DVec3::new(0.1, -1.0, 0.0), DVec3::new(0.1, 1.5, 0.0), 0.1);
    assert_eq!(found.len(), 1);
    assert!(
        (found[0].along - 0.4).abs() < 1e-9 && (found[0].distance - 0.05).abs() < 1e-8,
        "{found:?}"
    );
}

#[test]
fn searches_end() {
    // The slope of the distance may jump, vanish, or be noise; the answer is never above either end.
    let mut random = Random::new(24);
    for (name, shape) in solids() {
        let part: Part = single(&*shape).expect("convex");
        for k in 0..2000 {
            let tail = random.vector(1.2);
            let head = tail + random.vector(1.0) * 10f64.powi(-(k % 12));
            let (along, nearest) = part.nearest_to_segment(tail, head, 1e3).expect("within a kilometre");
            let ends = part.nearest(tail).distance.min(part.nearest(head).distance);
            assert!(
                nearest.distance <= ends + 1e-6 && (0.0..=1.0).contains(&along),
                "{name}"
            );
            if name != "custom" && !name.ends_with("hull") {
                assert!(nearest.distance <= ends + 1e-12, "{name}: {nearest:?} {ends}");
            }
        }
    }
}
