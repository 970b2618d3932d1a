//! The show scene: small, quick and pleasant to look at; what `lab` runs without arguments.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};
use lariat::prelude::{Material, RodError, RodSpec, Shape, Wind};

use super::{
    super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT},
    helix_spring::HelixSpring,
    tree_growth::{Growth, grow},
    trees::{Wood, tree},
};

/// A garland falls from an arch, a hoop hangs by its rim, a spring bobs, a rope swings, a young tree stands in the wind.
pub fn show() -> Result<Scene, RodError> {
    // Soft enough that sixteen substeps a frame follow them: about 1 % of stretch under their own weight.
    let cord = Material::rigidity(400.0, 400.0, 2e-3, 2e-3, 0.2);
    let wire = Material::rigidity(400.0, 400.0, 0.03, 0.03, 0.2);

    let arch: Vec<DVec3> = (0..=40)
        .map(|i| {
            let (sin, cos) = (PI * f64::from(i) / 40.0).sin_cos();
            DVec3::new(-0.45 * cos, 0.45 * sin, 0.0)
        })
        .collect();
    let garland = RodSpec::new(Shape::curve(arch, 40))
        .material(cord)
        .radius(0.006)
        .pin(0)
        .pin_last();

    let rim: Vec<DVec3> = (0..48)
        .map(|i| {
            let (sin, cos) = (TAU * f64::from(i) / 48.0).sin_cos();
            DVec3::new(0.28 * sin, 0.28 * (cos - 1.0), 0.0)
        })
        .collect();
    let hoop = RodSpec::new(Shape::closed(rim, 48)).material(wire).radius(0.006).pin(0);

    let spring = HelixSpring {
        radius: 0.08,
        pitch: 0.04,
        ei: 0.055,
        gj: 0.055,
        ..HelixSpring::default()
    };
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 1.0, 40))
        .material(cord)
        .radius(0.008)
        .pin(0);
    let young = Growth {
        points: 160,
        radius: 0.42,
        above: 0.3,
        below: 0.42,
        centre: 0.92,
        trunk: 0.48,
        segment: 0.06,
        attraction: 0.3,
        kill: 0.06,
        max_vertices: 400,
        seed: 4,
    };
    let sapling = Wood {
        axial: 100.0,
        density: 0.02,
        bending: 0.06,
    };
    let floor = -1.3;
    let mut scene = Scene::new(
        "show",
        "A garland falls from an arch, a hoop hangs by its rim, a spring bobs, a rope swings, a young tree stands in \
         the wind.",
    )
    .timed(60.0, 16, 4, 150)
    .solved_by(STABLE_COSSERAT)
    .with_rod(
        SceneRod::new("garland", garland)
            .at(DVec3::new(-1.95, -0.45, 0.0))
            .drag(0.3),
    )
    .with_rod(SceneRod::new("hoop", hoop).at(DVec3::X * -1.0).drag(0.3))
    .with_rod(SceneRod::new("spring", spring.spec()).at(DVec3::X * -0.4).drag(0.4))
    .with_rod(SceneRod::new("rope", rope).at(DVec3::X * 0.75).drag(0.1))
    .with_rod(
        SceneRod::described("tree", tree(&grow(&young), &sapling)?)
            .at(DVec3::new(2.1, floor, 0.0))
            .drag(0.5),
    )
    .with_probe("rope tip", "rope", What::Position(Index::LAST))
    .with_probe("spring weight", "spring", What::Position(Index::LAST));
    scene.wind = Some(Wind {
        wavelength: 6.0,
        ..Wind::steady(Vec3::new(4.0, 0.0, 2.0))
    });
    Ok(scene)
}
