//! A crane lifts a load with its winch and swings it over: `cargo run --example crane --features examples`.

mod stage;

use avian3d::prelude::*;
use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Note, Props, Stage, props::Finish};

fn main() -> AppExit {
    Stage::new("Winch and crane")
        .seen_from([6.0, 3.4, 8.0], [0.9, 2.9, 0.0])
        .controls("W, S: wind up and down | A, D: turn")
        .with_bodies()
        .app()
        .add_systems(Startup, build)
        .add_systems(FixedUpdate, (operate, lead).chain())
        .run()
}

const MAST: f32 = 5.0;
const JIB: f32 = 3.4;
const ROPE: f64 = 4.0;

/// The turning upper part.
#[derive(Component, Default)]
struct Crane {
    angle: f32,
    speed: f32,
}

fn tip(angle: f32) -> Vec3 {
    Quat::from_rotation_y(angle) * Vec3::new(JIB, MAST + 0.35, 0.0)
}

fn build(mut props: Props) {
    props.add(
        Cuboid::new(1.6, 0.3, 1.6),
        Finish::Stone,
        Transform::from_xyz(0.0, 0.15, 0.0),
    );
    props.add(
        Cuboid::new(0.36, MAST, 0.36),
        Finish::Yellow,
        Transform::from_xyz(0.0, MAST / 2.0, 0.0),
    );
    let upper = props
        .commands
        .spawn((Crane::default(), Transform::default(), Visibility::default()))
        .id();
    let mut part = |shape: Cuboid, finish: Finish, place: Transform| {
        let part = props.add(shape, finish, place).id();
        props.commands.entity(upper).add_child(part);
    };
    part(
        Cuboid::new(JIB + 2.2, 0.22, 0.22),
        Finish::Yellow,
        Transform::from_xyz(JIB / 2.0 - 1.1, MAST + 0.5, 0.0),
    );
    part(
        Cuboid::new(0.8, 0.7, 0.7),
        Finish::Iron,
        Transform::from_xyz(-1.7, MAST + 0.15, 0.0),
    );
    part(
        Cuboid::new(0.55, 0.6, 0.55),
        Finish::Blue,
        Transform::from_xyz(0.0, MAST + 0.2, 0.0),
    );

    let top = tip(0.0).as_dvec3();
    let hook = top - DVec3::Y * ROPE;
    let cable = RodSpec::new(Shape::line(top, hook, 40))
        .material(Material::steel_cable())
        .radius(0.02)
        .pin(0);
    let winch = RodWinch::new(RodEnd::Start, 0.0).between(0.6, 4.6);
    let cable = props
        .commands
        .spawn((Rod::new(cable), RodLook::cable(), winch, RodTargets(vec![(0, top)])))
        .id();
    // A concrete pipe on its side, in a sling.
    let load = Vec3::new(0.9, 0.9, 1.5);
    let place = Transform::from_translation(hook.as_vec3() - Vec3::Y * load.y / 2.0);
    let load = props
        .add(Cuboid::from_size(load), Finish::Red, place)
        .insert((
            RigidBody::Dynamic,
            Collider::cuboid(load.x, load.y, load.z),
            Mass(800.0),
        ))
        .id();
    props
        .commands
        .spawn(Attachment::ball(cable, RodPoint::End, load).anchor(DVec3::Y * 0.45));
}

/// By hand, or until somebody touches the keys, by itself: up, and round.
fn operate(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut manned: Local<bool>,
    mut crane: Single<&mut Crane>,
    mut winch: Single<&mut RodWinch>,
    load: Single<&AttachmentLoad>,
    mut note: ResMut<Note>,
) {
    *manned |= keys.any_pressed([KeyCode::KeyW, KeyCode::KeyS, KeyCode::KeyA, KeyCode::KeyD]);
    let axis = |less: KeyCode, more: KeyCode| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let (wind, turn) = match *manned {
        true => (axis(KeyCode::KeyW, KeyCode::KeyS), axis(KeyCode::KeyA, KeyCode::KeyD)),
        false => match time.elapsed_secs() {
            ..3.0 => (-1.0, 0.6),
            ..5.0 => (0.0, -1.0),
            ..8.0 => (1.0, 0.0),
            _ => (0.0, 0.0),
        },
    };
    // Nothing starts at once.
    let ease = 1.0 - (-3.0 * time.delta_secs()).exp();
    crane.speed += ease * (0.5 * turn - crane.speed);
    let wanted = f64::from(wind) * 0.7;
    let speed = winch.speed + f64::from(ease) * (wanted - winch.speed);
    winch.speed = if speed.abs() < 1e-3 { 0.0 } else { speed };
    note.0 = format!("{:.1} kN on the hook", load.force.length() / 1e3);
}

/// The rope begins where the jib ends.
fn lead(time: Res<Time>, crane: Single<(&mut Crane, &mut Transform)>, mut targets: Single<&mut RodTargets>) {
    let (mut crane, mut place) = crane.into_inner();
    crane.angle += crane.speed * time.delta_secs();
    place.rotation = Quat::from_rotation_y(crane.angle);
    targets.0 = vec![(0, tip(crane.angle).as_dvec3())];
}
