//! Shapes that rods touch.

use std::fmt;

use glam::{DQuat, DVec3};
use parry3d::shape::SharedShape;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    lead::Behind,
    shape::{Pose, check, extent},
};
use crate::{coupling::BodyId, rod::DEFAULT_FRICTION, state::CollisionLayers};

/// Names a collider. A removed collider's name is never given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColliderId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// A shape that rods touch: any of parry3d's, somewhere in the world or on a body of the host.
///
/// A shape on a body goes where the body goes. One that rods can move is moved by what touches its shapes: it enters the solve of the rods with its mass and inertia, and gets
/// its impulse with [`RodWorld::step_with`](crate::state::RodWorld::step_with), as if they were tied. Contact between bodies is the host's own business.
///
/// ```
/// use glam::DVec3;
/// use lariat::{contact::Collider, prelude::*};
/// use parry3d::shape::SharedShape;
///
/// # let mut world = RodWorld::default();
/// // A dumbbell: two balls on one body.
/// for end in [-0.4, 0.4] {
///     let ball = Collider::new(SharedShape::ball(0.15)).on_body(BodyId(7)).at(DVec3::X * end);
///     world.add_collider(ball)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Collider {
    /// The shape.
    pub shape: SharedShape,
    /// Where its origin is, m: in the world, or in the own frame of the body that it stands on.
    pub position: DVec3,
    /// How it is turned, likewise.
    pub rotation: DQuat,
    /// The body of the host that it stands on.
    pub body: Option<BodyId>,
    /// Whether it touches rods that are tied to its body, too, except for the tied segments and their neighbours. Without, a rope may end inside the crate that it pulls.
    pub touches_tied: bool,
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
            body: None,
            touches_tied: false,
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

    /// Let it stand on a body of the host: position and rotation are then in the body's own frame.
    pub fn on_body(self, body: BodyId) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }

    /// Let it touch rods that are tied to its body, too.
    pub fn touching_tied(self) -> Self {
        Self {
            touches_tied: true,
            ..self
        }
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
            .field("body", &self.body)
            .field("touches_tied", &self.touches_tied)
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
    /// In the world: where it was at the end of the last step, and where it is led to in this one.
    pub from: Pose,
    pub to: Pose,
    /// Rods held it up.
    pub behind: Option<Behind>,
    /// During a step: where it is, and how far it means to come.
    pub now: Pose,
    pub end: Pose,
    /// It is somewhere: the body that it stands on is known.
    pub here: bool,
    /// Number of its body among those that rods can move, during a step.
    pub standing: Option<u32>,
    pub extent: f64,
}

impl Placed {
    /// At rest; on a body it is nowhere yet.
    pub fn new(collider: Collider) -> Self {
        let pose = Pose {
            position: collider.position,
            rotation: collider.rotation,
        };
        Self {
            from: pose,
            to: pose,
            behind: None,
            now: pose,
            end: pose,
            here: collider.body.is_none(),
            standing: None,
            extent: extent(&*collider.shape.0),
            collider,
        }
    }

    /// As its user says: in the world, or on its body.
    pub fn own(&self) -> Pose {
        Pose {
            position: self.collider.position,
            rotation: self.collider.rotation,
        }
    }

    /// A shape that stands on no body is led to where its user says.
    pub fn aim(&mut self) {
        if self.collider.body.is_none() {
            self.to = self.own();
            self.here = true;
        }
    }
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
        slot.placed = Some(Placed::new(Collider { rotation, ..collider }));
        Ok(ColliderId {
            index,
            generation: slot.generation,
        })
    }

    /// Another collider by the same name.
    pub fn replace(&mut self, id: ColliderId, collider: Collider) -> Result<(), ColliderError> {
        collider.validate()?;
        let placed = self.get_mut(id).ok_or(ColliderError::None)?;
        let collider = Collider {
            rotation: collider.rotation.normalize(),
            ..collider
        };
        // On another body it is another one.
        if placed.collider.body != collider.body {
            *placed = Placed::new(collider);
            return Ok(());
        }
        placed.extent = extent(&*collider.shape.0);
        placed.collider = collider;
        placed.aim();
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

    /// Those that are somewhere, with their slots.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Placed)> {
        (0u32..)
            .zip(&self.slots)
            .filter_map(|(index, slot)| Some((index, slot.placed.as_ref().filter(|placed| placed.here)?)))
    }

    /// The bodies that shapes stand on.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        let placed = self.slots.iter().filter_map(|slot| slot.placed.as_ref());
        placed.filter_map(|placed| placed.collider.body)
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
