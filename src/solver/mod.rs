//! How rods move: the choice of method, the settings of a world, and the one ordered loop over substeps.

pub mod direct;
pub mod elastic;
pub mod generalized_alpha;
pub(crate) mod law;
mod settings;
pub mod stable_cosserat;
pub(crate) mod step;
mod wind;
pub(crate) mod wind_field;
pub mod xpbd;

pub use elastic::Curvature;
pub use generalized_alpha::{Rho, Thousandths, Unsupported};
use serde::{Deserialize, Serialize};
pub use settings::{Settings, SettingsError};
pub use wind::{AirDrag, Wind};
pub use wind_field::WindField;
pub use xpbd::{Darboux, Projection};

use crate::rod::Topology;

/// The method that moves a rod.
///
/// | choose | for | because |
/// |---|---|---|
/// | [`Solver::Direct`] | ropes, cables, plants, nets, springs: whatever is stiff or carries a load | the whole rod is solved at once: two to five iterations are right at 60 Hz, whatever the stiffness |
/// | [`Solver::GeneralizedAlpha`] | springs, wires, strands to be exact about | second order in time, no stretch at all, damping by choice |
/// | [`Solver::StableCosserat`] | grooms, yarn, foliage: thousands of soft, fine rods | an iteration costs a tenth of Direct's, and soft rods need few of them |
/// | [`Solver::Xpbd`] | to compare, and to migrate from position-based dynamics | it is the method that everybody knows: cheap and never unstable, but its stiffness depends on iterations and substeps until both are many |
/// | [`Solver::Elastic`] | comparing with discrete elastic rods, and what speaks their language | vertices and edge angles, four curvatures a joint, no shear; chains only |
///
/// `lab compare` prints error against cost of all of them on any scene. Two of its tables in short, one core, error as the rms distance of all vertices to a fine solution
/// over the whole scene (4 s of a rope of 2 m and 64 segments that is let go from the horizontal, EA = 5·10⁴ N; 5 s of 100 kg that are hung on it):
///
/// | solver | Hz × substeps × iterations | ms a simulated second | let go, m | 100 kg, mm |
/// |---|---|---|---|---|
/// | Direct | 60 × 1 × 3 | 1.2 | 0.28 | 21 |
/// | Direct, BDF2 | 60 × 1 × 3 | 1.3 | 0.07 | 11 |
/// | Direct, BDF2 | 60 × 4 × 8 | 5.0 | 0.02 | 0.1 |
/// | Stable Cosserat | 60 × 16 × 4 | 8.0 | 1.16 | 12 |
/// | Stable Cosserat | 60 × 64 × 4 | 33 | 0.39 | 2 |
///
/// What Direct has left of an error is that of the step itself, which implicit Euler damps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum Solver {
    /// Newton's method on the whole rod (see [`direct`]). [`Settings::iterations`] is the most it takes; it stops when nothing moves any more.
    Direct {
        /// How time is stepped.
        #[serde(default)]
        integrator: Integrator,
    },
    /// Stable Cosserat Rods (papers 1 and 2): positions vertex by vertex, orientations in closed form. Stiff ropes under load want many substeps: an
    /// iteration turns a segment only by about `(m/h²)/(EA/l)` of its way when that is small. So does damping with a relaxation time far above the
    /// substep, which stiffens every spring by `τ/h`. Shear is as stiff as stretch (EA), as in the papers.
    StableCosserat {
        /// How λ is found.
        #[serde(default)]
        lambda: Lambda,
    },
    /// Position and orientation based rods (paper 5, see [`xpbd`]): constraints on positions and quaternions, with the compliance of the material. Choose it to compare, or to
    /// bring a rod from a position-based engine as it is. Small substeps with one iteration each serve it better than large ones with many.
    Xpbd {
        /// What a constraint does with the stiffness of the material.
        #[serde(default)]
        projection: Projection,
        /// How bending and twist are measured.
        #[serde(default)]
        darboux: Darboux,
        /// Long-range attachments (Kim et al. 2012): no vertex is farther from its nearest pin than the rod between them is long. Stops the stretch of a heavy rope with few
        /// iterations; that of the material as well.
        #[serde(default)]
        long_range: bool,
    },
    /// The dynamic Kirchhoff equations by the generalized-α method (paper 3, see [`generalized_alpha`]): inextensible, unshearable, second order in time.
    ///
    /// Chains only. Either end is free, pinned or clamped; pins and clamps may be led ([`RodMut::set_target`](crate::state::RodMut::set_target)), forces, torques, loads, wind, drag and
    /// damping of bending act as on any rod. A rod that starts stretched is taken at its rest lengths. Not for it, and said by an [`Unsupported`] error: loops and graphs, pins and held segments
    /// between the ends, rods without bending or torsional stiffness, breaking, attachments. [`Settings::iterations`] is the most it takes; where a solve does not converge in so many, the rod keeps
    /// the shape that was reached and loses its speed. A straight rod whose ends are pushed together bows: to where it leans, else to where it is pulled.
    GeneralizedAlpha {
        /// How it damps what swings fast against the step.
        #[serde(default)]
        rho: Rho,
    },
    /// Discrete elastic rods (paper 4, section III; see [`elastic`]): Newton's method on vertices and edge angles, implicit Euler. Chains only. Without shear: a segment's frame
    /// is along it, but where the segment is held. [`Settings::iterations`] is the most it takes.
    Elastic {
        /// How bending is measured.
        #[serde(default)]
        curvature: Curvature,
    },
}

impl Solver {
    /// Whether it moves rods of that kind.
    pub fn takes(&self, topology: Topology) -> bool {
        match self {
            Self::Direct { .. } | Self::StableCosserat { .. } | Self::Xpbd { .. } => true,
            Self::GeneralizedAlpha { .. } | Self::Elastic { .. } => topology == Topology::Chain,
        }
    }

    /// XPBD as it is known: compliance, plain Darboux vector, no long-range attachments.
    pub const XPBD: Self = Self::Xpbd {
        projection: Projection::Compliance,
        darboux: Darboux::Plain,
        long_range: false,
    };

    /// The default for grooms.
    pub const GROOM: Self = Self::StableCosserat {
        lambda: Lambda::Approximate,
    };
}

impl Default for Solver {
    fn default() -> Self {
        Self::Direct {
            integrator: Integrator::default(),
        }
    }
}

/// How a substep goes through time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Integrator {
    /// Implicit Euler: first order, damps whatever swings fast against the step.
    #[default]
    Euler,
    /// The second backward difference: second order. Swings live on at 60 Hz; stiff vibrations still die. It wants equal steps: a substep that is
    /// longer or shorter than the one before it by more than 1e-5 is taken by Euler.
    Bdf2,
}

/// The multiplier that keeps a quaternion at unit length (paper 1, sections 3.2 and 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lambda {
    /// The upper bound of Eq. 22: exact without strain, and a material of its own with it.
    #[default]
    Approximate,
    /// The root itself: the energy of the model, to the letter. Costs about half as much again.
    Exact,
}
