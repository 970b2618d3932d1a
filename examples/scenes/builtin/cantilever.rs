//! A bar held at one end, bending under its own weight: paper 1's, and the game scene S3 that has a closed form.

use glam::{DVec3, Vec3};
use lariat::prelude::{Material, RodSpec, Shape};

use super::super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

/// Paper 1's cantilever.
#[derive(Clone, Debug)]
pub struct Cantilever {
    /// Segments over the length.
    pub segments: u32,
    /// m.
    pub length: f64,
    /// EA = GA, N.
    pub ea: f64,
    /// EI = GJ, N·m².
    pub ei: f64,
    /// kg/m.
    pub linear_density: f64,
    /// 1/s.
    pub drag: f32,
}

impl Default for Cantilever {
    fn default() -> Self {
        Self {
            segments: 10,
            length: 1.0,
            ea: 100.0,
            ei: 4.0,
            linear_density: 1.0,
            drag: 3.0,
        }
    }
}

/// The first vertex and the first segment are held (not clamped at the wall), as the paper's authors do: the tip
/// settles at y = −0.2846.
pub fn paper(bar: &Cantilever) -> Scene {
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * bar.length, bar.segments))
        .material(Material::rigidity(bar.ea, bar.ea, bar.ei, bar.ei, bar.linear_density))
        .pin(0)
        .hold_segment(0);
    let mut scene = Scene::new(
        "cantilever",
        "Paper 1: a soft bar of ten segments, its first one held, falls and settles with its tip at y = −0.2846 m.",
    )
    .timed(30.0, 4, 4, 150)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::new("bar", spec).drag(bar.drag))
    .with_probe("tip", "bar", What::Position(Index::LAST));
    scene.gravity = Vec3::new(0.0, -9.8, 0.0);
    scene
}

/// Where the tip of S3 settles: y of the exact elastica, m.
pub const ELASTICA_TIP: f64 = -0.0499;

/// S3: 1 m, EI = 24.525 N·m² (E = 3.1226 GPa on a radius of 1 cm, G = E/3), 1 kg/m, clamped at the wall. Its own
/// weight bends the tip down by 0.0499 m (exact elastica), with any number of segments.
pub fn own_weight(segments: u32) -> Scene {
    let radius: f64 = 0.01;
    let area = std::f64::consts::PI * radius * radius;
    let second_moment = 0.25 * area * radius * radius;
    let (young, shear) = (3.1226e9, 3.1226e9 / 3.0);
    let material = Material::rigidity(
        young * area,
        shear * area,
        young * second_moment,
        shear * 2.0 * second_moment,
        1.0,
    );
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, segments))
        .radius(radius)
        .material(material)
        .clamp_start();
    Scene::new(
        "cantilever_s3",
        "S3: a stiff bar of 1 m bends under its own weight; the exact elastica has its tip at y = −0.0499 m.",
    )
    .at_game_rate(240)
    .with_rod(SceneRod::new("bar", spec))
    .with_probe("tip", "bar", What::Position(Index::LAST))
    .with_probe("moment", "bar", What::Moment(Index(0)))
}
