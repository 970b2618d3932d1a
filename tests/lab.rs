//! The lab from outside: its command line, its scene files good and bad, its built-in scenes, its runs.

#[path = "../examples/lab/args.rs"]
mod args;
#[path = "../examples/lab/cli.rs"]
mod cli;
#[path = "../examples/lab/compare.rs"]
mod compare;
#[path = "../examples/lab/ink.rs"]
mod ink;
#[path = "../examples/lab/outline.rs"]
mod outline;
#[path = "../examples/lab/panel.rs"]
mod panel;
#[path = "../examples/lab/picture.rs"]
mod picture;
#[path = "../examples/lab/plot.rs"]
mod plot;
#[path = "../examples/lab/progress.rs"]
mod progress;
#[path = "../examples/scenes/mod.rs"]
mod scenes;
#[path = "../examples/lab/solids.rs"]
mod solids;
#[path = "../examples/lab/table.rs"]
mod table;

#[path = "lab/bridge_ball.rs"]
mod bridge_ball;
#[path = "lab/built_in_scenes.rs"]
mod built_in_scenes;
#[path = "lab/command_line.rs"]
mod command_line;
#[path = "lab/playing.rs"]
mod playing;
#[path = "lab/scene_files.rs"]
mod scene_files;
#[path = "lab/walking.rs"]
mod walking;
