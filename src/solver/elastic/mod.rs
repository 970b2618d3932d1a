//! Discrete elastic rods, forward (paper 4, section III): implicit Euler with Newton's method on positions and edge angles of a whole chain, in `f64`.
//!
//! A rod is its vertices and an angle for each edge: frames follow their edges, so that nothing shears and only three of a frame's six numbers are unknown. The Hessian is
//! banded (ten below the diagonal) and factored in O(n).
//!
//! - [`geometry`]: parallel transport, curvatures in both frames (or in their mean, the comparison of paper 4, section VI-A), twist, and their gradients;
//! - [`energy`]: stretch, bending and twist with gradients and Hessians; `banded`: the factorization;
//! - `newton`: the potential and the loop; `substep`: from the state and back; `readback`: moments and energies of a state.
//!
//! Frames are stored as the orientations that all solvers have. Beside them a rod keeps what those can't hold: whole turns of twist, spin, and the rest of
//! an angle that single precision leaves out ([`TwistRow`](crate::state::rows::TwistRow)).

pub mod angles;
pub(crate) mod banded;
pub mod energy;
pub mod geometry;
pub(crate) mod newton;
pub(crate) mod readback;
pub(crate) mod substep;

use newton::Memory;
use serde::{Deserialize, Serialize};

use crate::{
    math::lanes::LANES,
    solver::stable_cosserat::rows::{Outcome, Substep},
    state::block::{Block, Layout},
};

/// How bending is measured between two edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Curvature {
    /// In the frames of both edges, four numbers a joint: right whatever the frames.
    #[default]
    BothFrames,
    /// In the mean of the two frames, two numbers a joint: for comparison. Where frames twist against one another from edge to edge the mean is short, and where they are
    /// opposite it is zero: nothing resists bending.
    MeanFrame,
}

/// Move a block of chains by one substep, rod after rod.
pub(crate) fn step(block: &mut Block, memory: &mut Memory, substep: Substep, curvature: Curvature) -> Outcome {
    let mut outcome = Outcome::default();
    if !matches!(block.layout, Layout::Chains) {
        return outcome;
    }
    for lane in 0..LANES {
        if block.rods[lane].is_some() {
            substep::load(block, lane, memory, &substep, curvature);
            outcome.iterations = outcome.iterations.max(memory.solve(substep.iterations));
            substep::store(block, lane, memory, &substep, &mut outcome);
        }
    }
    outcome
}

#[cfg(test)]
mod tests;
