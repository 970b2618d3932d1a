//! A rope hangs from a beam: `cargo run --example hello_rope --features examples`.

mod stage;

use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Props, Stage, props::Finish};

fn main() -> AppExit {
    Stage::new("Hello, rope")
        .seen_from([1.1, 1.7, 2.8], [-0.1, 1.2, 0.0])
        .app()
        .add_systems(Startup, hang)
        .run()
}

fn hang(mut props: Props) {
    let line = Shape::line(DVec3::Y * 2.0, DVec3::new(1.6, 2.0, 0.0), 32);
    let rope = RodSpec::new(line).material(Material::hemp_rope()).radius(0.02).pin(0);
    props.commands.spawn(Rod::new(rope));
    let beam = Transform::from_xyz(0.0, 2.06, -0.55);
    props.add(Cuboid::new(0.12, 0.12, 1.3), Finish::DarkWood, beam);
    let post = Transform::from_xyz(0.0, 1.0, -1.14);
    props.add(Cuboid::new(0.12, 2.0, 0.12), Finish::DarkWood, post);
}
