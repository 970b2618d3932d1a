//! Position and orientation based rods (paper 5): stretch–shear and bend–twist as constraints on positions and quaternions.
//!
//! - [`constraint`]: the two constraints and their projection, for any number type;
//! - [`energy`]: the energy that their compliance stands for, for readback and tests;
//! - `elements`: a substep element by element (Algorithm 1); `chain` and `graph` are the two ways through memory; `long_range` keeps vertices within reach of a pin.
//!
//! The paper sets every inverse mass to one and tunes stiffness by hand. Here masses are the rod's own, and stiffness is its material's: XPBD's compliance, or the
//! PBD stiffness that one constraint by itself would need to yield as the material does (see [`Projection`]).

pub(crate) mod chain;
pub mod constraint;
pub(crate) mod elements;
pub mod energy;
pub(crate) mod graph;
mod long_range;

use chain::ChainStep;
use elements::Work;
use serde::{Deserialize, Serialize};

use crate::{
    math::lanes::{Arithmetic, Kernel, dispatch},
    solver::{
        Solver,
        stable_cosserat::rows::{Outcome, Substep},
    },
    state::block::{Block, Layout},
};

/// What a constraint does with the stiffness of the material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Projection {
    /// XPBD (Macklin et al. 2016): each constraint has the compliance of the material and remembers its force within a substep. Converged it is
    /// implicit Euler of the same rod as the other solvers move. With too few iterations it is too soft, and what it yields by is strain that nothing has worked for: a stiff
    /// rod may gain energy. It has enough where a wave goes no farther in a substep than the iterations carry it, a segment or two each.
    #[default]
    Compliance,
    /// PBD, as in the paper: of its error a constraint takes away the part k in an iteration. k is such that one constraint by itself would lose in a substep what
    /// implicit Euler takes from it, however many iterations there are. Constraints that hang together lose less: the longer the substep, the softer the rod.
    Stiffness,
}

/// How bending and twist are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Darboux {
    /// `Im(q̄u)` (Eq. 32): grows as `sin(θ/2)`. Where segments meet at an angle θ at rest, a joint bends more easily than its material by `cos²(θ/2)`: by 2% with 20 segments a turn.
    #[default]
    Plain,
    /// `Im(q̄u)/Re(q̄u)` (Eq. 30, appendix A): grows as `tan(θ/2)`, so that no joint folds up. Costs about a third more.
    Modified,
}

/// The choices of the solver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// PBD's stiffness instead of compliance.
    pub rigid: bool,
    /// Appendix A.
    pub modified: bool,
    /// Long-range attachments.
    pub long_range: bool,
    /// Some relaxation time is not zero.
    pub damped: bool,
    /// Every segment is as stiff against shear as against stretch, and nothing adds to the vertices: the paper's own constraint.
    pub even: bool,
    /// Of a substep.
    pub iterations: u32,
}

impl Options {
    /// Of a block.
    fn of(block: &Block, iterations: u32) -> Self {
        let Solver::Xpbd {
            projection,
            darboux,
            long_range,
        } = block.kind.solver
        else {
            return Self::default();
        };
        Self {
            rigid: projection == Projection::Stiffness,
            modified: darboux == Darboux::Modified,
            long_range,
            damped: block.kind.damped,
            even: block.extra.is_empty() && block.segments.iter().all(|row| row.axial == row.shear),
            iterations,
        }
    }

    /// The iterations that PBD's stiffness is spread over.
    #[inline(always)]
    pub fn pbd(self) -> Option<u32> {
        self.rigid.then_some(self.iterations)
    }
}

/// Move a block by one substep.
pub(crate) fn step(block: &mut Block, work: &mut Work, substep: Substep, arithmetic: Arithmetic) -> Outcome {
    let options = Options::of(block, substep.iterations);
    match (block.layout.clone(), block.extra.is_empty(), options.even) {
        (Layout::Chains, _, true) => {
            let kernel = ChainStep::<false, true> {
                block,
                work,
                substep,
                options,
            };
            launch(arithmetic, kernel)
        }
        (Layout::Chains, true, false) => {
            let kernel = ChainStep::<false, false> {
                block,
                work,
                substep,
                options,
            };
            launch(arithmetic, kernel)
        }
        (Layout::Chains, false, false) => {
            let kernel = ChainStep::<true, false> {
                block,
                work,
                substep,
                options,
            };
            launch(arithmetic, kernel)
        }
        (Layout::Graph(layout), ..) => graph::step(block, &layout, work, substep, options),
    }
}

/// Kept out of line: one copy of each kernel.
#[inline(never)]
fn launch<K: Kernel<Output = Outcome>>(arithmetic: Arithmetic, kernel: K) -> Outcome {
    dispatch(arithmetic, kernel)
}

#[cfg(test)]
mod tests;
