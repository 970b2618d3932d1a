//! S5: fifty ropes of forty segments fall onto each other and the floor.

use glam::DVec3;
use lariat::{contact::Collider, prelude::*};

use crate::{FRAME, FRICTION, Figures, RADIUS, common::quick, film::Film, points, rope, world};

pub const ROPES: usize = 50;
pub const SEGMENTS: usize = 40;

/// Frames, and how many of them are timed as settled (which a quick run never comes to).
pub fn frames() -> (usize, usize) {
    if quick() { (40, 20) } else { (300, 60) }
}

/// The middle of a rope and its direction: a metre of rope along a spiral stair.
pub fn stair(k: usize) -> (DVec3, DVec3) {
    let (sine, cosine) = (137.508 * k as f64).to_radians().sin_cos();
    (DVec3::Y * (0.05 + 0.03 * k as f64), DVec3::new(cosine, 0.0, sine))
}

pub fn measure(figures: &mut Figures) {
    let mut scene = world(9.81);
    scene
        .add_collider(Collider::ground(0.0).friction(FRICTION))
        .expect("a floor");
    for k in 0..ROPES {
        let (middle, along) = stair(k);
        let at = |i: usize| middle + along * (i as f64 / SEGMENTS as f64 - 0.5);
        let spec = rope((0..=SEGMENTS).map(at).collect(), FRICTION);
        scene.insert(spec.build().expect("a sound rope")).expect("room");
    }
    let ids: Vec<RodId> = scene.ids().collect();
    let (count, late) = frames();
    let (mut iterations, mut contacts) = (0, 0);
    let film = Film::shoot(
        &mut scene,
        count,
        late,
        |scene, _| {
            let report = scene.step(FRAME).expect("a sound step");
            iterations += report.iterations;
            contacts = contacts.max(scene.contacts().count());
        },
        |scene| ids.iter().map(|&id| points(scene, id)).collect(),
    );
    let verdict = film.judge(RADIUS, true);
    let overlap = verdict.deepest / RADIUS;
    println!(
        "S5, {ROPES} ropes, {count} frames: {} pairs passed, overlap {overlap:.4} r, {:.2} ms settled, {:.2} ms over all; {} iterations, at most {contacts} contacts",
        verdict.passed, film.ms_late, film.ms, iterations,
    );
    figures.push(("s5_passed_pairs", verdict.passed as f64));
    figures.push(("s5_overlap", overlap));
    figures.push(("s5_ms", film.ms_late));
}
