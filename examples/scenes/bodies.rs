//! Shapes with a mass, and the smallest host that moves them: they fall, rods push them, and they touch rods alone.

use glam::{DMat3, DQuat, DVec3};
use lariat::prelude::{BodyId, BodyImpulse, BodyState, HostBodies};

use super::shapes::SceneShape;

/// The bodies of a scene, by the numbers of their shapes.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    states: Vec<Option<BodyState>>,
}

impl Bodies {
    /// One for every shape that has a mass.
    pub fn new(shapes: &[SceneShape], gravity: DVec3) -> Self {
        Self {
            states: shapes.iter().map(|shape| state(shape, gravity)).collect(),
        }
    }

    /// What the body of a shape is called.
    pub fn name(shape: usize) -> BodyId {
        BodyId(shape as u64)
    }

    /// Where the body of a shape is now. `None` when it has none.
    pub fn pose(&self, shape: usize) -> Option<(DVec3, DQuat)> {
        let state = self.states.get(shape)?.as_ref()?;
        Some((state.position, state.orientation))
    }

    /// The host's own step: velocities first, places from the new ones.
    pub fn step(&mut self, dt: f64) {
        for body in self.states.iter_mut().flatten() {
            body.linear_velocity += body.acceleration * dt;
            let center = body.center() + body.linear_velocity * dt;
            let turn = DQuat::from_scaled_axis(body.angular_velocity * dt);
            let matrix = DMat3::from_quat(turn);
            body.inverse_inertia = matrix * body.inverse_inertia * matrix.transpose();
            body.orientation = (turn * body.orientation).normalize();
            body.position = center - body.orientation * body.center_of_mass;
        }
    }
}

impl HostBodies for Bodies {
    fn body(&self, body: BodyId) -> Option<BodyState> {
        *self.states.get(usize::try_from(body.0).ok()?)?
    }

    fn apply(&mut self, body: BodyId, impulse: BodyImpulse) {
        let body = usize::try_from(body.0).ok().and_then(|at| self.states.get_mut(at));
        if let Some(Some(body)) = body {
            body.linear_velocity += impulse.linear * body.inverse_mass;
            body.angular_velocity += body.inverse_inertia * impulse.angular;
        }
    }
}

/// A solid of even density in the form of its shape.
fn state(shape: &SceneShape, gravity: DVec3) -> Option<BodyState> {
    let mass = shape.mass?;
    let solid = shape.kind.shape().mass_properties(1.0);
    let (unit, inertia) = (f64::from(solid.mass()), solid.principal_inertia());
    let inverse = DVec3::new(inertia.x.into(), inertia.y.into(), inertia.z.into()).map(|i| unit / (i * mass));
    let axes = DMat3::from_quat(shape.rotation);
    Some(BodyState {
        linear_velocity: shape.velocity,
        inverse_mass: 1.0 / mass,
        inverse_inertia: axes * DMat3::from_diagonal(inverse) * axes.transpose(),
        acceleration: gravity,
        ..BodyState::fixed(shape.position, shape.rotation)
    })
}
