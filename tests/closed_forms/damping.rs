//! Paper 2's viscous damping: a mode of frequency ω with stress `E(ε + τ ε̇)` decays at τω²/2.
//!
//! Implicit Euler damps by itself at hω²/2: an undamped twin measures that, and the mode's frequency on the discrete rod.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::{support::*, vibration::first_mode};

/// Damping ratio of the tests: ten percent of the energy in a radian, so that three periods show it well.
const RATIO: f64 = 0.05;

/// The measured decay less the undamped twin's, over τω²/2.
fn decay_ratio(twins: [Ringing; 2], relaxation: f64) -> f64 {
    let [free, damped] = twins;
    (damped.decay - free.decay) / (0.5 * relaxation * free.frequency.powi(2))
}

#[test]
fn stretch_decays_at_the_rate_of_kelvin_and_voigt() {
    let (axial, n) = (100.0_f64, 16);
    // The rod by itself, and with twenty times its mass at the end; a third of the rod's mass swings with that.
    let alone = FRAC_PI_2 * axial.sqrt();
    let loaded = (axial / (20.0 + 1.0 / 3.0)).sqrt();
    for (load, frequency) in [(0.0, alone), (20.0, loaded)] {
        let relaxation = 2.0 * RATIO / frequency;
        let twins = [0.0, relaxation].map(|stretch| {
            let material = even(axial, 1.0).with_damping(Damping::Times { stretch, bend: 0.0 });
            let mut world = world(0.0, 8);
            let spec = straight(n, material).clamp_start().load(n, load);
            let id = insert(&mut world, &spec, exact(0.0));
            set_velocities(&mut world, id, |place| {
                let shape = if load > 0.0 {
                    place.x
                } else {
                    (FRAC_PI_2 * place.x).sin()
                };
                DVec3::X * 0.01 * frequency * shape
            });
            let h = sound_step(1.0 / f64::from(n), axial, 1.0) / 4.0;
            ring(&mut world, id, DVec3::X, 18.0 / frequency, h)
        });
        // Lumped masses: (π/2n)²/24 = 4e-4. Implicit Euler: (hω)² = 6e-4.
        assert_near("frequency", twins[0].frequency, frequency, 2e-3);
        // The twins' numerical damping adds up to first order in ζ and hω only: 0.5%. The shape of the loaded mode: 0.3%.
        assert_near("decay over τω²/2", decay_ratio(twins, relaxation), 1.0, 0.01);
    }
}

#[test]
fn bending_decays_at_the_rate_of_kelvin_and_voigt() {
    let (axial, n) = (1e3, 8);
    let relaxation = 2.0 * RATIO / CLAMPED_FREE.powi(2);
    // Once with one stiffness for bending and twist, once with two: they are different kernels.
    for torsion in [1.0, 0.7] {
        for stretch in [0.0, relaxation] {
            let twins = [[0.0, 0.0], [stretch, relaxation]].map(|[stretch, bend]| {
                let material =
                    Material::rigidity(axial, axial, 1.0, torsion, 1.0).with_damping(Damping::Times { stretch, bend });
                // A viscous joint is 1 + τ/h times as stiff within a step, which takes more iterations.
                let mut world = world(0.0, 48);
                let id = insert(&mut world, &straight(n, material).clamp_start(), exact(0.0));
                set_velocities(&mut world, id, |place| DVec3::Y * 0.025 * first_mode(place.x));
                let h = sound_step(1.0 / f64::from(n), axial, 1.0) / 4.0;
                ring(&mut world, id, DVec3::Y, 5.0, h)
            });
            // Without damping of stretch and shear the share of shear in the energy, 4.648/EA = 0.5%, is not damped.
            // Measuring from six extremes: 0.3%. As above: 0.5%.
            let what = format!("decay over τω²/2, GJ {torsion}, τ of stretch {stretch:.3}");
            assert_near(&what, decay_ratio(twins, relaxation), 1.0, 0.013);
        }
    }
}

#[test]
fn twist_creeps_with_the_relaxation_time() {
    // Twist has no inertia: a couple M turns the end by M L/GJ (1 − e^{−t/τ}). The couple acts on the last segment, whose middle is half
    // a segment from the end.
    let (n, torsion, relaxation, couple) = (4_u32, 0.7, 0.1, 0.35);
    let material = Material::rigidity(1e3, 1e3, 1.0, torsion, 1.0).with_damping(Damping::Times {
        stretch: 0.0,
        bend: relaxation,
    });
    // With nothing else to hold on to, a couple's news goes a segment an iteration and diffuses.
    let mut world = world(0.0, 200);
    let id = insert(&mut world, &straight(n, material).clamp_start(), exact(7.0));
    let last = n as usize - 1;
    let frame = rod(&world, id).orientation(last);
    rod_mut(&mut world, id)
        .set_torque(last, Vec3::X * couple as f32)
        .expect("the couple is sound");
    let end = couple / torsion * (1.0 - 0.5 / f64::from(n));
    let mut worst = 0.0_f64;
    watch(&mut world, 0.5, relaxation / 160.0, |world, t| {
        let turned = (rod(world, id).orientation(last) * frame.inverse()).as_dquat();
        let angle = 2.0 * turned.x.atan2(turned.w);
        worst = worst.max((angle / end - (1.0 - (-t / relaxation).exp())).abs());
    });
    // Implicit Euler: h/2τ · max(x e^{−x}) = 0.0012. Half angles for angles in the joints: (φ/n)²/24 = 2e-4.
    println!("worst distance from the creep curve {worst:.1e} of 2e-3");
    assert!(worst < 2e-3, "{worst}");
}
