//! The same bits at any number of threads, in any lane, beside any neighbour, and from every arithmetic but the fused one.

use glam::Vec3;
use lariat::prelude::*;

use crate::{
    LONG_RANGE, MODIFIED, PBD,
    common::{apart, breeze, placed, positions, rod, run, settings, world, zoo},
};

const SOLVERS: [Solver; 4] = [Solver::XPBD, PBD, MODIFIED, LONG_RANGE];

fn busy(threads: usize, arithmetic: Arithmetic) -> RodWorld {
    let mut world = world(Settings {
        threads: Some(threads),
        arithmetic,
        wind: Some(breeze()),
        ..settings(3, 4)
    });
    for (n, description) in (0..5).flat_map(|_| zoo()).enumerate() {
        let options = RodOptions {
            solver: SOLVERS[n % 4],
            ..placed(n)
        };
        let id = world.insert_with(description, options).expect("a sound rod");
        let mut rod = world.rod_mut(id).expect("just inserted");
        if n % 4 == 1 {
            rod.set_force(7, Vec3::new(0.0, 0.3, 0.1)).expect("a sound force");
        }
        if n % 5 == 2 {
            rod.set_torque(3, Vec3::new(0.01, 0.0, 0.02)).expect("a sound torque");
        }
    }
    world
}

fn hash(mut world: RodWorld) -> u64 {
    run(&mut world, 15);
    world.state_hash()
}

#[test]
fn threads_and_arithmetic_do_not_matter() {
    for arithmetic in [Arithmetic::Fast, Arithmetic::Reproducible] {
        let one = hash(busy(1, arithmetic));
        assert_eq!(hash(busy(2, arithmetic)), one);
        assert_eq!(hash(busy(8, arithmetic)), one);
    }
    assert_eq!(
        hash(busy(1, Arithmetic::Scalar)),
        hash(busy(1, Arithmetic::Reproducible))
    );
    // Fused multiply–add rounds otherwise, and no more than that.
    let (mut fast, mut exact) = (busy(1, Arithmetic::Fast), busy(1, Arithmetic::Reproducible));
    run(&mut fast, 6);
    run(&mut exact, 6);
    for id in exact.ids().collect::<Vec<_>>() {
        let off = apart(&positions(&fast, id), &positions(&exact, id));
        assert!(off < 5e-4, "{off:e} m apart");
    }
}

#[test]
fn neighbours_in_a_block_do_not_matter() {
    for solver in SOLVERS {
        for (n, description) in zoo().into_iter().enumerate() {
            let alone = |others: usize| {
                let mut world = world(settings(2, 4));
                let options = |place: usize| RodOptions {
                    solver,
                    ..placed(place)
                };
                for place in 0..others {
                    world
                        .insert_with(description.clone(), options(place + 1))
                        .expect("a sound rod");
                }
                let id = world.insert_with(description.clone(), options(0)).expect("a sound rod");
                run(&mut world, 8);
                let rod = rod(&world, id);
                let places =
                    (0..rod.vertex_count()).flat_map(|v| (rod.position(v) - rod.origin()).to_array().map(f64::to_bits));
                places.collect::<Vec<_>>()
            };
            let first = alone(0);
            assert!(alone(3) == first && alone(9) == first, "{solver:?}, rod {n}");
        }
    }
}
