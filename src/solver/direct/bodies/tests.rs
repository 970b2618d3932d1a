//! Rotations, and gradients and Hessians of ties and turning bodies against finite differences.

use super::*;
use crate::solver::direct::plan::Skeleton;

#[test]
fn rotations_there_and_back() {
    for (v, size) in [
        (DVec3::new(0.3, -0.2, 0.9), 1e-6),
        (DVec3::X, 0.01),
        (DVec3::new(1.0, 2.0, -0.5), 3.0),
    ] {
        let v = v.normalize() * size;
        let q = rotation_by(v);
        // Rounding, four squarings of it.
        assert!(q.abs_diff_eq(DQuat::from_scaled_axis(v), 1e-14), "{v} {q}");
        let rounds = rotation_by(v * (1.0 + 50.0 * TAU / size));
        assert!(rounds.dot(q).abs() > 1.0 - 1e-12, "{v} {rounds}");
        let (back, inverse) = rotation_since(q);
        assert!(back.distance(v) < 1e-13, "{v} {back}");
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let e = 1e-5;
            let ahead = rotation_since(rotation_by(axis * e) * q).0;
            let behind = rotation_since(rotation_by(axis * -e) * q).0;
            let slope = (ahead - behind) / (2.0 * e);
            // Central differences: e² times the third derivative.
            assert!(slope.distance(inverse * axis) < 1e-8, "{v}: {slope} {}", inverse * axis);
        }
    }
}

/// A chain of three segments with two bodies and three ties: one body holds two segments, one segment is held twice.
struct Tied {
    plan: Plan,
    memory: Memory,
    bodies: Bodies,
}

const H: f64 = 0.01;

impl Tied {
    fn new(history: bool) -> Self {
        let mut skeleton = Skeleton::default();
        skeleton.add_chain(3);
        let [a, b] = [skeleton.add_body(), skeleton.add_body()];
        for (segment, body) in [(1, a), (1, b), (2, b)] {
            skeleton.add_tie(segment, body);
        }
        let plan = Plan::new(&skeleton);
        let mut memory = Memory::default();
        memory.reserve(&plan, 1);
        let body = |turn: DVec3| Body {
            center: DVec3::ZERO,
            orientation: rotation_by(turn),
            linear_velocity: DVec3::new(0.1, -0.4, 0.2),
            angular_velocity: DVec3::new(3.0, 5.0, -2.0),
            acceleration: DVec3::new(0.0, -9.81, 0.0),
            mass: Some(2.0),
            inertia: Some(DMat3::from_cols(
                DVec3::new(0.04, 0.01, 0.0),
                DVec3::new(0.01, 0.05, -0.01),
                DVec3::new(0.0, -0.01, 0.03),
            )),
            history: history.then_some(BodyHistory {
                moved: [DVec3::new(0.001, -0.003, 0.002), DVec3::new(0.02, 0.06, -0.01)],
                before: [DVec3::new(0.1, -0.3, 0.2), DVec3::new(2.0, 6.0, -1.0)],
                h: H,
            }),
        };
        let tie = |along, body, anchor, gap| Tie {
            along,
            body,
            anchor,
            gap,
            stiffness: 3e3,
            alpha: 0.0,
            max_force: f64::INFINITY,
        };
        let bodies = Bodies {
            h: H,
            bodies: vec![body(DVec3::new(0.3, 0.1, -0.7)), body(DVec3::new(-1.3, 0.4, 0.2))],
            ties: vec![
                tie(0.3, 0, DVec3::new(0.2, -0.1, 0.3), DVec3::new(0.01, 0.02, -0.01)),
                tie(0.8, 1, DVec3::new(-0.3, 0.2, 0.1), DVec3::new(-0.02, 0.01, 0.015)),
                tie(1.0, 1, DVec3::new(0.1, 0.4, 0.0), DVec3::new(0.01, -0.02, 0.005)),
            ],
        };
        let mut tied = Self { plan, memory, bodies };
        tied.bodies.start(&tied.plan, &mut tied.memory);
        // Somewhere else than where the bodies go by themselves.
        for (k, u) in tied.memory.u.iter_mut().enumerate() {
            *u += 0.01 * (k as f64 * 1.7).sin();
        }
        for b in 0..2 {
            let at = 4 * (tied.plan.segments.len() + b);
            let q = quaternion(&tied.memory.q, at);
            let turned = rotation_by(DVec3::new(0.05, -0.08, 0.04 + 0.03 * b as f64)) * q;
            set_quaternion(&mut tied.memory.q, at, turned);
        }
        tied
    }

    /// The unknowns that bodies and ties touch: three of each node but the segments' rotations.
    fn unknowns(&self) -> Vec<usize> {
        let segments = self.plan.vertices..self.plan.vertices + self.plan.segments.len();
        let nodes = (0..self.plan.nodes()).filter(|node| !segments.contains(node));
        nodes.flat_map(|node| 3 * node..3 * node + 3).collect()
    }

    /// Go on by a little in one unknown.
    fn nudge(&self, unknown: usize, by: f64) -> Memory {
        let mut m = self.memory.clone();
        if unknown < 3 * self.plan.vertices {
            m.u[unknown] += by;
        } else {
            let frame = 4 * (unknown / 3 - self.plan.vertices);
            let mut turn = DVec3::ZERO;
            turn[unknown % 3] = by;
            let q = rotation_by(turn) * quaternion(&m.q, frame);
            set_quaternion(&mut m.q, frame, q);
        }
        m
    }

    /// Less the gradient, and the Hessian as it stands in the plan's blocks.
    fn assemble(&self, m: &mut Memory) -> (f64, Vec<Vec<f64>>) {
        for list in [&mut m.rhs, &mut m.diagonal, &mut m.off, &mut m.size] {
            list.fill(0.0);
        }
        let ties = (0..self.bodies.ties.len()).map(|t| self.bodies.add_tie(&self.plan, m, t));
        let mut energy: f64 = ties.sum();
        for b in 0..self.bodies.bodies.len() {
            energy += self.bodies.add_rotation(&self.plan, m, b);
        }
        let count = 3 * self.plan.nodes();
        let mut hessian = vec![vec![0.0; count]; count];
        for node in 0..self.plan.nodes() {
            let [xx, yy, zz, xy, xz, yz] = std::array::from_fn(|k| m.diagonal[6 * node + k]);
            let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
            for (i, row) in rows.iter().enumerate() {
                hessian[3 * node + i][3 * node..3 * node + 3].copy_from_slice(row);
            }
        }
        for pivot in &self.plan.pivots {
            for block in pivot.first..pivot.first + pivot.count {
                let (row, column) = (
                    3 * pivot.node as usize,
                    3 * self.plan.neighbours[block as usize] as usize,
                );
                for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                    let entry = m.off[9 * block as usize + 3 * i + j];
                    hessian[row + i][column + j] = entry;
                    hessian[column + j][row + i] = entry;
                }
            }
        }
        (energy, hessian)
    }

    fn gradient(&self, m: &Memory) -> Vec<f64> {
        let mut m = m.clone();
        self.assemble(&mut m);
        m.rhs.iter().map(|force| -force).collect()
    }

    fn check_gradient(&self, what: &str) {
        let energy = |m: &Memory| self.bodies.energy(&self.plan, m);
        let (swept, _) = self.assemble(&mut self.memory.clone());
        // The same sums in another order.
        assert!((swept / energy(&self.memory) - 1.0).abs() < 1e-12, "{what}");
        let gradient = self.gradient(&self.memory);
        let size = gradient.iter().fold(0.0f64, |most, g| most.max(g.abs()));
        for unknown in self.unknowns() {
            let e = 1e-6;
            let slope = (energy(&self.nudge(unknown, e)) - energy(&self.nudge(unknown, -e))) / (2.0 * e);
            // Energies of some J are rounded to 1e-15 of them, over e: 1e-9 N beside forces of 100 N; and e² of the third derivative.
            let off = (slope - gradient[unknown]).abs();
            assert!(
                off < 1e-7 * size,
                "{what}, unknown {unknown}: {slope} {}",
                gradient[unknown]
            );
        }
    }

    /// The largest entry by which the Hessian is off, over the largest of the Hessian.
    fn hessian_error(&self) -> f64 {
        let (_, hessian) = self.assemble(&mut self.memory.clone());
        let size = hessian.iter().flatten().fold(0.0f64, |most, h| most.max(h.abs()));
        let e = 1e-6;
        let mut worst = 0.0f64;
        for a in self.unknowns() {
            let [ahead, behind] = [e, -e].map(|e| self.gradient(&self.nudge(a, e)));
            for b in self.unknowns() {
                // Turns about different axes do not commute: half of the difference is the symmetric part.
                let slope = (ahead[b] - behind[b]) / (2.0 * e);
                worst = worst.max((slope - hessian[b][a]).abs());
            }
        }
        worst / size
    }
}

#[test]
fn ties_and_turns_pull_down_their_energy() {
    for history in [false, true] {
        let mut tied = Tied::new(history);
        tied.check_gradient("springs");
        tied.bodies.ties.iter_mut().for_each(|tie| tie.alpha = 3.0);
        tied.check_gradient("damped springs");
        tied.bodies.ties.iter_mut().for_each(|tie| tie.max_force = 20.0);
        tied.check_gradient("damped springs that give way");
        tied.bodies.ties.iter_mut().for_each(|tie| tie.alpha = 0.0);
        tied.check_gradient("springs that give way");
    }
}

/// At rest nothing is left out of the Hessian: it is the second derivative.
#[test]
fn the_hessian_is_exact_without_force() {
    for history in [false, true] {
        let mut tied = Tied::new(history);
        tied.bodies.ties.iter_mut().for_each(|tie| tie.alpha = 2.0);
        // Gaps closed, at the start and now; bodies where they go by themselves.
        for t in 0..tied.bodies.ties.len() {
            tied.bodies.ties[t].gap = DVec3::ZERO;
        }
        let coasting = Tied::new(history).bodies;
        coasting.start(&tied.plan, &mut tied.memory);
        for (tie, at) in tied.bodies.ties.iter_mut().zip(&tied.plan.ties) {
            let body = &tied.bodies.bodies[tie.body];
            let arm = quaternion(&tied.memory.q, 4 * (tied.plan.segments.len() + tie.body)) * tie.anchor;
            let [tail, head, center] = [at.tail, at.head, at.center].map(|v| vector(&tied.memory.u, 3 * v as usize));
            let moved = tail * (1.0 - tie.along) + head * tie.along - center - (arm - body.orientation * tie.anchor);
            tie.gap = -moved;
            tie.alpha = 0.0;
        }
        // Central differences of gradients: e² of the third derivative beside rounding over e.
        let error = tied.hessian_error();
        assert!(error < 1e-7, "{error}");
    }
}

/// A body that hangs by an arm is held by the pull as well.
#[test]
fn a_pull_along_the_arm_straightens() {
    let mut tied = Tied::new(false);
    for t in 0..tied.bodies.ties.len() {
        let (gap, arm) = tied.bodies.gap(&tied.plan, &tied.memory, t);
        tied.bodies.ties[t].gap += arm * 0.2 - gap;
    }
    for body in &mut tied.bodies.bodies {
        body.inertia = None; // The rotations' own inertia is not exact away from rest.
    }
    let error = tied.hessian_error();
    assert!(error < 1e-7, "{error}");
}
