//! A rod that is carried elsewhere goes on as it would have, seen from there.

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use super::SOLVERS;
use crate::common::{placed, positions, rod, run, world, zoo};

/// Every kind of rod, swinging, some pins led.
fn swinging(solver: Solver, interpolation: bool) -> (RodWorld, Vec<RodId>) {
    let mut world = world(Settings {
        interpolation,
        ..crate::common::settings(2, 12)
    });
    let ids = (zoo().into_iter().enumerate())
        .map(|(n, rod)| {
            let options = RodOptions { solver, ..placed(n) };
            world.insert_with(rod, options).expect("a sound rod")
        })
        .collect::<Vec<_>>();
    run(&mut world, 6);
    for &id in &ids {
        let origin = rod(&world, id).origin();
        // Rods whose first vertex is free have nothing to lead.
        let _ = (world.rod_mut(id).expect("the rod is there")).set_target(0, origin + DVec3::new(0.01, 0.02, 0.0));
    }
    (world, ids)
}

/// Without a rotation nothing of the state changes, not a bit, ten thousand kilometres away.
#[test]
fn a_translation_is_exact_at_any_distance() {
    for solver in SOLVERS {
        let (mut here, ids) = swinging(solver, false);
        let mut there = here.clone();
        let far = DVec3::new(1e7, -2e6, 3e5);
        for &id in &ids {
            let mut rod = there.rod_mut(id).expect("the rod is there");
            rod.teleport(far, DQuat::IDENTITY, DVec3::splat(0.3)).expect("a number");
        }
        assert_eq!(there.state_hash(), here.state_hash());
        run(&mut here, 20);
        run(&mut there, 20);
        assert_eq!(there.state_hash(), here.state_hash(), "{solver:?}");
        for &id in &ids {
            // Origins are rounded where they are, once.
            let off = rod(&there, id).origin() - rod(&here, id).origin() - far;
            assert!(off.length() < 1e-8);
        }
    }
}

/// Turned about the vertical, gravity is as before: the motion is the same motion, turned. BDF2 and damping look back, and targets lie ahead.
#[test]
fn a_rotation_turns_all_that_follows() {
    let (turn, about, shift) = (
        DQuat::from_rotation_y(2.0),
        DVec3::new(3.0, 1.0, -2.0),
        DVec3::new(20.0, 5.0, 0.0),
    );
    for solver in SOLVERS {
        let (mut here, ids) = swinging(solver, true);
        let mut there = here.clone();
        let speed = |world: &RodWorld, id| rod(world, id).velocity(5).as_dvec3();
        for &id in &ids {
            let mut rod = there.rod_mut(id).expect("the rod is there");
            rod.teleport(shift, turn, about).expect("a number");
            assert!((turn * speed(&here, id)).distance(speed(&there, id)) < 1e-6);
        }
        for frames in [0, 1, 5] {
            run(&mut here, frames);
            run(&mut there, frames);
            for (n, &id) in ids.iter().enumerate() {
                let expected = |place: DVec3| about + turn * (place - about) + shift;
                let off = (positions(&here, id).into_iter().zip(positions(&there, id)))
                    .map(|(a, b)| expected(a).distance(b))
                    .fold(0.0, f64::max);
                // The rounding of single precision, and what a few frames of swinging make of it; a past that stayed behind is off by millimetres.
                assert!(off < 2e-4, "{solver:?}: rod {n} after {frames} frames: {off} m");
                // Drawn between the steps it is not smeared either: it is the same pose, turned.
                let (a, b) = (rod(&here, id), rod(&there, id));
                let off = expected(a.interpolated_position(5, 0.3)).distance(b.interpolated_position(5, 0.3));
                assert!(off < 2e-4, "{solver:?}: rod {n} is smeared by {off} m");
                let (a, b) = (a.interpolated_orientation(4, 0.3), b.interpolated_orientation(4, 0.3));
                assert!((turn.as_quat() * a).dot(b).abs() > 1.0 - 1e-4);
            }
        }
    }
}

#[test]
fn bad_teleports_change_nothing() {
    let (mut world, ids) = swinging(SOLVERS[0], false);
    let before = (world.state_hash(), rod(&world, ids[0]).origin());
    let mut rod = world.rod_mut(ids[0]).expect("the rod is there");
    let (zero, same) = (DVec3::ZERO, DQuat::IDENTITY);
    assert!(rod.teleport(DVec3::NAN, same, zero).is_err());
    assert!(rod.teleport(zero, same, DVec3::INFINITY).is_err());
    assert!(rod.teleport(zero, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), zero).is_err());
    assert!(rod.teleport(zero, DQuat::NAN, zero).is_err());
    assert!(rod.teleport(DVec3::splat(2e18), same, zero).is_err());
    let after = (world.state_hash(), crate::common::rod(&world, ids[0]).origin());
    assert_eq!(after, before);
}

#[test]
fn a_teleport_wakes() {
    let (mut world, ids) = swinging(SOLVERS[0], false);
    let mut rod = world.rod_mut(ids[0]).expect("the rod is there");
    rod.sleep().expect("not frozen");
    rod.teleport(DVec3::X, DQuat::IDENTITY, DVec3::ZERO).expect("a number");
    run(&mut world, 1);
    let moving = crate::common::rod(&world, ids[0]);
    assert!(!moving.is_asleep() && moving.velocity(7) != Vec3::ZERO);
}
