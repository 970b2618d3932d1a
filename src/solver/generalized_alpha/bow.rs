//! A guess for a straight rod whose ends come nearer to each other.
//!
//! A rod that can't get shorter must bow. But by a bow of height `a` its ends come nearer by `a²π²/4L`: to first order by nothing, so that a linear picture of a straight rod says that it can't be done, and
//! Newton's method has nowhere to go. From a rod that is bowed already it arrives. Every bow is a solution, to this side or that; the rod takes the side to which it leans, or else is pushed.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::{
    equations::{Node, Step},
    rotation::{derivative, exp},
};

/// A rod is straight when its ends are apart by more than this part of its length. Beyond it, a bow of a twentieth of the length, Newton's method finds its way by itself.
const STRAIGHT: f64 = 0.995;
/// A rod leans where it is off its chord by more than this part of its length: more than rounding.
const LEANS: f64 = 1e-9;

/// The bow that a straight rod must take in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bow {
    /// About which tangents turn, world.
    axis: DVec3,
    /// m.
    height: f64,
    /// Of the rod, m.
    length: f64,
}

impl Bow {
    /// What the ends ask of a rod, if it is straight and they ask it to be shorter.
    pub fn of(step: &Step) -> Option<Self> {
        let [Some(first), Some(last)] = step.ends.map(|end| end.velocity) else {
            return None;
        };
        let model = step.model;
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
        let pushed = across(step.force.iter().sum());
        let side = if leans.length() > LEANS * length {
            leans
        } else {
            // Where nothing says to which side, a direction that the rod itself has.
            pushed.try_normalize().unwrap_or(across(step.old_frames[1] * DVec3::X))
        };
        Some(Self {
            axis: along.cross(side.normalize()),
            height: 2.0 / PI * (length * (length - wanted).min(0.5 * length)).sqrt(),
            length,
        })
    }

    /// Bend a rod so, as if it had come there in a step of implicit Euler. The bow is level at both ends, which suits clamps and pins.
    pub fn bend(&self, step: &Step, nodes: &mut [Node]) {
        let (n, model) = (step.model.segments(), step.model);
        let steepest = PI * self.height / self.length;
        let (mut middle, mut before) = (0.0, 0.0);
        for j in 0..=n {
            // The slope of the segment after the node, at its middle; beyond the end it is level.
            let slope = if j < n {
                middle += 0.5 * model.lengths[j];
                let slope = steepest * (TAU * middle / self.length).sin();
                middle += 0.5 * model.lengths[j];
                slope
            } else {
                0.0
            };
            let axis = step.old_frames[j].conjugate() * self.axis;
            nodes[j].curvature = step.old[j].curvature + axis * ((slope - before) / model.spans[j]);
            before = slope;
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
