//! A steady step of discrete elastic rods allocates nothing. The only test of its binary: see `counting`.

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{breeze, placed, run, world, zoo};
use counting::Counting;
use lariat::prelude::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn a_steady_step_of_elastic_rods_allocates_nothing() {
    let mut world = world(Settings {
        wind: Some(breeze()),
        ..common::settings(2, 4)
    });
    let solver = Solver::Elastic {
        curvature: Curvature::BothFrames,
    };
    let chains = zoo().into_iter().filter(|rod| solver.takes(rod.topology()));
    for (n, rod) in chains.enumerate() {
        let options = RodOptions { solver, ..placed(n) };
        world.insert_with(rod, options).expect("a sound chain");
    }
    let mut snapshot = Snapshot::default();
    let mut frame = |world: &mut RodWorld| {
        world.snapshot_into(&mut snapshot);
        run(world, 1);
        world.restore(&snapshot);
        run(world, 1);
        world.drain_events().for_each(drop);
    };
    (0..120).for_each(|_| frame(&mut world));
    let before = ALLOCATOR.calls();
    (0..60).for_each(|_| frame(&mut world));
    assert_eq!(ALLOCATOR.calls() - before, 0);
}
