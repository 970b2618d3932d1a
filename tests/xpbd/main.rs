//! Position and orientation based rods: the other solvers' shapes when converged, paper 5's scenes, what a host can do with them.

#[path = "../coupling/bodies.rs"]
mod bodies;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/scenes/mod.rs"]
mod scenes;

mod figures;
mod graphs;
mod hosting;
mod motion;
mod sameness;
mod shapes;

use lariat::prelude::*;

/// Moved by XPBD, slowed by so much, 1/s.
fn slowed(solver: Solver, drag: f32) -> RodOptions {
    RodOptions {
        solver,
        drag,
        ..RodOptions::default()
    }
}

const PBD: Solver = Solver::Xpbd {
    projection: Projection::Stiffness,
    darboux: Darboux::Plain,
    long_range: false,
};
const MODIFIED: Solver = Solver::Xpbd {
    projection: Projection::Compliance,
    darboux: Darboux::Modified,
    long_range: false,
};
const LONG_RANGE: Solver = Solver::Xpbd {
    projection: Projection::Compliance,
    darboux: Darboux::Plain,
    long_range: true,
};

/// A world with one rod.
fn with(rod: RodDescription, options: RodOptions, settings: Settings) -> (RodWorld, RodId) {
    let mut world = common::world(settings);
    let id = world.insert_with(rod, options).expect("a sound rod");
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
