//! Stage 6: what happened is told, and markers follow.

use bevy_ecs::prelude::*;

use super::{
    RodAsleep, RodBodyRefused, RodBroke, RodDiagnostics, RodFrozen, RodQuarantined, RodSlept, RodWoke, Rods,
    messages::tell, resources::Stopwatch, ties,
};
use crate::state::Event;

/// Tells what the step did. Rods without an entity have nobody to tell.
pub(super) fn deliver(world: &mut World, mut happened: Local<Vec<Event>>) {
    let mut spent = Default::default();
    {
        let _watch = Stopwatch::new(&mut spent);
        if let Some(mut rods) = world.get_resource_mut::<Rods>() {
            happened.extend(rods.bypass_change_detection().world.drain_events());
        }
        for event in happened.drain(..) {
            tell_one(world, event);
        }
        while let Some(id) =
            (world.get_resource_mut::<Rods>()).and_then(|mut rods| rods.bypass_change_detection().lost.pop())
        {
            ties::tell_lost(world, id);
        }
    }
    if let Some(mut diagnostics) = world.get_resource_mut::<RodDiagnostics>() {
        diagnostics.events = spent;
    }
}

fn tell_one(world: &mut World, event: Event) {
    let rod = match event {
        Event::AttachmentBroke { attachment, force, .. } => return ties::tell_broken(world, attachment, force),
        Event::AttachmentLost { attachment, .. } => return ties::tell_lost(world, attachment),
        Event::BodyRefused { body } => {
            if let Some(entity) = Entity::try_from_bits(body.0) {
                tell(world, RodBodyRefused { entity });
            }
            return;
        }
        Event::Broke { rod, .. }
        | Event::Quarantined { rod }
        | Event::Cut { rod, .. }
        | Event::Slept { rod }
        | Event::Woke { rod } => rod,
    };
    let Some(entity) = world.get_resource::<Rods>().and_then(|rods| rods.entity(rod)) else {
        return;
    };
    let Ok(mut marked) = world.get_entity_mut(entity) else {
        return;
    };
    match event {
        Event::Broke { segment, strain, .. } => tell(
            world,
            RodBroke {
                entity,
                segment,
                strain,
            },
        ),
        Event::Quarantined { .. } => {
            marked.insert(RodFrozen);
            tell(world, RodQuarantined { entity });
        }
        Event::Slept { .. } => {
            marked.insert(RodAsleep);
            tell(world, RodSlept { entity });
        }
        Event::Woke { .. } => {
            marked.remove::<RodAsleep>();
            tell(world, RodWoke { entity });
        }
        _ => {}
    }
}
