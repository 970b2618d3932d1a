//! What the papers show, in our own numbers. `--quick` is a short run that only shows that everything works.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;
#[path = "papers/static_shapes.rs"]
mod static_shapes;

fn main() {
    common::figure(
        "static_shape_spread",
        static_shapes::spread(static_shapes::METHODS, common::quick()),
    );
}
