//! The rods of all entities at one moment, to go back to.
//!
//! Names of rods are given anew after a world was taken back, so that they alone would lead an entity to another's rod: a snapshot also knows whose each rod was.

use std::collections::HashMap;

use bevy_ecs::prelude::*;

use super::{Attachment, AttachmentHandle, Rod, RodAsleep, RodFrozen, RodHandle, Rods, ties::Tied};
use crate::{
    contact::ColliderId,
    coupling::AttachmentId,
    state::{RodId, Snapshot},
};

/// [`Rods`] at one moment: a [`Snapshot`], and which entities rods, attachments and colliders belonged to.
///
/// [`Rods::restore`] rewinds every rod to the bit. Entities decide which rods there are: those spawned in between are put in afresh, those despawned
/// stay away. Components are not part of it; a host that rewinds them too inserts them as they were.
#[derive(Clone, Debug, Default)]
pub struct RodsSnapshot {
    world: Snapshot,
    entities: HashMap<RodId, Entity>,
    ties: HashMap<AttachmentId, Tied>,
    colliders: HashMap<ColliderId, Entity>,
}

impl RodsSnapshot {
    /// A snapshot that was stored without its entities, and the entities that rods and attachments belong to now: for saved games. The entities have their
    /// [`Rod`] and [`Attachment`] components already.
    pub fn new(
        world: Snapshot,
        rods: impl IntoIterator<Item = (RodId, Entity)>,
        attachments: impl IntoIterator<Item = (AttachmentId, Entity)>,
    ) -> Self {
        let tied = |(id, entity)| {
            let applied = None;
            (id, Tied { entity, applied })
        };
        Self {
            world,
            entities: rods.into_iter().collect(),
            ties: attachments.into_iter().map(tied).collect(),
            colliders: HashMap::new(),
        }
    }

    /// The entities that colliders of a stored snapshot belong to now. They have their [`RodCollider`](super::RodCollider) already.
    pub fn with_colliders(mut self, colliders: impl IntoIterator<Item = (ColliderId, Entity)>) -> Self {
        self.colliders.extend(colliders);
        self
    }

    /// What can be stored of it.
    pub fn world(&self) -> &Snapshot {
        &self.world
    }
}

impl Rods {
    /// The rods as they are now.
    pub fn snapshot(&self) -> RodsSnapshot {
        let mut snapshot = RodsSnapshot::default();
        self.snapshot_into(&mut snapshot);
        snapshot
    }

    /// The rods as they are now, into the memory of an older snapshot.
    pub fn snapshot_into(&self, snapshot: &mut RodsSnapshot) {
        self.world.snapshot_into(&mut snapshot.world);
        snapshot.entities.clone_from(&self.entities);
        snapshot.ties.clone_from(&self.ties);
        snapshot.colliders.clone_from(&self.colliders);
    }

    /// Go back to a snapshot. Handles of entities are set right in the next run of the schedule.
    pub fn restore(&mut self, snapshot: &RodsSnapshot) {
        self.world.restore(&snapshot.world);
        self.entities.clone_from(&snapshot.entities);
        self.ties.clone_from(&snapshot.ties);
        self.colliders.clone_from(&snapshot.colliders);
        self.lost.clear();
        self.rewound = true;
    }
}

/// Whether there is something to set right.
pub(super) fn was_rewound(rods: Res<Rods>) -> bool {
    rods.rewound
}

type Marked<'a> = (Entity, &'a mut RodHandle, Has<RodFrozen>, Has<RodAsleep>);

/// Each handle gets the rod that its entity had then, or none, and markers follow. Rods whose entities are gone are taken out.
pub(super) fn rewind(mut commands: Commands, mut rods: ResMut<Rods>, mut all: Query<Marked, With<Rod>>) {
    let rods = &mut *rods;
    rods.rewound = false;
    let mut then: HashMap<Entity, RodId> = rods.entities.iter().map(|(&id, &entity)| (entity, id)).collect();
    for (entity, mut handle, frozen, asleep) in &mut all {
        handle.id = then.remove(&entity);
        let rod = handle.id.and_then(|id| rods.world.rod(id));
        let mut entity = commands.entity(entity);
        match (frozen, rod.is_some_and(|rod| rod.is_quarantined())) {
            (true, false) => {
                entity.remove::<RodFrozen>();
            }
            (false, true) => {
                entity.insert(RodFrozen);
            }
            _ => {}
        }
        match (asleep, rod.is_some_and(|rod| rod.is_asleep())) {
            (true, false) => {
                entity.remove::<RodAsleep>();
            }
            (false, true) => {
                entity.insert(RodAsleep);
            }
            _ => {}
        }
    }
    for id in then.into_values() {
        rods.let_go(id);
    }
}

/// The same for attachments.
pub(super) fn rewind_ties(mut rods: ResMut<Rods>, mut all: Query<(Entity, &Attachment, &mut AttachmentHandle)>) {
    let rods = &mut *rods;
    let mut then: HashMap<Entity, AttachmentId> = rods.ties.iter().map(|(&id, tied)| (tied.entity, id)).collect();
    for (entity, attachment, mut handle) in &mut all {
        handle.id = then.remove(&entity);
        if let Some(tied) = handle.id.and_then(|id| rods.ties.get_mut(&id)) {
            tied.applied.get_or_insert(*attachment);
        }
    }
    for id in then.into_values() {
        rods.untie(id);
    }
}
