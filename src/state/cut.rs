//! Cutting a rod at a point.
//!
//! The rod is severed where it is: a segment that is cut inside becomes two of the same strain and frame, with the end vertices of the two
//! stubs at the same place; a cut near a vertex parts the segments there. What hangs together no longer becomes a rod of its own.
//! Interpolating position and velocity linearly along the segment keeps mass, momentum and centre of mass to rounding.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use thiserror::Error;

use super::{
    event::Event,
    insert::{InsertError, fits},
    remake::{Lifted, VertexState},
    world::{RodId, RodWorld},
};
use crate::{
    contact::Neighbor,
    rod::{Masses, RodDescription, RodError, RodParts, RodPoint, RodPointError, Topology, Vertex},
};

/// Closer to a vertex than this fraction of the segment, a cut goes through the vertex: a stub that short would only be stiff.
const SNAP: f64 = 0.05;

/// Why a rod was not cut. It is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CutError {
    /// No such rod.
    #[error("there is no such rod")]
    Missing,
    /// The rod is frozen after it went non-finite.
    #[error("the rod is quarantined")]
    Quarantined,
    /// No such point on the rod.
    #[error(transparent)]
    Point(#[from] RodPointError),
    /// Nothing is beyond the point.
    #[error("vertex {vertex} is an end of the rod: there is nothing to cut off")]
    AtEnd {
        /// The end.
        vertex: u32,
    },
    /// A piece would not be a rod, such as one without mass.
    #[error("a piece would not be a rod: {0}")]
    Piece(#[from] RodError),
    /// A piece would not fit single precision.
    #[error("a piece would not fit: {0}")]
    Magnitude(#[from] InsertError),
}

/// What a cut made, and where the material went.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The rod that was cut.
    pub rod: RodId,
    /// What came off. `None` where the cut left the rod in one piece.
    pub piece: Option<RodId>,
    /// Where each old segment is, or the part of it at the tail.
    landings: Vec<Landing>,
    split: Option<Split>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Landing {
    off: bool,
    segment: u32,
}

/// The segment that was cut inside.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    segment: u32,
    along: f64,
    /// Where the part at the head is.
    second: Landing,
}

impl Cut {
    /// Where a material point of the rod before the cut (a segment, and 0 to 1 from its tail to its head) is now: rod, segment and place on it.
    /// `None` for a segment that there was not.
    pub fn map(&self, segment: u32, along: f64) -> Option<(RodId, u32, f64)> {
        let first = *self.landings.get(segment as usize)?;
        let (landing, along) = match self.split.filter(|split| split.segment == segment) {
            Some(split) if along <= split.along => (first, along / split.along),
            Some(split) => (split.second, (along - split.along) / (1.0 - split.along)),
            None => (first, along),
        };
        let rod = if landing.off { self.piece? } else { self.rod };
        Some((rod, landing.segment, along))
    }
}

impl RodWorld {
    /// Cut a rod at a point. A chain becomes two, of which the one with the start keeps the name; a loop becomes a chain; of a graph
    /// the part that is pinned keeps the name, or the one with vertex 0. Costs time in proportion to the rod.
    ///
    /// A cut closer to a vertex than 5% of the segment goes through the vertex; where a graph branches it takes off the one segment.
    /// Pins, clamps, loads, forces and targets stay with their vertices; those at a vertex that is cut stay with the start.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 16)).pin(0).build()?;
    /// let mut world = RodWorld::default();
    /// let id = world.insert(rope)?;
    /// let cut = world.cut(id, RodPoint::Arc(1.2))?;
    /// let piece = cut.piece.and_then(|piece| world.rod(piece));
    /// assert!(piece.is_some_and(|piece| (piece.length() - 0.8).abs() < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cut(&mut self, id: RodId, at: RodPoint) -> Result<Cut, CutError> {
        let lifted = self.lift(id).ok_or(CutError::Missing)?;
        if lifted.resident.quarantined {
            return Err(CutError::Quarantined);
        }
        let parts = lifted.parts();
        // Points are counted in rest lengths as they are now.
        let rod = RodDescription::new(parts.clone())?;
        let (segment, along) = rod.locate(at)?;
        let severed = Severed::new(&rod, parts, lifted, segment as usize, along)?;
        let (mut keep, mut off) = severed.pieces(rod.topology());
        let seal = |piece: &mut Piece| -> Result<(), CutError> {
            let description = RodDescription::new(std::mem::take(&mut piece.parts))?;
            fits(&description)?;
            piece.lifted.resident.description = Arc::new(description);
            Ok(())
        };
        seal(&mut keep)?;
        off.as_mut().map_or(Ok(()), seal)?;

        let mut landings = vec![Landing::default(); severed.parts.segments.len()];
        for (piece, off) in [(Some(&keep), false), (off.as_ref(), true)] {
            let segments = piece.map_or(&[][..], |piece| &piece.segments);
            for (segment, &old) in (0u32..).zip(segments) {
                landings[old as usize] = Landing { off, segment };
            }
        }
        let split = severed.inside.and_then(|along| {
            let second = landings.pop()?;
            Some(Split { segment, along, second })
        });
        self.wake_touching(Neighbor::Rod(id));
        self.put_down(id, &keep.lifted);
        let piece = off.as_mut().map(|off| {
            off.lifted.alone = false; // Until something is found to be tied to it.
            self.put_in(&mut off.lifted)
        });
        self.events.push(Event::Cut { rod: id, piece });
        let cut = Cut {
            rod: id,
            piece,
            landings,
            split,
        };
        self.coupling.remap(id, |segment, along| cut.map(segment, along));
        Ok(cut)
    }
}

/// A rod that was cut, its pieces still under one numbering: new vertices and the second stub come after the old ones.
struct Severed {
    parts: RodParts,
    lifted: Lifted,
    /// The new vertex on the far side of the cut, and the vertex on the near side.
    far: u32,
    near: u32,
    /// The segment that starts on the far side.
    beyond: u32,
    /// Where along the segment it was cut, if inside.
    inside: Option<f64>,
}

/// Part of a severed rod.
struct Piece {
    parts: RodParts,
    lifted: Lifted,
    /// Its segments by their numbers in the severed rod.
    segments: Vec<u32>,
}

impl Severed {
    fn new(
        rod: &RodDescription,
        mut parts: RodParts,
        mut lifted: Lifted,
        segment: usize,
        along: f64,
    ) -> Result<Self, CutError> {
        // The pull across the cut ends at once: BDF2 would carry a third of it on.
        lifted.history_step = 0.0;
        lifted.rouse();
        parts.complete();
        let masses = Masses::of(&parts);
        let ends = &parts.segments[segment];
        let vertex = match along {
            along if along < SNAP => ends.tail,
            along if along > 1.0 - SNAP => ends.head,
            _ => return Ok(Self::inside(parts, lifted, &masses, segment, along)),
        };
        let meet = parts.segments.iter().filter(|s| s.tail == vertex || s.head == vertex);
        if meet.count() < 2 {
            return Err(CutError::AtEnd { vertex });
        }
        // In a chain or loop the segment that starts at the vertex is the one behind the cut, whichever was named.
        let beyond = match rod.topology() {
            Topology::Graph => segment,
            _ => vertex as usize,
        };
        Ok(Self::at_vertex(parts, lifted, &masses, beyond, vertex))
    }

    fn inside(mut parts: RodParts, mut lifted: Lifted, masses: &Masses, segment: usize, along: f64) -> Self {
        let old = parts.segments[segment];
        let (near, far) = (parts.vertices.len() as u32, parts.vertices.len() as u32 + 1);
        let beyond = parts.segments.len() as u32;
        let [tail, head] = [old.tail as usize, old.head as usize];
        // The new vertices take half of the segment's mass, from its ends in such shares that centre of mass and momentum stay; an end can't
        // give more than it has.
        let [at_tail, at_head] = masses.segments[segment];
        let moved = (old.mass / 2.0).min(at_tail / (1.0 - along)).min(at_head / along);
        parts.vertices[tail].mass -= moved * (1.0 - along);
        parts.vertices[head].mass -= moved * along;
        let [a, b] = [parts.vertices[tail], parts.vertices[head]];
        let between = |mass| Vertex {
            position: a.position.lerp(b.position, along),
            radius: a.radius + (b.radius - a.radius) * along,
            mass,
        };
        parts.vertices.push(between(moved * along));
        parts.vertices.push(between(moved * (1.0 - along)));
        let between = VertexState::between(&lifted.vertices[tail], &lifted.vertices[head], along);
        lifted.vertices.extend([between; 2]);

        let mut second = old;
        let first = &mut parts.segments[segment];
        first.head = near;
        second.tail = far;
        for (part, share) in [(first, along), (&mut second, 1.0 - along)] {
            part.rest_length = old.rest_length * share;
            part.mass = old.mass * share;
        }
        parts.segments.push(second);
        let mut state = lifted.segments[segment];
        state.rest_length = None;
        let torque = state.torque;
        state.torque = torque * along as f32;
        lifted.segments[segment] = state;
        state.torque = torque * (1.0 - along) as f32;
        lifted.segments.push(state);

        // What met the segment at its head now meets the second stub.
        let at_head = |other: u32| {
            let other = &parts.segments[other as usize];
            other.tail == old.head || other.head == old.head
        };
        for joint in &mut parts.joints {
            let on = |s: u32| s as usize == segment;
            if on(joint.first) && at_head(joint.second) {
                joint.first = beyond;
            } else if on(joint.second) && at_head(joint.first) {
                joint.second = beyond;
            } else if !on(joint.first) && !on(joint.second) {
                continue;
            }
            let lengths = [joint.first, joint.second].map(|s| parts.segments[s as usize].rest_length);
            joint.length = (lengths[0] + lengths[1]) / 2.0;
        }
        for clamp in parts
            .clamps
            .iter_mut()
            .filter(|clamp| clamp.segment as usize == segment)
        {
            if clamp.vertex == old.head {
                clamp.segment = beyond;
            }
            clamp.length = parts.segments[clamp.segment as usize].rest_length / 2.0;
        }
        if parts.held_segments.contains(&(segment as u32)) {
            parts.held_segments.push(beyond);
        }
        if lifted.resident.broken.contains(&(segment as u32)) {
            lifted.resident.broken.push(beyond);
        }
        Self {
            parts,
            lifted,
            far,
            near,
            beyond,
            inside: Some(along),
        }
    }

    fn at_vertex(mut parts: RodParts, mut lifted: Lifted, masses: &Masses, beyond: usize, vertex: u32) -> Self {
        let far = parts.vertices.len() as u32;
        let segment = &mut parts.segments[beyond];
        let [at_tail, at_head] = masses.segments[beyond];
        let mass = if segment.tail == vertex {
            segment.tail = far;
            at_tail
        } else {
            segment.head = far;
            at_head
        };
        let near = &mut parts.vertices[vertex as usize];
        near.mass -= mass;
        let copy = Vertex { mass, ..*near };
        parts.vertices.push(copy);
        let mut state = lifted.vertices[vertex as usize];
        state.free = 1.0;
        for clamp in &mut parts.clamps {
            if clamp.vertex == vertex && clamp.segment as usize == beyond {
                clamp.vertex = far;
                state.free = 0.0;
            }
        }
        lifted.vertices.push(state);
        // Joints that held the segment to the others there are gone.
        let touches = |s: u32| {
            let s = &parts.segments[s as usize];
            s.tail == vertex || s.head == vertex
        };
        let mut kept = parts.joints.iter().map(|joint| {
            !(joint.first as usize == beyond && touches(joint.second)
                || joint.second as usize == beyond && touches(joint.first))
        });
        let kept: Vec<bool> = kept.by_ref().collect();
        let mut flags = kept.iter().copied().chain(std::iter::repeat(true));
        lifted.joints.retain(|_| flags.next() == Some(true));
        let mut flags = kept.iter().copied();
        parts.joints.retain(|_| flags.next() == Some(true));
        Self {
            parts,
            lifted,
            far,
            near: vertex,
            beyond: beyond as u32,
            inside: None,
        }
    }

    /// Vertices that hang together with the far side.
    fn far_side(&self) -> Vec<bool> {
        let mut links = vec![Vec::new(); self.parts.vertices.len()];
        for segment in &self.parts.segments {
            links[segment.tail as usize].push(segment.head);
            links[segment.head as usize].push(segment.tail);
        }
        let mut reached = vec![false; links.len()];
        let mut open = vec![self.far];
        while let Some(vertex) = open.pop() {
            if !std::mem::replace(&mut reached[vertex as usize], true) {
                open.extend(&links[vertex as usize]);
            }
        }
        reached
    }

    /// What keeps the name, and what came off.
    fn pieces(&self, topology: Topology) -> (Piece, Option<Piece>) {
        let far_side = self.far_side();
        if far_side[self.near as usize] {
            return (self.piece(topology, &|_| true), None);
        }
        let far = self.piece(topology, &|v| far_side[v as usize]);
        let near = self.piece(topology, &|v| !far_side[v as usize]);
        let pinned = |piece: &Piece| piece.lifted.vertices.iter().any(|v| v.free == 0.0);
        let far_keeps = topology == Topology::Graph
            && match (pinned(&near), pinned(&far)) {
                (true, false) => false,
                (false, true) => true,
                _ => far_side[0],
            };
        if far_keeps {
            (far, Some(near))
        } else {
            (near, Some(far))
        }
    }

    /// The elements at the vertices that `within` picks, numbered anew: along the rod where it is a chain, else in their old order.
    fn piece(&self, topology: Topology, within: &dyn Fn(u32) -> bool) -> Piece {
        let (parts, lifted) = (&self.parts, &self.lifted);
        let (old_vertices, old_segments) = match self.inside {
            Some(_) => (self.near, self.beyond),
            None => (self.far, parts.segments.len() as u32),
        };
        // Where along the rod an element is: the new ones lie behind the tail of the segment that was cut, or behind the vertex.
        let cut_at = match self.inside {
            Some(_) => (parts.segments.iter().position(|s| s.head == self.near)).map_or(0.0, |s| s as f64),
            None => f64::from(self.near),
        };
        let vertex_place = |v: u32| match v {
            v if v == self.far => cut_at + 0.6,
            v if v >= old_vertices => cut_at + 0.3,
            v => f64::from(v),
        };
        let segment_place = |s: u32| if s >= old_segments { cut_at + 0.5 } else { f64::from(s) };
        // A loop begins behind the cut.
        let from = |place: f64, first: f64, count: u32| match topology {
            Topology::Loop if place < first => place + f64::from(count),
            _ => place,
        };
        let sorted = |mut list: Vec<u32>, place: &dyn Fn(u32) -> f64, first: u32, count: u32| {
            if topology != Topology::Graph {
                list.sort_by(|&a, &b| {
                    let [a, b] = [a, b].map(|i| from(place(i), place(first), count));
                    a.total_cmp(&b)
                });
            }
            list
        };
        let vertices = (0..parts.vertices.len() as u32).filter(|&v| within(v)).collect();
        let vertices = sorted(vertices, &vertex_place, self.far, old_vertices);
        let segments = (0..parts.segments.len() as u32).filter(|&s| within(parts.segments[s as usize].tail));
        let segments = sorted(segments.collect(), &segment_place, self.beyond, old_segments);

        let new_vertex = inverse(&vertices, parts.vertices.len());
        let new_segment = inverse(&segments, parts.segments.len());
        let vertex = |v: u32| new_vertex[v as usize];
        let segment = |s: u32| new_segment[s as usize];
        let mut joints: Vec<usize> = (0..parts.joints.len())
            .filter(|&j| segment(parts.joints[j].first).is_some())
            .collect();
        if topology == Topology::Loop {
            joints.sort_by_key(|&j| segment(parts.joints[j].first));
        }
        let clamps: Vec<usize> = (0..parts.clamps.len())
            .filter(|&k| segment(parts.clamps[k].segment).is_some())
            .collect();
        let mut own = Lifted {
            resident: lifted.resident.clone(),
            vertices: vertices.iter().map(|&v| lifted.vertices[v as usize]).collect(),
            segments: segments.iter().map(|&s| lifted.segments[s as usize]).collect(),
            joints: (joints.iter().copied())
                .chain(clamps.iter().map(|k| parts.joints.len() + k))
                .map(|j| lifted.joints[j])
                .collect(),
            walls: clamps.iter().map(|&k| lifted.walls[k]).collect(),
            ..*lifted
        };
        own.renumber(vertex, segment);
        let number = |found: Option<u32>| found.unwrap_or(0);
        let parts = RodParts {
            vertices: vertices.iter().map(|&v| parts.vertices[v as usize]).collect(),
            segments: (segments.iter().map(|&s| parts.segments[s as usize]))
                .map(|mut s| {
                    s.tail = number(vertex(s.tail));
                    s.head = number(vertex(s.head));
                    s
                })
                .collect(),
            joints: (joints.iter().map(|&j| parts.joints[j]))
                .map(|mut j| {
                    j.first = number(segment(j.first));
                    j.second = number(segment(j.second));
                    j
                })
                .collect(),
            clamps: (clamps.iter().map(|&k| parts.clamps[k]))
                .map(|mut k| {
                    k.vertex = number(vertex(k.vertex));
                    k.segment = number(segment(k.segment));
                    k
                })
                .collect(),
            pins: parts.pins.iter().filter_map(|&v| vertex(v)).collect(),
            held_segments: parts.held_segments.iter().filter_map(|&s| segment(s)).collect(),
            ..*parts
        };
        Piece {
            parts,
            lifted: own,
            segments,
        }
    }
}

/// Where each of `count` numbers stands in a list.
fn inverse(list: &[u32], count: usize) -> Vec<Option<u32>> {
    let mut places = vec![None; count];
    for (place, &number) in (0u32..).zip(list) {
        places[number as usize] = Some(place);
    }
    places
}

impl VertexState {
    /// A free vertex on the way from one to another.
    pub(crate) fn between(a: &Self, b: &Self, along: f64) -> Self {
        let place = |v: &Self| v.position[0].as_dvec3() + v.position[1].as_dvec3();
        let position: DVec3 = place(a).lerp(place(b), along);
        let leading = position.as_vec3();
        let mean = |a: Vec3, b: Vec3| a.as_dvec3().lerp(b.as_dvec3(), along).as_vec3();
        Self {
            position: [leading, (position - leading.as_dvec3()).as_vec3()],
            velocity: mean(a.velocity, b.velocity),
            free: 1.0,
            falling: a.falling + (b.falling - a.falling) * along as f32,
            history: [mean(a.history[0], b.history[0]), mean(a.history[1], b.history[1])],
        }
    }
}
