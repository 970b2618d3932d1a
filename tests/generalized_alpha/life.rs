//! A rod's life: what is refused, changed, stored, repeated.

use glam::{DQuat, DVec3, Quat, Vec3};
use lariat::{
    prelude::*,
    solver::{Rho, Thousandths, Unsupported},
};

use super::{SOLVER, by, change, hair, patient, step, with};
use crate::common::{apart, built, line, net, positions, rod, soft, world};

fn wire(segments: u32) -> RodSpec {
    line(1.0, segments).material(soft(1e4, 0.02)).clamp_start()
}

fn refused(spec: &RodSpec) -> Unsupported {
    let mut world = world(patient());
    match world.insert_with(built(spec), by(SOLVER)) {
        Err(InsertError::Unsupported(reason)) => {
            assert!(world.is_empty());
            reason
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_it_can_not_move_is_refused() {
    let circle = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21)).material(soft(200.0, 0.05));
    assert_eq!(refused(&circle), Unsupported::Chain);
    let net = RodSpec::new(net(3)).material(soft(200.0, 0.05));
    assert_eq!(refused(&net), Unsupported::Chain);
    assert_eq!(refused(&wire(8).pin(3)), Unsupported::InnerPin { vertex: 3 });
    assert_eq!(
        refused(&wire(8).hold_segment(2)),
        Unsupported::HeldSegment { segment: 2 }
    );
    assert_eq!(
        refused(&wire(8).material(soft(1e4, 0.0))),
        Unsupported::Limp { joint: 0 }
    );
    let weak = wire(8).break_at(BreakLimit::Strain(0.1));
    assert_eq!(refused(&weak), Unsupported::Breakable { segment: 0 });

    let mut world = world(patient());
    let bad = |rho| RodOptions {
        solver: Solver::GeneralizedAlpha { rho },
        ..RodOptions::default()
    };
    for (rho, name) in [
        (Rho::radius(1.5), "solver.rho"),
        (Rho::weights(0.9, 0.0, 0.7), "solver.rho.alpha"),
        (Rho::weights(0.3, 0.9, 0.7), "solver.rho.beta"),
        (Rho::weights(0.3, 0.0, 0.2), "solver.rho.gamma"),
    ] {
        match world.insert_with(built(&wire(8)), bad(rho)) {
            Err(InsertError::BadOption { field, .. }) => assert_eq!(field, name),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_it_can_not_do_is_refused_and_changes_nothing() {
    let (mut world, id) = with(&wire(8), SOLVER, patient());
    step(&mut world, 0.01, 3);
    let before = world.state_hash();
    let mut held = world.rod_mut(id).expect("the rod is there");
    let unsupported = |answer: Result<(), RodAccessError>| matches!(answer, Err(RodAccessError::Unsupported(_)));
    assert!(unsupported(held.pin(4)));
    assert!(unsupported(held.hold_segment(4)));
    assert!(unsupported(held.break_segment(4)));
    let tie = AttachmentSpec::ball(id, RodPoint::Vertex(8), TieTo::Point(DVec3::ZERO));
    assert!(matches!(
        world.attach(tie),
        Err(AttachError::Unsupported(Unsupported::Attachment))
    ));
    assert_eq!(world.state_hash(), before);
    // Its ends can be held.
    change(&mut world, id, |rod| rod.pin(8));
}

#[test]
fn the_choice_is_stored_as_it_is_written() {
    let solver = Solver::GeneralizedAlpha {
        rho: Rho::weights(0.3, 0.0, 0.7),
    };
    let text = ron::to_string(&solver).expect("ron");
    assert_eq!(text, "GeneralizedAlpha(rho:Weights(alpha:0.3,beta:0.0,gamma:0.7))");
    assert_eq!(ron::from_str::<Solver>(&text), Ok(solver));
    let text = serde_json::to_string(&SOLVER).expect("json");
    assert_eq!(text, r#"{"GeneralizedAlpha":{"rho":{"Radius":0.5}}}"#);
    assert_eq!(serde_json::from_str::<Solver>(&text).expect("json"), SOLVER);
    assert_eq!(ron::from_str::<Solver>("GeneralizedAlpha()"), Ok(SOLVER));
    assert!(serde_json::from_str::<Thousandths>("0.12345").is_err());
}

/// Rods of several kinds, pushed about.
fn busy(threads: usize) -> (RodWorld, Vec<RodId>) {
    let mut world = world(Settings {
        substeps: 2,
        iterations: 8,
        threads: Some(threads),
        wind: Some(crate::common::breeze()),
        ..Settings::default()
    });
    let mut ids = Vec::new();
    for k in 0..10 {
        let spec = match k % 3 {
            0 => wire(12),
            1 => hair(20, true),
            _ => line(1.0, 12).material(soft(1e4, 0.05)).pin(0).pin_last(),
        };
        let options = RodOptions {
            solver: SOLVER,
            ..crate::common::placed(k)
        };
        ids.push(world.insert_with(built(&spec), options).expect("a sound rod"));
    }
    (world, ids)
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads() {
    let hashes = [1, 2, 3].map(|threads| {
        let (mut world, _) = busy(threads);
        step(&mut world, 1.0 / 60.0, 40);
        world.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn a_snapshot_goes_on_bit_for_bit() {
    let (mut first, ids) = busy(1);
    step(&mut first, 1.0 / 60.0, 15);
    let kept = first.snapshot();
    let text = serde_json::to_string(&kept).expect("json");
    step(&mut first, 1.0 / 60.0, 15);
    let mut second = world(patient());
    second.restore(&kept);
    step(&mut second, 1.0 / 60.0, 15);
    assert_eq!(first.state_hash(), second.state_hash());
    let stored: Snapshot = serde_json::from_str(&text).expect("json");
    let mut third = world(patient());
    third.restore(&stored);
    step(&mut third, 1.0 / 60.0, 15);
    assert_eq!(first.state_hash(), third.state_hash());
    for id in ids {
        for segment in 0..12 {
            assert_eq!(rod(&first, id).tension(segment), rod(&third, id).tension(segment));
        }
    }
}

#[test]
fn a_teleported_rod_swings_on_as_if_it_had_always_been_there() {
    let (mut moved, id) = with(&wire(16), SOLVER, patient());
    step(&mut moved, 1e-3, 200);
    let turn = DQuat::from_rotation_y(1.2);
    change(&mut moved, id, |rod| {
        rod.teleport(DVec3::new(1e4, 3.0, 0.0), turn, DVec3::ZERO)
    });
    let (mut stayed, other) = with(&wire(16), SOLVER, patient());
    step(&mut stayed, 1e-3, 200);
    for world in [&mut moved, &mut stayed] {
        step(world, 1e-3, 200);
    }
    let expected: Vec<DVec3> = (positions(&stayed, other).iter())
        .map(|place| turn * *place + DVec3::new(1e4, 3.0, 0.0))
        .collect();
    // One step by Euler where its past is made again, and rows in single precision.
    assert!(apart(&positions(&moved, id), &expected) < 1e-3);
}

#[test]
fn a_kick_and_a_pose_set_from_outside_are_taken_over() {
    let (mut world, id) = with(&wire(16), SOLVER, patient());
    step(&mut world, 1e-3, 20);
    let before = rod(&world, id).position(16);
    change(&mut world, id, |rod| {
        for vertex in 1..=16 {
            rod.set_velocity(vertex, Vec3::Z * (4.0 * vertex as f32 / 16.0))?;
        }
        Ok(())
    });
    step(&mut world, 1e-3, 10);
    let moved = rod(&world, id).position(16) - before;
    // 4 m/s for 10 ms; bending and the arc take a little of it.
    assert!((moved.z - 0.04).abs() < 0.004, "{moved}");
    let frame = rod(&world, id).orientation(15);
    change(&mut world, id, |rod| {
        let place = rod_place(16);
        rod.set_position(16, place)?;
        rod.set_orientation(15, Quat::from_rotation_y(0.2) * frame)
    });
    step(&mut world, 1e-3, 5);
    assert!(rod(&world, id).position(16).is_finite() && rod(&world, id).stretch().abs() < 1e-6);
}

fn rod_place(vertex: usize) -> DVec3 {
    DVec3::new(vertex as f64 / 16.0, 0.02, 0.05)
}

#[test]
fn a_rod_that_is_let_go_flies_on() {
    // Pinned at its start, swinging; let go, its centre moves like a stone.
    let spec = line(0.4, 10).material(soft(1e4, 0.5)).pin(0);
    let (mut world, id) = with(&spec, SOLVER, patient());
    step(&mut world, 1e-3, 150);
    change(&mut world, id, |rod| rod.unpin(0));
    let centre = |world: &RodWorld| {
        let masses: Vec<f64> = rod(world, id).description().vertices().iter().map(|v| v.mass).collect();
        let sum: DVec3 = positions(world, id).iter().zip(&masses).map(|(p, m)| *p * *m).sum();
        sum / masses.iter().sum::<f64>()
    };
    let speed = {
        let before = centre(&world);
        step(&mut world, 1e-3, 1);
        (centre(&world) - before) / 1e-3
    };
    let start = centre(&world);
    step(&mut world, 1e-3, 200);
    let t = 0.2;
    let expected = start + speed * t + DVec3::NEG_Y * (0.5 * 9.81 * t * (t + 1e-3));
    let gone = centre(&world);
    assert!(gone.distance(expected) < 2e-3, "{gone} {expected}");
}

#[test]
fn senseless_loads_leave_everything_finite() {
    let (mut world, id) = with(&hair(20, true), SOLVER, patient());
    let other = world.insert_with(built(&wire(20)), by(SOLVER)).expect("a sound rod");
    change(&mut world, id, |rod| rod.set_force(20, Vec3::splat(1e17)));
    step(&mut world, 1.0 / 60.0, 5);
    for id in [id, other] {
        assert!(positions(&world, id).iter().all(|place| place.is_finite()));
    }
    assert!(rod(&world, other).position(20).y < 0.0, "the other goes on");
}

#[test]
fn a_cut_rod_is_two() {
    let (mut world, id) = with(&wire(16), SOLVER, patient());
    step(&mut world, 1e-2, 5);
    world.cut(id, RodPoint::Vertex(8)).expect("a cut");
    step(&mut world, 1e-2, 20);
    assert_eq!(world.len(), 2);
    for id in world.ids().collect::<Vec<_>>() {
        assert!(!rod(&world, id).is_quarantined());
        assert!(rod(&world, id).stretch().abs() < 1e-5);
    }
}
