//! Bodies on ropes over time: pendulums, spins, mass ratios, energy.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{FRAME, built, rod, run as run_rods, settings, world},
};

fn rope(length: f64, segments: u32, axial: f64, bending: f64, density: f64) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * length, segments))
        .material(Material::rigidity(axial, axial, bending, bending, density))
        .radius(0.01)
}

fn tie(world: &mut RodWorld, rod: RodId, at: RodPoint, body: BodyId, anchor: DVec3) -> AttachmentId {
    let to = TieTo::Body { body, anchor };
    world.attach(AttachmentSpec::ball(rod, at, to)).expect("a sound tie")
}

/// A body that is tied by its centre is a load on the vertex: the two go the same way.
#[test]
fn a_body_tied_by_its_centre_is_a_load() {
    for load in [0.05, 2.0, 300.0] {
        let spec = rope(1.5, 12, 1e6, 0.02, 0.4).pin(0);
        let mut loaded = world(settings(1, 20));
        let a = loaded.insert(built(&spec.clone().load(12, load))).expect("a rod");
        let mut tied = world(settings(1, 20));
        let b = tied.insert(built(&spec)).expect("a rod");
        let mut bodies = Bodies::new();
        let body = bodies.ball(9, DVec3::X * 1.5, load, 0.1);
        tie(&mut tied, b, RodPoint::End, body, DVec3::ZERO);
        for frame in 0..90 {
            run_rods(&mut loaded, 1);
            run(&mut tied, &mut bodies, 1);
            let (a, b) = (rod(&loaded, a).position(12), rod(&tied, b).position(12));
            // The tie gives by a hundredth of what a segment does, and Newton stops at 1e-5 of a segment: chaos is kept out by the short time.
            assert!(a.distance(b) < 2e-3, "{load} kg, frame {frame}: {a} {b}");
            assert!(b.distance(bodies.get(body).position) < 1e-4, "{load} kg, frame {frame}");
        }
    }
}

/// Small swings of a heavy ball on a light rope: a compound pendulum when the rope is tied to its surface.
#[test]
fn a_ball_swings_with_its_period() {
    let (length, radius, mass) = (1.0, 0.3, 5.0);
    let mut world = world(settings(8, 8));
    let tilt = 0.05f64;
    let down = DVec3::new(tilt.sin(), -tilt.cos(), 0.0);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, down * length, 8))
        .material(Material::rigidity(1e5, 1e5, 0.0, 0.0, 0.001))
        .pin(0);
    let id = world.insert(built(&spec)).expect("a rod");
    let mut bodies = Bodies::new();
    let ball = bodies.ball(1, down * (length + radius), mass, radius);
    bodies.get_mut(ball).orientation = DQuat::from_rotation_z(tilt);
    tie(&mut world, id, RodPoint::End, ball, DVec3::Y * radius);
    // Double pendulum of a massless rope and a ball: its slow mode, from the determinant of the linear equations.
    let (l, r, g) = (length, radius, 9.81);
    let k = 0.4 * r * r;
    // (l + r)… with rope angle a and ball angle b: m l² a'' + m l r b'' + m g l a = 0; m l r a'' + m (r² + k) b'' + m g r b = 0.
    let (p, q, s) = (
        l * l * (r * r + k) - l * l * r * r,
        g * l * (r * r + k) + g * r * l * l,
        g * g * l * r,
    );
    let slow = ((q - (q * q - 4.0 * p * s).sqrt()) / (2.0 * p)).sqrt();
    let mut crossings = Vec::new();
    let mut last = bodies.get(ball).position.x;
    for frame in 0..600 {
        run(&mut world, &mut bodies, 1);
        let now = bodies.get(ball).position.x;
        if last > 0.0 && now <= 0.0 {
            crossings.push((f64::from(frame) + last / (last - now)) * f64::from(FRAME));
        }
        last = now;
    }
    let periods = crossings.len() - 1;
    let period = (crossings[periods] - crossings[0]) / periods as f64;
    let expected = TAU / slow;
    assert!(
        (period / expected - 1.0).abs() < 0.01,
        "{period} s, expected {expected} s"
    );
}

/// A body that spins at 20 rad/s with a rope welded or tied to its side keeps hold of it.
#[test]
fn ties_hold_on_a_spinning_body() {
    for kind in [Tie::Ball, Tie::Weld] {
        let mut world = world(settings(1, 8));
        let spec = rope(1.0, 16, 5e4, 0.5, 0.3);
        let options = RodOptions {
            translation: DVec3::X * 0.2,
            drag: 0.5,
            ..RodOptions::default()
        };
        let id = world.insert_with(built(&spec), options).expect("a rod");
        let mut bodies = Bodies::new();
        let hub = bodies.ball(1, DVec3::ZERO, 50.0, 0.2);
        bodies.get_mut(hub).acceleration = DVec3::ZERO;
        bodies.get_mut(hub).angular_velocity = DVec3::new(0.0, 20.0, 0.0);
        let to = TieTo::Body {
            body: hub,
            anchor: DVec3::X * 0.2,
        };
        let spec = AttachmentSpec {
            kind,
            ..AttachmentSpec::ball(id, RodPoint::Start, to)
        };
        let tie = world.attach(spec).expect("a tie");
        let (mut gap, mut spins) = (0.0f64, 0.0f64);
        for _ in 0..240 {
            run(&mut world, &mut bodies, 1);
            // Where the host has put the body, not where the solve thought that it would be.
            let body = bodies.get(hub);
            let anchor = body.position + body.orientation * (DVec3::X * 0.2);
            gap = gap.max(anchor.distance(rod(&world, id).position(0)));
            spins = spins.max(body.angular_velocity.length());
        }
        assert!(gap < 1e-3, "{kind:?}: {gap} m");
        assert!(spins <= 20.1, "{kind:?}: {spins} rad/s");
        assert!(world.attachment(tie).is_some());
        assert!(bodies.get(hub).angular_velocity.y > 2.0, "{kind:?}: it still spins");
    }
}

/// Feather on a hawser, ship on a thread.
#[test]
fn mass_ratios_of_a_hundred_thousand_are_stable() {
    for (density, mass, axial) in [(10.0, 1e-4, 1e6), (0.01, 1e3, 1e6)] {
        let mut world = world(settings(1, 8));
        let spec = rope(1.0, 8, axial, 0.01, density).pin(0);
        let id = world.insert(built(&spec)).expect("a rod");
        let mut bodies = Bodies::new();
        let body = bodies.solid(1, DVec3::X * 1.05, mass, DVec3::splat(mass * 1e-3));
        tie(&mut world, id, RodPoint::End, body, -DVec3::X * 0.05);
        let mut most = 0.0f64;
        for _ in 0..3600 {
            run(&mut world, &mut bodies, 1);
            let energy = bodies.energy(body) + rod(&world, id).energy().total();
            most = most.max(energy / (9.81 * (mass + density)));
            let gap = world.attachments().next().map_or(f64::NAN, |(_, tie)| tie.gap.length());
            assert!(gap < 1e-3, "{mass} kg: {gap} m");
        }
        // It starts at height zero and at rest: in units of the whole weight, metres.
        assert!(most < 1e-3, "{mass} kg: {most} m");
        let end = bodies.get(body);
        assert!(
            end.position.y < -0.9 && end.linear_velocity.length() < 1.0,
            "{mass} kg: {end:?}"
        );
    }
}

/// Two bodies on a rope in free space: nobody gives them energy.
#[test]
fn a_closed_system_gains_no_energy() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        let mut world = world(Settings {
            gravity: glam::Vec3::ZERO,
            ..settings(1, 12)
        });
        let options = RodOptions {
            solver: Solver::Direct { integrator },
            ..RodOptions::default()
        };
        let id = world
            .insert_with(built(&rope(1.0, 12, 2e4, 0.05, 0.5)), options)
            .expect("a rod");
        let mut bodies = Bodies::new();
        let a = bodies.solid(1, -DVec3::X * 0.1, 2.0, DVec3::new(0.02, 0.03, 0.04));
        let b = bodies.solid(2, DVec3::X * 1.1, 1.0, DVec3::new(0.01, 0.02, 0.015));
        tie(&mut world, id, RodPoint::Start, a, DVec3::X * 0.1);
        tie(&mut world, id, RodPoint::End, b, -DVec3::X * 0.1);
        for body in bodies.bodies.values_mut() {
            body.acceleration = DVec3::ZERO;
        }
        bodies.get_mut(a).linear_velocity = DVec3::new(0.0, 2.0, 0.5);
        bodies.get_mut(b).linear_velocity = DVec3::new(-0.5, -1.0, 0.0);
        bodies.get_mut(b).angular_velocity = DVec3::new(1.0, 0.0, 3.0);
        let energy =
            |world: &RodWorld, bodies: &Bodies| rod(world, id).energy().total() + bodies.energy(a) + bodies.energy(b);
        let start = energy(&world, &bodies);
        for frame in 0..600 {
            run(&mut world, &mut bodies, 1);
            let now = energy(&world, &bodies);
            // The host turns without gyroscopic torque: a body's spin energy wobbles by the difference of its moments.
            assert!(
                now < start * 1.02,
                "{integrator:?}, frame {frame}: {now} J of {start} J"
            );
        }
    }
}
