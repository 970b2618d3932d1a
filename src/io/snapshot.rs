//! Snapshots as they are stored: the bits of every row, each description once, and a checksum over all of it.
//!
//! What follows from a description (layouts, plans) is not stored but made again. What is read is checked before it becomes a snapshot: an
//! index that leads nowhere or a number that is none is an error, whoever wrote it.

use std::{collections::HashMap, sync::Arc};

use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3, Vec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use super::{checked_rows, checksum::checksum};
use crate::{
    math::lanes::{LANES, VectorRow},
    rod::RodDescription,
    solver::{Settings, SettingsError},
    state::{
        Event, Snapshot,
        block::{Block, Kind},
        resident::{BlockEvent, Resident},
        sleep::Sleep,
        world::{Open, Slot},
    },
};

/// What every stored snapshot starts with.
const FORMAT: &str = "lariat snapshot";
/// Grows with every change of what is stored.
const VERSION: u32 = 1;
/// Largest coordinate, m, speed or force: its square is still a single-precision number.
const LARGEST: f64 = 1e18;

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
        /// "block", "rod" or "slot".
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
    events: Vec<Event>,
}

/// A description that several rods share.
struct Shared(Arc<RodDescription>);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shared {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RodDescription::deserialize(deserializer).map(|rod| Self(Arc::new(rod)))
    }
}

/// Rows as bits: no format rounds them, and infinity is a number like any other.
type Bits = Vec<u32>;
type ExactVector = [u64; 3];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredBlock {
    kind: Kind,
    rods: [Option<StoredRod>; LANES],
    vertices: Bits,
    segments: Bits,
    joints: Bits,
    softness: Bits,
    drag: Bits,
    acceleration: bool,
    torque: Bits,
    extra: Bits,
    history: Bits,
    history_step: Bits,
    iterations: u32,
    events: Vec<BlockEvent>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRod {
    index: u32,
    description: u32,
    origin: ExactVector,
    targets: Vec<(u32, ExactVector)>,
    moving: Vec<(u32, ExactVector)>,
    forces: Vec<(u32, [u32; 3])>,
    broken: Vec<u32>,
    quarantined: bool,
    sleep: Sleep,
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
            events: events.clone(),
        }
    }
}

/// Descriptions, each once, in the order in which they were met.
#[derive(Default)]
struct Table {
    list: Vec<Shared>,
    known: HashMap<*const RodDescription, u32>,
}

impl Table {
    fn index(&mut self, rod: &Arc<RodDescription>) -> u32 {
        *self.known.entry(Arc::as_ptr(rod)).or_insert_with(|| {
            self.list.push(Shared(rod.clone()));
            (self.list.len() - 1) as u32
        })
    }
}

fn bits<T: Pod>(rows: &[T]) -> Bits {
    bytemuck::cast_slice::<T, u32>(rows).to_vec()
}

fn exact(list: &[(u32, DVec3)]) -> Vec<(u32, ExactVector)> {
    list.iter()
        .map(|&(at, v)| (at, v.to_array().map(f64::to_bits)))
        .collect()
}

impl StoredBlock {
    fn new(block: &Block, table: &mut Table) -> Self {
        let Block {
            kind,
            layout: _, // Made again from the description, and so is the plan.
            rods,
            vertices,
            segments,
            joints,
            softness,
            drag,
            acceleration,
            torque,
            extra,
            plan: _,
            history,
            history_step,
            iterations,
            events,
        } = block;
        Self {
            kind: *kind,
            rods: std::array::from_fn(|lane| rods[lane].as_ref().map(|rod| StoredRod::new(rod, table))),
            vertices: bits(vertices),
            segments: bits(segments),
            joints: bits(joints),
            softness: bits(softness),
            drag: bits(&[*drag]),
            // Made anew in every substep; only that it is there is kept.
            acceleration: !acceleration.is_empty(),
            torque: bits(torque),
            extra: bits(extra),
            history: bits(history),
            history_step: bits(&[*history_step]),
            iterations: *iterations,
            events: events.clone(),
        }
    }

    /// The block again, with its rods.
    fn open(self, index: usize, descriptions: &[Shared]) -> Result<Block, SnapshotError> {
        let bad = |field| SnapshotError::Invalid {
            field,
            element: "block",
            index,
        };
        let Self {
            kind,
            rods,
            vertices,
            segments,
            joints,
            softness,
            drag,
            acceleration,
            torque,
            extra,
            history,
            history_step,
            iterations,
            events,
        } = self;
        let mut block: Option<Block> = None;
        for (lane, rod) in rods.into_iter().enumerate() {
            let Some(rod) = rod else { continue };
            let resident = rod.open(descriptions)?;
            // Indices and lengths follow from the number of segments.
            let of_kind = Kind::of(&resident.description, kind.solver).segments == kind.segments;
            if !of_kind || (kind.segments == 0 && lane > 0) {
                return Err(bad("kind"));
            }
            let block = block.get_or_insert_with(|| Block::new(kind, &resident.description));
            block.write(lane, resident, DQuat::IDENTITY);
        }
        let mut block = block.ok_or(bad("rods"))?;
        let fields = [
            ("vertices", fill(&mut block.vertices, &vertices)),
            ("segments", fill(&mut block.segments, &segments)),
            ("joints", fill(&mut block.joints, &joints)),
            ("softness", fill(&mut block.softness, &softness)),
            ("drag", fill(std::slice::from_mut(&mut block.drag), &drag)),
            ("history", fill(&mut block.history, &history)),
            (
                "history_step",
                fill(std::slice::from_mut(&mut block.history_step), &history_step),
            ),
            ("torque", fill_some(&mut block.torque, &torque, block.segments.len())),
            ("extra", fill_some(&mut block.extra, &extra, block.vertices.len())),
        ];
        if let Some((field, _)) = fields.iter().find(|(_, fits)| !fits) {
            return Err(bad(field));
        }
        checked_rows::check(&block).map_err(bad)?;
        if acceleration {
            block.acceleration = vec![VectorRow::zeroed(); block.vertices.len()];
        }
        block.iterations = iterations;
        block.events.extend(events);
        Ok(block)
    }
}

/// Whether the bits are as many as the rows take.
fn fill<T: Pod>(rows: &mut [T], bits: &[u32]) -> bool {
    let cells = bytemuck::cast_slice_mut::<T, u32>(rows);
    let fits = cells.len() == bits.len();
    if fits {
        cells.copy_from_slice(bits);
    }
    fits
}

/// Rows that are all there or not at all.
fn fill_some<T: Pod>(rows: &mut Vec<T>, bits: &[u32], count: usize) -> bool {
    let count = if bits.is_empty() { 0 } else { count };
    rows.clear();
    rows.resize(count, T::zeroed());
    fill(rows, bits)
}

impl StoredRod {
    fn new(resident: &Resident, table: &mut Table) -> Self {
        let Resident {
            index,
            description,
            origin,
            targets,
            moving,
            forces,
            broken,
            quarantined,
            size: _, // Follows from the description.
            sleep,
        } = resident;
        Self {
            index: *index,
            description: table.index(description),
            origin: origin.to_array().map(f64::to_bits),
            targets: exact(targets),
            moving: exact(moving),
            forces: forces
                .iter()
                .map(|&(v, f)| (v, f.to_array().map(f32::to_bits)))
                .collect(),
            broken: broken.clone(),
            quarantined: *quarantined,
            sleep: *sleep,
        }
    }

    fn open(self, descriptions: &[Shared]) -> Result<Resident, SnapshotError> {
        let Self {
            index,
            description,
            origin,
            targets,
            moving,
            forces,
            broken,
            quarantined,
            sleep,
        } = self;
        let bad = |field| SnapshotError::Invalid {
            field,
            element: "rod",
            index: index as usize,
        };
        let vector = |field, v: ExactVector| {
            let v = DVec3::from_array(v.map(f64::from_bits));
            let sound = v.is_finite() && v.abs().max_element() < LARGEST;
            sound.then_some(v).ok_or(bad(field))
        };
        let rod = descriptions.get(description as usize).ok_or(bad("description"))?;
        let vertices = rod.0.vertices().len() as u32;
        let places = |field, list: Vec<(u32, ExactVector)>| {
            (list.into_iter())
                .map(|(at, v)| {
                    if at < vertices {
                        Ok((at, vector(field, v)?))
                    } else {
                        Err(bad(field))
                    }
                })
                .collect::<Result<Vec<_>, _>>()
        };
        let mut resident = Resident::new(index, rod.0.clone(), vector("origin", origin)?);
        // Into the lists that have room for what can come.
        resident.targets.extend(places("targets", targets)?);
        resident.moving.extend(places("moving", moving)?);
        for (at, force) in forces {
            let force = Vec3::from_array(force.map(f32::from_bits));
            if at >= vertices || !force.is_finite() || f64::from(force.abs().max_element()) >= LARGEST {
                return Err(bad("forces"));
            }
            resident.forces.push((at, force));
        }
        if broken.iter().any(|&s| s as usize >= rod.0.segments().len()) {
            return Err(bad("broken"));
        }
        resident.broken.extend(broken);
        resident.quarantined = quarantined;
        if !(sleep.quiet.is_finite() && sleep.quiet >= 0.0) {
            return Err(bad("sleep"));
        }
        resident.sleep = sleep;
        Ok(resident)
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
fn each_once(list: &[u32], good: impl Fn(usize) -> bool) -> Result<(), usize> {
    let mut seen = std::collections::HashSet::with_capacity(list.len());
    match list.iter().find(|&&at| !good(at as usize) || !seen.insert(at)) {
        Some(&at) => Err(at as usize),
        None => Ok(()),
    }
}
