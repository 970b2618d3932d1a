//! Generalized-α: inextensible, unshearable rods by the dynamic Kirchhoff equations (paper 3), in double precision.
//!
//! A rod is a boundary value problem of twelve unknowns a node in local frames, solved as a whole in every step by Newton's method on a band, O(n). Length is kept exactly: EA and GA do not
//! enter. Second order in time, with damping of what is too fast for the step that the user chooses ([`Rho`]).
//!
//! - `coefficients`: weights in time; `model`: the numbers of a rod; `equations`: Eq. 14–20 and their Jacobian, with what differs from the paper; `band` and `newton`: the solve; `leap`: a substep, in pieces where it must be; `bow`: what straight rods do when they are pushed;
//! - `substep`: from the state and back.
//!
//! Chains only, each end free, pinned or clamped (and led); see [`Solver::GeneralizedAlpha`](crate::solver::Solver::GeneralizedAlpha).

mod band;
mod bow;
mod coefficients;
mod equations;
mod leap;
mod model;
mod newton;
mod rotation;
mod substep;
mod supported;

pub use coefficients::{Rho, Thousandths};
pub(crate) use equations::{Node, Rates};
pub(crate) use model::Model;
pub(crate) use substep::{Memory, step};
pub use supported::Unsupported;
pub(crate) use supported::unsupported;

#[cfg(test)]
mod tests;
