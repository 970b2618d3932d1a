//! `lab`, the headless scene runner: `cargo run --release --example lab` shows what it does, `-- --help` what it can.

mod args;
mod cli;
mod compare;
mod ink;
mod outline;
mod panel;
mod picture;
mod plot;
mod progress;
#[path = "../scenes/mod.rs"]
mod scenes;
mod solids;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    ExitCode::from(cli::lab(arguments, &mut std::io::stdout(), &mut std::io::stderr()))
}
