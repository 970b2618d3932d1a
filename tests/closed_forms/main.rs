//! Simulated rods of Stable Cosserat against closed forms, through the public interface alone.
//!
//! Every expected number comes from a formula or from an integration that shares nothing with the crate. Every tolerance states what
//! it is made of: the error of the discretization (of second order in the segment's length), of the step (implicit Euler, first
//! order), of the formula (linear theory), of single precision. Statics are settled by dynamics with near-critical drag in steps
//! that the alternation follows (see `support::sound_step`).

mod authors;
mod buckling;
mod cantilever;
mod circle;
mod damping;
mod elastica;
mod helix;
mod rope;
mod section;
mod stretch;
mod support;
mod twist;
mod vibration;
