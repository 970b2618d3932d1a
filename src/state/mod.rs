//! What rods do now: all of them, in blocks of rows that the lanes and a GPU can read.

pub(crate) mod block;
mod copy;
mod edit;
pub(crate) mod graph_layout;
mod readback;
pub(crate) mod remake;
pub(crate) mod resident;
pub(crate) mod rows;
mod world;

pub use edit::{RodAccessError, RodMut};
pub use readback::{Energy, RodRef};
pub use world::{Event, InsertError, RodId, RodOptions, RodWorld, StepReport};
