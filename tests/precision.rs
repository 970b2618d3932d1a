//! Single precision: small steps are not rounded away (the trap of S1 at 64 substeps), and distance from the origin costs nothing.

mod common;

use std::f64::consts::FRAC_PI_2;

use common::{apart, built, line, positions, rod, run, settings, soft, world};
use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

const GRAVITY: f64 = 9.81;
const FAR: DVec3 = DVec3::new(10_000.0, -300.0, 10_000.0);

/// S1 of the scenes: 64 segments, 2 m, along x. EA = 1 kN is the regime in which this solver follows a rope with few sweeps.
fn rope() -> RodSpec {
    line(2.0, 64).material(soft(1e3, 1e-3))
}

fn dropped(spec: &RodSpec, substeps: u32, iterations: u32, translation: DVec3, frames: usize) -> (RodWorld, RodId) {
    let mut world = world(settings(substeps, iterations));
    let options = RodOptions {
        translation,
        ..RodOptions::default()
    };
    let id = world.insert_with(built(spec), options).expect("a sound rope");
    run(&mut world, frames);
    (world, id)
}

/// Nothing holds the rope: every vertex falls by `g t²/2`, of which implicit Euler with `n` steps makes `(n + 1)/n`. Across the rope's
/// length, far away, and along its length, where 64 m have a last bit ten times larger than `g h²`.
#[test]
fn free_fall_at_64_substeps() {
    let (substeps, frames) = (64, 240);
    let time = frames as f64 * f64::from(common::FRAME);
    let steps = f64::from(substeps) * frames as f64;
    let expected = 0.5 * GRAVITY * time * time * (1.0 + 1.0 / steps);
    let cable = line(64.0, 64).material(soft(1e3, 1e-3));
    let drops = [
        (rope(), DVec3::ZERO, 0.0),
        (rope(), FAR, 0.0),
        (cable, DVec3::ZERO, -FRAC_PI_2),
    ];
    for arithmetic in [Arithmetic::Fast, Arithmetic::Reproducible] {
        for (spec, place, turn) in &drops {
            let options = RodOptions {
                translation: *place,
                rotation: DQuat::from_rotation_z(*turn),
                ..RodOptions::default()
            };
            let mut world = world(Settings {
                arithmetic,
                ..settings(substeps, 2)
            });
            let id = world.insert_with(built(spec), options).expect("a sound rope");
            let start = positions(&world, id);
            run(&mut world, frames);
            let end = positions(&world, id);
            for (v, (from, to)) in start.iter().zip(&end).enumerate() {
                let error = (from.y - to.y) / expected - 1.0;
                // A velocity that is rounded 15,360 times: 3e-5 seen. Rounded frames push the vertices about by a
                // millimetre as well (EA/10⁷ N a segment).
                assert!(error.abs() < 1e-4, "vertex {v}, {arithmetic:?}: off by {error:e}");
            }
            // These pushes do not carry the rope away.
            let aside = start.iter().zip(&end).map(|(from, to)| *to - *from).sum::<DVec3>() / start.len() as f64;
            assert!(aside.x.abs() < 2e-5 && aside.z.abs() < 2e-5, "{aside}");
        }
    }
}

/// 1 µm/s, 2 m from the rod's origin: a substep moves it by a thousandth of the last bit.
#[test]
fn creep_is_not_rounded_away() {
    let mut world = world(Settings {
        gravity: Vec3::ZERO,
        ..settings(64, 1)
    });
    let options = RodOptions {
        velocity: Vec3::new(1e-6, -1e-6, 0.0),
        ..RodOptions::default()
    };
    // Rounded frames push at a rope with about EA/10⁷ N: this one is too soft for that to show.
    let limp = rope().material(soft(0.01, 1e-6)).build().expect("a sound rope");
    let id = world.insert_with(limp, options).expect("a sound rope");
    let start = positions(&world, id);
    run(&mut world, 60);
    for (v, (from, to)) in start.iter().zip(positions(&world, id)).enumerate() {
        let error = (to - *from - DVec3::new(1e-6, -1e-6, 0.0)).length();
        assert!(error < 2e-8, "vertex {v} moved by {}", to - *from);
    }
}

/// The trap itself: S1 at 64 substeps falls as at 4. Sweeps are as many as each needs to converge. What is left is the error of the
/// longer step, which is of first order: at 8 substeps it is half as large. Until the rope comes to the vertical, at 0.6 s, after which it
/// cracks like a whip and all errors grow.
#[test]
fn s1_falls_at_64_substeps_as_at_4() {
    let pinned = rope().pin(0);
    let tips = [(4, 100), (8, 60), (64, 8)].map(|(substeps, iterations)| {
        let (mut world, id) = dropped(&pinned, substeps, iterations, DVec3::ZERO, 0);
        let tip = |world: &RodWorld| rod(world, id).position(64);
        let fall: Vec<DVec3> = (0..36)
            .map(|_| {
                run(&mut world, 1);
                tip(&world)
            })
            .collect();
        fall
    });
    let [coarse, middle] = [apart(&tips[0], &tips[2]), apart(&tips[1], &tips[2])];
    assert!(coarse < 0.03, "tips {coarse} m apart at 4 and 64 substeps");
    assert!(
        middle < 0.6 * coarse,
        "tips {middle} m apart at 8 and 64 substeps, {coarse} m at 4"
    );
    // It fell at all.
    let end = tips[2][35];
    assert!(end.x < 1.0 && end.y < -1.5, "{end}");
}

#[test]
fn ten_kilometres_away_the_bits_are_the_same() {
    for frames in [0, 90] {
        let (near, _) = dropped(&rope().pin(0), 8, 8, DVec3::ZERO, frames);
        let (far, id) = dropped(&rope().pin(0), 8, 8, FAR, frames);
        assert_eq!(far.state_hash(), near.state_hash());
        assert_eq!(rod(&far, id).position(0), FAR);
    }
    // Carried there while it swings.
    let (mut near, _) = dropped(&rope().pin(0), 8, 8, DVec3::ZERO, 30);
    let mut far = near.clone();
    let id = far.ids().next().expect("one rope");
    far.rod_mut(id)
        .expect("one rope")
        .translate(FAR)
        .expect("a sound translation");
    run(&mut near, 30);
    run(&mut far, 30);
    assert_eq!(far.state_hash(), near.state_hash());
    assert!(apart(&positions(&near, id), &positions(&far, id)) > 9_999.0);
}
