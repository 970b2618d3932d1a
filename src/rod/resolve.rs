//! The numbers that follow from a section and a material: one set of formulas for new rods and for those that change.

use super::checks::positive;
use super::error::{Place, RodError};
use super::material::{Material, Rigidity, Stiffness};
use super::section::Section;
use super::spec::Yield;

/// A section and a material along a rod whose sizes vary by a factor a vertex (none given: 1 everywhere).
pub(super) struct Make<'a> {
    pub section: &'a Section,
    pub material: &'a Material,
    pub factors: &'a [f64],
}

impl Make<'_> {
    pub fn factor(&self, vertex: u32) -> f64 {
        self.factors.get(vertex as usize).copied().unwrap_or(1.0)
    }

    /// Own mass of a segment, kg. A cone: volume over length is the mean of the squared radius along it.
    pub fn segment_mass(&self, [tail, head]: [u32; 2], length: f64) -> f64 {
        let (at_tail, at_head) = (self.factor(tail), self.factor(head));
        let squared = (at_tail * at_tail + at_tail * at_head + at_head * at_head) / 3.0;
        self.material.linear_density(self.section) * length * squared
    }

    /// EA and GA of a segment, N. A cone's compliance ∫ dx / r² is l / (r₀ r₁), so that they go with the product of the factors.
    pub fn stretching(&self, [tail, head]: [u32; 2], length: f64) -> [f64; 2] {
        let Rigidity { axial, shear, .. } = self.material.rigidity_of(self.section, length);
        [axial, shear].map(|stiffness| stiffness * self.factor(tail) * self.factor(head))
    }

    /// EI₁, EI₂ and GJ of a joint at a vertex, N·m².
    pub fn bending(&self, vertex: u32, length: f64) -> ([f64; 2], f64) {
        self.scaled(self.factor(vertex), length)
    }

    /// EI₁, EI₂ and GJ of a clamp on a segment of this length. The half segment that bends at the wall has its middle a quarter of the way along.
    pub fn clamping(&self, vertex: u32, other: u32, length: f64) -> ([f64; 2], f64) {
        self.scaled(0.75 * self.factor(vertex) + 0.25 * self.factor(other), length)
    }

    fn scaled(&self, factor: f64, length: f64) -> ([f64; 2], f64) {
        let rigidity = self.material.rigidity_of(self.section, length);
        let fourth = factor.powi(4);
        (
            rigidity.bending.map(|bending| bending * fourth),
            rigidity.torsion * fourth,
        )
    }
}

/// The strain that a segment yields at, and the curvature where the section is not tapered.
pub(super) fn yield_limits(limit: Yield, material: &Material, section: &Section) -> Result<[f64; 2], RodError> {
    let strain_at = Place::field("yields.strain");
    let curvature_at = Place::field("yields.curvature");
    let bounded = |at, value: f64| match value == f64::INFINITY {
        true => Ok(value),
        false => positive(at, value),
    };
    match limit {
        Yield::Never => Ok([f64::INFINITY; 2]),
        Yield::At { strain, curvature } => Ok([bounded(strain_at, strain)?, bounded(curvature_at, curvature)?]),
        Yield::Stress(stress) => {
            let at = Place::field("yields.stress");
            positive(at, stress)?;
            let Stiffness::Elastic { young, .. } = material.stiffness else {
                return Err(RodError::Unsupported {
                    at,
                    shape: "rod whose stiffness is given directly",
                });
            };
            let strain = stress / young;
            Ok([strain, strain / section.half_height()])
        }
    }
}
