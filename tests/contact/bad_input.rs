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
