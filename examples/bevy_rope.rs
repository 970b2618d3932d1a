//! A weight swings on a rope in a Bevy app: `cargo run --example bevy_rope --features bevy_app`.

use bevy_app::{ScheduleRunnerPlugin, prelude::*};
use bevy_ecs::prelude::*;
use glam::DVec3;
use lariat::prelude::*;

fn main() {
    App::new()
        .add_plugins(ScheduleRunnerPlugin::default()) // A game has DefaultPlugins here, and RodPlugin::default().
        .add_plugins(RodPlugin::new(Update))
        .add_systems(Startup, hang)
        .add_systems(PostUpdate, watch)
        .run();
}

fn hang(mut commands: Commands) {
    let shape = Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32);
    let rope = RodSpec::new(shape).material(Material::hemp_rope()).radius(0.01);
    commands.spawn((Rod::new(rope.pin(0).load(32, 80.0)), RodTension::default()));
}

fn watch(ropes: Query<(&RodPose, &RodTension)>, mut frames: Local<u32>, mut exit: MessageWriter<AppExit>) {
    for (pose, tension) in ropes.iter().filter(|_| frames.is_multiple_of(15)) {
        let (end, pull) = (pose.positions[32], tension.0[0]);
        println!(
            "{:5.2} s  the end is at {end:.2}, the nail holds {pull:.0} N",
            *frames as f32 / 60.0
        );
    }
    *frames += 1;
    if *frames > 180 {
        exit.write(AppExit::Success);
    }
}
