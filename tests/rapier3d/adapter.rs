//! What the adapter has to know of rapier.

use glam::DVec3;
use lariat::prelude::*;
use rapier3d::prelude::{ColliderBuilder, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation, Vector};

use super::{
    engine::Rapier,
    engines::{Engine, FRAME, GRAVITY, earth, rope, tame},
};

/// A ball of 10 kg at the end of a rope of a metre that is pinned at the origin.
fn hanging(engine: &mut Rapier, sleeps: bool) -> (RodId, RigidBodyHandle, AttachmentId) {
    let rod = engine.insert(&tame(DVec3::ZERO, -DVec3::Y, 16, 5e4).pin(0));
    let body = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, -1.1, 0.0))
        .can_sleep(sleeps);
    let (body, _) = engine.physics.insert(body, ColliderBuilder::ball(0.1).mass(10.0));
    let tie = engine.tie(rod, RodPoint::End, body.into(), DVec3::Y * 0.1);
    (rod, body, tie)
}

/// A body that hangs still falls asleep, is seen asleep, and wakes when its rope is pulled.
#[test]
fn a_body_sleeps_on_its_rope_and_is_woken_by_it() {
    let mut engine: Rapier = earth();
    let (rod, body, tie) = hanging(&mut engine, true);
    engine.run(300);
    assert!(
        engine.physics.bodies[body].is_sleeping(),
        "it should have fallen asleep"
    );
    let pull = engine.rods.attachment(tie).expect("the tie").force.y;
    assert!(
        (pull / (10.0 * GRAVITY) - 1.0).abs() < 0.02,
        "a sleeping body weighs {pull} N"
    );
    engine.run(60);
    assert!(
        engine.physics.bodies[body].is_sleeping(),
        "nothing should have woken it"
    );
    let below = engine.physics.bodies[body].translation().y;
    let mut top = engine.rods.rod_mut(rod).expect("the rod");
    top.set_target(0, DVec3::Y * 0.2).expect("a pinned vertex");
    engine.run(60);
    let raised = engine.physics.bodies[body].translation().y - below;
    assert!(raised > 0.1, "it should have been pulled up: {raised} m");
}

/// A slow pendulum is not put to sleep on its way.
#[test]
fn a_slow_swing_is_not_frozen() {
    let mut engine: Rapier = earth();
    let along = DVec3::new(0.01, -1.0, 0.0).normalize();
    let rod = engine.insert(&rope(DVec3::ZERO, along, 16, 5e4).pin(0));
    let place = along * 1.1;
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(place.x as f32, place.y as f32, 0.0));
    let (body, _) = engine.physics.insert(body, ColliderBuilder::ball(0.1).mass(10.0));
    engine.tie(rod, RodPoint::End, body.into(), -along * 0.1);
    // It moves by 3 cm/s at most: rapier calls that still. After half a period it is on the other side.
    let half = std::f64::consts::PI * (1.1 / GRAVITY).sqrt();
    engine.run((half / FRAME).round() as usize);
    let x = engine.physics.bodies[body].translation().x;
    assert!(x < -0.008, "it should have swung to the other side: {x} m");
}

/// Bodies that are led by positions take the rope along, at the end of the frame exactly.
#[test]
fn a_rope_follows_a_body_that_is_led_by_positions() {
    let mut engine: Rapier = earth();
    let rod = engine.insert(&tame(DVec3::ZERO, -DVec3::Y, 16, 5e4));
    let body = engine.physics.insert_body(RigidBodyBuilder::kinematic_position_based());
    let tie = engine.tie(rod, RodPoint::Start, body.into(), DVec3::X * 0.2);
    for frame in 1..=120u8 {
        let angle = 0.05 * f32::from(frame);
        let next = Pose::from_parts(
            Vector::new(angle.sin(), 0.3 * angle, 0.0),
            Rotation::from_axis_angle(Vector::Z, angle),
        );
        engine.physics.bodies[body].set_next_kinematic_position(next);
        engine.frame();
        let gap = engine.gap(tie);
        assert!(gap < 1e-4, "{gap} m in frame {frame}");
    }
}

/// A body that is switched off holds its rope where it is; removed, it lets go.
#[test]
fn a_disabled_body_holds_and_a_removed_one_lets_go() {
    let mut engine: Rapier = earth();
    let (_, body, tie) = hanging(&mut engine, false);
    engine.physics.bodies[body].set_enabled(false);
    let before = engine.physics.bodies[body].translation();
    engine.run(30);
    assert_eq!(engine.physics.bodies[body].translation(), before);
    assert!(engine.gap(tie) < 1e-4);
    engine.physics.remove_body(body);
    engine.frame();
    assert!(engine.rods.attachment(tie).is_none(), "the tie should be gone");
    let told = engine
        .rods
        .drain_events()
        .any(|event| matches!(event, Event::AttachmentLost { .. }));
    assert!(told, "and that should have been told");
}

/// What is lent to a body for a step is taken back to the bit; a force of the user stays, and pulls at the rope.
#[test]
fn forces_of_the_user_stay_as_they_were() {
    let mut engine: Rapier = earth();
    let (_, body, tie) = hanging(&mut engine, false);
    let force = Vector::new(0.1, -33.3, 7.0);
    engine.physics.bodies[body].add_force(force, true);
    engine.run(600);
    assert_eq!(engine.physics.bodies[body].user_force(), force);
    assert_eq!(engine.physics.bodies[body].user_torque(), Vector::ZERO);
    let pull = engine.rods.attachment(tie).expect("the tie").force;
    let expected = DVec3::new(-0.1, 33.3 + 10.0 * GRAVITY, -7.0);
    // The rope swings a little about its new rest.
    assert!(
        pull.distance(expected) < 0.03 * expected.length(),
        "{pull}, not {expected}"
    );
    assert!(engine.gap(tie) < 1e-3);
}

/// Handles survive their way through the rods' names.
#[test]
fn handles_are_names() {
    for parts in [(0, 0), (7, 3), (u32::MAX - 1, u32::MAX)] {
        let handle = RigidBodyHandle::from_raw_parts(parts.0, parts.1);
        assert_eq!(RigidBodyHandle::from(BodyId::from(handle)), handle);
    }
}
