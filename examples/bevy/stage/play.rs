//! A scene of `examples/scenes` on this stage: the rods, shapes and actions that `lab` runs, the tests check and the benches time.
//!
//! For examples that have `mod scenes` and `mod play` beside `mod stage`.

// Every example takes a part of this.
#![allow(dead_code)]

use std::sync::Arc;

use bevy::prelude::*;
use glam::DQuat;
use lariat::prelude::*;

use crate::scenes::{
    Scene, SceneError, check,
    shapes::Kind,
    stage::{Group, options},
    timeline::Timeline,
};
use crate::stage::{
    Stage,
    props::{Finish, Props},
};

/// The scene that is played, and how far it has come.
#[derive(Resource)]
pub struct Play {
    pub scene: Scene,
    look: fn(&str) -> RodLook,
    cast: Vec<Cast>,
    timeline: Option<Timeline>,
    steps: u32,
}

/// All copies of one rod of the scene.
pub struct Cast {
    pub name: String,
    pub rods: Vec<Entity>,
    description: Arc<RodDescription>,
    rotations: Vec<DQuat>,
}

impl Play {
    pub fn cast(&self) -> &[Cast] {
        &self.cast
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        f64::from(self.steps) * self.scene.frame_seconds()
    }
}

impl Stage {
    /// An app that plays a scene with the steps that it asks for; `look` dresses its rods by their names.
    pub fn play(mut self, scene: Scene, look: fn(&str) -> RodLook) -> App {
        self.rate = scene.rate;
        self.settings = check::settings(&scene);
        let mut app = self.app();
        app.insert_resource(Play {
            scene,
            look,
            cast: Vec::new(),
            timeline: None,
            steps: 0,
        });
        app.add_systems(Startup, build)
            .add_systems(FixedPostUpdate, act.after(RodSystems::Spawn).before(RodSystems::Gather));
        app
    }
}

fn build(mut props: Props, mut play: ResMut<Play>) -> Result {
    let play = &mut *play;
    let descriptions = check::resolve(&play.scene)?;
    for (rod, description) in play.scene.rods.iter().zip(descriptions) {
        let solver = rod.solver.unwrap_or(play.scene.solver);
        let copies = options(rod, &description, solver);
        let look = (play.look)(&rod.name);
        let spawn = |options: &RodOptions| {
            let rod = Rod::new(description.clone()).options(*options);
            props.commands.spawn((rod, look.clone())).id()
        };
        play.cast.push(Cast {
            name: rod.name.clone(),
            rods: copies.iter().map(spawn).collect(),
            rotations: copies.iter().map(|options| options.rotation).collect(),
            description,
        });
    }
    for (i, shape) in play.scene.shapes.iter().enumerate() {
        let collider = shape
            .collider()
            .map_err(|error| SceneError::new(format!("shapes[{i}]"), error.to_string()))?;
        let place = Transform::from_translation(shape.position.as_vec3()).with_rotation(shape.rotation.as_quat());
        let touched = (
            RodCollider {
                friction: collider.friction,
                ..RodCollider::new(collider.shape)
            },
            RodColliderPose {
                position: shape.position,
                rotation: shape.rotation,
            },
        );
        let mesh: Mesh = match shape.kind {
            // The stage has its own.
            Kind::Ground => continue,
            Kind::Ball { radius } => Sphere::new(radius as f32).mesh().uv(48, 24),
            Kind::Box { size } => Cuboid::from_size(size.as_vec3()).into(),
            Kind::Bar { length, radius } => {
                let upright: Mesh = Capsule3d::new(radius as f32, length as f32).into();
                upright.rotated_by(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2))
            }
        };
        props.add(mesh, Finish::Wood, place).insert(touched);
    }
    Ok(())
}

/// The actions that are due, once the rods are in.
fn act(mut play: ResMut<Play>, mut rods: ResMut<Rods>, handles: Query<&RodHandle>) {
    let Play {
        scene,
        cast,
        timeline,
        steps,
        ..
    } = &mut *play;
    let timeline = timeline.get_or_insert_with(|| {
        let id = |rod: &Entity| handles.get(*rod).ok().and_then(RodHandle::id);
        let group = |cast: &Cast| Group {
            name: cast.name.clone(),
            description: cast.description.clone(),
            ids: cast.rods.iter().filter_map(id).collect(),
            rotations: cast.rotations.clone(),
        };
        Timeline::new(&scene.actions, &cast.iter().map(group).collect::<Vec<_>>())
    });
    let seconds = scene.frame_seconds();
    let start = f64::from(*steps) * seconds;
    *steps += 1;
    timeline.act(&mut rods, start, f64::from(*steps) * seconds);
}
