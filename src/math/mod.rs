//! Small mathematics, written once for every number type: one `f32` or `f64`, or eight `f32` in SIMD lanes.
//!
//! A kernel is a plain generic function over [`Real`]. Run with `f64` it is the reference that finite
//! differences check; run with eight lanes it is what the solver executes; a shader can mirror it line by line.
//!
//! Everything here is `#[inline(always)]`: the lanes are compiled for AVX2 at the one place that calls the
//! kernel, and a function that is not inlined there would lose the instruction set.

pub mod lanes;
mod quaternion;
mod real;
mod vector;

pub use quaternion::Quaternion;
pub use real::Real;
pub use vector::{Symmetric, Vector};
