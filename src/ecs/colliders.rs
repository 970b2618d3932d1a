//! Shapes that rods touch, as components; and what is told of touching.

use std::fmt;

use bevy_ecs::{entity::MapEntities, lifecycle::HookContext, prelude::*, world::DeferredWorld};
use glam::{DQuat, DVec3};
use parry3d::shape::SharedShape;

use super::{
    RodBodies, RodColliderFailed, RodColliderHeld, RodColliderLost, RodDiagnostics, RodOverlapping, RodParted,
    RodTouched, Rods, messages::tell,
};
use crate::{
    contact::{Collider, ColliderId, Neighbor, Touched},
    coupling::BodyId,
    rod::DEFAULT_FRICTION,
    state::{CollisionLayers, Event, RodId},
};

/// A shape that rods touch, any of parry3d's. It is where [`RodColliderPose`] says: in the world, or on a body. Contact has to be asked for: see
/// [`Settings::contact`](crate::solver::Settings::contact).
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
///
/// /// Goes where the body goes. What touches it moves the body.
/// fn ball(mut commands: Commands, state: BodyState) {
///     let ball = RodCollider::new(SharedShape::ball(0.2)).on_itself();
///     let ball = commands.spawn((RodBody::new(state), ball)).id();
///     let knob = RodCollider::new(SharedShape::ball(0.05)).on_body(ball);
///     commands.spawn((knob, RodColliderPose::at(DVec3::Y * 0.2)));
/// }
/// ```
///
/// A change takes effect in the next run. One that is refused is told by [`RodColliderFailed`], and the collider stays as it was. When the body is gone, that is told by
/// [`RodColliderLost`], and rods touch the collider no more.
#[derive(Component, Clone)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Clone, Debug, Component))]
#[component(on_remove = take_out)]
#[require(RodColliderHandle, RodColliderPose)]
pub struct RodCollider {
    /// The shape.
    pub shape: SharedShape,
    /// What it stands on.
    #[entities]
    pub on: RodColliderOn,
    /// Whether it touches rods that are tied to its body, too: see [`Collider::touches_tied`].
    pub touches_tied: bool,
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
            on: RodColliderOn::World,
            touches_tied: false,
            friction: DEFAULT_FRICTION,
            layers: CollisionLayers::default(),
        }
    }

    /// On a body: an entity that an adapter knows, or one with [`RodBody`](super::RodBody).
    pub fn on_body(self, body: Entity) -> Self {
        Self {
            on: RodColliderOn::Body(body),
            ..self
        }
    }

    /// On the body that its own entity is.
    pub fn on_itself(self) -> Self {
        Self {
            on: RodColliderOn::Itself,
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

    fn placed(&self, entity: Entity, pose: &RodColliderPose) -> Collider {
        Collider {
            shape: self.shape.clone(),
            position: pose.position,
            rotation: pose.rotation,
            body: self.on.body(entity).map(RodBodies::id),
            touches_tied: self.touches_tied,
            friction: self.friction,
            layers: self.layers,
        }
    }
}

impl fmt::Debug for RodCollider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RodCollider")
            .field("shape", &self.shape.shape_type())
            .field("on", &self.on)
            .field("touches_tied", &self.touches_tied)
            .field("friction", &self.friction)
            .field("layers", &self.layers)
            .finish()
    }
}

/// What a [`RodCollider`] stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RodColliderOn {
    /// Nothing: it is led by its pose alone.
    #[default]
    World,
    /// The body that its own entity is.
    Itself,
    /// The body that another entity is.
    Body(Entity),
}

impl RodColliderOn {
    /// The entity of the body, for a collider of an entity.
    pub fn body(&self, collider: Entity) -> Option<Entity> {
        match *self {
            Self::World => None,
            Self::Itself => Some(collider),
            Self::Body(body) => Some(body),
        }
    }
}

impl MapEntities for RodColliderOn {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::Body(body) = self {
            *body = mapper.get_mapped(*body);
        }
    }
}

/// Where a [`RodCollider`] is: in the world, or in the own frame of the body that it stands on. In the world, one that changes is led there in the next run, evenly, and takes along
/// what it touches.
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

/// On the entity of a [`RodCollider`]: the body that it stands on.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
#[relationship(relationship_target = RodShapes, allow_self_referential)]
pub struct StandsOn(pub Entity);

/// On a body: the entities of the [`RodCollider`]s that stand on it.
#[derive(Component, Debug)]
#[relationship_target(relationship = StandsOn)]
pub struct RodShapes(Vec<Entity>);

fn take_out(mut world: DeferredWorld, context: HookContext) {
    let handle = world.get_mut::<RodColliderHandle>(context.entity);
    if let Some(id) = handle.and_then(|mut handle| handle.id.take())
        && let Some(mut rods) = world.get_resource_mut::<Rods>()
    {
        rods.colliders.remove(&id);
        rods.world.remove_collider(id);
    }
    world.commands().entity(context.entity).try_remove::<StandsOn>();
}

type Shaped<'a> = (
    Entity,
    Ref<'a, RodCollider>,
    Ref<'a, RodColliderPose>,
    &'a mut RodColliderHandle,
    Option<&'a StandsOn>,
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
    entities: Query<()>,
) {
    let start = std::time::Instant::now();
    let rods = rods.bypass_change_detection();
    for (entity, collider, pose, mut handle, stands_on) in &mut changed {
        let body = collider.on.body(entity).filter(|&body| entities.contains(body));
        if body != stands_on.map(|on| on.0) {
            match body {
                Some(body) => commands.entity(entity).insert(StandsOn(body)),
                None => commands.entity(entity).remove::<StandsOn>(),
            };
        }
        let there = handle.id.filter(|&id| rods.world.collider(id).is_some());
        let answer = match there {
            Some(id) if collider.is_changed() || handle.is_changed() => {
                rods.world.set_collider(id, collider.placed(entity, &pose)).map(|()| id)
            }
            Some(id) => (rods.world.move_collider(id, pose.position, pose.rotation)).map(|()| id),
            None => rods.world.add_collider(collider.placed(entity, &pose)),
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
        if let Some(mut handle) = world.get_mut::<RodColliderHandle>(entity)
            && handle.id == Some(collider)
        {
            // It is not tried again before its user changes something.
            handle.bypass_change_detection().id = None;
        }
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
