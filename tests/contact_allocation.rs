//! Rods that touch allocate nothing from step to step, once what they touch has settled. The only test of its binary: see `counting`.

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{FRAME, built, settings, world};
use counting::Counting;
use glam::{DQuat, DVec3};
use lariat::{contact::Collider, prelude::*};
use parry3d::shape::SharedShape;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn a_settled_pile_allocates_nothing() {
    let mut world = world(Settings {
        contact: Some(ContactSettings::default()),
        // What sleeps is not stepped.
        sleep: None,
        ..settings(2, 8)
    });
    world.add_collider(Collider::ground(0.0)).expect("sound ground");
    let stone = Collider::new(SharedShape::cuboid(0.1, 0.03, 0.05)).at(DVec3::new(-0.15, 0.0, 0.1));
    world.add_collider(stone).expect("a sound box");
    let place = DVec3::new(0.15, 0.0, 0.1);
    let ball = Collider::new(SharedShape::ball(0.05)).at(place);
    let ball = world.add_collider(ball).expect("a sound ball");
    let solvers = [
        Solver::default(),
        Solver::Direct {
            integrator: Integrator::Bdf2,
        },
        Solver::GROOM,
        Solver::XPBD,
    ];
    for n in 0..8u32 {
        let angle = 2.4 * f64::from(n);
        let half = DVec3::new(angle.cos(), 0.0, angle.sin()) * 0.3;
        let middle = DVec3::Y * (0.07 + 0.03 * f64::from(n));
        let spec = RodSpec::new(Shape::line(middle - half, middle + half, 16))
            .radius(0.01)
            .material(Material {
                friction: 0.5,
                ..Material::rigidity(5e4, 5e4, 0.01, 0.01, 1.0)
            });
        let options = RodOptions {
            solver: solvers[n as usize % solvers.len()],
            drag: 2.0,
            ..RodOptions::default()
        };
        world.insert_with(built(&spec), options).expect("a rod");
    }
    // Strands on a grid, packed tightly enough to press.
    for n in 0..12u32 {
        let start = DVec3::new(0.01 * f64::from(n), 0.2, -0.8);
        let spec = RodSpec::new(Shape::line(start, start + DVec3::Z * 0.15, 12))
            .radius(0.003)
            .material(Material::rigidity(20.0, 20.0, 1e-6, 1e-6, 0.01))
            .pin(0);
        let options = RodOptions {
            solver: Solver::GROOM,
            drag: 2.0,
            hair: HairCollision::Grid,
            ..RodOptions::default()
        };
        world.insert_with(built(&spec), options).expect("a strand");
    }
    let mut frame = |n: u32| {
        // The ball turns in place, and rubs.
        let turn = DQuat::from_rotation_y(0.002 * f64::from(n));
        world.move_collider(ball, place, turn).expect("it is there");
        world.step(FRAME).expect("a sound step");
        (world.contacts().count(), world.drain_events().count())
    };
    for n in 0..600 {
        frame(n);
    }
    let before = ALLOCATOR.calls();
    let mut touching = usize::MAX;
    for n in 600..720 {
        touching = touching.min(frame(n).0);
    }
    let calls = ALLOCATOR.calls() - before;
    println!("at least {touching} places touch, {calls} allocations");
    assert!(touching > 20, "they lie on one another: {touching}");
    assert_eq!(calls, 0);
}
