//! What rods and bodies give one another.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{built, rod, settings, world},
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
    let substeps = if solver == Solver::GROOM { 8 } else { 1 };
    Settings {
        gravity: Vec3::ZERO,
        ..settings(substeps, 8)
    }
}

fn momentum(world: &RodWorld, id: RodId) -> DVec3 {
    let rod = rod(world, id);
    let vertices = rod.description().vertices().iter().enumerate();
    vertices
        .map(|(v, vertex)| rod.velocity(v).as_dvec3() * vertex.mass)
        .sum()
}

/// What the rods lose, the bodies gain, in every step: to the rounding of velocities to single precision.
#[test]
fn impulses_are_equal_and_opposite() {
    for solver in SOLVERS {
        let mut world = world(floating(solver));
        let options = RodOptions {
            solver,
            velocity: Vec3::new(1.0, 0.0, 0.3),
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
        let total = |world: &RodWorld, bodies: &Bodies| {
            let of = |id| bodies.get(id).linear_velocity / bodies.get(id).inverse_mass;
            momentum(world, id) + of(a) + of(b)
        };
        let start = total(&world, &bodies);
        let (before, taken) = (momentum(&world, id), bodies.taken);
        run(&mut world, &mut bodies, 1);
        let (rods, given) = (momentum(&world, id) - before, bodies.taken - taken);
        assert!(given.length() > 0.01, "{solver:?}: nothing was exchanged");
        // 17 vertices of 0.125 kg at 1 m/s, each rounded to 6e-8: 1e-7; Stable Cosserat solves in single precision, and its
        // alternation leaves forces between the two halves of an iteration unbalanced by rounding only.
        assert!((rods + given).length() < 3e-6, "{solver:?}: {rods} {given}");
        run(&mut world, &mut bodies, 60);
        let end = total(&world, &bodies);
        assert!(start.distance(end) < 1e-4, "{solver:?}: {start} {end}");
    }
}

/// A weight on a rope hangs still, stretches it by what it weighs, and the tie tells the weight.
#[test]
fn a_weight_hangs_on_a_rope() {
    for solver in SOLVERS {
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
