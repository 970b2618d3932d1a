//! More and more ropes, with a counter: `cargo run --release --example stress --features examples`.

mod stage;

use std::sync::Arc;

use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Note, Stage};

const SEGMENTS: u32 = 24;
const START: usize = 600;

fn main() -> AppExit {
    Stage::new("Stress test")
        .seen_from([4.2, 3.0, 6.0], [0.0, 1.5, 0.0])
        .controls("up, down: a hundred ropes more or less")
        .app()
        .insert_resource(Wanted(START))
        .add_systems(Startup, weave)
        .add_systems(Update, (ask, hang).chain())
        .add_systems(FixedUpdate, swing)
        .run()
}

/// How many ropes there shall be.
#[derive(Resource)]
struct Wanted(usize);

/// All ropes share one description.
#[derive(Resource)]
struct Yarn(Arc<RodDescription>);

fn weave(mut commands: Commands) -> Result {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::Y * -1.8, SEGMENTS))
        .material(Material::nylon_rope())
        .radius(0.012);
    commands.insert_resource(Yarn(Arc::new(rope.pin(0).build()?)));
    Ok(())
}

fn ask(keys: Res<ButtonInput<KeyCode>>, mut wanted: ResMut<Wanted>) {
    if keys.just_pressed(KeyCode::ArrowUp) {
        wanted.0 += 100;
    }
    if keys.just_pressed(KeyCode::ArrowDown) {
        wanted.0 = wanted.0.saturating_sub(100);
    }
}

/// The place of a rope, on a spiral that fills a disc.
fn place(number: usize) -> DVec3 {
    let (angle, radius) = (2.399_963 * number as f64, 0.11 * (number as f64).sqrt());
    DVec3::new(radius * angle.cos(), 2.6, radius * angle.sin())
}

#[derive(Component)]
struct Number(usize);

fn hang(
    mut commands: Commands,
    wanted: Res<Wanted>,
    yarn: Res<Yarn>,
    ropes: Query<(Entity, &Number)>,
    diagnostics: Res<RodDiagnostics>,
    mut note: ResMut<Note>,
) {
    let there = ropes.iter().count();
    for number in there..wanted.0 {
        let at = place(number);
        let hue = 360.0 * ((0.618 * number as f32) % 1.0);
        let look = RodLook::braid(Color::hsl(hue.round(), 0.45, 0.5)).detail(6, 1);
        let rope = Rod::new(yarn.0.clone()).at(at);
        commands.spawn((rope, look, Number(number), RodTargets(vec![(0, at)])));
    }
    for (rope, _) in ropes.iter().filter(|(_, number)| number.0 >= wanted.0) {
        commands.entity(rope).despawn();
    }
    note.0 = format!(
        "{} ropes, {} segments",
        diagnostics.rods,
        diagnostics.rods * SEGMENTS as usize
    );
}

/// The disc that they hang from turns to and fro.
fn swing(time: Res<Time>, mut ropes: Query<(&Number, &mut RodTargets)>) {
    let angle = 0.9 * f64::from((1.6 * time.elapsed_secs()).sin());
    let turn = glam::DQuat::from_rotation_y(angle);
    for (number, mut targets) in &mut ropes {
        targets.0 = vec![(0, turn * place(number.0))];
    }
}
