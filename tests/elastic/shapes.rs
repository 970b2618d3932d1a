//! Equilibria: closed forms, and the same place that Direct finds.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, Vec3};
use lariat::prelude::*;

use crate::{
    change, close,
    common::{line, positions, rod, run, settings},
    elastic,
    scenes::{Stage, builtin::cantilever},
    slowed,
    static_shapes::{METHODS, relative_spread, settle, statics},
    with,
};

fn weightless() -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..settings(1, 12)
    }
}

/// Rope, cantilever, helical spring and coil end where Direct's do, and where those of generalized-α do.
#[test]
fn static_shapes_are_those_of_direct() {
    for rod in statics().expect("sound rods") {
        let mut speeds = Vec::new();
        let shapes: Vec<_> = (METHODS[..3].iter())
            .map(|method| {
                let (shape, speed) = settle(&rod, method);
                speeds.push(speed);
                shape
            })
            .collect();
        let spread = relative_spread(&rod, &shapes);
        assert!(
            speeds.iter().all(|speed| *speed < 2e-3),
            "{} still moves: {speeds:?}",
            rod.name
        );
        // Three discretizations of one rod: they differ by 1/n², and by the stretch and shear that not all of them have.
        assert!(spread < 0.01, "{}: {spread}", rod.name);
    }
}

/// S3, whose exact elastica has its tip at −0.0499 m: a clamp at the wall is right with few segments too.
#[test]
fn a_cantilever_bends_as_the_elastica() {
    for (segments, share) in [(8, 0.02), (16, 5e-3), (32, 3e-3)] {
        let scene = cantilever::own_weight(segments);
        let solver = Some(elastic().solver);
        let mut stage = Stage::with_settings(&scene, |settings| settings.threads = Some(1), solver).expect("a scene");
        stage.play_until(4.0).expect("a sound play");
        let id = stage.world.ids().next().expect("the bar");
        let bar = rod(&stage.world, id);
        close(
            bar.position(segments as usize).y,
            cantilever::ELASTICA_TIP,
            share,
            format!("tip of {segments}"),
        );
        // At the wall the moment is w L²/2 times a little less than one: the tip has come nearer.
        let clamp = bar.description().joints().len();
        let moment = f64::from(bar.moment(clamp).length());
        close(moment, 0.5 * 9.81, 0.01, format!("moment at the wall of {segments}"));
    }
}

/// A tip couple of `πEI/L` rolls a straight bar into half a circle: a torque across an edge is a couple at its ends. (Much more of it, about an axis that does not turn along, and the circle
/// leaves its plane, in Direct too when it is touched.)
#[test]
fn a_couple_rolls_half_a_circle() {
    let (n, ei) = (32, 1.0);
    let spec = line(1.0, n)
        .material(Material::rigidity(4e5, 4e5, ei, ei, 0.1))
        .clamp_start();
    let (mut world, id) = with(&spec, slowed(10.0), weightless());
    for frame in 0..600 {
        let share = (f64::from(frame) / 120.0).min(1.0);
        let couple = Vec3::new(0.0, 0.0, (share * PI * ei) as f32);
        change(&mut world, id, |rod| rod.set_torque(n as usize - 1, couple));
        run(&mut world, 1);
    }
    // A joint of angle θ has the moment 2EI/l tan(θ/2)/cos²(θ/2): θ is too small by a third of (θ/2)², 0.1% at 32 segments.
    let tip = rod(&world, id).position(n as usize);
    close(tip.y, 2.0 / PI, 5e-3, "diameter");
    assert!(tip.x.abs() < 0.005 && tip.z.abs() < 1e-4, "the tip is at {tip}");
    let joint = rod(&world, id).moment(10);
    close(f64::from(joint.length()), PI * ei, 2e-3, "moment of a joint");
}

/// Many whole turns are twist as well: `GJ φ/L` all the way, where quaternions would have forgotten them.
#[test]
fn twist_counts_whole_turns() {
    let (n, gj, turns) = (8usize, 1.0, 12.0);
    // So stiff in bending that the bar does not loop: Greenhill's twist is 8.98 EI/GJ, in radians.
    let spec = line(1.0, n as u32)
        .material(Material::rigidity(1e5, 1e5, 40.0 * gj, gj, 0.1))
        .clamp_start()
        .clamp_end();
    let (mut world, id) = with(&spec, slowed(5.0), weightless());
    let frame = rod(&world, id).description().clamps()[1].frame;
    for step in 1..=240 {
        let angle = turns * TAU * f64::from(step.min(200)) / 200.0;
        change(&mut world, id, |rod| {
            rod.set_clamp(1, frame * DQuat::from_rotation_z(angle))
        });
        run(&mut world, 1);
    }
    let angle = turns * TAU;
    for joint in 0..n - 1 {
        close(
            rod(&world, id).twist(joint),
            angle / n as f64,
            1e-3,
            format!("joint {joint}"),
        );
        let moment = f64::from(rod(&world, id).moment(joint).z);
        close(moment, -gj * angle, 1e-3, format!("moment of joint {joint}"));
    }
    for place in positions(&world, id) {
        assert!(place.y.abs() + place.z.abs() < 1e-5, "{place} is off the axis");
    }
    close(rod(&world, id).energy().bend, 0.5 * gj * angle * angle, 2e-3, "energy");
}

/// A torque about the axis of a free end winds the bar up by `τL/GJ`, and the tension of a hanging load is its weight.
#[test]
fn torque_winds_and_weight_pulls() {
    let spec = line(1.0, 20)
        .material(Material::rigidity(1e4, 1e4, 2.0, 0.5, 0.1))
        .clamp_start()
        .load(20, 3.0);
    let (mut world, id) = with(&spec, slowed(5.0), weightless());
    change(&mut world, id, |rod| rod.set_torque(19, Vec3::X * 0.4));
    change(&mut world, id, |rod| rod.set_force(20, Vec3::X * 30.0));
    run(&mut world, 240);
    let bar = rod(&world, id);
    let wound: f64 = (0..bar.description().joints().len() + 1)
        .map(|joint| bar.twist(joint))
        .sum();
    // From the wall to the middle of the last segment.
    close(wound, 0.4 * 0.975 / 0.5, 1e-3, "twist");
    for s in 0..20 {
        close(bar.tension(s), 30.0, 1e-3, format!("tension of segment {s}"));
    }
}
