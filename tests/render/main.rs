//! How rods look: tubes that are tight, smooth and true to the material, and debug lines.

#[path = "../common/mod.rs"]
mod common;

mod debug;
mod poses;
mod refused;
mod shapes;
mod support;
mod texture;
