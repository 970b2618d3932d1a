//! What rods do now: all of them, in blocks of rows that the lanes and a GPU can read.

pub(crate) mod block;
mod cut;
mod edit;
pub(crate) mod graph_layout;
mod material_change;
pub(crate) mod plastic;
mod readback;
pub(crate) mod reel;
pub(crate) mod remake;
pub(crate) mod resident;
mod rest;
pub(crate) mod rows;
mod world;

pub use cut::{Cut, CutError};
pub use edit::{RodAccessError, RodMut};
pub use material_change::ChangeError;
pub use readback::{Energy, RodRef};
pub use reel::{ReelError, Reeled, RodEnd};
pub use world::{Event, InsertError, RodId, RodOptions, RodWorld, StepReport};
