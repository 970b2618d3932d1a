//! The numbers of a rod as the equations have them: masses, inertia, rigidity and rest curvature along the arc.
//!
//! Vertices of a description become the nodes, with their masses and their joints. Curvature at a node is the rotation between the frames of its two segments over the length
//! that the joint stands for, so that the rest shape is the described one to the last bit; the nodes at the ends stand for half a segment.

use glam::{DQuat, DVec3};

use super::rotation::log;
use crate::rod::{Masses, RodDescription};

/// A chain, resolved for this method.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Of each segment, m.
    pub lengths: Vec<f64>,
    /// Of each node, with what is tied to it, kg.
    pub masses: Vec<f64>,
    /// Of each segment: moments of inertia about d₁, d₂ and d₃, kg·m².
    pub inertia: Vec<DVec3>,
    /// Of each node: the length whose bending it stands for, m.
    pub spans: Vec<f64>,
    /// Of each node: EI₁, EI₂, GJ, N·m².
    pub rigidity: Vec<DVec3>,
    /// Of each node: curvature without load, 1/m.
    pub rest: Vec<DVec3>,
    /// Of each node: Kelvin–Voigt relaxation time, s.
    pub relaxation: Vec<f64>,
}

impl Model {
    /// Of a chain.
    pub fn of(rod: &RodDescription) -> Self {
        let (segments, joints) = (rod.segments(), rod.joints());
        let n = segments.len();
        let masses = Masses::of(rod.parts());
        let lengths: Vec<f64> = segments.iter().map(|segment| segment.rest_length).collect();
        let section = rod.parts().section.as_ref();
        let inertia = (0..n).map(|s| {
            let radius = 0.5 * (rod.vertices()[s].radius + rod.vertices()[s + 1].radius);
            // A tapered rod has the section's outline at another size; its radius tells which.
            let [first, second] = section.map_or([0.25, 0.25], |section| {
                let size = section.area() * section.equivalent_radius().powi(2);
                section.second_moments().map(|moment| moment / size)
            });
            masses.segment(s) * radius * radius * DVec3::new(first, second, first + second)
        });
        let at_end = |segment: usize| {
            let clamp = rod.clamps().iter().find(|clamp| clamp.segment as usize == segment);
            let joint = if segment == 0 { joints.first() } else { joints.last() };
            match (clamp, joint) {
                (Some(c), _) => (rigidity(c.bending, c.torsion), c.relaxation),
                (None, Some(j)) => (rigidity(j.bending, j.torsion), j.relaxation),
                // A lone free segment does not bend; of a full disc, say.
                (None, None) => {
                    let s = &segments[segment];
                    let bending = 0.25 * s.axial * rod.vertices()[0].radius.powi(2);
                    (rigidity([bending; 2], bending), s.relaxation)
                }
            }
        };
        let inner = joints.iter().map(|j| {
            let curvature = log(j.rest) / j.length;
            (j.length, rigidity(j.bending, j.torsion), curvature, j.relaxation)
        });
        let mut nodes: Vec<_> = inner.collect();
        // The rest curve goes on through its ends.
        let first = nodes.first().map_or(DVec3::ZERO, |node| node.2);
        let last = nodes.last().map_or(DVec3::ZERO, |node| node.2);
        let (start, end) = (at_end(0), at_end(n - 1));
        nodes.insert(0, (0.5 * lengths[0], start.0, first, start.1));
        nodes.push((0.5 * lengths[n - 1], end.0, last, end.1));
        Self {
            inertia: inertia.collect(),
            masses: rod.vertices().iter().map(|vertex| vertex.mass).collect(),
            spans: nodes.iter().map(|node| node.0).collect(),
            rigidity: nodes.iter().map(|node| node.1).collect(),
            rest: nodes.iter().map(|node| node.2).collect(),
            relaxation: nodes.iter().map(|node| node.3).collect(),
            lengths,
        }
    }

    /// Number of segments.
    pub fn segments(&self) -> usize {
        self.lengths.len()
    }

    /// Mean length of a segment, m.
    pub fn mean_length(&self) -> f64 {
        self.lengths.iter().sum::<f64>() / self.segments() as f64
    }

    /// A segment got another length without load.
    pub fn set_length(&mut self, segment: usize, length: f64) {
        let n = self.segments();
        self.lengths[segment] = length;
        for node in [segment, segment + 1] {
            let before = node.checked_sub(1).map_or(0.0, |s| self.lengths[s]);
            let after = if node < n { self.lengths[node] } else { 0.0 };
            let span = 0.5 * (before + after);
            // The angle of the joint stays.
            self.rest[node] *= self.spans[node] / span;
            self.spans[node] = span;
        }
    }

    /// A joint got another orientation without load.
    pub fn set_rest(&mut self, node: usize, rest: DQuat) {
        let n = self.segments();
        self.rest[node] = log(rest) / self.spans[node];
        if node == 1 {
            self.rest[0] = self.rest[1];
        }
        if node + 1 == n {
            self.rest[n] = self.rest[node];
        }
    }
}

fn rigidity([first, second]: [f64; 2], torsion: f64) -> DVec3 {
    DVec3::new(first, second, torsion)
}
