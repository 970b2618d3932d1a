//! Colliders and contacts as a world offers them.

use glam::{DQuat, DVec3};

use super::{
    collider::{Collider, ColliderError, ColliderId, check_pose},
    meet::Neighbor,
    touch::MARK,
};
use crate::state::{RodId, RodWorld};

/// What a rod touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Touched {
    /// A rod, possibly itself, at a segment.
    Rod {
        /// Which.
        rod: RodId,
        /// Where.
        segment: u32,
    },
    /// A shape.
    Collider(ColliderId),
}

/// A place where a rod touches something, as of the last substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The rod.
    pub rod: RodId,
    /// Its segment; where a vertex touches, one that ends there.
    pub segment: u32,
    /// What it touches.
    pub other: Touched,
    /// Where, world.
    pub point: DVec3,
    /// Unit, from the rod to the other.
    pub normal: DVec3,
    /// How hard they press, N.
    pub force: f64,
    /// Friction on the rod, N.
    pub friction: DVec3,
    /// Distance of the surfaces, m; negative where they overlap.
    pub gap: f64,
}

impl RodWorld {
    /// Put in a shape for rods to touch. Contact has to be asked for: see [`Settings::contact`](crate::solver::Settings::contact).
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderId, ColliderError> {
        let on_body = collider.body.is_some();
        let id = self.contact.colliders.insert(collider)?;
        if on_body {
            self.coupling.touch();
        }
        self.wake_near(id);
        Ok(id)
    }

    /// Take a shape out. `None` when it is not there.
    pub fn remove_collider(&mut self, id: ColliderId) -> Option<Collider> {
        let gone = self.contact.colliders.remove(id)?;
        self.contact.forget_collider(id);
        if gone.body.is_some() {
            self.coupling.touch();
        }
        self.wake_touching(Neighbor::Collider(id));
        Some(gone)
    }

    /// A shape as it is. `None` when it is not there.
    pub fn collider(&self, id: ColliderId) -> Option<&Collider> {
        self.contact.colliders.get(id).map(|placed| &placed.collider)
    }

    /// Where a shape goes in the next step: it moves there evenly, pushing and dragging what it touches, and waking what sleeps in its way. What can't get out of its way holds it up: see
    /// [`Event::ColliderHeld`](crate::state::Event::ColliderHeld) and [`RodWorld::collider_pose`]. A shape on a body is put elsewhere
    /// on the body.
    pub fn move_collider(&mut self, id: ColliderId, position: DVec3, rotation: DQuat) -> Result<(), ColliderError> {
        check_pose(position, rotation)?;
        let placed = self.contact.colliders.get_mut(id).ok_or(ColliderError::None)?;
        placed.collider.position = position;
        placed.collider.rotation = rotation.normalize();
        placed.aim();
        Ok(())
    }

    /// Make a collider another one that keeps its name: from where it is it goes to where the new one is. What sleeps near it wakes.
    pub fn set_collider(&mut self, id: ColliderId, collider: Collider) -> Result<(), ColliderError> {
        let before = self.collider(id).and_then(|collider| collider.body);
        let after = collider.body;
        self.contact.colliders.replace(id, collider)?;
        if before != after {
            self.coupling.touch();
        }
        self.wake_touching(Neighbor::Collider(id));
        self.wake_near(id);
        Ok(())
    }

    /// All places where rods touched something at the end of the last step.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        let groups = &self.contact.groups[..self.contact.count];
        let touches = groups
            .iter()
            .flat_map(|group| group.touches.iter().map(move |touch| (group, touch)));
        touches.filter(|(_, touch)| touch.force > 0.0).map(|(group, touch)| {
            let [rod, element, other, part] = touch.key;
            let slid = touch.slid(&group.increments);
            // Names are those of the step: slots may have been given to others since.
            let name = |slot| self.contact.name_of(slot).unwrap_or_else(|| self.name(slot));
            Contact {
                rod: name(rod),
                segment: self.contact.segment_at(rod, element),
                other: if other & MARK == 0 {
                    Touched::Rod {
                        rod: name(other),
                        segment: part,
                    }
                } else {
                    Touched::Collider(self.contact.colliders.name(other & !MARK))
                },
                point: touch.place,
                normal: touch.normal,
                force: touch.force,
                friction: slid * touch.friction.stiffness(slid),
                gap: touch.gap,
            }
        })
    }
}
