//! Stage 1: rods of new entities are put in. Rods of entities that are gone were taken out by the hooks of [`Rod`].

use bevy_ecs::prelude::*;

use super::{
    Rod, RodAsleep, RodDiagnostics, RodFrozen, RodHandle, RodSpawnError, RodSpawnFailed, Rods, messages::tell,
    resources::Stopwatch,
};
use crate::state::RodId;

type Spawned<'a> = (Entity, &'a Rod, &'a mut RodHandle, Has<RodFrozen>, Has<RodAsleep>);
type Fresh = Or<(Changed<Rod>, Changed<RodHandle>)>;

/// Puts in what was spawned since the last run.
pub(super) fn spawn(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut fresh: Query<Spawned, Fresh>,
) {
    let _watch = Stopwatch::new(&mut diagnostics.spawn);
    for (entity, rod, mut handle, frozen, asleep) in &mut fresh {
        if handle.id.is_some() {
            continue;
        }
        match put_in(rods.bypass_change_detection(), entity, rod) {
            Ok(id) => {
                handle.id = Some(id);
                if frozen || asleep {
                    commands.entity(entity).remove::<(RodFrozen, RodAsleep)>();
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
