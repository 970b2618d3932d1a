//! Newton's method taken apart, for rods that touch something: the loop is then one over all rods of a group, in [`contact`](crate::contact).

use super::{
    blocks::{invert, read_vector, solve_back, substitute, write_vector},
    bodies::Bodies,
    memory::Memory,
    newton::{Newton, read_quaternion, write_quaternion},
    plan::Plan,
    substep::Features,
};
use crate::math::lanes::{Arithmetic, Double, DoubleKernel, dispatch_double};

/// The unknowns of a rod, or of an island, and what moves them.
pub struct Touching<'a> {
    pub plan: &'a Plan,
    pub memory: &'a mut Memory,
    pub features: Features,
    pub bodies: Option<&'a Bodies>,
    pub arithmetic: Arithmetic,
}

/// A part of the method.
#[derive(Clone, Copy)]
enum Part {
    Open,
    Sweep,
    Substitute,
    Limit,
    Place { scale: f64 },
}

impl Touching<'_> {
    /// Stand still, with the first guess as the step to take.
    pub fn open(&mut self) {
        self.run(Part::Open);
    }

    /// The potential here. Gradient and Hessian are put together and factored, and the step of the rod by itself is left in `rhs`.
    pub fn sweep(&mut self) -> f64 {
        self.run(Part::Sweep).0
    }

    /// Solve for the right-hand side in `rhs` with the factors.
    pub fn substitute(&mut self) {
        self.run(Part::Substitute);
    }

    /// Take `rhs` as the step. Answers the largest motion, in mean segments, or turn if that is more, and the largest turn of an axis.
    pub fn limit(&mut self) -> (f64, f64) {
        self.run(Part::Limit)
    }

    /// Go so much of the step from where it started.
    pub fn place(&mut self, scale: f64) {
        self.run(Part::Place { scale });
    }

    fn run(&mut self, part: Part) -> (f64, f64) {
        let newton = Newton {
            anisotropic: self.features.anisotropic,
            damped: self.features.damped,
            chain: false,
            plan: self.plan,
            memory: self.memory,
            iterations: 0,
            bodies: self.bodies,
        };
        launch(self.arithmetic, PartOf { newton, part })
    }
}

struct PartOf<'a> {
    newton: Newton<'a>,
    part: Part,
}

/// Kept out of line: one copy of the kernel.
#[inline(never)]
fn launch(arithmetic: Arithmetic, kernel: PartOf<'_>) -> (f64, f64) {
    dispatch_double(arithmetic, true, kernel)
}

impl DoubleKernel for PartOf<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<R: Double>(mut self) -> (f64, f64) {
        let newton = &mut self.newton;
        let (plan, number) = (newton.plan, |value: R| {
            let mut cell = [0.0];
            value.write(&mut cell, 0);
            cell[0]
        });
        match self.part {
            Part::Open => open::<R>(plan, newton.memory),
            Part::Sweep => {
                let energy = newton.sweep::<R>();
                let m = &mut *newton.memory;
                solve_back::<R>(plan, &m.off, &mut m.rhs);
                invert::<R>(plan, &m.size, &m.free, &mut m.diagonal);
                return (number(energy), 0.0);
            }
            Part::Substitute => {
                let m = &mut *newton.memory;
                substitute::<R>(plan, &m.diagonal, &m.off, &mut m.rhs);
            }
            Part::Limit => {
                let (moved, turned) = newton.limit::<R>();
                newton.keep::<R>(R::one());
                return (number(moved), number(turned));
            }
            Part::Place { scale } => newton.place::<R>(R::splat(scale), R::one()),
        }
        (0.0, 0.0)
    }
}

/// Keep where the substep starts as the place that the step begins from, and the way to the first guess as the step.
#[inline(always)]
fn open<R: Double>(plan: &Plan, m: &mut Memory) {
    use crate::math::Vector;
    for v in 0..plan.vertices {
        write_vector(read_vector::<R>(&m.u, 3 * v), &mut m.step, 3 * v);
        write_vector(Vector::<R>::zero(), &mut m.kept_u, 3 * v);
        write_vector(Vector::<R>::zero(), &mut m.u, 3 * v);
    }
    for s in 0..plan.frames {
        let start = read_quaternion::<R>(&m.start_q, 4 * s);
        // A step ω turns by (1 + ω/2) q.
        let turn = read_quaternion::<R>(&m.q, 4 * s) * start.conjugate();
        let turn = turn.flip_by(turn.w);
        let step = turn.vector() * (R::splat(2.0) / turn.w.max(R::splat(1e-3)));
        write_vector(step, &mut m.step, 3 * (plan.vertices + s));
        write_quaternion(start, &mut m.kept_q, 4 * s);
        write_quaternion(start, &mut m.q, 4 * s);
    }
}
