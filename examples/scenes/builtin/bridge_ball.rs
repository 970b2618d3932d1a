//! A bridge of ropes with a ball that rolls over it.

use glam::DVec3;
use lariat::prelude::{ContactSettings, Damping, Material, RodSpec, Shape};

use super::super::{Index, Probe, Scene, SceneRod, SceneShape, What};

/// The bridge and the ball.
pub struct BridgeBall {
    /// From bank to bank, m.
    pub span: f64,
    /// Between the two ropes that carry, m.
    pub apart: f64,
    /// Of a rope.
    pub segments: u32,
    /// Of the ball, m and kg.
    pub radius: f64,
    pub mass: f64,
    /// Where the ball starts, as a part of the way from the middle to the bank.
    pub start: f64,
}

impl Default for BridgeBall {
    fn default() -> Self {
        Self {
            span: 4.0,
            apart: 0.12,
            segments: 80,
            radius: 0.15,
            mass: 1.0,
            start: 0.8,
        }
    }
}

/// A ball is put down near one bank: it rolls down into the bridge, up towards the other bank, and back. Two more ropes are handrails.
pub fn bridge_ball(bridge: &BridgeBall) -> Scene {
    let half = 0.5 * bridge.span;
    let material = Material {
        friction: 0.6,
        ..Material::rigidity(2e4, 2e4, 0.01, 0.01, 1.0).with_damping(Damping::Time(0.05))
    };
    let rope = |y: f64, z: f64| {
        let line = Shape::line(DVec3::new(-half, y, z), DVec3::new(half, y, z), bridge.segments);
        // Taut enough that the ball does not roll off sideways: springs of 4 T/L under it, against its weight above them.
        RodSpec::new(line)
            .rest_scale(1.0 / 1.015)
            .radius(0.01)
            .material(material)
            .pin(0)
            .pin(bridge.segments)
    };
    let (deck, rail) = (0.5 * bridge.apart, 0.5 * bridge.apart + bridge.radius);
    let place = DVec3::new(-bridge.start * half, bridge.radius + 0.012, 0.0);
    let mut scene = Scene::new(
        "bridge_ball",
        "A ball rolls over a bridge of ropes: down from one bank, up to the other, and back. The ropes bear its weight.",
    )
    .at_game_rate(600)
    .with_rod(SceneRod::new("left", rope(0.0, -deck)))
    .with_rod(SceneRod::new("right", rope(0.0, deck)))
    .with_rod(SceneRod::new("left rail", rope(bridge.radius, -rail)))
    .with_rod(SceneRod::new("right rail", rope(bridge.radius, rail)))
    .with_shape(SceneShape::thrown_ball(place, bridge.radius, 0.6, bridge.mass, DVec3::ZERO))
    .with_probe("middle", "left", What::Position((bridge.segments / 2).into()))
    .with_probe("pull", "left", What::Tension(Index::LAST));
    for (name, what) in [
        ("ball", What::ShapePosition(0.into())),
        ("force", What::ShapeForce(0.into())),
    ] {
        scene.probes.push(Probe {
            name: name.to_owned(),
            rod: None,
            what,
        });
    }
    scene.contact = Some(ContactSettings::default());
    scene
}
