//! What a rod is made of: stiffness, density, damping, friction.
//!
//! Users speak in moduli; people who reproduce papers may give EA, GA, EI and GJ, or paper 1's k_ss and k_bt, directly.

use serde::{Deserialize, Serialize};

use super::checks::{finite, not_negative, positive};
use super::description::DEFAULT_FRICTION;
use super::error::{Place, RodError};
use super::presets::Preset;
use super::section::Section;

/// The material of a rod.
///
/// In a file every field may be left out; `preset` names the material whose values fill the gaps (hemp rope if absent):
/// `material: (preset: SteelCable, friction: 0.2)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "MaterialForm")]
pub struct Material {
    /// Resistance to stretch, shear, bending and twist.
    pub stiffness: Stiffness,
    /// Mass of the rod.
    pub density: Density,
    /// Internal friction.
    pub damping: Damping,
    /// Coefficient of friction of the surface.
    pub friction: f64,
    /// Bending and torsional stiffness as a fraction of a solid bar's with the same outline. The strands of a rope slide
    /// over one another when it bends or twists, so it is far softer than a bar. Only of [`Stiffness::Elastic`].
    pub bending_factor: f64,
}

impl Default for Material {
    /// Hemp rope.
    fn default() -> Self {
        Preset::HempRope.material()
    }
}

/// Resistance to stretch, shear, bending and twist.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Stiffness {
    /// From the material's moduli and the section.
    Elastic {
        /// Young's modulus, Pa.
        young: f64,
        /// Shear modulus or Poisson's ratio.
        shear: Shear,
    },
    /// The section's stiffness itself, whatever its shape.
    Rigidity {
        /// Against stretch, EA, N.
        ea: f64,
        /// Against shear, GA, N.
        ga: f64,
        /// Against bending about d1 and about d2, EI₁ and EI₂, N·m².
        ei: [f64; 2],
        /// Against twist, GJ, N·m².
        gj: f64,
    },
    /// Paper 1's constants as they stand in its energy, the same for every segment and joint whatever its length:
    /// `k_ss = EA·l`, `k_bt = 4·EI/l`.
    Paper {
        /// Stretch and shear, N·m.
        k_ss: f64,
        /// Bending and twist, N·m.
        k_bt: f64,
    },
}

/// Resistance to shear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shear {
    /// Shear modulus G, Pa.
    Modulus(f64),
    /// Poisson's ratio ν; `G = E / 2(1 + ν)`.
    Poisson(f64),
}

/// Mass of the rod without loads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Density {
    /// Of the volume that the section sweeps, kg/m³.
    Volume(f64),
    /// Of the length, kg/m.
    Linear(f64),
}

/// Internal friction (Kelvin–Voigt): stress `E(ε + τ ε̇)` with a relaxation time τ.
///
/// A mode of angular frequency ω obeys `ẍ + τω² ẋ + ω² x = 0`, so its damping ratio is `ζ = τω/2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Damping {
    /// None.
    #[default]
    None,
    /// Relaxation time τ of everything, s.
    Time(f64),
    /// Relaxation times of stretch and shear, and of bending and twist, s.
    Times {
        /// Stretch and shear.
        stretch: f64,
        /// Bending and twist.
        bend: f64,
    },
    /// Damping ratio ζ (1 is critical) of the first bending mode that the rod would have if it were clamped at one end,
    /// `ω = 1.8751² √(EI / ρA L⁴)` with the softer EI and the untapered section; then `τ = 2ζ/ω` for everything. Not for
    /// graphs, which have no one length.
    Ratio(f64),
}

/// First root of `cos x · cosh x = −1`: βL of the first bending mode of a clamped–free bar.
const FIRST_CLAMPED_FREE_ROOT: f64 = 1.875_104_068_711_961;

/// Stiffness of a section in N and N·m².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rigidity {
    pub axial: f64,
    pub shear: f64,
    pub bending: [f64; 2],
    pub torsion: f64,
}

impl Material {
    /// An elastic solid: Young's modulus (Pa), Poisson's ratio, density (kg/m³). No damping.
    pub const fn elastic(young: f64, poisson: f64, density: f64) -> Self {
        Self {
            stiffness: Stiffness::Elastic {
                young,
                shear: Shear::Poisson(poisson),
            },
            density: Density::Volume(density),
            damping: Damping::None,
            friction: DEFAULT_FRICTION,
            bending_factor: 1.0,
        }
    }

    /// Stiffness given directly for a section of equal bending both ways: EA and GA (N), EI and GJ (N·m²), and mass a
    /// length (kg/m). No damping.
    pub const fn rigidity(ea: f64, ga: f64, ei: f64, gj: f64, linear_density: f64) -> Self {
        Self {
            stiffness: Stiffness::Rigidity {
                ea,
                ga,
                ei: [ei; 2],
                gj,
            },
            density: Density::Linear(linear_density),
            damping: Damping::None,
            friction: DEFAULT_FRICTION,
            bending_factor: 1.0,
        }
    }

    /// The same material with this damping.
    pub const fn with_damping(mut self, damping: Damping) -> Self {
        self.damping = damping;
        self
    }

    /// The same material with this coefficient of friction.
    pub const fn with_friction(mut self, friction: f64) -> Self {
        self.friction = friction;
        self
    }

    /// The same material with this density.
    pub const fn with_density(mut self, density: Density) -> Self {
        self.density = density;
        self
    }

    /// Mass a length of rod with this section, kg/m.
    pub fn linear_density(&self, section: &Section) -> f64 {
        match self.density {
            Density::Volume(density) => density * section.area(),
            Density::Linear(density) => density,
        }
    }

    /// Stiffness of this section over a piece of rod of this length; only paper constants depend on the length.
    ///
    /// Shear takes GA without a shear coefficient (5/6 and its like): shear of a rod this slender is there to keep frame
    /// and tangent together, and paper 1 takes it equal to EA.
    pub(super) fn rigidity_of(&self, section: &Section, length: f64) -> Rigidity {
        match self.stiffness {
            Stiffness::Elastic { young, shear } => {
                let shear_modulus = match shear {
                    Shear::Modulus(modulus) => modulus,
                    Shear::Poisson(ratio) => young / (2.0 * (1.0 + ratio)),
                };
                let area = section.area();
                Rigidity {
                    axial: young * area,
                    shear: shear_modulus * area,
                    bending: section
                        .second_moments()
                        .map(|moment| young * moment * self.bending_factor),
                    torsion: shear_modulus * section.torsion_constant() * self.bending_factor,
                }
            }
            Stiffness::Rigidity { ea, ga, ei, gj } => Rigidity {
                axial: ea,
                shear: ga,
                bending: ei,
                torsion: gj,
            },
            Stiffness::Paper { k_ss, k_bt } => {
                let bending = k_bt * length / 4.0;
                Rigidity {
                    axial: k_ss / length,
                    shear: k_ss / length,
                    bending: [bending; 2],
                    torsion: bending,
                }
            }
        }
    }

    /// Relaxation times of stretch and of bending, s. `lengths` are the rod's whole length and the mean length of its
    /// segments, `None` on a graph.
    pub(super) fn relaxation(&self, section: &Section, lengths: Option<[f64; 2]>) -> Result<[f64; 2], RodError> {
        match self.damping {
            Damping::None => Ok([0.0; 2]),
            Damping::Time(time) => Ok([time; 2]),
            Damping::Times { stretch, bend } => Ok([stretch, bend]),
            Damping::Ratio(ratio) => {
                let at = Place::field("material.damping");
                let [length, segment] = lengths.ok_or(RodError::Unsupported { at, shape: "graph" })?;
                let [about_d1, about_d2] = self.rigidity_of(section, segment).bending;
                let bending = about_d1.min(about_d2);
                if bending <= 0.0 {
                    // Without bending stiffness there is no bending mode to damp.
                    return Err(RodError::NotPositive {
                        at: Place::field("material.stiffness"),
                        value: bending,
                    });
                }
                let frequency = FIRST_CLAMPED_FREE_ROOT.powi(2)
                    * (bending / (self.linear_density(section) * length.powi(4))).sqrt();
                Ok([2.0 * ratio / frequency; 2])
            }
        }
    }

    pub(super) fn check(&self) -> Result<(), RodError> {
        let positive = |field, value| positive(Place::field(field), value);
        let not_negative = |field, value| not_negative(Place::field(field), value);
        match self.stiffness {
            Stiffness::Elastic { young, shear } => {
                positive("material.stiffness.young", young)?;
                match shear {
                    Shear::Modulus(modulus) => {
                        positive("material.stiffness.shear", modulus)?;
                    }
                    Shear::Poisson(ratio) => check_poisson(ratio)?,
                }
                positive("material.bending_factor", self.bending_factor)?;
            }
            Stiffness::Rigidity { ea, ga, ei, gj } => {
                positive("material.stiffness.ea", ea)?;
                positive("material.stiffness.ga", ga)?;
                // A rope without any bending stiffness is a fair wish.
                not_negative("material.stiffness.ei", ei[0])?;
                not_negative("material.stiffness.ei", ei[1])?;
                not_negative("material.stiffness.gj", gj)?;
            }
            Stiffness::Paper { k_ss, k_bt } => {
                positive("material.stiffness.k_ss", k_ss)?;
                not_negative("material.stiffness.k_bt", k_bt)?;
            }
        }
        let (Density::Volume(density) | Density::Linear(density)) = self.density;
        positive("material.density", density)?;
        match self.damping {
            Damping::None => {}
            Damping::Time(time) | Damping::Ratio(time) => {
                not_negative("material.damping", time)?;
            }
            Damping::Times { stretch, bend } => {
                not_negative("material.damping.stretch", stretch)?;
                not_negative("material.damping.bend", bend)?;
            }
        }
        not_negative("material.friction", self.friction)?;
        Ok(())
    }
}

/// Thermodynamics allows −1 < ν ≤ ½ for an isotropic solid; ½ is incompressible.
fn check_poisson(ratio: f64) -> Result<(), RodError> {
    let at = Place::field("material.stiffness.shear");
    finite(at, ratio)?;
    if ratio <= -1.0 || ratio > 0.5 {
        return Err(RodError::OutsideRange {
            at,
            value: ratio,
            low: -1.0,
            high: 0.5,
        });
    }
    Ok(())
}

/// How a material is read from a file: a preset and what differs from it.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MaterialForm {
    preset: Preset,
    #[serde(deserialize_with = "super::serde_forms::bare_option::deserialize")]
    stiffness: Option<Stiffness>,
    #[serde(deserialize_with = "super::serde_forms::bare_option::deserialize")]
    density: Option<Density>,
    #[serde(deserialize_with = "super::serde_forms::bare_option::deserialize")]
    damping: Option<Damping>,
    #[serde(deserialize_with = "super::serde_forms::bare_option::deserialize")]
    friction: Option<f64>,
    #[serde(deserialize_with = "super::serde_forms::bare_option::deserialize")]
    bending_factor: Option<f64>,
}

impl Default for MaterialForm {
    fn default() -> Self {
        Self {
            preset: Preset::HempRope,
            stiffness: None,
            density: None,
            damping: None,
            friction: None,
            bending_factor: None,
        }
    }
}

impl From<MaterialForm> for Material {
    fn from(form: MaterialForm) -> Self {
        let preset = form.preset.material();
        Self {
            stiffness: form.stiffness.unwrap_or(preset.stiffness),
            density: form.density.unwrap_or(preset.density),
            damping: form.damping.unwrap_or(preset.damping),
            friction: form.friction.unwrap_or(preset.friction),
            bending_factor: form.bending_factor.unwrap_or(preset.bending_factor),
        }
    }
}
