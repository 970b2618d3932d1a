//! A guess for a straight rod whose ends come nearer to each other.
//!
//! A rod that can't get shorter must bow. But by a bow of height `a` its ends come nearer by `a²π²/4L`: to first order by nothing, so that a linear picture of a straight rod says that it can't be done, and
//! Newton's method has nowhere to go. From a rod that is bowed already it arrives. Every bow is a solution, to this side or that; the rod takes the side to which it leans, or else is pushed.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::{
    equations::{Node, Step},
    model::Model,
    rotation::{derivative, exp},
};

/// A rod is straight when its ends are apart by more than this part of its length. Beyond it, a bow of a twentieth of the length, Newton's method finds its way by itself.
const STRAIGHT: f64 = 0.995;
/// A rod leans where it is off its chord by more than this part of its length: more than rounding.
const LEANS: f64 = 1e-9;

/// How much of the bow an exactly straight rod is given beforehand.
const IMPERFECT: f64 = 0.25;

/// The bow that a straight rod must take in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bow {
    /// From end to end, of unit length, world.
    along: DVec3,
    /// To which side, of unit length, world.
    side: DVec3,
    /// What it lacks of its height, m.
    height: f64,
    /// Of the rod, m.
    length: f64,
    /// EI in its middle, N·m².
    bending: f64,
    /// A torque about the rod winds its bow into a helix, 1/m.
    winding: f64,
}

impl Bow {
    /// What the ends ask of a rod, if it is straight and they ask it to be shorter.
    pub fn of(step: &Step) -> Option<Self> {
        let [Some(first), Some(last)] = step.ends.map(|end| end.velocity) else {
            return None;
        };
        let (n, model) = (step.model.segments(), step.model);
        let length: f64 = model.lengths.iter().sum();
        let edges = || (step.old_frames[1..].iter().zip(&model.lengths)).map(|(frame, l)| *frame * DVec3::Z * *l);
        let chord: DVec3 = edges().sum();
        let wanted = (chord + (last - first) * step.h).length();
        if chord.length() < STRAIGHT * length || wanted >= chord.length() {
            return None;
        }
        let along = chord.normalize();
        let across = |v: DVec3| v - along * v.dot(along);
        let mut here = DVec3::ZERO;
        let mut leans = DVec3::ZERO;
        for edge in edges() {
            here += edge;
            let off = across(here);
            if off.length_squared() > leans.length_squared() {
                leans = off;
            }
        }
        // Where nothing says to which side, a direction that the rod itself has.
        let own = || across(step.old_frames[1] * DVec3::X).normalize_or(along.any_orthonormal_vector());
        let pushed = across(step.force.iter().sum());
        let side = if leans.length() > LEANS * length {
            leans.normalize()
        } else {
            pushed.try_normalize().unwrap_or_else(own)
        };
        let middle = n.div_ceil(2);
        let rigidity = model.rigidity[middle];
        let bending = 0.5 * (rigidity.x + rigidity.y);
        let torque = rigidity.z * (step.old[middle].curvature.z - model.rest[middle].z);
        // The ends have their velocity when the step is over. A bow that has grown evenly brings them nearer twice as fast then as it did on the whole.
        let shorter = (length - chord.length()) + 0.5 * (chord.length() - wanted);
        Some(Self {
            along,
            side,
            height: (2.0 / PI * (length * shorter.min(0.5 * length)).sqrt() - leans.length()).max(0.0),
            length,
            bending,
            winding: 0.5 * torque / bending,
        })
    }

    /// How far the rod is off its chord: level at both ends, which suits clamps and pins, and wound as a rod under a torque is when it buckles.
    fn off(&self, s: f64) -> DVec3 {
        let (sin, cos) = (self.winding * (s - 0.5 * self.length)).sin_cos();
        let size = self.height * (PI * s / self.length).sin().powi(2);
        (self.side * cos + self.along.cross(self.side) * sin) * size
    }

    /// How the segments are turned by a part of the bow, one after the other, and not at all beyond the end.
    fn turns<'a>(&'a self, model: &'a Model, part: f64) -> impl Iterator<Item = DVec3> + 'a {
        let segments = model.lengths.iter().scan(0.0, move |s, l| {
            let slope = (self.off(*s + l) - self.off(*s)) / *l;
            *s += l;
            Some(self.along.cross(slope) * part)
        });
        segments.chain([DVec3::ZERO])
    }

    /// Bend a rod a little. From exactly straight it might bow to any side alike, and Newton's method would have a whole circle of answers to choose from.
    pub fn lean(&self, model: &Model, nodes: &mut [Node], frames: &mut [DQuat]) {
        let mut before = DVec3::ZERO;
        for (j, turned) in self.turns(model, IMPERFECT).enumerate() {
            nodes[j].curvature += frames[j].conjugate() * (turned - before) / model.spans[j];
            before = turned;
        }
        for j in 0..model.segments() {
            frames[j + 1] = (frames[j] * exp(nodes[j].curvature * model.spans[j])).normalize();
        }
    }

    /// Bend a rod so, as if it had come there in a step of implicit Euler.
    pub fn bend(&self, step: &Step, nodes: &mut [Node]) {
        let (n, model) = (step.model.segments(), step.model);
        // A straight rod between two pins may be under any tension. That of a bow is its buckling load.
        let load = self.bending * ((TAU / self.length).powi(2) - self.winding * self.winding);
        let mut before = DVec3::ZERO;
        for (j, turned) in self.turns(model, 1.0).enumerate() {
            let back = step.old_frames[j].conjugate();
            nodes[j].curvature = step.old[j].curvature + back * (turned - before) / model.spans[j];
            nodes[j].force = back * self.along * -load;
            before = turned;
        }
        // Spins and velocities follow from the ends of the rod on (14c, 14d).
        let start = step.old_frames[0].conjugate();
        nodes[0].spin = step.ends[0].spin.map_or(DVec3::ZERO, |spin| start * spin);
        nodes[0].velocity = step.ends[0].velocity.map_or(DVec3::ZERO, |velocity| start * velocity);
        for j in 0..n {
            let (s, node) = (model.spans[j], nodes[j]);
            let turn = node.curvature * s;
            let back = exp(-turn);
            let rate = (node.curvature - step.old[j].curvature) / step.h;
            let spin = back * node.spin + derivative(turn) * rate * s;
            nodes[j + 1].spin = spin;
            nodes[j + 1].velocity = back * node.velocity + spin.cross(DVec3::Z) * model.lengths[j];
        }
    }
}
