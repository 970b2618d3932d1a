//! A steady step of generalized-α allocates nothing. The only test of its binary: see `counting`.

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{breeze, built, line, run, soft, world};
use counting::Counting;
use glam::{DVec3, Vec3};
use lariat::{prelude::*, solver::Rho};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn a_steady_step_allocates_nothing() {
    for threads in [1, 2] {
        let mut world = world(Settings {
            substeps: 2,
            iterations: 4,
            threads: Some(threads),
            wind: Some(breeze()),
            ..Settings::default()
        });
        let ids: Vec<RodId> = (0..12)
            .map(|k| {
                let spec = line(1.0, 12 + 4 * (k % 3)).material(soft(1e4, 0.02)).clamp_start();
                let solver = Solver::GeneralizedAlpha {
                    rho: Rho::radius(0.25 * f64::from(k % 4)),
                };
                let options = RodOptions {
                    solver,
                    ..common::placed(k as usize)
                };
                world.insert_with(built(&spec), options).expect("a sound rod")
            })
            .collect();
        let mut kept = Snapshot::default();
        let mut frame = |n: usize| {
            for &id in &ids {
                let origin = common::rod(&world, id).origin();
                let mut rod = world.rod_mut(id).expect("the rod is there");
                let sway = 0.05 * (0.3 * n as f64).sin();
                rod.set_force(12, Vec3::Y * sway as f32).expect("a sound force");
                rod.set_torque(3, Vec3::X * 0.01 * sway as f32).expect("a sound torque");
                rod.set_target(0, origin + DVec3::Y * sway).expect("a sound target");
            }
            world.snapshot_into(&mut kept);
            run(&mut world, 1);
            world.restore(&kept);
            run(&mut world, 1);
        };
        (0..4).for_each(&mut frame);
        let before = ALLOCATOR.calls();
        (4..12).for_each(&mut frame);
        let made = ALLOCATOR.calls() - before;
        // A thread pool's own queue may grow once.
        assert!(made <= if threads == 1 { 0 } else { 2 }, "{threads} threads: {made}");
    }
}
