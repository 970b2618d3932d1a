//! 65,000 segments in one heap: what a step costs on one thread and on two, stage by stage.

use std::time::Instant;

use lariat::{contact::Collider, prelude::*};

use crate::{FRAME, FRICTION, Figures, common::quick, pile, rope, stages, world};

/// Stacks of ropes side by side, and ropes in each.
const STACKS: [usize; 2] = [13, 5];
const ROPES: usize = 25;
/// From stack to stack, m: ropes are a metre long, so that each reaches into the stacks around it.
const APART: f64 = 0.6;

pub fn measure(figures: &mut Figures) {
    let (stacks, fall, count) = if quick() { ([3, 2], 6, 2) } else { (STACKS, 40, 2) };
    let mut scene = world(9.81);
    scene
        .add_collider(Collider::ground(0.0).friction(FRICTION))
        .expect("a floor");
    for x in 0..stacks[0] {
        for z in 0..stacks[1] {
            for k in 0..ROPES {
                // Ropes of neighbouring stacks lie at different heights and angles: none starts in another.
                let number = (x * stacks[1] + z) * 7 + k;
                let (_, along) = pile::stair(number);
                let height = 0.03
                    + 0.025 * (k * stacks[0] * stacks[1] + x * stacks[1] + z) as f64 / (stacks[0] * stacks[1]) as f64
                        * stacks[0].max(stacks[1]) as f64;
                let middle = glam::DVec3::new(x as f64 * APART, height, z as f64 * APART);
                let at = |i: usize| middle + along * (i as f64 / pile::SEGMENTS as f64 - 0.5);
                let spec = rope((0..=pile::SEGMENTS).map(at).collect(), FRICTION);
                scene.insert(spec.build().expect("a sound rope")).expect("room");
            }
        }
    }
    let segments = stacks[0] * stacks[1] * ROPES * pile::SEGMENTS;
    for _ in 0..fall {
        scene.step(FRAME).expect("a sound step");
    }
    let start = scene.snapshot();
    let mut one = 0.0;
    for threads in [1, 2] {
        scene.restore(&start);
        let settings = scene.settings().clone();
        scene
            .set_settings(Settings {
                threads: Some(threads),
                ..settings
            })
            .expect("sound settings");
        stages::start();
        let clock = Instant::now();
        for _ in 0..count {
            scene.step(FRAME).expect("a sound step");
        }
        let ms = clock.elapsed().as_secs_f64() * 1e3 / f64::from(count);
        println!(
            "crowd, {segments} segments, {threads} threads: {ms:.0} ms a step, {} contacts; {}",
            scene.contacts().count(),
            stages::shares()
        );
        if threads == 1 {
            one = ms;
            figures.push(("crowd_ms_one_thread", ms));
        } else {
            figures.push(("crowd_two_threads_faster", one / ms));
        }
    }
}
