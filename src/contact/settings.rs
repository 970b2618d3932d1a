//! What a world does about contact.

use serde::{Deserialize, Serialize};

/// How contact is solved. Everything has a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSettings {
    /// The most iterations of a substep for rods that touch something. They stop when nothing moves any more.
    pub iterations: u32,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { iterations: 40 }
    }
}
