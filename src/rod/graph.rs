//! Rods of mixed parts wired by hand: bridges, slingshots, trees whose every branch has its own stiffness.

use glam::DVec3;

use super::build::{CentreLine, break_strain};
use super::checks::{at_most, count, direction, index, not_negative, positive};
use super::description::{Clamp, DEFAULT_FRICTION, Joint, RodDescription, RodParts, Segment, Vertex};
use super::error::{Place, RodError};
use super::frames::through;
use super::material::{Material, Stiffness};
use super::section::Section;
use super::shape::check_points;
use super::spec::{BreakLimit, Load};

/// Physical numbers of one segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentProperties {
    /// Stiffness along the rod, EA, N.
    pub axial: f64,
    /// Stiffness against shear, GA, N.
    pub shear: f64,
    /// Mass a length, kg/m; half of the segment's goes to each end.
    pub linear_density: f64,
    /// Radius, m; a vertex takes the largest of its segments.
    pub radius: f64,
    /// Rest length as a multiple of the distance of its vertices.
    pub rest_scale: f64,
    /// Relaxation time of stretch and shear, s.
    pub relaxation: f64,
    /// When it breaks.
    pub break_at: BreakLimit,
    /// Elastic strain beyond which its rest length flows; infinity is never.
    pub yield_strain: f64,
}

impl SegmentProperties {
    /// EA (N) and mass a length (kg/m), with GA = EA as in paper 1; radius 1 cm, unstrained, undamped, unbreakable.
    pub const fn new(axial: f64, linear_density: f64) -> Self {
        Self {
            axial,
            shear: axial,
            linear_density,
            radius: 0.01,
            rest_scale: 1.0,
            relaxation: 0.0,
            break_at: BreakLimit::Never,
            yield_strain: f64::INFINITY,
        }
    }

    /// Those of a material with a section. Damping given as a ratio has no meaning here, nor have paper 1's constants,
    /// which depend on the length.
    pub fn of(material: &Material, section: &Section) -> Result<Self, RodError> {
        check_material(material, section)?;
        let rigidity = material.rigidity_of(section, 1.0);
        let [relaxation, _] = material.relaxation(section, None)?;
        Ok(Self {
            axial: rigidity.axial,
            shear: rigidity.shear,
            linear_density: material.linear_density(section),
            radius: section.equivalent_radius(),
            rest_scale: 1.0,
            relaxation,
            break_at: BreakLimit::Never,
            yield_strain: f64::INFINITY,
        })
    }
}

/// Physical numbers of one joint or clamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointProperties {
    /// Stiffness against bending about d1 and about d2, EI₁ and EI₂, N·m².
    pub bending: [f64; 2],
    /// Stiffness against twist, GJ, N·m².
    pub torsion: f64,
    /// Relaxation time of bending and twist, s.
    pub relaxation: f64,
    /// Elastic curvature beyond which its rest orientation flows, 1/m; infinity is never.
    pub yield_curvature: f64,
}

impl JointProperties {
    /// EI both ways and GJ, all equal (N·m²), as in paper 1; undamped.
    pub const fn new(bending: f64) -> Self {
        Self {
            bending: [bending; 2],
            torsion: bending,
            relaxation: 0.0,
            yield_curvature: f64::INFINITY,
        }
    }

    /// Those of a material with a section, under the conditions of [`SegmentProperties::of`].
    pub fn of(material: &Material, section: &Section) -> Result<Self, RodError> {
        check_material(material, section)?;
        let rigidity = material.rigidity_of(section, 1.0);
        let [_, relaxation] = material.relaxation(section, None)?;
        Ok(Self {
            bending: rigidity.bending,
            torsion: rigidity.torsion,
            relaxation,
            yield_curvature: f64::INFINITY,
        })
    }
}

/// Builds a rod part by part; the given shape is the rest shape. Nothing is checked before [`finish`](Self::finish).
///
/// ```
/// use glam::DVec3;
/// use lariat::rod::{GraphBuilder, JointProperties, SegmentProperties};
///
/// // A mast with a stay: the mast bends, the stay only pulls.
/// let mut builder = GraphBuilder::new();
/// let [foot, middle, top, anchor] =
///     [DVec3::ZERO, DVec3::Y, DVec3::Y * 2.0, DVec3::X].map(|position| builder.add_vertex(position));
/// let mast = SegmentProperties::new(1e5, 0.5);
/// let bending = JointProperties::new(20.0);
/// let pieces = builder.add_path(&[foot, middle, top], &mast, Some(&bending));
/// builder.add_segment(top, anchor, &SegmentProperties::new(1e4, 0.01));
/// builder.clamp(foot, pieces[0], &bending).pin(anchor);
/// let rod = builder.finish()?;
/// assert_eq!((rod.segments().len(), rod.joints().len()), (3, 1));
/// # Ok::<(), lariat::rod::RodError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    vertices: Vec<DVec3>,
    segments: Vec<([u32; 2], SegmentProperties)>,
    joints: Vec<([u32; 2], JointProperties)>,
    clamps: Vec<(u32, u32, JointProperties)>,
    loads: Vec<Load>,
    pins: Vec<u32>,
    held_segments: Vec<u32>,
    up: Option<DVec3>,
    friction: f64,
}

impl Default for GraphBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl GraphBuilder {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self {
            vertices: Vec::new(),
            segments: Vec::new(),
            joints: Vec::new(),
            clamps: Vec::new(),
            loads: Vec::new(),
            pins: Vec::new(),
            held_segments: Vec::new(),
            up: None,
            friction: DEFAULT_FRICTION,
        }
    }

    /// Adds a vertex and gives its index.
    pub fn add_vertex(&mut self, position: DVec3) -> u32 {
        push(&mut self.vertices, position)
    }

    /// Adds a segment and gives its index.
    pub fn add_segment(&mut self, tail: u32, head: u32, properties: &SegmentProperties) -> u32 {
        push(&mut self.segments, ([tail, head], *properties))
    }

    /// Adds a joint between two segments and gives its index.
    pub fn add_joint(&mut self, first: u32, second: u32, properties: &JointProperties) -> u32 {
        push(&mut self.joints, ([first, second], *properties))
    }

    /// Adds segments from each vertex to the next and, if given, joints between successive segments; gives the segments.
    pub fn add_path(
        &mut self,
        vertices: &[u32],
        segment: &SegmentProperties,
        joint: Option<&JointProperties>,
    ) -> Vec<u32> {
        let added: Vec<u32> = vertices
            .windows(2)
            .map(|pair| self.add_segment(pair[0], pair[1], segment))
            .collect();
        if let Some(joint) = joint {
            for pair in added.windows(2) {
                self.add_joint(pair[0], pair[1], joint);
            }
        }
        added
    }

    /// Where a vertex is, if it exists.
    pub fn position(&self, vertex: u32) -> Option<DVec3> {
        self.vertices.get(vertex as usize).copied()
    }

    /// Tail and head of a segment, if it exists.
    pub fn ends(&self, segment: u32) -> Option<[u32; 2]> {
        self.segments.get(segment as usize).map(|&(ends, _)| ends)
    }

    /// Pins a vertex.
    pub fn pin(&mut self, vertex: u32) -> &mut Self {
        self.pins.push(vertex);
        self
    }

    /// Holds the orientation of a segment.
    pub fn hold(&mut self, segment: u32) -> &mut Self {
        self.held_segments.push(segment);
        self
    }

    /// Clamps a segment at one of its vertices, which is pinned as well.
    pub fn clamp(&mut self, vertex: u32, segment: u32, properties: &JointProperties) -> &mut Self {
        self.clamps.push((vertex, segment, *properties));
        self
    }

    /// Ties a mass (kg) to a vertex; several add up.
    pub fn load(&mut self, vertex: u32, mass: f64) -> &mut Self {
        self.loads.push(Load { vertex, mass });
        self
    }

    /// Sets where d2 of the first segment of every connected part points as nearly as it can.
    pub fn up(&mut self, up: DVec3) -> &mut Self {
        self.up = Some(up);
        self
    }

    /// Sets the coefficient of friction of the surface.
    pub fn friction(&mut self, friction: f64) -> &mut Self {
        self.friction = friction;
        self
    }

    /// Chooses frames by parallel transport along the joints, resolves and checks everything.
    pub fn finish(&self) -> Result<RodDescription, RodError> {
        check_points("vertices", "vertices[].position", &self.vertices, 2)?;
        count(Place::field("segments"), self.segments.len(), 1)?;
        at_most(Place::field("joints"), self.joints.len())?;
        let ends: Vec<[u32; 2]> = self.segments.iter().map(|&(ends, _)| ends).collect();
        for (i, &[tail, head]) in ends.iter().enumerate() {
            index(Place::item("segments[].tail", i), tail, self.vertices.len())?;
            index(Place::item("segments[].head", i), head, self.vertices.len())?;
            if tail == head {
                return Err(RodError::SameEnds {
                    at: Place::item("segments[]", i),
                    vertex: tail,
                });
            }
        }
        let pairs: Vec<[u32; 2]> = self.joints.iter().map(|&(pair, _)| pair).collect();
        for (i, &[first, second]) in pairs.iter().enumerate() {
            index(Place::item("joints[].first", i), first, ends.len())?;
            index(Place::item("joints[].second", i), second, ends.len())?;
        }
        let up = self.up.map(|up| direction(Place::field("up"), up)).transpose()?;
        let line = CentreLine::new("segments[]", &self.vertices, &ends)?;
        let frames = through(&line.tangents, &ends, &pairs, up)?;

        let mut vertices: Vec<Vertex> = self
            .vertices
            .iter()
            .map(|&position| Vertex {
                position,
                mass: 0.0,
                radius: 0.0,
            })
            .collect();
        let mut segments = Vec::with_capacity(ends.len());
        for (i, (&([tail, head], properties), frame)) in self.segments.iter().zip(frames).enumerate() {
            check_segment(i, &properties)?;
            let rest_length = line.lengths[i] * properties.rest_scale;
            for end in [tail, head] {
                let vertex = &mut vertices[end as usize];
                vertex.mass += properties.linear_density * rest_length / 2.0;
                vertex.radius = vertex.radius.max(properties.radius);
            }
            segments.push(Segment {
                tail,
                head,
                rest_length,
                frame,
                axial: properties.axial,
                shear: properties.shear,
                relaxation: properties.relaxation,
                break_strain: break_strain(properties.break_at, properties.axial),
                yield_strain: properties.yield_strain,
                mass: properties.linear_density * rest_length,
            });
        }
        let joints = self.joints.iter().map(|&([first, second], properties)| {
            let (a, b) = (&segments[first as usize], &segments[second as usize]);
            Joint {
                first,
                second,
                rest: (a.frame.conjugate() * b.frame).normalize(),
                length: (a.rest_length + b.rest_length) / 2.0,
                bending: properties.bending,
                torsion: properties.torsion,
                relaxation: properties.relaxation,
                yield_curvature: properties.yield_curvature,
            }
        });
        let joints = joints.collect();
        let mut clamps = Vec::with_capacity(self.clamps.len());
        for (i, &(vertex, segment, properties)) in self.clamps.iter().enumerate() {
            let held = &segments[index(Place::item("clamps[].segment", i), segment, segments.len())?];
            clamps.push(Clamp {
                vertex,
                segment,
                frame: held.frame,
                length: held.rest_length / 2.0,
                bending: properties.bending,
                torsion: properties.torsion,
                relaxation: properties.relaxation,
                yield_curvature: properties.yield_curvature,
            });
        }
        for (i, load) in self.loads.iter().enumerate() {
            let vertex = index(Place::item("loads[].vertex", i), load.vertex, vertices.len())?;
            vertices[vertex].mass += not_negative(Place::item("loads[].mass", i), load.mass)?;
        }
        RodDescription::new(RodParts {
            vertices,
            segments,
            joints,
            clamps,
            pins: self.pins.clone(),
            held_segments: self.held_segments.clone(),
            friction: self.friction,
            ..RodParts::default()
        })
    }
}

fn check_material(material: &Material, section: &Section) -> Result<(), RodError> {
    section.check()?;
    material.check()?;
    if let Stiffness::Paper { .. } = material.stiffness {
        return Err(RodError::Unsupported {
            at: Place::field("material.stiffness"),
            shape: "graph of mixed parts",
        });
    }
    Ok(())
}

/// The properties that the description does not keep under the name that the user gave.
fn check_segment(i: usize, properties: &SegmentProperties) -> Result<(), RodError> {
    not_negative(Place::item("segments[].linear_density", i), properties.linear_density)?;
    positive(Place::item("segments[].radius", i), properties.radius)?;
    positive(Place::item("segments[].rest_scale", i), properties.rest_scale)?;
    if let BreakLimit::Strain(value) | BreakLimit::Tension(value) = properties.break_at {
        positive(Place::item("segments[].break_at", i), value)?;
    }
    Ok(())
}

/// Adds to a list and gives the index. A list too long for the index is refused by `finish` long before it matters.
fn push<T>(list: &mut Vec<T>, value: T) -> u32 {
    list.push(value);
    (list.len() - 1) as u32
}
