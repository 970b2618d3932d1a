//! Equilibria with a closed form: catenary, helical spring, circle, twisted bar, buckled column.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    change, close,
    common::{line, positions, rod, run},
    direct, weightless, with,
};

fn slowed(drag: f32) -> RodOptions {
    RodOptions { drag, ..direct() }
}

/// `y = a cosh(x/a)` with tension `w a cosh(x/a)`, from 16 segments to 64.
#[test]
fn catenary() {
    let (span, length, weight) = (1.6, 2.0, 9.81);
    // 2a sinh(D/2a) = L.
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..100 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length {
            low = a
        } else {
            high = a
        }
    }
    let a = low;
    let height = |x: f64| a * ((x - 0.5 * span) / a).cosh() - a * (0.5 * span / a).cosh();
    for segments in [16u32, 64] {
        let depth = (0.25 * (length * length - span * span)).sqrt();
        let corners = [
            DVec3::ZERO,
            DVec3::new(0.5 * span, -depth, 0.0),
            DVec3::new(span, 0.0, 0.0),
        ];
        let spec = RodSpec::new(Shape::curve(corners, segments))
            .material(Material::rigidity(1e5, 1e5, 0.0, 0.0, 1.0))
            .pin(0)
            .pin_last();
        let (mut world, id) = with(&spec, slowed(3.0), crate::game());
        run(&mut world, 600);
        let sag = -height(0.5 * span);
        // A polygon of 16 hangs as low as the curve to 1/n² of the sag; the rope stretches by 1e-4.
        let share = if segments == 16 { 0.01 } else { 2e-3 };
        for place in positions(&world, id) {
            let error = (place.y - height(place.x)).abs();
            assert!(error < share * sag, "{segments} segments, {place}: {error} m off");
        }
        for s in 0..segments as usize {
            let rod = rod(&world, id);
            let x = 0.5 * (rod.position(s).x + rod.position(s + 1).x);
            let expected = weight * a * ((x - 0.5 * span) / a).cosh();
            close(
                rod.tension(s),
                expected,
                0.02,
                format!("tension of segment {s} of {segments}"),
            );
        }
    }
}

/// A tip couple of `2πEI/L` rolls a straight bar into a full circle, whatever its stiffness.
#[test]
fn couple_rolls_a_circle() {
    for ei in [1e-3, 1.0, 1e3] {
        let n = 32;
        let density = 0.1 * f64::sqrt(ei);
        let spec = line(1.0, n)
            .material(Material::rigidity(4e5 * ei, 4e5 * ei, ei, ei, density))
            .clamp_start();
        let (mut world, id) = with(&spec, slowed(10.0), weightless());
        for frame in 0..600 {
            let share = (f64::from(frame) / 120.0).min(1.0);
            let couple = Vec3::new(0.0, 0.0, (share * TAU * ei) as f32);
            change(&mut world, id, |rod| rod.set_torque(n as usize - 1, couple));
            run(&mut world, 1);
        }
        // The joint's moment is 2EI/l sin(θ/2): θ is 0.16% more than M l/EI.
        let tip = rod(&world, id).position(n as usize);
        assert!(tip.length() < 0.01, "EI {ei:e}: the tip is at {tip}");
        let top = rod(&world, id).position(n as usize / 2);
        close(top.y, 1.0 / PI, 0.01, format!("EI {ei:e}: diameter"));
    }
}

/// A wall turned by an angle twists the bar evenly, and its moment is `GJ φ/L`.
#[test]
fn twist_is_linear() {
    for gj in [1e-4, 1.0, 100.0] {
        let n = 20usize;
        let angle = 1.0;
        let spec = line(1.0, n as u32)
            .material(Material::rigidity(1e5 * gj, 1e5 * gj, 2.0 * gj, gj, 0.1 * gj.sqrt()))
            .clamp_start()
            .clamp_end();
        let (mut world, id) = with(&spec, slowed(5.0), weightless());
        let frame = rod(&world, id).description().clamps()[1].frame;
        change(&mut world, id, |rod| {
            rod.set_clamp(1, frame * DQuat::from_rotation_z(angle))
        });
        run(&mut world, 60);
        for joint in 0..n - 1 {
            close(
                rod(&world, id).twist(joint),
                angle / n as f64,
                2e-3,
                format!("GJ {gj:e}, joint {joint}"),
            );
            let moment = f64::from(rod(&world, id).moment(joint).z).abs();
            close(moment, gj * angle, 2e-3, format!("GJ {gj:e}, moment of joint {joint}"));
        }
        for place in positions(&world, id) {
            assert!(
                place.y.abs() + place.z.abs() < 1e-5,
                "GJ {gj:e}: {place} is off the axis"
            );
        }
    }
}

/// `δ = F 2πR³n/cos α (cos²α/GJ + sin²α/EI)`: energy `kδ²/2` of a spring pulled at its ends, which cannot turn.
#[test]
fn helical_spring() {
    let (radius, pitch, turns) = (0.1, 0.02, 4.0);
    let (ei, gj) = (1e-2, 0.7e-2);
    let segments = 160;
    let spec = RodSpec::new(Shape::helix(radius, pitch, turns, segments))
        .material(Material::rigidity(1e4, 1e4, ei, gj, 0.01))
        .clamp_start()
        .clamp_end();
    let (mut world, id) = with(&spec, slowed(5.0), weightless());
    let start = rod(&world, id).position(segments as usize);
    let pull = 0.1 * pitch * turns;
    for frame in 0..480 {
        let share = (f64::from(frame) / 60.0).min(1.0);
        let target = start + DVec3::Z * (share * pull);
        change(&mut world, id, |rod| rod.set_target(segments as usize, target));
        run(&mut world, 1);
    }
    let slope = (pitch / (TAU * radius)).atan();
    let softness = TAU * radius.powi(3) * turns / slope.cos() * (slope.cos().powi(2) / gj + slope.sin().powi(2) / ei);
    let energy = rod(&world, id).energy();
    assert!(energy.kinetic < 1e-4 * energy.total());
    // 0.3% for a polygon of 40 to the turn, and as much for ends that may not turn.
    close(
        2.0 * energy.total() / (pull * pull),
        1.0 / softness,
        0.02,
        "spring constant",
    );
}

/// Clamped and free, `π²EI/4L²`: 4% below it the column straightens, 4% above it bends away. The two walls are close enough to tell a
/// wrong clamp (half a segment is 6% at 16).
#[test]
fn euler_buckling() {
    for (ei, segments) in [(1e-3, 16u32), (1.0, 16), (1.0, 48), (1e3, 32)] {
        let density = 0.1 * f64::sqrt(ei);
        let lean = |share: f64| {
            let spec = line(1.0, segments)
                .material(Material::rigidity(1e6 * ei, 1e6 * ei, ei, ei, density))
                .clamp_start();
            let frequency = 3.516 * (ei / density).sqrt();
            let (mut world, id) = with(&spec, slowed((0.3 * frequency) as f32), weightless());
            let tip = segments as usize;
            let critical = 0.25 * PI * PI * ei;
            let push = |aside: f64| Vec3::new((-share * critical) as f32, (aside * ei) as f32, 0.0);
            // Pushed aside by about 5 mm first, then let go.
            change(&mut world, id, |rod| rod.set_force(tip, push(1e-3)));
            run(&mut world, (60.0 * (3.0 / frequency).max(0.2)) as usize);
            let before = rod(&world, id).position(tip).y;
            change(&mut world, id, |rod| rod.set_force(tip, push(0.0)));
            // Growth is about 0.2 ω² x 4% over the drag 0.3 ω: slow.
            run(&mut world, (60.0 * (120.0 / frequency).max(1.5)) as usize);
            (before, rod(&world, id).position(tip).y)
        };
        let (before, after) = lean(0.96);
        assert!(before > 1e-4, "pushed by {before}");
        assert!(
            after.abs() < 0.1 * before,
            "EI {ei:e}, {segments}: {after} after {before} below the critical load"
        );
        let (before, after) = lean(1.04);
        assert!(
            after > 0.1 && after > 3.0 * before,
            "EI {ei:e}, {segments}: {after} after {before} above the critical load"
        );
    }
}
