//! A rope on a slope.

use glam::DQuat;

use super::*;

const FRICTION: f64 = 0.5;
const RADIUS: f64 = 0.01;

/// How a rope on a slope of an angle moves down it: distance at the end of the first half second and of 2.5 s, and the acceleration between. The rope lies along the slope or across.
fn on_slope(angle: f64, across: bool) -> [f64; 3] {
    let mut world = common::world(touching());
    let turn = DQuat::from_rotation_z(-angle);
    world
        .add_collider(Collider::ground(0.0).turned(turn).friction(FRICTION))
        .expect("a sound slope");
    let (down, up) = (turn * DVec3::X, turn * DVec3::Y);
    let direction = if across { DVec3::Z } else { down };
    // Where its weight rests on the barrier, or nearly.
    let from = up * (1.1 * RADIUS);
    let spec = RodSpec::new(Shape::line(from, from + direction * 0.4, 20))
        .radius(RADIUS)
        .material(hemp(FRICTION));
    let id = world.insert(common::built(&spec)).expect("a sound rod");
    let start = common::positions(&world, id)[10];
    let (mut moved, mut speed) = ([0.0; 2], [0.0; 2]);
    for ((frames, moved), speed) in [30, 120].into_iter().zip(&mut moved).zip(&mut speed) {
        common::run(&mut world, frames);
        *speed = common::rod(&world, id).velocity(10).as_dvec3().dot(down);
        *moved = (common::positions(&world, id)[10] - start).dot(down);
    }
    [moved[0], moved[1], 0.5 * (speed[1] - speed[0])]
}

#[test]
fn a_rope_sticks_below_the_angle_of_friction() {
    let angle = FRICTION.atan() - 1_f64.to_radians();
    for across in [false, true] {
        let [settled, end, _] = on_slope(angle, across);
        println!("sticks: {settled} then {end}");
        assert!(
            (end - settled).abs() < 1e-3,
            "across {across}: slid from {settled} to {end}"
        );
        // It gives by 3% of its radius before it holds.
        assert!(settled.abs() < 0.1 * RADIUS, "across {across}: {settled}");
    }
}

#[test]
fn a_rope_slides_above_the_angle_of_friction() {
    for (degrees, across) in [(1.0_f64, false), (10.0, false), (10.0, true)] {
        let angle = FRICTION.atan() + degrees.to_radians();
        let expected = 9.81 * (angle.sin() - FRICTION * angle.cos());
        let [_, _, acceleration] = on_slope(angle, across);
        println!("slides at {degrees}: {acceleration} instead of {expected}");
        // The solve stops at steps of 1e-4 of the radius, 1e-6 m: up to 0.004 m/s² a substep; friction goes by the normal force of the substep before.
        assert!(
            (acceleration - expected).abs() < 0.005 + 0.02 * expected,
            "{degrees} degrees, across {across}: {acceleration} instead of {expected} m/s²"
        );
    }
}
