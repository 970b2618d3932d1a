//! Newton's method for a step, with under-relaxation (paper 3, section 4.3).
//!
//! How far to go along a direction is decided by Deuflhard's natural test: the correction that the same factorization would make after it must be smaller. It does not depend on units, where
//! the size of the residual would add newtons to metres a second. While corrections shrink fast the factorization serves for several of them.

use glam::DQuat;

use super::{
    band::Band,
    bow::Bow,
    equations::{NODE, Node, Rates, Scales, Step},
};

/// Solved when no segment would turn, move or bend by more than this, rad or segments a step.
const SOLVED: f64 = 1e-10;
/// Good enough when the iterations are used up: a millionth of a segment.
const TOLERATED: f64 = 1e-6;
/// The same factorization goes on as long as a correction is this much smaller than the last.
const CONTRACTION: f64 = 0.25;
/// Most that a segment may be bent by one iteration, rad: beyond it a linear picture of a rotation means nothing.
const BOLDEST: f64 = 1.0;
/// Smallest fraction of a direction that is tried.
const TIMID: f64 = 1.0 / 64.0;

/// What a worker keeps.
#[derive(Clone, Debug, Default)]
pub struct Solve {
    pub nodes: Vec<Node>,
    pub frames: Vec<DQuat>,
    /// Room for what a step leaves beside them.
    pub rates: Vec<Rates>,
    trial: Vec<Node>,
    trial_frames: Vec<DQuat>,
    band: Band,
    direction: Vec<f64>,
    correction: Vec<f64>,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Factorizations.
    pub iterations: u32,
    pub converged: bool,
}

impl Solve {
    pub fn reserve(&mut self, segments: usize) {
        let (nodes, size) = (segments + 1, NODE * (segments + 1));
        for list in [&mut self.nodes, &mut self.trial] {
            list.reserve(nodes.saturating_sub(list.len()));
        }
        for list in [&mut self.frames, &mut self.trial_frames] {
            list.reserve(nodes.saturating_sub(list.len()));
        }
        for list in [&mut self.direction, &mut self.correction] {
            list.reserve(size.saturating_sub(list.len()));
        }
        self.rates.reserve(nodes.saturating_sub(self.rates.len()));
        self.band.reserve(size);
    }

    /// From the state before the step, or from a bow; the answer is in `nodes` and `frames`.
    pub fn run(&mut self, step: &Step, bow: Option<Bow>, most: u32) -> Ending {
        let (count, size) = (step.model.segments() + 1, step.size());
        self.nodes.clear();
        self.nodes.extend_from_slice(step.old);
        if let Some(bow) = bow {
            bow.bend(step, &mut self.nodes);
        }
        self.trial.resize(count, Node::default());
        for frames in [&mut self.frames, &mut self.trial_frames] {
            frames.resize(count, DQuat::IDENTITY);
        }
        for list in [&mut self.direction, &mut self.correction] {
            list.resize(size, 0.0);
        }
        let scales = Scales::of(step);
        step.frames(&self.nodes, &mut self.frames);
        step.residual(&self.nodes, &self.frames, &mut self.direction);
        let mut left = f64::INFINITY;
        for iteration in 1..=most {
            step.jacobian(&self.nodes, &self.frames, &scales, &mut self.band);
            if !self.band.factor() {
                return Ending {
                    iterations: iteration,
                    converged: false,
                };
            }
            self.band.solve(&mut self.direction);
            left = self.descend(step, &scales);
            if left.is_nan() || left <= SOLVED {
                let converged = !left.is_nan();
                return Ending {
                    iterations: iteration,
                    converged,
                };
            }
            step.residual(&self.nodes, &self.frames, &mut self.direction);
        }
        Ending {
            iterations: most,
            converged: left < TOLERATED,
        }
    }

    /// Go along `direction` as far as is good, and on while the factorization serves. Answers how large the next correction would be.
    fn descend(&mut self, step: &Step, scales: &Scales) -> f64 {
        let mut size = scales.size(&self.direction);
        if !size.is_finite() {
            return f64::NAN;
        }
        let mut fraction = (BOLDEST / scales.bend(&self.direction)).min(1.0);
        loop {
            for (j, trial) in self.trial.iter_mut().enumerate() {
                *trial = self.nodes[j];
                let change = &self.direction[NODE * j..];
                // The equations' value stands in for its negative: the change is taken off.
                scales.apply(trial, change, -fraction);
            }
            step.frames(&self.trial, &mut self.trial_frames);
            step.residual(&self.trial, &self.trial_frames, &mut self.correction);
            self.band.solve(&mut self.correction);
            let next = scales.size(&self.correction);
            let better = next <= (1.0 - 0.25 * fraction) * size || next < SOLVED;
            if !better {
                fraction *= 0.5;
                if fraction < TIMID {
                    return f64::NAN; // Hopeless from here.
                }
                continue;
            }
            std::mem::swap(&mut self.nodes, &mut self.trial);
            std::mem::swap(&mut self.frames, &mut self.trial_frames);
            if fraction < 1.0 || next < SOLVED || next > CONTRACTION * size {
                return next;
            }
            size = next;
            std::mem::swap(&mut self.direction, &mut self.correction);
        }
    }
}
