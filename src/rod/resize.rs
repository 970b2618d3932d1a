//! Longer and shorter segments: what follows a rest length that a winch changes.

use super::description::{Clamp, RodDescription, RodParts, Segment};
use super::masses::Masses;

impl RodParts {
    /// Says what was left open: the mass of each segment, and how long a winch makes them.
    pub(crate) fn complete(&mut self) {
        let masses = Masses::of(self);
        let length: f64 = self.segments.iter().map(|segment| segment.rest_length).sum();
        let mean = length / self.segments.len() as f64;
        for (s, segment) in self.segments.iter_mut().enumerate() {
            segment.mass = masses.segment(s);
        }
        self.nominal_length = self.nominal_length.or(Some(mean));
    }

    /// Gives a segment of a chain another rest length; its mass, and the joints and clamps on it, follow.
    pub(crate) fn resize_segment(&mut self, segment: usize, rest_length: f64) {
        let resized = &mut self.segments[segment];
        let more = resized.mass * (rest_length / resized.rest_length - 1.0);
        resized.mass += more;
        resized.rest_length = rest_length;
        for end in [resized.tail, resized.head] {
            let vertex = &mut self.vertices[end as usize];
            let mass = vertex.mass + more / 2.0;
            // Parts that say more of their segments than of their vertices: what is there stays.
            if mass > 0.0 {
                vertex.mass = mass;
            }
        }
        self.measure_joints(segment);
    }

    /// Makes the joints and clamps on a segment of a chain as long as its rest length says.
    pub(crate) fn measure_joints(&mut self, segment: usize) {
        for joint in segment.saturating_sub(1)..=segment {
            if let Some(joint) = self.joints.get_mut(joint) {
                let [a, b] = [joint.first, joint.second].map(|s| self.segments[s as usize].rest_length);
                joint.length = (a + b) / 2.0;
            }
        }
        let on_it = |clamp: &&mut Clamp| clamp.segment as usize == segment;
        for clamp in self.clamps.iter_mut().filter(on_it) {
            clamp.length = self.segments[segment].rest_length / 2.0;
        }
    }
}

impl Segment {
    /// Makes a rest length that flowed the described one. It breaks at the length that it always would have.
    pub(crate) fn flow(&mut self, rest_length: f64) {
        self.break_strain = (1.0 + self.break_strain) * self.rest_length / rest_length - 1.0;
        self.rest_length = rest_length;
    }
}

impl RodDescription {
    /// [`RodParts::resize_segment`] on a description that nobody else has. `now` is the rest length before, which may have flowed.
    pub(crate) fn resize_segment(&mut self, segment: usize, now: f64, rest_length: f64) {
        if self.parts.nominal_length.is_none() {
            self.parts.complete();
        }
        if now != self.parts.segments[segment].rest_length {
            self.parts.segments[segment].flow(now);
        }
        self.parts.resize_segment(segment, rest_length);
        self.rest_length = self.parts.segments.iter().map(|segment| segment.rest_length).sum();
        self.mass = self.parts.vertices.iter().map(|vertex| vertex.mass).sum();
    }
}
