//! Strands that meet on a grid, judged from outside: by momentum, energy, the space that they fill, and distances to the head.

#[path = "../common/mod.rs"]
mod common;

mod groom;
mod laws;
mod volume;

use glam::{DVec3, Vec3};
use lariat::prelude::*;

/// Contact on, with this grid.
fn settings(substeps: u32, hair: HairGrid) -> Settings {
    let contact = ContactSettings {
        hair,
        ..ContactSettings::default()
    };
    Settings {
        contact: Some(contact),
        ..common::settings(substeps, 8)
    }
}

fn options(solver: Solver) -> RodOptions {
    RodOptions {
        solver,
        hair: HairCollision::Grid,
        ..RodOptions::default()
    }
}

/// Soft strands of 0.01 kg/m.
fn strand(points: Vec<DVec3>) -> RodSpec {
    RodSpec::new(Shape::polyline(points)).radius(RADIUS).material(Material {
        friction: 0.3,
        ..Material::rigidity(20.0, 20.0, 1e-6, 1e-6, 0.01)
    })
}

const RADIUS: f64 = 5e-4;

/// Numbers from 0 to 1, always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31)
    }

    /// In a cube from −1 to 1.
    fn vector(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| 2.0 * self.roll() - 1.0))
    }
}

/// Straight strands of 0.1 m in a cube of that size, each moving its own way at about a speed. All masses are free.
fn cloud(world: &mut RodWorld, strands: u32, speed: f64, solver: Solver) -> Vec<RodId> {
    let mut dice = Dice(7);
    (0..strands)
        .map(|_| {
            let start = dice.vector() * 0.05;
            let half = dice.vector().normalize() * 0.05;
            let points = (0..=8).map(|k| start + half * (f64::from(k) / 4.0 - 1.0)).collect();
            let moving = RodOptions {
                velocity: (dice.vector() * speed).as_vec3(),
                ..options(solver)
            };
            let spec = strand(points);
            world.insert_with(common::built(&spec), moving).expect("a strand")
        })
        .collect()
}

/// Momentum, kg m/s, and the sum of the sizes of its parts.
fn momentum(world: &RodWorld, rods: &[RodId]) -> (DVec3, f64) {
    let mut sum = (DVec3::ZERO, 0.0);
    for &id in rods {
        let rod = common::rod(world, id);
        for (v, vertex) in rod.description().vertices().iter().enumerate() {
            let part = rod.velocity(v).as_dvec3() * vertex.mass;
            sum = (sum.0 + part, sum.1 + part.length());
        }
    }
    sum
}

/// Kinetic energy, J.
fn kinetic(world: &RodWorld, rods: &[RodId]) -> f64 {
    let mut sum = 0.0;
    for &id in rods {
        let rod = common::rod(world, id);
        for (v, vertex) in rod.description().vertices().iter().enumerate() {
            sum += 0.5 * vertex.mass * rod.velocity(v).as_dvec3().length_squared();
        }
    }
    sum
}

fn weightless(settings: Settings) -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..settings
    }
}
