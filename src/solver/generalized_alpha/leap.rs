//! A substep as a whole: at once, or in pieces where Newton's method does not get there at once.
//!
//! A step of minutes asks for a shape that has nothing in common with the one before, and no under-relaxation leads there safely. Pieces do: each is taken by implicit Euler, longer after one that was easy,
//! shorter after one that failed. What is not reached in [`MOST_PIECES`], or not even in pieces of [`SHORTEST`], is left; the rod then keeps the shape that it has and loses its speed, so that nothing is fed
//! into it however long the step. A straight rod that is pushed together starts from a bow.

use glam::{DQuat, DVec3};

use super::{
    bow::Bow,
    coefficients::Weights,
    equations::{End, Node, Rates, Step},
    model::Model,
    newton::Solve,
    rotation::exp,
};

/// Most pieces that a substep is tried in.
const MOST_PIECES: u32 = 64;
/// Shortest piece that is tried, as a part of the substep. In shorter ones rates become absurd: a shape that is off by rounding would be thrown across the room.
const SHORTEST: f64 = 1e-6;
/// How much shorter a piece gets after one that failed.
const SHRINK: f64 = 1.0 / 8.0;
/// A piece that took so few factorizations was easy: the next is twice as long.
const EASY: u32 = 3;

/// A rod in motion: what a step starts from and ends with.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    pub nodes: Vec<Node>,
    pub rates: Vec<Rates>,
    /// Of the first node, then of every segment.
    pub frames: Vec<DQuat>,
    /// Mean angular velocity of the first node over the last step, in its frame, 1/s.
    pub spin: DVec3,
    /// Mean velocity of the first node over the last step, world, m/s.
    pub travel: DVec3,
    /// How far the first node went, m.
    pub shift: DVec3,
}

/// What a substep is told.
#[derive(Clone, Copy, Debug)]
pub struct Leap<'a> {
    pub model: &'a Model,
    pub weights: Weights,
    /// s.
    pub h: f64,
    /// Linear drag, 1/s.
    pub drag: f64,
    /// On each node, world, N.
    pub force: &'a [DVec3],
    /// On each segment, world, N·m.
    pub torque: &'a [DVec3],
    pub ends: [End; 2],
    /// Where a wall holds the first node's frame: how that turns in the substep, in the frame itself.
    pub wall_turn: Option<DVec3>,
    /// Most factorizations of a solve.
    pub most: u32,
}

impl Leap<'_> {
    /// Move a rod. Answers the factorizations, and whether it got there.
    pub fn run(&self, motion: &mut Motion, solve: &mut Solve) -> (u32, bool) {
        motion.shift = DVec3::ZERO;
        let (first, there) = self.attempt(motion, solve, self.weights, self.h);
        if there {
            return (first, true);
        }
        let (mut iterations, mut left, mut piece) = (first, self.h, SHRINK * self.h);
        if let Some(bow) = Bow::of(&self.step(motion, Weights::EULER, self.h)) {
            bow.lean(self.model, &mut motion.nodes, &mut motion.frames);
            piece = self.h;
        }
        for _ in 0..MOST_PIECES {
            let length = piece.min(left);
            let (more, there) = self.attempt(motion, solve, Weights::EULER, length);
            iterations += more;
            if !there {
                piece = length * SHRINK;
                if piece < SHORTEST * self.h {
                    break;
                }
                continue;
            }
            left -= length;
            if left <= 1e-12 * self.h {
                return (iterations, true);
            }
            if more <= EASY {
                piece = 2.0 * length;
            }
        }
        for node in &mut motion.nodes {
            node.velocity = DVec3::ZERO;
            node.spin = DVec3::ZERO;
        }
        (iterations, false)
    }

    /// What a solve is told.
    fn step<'a>(&'a self, motion: &'a Motion, weights: Weights, h: f64) -> Step<'a> {
        let turned = |turn: DVec3| (motion.frames[0] * exp(turn * (h / self.h))).normalize();
        Step {
            model: self.model,
            weights,
            h,
            drag: self.drag,
            old: &motion.nodes,
            rates: &motion.rates,
            old_frames: &motion.frames,
            force: self.force,
            torque: self.torque,
            ends: self.ends,
            wall: self.wall_turn.map(turned),
            start_spin: motion.spin,
        }
    }

    /// One solve. Where it fails the motion is as it was.
    fn attempt(&self, motion: &mut Motion, solve: &mut Solve, weights: Weights, h: f64) -> (u32, bool) {
        let step = self.step(motion, weights, h);
        let mut ending = solve.run(&step, None, self.most);
        let mut iterations = ending.iterations;
        // A bow is guessed as implicit Euler would come to it.
        if let (false, true, Some(bow)) = (ending.converged, weights == Weights::EULER, Bow::of(&step)) {
            ending = solve.run(&step, Some(bow), self.most);
            iterations += ending.iterations;
        }
        if !ending.converged {
            return (iterations, false);
        }
        let Weights { alpha, beta, gamma } = weights;
        let (first, frame) = (solve.nodes[0], solve.frames[0]);
        let velocity = (frame * first.velocity) * (1.0 - beta) + (motion.frames[0] * motion.nodes[0].velocity) * beta;
        let travel = (velocity - motion.travel * alpha) / (1.0 - alpha);
        let shift = (travel * gamma + motion.travel * (1.0 - gamma)) * h;
        let spin = match self.wall_turn {
            Some(_) => first.spin,
            None => step.start_turn(&first).0,
        };
        solve.rates.clear();
        solve
            .rates
            .extend(solve.nodes.iter().enumerate().map(|(j, node)| step.rates_of(j, node)));
        std::mem::swap(&mut motion.nodes, &mut solve.nodes);
        std::mem::swap(&mut motion.rates, &mut solve.rates);
        std::mem::swap(&mut motion.frames, &mut solve.frames);
        motion.spin = spin;
        motion.travel = travel;
        motion.shift += shift;
        (iterations, true)
    }
}
