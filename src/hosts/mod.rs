//! Adapters to rigid-body engines, each behind its feature. An engine of one's own needs no more than [`HostBodies`](crate::coupling::HostBodies): see
//! `examples/own_engine.rs`.

#[cfg(feature = "avian3d")]
pub mod avian3d;
#[cfg(feature = "bevy")]
pub mod bevy;
#[cfg(feature = "rapier3d")]
pub mod rapier3d;
#[cfg(any(feature = "avian3d", feature = "rapier3d"))]
mod touch;

#[cfg(any(feature = "avian3d", feature = "rapier3d"))]
pub use touch::RodTouch;

#[cfg(any(feature = "avian3d", feature = "rapier3d"))]
mod shared {
    use glam::{DMat3, DVec3};

    /// A sleeping body is woken when what rods pull it with changes its speed by more than so much in a step, m/s and rad/s: a fiftieth of what
    /// engines let fall asleep.
    pub const WAKING: f64 = 1e-3;

    /// A body that moves faster than this is kept awake, m/s and rad/s. Engines let a body that swings slowly fall asleep in the middle of its way.
    pub const STIRRING: f64 = 5e-3;

    /// An inverse inertia without the axes that are locked.
    pub fn lock(inverse: DMat3, locked: [bool; 3]) -> DMat3 {
        let free = DMat3::from_diagonal(DVec3::from_array(locked.map(|locked| if locked { 0.0 } else { 1.0 })));
        free * inverse * free
    }
}
#[cfg(any(feature = "avian3d", feature = "rapier3d"))]
use shared::{STIRRING, WAKING, lock};
