//! A ton of iron on a wire rope swings into a wall: `cargo run --example wrecking_ball --features examples`.

mod stage;

use avian3d::prelude::*;
use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Props, Stage, props::Finish};

fn main() -> AppExit {
    Stage::new("Wrecking ball: a ton on a rope of 15 kg")
        .seen_from([-5.4, 3.4, 10.2], [0.3, 3.5, 0.0])
        .with_bodies()
        // Swings live on.
        .settings(|settings| settings.substeps = 2)
        .app()
        .add_systems(Startup, (hang, build_a_wall))
        .run()
}

const RADIUS: f32 = 0.5;
const TOP: DVec3 = DVec3::new(0.0, 6.5, 0.0);

fn hang(mut props: Props) {
    // Drawn back to the left, and let go.
    let way = DVec3::new(-0.75, -0.66, 0.0).normalize();
    let shackle = TOP + way * 4.6;
    let cable = RodSpec::new(Shape::line(TOP, shackle, 40))
        .material(Material::steel_cable())
        .radius(0.025)
        .pin(0);
    let solver = Solver::Direct {
        integrator: Integrator::Bdf2,
    };
    let cable = props
        .commands
        .spawn((Rod::new(cable).solver(solver), RodLook::cable()))
        .id();
    let centre = shackle + way * f64::from(RADIUS);
    let turned = Quat::from_rotation_arc(Vec3::NEG_Y, way.as_vec3());
    let ball = props
        .add(
            Sphere::new(RADIUS).mesh().uv(48, 24),
            Finish::Iron,
            Transform::from_translation(centre.as_vec3()).with_rotation(turned),
        )
        .insert((RigidBody::Dynamic, Collider::sphere(RADIUS), Mass(1000.0)))
        .id();
    let tie = Attachment::ball(cable, RodPoint::End, ball).anchor(DVec3::Y * f64::from(RADIUS));
    props.commands.spawn(tie);
    // The jib.
    let jib = Transform::from_xyz(-0.9, 7.6, -3.0).looking_at(TOP.as_vec3() + Vec3::Y * 0.12, Vec3::Y);
    props.add(Cuboid::new(0.25, 0.25, 7.6), Finish::Yellow, jib);
}

fn build_a_wall(mut props: Props) {
    let size = Vec3::new(0.35, 0.4, 0.8);
    for row in 0..7u32 {
        for column in 0..5u32 {
            let shift = if row % 2 == 0 { 0.0 } else { 0.4 };
            let z = 0.82 * (column as f32 - 2.0) + shift - 0.2;
            let place = Transform::from_xyz(1.9, 0.401 * (row as f32 + 0.5), z);
            let finish = if (row + column) % 3 == 0 {
                Finish::Stone
            } else {
                Finish::Red
            };
            let brick = (
                RigidBody::Dynamic,
                Collider::cuboid(size.x, size.y, size.z),
                ColliderDensity(400.0),
            );
            props.add(Cuboid::from_size(size), finish, place).insert(brick);
        }
    }
}
