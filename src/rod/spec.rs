//! The recipe that a person writes: a shape, and what differs from a hemp rope of 1 cm radius.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::description::RodDescription;
use super::error::RodError;
use super::material::Material;
use super::section::{Section, Taper};
use super::serde_forms::{bare_option, unbounded};
use super::shape::Shape;

/// The recipe of a rod. Everything but the shape has a default; [`build`](Self::build) resolves and checks it.
///
/// ```
/// use glam::DVec3;
/// use lariat::rod::{Material, RodSpec, Section, Shape};
///
/// // A steel cable of 8 mm across two metres, clamped at the start, 5 kg at the end.
/// let cable = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 40))
///     .material(Material::steel_cable())
///     .section(Section::round(0.004))
///     .clamp_start()
///     .load(40, 5.0)
///     .build()?;
/// assert_eq!(cable.vertices().len(), 41);
/// assert!(cable.mass() > 5.0);
///
/// // Mistakes are named.
/// let error = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8)).pin(9).build().unwrap_err();
/// assert_eq!(error.to_string(), "pins[0] refers to element 9 of 9");
/// # Ok::<(), lariat::rod::RodError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RodSpec {
    /// The centre line.
    pub shape: Shape,
    /// The cut through the rod.
    #[serde(default)]
    pub section: Section,
    /// How the section changes along the rod.
    #[serde(default)]
    pub taper: Taper,
    /// What it is made of.
    #[serde(default)]
    pub material: Material,
    /// The shape without load.
    #[serde(default)]
    pub rest: RestShape,
    /// Rest lengths as a multiple of those that the rest shape gives: below 1 the rod starts taut.
    #[serde(default = "one")]
    pub rest_scale: f64,
    /// Twist of the initial shape beyond parallel transport.
    #[serde(default)]
    pub twist: Twist,
    /// Twist without load. By default it is the initial twist if the rest shape is the given one, and none otherwise;
    /// `Twist::None` on a twisted rod winds it up.
    #[serde(default, with = "bare_option", skip_serializing_if = "Option::is_none")]
    pub rest_twist: Option<Twist>,
    /// Where d2 of the first segment points as nearly as it can. Matters to sections that are not round.
    #[serde(default, with = "bare_option", skip_serializing_if = "Option::is_none")]
    pub up: Option<DVec3>,
    /// Vertices that do not move of themselves.
    #[serde(default)]
    pub pins: Vec<u32>,
    /// Segments whose orientation does not change of itself.
    #[serde(default)]
    pub held_segments: Vec<u32>,
    /// Ends held by a wall in place and in direction.
    #[serde(default)]
    pub clamps: Vec<ClampAt>,
    /// Masses tied to vertices.
    #[serde(default)]
    pub loads: Vec<Load>,
    /// When segments break.
    #[serde(default)]
    pub break_at: BreakLimit,
    /// When it yields and stays bent or stretched.
    #[serde(default)]
    pub yields: Yield,
}

fn one() -> f64 {
    1.0
}

/// The shape that a rod has without load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum RestShape {
    /// The given shape: nothing is strained at the start.
    #[default]
    AsGiven,
    /// Straight, with the lengths of the given shape. Not for graphs.
    Straight,
    /// A second curve, resampled to as many segments (closed if the shape is); lengths are its own. Not for graphs.
    Curve(Vec<DVec3>),
}

/// Turn of the material about the rod's axis, beyond the twist-free frames, rad.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Twist {
    /// None.
    #[default]
    None,
    /// From the first segment to the last, spread evenly. On a loop: once around, the ends glued where they meet. Not for
    /// graphs.
    Total(f64),
    /// Angle of each segment.
    PerSegment(Vec<f64>),
}

/// Which end a clamp holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ClampAt {
    /// The first vertex of a chain.
    Start,
    /// The last vertex of a chain.
    End,
    /// A segment at one of its vertices.
    Vertex {
        /// The vertex, an end of the segment.
        vertex: u32,
        /// The segment.
        segment: u32,
    },
}

/// A mass tied to a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The vertex.
    pub vertex: u32,
    /// Mass, kg.
    pub mass: f64,
}

/// When a segment breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum BreakLimit {
    /// Never.
    #[default]
    Never,
    /// At this strain.
    Strain(f64),
    /// At this tension, N; a strain of T/EA.
    Tension(f64),
}

/// When a rod yields: perfectly plastic, what exceeds the limit stays when the load is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Yield {
    /// Never.
    #[default]
    Never,
    /// At an elastic strain and at an elastic curvature (bending and twist together); infinity, or nothing in a file, is never.
    At {
        /// Of a segment.
        #[serde(with = "unbounded", default = "unbounded::never")]
        strain: f64,
        /// Of a joint, 1/m.
        #[serde(with = "unbounded", default = "unbounded::never")]
        curvature: f64,
    },
    /// At this stress in the outermost fibre, Pa: a strain of σ/E, a curvature of σ/Er. Only of [`Stiffness::Elastic`](super::Stiffness).
    Stress(f64),
}

impl RodSpec {
    /// A hemp rope of 1 cm radius along the shape, free at both ends.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            section: Section::default(),
            taper: Taper::default(),
            material: Material::default(),
            rest: RestShape::default(),
            rest_scale: 1.0,
            twist: Twist::default(),
            rest_twist: None,
            up: None,
            pins: Vec::new(),
            held_segments: Vec::new(),
            clamps: Vec::new(),
            loads: Vec::new(),
            break_at: BreakLimit::default(),
            yields: Yield::default(),
        }
    }

    /// Sets the cut through the rod.
    pub fn section(mut self, section: Section) -> Self {
        self.section = section;
        self
    }

    /// Sets a round cut of this radius, m.
    pub fn radius(self, radius: f64) -> Self {
        self.section(Section::Round { radius })
    }

    /// Sets how the section changes along the rod.
    pub fn taper(mut self, taper: Taper) -> Self {
        self.taper = taper;
        self
    }

    /// Sets the material; a [`Preset`](super::Preset) will do.
    pub fn material(mut self, material: impl Into<Material>) -> Self {
        self.material = material.into();
        self
    }

    /// Sets the shape without load.
    pub fn rest(mut self, rest: RestShape) -> Self {
        self.rest = rest;
        self
    }

    /// Sets rest lengths as a multiple of the rest shape's.
    pub fn rest_scale(mut self, scale: f64) -> Self {
        self.rest_scale = scale;
        self
    }

    /// Sets the initial twist.
    pub fn twist(mut self, twist: Twist) -> Self {
        self.twist = twist;
        self
    }

    /// Sets the twist without load.
    pub fn rest_twist(mut self, twist: Twist) -> Self {
        self.rest_twist = Some(twist);
        self
    }

    /// Sets where d2 of the first segment points.
    pub fn up(mut self, up: DVec3) -> Self {
        self.up = Some(up);
        self
    }

    /// Pins a vertex.
    pub fn pin(mut self, vertex: u32) -> Self {
        self.pins.push(vertex);
        self
    }

    /// Pins the last vertex of the shape as it is now.
    pub fn pin_last(self) -> Self {
        // A shape without vertices or with too many is refused by `build`, whatever this index becomes.
        let last = u32::try_from(self.shape.vertex_count().saturating_sub(1)).unwrap_or(u32::MAX);
        self.pin(last)
    }

    /// Clamps the first vertex of a chain.
    pub fn clamp_start(mut self) -> Self {
        self.clamps.push(ClampAt::Start);
        self
    }

    /// Clamps the last vertex of a chain.
    pub fn clamp_end(mut self) -> Self {
        self.clamps.push(ClampAt::End);
        self
    }

    /// Clamps a segment at one of its vertices.
    pub fn clamp_at(mut self, vertex: u32, segment: u32) -> Self {
        self.clamps.push(ClampAt::Vertex { vertex, segment });
        self
    }

    /// Holds the orientation of a segment.
    pub fn hold_segment(mut self, segment: u32) -> Self {
        self.held_segments.push(segment);
        self
    }

    /// Ties a mass (kg) to a vertex; several add up.
    pub fn load(mut self, vertex: u32, mass: f64) -> Self {
        self.loads.push(Load { vertex, mass });
        self
    }

    /// Sets when segments break.
    pub fn break_at(mut self, limit: BreakLimit) -> Self {
        self.break_at = limit;
        self
    }

    /// Sets when it yields.
    pub fn yields(mut self, limit: Yield) -> Self {
        self.yields = limit;
        self
    }

    /// Resolves the recipe and checks it.
    pub fn build(&self) -> Result<RodDescription, RodError> {
        super::build::build(self)
    }
}
