//! Named materials, every number with its source.
//!
//! Ropes and yarns are bundles: their modulus and density below belong to the *outline* (the circle around the strands),
//! so that a user gives the radius that a ruler shows. The bending factor is reckoned from the number of members that
//! slide over one another: n free members of a bundle bend about 1/n as stiffly as a solid bar, friction between them
//! brings some of it back.
//!
//! Damping is a loss tangent tan δ turned into `τ = tan δ / ω` at 5 Hz, the pace of things that swing and whip in a game.
//! Where no source is named for a loss tangent, a friction or a Poisson's ratio, it is our choice inside the usual range.
//! Ropes of one name differ by a factor of two: measure yours if it matters.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::material::{Damping, Density, Material, Shear, Stiffness};

/// A named material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Preset {
    /// Laid rope of hemp or manila.
    #[default]
    HempRope,
    /// Laid rope of polyamide.
    NylonRope,
    /// Stranded steel wire rope with a steel core.
    SteelCable,
    /// Natural rubber, vulcanized, unfilled.
    Rubber,
    /// A human hair at room humidity.
    HumanHair,
    /// Spun wool yarn.
    WoolYarn,
    /// Living hardwood along the grain.
    GreenWood,
}

/// Angular frequency at which loss tangents are turned into times, 1/s.
const LOSS_FREQUENCY: f64 = TAU * 5.0;

const fn loss(tangent: f64) -> Damping {
    Damping::Time(tangent / LOSS_FREQUENCY)
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 7] = [
        Self::HempRope,
        Self::NylonRope,
        Self::SteelCable,
        Self::Rubber,
        Self::HumanHair,
        Self::WoolYarn,
        Self::GreenWood,
    ];

    /// The material of that name.
    pub const fn material(self) -> Material {
        match self {
            Self::HempRope => Material {
                // Rope tables (manila, 20 mm: 26.0 kN, 0.277 kg/m; Engineering ToolBox, "Manila Ropes – Strength") give
                // 83 MPa over the outline at break. Hard-fibre rope stretches by 10 to 15% before it breaks; taken as 12%,
                // the secant modulus is 0.7 GPa. (On how much this varies: McKenna, Hearle and O'Hear, Handbook of Fibre Rope
                // Technology, 2004.)
                stiffness: Stiffness::Elastic {
                    young: 0.7e9,
                    shear: Shear::Poisson(0.3),
                },
                // 0.277 kg/m over a circle of 10 mm radius.
                density: Density::Volume(880.0),
                damping: loss(0.1),
                // Hemp on wood: 0.3 to 0.5 in engineering tables.
                friction: 0.4,
                // About a hundred yarns: 0.01 free, trebled by their friction.
                bending_factor: 0.03,
            },
            Self::NylonRope => Material {
                // Makers' tables (three-strand, 13/16 in = 20 mm: 15,300 lbf = 68 kN, 17 lb/100 ft = 0.253 kg/m) give 217 MPa
                // over the outline at break, and a stretch of 25 to 35%; taken as a third, the secant modulus is 0.65 GPa.
                stiffness: Stiffness::Elastic {
                    young: 0.65e9,
                    shear: Shear::Poisson(0.3),
                },
                // 0.253 kg/m over a circle of 10 mm radius.
                density: Density::Volume(805.0),
                damping: loss(0.1),
                friction: 0.25,
                // Finer and smoother yarns than hemp.
                bending_factor: 0.015,
            },
            Self::SteelCable => Material {
                // Strand rope: 100 GPa over the metal (EN 1993-1-11, strand ropes with steel core: 100 ± 10 kN/mm²), and
                // 0.56 of the outline is metal (same standard, fill factor of strand ropes).
                stiffness: Stiffness::Elastic {
                    young: 56e9,
                    shear: Shear::Poisson(0.3),
                },
                // Wire rope 6×19 with steel core weighs about 0.4·d² kg/m (d in cm) in makers' tables: over πd²/4 that is
                // 5,100 kg/m³.
                density: Density::Volume(5100.0),
                // Stays swing for minutes: damping ratios of 0.1 to 0.5%.
                damping: loss(0.01),
                // Dry steel on steel, greased a little.
                friction: 0.2,
                // 133 wires of d/15 and 200 GPa each, all free: 133 · (1/15)⁴ · 200/56 = 0.01; doubled by friction.
                bending_factor: 0.02,
            },
            Self::Rubber => Material {
                // Ashby, Materials Selection in Mechanical Design, data tables: natural rubber 1.5–2.5 MPa, 920–930 kg/m³,
                // Poisson's ratio next to one half.
                stiffness: Stiffness::Elastic {
                    young: 2.0e6,
                    shear: Shear::Poisson(0.499),
                },
                density: Density::Volume(930.0),
                damping: loss(0.1),
                // Dry rubber: 0.8 and above.
                friction: 0.9,
                bending_factor: 1.0,
            },
            Self::HumanHair => Material {
                // Robbins, Chemical and Physical Behavior of Human Hair, appendix: E = 3.89e10 and G = 0.89e10 dyn/cm². Their
                // ratio is not that of an isotropic solid: keratin's fibrils run along the hair.
                stiffness: Stiffness::Elastic {
                    young: 3.89e9,
                    shear: Shear::Modulus(0.89e9),
                },
                // Robbins: 1.32 g/cm³.
                density: Density::Volume(1320.0),
                damping: loss(0.08),
                friction: 0.2,
                bending_factor: 1.0,
            },
            Self::WoolYarn => Material {
                // Fibre: about 3 GPa and 1.31 g/cm³ (Morton and Hearle, Physical Properties of Textile Fibres). A spun yarn is
                // filled to about 0.45 (Hearle, Grosberg and Backer, Structural Mechanics of Fibers, Yarns, and Fabrics);
                // twist, crimp and the slip of short fibres leave about a third of 0.45 · 3 GPa.
                stiffness: Stiffness::Elastic {
                    young: 0.45e9,
                    shear: Shear::Poisson(0.3),
                },
                // 0.45 · 1310 kg/m³.
                density: Density::Volume(590.0),
                damping: loss(0.15),
                // Wool on wool across its scales.
                friction: 0.4,
                // Free fibres of 10 µm in a yarn of 0.5 mm radius: 0.45 · (10/500)² · 3/0.45 = 0.0012; some friction.
                bending_factor: 0.003,
            },
            Self::GreenWood => Material {
                // USDA Wood Handbook (FPL-GTR-190), northern red oak, green: 9.3 GPa along the grain; shear modulus 0.085 of
                // it (mean of the LR and LT ratios for red oak, 0.089 and 0.081).
                stiffness: Stiffness::Elastic {
                    young: 9.3e9,
                    shear: Shear::Modulus(0.79e9),
                },
                // Specific gravity 0.56 of the green volume with 80% of moisture (same book): 0.56 · 1.8 · 1000.
                density: Density::Volume(1010.0),
                // Wood itself; leaves and air add their own drag.
                damping: loss(0.04),
                friction: 0.5,
                bending_factor: 1.0,
            },
        }
    }
}

impl From<Preset> for Material {
    fn from(preset: Preset) -> Self {
        preset.material()
    }
}

impl Material {
    /// Laid rope of hemp or manila; give it the outline's radius.
    pub const fn hemp_rope() -> Self {
        Preset::HempRope.material()
    }

    /// Laid rope of polyamide.
    pub const fn nylon_rope() -> Self {
        Preset::NylonRope.material()
    }

    /// Stranded steel wire rope with a steel core.
    pub const fn steel_cable() -> Self {
        Preset::SteelCable.material()
    }

    /// Natural rubber.
    pub const fn rubber() -> Self {
        Preset::Rubber.material()
    }

    /// A human hair; its radius is 25 to 50 µm.
    pub const fn human_hair() -> Self {
        Preset::HumanHair.material()
    }

    /// Spun wool yarn.
    pub const fn wool_yarn() -> Self {
        Preset::WoolYarn.material()
    }

    /// Living hardwood along the grain: twigs and branches.
    pub const fn green_wood() -> Self {
        Preset::GreenWood.material()
    }
}
