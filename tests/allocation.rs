//! A steady step allocates nothing. The only test of its binary: see `counting`.

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{breeze, placed, rod, run, world, zoo};
use counting::Counting;
use glam::{DVec3, Quat, Vec3};
use lariat::prelude::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// Every kind of rod nine times, in wind.
fn busy(threads: usize) -> (RodWorld, Vec<RodId>) {
    let mut world = world(Settings {
        substeps: 2,
        iterations: 2,
        threads: Some(threads),
        wind: Some(breeze()),
        sleep: Some(SleepSettings::default()),
        interpolation: true,
        ..Settings::default()
    });
    let ids = ((0..9).flat_map(|_| zoo()).enumerate())
        .map(|(n, rod)| world.insert_with(rod, placed(n)).expect("a sound rod"))
        .collect();
    (world, ids)
}

/// What a game keeps from frame to frame.
#[derive(Default)]
struct Kept {
    positions: Vec<Vec3>,
    orientations: Vec<Quat>,
    numbers: Vec<f32>,
    snapshot: Snapshot,
}

/// A frame as a game has it: pins led, forces and torques set anew, one step, gone back and stepped again, the state read.
fn frame(world: &mut RodWorld, ids: &[RodId], n: usize, kept: &mut Kept) {
    let sway = 0.05 * (0.3 * n as f64).sin();
    for (k, &id) in ids.iter().enumerate() {
        let origin = rod(world, id).origin();
        let mut rod = world.rod_mut(id).expect("the rod is there");
        rod.set_force(4, Vec3::new(0.0, sway as f32, 0.0))
            .expect("a sound force");
        rod.set_torque(2, Vec3::new(sway as f32 * 0.01, 0.0, 0.0))
            .expect("a sound torque");
        // Rods whose first vertex is free have nothing to lead.
        let _ = rod.set_target(0, origin + DVec3::Y * sway);
        // The next force wakes it.
        if (k + n).is_multiple_of(5) {
            rod.sleep().expect("not frozen");
        }
    }
    world.snapshot_into(&mut kept.snapshot);
    run(world, 1);
    world.restore(&kept.snapshot);
    run(world, 1);
    world.drain_events().for_each(drop);
    let found = world.ray_cast(DVec3::Y * 9.0, DVec3::NEG_Y, 20.0, |_| true);
    std::hint::black_box((found, world.nearest_point(DVec3::Y, 1.0, |_| true)));
    for &id in ids {
        let rod = rod(world, id);
        rod.positions_into(&mut kept.positions);
        rod.velocities_into(&mut kept.positions);
        rod.orientations_into(&mut kept.orientations);
        rod.tensions_into(&mut kept.numbers);
        rod.strains_into(&mut kept.numbers);
        rod.twists_into(&mut kept.numbers);
        rod.interpolated_into(0.3, &mut kept.positions, &mut kept.orientations);
    }
}

/// Allocations of `frames` frames after a warm-up in which everything that breaks has broken.
fn allocations(threads: usize, frames: usize) -> usize {
    let (mut world, ids) = busy(threads);
    let mut kept = Kept::default();
    for n in 0..240 {
        frame(&mut world, &ids, n, &mut kept);
    }
    let before = ALLOCATOR.calls();
    for n in 0..frames {
        frame(&mut world, &ids, n, &mut kept);
    }
    ALLOCATOR.calls() - before
}

#[test]
fn a_steady_step_allocates_nothing() {
    assert_eq!(allocations(1, 100), 0, "on the calling thread");
    // A step hands itself to the pool once. Rayon's queue for work from outside is a list of blocks of 63 entries, and a block is
    // allocated when the last one is full; nothing else may come.
    let frames = 160;
    let pool = allocations(2, frames);
    assert!(
        pool <= 2 * frames / 32,
        "{pool} allocations in {} steps on two threads",
        2 * frames
    );
    // The counter counts.
    let before = ALLOCATOR.calls();
    drop(std::hint::black_box(vec![0u8; 100]));
    assert!(ALLOCATOR.calls() > before);
}
