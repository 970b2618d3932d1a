//! A slingshot is drawn, and shoots: `cargo run --example slingshot --features examples`.
//!
//! The slingshot is paper 1's, as `lab run slingshot` measures it.

#[path = "stage/play.rs"]
mod play;
#[path = "../scenes/mod.rs"]
mod scenes;
mod stage;

use avian3d::prelude::*;
use bevy::prelude::*;
use glam::DVec3;
use lariat::prelude::*;
use play::Play;
use stage::{Props, Stage, props::Finish};

fn main() -> AppExit {
    let scene = match scenes::builtin::slingshot::slingshot() {
        Ok(scene) => scene,
        Err(error) => {
            eprintln!("{error}");
            return AppExit::error();
        }
    };
    Stage::new("Slingshot")
        .seen_from([9.6, 3.8, 3.6], [0.0, 2.1, -0.9])
        .with_bodies()
        .play(scene, |_| RodLook::smooth(Color::srgb(0.45, 0.29, 0.17)).detail(14, 3))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, (load, let_fly))
        .run()
}

/// Where the crates are, m.
const TARGET: f32 = -6.0;
/// Of the stone, m.
const RADIUS: f32 = 0.17;

/// The stone.
#[derive(Component)]
struct Stone;

/// Crates in the line of fire, on a block.
fn set_up(mut props: Props) {
    let block = Vec3::new(3.2, 1.4, 1.0);
    props
        .add(
            Cuboid::from_size(block),
            Finish::Stone,
            Transform::from_xyz(0.0, block.y / 2.0, TARGET),
        )
        .insert((RigidBody::Static, Collider::cuboid(block.x, block.y, block.z)));
    for row in 0..4u32 {
        for column in 0..(4 - row) {
            let x = 0.62 * (column as f32 - 0.5 * (3 - row) as f32);
            let place = Transform::from_xyz(x, block.y + 0.3 + 0.601 * row as f32, TARGET);
            let crate_ = (
                RigidBody::Dynamic,
                Collider::cuboid(0.6, 0.6, 0.6),
                ColliderDensity(40.0),
            );
            let finish = if (row + column) % 2 == 0 {
                Finish::Red
            } else {
                Finish::White
            };
            props.add(Cuboid::from_length(0.6), finish, place).insert(crate_);
        }
    }
}

/// A stone into the pouch, once there is one.
fn load(
    mut props: Props,
    play: Res<Play>,
    rods: Res<Rods>,
    handles: Query<&RodHandle>,
    stones: Query<(), With<Stone>>,
) {
    let Some(&rod) = play.cast().first().and_then(|cast| cast.rods.first()) else {
        return;
    };
    let Some(view) = handles
        .get(rod)
        .ok()
        .and_then(RodHandle::id)
        .and_then(|id| rods.rod(id))
    else {
        return;
    };
    if !stones.is_empty() {
        return;
    }
    let pouch = pouch(&view);
    let place = view.position(pouch as usize).as_vec3();
    let body = (RigidBody::Dynamic, Collider::sphere(RADIUS), Mass(40.0), Stone);
    let stone = props
        .add(
            Sphere::new(RADIUS).mesh().uv(32, 16),
            Finish::Iron,
            Transform::from_translation(place),
        )
        .insert(body)
        .id();
    props
        .commands
        .spawn(Attachment::ball(rod, RodPoint::Vertex(pouch), stone).anchor(DVec3::ZERO));
}

/// The vertex in which the four bands meet.
fn pouch(rod: &RodRef<'_>) -> u32 {
    let segments = rod.description().segments();
    let bands = |vertex: u32| segments.iter().filter(|s| s.tail == vertex || s.head == vertex).count();
    (0..rod.vertex_count() as u32)
        .find(|&vertex| bands(vertex) == 4)
        .unwrap_or(0)
}

/// It leaves the pouch where the forks are.
fn let_fly(
    mut commands: Commands,
    play: Res<Play>,
    stone: Query<&Position, With<Stone>>,
    ties: Query<Entity, With<Attachment>>,
) {
    if let Ok(place) = stone.single()
        && play.time() > 1.5
        && place.z < 0.0
    {
        ties.iter().for_each(|tie| commands.entity(tie).despawn());
    }
}
