//! What rods are tied to: the host's rigid bodies, and points in the world.

mod host;

pub use host::{BodyId, BodyImpulse, BodyState, HostBodies, NoBodies};
