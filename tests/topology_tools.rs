//! The judges of contact and the curves of contact scenes, against links and knots that are known.

#[path = "../examples/scenes/curves/mod.rs"]
#[allow(unused_imports, reason = "the tests use a part of it")]
mod curves;
#[path = "../examples/scenes/random.rs"]
#[allow(dead_code, reason = "the tests use a part of it")]
mod random;
#[path = "../examples/scenes/topology/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the tests use a part of it")]
mod topology;

#[path = "topology_tools/generators.rs"]
mod generators;
#[path = "topology_tools/known.rs"]
mod known;
#[path = "topology_tools/overlap.rs"]
mod overlap;
#[path = "topology_tools/passing.rs"]
mod passing;

use glam::DVec3;
use std::f64::consts::TAU;

/// A closed curve by a function of an angle.
fn closed(points: usize, at: impl Fn(f64) -> DVec3) -> Vec<DVec3> {
    (0..points).map(|i| at(TAU * i as f64 / points as f64)).collect()
}

/// The torus knot that winds `p` times around the axis and `q` times around the tube.
fn torus(p: f64, q: f64) -> Vec<DVec3> {
    closed(150, |t| {
        let radius = 2.0 + (q * t).cos();
        DVec3::new(radius * (p * t).cos(), radius * (p * t).sin(), -(q * t).sin())
    })
}
