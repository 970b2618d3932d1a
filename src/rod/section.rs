//! The cross-section: area, second moments, torsion constant, and how it tapers along the rod.
//!
//! The section lies in the plane of d1 and d2. Bending *about* d1 moves the rod along d2, so `I₁ = ∫ y² dA` with y along
//! d2, and `I₂ = ∫ x² dA` with x along d1.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::checks::{finite, positive};
use super::error::{Place, RodError};

/// Shape and size of the cut through a rod.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Section {
    /// A disc.
    Round {
        /// Radius, m.
        radius: f64,
    },
    /// An ellipse.
    Elliptical {
        /// Half axis along d1, m.
        a: f64,
        /// Half axis along d2, m.
        b: f64,
    },
    /// A rectangle.
    Rectangular {
        /// Full side along d1, m.
        width: f64,
        /// Full side along d2, m.
        height: f64,
    },
}

impl Default for Section {
    /// A round rope of 1 cm radius.
    fn default() -> Self {
        Self::Round { radius: 0.01 }
    }
}

impl Section {
    /// A disc of this radius, m.
    pub const fn round(radius: f64) -> Self {
        Self::Round { radius }
    }

    /// An ellipse with half axes `a` along d1 and `b` along d2, m.
    pub const fn elliptical(a: f64, b: f64) -> Self {
        Self::Elliptical { a, b }
    }

    /// A rectangle with full sides `width` along d1 and `height` along d2, m.
    pub const fn rectangular(width: f64, height: f64) -> Self {
        Self::Rectangular { width, height }
    }

    /// Area, m².
    pub fn area(&self) -> f64 {
        match *self {
            Self::Round { radius } => PI * radius * radius,
            Self::Elliptical { a, b } => PI * a * b,
            Self::Rectangular { width, height } => width * height,
        }
    }

    /// Second moments of area I₁ (bending about d1) and I₂ (about d2), m⁴.
    pub fn second_moments(&self) -> [f64; 2] {
        match *self {
            Self::Round { radius } => [PI * radius.powi(4) / 4.0; 2],
            Self::Elliptical { a, b } => [PI * a * b.powi(3) / 4.0, PI * a.powi(3) * b / 4.0],
            Self::Rectangular { width, height } => [width * height.powi(3) / 12.0, width.powi(3) * height / 12.0],
        }
    }

    /// Saint-Venant torsion constant J, m⁴: equal to I₁ + I₂ for a disc only, because other sections warp.
    ///
    /// Ellipse: `π a³ b³ / (a² + b²)`. Rectangle with long side p and short side s:
    /// `J = p s³/3 · (1 − 192/π⁵ · s/p · Σ_{n odd} tanh(n π p / 2s) / n⁵)` (Timoshenko and Goodier, *Theory of
    /// Elasticity*, torsion of a rectangular bar).
    pub fn torsion_constant(&self) -> f64 {
        match *self {
            Self::Round { radius } => PI * radius.powi(4) / 2.0,
            Self::Elliptical { a, b } => PI * a.powi(3) * b.powi(3) / (a * a + b * b),
            Self::Rectangular { width, height } => {
                let (long, short) = (width.max(height), width.min(height));
                // Terms fall as n⁻⁵: what is left out after n = 39 is below 1e-8 of the sum.
                let series: f64 = (0..20)
                    .map(|k| f64::from(2 * k + 1))
                    .map(|n| (n * PI * long / (2.0 * short)).tanh() / n.powi(5))
                    .sum();
                long * short.powi(3) / 3.0 * (1.0 - 192.0 / PI.powi(5) * (short / long) * series)
            }
        }
    }

    /// Radius of the disc of the same area, m: the thickness that contact and drag see.
    pub fn equivalent_radius(&self) -> f64 {
        match *self {
            Self::Round { radius } => radius,
            _ => (self.area() / PI).sqrt(),
        }
    }

    /// The same outline, so many times as large.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Round { radius } => Self::Round {
                radius: radius * factor,
            },
            Self::Elliptical { a, b } => Self::Elliptical {
                a: a * factor,
                b: b * factor,
            },
            Self::Rectangular { width, height } => Self::Rectangular {
                width: width * factor,
                height: height * factor,
            },
        }
    }

    /// Farthest that a fibre is from the middle along d1 or d2, m: where bending strains most.
    pub(super) fn half_height(&self) -> f64 {
        match *self {
            Self::Round { radius } => radius,
            Self::Elliptical { a, b } => a.max(b),
            Self::Rectangular { width, height } => width.max(height) / 2.0,
        }
    }

    pub(super) fn check(&self) -> Result<(), RodError> {
        let check = |field, value| positive(Place::field(field), value).map(drop);
        match *self {
            Self::Round { radius } => check("section.radius", radius),
            Self::Elliptical { a, b } => check("section.a", a).and_then(|()| check("section.b", b)),
            Self::Rectangular { width, height } => {
                check("section.width", width).and_then(|()| check("section.height", height))
            }
        }
    }
}

/// How the section grows or shrinks along the rod. A factor scales every size of the section at a vertex, so that EA, GA
/// and mass go with its square, EI and GJ with its fourth power; stiffness given directly holds where the factor is 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Taper {
    /// The same section everywhere.
    #[default]
    Uniform,
    /// Factors at the two ends of an open rod, linear in between along its length.
    Linear {
        /// Factor at the first vertex.
        start: f64,
        /// Factor at the last vertex.
        end: f64,
    },
    /// One factor a vertex.
    Factors(Vec<f64>),
    /// One radius a vertex, m (of a section that is not round: its equivalent radius).
    Radii(Vec<f64>),
}

impl Taper {
    /// The factor at every vertex, or nothing when all are 1. `arc` holds each vertex's length along an open rod.
    pub(super) fn factors(
        &self,
        section: &Section,
        vertices: usize,
        arc: Option<&[f64]>,
        shape: &'static str,
    ) -> Result<Vec<f64>, RodError> {
        match self {
            Self::Uniform => Ok(Vec::new()),
            Self::Linear { start, end } => {
                positive(Place::field("taper.start"), *start)?;
                positive(Place::field("taper.end"), *end)?;
                let unsupported = RodError::Unsupported {
                    at: Place::field("taper"),
                    shape,
                };
                let arc = arc.ok_or_else(|| unsupported.clone())?;
                let length = finite(Place::field("taper"), *arc.last().ok_or(unsupported)?)?;
                Ok(arc.iter().map(|s| start + (end - start) * s / length).collect())
            }
            Self::Factors(factors) => per_vertex("taper", "taper[]", factors, 1.0, vertices),
            Self::Radii(radii) => per_vertex("taper", "taper[]", radii, section.equivalent_radius(), vertices),
        }
    }
}

fn per_vertex(
    list: &'static str,
    item: &'static str,
    values: &[f64],
    unit: f64,
    vertices: usize,
) -> Result<Vec<f64>, RodError> {
    if values.len() != vertices {
        return Err(RodError::CountMismatch {
            at: Place::field(list),
            count: values.len(),
            expected: vertices,
        });
    }
    values
        .iter()
        .enumerate()
        .map(|(i, &value)| Ok(positive(Place::item(item, i), value)? / unit))
        .collect()
}
