//! Which rods and shapes may touch each other, as data.

use serde::{Deserialize, Serialize};

use super::{
    edit::{RodAccessError, RodMut},
    readback::RodRef,
};

/// The layers that a rod belongs to and those that it collides with, a bit a layer. Two things may touch where each belongs to a layer
/// that the other collides with. By default a rod belongs to the first layer and collides with all.
///
/// ```
/// use lariat::prelude::*;
/// let hair = CollisionLayers { member_of: 0b10, collides_with: 0b01 };
/// let body = CollisionLayers::default();
/// assert!(hair.touches(body));
/// assert!(!hair.touches(hair), "hair does not touch hair");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollisionLayers {
    /// Layers that it belongs to.
    pub member_of: u32,
    /// Layers that it collides with.
    pub collides_with: u32,
}

impl CollisionLayers {
    /// Touches nothing.
    pub const NONE: Self = Self {
        member_of: 0,
        collides_with: 0,
    };

    /// Whether the two may touch.
    pub fn touches(self, other: Self) -> bool {
        self.member_of & other.collides_with != 0 && other.member_of & self.collides_with != 0
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self {
            member_of: 1,
            collides_with: u32::MAX,
        }
    }
}

impl RodMut<'_> {
    /// What the rod may touch.
    pub fn set_layers(&mut self, layers: CollisionLayers) -> Result<(), RodAccessError> {
        let stored = &mut self.resident()?.layers;
        let changed = *stored != layers;
        *stored = layers;
        self.wake_if(changed);
        Ok(())
    }
}

impl RodRef<'_> {
    /// What the rod may touch.
    pub fn layers(&self) -> CollisionLayers {
        self.resident.layers
    }
}
