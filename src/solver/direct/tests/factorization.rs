//! The block factorization against a dense Cholesky solve.

use glam::DVec3;

use super::*;
use crate::{
    rod::{GraphBuilder, JointProperties, RodDescription, RodSpec, SegmentProperties, Shape},
    solver::direct::{
        blocks::{eliminate, solve_back},
        plan::{Coupling, Plan},
    },
};

/// A symmetric positive matrix with a plan's pattern: a random positive part for every segment and joint, of very different sizes.
struct Filled {
    dense: Vec<Vec<f64>>,
    diagonal: Vec<f64>,
    off: Vec<f64>,
}

impl Filled {
    fn new(plan: &Plan, random: &mut Random, decades: f64) -> Self {
        let n = plan.nodes();
        let mut filled = Self {
            dense: vec![vec![0.0; 3 * n]; 3 * n],
            diagonal: vec![0.0; 6 * n],
            off: vec![0.0; 9 * plan.blocks()],
        };
        for s in &plan.segments {
            let nodes = [s.tail as usize, s.head as usize, s.node as usize];
            let couplings = [(0, 1, s.tail_head), (0, 2, s.tail_rotation), (1, 2, s.head_rotation)];
            filled.element(&nodes, &couplings, random.scale(0.0, decades), random);
        }
        for j in &plan.joints {
            match (j.first_node, j.second_node, j.coupling) {
                (Some(a), Some(b), Some(coupling)) => {
                    let scale = random.scale(0.0, decades);
                    filled.element(&[a as usize, b as usize], &[(0, 1, coupling)], scale, random);
                }
                (a, b, coupling) => {
                    assert!(coupling.is_none());
                    let node = a.or(b).expect("a joint of two walls");
                    filled.element(&[node as usize], &[], random.scale(0.0, decades), random);
                }
            }
        }
        for node in 0..n {
            for axis in 0..3 {
                filled.dense[3 * node + axis][3 * node + axis] += 1.0;
                filled.diagonal[6 * node + axis] += 1.0;
            }
        }
        filled
    }

    fn element(&mut self, nodes: &[usize], couplings: &[(usize, usize, Coupling)], scale: f64, random: &mut Random) {
        let size = 3 * nodes.len();
        let root: Vec<Vec<f64>> = (0..size)
            .map(|_| (0..size).map(|_| random.number()).collect())
            .collect();
        let entry = |i: usize, j: usize| -> f64 { scale * (0..size).map(|k| root[k][i] * root[k][j]).sum::<f64>() };
        for i in 0..size {
            for j in 0..size {
                self.dense[3 * nodes[i / 3] + i % 3][3 * nodes[j / 3] + j % 3] += entry(i, j);
            }
        }
        for (k, &node) in nodes.iter().enumerate() {
            for (at, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                self.diagonal[6 * node + at] += entry(3 * k + i, 3 * k + j);
            }
        }
        for &(a, b, coupling) in couplings {
            let (row, column) = if coupling.transposed { (b, a) } else { (a, b) };
            for i in 0..3 {
                for j in 0..3 {
                    self.off[9 * coupling.block as usize + 3 * i + j] += entry(3 * row + i, 3 * column + j);
                }
            }
        }
    }
}

/// Dense Cholesky.
fn dense_solve(mut m: Vec<Vec<f64>>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            let factor = m[j][k];
            for row in &mut m[j..] {
                row[j] -= row[k] * factor;
            }
        }
        let root = m[j][j].sqrt();
        assert!(root > 0.0);
        for row in &mut m[j..] {
            row[j] /= root;
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        for k in 0..i {
            x[i] -= m[i][k] * x[k];
        }
        x[i] /= m[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= m[k][i] * x[k];
        }
        x[i] /= m[i][i];
    }
    x
}

fn check_factorization(name: &str, plan: &Plan, seed: u64) {
    let mut random = Random(seed);
    for decades in [0.0, 4.0] {
        let Filled {
            dense,
            mut diagonal,
            mut off,
        } = Filled::new(plan, &mut random, decades);
        let b: Vec<f64> = (0..3 * plan.nodes()).map(|_| random.number()).collect();
        let expected = dense_solve(dense.clone(), &b);
        let mut x = b.clone();
        for pivot in &plan.pivots {
            eliminate::<f64>(plan, pivot, &mut diagonal, &mut off, &mut x, 1e-30);
        }
        solve_back::<f64>(plan, &off, &mut x);
        let size = expected.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        for (k, (a, e)) in x.iter().zip(&expected).enumerate() {
            // The condition is up to 10^(decades + 2).
            assert!(
                (a - e).abs() < 1e-9 * size,
                "{name}, {decades} decades, row {k}: {a} and {e}"
            );
        }
        // Backward stable, whatever the condition.
        for (row, &b) in dense.iter().zip(&b) {
            let product: f64 = row.iter().zip(&x).map(|(m, x)| m * x).sum();
            let size: f64 = row.iter().zip(&x).map(|(m, x)| (m * x).abs()).sum();
            assert!(
                (product - b).abs() < 1e-11 * (size + b.abs()),
                "{name}: {product} and {b}"
            );
        }
    }
}

fn graph(vertices: u32, segments: &[[u32; 2]], joints: &[[u32; 2]], clamp: Option<[u32; 2]>) -> RodDescription {
    let mut builder = GraphBuilder::new();
    let mut random = Random(77);
    for v in 0..vertices {
        let aside = random.vector() * 0.3;
        builder.add_vertex(DVec3::new(f64::from(v) + aside.x, aside.y, aside.z));
    }
    for &[tail, head] in segments {
        builder.add_segment(tail, head, &SegmentProperties::new(100.0, 1.0));
    }
    for &[first, second] in joints {
        builder.add_joint(first, second, &JointProperties::new(1.0));
    }
    if let Some([vertex, segment]) = clamp {
        builder.clamp(vertex, segment, &JointProperties::new(1.0));
    }
    builder.finish().expect("a sound graph")
}

#[test]
fn factorization_of_chains() {
    for count in [1, 2, 3, 10, 33] {
        check_factorization("chain", &Plan::chain(count), 100 + u64::from(count));
    }
}

/// A trunk of four with two boughs, one of which forks; segments point either way, and a clamp holds the trunk.
#[test]
fn factorization_of_a_tree() {
    let segments = [[0, 1], [2, 1], [2, 3], [3, 4], [3, 5], [6, 5], [5, 7], [4, 8], [9, 2]];
    let joints = [
        [0, 1],
        [1, 2],
        [2, 3],
        [2, 4],
        [3, 4],
        [4, 5],
        [4, 6],
        [3, 7],
        [8, 1],
        [8, 2],
    ];
    let rod = graph(10, &segments, &joints, Some([0, 0]));
    check_factorization("tree", &Plan::graph(&rod), 200);
}

#[test]
fn factorization_of_loops() {
    for count in [3, 4, 21] {
        let circle = Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, count);
        let rod = RodSpec::new(circle).build().expect("a sound circle");
        check_factorization("loop", &Plan::graph(&rod), 300 + u64::from(count));
    }
}

#[test]
fn factorization_of_a_net() {
    let side = 4;
    let at = |row: u32, column: u32| row * side + column;
    let mut segments = Vec::new();
    for row in 0..side {
        for column in 0..side {
            if column + 1 < side {
                segments.push([at(row, column), at(row, column + 1)]);
            }
            if row + 1 < side {
                segments.push([at(row + 1, column), at(row, column)]);
            }
        }
    }
    let mut joints = Vec::new();
    for a in 0..segments.len() {
        for b in a + 1..segments.len() {
            if segments[a].iter().any(|v| segments[b].contains(v)) {
                joints.push([a as u32, b as u32]);
            }
        }
    }
    let rod = graph(side * side, &segments, &joints, None);
    check_factorization("net", &Plan::graph(&rod), 400);
}

/// A joint between two segments that do not touch, and a lone piece: graphs need not be connected.
#[test]
fn factorization_of_pieces() {
    let rod = graph(6, &[[0, 1], [1, 2], [4, 3], [4, 5]], &[[0, 1], [2, 3]], None);
    check_factorization("pieces", &Plan::graph(&rod), 500);
}
