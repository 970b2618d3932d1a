//! A rope in a window, and nothing else: `cargo run --example first_rope --features examples`.

use bevy::{core_pipeline::tonemapping::Tonemapping, prelude::*};
use glam::DVec3;
use lariat::{prelude::*, rod::Material};

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, LariatPlugin::default()))
        .add_systems(Startup, hang)
        .run();
}

fn hang(mut commands: Commands) {
    let line = Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32);
    let rope = RodSpec::new(line).material(Material::hemp_rope()).radius(0.02).pin(0);
    commands.spawn(Rod::new(rope));

    let camera = Transform::from_xyz(0.0, -0.5, 5.0);
    commands.spawn((Camera3d::default(), Tonemapping::KhronosPbrNeutral, camera));
    let sun = Transform::default().looking_to(Vec3::new(-1.0, -2.0, -1.5), Vec3::Y);
    commands.spawn((DirectionalLight::default(), sun));
}
