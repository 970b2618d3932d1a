//! Avian as the scenes want it: an app without a window, a step each update.

use std::time::Duration;

use avian3d::prelude::*;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use glam::{DQuat, DVec3};
use lariat::{ecs::TiedTo, hosts::avian3d::AvianRodPlugin, prelude::*};

use super::engines::{Engine, Seen, Solid};

pub struct Avian {
    pub app: App,
}

/// An app whose fixed step is one update.
pub fn app(frame: f64) -> App {
    let frame = Duration::from_secs_f64(frame);
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        PhysicsPlugins::default(),
        AvianRodPlugin::default(),
    ));
    app.insert_resource(Time::<Fixed>::from_duration(frame))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app.finish();
    app.cleanup();
    // The first update has no time in it.
    app.update();
    app
}

fn entity(body: BodyId) -> Entity {
    Entity::from_bits(body.0)
}

impl Avian {
    fn add(&mut self, shape: Solid, place: DVec3, orientation: DQuat, mass: f64) -> EntityWorldMut<'_> {
        let (collider, volume) = collider(shape);
        self.app.world_mut().spawn((
            RigidBody::Dynamic,
            collider,
            ColliderDensity((mass / volume) as f32),
            Friction::new(0.6),
            Restitution::new(0.0),
            SleepingDisabled,
            Position(place.as_vec3()),
            Rotation(orientation.as_quat()),
        ))
    }
}

impl Avian {
    /// A body that nothing moves.
    fn hold(&mut self, kind: RigidBody, shape: Solid, place: DVec3) -> BodyId {
        let shape = (collider(shape).0, Friction::new(0.6));
        let body = (kind, shape, Position(place.as_vec3()));
        RodBodies::id(self.app.world_mut().spawn(body).id())
    }
}

/// A shape and its volume, m³.
fn collider(shape: Solid) -> (Collider, f64) {
    match shape {
        Solid::Ball(r) => (Collider::sphere(r as f32), 4.0 / 3.0 * std::f64::consts::PI * r * r * r),
        Solid::Cuboid(h) => (
            Collider::cuboid(2.0 * h.x as f32, 2.0 * h.y as f32, 2.0 * h.z as f32),
            8.0 * h.x * h.y * h.z,
        ),
    }
}

impl Engine for Avian {
    fn new(gravity: f64, settings: Settings, frame: f64) -> Self {
        let mut app = app(frame);
        app.insert_resource(Gravity((DVec3::Y * -gravity).as_vec3()))
            .insert_resource(RodSettings(settings));
        Self { app }
    }

    fn solid(&mut self, shape: Solid, place: DVec3, orientation: DQuat, mass: f64) -> BodyId {
        RodBodies::id(self.add(shape, place, orientation, mass).id())
    }

    fn wheel(&mut self, shape: Solid, place: DVec3, mass: f64) -> BodyId {
        let axes = LockedAxes::TRANSLATION_LOCKED.lock_rotation_x().lock_rotation_y();
        RodBodies::id(self.add(shape, place, DQuat::IDENTITY, mass).insert(axes).id())
    }

    fn guide(&mut self, place: DVec3) -> BodyId {
        let body = (RigidBody::Kinematic, Position(place.as_vec3()));
        RodBodies::id(self.app.world_mut().spawn(body).id())
    }

    fn led(&mut self, shape: Solid, place: DVec3) -> BodyId {
        self.hold(RigidBody::Kinematic, shape, place)
    }

    fn block(&mut self, shape: Solid, place: DVec3) -> BodyId {
        self.hold(RigidBody::Static, shape, place)
    }

    fn remove(&mut self, body: BodyId) {
        self.app.world_mut().despawn(entity(body));
    }

    fn floor(&mut self, height: f64) {
        self.app.world_mut().spawn((
            RigidBody::Static,
            Collider::cuboid(100.0, 1.0, 100.0),
            Friction::new(0.6),
            Position((DVec3::Y * (height - 0.5)).as_vec3()),
        ));
    }

    fn set_velocity(&mut self, body: BodyId, velocity: DVec3, angular_velocity: DVec3) {
        self.app.world_mut().entity_mut(entity(body)).insert((
            LinearVelocity(velocity.as_vec3()),
            AngularVelocity(angular_velocity.as_vec3()),
        ));
    }

    fn push(&mut self, body: BodyId, force: DVec3) {
        let mut body = self.app.world_mut().entity_mut(entity(body));
        body.insert(ConstantForce(force.as_vec3()));
    }

    fn rods(&mut self) -> &mut RodWorld {
        self.app.world_mut().resource_mut::<Rods>().into_inner()
    }

    fn see(&self, body: BodyId) -> Seen {
        let body = self.app.world().entity(entity(body));
        Seen {
            position: body.get::<Position>().expect("a body").0.as_dvec3(),
            orientation: body.get::<Rotation>().expect("a body").0.as_dquat(),
            velocity: body.get::<LinearVelocity>().expect("a body").0.as_dvec3(),
            angular_velocity: body.get::<AngularVelocity>().expect("a body").0.as_dvec3(),
        }
    }

    fn frame(&mut self) {
        self.app.update();
    }

    fn will_tie(&mut self, body: BodyId) {
        self.app.world_mut().spawn(TiedTo(entity(body)));
    }
}
