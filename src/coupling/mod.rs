//! What rods are tied to: the host's rigid bodies, and points in the world.
//!
//! A body that hangs on a rod enters the rod's own solve with its mass and inertia, and gets one impulse back a step. [`HostBodies`] is all that an engine
//! has to offer; [`AttachmentSpec`] is all that a user has to say.

mod attachment;
mod host;
mod inertia;
mod island;
mod islands;
mod load;
mod lumped;
mod motion;
mod registry;
mod standing;
mod world;

pub use attachment::{AttachError, AttachmentId, AttachmentSpec, AttachmentState, Tie, TieTo};
pub use host::{BodyId, BodyImpulse, BodyState, HostBodies, NoBodies};
pub(crate) use island::Island;
pub(crate) use registry::{Coupling, Kept};
