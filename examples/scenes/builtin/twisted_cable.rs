//! A cable clamped at both ends is twisted while its ends come together: it buckles into loops that coil about one
//! another (a plectoneme). Without contact the loops may pass through one another.

use glam::{DVec3, Vec3};
use lariat::prelude::{Damping, Material, RodSpec, Shape};

use super::super::scene::{Act, Index, Scene, SceneRod, What};

/// The numbers of the cable.
#[derive(Clone, Debug)]
pub struct TwistedCable {
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
    /// How far the end comes nearer, m.
    pub approach: f64,
    /// Over which time, s.
    pub seconds: f64,
}

impl Default for TwistedCable {
    fn default() -> Self {
        Self {
            length: 2.0,
            segments: 128,
            ea: 400.0,
            ei: 0.02,
            linear_density: 0.1,
            turns: 6.0,
            approach: 0.8,
            seconds: 4.0,
        }
    }
}

/// Twist first, then approach: each takes half of the time.
pub fn twisted_cable(cable: &TwistedCable) -> Scene {
    let half = 0.5 * cable.seconds;
    let material =
        Material::rigidity(cable.ea, cable.ea, cable.ei, cable.ei, cable.linear_density).with_damping(Damping::Times {
            stretch: 0.0,
            bend: 0.02,
        });
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * cable.length, cable.segments))
        .radius(0.006)
        .material(material)
        .clamp_start()
        .clamp_end();
    let twist = Act::Turn {
        clamp: Index::LAST,
        axis: DVec3::X,
        rate: std::f64::consts::TAU * cable.turns / cable.seconds,
    };
    let approach = Act::Move {
        vertex: Index::LAST,
        velocity: -DVec3::X * cable.approach / half,
    };
    let mut scene = Scene::new(
        "twisted_cable",
        "A cable clamped at both ends is twisted by six turns while its ends come together: it coils about itself.",
    )
    .timed(60.0, 16, 8, (60.0 * (cable.seconds + 1.0)) as u32)
    .with_rod(SceneRod::new("cable", spec).drag(1.5))
    .with_action(0.0, Some(cable.seconds), "cable", twist)
    .with_action(half, Some(cable.seconds), "cable", approach)
    // A touch that says to which side it buckles; perfect symmetry would leave that to rounding.
    .with_action(
        half,
        None,
        "cable",
        Act::Kick {
            vertex: (cable.segments / 2).into(),
            velocity: Vec3::new(0.0, 0.2, 0.1),
        },
    )
    .with_probe("middle", "cable", What::Position((cable.segments / 2).into()))
    .with_probe("twist", "cable", What::Twist((cable.segments / 2).into()));
    scene.gravity = Vec3::ZERO;
    scene
}
