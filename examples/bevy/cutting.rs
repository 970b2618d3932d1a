//! Ropes are cut, and what they held falls: `cargo run --example cutting --features examples`.

mod stage;

use avian3d::prelude::*;
use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Props, Stage, hand, props::Finish};

/// When the knife comes by itself, s.
const KNIFE: f32 = 1.5;

fn main() -> AppExit {
    Stage::new("Cutting a rope")
        .seen_from([1.3, 2.0, 5.2], [0.0, 1.35, 0.0])
        .controls("X: cut where the mouse is")
        .with_bodies()
        .app()
        .add_systems(Startup, hang)
        .add_systems(Update, cut_at_mouse)
        .add_systems(FixedUpdate, cut_by_itself)
        .run()
}

/// The rope that is cut first.
#[derive(Component)]
struct First;

fn hang(mut props: Props) {
    props.add(
        Cuboid::new(3.4, 0.14, 0.14),
        Finish::DarkWood,
        Transform::from_xyz(0.0, 2.87, 0.0),
    );
    for x in [-1.7, 1.7] {
        props.add(
            Cuboid::new(0.14, 2.94, 0.14),
            Finish::DarkWood,
            Transform::from_xyz(x, 1.47, 0.0),
        );
    }
    // A board on two pairs of ropes.
    let board = Vec3::new(1.9, 0.07, 0.5);
    let level = 0.9;
    let deck = props
        .add(
            Cuboid::from_size(board),
            Finish::Wood,
            Transform::from_xyz(0.0, level, 0.0),
        )
        .insert((
            RigidBody::Dynamic,
            Collider::cuboid(board.x, board.y, board.z),
            ColliderDensity(500.0),
        ))
        .id();
    for (x, z) in [(-0.85, -0.2), (-0.85, 0.2), (0.85, -0.2), (0.85, 0.2)] {
        let (top, low) = (
            DVec3::new(x, 2.8, 0.25 * z),
            DVec3::new(x, f64::from(level + board.y / 2.0), z),
        );
        let rope = RodSpec::new(Shape::line(top, low, 32))
            .material(Material::hemp_rope())
            .radius(0.014)
            .pin(0);
        let mut rope = props.commands.spawn(Rod::new(rope));
        if x > 0.0 {
            rope.insert(First);
        }
        let rope = rope.id();
        let anchor = DVec3::new(x, f64::from(board.y / 2.0), z);
        props
            .commands
            .spawn(Attachment::ball(rope, RodPoint::End, deck).anchor(anchor));
    }
    for (k, finish) in [Finish::Red, Finish::Blue, Finish::Yellow].into_iter().enumerate() {
        let place = Transform::from_xyz(0.5 * (k as f32 - 1.0), level + 0.2, 0.0);
        let crate_ = (
            RigidBody::Dynamic,
            Collider::cuboid(0.3, 0.3, 0.3),
            ColliderDensity(200.0),
        );
        props.add(Cuboid::from_length(0.3), finish, place).insert(crate_);
    }
}

fn cut_by_itself(time: Res<Time>, mut rods: ResMut<Rods>, ropes: Query<&RodHandle, With<First>>) -> Result {
    let (now, before) = (time.elapsed_secs(), time.elapsed_secs() - time.delta_secs());
    if now >= KNIFE && before < KNIFE {
        for handle in &ropes {
            if let Some(id) = handle.id() {
                rods.cut(id, RodPoint::Arc(0.9))?;
            }
        }
    }
    Ok(())
}

fn cut_at_mouse(
    keys: Res<ButtonInput<KeyCode>>,
    mut rods: ResMut<Rods>,
    window: Query<&Window>,
    camera: Query<(&Camera, &GlobalTransform)>,
) {
    if keys.just_pressed(KeyCode::KeyX)
        && let Some(ray) = hand::ray(&window, &camera)
        && let Some((hit, _)) = hand::pointed_at(&rods, ray)
        && let Err(error) = rods.cut(hit.rod, hand::place(&hit))
    {
        warn!("{error}");
    }
}
