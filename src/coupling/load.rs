//! What bodies carry: the host's own forces on a tied body, as far as they last.
//!
//! Rods and host take turns. Where a crate stands on a plank that hangs on ropes, the ropes know nothing of the crate: they pull as hard as a plank alone can stand within a step,
//! `m/dt²` a metre, and it would hang centimetres below them for good; a crate on the ground would seem to fall by `g dt²` in each step. So what the host did to a body beyond
//! what it said is measured, step by step, and what lasts is believed to go on: an integral action, so that rods and bodies meet exactly once they are at rest.
//!
//! With `M` upon a body of `m` the loop is stable as long as a step takes over no more than about `m/(m + M)` of what it sees (Routh's criterion), and `M` is what presses on the body over `g`.
//! To believe in the crate's mass instead would be faster, and throws the body about wherever the load does not go along as firmly as thought.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    host::{BodyImpulse, BodyState},
    inertia::inertia,
};

/// Steps that a force has to last to be believed: blows do not.
const LASTING: usize = 4;

/// What a step takes over from an unburdened body's force: half of what is stable.
const EAGERNESS: f64 = 0.5;

/// A body that turns faster than this, rad/s, is turned by gyroscopic effects too, which are no load.
const SPINNING: f64 = 1.0;

/// What the host does to a body, beside what it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Load {
    /// Velocities that the body has now if the host did nothing else, m/s and rad/s, and the length of that step, s.
    expected: Option<([DVec3; 2], f64)>,
    /// Force and torque in the last steps, the newest first, N and N·m.
    past: [[DVec3; 2]; LASTING],
    /// What is believed to go on, N and N·m.
    believed: [DVec3; 2],
    /// What presses on the body, in masses of its own; falls slowly.
    pressing: f64,
}

impl Load {
    /// Look at a body that the host has moved.
    pub fn observe(&mut self, state: &BodyState) {
        let own = inertia(state.inverse_inertia);
        let (Some((expected, dt)), true) = (self.expected.take(), state.inverse_mass > 0.0) else {
            *self = Self::default();
            return;
        };
        let own = own.filter(|_| state.angular_velocity.length() < SPINNING);
        self.past.rotate_right(1);
        self.past[0] = [
            (state.linear_velocity - expected[0]) / (state.inverse_mass * dt),
            own.map_or(DVec3::ZERO, |own| own * (state.angular_velocity - expected[1]) / dt),
        ];
        let down = state.acceleration;
        let weight = down.length_squared() / state.inverse_mass;
        let now = match weight > 0.0 {
            true => (self.past[0][0].dot(down) / weight).max(0.0),
            false => 0.0,
        };
        self.pressing = now.max(0.9 * self.pressing);
        // A weight at the rim of a body burdens its turning more: by `M r²` against `I`, which for a cube of half diagonal `r` are as 4.5 M to m, and
        // for a flat one about its long axis as twice that and more.
        let burden = [1.0, 10.0].map(|share| 1.0 + share * self.pressing);
        for (which, burden) in burden.into_iter().enumerate() {
            let lasting = self.lasting(which);
            self.believed[which] += (lasting - self.believed[which]) * (EAGERNESS / burden);
        }
    }

    /// Of the last forces or torques, what all of them have, axis by axis.
    fn lasting(&self, which: usize) -> DVec3 {
        let axis = |k: usize| {
            let values = self.past.map(|wrench| wrench[which][k]);
            let low = values.into_iter().fold(f64::INFINITY, f64::min);
            let high = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
            low.max(0.0) + high.min(0.0)
        };
        DVec3::new(axis(0), axis(1), axis(2))
    }

    /// The body as rods are to see it in a step.
    pub fn bear(&self, state: &BodyState, dt: f64) -> BodyState {
        let [force, torque] = self.believed;
        BodyState {
            acceleration: state.acceleration + force * state.inverse_mass,
            angular_velocity: state.angular_velocity + state.inverse_inertia * torque * dt,
            ..*state
        }
    }

    /// Remember what a step gives to the body, to know what the host adds to it.
    pub fn expect(&mut self, state: &BodyState, impulse: &BodyImpulse, dt: f64) {
        let linear = state.linear_velocity + state.acceleration * dt + impulse.linear * state.inverse_mass;
        let angular = state.angular_velocity + state.inverse_inertia * impulse.angular;
        self.expected = Some(([linear, angular], dt));
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;

    const DT: f64 = 1.0 / 60.0;
    const GRAVITY: f64 = 9.81;

    fn body(mass: f64) -> BodyState {
        BodyState {
            inverse_mass: 1.0 / mass,
            inverse_inertia: DMat3::IDENTITY / mass,
            acceleration: DVec3::NEG_Y * GRAVITY,
            ..BodyState::fixed(DVec3::ZERO, DQuat::IDENTITY)
        }
    }

    /// A plank on a rope that does not give, with a crate upon it that goes along: as stiff as it gets. Without what is believed it hangs `M/m g dt²` too low for ever.
    #[test]
    fn what_stands_on_a_body_is_carried_in_place() {
        for load in [0.5, 4.0, 20.0, 60.0] {
            let mut plank = body(1.0);
            let mut carried = Load::default();
            let mut highest = 0.0f64;
            for _ in 0..3_000 {
                carried.observe(&plank);
                let seen = carried.bear(&plank, DT);
                // The rope takes the plank to its place within the step, for all that it knows.
                let wanted = -plank.position / DT;
                let impulse = BodyImpulse {
                    linear: wanted - seen.linear_velocity - seen.acceleration * DT,
                    ..BodyImpulse::default()
                };
                carried.expect(&plank, &impulse, DT);
                // The host moves plank and crate as one.
                plank.linear_velocity += plank.acceleration * DT + impulse.linear / (1.0 + load);
                plank.position += plank.linear_velocity * DT;
                highest = highest.max(plank.position.length());
            }
            let off = plank.position.length();
            let without = load * GRAVITY * DT * DT;
            assert!(off < 1e-3 * without, "{load}: still {off} m too low");
            assert!(highest < 3.0 * without, "{load}: was {highest} m away");
            // 1% of 60 masses after 50 s of slow learning.
            let force = carried.believed[0];
            assert!((force.y / (-load * GRAVITY) - 1.0).abs() < 0.01, "{load}: {force}");
        }
    }

    #[test]
    fn a_blow_is_not_believed() {
        let mut ball = body(2.0);
        let mut load = Load::default();
        for step in 0..20 {
            load.observe(&ball);
            assert_eq!(load.believed, [DVec3::ZERO; 2], "in step {step}");
            load.expect(&ball, &BodyImpulse::default(), DT);
            ball.linear_velocity += ball.acceleration * DT;
            if step == 10 {
                ball.linear_velocity += DVec3::new(5.0, 8.0, 0.0);
            }
        }
    }
}
