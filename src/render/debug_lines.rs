//! Lines that show what a rod does: how it is strained, how it is turned, what holds it, what pulls it.
//!
//! All that a host has to offer is a way to draw a line, as gizmos of engines do. Everything is read from the rods when asked for; nothing is kept.

use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::state::{RodRef, RodWorld};

/// Something that draws lines.
///
/// A closure will do:
///
/// ```
/// use glam::DVec3;
/// use lariat::{prelude::*, render::{DebugOptions, draw}};
///
/// let mut world = RodWorld::default();
/// world.insert(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 16)).pin(0).build()?)?;
/// let mut lines = Vec::new();
/// draw(&world, &DebugOptions::default(), &mut |a, b, color| lines.push((a, b, color)));
/// assert!(lines.len() >= 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DebugLines {
    /// Draw a line between two points, m from [`DebugOptions::origin`], in linear red, green, blue and alpha.
    fn line(&mut self, a: Vec3, b: Vec3, color: [f32; 4]);
}

impl<F: FnMut(Vec3, Vec3, [f32; 4])> DebugLines for F {
    fn line(&mut self, a: Vec3, b: Vec3, color: [f32; 4]) {
        self(a, b, color);
    }
}

/// What is drawn, and how large.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DebugOptions {
    /// Where the coordinates of the lines are counted from, world, m. Near the camera, when that is far from the world's origin.
    pub origin: DVec3,
    /// The centre line: grey without load, to red under tension at the break limit, to blue under as much pressure. Broken segments are left out.
    pub centre_line: bool,
    /// Strain that is full red, or full blue, where nothing breaks.
    pub reference_strain: f32,
    /// The frame at the middle of every segment: d1 red, d2 green, d3 blue.
    pub frames: bool,
    /// Crosses at pinned vertices.
    pub pins: bool,
    /// The frames of walls that hold clamped ends, with a plate across.
    pub clamps: bool,
    /// What rods are tied to.
    pub attachments: bool,
    /// Outer forces.
    pub forces: bool,
    /// Length of an arrow for 1 N, m.
    pub force_scale: f32,
    /// Velocities of the vertices.
    pub velocities: bool,
    /// Length of an arrow for 1 m/s, m.
    pub velocity_scale: f32,
}

impl Default for DebugOptions {
    /// Centre line, pins, clamps, attachments and forces.
    fn default() -> Self {
        Self {
            origin: DVec3::ZERO,
            centre_line: true,
            // A fibre rope under its working load; steel yields far below.
            reference_strain: 0.01,
            frames: false,
            pins: true,
            attachments: true,
            clamps: true,
            forces: true,
            force_scale: 0.01,
            velocities: false,
            velocity_scale: 0.05,
        }
    }
}

const RED: [f32; 4] = [1.0, 0.05, 0.05, 1.0];
const GREEN: [f32; 4] = [0.1, 0.8, 0.1, 1.0];
const BLUE: [f32; 4] = [0.1, 0.2, 1.0, 1.0];
const GREY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
const PIN: [f32; 4] = [1.0, 0.6, 0.0, 1.0];
const WALL: [f32; 4] = [0.8, 0.3, 1.0, 1.0];
const FORCE: [f32; 4] = [1.0, 1.0, 0.0, 1.0];
const VELOCITY: [f32; 4] = [0.0, 0.9, 0.9, 1.0];
const TIE: [f32; 4] = [1.0, 0.2, 0.8, 1.0];

/// Draws every rod of a world.
pub fn draw(world: &RodWorld, options: &DebugOptions, lines: &mut impl DebugLines) {
    for rod in world.ids().filter_map(|id| world.rod(id)) {
        draw_rod(&rod, options, lines);
    }
    if !options.attachments {
        return;
    }
    for (_, tie) in world.attachments() {
        let rod = world.rod(tie.rod);
        let segment = rod.and_then(|rod| rod.description().segments().get(tie.segment as usize).copied());
        if let (Some(rod), Some(segment)) = (rod, segment) {
            let [tail, head] = [segment.tail, segment.head].map(|v| rod.position(v as usize) - options.origin);
            let point = tail.lerp(head, tie.along);
            let size = 3.0 * rod.description().vertices()[segment.tail as usize].radius as f32;
            draw_tie(point.as_vec3(), (point - tie.gap).as_vec3(), size, lines);
        }
    }
}

/// Draws a rod.
pub fn draw_rod(rod: &RodRef<'_>, options: &DebugOptions, lines: &mut impl DebugLines) {
    let at = |vertex: u32| (rod.position(vertex as usize) - options.origin).as_vec3();
    let segments = rod.description().segments();
    for (s, segment) in segments.iter().enumerate().filter(|(s, _)| !rod.is_broken(*s)) {
        let (tail, head) = (at(segment.tail), at(segment.head));
        if options.centre_line {
            lines.line(tail, head, strain_color(rod, s, options));
        }
        if options.frames {
            // Half a segment long, so that neighbours do not run into each other.
            let size = 0.5 * segment.rest_length as f32;
            axes(0.5 * (tail + head), rod.orientation(s), size, lines);
        }
    }
    // As large as the rod is thick, but seen beside it.
    let mark = |vertex: usize| 3.0 * rod.description().vertices()[vertex].radius as f32;
    for vertex in 0..rod.vertex_count() {
        let place = at(vertex as u32);
        if options.pins && rod.is_pinned(vertex) {
            cross(place, mark(vertex), PIN, lines);
        }
        if options.velocities {
            arrow(place, rod.velocity(vertex) * options.velocity_scale, VELOCITY, lines);
        }
    }
    if options.clamps {
        for (k, clamp) in rod.description().clamps().iter().enumerate() {
            if let Some(frame) = rod.clamp_frame(k) {
                wall(at(clamp.vertex), frame, 2.0 * mark(clamp.vertex as usize), lines);
            }
        }
    }
    if options.forces {
        for (vertex, force) in rod.forces() {
            arrow(at(vertex as u32), force * options.force_scale, FORCE, lines);
        }
    }
}

/// Draws what ties a point of a rod to something: the line between the two points, as long as the tie gives way, and a cross of `size` metres at each.
pub fn draw_tie(rod: Vec3, other: Vec3, size: f32, lines: &mut impl DebugLines) {
    lines.line(rod, other, TIE);
    cross(rod, size, TIE, lines);
    if rod != other {
        cross(other, size, TIE, lines);
    }
}

/// Grey to red with tension, grey to blue with pressure.
fn strain_color(rod: &RodRef<'_>, segment: usize, options: &DebugOptions) -> [f32; 4] {
    let limit = rod.description().segments()[segment].break_strain as f32;
    let full = if limit.is_finite() {
        limit
    } else {
        options.reference_strain
    };
    // A reference of zero, or none at all, shows the sign of any strain.
    let part = (rod.segment_strain(segment) as f32 / full.max(f32::MIN_POSITIVE)).clamp(-1.0, 1.0);
    let (end, part) = if part < 0.0 { (BLUE, -part) } else { (RED, part) };
    std::array::from_fn(|c| GREY[c] + (end[c] - GREY[c]) * part)
}

fn axes(centre: Vec3, frame: Quat, size: f32, lines: &mut impl DebugLines) {
    for (axis, color) in [(Vec3::X, RED), (Vec3::Y, GREEN), (Vec3::Z, BLUE)] {
        lines.line(centre, centre + frame * axis * size, color);
    }
}

/// The frame of a wall and a square plate across its d3.
fn wall(place: Vec3, frame: Quat, size: f32, lines: &mut impl DebugLines) {
    axes(place, frame, size, lines);
    let corner = |x: f32, y: f32| place + frame * (Vec3::new(x, y, 0.0) * size);
    let corners = [
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
    ];
    for k in 0..4 {
        lines.line(corners[k], corners[(k + 1) % 4], WALL);
    }
}

fn cross(place: Vec3, size: f32, color: [f32; 4], lines: &mut impl DebugLines) {
    for axis in Vec3::AXES {
        lines.line(place - axis * size, place + axis * size, color);
    }
}

fn arrow(from: Vec3, way: Vec3, color: [f32; 4], lines: &mut impl DebugLines) {
    let Some(along) = way.try_normalize() else {
        return; // Nothing to see.
    };
    let to = from + way;
    lines.line(from, to, color);
    let barb = 0.15 * way.length();
    let side = along.any_orthonormal_vector();
    for side in [side, -side] {
        lines.line(to, to + (side - along) * barb, color);
    }
}
