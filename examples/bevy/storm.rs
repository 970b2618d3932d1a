//! A cable-stayed bridge in a storm: cables break, and the deck comes down: `cargo run --example storm --features examples`.
//!
//! The scene is paper 1's, as `lab run bridge_storm` measures it.

#[path = "stage/play.rs"]
mod play;
#[path = "../scenes/mod.rs"]
mod scenes;
mod stage;

use bevy::prelude::*;
use lariat::prelude::*;
use scenes::builtin::bridge::{Bridge, bridge};
use stage::{Note, Stage};

fn main() -> AppExit {
    let scene = match bridge(&Bridge::storm()) {
        Ok(scene) => scene,
        Err(error) => {
            eprintln!("{error}");
            return AppExit::error();
        }
    };
    Stage::new("A bridge in a storm")
        .seen_from([64.0, 7.0, 32.0], [36.0, 8.5, 0.0])
        .play(scene, |_| RodLook::smooth(Color::srgb(0.86, 0.87, 0.88)).detail(8, 1))
        .add_systems(Update, count)
        .run()
}

fn count(rods: Res<Rods>, mut note: ResMut<Note>) {
    let broken: usize = rods
        .ids()
        .filter_map(|id| rods.rod(id))
        .map(|rod| rod.broken().len())
        .sum();
    note.0 = format!("20 m/s, {broken} pieces broken");
}
