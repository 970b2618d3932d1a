//! S6: an overhand knot is pulled tight.

use glam::Vec3;
use lariat::prelude::*;

use crate::{
    FRAME, FRICTION, Figures, RADIUS,
    common::quick,
    curves,
    film::Film,
    points, rope,
    topology::{Ends, alexander_determinant},
    world,
};

const SEGMENTS: usize = 80;
const LENGTH: f64 = 0.03;
/// Size of the loose knot, and its tails such that there are 80 segments in all, m.
const SIZE: f64 = 0.05;
const TAIL: f64 = 0.375;
/// N, reached after so many seconds.
const PULL: f32 = 50.0;
const RISE: f32 = 2.0;

/// Plays, of which the fastest of each frame counts: one takes less than a tenth of a second, and others disturb it.
const ROUNDS: usize = 5;

pub fn measure(figures: &mut Figures) {
    let frames = if quick() { 240 } else { 480 };
    let films: Vec<Film> = (0..ROUNDS).map(|_| play(frames)).collect();
    let fastest: Vec<f64> = (0..frames)
        .map(|n| films.iter().fold(f64::INFINITY, |least, film| least.min(film.each[n])))
        .collect();
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (ms, late) = (mean(&fastest), mean(&fastest[frames - 60..]));
    let verdict = films[0].judge(RADIUS, false);
    let line = &films[0].frames[frames][0];
    let determinant = alexander_determinant(line, Ends::Outwards);
    let overlap = verdict.deepest / RADIUS;
    println!(
        "S6, {frames} frames: determinant {determinant:?} (a knot has 3), {} passes, overlap {overlap:.4} r, {ms:.3} ms a frame, {late:.3} ms at rest, ends {:.3} m apart",
        verdict.passed,
        line[0].distance(line[SEGMENTS])
    );
    figures.push(("s6_determinant", determinant.map_or(f64::NAN, |d| d as f64)));
    figures.push(("s6_overlap", overlap));
    figures.push(("s6_ms", ms));
}

fn play(frames: usize) -> Film {
    let line = curves::overhand(SIZE, TAIL, LENGTH);
    assert_eq!(line.len(), SEGMENTS + 1, "tails of another length");
    let mut scene = world(0.0);
    let spec = rope(line, FRICTION).build().expect("a sound rope");
    let options = RodOptions {
        drag: 2.0,
        ..RodOptions::default()
    };
    let id = scene.insert_with(spec, options).expect("room");
    Film::shoot(
        &mut scene,
        frames,
        60,
        |scene, frame| {
            let pull = Vec3::X * PULL * (frame as f32 * FRAME / RISE).min(1.0);
            let mut rod = scene.rod_mut(id).expect("the rope");
            rod.set_force(0, -pull).expect("a force");
            rod.set_force(SEGMENTS, pull).expect("a force");
            scene.step(FRAME).expect("a sound step");
        },
        |scene| vec![points(scene, id)],
    )
}
