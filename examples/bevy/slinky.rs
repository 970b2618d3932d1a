//! A slinky walks down stairs: `cargo run --release --example slinky --features examples`.
//!
//! The scene is the one that `lab run stairs` measures.

#[path = "stage/play.rs"]
mod play;
#[path = "../scenes/mod.rs"]
mod scenes;
mod stage;

use bevy::prelude::*;
use lariat::prelude::*;
use stage::Stage;

fn main() -> AppExit {
    let scene = scenes::builtin::stairs::stairs(&Default::default());
    Stage::new("A slinky walks down stairs")
        .seen_from([0.46, 0.17, 0.50], [0.14, -0.10, 0.0])
        .without_ground()
        .play(scene, |_| RodLook::smooth(Color::srgb(0.16, 0.30, 0.58)).detail(8, 3))
        .run()
}
