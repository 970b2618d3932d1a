//! How rods move: the choice of method, the settings of a world, and the one ordered loop over substeps.

mod settings;
pub mod stable_cosserat;
pub(crate) mod step;
mod wind;

use serde::{Deserialize, Serialize};
pub use settings::{Settings, SettingsError};
pub use wind::{AirDrag, Wind};

/// The method that moves a rod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Solver {
    /// Stable Cosserat Rods (papers 1 and 2): positions vertex by vertex, orientations in closed form. It shines on soft, fine, densely
    /// touching things such as hair, yarn and foliage. Stiff ropes under load want many substeps: an iteration turns a
    /// segment only by about `(m/h²)/(EA/l)` of its way when that is small. Shear is as stiff as stretch (EA), as in the papers.
    StableCosserat {
        /// How λ is found.
        #[serde(default)]
        lambda: Lambda,
    },
}

impl Default for Solver {
    fn default() -> Self {
        Self::StableCosserat {
            lambda: Lambda::default(),
        }
    }
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
