//! Locks of hair on a head that is shaken: `cargo run --release --example hair --features examples`.

mod stage;

use std::{f64::consts::TAU, sync::Arc};

use bevy::prelude::*;
use glam::{DQuat, DVec3};
use lariat::{prelude::*, render::Caps, rod::Material};
use parry3d::shape::SharedShape;
use stage::{Props, Stage, props::Finish};

const LOCKS: usize = 450;
const SEGMENTS: u32 = 18;
/// Of a lock, and of the head, m.
const LENGTH: f64 = 0.24;
const THICK: f64 = 0.0015;
const HEAD: f64 = 0.1;
/// One place in so many has hair.
const COVER: usize = 2;

fn main() -> AppExit {
    Stage::new(&format!("{LOCKS} locks of hair on a head that is shaken"))
        .seen_from([0.30, 0.05, 0.50], [0.0, -0.07, 0.0])
        .without_ground()
        .with_contact()
        .app()
        .add_systems(Startup, (head, grow))
        .add_systems(FixedUpdate, shake)
        .run()
}

/// The head turns about the neck, and the roots with it.
#[derive(Component)]
struct Head;

/// Where the first two vertices of a lock are on the head: it leaves the skin in their direction.
#[derive(Component)]
struct Root([DVec3; 2]);

fn head(mut props: Props) {
    let ball = |radius: f64| Sphere::new(radius as f32).mesh().uv(64, 32);
    let skull = RodCollider {
        friction: 0.2,
        ..RodCollider::new(SharedShape::ball(HEAD as f32))
    };
    let head = props
        .add(ball(HEAD), Finish::Skin, Transform::default())
        .insert((Head, skull))
        .id();
    let mut part = |shape: Mesh, finish: Finish, place: Transform| {
        let part = props.add(shape, finish, place).id();
        props.commands.entity(head).add_child(part);
    };
    // Under the hair, and the face.
    part(ball(HEAD), Finish::DarkWood, Transform::from_xyz(0.0, 0.004, -0.005));
    part(ball(0.014), Finish::Skin, Transform::from_xyz(0.0, -0.016, 0.1));
    for x in [-0.034, 0.034] {
        part(ball(0.0095), Finish::Iron, Transform::from_xyz(x, 0.006, 0.091));
    }
    let shoulders = [
        (Vec3::new(0.0, -0.14, -0.01), 0.045, 0.04, Quat::IDENTITY),
        (
            Vec3::new(0.0, -0.25, -0.01),
            0.07,
            0.10,
            Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        ),
    ];
    for (place, radius, half, rotation) in shoulders {
        let touched = (
            RodCollider::new(SharedShape::capsule_y(half, radius)),
            RodColliderPose {
                position: place.as_dvec3(),
                rotation: rotation.as_dquat(),
            },
        );
        let finish = if half < 0.05 { Finish::Skin } else { Finish::Blue };
        let place = Transform::from_translation(place).with_rotation(rotation);
        props
            .add(Capsule3d::new(radius, 2.0 * half), finish, place)
            .insert(touched);
    }
}

/// Places on the head, evenly, but for face and neck.
fn scalp() -> impl Iterator<Item = DVec3> {
    let turn = TAU * 0.618_034;
    let all = (0..COVER * LOCKS).map(move |k| {
        let height = 1.0 - (2 * k + 1) as f64 / (COVER * LOCKS) as f64;
        let ring = (1.0 - height * height).sqrt();
        DVec3::new(ring * (turn * k as f64).cos(), height, ring * (turn * k as f64).sin())
    });
    let covered = |out: &DVec3| match out.z {
        ..0.1 => out.y > -0.45,
        ..0.5 => out.y > 0.45 + 0.5 * out.z,
        _ => false,
    };
    all.filter(covered).take(LOCKS)
}

/// Locks are combed back, with a parting; they fall to where they like to be.
fn grow(mut commands: Commands) -> Result {
    // Some two hundred hairs in a lock that stick together a little: it bends under its own weight within a few centimetres.
    let material = Material {
        friction: 0.2,
        ..Material::rigidity(50.0, 50.0, 2e-6, 2e-6, 0.004).with_damping(Damping::Time(0.05))
    };
    let wave = |s: f64| {
        let (sin, cos) = (2.0 * TAU * s).sin_cos();
        DVec3::new(0.004 * s * sin, LENGTH * s, 0.004 * s * (1.0 - cos))
    };
    let points: Vec<DVec3> = (0..=4 * SEGMENTS)
        .map(|k| wave(f64::from(k) / f64::from(4 * SEGMENTS)))
        .collect();
    let lock = RodSpec::new(Shape::curve(points, SEGMENTS))
        .radius(THICK)
        .material(material);
    let lock = Arc::new(lock.pin(0).pin(1).build()?);
    // Locks touch the head, not each other.
    let layers = RodLayers(CollisionLayers {
        member_of: 2,
        collides_with: 1,
    });
    for (number, out) in scalp().enumerate() {
        // Down behind, to the sides above the face.
        let down = DVec3::new((1.0 + 3.0 * out.z).max(0.0) * out.x.signum(), -1.0, -1.0);
        let along = (0.9 * out + (down - out * out.dot(down)).normalize_or_zero()).normalize();
        let turned = DQuat::from_rotation_arc(DVec3::Y, along) * DQuat::from_rotation_y(2.4 * number as f64);
        let start = out * (HEAD + 1.4 * THICK);
        let shade = 0.75 + 0.1 * (number * 5 % 6) as f32;
        let [red, green, blue] = [0.34, 0.19, 0.10].map(|part| part * shade);
        let look = RodLook {
            radius_scale: 1.5,
            ..RodLook::smooth(Color::srgb(red, green, blue))
                .detail(6, 2)
                .caps(Caps::Round)
        };
        let second = start + turned * (lock.vertices()[1].position - lock.vertices()[0].position);
        commands.spawn((
            Rod::new(lock.clone()).at(start).turned(turned),
            Root([start, second]),
            RodTargets::default(),
            layers,
            look,
        ));
    }
    Ok(())
}

/// To and fro.
fn shake(
    time: Res<Time>,
    head: Single<(&mut Transform, &mut RodColliderPose), With<Head>>,
    mut roots: Query<(&Root, &mut RodTargets)>,
) {
    let seconds = f64::from(time.elapsed_secs());
    // It begins gently.
    let swing = (seconds - 0.8).clamp(0.0, 1.0) * (4.0 * (seconds - 0.8)).sin();
    let turn = DQuat::from_rotation_y(0.8 * swing) * DQuat::from_rotation_z(0.1 * swing);
    let (mut place, mut pose) = head.into_inner();
    place.rotation = turn.as_quat();
    pose.rotation = turn;
    for (root, mut targets) in &mut roots {
        targets.0 = (0..).zip(root.0).map(|(vertex, at)| (vertex, turn * at)).collect();
    }
}
