//! What a host can do to a world, as data: for recordings, and for whoever sends it over a wire.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::shared;
use crate::{
    contact::{ColliderError, ColliderId},
    coupling::{AttachError, AttachmentId, AttachmentSpec},
    rod::{BreakLimit, Material, RodDescription, RodPoint, Stiffness, Yield},
    solver::{Settings, SettingsError},
    state::{
        ChangeError, CollisionLayers, Cut, CutError, HairCollision, InsertError, ReelError, Reeled, RodAccessError,
        RodEnd, RodId, RodMut, RodOptions, RodWorld,
    },
};

/// One thing that a host does to a [`RodWorld`] between steps.
///
/// To add a collider is none: shapes can't be stored. A recording has those that were there when it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Command {
    /// [`RodWorld::insert_with`].
    Insert {
        /// What it is.
        #[serde(with = "shared")]
        description: Arc<RodDescription>,
        /// How it is put in.
        options: RodOptions,
    },
    /// [`RodWorld::remove`].
    Remove {
        /// Which.
        rod: RodId,
    },
    /// [`RodWorld::set_settings`].
    SetSettings(Settings),
    /// [`RodWorld::wake_all`].
    WakeAll,
    /// [`RodWorld::cut`].
    Cut {
        /// Which.
        rod: RodId,
        /// Where.
        at: RodPoint,
    },
    /// [`RodWorld::reel`].
    Reel {
        /// Which.
        rod: RodId,
        /// At which end.
        end: RodEnd,
        /// How much, m.
        by: f64,
    },
    /// Something that the rod is from now on.
    Change {
        /// Of which rod.
        rod: RodId,
        /// What.
        change: Change,
    },
    /// [`RodWorld::attach`].
    Attach(AttachmentSpec),
    /// [`RodWorld::detach`].
    Detach {
        /// Which.
        attachment: AttachmentId,
    },
    /// [`RodWorld::move_attachment`].
    MoveAttachment {
        /// Which.
        attachment: AttachmentId,
        /// Where to.
        place: DVec3,
    },
    /// [`RodWorld::move_collider`].
    MoveCollider {
        /// Which.
        collider: ColliderId,
        /// Where its origin goes, m.
        position: DVec3,
        /// How it is turned then.
        rotation: DQuat,
    },
    /// [`RodWorld::remove_collider`].
    RemoveCollider {
        /// Which.
        collider: ColliderId,
    },
    /// A call of [`RodMut`].
    Edit {
        /// Of which rod.
        rod: RodId,
        /// Which call.
        edit: Edit,
    },
}

/// A call of [`RodMut`], named and with arguments as there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "every variant is the method of the same name, its fields the arguments"
)]
pub enum Edit {
    Pin {
        vertex: usize,
    },
    Unpin {
        vertex: usize,
    },
    SetTarget {
        vertex: usize,
        place: DVec3,
    },
    SetClamp {
        clamp: usize,
        frame: DQuat,
    },
    ReleaseClamp {
        clamp: usize,
    },
    HoldSegment {
        segment: usize,
    },
    ReleaseSegment {
        segment: usize,
    },
    SetOrientation {
        segment: usize,
        orientation: Quat,
    },
    SetPosition {
        vertex: usize,
        place: DVec3,
    },
    SetVelocity {
        vertex: usize,
        velocity: Vec3,
    },
    Translate {
        by: DVec3,
    },
    Teleport {
        translation: DVec3,
        rotation: DQuat,
        about: DVec3,
    },
    SetForce {
        vertex: usize,
        force: Vec3,
    },
    SetTorque {
        segment: usize,
        torque: Vec3,
    },
    SetDrag {
        drag: f32,
    },
    SetGravityScale {
        scale: f32,
    },
    SetWindScale {
        scale: f32,
    },
    SetLayers {
        layers: CollisionLayers,
    },
    SetHairCollision {
        hair: HairCollision,
    },
    ClearLoads,
    BreakSegment {
        segment: usize,
    },
    Wake,
    Sleep,
    SetSleepAllowed {
        allowed: bool,
    },
}

/// What a command did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Done {
    /// It put in a rod of this name.
    Inserted(RodId),
    /// It cut a rod.
    Cut(Cut),
    /// It reeled.
    Reeled(Reeled),
    /// It made an attachment of this name.
    Attached(AttachmentId),
    /// It changed what it was told to.
    Changed,
}

/// Why a command was not carried out. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CommandError {
    /// The rod was not put in.
    #[error(transparent)]
    Insert(#[from] InsertError),
    /// The settings were refused.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The rod was left as it was.
    #[error(transparent)]
    Rod(#[from] RodAccessError),
    /// The rod was not cut.
    #[error(transparent)]
    Cut(#[from] CutError),
    /// Nothing was reeled.
    #[error(transparent)]
    Reel(#[from] ReelError),
    /// The rod is what it was.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The attachment was not made or not moved.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// The collider was not moved or not taken out.
    #[error(transparent)]
    Collider(#[from] ColliderError),
    /// There is no such rod.
    #[error("there is no rod {rod:?}")]
    NoSuchRod {
        /// Which.
        rod: RodId,
    },
}

impl Command {
    /// Carry it out.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::{io::{Command, Done, Edit}, prelude::*};
    ///
    /// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8)).pin(0).build()?;
    /// let mut world = RodWorld::default();
    /// let put = Command::Insert { description: rope.into(), options: RodOptions::default() };
    /// let Done::Inserted(rod) = put.apply(&mut world)? else { return Err("nothing was put in".into()) };
    /// Command::Edit { rod, edit: Edit::Pin { vertex: 8 } }.apply(&mut world)?;
    /// assert!(world.rod(rod).is_some_and(|rod| rod.is_pinned(8)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&self, world: &mut RodWorld) -> Result<Done, CommandError> {
        Ok(match self {
            Self::Insert { description, options } => Done::Inserted(world.insert_with(description.clone(), *options)?),
            Self::Remove { rod } => {
                world.remove(*rod).ok_or(CommandError::NoSuchRod { rod: *rod })?;
                Done::Changed
            }
            Self::SetSettings(settings) => {
                world.set_settings(settings.clone())?;
                Done::Changed
            }
            Self::WakeAll => {
                world.wake_all();
                Done::Changed
            }
            Self::Cut { rod, at } => Done::Cut(world.cut(*rod, *at)?),
            Self::Reel { rod, end, by } => Done::Reeled(world.reel(*rod, *end, *by)?),
            Self::Change { rod, change } => {
                change.apply(*rod, world)?;
                Done::Changed
            }
            Self::Attach(spec) => Done::Attached(world.attach(*spec)?),
            Self::Detach { attachment } => {
                world.detach(*attachment).ok_or(AttachError::NoAttachment)?;
                Done::Changed
            }
            Self::MoveAttachment { attachment, place } => {
                world.move_attachment(*attachment, *place)?;
                Done::Changed
            }
            Self::MoveCollider {
                collider,
                position,
                rotation,
            } => {
                world.move_collider(*collider, *position, *rotation)?;
                Done::Changed
            }
            Self::RemoveCollider { collider } => {
                world.remove_collider(*collider).ok_or(ColliderError::None)?;
                Done::Changed
            }
            Self::Edit { rod, edit } => {
                let mut target = world.rod_mut(*rod).ok_or(CommandError::NoSuchRod { rod: *rod })?;
                edit.apply(&mut target)?;
                Done::Changed
            }
        })
    }
}

/// What a rod is from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Change {
    /// [`RodWorld::set_material`].
    Material(Material),
    /// [`RodWorld::set_stiffness`].
    Stiffness(Stiffness),
    /// [`RodWorld::set_radius`], m.
    Radius(f64),
    /// [`RodWorld::set_friction`].
    Friction(f64),
    /// [`RodWorld::set_break_at`].
    BreakAt(BreakLimit),
    /// [`RodWorld::set_yield`].
    Yield(Yield),
    /// [`RodWorld::set_load`].
    Load {
        /// Which.
        vertex: u32,
        /// kg.
        load: f64,
    },
}

impl Change {
    /// Make the call.
    pub fn apply(&self, rod: RodId, world: &mut RodWorld) -> Result<(), ChangeError> {
        match self {
            Self::Material(material) => world.set_material(rod, material),
            Self::Stiffness(stiffness) => world.set_stiffness(rod, *stiffness),
            Self::Radius(radius) => world.set_radius(rod, *radius),
            Self::Friction(friction) => world.set_friction(rod, *friction),
            Self::BreakAt(limit) => world.set_break_at(rod, *limit),
            Self::Yield(limit) => world.set_yield(rod, *limit),
            Self::Load { vertex, load } => world.set_load(rod, *vertex, *load),
        }
    }
}

impl Edit {
    /// Make the call.
    pub fn apply(&self, rod: &mut RodMut<'_>) -> Result<(), RodAccessError> {
        match *self {
            Self::Pin { vertex } => rod.pin(vertex),
            Self::Unpin { vertex } => rod.unpin(vertex),
            Self::SetTarget { vertex, place } => rod.set_target(vertex, place),
            Self::SetClamp { clamp, frame } => rod.set_clamp(clamp, frame),
            Self::ReleaseClamp { clamp } => rod.release_clamp(clamp),
            Self::HoldSegment { segment } => rod.hold_segment(segment),
            Self::ReleaseSegment { segment } => rod.release_segment(segment),
            Self::SetOrientation { segment, orientation } => rod.set_orientation(segment, orientation),
            Self::SetPosition { vertex, place } => rod.set_position(vertex, place),
            Self::SetVelocity { vertex, velocity } => rod.set_velocity(vertex, velocity),
            Self::Translate { by } => rod.translate(by),
            Self::Teleport {
                translation,
                rotation,
                about,
            } => rod.teleport(translation, rotation, about),
            Self::SetForce { vertex, force } => rod.set_force(vertex, force),
            Self::SetTorque { segment, torque } => rod.set_torque(segment, torque),
            Self::SetDrag { drag } => rod.set_drag(drag),
            Self::SetGravityScale { scale } => rod.set_gravity_scale(scale),
            Self::SetWindScale { scale } => rod.set_wind_scale(scale),
            Self::SetLayers { layers } => rod.set_layers(layers),
            Self::SetHairCollision { hair } => rod.set_hair_collision(hair),
            Self::ClearLoads => rod.clear_loads(|_| false, |_| false),
            Self::BreakSegment { segment } => rod.break_segment(segment),
            Self::Wake => {
                rod.wake();
                Ok(())
            }
            Self::Sleep => rod.sleep(),
            Self::SetSleepAllowed { allowed } => rod.set_sleep_allowed(allowed),
        }
    }
}
