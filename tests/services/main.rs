//! What a world does for its host beside moving rods: a file a subject.

mod bulk;
#[path = "../common/mod.rs"]
mod common;
mod contact;
mod interpolation;
mod layers;
mod queries;
mod recording;
mod sleep;
mod snapshot;
mod teleport;
mod wind;

use common::{breeze, placed, world, zoo};
use lariat::prelude::*;

/// Every solver and integrator.
const SOLVERS: [Solver; 5] = [
    Solver::Direct {
        integrator: Integrator::Euler,
    },
    Solver::Direct {
        integrator: Integrator::Bdf2,
    },
    Solver::GROOM,
    Solver::StableCosserat { lambda: Lambda::Exact },
    Solver::XPBD,
];

/// Every kind of rod with every solver, in wind.
fn busy() -> (RodWorld, Vec<RodId>) {
    let mut world = world(Settings {
        substeps: 2,
        iterations: 3,
        threads: Some(1),
        wind: Some(breeze()),
        ..Settings::default()
    });
    let ids = (SOLVERS
        .into_iter()
        .flat_map(|solver| zoo().into_iter().map(move |rod| (solver, rod))))
    .enumerate()
    .map(|(n, (solver, rod))| {
        let options = RodOptions { solver, ..placed(n) };
        world.insert_with(rod, options).expect("a sound rod")
    })
    .collect();
    (world, ids)
}
