//! Colliders of rapier, as rods know them.

use glam::{DQuat, DVec3};
use lariat::{
    hosts::{RodTouch, rapier3d::RapierHost},
    prelude::*,
};
use rapier3d::prelude::{
    ColliderBuilder, ColliderHandle, ColliderSet, Group, IntegrationParameters, InteractionGroups, InteractionTestMode,
    RigidBodyBuilder, RigidBodySet, SharedShape, Vector,
};

use super::{
    engine::Rapier,
    engines::{Engine, FRAME, GRAVITY, settings, tame},
};

fn touching() -> Rapier {
    let settings = Settings {
        contact: Some(ContactSettings::default()),
        ..settings(GRAVITY)
    };
    Rapier::new(GRAVITY, settings, FRAME)
}

fn plate() -> ColliderBuilder {
    ColliderBuilder::cuboid(1.0, 0.1, 1.0).translation(Vector::new(0.0, -0.1, 0.0))
}

fn groups(members: Group, filter: Group) -> InteractionGroups {
    InteractionGroups::new(members, filter, InteractionTestMode::And)
}

/// Let a rope fall from 5 cm above the plate: whether it lies there half a second later.
fn holds(engine: &mut Rapier) -> bool {
    let from = DVec3::new(-0.3, 0.05, 0.0);
    let rope = engine.insert(&tame(from, from + DVec3::X * 0.6, 12, 1e4));
    engine.run(30);
    let height = engine.rods.rod(rope).expect("the rope").position(6).y;
    engine.rods.remove(rope);
    assert!(
        (height - 0.01).abs() < 0.003 || height < -0.5,
        "neither lies nor falls: {height}"
    );
    height > 0.0
}

#[test]
fn rods_touch_what_is_solid_and_in_their_groups() {
    let mut engine = touching();
    let handle = engine.physics.colliders.insert(plate());
    assert!(holds(&mut engine));
    let change = |engine: &mut Rapier, change: fn(&mut rapier3d::prelude::Collider)| {
        change(&mut engine.physics.colliders[handle]);
    };
    change(&mut engine, |plate| plate.set_sensor(true));
    assert!(!holds(&mut engine), "a sensor");
    change(&mut engine, |plate| plate.set_sensor(false));
    assert!(holds(&mut engine), "solid again");
    change(&mut engine, |plate| plate.set_enabled(false));
    assert!(!holds(&mut engine), "disabled");
    change(&mut engine, |plate| plate.set_enabled(true));
    engine.host.set_touch(handle, RodTouch::Never);
    assert!(!holds(&mut engine), "told not to");
    engine.host.set_touch(handle, RodTouch::Untied);
    assert!(holds(&mut engine), "told to");
    change(&mut engine, |plate| {
        plate.set_collision_groups(groups(Group::ALL, !Group::GROUP_1))
    });
    assert!(!holds(&mut engine), "not with group 1");
    change(&mut engine, |plate| {
        plate.set_collision_groups(groups(Group::GROUP_2, Group::GROUP_1))
    });
    assert!(holds(&mut engine), "with group 1");
    change(&mut engine, |plate| {
        plate.set_solver_groups(groups(Group::NONE, Group::ALL))
    });
    assert!(!holds(&mut engine), "no forces");
    assert_eq!(Group::GROUP_1.bits(), CollisionLayers::default().member_of);
}

#[test]
fn rods_know_colliders_as_they_are() {
    let mut engine = touching();
    let loose = engine.physics.colliders.insert(plate().friction(0.7));
    let at = RigidBodyBuilder::fixed().translation(Vector::new(0.0, -5.0, 0.0));
    let (_, on) = engine.physics.insert(at, plate());
    let rope = engine.insert(&tame(DVec3::Y, DVec3::new(1.0, 1.0, 0.0), 4, 1e4).pin(0).pin(4));
    engine.frame();
    let known = |engine: &Rapier, handle: ColliderHandle| {
        let id = engine.host.collider(handle).expect("rods know it");
        assert_eq!(engine.host.handle(id), Some(handle));
        (id, engine.rods.collider(id).expect("it is there").clone())
    };
    let (id, first) = known(&engine, loose);
    assert_eq!((first.position, first.body), (DVec3::Y * f64::from(-0.1f32), None));
    assert!((first.friction - 0.7).abs() < 1e-6);
    let (on_id, second) = known(&engine, on);
    assert_eq!(second.body, engine.physics.colliders[on].parent().map(BodyId::from));
    let (place, rotation) = engine.rods.collider_pose(on_id).expect("it is somewhere");
    assert!(
        (place + DVec3::Y * 5.1).length() < 1e-6 && rotation == DQuat::IDENTITY,
        "{place}"
    );
    // Moved, of another shape and friction: still the same one.
    let plate = &mut engine.physics.colliders[loose];
    plate.set_translation(Vector::new(0.0, -0.2, 0.0));
    plate.set_shape(SharedShape::ball(0.3));
    plate.set_friction(0.2);
    engine.frame();
    let (again, third) = known(&engine, loose);
    assert_eq!(again, id);
    assert!(third.shape.as_ball().is_some() && (third.friction - 0.2).abs() < 1e-6);
    assert!((third.position.y + 0.2).abs() < 1e-6);
    // Gone with its body.
    let body = engine.physics.colliders[on].parent().expect("a body");
    engine.physics.remove_body(body);
    engine.frame();
    assert!(engine.rods.collider(on_id).is_none() && engine.host.collider(on).is_none());
    assert!(engine.rods.rod(rope).is_some());
}

/// Without contact rods are told nothing; what they refuse is named.
#[test]
fn what_is_refused_is_named() {
    let mut colliders = ColliderSet::new();
    let bad = colliders.insert(ColliderBuilder::ball(f32::NAN));
    let good = colliders.insert(ColliderBuilder::ball(0.5));
    let mut host = RapierHost::default();
    let mut rods = RodWorld::default();
    host.sync_colliders(&mut rods, &colliders);
    assert_eq!((host.collider(good), host.refused().count()), (None, 0));
    let settings = Settings {
        contact: Some(ContactSettings::default()),
        ..Settings::default()
    };
    let mut rods = RodWorld::new(settings).expect("sound settings");
    for _ in 0..2 {
        host.sync_colliders(&mut rods, &colliders);
        let refused: Vec<_> = host.refused().map(|(handle, _)| handle).collect();
        assert_eq!(refused, [bad]);
        assert!(host.collider(good).is_some() && host.collider(bad).is_none());
    }
    colliders[bad].set_shape(SharedShape::ball(0.1));
    host.sync_colliders(&mut rods, &colliders);
    assert!(host.collider(bad).is_some() && host.refused().next().is_none());
}

/// Rods, colliders and the host beside them go back together: what follows is the same to the bit.
#[test]
fn all_of_it_goes_back_in_time() {
    let mut engine = touching();
    let from = DVec3::new(-0.3, 0.05, 0.0);
    engine.insert(&tame(from, from + DVec3::X * 0.6, 12, 1e4));
    let (mut host, mut rods, mut bodies) = (engine.host, engine.rods, RigidBodySet::new());
    let mut colliders = ColliderSet::new();
    let floor = colliders.insert(plate());
    let mut run =
        |host: &mut RapierHost, rods: &mut RodWorld, colliders: &mut ColliderSet, frames: std::ops::Range<u16>| {
            for frame in frames {
                colliders[floor].set_translation(Vector::new(0.0, -0.1 + 0.001 * f32::from(frame), 0.0));
                host.sync_colliders(rods, colliders);
                let gravity = Vector::new(0.0, -9.81, 0.0);
                host.step_rods(rods, &mut bodies, gravity, &IntegrationParameters::default())
                    .expect("a sound step");
            }
        };
    run(&mut host, &mut rods, &mut colliders, 0..20);
    let saved = (host.clone(), rods.snapshot(), colliders.clone());
    run(&mut host, &mut rods, &mut colliders, 20..40);
    let after = rods.state_hash();
    let late = colliders.insert(plate());
    run(&mut host, &mut rods, &mut colliders, 40..45);
    assert!(host.collider(late).is_some());
    rods.restore(&saved.1);
    (host, colliders) = (saved.0, saved.2);
    run(&mut host, &mut rods, &mut colliders, 20..40);
    assert_eq!(rods.state_hash(), after);
    assert!(rods.contacts().next().is_some(), "it is lifted");
}
