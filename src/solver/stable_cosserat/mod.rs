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
    // Two copies of each kernel: one for rods with a single stiffness and no damping, as in paper 1, and one for all others.
    if block.kind.anisotropic || block.kind.damped {
        run::<true>(block, work, substep, arithmetic)
    } else {
        run::<false>(block, work, substep, arithmetic)
    }
}

fn run<const GENERAL: bool>(block: &mut Block, work: &mut Work, substep: Substep, arithmetic: Arithmetic) -> Outcome {
    match block.layout.clone() {
        Layout::Chains => {
            let work = &mut work.chain;
            launch(arithmetic, ChainStep::<GENERAL> { block, work, substep })
        }
        Layout::Graph(layout) => {
            let (layout, work) = (&*layout, &mut work.graph);
            let kernel = GraphStep::<GENERAL> {
                block,
                layout,
                work,
                substep,
            };
            launch(arithmetic, kernel)
        }
    }
}

/// Kept out of line: one copy of each kernel.
#[inline(never)]
fn launch<K: Kernel<Output = Outcome>>(arithmetic: Arithmetic, kernel: K) -> Outcome {
    dispatch(arithmetic, kernel)
}

#[cfg(test)]
mod tests;
