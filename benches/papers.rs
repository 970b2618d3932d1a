//! What the papers measured, measured again on one core: a file a paper. `--quick` is a short run that only shows that everything works.

mod common;
#[path = "papers/generalized_alpha.rs"]
mod generalized_alpha;
#[path = "papers/position_orientation.rs"]
mod position_orientation;
#[path = "papers/rivals/mod.rs"]
mod rivals;
#[path = "../examples/scenes/mod.rs"]
mod scenes;
#[path = "papers/static_shapes.rs"]
mod static_shapes;

fn main() {
    position_orientation::compare();
    generalized_alpha::run();
    let spread = static_shapes::spread(static_shapes::METHODS);
    common::figure("static_shape_spread", spread);
}
