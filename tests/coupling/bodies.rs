//! A host as small as can be: free bodies under gravity that step as [`HostBodies`] asks for.
#![allow(dead_code, reason = "every test binary uses its own part")]

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3};
use lariat::prelude::*;

pub struct Bodies {
    pub bodies: BTreeMap<u64, BodyState>,
    /// Sum of all impulses that were taken.
    pub taken: DVec3,
}

impl Bodies {
    pub fn new() -> Self {
        Self {
            bodies: BTreeMap::new(),
            taken: DVec3::ZERO,
        }
    }

    /// A solid ball.
    pub fn ball(&mut self, name: u64, place: DVec3, mass: f64, radius: f64) -> BodyId {
        self.solid(name, place, mass, DVec3::splat(0.4 * mass * radius * radius))
    }

    /// A body with its three moments of inertia.
    pub fn solid(&mut self, name: u64, place: DVec3, mass: f64, inertia: DVec3) -> BodyId {
        let body = BodyState {
            inverse_mass: 1.0 / mass,
            inverse_inertia: DMat3::from_diagonal(1.0 / inertia),
            acceleration: DVec3::new(0.0, -9.81, 0.0),
            ..BodyState::fixed(place, DQuat::IDENTITY)
        };
        self.bodies.insert(name, body);
        BodyId(name)
    }

    pub fn get(&self, id: BodyId) -> &BodyState {
        &self.bodies[&id.0]
    }

    pub fn get_mut(&mut self, id: BodyId) -> &mut BodyState {
        self.bodies.get_mut(&id.0).expect("the body is there")
    }

    /// The host's own step: velocities first, positions from the new ones.
    pub fn step(&mut self, dt: f64) {
        for body in self.bodies.values_mut() {
            body.linear_velocity += body.acceleration * dt;
            let center = body.center() + body.linear_velocity * dt;
            let turn = DQuat::from_scaled_axis(body.angular_velocity * dt);
            let matrix = DMat3::from_quat(turn);
            body.inverse_inertia = matrix * body.inverse_inertia * matrix.transpose();
            body.orientation = (turn * body.orientation).normalize();
            body.position = center - body.orientation * body.center_of_mass;
        }
    }

    pub fn energy(&self, id: BodyId) -> f64 {
        let body = self.get(id);
        let mass = 1.0 / body.inverse_mass;
        let inertia = body.inverse_inertia.inverse();
        0.5 * mass * body.linear_velocity.length_squared()
            + 0.5 * body.angular_velocity.dot(inertia * body.angular_velocity)
            - mass * body.acceleration.dot(body.center())
    }
}

impl HostBodies for Bodies {
    fn body(&self, body: BodyId) -> Option<BodyState> {
        self.bodies.get(&body.0).copied()
    }

    fn apply(&mut self, body: BodyId, impulse: BodyImpulse) {
        self.taken += impulse.linear;
        let body = self.get_mut(body);
        body.linear_velocity += impulse.linear * body.inverse_mass;
        body.angular_velocity += body.inverse_inertia * impulse.angular;
    }
}

/// Rods and bodies by so many frames.
pub fn run(world: &mut RodWorld, bodies: &mut Bodies, frames: usize) {
    for _ in 0..frames {
        world.step_with(super::common::FRAME, bodies).expect("a sound step");
        bodies.step(super::common::FRAME.into());
    }
}
