//! Rods that came to rest cost nothing, stay where they are, and wake when something acts on them.

use std::{sync::Arc, time::Instant};

use glam::{DQuat, DVec3, Quat, Vec3};
use lariat::prelude::*;

use super::SOLVERS;
use crate::common::{FRAME, breeze, built, line, net, positions, rod, run, soft, world};

fn sleepy() -> Settings {
    Settings {
        sleep: Some(SleepSettings::default()),
        substeps: 4,
        ..crate::common::settings(4, 8)
    }
}

/// Hangs at rest under its weight, nearly: it settles within a second.
fn hanging(solver: Solver) -> (RodWorld, RodId) {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, 12))
        .material(soft(500.0, 0.01))
        .clamp_start();
    let mut world = world(sleepy());
    let options = RodOptions {
        solver,
        drag: 4.0,
        ..RodOptions::default()
    };
    let id = world.insert_with(built(&rope), options).expect("a sound rod");
    (world, id)
}

fn asleep(solver: Solver) -> (RodWorld, RodId) {
    let (mut world, id) = hanging(solver);
    for _ in 0..600 {
        if rod(&world, id).is_asleep() {
            break;
        }
        run(&mut world, 1);
    }
    assert_eq!(
        world.drain_events().collect::<Vec<_>>(),
        [Event::Slept { rod: id }],
        "{solver:?}"
    );
    (world, id)
}

#[test]
fn a_rod_at_rest_falls_asleep_and_stays() {
    for solver in SOLVERS {
        let (mut world, id) = asleep(solver);
        let sleeper = rod(&world, id);
        assert!((0..sleeper.vertex_count()).all(|v| sleeper.velocity(v) == Vec3::ZERO));
        let (before, time) = (world.state_hash(), world.time());
        run(&mut world, 30);
        assert_eq!(world.state_hash(), before);
        assert!((world.time() - time - 0.5).abs() < 1e-6, "time stands still");
        assert_eq!(world.drain_events().count(), 0);
        // It stopped where it would have come to: within what the slowest allowed motion covers in a second.
        let (mut awake, same) = hanging(solver);
        awake
            .set_settings(Settings {
                sleep: None,
                ..sleepy()
            })
            .expect("sound settings");
        run(&mut awake, 600);
        let off = crate::common::apart(&positions(&world, id), &positions(&awake, same));
        assert!(off < 0.005, "{solver:?}: {off} m from its place");
    }
}

/// Something that is done to a rod and changes it.
type Act = fn(&mut RodMut<'_>) -> Result<(), RodAccessError>;
const ACTS: [Act; 17] = [
    |rod| rod.pin(5),
    |rod| rod.unpin(0),
    |rod| rod.set_target(0, DVec3::Y * 0.001),
    |rod| rod.set_clamp(0, DQuat::from_rotation_x(0.3)),
    |rod| rod.release_clamp(0),
    |rod| rod.hold_segment(3),
    |rod| rod.set_orientation(3, Quat::from_rotation_x(1.0)),
    |rod| rod.set_position(7, DVec3::new(0.1, -0.6, 0.0)),
    |rod| rod.set_velocity(7, Vec3::X),
    |rod| rod.translate(DVec3::X),
    |rod| rod.set_force(7, Vec3::X),
    |rod| rod.set_torque(7, Vec3::X * 0.01),
    |rod| rod.set_gravity_scale(0.9),
    |rod| rod.set_wind_scale(0.9),
    |rod| rod.set_drag(1.0),
    |rod| rod.break_segment(4),
    |rod| {
        rod.wake();
        Ok(())
    },
];

#[test]
fn whatever_acts_on_a_rod_wakes_it() {
    let (still, id) = asleep(SOLVERS[0]);
    for (n, act) in ACTS.into_iter().enumerate() {
        let mut world = still.clone();
        act(&mut world.rod_mut(id).expect("the rod is there")).expect("a sound act");
        run(&mut world, 1);
        assert_eq!(
            world.drain_events().collect::<Vec<_>>(),
            [Event::Woke { rod: id }],
            "act {n}"
        );
        assert!(!rod(&world, id).is_asleep());
    }
    // What changes nothing does not: a hand that holds still, a force that was there before.
    let mut world = still.clone();
    let frame = rod(&world, id).orientation(0);
    let before = world.state_hash();
    for _ in 0..3 {
        let mut same = world.rod_mut(id).expect("the rod is there");
        same.set_target(0, DVec3::ZERO).expect("pinned");
        same.pin(0).expect("pinned");
        same.set_force(7, Vec3::ZERO).expect("a sound force");
        same.set_torque(7, Vec3::ZERO).expect("a sound torque");
        same.set_drag(4.0).expect("a sound drag");
        same.set_orientation(0, frame).expect("a rotation");
        same.release_segment(2).expect("not held");
        run(&mut world, 1);
    }
    assert_eq!(world.drain_events().count(), 0);
    assert_eq!(world.state_hash(), before);
}

/// What makes another rod of it, or ties it to something, wakes it too; what is tied does not sleep.
#[test]
fn cutting_reeling_and_tying_wake() {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, 12))
        .material(soft(500.0, 0.01))
        .pin(0);
    let mut still = world(sleepy());
    let damped = RodOptions {
        drag: 4.0,
        ..RodOptions::default()
    };
    let id = still.insert_with(built(&rope), damped).expect("a sound rod");
    still
        .rod_mut(id)
        .expect("the rod is there")
        .sleep()
        .expect("not frozen");
    run(&mut still, 2);
    assert!(still.drain_events().eq([Event::Slept { rod: id }]));
    let woke = |mut world: RodWorld, act: &str| {
        run(&mut world, 1);
        assert!(
            world.drain_events().any(|event| event == Event::Woke { rod: id }),
            "{act}"
        );
        assert!(world.ids().all(|id| !rod(&world, id).is_asleep()), "{act}");
        world
    };
    let mut cut = still.clone();
    cut.cut(id, RodPoint::Arc(0.5)).expect("a sound cut");
    woke(cut, "a cut");
    for by in [0.001, -0.3] {
        let mut reeled = still.clone();
        reeled.reel(id, RodEnd::Start, by).expect("long enough");
        woke(reeled, "a winch");
    }
    let mut tied = still.clone();
    let spec = AttachmentSpec::ball(id, RodPoint::End, TieTo::Point(DVec3::NEG_Y));
    let hook = tied.attach(spec).expect("a sound tie");
    let mut tied = woke(tied, "a tie");
    tied.rod_mut(id).expect("the rod is there").sleep().expect("not frozen");
    tied.move_attachment(hook, DVec3::new(0.3, -0.8, 0.0))
        .expect("it is there");
    run(&mut tied, 30);
    assert!(rod(&tied, id).position(12).x > 0.1, "it was not drawn along");
    tied.detach(hook).expect("it is there");
    run(&mut tied, 600);
    assert!(rod(&tied, id).is_asleep(), "free again, it may sleep");
}

#[test]
fn settings_wake_everybody() {
    let (still, id) = asleep(SOLVERS[2]);
    for settings in [
        Settings {
            gravity: Vec3::X,
            ..sleepy()
        },
        Settings {
            wind: Some(breeze()),
            ..sleepy()
        },
        Settings {
            sleep: None,
            ..sleepy()
        },
    ] {
        let mut world = still.clone();
        world.set_settings(settings).expect("sound settings");
        run(&mut world, 1);
        assert_eq!(world.drain_events().collect::<Vec<_>>(), [Event::Woke { rod: id }]);
    }
    let mut world = still.clone();
    let more = Settings {
        iterations: 20,
        ..sleepy()
    };
    world.set_settings(more).expect("sound settings");
    run(&mut world, 1);
    assert!(rod(&world, id).is_asleep(), "how it is solved does not act on a rod");
}

#[test]
fn gusts_let_nobody_sleep() {
    let blown = |wavelength: f32| {
        let (mut world, id) = hanging(SOLVERS[0]);
        // A breath: far below what would move a rope visibly.
        let wind = Wind {
            wavelength,
            ..Wind::steady(Vec3::X * 0.001)
        };
        let settings = Settings {
            wind: Some(wind),
            ..sleepy()
        };
        world.set_settings(settings).expect("sound settings");
        run(&mut world, 300);
        rod(&world, id).is_asleep()
    };
    assert!(blown(f32::INFINITY), "a steady wind is something to rest against");
    assert!(!blown(5.0));
}

/// A swing of 5 cm that nothing damps but the method: it is slow where it turns, and must not be caught there.
#[test]
fn a_pendulum_is_not_caught_where_it_turns() {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::new(0.05, -1.0, 0.0), 8)).pin(0);
    let mut world = world(sleepy());
    let options = RodOptions {
        solver: SOLVERS[1],
        ..RodOptions::default()
    };
    let id = world.insert_with(built(&rope), options).expect("a sound rod");
    run(&mut world, 300);
    assert_eq!(world.drain_events().count(), 0);
    assert!(!rod(&world, id).is_asleep());
}

/// Twist that relaxes slowly moves no vertex, and is motion all the same.
#[test]
fn a_segment_that_turns_on_the_spot_keeps_its_rod_awake() {
    let viscous = soft(1e4, 0.01).with_damping(Damping::Time(20.0));
    let rope = line(1.0, 8).material(viscous).clamp_start().pin_last();
    let mut world = world(Settings {
        gravity: Vec3::ZERO,
        ..sleepy()
    });
    let id = world.insert(built(&rope)).expect("a sound rod");
    let mut twisted = world.rod_mut(id).expect("the rod is there");
    twisted.set_torque(7, Vec3::X * 0.3).expect("a sound torque");
    run(&mut world, 90);
    let slow = rod(&world, id);
    assert!((0..9).all(|v| slow.velocity(v).length() < 1e-3), "the vertices move");
    assert!(!slow.is_asleep());
    assert!(slow.twist(3).abs() > 1e-3, "nothing turned: {}", slow.twist(3));
}

/// In a block of like rods some sleep: they stay bit for bit, and the others go as if they were alone.
#[test]
fn sleepers_share_a_block_with_others() {
    for solver in SOLVERS {
        let rope = Arc::new(built(&line(1.0, 12).material(soft(500.0, 0.01)).pin(0)));
        let build = |count: usize| {
            let mut world = world(sleepy());
            let ids: Vec<RodId> = (0..count)
                .map(|n| {
                    let options = RodOptions {
                        solver,
                        velocity: Vec3::new(0.0, 0.1 * n as f32, 0.3),
                        ..RodOptions::default()
                    };
                    world.insert_with(rope.clone(), options).expect("a sound rod")
                })
                .collect();
            run(&mut world, 10);
            (world, ids)
        };
        let (mut alone, _) = build(8);
        run(&mut alone, 20);
        // Several awake, and only one.
        for awake in [vec![2, 5, 6], vec![3]] {
            let (mut world, ids) = build(8);
            for (n, &id) in ids.iter().enumerate() {
                if !awake.contains(&n) {
                    world
                        .rod_mut(id)
                        .expect("the rod is there")
                        .sleep()
                        .expect("not frozen");
                }
            }
            let before: Vec<_> = ids.iter().map(|&id| state(&world, id)).collect();
            run(&mut world, 20);
            for (n, &id) in ids.iter().enumerate() {
                let expected = if awake.contains(&n) {
                    state(&alone, id)
                } else {
                    before[n].clone()
                };
                assert!(state(&world, id) == expected, "{solver:?}: rod {n}");
            }
            let slept = world
                .drain_events()
                .filter(|event| matches!(event, Event::Slept { .. }))
                .count();
            assert_eq!(slept, 8 - awake.len());
            // One that wakes falls on from where it was.
            let first = (0..8).find(|n| !awake.contains(n)).expect("one sleeps");
            world.rod_mut(ids[first]).expect("the rod is there").wake();
            run(&mut world, 20);
            let fallen = positions(&world, ids[first]);
            assert!(
                fallen[12].y < before[first].0[12].y - 0.01,
                "{solver:?}: it hangs in the air"
            );
        }
    }
}

fn state(world: &RodWorld, id: RodId) -> (Vec<DVec3>, Vec<Vec3>, Vec<Quat>) {
    let rod = rod(world, id);
    (
        positions(world, id),
        (0..rod.vertex_count()).map(|v| rod.velocity(v)).collect(),
        (0..rod.segment_count()).map(|s| rod.orientation(s)).collect(),
    )
}

#[test]
fn graphs_sleep_too_and_sleep_can_be_forbidden() {
    let net = built(&RodSpec::new(net(4)).material(soft(300.0, 0.01)).pin(12).pin(15));
    let mut world = world(sleepy());
    let options = RodOptions {
        drag: 3.0,
        ..RodOptions::default()
    };
    let [tired, restless] = [(); 2].map(|()| world.insert_with(net.clone(), options).expect("a sound rod"));
    let mut never = world.rod_mut(restless).expect("the rod is there");
    never.set_sleep_allowed(false).expect("not frozen");
    run(&mut world, 600);
    assert!(rod(&world, tired).is_asleep());
    assert!(!rod(&world, restless).is_asleep());
    assert!(!rod(&world, restless).is_sleep_allowed());
    let mut woken = world.rod_mut(tired).expect("the rod is there");
    woken.set_sleep_allowed(false).expect("not frozen");
    assert!(!rod(&world, tired).is_asleep());
}

#[test]
fn bad_sleep_settings_are_refused() {
    for (speed, seconds) in [(f32::NAN, 1.0), (-1.0, 1.0), (0.01, 0.0), (0.01, f32::INFINITY)] {
        let settings = Settings {
            sleep: Some(SleepSettings { speed, seconds }),
            ..Settings::default()
        };
        assert!(RodWorld::new(settings).is_err(), "{speed} {seconds}");
    }
}

/// Ten thousand ropes that sleep. Awake they take hundreds of milliseconds a step; the bound leaves room for a busy machine.
#[test]
fn sleeping_ropes_cost_nothing() {
    let rope = Arc::new(built(&line(1.0, 16).pin(0)));
    let ring = Arc::new(built(
        &RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 12)).pin(0),
    ));
    let mut world = RodWorld::default();
    let ids: Vec<RodId> = (0..10_000)
        .map(|n| {
            let description = if n % 4 == 0 { &ring } else { &rope };
            world.insert(description.clone()).expect("a sound rod")
        })
        .collect();
    for &id in &ids {
        world
            .rod_mut(id)
            .expect("the rod is there")
            .sleep()
            .expect("not frozen");
    }
    run(&mut world, 2);
    let fastest = (0..20)
        .map(|_| {
            let start = Instant::now();
            world.step(FRAME).expect("a sound step");
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    println!("10,000 sleeping rods: {:.1} µs a step", fastest * 1e6);
    assert!(fastest < 2e-4, "{fastest} s");
}
