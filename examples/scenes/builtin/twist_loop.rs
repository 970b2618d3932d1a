//! Paper 5's Fig. 5: a rod clamped at both ends is twisted at one of them and throws a loop.

use glam::{DVec3, Vec3};
use lariat::prelude::{Material, RodSpec, Shape};

use super::super::{Act, Index, Scene, SceneRod, What, names::XPBD};

/// The numbers of the rod.
#[derive(Clone, Debug)]
pub struct TwistLoop {
    /// m.
    pub length: f64,
    /// Segments over the length.
    pub segments: u32,
    /// EA = GA, N.
    pub ea: f64,
    /// EI = GJ, N·m².
    pub ei: f64,
    /// kg/m.
    pub linear_density: f64,
    /// Turns that the end is twisted by.
    pub turns: f64,
    /// How far the end comes nearer, as a part of the length.
    pub approach: f64,
    /// Over which time, s.
    pub seconds: f64,
}

impl Default for TwistLoop {
    fn default() -> Self {
        Self {
            length: 1.0,
            segments: 50,
            ea: 500.0,
            ei: 0.02,
            linear_density: 0.1,
            turns: 1.5,
            approach: 0.5,
            seconds: 3.0,
        }
    }
}

/// The end is twisted in the first half of the time and comes nearer in the second.
pub fn twist_loop(rod: &TwistLoop) -> Scene {
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * rod.length, rod.segments))
        .radius(0.004)
        .material(Material::rigidity(rod.ea, rod.ea, rod.ei, rod.ei, rod.linear_density))
        .clamp_start()
        .clamp_end();
    let half = 0.5 * rod.seconds;
    let middle = rod.segments / 2;
    let turn = Act::Turn {
        clamp: Index::LAST,
        axis: DVec3::X,
        rate: std::f64::consts::TAU * rod.turns / half,
    };
    let approach = Act::Move {
        vertex: Index::LAST,
        velocity: DVec3::NEG_X * (rod.approach * rod.length / half),
    };
    // Symmetry would leave it to rounding to which side it buckles.
    let touch = Act::Kick {
        vertex: middle.into(),
        velocity: Vec3::new(0.0, 0.1, 0.0),
    };
    let mut scene = Scene::new(
        "twist_loop",
        "Paper 5: a rod clamped at both ends is twisted by one and a half turns, then one end comes nearer: it throws a loop.",
    )
    .timed(100.0, 20, 4, (100.0 * (rod.seconds + 1.0)) as u32)
    .solved_by(XPBD)
    .with_rod(SceneRod::new("rod", spec).drag(6.0))
    .with_action(0.0, Some(half), "rod", turn)
    .with_action(0.5 * half, None, "rod", touch)
    .with_action(half, Some(rod.seconds), "rod", approach)
    .with_probe("middle", "rod", What::Position(middle.into()))
    .with_probe("twist", "rod", What::Twist(middle.into()));
    scene.gravity = Vec3::ZERO;
    scene
}
