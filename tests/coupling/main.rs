//! Rods tied to rigid bodies.

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod exchange;
mod ropes;
