//! A rod's own book-keeping beside its rows: who it is, where its origin lies, what acts on it.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use crate::rod::RodDescription;

/// What a block keeps of the rod in a lane.
#[derive(Clone, Debug)]
pub struct Resident {
    /// Slot of the rod in the world.
    pub index: u32,
    pub description: Arc<RodDescription>,
    /// Where the rod's coordinates are counted from, world.
    pub origin: DVec3,
    /// Where pinned vertices go in the next step, from the origin.
    pub targets: Vec<(u32, DVec3)>,
    /// Pinned vertices that moved in the last step and must stop unless told again.
    pub moving: Vec<(u32, DVec3)>,
    /// Outer forces, N.
    pub forces: Vec<(u32, Vec3)>,
    /// Segments that broke.
    pub broken: Vec<u32>,
    /// Segments whose rest length a winch changed: they reach the described one in the course of the next step.
    pub feeding: Vec<u32>,
    /// Went non-finite and is frozen.
    pub quarantined: bool,
}

impl Resident {
    /// A rod that was just put in.
    pub fn new(index: u32, description: Arc<RodDescription>, origin: DVec3) -> Self {
        let mut resident = Self {
            index,
            description,
            origin,
            targets: Vec::new(),
            moving: Vec::new(),
            forces: Vec::new(),
            broken: Vec::new(),
            feeding: Vec::new(),
            quarantined: false,
        };
        resident.reserve();
        resident
    }

    /// Room for everything that can come up in a step, so that a step need not allocate.
    pub fn reserve(&mut self) {
        let rod = &self.description;
        let breakable = rod.segments().iter().any(|s| s.break_strain.is_finite());
        let breaks = if breakable { rod.segments().len() } else { 0 };
        let pins = rod.pins().len();
        self.targets.reserve(pins.saturating_sub(self.targets.len()));
        self.moving.reserve(pins.saturating_sub(self.moving.len()));
        self.broken.reserve(breaks.saturating_sub(self.broken.len()));
    }
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BlockEvent {
    /// A segment of the rod in a slot broke at a strain.
    Broke { rod: u32, segment: u32, strain: f32 },
    /// The rod in a slot went non-finite.
    Quarantined { rod: u32 },
}
