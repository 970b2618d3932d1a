//! An overhand knot is pulled tight, and holds: `cargo run --example knot --features examples`.
//!
//! The scene is the one that `lab run knot` measures.

#[path = "stage/play.rs"]
mod play;
#[path = "../scenes/mod.rs"]
mod scenes;
mod stage;

use bevy::prelude::*;
use lariat::prelude::*;
use stage::Stage;

fn main() -> AppExit {
    Stage::new("A knot is pulled tight")
        .seen_from([0.10, 0.22, 0.42], [0.0, 0.0, 0.0])
        .without_ground()
        .play(scenes::builtin::contact::knot(), |_| RodLook::rope().detail(20, 6))
        .run()
}
