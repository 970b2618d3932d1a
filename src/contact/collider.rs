//! Shapes that rods touch.

use std::fmt;

use glam::{DQuat, DVec3};
use parry3d::shape::SharedShape;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::shape::{Pose, check, extent};
use crate::{rod::DEFAULT_FRICTION, state::CollisionLayers};

/// Names a collider. A removed collider's name is never given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColliderId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// A shape that rods touch: any of parry3d's, somewhere.
#[derive(Clone)]
pub struct Collider {
    /// The shape.
    pub shape: SharedShape,
    /// Where its origin is, m.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: DQuat,
    /// Coefficient of friction of its surface. Two surfaces rub with the geometric mean of theirs.
    pub friction: f64,
    /// What it may touch.
    pub layers: CollisionLayers,
}

impl Collider {
    /// A shape at the origin.
    pub fn new(shape: SharedShape) -> Self {
        Self {
            shape,
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            friction: DEFAULT_FRICTION,
            layers: CollisionLayers::default(),
        }
    }

    /// Level ground at a height.
    pub fn ground(height: f64) -> Self {
        Self::new(SharedShape::halfspace(parry3d::math::Vector::Y)).at(DVec3::Y * height)
    }

    /// Put it somewhere.
    pub fn at(self, position: DVec3) -> Self {
        Self { position, ..self }
    }

    /// Turn it.
    pub fn turned(self, rotation: DQuat) -> Self {
        Self { rotation, ..self }
    }

    /// With a coefficient of friction.
    pub fn friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    pub(super) fn validate(&self) -> Result<(), ColliderError> {
        let bad = |field, value: String| Err(ColliderError::Bad { field, value });
        check(&*self.shape.0).map_err(|reason| ColliderError::Shape { reason })?;
        check_pose(self.position, self.rotation)?;
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return bad("friction", self.friction.to_string());
        }
        Ok(())
    }
}

pub(super) fn check_pose(position: DVec3, rotation: DQuat) -> Result<(), ColliderError> {
    let bad = |field, value: String| Err(ColliderError::Bad { field, value });
    if !(position.is_finite() && position.abs().max_element() < 1e12) {
        return bad("position", position.to_string());
    }
    let size = rotation.length_squared();
    if !size.is_finite() || size < 1e-12 {
        return bad("rotation", rotation.to_string());
    }
    Ok(())
}

impl fmt::Debug for Collider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collider")
            .field("shape", &self.shape.shape_type())
            .field("position", &self.position)
            .field("rotation", &self.rotation)
            .field("friction", &self.friction)
            .field("layers", &self.layers)
            .finish()
    }
}

/// Why a collider was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ColliderError {
    /// A number that is not finite, or makes no sense.
    #[error("`{field}` of a collider is not usable: {value}")]
    Bad {
        /// Which.
        field: &'static str,
        /// What it is.
        value: String,
    },
    /// A shape with numbers that are not finite.
    #[error("the shape of a collider is not usable: {reason}")]
    Shape {
        /// Why.
        reason: &'static str,
    },
    /// There is no collider of that name.
    #[error("there is no such collider")]
    None,
}

/// A collider that is in a world.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub collider: Collider,
    /// Where it was at the end of the last step.
    pub from: Pose,
    pub extent: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    pub generation: u32,
    pub placed: Option<Placed>,
}

/// All colliders of a world.
#[derive(Debug, Default)]
pub(crate) struct Colliders {
    pub slots: Vec<Slot>,
    pub free: Vec<u32>,
}

impl Clone for Colliders {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            free: self.free.clone(),
        }
    }

    /// Into the memory that is there.
    fn clone_from(&mut self, from: &Self) {
        self.slots.clone_from(&from.slots);
        self.free.clone_from(&from.free);
    }
}

impl Colliders {
    pub fn insert(&mut self, collider: Collider) -> Result<ColliderId, ColliderError> {
        collider.validate()?;
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let rotation = collider.rotation.normalize();
        let slot = &mut self.slots[index as usize];
        slot.placed = Some(Placed {
            from: Pose {
                position: collider.position,
                rotation,
            },
            extent: extent(&*collider.shape.0),
            collider: Collider { rotation, ..collider },
        });
        Ok(ColliderId {
            index,
            generation: slot.generation,
        })
    }

    /// Another collider by the same name.
    pub fn replace(&mut self, id: ColliderId, collider: Collider) -> Result<(), ColliderError> {
        collider.validate()?;
        let placed = self.get_mut(id).ok_or(ColliderError::None)?;
        placed.extent = extent(&*collider.shape.0);
        placed.collider = Collider {
            rotation: collider.rotation.normalize(),
            ..collider
        };
        Ok(())
    }

    pub fn remove(&mut self, id: ColliderId) -> Option<Collider> {
        let slot = self.slots.get_mut(id.index as usize)?;
        let gone = slot.placed.take_if(|_| slot.generation == id.generation)?;
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.index);
        }
        Some(gone.collider)
    }

    pub fn get(&self, id: ColliderId) -> Option<&Placed> {
        let slot = self.slots.get(id.index as usize)?;
        slot.placed.as_ref().filter(|_| slot.generation == id.generation)
    }

    pub fn get_mut(&mut self, id: ColliderId) -> Option<&mut Placed> {
        let slot = self.slots.get_mut(id.index as usize)?;
        slot.placed.as_mut().filter(|_| slot.generation == id.generation)
    }

    /// With their slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Placed)> {
        (0u32..)
            .zip(&self.slots)
            .filter_map(|(index, slot)| Some((index, slot.placed.as_ref()?)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Placed> {
        self.slots.iter_mut().filter_map(|slot| slot.placed.as_mut())
    }

    pub fn name(&self, index: u32) -> ColliderId {
        ColliderId {
            index,
            generation: self.slots[index as usize].generation,
        }
    }
}
