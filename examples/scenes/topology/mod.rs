//! Judges of contact from outside: what is linked, knotted, passed through or overlapping, from positions alone.
//!
//! Nothing here uses the crate: a fault of its contact code can't hide behind the same fault in its judge.
//! Curves are polylines in doubles. A closed one does not repeat its first point.

mod gauss;
mod knot;
mod overlap;
mod passing;
mod stitches;

pub use gauss::{gauss_integral, held_link, linking_number, total_twist, writhe, writhe_open};
pub use knot::{Crossing, Ends, alexander_determinant, close_far, crossings, link_determinant};
pub use overlap::{Overlap, Tube, deepest_overlap, segment_distance};
pub use passing::{Pass, PassThrough, gauss_jump};
pub use stitches::{Leg, kept_legs, leg_links};
