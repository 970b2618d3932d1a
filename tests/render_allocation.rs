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
        let mut before = ALLOCATOR.calls();
        for _ in 0..10 {
            world.step(common::FRAME).expect("a sound step");
            if world.drain_events().count() > 0 {
                // Something broke: its tube is another one now.
                write(&world);
                before = ALLOCATOR.calls();
            }
            write(&world);
        }
        let everything = DebugOptions {
            frames: true,
            velocities: true,
            ..DebugOptions::default()
        };
        let mut length = 0.0;
        draw(&world, &everything, &mut |a: Vec3, b: Vec3, _| length += a.distance(b));
        assert!(length > 1.0);
        assert_eq!(ALLOCATOR.calls() - before, 0, "{caps:?}");
    }
}
