//! From the state of one rod to the work memory of its system, and back.

use crate::{
    math::lanes::{Arithmetic, Double, DoubleKernel, dispatch_double},
    solver::{
        Integrator, Solver,
        direct::{
            memory::Memory,
            plan::Plan,
            substep::{DirectStep, Features, measure, open},
        },
        stable_cosserat::rows::{Outcome, Substep},
    },
    state::block::Block,
};

/// A rod in a lane of a block, and the system that it becomes.
pub struct Lodger<'a> {
    pub block: &'a mut Block,
    pub lane: usize,
    pub plan: &'a Plan,
    pub memory: &'a mut Memory,
    pub substep: Substep,
    pub arithmetic: Arithmetic,
}

impl<'a> Lodger<'a> {
    /// Lay out the rod. Answers what it asks for.
    pub fn start(self) -> Features {
        let (arithmetic, lane) = (self.arithmetic, self.lane);
        let step = self.step();
        let features = step.features;
        launch(
            arithmetic,
            Move {
                step,
                lane,
                outcome: None,
            },
        );
        features
    }

    /// Write back what was found.
    pub fn finish(self, outcome: &'a mut Outcome) {
        let (arithmetic, lane) = (self.arithmetic, self.lane);
        let step = self.step();
        launch(
            arithmetic,
            Move {
                step,
                lane,
                outcome: Some(outcome),
            },
        );
    }

    fn step(self) -> DirectStep<'a> {
        let second_order = self.block.kind.solver
            == Solver::Direct {
                integrator: Integrator::Bdf2,
            };
        DirectStep {
            features: Features::of(self.block),
            block: self.block,
            plan: self.plan,
            memory: self.memory,
            substep: self.substep,
            second_order,
        }
    }
}

struct Move<'a> {
    step: DirectStep<'a>,
    lane: usize,
    /// `None` to start.
    outcome: Option<&'a mut Outcome>,
}

/// Kept out of line: one copy of the kernel.
#[inline(never)]
fn launch(arithmetic: Arithmetic, kernel: Move<'_>) {
    dispatch_double(arithmetic, true, kernel);
}

impl DoubleKernel for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Double>(mut self) {
        let part = self.step.plan.whole();
        match self.outcome {
            None => {
                open::<R>(self.step.memory, self.step.features);
                self.step.start::<R>(self.lane, &part);
                measure::<R>(self.step.memory, self.step.plan);
            }
            Some(outcome) => self.step.finish::<R>(outcome, self.lane, &part),
        }
    }
}
