//! Generalized-α as a whole: closed forms, agreement with Direct, order and damping in time, stability, and the life of a rod.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/scenes/mod.rs"]
mod scenes;

mod experiments;
mod life;
mod pushing;
mod shapes;
mod stability;
mod time;

use glam::Vec3;
use lariat::{prelude::*, solver::Rho};

/// The default damping.
const SOLVER: Solver = Solver::GeneralizedAlpha { rho: Rho::radius(0.5) };

/// One substep; Newton's method may take its time.
fn patient() -> Settings {
    common::settings(1, 32)
}

fn weightless() -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..patient()
    }
}

fn by(solver: Solver) -> RodOptions {
    RodOptions {
        solver,
        ..RodOptions::default()
    }
}

/// A world with one rod.
fn with(spec: &RodSpec, solver: Solver, settings: Settings) -> (RodWorld, RodId) {
    let mut world = common::world(settings);
    let id = world.insert_with(common::built(spec), by(solver)).expect("a sound rod");
    (world, id)
}

fn change(world: &mut RodWorld, id: RodId, f: impl FnOnce(&mut RodMut<'_>) -> Result<(), RodAccessError>) {
    f(&mut world.rod_mut(id).expect("the rod is there")).expect("a sound change");
}

fn step(world: &mut RodWorld, dt: f32, steps: usize) {
    for _ in 0..steps {
        world.step(dt).expect("a sound step");
    }
}

/// A hair of keratin, 25 cm, as paper 3 has it: straight, or curled.
fn hair(segments: u32, curled: bool) -> RodSpec {
    use glam::DVec3;
    let radius: f64 = 2.185e-5;
    let [area, second] = [2, 4].map(|power| radius.powi(power) * std::f64::consts::PI);
    let material = Material::rigidity(
        3.89e9 * area,
        0.89e9 * area,
        3.89e9 * second / 4.0,
        0.89e9 * second / 2.0,
        1300.0 * area,
    );
    let shape = if curled {
        Shape::Helix {
            centre: DVec3::ZERO,
            axis: DVec3::X,
            radius: 0.01,
            pitch: 0.05,
            turns: 3.1,
            segments,
        }
    } else {
        Shape::line(DVec3::ZERO, DVec3::X * 0.25, segments)
    };
    RodSpec::new(shape).radius(radius).material(material).clamp_start()
}
