//! A world as it is at one moment, to go back to: bit for bit, names and events included.
//!
//! A snapshot clones whole blocks into the memory of the one before, so that a rollback that takes one every frame allocates nothing once it has
//! seen the world. What a snapshot holds is spelled out field by field, and the compiler complains about a field that is not.

use super::{
    block::Block,
    event::Event,
    world::{Open, RodWorld, Slot},
};
use crate::{contact, coupling::Kept, solver::Settings};

/// The state of a [`RodWorld`] at one moment, to go back to or to store.
///
/// Everything that decides how rods go on is in it: rods and their names, colliders, what touches, time, settings, and events not yet drained. The number of
/// threads is not: a world that is restored keeps its own, since it belongs to the machine and changes no result. A wind field is code, and stays as well.
///
/// Stored with `serde` it says what it is and which version, carries a checksum, and is checked when it is read: damaged or foreign input is an error
/// ([`SnapshotError`](crate::io::SnapshotError)), never a panic. All of the state is stored as whole numbers (the bits), but descriptions and settings are not: a text format must read `f64` exactly
/// (`serde_json` does with its feature `float_roundtrip`, RON always), or the checksum refuses.
///
/// Shapes of colliders are kept in memory and not stored: they belong to the host's level, which brings them anyway. A world that restores a stored snapshot uses the shapes that its own colliders of
/// the same names have, so that it is enough to add the level's colliders in the same order before; or give them with [`Snapshot::set_shape`]. A collider whose
/// shape nobody gave is left out, with a warning: [`Snapshot::shapeless`] tells before.
///
/// ```
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 16)).pin(0).build()?;
/// let mut world = RodWorld::default();
/// world.insert(rope)?;
/// let before = world.snapshot();
/// world.step(1.0 / 60.0)?;
/// let after = world.state_hash();
///
/// world.restore(&before);
/// world.step(1.0 / 60.0)?;
/// assert_eq!(world.state_hash(), after);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(crate) settings: Settings,
    pub(crate) blocks: Vec<Option<Block>>,
    pub(crate) time: f64,
    pub(crate) coupling: Kept,
    pub(crate) contact: contact::Kept,
    pub(crate) slots: Vec<Slot>,
    pub(crate) free_slots: Vec<u32>,
    pub(crate) free_blocks: Vec<u32>,
    pub(crate) open: Open,
    pub(crate) stamps: Vec<u64>,
    pub(crate) next_stamp: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) count: usize,
}

impl RodWorld {
    /// The world as it is now.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        self.snapshot_into(&mut snapshot);
        snapshot
    }

    /// The world as it is now, into the memory of an older snapshot: nothing is allocated where that one has room.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot) {
        let Self {
            settings,
            blocks,
            contact,
            workers: _,    // Threads and their memory.
            wind_field: _, // Code of the host.
            active: _,     // After a restore every block is looked at once.
            time,
            coupling,
            slots,
            free_slots,
            free_blocks,
            open,
            stamps,
            next_stamp,
            events,
            count,
        } = self;
        snapshot.settings.clone_from(settings);
        snapshot.blocks.clone_from(blocks);
        snapshot.time = *time;
        snapshot.coupling.clone_from(coupling.kept());
        contact.keep(&mut snapshot.contact);
        snapshot.slots.clone_from(slots);
        snapshot.free_slots.clone_from(free_slots);
        snapshot.free_blocks.clone_from(free_blocks);
        copy_open(open, &mut snapshot.open);
        snapshot.stamps.clone_from(stamps);
        snapshot.next_stamp = *next_stamp;
        snapshot.events.clone_from(events);
        snapshot.count = *count;
    }

    /// Go back to a snapshot, of this world or another. Handles that were good then are good again; those given since are not, and will be given again
    /// to whatever is put in next.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let Snapshot {
            settings,
            blocks,
            time,
            coupling,
            contact,
            slots,
            free_slots,
            free_blocks,
            open,
            stamps,
            next_stamp,
            events,
            count,
        } = snapshot;
        let threads = self.settings.threads;
        self.settings.clone_from(settings);
        self.settings.threads = threads;
        self.blocks.clone_from(blocks);
        self.time = *time;
        self.coupling.restore(coupling);
        self.contact.restore(contact);
        self.slots.clone_from(slots);
        self.free_slots.clone_from(free_slots);
        self.free_blocks.clone_from(free_blocks);
        copy_open(open, &mut self.open);
        self.stamps.clone_from(stamps);
        self.next_stamp = *next_stamp;
        self.events.clone_from(events);
        self.count = *count;
        self.active.clear();
        self.active.resize(self.blocks.len(), true);
        for block in self.blocks.iter().flatten() {
            self.workers.reserve(block);
        }
    }
}

impl Snapshot {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many rods it holds.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Maps drop their values when they are cloned into; these lists keep their memory.
fn copy_open(from: &Open, to: &mut Open) {
    to.retain(|kind, _| from.contains_key(kind));
    for (kind, list) in from {
        to.entry(*kind).or_default().clone_from(list);
    }
}
