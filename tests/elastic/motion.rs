//! Motion: the same as Direct's where both are converged in time.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    change,
    common::{apart, breeze, line, positions, rod, run, settings, soft, uneven},
    elastic,
    scenes::names::DIRECT,
    with,
};

/// With small steps both are as good as exact in time, and differ by what two discretizations of a segment do.
#[test]
fn motion_is_that_of_direct() {
    let stiff = |ei: [f64; 2], gj: f64| uneven(2e4, ei, gj);
    let damped = Damping::Time(0.02);
    let specs = [
        ("rope", line(1.0, 24).material(soft(2e4, 1e-3)).pin(0)),
        (
            "uneven bar",
            line(1.0, 24).material(stiff([0.2, 0.8], 0.3)).clamp_start(),
        ),
        (
            "damped bar",
            line(1.0, 24)
                .material(stiff([0.5, 0.5], 0.3).with_damping(damped))
                .clamp_start(),
        ),
        (
            "held bar",
            line(1.0, 24).material(stiff([0.5, 0.5], 0.5)).pin(0).hold_segment(0),
        ),
        (
            "bar between walls",
            line(1.0, 24)
                .material(stiff([0.02, 0.02], 0.02))
                .clamp_start()
                .clamp_end(),
        ),
        (
            "coil",
            RodSpec::new(Shape::helix(0.1, 0.05, 2.0, 96))
                .material(stiff([0.3, 0.3], 0.2))
                .clamp_start(),
        ),
    ];
    for (name, spec) in &specs {
        let motion = |solver: Solver| {
            let options = RodOptions {
                solver,
                velocity: Vec3::new(0.0, 0.3, 0.5),
                drag: 0.3,
                ..RodOptions::default()
            };
            let world_settings = Settings {
                wind: Some(breeze()),
                ..settings(16, 8)
            };
            let (mut world, id) = with(spec, options, world_settings);
            change(&mut world, id, |rod| rod.set_force(12, Vec3::new(0.0, 0.0, 1.0)));
            run(&mut world, 20);
            positions(&world, id)
        };
        let (direct, found) = (motion(DIRECT), motion(elastic().solver));
        let built = crate::common::built(spec);
        let began: Vec<DVec3> = built.vertices().iter().map(|v| v.position).collect();
        let moved = apart(&direct, &began);
        let error = apart(&direct, &found);
        assert!(moved > 0.03, "{name} moved by {moved} m only");
        assert!(error < 0.02 * moved, "{name}: {error} m apart after {moved} m");
    }
}

/// Pins are led exactly, and the rod follows.
#[test]
fn pins_are_led_to_their_targets() {
    let spec = line(1.0, 16).material(soft(1e4, 0.01)).pin(0).pin_last();
    let (mut world, id) = with(&spec, elastic(), settings(2, 8));
    for frame in 1..=60 {
        let target = DVec3::new(1.0 - 0.01 * f64::from(frame), 0.005 * f64::from(frame), 0.0);
        change(&mut world, id, |rod| rod.set_target(16, target));
        run(&mut world, 1);
        let place = rod(&world, id).position(16);
        assert!(
            place.distance(target) < 1e-12,
            "frame {frame}: {place} instead of {target}"
        );
    }
    let sag = rod(&world, id).position(8).y;
    assert!(sag < -0.15, "{sag}");
}

/// Without damping the energy only falls (implicit Euler), and at small steps barely.
#[test]
fn energy_does_not_grow() {
    let spec = line(1.0, 16).material(uneven(5e3, [0.1, 0.3], 0.2)).clamp_start();
    let loss = |substeps: u32| {
        let (mut world, id) = with(&spec, elastic(), settings(substeps, 12));
        let begin = rod(&world, id).energy().total();
        let scale = 9.81 * 0.5;
        let mut last = begin;
        for _ in 0..60 {
            run(&mut world, 1);
            let now = rod(&world, id).energy().total();
            assert!(
                now <= last + 1e-4 * scale,
                "{substeps} substeps: from {last} to {now} J"
            );
            last = now;
        }
        (begin - last) / scale
    };
    let (coarse, fine) = (loss(4), loss(32));
    assert!(coarse > 2.0 * fine && fine > 0.0, "{coarse} {fine}");
}
