//! Discrete elastic rods as a whole: closed forms, agreement with Direct at rest and in motion, frames that are flipped, and what every rod of a world can do.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/scenes/mod.rs"]
mod scenes;
#[path = "../../benches/papers/static_shapes.rs"]
#[allow(dead_code, reason = "the table is the bench's")]
mod static_shapes;

mod frames;
mod life;
mod motion;
mod shapes;

use lariat::prelude::*;

fn elastic() -> RodOptions {
    RodOptions {
        solver: scenes::names::ELASTIC,
        ..RodOptions::default()
    }
}

fn slowed(drag: f32) -> RodOptions {
    RodOptions { drag, ..elastic() }
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
