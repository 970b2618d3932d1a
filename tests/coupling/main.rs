//! Rods tied to rigid bodies.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod bodies;
mod edges;
mod exchange;
mod holding;
mod ropes;
mod sameness;
mod winch;
