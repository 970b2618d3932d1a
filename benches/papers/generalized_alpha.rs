//! Paper 3: time of a step of 100 segments next to the paper's, order in time, energy against ρ∞.

use glam::{DVec3, Vec3};
use lariat::{
    prelude::{Material, RodOptions, RodSpec, RodWorld, Settings, Shape, Solver},
    solver::Rho,
};

use crate::{
    common::{figure, median, quick},
    scenes::{Stage, builtin::generalized_alpha as experiments},
};

/// The paper's time of a step of 100 segments, ms (Pentium M, 1.86 GHz, 2008).
const PAPER_MS: f64 = 135.0;

/// Prints `generalized_alpha_ms` and `generalized_alpha_order`.
pub fn run() {
    println!("paper 3: generalized-α");
    let milliseconds = times();
    println!(
        "  the paper: {PAPER_MS} ms; here {:.0} times less",
        PAPER_MS / milliseconds
    );
    let order = order();
    energy();
    figure("generalized_alpha_ms", milliseconds);
    figure("generalized_alpha_order", order);
}

/// The median over the paper's experiments of their median step, ms a rod.
fn times() -> f64 {
    let scenes = [
        experiments::sinus(),
        experiments::helix(),
        experiments::torque(),
        experiments::spring(),
        experiments::buckling(),
        experiments::tress_pulled(),
        experiments::tress_weights(),
    ];
    let medians = scenes.map(|scene| {
        let adjust = |settings: &mut Settings| settings.threads = Some(1);
        let mut stage = match Stage::with_settings(&scene, adjust, None) {
            Ok(stage) => stage,
            Err(error) => panic!("{}: {error}", scene.name),
        };
        let frames = if quick() { 5 } else { scene.frames };
        let rods = stage.world.len() as f64;
        let (mut times, mut iterations) = (Vec::new(), 0);
        for _ in 0..frames {
            match stage.advance() {
                Ok(took) => times.push(took.as_secs_f64() * 1e3 / rods),
                Err(error) => panic!("{}: {error}", scene.name),
            }
            iterations += stage.report().iterations;
        }
        let middle = median(times);
        println!(
            "  {:<20} {middle:>7.2} ms a step, {:.1} factorizations",
            scene.name,
            f64::from(iterations) / f64::from(frames)
        );
        middle
    });
    median(medians.to_vec())
}

fn wire(rho: Rho, gravity: Vec3) -> (RodWorld, lariat::prelude::RodId) {
    let settings = Settings {
        gravity,
        iterations: 32,
        threads: Some(1),
        ..Settings::default()
    };
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 0.5, 16))
        .material(Material::rigidity(1e4, 1e4, 0.02, 0.02, 0.05))
        .clamp_start();
    let made = || -> Result<_, Box<dyn std::error::Error>> {
        let mut world = RodWorld::new(settings)?;
        let options = RodOptions {
            solver: Solver::GeneralizedAlpha { rho },
            ..RodOptions::default()
        };
        let id = world.insert_with(spec.build()?, options)?;
        Ok((world, id))
    };
    made().unwrap_or_else(|error| panic!("{error}"))
}

/// log₂ of how much smaller the error gets when the step is halved, from 1/200 s on; the smallest of several ρ∞.
fn order() -> f64 {
    let orders = [0.0, 0.5, 1.0].map(|rho| {
        let tip = |steps: u32| {
            let (mut world, id) = wire(Rho::radius(rho), Vec3::ZERO);
            let h = 0.4 / f64::from(steps);
            for k in 0..steps {
                // A force that comes and goes smoothly, at the moment at which the step weighs it.
                let t = (f64::from(k) + 1.0 / (1.0 + rho)) * h;
                let force = 0.3 * (std::f64::consts::PI * t / 0.4).sin().powi(4);
                if let Some(mut rod) = world.rod_mut(id) {
                    let _ = rod.set_force(16, Vec3::Y * force as f32);
                }
                if let Err(error) = world.step(h as f32) {
                    panic!("{error}");
                }
            }
            world.rod(id).map_or(DVec3::NAN, |rod| rod.position(16))
        };
        let tips = [80, 160, 320].map(tip);
        let order = (tips[0].distance(tips[1]) / tips[1].distance(tips[2])).log2();
        println!("  order with rho {rho}: {order:.2}");
        order
    });
    orders.into_iter().fold(f64::INFINITY, f64::min)
}

/// What is left of the energy of a wire that falls and swings, at 60 Hz.
fn energy() {
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let fallen = 0.05 * 0.5 * 9.81 * 0.25;
    let choices = [
        ("rho 1", Rho::radius(1.0)),
        ("rho 0.8", Rho::radius(0.8)),
        ("rho 0.5", Rho::radius(0.5)),
        ("rho 0", Rho::radius(0.0)),
        ("(0.3, 0, 0.7)", experiments::USUAL),
        ("(0.4, 0, 1)", experiments::DAMPED),
    ];
    for (name, rho) in choices {
        let (mut world, id) = wire(rho, gravity);
        let lost: Vec<String> = (0..4)
            .map(|_| {
                for _ in 0..60 {
                    if let Err(error) = world.step(1.0 / 60.0) {
                        panic!("{error}");
                    }
                }
                let energy = world.rod(id).map_or(f64::NAN, |rod| rod.energy().total());
                format!("{:.3}", 1.0 + energy / fallen)
            })
            .collect();
        println!("  energy after 1, 2, 3, 4 s, {name:<14} {}", lost.join(" "));
    }
}
