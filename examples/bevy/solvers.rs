//! The same loaded rope by four solvers, side by side: `cargo run --example solvers --features examples`.

mod stage;

use bevy::prelude::*;
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use stage::{Props, Stage, props::Finish};

/// What each is called, and the colour of its rope.
const SOLVERS: [(&str, Solver, [f32; 3]); 4] = [
    (
        "Direct",
        Solver::Direct {
            integrator: Integrator::Euler,
        },
        [0.20, 0.55, 0.25],
    ),
    ("Stable Cosserat", Solver::GROOM, [0.85, 0.60, 0.15]),
    ("XPBD", Solver::XPBD, [0.75, 0.20, 0.18]),
    (
        "Discrete elastic rods",
        Solver::Elastic {
            curvature: Curvature::BothFrames,
        },
        [0.20, 0.40, 0.75],
    ),
];
const APART: f64 = 1.1;
const SEGMENTS: u32 = 32;

fn main() -> AppExit {
    Stage::new("The same rope with 10 kg by four solvers, eight iterations a frame\ngreen Direct, orange Stable Cosserat, red XPBD, blue discrete elastic rods")
        .seen_from([4.2, 1.4, 6.2], [0.1, 2.2, 0.0])
        .without_ground()
        // As games have it: one step a frame, eight iterations.
        .settings(|settings| settings.iterations = 8)
        .app()
        .add_systems(Startup, hang)
        .add_systems(PostUpdate, weights)
        .run()
}

/// The weight at the end of a rope.
#[derive(Component)]
struct Weight(Entity);

fn hang(mut props: Props) {
    props.add(
        Cuboid::new(4.8, 0.12, 0.12),
        Finish::DarkWood,
        Transform::from_xyz(0.0, 4.06, 0.0),
    );
    for (k, (_, solver, color)) in SOLVERS.into_iter().enumerate() {
        let top = DVec3::new(APART * (k as f64 - 1.5), 4.0, 0.0);
        let out = DVec3::new(0.0, -0.55, 0.84).normalize();
        let rope = RodSpec::new(Shape::line(top, top + out * 2.0, SEGMENTS))
            .material(Material::hemp_rope())
            .radius(0.02)
            .pin(0)
            .load(SEGMENTS, 10.0);
        let look = RodLook::braid(Color::srgb_from_array(color));
        let rope = props.commands.spawn((Rod::new(rope).solver(solver), look)).id();
        props
            .add(Sphere::new(0.11).mesh().uv(32, 16), Finish::Iron, Transform::default())
            .insert(Weight(rope));
    }
}

fn weights(mut weights: Query<(&Weight, &mut Transform)>, poses: Query<&RodPose>) {
    for (weight, mut place) in &mut weights {
        if let Some(end) = poses.get(weight.0).ok().and_then(|pose| pose.positions.last()) {
            place.translation = *end;
        }
    }
}
