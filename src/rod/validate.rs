//! What every description must pass before it is sealed.
//!
//! All in O(n log n): duplicates are found by sorting, not by comparing pairs.

use super::checks::{
    LARGEST, MAX_ELEMENTS, MIN_LENGTH, SMALLEST, at_most, count, finite, index, not_negative, position, positive, unit,
};
use super::description::{Clamp, Joint, RodParts, Segment, Topology};
use super::error::{Place, RodError};

/// Checks everything, normalizes quaternions, pins and held segments, and says how the segments hang together.
pub(super) fn seal(parts: &mut RodParts) -> Result<Topology, RodError> {
    count(Place::field("vertices"), parts.vertices.len(), 2)?;
    count(Place::field("segments"), parts.segments.len(), 1)?;
    at_most(Place::field("joints"), parts.joints.len())?;
    at_most(Place::field("clamps"), parts.clamps.len())?;

    for (i, vertex) in parts.vertices.iter().enumerate() {
        position(Place::item("vertices[].position", i), vertex.position)?;
        not_negative(Place::item("vertices[].mass", i), vertex.mass)?;
        positive(Place::item("vertices[].radius", i), vertex.radius)?;
    }
    let RodParts {
        vertices,
        segments,
        joints,
        clamps,
        ..
    } = parts;
    for (i, segment) in segments.iter_mut().enumerate() {
        let tail = index(Place::item("segments[].tail", i), segment.tail, vertices.len())?;
        let head = index(Place::item("segments[].head", i), segment.head, vertices.len())?;
        check_segment(i, segment)?;
        if vertices[tail].position.distance(vertices[head].position) < MIN_LENGTH {
            return Err(RodError::ZeroLength {
                at: Place::item("segments[]", i),
            });
        }
    }
    for (i, joint) in joints.iter_mut().enumerate() {
        let first = index(Place::item("joints[].first", i), joint.first, segments.len())?;
        let second = index(Place::item("joints[].second", i), joint.second, segments.len())?;
        if first == second {
            return Err(RodError::SelfJoint {
                at: Place::item("joints[]", i),
                segment: joint.first,
            });
        }
        if !meet(&segments[first], &segments[second]) {
            let at = Place::item("joints[]", i);
            return Err(RodError::NotMeeting {
                at,
                first: joint.first,
                second: joint.second,
            });
        }
        check_joint(i, joint)?;
    }
    for (i, clamp) in clamps.iter_mut().enumerate() {
        index(Place::item("clamps[].vertex", i), clamp.vertex, vertices.len())?;
        let segment = &segments[index(Place::item("clamps[].segment", i), clamp.segment, segments.len())?];
        if segment.tail != clamp.vertex && segment.head != clamp.vertex {
            let at = Place::item("clamps[]", i);
            return Err(RodError::ClampApart {
                at,
                vertex: clamp.vertex,
                segment: clamp.segment,
            });
        }
        check_clamp(i, clamp)?;
    }
    not_negative(Place::field("friction"), parts.friction)?;
    if let Some(section) = &parts.section {
        section.check()?;
    }
    if let Some(length) = parts.nominal_length {
        positive(Place::field("nominal_length"), length)?;
    }

    for (i, &pin) in parts.pins.iter().enumerate() {
        index(Place::item("pins[]", i), pin, parts.vertices.len())?;
    }
    for (i, &held) in parts.held_segments.iter().enumerate() {
        index(Place::item("held_segments[]", i), held, parts.segments.len())?;
    }
    parts.pins.extend(parts.clamps.iter().map(|clamp| clamp.vertex));
    sort_and_merge(&mut parts.pins);
    sort_and_merge(&mut parts.held_segments);
    check_duplicates(parts)?;
    check_masses(parts)?;
    Ok(topology(parts))
}

fn check_segment(i: usize, segment: &mut Segment) -> Result<(), RodError> {
    if segment.tail == segment.head {
        return Err(RodError::SameEnds {
            at: Place::item("segments[]", i),
            vertex: segment.tail,
        });
    }
    let at = Place::item("segments[].rest_length", i);
    if finite(at, segment.rest_length)? == 0.0 {
        return Err(RodError::ZeroLength { at });
    }
    positive(at, segment.rest_length)?;
    if segment.rest_length < MIN_LENGTH {
        return Err(RodError::OutsideRange {
            at,
            value: segment.rest_length,
            low: MIN_LENGTH,
            high: LARGEST,
        });
    }
    unit(Place::item("segments[].frame", i), &mut segment.frame)?;
    positive(Place::item("segments[].axial", i), segment.axial)?;
    positive(Place::item("segments[].shear", i), segment.shear)?;
    not_negative(Place::item("segments[].relaxation", i), segment.relaxation)?;
    // Infinity means never, and passes.
    if segment.break_strain != f64::INFINITY {
        positive(Place::item("segments[].break_strain", i), segment.break_strain)?;
    }
    if segment.yield_strain != f64::INFINITY {
        positive(Place::item("segments[].yield_strain", i), segment.yield_strain)?;
    }
    not_negative(Place::item("segments[].mass", i), segment.mass)?;
    Ok(())
}

fn check_joint(i: usize, joint: &mut Joint) -> Result<(), RodError> {
    unit(Place::item("joints[].rest", i), &mut joint.rest)?;
    positive(Place::item("joints[].length", i), joint.length)?;
    not_negative(Place::item("joints[].bending", i), joint.bending[0])?;
    not_negative(Place::item("joints[].bending", i), joint.bending[1])?;
    not_negative(Place::item("joints[].torsion", i), joint.torsion)?;
    not_negative(Place::item("joints[].relaxation", i), joint.relaxation)?;
    if joint.yield_curvature != f64::INFINITY {
        positive(Place::item("joints[].yield_curvature", i), joint.yield_curvature)?;
    }
    Ok(())
}

fn check_clamp(i: usize, clamp: &mut Clamp) -> Result<(), RodError> {
    unit(Place::item("clamps[].frame", i), &mut clamp.frame)?;
    positive(Place::item("clamps[].length", i), clamp.length)?;
    not_negative(Place::item("clamps[].bending", i), clamp.bending[0])?;
    not_negative(Place::item("clamps[].bending", i), clamp.bending[1])?;
    not_negative(Place::item("clamps[].torsion", i), clamp.torsion)?;
    not_negative(Place::item("clamps[].relaxation", i), clamp.relaxation)?;
    if clamp.yield_curvature != f64::INFINITY {
        positive(Place::item("clamps[].yield_curvature", i), clamp.yield_curvature)?;
    }
    Ok(())
}

fn meet(first: &Segment, second: &Segment) -> bool {
    [second.tail, second.head]
        .iter()
        .any(|&vertex| vertex == first.tail || vertex == first.head)
}

fn sort_and_merge(indices: &mut Vec<u32>) {
    indices.sort_unstable();
    indices.dedup();
}

fn check_masses(parts: &RodParts) -> Result<(), RodError> {
    let mut pins = parts.pins.iter().peekable();
    for (i, vertex) in parts.vertices.iter().enumerate() {
        let pinned = pins.next_if(|&&pin| pin as usize == i).is_some();
        // A mass below the smallest positive number would be zero in `f32`.
        if vertex.mass < SMALLEST && !pinned {
            return Err(RodError::Massless {
                at: Place::item("vertices[].mass", i),
            });
        }
    }
    Ok(())
}

fn check_duplicates(parts: &RodParts) -> Result<(), RodError> {
    let segments = &parts.segments;
    // The usual strand, segment i from vertex i to i + 1, repeats nothing: no need to sort ten thousand of them.
    if !segments
        .iter()
        .zip(0u32..)
        .all(|(segment, i)| segment.tail == i && segment.head == i + 1)
    {
        refuse_repeats(
            "segments[]",
            segments.iter().map(|segment| (segment.tail, segment.head)),
        )?;
    }
    if !parts
        .joints
        .iter()
        .zip(0u32..)
        .all(|(joint, i)| joint.first == i && joint.second == i + 1)
    {
        refuse_repeats("joints[]", parts.joints.iter().map(|joint| (joint.first, joint.second)))?;
    }
    // A vertex and a segment of the same number must not be taken for a pair in the other order: shift one of them.
    let ends = parts
        .clamps
        .iter()
        .map(|clamp| (clamp.segment, MAX_ELEMENTS as u32 + clamp.vertex));
    refuse_repeats("clamps[]", ends)
}

/// Refuses a pair that occurs twice, in either order.
fn refuse_repeats(field: &'static str, pairs: impl Iterator<Item = (u32, u32)>) -> Result<(), RodError> {
    let mut pairs: Vec<(u32, u32, usize)> = pairs.zip(0..).map(|((a, b), i)| (a.min(b), a.max(b), i)).collect();
    pairs.sort_unstable();
    // The repeat with the lowest index, so that the message does not depend on how the pairs sort.
    let repeat = pairs
        .windows(2)
        .filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    match repeat.map(|pair| (pair[1].2, pair[0].2)).min() {
        Some((later, earlier)) => Err(RodError::Duplicate {
            at: Place::item(field, later),
            earlier,
        }),
        None => Ok(()),
    }
}

fn topology(parts: &RodParts) -> Topology {
    let vertices = parts.vertices.len() as u32;
    let segments = parts.segments.len() as u32;
    let next = |i: u32, count: u32| if i + 1 == count { 0 } else { i + 1 };
    let runs = |wrap_vertices: u32, wrap_segments: u32| {
        parts
            .segments
            .iter()
            .zip(0..)
            .all(|(s, i)| s.tail == i && s.head == next(i, wrap_vertices))
            && parts
                .joints
                .iter()
                .zip(0..)
                .all(|(j, i)| j.first == i && j.second == next(i, wrap_segments))
    };
    let at_end = |clamp: &Clamp| {
        (clamp.vertex, clamp.segment) == (0, 0) || (clamp.vertex, clamp.segment) == (segments, segments - 1)
    };
    let joints = parts.joints.len() as u32;
    // `u32::MAX` never wraps: a chain.
    if vertices == segments + 1 && joints + 1 == segments && parts.clamps.iter().all(at_end) && runs(u32::MAX, u32::MAX)
    {
        Topology::Chain
    } else if vertices == segments && joints == segments && parts.clamps.is_empty() && runs(vertices, segments) {
        Topology::Loop
    } else {
        Topology::Graph
    }
}
