//! Straight rods that are pushed together: what can't get shorter must bow, and to first order a bow does not bring the ends nearer.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use super::{SOLVER, change, patient, step, weightless, with};
use crate::common::{line, positions, rod};

fn wire() -> Material {
    Material::rigidity(1e4, 1e4, 2e-4, 1.5e-4, 0.003)
}

/// The height of an arch of length `l` whose ends are `c` apart, by the elastica of pinned ends: with `k = sin(θ/2)`, `c/l = 2E/K − 1` and `height/l = k/K`.
fn elastica_height(chord: f64, length: f64) -> f64 {
    // K and E by the arithmetic–geometric mean.
    let integrals = |k: f64| {
        let (mut a, mut b, mut c, mut power, mut sum) = (1.0, (1.0 - k * k).sqrt(), k, 0.5, 0.5 * k * k);
        while c > 1e-12 {
            (a, b, c) = (0.5 * (a + b), f64::sqrt(a * b), 0.5 * (a - b));
            power *= 2.0;
            sum += power * c * c;
        }
        let whole = 0.5 * PI / a;
        (whole, whole * (1.0 - sum))
    };
    let (mut low, mut high) = (0.0, 0.9);
    for _ in 0..60 {
        let k = 0.5 * (low + high);
        let (whole, part) = integrals(k);
        if 2.0 * part / whole - 1.0 > chord / length {
            low = k;
        } else {
            high = k;
        }
    }
    length * low / integrals(low).0
}

/// Push the last vertex towards the first for so many steps, then wait.
fn pushed(spec: &RodSpec, settings: Settings, speed: f64, dt: f64, steps: u32, wait: usize) -> (RodWorld, RodId) {
    let (mut world, id) = with(spec, SOLVER, settings);
    let (length, last) = (
        rod(&world, id).description().rest_length(),
        rod(&world, id).vertex_count() - 1,
    );
    change(&mut world, id, |rod| rod.set_drag(10.0));
    for k in 1..=steps {
        let x = length - speed * dt * f64::from(k);
        change(&mut world, id, |rod| rod.set_target(last, DVec3::X * x));
        step(&mut world, dt as f32, 1);
        assert!(!rod(&world, id).is_quarantined(), "{dt} s, step {k}");
        // The rod follows its end: it is never behind by more than a step's way.
        let strain = rod(&world, id).segment_strain(last - 1).abs() * length / last as f64;
        assert!(strain <= 1.01 * speed * dt, "{dt} s, step {k}: {strain} m behind");
    }
    step(&mut world, dt as f32, wait);
    (world, id)
}

#[test]
fn a_straight_rod_bows_when_it_is_pushed_together() {
    let arch = elastica_height(0.3, 0.4);
    for (segments, dt) in [
        (8, 1.0_f64 / 30.0),
        (40, 1.0 / 30.0),
        (40, 1.0 / 240.0),
        (100, 1.0 / 30.0),
    ] {
        let spec = line(0.4, segments).material(wire()).pin(0).pin_last();
        let steps = (1.0 / dt).round() as u32;
        let wait = 3 * steps as usize;
        let (world, id) = pushed(&spec, weightless(), 0.1, dt, steps, wait);
        let shape = positions(&world, id);
        let height = shape.iter().map(|p| p.with_x(0.0).length()).fold(0.0, f64::max);
        // Eight segments see the arch to (π/8)²/12.
        let share = if segments == 8 { 0.03 } else { 5e-3 };
        assert!(
            (height / arch - 1.0).abs() < share,
            "{segments} segments, {dt} s: {height} instead of {arch}"
        );
        assert!(shape[segments as usize].distance(DVec3::X * 0.3) < 1e-6);
        // Nothing pushes it out of the plane of its bow.
        let bow = shape[segments as usize / 2].with_x(0.0).normalize();
        let aside = shape
            .iter()
            .map(|p| p.dot(DVec3::X.cross(bow)).abs())
            .fold(0.0, f64::max);
        assert!(aside < 1e-6, "{segments} segments, {dt} s: {aside}");
    }
}

#[test]
fn weight_says_to_which_side_a_rod_bows() {
    for gravity in [Vec3::NEG_Y, Vec3::new(0.0, 0.3, 0.4)] {
        let settings = Settings {
            gravity: gravity * 0.01,
            ..patient()
        };
        let spec = line(0.4, 40).material(wire()).clamp_start().clamp_end();
        let (world, id) = pushed(&spec, settings, 0.1, 1.0 / 30.0, 30, 60);
        let middle = rod(&world, id).position(20).with_x(0.0);
        assert!(middle.length() > 0.05, "{middle}");
        assert!(
            middle.normalize().dot(gravity.as_dvec3().normalize()) > 0.999,
            "{middle}"
        );
    }
}

/// Whatever is asked of it, also what can't be: ends that part, ends that fly through each other, in one step or in many.
#[test]
fn a_rod_that_can_not_follow_is_left_where_it_is_and_goes_on_later() {
    for (speed, dt) in [
        (0.04, 1e-4),
        (4.0, 1.0 / 60.0),
        (100.0, 1.0 / 60.0),
        (-0.1, 1.0 / 60.0),
        (-20.0, 0.1),
    ] {
        let spec = line(0.4, 24).material(wire()).clamp_start().pin_last();
        let (mut world, id) = with(&spec, SOLVER, weightless());
        change(&mut world, id, |rod| rod.set_drag(10.0));
        let mut x = 0.4;
        for k in 0..60 {
            x -= speed * dt;
            change(&mut world, id, |rod| rod.set_target(24, DVec3::X * x));
            step(&mut world, dt as f32, 1);
            let seen = rod(&world, id);
            assert!(!seen.is_quarantined(), "{speed} m/s, {dt} s, step {k}");
            // All but the last segment keep their length, to the rounding of stored positions.
            let strain = (0..23).map(|s| seen.segment_strain(s).abs()).fold(0.0, f64::max);
            assert!(strain < 1e-5, "{speed} m/s, {dt} s, step {k}: {strain}");
        }
        // Back to where it can be: the rod joins its end again.
        change(&mut world, id, |rod| rod.set_target(24, DVec3::X * 0.35));
        step(&mut world, 1.0 / 60.0, 240);
        let strain = rod(&world, id).segment_strain(23).abs();
        assert!(strain < 1e-3, "{speed} m/s, {dt} s: {strain}");
    }
}
