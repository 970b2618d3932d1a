//! Snapshots as they are stored: the bits of every row, each description once, and a checksum over all of it.
//!
//! What follows from a description (layouts, plans) is not stored but made again. What is read is checked before it becomes a snapshot: an
//! index that leads nowhere or a number that is none is an error, whoever wrote it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use super::{
    checksum::checksum,
    stored_block::{Shared, StoredBlock, Table},
    stored_contact::StoredContact,
};
use crate::{
    coupling::Kept,
    solver::{Settings, SettingsError},
    state::{
        Event, RodId, Snapshot,
        block::Block,
        world::{Open, Slot},
    },
};

/// What every stored snapshot starts with.
const FORMAT: &str = "lariat snapshot";
/// Grows with every change of what is stored.
const VERSION: u32 = 3;

/// Why a stored snapshot was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SnapshotError {
    /// Something else than a snapshot.
    #[error("this is no snapshot: it calls itself {found:?}, not {FORMAT:?}")]
    Foreign {
        /// What it calls itself.
        found: String,
    },
    /// Written by another version.
    #[error("the snapshot is of version {found}, and this is version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// Not what was written.
    #[error("the snapshot is damaged: its checksum is {found:#x}, not {expected:#x}")]
    Checksum {
        /// What was written with it.
        expected: u64,
        /// What it has now.
        found: u64,
    },
    /// Settings that no world takes.
    #[error("the snapshot's settings: {0}")]
    Settings(#[from] SettingsError),
    /// A number or list that no world has.
    #[error("`{field}` of {element} {index} is not what a world can hold")]
    Invalid {
        /// Which.
        field: &'static str,
        /// "block", "rod", "slot", "collider" or "touch".
        element: &'static str,
        /// Which one.
        index: usize,
    },
}

/// The envelope. Fields are read in this order, so that what is foreign or of another version is refused before its body is looked at.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: Format,
    version: Version,
    checksum: u64,
    body: Body,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Format;

#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
struct Version;

impl TryFrom<String> for Format {
    type Error = SnapshotError;

    fn try_from(found: String) -> Result<Self, SnapshotError> {
        match found.as_str() {
            FORMAT => Ok(Self),
            _ => Err(SnapshotError::Foreign { found }),
        }
    }
}

impl From<Format> for String {
    fn from(_: Format) -> Self {
        FORMAT.into()
    }
}

impl TryFrom<u32> for Version {
    type Error = SnapshotError;

    fn try_from(found: u32) -> Result<Self, SnapshotError> {
        match found {
            VERSION => Ok(Self),
            _ => Err(SnapshotError::Version { found }),
        }
    }
}

impl From<Version> for u32 {
    fn from(_: Version) -> Self {
        VERSION
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    settings: Settings,
    time: u64,
    descriptions: Vec<Shared>,
    blocks: Vec<Option<StoredBlock>>,
    slots: Vec<Slot>,
    free_slots: Vec<u32>,
    free_blocks: Vec<u32>,
    /// Blocks with room, in the order in which they are filled, the last one first.
    open: Vec<u32>,
    coupling: Kept,
    contact: StoredContact,
    events: Vec<Event>,
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = Body::from(self);
        let stored = Stored {
            format: Format,
            version: Version,
            checksum: checksum(&body),
            body,
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored {
            checksum: expected,
            body,
            ..
        } = Stored::deserialize(deserializer)?;
        let found = checksum(&body);
        if found != expected {
            return Err(de::Error::custom(SnapshotError::Checksum { expected, found }));
        }
        body.open().map_err(de::Error::custom)
    }
}

impl From<&Snapshot> for Body {
    fn from(snapshot: &Snapshot) -> Self {
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
            next_stamp: _, // Stamps tell old entries of `open` from good ones: only good ones are stored.
            events,
            count: _, // As many as there are.
        } = snapshot;
        let mut table = Table::default();
        let blocks = (blocks.iter())
            .map(|block| block.as_ref().map(|block| StoredBlock::new(block, &mut table)))
            .collect();
        let mut open: Vec<_> = (open.values())
            .map(|list| {
                list.iter()
                    .filter(|(block, stamp)| stamps.get(*block as usize) == Some(stamp))
            })
            .map(|list| list.map(|&(block, _)| block).collect::<Vec<u32>>())
            .collect();
        // The order between kinds means nothing, and that of a map is different every time.
        open.sort();
        Self {
            settings: settings.clone(),
            time: time.to_bits(),
            descriptions: table.list,
            blocks,
            slots: slots.clone(),
            free_slots: free_slots.clone(),
            free_blocks: free_blocks.clone(),
            open: open.concat(),
            coupling: coupling.clone(),
            contact: contact.into(),
            events: events.clone(),
        }
    }
}

impl Body {
    fn open(self) -> Result<Snapshot, SnapshotError> {
        let Self {
            settings,
            time,
            descriptions,
            blocks,
            slots,
            free_slots,
            free_blocks,
            open,
            coupling,
            contact,
            events,
        } = self;
        settings.validate()?;
        let bad = |element, field, index: usize| SnapshotError::Invalid { field, element, index };
        let time = f64::from_bits(time);
        if !time.is_finite() {
            return Err(bad("world", "time", 0));
        }
        let blocks = (blocks.into_iter().enumerate())
            .map(|(index, block)| block.map(|block| block.open(index, &descriptions)).transpose())
            .collect::<Result<Vec<_>, _>>()?;
        let resident = |block: u32, lane: usize| {
            let block = blocks.get(block as usize)?.as_ref()?;
            block.rods.get(lane)?.as_ref()
        };
        // Every slot leads to a rod that knows it; as many rods as slots in use, so that every rod has its slot.
        let mut count = 0;
        for (index, slot) in slots.iter().enumerate() {
            let Some(place) = slot.place else { continue };
            let rod = resident(place.block, place.lane.into());
            if rod.is_none_or(|rod| rod.index as usize != index) {
                return Err(bad("slot", "place", index));
            }
            count += 1;
        }
        let rods = blocks.iter().flatten().flat_map(|block| block.rods.iter().flatten());
        if rods.count() != count {
            return Err(bad("world", "slots", 0));
        }
        let events_fit = (blocks.iter().flatten())
            .flat_map(|block| &block.events)
            .all(|event| slots.get(event.rod() as usize).is_some());
        if !events_fit {
            return Err(bad("world", "events", 0));
        }
        each_once(&free_slots, |slot| {
            slots.get(slot).is_some_and(|slot| slot.place.is_none())
        })
        .map_err(|index| bad("slot", "free_slots", index))?;
        each_once(&free_blocks, |block| blocks.get(block).is_some_and(Option::is_none))
            .map_err(|index| bad("block", "free_blocks", index))?;
        let has_room = |block: &Block| block.open_lane().is_some();
        each_once(&open, |block| {
            blocks.get(block).and_then(Option::as_ref).is_some_and(has_room)
        })
        .map_err(|index| bad("block", "open", index))?;
        if blocks.iter().flatten().filter(|block| has_room(block)).count() != open.len() {
            return Err(bad("world", "open", 0));
        }
        let described = |id: RodId| {
            let slot = slots
                .get(id.index() as usize)
                .filter(|slot| slot.generation == id.generation())?;
            let place = slot.place?;
            Some(&*resident(place.block, place.lane.into())?.description)
        };
        (coupling.check(described)).map_err(|index| bad("attachment", "slots", index))?;
        // Fresh stamps, 0 where there is no block.
        let stamps: Vec<u64> = (1u64..)
            .zip(&blocks)
            .map(|(stamp, block)| if block.is_some() { stamp } else { 0 })
            .collect();
        let mut lists = Open::new();
        for block in open {
            let at = block as usize;
            if let (Some(Some(found)), Some(&stamp)) = (blocks.get(at), stamps.get(at)) {
                lists.entry(found.kind).or_default().push((block, stamp));
            }
        }
        Ok(Snapshot {
            settings,
            time,
            next_stamp: blocks.len() as u64,
            blocks,
            coupling,
            contact: contact.open()?,
            slots,
            free_slots,
            free_blocks,
            open: lists,
            stamps,
            events,
            count,
        })
    }
}

/// Whether every entry is good and none comes twice; else the bad one.
pub(super) fn each_once(list: &[u32], good: impl Fn(usize) -> bool) -> Result<(), usize> {
    let mut seen = std::collections::HashSet::with_capacity(list.len());
    match list.iter().find(|&&at| !good(at as usize) || !seen.insert(at)) {
        Some(&at) => Err(at as usize),
        None => Ok(()),
    }
}
