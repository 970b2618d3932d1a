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

/// The stiffness against tilting of two segments that press on each other between their ends, on the difference of their ends along the normal, N/m.
///
/// Where two segments cross, tilting one of them brings it nearer to the other by the square of the angle. With `D = ½d²` minimized over the two places, `∇²D = JᵀJ − CᵀM⁻¹C`, in which `C` has the rows `−d n·δA` and `d n·δB` beside what sliding
/// takes off again, and `M` is that of the two directions. The barrier's force times `∇²d` then leaves `f d` times these rows in `M⁻¹`, whose diagonal this is. It is positive; what is left out is negative.
pub fn tilt(force: f64, distance: f64, along: [f64; 2], segments: [DVec3; 2]) -> [f64; 2] {
    let [a, b] = segments.map(DVec3::length_squared);
    let cosine = segments[0].dot(segments[1]);
    let across = (1.0 - cosine * cosine / (a * b).max(f64::MIN_POSITIVE)).max(0.1);
    let inside = along.map(|at| at > 0.0 && at < 1.0);
    // Against an end there is but one place to move.
    let across = if inside == [true; 2] { across } else { 1.0 };
    let stiffness = |square: f64| force * distance / (square * across).max(f64::MIN_POSITIVE);
    [
        if inside[0] { stiffness(a) } else { 0.0 },
        if inside[1] { stiffness(b) } else { 0.0 },
    ]
}

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
    /// N: of the substep before, and in a solve what friction goes by.
    pub force: f64,
    /// By how much its band is drawn in, m: see [`Band::draw_in`].
    pub deeper: f64,
    /// It was put into its barrier, which is no stronger than it has to be until the two have come apart: see [`Band::gentle_joules`].
    pub gentle: bool,
    /// How often that was taken anew in a solve.
    #[serde(skip)]
    pub looks: u32,
}

impl Remembered {
    /// A place that is new.
    pub fn new(key: Key, joules: f64) -> Self {
        Self {
            key,
            joules,
            held: DVec3::ZERO,
            force: 0.0,
            deeper: 0.0,
            gentle: false,
            looks: 0,
        }
    }

    /// The normal force that friction goes by: that at the end of the substep before; of a new place, that of the first looks. Following it, friction and
    /// normal forces would chase each other without end, and what presses only on the way to the solution would rub as well.
    pub fn rub(&mut self, force: f64) -> f64 {
        if self.looks == 0 && self.force > 0.0 {
            self.looks = SETTLING;
        }
        if self.looks < SETTLING {
            self.looks += 1;
            self.force = force;
        }
        self.force
    }
}

/// From this share of its width on, a barrier has next to nothing to hold.
const APART: f64 = 0.9;
/// Looks in which friction follows the normal force.
const SETTLING: u32 = 3;

/// A side of a contact that the solve can move, as weights on points of a group; fixed sides have none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Side {
    /// Points of the group with their weights; a weight of zero is none.
    pub points: [u32; 2],
    pub weights: [f64; 2],
    /// The segment between the two points, in the plan of its system.
    pub segment: Option<u32>,
    /// Of a body, whose centre and rotation the two points are: from its centre to the place, m.
    pub arm: Option<DVec3>,
}

impl Side {
    /// The value of a field at the side.
    pub fn value(&self, field: &[DVec3]) -> DVec3 {
        let [a, b] = self.points.map(|point| field[point as usize]);
        match self.arm {
            None => a * self.weights[0] + b * self.weights[1],
            Some(arm) => a + b.cross(arm),
        }
    }

    /// Add what acts on the side to its points.
    pub fn spread(&self, v: DVec3, field: &mut [DVec3]) {
        if let Some(arm) = self.arm {
            let [center, rotation] = self.points.map(|point| point as usize);
            field[center] += v;
            field[rotation] += arm.cross(v);
            return;
        }
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
    /// By how much that is drawn in, m.
    pub deeper: f64,
    /// See [`Remembered::gentle`].
    pub gentle: bool,
    /// How far it is from where the barrier is infinite, m.
    pub room: f64,
    /// Of the thinner side, m.
    pub radius: f64,
    /// Of the barrier: J, N, N/m, and how strong it is.
    pub energy: f64,
    pub force: f64,
    pub stiffness: f64,
    pub joules: f64,
    /// It is made for no more than this force, N.
    pub strongest: f64,
    /// Along the surface, N/m.
    pub sliding: f64,
    /// Against tilting of either side's segment, N/m: see [`tilt`].
    pub tilt: [f64; 2],
    pub friction: Friction,
    /// Before this substep, m.
    pub held: DVec3,
    /// How the second side moved of itself since the start of the substep, m: a shape that is led. Of one on a body, by how much more it moved than its side says, which is linear in turning.
    pub led: DVec3,
    /// How far the second side will still go from the first of itself, along the normal, m: a shape that is led.
    pub ahead: f64,
}

impl Touch {
    /// How far the second side slid on the first since friction took hold, for increments since the start of the substep.
    pub fn slid(&self, increments: &[DVec3]) -> DVec3 {
        let second = if self.fixed {
            self.led
        } else {
            self.sides[1].value(increments) + self.led
        };
        tangential(second - self.sides[0].value(increments) + self.held, self.normal)
    }

    /// What is kept of it after a substep whose increments are given.
    pub fn remember(&self, increments: &[DVec3]) -> Remembered {
        // The barrier is made as strong as the load where that is far from the middle of the band, and left alone elsewhere: one that grew as it is pressed would pump.
        let wanted = self.band.joules_for(self.force.min(self.strongest));
        let s = self.room / self.band.width();
        let joules = if s < 0.15 {
            wanted.max(self.joules).min(4.0 * self.joules)
        } else if s > APART {
            0.8 * self.joules
        } else {
            self.joules
        };
        Remembered {
            key: self.key,
            joules,
            held: self.friction.held(self.slid(increments)),
            force: self.force,
            deeper: self.deeper,
            gentle: self.gentle && s < APART,
            looks: 0,
        }
    }

    /// Gradient in the second side's motion: push and friction. Where the second side is led, the push is that of where it will be after such a share of its way: so rods go along with it in one step, not by the width of a barrier in each.
    pub fn gradient(&self, slid: DVec3, share: f64) -> DVec3 {
        let force = (self.force - self.stiffness * self.ahead * share).max(0.0);
        self.normal * -force + slid * self.sliding
    }

    /// The Hessian applied to a relative motion (Eq. 33, and the barrier's along the normal).
    pub fn apply(&self, v: DVec3) -> DVec3 {
        v * self.sliding + self.normal * ((self.stiffness - self.sliding) * self.normal.dot(v))
    }

    /// `xx, yy, zz, xy, xz, yz` of the Hessian.
    pub fn hessian(&self) -> [f64; 6] {
        let k = self.stiffness - self.sliding;
        let [xx, yy, zz, xy, xz, yz] = self.normal_square().map(|entry| k * entry);
        let more = self.sliding;
        [xx + more, yy + more, zz + more, xy, xz, yz]
    }

    /// `n nᵀ`, likewise.
    pub fn normal_square(&self) -> [f64; 6] {
        let n = self.normal;
        [n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contact::closest::closest;

    const BAND: Band = Band {
        inner: 0.018,
        outer: 0.023,
    };

    /// The barrier between two segments, tail and head of the first, then of the second.
    fn energy(x: [DVec3; 4]) -> f64 {
        let between = closest([x[0], x[1]], [x[2], x[3]]).between;
        BAND.push(between.length(), 0.01)
            .map_or(f64::INFINITY, |push| push.energy)
    }

    /// Two segments that cross at an angle, a gap apart, each somewhere between its ends.
    fn crossing(angle: f64, gap: f64, along: [f64; 2]) -> [DVec3; 4] {
        let length = 0.03;
        let (a, b) = (DVec3::X, DVec3::new(angle.cos(), 0.0, angle.sin()));
        let ends = |along: f64, direction: DVec3, up: f64| {
            [-along, 1.0 - along].map(|part| direction * (part * length) + DVec3::Y * up)
        };
        let ([a0, a1], [b0, b1]) = (ends(along[0], a, 0.0), ends(along[1], b, gap));
        [a0, a1, b0, b1]
    }

    proptest! {
        #[test]
        fn the_push_is_the_slope_of_the_barrier(
            angle in 0.4..2.7_f64, gap in 0.0185..0.0225_f64, a in 0.1..0.9_f64, b in 0.1..0.9_f64,
        ) {
            let x = crossing(angle, gap, [a, b]);
            let found = closest([x[0], x[1]], [x[2], x[3]]);
            let distance = found.between.length();
            let normal = found.between / distance;
            let force = BAND.push(distance, 0.01).map_or(0.0, |push| push.force);
            let weights = [found.first - 1.0, -found.first, 1.0 - found.second, found.second];
            for (point, weight) in weights.into_iter().enumerate() {
                for axis in DVec3::AXES {
                    let step = 1e-8;
                    let moved = |by: f64| {
                        let mut moved = x;
                        moved[point] += axis * by;
                        energy(moved)
                    };
                    let slope = (moved(step) - moved(-step)) / (2.0 * step);
                    let expected = -force * weight * normal.dot(axis);
                    // The points are drawn to the middles by a thousandth, which the slope of the distance alone does not know.
                    prop_assert!((slope - expected).abs() < 5e-3 * force + 1e-6, "{slope} against {expected}");
                }
            }
        }

        // Tilting one of two segments that cross at a right angle about the place where they touch: what the barrier resists with.
        #[test]
        fn tilting_is_as_stiff_as_it_is_said_to_be(gap in 0.019..0.022_f64) {
            let x = crossing(std::f64::consts::FRAC_PI_2, gap, [0.5; 2]);
            let push = BAND.push(gap, 0.01).unwrap_or_default();
            let [stiffness, _] = tilt(push.force, gap, [0.5; 2], [x[1] - x[0], x[3] - x[2]]);
            let step = 2e-5;
            let tilted = |by: f64| energy([x[0] - DVec3::Y * by, x[1] + DVec3::Y * by, x[2], x[3]]);
            let curvature = (tilted(step) - 2.0 * tilted(0.0) + tilted(-step)) / (step * step);
            // The ends differ by twice the step.
            prop_assert!((curvature - 4.0 * stiffness).abs() < 0.02 * curvature, "{curvature} against {}", 4.0 * stiffness);
        }
    }
}
