//! Shapes at rest: closed forms, and the same as Direct finds.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use super::{SOLVER, change, patient, step, weightless, with};
use crate::common::{apart, line, positions, rod};

/// Hard to stretch and to shear, so that Direct is as good as inextensible.
fn wire(ei: f64, gj: f64, density: f64) -> Material {
    Material::rigidity(1e5, 1e5, ei, gj, density)
}

/// The shape at rest. A step of 100 s is an equilibrium in all but name.
fn settled(spec: &RodSpec, solver: Solver) -> Vec<DVec3> {
    let settings = Settings {
        iterations: 64,
        ..patient()
    };
    let (mut world, id) = super::with(spec, solver, settings);
    step(&mut world, 100.0, 12);
    positions(&world, id)
}

/// The farthest that the two solvers' shapes are apart, as a share of the rod's length.
fn difference(spec: &RodSpec, length: f64) -> f64 {
    apart(&settled(spec, SOLVER), &settled(spec, Solver::default())) / length
}

#[test]
fn a_short_cantilever_sags_as_theory_says() {
    let (density, bending) = (0.1, 50.0);
    let spec = line(1.0, 32).material(wire(bending, bending, density)).clamp_start();
    let tip = settled(&spec, SOLVER)[32];
    let expected = -density * 9.81 / (8.0 * bending);
    // Half a segment at the end weighs on its vertex, and joints are points: (1/32)² of it.
    assert!((tip.y / expected - 1.0).abs() < 2e-3, "{} {expected}", tip.y);
}

#[test]
fn a_moment_rolls_a_wire_into_a_circle_and_a_torque_twists_it() {
    let spec = line(1.0, 40).material(wire(1.0, 0.5, 0.1)).clamp_start();
    let (mut world, id) = with(&spec, SOLVER, weightless());
    // Slowly: thrown round, it would leave its plane.
    for k in 1..=20 {
        let share = k as f32 / 20.0;
        change(&mut world, id, |rod| rod.set_torque(39, Vec3::Z * (share * TAU as f32)));
        step(&mut world, 1.0, 1);
    }
    step(&mut world, 1.0, 4);
    // A polygon of forty sides, closed.
    let tip = rod(&world, id).position(40);
    assert!(tip.length() < 1e-3, "{tip}");
    for joint in 0..39 {
        let moment = rod(&world, id).moment(joint);
        assert!(
            (f64::from(moment.length()) - TAU).abs() < 0.01 * TAU,
            "{joint} {moment}"
        );
    }
    // About the axis: an angle of τL/GJ less the half segment.
    let (mut world, id) = with(&spec, SOLVER, weightless());
    change(&mut world, id, |rod| rod.set_torque(39, Vec3::X * 0.3));
    step(&mut world, 0.05, 80);
    let end = rod(&world, id).orientation(39).as_dquat();
    let start = rod(&world, id).description().segments()[0].frame;
    let angle = (start.conjugate() * end).to_axis_angle().1;
    let expected = 0.3 / 0.5 * (1.0 - 0.5 / 40.0);
    assert!((angle - expected).abs() < 1e-4, "{angle} {expected}");
    let twist: f64 = (0..39).map(|joint| rod(&world, id).twist(joint)).sum();
    assert!((twist.abs() - 0.6 * 39.0 / 40.0).abs() < 1e-4, "{twist}");
}

#[test]
fn a_hanging_wire_carries_what_is_below() {
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y, 20))
        .material(wire(0.01, 0.01, 0.2))
        .clamp_start()
        .load(20, 0.3);
    let (mut world, id) = with(&spec, SOLVER, patient());
    change(&mut world, id, |rod| rod.set_force(20, Vec3::NEG_Y * 2.0));
    step(&mut world, 1.0, 4);
    for segment in 0..20 {
        let below = 0.2 * (1.0 - (segment as f64 + 0.5) / 20.0) + 0.3;
        let expected = below * 9.81 + 2.0;
        let tension = rod(&world, id).tension(segment);
        assert!(
            (tension / expected - 1.0).abs() < 1e-5,
            "{segment}: {tension} {expected}"
        );
    }
    assert!(rod(&world, id).section_force(7).truncate().length() < 1e-5);
    assert!(rod(&world, id).stretch().abs() < 1e-7);
}

#[test]
fn a_heavy_cantilever_has_the_shape_that_direct_finds() {
    let spec = line(1.0, 48).material(wire(0.05, 0.05, 0.3)).clamp_start();
    let apart = difference(&spec, 1.0);
    assert!(apart < 0.01, "{apart}");
    let tip = settled(&spec, SOLVER)[48];
    assert!(tip.y < -0.6, "bent far: {tip}");
}

#[test]
fn a_loaded_helix_has_the_shape_that_direct_finds() {
    let spec = RodSpec::new(Shape::Helix {
        centre: DVec3::ZERO,
        axis: -DVec3::Y,
        radius: 0.05,
        pitch: 0.03,
        turns: 4.0,
        segments: 128,
    })
    .radius(0.0025)
    .material(wire(0.02, 0.015, 0.02))
    .clamp_start()
    .load(128, 0.1);
    let rest = spec.build().expect("a helix");
    let apart = difference(&spec, 0.12);
    assert!(apart < 0.01, "{apart}");
    let drop = rest.vertices()[128].position.y - settled(&spec, SOLVER)[128].y;
    assert!(drop > 0.02, "the load shows: {drop}");
}

#[test]
fn a_rod_held_at_both_ends_stays_there_and_sags_as_direct_has_it() {
    for clamped in [false, true] {
        let spec = RodSpec::new(Shape::curve(
            (0..=40)
                .map(|i| {
                    let s = f64::from(i) / 40.0;
                    DVec3::new(s, -0.3 * (std::f64::consts::PI * s).sin(), 0.0)
                })
                .collect::<Vec<_>>(),
            40,
        ))
        .rest(RestShape::Straight)
        .material(wire(0.02, 0.02, 0.3));
        let spec = if clamped {
            spec.clamp_start().clamp_end()
        } else {
            spec.pin(0).pin_last()
        };
        let shapes = [SOLVER, Solver::default()].map(|solver| settled(&spec, solver));
        let share = apart(&shapes[0], &shapes[1]);
        assert!(share < 0.01, "{clamped}: {share}");
        assert!(shapes[0][40].distance(DVec3::X) < 1e-6, "{clamped}: {}", shapes[0][40]);
    }
}

#[test]
fn led_ends_go_where_they_are_led() {
    let spec = line(0.5, 24).material(wire(0.01, 0.01, 0.05)).clamp_start().clamp_end();
    let (mut world, id) = with(&spec, SOLVER, weightless());
    for frame in 1..=60 {
        let t = f64::from(frame) / 60.0;
        change(&mut world, id, |rod| {
            rod.set_target(24, DVec3::new(0.5 - 0.2 * t, 0.0, 0.05 * t))?;
            rod.set_target(0, DVec3::Y * 0.1 * t)?;
            rod.set_clamp(
                0,
                DQuat::from_rotation_z(0.3 * t) * DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
            )
        });
        step(&mut world, 1.0 / 60.0, 1);
    }
    let seen = rod(&world, id);
    assert!(seen.position(24).distance(DVec3::new(0.3, 0.0, 0.05)) < 1e-6);
    assert!(seen.position(0).distance(DVec3::Y * 0.1) < 1e-6);
    // The rod's own end is behind by a part of one step's way, which is 3 mm and a seventh of a segment; at rest it is there.
    assert!(seen.segment_strain(23).abs() < 0.03, "{}", seen.segment_strain(23));
    let start = seen.orientation(0) * Vec3::Z;
    assert!((start.y.atan2(start.x) - 0.3).abs() < 0.2, "{start}");
    change(&mut world, id, |rod| rod.set_drag(20.0));
    step(&mut world, 1.0 / 60.0, 120);
    let strain = rod(&world, id).segment_strain(23);
    assert!(strain.abs() < 1e-4, "{strain}");
}
