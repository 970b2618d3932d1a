//! A crate on a rope, to take hold of with the mouse: `cargo run --example grab_crate --features examples`.

mod stage;

use avian3d::prelude::*;
use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Props, Stage, props::Finish};

fn main() -> AppExit {
    Stage::new("A crate on a rope")
        .seen_from([2.9, 1.9, 3.9], [-0.35, 1.62, 0.0])
        .with_bodies()
        .app()
        .add_systems(Startup, hang)
        .run()
}

const SIZE: f32 = 0.6;

fn hang(mut props: Props) {
    gallows(&mut props);
    let (top, knot) = (DVec3::new(0.0, 3.0, 0.0), DVec3::new(0.5, 1.5, 1.3));
    let rope = RodSpec::new(Shape::line(top, knot, 40))
        .material(Material::hemp_rope())
        .radius(0.018)
        .pin(0);
    let rope = props.commands.spawn(Rod::new(rope)).id();
    // The knot is in the middle of the crate's lid.
    let lid = SIZE / 2.0 * Vec3::Y;
    let crate_ = props
        .add(
            Cuboid::from_length(SIZE),
            Finish::Wood,
            Transform::from_translation(knot.as_vec3() - lid),
        )
        .insert((
            RigidBody::Dynamic,
            Collider::cuboid(SIZE, SIZE, SIZE),
            ColliderDensity(150.0),
        ))
        .id();
    slats(&mut props, crate_);
    props
        .commands
        .spawn(Attachment::ball(rope, RodPoint::End, crate_).anchor(lid.as_dvec3()));
}

fn gallows(props: &mut Props) {
    props
        .add(
            Cuboid::new(0.16, 3.2, 0.16),
            Finish::DarkWood,
            Transform::from_xyz(-1.5, 1.6, 0.0),
        )
        .insert((RigidBody::Static, Collider::cuboid(0.16, 3.2, 0.16)));
    for (size, place, tilt) in [
        (2.0, Vec3::new(-0.7, 3.08, 0.0), 0.0),
        (0.9, Vec3::new(-1.2, 2.72, 0.0), std::f32::consts::FRAC_PI_4),
    ] {
        let place = Transform::from_translation(place).with_rotation(Quat::from_rotation_z(tilt));
        props.add(Cuboid::new(size, 0.13, 0.13), Finish::DarkWood, place);
    }
}

/// The edges of the crate.
fn slats(props: &mut Props, crate_: Entity) {
    let (half, thick) = (SIZE / 2.0, 0.07);
    for (axis, a, b) in [
        (Vec3::X, Vec3::Y, Vec3::Z),
        (Vec3::Y, Vec3::Z, Vec3::X),
        (Vec3::Z, Vec3::X, Vec3::Y),
    ] {
        for (i, j) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let size = Vec3::splat(thick) + axis * (SIZE - thick + 0.02);
            let place = (half - thick / 2.0 + 0.01) * (a * i + b * j);
            let slat = props
                .add(
                    Cuboid::from_size(size),
                    Finish::DarkWood,
                    Transform::from_translation(place),
                )
                .id();
            props.commands.entity(crate_).add_child(slat);
        }
    }
}
