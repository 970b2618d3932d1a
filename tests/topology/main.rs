//! What changes a rod while it moves: cuts, winches, yield, other materials.

#[path = "../common/mod.rs"]
mod common;

mod cut;
mod material;
mod plastic;
mod reel;
mod sleep;
mod support;
