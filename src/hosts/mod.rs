//! Adapters to rigid-body engines, each behind its feature. An engine of one's own needs no more than [`HostBodies`](crate::coupling::HostBodies): see
//! `examples/own_engine.rs`.

#[cfg(feature = "rapier3d")]
pub mod rapier3d;
