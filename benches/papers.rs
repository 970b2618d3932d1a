//! What the papers measured, measured again on one core: a file a paper.

mod common;
#[path = "papers/generalized_alpha.rs"]
mod generalized_alpha;
#[path = "papers/position_orientation.rs"]
mod position_orientation;
#[path = "papers/rivals/mod.rs"]
mod rivals;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

fn main() {
    position_orientation::compare();
    generalized_alpha::run();
}
