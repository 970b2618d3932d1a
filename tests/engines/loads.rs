//! Weights on ropes.

use glam::DVec3;
use lariat::prelude::*;

use super::{Engine, FRAME, GRAVITY, earth, rope, settings, tame};

/// Starts at its rest length, bounces, and comes to rest where Hooke has it.
pub fn a_load_hangs_still<E: Engine>() {
    // kg, N, m: a hundred and a thousand on the rope of the game scenes, others on other ropes.
    for (mass, ea, length, segments) in [
        (100.0, 5e4, 2.0, 64),
        (1_000.0, 5e4, 2.0, 64),
        (37.0, 2e4, 1.3, 20),
        (450.0, 3e5, 5.0, 40),
    ] {
        let mut engine: E = earth();
        let id = engine.insert(&tame(DVec3::ZERO, -DVec3::Y * length, segments, ea).pin(0));
        let ball = engine.ball(-DVec3::Y * (length + 0.15), 0.15, mass);
        let tie = engine.tie(id, RodPoint::End, ball, DVec3::Y * 0.15);
        engine.run(480);
        let start = engine.see(ball).position;
        let mut squares = 0.0;
        for _ in 0..60 {
            engine.frame();
            let gap = engine.gap(tie);
            assert!(gap < 1e-3, "{mass} kg: {gap} m between rope and ball");
            squares += engine.see(ball).velocity.length_squared();
        }
        let moved = engine.see(ball).position.distance(start);
        let speed = (squares / 60.0).sqrt();
        assert!(speed < 1e-3, "{mass} kg: {speed} m/s");
        assert!(moved < 1e-3, "{mass} kg: creeps by {moved} m in a second");
        let expected = (mass + 0.5 * length) * GRAVITY / ea;
        let stretch = -(engine.see(ball).position.y + 0.15) / length - 1.0;
        assert!(
            (stretch / expected - 1.0).abs() < 0.05,
            "{mass} kg: {stretch}, not {expected}"
        );
        let force = engine.rods().attachment(tie).expect("the tie").force;
        assert!((force.y / (mass * GRAVITY) - 1.0).abs() < 0.01, "{mass} kg: {force}");
    }
}

/// A heavy ball on a rope of 2 m swings through its lowest point after a quarter of `2π √(L/g)`.
pub fn a_load_swings_as_a_pendulum<E: Engine>() {
    for (mass, degrees) in [(100.0, 5.0), (20.0, 8.0)] {
        let mut engine: E = earth();
        let tilt = f64::to_radians(degrees);
        let along = DVec3::new(tilt.sin(), -tilt.cos(), 0.0);
        let id = engine.insert(&rope(DVec3::ZERO, along * 2.0, 64, 5e4).pin(0));
        let ball = engine.ball(along * 2.15, 0.15, mass);
        engine.tie(id, RodPoint::End, ball, -along * 0.15);
        let (mut frames, mut widest) = (0, 0.0f64);
        while engine.see(ball).position.x > 0.0 {
            engine.frame();
            widest = widest.max(engine.widest_gap());
            frames += 1;
            assert!(frames < 90, "{mass} kg does not swing");
        }
        // The ball turns with the rope, nearly: length to its centre, and 1% for the rope's weight, the amplitude and the frame.
        let expected = 0.25 * std::f64::consts::TAU * (2.15 / GRAVITY).sqrt();
        let time = f64::from(frames) * FRAME;
        assert!(
            (time - expected).abs() < FRAME + 0.01 * expected,
            "{mass} kg: {time} s, not {expected}"
        );
        assert!(widest < 1e-3, "{mass} kg: {widest} m between rope and ball");
    }
}

/// A hundred thousand times heavier than the rope, and a hundred thousand times lighter, for a minute.
pub fn great_differences_of_mass_are_stable<E: Engine>() {
    for (mass, radius, ea) in [(1e5, 1.0, 1e9), (1e-5, 0.01, 5e4)] {
        let mut engine: E = earth();
        let id = engine.insert(&rope(DVec3::ZERO, DVec3::new(0.4, -0.9, 0.0), 16, ea).pin(0));
        let anchor = DVec3::Y * radius;
        let ball = engine.ball(DVec3::new(0.4, -0.9, 0.0) - anchor, radius, mass);
        engine.tie(id, RodPoint::End, ball, anchor);
        let length = 1.1f64.min((0.4f64 * 0.4 + 0.9 * 0.9).sqrt());
        let mut widest = 0.0f64;
        for frame in 0..3_600 {
            engine.frame();
            widest = widest.max(engine.widest_gap());
            let seen = engine.see(ball);
            assert!(seen.position.is_finite(), "{mass} kg: gone in frame {frame}");
            // The chord of the rope, an arm, and 5% of stretch.
            let reach = seen.position.length();
            assert!(
                reach < 1.05 * length + radius,
                "{mass} kg: {reach} m away in frame {frame}"
            );
            // From the highest point that it can have: its start.
            let fastest = (2.0 * GRAVITY * (length + radius)).sqrt();
            let speed = seen.velocity.length();
            assert!(speed < 1.2 * fastest, "{mass} kg: {speed} m/s in frame {frame}");
        }
        assert!(widest < 1e-3, "{mass} kg: {widest} m between rope and ball");
    }
}

/// A rope with a ball on it that swings wide, without damping: energy falls or stays.
pub fn the_energy_of_a_rope_and_its_load_does_not_grow<E: Engine>() {
    for (mass, integrator) in [
        (3.0, Integrator::Euler),
        (40.0, Integrator::Euler),
        (3.0, Integrator::Bdf2),
    ] {
        let mut engine: E = earth();
        let along = DVec3::new(1.0, -0.3, 0.4).normalize();
        let spec = rope(DVec3::ZERO, along * 1.5, 24, 5e4)
            .pin(0)
            .build()
            .expect("a sound rod");
        let options = RodOptions {
            solver: Solver::Direct { integrator },
            ..RodOptions::default()
        };
        let id = engine.rods().insert_with(spec, options).expect("room for it");
        let ball = engine.ball(along * 1.7, 0.2, mass);
        engine.tie(id, RodPoint::End, ball, -along * 0.2);
        let total = |engine: &mut E| {
            let rods = engine.rods().rod(id).expect("the rod").energy().total();
            rods + engine.energy(ball, super::Solid::Ball(0.2), mass, GRAVITY)
        };
        let start = total(&mut engine);
        // What it can lose: down to hanging still.
        let scale = (mass + 0.75) * GRAVITY * 1.7;
        // By BDF2 a body shows the mean velocity of its last step, half a frame old: m g v dt/2.
        let late = match integrator {
            Integrator::Euler => 0.0,
            Integrator::Bdf2 => 0.5 * mass * GRAVITY * (2.0 * GRAVITY * 1.7f64).sqrt() * FRAME,
        };
        let slack = 2e-3 * scale + late;
        let mut before = start;
        for second in 0..20 {
            engine.run(60);
            let now = total(&mut engine);
            // Velocities are single precision and the engine's own integration is of first order: a thousandth of what moves.
            assert!(
                now < before + slack,
                "{mass} kg {integrator:?}: {before} to {now} J in second {second}"
            );
            assert!(
                now < start + slack,
                "{mass} kg {integrator:?}: {start} to {now} J after {second} s"
            );
            before = now;
        }
    }
}

/// Groom ropes see bodies too: a small weight hangs still on a soft one.
pub fn a_load_hangs_on_stable_cosserat<E: Engine>() {
    let gravity = Settings {
        substeps: 32,
        ..settings(GRAVITY)
    };
    let mut engine = E::new(GRAVITY, gravity, FRAME);
    let spec = rope(DVec3::ZERO, -DVec3::Y, 16, 2e3)
        .pin(0)
        .build()
        .expect("a sound rod");
    let options = RodOptions {
        solver: Solver::GROOM,
        drag: 2.0,
        ..RodOptions::default()
    };
    let id = engine.rods().insert_with(spec, options).expect("room for it");
    let ball = engine.ball(-DVec3::Y * 1.1, 0.1, 1.0);
    let tie = engine.tie(id, RodPoint::End, ball, DVec3::Y * 0.1);
    engine.run(900);
    let expected = 1.5 * GRAVITY / 2e3;
    let stretch = -(engine.see(ball).position.y + 0.1) - 1.0;
    assert!((stretch / expected - 1.0).abs() < 0.05, "{stretch}, not {expected}");
    let (gap, speed) = (engine.gap(tie), engine.see(ball).velocity.length());
    assert!(gap < 1e-3 && speed < 2e-3, "{gap} m, {speed} m/s");
}

/// A crate stands on the ground with a slack rope to its top, and one that bears half of its weight: rope and crate stay together.
pub fn a_crate_stands_on_the_ground<E: Engine>() {
    // Height of the hook above the crate, m, for a rope of 1 m and 1 kN.
    for (hook, borne) in [(0.8, 0.0), (1.1, 100.0)] {
        let mut engine: E = earth();
        engine.floor(0.0);
        let half = DVec3::splat(0.2);
        let body = engine.crate_at(DVec3::Y * 0.2, half, 20.0);
        let top = DVec3::Y * (0.4 + hook);
        let spec = tame(top, DVec3::Y * 0.4, 20, 1e3).rest_scale(1.0 / hook).pin(0);
        let id = engine.insert(&spec);
        let tie = engine.tie(id, RodPoint::End, body, DVec3::Y * 0.2);
        engine.run(600);
        let (mut widest, mut pull) = (0.0f64, 0.0);
        for _ in 0..60 {
            engine.frame();
            widest = widest.max(engine.gap(tie));
            pull += engine.rods().attachment(tie).expect("the tie").force.y / 60.0;
        }
        assert!(widest < 1e-3, "{borne} N: {widest} m between rope and crate");
        let moved = engine.see(body).position.distance(DVec3::Y * 0.2);
        assert!(moved < 5e-3, "{borne} N: the crate went {moved} m");
        // The rope's own weight is 10 N.
        assert!((pull - borne).abs() < 10.0, "{pull} N, not {borne}");
    }
}
