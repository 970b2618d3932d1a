//! The centre line: where the vertices start and which segments join them.

use std::f64::consts::TAU;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::checks::{MIN_LENGTH, at_most, count as check_count, direction, finite, position, positive};
use super::error::{Place, RodError};
use super::frames::across;
use super::resample;

/// The centre line of a rod.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum Shape {
    /// A straight line.
    Line {
        /// First vertex, m.
        from: DVec3,
        /// Last vertex, m.
        to: DVec3,
        /// Number of segments.
        segments: u32,
    },
    /// A polyline, resampled to segments of equal length along it (corners are cut).
    Curve {
        /// Corners, m; at least two.
        points: Vec<DVec3>,
        /// Number of segments.
        segments: u32,
    },
    /// A smooth curve through the points (centripetal Catmull–Rom), resampled to segments of equal length along it.
    Spline {
        /// Points that it passes, m; at least two.
        points: Vec<DVec3>,
        /// Number of segments.
        segments: u32,
    },
    /// A polyline taken as it is: its points are the vertices.
    Polyline {
        /// Vertices, m; at least two.
        points: Vec<DVec3>,
    },
    /// A helix; it is right-handed when pitch is positive.
    Helix {
        /// Centre of the first turn, m.
        #[serde(default)]
        centre: DVec3,
        /// Direction in which it climbs; any length.
        #[serde(default = "z_axis")]
        axis: DVec3,
        /// Radius of the turns, m.
        radius: f64,
        /// Climb a turn, m; may be zero or negative.
        pitch: f64,
        /// Number of turns, not necessarily whole.
        turns: f64,
        /// Number of segments.
        segments: u32,
    },
    /// A closed polyline, resampled to segments of equal length along it. The last point is joined to the first.
    Loop {
        /// Corners, m; at least three.
        points: Vec<DVec3>,
        /// Number of segments, at least three.
        segments: u32,
    },
    /// A closed circle.
    Circle {
        /// Centre, m.
        #[serde(default)]
        centre: DVec3,
        /// Direction perpendicular to the circle; any length.
        #[serde(default = "z_axis")]
        normal: DVec3,
        /// Radius, m.
        radius: f64,
        /// Number of segments, at least three.
        segments: u32,
    },
    /// Anything: trees, nets, bridges.
    Graph {
        /// Vertices, m.
        vertices: Vec<DVec3>,
        /// Tail and head of every segment.
        segments: Vec<[u32; 2]>,
        /// Which segments bend and twist against one another.
        #[serde(default)]
        joints: Joints,
    },
}

fn z_axis() -> DVec3 {
    DVec3::Z
}

/// Which segments of a graph are joined elastically.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Joints {
    /// Every pair of segments that share a vertex: branches of a tree.
    #[default]
    All,
    /// None: segments turn freely about their vertices, as links do.
    None,
    /// These pairs of segments.
    List(Vec<[u32; 2]>),
}

impl Shape {
    /// A straight line.
    pub const fn line(from: DVec3, to: DVec3, segments: u32) -> Self {
        Self::Line { from, to, segments }
    }

    /// A polyline, resampled to segments of equal length along it.
    pub fn curve(points: impl Into<Vec<DVec3>>, segments: u32) -> Self {
        Self::Curve {
            points: points.into(),
            segments,
        }
    }

    /// A smooth curve through the points, resampled to segments of equal length along it.
    pub fn spline(points: impl Into<Vec<DVec3>>, segments: u32) -> Self {
        Self::Spline {
            points: points.into(),
            segments,
        }
    }

    /// A polyline whose points are the vertices.
    pub fn polyline(points: impl Into<Vec<DVec3>>) -> Self {
        Self::Polyline { points: points.into() }
    }

    /// A right-handed helix that climbs along z from the origin.
    pub const fn helix(radius: f64, pitch: f64, turns: f64, segments: u32) -> Self {
        Self::Helix {
            centre: DVec3::ZERO,
            axis: DVec3::Z,
            radius,
            pitch,
            turns,
            segments,
        }
    }

    /// A closed polyline, resampled to segments of equal length along it.
    pub fn closed(points: impl Into<Vec<DVec3>>, segments: u32) -> Self {
        Self::Loop {
            points: points.into(),
            segments,
        }
    }

    /// A closed circle about the centre, perpendicular to the normal.
    pub const fn circle(centre: DVec3, normal: DVec3, radius: f64, segments: u32) -> Self {
        Self::Circle {
            centre,
            normal,
            radius,
            segments,
        }
    }

    /// A graph.
    pub fn graph(vertices: impl Into<Vec<DVec3>>, segments: impl Into<Vec<[u32; 2]>>, joints: Joints) -> Self {
        Self::Graph {
            vertices: vertices.into(),
            segments: segments.into(),
            joints,
        }
    }

    /// Number of vertices that the shape asks for, before anything is checked.
    pub fn vertex_count(&self) -> usize {
        match self {
            Self::Line { segments, .. }
            | Self::Curve { segments, .. }
            | Self::Spline { segments, .. }
            | Self::Helix { segments, .. } => (*segments as usize).saturating_add(1),
            Self::Loop { segments, .. } | Self::Circle { segments, .. } => *segments as usize,
            Self::Polyline { points } => points.len(),
            Self::Graph { vertices, .. } => vertices.len(),
        }
    }

    /// The initial positions of the vertices, for instance as the rest curve of another rod.
    pub fn positions(&self) -> Result<Vec<DVec3>, RodError> {
        match self {
            Self::Line { from, to, segments } => {
                let segments = segment_count(*segments, 1)?;
                position(Place::field("shape.from"), *from)?;
                position(Place::field("shape.to"), *to)?;
                if from.distance(*to) < MIN_LENGTH {
                    return Err(RodError::ZeroLength {
                        at: Place::field("shape"),
                    });
                }
                Ok((0..=segments)
                    .map(|i| from.lerp(*to, i as f64 / segments as f64))
                    .collect())
            }
            Self::Curve { points, segments } => {
                let segments = segment_count(*segments, 1)?;
                check_points("shape.points", "shape.points[]", points, 2)?;
                resample::polyline("shape.points", points, segments)
            }
            Self::Spline { points, segments } => {
                let segments = segment_count(*segments, 1)?;
                check_points("shape.points", "shape.points[]", points, 2)?;
                resample::spline("shape.points", points, segments)
            }
            Self::Polyline { points } => {
                check_points("shape.points", "shape.points[]", points, 2)?;
                Ok(points.clone())
            }
            Self::Helix {
                centre,
                axis,
                radius,
                pitch,
                turns,
                segments,
            } => {
                let segments = segment_count(*segments, 1)?;
                let centre = position(Place::field("shape.centre"), *centre)?;
                let axis = direction(Place::field("shape.axis"), *axis)?;
                let radius = positive(Place::field("shape.radius"), *radius)?;
                let pitch = finite(Place::field("shape.pitch"), *pitch)?;
                let turns = positive(Place::field("shape.turns"), *turns)?;
                let step = turns / segments as f64;
                Ok(winding(centre, axis, radius, pitch, step).take(segments + 1).collect())
            }
            Self::Loop { points, segments } => {
                let segments = segment_count(*segments, 3)?;
                check_points("shape.points", "shape.points[]", points, 3)?;
                resample::closed_polyline("shape.points", points, segments)
            }
            Self::Circle {
                centre,
                normal,
                radius,
                segments,
            } => {
                let segments = segment_count(*segments, 3)?;
                let centre = position(Place::field("shape.centre"), *centre)?;
                let normal = direction(Place::field("shape.normal"), *normal)?;
                let radius = positive(Place::field("shape.radius"), *radius)?;
                Ok(winding(centre, normal, radius, 0.0, 1.0 / segments as f64)
                    .take(segments)
                    .collect())
            }
            Self::Graph { vertices, .. } => {
                check_points("shape.vertices", "shape.vertices[]", vertices, 2)?;
                Ok(vertices.clone())
            }
        }
    }
}

fn segment_count(segments: u32, least: usize) -> Result<usize, RodError> {
    let at = Place::field("shape.segments");
    check_count(at, segments as usize, least)?;
    // The vertices of an open rod are one more.
    at_most(at, segments as usize + 1)?;
    Ok(segments as usize)
}

pub(super) fn check_points(
    list: &'static str,
    item: &'static str,
    points: &[DVec3],
    least: usize,
) -> Result<(), RodError> {
    check_count(Place::field(list), points.len(), least)?;
    for (i, &point) in points.iter().enumerate() {
        position(Place::item(item, i), point)?;
    }
    Ok(())
}

/// Points of a helix, each a `step` of a turn after the last: equal steps of angle are equal steps of length.
fn winding(centre: DVec3, axis: DVec3, radius: f64, pitch: f64, step: f64) -> impl Iterator<Item = DVec3> {
    let start = across(axis);
    let side = axis.cross(start);
    (0..).map(move |i| {
        let turn = step * f64::from(i);
        // The whole turns are taken off first: sine and cosine of a large angle lose digits.
        let (sine, cosine) = (turn.fract() * TAU).sin_cos();
        centre + (start * cosine + side * sine) * radius + axis * (pitch * turn)
    })
}
