//! How bodies go on from step to step: what the host is given, and what they really have.

use std::f64::consts::TAU;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    host::{BodyImpulse, BodyState},
    inertia::inertia,
};
use crate::solver::direct::bodies::{Body, BodyHistory, rotation_since};

/// How a body left a step.
///
/// The host moves a body by its velocity alone, so that it is given the velocity that takes it from where it was to where the rods have it: the mean of the step. The velocity
/// that it really has at the end (after several substeps, or by BDF2) is kept here, and goes on from there as long as the host only adds to it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Motion {
    /// What the host was given, and where that takes it: velocities, m/s and rad/s, and centre of mass, m.
    pub given: [DVec3; 2],
    pub center: DVec3,
    /// What the body has.
    pub velocity: [DVec3; 2],
    pub history: Option<BodyHistory>,
}

impl Motion {
    /// The body's own velocities and memory, if the host did with it what it was asked for. A blow, or being put elsewhere, is a new start.
    pub fn resume(&self, state: &BodyState, body: &mut Body) {
        let now = [state.linear_velocity, state.angular_velocity];
        let more = [now[0] - self.given[0], now[1] - self.given[1]];
        let calm = |k: usize| more[k].length() <= 0.05 * self.given[k].length() + 0.05;
        // By an adapter that integrates otherwise a body is off by some g dt²; further than that it was moved.
        if calm(0) && calm(1) && state.center().distance(self.center) < 0.02 {
            body.linear_velocity = self.velocity[0] + more[0];
            body.angular_velocity = self.velocity[1] + more[1];
            body.history = self.history;
        }
    }
}

/// The velocities that take a body from where it was before the step to where it is at its end.
pub(super) fn velocities(before: &BodyState, after: &Body, dt: f64) -> [DVec3; 2] {
    let turn = rotation_since(after.orientation * before.orientation.normalize().conjugate()).0;
    // Whole rounds do not show: those that bring it nearest to how fast it turns.
    let expected = after.angular_velocity * dt;
    let axis = turn.try_normalize().or(expected.try_normalize()).unwrap_or(DVec3::ZERO);
    let rounds = ((expected - turn).dot(axis) / TAU).round();
    [
        (after.center - before.center()) / dt,
        (turn + axis * (rounds * TAU)) / dt,
    ]
}

/// What gives a body these velocities, beside what the host does by itself. What goes against that is steady: with it the body moves evenly.
pub(super) fn impulse(before: &BodyState, after: &Body, given: [DVec3; 2], dt: f64) -> BodyImpulse {
    let mass = after.mass.unwrap_or(0.0);
    let steady_linear = before.acceleration * (-dt * mass);
    let inertia = inertia(before.inverse_inertia).filter(|_| after.inertia.is_some());
    let angular = inertia.map_or(DVec3::ZERO, |inertia| inertia * (given[1] - before.angular_velocity));
    BodyImpulse {
        linear: (given[0] - before.linear_velocity) * mass + steady_linear,
        angular,
        steady_linear,
    }
}
