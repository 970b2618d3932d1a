//! Axial: `F L/EA` under a force, `w L²/2EA` under own weight.

use glam::DVec3;
use lariat::prelude::*;

use crate::support::*;

#[test]
fn stretches_by_force_times_length_over_rigidity() {
    // Four rods side by side, under tension and pressure below the buckling load of 2.5.
    let (axial, n) = (100.0, 16);
    let mut world = world(0.0, 4);
    let spec = straight(n, even(axial, 1.0)).clamp_start();
    let forces = [0.5, -0.5, 1.5, -1.5];
    // Critical drag of the first axial mode, π/2 √EA = 15.7.
    let rods = forces.map(|force| {
        let id = insert(&mut world, &spec, exact(31.0));
        pull_tip(&mut world, id, DVec3::X * force);
        id
    });
    run(&mut world, 1.5, sound_step(1.0 / f64::from(n), axial, 1.0));
    for (force, id) in forces.into_iter().zip(rods) {
        // The model is linear along a straight rod: what is left is single precision, 6e-8 of a length against a strain of 5e-3, and
        // twice that in a segment with its frame.
        assert_near("elongation", tip(&world, id).x - 1.0, force / axial, 5e-5);
        for segment in 0..n as usize {
            assert_near("tension", rod(&world, id).tension(segment), force, 2e-4);
        }
    }
}

#[test]
fn hangs_longer_by_its_own_weight() {
    let (axial, n, weight) = (500.0, 16, 9.81);
    let mut world = world(weight, 4);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, n))
        .material(even(axial, 1.0))
        .clamp_start();
    let id = insert(&mut world, &spec, exact(70.0));
    run(&mut world, 1.0, sound_step(1.0 / f64::from(n), axial, 1.0));
    // Half masses at the ends put the exact weight below the middle of each segment. Left: single precision against 1% of strain.
    assert_near("elongation", -tip(&world, id).y - 1.0, weight / (2.0 * axial), 1e-4);
    for segment in 0..n as usize {
        let below = 1.0 - (segment as f64 + 0.5) / f64::from(n);
        let tension = rod(&world, id).tension(segment);
        assert!((tension - weight * below).abs() < 1e-3, "segment {segment}: {tension}");
    }
}
