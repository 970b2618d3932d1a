//! The world of rods: handles, and where each rod lives.

use std::{collections::HashMap, sync::Arc};

use glam::DQuat;
use serde::{Deserialize, Serialize};

use super::{
    block::{Block, Kind, set_vector},
    edit::RodMut,
    event::{Event, StepReport},
    insert::{InsertError, RodOptions, fits},
    readback::RodRef,
    resident::{BlockEvent, Resident},
};
use crate::{
    contact::{Home, Neighbor, Stage},
    coupling::{Coupling, HostBodies, NoBodies},
    rod::RodDescription,
    solver::{
        Settings, SettingsError, Solver,
        generalized_alpha::unsupported,
        step::{Workers, check_length, step},
        wind_field::WindSource,
    },
};

/// Names a rod in a [`RodWorld`]. A removed rod's name is never given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RodId {
    index: u32,
    generation: u32,
}

impl RodId {
    /// Its slot.
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    pub(crate) fn generation(self) -> u32 {
        self.generation
    }
}

/// All rods of a simulation.
///
/// ```
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 16)).pin(0).build()?;
/// let mut world = RodWorld::new(Settings::default())?;
/// let id = world.insert(rope)?;
/// for _ in 0..24 {
///     world.step(1.0 / 60.0)?;
/// }
/// let tip = world.rod(id).map(|rod| rod.position(16));
/// assert!(tip.is_some_and(|tip| tip.y < -0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RodWorld {
    pub(crate) settings: Settings,
    pub(crate) blocks: Vec<Option<Block>>,
    pub(crate) workers: Workers,
    pub(crate) time: f64,
    pub(crate) coupling: Coupling,
    pub(crate) contact: Stage,
    pub(crate) wind_field: Option<WindSource>,
    /// Blocks that the next step visits: those with a rod that is awake, or that was acted on.
    pub(crate) active: Vec<bool>,
    pub(super) slots: Vec<Slot>,
    pub(super) free_slots: Vec<u32>,
    pub(super) free_blocks: Vec<u32>,
    pub(super) open: Open,
    pub(super) stamps: Vec<u64>,
    pub(super) next_stamp: u64,
    pub(crate) events: Vec<Event>,
    pub(super) count: usize,
}

/// Blocks with room, of each kind; an entry is stale when the stamp differs.
pub(crate) type Open = HashMap<Kind, Vec<(u32, u64)>>;

/// A rod's name, and where it lives.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub generation: u32,
    pub place: Option<Place>,
}

/// A lane of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub block: u32,
    pub lane: u8,
}

impl RodWorld {
    /// An empty world.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.validate()?;
        let workers = Workers::new(settings.threads)?;
        Ok(Self::with(settings, workers))
    }

    fn with(settings: Settings, workers: Workers) -> Self {
        Self {
            settings,
            workers,
            blocks: Vec::new(),
            time: 0.0,
            coupling: Coupling::default(),
            contact: Stage::default(),
            wind_field: None,
            active: Vec::new(),
            slots: Vec::new(),
            free_slots: Vec::new(),
            free_blocks: Vec::new(),
            open: HashMap::new(),
            stamps: Vec::new(),
            next_stamp: 0,
            events: Vec::new(),
            count: 0,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Change the settings from the next step on. Bad ones are refused and the old ones stay.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SettingsError> {
        settings.validate()?;
        if settings.threads != self.settings.threads {
            self.workers = Workers::new(settings.threads)?;
            for block in self.blocks.iter().flatten() {
                self.workers.reserve(block);
            }
            self.coupling.reserve(&mut self.workers);
        }
        // Whatever rods rest against may have changed.
        let old = std::mem::replace(&mut self.settings, settings);
        if old.gravity != self.settings.gravity || old.wind != self.settings.wind || old.sleep != self.settings.sleep {
            self.wake_all();
        }
        if old.contact.is_some() != self.settings.contact.is_some() {
            self.wake_all();
            self.contact.switch(&mut self.events);
        }
        Ok(())
    }

    /// Put a rod in as it is described.
    pub fn insert(&mut self, rod: impl Into<Arc<RodDescription>>) -> Result<RodId, InsertError> {
        self.insert_with(rod, RodOptions::default())
    }

    /// Put a rod in, placed and moving as the options say. Costs time in proportion to the rod.
    pub fn insert_with(
        &mut self,
        rod: impl Into<Arc<RodDescription>>,
        options: RodOptions,
    ) -> Result<RodId, InsertError> {
        let rod = rod.into();
        options.validate()?;
        fits(&rod)?;
        if let Solver::GeneralizedAlpha { .. } = options.solver
            && let Some(missing) = unsupported(&rod)
        {
            return Err(missing.into());
        }
        let (solver, topology) = (options.solver, rod.topology());
        if !solver.takes(topology) {
            return Err(InsertError::Topology { solver, topology });
        }
        let kind = Kind::of(&rod, options.solver);
        let origin = rod.vertices()[0].position + options.translation;
        let rotation = options.rotation.normalize();
        let id = self.new_name();
        let mut resident = Resident::new(id.index, rod.clone(), origin);
        resident.layers = options.layers;
        resident.hair = options.hair;
        let (target, lane) = self.occupy(id, kind, resident, rotation);
        target.set_scales(lane, options.gravity_scale, options.wind_scale);
        match kind.segments {
            0 => target.drag.0.fill(options.drag),
            _ => target.drag.0[lane] = options.drag,
        }
        for v in 0..rod.vertices().len() {
            let (row, at) = target.vertex_place(lane, v);
            if target.vertices[row].free.0[at] > 0.0 {
                set_vector(&mut target.vertices[row].velocity, at, options.velocity);
            }
        }
        Ok(id)
    }

    /// A name for a rod that is put in at once.
    pub(super) fn new_name(&mut self) -> RodId {
        let index = self.free_slots.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                place: None,
            });
            (self.slots.len() - 1) as u32
        });
        self.count += 1;
        RodId {
            index,
            generation: self.slots[index as usize].generation,
        }
    }

    /// Write a rod, as it is described, into a lane of a block of its kind. Answers where.
    pub(super) fn occupy(&mut self, id: RodId, kind: Kind, resident: Resident, rotation: DQuat) -> (&mut Block, usize) {
        let block = self.open_block(kind, &resident.description);
        let Some(target) = &mut self.blocks[block as usize] else {
            unreachable!("an open block exists");
        };
        let lane = target.open_lane().unwrap_or(0);
        target.write(lane, resident, rotation);
        self.workers.reserve(target);
        if target.open_lane().is_none()
            && let Some(open) = self.open.get_mut(&kind)
        {
            open.pop(); // It was the last entry: see `open_block`.
        }
        self.slots[id.index as usize].place = Some(Place {
            block,
            lane: lane as u8,
        });
        self.active[block as usize] = true;
        if kind.alone {
            self.coupling.touch(); // Islands know blocks by their numbers.
        }
        (target, lane)
    }

    /// A block with room for the kind; it is the last entry of its `open` list.
    fn open_block(&mut self, kind: Kind, rod: &RodDescription) -> u32 {
        let open = self.open.entry(kind).or_default();
        while let Some(&(block, stamp)) = open.last() {
            if self.stamps[block as usize] == stamp {
                return block;
            }
            open.pop();
        }
        let block = Some(Block::new(kind, rod));
        let index = match self.free_blocks.pop() {
            Some(index) => {
                self.blocks[index as usize] = block;
                index
            }
            None => {
                self.blocks.push(block);
                self.active.push(true);
                self.stamps.push(0);
                (self.blocks.len() - 1) as u32
            }
        };
        self.next_stamp += 1;
        self.stamps[index as usize] = self.next_stamp;
        open.push((index, self.next_stamp));
        index
    }

    /// Take a rod out. `None` when it is not there. Costs time in proportion to the rod.
    pub fn remove(&mut self, id: RodId) -> Option<Arc<RodDescription>> {
        let place = self.place(id)?;
        let block = self.blocks[place.block as usize].as_ref()?;
        let description = block.rods[usize::from(place.lane)].as_ref()?.description.clone();
        self.wake_touching(Neighbor::Rod(id));
        self.contact.forget_rod(id.index);
        self.vacate(place);
        let slot = &mut self.slots[id.index as usize];
        slot.place = None;
        // A slot whose generations are used up is retired, so that no name comes twice.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free_slots.push(id.index);
        }
        self.count -= 1;
        Some(description)
    }

    /// Empty a lane, and drop the block if it was the last.
    pub(super) fn vacate(&mut self, place: Place) {
        let index = place.block as usize;
        let Some(block) = &mut self.blocks[index] else {
            return;
        };
        let kind = block.kind;
        if kind.alone {
            self.coupling.touch();
        }
        let was_full = block.open_lane().is_none();
        block.clear(usize::from(place.lane));
        if block.rods.iter().all(Option::is_none) {
            self.blocks[index] = None;
            self.stamps[index] = 0;
            self.free_blocks.push(place.block);
        } else if was_full {
            let open = self.open.entry(kind).or_default();
            open.push((place.block, self.stamps[index]));
        }
    }

    /// Whether the rod is there.
    pub fn contains(&self, id: RodId) -> bool {
        self.place(id).is_some()
    }

    /// How many rods there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The rods, in the order of their slots.
    pub fn ids(&self) -> impl Iterator<Item = RodId> + Clone + '_ {
        (0u32..).zip(&self.slots).filter_map(|(index, slot)| {
            slot.place?;
            Some(RodId {
                index,
                generation: slot.generation,
            })
        })
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Look at a rod.
    pub fn rod(&self, id: RodId) -> Option<RodRef<'_>> {
        let place = self.place(id)?;
        let block = self.blocks[place.block as usize].as_ref()?;
        RodRef::new(block, usize::from(place.lane), id, self.settings.gravity)
    }

    /// Act on a rod.
    pub fn rod_mut(&mut self, id: RodId) -> Option<RodMut<'_>> {
        let place = self.place(id)?;
        let block = self.blocks[place.block as usize].as_mut()?;
        self.active[place.block as usize] = true;
        RodMut::new(block, usize::from(place.lane))
    }

    /// Move everything by `dt` seconds, in `settings.substeps` substeps. There are no bodies: attachments to some are lost.
    pub fn step(&mut self, dt: f32) -> Result<StepReport, SettingsError> {
        self.step_with(dt, &mut NoBodies)
    }

    /// Move everything by `dt` seconds, together with the bodies of the host that rods are tied to; see [`HostBodies`].
    pub fn step_with(&mut self, dt: f32, host: &mut dyn HostBodies) -> Result<StepReport, SettingsError> {
        check_length(&self.settings, dt)?;
        let before = self.events.len();
        self.read_bodies(host);
        step(self, dt)?;
        self.push_bodies(host);
        let mut iterations = self.coupling.iterations();
        for (block, active) in self.blocks.iter_mut().zip(&mut self.active) {
            let Some(block) = block.as_mut().filter(|_| *active) else {
                *active = false;
                continue;
            };
            iterations = block.iterations.max(iterations);
            *active = !block.is_idle();
            for event in block.events.drain(..) {
                let name = |rod: u32| RodId {
                    index: rod,
                    generation: self.slots[rod as usize].generation,
                };
                self.events.push(match event {
                    BlockEvent::Broke { rod, segment, strain } => Event::Broke {
                        rod: name(rod),
                        segment,
                        strain,
                    },
                    BlockEvent::Quarantined { rod } => {
                        tracing::warn!(rod, "a rod went non-finite and is frozen");
                        Event::Quarantined { rod: name(rod) }
                    }
                    BlockEvent::Slept { rod } => Event::Slept { rod: name(rod) },
                    BlockEvent::Woke { rod } => Event::Woke { rod: name(rod) },
                });
            }
        }
        Ok(StepReport {
            substeps: self.settings.substeps,
            iterations,
            events: self.events.len() - before,
        })
    }

    /// What happened since the last call, oldest first.
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// A fingerprint of every position, velocity and orientation: equal for equal bits.
    pub fn state_hash(&self) -> u64 {
        self.ids()
            .filter_map(|id| self.rod(id))
            .fold(0xcbf2_9ce4_8422_2325, |hash, rod| rod.hash_into(hash))
    }

    /// Every rod with where it lives.
    pub(crate) fn homes(&self) -> impl Iterator<Item = (RodId, Home, &Block)> + Clone {
        self.ids().filter_map(|id| {
            let place = self.place(id)?;
            let home = Home {
                block: place.block,
                lane: place.lane.into(),
            };
            Some((id, home, self.blocks[place.block as usize].as_ref()?))
        })
    }

    /// How many slots there are.
    pub(crate) fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The name of the rod in a slot.
    pub(crate) fn name(&self, slot: u32) -> RodId {
        RodId {
            index: slot,
            generation: self.slots[slot as usize].generation,
        }
    }

    /// The block that a rod is in, with its number.
    pub(crate) fn block_of(&self, id: RodId) -> Option<(u32, &Block)> {
        let place = self.place(id)?;
        Some((place.block, self.blocks[place.block as usize].as_ref()?))
    }

    /// The block that a rod is in.
    pub(crate) fn block_of_mut(&mut self, id: RodId) -> Option<&mut Block> {
        let place = self.place(id)?;
        self.blocks[place.block as usize].as_mut()
    }

    pub(super) fn place(&self, id: RodId) -> Option<Place> {
        let slot = self.slots.get(id.index as usize)?;
        slot.place.filter(|_| slot.generation == id.generation)
    }
}

impl Default for RodWorld {
    fn default() -> Self {
        Self::with(Settings::default(), Workers::global())
    }
}
