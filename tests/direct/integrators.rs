//! BDF2 against implicit Euler: how much a swing loses, and the order in time.

use glam::DQuat;
use lariat::{prelude::*, solver::Integrator};

use crate::{
    by,
    common::{apart, built, line, positions, rod, run, settings, soft, world},
};

/// A rope of 2 m pinned at its top and let go at an angle (rad) from the vertical, straight.
fn swinging(integrator: Integrator, angle: f64, load: f64, substeps: u32, segments: u32) -> (RodWorld, RodId) {
    let rope = line(2.0, segments)
        .material(soft(if segments < 10 { 1e7 } else { 1e5 }, 1e-3))
        .pin(0)
        .load(segments, load);
    let mut world = world(settings(substeps, 20));
    let options = RodOptions {
        rotation: DQuat::from_rotation_z(angle - std::f64::consts::FRAC_PI_2),
        ..by(integrator)
    };
    let id = world.insert_with(built(&rope), options).expect("a sound rope");
    (world, id)
}

/// Energy above hanging still.
fn excess(world: &RodWorld, id: RodId, load: f64) -> f64 {
    let mass = 2.0;
    rod(world, id).energy().total() + 9.81 * (mass * 1.0 + load * 2.0)
}

#[test]
fn swings_live_on_by_bdf2() {
    for (load, angle) in [(0.0, 0.35), (5.0, 0.8), (0.0, 1.5)] {
        let left = |integrator| {
            let (mut world, id) = swinging(integrator, angle, load, 1, 16);
            let start = excess(&world, id, load);
            run(&mut world, 600);
            excess(&world, id, load) / start
        };
        let (euler, second) = (left(Integrator::Euler), left(Integrator::Bdf2));
        println!("load {load}, angle {angle}: Euler keeps {euler:.4}, BDF2 {second:.4}");
        assert!(second > 0.5, "BDF2 keeps {second}");
        assert!(second <= 1.0 + 1e-3, "BDF2 gives energy: {second}");
        assert!(euler < 0.5 * second, "Euler keeps {euler}, BDF2 {second}");
    }
}

/// Error of the whole shape at 0.5 s against steps sixteen times finer than the finest. Three segments that do not stretch: every motion is
/// slow against the step (a fine rope's waves are not, and are damped away as they should).
#[test]
fn order_in_time() {
    let shape = |integrator, substeps| {
        let (mut world, id) = swinging(integrator, 0.3, 0.0, substeps, 3);
        run(&mut world, 30);
        positions(&world, id)
    };
    let exact = shape(Integrator::Bdf2, 128);
    let errors = |integrator| [1, 2, 4, 8].map(|substeps| apart(&shape(integrator, substeps), &exact));
    let (euler, second) = (errors(Integrator::Euler), errors(Integrator::Bdf2));
    println!("Euler {euler:?}\nBDF2  {second:?}");
    for pair in euler[1..].windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.7..2.4).contains(&ratio), "Euler: {ratio} a halving, {euler:?}");
    }
    for pair in second[..3].windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.2..4.8).contains(&ratio), "BDF2: {ratio} a halving, {second:?}");
    }
    assert!(second[0] < 0.3 * euler[0], "{second:?} against {euler:?}");
}
