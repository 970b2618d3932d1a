//! Rods and worlds that several tests share.
#![allow(dead_code, reason = "every test binary uses its own part")]

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// Frame of a game, s.
pub const FRAME: f32 = 1.0 / 60.0;

/// The same cases on every run: a red test is red for everybody.
pub fn cases(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(2025),
        failure_persistence: None,
        ..Config::default()
    }
}

/// On the calling thread, with the usual gravity.
pub fn settings(substeps: u32, iterations: u32) -> Settings {
    Settings {
        substeps,
        iterations,
        threads: Some(1),
        ..Settings::default()
    }
}

pub fn built(spec: &RodSpec) -> RodDescription {
    spec.build().expect("a sound rod")
}

pub fn world(settings: Settings) -> RodWorld {
    RodWorld::new(settings).expect("sound settings")
}

pub fn run(world: &mut RodWorld, frames: usize) {
    for _ in 0..frames {
        world.step(FRAME).expect("a sound step");
    }
}

pub fn rod(world: &RodWorld, id: RodId) -> RodRef<'_> {
    world.rod(id).expect("the rod is there")
}

pub fn positions(world: &RodWorld, id: RodId) -> Vec<DVec3> {
    let rod = rod(world, id);
    (0..rod.vertex_count()).map(|v| rod.position(v)).collect()
}

/// The farthest that two shapes are apart, m.
pub fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Soft enough that a few sweeps find its motion: 1 kg/m, EA in N and EI in N·m².
pub fn soft(ea: f64, ei: f64) -> Material {
    Material::rigidity(ea, ea, ei, ei, 1.0)
}

/// The same, with two bending stiffnesses and a torsional one.
pub fn uneven(ea: f64, ei: [f64; 2], gj: f64) -> Material {
    Material {
        stiffness: Stiffness::Rigidity { ea, ga: ea, ei, gj },
        ..soft(ea, 0.0)
    }
}

pub fn line(length: f64, segments: u32) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * length, segments))
}

/// A square net of `side` vertices a side in the plane z = 0, 0.1 m apart, every crossing jointed.
pub fn net(side: u32) -> Shape {
    let at = |row: u32, column: u32| row * side + column;
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let vertices: Vec<DVec3> = (cells.clone())
        .map(|(row, column)| DVec3::new(f64::from(column), f64::from(row), 0.0) * 0.1)
        .collect();
    let segments: Vec<[u32; 2]> = cells
        .flat_map(|(row, column)| {
            let right = (column + 1 < side).then(|| [at(row, column), at(row, column + 1)]);
            let up = (row + 1 < side).then(|| [at(row, column), at(row + 1, column)]);
            [right, up].into_iter().flatten()
        })
        .collect();
    Shape::graph(vertices, segments, Joints::All)
}

/// One rod of every kind that the solver treats in its own way: shared and lone chains, loops and graphs, isotropic or not, damped
/// or not, breakable or not.
pub fn zoo() -> Vec<RodDescription> {
    let damped = Damping::Time(0.01);
    let helix = Shape::helix(0.2, 0.1, 3.0, 40);
    [
        line(1.0, 16).material(soft(200.0, 0.01)).pin(0),
        line(1.0, 24).material(soft(500.0, 0.1)).pin(0).pin_last(),
        line(1.0, 16).material(uneven(300.0, [0.05, 0.4], 0.1)).clamp_start(),
        line(1.0, 16)
            .material(soft(300.0, 0.05).with_damping(damped))
            .clamp_start(),
        line(1.0, 16)
            .material(uneven(300.0, [0.02, 0.1], 0.3).with_damping(damped))
            .clamp_start()
            .clamp_end(),
        RodSpec::new(helix)
            .material(uneven(100.0, [0.3, 0.3], 0.2))
            .pin(0)
            .hold_segment(0),
        line(1.0, 16)
            .material(soft(50.0, 0.01))
            .pin(0)
            .load(16, 0.5)
            .break_at(BreakLimit::Strain(0.12)),
        line(3.0, 300).material(soft(300.0, 0.02)).pin(0).pin_last(),
        RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21))
            .material(soft(200.0, 0.05))
            .pin(3),
        RodSpec::new(net(6)).material(soft(100.0, 0.002)).pin(0).pin(5),
        RodSpec::new(net(5))
            .material(uneven(100.0, [0.002, 0.004], 0.001).with_damping(damped))
            .pin(0)
            .break_at(BreakLimit::Strain(0.4)),
    ]
    .iter()
    .map(built)
    .collect()
}

/// How the n-th rod of a test lies: all different, some far away, some already moving, moved by one solver after the other.
pub fn placed(index: usize) -> RodOptions {
    let n = index as f64;
    RodOptions {
        translation: DVec3::new(7.3 * n, 0.01 * n * n, -3.1 * n),
        rotation: DQuat::from_rotation_y(0.7 * n) * DQuat::from_rotation_x(0.1 * n),
        velocity: Vec3::new(0.1, -0.2, 0.05 * (n as f32).sin()),
        drag: if index.is_multiple_of(3) { 0.5 } else { 0.0 },
        solver: [Solver::default(), Solver::GROOM, Solver::XPBD][(index + index / 3) % 3],
        ..RodOptions::default()
    }
}

/// Gusts that bend the rods of [`zoo`] visibly.
pub fn breeze() -> Wind {
    Wind {
        wavelength: 3.0,
        base: 1.0,
        ..Wind::steady(Vec3::new(4.0, 0.0, 3.0))
    }
}
