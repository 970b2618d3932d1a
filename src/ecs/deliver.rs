//! Stage 6: what happened is told, and markers follow.

use bevy_ecs::prelude::*;

use super::{
    Rod, RodAsleep, RodBodyRefused, RodBroke, RodCrowded, RodCut, RodDiagnostics, RodFrozen, RodHandle, RodPose,
    RodQuarantined, RodSlept, RodTension, RodVelocities, RodWoke, Rods, colliders, messages::tell,
    resources::Stopwatch, ties,
};
use crate::state::{Event, RodId};

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
        Event::ColliderLost { collider, body } => return colliders::tell_lost(world, collider, body),
        Event::ColliderHeld { collider } => return colliders::tell_held(world, collider),
        Event::BodyRefused { body } => {
            if let Some(entity) = Entity::try_from_bits(body.0) {
                tell(world, RodBodyRefused { entity });
            }
            return;
        }
        Event::Broke { rod, .. }
        | Event::Quarantined { rod }
        | Event::Cut { rod, .. }
        | Event::Crowded { rod, .. }
        | Event::Slept { rod }
        | Event::Woke { rod } => rod,
        Event::Touched { .. } | Event::Parted { .. } | Event::Overlapping { .. } => {
            return colliders::tell_meeting(world, event);
        }
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
        Event::Crowded { left_out, .. } => tell(world, RodCrowded { entity, left_out }),
        Event::Slept { .. } => {
            marked.insert(RodAsleep);
            tell(world, RodSlept { entity });
        }
        Event::Woke { .. } => {
            marked.remove::<RodAsleep>();
            tell(world, RodWoke { entity });
        }
        Event::Cut { piece, .. } => {
            let piece = piece.and_then(|piece| adopt(world, entity, piece));
            tell(world, RodCut { entity, piece });
        }
        _ => {}
    }
}

/// An entity for what was cut off another's rod.
fn adopt(world: &mut World, from: Entity, piece: RodId) -> Option<Entity> {
    let rods = world.get_resource::<Rods>()?;
    let rod = rods.rod(piece)?;
    let mut pose = RodPose::default();
    rod.positions_into(&mut pose.positions);
    rod.orientations_into(&mut pose.orientations);
    let mut component = Rod::new(rod.description().clone());
    component.options = world.get::<Rod>(from)?.options;
    let handle = RodHandle {
        id: Some(piece),
        ..RodHandle::default()
    };
    let (velocities, tension) = (
        world.get::<RodVelocities>(from).is_some(),
        world.get::<RodTension>(from).is_some(),
    );
    let mut spawned = world.spawn((component, handle, pose));
    if velocities {
        spawned.insert(RodVelocities::default());
    }
    if tension {
        spawned.insert(RodTension::default());
    }
    let entity = spawned.id();
    world.get_resource_mut::<Rods>()?.entities.insert(piece, entity);
    ties::follow_cut(world, piece, entity);
    Some(entity)
}
