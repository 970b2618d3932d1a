//! Kelvin–Voigt damping: modes decay at the rate that the relaxation time says.

use glam::Vec3;
use lariat::prelude::*;

use crate::{
    change, close,
    common::{FRAME, line, rod, run},
    direct, weightless, with,
};

/// Implicit Euler of `ẍ + τω² ẋ + ω² x = 0` has the roots `z` of `(1 + τω²h + ω²h²) z² − (2 + τω²h) z + 1`, so that a mode shrinks by
/// `|z|² = 1/(1 + τω²h + ω²h²)` a step, squared: what is expected. Of the samples of one mode, `x₊ x₋ − x²` shrinks by `|z|²` exactly.
fn check(samples: &[f64], frequency: f64, tau: f64, share: f64, what: &str) {
    let h = f64::from(FRAME);
    let casorati: Vec<f64> = samples.windows(3).map(|x| x[2] * x[0] - x[1] * x[1]).collect();
    let count = casorati.len() - 1;
    let found = -(casorati[count] / casorati[0]).ln() / count as f64;
    let expected = (tau * frequency * frequency * h + (frequency * h).powi(2)).ln_1p();
    close(found, expected, share, what);
    // The step's own part is (ωh)², which is no small part: the material's share must be visible.
    assert!(tau == 0.0 || tau > 1.5 * h, "{what}: mostly the step's own damping");
}

#[test]
fn bending() {
    for (segments, tau) in [(16u32, 0.0), (16, 0.05), (40, 0.05)] {
        let (ei, density) = (1.0, 1.0);
        let spec = line(1.0, segments)
            .material(
                Material::rigidity(4e5, 4e5, ei, ei, density).with_damping(Damping::Times {
                    stretch: 0.0,
                    bend: tau,
                }),
            )
            .clamp_start();
        let (mut world, id) = with(&spec, direct(), weightless());
        for v in 1..=segments {
            // Much like the first mode; what differs dies sooner by forty times.
            let s = f32::from(v as u16) / f32::from(segments as u16);
            let speed = Vec3::new(0.0, 0.05 * s * s * (1.5 - 0.5 * s), 0.0);
            change(&mut world, id, |rod| rod.set_velocity(v as usize, speed));
        }
        run(&mut world, 60);
        let samples: Vec<f64> = (0..120)
            .map(|_| {
                run(&mut world, 1);
                rod(&world, id).position(segments as usize).y
            })
            .collect();
        let frequency = 1.875_104f64.powi(2) * (ei / density).sqrt();
        check(
            &samples,
            frequency,
            tau,
            0.03,
            &format!("bending, {segments} segments, τ = {tau}"),
        );
    }
}

/// A weight on a light rope, along it.
#[test]
fn stretching() {
    for tau in [0.0, 0.03] {
        let (ea, mass) = (1e3, 20.0);
        let spec = line(1.0, 8)
            .material(
                Material::rigidity(ea, ea, 1e-3, 1e-3, 1e-3).with_damping(Damping::Times {
                    stretch: tau,
                    bend: 0.0,
                }),
            )
            .pin(0)
            .load(8, mass);
        // Pulled along, so that the rope is never pressed and never buckles.
        let pull = 2.0;
        let settings = Settings {
            gravity: Vec3::new(pull as f32, 0.0, 0.0),
            ..weightless()
        };
        let middle = 1.0 + (mass + 0.5e-3) * pull / ea;
        let (mut world, id) = with(&spec, direct(), settings);
        run(&mut world, 10);
        let samples: Vec<f64> = (0..60)
            .map(|_| {
                run(&mut world, 1);
                rod(&world, id).position(8).x - middle
            })
            .collect();
        check(
            &samples,
            (ea / mass).sqrt(),
            tau,
            0.01,
            &format!("stretching, τ = {tau}"),
        );
    }
}
