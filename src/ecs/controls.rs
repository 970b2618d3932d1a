//! What a host tells a rod, as components. A change takes effect in the next run of the schedule; a component that did not change costs nothing.
//!
//! Something that can't be done (a vertex that does not exist, a number that is not finite) is reported by
//! [`RodControlFailed`](super::RodControlFailed); the rest of the component still takes effect.

use bevy_ecs::prelude::*;
use glam::{DQuat, DVec3, Vec3};

use super::rod::look_again;
use crate::{rod::Material, state::CollisionLayers};

/// The pinned vertices of a rod, instead of those that are described. Removing the component brings back the described ones.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use lariat::prelude::*;
/// fn let_go(mut ropes: Query<&mut RodPins>) {
///     for mut pins in &mut ropes {
///         pins.0.clear();
///     }
/// }
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = look_again)]
pub struct RodPins(pub Vec<u32>);

/// Where pinned vertices are led to (world, m). Each change takes them there within one step; then they stay.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodTargets(pub Vec<(u32, DVec3)>);

/// How the walls that clamps hold to are turned (world): an entry for each clamp of the description, in its order. `None` leaves a clamp as it is.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct RodClamps(pub Vec<Option<DQuat>>);

/// What pushes and turns a rod, until the component is changed or removed. It replaces every force and torque set before.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = look_again)]
pub struct RodForces {
    /// On vertices, N.
    pub forces: Vec<(u32, Vec3)>,
    /// On segments, world, N·m.
    pub torques: Vec<(u32, Vec3)>,
}

/// What the rod is made of from now on, over the section that it has: see [`RodWorld::set_material`](crate::state::RodWorld::set_material). Removing the component
/// leaves the last material.
#[derive(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Clone, Debug, Component))]
pub struct RodMaterial(pub Material);

/// Linear drag, 1/s: velocity falls as `e^{−ct}`. Removing the component brings back the drag that the rod was put in with.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = look_again)]
pub struct RodDrag(pub f32);

/// How much of the world's gravity a rod feels: 1 is all of it, 0 none, below zero it rises. Removing the component brings back the scale that the rod was put in with.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = look_again)]
pub struct RodGravityScale(pub f32);

/// How much of the air's force a rod feels: 1 is all of it, 0 none. Removing the component brings back the scale that the rod was put in with.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = look_again)]
pub struct RodWindScale(pub f32);

/// What a rod may touch. Removing the component brings back the layers that the rod was put in with.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Clone, Debug, Component))]
#[component(on_remove = look_again)]
pub struct RodLayers(pub CollisionLayers);
