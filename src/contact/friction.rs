//! Coulomb friction (paper 1, Eq. 31–33) that holds: what sticks is a spring from where it took hold, so that a knot does not creep.
//!
//! The paper's friction looks at the motion of one step, so that whatever it holds creeps by the force over the stiffness in every step. Here the part of the
//! motion that friction holds back elastically is kept from step to step, up to a small length; beyond, it slips.

use glam::DVec3;

/// A surface gives by this before it slips, in radii.
pub const GIVE: f64 = 0.03;

/// Friction at one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// The most that it can hold, N: the coefficient times the normal force.
    pub limit: f64,
    /// How far it gives before it slips, m.
    pub give: f64,
}

impl Friction {
    /// Stiffness along the surface, N/m, when displaced so far: `k̃` below Eq. 32, constant while it holds, and the secant of a constant force beyond.
    pub fn stiffness(&self, displaced: DVec3) -> f64 {
        self.limit / displaced.length().max(self.give)
    }

    /// The potential whose gradient is the force, with the limit as it is, J.
    pub fn energy(&self, displaced: DVec3) -> f64 {
        let length = displaced.length();
        if length <= self.give {
            0.5 * self.limit * length * length / self.give.max(f64::MIN_POSITIVE)
        } else {
            self.limit * (length - 0.5 * self.give)
        }
    }

    /// What is held when the motion ends: the displacement, but no more than the surface gives.
    pub fn held(&self, displaced: DVec3) -> DVec3 {
        displaced.clamp_length_max(self.give)
    }
}

/// The part of a displacement along the surface.
pub fn tangential(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * normal.dot(v)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_force_is_the_slope_of_the_energy(x in -1e-2..1e-2_f64, y in -1e-2..1e-2_f64, limit in 0.1..100.0_f64) {
            let friction = Friction { limit, give: 3e-3 };
            let at = DVec3::new(x, y, 0.0);
            prop_assume!(at.length() > 1e-4 && (at.length() - friction.give).abs() > 1e-5);
            let force = at * friction.stiffness(at);
            let step = 1e-8;
            for axis in [DVec3::X, DVec3::Y] {
                let slope = (friction.energy(at + axis * step) - friction.energy(at - axis * step)) / (2.0 * step);
                // Rounding of an energy of 1e-1 J over the step.
                prop_assert!((slope - force.dot(axis)).abs() < 1e-6 * limit + 1e-7);
            }
            prop_assert!(force.length() <= limit * (1.0 + 1e-12), "Coulomb's bound");
        }

        // Any way of moving a surface to and fro: friction takes energy out, or gives back what it held before, but never more.
        #[test]
        fn friction_only_dissipates(steps in proptest::collection::vec([-2e-3..2e-3_f64, -2e-3..2e-3_f64], 1..60)) {
            let friction = Friction { limit: 5.0, give: 1e-3 };
            let (mut held, mut work, mut scale) = (DVec3::ZERO, 0.0, 0.0);
            for [x, y] in steps {
                let moved = DVec3::new(x, y, 0.0);
                let displaced = held + moved;
                // Implicit: the force at the end acts along the whole step.
                work -= (displaced * friction.stiffness(displaced)).dot(moved);
                scale += friction.limit * moved.length();
                held = friction.held(displaced);
                prop_assert!(work <= 1e-12 * scale, "friction did work: {work}");
            }
        }
    }
}
