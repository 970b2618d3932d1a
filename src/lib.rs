//! Ropes, cables, hair, plants, nets and yarn for games: elastic rods that bend, twist and stretch in real time.
//!
//! The [`guide`] has a chapter for each thing that a game wants: a first rope, ties to bodies, materials, contact, speed, rollback, drawing. This page is the map.
//!
//! # The tour
//!
//! 1. Say what a rod *is*, in physical units: a [`RodSpec`](rod::RodSpec) of shape, section and material, or a
//!    [`GraphBuilder`](rod::GraphBuilder) for trees, nets and bridges. Either is checked once and becomes a
//!    [`RodDescription`](rod::RodDescription) that any number of rods share.
//! 2. Put it into a [`RodWorld`](state::RodWorld), which answers a handle.
//! 3. Call [`RodWorld::step`](state::RodWorld::step) once a frame, and read positions, orientations, tension, moment and energy through
//!    [`RodRef`](state::RodRef). Pins, targets, clamps, forces and torques go through [`RodMut`](state::RodMut).
//!
//! ```
//! use glam::DVec3;
//! use lariat::prelude::*;
//!
//! let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32))
//!     .material(Material::hemp_rope())
//!     .radius(0.01)
//!     .pin(0)
//!     .build()?;
//! let mut world = RodWorld::default();
//! let id = world.insert(rope)?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! let tip = world.rod(id).map(|rod| rod.position(32));
//! # assert!(tip.is_some_and(|tip| tip.is_finite()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rooms
//!
//! | room | what it knows | start with |
//! |---|---|---|
//! | [`rod`] | what a rod is: shapes, sections, materials, graphs | [`RodSpec`](rod::RodSpec), [`Material`](rod::Material) |
//! | [`state`] | what rods do now: handles, reading, cutting, reeling, sleep, snapshots | [`RodWorld`](state::RodWorld), [`RodRef`](state::RodRef), [`RodMut`](state::RodMut), [`Event`](state::Event) |
//! | [`solver`] | how they move: five methods, steps, wind | [`Solver`](solver::Solver), [`Settings`](solver::Settings) |
//! | [`contact`] | what they touch: each other, themselves, shapes | [`ContactSettings`](contact::ContactSettings), [`Collider`](contact::Collider) |
//! | [`coupling`] | what they are tied to: bodies and places | [`AttachmentSpec`](coupling::AttachmentSpec), [`HostBodies`](coupling::HostBodies) |
//! | [`hosts`] | adapters to engines: rapier3d, avian3d, Bevy, each behind its feature | |
#![cfg_attr(
    feature = "ecs",
    doc = "| [`ecs`] | rods as components of `bevy_ecs` (feature `ecs`, on by default) | [`Rod`](ecs::Rod), [`RodPose`](ecs::RodPose), [`Rods`](ecs::Rods) |"
)]
//! | [`render`] | how they look: tube meshes and debug lines into your buffers | [`TubeMesh`](render::TubeMesh), [`draw`](render::draw) |
//! | [`io`] | how they are stored: commands, recordings, replay | [`Recorder`](io::Recorder), [`Command`](io::Command) |
//! | [`math`] | vectors and quaternions over any number type, eight lanes at a time | [`Arithmetic`](math::lanes::Arithmetic) |
//!
//! [`prelude`] has what most programs need of all of them.
//!
//! # Promises
//!
//! - Bad input is a typed error that names the field and the index; nothing is changed by it, and nothing panics.
//! - A rod that goes non-finite is rolled back, frozen and reported ([`Event::Quarantined`](state::Event)); the others do not notice.
//! - The same input gives the same bits at any number of threads, and, from the same descriptions,
//!   on every machine with [`Arithmetic::Reproducible`](math::lanes::Arithmetic); [but for](guide::determinism) contact and generalized-α, which call the platform's functions.
//! - A step allocates nothing once the rods are in.
//!
//! # The methods
//!
//! Newton's method on the whole rod ([`direct`](solver::direct), the default), Stable Cosserat Rods (Hsu, Wang, Wu and Yuksel 2025, with Hsu's viscous addendum of 2026;
//! [`stable_cosserat`](solver::stable_cosserat)), position and orientation based rods (Kugelstadt and Schömer 2016; [`xpbd`](solver::xpbd)), the Kirchhoff equations by
//! [`generalized_alpha`](solver::generalized_alpha), and discrete elastic rods ([`elastic`](solver::elastic)). [`Solver`](solver::Solver) says which is for what. `ARCHITECTURE.md` shows where everything is.

pub mod contact;
pub mod coupling;
#[cfg(feature = "ecs")]
pub mod ecs;
pub mod guide;
pub mod hosts;
pub mod io;
pub mod math;
pub mod render;
pub mod rod;
pub mod solver;
pub mod state;

/// What most programs need.
pub mod prelude {
    #[cfg(feature = "bevy_app")]
    pub use crate::ecs::RodPlugin;
    #[cfg(feature = "ecs")]
    pub use crate::ecs::{
        AttachTo, Attachment, AttachmentBroke, AttachmentFailed, AttachmentHandle, AttachmentLoad, AttachmentLost, Rod,
        RodAsleep, RodBodies, RodBody, RodBodyRefused, RodBroke, RodClamps, RodCollider, RodColliderFailed,
        RodColliderHandle, RodColliderHeld, RodColliderLost, RodColliderOn, RodColliderPose, RodControlError,
        RodControlFailed, RodCrowded, RodCut, RodDiagnostics, RodDrag, RodForces, RodFrozen, RodGravityScale,
        RodHandle, RodLayers, RodMaterial, RodOverlapping, RodParted, RodPins, RodPose, RodQuarantined, RodSettings,
        RodShapes, RodSlept, RodSmoothPose, RodSource, RodSpawnError, RodSpawnFailed, RodSystems, RodTargets,
        RodTension, RodTies, RodTimestep, RodTouched, RodVelocities, RodWinch, RodWindField, RodWindScale, RodWoke,
        Rods, RodsAsk, RodsSnapshot, StandsOn, TiedTo, WinchStalled, WindZone,
    };
    #[cfg(feature = "bevy")]
    pub use crate::hosts::bevy::{LariatPlugin, RodDebug, RodLook, RodSurface};
    pub use crate::{
        contact::{ColliderError, ColliderId, Contact, ContactSettings, HairGrid, Neighbor, Touched},
        coupling::{
            AttachError, AttachmentId, AttachmentSpec, AttachmentState, BodyId, BodyImpulse, BodyState, HostBodies,
            NoBodies, Tie, TieTo,
        },
        math::lanes::Arithmetic,
        rod::*,
        solver::{
            AirDrag, Curvature, Darboux, Integrator, Lambda, Projection, Settings, SettingsError, Solver, Wind,
            WindField,
        },
        state::{
            ChangeError, CollisionLayers, Cut, CutError, Energy, Event, HairCollision, InsertError, PlaceOnRod,
            ReelError, Reeled, RodAccessError, RodEnd, RodHit, RodId, RodMut, RodOptions, RodRef, RodWorld,
            SleepSettings, Snapshot, StepReport,
        },
    };
}

/// The programs in the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
