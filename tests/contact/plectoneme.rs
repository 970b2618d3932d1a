//! A twisted rope that is slackened winds around itself.

use std::f64::consts::TAU;

use glam::DQuat;

use super::*;
use crate::topology::{held_link, writhe};

const LENGTH: f64 = 1.0;
const SEGMENTS: usize = 100;
const ROPE: f64 = 0.005;
const TURNS: f64 = 8.0;

/// The rope and a piece of the wall at either end, with their frames: what the clamps hold is the wall, and the rope's end segments give a little.
fn ribbon(rod: &RodRef<'_>) -> (Vec<DVec3>, Vec<DQuat>) {
    let last = rod.vertex_count() - 1;
    let wall = DVec3::X * 0.1;
    let held = |clamp| rod.clamp_frame(clamp).expect("a clamp").as_dquat();
    let mut points = vec![rod.position(0) - wall];
    points.extend((0..=last).map(|v| rod.position(v)));
    points.push(rod.position(last) + wall);
    let mut frames = vec![held(0)];
    frames.extend((0..last).map(|s| rod.orientation(s).as_dquat()));
    frames.push(held(1));
    (points, frames)
}

/// A way from the end of the rope to its start that it never comes near, along both end tangents where it leaves.
fn closure() -> [DVec3; 4] {
    let far = 20.0;
    [
        DVec3::new(far, 0.0, 0.0),
        DVec3::new(far, far, 0.0),
        DVec3::new(-far, far, 0.0),
        DVec3::new(-far, 0.0, 0.0),
    ]
}

/// Tw + Wr, and Wr, in turns.
fn link(world: &RodWorld, id: RodId) -> [f64; 2] {
    let (points, frames) = ribbon(&common::rod(world, id));
    let whole: Vec<DVec3> = points.iter().copied().chain(closure()).collect();
    [held_link(&points, &frames, &closure()), writhe(&whole)]
}

/// The rope that is twisted.
fn twisted(settings: Settings) -> (Watched, RodId) {
    let mut scene = Watched::new(settings);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * LENGTH, SEGMENTS as u32))
        .radius(ROPE)
        .material(Material {
            friction: 0.1,
            ..Material::rigidity(5e3, 5e3, 0.01, 0.01, 0.1)
        })
        .clamp_start()
        .clamp_end();
    let options = RodOptions {
        drag: 4.0,
        ..RodOptions::default()
    };
    let id = scene.add(&spec, options);
    let wall = common::rod(&scene.world, id)
        .clamp_frame(1)
        .expect("a clamp")
        .as_dquat();
    for frame in 1..=120 {
        // Taut by 1%, that is 50 N: more than the M²/4EI = 6 N at which so much twist throws a straight rod.
        let drawn = 0.01 * f64::from(frame.min(20)) / 20.0;
        let turned = DQuat::from_rotation_x(TAU * TURNS * f64::from(frame) / 120.0);
        change(&mut scene.world, id, |rod| {
            rod.set_target(SEGMENTS, DVec3::X * (LENGTH * (1.0 + drawn)))
        });
        change(&mut scene.world, id, |rod| rod.set_clamp(1, turned * wall));
        scene.step();
    }
    (scene, id)
}

/// The ends come together by 60 cm in 5 s, and rest for one. Answers how far the link was off at most.
fn slacken(scene: &mut Watched, id: RodId) -> f64 {
    let mut off: f64 = 0.0;
    for frame in 1..=360 {
        let slack = 0.6 * (f64::from(frame) / 300.0).min(1.0);
        change(&mut scene.world, id, |rod| {
            rod.set_target(SEGMENTS, DVec3::X * (LENGTH * 1.01 - slack))
        });
        scene.step();
        off = off.max((link(&scene.world, id)[0] - TURNS).abs());
    }
    off
}

/// Pairs of segments of the rope that press on each other.
fn pairs(world: &RodWorld) -> Vec<[u32; 2]> {
    let pair = |contact: Contact| match contact.other {
        Touched::Rod { segment, .. } => Some([contact.segment.min(segment), contact.segment.max(segment)]),
        Touched::Collider(_) => None,
    };
    world.contacts().filter_map(pair).collect()
}

#[test]
fn a_twisted_rope_that_is_slackened_winds_around_itself() {
    let (mut scene, id) = twisted(weightless());
    let [start, straight] = link(&scene.world, id);
    assert!((start - TURNS).abs() < 0.1, "{start} turns");
    assert!(straight.abs() < 0.01, "still straight: {straight}");
    assert!(pairs(&scene.world).is_empty());
    let off = slacken(&mut scene, id);
    let [_, writhe] = link(&scene.world, id);
    let pairs = pairs(&scene.world);
    println!(
        "plectoneme: link off by {off:.1e}, writhe {writhe:.2}, {} pairs touch",
        pairs.len()
    );
    // The link is exact for polygons too, see `held_link`; every pass of the rope through itself changes it by 2.
    assert!(off < 0.1, "link off by {off}");
    assert!(writhe > 0.5 * TURNS, "most of the twist became writhe: {writhe}");
    // Both strands run along each other in opposite directions from the loop at the tip on: the numbers of segments that touch have the same sum, that of the tip, but for
    // the slope of the strands; and they do so over most of the 30 segments that either strand has for its half of the slack.
    let sums = pairs.iter().map(|[a, b]| a + b);
    let (least, most) = (sums.clone().min().unwrap_or(0), sums.max().unwrap_or(u32::MAX));
    assert!(most - least <= 8, "a strand against a strand: {least} to {most}");
    let mut strand: Vec<u32> = pairs.iter().map(|[a, _]| *a).collect();
    strand.sort_unstable();
    strand.dedup();
    assert!(strand.len() >= 15, "interwound segments: {strand:?}");
    scene.assert_sound("plectoneme");
}

#[test]
fn without_contact_the_link_is_lost() {
    let (mut scene, id) = twisted(Settings {
        contact: None,
        ..weightless()
    });
    let off = slacken(&mut scene, id);
    println!("without contact: link off by {off}");
    assert!(off > 1.9, "it passed through itself: {off}");
}
