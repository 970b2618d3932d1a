//! Pins, their targets, and what else is said to a pinned vertex.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

const FRAME: f32 = 1.0 / 60.0;

fn worlds() -> Vec<(RodWorld, RodId)> {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8))
        .material(Material::rigidity(100.0, 100.0, 0.01, 0.01, 0.1))
        .pin(0);
    [Solver::default(), Solver::GROOM, Solver::XPBD]
        .into_iter()
        .map(|solver| {
            let mut world = RodWorld::default();
            let options = RodOptions {
                solver,
                ..RodOptions::default()
            };
            let id = world
                .insert_with(rope.build().expect("a sound rope"), options)
                .expect("a sound rod");
            (world, id)
        })
        .collect()
}

/// Acts on the rod, steps, and answers where vertex 0 is.
fn led(world: &mut RodWorld, id: RodId, act: impl FnOnce(&mut RodMut) -> Result<(), RodAccessError>) -> DVec3 {
    act(&mut world.rod_mut(id).expect("the rod is there")).expect("a sound call");
    world.step(FRAME).expect("a sound step");
    world.rod(id).expect("the rod is there").position(0)
}

#[test]
fn a_target_is_reached_exactly_and_then_held() {
    let target = DVec3::new(0.01, 0.02, -0.03);
    for (mut world, id) in worlds() {
        // Both parts of a position hold far more than a nanometre.
        assert!(led(&mut world, id, |rod| rod.set_target(0, target)).distance(target) < 1e-9);
        assert!(led(&mut world, id, |_| Ok(())).distance(target) < 1e-9);
    }
}

#[test]
fn pinning_forgets_the_target() {
    for (mut world, id) in worlds() {
        let place = led(&mut world, id, |rod| {
            rod.set_target(0, DVec3::Y)?;
            rod.pin(0)
        });
        assert_eq!(place, DVec3::ZERO);
    }
}

#[test]
fn a_target_is_a_place_in_the_world() {
    let target = DVec3::new(5.0, 0.01, 0.0);
    for (mut world, id) in worlds() {
        let place = led(&mut world, id, |rod| {
            rod.set_target(0, target)?;
            rod.translate(DVec3::X * 5.0)
        });
        assert!(place.distance(target) < 1e-9, "{place}");
    }
}

#[test]
fn a_velocity_does_not_carry_a_pin_away() {
    for (mut world, id) in worlds() {
        assert_eq!(led(&mut world, id, |rod| rod.set_velocity(0, Vec3::Y)), DVec3::ZERO);
    }
}
