//! What Lariat asks of a rigid-body engine: where its bodies are, and that it takes impulses.

use std::ops::AddAssign;

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::inertia::is_inverse_inertia;

/// Whatever a host counts in (m, s, kg), beyond this it is nonsense: squares of it over squares of a step are still numbers.
const LARGEST: f64 = 1e12;
const LIMIT: DVec3 = DVec3::splat(LARGEST);

/// Names a body of the host: whatever the host has for a handle, in 64 bits. Bodies are answered in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BodyId(pub u64);

/// A rigid body of the host as it is before a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// Of the body's own frame, world, m.
    pub position: DVec3,
    /// Of the body's own frame.
    pub orientation: DQuat,
    /// In the body's own frame, m.
    pub center_of_mass: DVec3,
    /// Of the centre of mass, m/s.
    pub linear_velocity: DVec3,
    /// World, rad/s.
    pub angular_velocity: DVec3,
    /// 1/kg. Zero for bodies that rods can't move: static ones, and kinematic ones, which go where their velocities say.
    pub inverse_mass: f64,
    /// About the centre of mass, in the world's axes, 1/(kg·m²), symmetric. Zero about axes that are locked. A wheel on a fixed axle has this and no `inverse_mass`.
    pub inverse_inertia: DMat3,
    /// What the host itself is going to add during the step, m/s²: gravity, as much of it as the body feels.
    pub acceleration: DVec3,
}

impl BodyState {
    /// A body that no rod can move, at rest.
    pub fn fixed(position: DVec3, orientation: DQuat) -> Self {
        Self {
            position,
            orientation,
            center_of_mass: DVec3::ZERO,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
            acceleration: DVec3::ZERO,
        }
    }

    /// Whether rods can move or turn it.
    pub fn is_dynamic(&self) -> bool {
        self.mass().is_some() || self.inverse_inertia != DMat3::ZERO
    }

    /// The centre of mass, world.
    pub fn center(&self) -> DVec3 {
        self.position + self.orientation * self.center_of_mass
    }

    /// kg; `None` where rods can't move it.
    pub(super) fn mass(&self) -> Option<f64> {
        (self.inverse_mass > 1.0 / LARGEST).then(|| 1.0 / self.inverse_mass)
    }

    /// Whether every number is finite and below 1e12, the mass above 1e-12 kg, the inertia above 1e-18 kg·m², none of them negative, and the orientation one.
    pub fn is_sound(&self) -> bool {
        let size = self.orientation.length_squared();
        let vectors = [
            self.position,
            self.center_of_mass,
            self.linear_velocity,
            self.angular_velocity,
            self.acceleration,
        ];
        // Comparisons with NaN are false.
        vectors.iter().all(|vector| vector.abs().cmple(LIMIT).all())
            && (size - 1.0).abs() < 0.1
            && (0.0..=LARGEST).contains(&self.inverse_mass)
            && is_inverse_inertia(self.inverse_inertia)
    }
}

/// What a step of the rods gives to a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyImpulse {
    /// Adds to mass times velocity, N·s.
    pub linear: DVec3,
    /// Adds to inertia times angular velocity, about the centre of mass, N·m·s.
    pub angular: DVec3,
    /// The part of `linear` that goes against what the host itself adds during the step, such as gravity: a weight that hangs still gets nothing else.
    ///
    /// A host that moves its bodies in several steps of its own gives this part evenly, as a force, and the rest at once; then a body at rest stays
    /// where it is in all of them, and one that moves gets where the rod has its end.
    pub steady_linear: DVec3,
}

impl AddAssign for BodyImpulse {
    fn add_assign(&mut self, more: Self) {
        self.linear += more.linear;
        self.angular += more.angular;
        self.steady_linear += more.steady_linear;
    }
}

impl BodyImpulse {
    /// The part that is given at once, at the beginning of the step: linear and angular.
    pub fn sudden(&self) -> (DVec3, DVec3) {
        (self.linear - self.steady_linear, self.angular)
    }
}

/// The host's rigid bodies, as rods see them.
///
/// [`RodWorld::step_with`](crate::state::RodWorld::step_with) asks for each body that a rod is tied to, once, in the order of their names, then
/// solves rods and bodies together, and gives each dynamic body one impulse, in the same order. The host then takes its own step of the same length: velocities
/// from impulses and gravity first, positions from the new velocities.
pub trait HostBodies {
    /// The body now, or `None` when there is none of that name any more: rods tied to it are let go.
    fn body(&self, body: BodyId) -> Option<BodyState>;

    /// Change the velocity of a dynamic body.
    fn apply(&mut self, body: BodyId, impulse: BodyImpulse);
}

/// A host without bodies.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBodies;

impl HostBodies for NoBodies {
    fn body(&self, _: BodyId) -> Option<BodyState> {
        None
    }

    fn apply(&mut self, _: BodyId, _: BodyImpulse) {}
}
