//! Rods as components of a `bevy_ecs` world.
