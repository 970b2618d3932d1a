//! What the papers show, in our own numbers. `--quick` is a short run that only shows that everything works.

mod common;
#[path = "papers/generalized_alpha.rs"]
mod generalized_alpha;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

fn main() {
    generalized_alpha::run();
}
