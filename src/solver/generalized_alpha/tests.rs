//! The Jacobian against finite differences.

use glam::{DQuat, DVec3};

use super::{
    band::Band,
    coefficients::{Rho, Weights},
    equations::{End, NODE, Node, Rates, Scales, Step},
    model::Model,
    rotation::exp,
};

/// Numbers that look random, the same on every machine.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next()) * size
    }

    fn node(&mut self) -> Node {
        Node {
            velocity: self.vector(2.0),
            spin: self.vector(3.0),
            curvature: self.vector(2.0),
            force: self.vector(4.0),
        }
    }
}

fn model(noise: &mut Noise, segments: usize) -> Model {
    let positive = |noise: &mut Noise| 1.0 + 0.5 * noise.next();
    let lengths: Vec<f64> = (0..segments).map(|_| 0.3 * positive(noise)).collect();
    let mut list = |count: usize, size: f64| -> Vec<f64> { (0..count).map(|_| size * positive(noise)).collect() };
    let (masses, spans, relaxation) = (
        list(segments + 1, 0.7),
        list(segments + 1, 0.3),
        list(segments + 1, 0.02),
    );
    let mut vectors = |count: usize, size: f64| -> Vec<DVec3> {
        (0..count)
            .map(|_| DVec3::splat(size) + noise.vector(0.4 * size))
            .collect()
    };
    Model {
        inertia: vectors(segments, 0.05),
        rigidity: vectors(segments + 1, 1.5),
        rest: vectors(segments + 1, 0.8),
        lengths,
        masses,
        spans,
        relaxation,
    }
}

#[test]
fn the_jacobian_is_the_derivative_of_the_equations() {
    let segments = 4;
    let mut noise = Noise(3);
    let model = model(&mut noise, segments);
    let old: Vec<Node> = (0..=segments).map(|_| noise.node()).collect();
    let rates: Vec<Rates> = (0..=segments)
        .map(|_| Rates {
            velocity: noise.vector(5.0),
            spin: noise.vector(5.0),
            curvature: noise.vector(5.0),
        })
        .collect();
    let old_frames: Vec<DQuat> = (0..=segments).map(|_| exp(noise.vector(2.0))).collect();
    let force: Vec<DVec3> = (0..=segments).map(|_| noise.vector(6.0)).collect();
    let torque: Vec<DVec3> = (0..segments).map(|_| noise.vector(2.0)).collect();
    let nodes: Vec<Node> = (0..=segments).map(|_| noise.node()).collect();
    let (velocity, spin) = (noise.vector(3.0), noise.vector(3.0));
    let wall = exp(noise.vector(2.0));
    for case in 0..16 {
        let pick = |bit: usize| case >> bit & 1;
        let step = Step {
            model: &model,
            weights: Weights::of([Rho::radius(0.6), Rho::weights(0.3, 0.0, 0.7)][pick(0)]),
            h: 0.05,
            drag: 0.8,
            old: &old,
            rates: &rates,
            old_frames: &old_frames,
            force: &force,
            torque: &torque,
            ends: [1, 2].map(|bit| End {
                velocity: (pick(bit) == 1).then_some(velocity),
                spin: (pick(bit) != pick(3)).then_some(spin),
            }),
            wall: (pick(3) == 1).then_some(wall),
            start_spin: DVec3::new(0.3, -0.2, 0.9),
        };
        let size = step.size();
        let scales = Scales::of(&step);
        let mut frames = vec![DQuat::IDENTITY; segments + 1];
        step.frames(&nodes, &mut frames);
        let mut band = Band::default();
        step.jacobian(&nodes, &frames, &scales, &mut band);

        // The rotations are no unknowns of their own to the residual: their rows say how they follow, so the whole is the derivative along a change that obeys them.
        let small = 1e-6;
        for column in (0..size).filter(|column| column % NODE >= 3) {
            let mut change = vec![0.0; size];
            change[column] = 1.0;
            let moved = |side: f64| {
                let mut nodes = nodes.clone();
                for (j, node) in nodes.iter_mut().enumerate() {
                    scales.apply(node, &change[NODE * j..], side * small);
                }
                let mut frames = vec![DQuat::IDENTITY; segments + 1];
                step.frames(&nodes, &mut frames);
                let mut residual = vec![0.0; size];
                step.residual(&nodes, &frames, &mut residual);
                (residual, frames)
            };
            let ((plus, frames_plus), (minus, frames_minus)) = (moved(1.0), moved(-1.0));
            let mut whole = change.clone();
            for j in 0..=segments {
                let turn = super::rotation::log(frames_minus[j].conjugate() * frames_plus[j]) / (2.0 * small);
                whole[NODE * j..NODE * j + 3].copy_from_slice(&turn.to_array());
            }
            for row in 0..size {
                let numeric = (plus[row] - minus[row]) / (2.0 * small);
                let exact: f64 = (0..size).map(|c| band.get(row, c) * whole[c]).sum();
                let largest = (0..size).fold(1.0, |most: f64, c| most.max(band.get(row, c).abs()));
                // Central differences lose half of the digits.
                assert!(
                    (numeric - exact).abs() < 1e-7 * largest,
                    "case {case}, row {row}, column {column}: {numeric} {exact}"
                );
            }
        }
    }
}
