//! What the subjects share.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::common::*;

/// The methods, and the second-order one.
pub const SOLVERS: [Solver; 4] = [
    Solver::Direct {
        integrator: Integrator::Euler,
    },
    Solver::GROOM,
    Solver::Direct {
        integrator: Integrator::Bdf2,
    },
    Solver::XPBD,
];

pub fn with_solver(solver: Solver) -> RodOptions {
    RodOptions {
        solver,
        ..RodOptions::default()
    }
}

/// Mass, momentum and mass times place of some rods together.
#[derive(Debug)]
pub struct Sum {
    pub mass: f64,
    pub momentum: DVec3,
    pub moment: DVec3,
    pub rest_length: f64,
}

pub fn sum(world: &RodWorld, ids: impl IntoIterator<Item = RodId>) -> Sum {
    let mut sum = Sum {
        mass: 0.0,
        momentum: DVec3::ZERO,
        moment: DVec3::ZERO,
        rest_length: 0.0,
    };
    for id in ids {
        let rod = rod(world, id);
        sum.rest_length += rod.description().rest_length();
        for (v, vertex) in rod.description().vertices().iter().enumerate() {
            sum.mass += vertex.mass;
            sum.momentum += vertex.mass * rod.velocity(v).as_dvec3();
            sum.moment += vertex.mass * rod.position(v);
        }
    }
    sum
}

/// The same up to the rounding of single precision (6e-8) in velocities and of double precision in the rest.
#[track_caller]
pub fn conserved(before: &Sum, after: &Sum) {
    let near = |a: f64, b: f64, scale: f64| assert!((a - b).abs() <= 1e-12 * scale, "{a} is not {b}");
    near(before.mass, after.mass, before.mass);
    near(before.rest_length, after.rest_length, before.rest_length);
    let speed = before.momentum.length() + before.mass;
    let off = before.momentum.distance(after.momentum);
    assert!(off <= 1e-7 * speed, "momentum is off by {off} of {speed}");
    let reach = before.moment.length() + before.mass;
    let off = before.moment.distance(after.moment);
    assert!(off <= 1e-9 * reach, "centre of mass is off by {off} of {reach}");
}

/// A world with a rod that went non-finite.
pub fn quarantined() -> (RodWorld, RodId) {
    let mut world = world(settings(2, 4));
    let rope = line(1.0, 8).material(soft(100.0, 0.01)).pin(0);
    // Double precision would take the force in its stride.
    let id = world
        .insert_with(built(&rope), with_solver(Solver::GROOM))
        .expect("room");
    let mut edit = world.rod_mut(id).expect("there");
    edit.set_force(5, Vec3::new(0.0, 9e17, 9e17)).expect("a finite force");
    for _ in 0..400 {
        run(&mut world, 1);
        if rod(&world, id).is_quarantined() {
            return (world, id);
        }
    }
    panic!("it survived");
}
