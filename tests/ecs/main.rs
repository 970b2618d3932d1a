//! Rods as components, in worlds of plain `bevy_ecs`.

mod actions;
#[path = "../coupling/bodies.rs"]
mod bodies;
#[path = "../common/mod.rs"]
mod common;
mod controls;
mod drawing;
mod hearing;
mod settings;
mod spawning;
mod stages;
mod support;
mod time_travel;
mod touching;
mod tying;
