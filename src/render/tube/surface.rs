//! From a pose to the vertices of its tubes.
//!
//! The centre line is a cubic Hermite curve through the rod's vertices, with tangents by differences (Catmull and Rom's, for uneven
//! lengths) and no curvature at the ends, as a free end has none. Sections stand across it. Their frame is the material
//! frame, which is that of the segment at its middle and half way to the next at a vertex, turned along the curve's tangent by the smallest
//! rotation: twist shows, and nothing else turns. Where a segment has no length or the rod folds back on itself the frame says where the tube goes.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Quat, Vec2, Vec3, Vec4};

use super::{
    Caps, TubeError, TubeOptions, TubePose,
    layout::Strand,
    paths::{End, Step},
    pose::count,
};

/// Where to write what moves.
#[derive(Debug)]
pub struct TubeSurface<'a> {
    /// From the origin of the drawing, m.
    pub positions: &'a mut [Vec3],
    /// Outwards, of unit length.
    pub normals: &'a mut [Vec3],
    /// Direction in which u grows, of unit length, across the normal; w is 1: the cross product of normal and tangent points against v, as glTF has it.
    pub tangents: &'a mut [Vec4],
}

impl<'a> TubeSurface<'a> {
    pub(super) fn checked(self, vertices: usize) -> Result<Self, TubeError> {
        count("surface.positions", self.positions.len(), vertices)?;
        count("surface.normals", self.normals.len(), vertices)?;
        count("surface.tangents", self.tangents.len(), vertices)?;
        Ok(self)
    }
}

/// Cosine and sine of the angle from d1 for each vertex of a row, against the turn of a screw along the rod; the last is the first again,
/// to the bit, so that the seam is tight. `halves` lie between.
#[derive(Clone, Debug, Default)]
pub(super) struct Circle {
    whole: Vec<Vec2>,
    halves: Vec<Vec2>,
}

impl Circle {
    pub fn make(&mut self, sides: usize) {
        let at = |k: f32| Vec2::from_angle(-TAU * k / sides as f32);
        self.whole.clear();
        self.whole.extend((0..=sides).map(|k| at((k % sides) as f32)));
        self.halves.clear();
        self.halves.extend((0..sides).map(|k| at(k as f32 + 0.5)));
    }
}

/// The curve at a vertex of the rod.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    position: Vec3,
    tangent: Vec3,
    /// Of the curve, over the length of the chords.
    speed: f32,
    frame: Quat,
    radius: f32,
    /// Growth of the radius along the curve.
    slope: f32,
    /// Length of the segment that follows, m.
    length: f32,
}

/// A segment in the direction of its path.
#[derive(Clone, Copy)]
struct Edge {
    chord: Vec3,
    length: f32,
    rest_length: f32,
    frame: Quat,
}

impl Edge {
    fn new(step: &Step, pose: &TubePose<'_>) -> Self {
        let chord = pose.positions[step.to as usize] - pose.positions[step.from as usize];
        let length = chord.length();
        let rest_length = step.rest_length as f32;
        let frame = pose.orientations[step.segment as usize].normalize();
        // Half a turn about d1 points d3 the other way.
        let frame = if step.reversed {
            frame * Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)
        } else {
            frame
        };
        Self {
            chord,
            length,
            rest_length,
            frame,
        }
    }

    /// Length over rest length, along the segment.
    fn stretched(&self) -> Vec3 {
        self.chord / self.rest_length
    }
}

/// Below this part of its rest length a segment has no direction of its own, and tangents that cancel out to less have none either.
const SHORT: f32 = 0.25;

/// The curve keeps its speed in turns of up to 67°, twice the angle whose cosine is the inverse of this. Beyond, it slows down with the cosine as Catmull
/// and Rom's does, but not to a stop: a rod that folds back on itself is drawn as a bight.
const GENTLE: f32 = 1.2;
const SLOWEST: f32 = 0.5;

/// What ends inside another tube is a little thinner than that, or both surfaces would fight for the same place; and as thin as the branch that it is, not as the trunk.
const TUCKED: f32 = 0.97;

/// A direction of unit length: that of `v`, or more and more that of the frame where `v` is too short to tell.
fn direction(v: Vec3, frame: Quat) -> Vec3 {
    let size = v.length();
    if size >= SHORT && size.is_finite() {
        return v / size;
    }
    let along = axis(frame);
    (v + along * (SHORT - size)).normalize_or(along)
}

/// d3.
fn axis(q: Quat) -> Vec3 {
    Vec3::new(
        2.0 * (q.x * q.z + q.w * q.y),
        2.0 * (q.y * q.z - q.w * q.x),
        1.0 - 2.0 * (q.x * q.x + q.y * q.y),
    )
}

/// The orientation at a part of the way between two of unit length, by the short way.
fn between(a: Quat, b: Quat, part: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a * (1.0 - part) + b * part).normalize()
}

/// Writes a strand into its part of the buffers.
pub(super) fn write_strand(
    strand: &Strand,
    steps: &[Step],
    pose: &TubePose<'_>,
    options: &TubeOptions,
    circle: &Circle,
    knots: &mut Vec<Knot>,
    surface: &mut TubeSurface<'_>,
    bounds: &mut Option<[Vec3; 2]>,
) {
    tie_knots(strand, steps, pose, options.radius_scale, knots);
    let (Some(first), Some(last)) = (knots.first(), knots.last()) else {
        return;
    };
    let mut rows = Rows {
        positions: &mut surface.positions[strand.vertices.clone()],
        normals: &mut surface.normals[strand.vertices.clone()],
        tangents: &mut surface.tangents[strand.vertices.clone()],
        circle,
    };
    let strips = options.cap_strips();
    let start = Section::of(first);
    match strand.caps[0] {
        Caps::Round => {
            rows.pole(&start, -1.0);
            (1..strips)
                .rev()
                .for_each(|strip| rows.latitude(&start, -1.0, strip, strips));
        }
        Caps::Flat => rows.disc(&start, -1.0),
        Caps::Open => {}
    }
    let pieces = options.subdivisions;
    let mut box_of = |section: &Section| {
        let reach = Vec3::splat(section.radius);
        let [low, high] = bounds.get_or_insert([section.centre; 2]);
        *low = low.min(section.centre - reach);
        *high = high.max(section.centre + reach);
    };
    for (step, pair) in steps.iter().zip(knots.windows(2)) {
        let edge = Edge::new(step, pose);
        let section = Section::of(&pair[0]);
        box_of(&section);
        rows.ring(&section);
        for piece in 1..pieces {
            let section = Section::inside(&edge, pair, piece as f32 / pieces as f32);
            box_of(&section);
            rows.ring(&section);
        }
    }
    let end = Section::of(last);
    box_of(&end);
    rows.ring(&end);
    match strand.caps[1] {
        Caps::Round => {
            (1..strips).for_each(|strip| rows.latitude(&end, 1.0, strip, strips));
            rows.pole(&end, 1.0);
        }
        Caps::Flat => rows.disc(&end, 1.0),
        Caps::Open => {}
    }
}

/// The curve at every vertex of the strand; a closed one repeats its first.
fn tie_knots(strand: &Strand, steps: &[Step], pose: &TubePose<'_>, scale: f32, knots: &mut Vec<Knot>) {
    knots.clear();
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return;
    };
    let knot = |vertex: u32, tangent: Vec3, speed: f32, frame: Quat, next: &Edge| Knot {
        position: pose.positions[vertex as usize],
        tangent,
        speed,
        frame,
        radius: pose.radii[vertex as usize] * scale,
        slope: 0.0,
        length: next.length.max(SHORT * next.rest_length),
    };
    let middle = |vertex: u32, before: &Edge, after: &Edge| {
        let both = before.rest_length + after.rest_length;
        let part = before.rest_length / both;
        let frame = between(before.frame, after.frame, part);
        let mean = before.stretched() * (1.0 - part) + after.stretched() * part;
        // The cosine of half the angle that the rod turns by. A curve that does not slow down in a sharp turn bulges.
        let strain = |edge: &Edge| edge.length / edge.rest_length;
        let cosine = mean.length() / (strain(before) * (1.0 - part) + strain(after) * part).max(f32::MIN_POSITIVE);
        let speed = (GENTLE * cosine).clamp(SLOWEST, 1.0);
        knot(vertex, direction(mean, frame), speed, frame, after)
    };
    let end = |vertex: u32, edge: &Edge| {
        let straight = direction(edge.stretched(), edge.frame);
        knot(vertex, straight, 1.0, edge.frame, edge)
    };
    let first_edge = Edge::new(first, pose);
    let last_edge = Edge::new(last, pose);
    let mut before = first_edge;
    knots.push(match strand.closed {
        true => middle(first.from, &last_edge, &first_edge),
        false => end(first.from, &first_edge),
    });
    for step in &steps[1..] {
        let after = Edge::new(step, pose);
        knots.push(middle(step.from, &before, &after));
        before = after;
    }
    if strand.closed {
        knots.push(knots[0]);
        grow(knots, true);
        return;
    }
    knots.push(end(last.to, &last_edge));
    let count = knots.len();
    for (end, at, next) in [(strand.ends[0], 0, 1), (strand.ends[1], count - 1, count - 2)] {
        if end == End::Inside {
            knots[at].radius = TUCKED * knots[at].radius.min(knots[next].radius);
        }
    }
    grow(knots, false);
    if count > 2 {
        for (end, next) in [(0, 1), (count - 1, count - 2)] {
            // Hermite's cubic has no curvature at an end where 2 m₀ + m₁ is three chords.
            let straight = knots[end].tangent;
            let tangent = (3.0 * straight - knots[next].tangent * knots[next].speed) / 2.0;
            knots[end].speed = tangent.length();
            knots[end].tangent = tangent.normalize_or(straight);
        }
    }
}

/// How the radius grows at every knot: the mean of the two sides.
fn grow(knots: &mut [Knot], closed: bool) {
    // Steeper than 1,000 across for 1 along is a disc: keep its square finite.
    let slope = |pair: &[Knot]| ((pair[1].radius - pair[0].radius) / pair[0].length).clamp(-1e3, 1e3);
    let last = knots.len() - 1;
    let (first_slope, last_slope) = (slope(&knots[..2]), slope(&knots[last - 1..]));
    let mut before = if closed { last_slope } else { first_slope };
    for k in 0..last {
        let after = slope(&knots[k..k + 2]);
        knots[k].slope = 0.5 * (before + after);
        before = after;
    }
    knots[last].slope = if closed { knots[0].slope } else { last_slope };
}

/// A cut across the tube.
struct Section {
    centre: Vec3,
    across: [Vec3; 2],
    along: Vec3,
    radius: f32,
    slope: f32,
}

impl Section {
    fn new(centre: Vec3, along: Vec3, frame: Quat, radius: f32, slope: f32) -> Self {
        let (x, y, z, w) = (frame.x, frame.y, frame.z, frame.w);
        let d1 = Vec3::new(
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        );
        let d3 = axis(frame);
        let cosine = d3.dot(along);
        // The smallest rotation that takes d3 along the curve takes d1 to this. Opposite to each other there is no smallest one: half a turn about d1.
        let turned = if cosine > -0.999 {
            d1 - (d3 + along) * (d1.dot(along) / (1.0 + cosine))
        } else {
            d1 - along * d1.dot(along)
        };
        let first = turned.normalize_or_zero();
        Self {
            centre,
            across: [first, along.cross(first)],
            along,
            radius,
            slope,
        }
    }

    fn of(knot: &Knot) -> Self {
        Self::new(knot.position, knot.tangent, knot.frame, knot.radius, knot.slope)
    }

    /// At a part of the way along a segment.
    fn inside(edge: &Edge, knots: &[Knot], s: f32) -> Self {
        let [a, b] = [&knots[0], &knots[1]];
        // Hermite's cubic as the chord and what the two tangents add to it.
        let (t, l) = (1.0 - s, edge.length);
        let (before, after) = (a.tangent * (a.speed * l), b.tangent * (b.speed * l));
        let ramp = s * s * (3.0 - 2.0 * s);
        let centre = a.position + edge.chord * ramp + before * (s * t * t) - after * (s * s * t);
        let velocity = edge.chord * (6.0 * s * t) + before * (t * (1.0 - 3.0 * s)) + after * (s * (3.0 * s - 2.0));
        let frame = if s < 0.5 {
            between(a.frame, edge.frame, 2.0 * s)
        } else {
            between(edge.frame, b.frame, 2.0 * s - 1.0)
        };
        Self::new(
            centre,
            direction(velocity / edge.rest_length, frame),
            frame,
            a.radius * t + b.radius * s,
            a.slope * t + b.slope * s,
        )
    }
}

/// Writes row after row.
struct Rows<'a> {
    positions: &'a mut [Vec3],
    normals: &'a mut [Vec3],
    tangents: &'a mut [Vec4],
    circle: &'a Circle,
}

impl<'a> Rows<'a> {
    /// Around the tube, normals tilted by the taper.
    fn ring(&mut self, section: &Section) {
        let outwards = 1.0 / (1.0 + section.slope * section.slope).sqrt();
        let normal = [outwards, -section.slope * outwards];
        self.row(section, section.centre, section.radius, normal);
    }

    /// Around a round cap, `strip` of `strips` from its rim.
    fn latitude(&mut self, section: &Section, side: f32, strip: usize, strips: usize) {
        let (sine, cosine) = (FRAC_PI_2 * strip as f32 / strips as f32).sin_cos();
        let centre = section.centre + section.along * (side * sine * section.radius);
        self.row(section, centre, section.radius * cosine, [cosine, side * sine]);
    }

    /// A row whose normals have these parts outwards and along.
    fn row(&mut self, section: &Section, centre: Vec3, radius: f32, normal: [f32; 2]) {
        let [first, second] = section.across;
        let along = section.along * normal[1];
        let (positions, normals, tangents) = self.next(self.circle.whole.len());
        let circle = self.circle.whole.iter();
        for (((at, position), out), tangent) in circle.zip(positions).zip(normals).zip(tangents) {
            let radial = first * at.x + second * at.y;
            *position = centre + radial * radius;
            *out = radial * normal[0] + along;
            *tangent = (first * at.y - second * at.x).extend(1.0);
        }
    }

    /// The pole of a round cap, a vertex for each triangle that meets there: each has its own u.
    fn pole(&mut self, section: &Section, side: f32) {
        let [first, second] = section.across;
        let normal_out = section.along * side;
        let (positions, normals, tangents) = self.next(self.circle.halves.len());
        positions.fill(section.centre + normal_out * section.radius);
        normals.fill(normal_out);
        for (at, tangent) in self.circle.halves.iter().zip(tangents) {
            *tangent = (first * at.y - second * at.x).extend(1.0);
        }
    }

    /// A flat cap.
    fn disc(&mut self, section: &Section, side: f32) {
        let [first, second] = section.across;
        let (positions, normals, tangents) = self.next(self.circle.halves.len());
        normals.fill(section.along * side);
        tangents.fill(first.extend(1.0));
        for (at, position) in self.circle.whole.iter().zip(positions) {
            *position = section.centre + (first * at.x + second * at.y) * section.radius;
        }
    }

    /// Takes the next vertices from the front of the buffers, which were cut to measure.
    fn next(&mut self, count: usize) -> (&'a mut [Vec3], &'a mut [Vec3], &'a mut [Vec4]) {
        (
            front(&mut self.positions, count),
            front(&mut self.normals, count),
            front(&mut self.tangents, count),
        )
    }
}

fn front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count).unwrap_or_default()
}
