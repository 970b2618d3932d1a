//! Shapes that rods touch, as components; and what is told of touching.

use std::fmt;

use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
use glam::{DQuat, DVec3};
use parry3d::shape::SharedShape;

use super::{
    RodColliderFailed, RodColliderHeld, RodColliderLost, RodDiagnostics, RodOverlapping, RodParted, RodTouched, Rods,
    messages::tell,
};
use crate::{
    contact::{Collider, ColliderId, Neighbor, Touched},
    coupling::BodyId,
    rod::DEFAULT_FRICTION,
    state::{CollisionLayers, Event, RodId},
};

/// A shape that rods touch, any of parry3d's. It is where [`RodColliderPose`] says. Contact has to be asked for: see [`Settings::contact`](crate::solver::Settings::contact).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::prelude::*;
/// use parry3d::shape::SharedShape;
///
/// fn post(mut commands: Commands) {
///     commands.spawn((RodCollider::new(SharedShape::capsule_y(0.5, 0.1)), RodColliderPose::at(DVec3::X)));
/// }
/// ```
///
/// A change takes effect in the next run. One that is refused is told by [`RodColliderFailed`], and the collider stays as it was.
#[derive(Component, Clone)]
#[component(on_remove = take_out)]
#[require(RodColliderHandle, RodColliderPose)]
pub struct RodCollider {
    /// The shape.
    pub shape: SharedShape,
    /// Coefficient of friction of its surface. Two surfaces rub with the geometric mean of theirs.
    pub friction: f64,
    /// What it may touch.
    pub layers: CollisionLayers,
}

impl RodCollider {
    /// A shape with the usual friction.
    pub fn new(shape: SharedShape) -> Self {
        Self {
            shape,
            friction: DEFAULT_FRICTION,
            layers: CollisionLayers::default(),
        }
    }

    fn placed(&self, pose: &RodColliderPose) -> Collider {
        Collider {
            shape: self.shape.clone(),
            position: pose.position,
            rotation: pose.rotation,
            body: None,
            touches_tied: false,
            friction: self.friction,
            layers: self.layers,
        }
    }
}

impl fmt::Debug for RodCollider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RodCollider")
            .field("shape", &self.shape.shape_type())
            .field("friction", &self.friction)
            .field("layers", &self.layers)
            .finish()
    }
}

/// Where a [`RodCollider`] is. One that changes is led there in the next run, evenly, and takes along what it touches.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodColliderPose {
    /// Where its origin is, m.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: DQuat,
}

impl RodColliderPose {
    /// Not turned.
    pub fn at(position: DVec3) -> Self {
        Self {
            position,
            rotation: DQuat::IDENTITY,
        }
    }
}

impl Default for RodColliderPose {
    fn default() -> Self {
        Self::at(DVec3::ZERO)
    }
}

/// Leads from the entity of a [`RodCollider`] to the collider in [`Rods`].
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub struct RodColliderHandle {
    pub(super) id: Option<ColliderId>,
}

impl RodColliderHandle {
    /// The collider, or `None` before it is put in and when it could not be.
    pub fn id(&self) -> Option<ColliderId> {
        self.id
    }
}

fn take_out(mut world: DeferredWorld, context: HookContext) {
    let handle = world.get_mut::<RodColliderHandle>(context.entity);
    if let Some(id) = handle.and_then(|mut handle| handle.id.take())
        && let Some(mut rods) = world.get_resource_mut::<Rods>()
    {
        rods.colliders.remove(&id);
        rods.world.remove_collider(id);
    }
}

type Shaped<'a> = (
    Entity,
    Ref<'a, RodCollider>,
    Ref<'a, RodColliderPose>,
    &'a mut RodColliderHandle,
);
type Changes = Or<(
    Changed<RodCollider>,
    Changed<RodColliderPose>,
    Changed<RodColliderHandle>,
)>;

/// Stage 2: colliders are put in, changed and moved.
pub(super) fn gather(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut changed: Query<Shaped, Changes>,
) {
    let start = std::time::Instant::now();
    let rods = rods.bypass_change_detection();
    for (entity, collider, pose, mut handle) in &mut changed {
        let there = handle.id.filter(|&id| rods.world.collider(id).is_some());
        let answer = match there {
            Some(id) if collider.is_changed() || handle.is_changed() => {
                rods.world.set_collider(id, collider.placed(&pose)).map(|()| id)
            }
            Some(id) => (rods.world.move_collider(id, pose.position, pose.rotation)).map(|()| id),
            None => rods.world.add_collider(collider.placed(&pose)),
        };
        match answer {
            Ok(id) => {
                handle.bypass_change_detection().id = Some(id);
                rods.colliders.insert(id, entity);
            }
            Err(error) => {
                tracing::warn!(%entity, %error, "a collider was refused");
                commands.queue(move |world: &mut World| tell(world, RodColliderFailed { entity, error }));
            }
        }
    }
    diagnostics.gather += start.elapsed();
}

/// After a rewind each handle gets the collider that its entity had then, or none. Colliders whose entities are gone are taken out.
pub(super) fn rewind(mut rods: ResMut<Rods>, mut all: Query<(Entity, &mut RodColliderHandle), With<RodCollider>>) {
    let rods = &mut *rods;
    let mut then: Vec<(ColliderId, Entity)> = rods.colliders.iter().map(|(&id, &entity)| (id, entity)).collect();
    for (entity, mut handle) in &mut all {
        let at = then.iter().position(|&(_, owner)| owner == entity);
        handle.id = at.map(|at| then.swap_remove(at).0);
    }
    // In the order of their names, so that slots become free in the same order every time.
    then.sort_unstable();
    for (id, _) in then {
        rods.colliders.remove(&id);
        rods.world.remove_collider(id);
    }
}

impl Rods {
    /// The entity that a collider belongs to. `None` for one that was put in without one.
    pub fn collider_entity(&self, collider: ColliderId) -> Option<Entity> {
        self.colliders.get(&collider).copied()
    }

    /// The entity of what a rod meets.
    fn neighbor_entity(&self, neighbor: Neighbor) -> Option<Entity> {
        match neighbor {
            Neighbor::Rod(rod) => self.entity(rod),
            Neighbor::Collider(collider) => self.collider_entity(collider),
        }
    }
}

/// Tells that the body of a collider is gone.
pub(super) fn tell_lost(world: &mut World, collider: ColliderId, body: BodyId) {
    let entity = world
        .get_resource_mut::<Rods>()
        .and_then(|mut rods| rods.bypass_change_detection().colliders.remove(&collider));
    if let Some(entity) = entity {
        let body = Entity::try_from_bits(body.0);
        tell(world, RodColliderLost { entity, body });
    }
}

/// Tells that rods hold up a collider.
pub(super) fn tell_held(world: &mut World, collider: ColliderId) {
    let entity = (world.get_resource::<Rods>()).and_then(|rods| rods.collider_entity(collider));
    if let Some(entity) = entity {
        tell(world, RodColliderHeld { entity });
    }
}

/// Tells of touching: of two rods, both.
pub(super) fn tell_meeting(world: &mut World, event: Event) {
    let Some(rods) = world.get_resource::<Rods>() else {
        return;
    };
    let sides = |rod: RodId, other: Neighbor| {
        let back = match other {
            Neighbor::Rod(other) => rods.entity(other).map(|entity| (entity, Neighbor::Rod(rod))),
            Neighbor::Collider(_) => None,
        };
        [rods.entity(rod).map(|entity| (entity, other)), back].map(|side| {
            let (entity, other) = side?;
            Some((entity, rods.neighbor_entity(other), other))
        })
    };
    match event {
        Event::Touched {
            rod,
            segment,
            other: touched,
            point,
            normal,
            impulse,
        } => {
            let [first, second] = sides(rod, touched.into());
            let back = match touched {
                Touched::Rod { segment: at, .. } => (at, Touched::Rod { rod, segment }, -normal),
                Touched::Collider(_) => (segment, touched, -normal),
            };
            for (side, (segment, touched, normal)) in [(first, (segment, touched, normal)), (second, back)] {
                if let Some((entity, other, _)) = side {
                    let message = RodTouched {
                        entity,
                        segment,
                        other,
                        touched,
                        point,
                        normal,
                        impulse,
                    };
                    tell(world, message);
                }
            }
        }
        Event::Parted { rod, other } => {
            for (entity, other, neighbor) in sides(rod, other).into_iter().flatten() {
                let message = RodParted {
                    entity,
                    other,
                    neighbor,
                };
                tell(world, message);
            }
        }
        Event::Overlapping { rod, other } => {
            for (entity, other, neighbor) in sides(rod, other).into_iter().flatten() {
                let message = RodOverlapping {
                    entity,
                    other,
                    neighbor,
                };
                tell(world, message);
            }
        }
        _ => {}
    }
}
