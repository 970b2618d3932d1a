//! Rods as components of a `bevy_ecs` world.
//!
//! A rope in five lines, with nothing but `bevy_ecs`:
//!
//! ```
//! use bevy_ecs::prelude::*;
//! use glam::DVec3;
//! use lariat::prelude::*;
//!
//! let (mut world, mut schedule) = (World::new(), Schedule::default());
//! lariat::ecs::install(&mut world, &mut schedule);
//! let shape = Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32);
//! let rope = world.spawn(Rod::new(RodSpec::new(shape).material(Material::hemp_rope()).pin(0))).id();
//! schedule.run(&mut world); // Once a frame; `RodPose` has the result.
//! # for _ in 0..30 { schedule.run(&mut world); }
//! # assert!(world.get::<RodPose>(rope).is_some_and(|pose| pose.positions[32].y < -1.0));
//! ```
//!
//! # What there is
//!
//! | to | use |
//! |---|---|
//! | make a rod | [`Rod`], on any entity |
//! | see where it is | [`RodPose`], and [`RodVelocities`] and [`RodTension`] where you add them |
//! | say what lasts | [`RodMaterial`], [`RodPins`], [`RodTargets`], [`RodClamps`], [`RodForces`], [`RodDrag`], [`RodGravityScale`], [`RodWindScale`], [`RodLayers`]: a change takes effect in the next run |
//! | do something once | methods of [`Rods`], with the [`RodHandle`] of the entity |
//! | set gravity, wind, substeps | [`RodSettings`]; the length of a step is in [`RodTimestep`] |
//! | move the air | [`WindZone`], [`RodWindField`] |
//! | wind a rope up | [`RodWinch`] |
//! | draw more often than you step | [`RodSmoothPose`] and [`interpolate`] |
//! | go back in time | [`Rods::snapshot`] and [`Rods::restore`] |
//! | hear what happened | messages or observers of [`RodBroke`], [`RodQuarantined`], … |
//! | tie it to a body or a place | [`Attachment`], on an entity of its own: one line more |
//! | give it something to touch | [`RodCollider`] and [`RodColliderPose`], in the world or on a body, with [`Settings::contact`](crate::solver::Settings::contact) |
//! | bring rigid bodies | [`RodBody`], or an adapter that fills [`RodBodies`] |
//! | go between | the numbered stages of [`RodSystems`] |
//!
//! [`install`] serves any host; with the feature `bevy_app` there is a `RodPlugin`. Everything is written by straight copies and change ticks:
//! [`RodDiagnostics::overhead`] says what it costs beside the step.

mod air;
mod bodies;
mod colliders;
mod controls;
mod deliver;
mod gather;
mod messages;
#[cfg(feature = "bevy_app")]
mod plugin;
mod readback;
mod resources;
mod rod;
mod schedule;
mod snapshot;
mod spawn;
mod ties;
mod winch;
mod write_back;

pub use air::{RodWindField, WindZone};
pub use bodies::{RodBodies, RodBody, RodsAsk};
pub use colliders::{RodCollider, RodColliderHandle, RodColliderOn, RodColliderPose, RodShapes, StandsOn};
pub use controls::{
    RodClamps, RodDrag, RodForces, RodGravityScale, RodLayers, RodMaterial, RodPins, RodTargets, RodWindScale,
};
pub use messages::{
    AttachmentBroke, AttachmentFailed, AttachmentLost, RodBodyRefused, RodBroke, RodColliderFailed, RodColliderHeld,
    RodColliderLost, RodControlError, RodControlFailed, RodCrowded, RodCut, RodOverlapping, RodParted, RodQuarantined,
    RodSlept, RodSpawnError, RodSpawnFailed, RodTouched, RodWoke, WinchStalled,
};
#[cfg(feature = "bevy_app")]
pub use plugin::RodPlugin;
pub use readback::{RodAsleep, RodFrozen, RodPose, RodSmoothPose, RodTension, RodVelocities};
pub use resources::{RodDiagnostics, RodSettings, RodTimestep, Rods};
pub use rod::{Rod, RodHandle, RodSource};
#[cfg(feature = "avian3d")]
pub(crate) use schedule::SettingsByDefault;
pub use schedule::{RodSystems, install, install_without};
pub use snapshot::RodsSnapshot;
pub use ties::{AttachTo, Attachment, AttachmentHandle, AttachmentLoad, RodTies, TiedTo};
pub use winch::RodWinch;
pub use write_back::interpolate;
