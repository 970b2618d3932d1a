//! A rope without bending stiffness: the catenary, and small swings.

use glam::{DVec3, dvec3};
use lariat::prelude::*;

use crate::support::*;

/// A rope of `rest` metres between two points a metre apart: y = a cosh(x/a), tension H cosh(x/a), with its stretch (Irvine, *Cable
/// Structures*, 1981), which parts from that by T/EA.
struct Catenary {
    axial: f64,
    /// Per length, N/m.
    weight: f64,
    rest: f64,
    /// Horizontal pull H, N.
    pull: f64,
}

impl Catenary {
    fn new(axial: f64, weight: f64, rest: f64) -> Self {
        let mut rope = Self {
            axial,
            weight,
            rest,
            pull: 0.0,
        };
        let (mut low, mut high) = (1e-3 * weight, 1e3 * weight);
        for _ in 0..100 {
            rope.pull = 0.5 * (low + high);
            if rope.place(rest).x < 1.0 {
                low = rope.pull
            } else {
                high = rope.pull
            }
        }
        rope
    }

    /// Vertical pull at arc length `s`, upwards on the part before it.
    fn lift(&self, s: f64) -> f64 {
        self.weight * (0.5 * self.rest - s)
    }

    fn tension(&self, s: f64) -> f64 {
        self.pull.hypot(self.lift(s))
    }

    /// Where the point at unstretched arc length `s` hangs.
    fn place(&self, s: f64) -> DVec3 {
        let slope = |s: f64| (self.lift(s) / self.pull).asinh();
        let x = self.pull / self.weight * (slope(0.0) - slope(s)) + self.pull * s / self.axial;
        let stretch = 0.5 * (self.lift(0.0) + self.lift(s)) * s / self.axial;
        dvec3(x, (self.tension(s) - self.tension(0.0)) / self.weight - stretch, 0.0)
    }
}

#[test]
fn hangs_as_a_catenary() {
    let (axial, weight, rest, n) = (5e3, 9.81, 1.5_f64, 48_u32);
    let catenary = Catenary::new(axial, weight, rest);
    // From a V of the same length.
    let corner = dvec3(0.5, -(0.25 * rest * rest - 0.25).sqrt(), 0.0);
    let spec = RodSpec::new(Shape::curve([DVec3::ZERO, corner, DVec3::X], n))
        .rest(RestShape::Straight)
        .material(even(axial, 0.0))
        .pin(0)
        .pin_last();
    let mut world = world(weight, 4);
    let id = insert(&mut world, &spec, exact(6.0));
    run(&mut world, 5.0, sound_step(rest / f64::from(n), axial, 1.0));
    let rod = rod(&world, id);
    let at = |vertex: f64| rest * vertex / f64::from(n);
    let (mut shape, mut force) = (0.0_f64, 0.0_f64);
    for vertex in 0..=n as usize {
        shape = shape.max(rod.position(vertex).distance(catenary.place(at(vertex as f64))));
    }
    for segment in 0..n as usize {
        let expected = catenary.tension(at(segment as f64 + 0.5));
        force = force.max((rod.tension(segment) / expected - 1.0).abs());
    }
    println!("shape {shape:.1e} of 3e-4, tension {force:.1e} of 1.5e-3");
    // A polygon for a curve of radius a = 0.31: l²/8a = 4e-4 between the vertices, a third of it at them.
    assert!(shape < 3e-4, "{shape}");
    // Likewise (l/a)²/24 = 4e-4; single precision, EA · 6e-8 of a pull of 3 N, and what is left of the motion: 5e-4.
    assert!(force < 1.5e-3, "{force}");
}

/// Bessel's J₀ by its series.
fn bessel(x: f64) -> f64 {
    let terms = (1..30).scan(1.0, |term, k| {
        *term *= -x * x / 4.0 / f64::from(k * k);
        Some(*term)
    });
    1.0 + terms.sum::<f64>()
}

#[test]
fn swings_at_the_first_frequency_of_a_hanging_rope() {
    // ω = 2.4048/2 √(g/L), the first zero of J₀; the mode is J₀(2.4048 √(1 − s/L)).
    let (axial, gravity, n, zero) = (5e3, 9.81_f64, 24, 2.404_825_557_695_773);
    assert!(bessel(zero).abs() < 1e-12);
    let mut world = world(gravity, 32);
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, n))
        .material(even(axial, 0.0))
        .pin(0);
    let id = insert(&mut world, &spec, exact(50.0));
    let h = sound_step(1.0 / f64::from(n), axial, 1.0);
    // Let it stretch before it swings.
    run(&mut world, 0.5, h);
    rod_mut(&mut world, id).set_drag(0.0).expect("the drag is sound");
    set_velocities(&mut world, id, |place| {
        DVec3::X * 0.02 * bessel(zero * (1.0 + place.y).max(0.0).sqrt())
    });
    let swings = ring(&mut world, id, DVec3::X, 5.0, h);
    // Lumped masses: 0.4/n² = 7e-4. Longer by its weight, g/2EA = 1e-3: half of that in the frequency.
    assert_near("frequency", swings.frequency, 0.5 * zero * gravity.sqrt(), 2e-3);
}
