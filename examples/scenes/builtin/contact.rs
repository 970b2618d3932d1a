//! Scenes in which rods touch: S5 (a pile), S6 (a knot), a rope over a bar.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use lariat::prelude::{ContactSettings, Material, RestShape, RodSpec, Shape};

use super::super::{Act, Index, Scene, SceneRod, SceneShape, What, curves};

/// The rope of the game scenes with its friction.
fn material(friction: f64) -> Material {
    Material {
        friction,
        ..Material::rigidity(5e4, 5e4, 0.01, 0.01, 1.0)
    }
}

/// S5: so many ropes of 40 segments and 1 m fall on a heap, each turned by the golden angle.
pub fn pile(ropes: u32) -> Scene {
    let mut scene = Scene::new(
        "pile",
        "S5: ropes of 1 m fall onto each other and the floor. None passes through another.",
    )
    .at_game_rate(300)
    .with_shape(SceneShape::ground(0.0, 0.5));
    for k in 0..ropes {
        let angle = (137.508 * f64::from(k)).to_radians();
        let half = DVec3::new(angle.cos(), 0.0, angle.sin()) * 0.5;
        let middle = DVec3::Y * (0.05 + 0.03 * f64::from(k));
        let spec = RodSpec::new(Shape::line(middle - half, middle + half, 40))
            .radius(0.01)
            .material(material(0.5));
        scene = scene.with_rod(SceneRod::new(&format!("rope{k}"), spec));
    }
    scene.contact = Some(ContactSettings::default());
    scene.with_probe("top", &format!("rope{}", ropes - 1), What::Position(20.into()))
}

/// S6: an overhand knot, pulled tight at its ends.
pub fn knot() -> Scene {
    // 80 segments of 3 cm: the tails take what the knot leaves.
    let points = (0..60)
        .map(|k| curves::overhand(0.05, 0.3 + 0.02 * f64::from(k), 0.03))
        .find(|points| points.len() > 80)
        .unwrap_or_default();
    let spec = RodSpec::new(Shape::polyline(points))
        .rest(RestShape::Straight)
        .radius(0.01)
        .material(material(0.5));
    let pull = |vertex: Index, x: f32| Act::Force {
        vertex,
        from: Vec3::ZERO,
        to: Vec3::X * x,
    };
    let mut scene = Scene::new(
        "knot",
        "S6: an overhand knot in a rope of 80 segments is pulled tight by 50 N, and holds.",
    )
    .at_game_rate(480)
    .with_rod(SceneRod::new("rope", spec).drag(2.0))
    .with_action(0.0, Some(2.0), "rope", pull(0.into(), -50.0))
    .with_action(0.0, Some(2.0), "rope", pull(Index::LAST, 50.0))
    .with_probe("first", "rope", What::Position(0.into()))
    .with_probe("last", "rope", What::Position(Index::LAST));
    scene.gravity = Vec3::ZERO;
    scene.contact = Some(ContactSettings::default());
    scene
}

/// A rope lies over a bar with more of it on one side: it slides off where friction is less than the difference.
pub fn bar(friction: f64) -> Scene {
    let (radius, left, right, segment) = (0.1, 0.6, 1.0, 0.02);
    let away = radius + 0.0125;
    let mut points: Vec<DVec3> = Vec::new();
    let count = |length: f64| (length / segment).round() as u32;
    for k in 0..count(left) {
        points.push(DVec3::new(-away, f64::from(k) * segment - left, 0.0));
    }
    let around = count(PI * away);
    for k in 0..=around {
        let angle = PI * (1.0 - f64::from(k) / f64::from(around));
        points.push(DVec3::new(angle.cos(), angle.sin(), 0.0) * away);
    }
    for k in 1..=count(right) {
        points.push(DVec3::new(away, -f64::from(k) * segment, 0.0));
    }
    let spec = RodSpec::new(Shape::polyline(points))
        .rest(RestShape::Straight)
        .radius(0.01)
        .material(material(friction));
    let mut scene = Scene::new(
        "bar",
        "A rope over a bar, longer on one side: it slides off, the slower the rougher the bar is.",
    )
    .at_game_rate(120)
    .with_rod(SceneRod::new("rope", spec))
    .with_shape(SceneShape::bar(DVec3::ZERO, 0.4, radius, friction))
    .with_probe("end", "rope", What::Position(Index::LAST));
    scene.contact = Some(ContactSettings::default());
    scene
}
