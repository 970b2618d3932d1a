//! Births and deaths at the end of a chain that is lifted out of its block.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::{ReelError, RodEnd, from_end};
use crate::{
    rod::{Joint, Masses, RodParts, Vertex},
    state::remake::{JointState, Lifted, SegmentState, VertexState},
};

/// A chain that grows and shrinks at an end, lifted.
pub(super) struct Chain {
    pub parts: RodParts,
    pub lifted: Lifted,
    pub end: RodEnd,
}

impl Chain {
    /// The segment at the end.
    pub fn outer(&self) -> usize {
        from_end(self.end, 0, self.parts.segments.len())
    }

    /// Rest length of a segment as the solver has it, m.
    fn length_now(&self, segment: usize) -> f64 {
        let described = self.parts.segments[segment].rest_length;
        self.lifted.segments[segment].rest_length.map_or(described, f64::from)
    }

    /// In the description the end segment lies straight, as long as it is: halving it at each birth would end in nothing.
    pub fn lay_out(&mut self) {
        let segment = self.parts.segments[self.outer()];
        let (fixed, moved) = match self.end {
            RodEnd::Start => (segment.head as usize, segment.tail as usize),
            RodEnd::End => (segment.tail as usize, segment.head as usize),
        };
        let vertices = &mut self.parts.vertices;
        let direction = (vertices[moved].position - vertices[fixed].position).normalize_or(DVec3::Y);
        vertices[moved].position = vertices[fixed].position + direction * segment.rest_length;
    }

    /// The end segment and its neighbour become one. Where they were bent against each other the chord is shorter than both; the frame takes its direction.
    pub fn merge(&mut self) -> Result<(), ReelError> {
        let (outer, end) = (self.outer(), self.end);
        let (inner, vertex, joint, place) = match end {
            RodEnd::Start => (1, 1, 0, 0),
            RodEnd::End => (outer - 1, outer, outer - 1, outer - 1),
        };
        let load = Masses::of(&self.parts).loads[vertex];
        if load > 0.0 || self.lifted.vertices[vertex].free == 0.0 {
            return Err(ReelError::Blocked { vertex: vertex as u32 });
        }
        let [gone, stays] = [self.parts.segments[outer], self.parts.segments[inner]];
        let [outer_end, inner_end] = match end {
            RodEnd::Start => [gone.tail, stays.head],
            RodEnd::End => [gone.head, stays.tail],
        };
        let (length, mass) = (gone.rest_length + stays.rest_length, gone.mass + stays.mass);
        // Springs in a row: compliances add up.
        let row = |a: f64, b: f64| length / (gone.rest_length / a + stays.rest_length / b);
        let mut merged = stays;
        merged.tail = gone.tail.min(stays.tail);
        merged.head = gone.head.max(stays.head);
        merged.rest_length = length;
        merged.mass = mass;
        merged.axial = row(gone.axial, stays.axial);
        merged.shear = row(gone.shear, stays.shear);
        // In the description it has the direction of the one that stays.
        self.parts.vertices[outer_end as usize].position = self.parts.vertices[vertex].position;
        let removed = self.parts.vertices[vertex].mass;
        let share = if mass > 0.0 { gone.mass / mass } else { 0.5 };
        self.parts.vertices[inner_end as usize].mass += removed * share;
        self.parts.vertices[outer_end as usize].mass += removed * (1.0 - share);

        let place_of = |v: u32| {
            let [leading, rest] = self.lifted.vertices[v as usize].position;
            leading.as_dvec3() + rest.as_dvec3()
        };
        let chord = (place_of(merged.head) - place_of(merged.tail)).as_vec3();
        let mut state = self.lifted.segments[inner];
        let other = self.lifted.segments[outer];
        if let Some(chord) = chord.try_normalize() {
            state.orientation =
                (Quat::from_rotation_arc(state.orientation * Vec3::Z, chord) * state.orientation).normalize();
        }
        state.held = state.held.max(other.held);
        state.torque += other.torque;
        state.rest_length = Some((self.length_now(outer) + self.length_now(inner)) as f32);

        self.parts.segments[place] = merged;
        self.parts.segments.remove(place + 1);
        self.lifted.segments[place] = state;
        self.lifted.segments.remove(place + 1);
        self.parts.joints.remove(joint);
        self.lifted.joints.remove(joint);
        self.parts.vertices.remove(vertex);
        self.lifted.vertices.remove(vertex);
        // What acted on the vertex acts on its neighbour.
        let gone = vertex as u32;
        let vertices = |v: u32| match (v == gone, v > gone) {
            (true, _) => Some(if end == RodEnd::Start { gone } else { gone - 1 }),
            (_, beyond) => Some(v - u32::from(beyond)),
        };
        let first = place as u32;
        let segments = |s: u32| Some(s - u32::from(s > first));
        self.parts.pins.retain(|&pin| pin != gone);
        self.renumber(vertices, segments);
        self.parts.measure_joints(place);
        Ok(())
    }

    /// The end segment gives birth to one of the nominal length, on its far side, and keeps the rest.
    pub fn split(&mut self, nominal: f64, rest: f64) {
        let (outer, end) = (self.outer(), self.end);
        let old = self.parts.segments[outer];
        // The place of the new vertex from the tail, and which of the two parts is the new segment.
        let (along, vertex) = match end {
            RodEnd::Start => (rest / (nominal + rest), 1),
            RodEnd::End => (nominal / (nominal + rest), outer + 1),
        };
        let [tail, head] = [old.tail as usize, old.head as usize];
        let moved = old.mass / 2.0;
        self.parts.vertices[tail].mass -= moved * (1.0 - along);
        self.parts.vertices[head].mass -= moved * along;
        let [a, b] = [self.parts.vertices[tail], self.parts.vertices[head]];
        let born = Vertex {
            position: a.position.lerp(b.position, along),
            mass: moved,
            radius: a.radius + (b.radius - a.radius) * along,
        };
        let state = self.born_vertex(tail, head, along);
        let mut halves = [old; 2];
        for (half, share) in halves.iter_mut().zip([along, 1.0 - along]) {
            half.rest_length = (nominal + rest) * share;
            half.mass = old.mass * share;
        }
        // Exactly, so that lengths add up: the one of nominal length is the inner one.
        let [inner, own] = match end {
            RodEnd::Start => [1, 0],
            RodEnd::End => [0, 1],
        };
        halves[inner].rest_length = nominal;
        halves[own].rest_length = rest;
        let mut segment = self.lifted.segments[outer];
        segment.torque *= 0.5;
        let length_now = self.length_now(outer);
        let states = [along, 1.0 - along].map(|share| SegmentState {
            rest_length: Some((length_now * share) as f32),
            ..segment
        });
        let joint = self.born_joint(outer, (nominal + rest) / 2.0);

        self.parts.segments[outer] = halves[0];
        self.parts.segments.insert(outer + 1, halves[1]);
        self.lifted.segments[outer] = states[0];
        self.lifted.segments.insert(outer + 1, states[1]);
        self.parts.joints.insert(outer, joint);
        self.lifted.joints.insert(outer, JointState::default());
        self.parts.vertices.insert(vertex, born);
        self.lifted.vertices.insert(vertex, state);
        let at = vertex as u32;
        let first = outer as u32;
        let later = end == RodEnd::End;
        self.renumber(
            |v| Some(v + u32::from(v >= at)),
            |s| Some(s + u32::from(s > first || (later && s == first))),
        );
        self.parts.measure_joints(outer);
        self.parts.measure_joints(outer + 1);
    }

    /// A joint like the one next to it, straight: that is how the material lay on the drum.
    fn born_joint(&self, outer: usize, length: f64) -> Joint {
        let parts = &self.parts;
        let like = match self.end {
            RodEnd::Start => parts.joints.first(),
            RodEnd::End => parts.joints.last(),
        };
        let clamp = parts.clamps.first();
        let (bending, torsion, relaxation, yield_curvature) = match (like, clamp) {
            (Some(j), _) => (j.bending, j.torsion, j.relaxation, j.yield_curvature),
            (None, Some(c)) => (c.bending, c.torsion, c.relaxation, c.yield_curvature),
            // One free segment says nothing of bending.
            (None, None) => ([0.0; 2], 0.0, 0.0, f64::INFINITY),
        };
        Joint {
            first: outer as u32,
            second: outer as u32 + 1,
            rest: DQuat::IDENTITY,
            length,
            bending,
            torsion,
            relaxation,
            yield_curvature,
        }
    }

    /// Between its neighbours, moving across the rod as they do on the average; along the rod with the inner one, because material that is paid
    /// out moves on as one.
    fn born_vertex(&self, tail: usize, head: usize, along: f64) -> VertexState {
        let [a, b] = [&self.lifted.vertices[tail], &self.lifted.vertices[head]];
        let mut born = VertexState::between(a, b, along);
        let inner = if self.end == RodEnd::Start { b } else { a };
        let edge = (b.position[0] - a.position[0]) + (b.position[1] - a.position[1]);
        let Some(tangent) = edge.try_normalize() else {
            return born;
        };
        let follow = |own: &mut Vec3, other: Vec3| *own += tangent * (other - *own).dot(tangent);
        follow(&mut born.velocity, inner.velocity);
        follow(&mut born.history[0], inner.history[0]);
        follow(&mut born.history[1], inner.history[1]);
        born
    }

    /// Tell everything the new numbers of the vertices and segments.
    fn renumber(&mut self, vertex: impl Fn(u32) -> Option<u32>, segment: impl Fn(u32) -> Option<u32>) {
        let parts = &mut self.parts;
        parts.pins = parts.pins.iter().filter_map(|&v| vertex(v)).collect();
        parts.held_segments = parts.held_segments.iter().filter_map(|&s| segment(s)).collect();
        for (s, number) in parts.segments.iter_mut().zip(0u32..) {
            (s.tail, s.head) = (number, number + 1);
        }
        for (j, number) in parts.joints.iter_mut().zip(0u32..) {
            (j.first, j.second) = (number, number + 1);
        }
        let last = parts.segments.len() as u32;
        for clamp in parts.clamps.iter_mut().filter(|clamp| clamp.vertex != 0) {
            (clamp.vertex, clamp.segment) = (last, last - 1);
        }
        self.lifted.renumber(vertex, segment);
    }
}
