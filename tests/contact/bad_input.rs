//! What nobody means to ask for.

use glam::DQuat;
use parry3d::shape::SharedShape;

use super::*;

#[test]
fn colliders_that_are_no_numbers_are_refused() {
    let mut world = common::world(touching());
    let ball = || Collider::new(SharedShape::ball(0.1));
    let bad = |collider| {
        matches!(
            common::world(touching()).add_collider(collider),
            Err(ColliderError::Bad { .. })
        )
    };
    assert!(bad(ball().at(DVec3::NAN)));
    assert!(bad(ball().at(DVec3::X * f64::INFINITY)));
    assert!(bad(ball().turned(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))));
    assert!(bad(ball().friction(f64::NAN)));
    assert!(bad(ball().friction(-1.0)));
    let shape = Collider::new(SharedShape::ball(f32::NAN));
    assert!(matches!(world.add_collider(shape), Err(ColliderError::Shape { .. })));

    // A bad move leaves the collider where it is.
    let id = world.add_collider(ball()).expect("a sound ball");
    let answer = world.move_collider(id, DVec3::NAN, DQuat::IDENTITY);
    assert!(matches!(answer, Err(ColliderError::Bad { .. })));
    assert_eq!(world.collider(id).map(|ball| ball.position), Some(DVec3::ZERO));
    world.remove_collider(id).expect("it is there");
    let answer = world.move_collider(id, DVec3::ZERO, DQuat::IDENTITY);
    assert_eq!(answer, Err(ColliderError::None));
}

#[test]
fn ropes_in_the_same_place_come_apart_at_leisure() {
    let mut world = common::world(touching());
    world.add_collider(Collider::ground(-1.0)).expect("sound ground");
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 0.5, 20)).radius(0.01);
    let ids: Vec<RodId> = (0..12)
        .map(|_| world.insert(common::built(&spec)).expect("a sound rod"))
        .collect();
    let start = std::time::Instant::now();
    for _ in 0..30 {
        common::run(&mut world, 1);
        for &id in &ids {
            let rod = common::rod(&world, id);
            assert!(!rod.is_quarantined());
            for v in 0..=20 {
                // In half a second they fall at 5 m/s; twice that would be an explosion.
                let speed = rod.velocity(v).length();
                assert!(speed < 10.0, "thrown apart at {speed} m/s");
            }
        }
    }
    println!(
        "coincident: {:.2} ms a step",
        start.elapsed().as_secs_f64() / 30.0 * 1e3
    );
}

/// Rods of 10⁴ segments in all, in a place where there is room for a few.
fn heaps() -> Vec<(&'static str, Vec<RodSpec>)> {
    let line = |from: DVec3, to: DVec3, segments: u32| RodSpec::new(Shape::line(from, to, segments)).radius(0.01);
    // There and back again: every second segment is in the same place.
    let folded = (0..=10_000).map(|k| DVec3::X * (0.05 * f64::from(k % 2))).collect();
    let spokes = (0..10_000).map(|k| {
        let angle = 2.399_963 * f64::from(k);
        let up = 2.0 * (f64::from(k) + 0.5) / 10_000.0 - 1.0;
        let across = (1.0 - up * up).sqrt();
        let direction = DVec3::new(across * angle.cos(), up, across * angle.sin());
        line(direction * -0.02, direction * 0.02, 1)
    });
    vec![
        (
            "100 ropes",
            (0..100).map(|_| line(DVec3::ZERO, DVec3::X * 2.5, 100)).collect(),
        ),
        (
            "a folded rope",
            vec![RodSpec::new(Shape::Polyline { points: folded }).radius(0.01)],
        ),
        ("a cluster", spokes.collect()),
    ]
}

#[test]
fn ten_thousand_segments_in_one_place_are_told_and_bounded() {
    for (what, specs) in heaps() {
        let hash = |threads| {
            let mut world = common::world(Settings {
                threads: Some(threads),
                ..weightless()
            });
            let ids: Vec<RodId> = specs
                .iter()
                .map(|spec| world.insert(common::built(spec)).expect("a sound rod"))
                .collect();
            let (mut slowest, mut fastest): (f64, f32) = (0.0, 0.0);
            for _ in 0..2 {
                let start = std::time::Instant::now();
                common::run(&mut world, 1);
                slowest = slowest.max(start.elapsed().as_secs_f64());
                for &id in &ids {
                    let rod = common::rod(&world, id);
                    assert!(!rod.is_quarantined());
                    fastest = (0..rod.vertex_count()).fold(fastest, |most, v| most.max(rod.velocity(v).length()));
                }
            }
            let crowded = world
                .drain_events()
                .filter_map(|event| match event {
                    Event::Crowded { left_out, .. } => Some(left_out),
                    _ => None,
                })
                .collect::<Vec<u32>>();
            println!("{what} on {threads} threads: slowest {slowest:.2} s, fastest {fastest:.2} m/s, told {crowded:?}");
            assert_eq!(crowded.len(), 1, "{what}: told once");
            assert!(fastest < 10.0, "{what}: thrown apart at {fastest} m/s");
            assert!(fastest > 0.0, "{what}: stuck in each other");
            world.state_hash()
        };
        let once = hash(1);
        // The largest group has all of them.
        if specs.len() == 1 {
            assert_eq!(once, hash(2), "{what}");
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let hash = |threads| {
        let mut world = common::world(Settings {
            threads: Some(threads),
            ..touching()
        });
        world.add_collider(Collider::ground(0.0)).expect("sound ground");
        for k in 0..6 {
            let direction = DVec3::new((1.1 * f64::from(k)).cos(), 0.0, (1.1 * f64::from(k)).sin());
            let middle = DVec3::Y * (0.05 + 0.03 * f64::from(k));
            let spec = RodSpec::new(Shape::line(middle - direction * 0.3, middle + direction * 0.3, 20)).radius(0.01);
            // Every second one stands apart: several groups.
            let options = RodOptions {
                translation: DVec3::X * (3 * (k % 2)) as f64,
                ..RodOptions::default()
            };
            world.insert_with(common::built(&spec), options).expect("a sound rod");
        }
        common::run(&mut world, 40);
        assert!(world.contacts().next().is_some(), "they touch");
        world.state_hash()
    };
    assert_eq!(hash(1), hash(2));
}

#[test]
fn ropes_put_into_each_other_part_slowly() {
    // In the same place, beside each other within their radius, and across.
    for (beside, angle) in [(0.0, 0.0), (1e-6, 0.0), (0.005, 0.0), (0.0, 0.1), (0.0, 1.5)] {
        let mut world = common::world(touching());
        let ids: Vec<RodId> = [0.0, 1.0]
            .into_iter()
            .map(|k: f64| {
                let (middle, turned) = (DVec3::Z * (beside * k), angle * k);
                let half = DVec3::new(turned.cos(), 0.0, turned.sin()) * 0.25;
                let spec = RodSpec::new(Shape::line(middle - half, middle + half, 20)).radius(0.01);
                world.insert(common::built(&spec)).expect("a sound rod")
            })
            .collect();
        let mut fastest: f64 = 0.0;
        for frame in 1..=40 {
            common::run(&mut world, 1);
            // By implicit Euler they fall this fast.
            let falling = -9.81 * f64::from(FRAME) * f64::from(frame);
            for &id in &ids {
                let rod = common::rod(&world, id);
                for v in 0..=20 {
                    let own = rod.velocity(v).as_dvec3() - DVec3::Y * falling;
                    fastest = fastest.max(own.length());
                }
            }
        }
        let [a, b] = [0, 1].map(|k| common::positions(&world, ids[k]));
        let tubes = [Tube::open(&a, 0.01), Tube::open(&b, 0.01)];
        let overlap = deepest_overlap(&tubes, 4.0).map_or(0.0, |overlap| overlap.depth / 0.01);
        println!("{beside} m beside, at {angle} rad: {overlap:.3} radii deep, fastest {fastest:.3} m/s");
        assert!(overlap < 0.1, "{beside} m, {angle} rad: still {overlap} radii deep");
        assert!(fastest < 1.0, "{beside} m, {angle} rad: thrown apart at {fastest} m/s");
    }
}

#[test]
fn what_has_no_thickness_is_touched_or_refused() {
    use parry3d::math::Vector;
    let bare = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 10));
    assert!(bare.clone().radius(0.0).build().is_err(), "a rod without thickness");
    let nearly = common::built(&bare.radius(1e-9));
    let answer = common::world(touching()).insert(nearly);
    assert!(answer.is_err(), "a rod that nothing can feel");
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, z]| Vector::new(x, 0.0, z));
    let mesh = |faces: &[[u32; 3]]| {
        let mesh = SharedShape::trimesh(corners.to_vec(), faces.to_vec());
        mesh.expect("a mesh")
    };
    // Plates and points without thickness; the last have none in any direction.
    let shapes = [
        ("plate", SharedShape::cuboid(1.0, 0.0, 1.0), true),
        ("mesh", mesh(&[[0, 2, 1], [0, 3, 2]]), true),
        (
            "mesh with a face that is a line",
            mesh(&[[0, 2, 1], [0, 3, 2], [0, 0, 1]]),
            true,
        ),
        ("wire", SharedShape::segment(corners[0], corners[2]), false),
        ("line of a box", SharedShape::cuboid(0.0, 0.0, 1.0), false),
        ("point", SharedShape::ball(0.0), false),
        ("point of a box", SharedShape::cuboid(0.0, 0.0, 0.0), false),
        (
            "face that is a point",
            SharedShape::triangle(corners[0], corners[0], corners[0]),
            false,
        ),
    ];
    for (what, shape, holds) in shapes {
        for radius in [0.01, 1e-4] {
            let mut world = common::world(touching());
            world.add_collider(Collider::new(shape.clone())).expect("a sound shape");
            let middle = DVec3::new(0.003, 0.05, 0.002);
            let spec = RodSpec::new(Shape::line(middle - DVec3::X * 0.2, middle + DVec3::X * 0.2, 20)).radius(radius);
            let id = world.insert(common::built(&spec)).expect("a sound rod");
            common::run(&mut world, 30);
            let points = common::positions(&world, id);
            assert!(!common::rod(&world, id).is_quarantined(), "{what}");
            let lowest = points.iter().fold(f64::INFINITY, |least, p| least.min(p.y));
            println!("{what}, radius {radius}: lowest at {lowest:.4} m");
            assert!(
                !holds || lowest > 0.0,
                "{what}, radius {radius}: fell through to {lowest}"
            );
        }
    }
    // A mesh with a corner that is no number.
    let bad = [Vector::ZERO, Vector::X, Vector::new(f32::NAN, 0.0, 1.0)];
    if let Ok(mesh) = SharedShape::trimesh(bad.to_vec(), vec![[0, 1, 2]]) {
        let answer = common::world(touching()).add_collider(Collider::new(mesh));
        assert!(matches!(answer, Err(ColliderError::Shape { .. })));
    }
}
