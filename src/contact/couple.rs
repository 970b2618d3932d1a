//! What couples the sides of contacts, by conjugate gradients.
//!
//! With `P` the factored part of the Hessian and `X` what couples the sides, the step solves `(P + X) x = b`. It starts from `x = P⁻¹ b`, whose residual `−X x` lives on
//! touched points, and so does everything after it: `P p` follows the same recurrence as the direction `p`, so that it is never multiplied out, and what is
//! added to `x` is one last substitution of the sum.

use glam::DVec3;
use rayon::prelude::*;
use tracing::trace_span;

use super::{
    group::{Ask, Group, LED, Point, System},
    touch::Touch,
};

/// Iterations for one step.
const MOST: u32 = 80;
/// They stop when the square of the residual has fallen to this share.
const SMALL: f64 = 1e-3;
/// The same with bodies: a drum and the rope on it go together with next to nothing against it, beside what holds them together.
const SMALL_OF_BODIES: f64 = 1e-9;
/// A gap is right within this share.
const EXACT: f64 = 0.1;
/// Substitutions go to several threads from so many points on.
const MANY: usize = 1500;

/// Vectors on points.
#[derive(Clone, Debug, Default)]
pub struct Gradients {
    residual: Vec<DVec3>,
    direction: Vec<DVec3>,
    /// `P p` and `(P + X) p`.
    own: Vec<DVec3>,
    all: Vec<DVec3>,
    solved: Vec<DVec3>,
    /// Its solution is what is added to the step.
    sum: Vec<DVec3>,
}

impl Group {
    /// The step of all systems together, into their right-hand sides, which hold that of each by itself.
    pub(super) fn couple(&mut self, ask: &Ask<'_>) {
        let _span = trace_span!("couple").entered();
        let coupled = self.touches.iter().any(|touch| is_coupled(touch, &self.points));
        if !coupled {
            return;
        }
        let count = self.points.len();
        let g = &mut self.gradients;
        for list in [
            &mut g.residual,
            &mut g.direction,
            &mut g.own,
            &mut g.all,
            &mut g.solved,
            &mut g.sum,
        ] {
            list.clear();
            list.resize(count, DVec3::ZERO);
        }
        gather(&self.systems, &self.points, &mut g.solved);
        exchange(&self.touches, &self.points, &g.solved, &mut g.residual);
        for r in &mut g.residual {
            *r = -*r;
        }
        for system in &mut self.systems {
            let m = &mut system.memory;
            m.step.copy_from_slice(&m.rhs);
        }
        let small = if self.bodies.is_empty() { SMALL } else { SMALL_OF_BODIES };
        let (mut first, mut last) = (0.0, 0.0);
        for iteration in 0..MOST {
            scatter(&mut self.systems, &self.points, &g.residual);
            substitute(&mut self.systems, count, ask);
            gather(&self.systems, &self.points, &mut g.solved);
            let product = dot(&g.residual, &g.solved);
            if product.is_nan() || product <= 0.0 {
                break;
            }
            let share = if iteration == 0 {
                first = product;
                0.0
            } else {
                product / last
            };
            last = product;
            for k in 0..count {
                g.direction[k] = g.solved[k] + g.direction[k] * share;
                g.own[k] = g.residual[k] + g.own[k] * share;
            }
            g.all.copy_from_slice(&g.own);
            exchange(&self.touches, &self.points, &g.direction, &mut g.all);
            let curvature = dot(&g.direction, &g.all);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let length = product / curvature;
            for k in 0..count {
                g.sum[k] += g.own[k] * length;
                g.residual[k] -= g.all[k] * length;
            }
            self.report.linear += 1;
            if product < small * first && is_exact(&self.touches, &self.points, &g.direction, length) {
                break;
            }
        }
        scatter(&mut self.systems, &self.points, &g.sum);
        substitute(&mut self.systems, count, ask);
        for system in &mut self.systems {
            let m = &mut system.memory;
            for (x, own) in m.rhs.iter_mut().zip(&m.step) {
                *x += own;
            }
        }
    }
}

/// Whether a correction by `length` times `v` is little against the gap that is left at every place, and against how far surfaces give.
fn is_exact(touches: &[Touch], points: &[Point], v: &[DVec3], length: f64) -> bool {
    touches.iter().filter(|touch| is_coupled(touch, points)).all(|touch| {
        let [a, b] = &touch.sides;
        let moved = (b.value(v) - a.value(v)) * length;
        let along = touch.normal.dot(moved);
        let slid = moved - touch.normal * along;
        along.abs() < EXACT * touch.room && slid.length() < EXACT * touch.radius
    })
}

/// Whether both sides can be moved.
fn is_coupled(touch: &Touch, points: &[Point]) -> bool {
    let moves = |side: usize| points[touch.sides[side].points[0] as usize].system != LED;
    !touch.fixed && moves(0) && moves(1)
}

/// Add `X v`: of `K (v_b − v_a)` what each side feels of the other.
fn exchange(touches: &[Touch], points: &[Point], v: &[DVec3], to: &mut [DVec3]) {
    for touch in touches {
        if is_coupled(touch, points) {
            let [a, b] = &touch.sides;
            let (from_a, from_b) = (touch.apply(a.value(v)), touch.apply(b.value(v)));
            a.spread(-from_b, to);
            b.spread(-from_a, to);
        }
    }
}

fn gather(systems: &[System], points: &[Point], to: &mut [DVec3]) {
    for system in systems {
        for k in system.points.clone() {
            let at = 3 * points[k].node as usize;
            to[k] = DVec3::from_slice(&system.memory.rhs[at..at + 3]);
        }
    }
}

fn scatter(systems: &mut [System], points: &[Point], from: &[DVec3]) {
    for system in systems {
        system.memory.rhs.fill(0.0);
        for k in system.points.clone() {
            let at = 3 * points[k].node as usize;
            from[k].write_to_slice(&mut system.memory.rhs[at..at + 3]);
        }
    }
}

fn substitute(systems: &mut [System], points: usize, ask: &Ask<'_>) {
    let arithmetic = ask.arithmetic;
    let visit = |system: &mut System| system.touching(arithmetic).substitute();
    if ask.parallel && points >= MANY {
        systems.par_iter_mut().for_each(visit);
    } else {
        systems.iter_mut().for_each(visit);
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
