//! A knot stays, and a slip knot slips.

use super::*;
use crate::topology::{Ends, alexander_determinant};

const ROPE: f64 = 0.005;
const SEGMENT: f64 = 0.01;

/// Weighs 500 N.
const LOAD: f64 = 500.0 / 9.81;

/// Hangs a load on a knot, whose weight grows within a second, and waits until 10 s have passed.
fn pull(points: &[DVec3], friction: f64, what: &str, determinant: u64) {
    let mut scene = Watched::new(weightless());
    let last = points.len() - 1;
    let spec = along(points, ROPE)
        .rest(RestShape::Straight)
        .material(hemp(friction))
        .load(last as u32, LOAD)
        .pin(0);
    scene.add(&spec, RodOptions::default());
    // The load bobs on the rope with a period of about a third of a second: places are means over a second.
    let (mut early, mut late) = (0.0, 0.0);
    for frame in 1..=600 {
        hang(&mut scene.world, frame);
        let positions = scene.step();
        let end = positions[0][last].x / 60.0;
        match frame {
            121..=180 => early += end,
            541..=600 => late += end,
            _ => {}
        }
        if frame % 20 == 0 {
            let found = alexander_determinant(&positions[0], Ends::Along);
            assert_eq!(found, Some(determinant), "{what}, frame {frame}");
        }
    }
    scene.assert_sound(what);
    println!("{what}: from {early} to {late} m");
    // Pulled at both ends these knots jam, whatever their friction: what the end creeps by would be surfaces that sink into each other, of which a tenth of the radius is all that there may be.
    assert!(
        (late - early).abs() < 0.1 * ROPE,
        "{what}: crept from {early} to {late} m"
    );
}

/// Gravity along x, where the ropes leave.
fn hang(world: &mut RodWorld, frame: u32) {
    let gravity = Vec3::X * 9.81 * (frame as f32 / 60.0).min(1.0);
    world
        .set_settings(Settings { gravity, ..touching() })
        .expect("sound settings");
}

#[test]
fn an_overhand_stays_knotted() {
    let points = curves::overhand(ROPE / 0.4, 0.15, SEGMENT);
    pull(&points, 0.3, "overhand", 3);
}

#[test]
fn a_figure_eight_stays_knotted() {
    let points = curves::figure_eight(ROPE / 0.4, 0.15, SEGMENT);
    pull(&points, 0.3, "figure-eight", 5);
}

#[test]
fn a_reef_holds_two_ropes() {
    let mut scene = Watched::new(weightless());
    // The ropes rest as they are tied: straight ones would spring open before the load tightens them.
    for (k, points) in curves::reef(ROPE / 0.4, 0.15, SEGMENT).iter().enumerate() {
        let spec = along(points, ROPE).material(hemp(0.3));
        let spec = if k == 0 { spec.pin(0) } else { spec.load(0, LOAD) };
        scene.add(&spec, RodOptions::default());
    }
    let (mut early, mut late) = (0.0, 0.0);
    for frame in 1..=600 {
        hang(&mut scene.world, frame);
        let end = scene.step()[1][0].x / 60.0;
        match frame {
            121..=180 => early += end,
            541..=600 => late += end,
            _ => {}
        }
    }
    scene.assert_sound("reef");
    println!("reef: from {early} to {late} m");
    // As for the other knots; one that slips is metres away.
    assert!(
        (late - early).abs() < 0.1 * ROPE,
        "reef: crept from {early} to {late} m"
    );
}

#[test]
fn a_slip_knot_without_friction_slips() {
    let mut scene = Watched::new(weightless());
    let points = curves::slip_knot(ROPE / 0.38, 0.15, SEGMENT);
    let spec = along(&points, ROPE)
        .rest(RestShape::Straight)
        .material(hemp(0.0))
        .load(points.len() as u32 - 1, 0.5)
        .pin(0);
    let id = scene.add(&spec, RodOptions::default());
    let last = points.len() - 1;
    for frame in 1..=240 {
        hang(&mut scene.world, frame);
        scene.step();
    }
    scene.assert_sound("slip knot");
    let rod = common::rod(&scene.world, id);
    let (span, length) = (rod.position(0).distance(rod.position(last)), rod.length());
    println!("slip knot: {span} of {length}");
    assert!(span > 0.97 * length, "drawn out: {span} of {length} m");
}
