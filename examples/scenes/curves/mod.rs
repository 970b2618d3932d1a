//! Centre lines for contact scenes: polylines with evenly spaced points that start without overlap.
//!
//! Each generator says how thick a rope it can bear, as a ratio of radius to size, and the tests hold it to that. Closed curves do
//! not repeat their first point. The length of a segment is a wish: it is rounded so that a whole number fits.

mod knit;
mod knots;
mod smooth;
mod wraps;

pub use knit::{KNIT_TIGHTEST, knit_patch};
pub use knots::{
    FIGURE_EIGHT_TIGHTEST, OVERHAND_TIGHTEST, REEF_TIGHTEST, SLIP_TIGHTEST, figure_eight, granny, overhand, reef,
    slip_knot,
};
pub use smooth::{resample, resample_closed};
pub use wraps::{CHAIN_TIGHTEST, capstan, chain, helix, ring, slinky, straight};
