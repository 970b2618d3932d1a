//! Machines whose motion is known: tug of war, Atwood's machine, a sling.

use glam::DVec3;
use lariat::prelude::*;

use super::{Engine, FRAME, GRAVITY, Solid, earth, rope, space, tame};

/// Two crates pull at a rope with different forces: all goes with the net force over the total mass, and the rope tells who pulls how much.
pub fn a_tug_of_war_goes_where_the_net_force_says<E: Engine>() {
    // Masses, kg, and forces, N.
    for ([a, b], [left, right]) in [([10.0, 25.0], [300.0, 200.0]), ([3.0, 80.0], [50.0, 410.0])] {
        let mut engine: E = space();
        let id = engine.insert(&tame(DVec3::ZERO, DVec3::X * 2.0, 24, 5e4));
        let half = DVec3::splat(0.2);
        let first = engine.crate_at(DVec3::X * -0.2, half, a);
        let second = engine.crate_at(DVec3::X * 2.2, half, b);
        let ties = [
            engine.tie(id, RodPoint::Start, first, DVec3::X * 0.2),
            engine.tie(id, RodPoint::End, second, DVec3::X * -0.2),
        ];
        engine.push(first, DVec3::X * -left);
        engine.push(second, DVec3::X * right);
        let momentum = |engine: &mut E| {
            let rod = engine.rods().rod(id).expect("the rod");
            let vertices = rod.description().vertices().iter().enumerate();
            let rope: DVec3 = vertices
                .map(|(v, vertex)| rod.velocity(v).as_dvec3() * vertex.mass)
                .sum();
            rope + engine.see(first).velocity * a + engine.see(second).velocity * b
        };
        let (mut widest, seconds) = (0.0f64, 2.0);
        for _ in 0..120 {
            engine.frame();
            widest = widest.max(engine.widest_gap());
        }
        let net = right - left;
        let expected = DVec3::X * net * seconds;
        let reached = momentum(&mut engine);
        // 120 steps of single-precision velocities.
        assert!(
            reached.distance(expected) < 1e-3 * net.abs() * seconds,
            "{reached}, not {expected}"
        );
        // Once the rope has stopped bouncing, everything has one acceleration.
        let acceleration = net / (a + b + 2.0);
        for (tie, pull) in ties
            .into_iter()
            .zip([left + a * acceleration, right - b * acceleration])
        {
            let force = engine.rods().attachment(tie).expect("the tie").force.length();
            assert!((force / pull - 1.0).abs() < 0.02, "{force} N, not {pull}");
        }
        assert!(widest < 1e-3, "{widest} m between rope and crate");
    }
}

/// Atwood's machine on the rim of a wheel: two ropes, two weights. From the energy of the weights and the wheel,
/// `½ ω² (I + (m₁ + m₂) R² cos² φ) = (m₂ − m₁) g R sin φ`, a half of the ropes' mass counting with each weight.
pub fn atwoods_machine_turns_as_its_energy_says<E: Engine>() {
    for (light, heavy, wheel) in [(5.0, 7.0, 4.0), (2.0, 9.0, 30.0)] {
        let mut engine: E = earth();
        let radius = 0.5;
        let disc = Solid::Ball(radius);
        let body = engine.wheel(disc, DVec3::ZERO, wheel);
        for (side, mass) in [(-1.0, light), (1.0, heavy)] {
            let rim = DVec3::X * (radius * side);
            let id = engine.insert(&tame(rim, rim - DVec3::Y * 3.0, 24, 5e5));
            let weight = engine.ball(rim - DVec3::Y * 3.1, 0.1, mass);
            engine.tie(id, RodPoint::Start, body, rim);
            engine.tie(id, RodPoint::End, weight, DVec3::Y * 0.1);
        }
        let (mut angle, mut frames, mut widest) = (0.0, 0, 0.0f64);
        while angle < 0.5 {
            engine.frame();
            angle = -engine.see(body).orientation.to_scaled_axis().z;
            frames += 1;
            widest = widest.max(engine.widest_gap());
            assert!(frames < 300, "it does not turn: {angle}");
        }
        let along = engine.see(body).position.length();
        assert!(along < 1e-6, "the wheel left its axle by {along} m");
        let rate = -engine.see(body).angular_velocity.z;
        let lever = radius * angle.cos();
        // Both ropes move with their weights, and weigh the same: they add to the inertia alone.
        let inertia = disc.inertia(wheel).z + (light + heavy + 6.0) * lever * lever;
        let expected = (2.0 * (heavy - light) * GRAVITY * radius * angle.sin() / inertia).sqrt();
        // Semi-implicit steps lead by half a frame's acceleration; the ropes' feet swing out a little.
        assert!(
            (rate / expected - 1.0).abs() < 0.05,
            "{rate} rad/s, not {expected}, {frames} frames"
        );
        assert!(widest < 1e-3, "{widest} m between rope and body");
    }
}

/// A ball whirled on a rope by a guide that turns: the rope pulls with `ω² (m r + ...)`, the guide feels nothing.
pub fn a_guide_whirls_a_ball<E: Engine>() {
    for (rate, mass, arm) in [(2.0, 2.0, 0.5), (3.0, 0.5, 1.0)] {
        let mut engine: E = space();
        let guide = engine.guide(DVec3::ZERO);
        let (length, radius) = (1.0, 0.1);
        let id = engine.insert(&rope(DVec3::X * arm, DVec3::X * (arm + length), 16, 5e4));
        let ball = engine.ball(DVec3::X * (arm + length + radius), radius, mass);
        let held = engine.tie(id, RodPoint::Start, guide, DVec3::X * arm);
        engine.tie(id, RodPoint::End, ball, DVec3::X * -radius);
        let spin = DVec3::Z * rate;
        engine.set_velocity(guide, DVec3::ZERO, spin);
        engine.set_velocity(ball, spin.cross(DVec3::X * (arm + length + radius)), spin);
        let mut rod = engine.rods().rod_mut(id).expect("the rod");
        for v in 0..=16 {
            let place = DVec3::X * (arm + length * v as f64 / 16.0);
            rod.set_velocity(v, spin.cross(place).as_vec3()).expect("a vertex");
        }
        // Backward Euler lets the ball fall behind a little, and it swings about there for some seconds.
        engine.run(480);
        let (mut widest, mut sum) = (0.0f64, 0.0);
        for _ in 0..120 {
            engine.frame();
            widest = widest.max(engine.widest_gap());
            sum += engine.rods().attachment(held).expect("the tie").force.length();
        }
        let seen = engine.see(guide);
        assert!(seen.position.length() < 1e-6, "the guide moved: {seen:?}");
        let turned = seen.orientation * DVec3::X;
        let angle = rate * 600.0 * FRAME;
        assert!(
            turned.distance(DVec3::new(angle.cos(), angle.sin(), 0.0)) < 0.03,
            "{turned}"
        );
        let expected = rate * rate * (mass * (arm + length + radius) + length * (arm + 0.5 * length));
        // The ball that has fallen behind is a little nearer to the axle.
        let force = sum / 120.0;
        assert!((force / expected - 1.0).abs() < 0.03, "{force} N, not {expected}");
        assert!(widest < 1e-3, "{widest} m between rope and body");
    }
}
