//! A cable clamped at both ends is twisted while its ends come together: it buckles into a helix that closes to loops, the
//! start of a plectoneme. Without contact the loops may pass through one another, and each time two turns are lost.

use glam::{DVec3, Vec3};
use lariat::prelude::{Material, RodSpec, Shape};

use super::super::{Act, Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

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
            // Twist reaches the middle only as fast as sweeps carry it, one segment a sweep at best: few segments.
            segments: 80,
            ea: 300.0,
            ei: 0.02,
            linear_density: 0.1,
            turns: 6.0,
            approach: 0.9,
            seconds: 4.0,
        }
    }
}

/// Both ends turn against one another all the time, and come together in the second half of it.
pub fn twisted_cable(cable: &TwistedCable) -> Scene {
    let half = 0.5 * cable.seconds;
    let material = Material::rigidity(cable.ea, cable.ea, cable.ei, cable.ei, cable.linear_density);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * cable.length, cable.segments))
        .radius(0.006)
        .material(material)
        .clamp_start()
        .clamp_end();
    let middle = cable.segments / 2;
    let rate = 0.5 * std::f64::consts::TAU * cable.turns / cable.seconds;
    let speed = 0.5 * cable.approach / half;
    let mut scene = Scene::new(
        "twisted_cable",
        "A cable clamped at both ends is twisted by six turns while its ends come together: it buckles into loops.",
    )
    .timed(60.0, 16, 16, (60.0 * (cable.seconds + 1.0)) as u32)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::new("cable", spec).drag(10.0));
    for (clamp, vertex, side) in [(Index(0), Index(0), 1.0), (Index::LAST, Index::LAST, -1.0)] {
        let turn = Act::Turn {
            clamp,
            axis: DVec3::X,
            rate: side * rate,
        };
        let approach = Act::Move {
            vertex,
            velocity: DVec3::X * side * speed,
        };
        scene = scene.with_action(0.0, Some(cable.seconds), "cable", turn).with_action(
            half,
            Some(cable.seconds),
            "cable",
            approach,
        );
    }
    // A touch that says to which side it buckles; perfect symmetry would leave that to rounding.
    let touch = Act::Kick {
        vertex: middle.into(),
        velocity: Vec3::new(0.0, 0.3, 0.1),
    };
    scene = scene
        .with_action(0.25 * half, None, "cable", touch)
        .with_probe("middle", "cable", What::Position(middle.into()))
        .with_probe("twist", "cable", What::Twist(middle.into()));
    scene.gravity = Vec3::ZERO;
    scene
}
