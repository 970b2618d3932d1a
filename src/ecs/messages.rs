//! What the plugin tells the host. Each is a buffered message, for systems that read them all, and an event of its entity, for observers.

use bevy_ecs::{message::Messages, prelude::*};
use glam::DVec3;
use thiserror::Error;

use crate::{
    contact::{ColliderError, Neighbor, Touched},
    coupling::AttachError,
    rod::RodError,
    state::{ChangeError, InsertError, ReelError, RodAccessError},
};

/// A segment broke under load.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RodBroke {
    /// The rod.
    pub entity: Entity,
    /// Which.
    pub segment: u32,
    /// Strain at which it gave way.
    pub strain: f32,
}

/// A rod went non-finite: it is back where it was before that, and frozen. It now has [`RodFrozen`](super::RodFrozen).
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodQuarantined {
    /// The rod.
    pub entity: Entity,
}

/// A rod came to rest. It now has [`RodAsleep`](super::RodAsleep).
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodSlept {
    /// The rod.
    pub entity: Entity,
}

/// A rod moves again.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodWoke {
    /// The rod.
    pub entity: Entity,
}

/// A rod was cut.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodCut {
    /// The rod; it keeps its start.
    pub entity: Entity,
    /// What came off, an entity of its own: it has a [`Rod`](super::Rod), and reads back what the rod does; ties go along with it, and so do pins and forces, but not
    /// the components that told them. `None` where the cut left the rod in one piece (a loop).
    pub piece: Option<Entity>,
}

/// A [`Rod`](super::Rod) could not be put in. Nothing moves for that entity until another one is inserted.
#[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
pub struct RodSpawnFailed {
    /// Whose.
    pub entity: Entity,
    /// Why.
    pub error: RodSpawnError,
}

/// Why a [`Rod`](super::Rod) was not put in.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RodSpawnError {
    /// The recipe is wrong.
    #[error(transparent)]
    Spec(#[from] RodError),
    /// The options or the magnitudes are.
    #[error(transparent)]
    Insert(#[from] InsertError),
}

/// A part of a component that controls a rod could not take effect.
#[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
pub struct RodControlFailed {
    /// The rod.
    pub entity: Entity,
    /// Name of the component.
    pub component: &'static str,
    /// Why.
    pub error: RodControlError,
}

/// Why a part of a component did not take effect.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RodControlError {
    /// There is no such element, or the number is not usable.
    #[error(transparent)]
    Access(#[from] RodAccessError),
    /// The rod can't be what it should be.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

/// A tie was pulled too hard and let go.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct AttachmentBroke {
    /// The entity of the [`Attachment`](super::Attachment), which goes after this was told.
    pub entity: Entity,
    /// The entity of the rod.
    pub rod: Entity,
    /// The entity of the body; `None` when it held to a place.
    pub body: Option<Entity>,
    /// The force that was too much, N.
    pub force: f64,
}

/// The rod or the body of a tie is gone, and with it the tie.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentLost {
    /// The entity of the [`Attachment`](super::Attachment), which goes after this was told.
    pub entity: Entity,
    /// The entity of the rod.
    pub rod: Entity,
    /// The entity of the body; `None` when it held to a place.
    pub body: Option<Entity>,
}

/// An [`Attachment`](super::Attachment) could not be made. It is tried again when it or its rod changes.
#[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
pub struct AttachmentFailed {
    /// Its entity.
    pub entity: Entity,
    /// Why.
    pub error: AttachError,
}

/// A winch can't turn. It is told once, and again when the reason changes; see [`RodWinch::stalled`](super::RodWinch).
#[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
pub struct WinchStalled {
    /// The rod.
    pub entity: Entity,
    /// Why.
    pub error: ReelError,
}

/// The numbers of a body are not finite, or no masses and rotations: until they are, rods see it where it last was, at rest.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodBodyRefused {
    /// The body.
    pub entity: Entity,
}

/// A rod began to touch another one or a shape. Of two rods both are told; a rod that touches itself tells nothing.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct RodTouched {
    /// The rod.
    pub entity: Entity,
    /// Its segment where they press hardest.
    pub segment: u32,
    /// The entity of the other rod or of the [`RodCollider`](super::RodCollider), where it has one.
    pub other: Option<Entity>,
    /// What it touches, there.
    pub touched: Touched,
    /// Where that is, world, m.
    pub point: DVec3,
    /// Unit, from the rod to the other.
    pub normal: DVec3,
    /// How hard they met: the sum over all places where they touch, in the substep in which they began, N·s.
    pub impulse: f64,
}

/// A rod does not touch another one or a shape any more. Of two rods both are told.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodParted {
    /// The rod.
    pub entity: Entity,
    /// The entity of what it touched; `None` where it has none, or is gone.
    pub other: Option<Entity>,
    /// What it touched.
    pub neighbor: Neighbor,
}

/// A rod was put so deep into another one or into a shape that they can only be pushed apart slowly. Of two rods both are told, once until they part.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodOverlapping {
    /// The rod.
    pub entity: Entity,
    /// The entity of what it is in, where it has one.
    pub other: Option<Entity>,
    /// What it is in.
    pub neighbor: Neighbor,
}

/// A [`RodCollider`](super::RodCollider) or its pose was refused: what was there before stays. It is tried again when either changes.
#[derive(Message, EntityEvent, Clone, Debug, PartialEq)]
pub struct RodColliderFailed {
    /// Whose.
    pub entity: Entity,
    /// Why.
    pub error: ColliderError,
}

/// The body that a [`RodCollider`](super::RodCollider) stood on is gone, or no adapter knows it: rods do not touch the collider any more. It is tried again when it changes.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodColliderLost {
    /// Whose.
    pub entity: Entity,
    /// The body. `None` when its name is no entity's.
    pub body: Option<Entity>,
}

/// Rods stopped a [`RodCollider`](super::RodCollider) that was led against them short of where it should be: it goes on as far and as soon as they let it. Told once until it has caught up.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodColliderHeld {
    /// Whose.
    pub entity: Entity,
}

/// So many segments were put into the same place as this rod that they can't be parted all at once: some wait, and pass through each other until then. Told once until none waits.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodCrowded {
    /// The first of the rods there.
    pub entity: Entity,
    /// How many pairs of segments wait, at least.
    pub left_out: u32,
}

/// Calls a macro with every message type.
macro_rules! for_each_message {
    ($run:ident) => {
        $run!(
            RodBroke,
            RodQuarantined,
            RodSlept,
            RodWoke,
            RodCut,
            RodSpawnFailed,
            RodControlFailed,
            AttachmentBroke,
            AttachmentLost,
            AttachmentFailed,
            RodBodyRefused,
            WinchStalled,
            RodTouched,
            RodParted,
            RodOverlapping,
            RodColliderFailed,
            RodColliderLost,
            RodColliderHeld,
            RodCrowded
        )
    };
}
#[cfg(feature = "bevy_app")]
pub(super) use for_each_message;

/// Room for the messages.
pub(super) fn init(world: &mut World) {
    macro_rules! run {
        ($($message:ident),*) => {
            $(world.init_resource::<Messages<$message>>();)*
        };
    }
    for_each_message!(run);
}

/// Forgets messages that have been there for two runs, as `bevy_app` does for its hosts.
pub(super) fn forget_old(world: &mut World) {
    macro_rules! run {
        ($($message:ident),*) => {
            $(if let Some(mut messages) = world.get_resource_mut::<Messages<$message>>() {
                messages.bypass_change_detection().update();
            })*
        };
    }
    for_each_message!(run);
}

/// Tells readers and observers.
pub(super) fn tell<M>(world: &mut World, message: M)
where
    M: Message + Clone + for<'a> Event<Trigger<'a>: Default>,
{
    world.write_message(message.clone());
    world.trigger(message);
}
