//! A rope slides around a bar: tensions are as e^{μφ}.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use lariat::{contact::Collider, prelude::*};
use parry3d::shape::SharedShape;

use crate::{FRAME, Figures, RADIUS, common::quick, curves, rope, world};

/// m
const BAR: f64 = 0.1;
const SEGMENT: f64 = 0.015;
const LEAD: f64 = 0.3;
/// What holds the loose end back, N.
const HOLD: f64 = 20.0;
/// How fast the other end is led, m/s.
const SPEED: f64 = 0.02;

pub fn measure(figures: &mut Figures) {
    let angles: &[f64] = if quick() { &[PI] } else { &[0.5 * PI, PI, 2.0 * PI] };
    let frictions: &[f64] = if quick() { &[0.3] } else { &[0.1, 0.3, 0.5] };
    let mut worst = 0.0f64;
    for &angle in angles {
        for &friction in frictions {
            let ratio = slide(angle, friction);
            let expected = (friction * angle).exp();
            let error = ratio / expected - 1.0;
            println!(
                "capstan: around {:.2} turns with friction {friction}: {ratio:.4}, e^μφ {expected:.4}, error {:+.2} %",
                angle / (2.0 * PI),
                error * 100.0
            );
            worst = worst.max(error.abs());
        }
    }
    figures.push(("capstan_error", worst));
}

/// T₂/T₁ while the rope slides, over the last second.
fn slide(angle: f64, friction: f64) -> f64 {
    let line = curves::capstan(BAR, RADIUS, 0.1 * RADIUS, angle, LEAD, SEGMENT);
    let last = line.len() - 1;
    let [back, ahead] = [line[0] - line[1], line[last] - line[last - 1]].map(DVec3::normalize);
    let end = line[last];
    let mut scene = world(0.0);
    // Cylinders of parry stand along y.
    let bar = Collider::new(SharedShape::cylinder(0.5, BAR as f32))
        .turned(DQuat::from_rotation_x(0.5 * PI))
        .friction(friction);
    scene.add_collider(bar).expect("a bar");
    let spec = rope(line, friction).pin(last as u32).build().expect("a sound rope");
    let options = RodOptions {
        drag: 5.0,
        ..RodOptions::default()
    };
    let id = scene.insert_with(spec, options).expect("room");
    let (mut sum, mut count) = (0.0, 0);
    for frame in 0..240 {
        let time = f64::from(frame) * f64::from(FRAME);
        let mut rod = scene.rod_mut(id).expect("the rope");
        rod.set_force(0, (back * HOLD * time.min(1.0)).as_vec3())
            .expect("a force");
        rod.set_target(last, end + ahead * (SPEED * (time - 0.5).max(0.0)))
            .expect("a target");
        scene.step(FRAME).expect("a sound step");
        if frame >= 180 {
            let rod = scene.rod(id).expect("the rope");
            sum += rod.tension(last - 1) / rod.tension(0);
            count += 1;
        }
    }
    sum / f64::from(count)
}
