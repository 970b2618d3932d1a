//! Stable Cosserat Rods (papers 1 and 2): vertex-block positions alternate with closed-form orientations.
//!
//! - [`orientation`]: the closed form for one segment, λ approximate or exact;
//! - [`energy`]: the energies, with forces and moments, for readback and tests;
//! - `rows`: a substep element by element; `chain` and `graph` are the two ways through memory.

pub(crate) mod chain;
pub mod energy;
pub(crate) mod graph;
pub mod orientation;
pub(crate) mod rows;

use chain::{ChainStep, ChainWork};
use graph::{GraphStep, GraphWork};
use rows::{Outcome, Substep};

use crate::{
    math::lanes::{Arithmetic, Kernel, dispatch},
    state::block::{Block, Layout},
};

/// Memory of a worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    chain: ChainWork,
    graph: GraphWork,
}

impl Work {
    /// Room for a block, so that stepping it allocates nothing.
    pub fn reserve(&mut self, block: &Block) {
        match &block.layout {
            Layout::Chains => self.chain.reserve(&block.kind),
            Layout::Graph(layout) => self.graph.reserve(&block.kind, layout),
        }
    }
}

/// Move a block by one substep.
pub(crate) fn step(block: &mut Block, work: &mut Work, substep: Substep, arithmetic: Arithmetic) -> Outcome {
    match (block.kind.anisotropic, block.kind.damped) {
        (false, false) => run::<false, false>(block, work, substep, arithmetic),
        (false, true) => run::<false, true>(block, work, substep, arithmetic),
        (true, false) => run::<true, false>(block, work, substep, arithmetic),
        (true, true) => run::<true, true>(block, work, substep, arithmetic),
    }
}

fn run<const ANISOTROPIC: bool, const DAMPED: bool>(
    block: &mut Block,
    work: &mut Work,
    substep: Substep,
    arithmetic: Arithmetic,
) -> Outcome {
    match block.layout.clone() {
        Layout::Chains => launch(
            arithmetic,
            ChainStep::<ANISOTROPIC, DAMPED> {
                block,
                work: &mut work.chain,
                substep,
            },
        ),
        Layout::Graph(layout) => launch(
            arithmetic,
            GraphStep::<ANISOTROPIC, DAMPED> {
                block,
                layout: &layout,
                work: &mut work.graph,
                substep,
            },
        ),
    }
}

/// Kept out of line: one copy of each kernel.
#[inline(never)]
fn launch<K: Kernel<Output = Outcome>>(arithmetic: Arithmetic, kernel: K) -> Outcome {
    dispatch(arithmetic, kernel)
}

#[cfg(test)]
mod tests;
