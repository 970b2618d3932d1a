//! The seven experiments of paper 3, each with 100 segments and steps of 1/30 s as there.
//!
//! The paper gives lengths, hair's moduli and the weights α, β, γ. Sizes that it does not give (amplitudes, wires, loads) are chosen so that what its figures show can be seen.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use lariat::{
    prelude::{Material, RodSpec, Shape, Solver},
    solver::Rho,
};

use super::super::{Act, Index, Scene, SceneRod, What};

/// Frames a second: the paper's Δt = 1/30 s.
const RATE: f64 = 30.0;
/// Newton iterations at most; the paper needs 14 on average.
const ITERATIONS: u32 = 16;
/// Radius of a hair whose section is the paper's 1.5·10⁻⁵ cm², m.
const HAIR_RADIUS: f64 = 2.185e-5;

/// Segments of every rod.
pub const SEGMENTS: u32 = 100;
/// The paper's usual weights.
pub const USUAL: Rho = Rho::weights(0.3, 0.0, 0.7);
/// The paper's weights for much damping.
pub const DAMPED: Rho = Rho::weights(0.4, 0.0, 1.0);

fn by(rho: Rho) -> Solver {
    Solver::GeneralizedAlpha { rho }
}

fn scene(name: &str, about: &str, rho: Rho, seconds: f64) -> Scene {
    Scene::new(name, about)
        .timed(RATE, 1, ITERATIONS, (RATE * seconds) as u32)
        .solved_by(by(rho))
}

/// Keratin: the paper's Young's and shear modulus, at the density of hair.
fn keratin() -> Material {
    // ν = E/2G − 1 is above what a solid of one kind can have: hair shears easily.
    let [area, second] = [2, 4].map(|power| HAIR_RADIUS.powi(power) * std::f64::consts::PI);
    let (young, shear, density) = (3.89e9, 0.89e9, 1300.0);
    Material::rigidity(
        young * area,
        shear * area,
        young * second / 4.0,
        shear * second / 2.0,
        density * area,
    )
}

/// A wire as thick as needle and thread: 30 mg/cm, EI in N·m².
fn wire(ei: f64) -> Material {
    Material::rigidity(1e4, 1e4, ei, ei / 1.3, 0.003)
}

/// A helix along −y of that length, clamped at its start.
fn coil(length: f64, radius: f64, pitch: f64) -> Shape {
    let turn = (TAU * radius).hypot(pitch);
    Shape::Helix {
        centre: DVec3::ZERO,
        axis: -DVec3::Y,
        radius,
        pitch,
        turns: length / turn,
        segments: SEGMENTS,
    }
}

/// Hair of 25 cm, curled.
fn tress() -> RodSpec {
    RodSpec::new(coil(0.25, 0.008, 0.03))
        .radius(HAIR_RADIUS)
        .material(keratin())
        .clamp_start()
}

/// 1: a sinus-like rod is released from horizontal, undamped.
pub fn sinus() -> Scene {
    let wave = |i: u32| {
        let s = f64::from(i) / 200.0;
        DVec3::new(0.4 * s, 0.02 * (3.0 * TAU * s).sin(), 0.0)
    };
    let spec = RodSpec::new(Shape::curve((0..=200).map(wave).collect::<Vec<_>>(), SEGMENTS))
        .radius(0.0005)
        .material(wire(2e-4))
        .clamp_start();
    scene(
        "alpha_sinus",
        "Paper 3, 1: a rod like a sine is released from horizontal, with ρ∞ = 1 and so without damping.",
        Rho::radius(1.0),
        4.0,
    )
    .with_rod(SceneRod::new("rod", spec))
    .with_probe("tip", "rod", What::Position(Index::LAST))
    .with_probe("energy", "rod", What::TotalEnergy)
}

/// 2: a damped helix of 30 cm under a load on its end that comes and goes.
pub fn helix() -> Scene {
    let spec = RodSpec::new(coil(0.3, 0.01, 0.012))
        .radius(0.0005)
        .material(wire(2e-4))
        .clamp_start();
    let mut scene = scene(
        "alpha_helix",
        "Paper 3, 2: a helix of 30 cm, much damped, under a load on its end that comes and goes.",
        DAMPED,
        4.0,
    )
    .with_rod(SceneRod::new("helix", spec));
    let loads = [
        Vec3::new(0.0, -0.15, 0.0),
        Vec3::new(0.05, 0.0, 0.0),
        Vec3::new(0.0, -0.1, 0.05),
        Vec3::ZERO,
    ];
    let mut from = Vec3::ZERO;
    for (k, to) in loads.into_iter().enumerate() {
        let at = 0.5 + 0.8 * k as f64;
        let vertex = Index::LAST;
        scene = scene.with_action(at, Some(at + 0.5), "helix", Act::Force { vertex, from, to });
        from = to;
    }
    scene.with_probe("end", "helix", What::Position(Index::LAST))
}

/// 3: a straight rod of 45 cm under a torque that comes and goes.
pub fn torque() -> Scene {
    let bending = 2e-4;
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 0.45, SEGMENTS))
        .radius(0.0005)
        .material(wire(bending))
        .clamp_start();
    // A moment of 2π EI/L rolls it into a circle.
    let round = (TAU * bending / 0.45) as f32;
    let mut scene = scene(
        "alpha_torque",
        "Paper 3, 3: a straight rod of 45 cm; a torque on its end rolls it into a circle, twists it and lets it go.",
        USUAL,
        6.0,
    )
    .with_rod(SceneRod::new("rod", spec));
    scene.gravity = Vec3::ZERO;
    let torques = [
        Vec3::new(0.0, 0.0, round),
        Vec3::new(0.5 * round, 0.0, 0.5 * round),
        Vec3::ZERO,
    ];
    let mut from = Vec3::ZERO;
    for (k, to) in torques.into_iter().enumerate() {
        let at = 1.5 * k as f64;
        let segment = Index::LAST;
        scene = scene.with_action(at, Some(at + 1.0), "rod", Act::Torque { segment, from, to });
        from = to;
    }
    scene.with_probe("end", "rod", What::Position(Index::LAST))
}

/// 4: a coil spring, pulled along its axis for 0.1 s and released.
pub fn spring() -> Scene {
    let spec = RodSpec::new(coil(0.3, 0.008, 0.01))
        .radius(0.0005)
        .material(wire(5e-4))
        .clamp_start();
    let mut scene = scene(
        "alpha_spring",
        "Paper 3, 4: a coil spring, little damped, is pulled along its axis for 0.1 s, let go, and swings.",
        Rho::radius(0.95),
        3.0,
    )
    .with_rod(SceneRod::new("spring", spec));
    // Three frames of 1/30 s.
    for (at, down) in [(0.0, -0.3), (0.1, 0.0)] {
        let act = Act::Force {
            vertex: Index::LAST,
            from: Vec3::ZERO,
            to: Vec3::new(0.0, down, 0.0),
        };
        scene = scene.with_action(at, None, "spring", act);
    }
    scene.gravity = Vec3::ZERO;
    scene
        .with_probe("end", "spring", What::Position(Index::LAST))
        .with_probe("energy", "spring", What::TotalEnergy)
}

/// Seconds at which the ends of the fifth experiment begin to come together, and stop.
pub const PUSHED: [f64; 2] = [0.5, 3.5];

/// 5: a straight rod whose ends come together under an axial torque buckles.
pub fn buckling() -> Scene {
    let (length, bending) = (0.4, 2e-4);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * length, SEGMENTS))
        .radius(0.0005)
        .material(wire(bending))
        .clamp_start()
        .clamp_end();
    // Half of the torque 8.99 EI/L that would buckle it alone; GJ is EI/1.3.
    let angle = 0.5 * 8.99 * 1.3;
    let twist = Act::Turn {
        clamp: Index::LAST,
        axis: DVec3::X,
        rate: angle / PUSHED[0],
    };
    let approach = Act::Move {
        vertex: Index::LAST,
        velocity: -DVec3::X * 0.04,
    };
    let mut scene = scene(
        "alpha_buckling",
        "Paper 3, 5: the ends of a straight rod under an axial torque come together; it buckles, and winds out of its plane.",
        USUAL,
        PUSHED[1] + 0.5,
    )
    .with_rod(SceneRod::new("rod", spec))
    .with_action(0.0, Some(PUSHED[0]), "rod", twist)
    .with_action(PUSHED[0], Some(PUSHED[1]), "rod", approach)
    .with_probe("middle", "rod", What::Position((SEGMENTS / 2).into()))
    .with_probe("tension", "rod", What::Tension(Index(0)));
    // A thousandth of the usual weight says to which side.
    scene.gravity = Vec3::new(0.0, -0.01, 0.0);
    scene
}

/// 6: hair of 25 cm is drawn out by 30 % of its height at a constant velocity of its end, and released.
pub fn tress_pulled() -> Scene {
    let spec = tress().clamp_end();
    let height = spec
        .shape
        .positions()
        .ok()
        .and_then(|points| Some(points.first()?.y - points.last()?.y))
        .unwrap_or_default();
    let (speed, start) = (0.02, 0.2);
    let until = start + 0.3 * height / speed;
    let pull = Act::Move {
        vertex: Index::LAST,
        velocity: -DVec3::Y * speed,
    };
    let mut scene = scene(
        "alpha_tress_pulled",
        "Paper 3, 6: the end of a curl of hair is drawn down at 2 cm/s, without turning, until the curl is 30% longer; then it is released.",
        USUAL,
        until + 2.0,
    )
    .with_rod(SceneRod::new("hair", spec))
    .with_action(start, Some(until), "hair", pull)
    .with_action(until, None, "hair", Act::ReleaseClamp { clamp: Index::LAST })
    .with_action(until, None, "hair", Act::Release { vertex: Index::LAST })
    .with_probe("end", "hair", What::Position(Index::LAST))
    .with_probe("tension", "hair", What::Tension(Index(0)));
    scene.gravity = Vec3::ZERO;
    scene
}

/// The pairs (α, γ) of the seventh experiment, with β = 0.
pub const PAIRS: [[f64; 2]; 4] = [[0.0, 0.5], [0.3, 0.7], [0.4, 0.8], [0.4, 1.0]];

/// 7: the same hair under gravity for several α and γ.
pub fn tress_weights() -> Scene {
    let mut scene = scene(
        "alpha_tress",
        "Paper 3, 7: curls of hair fall under gravity, from left to right with (α, γ) = (0, 0.5), (0.3, 0.7), (0.4, 0.8), (0.4, 1) and β = 0.",
        USUAL,
        3.0,
    );
    for (k, [alpha, gamma]) in PAIRS.into_iter().enumerate() {
        let name = format!("α {alpha} γ {gamma}");
        let rod = SceneRod::new(&name, tress()).at(DVec3::X * (0.06 * k as f64));
        let rod = SceneRod {
            solver: Some(by(Rho::weights(alpha, 0.0, gamma))),
            ..rod
        };
        scene = scene.with_rod(rod).with_probe(&name, &name, What::KineticEnergy);
    }
    scene
}
