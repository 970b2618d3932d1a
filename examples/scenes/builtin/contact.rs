//! Scenes in which rods touch: S5 (a pile), S6 (a knot), a rope over a bar, a plectoneme.

use std::f64::consts::{PI, TAU};

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

/// Paper 1's Fig. 3: a rope clamped at both ends is twisted by so many turns, then its ends come together: it winds around itself.
pub fn plectoneme(turns: f64) -> Scene {
    let (length, segments) = (1.0, 100);
    let (twisted, slack) = (2.0, 7.0);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * length, segments))
        .radius(0.005)
        .material(Material {
            friction: 0.1,
            ..Material::rigidity(5e3, 5e3, 0.01, 0.01, 0.1)
        })
        .clamp_start()
        .clamp_end();
    let turn = Act::Turn {
        clamp: Index::LAST,
        axis: DVec3::X,
        rate: TAU * turns / twisted,
    };
    let go = |x: f64| Act::Move {
        vertex: Index::LAST,
        velocity: DVec3::X * x,
    };
    let middle = segments / 2;
    // Symmetry would leave it to rounding to which side it buckles.
    let touch = Act::Kick {
        vertex: middle.into(),
        velocity: Vec3::new(0.0, 0.1, 0.0),
    };
    let mut scene = Scene::new(
        "plectoneme",
        "Paper 1: a rope clamped at both ends is twisted by eight turns and slackened: it winds around itself.",
    )
    .at_game_rate(450)
    .with_rod(SceneRod::new("rope", spec).drag(4.0))
    // Taut by 1%: it stays straight while it is twisted.
    .with_action(0.0, Some(0.5), "rope", go(0.02 * length))
    .with_action(0.0, Some(twisted), "rope", turn)
    .with_action(twisted, None, "rope", touch)
    .with_action(twisted, Some(slack), "rope", go(-0.6 * length / (slack - twisted)))
    .with_probe("middle", "rope", What::Position(middle.into()))
    .with_probe("twist", "rope", What::Twist(middle.into()));
    scene.gravity = Vec3::ZERO;
    scene.contact = Some(ContactSettings::default());
    scene
}
