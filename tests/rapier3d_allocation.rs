//! Looking at rapier's colliders allocates nothing while they stay as they are. The only test of its binary: see `counting`.

#[path = "common/counting.rs"]
mod counting;

use counting::Counting;
use glam::DVec3;
use lariat::{hosts::rapier3d::RapierHost, prelude::*};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, Vector};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn colliders_that_stay_as_they_are_allocate_nothing() {
    let mut physics = PhysicsWorld::new();
    for k in 0..20u8 {
        let place = Vector::new(f32::from(k), -1.0, 0.0);
        physics
            .colliders
            .insert(ColliderBuilder::cuboid(0.5, 0.5, 0.5).translation(place));
    }
    let ball = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, 0.15, 0.0))
        .can_sleep(false);
    physics.insert(ball, ColliderBuilder::ball(0.15).mass(5.0));
    let settings = Settings {
        contact: Some(ContactSettings::default()),
        threads: Some(1),
        ..Settings::default()
    };
    let mut rods = RodWorld::new(settings).expect("sound settings");
    for z in [-0.06, 0.06] {
        let line = Shape::line(DVec3::new(-1.0, 0.0, z), DVec3::new(1.0, 0.0, z), 40);
        let material = Material::rigidity(2e4, 2e4, 0.01, 0.01, 1.0).with_damping(Damping::Time(0.1));
        let rope = RodSpec::new(line).radius(0.01).material(material).pin(0).pin(40);
        rods.insert(rope.build().expect("a sound rope")).expect("room");
    }
    let mut host = RapierHost::default();
    let mut spent = 0;
    for frame in 0..300 {
        let before = ALLOCATOR.calls();
        host.sync_colliders(&mut rods, &physics.colliders);
        let parameters = &physics.integration_parameters;
        host.step_rods(&mut rods, &mut physics.bodies, physics.gravity, parameters)
            .expect("a sound step");
        if frame >= 240 {
            spent += ALLOCATOR.calls() - before;
        }
        physics.step();
        host.take_back(&mut physics.bodies);
        rods.drain_events().for_each(drop);
    }
    assert!(rods.contacts().next().is_some(), "the ball lies on the ropes");
    assert_eq!(spent, 0);
}
