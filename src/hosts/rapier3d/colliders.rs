//! Colliders of rapier, for rods to touch.
//!
//! Rapier keeps to itself which of its colliders have changed. So all of them are looked at before a step, and compared with what rods were told: a few dozen nanoseconds each. What is the same costs
//! nothing more.

use std::{collections::HashMap, sync::Arc};

use rapier3d::prelude::{ColliderHandle, ColliderSet, InteractionGroups};

use super::{rotation, vector};
use crate::{
    contact::{Collider, ColliderError, ColliderId},
    hosts::RodTouch,
    state::{CollisionLayers, RodWorld},
};

/// Which collider of rapier is which of the rods'.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    /// By rapier's slots, so that colliders come and go in the same order every time.
    known: Vec<Option<Known>>,
    names: HashMap<ColliderId, ColliderHandle>,
    rules: HashMap<ColliderHandle, RodTouch>,
}

/// A collider, as rods were told.
#[derive(Clone, Debug)]
struct Known {
    handle: ColliderHandle,
    told: Collider,
    answer: Result<ColliderId, ColliderError>,
}

impl Shapes {
    /// Tell rods what came, changed and went.
    pub fn tell(&mut self, rods: &mut RodWorld, colliders: &ColliderSet) {
        let Self { known, names, rules } = self;
        rules.retain(|&handle, _| colliders.contains(handle));
        let rule = |handle| rules.get(&handle).copied().unwrap_or_default();
        for slot in known.iter_mut() {
            let gone = slot.take_if(|known| {
                let one = colliders.get(known.handle);
                !one.is_some_and(|one| is_touched(one, rule(known.handle)))
            });
            if let Some(Ok(id)) = gone.map(|known| known.answer) {
                names.remove(&id);
                rods.remove_collider(id);
            }
        }
        for (handle, one) in colliders.iter() {
            let rule = rule(handle);
            if !is_touched(one, rule) {
                continue;
            }
            let now = as_rods_see(one, rule);
            let slot = handle.into_raw_parts().0 as usize;
            if known.len() <= slot {
                known.resize(slot + 1, None);
            }
            match &mut known[slot] {
                Some(known) => known.update(rods, names, now),
                empty => {
                    let answer = put_in(rods, names, handle, now.clone());
                    let told = now;
                    *empty = Some(Known { handle, told, answer });
                }
            }
        }
    }

    pub fn id(&self, handle: ColliderHandle) -> Option<ColliderId> {
        let known = self.known.get(handle.into_raw_parts().0 as usize)?.as_ref()?;
        known.answer.as_ref().ok().copied().filter(|_| known.handle == handle)
    }

    pub fn handle(&self, id: ColliderId) -> Option<ColliderHandle> {
        self.names.get(&id).copied()
    }

    pub fn set_rule(&mut self, handle: ColliderHandle, rule: RodTouch) {
        self.rules.insert(handle, rule);
    }

    pub fn refused(&self) -> impl Iterator<Item = (ColliderHandle, &ColliderError)> {
        let known = self.known.iter().flatten();
        known.filter_map(|known| Some((known.handle, known.answer.as_ref().err()?)))
    }
}

impl Known {
    /// Tell rods what is not as it was.
    fn update(&mut self, rods: &mut RodWorld, names: &mut HashMap<ColliderId, ColliderHandle>, now: Collider) {
        let there = self.answer.as_ref().ok().copied();
        let there = there.filter(|&id| rods.collider(id).is_some());
        if is_same(&now, &self.told) && (there.is_some() || self.answer.is_err()) {
            return;
        }
        let told = std::mem::replace(&mut self.told, now.clone());
        let moved = Collider {
            position: now.position,
            rotation: now.rotation,
            ..told
        };
        let answer = match there {
            Some(id) if is_same(&moved, &now) => rods.move_collider(id, now.position, now.rotation).map(|()| id),
            Some(id) => rods.set_collider(id, now).map(|()| id),
            None => put_in(rods, names, self.handle, now),
        };
        if let (Err(_), Some(id)) = (&answer, there) {
            names.remove(&id);
            rods.remove_collider(id);
        }
        self.answer = answer;
    }
}

fn put_in(
    rods: &mut RodWorld,
    names: &mut HashMap<ColliderId, ColliderHandle>,
    handle: ColliderHandle,
    collider: Collider,
) -> Result<ColliderId, ColliderError> {
    let answer = rods.add_collider(collider);
    match &answer {
        Ok(id) => {
            names.insert(*id, handle);
        }
        Err(error) => tracing::warn!(?handle, %error, "a collider of rapier was refused"),
    }
    answer
}

/// Whether rods meet it at all. Those of soft bodies have another shape in every step.
fn is_touched(one: &rapier3d::prelude::Collider, rule: RodTouch) -> bool {
    rule != RodTouch::Never && one.is_enabled() && !one.is_sensor() && one.deformable_mesh_ref().is_none()
}

fn as_rods_see(one: &rapier3d::prelude::Collider, rule: RodTouch) -> Collider {
    let pose = one.position_wrt_parent().unwrap_or_else(|| one.position());
    Collider {
        shape: one.shared_shape().clone(),
        position: vector(pose.translation),
        rotation: rotation(pose.rotation),
        body: one.parent().map(Into::into),
        touches_tied: rule == RodTouch::All,
        friction: one.friction().into(),
        layers: layers(one.collision_groups(), one.solver_groups()),
    }
}

/// Two things push each other where both pairs of groups allow it.
fn layers(collision: InteractionGroups, solver: InteractionGroups) -> CollisionLayers {
    CollisionLayers {
        member_of: (collision.memberships & solver.memberships).bits(),
        collides_with: (collision.filter & solver.filter).bits(),
    }
}

/// Shapes are the same where they are one and the same: rapier makes another when it is changed.
fn is_same(a: &Collider, b: &Collider) -> bool {
    Arc::ptr_eq(&a.shape.0, &b.shape.0)
        && a.position == b.position
        && a.rotation == b.rotation
        && a.body == b.body
        && a.touches_tied == b.touches_tied
        && a.friction == b.friction
        && a.layers == b.layers
}
