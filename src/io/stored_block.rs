//! Blocks and their rods as they are stored: rows as bits, what follows from a description made again.

use std::{collections::HashMap, sync::Arc};

use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::{checked_rows, shared, snapshot::SnapshotError};
use crate::{
    math::lanes::{LANES, VectorRow},
    rod::RodDescription,
    state::{
        CollisionLayers, HairCollision,
        block::{Block, Kind},
        resident::{BlockEvent, Resident},
        scales::{is_gravity_scale, is_wind_scale},
        sleep::Sleep,
    },
};

/// Largest coordinate, m, speed or force: its square is still a single-precision number.
const LARGEST: f64 = 1e18;

/// A description that several rods share.
#[derive(Serialize, Deserialize)]
pub(super) struct Shared(#[serde(with = "shared")] Arc<RodDescription>);

/// Rows as bits: no format rounds them, and infinity is a number like any other.
type Bits = Vec<u32>;
type ExactVector = [u64; 3];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredBlock {
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
    spin: Bits,
    alpha_nodes: Bits,
    alpha_starts: Bits,
    twists: Bits,
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
    feeding: Vec<u32>,
    quarantined: bool,
    sleep: Sleep,
    gravity_scale: u32,
    wind_scale: u32,
    layers: CollisionLayers,
    hair: HairCollision,
}

/// Descriptions, each once, in the order in which they were met.
#[derive(Default)]
pub(super) struct Table {
    pub list: Vec<Shared>,
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
    pub fn new(block: &Block, table: &mut Table) -> Self {
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
            spin,
            twists,
            alpha_nodes,
            alpha_starts,
            alpha_models: _, // Follow from the descriptions and the rows.
            previous: _,     // A world that was read has not been drawn yet.
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
            spin: bits(spin),
            alpha_nodes: bits(alpha_nodes),
            alpha_starts: bits(alpha_starts),
            twists: bits(twists),
            iterations: *iterations,
            events: events.clone(),
        }
    }

    /// The block again, with its rods.
    pub fn open(self, index: usize, descriptions: &[Shared]) -> Result<Block, SnapshotError> {
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
            spin,
            alpha_nodes,
            alpha_starts,
            twists,
            iterations,
            events,
        } = self;
        let mut block: Option<Block> = None;
        for (lane, rod) in rods.into_iter().enumerate() {
            let Some(rod) = rod else { continue };
            let resident = rod.open(descriptions)?;
            // Indices and lengths follow from the number of segments.
            let of_kind = Kind::of(&resident.description, kind.solver).segments == kind.segments;
            let taken = kind.solver.takes(resident.description.topology());
            if !of_kind || !taken || (kind.segments == 0 && lane > 0) {
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
            ("twists", fill(&mut block.twists, &twists)),
            (
                "history_step",
                fill(std::slice::from_mut(&mut block.history_step), &history_step),
            ),
            ("spin", fill(&mut block.spin, &spin)),
            ("alpha_nodes", fill(&mut block.alpha_nodes, &alpha_nodes)),
            ("alpha_starts", fill(&mut block.alpha_starts, &alpha_starts)),
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
            feeding,
            quarantined,
            size: _, // Follow from the description.
            radius: _,
            sleep,
            gravity_scale,
            wind_scale,
            layers,
            hair,
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
            feeding: feeding.clone(),
            quarantined: *quarantined,
            sleep: *sleep,
            gravity_scale: gravity_scale.to_bits(),
            wind_scale: wind_scale.to_bits(),
            layers: *layers,
            hair: *hair,
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
            feeding,
            quarantined,
            sleep,
            gravity_scale,
            wind_scale,
            layers,
            hair,
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
        if feeding.iter().any(|&s| s as usize >= rod.0.segments().len()) {
            return Err(bad("feeding"));
        }
        resident.feeding = feeding;
        resident.broken.extend(broken);
        resident.quarantined = quarantined;
        if !(sleep.quiet.is_finite() && sleep.quiet >= 0.0) {
            return Err(bad("sleep"));
        }
        resident.sleep = sleep;
        resident.gravity_scale = f32::from_bits(gravity_scale);
        resident.wind_scale = f32::from_bits(wind_scale);
        if !is_gravity_scale(resident.gravity_scale) {
            return Err(bad("gravity_scale"));
        }
        if !is_wind_scale(resident.wind_scale) {
            return Err(bad("wind_scale"));
        }
        resident.layers = layers;
        resident.hair = hair;
        Ok(resident)
    }
}
