//! A rod's own book-keeping beside its rows: who it is, where its origin lies, what acts on it.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::{
    hair::HairCollision,
    in_place::clone_in_place,
    layers::CollisionLayers,
    sleep::{Sleep, size},
};
use crate::rod::RodDescription;

/// What a block keeps of the rod in a lane.
#[derive(Debug)]
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
    /// How large it is, m.
    pub size: f32,
    /// The largest radius, m.
    pub radius: f64,
    pub sleep: Sleep,
    /// How much of the world's gravity it feels.
    pub gravity_scale: f32,
    /// How much of the air's force it feels.
    pub wind_scale: f32,
    /// What it may touch.
    pub layers: CollisionLayers,
    /// How it meets others of its kind.
    pub hair: HairCollision,
}

clone_in_place!(Resident {
    index,
    description,
    origin,
    targets,
    moving,
    forces,
    broken,
    feeding,
    quarantined,
    size,
    radius,
    sleep,
    gravity_scale,
    wind_scale,
    layers,
    hair,
});

impl Resident {
    /// A rod that was just put in.
    pub fn new(index: u32, description: Arc<RodDescription>, origin: DVec3) -> Self {
        let mut resident = Self {
            index,
            size: 0.0,
            radius: 0.0,
            description,
            origin,
            targets: Vec::new(),
            moving: Vec::new(),
            forces: Vec::new(),
            broken: Vec::new(),
            feeding: Vec::new(),
            quarantined: false,
            sleep: Sleep::default(),
            gravity_scale: 1.0,
            wind_scale: 1.0,
            layers: CollisionLayers::default(),
            hair: HairCollision::default(),
        };
        resident.measure();
        resident.reserve();
        resident
    }

    /// How large the rod is that is described.
    pub fn measure(&mut self) {
        let vertices = self.description.vertices().iter();
        self.size = size(&self.description);
        self.radius = vertices.fold(0.0, |most, vertex| vertex.radius.max(most));
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum BlockEvent {
    /// A segment of the rod in a slot broke at a strain.
    Broke { rod: u32, segment: u32, strain: f32 },
    /// The rod in a slot went non-finite.
    Quarantined { rod: u32 },
    /// The rod in a slot fell asleep.
    Slept { rod: u32 },
    /// The rod in a slot moves again.
    Woke { rod: u32 },
}

impl BlockEvent {
    /// The slot of the rod that it happened to.
    pub fn rod(&self) -> u32 {
        match *self {
            Self::Broke { rod, .. } | Self::Quarantined { rod } | Self::Slept { rod } | Self::Woke { rod } => rod,
        }
    }
}
