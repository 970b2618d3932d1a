//! Ties as entities: a point of a rod to a body, or to a place.
//!
//! What was asked for stands in [`Attachment`], what is in force in [`Rods`] beside the attachment's name. So a change is applied once, as gently as it can be,
//! and a rewound world knows what it held then.

use bevy_ecs::{entity::MapEntities, lifecycle::HookContext, prelude::*, world::DeferredWorld};
use glam::{DQuat, DVec3};

use super::{
    AttachmentBroke, AttachmentFailed, AttachmentLost, RodBodies, RodDiagnostics, RodHandle, Rods, messages::tell,
};
use crate::{
    coupling::{AttachError, AttachmentId, AttachmentSpec, Tie, TieTo},
    rod::RodPoint,
    state::RodId,
};

/// Ties a point of a rod to a body or a place. It goes onto an entity of its own, or onto any that has none yet.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// fn tie(mut commands: Commands, rope: Single<Entity, With<Rod>>, crate_: Single<Entity, With<RodBody>>) {
///     commands.spawn(Attachment::ball(*rope, RodPoint::End, *crate_).anchor(DVec3::Y * 0.5).break_force(5e3));
/// }
/// ```
///
/// A change takes effect in the next run: another anchor or place moves smoothly (dragging a rope with [`grab`](Self::grab) is that, once a frame),
/// anything else ties anew. Removing it or despawning its entity unties. When the tie breaks, or the rod or the body is gone, the component goes, and with it its
/// entity if that has nothing else.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Clone, Debug, Component))]
#[component(on_remove = untie)]
#[require(AttachmentHandle, AttachmentLoad)]
pub struct Attachment {
    /// The entity of the rod.
    #[entities]
    pub rod: Entity,
    /// Where on it.
    pub at: RodPoint,
    /// To what.
    #[entities]
    pub to: AttachTo,
    /// What it holds.
    pub kind: Tie,
    /// Of a weld: orientation of the rod's segment in the body's frame. `None` takes it as they are when they are first stepped.
    pub frame: Option<DQuat>,
    /// N/m. `None` is rigid.
    pub stiffness: Option<f64>,
    /// Relaxation time of a tie with a stiffness of its own, s.
    pub relaxation: f64,
    /// The most that it pulls with, N; it gives way beyond.
    pub max_force: f64,
    /// It breaks above this force, N.
    pub break_force: f64,
    /// A weld breaks above this torque, N·m.
    pub break_torque: f64,
}

/// What an [`Attachment`] holds to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttachTo {
    /// A point of a body: an entity that an adapter knows, or one with [`RodBody`](super::RodBody).
    Body {
        /// The entity.
        body: Entity,
        /// In the body's own frame, m.
        anchor: DVec3,
    },
    /// A place in the world, m.
    Point(DVec3),
}

impl AttachTo {
    /// The entity of the body.
    pub fn body(&self) -> Option<Entity> {
        match *self {
            Self::Body { body, .. } => Some(body),
            Self::Point(_) => None,
        }
    }

    fn place(&self) -> DVec3 {
        match *self {
            Self::Body { anchor: place, .. } | Self::Point(place) => place,
        }
    }

    fn set_place(&mut self, to: DVec3) {
        match self {
            Self::Body { anchor: place, .. } | Self::Point(place) => *place = to,
        }
    }
}

impl MapEntities for AttachTo {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::Body { body, .. } = self {
            *body = mapper.get_mapped(*body);
        }
    }
}

impl From<Entity> for AttachTo {
    fn from(body: Entity) -> Self {
        let anchor = DVec3::ZERO;
        Self::Body { body, anchor }
    }
}

impl From<DVec3> for AttachTo {
    fn from(place: DVec3) -> Self {
        Self::Point(place)
    }
}

impl Attachment {
    /// Holds the place alone; the rod turns freely about it.
    pub fn ball(rod: Entity, at: RodPoint, to: impl Into<AttachTo>) -> Self {
        Self {
            rod,
            at,
            to: to.into(),
            kind: Tie::Ball,
            frame: None,
            stiffness: None,
            relaxation: 0.0,
            max_force: f64::INFINITY,
            break_force: f64::INFINITY,
            break_torque: f64::INFINITY,
        }
    }

    /// Holds place and direction.
    pub fn weld(rod: Entity, at: RodPoint, to: impl Into<AttachTo>) -> Self {
        Self {
            kind: Tie::Weld,
            ..Self::ball(rod, at, to)
        }
    }

    /// A hand that drags a point of a rod with no more than so much force, N; see [`AttachmentSpec::grab`].
    pub fn grab(rod: Entity, at: RodPoint, place: DVec3, max_force: f64) -> Self {
        Self {
            stiffness: Some(AttachmentSpec::GRAB_STIFFNESS),
            relaxation: AttachmentSpec::GRAB_RELAXATION,
            max_force,
            ..Self::ball(rod, at, place)
        }
    }

    /// Sets where on the body, or where in the world, it holds, m.
    pub fn anchor(mut self, place: DVec3) -> Self {
        self.to.set_place(place);
        self
    }

    /// Sets the force at which it breaks, N.
    pub fn break_force(mut self, force: f64) -> Self {
        self.break_force = force;
        self
    }

    fn spec(&self, rod: RodId) -> AttachmentSpec {
        AttachmentSpec {
            rod,
            at: self.at,
            to: match self.to {
                AttachTo::Body { body, anchor } => TieTo::Body {
                    body: RodBodies::id(body),
                    anchor,
                },
                AttachTo::Point(place) => TieTo::Point(place),
            },
            kind: self.kind,
            frame: self.frame,
            stiffness: self.stiffness,
            relaxation: self.relaxation,
            max_force: self.max_force,
            break_force: self.break_force,
            break_torque: self.break_torque,
        }
    }
}

/// Leads from the entity of an [`Attachment`] to the attachment in [`Rods`].
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub struct AttachmentHandle {
    pub(super) id: Option<AttachmentId>,
}

impl AttachmentHandle {
    /// The attachment, or `None` before it is made and when it could not be.
    pub fn id(&self) -> Option<AttachmentId> {
        self.id
    }
}

/// What an [`Attachment`] did in the last step.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct AttachmentLoad {
    /// With which the rod pulls at the body, world, N.
    pub force: DVec3,
    /// Of a weld: with which the rod turns the body, world, N·m.
    pub torque: DVec3,
    /// From the anchor to the point of the rod, m.
    pub gap: DVec3,
    /// Of a weld: angle between where the segment points and where the body wants it, rad.
    pub angle: f64,
}

/// On the entity of an [`Attachment`]: the body that it holds to.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
#[relationship(relationship_target = RodTies)]
pub struct TiedTo(pub Entity);

/// On a body: the entities of the [`Attachment`]s that hold to it.
#[derive(Component, Debug)]
#[relationship_target(relationship = TiedTo)]
pub struct RodTies(Vec<Entity>);

/// What is in force of an attachment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tied {
    pub entity: Entity,
    /// What the component said. `None` until it is looked at, of a stored snapshot.
    pub applied: Option<Attachment>,
}

fn untie(mut world: DeferredWorld, context: HookContext) {
    let handle = world.get_mut::<AttachmentHandle>(context.entity);
    if let Some(id) = handle.and_then(|mut handle| handle.id.take())
        && let Some(mut rods) = world.get_resource_mut::<Rods>()
    {
        rods.untie(id);
    }
    world.commands().entity(context.entity).try_remove::<TiedTo>();
}

/// Stage 2: ties are made, moved and made anew.
pub(super) fn gather(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    handles: Query<Ref<RodHandle>>,
    mut all: Query<(Entity, Ref<Attachment>, &mut AttachmentHandle, Option<&TiedTo>)>,
    entities: Query<()>,
) {
    let start = std::time::Instant::now();
    let rods = rods.bypass_change_detection();
    for (entity, attachment, mut handle, tied_to) in &mut all {
        let rod = handles.get(attachment.rod).ok();
        let remade = rod.as_ref().is_some_and(|rod| rod.is_changed());
        if !attachment.is_changed() && !handle.is_changed() && !remade {
            continue;
        }
        let body = attachment.to.body().filter(|&body| entities.contains(body));
        if body != tied_to.map(|tied| tied.0) {
            match body {
                Some(body) => commands.entity(entity).insert(TiedTo(body)),
                None => commands.entity(entity).remove::<TiedTo>(),
            };
        }
        let answer = match rod.and_then(|rod| rod.id) {
            Some(rod) => rods.tie(handle.id, entity, rod, *attachment),
            None => Err(AttachError::NoRod),
        };
        match answer {
            Ok(id) if handle.id == Some(id) => {}
            Ok(id) => handle.id = Some(id),
            Err(error) => {
                if let Some(id) = handle.id.take() {
                    rods.untie(id);
                }
                tracing::warn!(%entity, %error, "a tie could not be made");
                commands.queue(move |world: &mut World| tell(world, AttachmentFailed { entity, error }));
            }
        }
    }
    diagnostics.gather += start.elapsed();
}

impl Rods {
    /// Make an attachment what the component says: as it is, moved, or made anew.
    fn tie(
        &mut self,
        now: Option<AttachmentId>,
        entity: Entity,
        rod: RodId,
        wanted: Attachment,
    ) -> Result<AttachmentId, AttachError> {
        if let Some(id) = now
            && (self.world.attachment(id)).is_some_and(|state| state.rod == rod)
            && let Some(applied) = self.ties.get_mut(&id).and_then(|tied| tied.applied.as_mut())
        {
            let place = wanted.to.place();
            let mut moved = *applied;
            moved.to.set_place(place);
            if moved == wanted {
                if *applied != wanted {
                    self.world.move_attachment(id, place)?;
                    *applied = wanted;
                }
                return Ok(id);
            }
        }
        if let Some(id) = now {
            self.untie(id);
        }
        let id = self.world.attach(wanted.spec(rod))?;
        let applied = Some(wanted);
        self.ties.insert(id, Tied { entity, applied });
        Ok(id)
    }

    pub(super) fn untie(&mut self, id: AttachmentId) {
        self.ties.remove(&id);
        self.world.detach(id);
    }
}

/// Stage 5: loads go to the components, and ties that are gone without a word are noted.
pub(super) fn write_back(
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut all: Query<(&AttachmentHandle, &mut AttachmentLoad)>,
) {
    let start = std::time::Instant::now();
    let rods = rods.bypass_change_detection();
    for (handle, mut load) in &mut all {
        let Some(id) = handle.id else { continue };
        let Some(state) = rods.world.attachment(id) else {
            rods.lost.push(id);
            continue;
        };
        load.set_if_neq(AttachmentLoad {
            force: state.force,
            torque: state.torque,
            gap: state.gap,
            angle: state.angle,
        });
    }
    diagnostics.write_back += start.elapsed();
}

/// Stage 6: a tie that broke.
pub(super) fn tell_broken(world: &mut World, id: AttachmentId, force: f64) {
    if let Some((entity, attachment)) = forget(world, id) {
        let (rod, body) = (attachment.rod, attachment.to.body());
        tell(
            world,
            AttachmentBroke {
                entity,
                rod,
                body,
                force,
            },
        );
        retire(world, entity);
    }
}

/// Stage 6: a tie whose body or rod is gone.
pub(super) fn tell_lost(world: &mut World, id: AttachmentId) {
    if let Some((entity, attachment)) = forget(world, id) {
        let (rod, body) = (attachment.rod, attachment.to.body());
        tell(world, AttachmentLost { entity, rod, body });
        retire(world, entity);
    }
}

/// An attachment that is no more, and what it was. `None` when its component was tied anew since.
fn forget(world: &mut World, id: AttachmentId) -> Option<(Entity, Attachment)> {
    let entity = world.get_resource_mut::<Rods>()?.ties.remove(&id)?.entity;
    let mut handle = world.get_mut::<AttachmentHandle>(entity)?;
    if handle.id != Some(id) {
        return None;
    }
    handle.id = None;
    Some((entity, *world.get::<Attachment>(entity)?))
}

/// Stage 6: what holds the piece that a cut took off a rod belongs to the piece's entity from now on.
pub(super) fn follow_cut(world: &mut World, piece: RodId, entity: Entity) {
    let Some(rods) = world.get_resource::<Rods>() else {
        return;
    };
    let moved = rods.ties.iter().filter_map(|(&id, tied)| {
        let state = rods.world.attachment(id).filter(|state| state.rod == piece)?;
        let at = RodPoint::Segment {
            segment: state.segment,
            along: state.along,
        };
        Some((id, tied.entity, at))
    });
    let moved: Vec<_> = moved.collect();
    for (id, tie, at) in moved {
        let Some(mut attachment) = world.get_mut::<Attachment>(tie) else {
            continue;
        };
        // The tie is as it should be already: nothing is to be done about this change.
        let attachment = attachment.bypass_change_detection();
        attachment.rod = entity;
        if attachment.at != RodPoint::End {
            attachment.at = at;
        }
        let applied = Some(*attachment);
        if let Some(mut rods) = world.get_resource_mut::<Rods>() {
            rods.ties.insert(id, Tied { entity: tie, applied });
        }
    }
}

/// The component goes; the entity too if nothing is left of it.
fn retire(world: &mut World, entity: Entity) {
    let Ok(mut gone) = world.get_entity_mut(entity) else {
        return;
    };
    gone.remove::<(Attachment, AttachmentHandle, AttachmentLoad, TiedTo)>();
    if !gone.is_despawned() && gone.archetype().component_count() == 0 {
        gone.despawn();
    }
}
