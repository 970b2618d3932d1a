//! Design §9: a rod that goes non-finite is rolled back, frozen and reported, and nobody else notices.

mod common;

use common::{FRAME, built, line, net, positions, rod, run, settings, soft, world};
use glam::{DVec3, Vec3};
use lariat::prelude::*;

fn rope() -> RodSpec {
    line(1.0, 8).material(soft(100.0, 0.01)).pin(0)
}

/// Ways to drive a rod out of single precision with calls that are each allowed.
const ATTACKS: [fn(&mut RodMut<'_>); 3] = [
    |rod| rod.set_position(5, DVec3::new(9e17, 0.0, 1.0)).expect("a finite place"),
    |rod| rod.set_force(5, Vec3::new(0.0, 9e17, 9e17)).expect("a finite force"),
    |rod| {
        rod.set_velocity(5, Vec3::new(0.0, -9e17, 9e17))
            .expect("a finite velocity")
    },
];

fn events(world: &mut RodWorld) -> Vec<Event> {
    world.drain_events().collect()
}

#[test]
fn a_rod_that_goes_non_finite_is_frozen_alone() {
    // Eight like chains share a block; graphs have one each. Who is frozen does not break any more.
    let graph = RodSpec::new(net(4)).material(soft(100.0, 0.01)).pin(0);
    for spec in [rope(), graph, rope().break_at(BreakLimit::Strain(1e3))] {
        for (kind, attack) in ATTACKS.into_iter().enumerate() {
            let crowd = |sick: bool| {
                let mut world = world(settings(2, 4));
                let ids: Vec<RodId> = (0..8)
                    .map(|n| {
                        let options = RodOptions {
                            velocity: Vec3::X * n as f32,
                            // Double precision would take these in its stride.
                            solver: Solver::GROOM,
                            ..RodOptions::default()
                        };
                        world.insert_with(built(&spec), options).expect("a sound rod")
                    })
                    .collect();
                if !sick {
                    world.remove(ids[3]);
                }
                (world, ids)
            };
            let (mut world, ids) = crowd(true);
            let (mut healthy, _) = crowd(false);
            attack(&mut world.rod_mut(ids[3]).expect("the victim"));
            let mut frames = 0;
            while !rod(&world, ids[3]).is_quarantined() {
                run(&mut world, 1);
                run(&mut healthy, 1);
                frames += 1;
                assert!(frames < 400, "attack {kind} was survived");
                let victim = rod(&world, ids[3]);
                let finite = |v| victim.position(v).is_finite() && victim.velocity(v).is_finite();
                assert!(
                    (0..victim.vertex_count()).all(finite),
                    "attack {kind}: rolled back to nonsense"
                );
            }
            assert_eq!(events(&mut world), [Event::Quarantined { rod: ids[3] }]);
            let (frozen, elsewhere) = (positions(&world, ids[3]), world.clone());
            assert_eq!(
                world.rod_mut(ids[3]).expect("still there").set_force(0, Vec3::X),
                Err(RodAccessError::Quarantined)
            );
            run(&mut world, 20);
            run(&mut healthy, 20);
            assert_eq!(events(&mut world), []);
            assert_eq!(positions(&world, ids[3]), frozen, "frozen");
            assert_ne!(
                positions(&world, ids[2]),
                positions(&elsewhere, ids[2]),
                "the others go on"
            );
            // The others are as in a world without it; so is who takes its place.
            assert!(world.remove(ids[3]).is_some());
            assert_eq!(world.state_hash(), healthy.state_hash());
            world.insert(built(&spec)).expect("a sound rod");
            healthy.insert(built(&spec)).expect("a sound rod");
            run(&mut world, 10);
            run(&mut healthy, 10);
            assert_eq!(world.state_hash(), healthy.state_hash());
        }
    }
}

/// Whatever the settings allow: a rod is finite, or frozen and said to be.
#[test]
fn absurd_gravity_and_speed() {
    for (gravity, velocity, dt) in [
        (1e38, 0.0, FRAME),
        (1e30, 0.0, 100.0),
        (0.0, f32::MAX, FRAME),
        (0.0, 1e38, 100.0),
    ] {
        let mut world = world(Settings {
            gravity: Vec3::Y * gravity,
            ..settings(2, 4)
        });
        let kinds = [line(1.0, 8), RodSpec::new(net(4))].into_iter();
        for (spec, solver) in
            kinds.flat_map(|spec| [Solver::GROOM, Solver::default(), Solver::XPBD].map(|solver| (spec.clone(), solver)))
        {
            let options = RodOptions {
                velocity: Vec3::Y * velocity,
                solver,
                ..RodOptions::default()
            };
            // Speeds that no single-precision square can hold may be refused.
            let Ok(id) = world.insert_with(built(&spec), options) else {
                continue;
            };
            for frame in 0..600 {
                world.step(dt).expect("a sound step");
                let rod = rod(&world, id);
                let finite = |v| rod.position(v).is_finite() && rod.velocity(v).is_finite();
                assert!(
                    (0..rod.vertex_count()).all(finite),
                    "frame {frame} with {gravity:e} m/s² and {velocity:e} m/s"
                );
            }
        }
    }
}
