//! The resolved rod: vertices, segments, joints and clamps with their final physical numbers.
//!
//! Immutable once built, so that thousands of instances can share one behind an `Arc`. Deserialization goes through the
//! same validation as construction: a file cannot smuggle in what the constructor refuses.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize, Serializer};

use super::error::RodError;
use super::section::Section;
use super::serde_forms::{bare_option, unbounded};
use super::validate;

/// Coefficient of friction when nothing else is said: between dry fibre ropes (0.2–0.4) and rubber (above 0.8).
pub const DEFAULT_FRICTION: f64 = 0.5;

/// A mass point of a rod.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vertex {
    /// Initial position, m.
    pub position: DVec3,
    /// Mass with loads, kg. Zero only on a pinned vertex.
    pub mass: f64,
    /// Radius of the rod's surface here, m.
    pub radius: f64,
}

/// A straight piece of rod between two vertices, with an orientation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// The vertex it starts at.
    pub tail: u32,
    /// The vertex it ends at.
    pub head: u32,
    /// Length without load, m.
    pub rest_length: f64,
    /// Initial orientation: `d3 = frame * Z` points from tail to head, `d1 = frame * X` and `d2 = frame * Y` are the
    /// section's axes.
    pub frame: DQuat,
    /// Stiffness along the rod, EA, N.
    pub axial: f64,
    /// Stiffness against shear, GA, N.
    pub shear: f64,
    /// Relaxation time of stretch and shear (stress `E(ε + τ ε̇)`), s.
    pub relaxation: f64,
    /// Strain at which it breaks; infinity is never. Written as null or `None` when infinite.
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub break_strain: f64,
    /// Elastic strain beyond which its rest length flows; infinity is never. Written as null or `None` when infinite.
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub yield_strain: f64,
    /// Its own mass, kg: half of it is in the mass of each end, and what a vertex has beyond that is a load. Where all segments
    /// say zero, the masses of the vertices are taken for the rod's own.
    #[serde(default)]
    pub mass: f64,
}

/// Elastic bending and twist between two segments that meet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// One segment.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// Relative orientation without load: `conjugate(first frame) * second frame`.
    pub rest: DQuat,
    /// Length of rod whose bending it stands for: half of each segment's rest length, m.
    pub length: f64,
    /// Bending stiffness about d1 and about d2, EI₁ and EI₂, N·m².
    pub bending: [f64; 2],
    /// Torsional stiffness GJ, N·m².
    pub torsion: f64,
    /// Relaxation time of bending and twist, s.
    pub relaxation: f64,
    /// Elastic curvature (bending and twist together) beyond which its rest orientation flows, 1/m; infinity is never. Written as
    /// null or `None` when infinite.
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub yield_curvature: f64,
}

/// A joint of half length between the world and a segment: it holds the end of a rod, not half a segment in.
///
/// The vertex is pinned as well ([`RodDescription::new`] sees to it).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clamp {
    /// The held vertex, an end of the segment.
    pub vertex: u32,
    /// The held segment.
    pub segment: u32,
    /// The orientation, in the world, that the segment has at rest.
    pub frame: DQuat,
    /// Length of rod between the wall and the middle of the segment: half its rest length, m.
    pub length: f64,
    /// Bending stiffness about d1 and about d2, N·m².
    pub bending: [f64; 2],
    /// Torsional stiffness, N·m².
    pub torsion: f64,
    /// Relaxation time of bending and twist, s.
    pub relaxation: f64,
    /// As [`Joint::yield_curvature`].
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub yield_curvature: f64,
}

/// How the segments hang together; solvers choose their method by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Topology {
    /// Segment i joins vertices i and i + 1, joint i joins segments i and i + 1; clamps only at the two ends.
    Chain,
    /// As a chain, but the last segment returns to vertex 0 and the last joint to segment 0; no clamps.
    Loop,
    /// Anything else.
    Graph,
}

/// The parts of a rod, open for writing; [`RodDescription::new`] checks and seals them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RodParts {
    /// Mass points.
    pub vertices: Vec<Vertex>,
    /// Pieces between vertices.
    pub segments: Vec<Segment>,
    /// Elastic bending and twist between segments.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// Ends held by walls.
    #[serde(default)]
    pub clamps: Vec<Clamp>,
    /// Vertices that do not move of themselves.
    #[serde(default)]
    pub pins: Vec<u32>,
    /// Segments whose orientation does not change of itself (paper 1's pinned segments).
    #[serde(default)]
    pub held_segments: Vec<u32>,
    /// Coefficient of friction of the surface.
    #[serde(default = "default_friction")]
    pub friction: f64,
    /// The cut through the rod where it is not tapered, from which another material's stiffness follows. `None` takes a disc of the
    /// first vertex's radius.
    #[serde(default, with = "bare_option", skip_serializing_if = "Option::is_none")]
    pub section: Option<Section>,
    /// Length of the segments that a winch gives or takes, m. `None` takes the mean of the rest lengths.
    #[serde(default, with = "bare_option", skip_serializing_if = "Option::is_none")]
    pub nominal_length: Option<f64>,
}

fn default_friction() -> f64 {
    DEFAULT_FRICTION
}

impl Default for RodParts {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            segments: Vec::new(),
            joints: Vec::new(),
            clamps: Vec::new(),
            pins: Vec::new(),
            held_segments: Vec::new(),
            friction: DEFAULT_FRICTION,
            section: None,
            nominal_length: None,
        }
    }
}

/// A validated rod: what every solver reads, shared and never changed.
///
/// ```
/// use glam::DVec3;
/// use lariat::rod::{RodDescription, RodSpec, Shape, Topology};
///
/// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32)).pin(0).build()?;
/// assert_eq!(rope.topology(), Topology::Chain);
/// assert_eq!(rope.joints().len(), 31);
/// # Ok::<(), lariat::rod::RodError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "RodParts")]
pub struct RodDescription {
    pub(super) parts: RodParts,
    pub(super) topology: Topology,
    pub(super) rest_length: f64,
    pub(super) mass: f64,
}

impl RodDescription {
    /// Checks the parts and seals them. Pins and held segments are sorted, repeated ones merged, and the vertices of
    /// clamps pinned.
    pub fn new(mut parts: RodParts) -> Result<Self, RodError> {
        let topology = validate::seal(&mut parts)?;
        let rest_length = parts.segments.iter().map(|segment| segment.rest_length).sum();
        let mass = parts.vertices.iter().map(|vertex| vertex.mass).sum();
        Ok(Self {
            parts,
            topology,
            rest_length,
            mass,
        })
    }

    /// Mass points.
    pub fn vertices(&self) -> &[Vertex] {
        &self.parts.vertices
    }

    /// Pieces between vertices.
    pub fn segments(&self) -> &[Segment] {
        &self.parts.segments
    }

    /// Elastic bending and twist between segments.
    pub fn joints(&self) -> &[Joint] {
        &self.parts.joints
    }

    /// Ends held by walls.
    pub fn clamps(&self) -> &[Clamp] {
        &self.parts.clamps
    }

    /// Pinned vertices, ascending, each once; the vertices of clamps are among them.
    pub fn pins(&self) -> &[u32] {
        &self.parts.pins
    }

    /// Segments whose orientation is held, ascending, each once.
    pub fn held_segments(&self) -> &[u32] {
        &self.parts.held_segments
    }

    /// Whether a vertex is pinned.
    pub fn is_pinned(&self, vertex: u32) -> bool {
        self.parts.pins.binary_search(&vertex).is_ok()
    }

    /// Coefficient of friction of the surface.
    pub fn friction(&self) -> f64 {
        self.parts.friction
    }

    /// How the segments hang together.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Sum of the segments' rest lengths, m.
    pub fn rest_length(&self) -> f64 {
        self.rest_length
    }

    /// Sum of the vertices' masses, loads included, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Rest length from vertex 0 to this vertex along a chain or loop, m. `None` on a graph, where no one way leads
    /// there, and for a vertex that does not exist.
    pub fn arc_length(&self, vertex: u32) -> Option<f64> {
        let vertex = vertex as usize;
        if self.topology == Topology::Graph || vertex >= self.parts.vertices.len() {
            return None;
        }
        Some(
            self.parts.segments[..vertex]
                .iter()
                .map(|segment| segment.rest_length)
                .sum(),
        )
    }

    /// All parts, as they would be serialized.
    pub fn parts(&self) -> &RodParts {
        &self.parts
    }

    /// Opens the description again, to change it and build another.
    pub fn into_parts(self) -> RodParts {
        self.parts
    }
}

impl TryFrom<RodParts> for RodDescription {
    type Error = RodError;

    fn try_from(parts: RodParts) -> Result<Self, RodError> {
        Self::new(parts)
    }
}

// By hand instead of `into = "RodParts"`, which would clone a whole groom to write it.
impl Serialize for RodDescription {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parts.serialize(serializer)
    }
}
