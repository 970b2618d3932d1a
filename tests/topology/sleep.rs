//! Whoever changes a rod wakes it, and a snapshot holds what it has become.

use glam::DVec3;
use lariat::prelude::*;

use crate::{common::*, support::*};

type Change = fn(&mut RodWorld, RodId);

const CHANGES: [Change; 6] = [
    |world, id| drop(world.cut(id, RodPoint::Arc(0.6)).expect("sound")),
    |world, id| drop(world.reel(id, RodEnd::Start, 0.01).expect("sound")),
    |world, id| drop(world.reel(id, RodEnd::End, 0.3).expect("sound")),
    |world, id| drop(world.reel(id, RodEnd::End, -0.3).expect("sound")),
    |world, id| world.set_load(id, 8, 0.5).expect("sound"),
    |world, id| world.set_material(id, &soft(100.0, 0.5)).expect("sound"),
];

fn sagging(solver: Solver) -> (RodWorld, RodId) {
    let mut world = world(Settings {
        interpolation: true,
        ..settings(2, 8)
    });
    let limit = Yield::At {
        strain: 0.002,
        curvature: 0.1,
    };
    let rope = line(1.0, 8).material(soft(400.0, 0.05)).clamp_start().yields(limit);
    let id = world.insert_with(built(&rope), with_solver(solver)).expect("room");
    run(&mut world, 20);
    (world, id)
}

#[test]
fn a_sleeping_rod_that_is_changed_wakes() {
    for solver in SOLVERS {
        for change in CHANGES {
            let (mut world, id) = sagging(solver);
            world.rod_mut(id).expect("there").sleep().expect("sound");
            run(&mut world, 3);
            assert!(rod(&world, id).is_asleep());
            change(&mut world, id);
            assert!(!rod(&world, id).is_asleep());
            let before = positions(&world, id);
            // Until the next step it is drawn where it is.
            for (v, place) in before.iter().enumerate() {
                let drawn = rod(&world, id).interpolated_position(v, 0.0);
                assert!(drawn.distance(*place) < 1e-6, "{drawn} {place}");
            }
            run(&mut world, 5);
            assert!(apart(&positions(&world, id), &before) > 1e-4);
        }
    }
}

#[test]
fn a_snapshot_holds_what_a_rod_has_become() {
    for solver in SOLVERS {
        for change in CHANGES {
            let (mut world, id) = sagging(solver);
            change(&mut world, id);
            let snapshot = world.snapshot();
            let stored = serde_json::to_string(&snapshot).expect("plain numbers");
            run(&mut world, 10);
            let hash = world.state_hash();
            let mut other = world.clone();
            world.restore(&snapshot);
            run(&mut world, 10);
            assert_eq!(world.state_hash(), hash);
            let read: Snapshot = serde_json::from_str(&stored).expect("sound");
            other.restore(&read);
            run(&mut other, 10);
            assert_eq!(other.state_hash(), hash);
            assert!(rod(&other, id).position(1).distance(DVec3::ZERO) > 0.0);
        }
    }
}
