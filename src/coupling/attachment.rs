//! Ties between rods and bodies: what a user asks for, what it is called, and what it answers.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::host::BodyId;
use crate::{
    rod::{RodPoint, RodPointError, serde_forms::unbounded},
    solver::Unsupported,
    state::RodId,
};

/// Names an attachment in a [`RodWorld`](crate::state::RodWorld). A detached one's name is never given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AttachmentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// What the point of a rod is tied to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum TieTo {
    /// A point of a body of the host.
    Body {
        /// Which.
        body: BodyId,
        /// In the body's own frame, m.
        anchor: DVec3,
    },
    /// A place in the world, m: a nail, or the hand that drags a rope.
    Point(DVec3),
}

/// What a tie holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tie {
    /// The place alone; the rod turns freely about it.
    #[default]
    Ball,
    /// Place and direction. At an end of a rod it holds the very end, by a joint of half a segment's length, as a clamp does; elsewhere it
    /// holds the segment.
    Weld,
}

/// An attachment to be made; see [`RodWorld::attach`](crate::state::RodWorld::attach).
///
/// ```
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// # let mut world = RodWorld::default();
/// # let rope = world.insert(RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y, 8)).pin(0).build()?)?;
/// // The end of the rope to the top of a crate, until 5 kN pull at it.
/// let tie = AttachmentSpec::ball(rope, RodPoint::End, TieTo::Body { body: BodyId(7), anchor: DVec3::Y * 0.5 });
/// let id = world.attach(AttachmentSpec { break_force: 5e3, ..tie })?;
/// # assert!(world.attachment(id).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttachmentSpec {
    /// The rod.
    pub rod: RodId,
    /// Where on it.
    pub at: RodPoint,
    /// To what.
    pub to: TieTo,
    /// What it holds.
    pub kind: Tie,
    /// Of a weld: orientation of the rod's segment in the body's frame. `None` takes it as they are when they are first stepped.
    pub frame: Option<DQuat>,
    /// N/m. `None` is rigid: a hundred times as stiff as the segment that it holds.
    pub stiffness: Option<f64>,
    /// Relaxation time of a tie with a stiffness of its own, s: it damps by that many seconds of its stiffness.
    pub relaxation: f64,
    /// The most that it pulls with, N; it gives way beyond. For dragging by hand.
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub max_force: f64,
    /// It breaks above this force, N.
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub break_force: f64,
    /// A weld breaks above this torque, N·m.
    #[serde(with = "unbounded", default = "unbounded::never")]
    pub break_torque: f64,
}

impl AttachmentSpec {
    /// Stiffness of [`grab`](Self::grab), N/m: a kilogram hangs 5 mm below the hand.
    pub const GRAB_STIFFNESS: f64 = 2e3;
    /// Relaxation time of [`grab`](Self::grab), s: what is held comes to rest without much swinging.
    pub const GRAB_RELAXATION: f64 = 0.05;

    /// A rigid tie that holds the place.
    pub fn ball(rod: RodId, at: RodPoint, to: TieTo) -> Self {
        Self {
            rod,
            at,
            to,
            kind: Tie::Ball,
            frame: None,
            stiffness: None,
            relaxation: 0.0,
            max_force: f64::INFINITY,
            break_force: f64::INFINITY,
            break_torque: f64::INFINITY,
        }
    }

    /// A rigid tie that holds place and direction.
    pub fn weld(rod: RodId, at: RodPoint, to: TieTo) -> Self {
        Self {
            kind: Tie::Weld,
            ..Self::ball(rod, at, to)
        }
    }

    /// A hand that drags a point of a rod: a damped spring of 2 kN/m to a place, with no more than so much force, N.
    pub fn grab(rod: RodId, at: RodPoint, place: DVec3, max_force: f64) -> Self {
        Self {
            stiffness: Some(Self::GRAB_STIFFNESS),
            relaxation: Self::GRAB_RELAXATION,
            max_force,
            ..Self::ball(rod, at, TieTo::Point(place))
        }
    }

    pub(super) fn validate(&self) -> Result<(), AttachError> {
        let place = match self.to {
            TieTo::Body { anchor, .. } => anchor,
            TieTo::Point(place) => place,
        };
        if !place.is_finite() {
            return Err(AttachError::bad("anchor", place.to_string()));
        }
        if let Some(frame) = self.frame
            && !(frame.is_finite() && frame.length_squared() > 1e-12)
        {
            return Err(AttachError::bad("frame", frame.to_string()));
        }
        let positive = |field, value: f64| match value > 0.0 {
            true => Ok(()),
            false => Err(AttachError::bad(field, value.to_string())),
        };
        if let Some(stiffness) = self.stiffness {
            positive("stiffness", if stiffness.is_finite() { stiffness } else { -1.0 })?;
        }
        if !(self.relaxation.is_finite() && self.relaxation >= 0.0) {
            return Err(AttachError::bad("relaxation", self.relaxation.to_string()));
        }
        positive("max_force", self.max_force)?;
        positive("break_force", self.break_force)?;
        positive("break_torque", self.break_torque)
    }
}

/// Why an attachment was not made or not changed. Nothing else is touched.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AttachError {
    /// The rod is not there.
    #[error("there is no such rod")]
    NoRod,
    /// The attachment is not there, or no longer.
    #[error("there is no such attachment")]
    NoAttachment,
    /// The rod has no such point.
    #[error(transparent)]
    Point(#[from] RodPointError),
    /// The rod is frozen after it went non-finite.
    #[error("the rod is quarantined")]
    Quarantined,
    /// A number that is not usable.
    #[error("`{field}` of the attachment is not usable: {value}")]
    BadValue {
        /// Which.
        field: &'static str,
        /// What it is.
        value: String,
    },
    /// The segment is welded to that body already.
    #[error("segment {segment} is welded to that body already")]
    Welded {
        /// Which.
        segment: u32,
    },
    /// The rod's solver does not know attachments.
    #[error("generalized-α can't do that: {0}")]
    Unsupported(#[from] Unsupported),
}

impl AttachError {
    pub(super) fn bad(field: &'static str, value: String) -> Self {
        Self::BadValue { field, value }
    }
}

/// What an attachment does, as of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachmentState {
    /// The rod that it holds.
    pub rod: RodId,
    /// The segment of the rod, and where on it: from 0 at its tail to 1 at its head.
    pub segment: u32,
    /// See `segment`.
    pub along: f64,
    /// To what.
    pub to: TieTo,
    /// What it holds.
    pub kind: Tie,
    /// With which the rod pulls at the body, world, N.
    pub force: DVec3,
    /// Of a weld: with which the rod turns the body, world, N·m.
    pub torque: DVec3,
    /// From the anchor to the point of the rod, m.
    pub gap: DVec3,
    /// Of a weld: angle between where the segment points and where the body wants it, rad. At the end of a rod half a segment bends between them.
    pub angle: f64,
}
