//! Which of an engine's colliders rods touch.

#[cfg(feature = "avian3d")]
use bevy_ecs::prelude::{Component, ReflectComponent};

/// Which rods touch a collider of an engine. In avian it is a component of the collider's entity; for rapier see `RapierHost::set_touch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "avian3d", derive(Component, bevy_reflect::Reflect))]
#[cfg_attr(feature = "avian3d", reflect(Component))]
pub enum RodTouch {
    /// All but those that are tied to its body: a rope may end inside the crate that it pulls.
    #[default]
    Untied,
    /// All, but for the tied segments and their neighbours.
    All,
    /// None.
    Never,
}
