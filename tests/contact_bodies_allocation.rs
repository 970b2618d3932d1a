//! A ball that rests on ropes allocates nothing from step to step. The only test of its binary: see `counting`.

#[path = "coupling/bodies.rs"]
mod bodies;
mod common;
#[path = "common/counting.rs"]
mod counting;

use bodies::{Bodies, run};
use common::{built, settings, soft, world};
use counting::Counting;
use glam::DVec3;
use lariat::{contact::Collider, prelude::*};
use parry3d::shape::SharedShape;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn a_ball_that_rests_on_ropes_allocates_nothing() {
    let mut world = world(Settings {
        contact: Some(ContactSettings::default()),
        ..settings(1, 8)
    });
    let mut bodies = Bodies::new();
    for z in [-0.06, 0.06] {
        let line = Shape::line(DVec3::new(-1.0, 0.0, z), DVec3::new(1.0, 0.0, z), 40);
        let spec = RodSpec::new(line).radius(0.01).material(soft(2e4, 0.01)).pin(0).pin(40);
        world.insert(built(&spec)).expect("a rod");
    }
    let body = bodies.ball(1, DVec3::Y * 0.15, 5.0, 0.15);
    let ball = Collider::new(SharedShape::ball(0.15)).on_body(body);
    world.add_collider(ball).expect("a shape");
    run(&mut world, &mut bodies, 240);
    assert!(world.contacts().next().is_some(), "it lies on the ropes");
    world.drain_events().for_each(drop);
    let before = ALLOCATOR.calls();
    run(&mut world, &mut bodies, 60);
    assert_eq!(ALLOCATOR.calls() - before, 0);
}
