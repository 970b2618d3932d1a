//! The show scene: small, quick and pleasant to look at; what `lab` runs without arguments.

use glam::{DVec3, Vec3};
use lariat::prelude::{AirDrag, Damping, Material, RodError, RodSpec, Shape, Wind};

use super::{
    super::scene::{Act, Index, Scene, SceneRod, What},
    helix_spring::HelixSpring,
    tree_growth::{Growth, grow},
    trees::tree,
};

/// A rope that swings, a spring with a weight, a twisted ring, a young tree in the wind.
pub fn show() -> Result<Scene, RodError> {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 1.2, 48))
        .material(Material::rigidity(800.0, 800.0, 2e-3, 2e-3, 0.2))
        .pin(0);
    let scene = Scene::new("show", "A rope is let go, a spring bobs.")
        .timed(60.0, 16, 4, 150)
        .with_rod(SceneRod::new("rope", rope).drag(0.1))
        .with_rod(SceneRod::new("spring", HelixSpring::default().spec()).at(DVec3::X * -0.5));
    Ok(scene)
}
