//! What touches: the places where two surfaces press on each other, as the solve sees them.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    barrier::Band,
    friction::{Friction, tangential},
};

/// Names a place that touches, from step to step: rod slot and segment (or vertex, with the highest bit) of the first side, and rod slot and segment, or
/// collider (with the highest bit) and part, of the second.
pub type Key = [u32; 4];

/// Marks a vertex, or a collider, in a [`Key`].
pub const MARK: u32 = 1 << 31;

/// What is kept of a place that touched until the next substep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    pub key: Key,
    /// Of its barrier.
    pub joules: f64,
    /// What friction holds back elastically, m.
    pub held: DVec3,
    /// N.
    pub force: f64,
}

/// A side of a contact that the solve can move, as weights on points of a group; fixed sides have none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Side {
    /// Points of the group with their weights; a weight of zero is none.
    pub points: [u32; 2],
    pub weights: [f64; 2],
    /// The segment between the two points, in the plan of its system.
    pub segment: Option<u32>,
}

impl Side {
    /// The value of a field at the side.
    pub fn value(&self, field: &[DVec3]) -> DVec3 {
        let [a, b] = self.points.map(|point| field[point as usize]);
        a * self.weights[0] + b * self.weights[1]
    }

    /// Add what acts on the side to its points.
    pub fn spread(&self, v: DVec3, field: &mut [DVec3]) {
        for (&point, &weight) in self.points.iter().zip(&self.weights) {
            field[point as usize] += v * weight;
        }
    }
}

/// A place that touches now: its linear model is a force and a stiffness on the relative motion of the sides.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub key: Key,
    /// The first side is a rod's; the second may be fixed.
    pub sides: [Side; 2],
    pub fixed: bool,
    /// From the first side to the second.
    pub normal: DVec3,
    /// Where they touch, world.
    pub place: DVec3,
    /// Of the surfaces: negative where they overlap, m.
    pub gap: f64,
    pub band: Band,
    /// Of the thinner side, m.
    pub radius: f64,
    /// Of the barrier: J, N, N/m, and how strong it is.
    pub energy: f64,
    pub force: f64,
    pub stiffness: f64,
    pub joules: f64,
    /// Along the surface, N/m.
    pub sliding: f64,
    pub friction: Friction,
    /// Before this substep, m.
    pub held: DVec3,
    /// How the second side moved of itself since the start of the substep, m: a shape that is led.
    pub led: DVec3,
}

impl Touch {
    /// How far the second side slid on the first since friction took hold, for increments since the start of the substep.
    pub fn slid(&self, increments: &[DVec3]) -> DVec3 {
        let second = if self.fixed {
            self.led
        } else {
            self.sides[1].value(increments)
        };
        tangential(second - self.sides[0].value(increments) + self.held, self.normal)
    }

    /// What is kept of it after a substep whose increments are given.
    pub fn remember(&self, increments: &[DVec3]) -> Remembered {
        // The barrier is made as strong as the load, by and by, so that a lasting contact rests in the middle of its band.
        let wanted = self.band.joules_for(self.force);
        Remembered {
            key: self.key,
            joules: (self.joules * wanted).sqrt(),
            held: self.friction.held(self.slid(increments)),
            force: self.force,
        }
    }

    /// Gradient in the second side's motion: push and friction.
    pub fn gradient(&self, slid: DVec3) -> DVec3 {
        self.normal * -self.force + slid * self.sliding
    }

    /// The Hessian applied to a relative motion (Eq. 33, and the barrier's along the normal).
    pub fn apply(&self, v: DVec3) -> DVec3 {
        v * self.sliding + self.normal * ((self.stiffness - self.sliding) * self.normal.dot(v))
    }

    /// `xx, yy, zz, xy, xz, yz` of the Hessian.
    pub fn hessian(&self) -> [f64; 6] {
        let (n, sliding) = (self.normal, self.sliding);
        let k = self.stiffness - sliding;
        [
            k * n.x * n.x + sliding,
            k * n.y * n.y + sliding,
            k * n.z * n.z + sliding,
            k * n.x * n.y,
            k * n.x * n.z,
            k * n.y * n.z,
        ]
    }
}
