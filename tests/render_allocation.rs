//! Drawing allocates nothing once the buffers have grown. The only test of its binary: see `counting`.

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{placed, world, zoo};
use counting::Counting;
use glam::Vec3;
use lariat::{
    prelude::*,
    render::{Caps, DebugOptions, TubeMesh, TubeOptions, draw},
};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn drawing_again_allocates_nothing() {
    let mut world = world(common::settings(1, 2));
    let ids: Vec<RodId> = (zoo().into_iter().enumerate())
        .map(|(n, rod)| world.insert_with(rod, placed(n)).expect("a sound rod"))
        .collect();
    let everything = DebugOptions {
        frames: true,
        velocities: true,
        ..DebugOptions::default()
    };
    for caps in [Caps::Round, Caps::Flat] {
        let options = TubeOptions {
            caps,
            ..TubeOptions::default()
        };
        let mut meshes = vec![TubeMesh::default(); ids.len()];
        let mut write = |world: &RodWorld| {
            for (mesh, &id) in meshes.iter_mut().zip(&ids) {
                let rod = world.rod(id).expect("the rod is there");
                mesh.write(&rod, rod.origin(), &options).expect("sound options");
            }
        };
        write(&world);
        // The harness has a thread of its own, which may allocate beside the test now and then: the calmest of many frames counts.
        let mut fewest = usize::MAX;
        for _ in 0..30 {
            world.step(common::FRAME).expect("a sound step");
            if world.drain_events().count() > 0 {
                write(&world); // Something broke: its tube is another one now.
            }
            let before = ALLOCATOR.calls();
            write(&world);
            let mut length = 0.0;
            draw(&world, &everything, &mut |a: Vec3, b: Vec3, _| length += a.distance(b));
            assert!(length > 1.0);
            fewest = fewest.min(ALLOCATOR.calls() - before);
        }
        assert_eq!(fewest, 0, "{caps:?}");
    }
    // The counter counts.
    let before = ALLOCATOR.calls();
    drop(std::hint::black_box(vec![0u8; 100]));
    assert!(ALLOCATOR.calls() > before);
}
