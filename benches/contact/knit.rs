//! A patch of knit, twisted: yarns that hold each other by nothing but contact.

use glam::{DQuat, DVec3};
use lariat::prelude::*;

use crate::{FRAME, FRICTION, Figures, common::quick, curves, film::Film, points, stages, world};

/// Width of a stitch and radius of yarn, m.
const WIDTH: f64 = 0.02;
const YARN: f64 = 0.0019;
/// How fast the top row is turned, rad/s.
const TURN: f64 = 0.5;

/// A vertex that is held, and where it started.
struct Held {
    rod: RodId,
    vertex: usize,
    place: DVec3,
}

pub fn measure(figures: &mut Figures) {
    let size = if quick() { 6 } else { 20 };
    let count = if quick() { 8 } else { 20 };
    let rows = curves::knit_patch(size, size, WIDTH, WIDTH, 2.0 * YARN);
    let segments: usize = rows.iter().map(|row| row.len() - 1).sum();
    let mut scene = world(9.81);
    let material = Material {
        friction: FRICTION,
        ..Material::rigidity(200.0, 200.0, 2e-5, 2e-5, 0.005)
    };
    let mut held = Vec::new();
    let mut ids = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        // The top row is held by its heads, the bottom row by its feet, and both by their ends.
        let side = match index {
            0 => -1.0,
            _ if index + 1 == rows.len() => 1.0,
            _ => 0.0,
        };
        let mut spec = RodSpec::new(Shape::polyline(row.clone()))
            .radius(YARN)
            .material(material);
        let last = row.len() - 1;
        let is_extreme = |v: usize| {
            let y = |v: usize| side * row[v].y;
            v == 0 || v == last || y(v) > y(v - 1) && y(v) >= y(v + 1)
        };
        let vertices: Vec<usize> = (0..=last).filter(|&v| side != 0.0 && is_extreme(v)).collect();
        for &v in &vertices {
            spec = spec.pin(v as u32);
        }
        let options = RodOptions {
            drag: 2.0,
            ..RodOptions::default()
        };
        let rod = scene
            .insert_with(spec.build().expect("a sound yarn"), options)
            .expect("room");
        ids.push(rod);
        if side > 0.0 {
            held.extend(vertices.iter().map(|&vertex| Held {
                rod,
                vertex,
                place: row[vertex],
            }));
        }
    }
    let axis = DVec3::X * (0.5 * size as f64 * WIDTH);
    let mut iterations = 0;
    stages::start();
    let film = Film::shoot(
        &mut scene,
        count,
        count / 2,
        |scene, frame| {
            let turn = DQuat::from_rotation_y(TURN * (frame + 1) as f64 * f64::from(FRAME));
            for h in &held {
                let place = axis + turn * (h.place - axis);
                let mut rod = scene.rod_mut(h.rod).expect("a yarn");
                rod.set_target(h.vertex, place).expect("a target");
            }
            iterations += scene.step(FRAME).expect("a sound step").iterations;
        },
        |scene| ids.iter().map(|&id| points(scene, id)).collect(),
    );
    let shares = stages::shares();
    let verdict = film.judge(YARN, false);
    println!(
        "knit, {size} × {size} stitches, {segments} segments, {count} steps: {:.1} ms a step ({:.1} in the second half), {} pairs passed, overlap {:.4} r, {} iterations, {} contacts; {shares}",
        film.ms,
        film.ms_late,
        verdict.passed,
        verdict.deepest / YARN,
        iterations,
        scene.contacts().count()
    );
    for event in scene.drain_events() {
        println!("knit: {event:?}");
    }
    figures.push(("knit_segments", segments as f64));
    figures.push(("knit_ms_per_step", film.ms));
}
