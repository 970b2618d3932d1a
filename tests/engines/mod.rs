//! What every adapter has to do, written once: scenes with rods and bodies, over any engine.
#![allow(dead_code, reason = "every engine's tests use their own part")]

pub mod bridge;
pub mod loads;
pub mod machines;
pub mod spins;
pub mod touching;
pub mod wreck;

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

/// Length of a frame, s.
pub const FRAME: f64 = 1.0 / 60.0;

pub const GRAVITY: f64 = 9.81;

/// A solid of even density.
#[derive(Clone, Copy, Debug)]
pub enum Solid {
    /// Radius, m.
    Ball(f64),
    /// Half of its edges, m.
    Cuboid(DVec3),
}

impl Solid {
    /// Moments of inertia about the centre, kg·m².
    pub fn inertia(self, mass: f64) -> DVec3 {
        match self {
            Self::Ball(r) => DVec3::splat(0.4 * mass * r * r),
            Self::Cuboid(h) => {
                let (x, y, z) = (h.x * h.x, h.y * h.y, h.z * h.z);
                DVec3::new(y + z, x + z, x + y) * (mass / 3.0)
            }
        }
    }
}

/// A body as its engine shows it after a frame.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub position: DVec3,
    pub orientation: DQuat,
    pub velocity: DVec3,
    pub angular_velocity: DVec3,
}

/// A rigid-body engine with rods in it. Bodies do not fall asleep and have no damping.
pub trait Engine: Sized {
    /// With gravity, m/s², the rods' settings, and the length of a frame, s.
    fn new(gravity: f64, settings: Settings, frame: f64) -> Self;
    /// A body that moves.
    fn solid(&mut self, shape: Solid, place: DVec3, orientation: DQuat, mass: f64) -> BodyId;
    /// A body that turns about z only, in its place.
    fn wheel(&mut self, shape: Solid, place: DVec3, mass: f64) -> BodyId;
    /// A body that is led by its velocities.
    fn guide(&mut self, place: DVec3) -> BodyId;
    /// A body with a shape that is led by its velocities.
    fn led(&mut self, shape: Solid, place: DVec3) -> BodyId;
    /// A body that stands still.
    fn block(&mut self, shape: Solid, place: DVec3) -> BodyId;
    /// Take a body out, with its shapes.
    fn remove(&mut self, body: BodyId);
    /// Ground with its top at this height.
    fn floor(&mut self, height: f64);
    fn set_velocity(&mut self, body: BodyId, velocity: DVec3, angular_velocity: DVec3);
    /// A force in every frame from now on, N.
    fn push(&mut self, body: BodyId, force: DVec3);
    fn rods(&mut self) -> &mut RodWorld;
    fn see(&self, body: BodyId) -> Seen;
    fn frame(&mut self);
    /// Something is going to be tied to the body.
    fn will_tie(&mut self, _body: BodyId) {}

    fn run(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.frame());
    }

    fn ball(&mut self, place: DVec3, radius: f64, mass: f64) -> BodyId {
        self.solid(Solid::Ball(radius), place, DQuat::IDENTITY, mass)
    }

    fn crate_at(&mut self, place: DVec3, half: DVec3, mass: f64) -> BodyId {
        self.solid(Solid::Cuboid(half), place, DQuat::IDENTITY, mass)
    }

    fn insert(&mut self, spec: &RodSpec) -> RodId {
        let rod = spec.build().expect("a sound rod");
        self.rods().insert(rod).expect("room for it")
    }

    fn tie(&mut self, rod: RodId, at: RodPoint, body: BodyId, anchor: DVec3) -> AttachmentId {
        self.will_tie(body);
        let to = TieTo::Body { body, anchor };
        self.rods()
            .attach(AttachmentSpec::ball(rod, at, to))
            .expect("a sound tie")
    }

    fn weld(&mut self, rod: RodId, at: RodPoint, body: BodyId, anchor: DVec3) -> AttachmentId {
        self.will_tie(body);
        let to = TieTo::Body { body, anchor };
        self.rods()
            .attach(AttachmentSpec::weld(rod, at, to))
            .expect("a sound weld")
    }

    /// How far the tied point of the rod is from the body's anchor now, m: as a player sees it, after the engine's own step.
    fn gap(&mut self, tie: AttachmentId) -> f64 {
        let state = self.rods().attachment(tie).expect("the tie");
        let TieTo::Body { body, anchor } = state.to else {
            panic!("not tied to a body");
        };
        let at = {
            let rod = self.rods().rod(state.rod).expect("the rod");
            let segment = rod.description().segments()[state.segment as usize];
            let [tail, head] = [segment.tail, segment.head].map(|v| rod.position(v as usize));
            tail.lerp(head, state.along)
        };
        let seen = self.see(body);
        at.distance(seen.position + seen.orientation * anchor)
    }

    fn widest_gap(&mut self) -> f64 {
        let ties: Vec<AttachmentId> = self.rods().attachments().map(|(id, _)| id).collect();
        ties.into_iter().map(|tie| self.gap(tie)).fold(0.0, f64::max)
    }

    /// Kinetic energy of a body and its weight's, J.
    fn energy(&self, body: BodyId, shape: Solid, mass: f64, gravity: f64) -> f64 {
        let seen = self.see(body);
        let turning = seen.orientation.conjugate() * seen.angular_velocity;
        0.5 * mass * seen.velocity.length_squared()
            + 0.5 * turning.dot(shape.inertia(mass) * turning)
            + mass * gravity * seen.position.y
    }
}

/// A rope of 1 kg/m and some stiffness, N, straight between two points.
pub fn rope(from: DVec3, to: DVec3, segments: u32, ea: f64) -> RodSpec {
    RodSpec::new(Shape::line(from, to, segments))
        .material(Material::rigidity(ea, ea, 0.01, 0.01, 1.0))
        .radius(0.01)
}

/// The same, damped along itself as ropes are: a minute of bouncing tells nothing new.
pub fn tame(from: DVec3, to: DVec3, segments: u32, ea: f64) -> RodSpec {
    let material = Material::rigidity(ea, ea, 0.01, 0.01, 1.0).with_damping(Damping::Time(0.1));
    rope(from, to, segments, ea).material(material)
}

pub fn settings(gravity: f64) -> Settings {
    Settings {
        gravity: Vec3::new(0.0, -gravity as f32, 0.0),
        threads: Some(1),
        ..Settings::default()
    }
}

/// An engine with the usual gravity.
pub fn earth<E: Engine>() -> E {
    E::new(GRAVITY, settings(GRAVITY), FRAME)
}

/// An engine without.
pub fn space<E: Engine>() -> E {
    E::new(0.0, settings(0.0), FRAME)
}
