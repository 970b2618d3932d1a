//! Planks on ropes over a gap, and a ball that rolls across: `cargo run --example rope_bridge --features examples`.

mod stage;

use avian3d::prelude::*;
use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Props, Stage, props::Finish};

const PLANKS: u32 = 18;
/// From plank to plank, and the planks themselves, m.
const PITCH: f32 = 0.3;
const PLANK: Vec3 = Vec3::new(0.24, 0.05, 1.1);
/// The rope has a vertex every half pitch: two under each plank, and one at either end.
const PIECES: u32 = 2 * PLANKS + 1;
const SPAN: f32 = PITCH / 2.0 * PIECES as f32;
const HEIGHT: f32 = 1.6;
const RAIL: f32 = 0.75;

fn main() -> AppExit {
    Stage::new("Rope bridge")
        .seen_from([4.4, 3.1, 5.6], [0.2, 1.45, 0.0])
        .with_bodies()
        .app()
        .add_systems(Startup, (build, roll))
        .run()
}

/// Where the ropes of the deck are to begin with: nearly as they will hang.
fn sag(x: f32) -> f32 {
    let part = 2.0 * x / SPAN;
    HEIGHT - 0.25 * (1.0 - part * part)
}

/// A plank stands on four places, two on each side's rope: the side is one rod, its rail and the hangers between included.
fn build(mut props: Props) -> Result {
    let planks: Vec<Entity> = (0..PLANKS).map(|plank| lay(&mut props, plank)).collect();
    let rope = SegmentProperties::of(&Material::hemp_rope(), &Section::round(0.018))?;
    let bend = JointProperties::of(&Material::hemp_rope(), &Section::round(0.018))?;
    let thin = SegmentProperties::of(&Material::hemp_rope(), &Section::round(0.009))?;
    for side in [-1.0, 1.0] {
        let mut graph = GraphBuilder::new();
        let at = |k: u32, up: f32| {
            let x = PITCH / 2.0 * k as f32 - SPAN / 2.0;
            DVec3::new(x.into(), (sag(x) + up).into(), (side * PLANK.z / 2.0).into())
        };
        let mut deck = Vec::new();
        let mut rail = Vec::new();
        for k in 0..=PIECES {
            deck.push(graph.add_vertex(at(k, 0.0)));
            rail.push(graph.add_vertex(at(k, RAIL)));
        }
        graph.add_path(&deck, &rope, Some(&bend));
        graph.add_path(&rail, &rope, Some(&bend));
        for k in (2..PIECES - 1).step_by(4) {
            let inner: Vec<u32> = (1..3)
                .map(|part| graph.add_vertex(at(k, RAIL * part as f32 / 3.0)))
                .collect();
            graph.add_path(&[deck[k as usize], inner[0], inner[1], rail[k as usize]], &thin, None);
        }
        for end in [0, PIECES as usize] {
            graph.pin(deck[end]).pin(rail[end]);
        }
        let rod = props.commands.spawn(Rod::new(graph.finish()?)).id();
        for (plank, &body) in (0..PLANKS).zip(&planks) {
            for (k, x) in [(2 * plank + 1, -PITCH / 4.0), (2 * plank + 2, PITCH / 4.0)] {
                let vertex = RodPoint::Vertex(deck[k as usize]);
                let anchor = Vec3::new(x, 0.0, side * PLANK.z / 2.0);
                props
                    .commands
                    .spawn(Attachment::ball(rod, vertex, body).anchor(anchor.as_dvec3()));
            }
        }
    }
    Ok(())
}

fn lay(props: &mut Props, plank: u32) -> Entity {
    let x = PITCH * (plank as f32 + 0.75) - SPAN / 2.0;
    let place = Transform::from_xyz(x, sag(x), 0.0);
    let body = (
        RigidBody::Dynamic,
        Collider::cuboid(PLANK.x, PLANK.y, PLANK.z),
        ColliderDensity(500.0),
    );
    props
        .add(Cuboid::from_size(PLANK), Finish::Wood, place)
        .insert(body)
        .id()
}

/// The cliffs, the posts and the ball.
fn roll(mut props: Props) {
    for side in [-1.0, 1.0] {
        let cliff = Vec3::new(3.0, HEIGHT + 0.02, 3.0);
        let x = side * (SPAN / 2.0 + 0.06 + cliff.x / 2.0);
        props
            .add(
                Cuboid::from_size(cliff),
                Finish::Stone,
                Transform::from_xyz(x, cliff.y / 2.0, 0.0),
            )
            .insert((RigidBody::Static, Collider::cuboid(cliff.x, cliff.y, cliff.z)));
        for z in [-PLANK.z / 2.0, PLANK.z / 2.0] {
            let post = Transform::from_xyz(side * (SPAN / 2.0 + 0.06), HEIGHT + 0.45, z);
            props.add(Cylinder::new(0.06, 1.0), Finish::DarkWood, post);
        }
    }
    let ball = (
        RigidBody::Dynamic,
        Collider::sphere(0.3),
        Mass(60.0),
        LinearVelocity(Vec3::X * 2.4),
        AngularVelocity(Vec3::NEG_Z * 8.0),
    );
    let place = Transform::from_xyz(-SPAN / 2.0 - 0.6, HEIGHT + 0.34, 0.0);
    props
        .add(Sphere::new(0.3).mesh().uv(48, 24), Finish::Blue, place)
        .insert(ball);
}
