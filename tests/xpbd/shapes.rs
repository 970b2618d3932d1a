//! Shapes at rest: those of Direct, when converged.

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    MODIFIED, PBD, change, close,
    common::{apart, built, line, positions, rod, run, settings},
    slowed, with,
};

/// The rod at rest, as a solver sees it.
fn settled(spec: &RodSpec, solver: Solver, settings: Settings, drag: f32, frames: usize) -> (RodWorld, RodId) {
    let (mut world, id) = with(built(spec), slowed(solver, drag), settings);
    run(&mut world, frames);
    (world, id)
}

/// How far apart two solvers' shapes are, as a part of the way that the rod went.
fn disagreement(spec: &RodSpec, solver: Solver, gravity: Vec3, [substeps, iterations]: [u32; 2], drag: f32) -> f64 {
    let heavy = |substeps, iterations| Settings {
        gravity,
        ..settings(substeps, iterations)
    };
    let (direct, id) = settled(spec, Solver::default(), heavy(1, 20), drag, 900);
    let expected = positions(&direct, id);
    let (world, id) = settled(spec, solver, heavy(substeps, iterations), drag, 360);
    let start: Vec<DVec3> = built(spec).vertices().iter().map(|v| v.position).collect();
    apart(&positions(&world, id), &expected) / apart(&start, &expected)
}

const DOWN: Vec3 = Vec3::new(0.0, -9.81, 0.0);

fn uneven(ea: f64, ga: f64, ei: [f64; 2], gj: f64, density: f64) -> Material {
    Material {
        stiffness: Stiffness::Rigidity { ea, ga, ei, gj },
        ..Material::rigidity(ea, ea, gj, gj, density)
    }
}

/// 1%, the project's own bound; what is left is the drag's last motion and the rounding of single precision.
#[test]
fn a_cantilever_bends_as_direct_bends_it() {
    let bars = [
        line(1.0, 16).material(Material::rigidity(2000.0, 800.0, 2.0, 1.5, 1.0)),
        line(1.0, 16).material(uneven(2000.0, 500.0, [2.0, 0.5], 1.0, 1.0)),
    ];
    for (n, bar) in bars.into_iter().enumerate() {
        let bar = bar.clamp_start();
        for solver in [Solver::XPBD, MODIFIED] {
            // Gravity aslant, so that both bending stiffnesses show.
            let off = disagreement(&bar, solver, Vec3::new(0.0, -7.0, 5.0), [20, 8], 3.0);
            assert!(off < 0.01, "bar {n}, {solver:?}: {off}");
        }
    }
}

#[test]
fn a_rope_hangs_as_direct_hangs_it() {
    let rope = line(0.9, 16)
        .material(Material::rigidity(1000.0, 1000.0, 0.01, 0.01, 0.2))
        .pin(0)
        .pin(16);
    for solver in [Solver::XPBD, MODIFIED] {
        let off = disagreement(&rope, solver, DOWN, [20, 16], 3.0);
        assert!(off < 0.01, "{solver:?}: {off}");
    }
    // Each segment carries what hangs below it.
    let hanging = line(1.0, 10)
        .material(Material::rigidity(500.0, 500.0, 1e-3, 1e-3, 0.5))
        .pin(0);
    let (world, id) = settled(&hanging, Solver::XPBD, settings(20, 16), 4.0, 600);
    for segment in 0..10 {
        let below = 0.05 * (9.5 - segment as f64) * 9.81;
        close(
            rod(&world, id).tension(segment),
            below,
            0.01,
            format!("segment {segment}"),
        );
    }
}

/// Twelve segments a quarter turn: the constraint's `Im(q̄u) − Im(q̄⁰u⁰)` is a little softer than the angle, by `cos²` of half the angle between segments.
#[test]
fn a_helix_hangs_as_direct_hangs_it() {
    let helix = RodSpec::new(Shape::helix(0.1, 0.06, 1.5, 54))
        .material(Material::rigidity(60.0, 60.0, 0.01, 0.008, 0.02))
        .clamp_start();
    for solver in [Solver::XPBD, MODIFIED] {
        let off = disagreement(&helix, solver, Vec3::new(0.0, 0.0, 9.81), [40, 12], 4.0);
        assert!(off < 0.01, "{solver:?}: {off}");
    }
}

/// A wall turned by an angle twists the bar evenly, and its moment is `GJ φ/L`.
#[test]
fn twist_is_linear() {
    let n = 20usize;
    let bar = line(1.0, n as u32)
        .material(Material::rigidity(1e3, 1e3, 0.2, 0.1, 0.1))
        .clamp_start()
        .clamp_end();
    for solver in [Solver::XPBD, MODIFIED] {
        let still = Settings {
            gravity: Vec3::ZERO,
            ..settings(20, 8)
        };
        let (mut world, id) = with(built(&bar), slowed(solver, 5.0), still);
        let frame = rod(&world, id).description().clamps()[1].frame;
        change(&mut world, id, |rod| {
            rod.set_clamp(1, frame * DQuat::from_rotation_z(1.0))
        });
        run(&mut world, 240);
        for joint in 0..n - 1 {
            close(
                rod(&world, id).twist(joint),
                1.0 / n as f64,
                5e-3,
                format!("joint {joint}"),
            );
            let moment = f64::from(rod(&world, id).moment(joint).z).abs();
            close(moment, 0.1, 5e-3, format!("moment of joint {joint}"));
        }
    }
}

/// PBD's stiffness is that of single constraints: right for short substeps, too soft for long ones, whatever the iterations.
#[test]
fn pbd_is_as_stiff_as_its_substeps_are_short() {
    let bar = line(1.0, 10)
        .material(Material::rigidity(200.0, 200.0, 2.0, 2.0, 1.0))
        .clamp_start();
    let off = |substeps, iterations| disagreement(&bar, PBD, DOWN, [substeps, iterations], 3.0);
    let [long, medium, short] = [off(1, 10), off(8, 10), off(60, 4)];
    assert!(long > 2.0 * medium && medium > 2.0 * short, "{long} {medium} {short}");
    assert!(short < 0.02, "{short}");
    assert!((off(1, 40) / long - 1.0).abs() < 0.2, "iterations change it");
    // XPBD with the same iterations is right.
    let compliant = disagreement(&bar, Solver::XPBD, DOWN, [8, 10], 3.0);
    assert!(compliant < 0.01 && compliant < 0.2 * medium, "{compliant}");
}
