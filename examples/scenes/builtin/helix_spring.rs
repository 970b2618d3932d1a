//! A soft coil spring with a weight, which bobs; its stiffness has a closed form.

use glam::DVec3;
use lariat::prelude::{Material, RodSpec, Shape};

use super::super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

/// A coil that hangs along −y from its clamped end.
#[derive(Clone, Debug)]
pub struct HelixSpring {
    /// Of the coil, m.
    pub radius: f64,
    /// m a turn.
    pub pitch: f64,
    /// Turns.
    pub turns: f64,
    /// Segments a turn.
    pub segments_a_turn: u32,
    /// EA = GA of the wire, N.
    pub ea: f64,
    /// EI of the wire, N·m².
    pub ei: f64,
    /// GJ of the wire, N·m².
    pub gj: f64,
    /// Of the wire, kg/m.
    pub linear_density: f64,
    /// The weight at the free end, kg.
    pub load: f64,
    /// 1/s.
    pub drag: f32,
}

impl Default for HelixSpring {
    fn default() -> Self {
        Self {
            radius: 0.05,
            pitch: 0.03,
            turns: 8.0,
            segments_a_turn: 24,
            ea: 200.0,
            ei: 0.03,
            gj: 0.03,
            linear_density: 0.02,
            load: 0.05,
            drag: 0.4,
        }
    }
}

impl HelixSpring {
    /// Number of segments.
    pub fn segments(&self) -> u32 {
        (self.turns * f64::from(self.segments_a_turn)).round().max(1.0) as u32
    }

    /// Extension a newton, m/N: δ/F = 2πR³n/cos α · (cos²α/GJ + sin²α/EI), with tan α = pitch/2πR.
    pub fn compliance(&self) -> f64 {
        let round = std::f64::consts::TAU * self.radius;
        let alpha = (self.pitch / round).atan();
        round * self.radius * self.radius * self.turns / alpha.cos()
            * (alpha.cos().powi(2) / self.gj + alpha.sin().powi(2) / self.ei)
    }

    /// The recipe.
    pub fn spec(&self) -> RodSpec {
        let shape = Shape::Helix {
            centre: DVec3::ZERO,
            axis: -DVec3::Y,
            radius: self.radius,
            pitch: self.pitch,
            turns: self.turns,
            segments: self.segments(),
        };
        RodSpec::new(shape)
            .radius(0.0025)
            .material(Material::rigidity(
                self.ea,
                self.ea,
                self.ei,
                self.gj,
                self.linear_density,
            ))
            .clamp_start()
            .load(self.segments(), self.load)
    }
}

/// The spring is let go with its weight and bobs.
pub fn helix_spring(spring: &HelixSpring) -> Scene {
    Scene::new(
        "helix_spring",
        "A coil of eight turns, clamped at the top, is let go with 50 g at its end and bobs.",
    )
    .timed(60.0, 16, 4, 240)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::new("spring", spring.spec()).drag(spring.drag))
    .with_probe("weight", "spring", What::Position(Index::LAST))
    .with_probe("energy", "spring", What::TotalEnergy)
}
