//! Direct: Newton's method with the whole rod as the block.
//!
//! Stable Cosserat alternates between positions and orientations, so that a stiff segment turns only by `(m/h²)/(EA/l)` of its way in an iteration. Here both move
//! together: the Hessian of a chain or tree is factored leaf to root in O(n), and two or three iterations solve a substep whatever the stiffness or the load.
//!
//! - [`element`]: energies, gradients and positive Hessians of a segment and of a joint;
//! - `plan`: the order of elimination, made once for a topology; `blocks`: the factorization; `chain`: both without a plan, for chains;
//! - `newton`: the loop with backtracking; `potential`: what it lowers; `substep`: from the state and back.
//!
//! Linear algebra is in double precision. Sideways a rope is as soft as `m/h²`, which emerges from differences of `EA/l`: a
//! steel cable has seven decades between them, all that `f32` holds. Doubles cost half the lanes and make every rope right.

pub(crate) mod blocks;
pub(crate) mod bodies;
pub(crate) mod chain;
pub mod element;
pub(crate) mod memory;
pub(crate) mod newton;
pub(crate) mod plan;
pub(crate) mod potential;
pub(crate) mod substep;
pub(crate) mod touching;

use memory::Memory;
use substep::{DirectStep, Features};

use crate::{
    math::lanes::{Arithmetic, DoubleKernel, dispatch_double},
    solver::stable_cosserat::rows::{Outcome, Substep},
    state::block::Block,
};

/// So many rods in a block are taken one at a time: a lone one is cheaper without lanes.
const FEW: usize = 1;

/// Move a block by one substep.
pub(crate) fn step(
    block: &mut Block,
    memory: &mut Memory,
    substep: Substep,
    second_order: bool,
    arithmetic: Arithmetic,
) -> Outcome {
    let Some(plan) = block.plan.clone() else {
        return Outcome::default();
    };
    let single = block.kind.segments == 0 || block.rods.iter().flatten().count() <= FEW;
    let kernel = DirectStep {
        features: Features::of(block),
        block,
        plan: &plan,
        memory,
        substep,
        second_order,
    };
    launch(arithmetic, single, kernel)
}

/// Kept out of line: one copy of each kernel.
#[inline(never)]
fn launch<K: DoubleKernel<Output = Outcome>>(arithmetic: Arithmetic, single: bool, kernel: K) -> Outcome {
    dispatch_double(arithmetic, single, kernel)
}

#[cfg(test)]
mod tests;
