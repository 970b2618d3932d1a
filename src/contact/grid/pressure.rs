//! What hair that is too dense does about it.
//!
//! Every node stands for the hair around it, and where that is more than packed, `e = φ/φ₀ − 1 > 0`, it presses on its six neighbours with `λ = h p V/Δ`, half from either side, as in a
//! gas whose sound has the speed `c`. Between a heavy node and a light one the light one decides (`χ`), so that a lone hair is not shot away. With `G` the divergence, `M` the masses and `u` the velocities
//! of nodes, the pressure at the end of the substep obeys
//!
//! ```text
//!   Δ²/(h² c² M₀) λ + G M⁻¹ Gᵀ λ = Δ/h e − G u,   λ ≥ 0,
//! ```
//!
//! so that any step is stable. Conjugate gradients solve it on the nodes that would be too dense; then `λ` is bounded from below and scaled to the least potential on its ray. That
//! potential is below zero, which is why the kinetic energy grows by no more than `½ Σ M₀ c² e²`, the energy that is stored, however few iterations there were.

use super::bricks::{Bricks, FULL, GAIN, MASS, MOTION, NODES};
use crate::contact::settings::HairGrid;

/// The most iterations, and the share of the right-hand side that may be left.
const ITERATIONS: u32 = 32;
const LEFT: f64 = 0.01;

/// Nodes that are less full do not get too dense in a substep.
const LOOSE: f32 = 0.5;

/// A node that would be too dense.
#[derive(Clone, Copy, Debug)]
struct Dense {
    node: u32,
    /// Its neighbours below and above along each axis, and half of `χ`; none where that is zero.
    beside: [u32; 6],
    grip: [f32; 6],
    /// `Δ²/(h² c² M₀)`, and with it the diagonal of the whole.
    compliance: f32,
    diagonal: f32,
}

/// Memory.
#[derive(Clone, Debug, Default)]
pub struct Pressure {
    dense: Vec<Dense>,
    lambda: Vec<f32>,
    rest: Vec<f32>,
    aimed: Vec<f32>,
    direction: Vec<f32>,
    product: Vec<f32>,
    /// By all nodes: impulses, then velocities.
    gains: Vec<[f32; 3]>,
}

impl Pressure {
    /// Give the nodes what they gain.
    pub fn solve(&mut self, bricks: &mut Bricks, grid: &HairGrid, h: f32) {
        self.find(bricks, grid, h);
        if self.dense.is_empty() {
            return;
        }
        let count = self.dense.len();
        self.gains.clear();
        self.gains.resize(bricks.count * NODES, [0.0; 3]);
        for list in [&mut self.lambda, &mut self.direction, &mut self.product] {
            list.clear();
            list.resize(count, 0.0);
        }
        self.rest.clone_from(&self.aimed);
        let goal = LEFT * LEFT * self.weigh(&self.rest, &self.rest);
        let mut left = goal / (LEFT * LEFT);
        for iteration in 0..ITERATIONS {
            let scaled = |rest: &[f32], at: usize| rest[at] / self.dense[at].diagonal;
            let steep: f64 = (0..count)
                .map(|at| f64::from(self.rest[at]) * f64::from(scaled(&self.rest, at)))
                .sum();
            let turn = if iteration == 0 { 0.0 } else { (steep / left) as f32 };
            left = steep;
            for at in 0..count {
                self.direction[at] = scaled(&self.rest, at) + turn * self.direction[at];
            }
            let direction = std::mem::take(&mut self.direction);
            self.apply(bricks, &direction);
            self.direction = direction;
            let curve: f64 = dot(&self.direction, &self.product);
            if curve <= 0.0 || !curve.is_finite() {
                break;
            }
            let step = (steep / curve) as f32;
            for at in 0..count {
                self.lambda[at] += step * self.direction[at];
                self.rest[at] -= step * self.product[at];
            }
            if self.weigh(&self.rest, &self.rest) <= goal {
                break;
            }
        }
        // Hair does not pull.
        let mut lambda = std::mem::take(&mut self.lambda);
        lambda.iter_mut().for_each(|entry| *entry = entry.max(0.0));
        self.apply(bricks, &lambda);
        let (slope, curve) = (dot(&self.aimed, &lambda), dot(&lambda, &self.product));
        let scale = if curve > 0.0 {
            (slope / curve).max(0.0) as f32
        } else {
            0.0
        };
        self.lambda = lambda;
        for dense in &self.dense {
            for node in dense.beside.into_iter().chain([dense.node]) {
                let gain = self.gains[node as usize];
                bricks.node_mut(node as usize)[GAIN..].copy_from_slice(&gain.map(|part| part * scale));
            }
        }
    }

    /// The nodes that would be too dense at the end of the substep if nothing pressed.
    fn find(&mut self, bricks: &Bricks, grid: &HairGrid, h: f32) {
        self.dense.clear();
        self.aimed.clear();
        if grid.speed <= 0.0 {
            return;
        }
        let pace = grid.cell / h;
        for number in 0..bricks.count * NODES {
            let node = bricks.node(number);
            let (mass, full) = (node[MASS], node[FULL]);
            if mass <= 0.0 || full < LOOSE {
                continue;
            }
            let mut dense = Dense {
                node: number as u32,
                beside: [number as u32; 6],
                grip: [0.0; 6],
                compliance: pace * pace * full / (grid.speed * grid.speed * mass),
                diagonal: 0.0,
            };
            dense.diagonal = dense.compliance;
            let mut parting = 0.0;
            for axis in 0..3 {
                let mut own = 0.0;
                for (side, sign) in [(2 * axis, -1.0), (2 * axis + 1, 1.0)] {
                    let Some(other) = bricks.beside(number, axis, sign > 0.0) else {
                        continue;
                    };
                    let beside = bricks.node(other);
                    let grip = mass.min(beside[MASS]) / (mass + beside[MASS]);
                    if grip <= 0.0 {
                        continue;
                    }
                    dense.beside[side] = other as u32;
                    dense.grip[side] = grip;
                    parting += sign * grip * (beside[MOTION + axis] - node[MOTION + axis]);
                    dense.diagonal += grip * grip / beside[MASS];
                    own += sign * grip;
                }
                dense.diagonal += own * own / mass;
            }
            let aimed = pace * (full - 1.0) - parting;
            if aimed > 0.0 && (aimed / dense.diagonal).is_finite() {
                self.dense.push(dense);
                self.aimed.push(aimed);
            }
        }
    }

    /// The left-hand side of the equation into `product`, and what nodes gain into `gains`.
    fn apply(&mut self, bricks: &Bricks, lambda: &[f32]) {
        for dense in &self.dense {
            for node in dense.beside.into_iter().chain([dense.node]) {
                self.gains[node as usize] = [0.0; 3];
            }
        }
        for (dense, lambda) in self.dense.iter().zip(lambda) {
            for (side, (beside, grip)) in dense.beside.into_iter().zip(dense.grip).enumerate() {
                let push = if side % 2 == 0 { -grip * lambda } else { grip * lambda };
                self.gains[beside as usize][side / 2] += push / bricks.node(beside as usize)[MASS];
                self.gains[dense.node as usize][side / 2] -= push / bricks.node(dense.node as usize)[MASS];
            }
        }
        for ((dense, lambda), product) in self.dense.iter().zip(lambda).zip(&mut self.product) {
            let mut sum = dense.compliance * lambda;
            for (side, (beside, grip)) in dense.beside.into_iter().zip(dense.grip).enumerate() {
                let axis = side / 2;
                let apart = self.gains[beside as usize][axis] - self.gains[dense.node as usize][axis];
                sum += if side % 2 == 0 { -grip * apart } else { grip * apart };
            }
            *product = sum;
        }
    }

    /// The product of two lists over the diagonal.
    fn weigh(&self, a: &[f32], b: &[f32]) -> f64 {
        let known = self.dense.iter().map(|dense| f64::from(dense.diagonal));
        let product = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b));
        known.zip(product).map(|(diagonal, product)| product / diagonal).sum()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
