//! Stage 1: rods of new entities are put in. Rods of entities that are gone were taken out by the hooks of [`Rod`].

use std::collections::HashMap;

use bevy_ecs::prelude::*;

use super::{
    Attachment, AttachmentHandle, Rod, RodDiagnostics, RodFrozen, RodHandle, RodSpawnError, RodSpawnFailed, Rods,
    messages::tell, resources::Stopwatch,
};
use crate::{coupling::AttachmentId, state::RodId};

type Fresh = Or<(Changed<Rod>, Changed<RodHandle>)>;

/// Puts in what was spawned since the last run.
pub(super) fn spawn(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut fresh: Query<(Entity, &Rod, &mut RodHandle, Has<RodFrozen>), Fresh>,
) {
    let _watch = Stopwatch::new(&mut diagnostics.spawn);
    for (entity, rod, mut handle, frozen) in &mut fresh {
        if handle.id.is_some() {
            continue;
        }
        match put_in(rods.bypass_change_detection(), entity, rod) {
            Ok(id) => {
                handle.id = Some(id);
                if frozen {
                    commands.entity(entity).remove::<RodFrozen>();
                }
            }
            Err(error) => {
                tracing::warn!(%entity, %error, "a rod could not be put in");
                commands.queue(move |world: &mut World| tell(world, RodSpawnFailed { entity, error }));
            }
        }
    }
}

fn put_in(rods: &mut Rods, entity: Entity, rod: &Rod) -> Result<RodId, RodSpawnError> {
    let id = rods.world.insert_with(rod.source.describe()?, rod.options)?;
    rods.entities.insert(id, entity);
    Ok(id)
}

/// After [`Rods`] was put back from a clone: each handle gets the rod that its entity had then, or none. Rods whose entities are gone are taken out.
pub(super) fn rewind(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut all: Query<(Entity, &mut RodHandle, Has<RodFrozen>), With<Rod>>,
) {
    let rods = &mut *rods;
    rods.rewound = false;
    let mut then: HashMap<Entity, RodId> = rods.entities.iter().map(|(&id, &entity)| (entity, id)).collect();
    for (entity, mut handle, frozen) in &mut all {
        handle.id = then.remove(&entity);
        let now = (handle.id.and_then(|id| rods.world.rod(id))).is_some_and(|rod| rod.is_quarantined());
        match (frozen, now) {
            (true, false) => {
                commands.entity(entity).remove::<RodFrozen>();
            }
            (false, true) => {
                commands.entity(entity).insert(RodFrozen);
            }
            _ => {}
        }
    }
    for id in then.into_values() {
        rods.let_go(id);
    }
}

/// The same for attachments.
pub(super) fn rewind_ties(mut rods: ResMut<Rods>, mut all: Query<(Entity, &mut AttachmentHandle), With<Attachment>>) {
    let rods = &mut *rods;
    let mut then: HashMap<Entity, AttachmentId> = rods.ties.iter().map(|(&id, tied)| (tied.entity, id)).collect();
    for (entity, mut handle) in &mut all {
        handle.id = then.remove(&entity);
    }
    for id in then.into_values() {
        rods.untie(id);
    }
}

/// Whether [`rewind`] has something to do.
pub(super) fn was_rewound(rods: Res<Rods>) -> bool {
    rods.rewound
}
