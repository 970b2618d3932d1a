//! Colliders and contacts as a world offers them.

use glam::{DQuat, DVec3};

use super::{
    collider::{Collider, ColliderError, ColliderId, check_pose},
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
        let id = self.contact.colliders.insert(collider)?;
        self.wake_all();
        Ok(id)
    }

    /// Take a shape out. `None` when it is not there.
    pub fn remove_collider(&mut self, id: ColliderId) -> Option<Collider> {
        let gone = self.contact.colliders.remove(id)?;
        self.wake_all();
        Some(gone)
    }

    /// A shape as it is. `None` when it is not there.
    pub fn collider(&self, id: ColliderId) -> Option<&Collider> {
        self.contact.colliders.get(id).map(|placed| &placed.collider)
    }

    /// Where a shape goes in the next step: it moves there evenly, pushing and dragging what it touches.
    pub fn move_collider(&mut self, id: ColliderId, position: DVec3, rotation: DQuat) -> Result<(), ColliderError> {
        check_pose(position, rotation)?;
        let placed = self.contact.colliders.get_mut(id).ok_or(ColliderError::None)?;
        placed.collider.position = position;
        placed.collider.rotation = rotation.normalize();
        self.wake_all();
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
            Contact {
                rod: self.name(rod),
                segment: self.segment_at(rod, element),
                other: if other & MARK == 0 {
                    Touched::Rod {
                        rod: self.name(other),
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

    /// Scratch.
    pub fn contact_report(&self) -> String {
        let g = &self.contact.groups[..self.contact.count];
        let (mut i, mut l, mut h, mut p, mut s) = (0, 0, 0, 0, 0);
        for g in g {
            i = i.max(g.report.iterations);
            l = l.max(g.report.linear);
            h = h.max(g.report.halvings);
            p += g.pairs.len();
            s += g.spots.len();
        }
        format!("groups {} newton {i} cg {l} halv {h} pairs {p} spots {s}", g.len())
    }

    /// The segment of an element of a key.
    fn segment_at(&self, rod: u32, element: u32) -> u32 {
        if element & MARK == 0 {
            return element;
        }
        let vertex = element & !MARK;
        let rod = self.rod(self.name(rod));
        let at = rod.and_then(|rod| {
            let segments = rod.description().segments();
            segments.iter().position(|s| s.tail == vertex || s.head == vertex)
        });
        at.unwrap_or(0) as u32
    }
}
