//! How strands of hair meet each other.

use serde::{Deserialize, Serialize};

use super::{
    edit::{RodAccessError, RodMut},
    readback::RodRef,
};

/// How a rod meets rods of its kind, where contact is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HairCollision {
    /// Segment by segment: nothing passes through anything.
    #[default]
    Exact,
    /// On a grid, for grooms: strands neither touch each other nor themselves. Together they keep their volume and rub on each other, which costs less; see
    /// [`HairGrid`](crate::contact::HairGrid). Shapes, and rods that are [`Exact`](Self::Exact), they touch as exactly as others do; but for segments that end at a pinned vertex, which are roots and do not touch shapes.
    ///
    /// Layers decide what strands touch exactly; on the grid all meet. What sleeps holds others, and the grid does not wake it.
    Grid,
}

impl RodMut<'_> {
    /// How the rod meets others of its kind.
    pub fn set_hair_collision(&mut self, hair: HairCollision) -> Result<(), RodAccessError> {
        let stored = &mut self.resident()?.hair;
        let changed = *stored != hair;
        *stored = hair;
        self.wake_if(changed);
        Ok(())
    }
}

impl RodRef<'_> {
    /// How the rod meets others of its kind.
    pub fn hair_collision(&self) -> HairCollision {
        self.resident.hair
    }
}
