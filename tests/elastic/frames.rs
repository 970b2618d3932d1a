//! Paper 4, section VI-A: material frames that are flipped from edge to edge.

use lariat::prelude::*;

use crate::{
    common::{apart, positions, run, settings, world},
    scenes::{
        builtin::flipped_frames::FlippedFrames,
        names::{DIRECT, ELASTIC, ELASTIC_MEAN_FRAME},
    },
};

fn settled(rod: RodDescription, solver: Solver) -> Vec<glam::DVec3> {
    let mut world = world(settings(1, 8));
    let options = RodOptions {
        solver,
        drag: 3.0,
        ..RodOptions::default()
    };
    let id = world.insert_with(rod, options).expect("a sound rod");
    run(&mut world, 240);
    positions(&world, id)
}

/// Fig. 2: with straight frames both measures bend alike; with flipped ones the mean of two frames is zero, and the bar falls like a rope that nothing stiffens.
#[test]
fn flipped_frames_do_not_bend_in_the_mean_frame_and_do_in_both() {
    let bar = FlippedFrames::default();
    let [straight, flipped] = [bar.straight(), bar.flipped()].map(|rod| rod.expect("a sound bar"));
    let as_built = settled(straight.clone(), ELASTIC);
    let sag = -as_built[29].y;
    assert!((0.2..0.7).contains(&sag), "it sags by {sag} m");
    let mean = settled(straight.clone(), ELASTIC_MEAN_FRAME);
    // Frames of a bar that does not twist are parallel: the two measures are the same numbers, up to the steps that Newton leaves.
    assert!(apart(&as_built, &mean) < 1e-4);
    let both_flipped = settled(flipped.clone(), ELASTIC);
    assert!(
        apart(&as_built, &both_flipped) < 1e-4,
        "{}",
        apart(&as_built, &both_flipped)
    );
    let mean_flipped = settled(flipped, ELASTIC_MEAN_FRAME);
    // Only the clamp still holds the first segment.
    assert!(mean_flipped[29].y < -0.9, "it hangs at {}", mean_flipped[29]);
    // Direct knows of no frames but quaternions, and agrees.
    let direct = settled(straight, DIRECT);
    assert!(apart(&as_built, &direct) < 0.01 * sag);
}

/// Fig. 3: a hundred times softer, where approximate gradients break down, flipped frames still change nothing.
#[test]
fn flipped_frames_are_harmless_whatever_the_stiffness() {
    for ei in [2.0, 0.2, 0.02] {
        let bar = FlippedFrames {
            ei,
            ..FlippedFrames::default()
        };
        let [straight, flipped] =
            [bar.straight(), bar.flipped()].map(|rod| settled(rod.expect("a sound bar"), ELASTIC));
        assert!(
            apart(&straight, &flipped) < 1e-4,
            "EI {ei}: {}",
            apart(&straight, &flipped)
        );
        assert!(
            flipped.iter().all(|place| place.z.abs() < 1e-6),
            "EI {ei}: it leaves its plane"
        );
    }
}
