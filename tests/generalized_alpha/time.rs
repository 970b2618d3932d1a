//! How it goes through time: order, damping, energy.

use glam::{DVec3, Vec3};
use lariat::{prelude::*, solver::Rho};

use super::{change, patient, step, weightless, with};
use crate::common::{line, rod};

fn wire() -> RodSpec {
    line(0.5, 16)
        .material(Material::rigidity(1e4, 1e4, 0.02, 0.02, 0.05))
        .clamp_start()
}

/// Where the tip of a wire is after 0.4 s under a force that comes and goes smoothly.
fn pushed(rho: Rho, beta: f64, steps: usize) -> DVec3 {
    let (mut world, id) = with(&wire(), Solver::GeneralizedAlpha { rho }, weightless());
    let h = 0.4 / steps as f64;
    for k in 0..steps {
        // The force of the moment at which the step weighs it.
        let t = (k as f64 + 1.0 - beta) * h;
        let size = 0.3 * (std::f64::consts::PI * t / 0.4).sin().powi(4);
        let force = Vec3::new(0.0, size as f32, 0.4 * size as f32);
        change(&mut world, id, |rod| rod.set_force(16, force));
        step(&mut world, h as f32, 1);
    }
    rod(&world, id).position(16)
}

/// How much smaller the error gets when the step is halved, three times.
fn ratios(rho: Rho, beta: f64) -> Vec<f64> {
    let tips: Vec<DVec3> = [40, 80, 160, 320].map(|steps| pushed(rho, beta, steps)).to_vec();
    let gaps: Vec<f64> = tips.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    gaps.windows(2).map(|pair| pair[0] / pair[1]).collect()
}

#[test]
fn it_is_of_second_order_for_every_radius() {
    for rho in [0.0, 0.3, 0.5, 0.8, 1.0] {
        for ratio in ratios(Rho::radius(rho), rho / (1.0 + rho)) {
            // Four in the limit; the coarsest step has twenty to a period of the second mode.
            assert!(ratio > 3.2, "rho {rho}: {ratio}");
        }
    }
    // The paper's own weights do not add up to one half: first order.
    for ratio in ratios(Rho::weights(0.3, 0.0, 0.7), 0.0) {
        assert!((1.5..2.7).contains(&ratio), "{ratio}");
    }
}

/// What is left of the energy of a swing after so many seconds at 60 Hz, as a share of what fell.
fn kept(rho: Rho) -> f64 {
    let (mut world, id) = with(&wire(), Solver::GeneralizedAlpha { rho }, patient());
    let start = rod(&world, id).energy().total();
    step(&mut world, 1.0 / 60.0, 120);
    let energy = rod(&world, id).energy();
    (energy.total() - start) / (0.025 * 9.81 * 0.25)
}

#[test]
fn energy_falls_the_faster_the_smaller_the_radius() {
    let left = [1.0, 0.8, 0.5, 0.0].map(|rho| kept(Rho::radius(rho)));
    assert!(left.windows(2).all(|pair| pair[0] > pair[1]), "{left:?}");
    // The midpoint rule keeps it, but for the first step.
    assert!(left[0].abs() < 0.03, "{left:?}");
    // The paper's damped weights take more than any of them.
    let damped = kept(Rho::weights(0.4, 0.0, 1.0));
    assert!(damped < left[3], "{damped} {left:?}");
}

#[test]
fn a_cantilever_swings_at_its_frequency() {
    // First mode of a clamped beam: ω = 1.8751² √(EI/μL⁴). Joints at points, masses at vertices: below (1/32)².
    let spec = line(0.5, 32)
        .material(Material::rigidity(1e4, 1e4, 0.02, 0.02, 0.05))
        .clamp_start();
    let solver = Solver::GeneralizedAlpha { rho: Rho::radius(0.9) };
    let (mut world, id) = with(&spec, solver, weightless());
    let expected = 1.875_104_f64.powi(2) * (0.02 / (0.05 * 0.5_f64.powi(4))).sqrt();
    change(&mut world, id, |rod| rod.set_force(32, Vec3::Y * 0.002));
    step(&mut world, 1.0, 3); // Bent, and at rest.
    change(&mut world, id, |rod| rod.set_force(32, Vec3::ZERO));
    let h = 5e-4;
    let heights: Vec<f64> = (0..4000)
        .map(|_| {
            step(&mut world, h as f32, 1);
            rod(&world, id).position(32).y
        })
        .collect();
    let crossings: Vec<f64> = (1..heights.len())
        .filter(|&k| heights[k - 1] > 0.0 && heights[k] <= 0.0)
        .map(|k| (k as f64 - heights[k] / (heights[k] - heights[k - 1])) * h)
        .collect();
    let turns = crossings.len() as f64 - 1.0;
    let found = std::f64::consts::TAU * turns / (crossings[crossings.len() - 1] - crossings[0]);
    assert!((found / expected - 1.0).abs() < 5e-3, "{found} {expected}");
}

#[test]
fn bending_damps_at_the_rate_of_its_relaxation_time() {
    // ẍ + τω²ẋ + ω²x = 0: the amplitude falls by e^{−τω²t/2}.
    let tau = 0.004;
    let material = Material::rigidity(1e4, 1e4, 0.02, 0.02, 0.05).with_damping(Damping::Time(tau));
    let spec = line(0.5, 16).material(material).clamp_start();
    let solver = Solver::GeneralizedAlpha { rho: Rho::radius(1.0) };
    let (mut world, id) = with(&spec, solver, weightless());
    let omega = 1.875_104_f64.powi(2) * (0.02 / (0.05 * 0.5_f64.powi(4))).sqrt();
    change(&mut world, id, |rod| rod.set_force(16, Vec3::Y * 0.002));
    step(&mut world, 1.0, 8);
    change(&mut world, id, |rod| rod.set_force(16, Vec3::ZERO));
    let mut peaks = [0.0_f64; 2];
    let period = std::f64::consts::TAU / omega;
    for k in 0..2500 {
        step(&mut world, 1e-3, 1);
        let t = 1e-3 * f64::from(k);
        let height = rod(&world, id).position(16).y;
        // The tops after the first and after the third period; higher modes are gone by then.
        for (peak, at) in peaks.iter_mut().zip([1.0, 3.0]) {
            if (t / period - at).abs() < 0.3 {
                *peak = peak.max(height);
            }
        }
    }
    let rate = (peaks[0] / peaks[1]).ln() / (2.0 * period);
    let expected = 0.5 * tau * omega * omega;
    assert!((rate / expected - 1.0).abs() < 0.03, "{rate} {expected}");
}

#[test]
fn drag_slows_as_it_says() {
    let spec = line(0.5, 8).material(Material::rigidity(1e4, 1e4, 0.02, 0.02, 0.05));
    let mut world = crate::common::world(weightless());
    let options = RodOptions {
        solver: Solver::GeneralizedAlpha { rho: Rho::radius(1.0) },
        velocity: Vec3::new(1.0, 0.5, 0.0),
        drag: 0.7,
        ..RodOptions::default()
    };
    let id = world
        .insert_with(crate::common::built(&spec), options)
        .expect("a sound rod");
    step(&mut world, 1e-2, 100);
    let seen = rod(&world, id);
    // Both ends free: it flies on. The first step is Euler's, a hundredth of 0.7²/2 · 0.01.
    let speed = f64::from(seen.velocity(4).x);
    assert!((speed - (-0.7_f64).exp()).abs() < 1e-4, "{speed}");
    let way = (1.0 - (-0.7_f64).exp()) / 0.7;
    let expected = DVec3::new(0.25 + way, 0.5 * way, 0.0);
    assert!(seen.position(4).distance(expected) < 1e-3, "{}", seen.position(4));
}
