//! A net catches balls: `cargo run --example net --features examples`.
//!
//! The balls are bodies of avian with its colliders: what the net feels of them, they feel of the net.

mod stage;

use avian3d::prelude::{Collider, ColliderDensity, Friction, RigidBody};
use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Note, Props, Stage, props::Finish};

/// Meshes each way, the width of one, and the height of the corners, m.
const MESHES: u32 = 8;
const MESH: f64 = 0.36;
const HEIGHT: f64 = 2.2;
/// How much longer the cords are than the way between the posts.
const SLACK: f64 = 1.08;
/// Of a ball, m.
const RADIUS: f32 = 0.3;

fn main() -> AppExit {
    Stage::new("A net catches balls")
        .seen_from([1.9, 3.7, 4.7], [0.0, 1.5, 0.0])
        .controls("B: another ball")
        .with_bodies()
        .with_contact()
        .app()
        .add_systems(Startup, (knot, drop_the_first))
        .add_systems(Update, (drop_another, count))
        .run()
}

/// Cords knotted where they cross, within a thicker one around, on four posts.
fn knot(mut props: Props) -> Result {
    let cord = |radius: f64| -> Result<(SegmentProperties, JointProperties)> {
        let (nylon, section) = (Material::nylon_rope(), Section::round(radius));
        let segment = SegmentProperties {
            rest_scale: SLACK,
            ..SegmentProperties::of(&nylon, &section)?
        };
        Ok((segment, JointProperties::of(&nylon, &section)?))
    };
    let (thin, thick) = (cord(0.009)?, cord(0.015)?);
    let half = 0.5 * MESH * f64::from(MESHES);
    let mut graph = GraphBuilder::new();
    let knots: Vec<Vec<u32>> = (0..=MESHES)
        .map(|j| {
            let knot = |i: u32| DVec3::new(MESH * f64::from(i) - half, HEIGHT, MESH * f64::from(j) - half);
            (0..=MESHES).map(|i| graph.add_vertex(knot(i))).collect()
        })
        .collect();
    for line in 0..=MESHES as usize {
        let (segment, joint) = if line == 0 || line == MESHES as usize {
            &thick
        } else {
            &thin
        };
        let column: Vec<u32> = knots.iter().map(|row| row[line]).collect();
        for knots in [&knots[line], &column] {
            // A cord bends between two knots, too.
            let mut path = vec![knots[0]];
            for pair in knots.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|knot| graph.position(knot).unwrap_or_default());
                path.extend([graph.add_vertex(a.midpoint(b)), pair[1]]);
            }
            graph.add_path(&path, segment, Some(joint));
        }
    }
    for (i, j) in [(0, 0), (0, MESHES), (MESHES, 0), (MESHES, MESHES)] {
        let corner = knots[j as usize][i as usize];
        graph.pin(corner);
        let place = graph.position(corner).unwrap_or_default().as_vec3();
        let post = Transform::from_xyz(1.03 * place.x, 0.5 * HEIGHT as f32 + 0.05, 1.03 * place.z);
        props.add(Cylinder::new(0.07, HEIGHT as f32 + 0.1), Finish::DarkWood, post);
    }
    props
        .commands
        .spawn((Rod::new(graph.finish()?), RodLook::rope().detail(8, 3)));
    Ok(())
}

#[derive(Component)]
struct Ball;

fn drop_the_first(mut props: Props) {
    (0..6).for_each(|number| drop_ball(&mut props, number, HEIGHT as f32 + 1.1 + 1.2 * number as f32));
}

fn drop_another(mut props: Props, keys: Res<ButtonInput<KeyCode>>, balls: Query<(), With<Ball>>) {
    if keys.just_pressed(KeyCode::KeyB) {
        drop_ball(&mut props, balls.iter().count() as u32, HEIGHT as f32 + 2.0);
    }
}

fn drop_ball(props: &mut Props, number: u32, height: f32) {
    let finishes = [Finish::Red, Finish::Blue, Finish::Yellow, Finish::White, Finish::Green];
    let finish = finishes[number as usize % finishes.len()];
    let (sin, cos) = (2.4 * number as f32).sin_cos();
    let body = (
        RigidBody::Dynamic,
        Collider::sphere(RADIUS),
        ColliderDensity(80.0),
        Friction::new(0.3),
    );
    props
        .add(
            Sphere::new(RADIUS).mesh().uv(48, 24),
            finish,
            Transform::from_xyz(0.55 * cos, height, 0.55 * sin),
        )
        .insert((body, Ball));
}

fn count(balls: Query<(), With<Ball>>, mut note: ResMut<Note>) {
    let mass = 80.0 * 4.0 / 3.0 * std::f32::consts::PI * RADIUS.powi(3);
    note.0 = format!("{} balls of {mass:.0} kg", balls.iter().count());
}
