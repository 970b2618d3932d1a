//! What rods and bodies give one another.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{FRAME, built, positions, rod, settings, world},
};

const ROPE: f64 = 2.0;

fn rope(segments: u32) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y * ROPE, segments))
        .material(Material::rigidity(5e4, 5e4, 0.01, 0.01, 1.0))
        .radius(0.01)
}

const SOLVERS: [Solver; 3] = [
    Solver::Direct {
        integrator: Integrator::Euler,
    },
    Solver::Direct {
        integrator: Integrator::Bdf2,
    },
    Solver::GROOM,
];

fn floating(solver: Solver) -> Settings {
    // A sweep of Stable Cosserat leaves forces inside the rod unbalanced: enough of them, and what is left is rounding.
    let (substeps, iterations) = if solver == Solver::GROOM { (8, 400) } else { (1, 8) };
    Settings {
        gravity: Vec3::ZERO,
        ..settings(substeps, iterations)
    }
}

/// Momentum of a rod by the way that it went in the last frame: whatever the substeps or the integrator, that is what bodies are given as well.
fn momentum(world: &RodWorld, id: RodId, before: &[DVec3]) -> DVec3 {
    let now = positions(world, id);
    let masses = rod(world, id).description().vertices().iter().map(|v| v.mass);
    let ways = now.iter().zip(before).map(|(now, before)| *now - *before);
    ways.zip(masses).map(|(way, mass)| way * mass).sum::<DVec3>() / f64::from(FRAME)
}

/// What the rods lose, the bodies gain, in every step: to rounding.
#[test]
fn impulses_are_equal_and_opposite() {
    for solver in SOLVERS {
        let mut world = world(floating(solver));
        let thrown = Vec3::new(1.0, 0.0, 0.3);
        let options = RodOptions {
            solver,
            velocity: thrown,
            ..RodOptions::default()
        };
        let id = world.insert_with(built(&rope(16)), options).expect("a sound rod");
        let mut bodies = Bodies::new();
        let a = bodies.ball(1, -DVec3::Y * (ROPE + 0.2), 3.0, 0.2);
        let b = bodies.ball(2, DVec3::Y * 0.2, 0.5, 0.2);
        bodies
            .bodies
            .values_mut()
            .for_each(|body| body.acceleration = DVec3::ZERO);
        for (at, body, y) in [(RodPoint::End, a, 0.2), (RodPoint::Start, b, -0.2)] {
            let to = TieTo::Body {
                body,
                anchor: DVec3::Y * y,
            };
            world.attach(AttachmentSpec::ball(id, at, to)).expect("a sound tie");
        }
        let mut last = thrown.as_dvec3() * rod(&world, id).description().mass();
        for frame in 0..60 {
            let (before, taken) = (positions(&world, id), bodies.taken);
            run(&mut world, &mut bodies, 1);
            let now = momentum(&world, id, &before);
            let (lost, given) = (last - now, bodies.taken - taken);
            assert!(frame > 0 || given.length() > 0.01, "{solver:?}: nothing was exchanged");
            // The direct solver works in doubles and rounds 17 velocities of 1 m/s and 0.1 kg to 6e-8. Stable Cosserat works in single precision: its
            // springs pull with 4e5 N/m at increments of 1e-3 m that are rounded to 1e-10, 1/480 s long, 17 of them and 8 times.
            let rounding = if solver == Solver::GROOM { 1e-4 } else { 1e-6 };
            assert!(
                (lost - given).length() < rounding,
                "{solver:?}, frame {frame}: {lost} {given}"
            );
            last = now;
        }
    }
}

/// A weight on a rope hangs still, stretches it by what it weighs, and the tie tells the weight.
#[test]
fn a_weight_hangs_on_a_rope() {
    // Not BDF2: the weight would bounce for minutes.
    for solver in [Solver::default(), Solver::GROOM] {
        let substeps = if solver == Solver::GROOM { 64 } else { 1 };
        let mut world = world(settings(substeps, 8));
        let options = RodOptions {
            solver,
            drag: 1.0,
            ..RodOptions::default()
        };
        let id = world
            .insert_with(built(&rope(16).pin(0)), options)
            .expect("a sound rod");
        let mut bodies = Bodies::new();
        let mass = if solver == Solver::GROOM { 1.0 } else { 100.0 };
        let ball = bodies.ball(1, -DVec3::Y * (ROPE + 0.15), mass, 0.15);
        let to = TieTo::Body {
            body: ball,
            anchor: DVec3::Y * 0.15,
        };
        let tie = world
            .attach(AttachmentSpec::ball(id, RodPoint::End, to))
            .expect("a tie");
        run(&mut world, &mut bodies, 600);
        let state = world.attachment(tie).expect("the tie");
        assert!(
            (state.force.y - mass * 9.81).abs() < 0.01 * mass * 9.81,
            "{solver:?} {state:?}"
        );
        assert!(state.gap.length() < 1e-4, "{solver:?} {state:?}");
        let speed = bodies.get(ball).linear_velocity.length();
        assert!(speed < 1e-3, "{solver:?}: {speed} m/s");
        let expected = (mass + 1.0) * 9.81 / 5e4;
        let stretch = rod(&world, id).stretch();
        assert!(
            (stretch / expected - 1.0).abs() < 0.03,
            "{solver:?}: {stretch} {expected}"
        );
    }
}
