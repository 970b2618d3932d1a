//! Places near shapes against independent methods: support functions, parry3d's own projections, dense sampling.

mod points;
mod segments;
mod zoo;

use glam::{DQuat, DVec3};

use super::*;
use zoo::{Random, solids, surfaces};

/// The nearest of all places of a point, with a reach that sees everything.
fn nearest_of(shape: &dyn Shape, pose: &Pose, point: DVec3) -> ShapePoint {
    let mut found = Vec::new();
    near_point(shape, pose, point, 1e3, &mut found);
    found
        .into_iter()
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
        .expect("something within a kilometre")
}

#[test]
fn poses_invert_and_interpolate() {
    let mut random = Random::new(1);
    let (a, b) = (random.pose(10.0), random.pose(10.0));
    let p = random.vector(3.0);
    assert!(a.inverse_point(a.point(p)).distance(p) < 1e-13);
    assert!(a.lerp(&b, 0.0).point(p).distance(a.point(p)) < 1e-13);
    assert!(a.lerp(&b, 1.0).point(p).distance(b.point(p)) < 1e-13);
    // Half way to a quarter turn is an eighth.
    let quarter = Pose {
        rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
        ..Pose::default()
    };
    let half = Pose::default().lerp(&quarter, 0.5);
    let eighth = DVec3::new(1.0, 1.0, 0.0).normalize();
    assert!(half.point(DVec3::X).distance(eighth) < 1e-14);
}

#[test]
fn moving_everything_changes_nothing() {
    let mut random = Random::new(2);
    for (name, shape) in solids().into_iter().chain(surfaces()) {
        for _ in 0..50 {
            // Ten kilometres out a double has a spacing of 2e-12 m; a few roundings of it, and no more.
            let pose = random.pose(1e4);
            let local = random.vector(2.0);
            let here = nearest_of(&*shape, &Pose::default(), local);
            let there = nearest_of(&*shape, &pose, pose.point(local));
            let off = (here.distance - there.distance).abs();
            // The one shape that answers in `f32` loses what rounding the point to it costs.
            let tolerance = if name == "custom" { 1e-6 } else { 2e-11 };
            assert!(off < tolerance, "{name}: {off:e} at {local}");
            let back = there.on_shape + there.normal * there.distance;
            assert!(back.distance(pose.point(local)) < 2e-11, "{name}");
            let tail = random.vector(2.0);
            let (mut one, mut two) = (Vec::new(), Vec::new());
            near_segment(&*shape, &Pose::default(), tail, local, 0.5, &mut one);
            let (tail, head) = (pose.point(tail), pose.point(local));
            near_segment(&*shape, &pose, tail, head, 0.5, &mut two);
            let inside = one.iter().chain(&two).any(|place| place.distance < 0.0);
            if inside && single(&*shape).is_none() {
                // On the seam of two parts rounding decides in which of them the deepest place is.
                continue;
            }
            assert_eq!(one.len(), two.len(), "{name}");
            for (a, b) in one.iter().zip(&two) {
                assert_eq!(a.feature, b.feature, "{name}");
                assert!((a.distance - b.distance).abs() < tolerance, "{name}");
                // Inside, where two ways out are equally long, rounding decides.
                if name != "custom" && a.distance > 0.0 {
                    assert!(pose.point(a.on_shape).distance(b.on_shape) < 1e-5, "{name}");
                }
            }
        }
    }
}

#[test]
fn boxes_and_extents_hold_the_surface() {
    let mut random = Random::new(3);
    for (name, shape) in solids().into_iter().chain(surfaces()) {
        let pose = random.pose(10.0);
        let (low, high) = bounds(&*shape, &pose);
        let extent = extent(&*shape);
        let mut touched = (high, low);
        for _ in 0..300 {
            let place = nearest_of(&*shape, &pose, pose.point(random.vector(8.0)));
            let on = place.on_shape;
            assert!(on.cmpge(low - 1e-9).all() && on.cmple(high + 1e-9).all(), "{name}");
            assert!(on.distance(pose.position) <= extent + 1e-9, "{name}");
            touched = (touched.0.min(on), touched.1.max(on));
        }
        if name != "half-space" {
            // A box around a turned box may be loose by the root of three, more so when the corners are empty.
            let loose = (high - low).max_element() / (touched.1 - touched.0).max_element();
            assert!(loose < 3.0, "{name}: {loose}");
        }
    }
}

#[test]
fn sizes_that_are_no_numbers_are_refused() {
    use parry3d::math::Vector;
    use parry3d::shape::*;
    for (name, shape) in solids().into_iter().chain(surfaces()) {
        assert_eq!(check(&*shape), Ok(()), "{name}");
    }
    let nan = f32::NAN;
    let bad: Vec<SharedShape> = vec![
        SharedShape::ball(nan),
        SharedShape::ball(-1.0),
        SharedShape::new(Cuboid::new(Vector::new(1.0, f32::INFINITY, 1.0))),
        SharedShape::capsule_y(1.0, nan),
        SharedShape::capsule_y(f32::INFINITY, 1.0),
        SharedShape::new(Cylinder::new(nan, 1.0)),
        SharedShape::new(Cone::new(1.0, nan)),
        SharedShape::new(HalfSpace { normal: Vector::ZERO }),
        SharedShape::new(HalfSpace {
            normal: Vector::new(nan, 0.0, 0.0),
        }),
        SharedShape::new(Segment::new(Vector::ZERO, Vector::splat(nan))),
        SharedShape::new(Triangle::new(Vector::ZERO, Vector::X, Vector::splat(nan))),
        SharedShape::new(RoundCuboid {
            inner_shape: Cuboid::new(Vector::ONE),
            border_radius: nan,
        }),
        SharedShape::new(RoundCylinder {
            inner_shape: Cylinder::new(1.0, f32::INFINITY),
            border_radius: 0.1,
        }),
        SharedShape::polyline(vec![Vector::ZERO, Vector::new(nan, 0.0, 0.0)], None),
        SharedShape::compound(vec![(parry3d::math::Pose::IDENTITY, SharedShape::ball(nan))]),
    ];
    for (i, shape) in bad.iter().enumerate() {
        assert!(check(&**shape).is_err(), "{i}");
    }
}
