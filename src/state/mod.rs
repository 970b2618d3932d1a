//! What rods do now: all of them, in blocks of rows that the lanes and a GPU can read.

pub(crate) mod block;
mod bulk;
mod copy;
mod cut;
mod edit;
pub(crate) mod graph_layout;
mod in_place;
mod interpolation;
mod layers;
mod material_change;
pub(crate) mod plastic;
mod queries;
mod readback;
pub(crate) mod reel;
pub(crate) mod remake;
pub(crate) mod resident;
mod rest;
pub(crate) mod rows;
pub(crate) mod scales;
pub(crate) mod sleep;
pub(crate) mod snapshot;
mod teleport;
pub(crate) mod world;

pub use bulk::PlaceOnRod;
pub use cut::{Cut, CutError};
pub use edit::{RodAccessError, RodMut};
pub use layers::CollisionLayers;
pub use material_change::ChangeError;
pub use queries::RodHit;
pub use readback::{Energy, RodRef};
pub use reel::{ReelError, Reeled, RodEnd};
pub use sleep::SleepSettings;
pub use snapshot::Snapshot;
pub use world::{Event, InsertError, RodId, RodOptions, RodWorld, StepReport};
