//! What a host does with a rod: pins, clamps, breaking, long-range attachments, bodies, snapshots.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    LONG_RANGE, MODIFIED, PBD,
    bodies::Bodies,
    change, close,
    common::{built, line, rod, run, settings, soft},
    slowed, with,
};

/// A rope that is much heavier than few iterations can carry.
#[test]
fn long_range_attachments_keep_a_rope_from_stretching() {
    let rope = line(2.0, 32)
        .material(Material::rigidity(1e5, 1e5, 1e-3, 1e-3, 0.2))
        .pin(0);
    let stretch = |solver: Solver| {
        let (mut world, id) = with(built(&rope.clone().load(32, 20.0)), slowed(solver, 1.0), settings(1, 4));
        run(&mut world, 240);
        let rod = rod(&world, id);
        rod.position(32).distance(rod.position(0)) / 2.0 - 1.0
    };
    let (without, with) = (stretch(Solver::XPBD), stretch(LONG_RANGE));
    assert!(without > 0.1, "{without}");
    assert!(with < 1e-4, "{with}");

    // Between two pins both ends hold.
    let rope = line(1.0, 16).material(soft(1e5, 1e-3)).rest_scale(1.05).pin(0).pin(16);
    let (mut world, id) = crate::with(built(&rope), slowed(LONG_RANGE, 1.0), settings(1, 2));
    run(&mut world, 60);
    for v in 1..16 {
        let rod = rod(&world, id);
        let arc = 1.05 * v as f64 / 16.0;
        // The way up comes first and the way down undoes a little of it.
        assert!(rod.position(v).distance(rod.position(0)) < arc + 2e-3);
        assert!(rod.position(v).distance(rod.position(16)) < 1.05 - arc + 1e-5);
    }
}

#[test]
fn an_overloaded_rope_breaks_and_says_so() {
    let rope = line(1.0, 8)
        .material(soft(200.0, 0.01))
        .pin(0)
        .load(8, 4.0)
        .break_at(BreakLimit::Strain(0.15));
    for solver in [Solver::XPBD, PBD, MODIFIED] {
        let (mut world, id) = with(built(&rope), slowed(solver, 0.5), settings(8, 8));
        run(&mut world, 120);
        let broke = world
            .drain_events()
            .filter(|event| matches!(event, Event::Broke { .. }))
            .count();
        assert!(broke >= 1, "{solver:?}");
        assert_eq!(rod(&world, id).broken().len(), broke);
        assert!(rod(&world, id).position(8).y < -3.0, "{solver:?}: the end falls");
        assert!(!rod(&world, id).is_quarantined());
    }
}

/// A weight on a rope hangs still, and the tie tells its weight: the body's mass is part of the vertex.
#[test]
fn a_weight_tied_to_a_rope_hangs() {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, 10))
        .material(Material::rigidity(2e3, 2e3, 1e-2, 1e-2, 0.2).with_damping(Damping::Time(0.003)))
        .pin(0);
    let (mut world, id) = with(built(&rope), slowed(Solver::XPBD, 2.0), settings(60, 20));
    let mut bodies = Bodies::new();
    let mass = 2.0;
    let ball = bodies.ball(1, DVec3::NEG_Y * 1.1, mass, 0.1);
    let to = TieTo::Body {
        body: ball,
        anchor: DVec3::Y * 0.1,
    };
    let tie = world
        .attach(AttachmentSpec::ball(id, RodPoint::End, to))
        .expect("a tie");
    crate::bodies::run(&mut world, &mut bodies, 600);
    let state = world.attachment(tie).expect("the tie");
    close(state.force.y, mass * 9.81, 0.02, "force on the body");
    assert!(state.gap.length() < 1e-3, "{state:?}");
    let rod = rod(&world, id);
    close(rod.tension(0), (mass + 0.19) * 9.81, 0.02, "tension at the top");
    assert!(bodies.get(ball).linear_velocity.length() < 1e-2);
}

/// Pins led about are where they were told; a clamped end turns with its wall; a held segment does not turn.
#[test]
fn pins_clamps_and_held_segments_hold() {
    let rod_spec = line(1.0, 12).material(soft(3000.0, 5.0)).clamp_start();
    let (mut world, id) = with(built(&rod_spec), slowed(Solver::XPBD, 1.0), settings(8, 8));
    change(&mut world, id, |rod| rod.hold_segment(11));
    let held = rod(&world, id).orientation(11);
    for frame in 0..60 {
        let place = DVec3::new(0.0, 0.005 * f64::from(frame), 0.0);
        change(&mut world, id, |rod| rod.set_target(0, place));
        run(&mut world, 1);
        assert!(rod(&world, id).position(0).distance(place) < 1e-9);
    }
    // Normalized once an iteration: some roundings of 1e-7.
    let turned = rod(&world, id).orientation(11) - held;
    assert!(turned.length() < 1e-5, "{turned}");
    let wall = rod(&world, id).clamp_frame(0).expect("a clamp");
    let first = rod(&world, id).orientation(0);
    assert!(first.angle_between(wall) < 0.3);
}

/// Angular velocities are part of the state: a snapshot without them would go another way.
#[test]
fn a_snapshot_holds_the_spin() {
    let rod_spec = line(1.0, 12).material(soft(100.0, 0.02)).clamp_start();
    let (mut world, id) = with(built(&rod_spec), slowed(Solver::XPBD, 0.0), settings(2, 4));
    change(&mut world, id, |rod| rod.set_torque(6, Vec3::new(0.2, 0.0, 0.3)));
    run(&mut world, 10);
    let kept = world.snapshot();
    let text = serde_json::to_string(&kept).expect("a snapshot can be written");
    run(&mut world, 20);
    let hash = world.state_hash();
    world.restore(&kept);
    run(&mut world, 20);
    assert_eq!(world.state_hash(), hash);
    let read: Snapshot = serde_json::from_str(&text).expect("and read");
    let mut other = crate::common::world(settings(1, 1));
    other.restore(&read);
    run(&mut other, 20);
    assert_eq!(other.state_hash(), hash);
}

/// Nothing that is finite stays broken for long, and what is not is frozen and reported.
#[test]
fn a_rod_that_goes_bad_is_quarantined() {
    let rope = line(1.0, 8)
        .material(Material::rigidity(100.0, 100.0, 0.01, 0.01, 1e-9))
        .pin(0);
    let (mut world, id) = with(built(&rope), slowed(Solver::XPBD, 0.0), settings(2, 4));
    let calm = world
        .insert_with(built(&rope), slowed(Solver::XPBD, 0.0))
        .expect("room");
    // A hair of a nanogram is thrown so far that the square is no single-precision number.
    change(&mut world, id, |rod| rod.set_force(5, Vec3::Y * 9e17));
    for _ in 0..10 {
        run(&mut world, 1);
        let rod = rod(&world, id);
        assert!((0..9).all(|v| rod.position(v).is_finite() && rod.velocity(v).is_finite()));
        if rod.is_quarantined() {
            break;
        }
    }
    assert!(rod(&world, id).is_quarantined());
    assert!(!rod(&world, calm).is_quarantined());
    assert!(rod(&world, calm).position(8).is_finite());
}
