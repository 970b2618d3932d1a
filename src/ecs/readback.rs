//! What the plugin writes back to a rod's entity: poses, and what hosts ask for beyond them.

use bevy_ecs::prelude::*;
use glam::{Quat, Vec3};

/// Where a rod is, after each step. Marked as changed only when the rod moved.
///
/// In single precision, for rendering and game logic. Far from the origin, [`RodRef::position`](crate::state::RodRef::position) has all digits.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodPose {
    /// Of the vertices, world, m.
    pub positions: Vec<Vec3>,
    /// Of the segments: `orientation * Z` points along it.
    pub orientations: Vec<Quat>,
}

/// Velocities of the vertices, m/s, after each step. Add it to rods whose velocities you read.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodVelocities(pub Vec<Vec3>);

/// Tension of the segments, N, after each step. Add it to rods whose tension you read.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodTension(pub Vec<f32>);

impl RodTension {
    /// The largest, N.
    pub fn highest(&self) -> f32 {
        self.0.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }
}

/// The pose between the last two steps, for drawing more often than stepping: [`interpolate`](super::interpolate) writes it. Add it to rods that are drawn, and set
/// [`Settings::interpolation`](crate::solver::Settings::interpolation); without that it is the last pose.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodSmoothPose {
    /// Of the vertices, world, m.
    pub positions: Vec<Vec3>,
    /// Of the segments: `orientation * Z` points along it.
    pub orientations: Vec<Quat>,
}

/// On rods that went non-finite: they are back where they were before that, and frozen. Inserting [`Rod`](super::Rod) again starts over.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodFrozen;

/// On rods that came to rest: they cost nothing until something wakes them.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodAsleep;
