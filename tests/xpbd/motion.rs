//! Motion: momentum, spin, damping, forces and torques.

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    MODIFIED, PBD, change, close,
    common::{built, line, rod, run, settings},
    slowed, with,
};

fn weightless(substeps: u32, iterations: u32) -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..settings(substeps, iterations)
    }
}

/// Inner forces come in pairs: a free rod that is strained and thrown keeps its momentum, converged or not.
#[test]
fn momentum_is_kept() {
    let bent = RodSpec::new(Shape::helix(0.2, 0.1, 1.5, 24))
        .material(Material::rigidity(300.0, 200.0, 0.05, 0.05, 0.4))
        .rest(RestShape::Straight);
    for solver in [Solver::XPBD, PBD, MODIFIED] {
        let (mut world, id) = with(built(&bent), slowed(solver, 0.0), weightless(2, 3));
        change(&mut world, id, |rod| rod.set_velocity(3, Vec3::new(1.0, 2.0, -1.0)));
        let momentum = |world: &RodWorld| -> DVec3 {
            let rod = rod(world, id);
            (0..rod.vertex_count())
                .map(|v| rod.velocity(v).as_dvec3() * rod.description().vertices()[v].mass)
                .sum()
        };
        let before = momentum(&world);
        run(&mut world, 60);
        let after = momentum(&world);
        // 120 substeps, 24 segments, velocities of 5 m/s rounded to 1e-7 of that, 0.02 kg each.
        assert!(
            before.distance(after) < 1e-4 * before.length(),
            "{solver:?}: {before} {after}"
        );
        assert!(rod(&world, id).energy().kinetic > 0.0);
    }
}

/// A straight rod that spins about its own axis has nothing to lose its spin to.
#[test]
fn a_free_spin_is_kept() {
    let (mut world, id) = with(
        built(&line(1.0, 8).material(Material::rigidity(100.0, 100.0, 0.1, 0.1, 0.1))),
        slowed(Solver::XPBD, 0.0),
        weightless(2, 4),
    );
    // Turned by a torque for a while, then left alone.
    for segment in 0..8 {
        change(&mut world, id, |rod| rod.set_torque(segment, Vec3::X * 1e-2));
    }
    run(&mut world, 10);
    for segment in 0..8 {
        change(&mut world, id, |rod| rod.set_torque(segment, Vec3::ZERO));
    }
    let turned = |world: &mut RodWorld| -> f64 {
        let before = rod(world, id).orientation(3).as_dquat();
        run(world, 1);
        (before.conjugate() * rod(world, id).orientation(3).as_dquat())
            .to_scaled_axis()
            .length()
    };
    let first = turned(&mut world);
    assert!(first > 0.01, "{first}");
    run(&mut world, 120);
    // Line 20 of the paper's algorithm would have lost (1 + (hω/2)²)^(−1/2) of it 242 times.
    close(turned(&mut world), first, 0.01, "turn a frame");
}

/// A weight on a damped spring: the bounce of Direct at the same steps, which is implicit Euler of the same energy.
#[test]
fn stretch_is_damped_as_direct_damps_it() {
    let spring = line(1.0, 4)
        .material(Material::rigidity(100.0, 100.0, 0.1, 0.1, 0.2).with_damping(Damping::Time(0.02)))
        .pin(0);
    let bounce = |solver: Solver, iterations: u32| -> Vec<f64> {
        let pulled = Settings {
            gravity: Vec3::X * 9.81,
            ..settings(16, iterations)
        };
        let (mut world, id) = with(built(&spring), slowed(solver, 0.0), pulled);
        (0..60)
            .map(|_| {
                run(&mut world, 1);
                rod(&world, id).position(4).x - 1.0
            })
            .collect()
    };
    let expected = bounce(Solver::default(), 20);
    let found = bounce(Solver::XPBD, 200);
    let largest = expected.iter().copied().fold(0.0, f64::max);
    for (frame, (a, b)) in found.iter().zip(&expected).enumerate() {
        assert!((a - b).abs() < 0.01 * largest, "frame {frame}: {a} instead of {b}");
    }
    // It does bounce, and dies down.
    assert!(largest > 1.2 * expected[59], "{largest} {}", expected[59]);
}

/// Bending too: the wall is turned at once and the bar creeps after it.
#[test]
fn bending_is_damped() {
    let bar = |relaxation: f64| {
        line(1.0, 8)
            .material(Material::rigidity(500.0, 500.0, 0.5, 0.5, 0.2).with_damping(Damping::Time(relaxation)))
            .clamp_start()
    };
    let swing = |relaxation: f64| {
        let (mut world, id) = with(built(&bar(relaxation)), slowed(Solver::XPBD, 0.0), weightless(20, 10));
        let frame = rod(&world, id).description().clamps()[0].frame;
        change(&mut world, id, |rod| {
            rod.set_clamp(0, DQuat::from_rotation_z(0.3) * frame)
        });
        let heights: Vec<f64> = (0..240)
            .map(|_| {
                run(&mut world, 1);
                rod(&world, id).position(8).y
            })
            .collect();
        let rest = 0.3f64.sin();
        let late = &heights[180..];
        late.iter().map(|y| (y - rest).abs()).fold(0.0, f64::max)
    };
    let (free, damped) = (swing(0.0), swing(0.05));
    // ω = 3.516 √(EI/ρA)/L² = 5.6/s, less the inertia of eight segments: 5.3/s. The first mode loses e^(−τω²t/2), to an eighth at 3 s.
    assert!(free > 0.1 && (0.07..0.2).contains(&(damped / free)), "{free} {damped}");
}

/// A tip couple of `πEI/L` bends a bar to half a circle, a tip force stretches it.
#[test]
fn torques_and_forces_act() {
    let (n, ei) = (16usize, 0.05);
    let bar = line(1.0, n as u32)
        .material(Material::rigidity(200.0, 200.0, ei, ei, 0.1))
        .clamp_start();
    let (mut world, id) = with(built(&bar), slowed(Solver::XPBD, 6.0), weightless(20, 8));
    let couple = (std::f64::consts::PI * ei) as f32;
    change(&mut world, id, |rod| rod.set_torque(n - 1, Vec3::Z * couple));
    run(&mut world, 400);
    let tip = rod(&world, id).position(n);
    // The chord of half a circle is 2L/π, across the wall. A joint's moment is that of the sine: 1% softer at 11°.
    close(tip.y, 2.0 / std::f64::consts::PI, 0.02, "diameter");
    change(&mut world, id, |rod| {
        rod.set_torque(n - 1, Vec3::ZERO)?;
        rod.set_force(n, Vec3::X * 2.0)
    });
    run(&mut world, 600);
    close(rod(&world, id).tension(n - 1), 2.0, 0.01, "tension");
    close(rod(&world, id).position(n).x - 1.0, 0.01, 0.02, "stretch");
}
