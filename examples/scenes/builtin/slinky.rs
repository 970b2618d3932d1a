//! Paper 1's slinky: one chain of 2,880 segments, 67 turns about a closed outline, held at both ends.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use lariat::prelude::{Material, RodSpec, Shape};

use super::super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

/// The numbers of the slinky.
#[derive(Clone, Debug)]
pub struct Slinky {
    /// Turns.
    pub turns: u32,
    /// Segments a turn.
    pub segments_a_turn: u32,
    /// Length of the outline, m.
    pub outline: f64,
    /// m a turn, along z.
    pub pitch: f64,
    /// EA = GA (N) and, with the same number, EI = GJ (N·m²).
    pub stiffness: f64,
    /// kg/m.
    pub linear_density: f64,
}

impl Default for Slinky {
    fn default() -> Self {
        Self {
            turns: 67,
            segments_a_turn: 43,
            outline: 1.725,
            pitch: 0.1,
            stiffness: 1000.0,
            linear_density: 0.15,
        }
    }
}

impl Slinky {
    /// The vertices: one fewer segments than turns × segments a turn, so that both ends are at outline points.
    pub fn points(&self) -> Vec<DVec3> {
        let n = self.segments_a_turn.max(3);
        // A pear: with equal steps of angle its segments are 0.0256 to 0.0603 m long, as the authors' are.
        let corner = |i: u32| {
            let angle = TAU * f64::from(i % n) / f64::from(n);
            let radius = 1.0 + 0.32 * angle.cos() + 0.14 * (2.0 * angle).cos() + 0.14 * (3.0 * angle).cos();
            DVec3::new(radius * angle.sin(), radius * angle.cos(), 0.0)
        };
        let round: f64 = (0..n).map(|i| corner(i).distance(corner(i + 1))).sum();
        let scale = self.outline / round;
        (0..self.turns * n)
            .map(|i| corner(i) * scale + DVec3::Z * (self.pitch * f64::from(i) / f64::from(n)))
            .collect()
    }
}

/// The slinky hangs between its two ends and sags.
pub fn slinky(slinky: &Slinky) -> Scene {
    let points = slinky.points();
    let last = points.len().saturating_sub(1) as u32;
    let spec = RodSpec::new(Shape::polyline(points))
        .radius(0.004)
        .material(Material::rigidity(
            slinky.stiffness,
            slinky.stiffness,
            slinky.stiffness,
            slinky.stiffness,
            slinky.linear_density,
        ))
        .pin(0)
        .pin(last)
        .hold_segment(0)
        .hold_segment(last.saturating_sub(1));
    let mut scene = Scene::new(
        "slinky",
        "Paper 1: a slinky of 67 turns and 2,880 segments, held at both ends, sags.",
    )
    .timed(30.0, 112, 8, 60)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::new("slinky", spec))
    .with_probe("middle", "slinky", What::Position(Index(i64::from(last / 2))));
    scene.gravity = Vec3::new(0.0, -9.8, 0.0);
    scene
}
