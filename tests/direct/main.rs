//! The direct solver as a whole: closed forms at 60 Hz in one substep, agreement with other methods and with itself, potential and energy.

#[path = "../common/mod.rs"]
mod common;

mod agreement;
mod cantilever;
mod damping;
mod game_scenes;
mod integrators;
mod potential;
mod shapes;

use glam::Vec3;
use lariat::{prelude::*, solver::Integrator};

/// Moved by the direct solver, implicit Euler.
fn direct() -> RodOptions {
    by(Integrator::Euler)
}

fn by(integrator: Integrator) -> RodOptions {
    RodOptions {
        solver: Solver::Direct { integrator },
        ..RodOptions::default()
    }
}

/// A game's: one substep a frame, at most eight iterations.
fn game() -> Settings {
    common::settings(1, 8)
}

fn weightless() -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..game()
    }
}

/// A world with one rod.
fn with(spec: &RodSpec, options: RodOptions, settings: Settings) -> (RodWorld, RodId) {
    let mut world = common::world(settings);
    let id = world.insert_with(common::built(spec), options).expect("a sound rod");
    (world, id)
}

fn change<T>(world: &mut RodWorld, id: RodId, f: impl FnOnce(&mut RodMut<'_>) -> Result<T, RodAccessError>) -> T {
    f(&mut world.rod_mut(id).expect("the rod is there")).expect("a sound change")
}

/// `found` within a share of `expected`.
#[track_caller]
fn close(found: f64, expected: f64, share: f64, what: impl std::fmt::Display) {
    let error = found / expected - 1.0;
    assert!(
        error.abs() <= share,
        "{what}: {found:.6e} instead of {expected:.6e}, off by {:.3}%",
        100.0 * error
    );
}
