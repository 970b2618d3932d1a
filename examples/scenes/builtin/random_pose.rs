//! Paper 5's Fig. 6: a spiral starts as a tangle of random places and finds back to its rest shape.

use glam::{DVec3, Vec3};
use lariat::prelude::{Material, RestShape, RodSpec, Shape};

use super::super::{Index, Scene, SceneRod, What, names::XPBD, random::Random};

/// The numbers of the spiral.
#[derive(Clone, Debug)]
pub struct RandomPose {
    /// Of the spiral at rest, m.
    pub radius: f64,
    /// m a turn.
    pub pitch: f64,
    /// Turns.
    pub turns: f64,
    /// Segments over the length.
    pub segments: u32,
    /// EA = GA, N.
    pub ea: f64,
    /// EI = GJ, N·m².
    pub ei: f64,
    /// kg/m.
    pub linear_density: f64,
    /// Vertices start anywhere in a ball of this radius, m.
    pub disorder: f64,
    /// Of the random places.
    pub seed: u64,
}

impl Default for RandomPose {
    fn default() -> Self {
        Self {
            radius: 0.1,
            pitch: 0.08,
            turns: 3.0,
            segments: 60,
            ea: 200.0,
            ei: 0.02,
            linear_density: 0.05,
            disorder: 0.3,
            seed: 6,
        }
    }
}

impl RandomPose {
    /// The spiral, as a fine polyline.
    pub fn curve(&self) -> Vec<DVec3> {
        let steps = 16 * self.segments;
        (0..=steps)
            .map(|k| {
                let turn = self.turns * f64::from(k) / f64::from(steps);
                let angle = std::f64::consts::TAU * turn;
                DVec3::new(self.radius * angle.cos(), self.radius * angle.sin(), self.pitch * turn)
            })
            .collect()
    }

    /// The recipe: strained ten times over its length, its frames however the tangle leads them.
    pub fn spec(&self) -> RodSpec {
        let mut random = Random::new(self.seed);
        let places = (0..=self.segments).map(|_| random.in_ball() * self.disorder).collect();
        RodSpec::new(Shape::Polyline { points: places })
            .radius(0.004)
            .material(Material::rigidity(
                self.ea,
                self.ea,
                self.ei,
                self.ei,
                self.linear_density,
            ))
            .rest(RestShape::Curve(self.curve()))
    }
}

/// The tangle is let go where nothing weighs anything.
pub fn random_pose(pose: &RandomPose) -> Scene {
    let mut scene = Scene::new(
        "random_pose",
        "Paper 5: a spiral of three turns starts as a tangle of random places and finds back to its rest shape.",
    )
    .timed(100.0, 10, 10, 300)
    .solved_by(XPBD)
    .with_rod(SceneRod::new("spiral", pose.spec()).drag(8.0))
    .with_probe("energy", "spiral", What::TotalEnergy)
    .with_probe("end", "spiral", What::Position(Index::LAST));
    scene.gravity = Vec3::ZERO;
    scene
}
