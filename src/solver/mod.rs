//! How rods move: the choice of method, the settings of a world, and the one ordered loop over substeps.

pub mod direct;
pub mod elastic;
mod settings;
pub mod stable_cosserat;
pub(crate) mod step;
mod wind;
pub(crate) mod wind_field;

pub use elastic::Curvature;
use serde::{Deserialize, Serialize};
pub use settings::{Settings, SettingsError};
pub use wind::{AirDrag, Wind};
pub use wind_field::WindField;

use crate::rod::Topology;

/// The method that moves a rod.
///
/// | choose | for | because |
/// |---|---|---|
/// | [`Solver::Direct`] | ropes, cables, plants, nets, springs: whatever is stiff or carries a load | the whole rod is solved at once: two to five iterations are right at 60 Hz, whatever the stiffness |
/// | [`Solver::StableCosserat`] | grooms, yarn, foliage: thousands of soft, fine rods | an iteration costs a tenth of Direct's, and soft rods need few of them |
/// | [`Solver::Elastic`] | comparing with discrete elastic rods, and what speaks their language | vertices and edge angles, four curvatures a joint, no shear; chains only |
///
/// `lab compare` prints error against cost of all of them on any scene.
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
            Self::Direct { .. } | Self::StableCosserat { .. } => true,
            Self::Elastic { .. } => topology == Topology::Chain,
        }
    }

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
