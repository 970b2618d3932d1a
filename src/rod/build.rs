//! From recipe to description: lengths, frames, rest curvature, stiffness and mass of every part.

use glam::{DQuat, DVec3};

use super::checks::{MIN_LENGTH, direction, finite, index, not_negative, positive};
use super::description::{Clamp, Joint, RodDescription, RodParts, Segment, Vertex};
use super::error::{Place, RodError};
use super::frames::{along, around, through, turn};
use super::layout::{Kind, Layout};
use super::resample;
use super::resolve::{Make, yield_limits};
use super::shape::check_points;
use super::spec::{BreakLimit, ClampAt, RestShape, RodSpec, Twist};

pub(super) fn build(spec: &RodSpec) -> Result<RodDescription, RodError> {
    spec.section.check()?;
    spec.material.check()?;
    let layout = spec.shape.layout()?;
    let up = spec.up.map(|up| direction(Place::field("up"), up)).transpose()?;
    let centre_line = CentreLine::new("segments[]", &layout.points, &layout.segments)?;
    let bare_frames = match layout.kind {
        Kind::Chain => along(&centre_line.tangents, up)?,
        Kind::Loop => around(&centre_line.tangents, up)?,
        Kind::Graph => through(&centre_line.tangents, &layout.segments, &layout.joints, up)?,
    };
    let twist = Angles::new("twist", "twist[]", &spec.twist, layout.segments.len(), layout.kind)?;
    let rest = Rest::new(spec, &layout, &centre_line, &bare_frames, &twist)?;
    let frames: Vec<DQuat> = twist.turned(bare_frames);
    assemble(spec, &layout, frames, rest)
}

/// Lengths and directions of the segments as given.
pub(super) struct CentreLine {
    pub lengths: Vec<f64>,
    pub tangents: Vec<DVec3>,
}

impl CentreLine {
    pub(super) fn new(field: &'static str, points: &[DVec3], segments: &[[u32; 2]]) -> Result<Self, RodError> {
        let mut lengths = Vec::with_capacity(segments.len());
        let mut tangents = Vec::with_capacity(segments.len());
        for (i, &[tail, head]) in segments.iter().enumerate() {
            let difference = points[head as usize] - points[tail as usize];
            let length = difference.length();
            if length < MIN_LENGTH {
                return Err(RodError::ZeroLength {
                    at: Place::item(field, i),
                });
            }
            lengths.push(length);
            tangents.push(difference / length);
        }
        Ok(Self { lengths, tangents })
    }
}

/// Twist angle of every segment, and the angle once around a loop.
struct Angles {
    /// Empty when there is no twist.
    each: Vec<f64>,
    around: f64,
}

impl Angles {
    fn new(
        field: &'static str,
        item: &'static str,
        twist: &Twist,
        segments: usize,
        kind: Kind,
    ) -> Result<Self, RodError> {
        match twist {
            Twist::None => Ok(Self {
                each: Vec::new(),
                around: 0.0,
            }),
            Twist::Total(total) => {
                finite(Place::field(field), *total)?;
                // Steps between the first and the last segment; a loop has one more, from the last back to the first.
                let steps = match kind {
                    Kind::Chain => segments.saturating_sub(1).max(1),
                    Kind::Loop => segments,
                    Kind::Graph => {
                        return Err(RodError::Unsupported {
                            at: Place::field(field),
                            shape: kind.name(),
                        });
                    }
                };
                let each = (0..segments).map(|i| total * i as f64 / steps as f64).collect();
                Ok(Self {
                    each,
                    around: if kind == Kind::Loop { *total } else { 0.0 },
                })
            }
            Twist::PerSegment(angles) => {
                if angles.len() != segments {
                    let at = Place::field(field);
                    return Err(RodError::CountMismatch {
                        at,
                        count: angles.len(),
                        expected: segments,
                    });
                }
                for (i, &angle) in angles.iter().enumerate() {
                    finite(Place::item(item, i), angle)?;
                }
                Ok(Self {
                    each: angles.clone(),
                    around: 0.0,
                })
            }
        }
    }

    fn turned(&self, mut frames: Vec<DQuat>) -> Vec<DQuat> {
        for (frame, &angle) in frames.iter_mut().zip(&self.each) {
            *frame = (*frame * turn(angle)).normalize();
        }
        frames
    }
}

/// The unloaded lengths and relative orientations.
struct Rest {
    lengths: Vec<f64>,
    joints: Vec<DQuat>,
}

impl Rest {
    fn new(
        spec: &RodSpec,
        layout: &Layout,
        given: &CentreLine,
        bare_frames: &[DQuat],
        twist: &Angles,
    ) -> Result<Self, RodError> {
        let scale = positive(Place::field("rest_scale"), spec.rest_scale)?;
        let segments = layout.segments.len();
        if layout.kind == Kind::Graph && spec.rest != RestShape::AsGiven {
            return Err(RodError::Unsupported {
                at: Place::field("rest"),
                shape: layout.kind.name(),
            });
        }
        let (lengths, frames) = match &spec.rest {
            RestShape::AsGiven => (given.lengths.clone(), bare_frames.to_vec()),
            RestShape::Straight => (given.lengths.clone(), vec![DQuat::IDENTITY; segments]),
            RestShape::Curve(points) => rest_curve(points, layout)?,
        };
        let own_twist;
        let rest_twist = match (&spec.rest_twist, &spec.rest) {
            (None, RestShape::AsGiven) => twist,
            (chosen, _) => {
                let chosen = chosen.as_ref().unwrap_or(&Twist::None);
                own_twist = Angles::new("rest_twist", "rest_twist[]", chosen, segments, layout.kind)?;
                &own_twist
            }
        };
        let frames = rest_twist.turned(frames);
        let mut joints: Vec<DQuat> = layout
            .joints
            .iter()
            .map(|&[first, second]| (frames[first as usize].conjugate() * frames[second as usize]).normalize())
            .collect();
        // A loop twisted by Θ once around: the material that meets segment 0 from behind is turned by Θ against its
        // frame (the rod was wound up and then glued). The closing joint's rest is the one without load, turned by the
        // rest twist, seen from the glued frame.
        if let (Kind::Loop, Some(closing)) = (layout.kind, joints.last_mut()) {
            *closing = (*closing * turn(rest_twist.around - twist.around)).normalize();
        }
        Ok(Self {
            lengths: lengths.into_iter().map(|length| length * scale).collect(),
            joints,
        })
    }
}

fn rest_curve(points: &[DVec3], layout: &Layout) -> Result<(Vec<f64>, Vec<DQuat>), RodError> {
    let segments = layout.segments.len();
    if layout.kind == Kind::Loop {
        check_points("rest", "rest[]", points, 3)?;
        let vertices = resample::closed_polyline("rest", points, segments)?;
        let line = CentreLine::new("rest[]", &vertices, &layout.segments)?;
        Ok((line.lengths, around(&line.tangents, None)?))
    } else {
        check_points("rest", "rest[]", points, 2)?;
        let vertices = resample::polyline("rest", points, segments)?;
        let line = CentreLine::new("rest[]", &vertices, &layout.segments)?;
        Ok((line.lengths, along(&line.tangents, None)?))
    }
}

fn assemble(spec: &RodSpec, layout: &Layout, frames: Vec<DQuat>, rest: Rest) -> Result<RodDescription, RodError> {
    let Layout {
        points,
        segments: ends,
        joints: pairs,
        kind,
    } = layout;
    let (section, material) = (&spec.section, &spec.material);
    let factors = factors(spec, layout, &rest.lengths)?;
    let make = Make {
        section,
        material,
        factors: &factors,
    };
    let length: f64 = rest.lengths.iter().sum();
    let lengths = (*kind != Kind::Graph).then(|| [length, length / rest.lengths.len() as f64]);
    let [stretch_relaxation, bend_relaxation] = material.relaxation(section, lengths)?;
    let break_limit = check_break_limit(spec.break_at)?;
    let [yield_strain, yield_curvature] = yield_limits(spec.yields, material, section)?;

    let radius = section.equivalent_radius();
    let mut vertices: Vec<Vertex> = points
        .iter()
        .zip(0..)
        .map(|(&position, i)| Vertex {
            position,
            mass: 0.0,
            radius: radius * make.factor(i),
        })
        .collect();

    let mut segments = Vec::with_capacity(ends.len());
    for ((&[tail, head], &rest_length), frame) in ends.iter().zip(&rest.lengths).zip(frames) {
        let mass = make.segment_mass([tail, head], rest_length);
        vertices[tail as usize].mass += mass / 2.0;
        vertices[head as usize].mass += mass / 2.0;
        let [axial, shear] = make.stretching([tail, head], rest_length);
        segments.push(Segment {
            tail,
            head,
            rest_length,
            frame,
            axial,
            shear,
            relaxation: stretch_relaxation,
            break_strain: break_strain(break_limit, axial),
            yield_strain,
            mass,
        });
    }

    let mut joints = Vec::with_capacity(pairs.len());
    for (&[first, second], &rest) in pairs.iter().zip(&rest.joints) {
        let (a, b) = (&segments[first as usize], &segments[second as usize]);
        let length = (a.rest_length + b.rest_length) / 2.0;
        let meets = meeting(a, b);
        let (bending, torsion) = make.bending(meets, length);
        joints.push(Joint {
            first,
            second,
            rest,
            length,
            bending,
            torsion,
            relaxation: bend_relaxation,
            yield_curvature: yield_curvature / make.factor(meets),
        });
    }

    let mut clamps = Vec::with_capacity(spec.clamps.len());
    for (i, &clamp) in spec.clamps.iter().enumerate() {
        let (vertex, segment) = clamped(i, clamp, layout)?;
        let held = &segments[segment as usize];
        let other = if held.tail == vertex { held.head } else { held.tail };
        let (bending, torsion) = make.clamping(vertex, other, held.rest_length);
        clamps.push(Clamp {
            vertex,
            segment,
            frame: held.frame,
            length: held.rest_length / 2.0,
            bending,
            torsion,
            relaxation: bend_relaxation,
            yield_curvature: yield_curvature / make.factor(vertex),
        });
    }

    for (i, load) in spec.loads.iter().enumerate() {
        let vertex = index(Place::item("loads[].vertex", i), load.vertex, vertices.len())?;
        vertices[vertex].mass += not_negative(Place::item("loads[].mass", i), load.mass)?;
    }

    RodDescription::new(RodParts {
        vertices,
        segments,
        joints,
        clamps,
        pins: spec.pins.clone(),
        held_segments: spec.held_segments.clone(),
        friction: material.friction,
        section: Some(*section),
        nominal_length: None,
    })
}

/// The vertex where two segments meet.
pub(super) fn meeting(a: &Segment, b: &Segment) -> u32 {
    if a.head == b.tail || a.head == b.head {
        a.head
    } else {
        a.tail
    }
}

fn factors(spec: &RodSpec, layout: &Layout, lengths: &[f64]) -> Result<Vec<f64>, RodError> {
    let arc: Option<Vec<f64>> = (layout.kind == Kind::Chain).then(|| {
        let sums = lengths.iter().scan(0.0, |sum, length| {
            *sum += length;
            Some(*sum)
        });
        std::iter::once(0.0).chain(sums).collect()
    });
    spec.taper
        .factors(&spec.section, layout.points.len(), arc.as_deref(), layout.kind.name())
}

fn clamped(i: usize, clamp: ClampAt, layout: &Layout) -> Result<(u32, u32), RodError> {
    let (vertices, segments) = (layout.points.len(), layout.segments.len());
    match clamp {
        ClampAt::Vertex { vertex, segment } => {
            index(Place::item("clamps[].vertex", i), vertex, vertices)?;
            index(Place::item("clamps[].segment", i), segment, segments)?;
            Ok((vertex, segment))
        }
        _ if layout.kind != Kind::Chain => Err(RodError::Unsupported {
            at: Place::item("clamps[]", i),
            shape: layout.kind.name(),
        }),
        ClampAt::Start => Ok((0, 0)),
        ClampAt::End => Ok((vertices as u32 - 1, segments as u32 - 1)),
    }
}

pub(super) fn check_break_limit(limit: BreakLimit) -> Result<BreakLimit, RodError> {
    if let BreakLimit::Strain(value) | BreakLimit::Tension(value) = limit {
        positive(Place::field("break_at"), value)?;
    }
    Ok(limit)
}

pub(super) fn break_strain(limit: BreakLimit, axial: f64) -> f64 {
    match limit {
        BreakLimit::Never => f64::INFINITY,
        BreakLimit::Strain(strain) => strain,
        BreakLimit::Tension(tension) => tension / axial,
    }
}
