//! Rods, bodies and ties all as components.

use avian3d::prelude::*;
use bevy_ecs::prelude::*;
use glam::{DVec3, Vec3};
use lariat::prelude::*;

use super::engine::app;

fn rope(world: &mut World) -> Entity {
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y, 16))
        .material(Material::rigidity(5e4, 5e4, 0.01, 0.01, 1.0).with_damping(Damping::Time(0.1)))
        .radius(0.01)
        .pin(0);
    world.spawn(Rod::new(spec)).id()
}

fn ball(world: &mut World, place: Vec3) -> Entity {
    let density = 20.0 / (4.0 / 3.0 * std::f32::consts::PI * 0.1 * 0.1 * 0.1);
    world
        .spawn((
            RigidBody::Dynamic,
            Collider::sphere(0.1),
            ColliderDensity(density),
            Position(place),
        ))
        .id()
}

/// A ball of 20 kg on a rope of components: it hangs, falls asleep, and wakes when the rope is pulled up.
#[test]
fn a_ball_sleeps_on_its_rope_and_is_woken_by_it() {
    let mut app = app(1.0 / 60.0);
    let world = app.world_mut();
    let rope = rope(world);
    let ball = ball(world, Vec3::new(0.0, -1.1, 0.0));
    world.spawn(Attachment::ball(rope, RodPoint::End, ball).anchor(DVec3::Y * 0.1));
    (0..300).for_each(|_| app.update());
    let height = |app: &bevy_app::App| app.world().get::<Position>(ball).expect("a body").y;
    let rest = height(&app);
    let stretched = 1.1 + 20.5 * 9.81 / 5e4;
    assert!((rest + stretched).abs() < 1e-3, "{rest} m, not {}", -stretched);
    assert!(
        app.world().get::<Sleeping>(ball).is_some(),
        "it should have fallen asleep"
    );
    app.world_mut()
        .entity_mut(rope)
        .insert(RodTargets(vec![(0, DVec3::Y * 0.3)]));
    (0..60).for_each(|_| app.update());
    let raised = height(&app) - rest;
    assert!(raised > 0.2, "the ball should have been pulled up: {raised} m");
}

/// Avian's pause stops rods too, and its speed is theirs.
#[test]
fn rods_keep_the_time_of_avian() {
    let mut app = app(1.0 / 60.0);
    let rope = {
        let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8)).pin(0);
        app.world_mut().spawn(Rod::new(spec)).id()
    };
    let tip = |app: &bevy_app::App| app.world().get::<RodPose>(rope).map(|pose| pose.positions[8]);
    app.update();
    app.world_mut().resource_mut::<bevy_time::Time<Physics>>().pause();
    app.update();
    let before = tip(&app);
    (0..5).for_each(|_| app.update());
    assert_eq!(tip(&app), before, "a paused rod moved");
    let clock = app.world().resource::<Rods>().time();
    let mut time = app.world_mut().resource_mut::<bevy_time::Time<Physics>>();
    time.unpause();
    time.set_relative_speed(0.5);
    (0..10).for_each(|_| app.update());
    let passed = app.world().resource::<Rods>().time() - clock;
    assert!((passed - 5.0 / 60.0).abs() < 1e-4, "{passed} s passed");
}

/// A body that is despawned lets its rope go.
#[test]
fn a_rope_outlives_its_body() {
    let mut app = app(1.0 / 60.0);
    let world = app.world_mut();
    let rope = rope(world);
    let ball = ball(world, Vec3::new(0.0, -1.1, 0.0));
    let tie = world
        .spawn(Attachment::ball(rope, RodPoint::End, ball).anchor(DVec3::Y * 0.1))
        .id();
    (0..30).for_each(|_| app.update());
    assert!(app.world_mut().despawn(ball));
    (0..30).for_each(|_| app.update());
    assert!(app.world().get::<Attachment>(tie).is_none(), "the tie should be gone");
    let pose = app.world().get::<RodPose>(rope).expect("the rope");
    assert!(pose.positions.iter().all(|p| p.is_finite()));
}
