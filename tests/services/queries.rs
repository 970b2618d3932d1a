//! Nearest points and rays, against brute force.

use std::time::Instant;

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use super::busy;
use crate::common::{built, line, rod, run, settings, world};

/// Numbers from 0 to 1, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self, around: DVec3, reach: f64) -> DVec3 {
        around + (DVec3::new(self.roll(), self.roll(), self.roll()) * 2.0 - 1.0) * reach
    }
}

/// Distance to the surface by sampling: balls all along every whole segment.
fn sampled(rod: &RodRef<'_>, place: DVec3) -> f64 {
    const SAMPLES: usize = 2000;
    let mut nearest = f64::INFINITY;
    for (s, segment) in rod.description().segments().iter().enumerate() {
        if rod.is_broken(s) {
            continue;
        }
        let ends = [segment.tail, segment.head].map(|v| v as usize);
        let [a, b] = ends.map(|v| rod.position(v));
        let [ra, rb] = ends.map(|v| rod.description().vertices()[v].radius);
        for k in 0..=SAMPLES {
            let t = k as f64 / SAMPLES as f64;
            nearest = nearest.min(place.distance(a.lerp(b, t)) - (ra + t * (rb - ra)));
        }
    }
    nearest
}

/// Where a ray comes to the surface by walking as far as the surface is away; `None` when it does not within `most`.
fn walked(rod: &RodRef<'_>, origin: DVec3, direction: DVec3, most: f64) -> Option<f64> {
    let mut at = 0.0;
    for _ in 0..20_000 {
        let hit = rod.nearest_point(origin + direction * at, f64::INFINITY)?;
        if hit.distance < 1e-10 {
            return Some(at);
        }
        at += hit.distance;
        if at > most {
            return None;
        }
    }
    None
}

/// Every kind of rod, bent and moved, and some that taper from vertex to vertex.
fn bent() -> RodWorld {
    let (mut world, _) = busy();
    let mut dice = Dice(5);
    for steepest in [0.02, 0.2] {
        let mut parts = built(&line(1.0, 6).pin(0)).into_parts();
        for vertex in &mut parts.vertices {
            vertex.radius = 0.005 + steepest * dice.roll();
        }
        let tapered = RodDescription::new(parts).expect("a sound rod");
        world.insert(tapered).expect("a sound rod");
    }
    run(&mut world, 15);
    let broken = world.ids().nth(2).expect("there are many");
    let mut hurt = world.rod_mut(broken).expect("the rod is there");
    for segment in [0, 7, 15] {
        hurt.break_segment(segment).expect("not frozen");
    }
    world
}

#[test]
fn nearest_points_agree_with_sampling() {
    let world = bent();
    let mut dice = Dice(1);
    for id in world.ids() {
        let rod = rod(&world, id);
        for reach in [0.05, 0.5, 3.0] {
            let place = dice.point(rod.position(rod.vertex_count() / 2), reach);
            let hit = rod.nearest_point(place, f64::INFINITY).expect("something is nearest");
            let expected = sampled(&rod, place);
            // A sample is off along the segment by half its spacing d at most, and by d²/2R or, near the axis, by d in distance.
            assert!((hit.distance - expected).abs() < 1e-4, "{} {expected}", hit.distance);
            assert!(hit.distance <= expected + 1e-12, "sampling found something nearer");
            assert!((0.0..=1.0).contains(&hit.along) && !rod.is_broken(hit.segment));
            assert!((hit.normal.length() - 1.0).abs() < 1e-12);
            assert!((hit.surface.distance(place) - hit.distance.abs()).abs() < 1e-9);
            assert!(hit.surface.distance(hit.center) < 0.22);
            let arc = hit.arc_length.unwrap_or(0.0);
            let whole = rod.description().topology() != Topology::Graph;
            assert_eq!(hit.arc_length.is_some(), whole);
            assert!((0.0..=rod.description().rest_length() + 1e-9).contains(&arc));
        }
    }
}

#[test]
fn rays_agree_with_walking() {
    let world = bent();
    let mut dice = Dice(2);
    let (mut hits, mut misses) = (0, 0);
    for id in world.ids() {
        let rod = rod(&world, id);
        for _ in 0..6 {
            let aim = dice.point(rod.position(rod.vertex_count() / 2), 0.1);
            let origin = dice.point(aim, 2.0);
            let direction = (aim - origin).normalize();
            let hit = rod.ray_cast(origin, direction * 7.0, 10.0);
            let expected = walked(&rod, origin, direction, 10.0);
            match (hit, expected) {
                (Some(hit), Some(expected)) => {
                    hits += 1;
                    // Walking stops 1e-10 before the surface, which a grazing ray reaches √(2R·1e-10) later.
                    assert!((hit.distance - expected).abs() < 1e-5, "{} {expected}", hit.distance);
                    if hit.distance > 0.0 {
                        assert!(hit.surface.distance(origin + direction * hit.distance) < 1e-9);
                        assert!(hit.normal.dot(direction) < 1e-6, "it came out of the rod");
                    }
                }
                (None, None) => misses += 1,
                (hit, expected) => panic!("{hit:?} {expected:?}"),
            }
        }
    }
    assert!(hits > 30 && misses > 10, "{hits} {misses}");
}

/// The world answers what the nearest of all rods does, whatever its boxes turn away.
#[test]
fn the_world_finds_the_first_of_all_rods() {
    let world = bent();
    let mut dice = Dice(3);
    let all: Vec<RodId> = world.ids().collect();
    for n in 0..200 {
        let near = rod(&world, all[n % all.len()]).position(3);
        let place = dice.point(near, 4.0);
        let each = |id: &RodId| rod(&world, *id).nearest_point(place, 2.0);
        let first = |hits: Vec<RodHit>| hits.into_iter().min_by(|a, b| a.distance.total_cmp(&b.distance));
        assert_eq!(
            world.nearest_point(place, 2.0, |_| true),
            first(all.iter().filter_map(each).collect())
        );
        let direction = dice.point(near, 0.3) - place;
        let each = |id: &RodId| rod(&world, *id).ray_cast(place, direction, 50.0);
        let hit = world.ray_cast(place, direction, 50.0, |_| true);
        assert_eq!(hit, first(all.iter().filter_map(each).collect()));
        if let Some(hit) = hit {
            let other = world.ray_cast(place, direction, 50.0, |id| id != hit.rod);
            assert!(other.is_none_or(|other| other.rod != hit.rod && other.distance >= hit.distance));
        }
    }
}

/// Closed forms on a straight capsule 10,000 km away, where a metre of `f32` is a metre.
#[test]
fn far_away_is_as_exact() {
    let far = DVec3::new(1e7, -3e6, 2e6);
    let mut world = world(settings(1, 4));
    let options = RodOptions {
        translation: far,
        ..RodOptions::default()
    };
    let spec = line(1.0, 4).radius(0.02);
    let id = world.insert_with(built(&spec), options).expect("a sound rod");
    let hit = world
        .nearest_point(far + DVec3::new(0.6, 0.3, 0.4), 1.0, |_| true)
        .expect("in reach");
    assert_eq!((hit.rod, hit.segment), (id, 2));
    assert!((hit.distance - 0.48).abs() < 1e-8);
    assert!((hit.along - 0.4).abs() < 1e-7);
    assert!((hit.arc_length.expect("a chain") - 0.6).abs() < 1e-7);
    // From the world's origin, 10,600 km away.
    let aim = far + DVec3::new(0.3, 0.0, 0.0);
    let hit = world
        .ray_cast(DVec3::ZERO, aim, f64::INFINITY, |_| true)
        .expect("aimed at it");
    // It meets the capsule before its axis by the radius over the sine of the angle between them.
    let direction = aim.normalize();
    let sine = (1.0 - direction.x * direction.x).sqrt();
    assert!(
        (aim.length() - hit.distance - 0.02 / sine).abs() < 1e-7,
        "{}",
        aim.length() - hit.distance
    );
    // Past the end by a little more than the radius.
    let past = far + DVec3::new(-0.0201, 0.0, 0.0);
    assert!(world.ray_cast(past + DVec3::Y, DVec3::NEG_Y, 10.0, |_| true).is_none());
    let cap = far + DVec3::new(-0.0199, 0.0, 0.0);
    assert!(world.ray_cast(cap + DVec3::Y, DVec3::NEG_Y, 10.0, |_| true).is_some());
}

#[test]
fn limits_are_kept_and_bad_questions_find_nothing() {
    let mut world = world(settings(1, 4));
    let spec = line(1.0, 4).radius(0.02);
    world.insert(built(&spec)).expect("a sound rod");
    let above = DVec3::new(0.5, 1.02, 0.0);
    assert!(world.nearest_point(above, 1.0 + 1e-9, |_| true).is_some());
    assert!(world.nearest_point(above, 0.999, |_| true).is_none());
    assert!(world.nearest_point(above, 2.0, |_| false).is_none());
    assert!(world.ray_cast(above, DVec3::NEG_Y, 1.0 + 1e-9, |_| true).is_some());
    assert!(world.ray_cast(above, DVec3::NEG_Y, 0.999, |_| true).is_none());
    assert!(
        world.ray_cast(above, DVec3::Y, 10.0, |_| true).is_none(),
        "behind the ray"
    );
    // Along the axis, from outside and from inside.
    let end_on = world
        .ray_cast(DVec3::NEG_X, DVec3::X, 10.0, |_| true)
        .expect("straight at it");
    assert!((end_on.distance - 0.98).abs() < 1e-9);
    let inside = world
        .ray_cast(DVec3::new(0.5, 0.01, 0.0), DVec3::X, 10.0, |_| true)
        .expect("inside");
    assert_eq!(inside.distance, 0.0);
    let on_axis = world
        .nearest_point(DVec3::new(0.4, 0.0, 0.0), 1.0, |_| true)
        .expect("inside");
    assert!((on_axis.distance + 0.02).abs() < 1e-9 && on_axis.normal.is_finite());
    // Directions of any length.
    for size in [1e-300, 1e300] {
        assert!(world.ray_cast(above, DVec3::NEG_Y * size, 10.0, |_| true).is_some());
    }
    let nan = DVec3::new(f64::NAN, 0.0, 0.0);
    let bad = DVec3::new(f64::INFINITY, 0.0, 0.0);
    for place in [nan, bad] {
        assert!(world.nearest_point(place, 1.0, |_| true).is_none());
        assert!(world.ray_cast(place, DVec3::X, 1.0, |_| true).is_none());
        assert!(world.ray_cast(above, place, 1.0, |_| true).is_none());
    }
    for distance in [f64::NAN, -1.0] {
        assert!(world.nearest_point(above, distance, |_| true).is_none());
        assert!(world.ray_cast(above, DVec3::NEG_Y, distance, |_| true).is_none());
    }
    assert!(world.ray_cast(above, DVec3::ZERO, 10.0, |_| true).is_none());
}

/// Of a thousand ropes most are turned away by their boxes. The bound leaves room for a busy machine.
#[test]
fn a_ray_through_a_thousand_ropes_is_cheap() {
    let mut world = world(settings(1, 4));
    let rope = std::sync::Arc::new(built(&line(1.0, 32).pin(0)));
    for n in 0..1000 {
        let options = RodOptions {
            translation: DVec3::new(0.0, f64::from(n % 32), f64::from(n / 32)),
            velocity: Vec3::X,
            ..RodOptions::default()
        };
        world.insert_with(rope.clone(), options).expect("a sound rod");
    }
    let fastest = (0..20)
        .map(|_| {
            let start = Instant::now();
            let hit = world.ray_cast(DVec3::new(0.5, -5.0, 3.0), DVec3::Y, 100.0, |_| true);
            assert!(hit.is_some());
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    println!("a ray through 1,000 ropes of 32 segments: {:.1} µs", fastest * 1e6);
    assert!(fastest < 2e-3);
}
