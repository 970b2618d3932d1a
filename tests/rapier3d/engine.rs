//! Rapier as the scenes want it.

use glam::{DQuat, DVec3};
use lariat::{hosts::rapier3d::RapierHost, prelude::*};
use rapier3d::prelude::{
    ColliderBuilder, LockedAxes, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Rotation, Vector,
};

use super::engines::{Engine, Seen, Solid};

pub struct Rapier {
    pub host: RapierHost,
    pub rods: RodWorld,
    pub physics: PhysicsWorld,
}

impl Rapier {
    fn add(&mut self, body: RigidBodyBuilder, shape: Solid, mass: f64) -> BodyId {
        let collider = collider(shape).mass(mass as f32).restitution(0.0);
        self.physics.insert(body.can_sleep(false), collider).0.into()
    }
}

fn collider(shape: Solid) -> ColliderBuilder {
    let collider = match shape {
        Solid::Ball(radius) => ColliderBuilder::ball(radius as f32),
        Solid::Cuboid(h) => ColliderBuilder::cuboid(h.x as f32, h.y as f32, h.z as f32),
    };
    collider.friction(0.6)
}

impl Engine for Rapier {
    fn new(gravity: f64, settings: Settings, frame: f64) -> Self {
        let mut physics = PhysicsWorld::new();
        physics.gravity = vector(DVec3::Y * -gravity);
        physics.integration_parameters.dt = frame as f32;
        Self {
            host: RapierHost::default(),
            rods: RodWorld::new(settings).expect("sound settings"),
            physics,
        }
    }

    fn solid(&mut self, shape: Solid, place: DVec3, orientation: DQuat, mass: f64) -> BodyId {
        let q = orientation.as_quat();
        let mut body = RigidBodyBuilder::dynamic().translation(vector(place));
        body.position.rotation = Rotation::from_xyzw(q.x, q.y, q.z, q.w);
        self.add(body, shape, mass)
    }

    fn wheel(&mut self, shape: Solid, place: DVec3, mass: f64) -> BodyId {
        let axes = LockedAxes::TRANSLATION_LOCKED | LockedAxes::ROTATION_LOCKED_X | LockedAxes::ROTATION_LOCKED_Y;
        let body = RigidBodyBuilder::dynamic().translation(vector(place)).locked_axes(axes);
        self.add(body, shape, mass)
    }

    fn guide(&mut self, place: DVec3) -> BodyId {
        let body = RigidBodyBuilder::kinematic_velocity_based().translation(vector(place));
        self.physics.insert_body(body).into()
    }

    fn led(&mut self, shape: Solid, place: DVec3) -> BodyId {
        let body = RigidBodyBuilder::kinematic_velocity_based().translation(vector(place));
        self.physics.insert(body, collider(shape)).0.into()
    }

    fn block(&mut self, shape: Solid, place: DVec3) -> BodyId {
        let body = RigidBodyBuilder::fixed().translation(vector(place));
        self.physics.insert(body, collider(shape)).0.into()
    }

    fn remove(&mut self, body: BodyId) {
        self.physics.remove_body(body.into());
    }

    fn floor(&mut self, height: f64) {
        let body = RigidBodyBuilder::fixed().translation(Vector::new(0.0, height as f32 - 0.5, 0.0));
        self.physics
            .insert(body, ColliderBuilder::cuboid(50.0, 0.5, 50.0).friction(0.6));
    }

    fn set_velocity(&mut self, body: BodyId, velocity: DVec3, angular_velocity: DVec3) {
        let body = &mut self.physics.bodies[RigidBodyHandle::from(body)];
        body.set_linvel(vector(velocity), true);
        body.set_angvel(vector(angular_velocity), true);
    }

    fn push(&mut self, body: BodyId, force: DVec3) {
        self.physics.bodies[RigidBodyHandle::from(body)].add_force(vector(force), true);
    }

    fn rods(&mut self) -> &mut RodWorld {
        &mut self.rods
    }

    fn see(&self, body: BodyId) -> Seen {
        let body = &self.physics.bodies[RigidBodyHandle::from(body)];
        let [position, velocity, angular_velocity] =
            [body.translation(), body.linvel(), body.angvel()].map(|v| DVec3::new(v.x.into(), v.y.into(), v.z.into()));
        let q = body.rotation();
        Seen {
            position,
            orientation: DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into()),
            velocity,
            angular_velocity,
        }
    }

    fn frame(&mut self) {
        self.host.step(&mut self.rods, &mut self.physics).expect("a sound step");
    }
}

pub fn vector(v: DVec3) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}
