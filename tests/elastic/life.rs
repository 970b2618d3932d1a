//! What every rod of a world can do, done by discrete elastic rods.

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    change, close,
    common::{breeze, built, line, net, placed, positions, rod, run, settings, soft, uneven, world, zoo},
    elastic, with,
};

/// The chains of the zoo, each with copies that share its block.
fn chains(world: &mut RodWorld) -> Vec<RodId> {
    let solver = elastic().solver;
    let rods = zoo().into_iter().filter(|rod| solver.takes(rod.topology()));
    rods.enumerate()
        .flat_map(|(n, rod)| (0..1 + 4 * (n % 2)).map(move |copy| (n + 20 * copy, rod.clone())))
        .map(|(n, rod)| {
            let options = RodOptions { solver, ..placed(n) };
            world.insert_with(rod, options).expect("a sound chain")
        })
        .collect()
}

#[test]
fn threads_do_not_change_a_bit() {
    let hash = |threads: usize| {
        let mut world = world(Settings {
            threads: Some(threads),
            wind: Some(breeze()),
            ..settings(2, 6)
        });
        chains(&mut world);
        run(&mut world, 20);
        world.state_hash()
    };
    let one = hash(1);
    assert_eq!(hash(2), one);
    assert_eq!(hash(8), one);
}

#[test]
fn a_snapshot_brings_back_twist_spin_and_all() {
    let mut world = world(settings(2, 8));
    let ids = chains(&mut world);
    for &id in &ids {
        change(&mut world, id, |rod| rod.set_torque(3, Vec3::new(0.5, 0.1, 0.0)));
    }
    run(&mut world, 10);
    let snapshot = world.snapshot();
    let text = ron::to_string(&snapshot).expect("a snapshot is written");
    run(&mut world, 10);
    let after = world.state_hash();
    world.restore(&snapshot);
    run(&mut world, 10);
    assert_eq!(world.state_hash(), after);
    let read: Snapshot = ron::from_str(&text).expect("a snapshot is read");
    let mut other = RodWorld::new(settings(1, 1)).expect("sound settings");
    other.restore(&read);
    run(&mut other, 10);
    assert_eq!(other.state_hash(), after);
}

#[test]
fn loops_and_graphs_are_refused_and_nothing_changes() {
    let ring = built(&RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21)).pin(0));
    let web = built(&RodSpec::new(net(4)).pin(0));
    let mut world = world(settings(1, 8));
    for (rod, topology) in [(ring, Topology::Loop), (web, Topology::Graph)] {
        let solver = elastic().solver;
        let refused = world.insert_with(rod, elastic());
        assert_eq!(refused, Err(InsertError::Topology { solver, topology }));
    }
    assert!(world.is_empty());
}

/// Rods that share a block do not disturb one another, whoever comes and goes.
#[test]
fn a_rod_moves_alike_alone_and_among_others() {
    let spec = line(1.0, 12).material(uneven(2e3, [0.05, 0.1], 0.1)).clamp_start();
    let motion = |others: usize| {
        let mut world = world(settings(1, 8));
        for n in 0..others {
            let options = RodOptions {
                velocity: Vec3::X * n as f32,
                ..elastic()
            };
            world.insert_with(built(&spec), options).expect("a sound rod");
        }
        let id = world.insert_with(built(&spec), elastic()).expect("a sound rod");
        run(&mut world, 20);
        positions(&world, id)
    };
    assert_eq!(motion(0), motion(5));
}

#[test]
fn an_overstrained_segment_breaks_and_the_rest_falls() {
    let spec = line(1.0, 10)
        .material(soft(2e3, 0.01))
        .pin(0)
        .load(10, 30.0)
        .break_at(BreakLimit::Strain(0.1));
    let (mut world, id) = with(&spec, elastic(), settings(2, 8));
    run(&mut world, 60);
    let broke: Vec<Event> = world.drain_events().collect();
    assert!(
        broke.iter().any(|event| matches!(event, Event::Broke { .. })),
        "{broke:?}"
    );
    let rod = rod(&world, id);
    assert!(!rod.broken().is_empty() && !rod.is_quarantined());
    let falling = rod.velocity(10).y;
    assert!(falling < -3.0, "{falling}");
}

/// Calls that are each allowed and together are beyond all measure: the rod is frozen or survives, and nothing is ever NaN.
#[test]
fn absurd_numbers_never_become_nan() {
    type Attack = fn(&mut RodMut<'_>) -> Result<(), RodAccessError>;
    let attacks: [Attack; 5] = [
        |rod| rod.set_position(5, DVec3::new(9e17, 0.0, 1.0)),
        |rod| rod.set_force(5, Vec3::new(0.0, 9e17, 9e17)),
        |rod| rod.set_velocity(5, Vec3::new(0.0, -9e17, 9e17)),
        |rod| rod.set_torque(4, Vec3::new(9e17, 9e17, 0.0)),
        // Two vertices on one spot, and an edge folded back on itself.
        |rod| {
            rod.set_position(5, DVec3::new(0.5, 0.0, 0.0))?;
            rod.set_position(4, DVec3::new(0.5, 0.0, 0.0))?;
            rod.set_position(6, DVec3::new(0.375, 0.0, 0.0))
        },
    ];
    for (n, attack) in attacks.into_iter().enumerate() {
        let spec = line(1.0, 8).material(soft(100.0, 0.01)).clamp_start();
        let mut world = world(settings(2, 4));
        let victim = world.insert_with(built(&spec), elastic()).expect("a sound rod");
        let witness = world.insert_with(built(&spec), elastic()).expect("a sound rod");
        change(&mut world, victim, attack);
        for frame in 0..120 {
            run(&mut world, 1);
            for id in [victim, witness] {
                let rod = rod(&world, id);
                let sound = (0..9).all(|v| rod.position(v).is_finite() && rod.velocity(v).is_finite())
                    && (0..8).all(|s| rod.orientation(s).is_finite() && rod.orientation(s).is_normalized());
                assert!(sound, "attack {n}, frame {frame}");
            }
        }
        assert!(!rod(&world, witness).is_quarantined(), "attack {n}");
        let tip = rod(&world, witness).position(8);
        assert!(tip.y < -0.05 && tip.length() < 1.1, "attack {n}: {tip}");
    }
}

#[test]
fn a_rod_sleeps_wakes_and_is_cut() {
    let spec = line(1.0, 12).material(soft(2e3, 0.05)).clamp_start();
    let world_settings = Settings {
        sleep: Some(SleepSettings::default()),
        ..settings(1, 8)
    };
    let options = RodOptions { drag: 5.0, ..elastic() };
    let (mut world, id) = with(&spec, options, world_settings);
    run(&mut world, 600);
    assert!(rod(&world, id).is_asleep());
    let cut = world.cut(id, RodPoint::Arc(0.54)).expect("a sound cut");
    let piece = cut.piece.expect("two pieces");
    let before = rod(&world, piece).position(0).y;
    run(&mut world, 30);
    let fell = before - rod(&world, piece).position(0).y;
    // With drag c: g/c (t − (1 − e^−ct)/c) = 0.62 m in half a second.
    close(fell, 0.62, 0.1, "fall of the piece");
}

/// A rod is carried elsewhere with its twist: it goes on as if nothing had happened.
#[test]
fn a_teleported_rod_keeps_its_turns() {
    let spec = line(1.0, 8)
        .material(Material::rigidity(1e5, 1e5, 40.0, 1.0, 0.1))
        .clamp_start()
        .clamp_end();
    let options = RodOptions { drag: 5.0, ..elastic() };
    let weightless = Settings {
        gravity: Vec3::ZERO,
        ..settings(1, 8)
    };
    let (mut world, id) = with(&spec, options, weightless);
    let frame = rod(&world, id).description().clamps()[1].frame;
    for step in 1..=120 {
        let wall = frame * DQuat::from_rotation_z(0.5 * f64::from(step));
        change(&mut world, id, |rod| rod.set_clamp(1, wall));
        run(&mut world, 1);
    }
    run(&mut world, 30);
    let before = rod(&world, id).twist(3);
    assert!((before - 60.0 / 8.0).abs() < 0.01, "{before}");
    change(&mut world, id, |rod| {
        rod.teleport(DVec3::new(1e4, 5.0, 0.0), DQuat::from_rotation_y(2.0), DVec3::ZERO)
    });
    run(&mut world, 30);
    let after = rod(&world, id).twist(3);
    assert!((after - before).abs() < 1e-3, "{before} {after}");
}
