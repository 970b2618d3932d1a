//! What a snapshot holds of contact.

use parry3d::shape::SharedShape;

use super::{
    collider::{ColliderError, ColliderId, Colliders},
    meet::Meeting,
    shape::{check, extent},
    stage::Stage,
    touch::Remembered,
};
use crate::state::Snapshot;

/// What of contact decides how rods go on.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub colliders: Colliders,
    /// Slots of colliders whose shapes are not known: files hold none. Ascending.
    pub shapeless: Vec<u32>,
    pub remembered: Vec<Remembered>,
    /// Who touches whom, as it was told.
    pub meetings: Vec<Meeting>,
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Into the memory that is there.
    fn clone_from(&mut self, from: &Self) {
        self.colliders.clone_from(&from.colliders);
        self.shapeless.clone_from(&from.shapeless);
        self.remembered.clone_from(&from.remembered);
        self.meetings.clone_from(&from.meetings);
    }
}

impl Stage {
    pub fn keep(&self, kept: &mut Kept) {
        kept.colliders.clone_from(&self.colliders);
        kept.shapeless.clear();
        kept.remembered.clone_from(&self.remembered);
        kept.meetings.clone_from(&self.meetings.known);
    }

    /// Go back. A collider without a shape has the one that goes by its name here, and is left out where there is none.
    pub fn restore(&mut self, kept: &Kept) {
        // What a file does not hold is looked up before it is overwritten.
        let found: Vec<Option<SharedShape>> = (kept.shapeless.iter())
            .map(|&slot| {
                let here = self.colliders.get(kept.colliders.name(slot))?;
                Some(here.collider.shape.clone())
            })
            .collect();
        self.colliders.clone_from(&kept.colliders);
        for (&slot, shape) in kept.shapeless.iter().zip(found) {
            let id = self.colliders.name(slot);
            match shape {
                Some(shape) => self.colliders.set_shape(id, shape),
                None => {
                    tracing::warn!(
                        ?id,
                        "a collider of a stored snapshot is left out: nobody gave its shape"
                    );
                    self.colliders.remove(id);
                }
            }
        }
        self.remembered.clone_from(&kept.remembered);
        self.meetings.known.clone_from(&kept.meetings);
        self.count = 0; // The groups are of another time.
        self.changed = true;
    }
}

impl Colliders {
    fn set_shape(&mut self, id: ColliderId, shape: SharedShape) {
        if let Some(placed) = self.get_mut(id) {
            placed.extent = extent(&*shape.0);
            placed.collider.shape = shape;
        }
    }
}

impl Snapshot {
    /// The colliders whose shapes are not known, since the snapshot comes from a file.
    pub fn shapeless(&self) -> impl Iterator<Item = ColliderId> + '_ {
        (self.contact.shapeless.iter()).map(|&slot| self.contact.colliders.name(slot))
    }

    /// Give a collider of a stored snapshot its shape, the same as before: with another, rods go on in another way.
    pub fn set_shape(&mut self, id: ColliderId, shape: SharedShape) -> Result<(), ColliderError> {
        check(&*shape.0).map_err(|reason| ColliderError::Shape { reason })?;
        let colliders = &mut self.contact.colliders;
        colliders.get(id).ok_or(ColliderError::None)?;
        colliders.set_shape(id, shape);
        self.contact.shapeless.retain(|&slot| slot != id.index);
        Ok(())
    }
}
