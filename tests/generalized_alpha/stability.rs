//! Stable whatever the step and the number of segments (paper 3, section 5).

use lariat::{prelude::*, solver::Rho};

use super::{hair, patient, step, with};
use crate::common::rod;

/// What a hair weighs times how far it can fall, J.
fn scale(spec: &RodSpec) -> f64 {
    let rod = spec.build().expect("a hair");
    rod.mass() * 9.81 * rod.rest_length()
}

#[test]
fn hair_is_stable_from_ten_microseconds_to_a_hundred_seconds_and_from_six_to_a_hundred_segments() {
    let weights = [
        Rho::weights(0.3, 0.0, 0.7),
        Rho::radius(0.0),
        Rho::radius(0.5),
        Rho::radius(1.0),
    ];
    for (segments, curled) in [(6, false), (25, true), (25, false), (100, true), (100, false)] {
        let spec = hair(segments, curled);
        let scale = scale(&spec);
        for dt in [1e-5_f32, 1e-4, 1e-3, 1e-2, 1.0 / 30.0, 0.1, 1.0, 10.0, 100.0] {
            for rho in weights {
                let what = format!("{segments} segments, curled: {curled}, dt {dt}, {rho:?}");
                let settings = Settings {
                    iterations: 8,
                    ..patient()
                };
                let (mut world, id) = with(&spec, Solver::GeneralizedAlpha { rho }, settings);
                let start = rod(&world, id).energy().total();
                for _ in 0..8 {
                    step(&mut world, dt, 3);
                    let seen = rod(&world, id);
                    assert!(!seen.is_quarantined(), "{what}");
                    // Length is not stretched at all, to the rounding of the stored positions.
                    assert!(seen.stretch().abs() < 1e-6, "{what}: {}", seen.stretch());
                    let energy = seen.energy();
                    // Nothing is fed in. Undamped, a lash of the whip that the step can't follow may win some, and stays bounded.
                    let slack = if rho == Rho::radius(1.0) { 5.0 } else { 0.02 };
                    let gained = (energy.total() - start) / scale;
                    assert!(gained < slack, "{what}: {gained}, {energy:?}");
                }
            }
        }
    }
}

#[test]
fn a_long_step_ends_at_rest_where_many_short_ones_do() {
    for curled in [false, true] {
        let solver = Solver::GeneralizedAlpha {
            rho: Rho::weights(0.4, 0.0, 1.0),
        };
        let spec = hair(60, curled);
        let (mut long, id) = with(&spec, solver, patient());
        step(&mut long, 100.0, 6);
        let (mut short, _) = with(&spec, solver, patient());
        step(&mut short, 1.0 / 30.0, 900);
        let far = crate::common::apart(
            &crate::common::positions(&long, id),
            &crate::common::positions(&short, id),
        );
        // The short ones still creep.
        assert!(far < 0.005 * 0.25, "{curled}: {far}");
    }
}
