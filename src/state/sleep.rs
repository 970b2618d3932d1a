//! Sleep: a rod that has come to rest costs nothing until something acts on it.
//!
//! A rod that stayed slow for a while is stopped and marked. A block whose rods all sleep is not visited; where only some do, their rows are put
//! aside during the step and put back, so that they stay where they are bit for bit, whatever the lanes did beside them.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    block::{Block, Layout, copy_lanes, set_vector},
    edit::{RodAccessError, RodMut},
    readback::RodRef,
    resident::{BlockEvent, Resident},
    rows::{HistoryRow, SegmentRow, VertexRow},
    world::RodWorld,
};
use crate::{
    math::lanes::{LANES, QuaternionRow, Row, VectorRow},
    rod::{RodDescription, Topology},
};

/// When a rod falls asleep.
///
/// The defaults stop what nobody sees: a rope of a metre moves by less than 0.1 mm a frame, and one that hangs like a pendulum and is caught where it
/// turns swings by less than 2 mm. A rod that creeps more slowly than that is stopped on its way; leave sleep off where that matters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SleepSettings {
    /// Slower than this everywhere, m/s, for a rod of one metre; for one of length `L` times `√(L / 1 m)`, as motion under gravity scales.
    /// Segments that turn on the spot count with their length times their angular speed.
    pub speed: f32,
    /// For so long, s.
    pub seconds: f32,
}

impl Default for SleepSettings {
    fn default() -> Self {
        Self {
            speed: 0.005,
            seconds: 0.5,
        }
    }
}

/// What a resident knows of its sleep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sleep {
    /// Whether it may fall asleep by itself.
    pub allowed: bool,
    pub asleep: bool,
    /// Whether the last event said that it sleeps.
    pub reported: bool,
    /// For how long it has been slow, s.
    pub quiet: f32,
}

impl Default for Sleep {
    fn default() -> Self {
        Self {
            allowed: true,
            asleep: false,
            reported: false,
            quiet: 0.0,
        }
    }
}

/// What is put aside of a block while it is stepped. The memory of a worker, used for one block after the other.
#[derive(Clone, Debug, Default)]
pub struct Bed {
    rods: [Option<Resident>; LANES],
    vertices: Vec<VertexRow>,
    segments: Vec<SegmentRow>,
    history: Vec<HistoryRow>,
    history_step: Row,
    spin: Vec<VectorRow>,
    /// Orientations before the step, where some rod is slow.
    orientations: Vec<QuaternionRow>,
}

impl Bed {
    /// Room for a block.
    pub fn reserve(&mut self, block: &Block) {
        fn grow<T>(list: &mut Vec<T>, count: usize) {
            list.clear();
            list.reserve(count);
        }
        grow(&mut self.orientations, block.segments.len());
        if matches!(block.layout, Layout::Chains) {
            grow(&mut self.vertices, block.vertices.len());
            grow(&mut self.segments, block.segments.len());
            grow(&mut self.history, block.history.len());
            grow(&mut self.spin, block.spin.len());
        }
    }

    /// Put the sleeping rods of a block aside: during the step their lanes hold nothing that moves.
    pub fn lay(&mut self, block: &mut Block) {
        self.orientations.clear();
        if block.rods.iter().flatten().any(|rod| rod.sleep.quiet > 0.0) {
            self.orientations
                .extend(block.segments.iter().map(|row| row.orientation));
        }
        if !block.rods.iter().flatten().any(|rod| rod.sleep.asleep) {
            return;
        }
        self.vertices.clone_from(&block.vertices);
        self.segments.clone_from(&block.segments);
        self.history.clone_from(&block.history);
        self.history_step = block.history_step;
        self.spin.clone_from(&block.spin);
        for lane in 0..LANES {
            if block.is_asleep(lane) {
                block.freeze(lane);
                self.rods[lane] = block.rods[lane].take();
            }
        }
    }

    /// Put them back as they were.
    pub fn lift(&mut self, block: &mut Block) {
        for lane in 0..LANES {
            let Some(resident) = self.rods[lane].take() else {
                continue;
            };
            copy_lanes(&mut block.vertices, &self.vertices, lane);
            copy_lanes(&mut block.segments, &self.segments, lane);
            copy_lanes(&mut block.history, &self.history, lane);
            copy_lanes(&mut block.spin, &self.spin, lane);
            block.history_step.0[lane] = self.history_step.0[lane];
            block.rods[lane] = Some(resident);
        }
    }

    /// Let the rods of a block fall asleep that have been slow for long enough. `restless` when the air keeps changing.
    pub fn settle(&self, block: &mut Block, settings: &SleepSettings, dt: f32, restless: bool) {
        self.tire(block, settings, dt, restless);
        for lane in 0..LANES {
            let awake = (block.rods[lane].as_ref()).filter(|rod| !rod.sleep.asleep && !rod.quarantined);
            if awake.is_some_and(|rod| rod.sleep.quiet >= settings.seconds) {
                block.fall_asleep(lane);
            }
        }
    }

    /// Count for how long the rods of a block have been slow.
    pub fn tire(&self, block: &mut Block, settings: &SleepSettings, dt: f32, restless: bool) {
        let speeds = block.lane_speeds();
        let turns = self.lane_turns(block, dt);
        let all = matches!(block.layout, Layout::Graph(_));
        let of = |row: &Row, lane: usize| {
            let most = row.0.iter().fold(0.0, |most, &value| f32::max(most, value));
            if all { most } else { row.0[lane] }
        };
        for lane in 0..LANES {
            let Some(resident) = &mut block.rods[lane] else {
                continue;
            };
            if resident.sleep.asleep || resident.quarantined {
                continue;
            }
            let limit = settings.speed * resident.size.sqrt();
            let slow = of(&speeds, lane) <= limit * limit && of(&turns, lane) <= limit * limit;
            let blown = restless && resident.wind_scale > 0.0;
            let sleep = &mut resident.sleep;
            if !slow || !sleep.allowed || blown {
                sleep.quiet = 0.0;
                continue;
            }
            sleep.quiet += dt;
        }
    }

    /// Squares of the largest turn of a segment in the last step times its length over the time, by lanes. Nothing was put aside for rods that were not slow.
    fn lane_turns(&self, block: &Block, dt: f32) -> Row {
        let mut most = Row::default();
        for (row, before) in block.segments.iter().zip(&self.orientations) {
            for lane in 0..LANES {
                let change = |sign: f32| -> f32 {
                    let parts = row.orientation.iter().zip(before);
                    parts
                        .map(|(now, then)| (now.0[lane] - sign * then.0[lane]).powi(2))
                        .sum()
                };
                // The angle is twice the chord of two near quaternions, of which either sign is the same turn.
                let chord = 4.0 * change(1.0).min(change(-1.0));
                let speed = chord * (row.rest_length.0[lane] / dt).powi(2);
                most.0[lane] = most.0[lane].max(speed);
            }
        }
        most
    }
}

impl Block {
    /// Whether the rod in a lane sleeps.
    pub fn is_asleep(&self, lane: usize) -> bool {
        self.rods[lane].as_ref().is_some_and(|rod| rod.sleep.asleep)
    }

    /// Whether none of its rods moves.
    pub fn is_idle(&self) -> bool {
        self.rods
            .iter()
            .flatten()
            .all(|rod| rod.sleep.asleep || rod.quarantined)
    }

    /// Stop a rod until something wakes it. What it was told and has not done is forgotten.
    pub fn fall_asleep(&mut self, lane: usize) {
        let Some(resident) = &mut self.rods[lane] else {
            return;
        };
        resident.sleep.asleep = true;
        resident.sleep.quiet = 0.0;
        resident.targets.clear();
        resident.moving.clear();
        for vertex in 0..resident.description.vertices().len() {
            let (row, at) = self.vertex_place(lane, vertex);
            set_vector(&mut self.vertices[row].velocity, at, Vec3::ZERO);
        }
        let segments = self.rods[lane]
            .as_ref()
            .map_or(0, |rod| rod.description.segments().len());
        for segment in 0..segments {
            let (row, at) = self.segment_place(lane, segment);
            if let Some(spin) = self.spin.get_mut(row) {
                set_vector(spin, at, Vec3::ZERO);
            }
        }
        self.forget(lane);
        self.forget_previous(lane);
    }

    /// Something acts on a rod: it moves again, and its time of rest starts anew.
    pub fn wake(&mut self, lane: usize) {
        if let Some(resident) = &mut self.rods[lane] {
            resident.sleep.asleep = false;
            resident.sleep.quiet = 0.0;
        }
    }

    /// Something acts on all of its rods.
    pub fn wake_all(&mut self) {
        (0..LANES).for_each(|lane| self.wake(lane));
    }

    /// Say who fell asleep and who woke.
    pub fn report_sleep(&mut self) {
        for resident in self.rods.iter_mut().flatten() {
            let Sleep { asleep, reported, .. } = &mut resident.sleep;
            if asleep != reported {
                *reported = *asleep;
                let rod = resident.index;
                self.events.push(if *asleep {
                    BlockEvent::Slept { rod }
                } else {
                    BlockEvent::Woke { rod }
                });
            }
        }
    }

    /// Squares of the largest speed of a vertex, by lanes.
    fn lane_speeds(&self) -> Row {
        let mut most = Row::default();
        for row in &self.vertices {
            let [x, y, z] = &row.velocity;
            for lane in 0..LANES {
                let speed = x.0[lane] * x.0[lane] + y.0[lane] * y.0[lane] + z.0[lane] * z.0[lane];
                most.0[lane] = most.0[lane].max(speed);
            }
        }
        most
    }
}

/// How large a rod is, m: its length, or the diagonal of its box where no one way leads along it.
pub fn size(rod: &RodDescription) -> f32 {
    if rod.topology() != Topology::Graph {
        return rod.rest_length() as f32;
    }
    let places = rod.vertices().iter().map(|vertex| vertex.position);
    let low = places.clone().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = places.reduce(|a, b| a.max(b)).unwrap_or_default();
    (high - low).length() as f32
}

impl RodWorld {
    /// Wake every rod.
    pub fn wake_all(&mut self) {
        self.blocks.iter_mut().flatten().for_each(Block::wake_all);
        self.active.fill(true);
    }
}

impl RodMut<'_> {
    /// Let the rod move again. Whatever is done to it does so by itself.
    pub fn wake(&mut self) {
        self.block.wake(self.lane);
    }

    /// Stop the rod where it is, until something acts on it (a rod that is tied to something does not stay asleep); also where [`Settings::sleep`](crate::solver::Settings::sleep) is off. Its velocity is
    /// lost, and targets that it has not reached are forgotten.
    pub fn sleep(&mut self) -> Result<(), RodAccessError> {
        self.resident()?;
        self.block.fall_asleep(self.lane);
        Ok(())
    }

    /// Whether the rod may fall asleep by itself. One that sleeps and may not any more wakes.
    pub fn set_sleep_allowed(&mut self, allowed: bool) -> Result<(), RodAccessError> {
        let sleep = &mut self.resident()?.sleep;
        sleep.allowed = allowed;
        if !allowed {
            self.block.wake(self.lane);
        }
        Ok(())
    }
}

impl RodRef<'_> {
    /// Whether the rod sleeps.
    pub fn is_asleep(&self) -> bool {
        self.resident.sleep.asleep
    }

    /// Whether the rod may fall asleep by itself.
    pub fn is_sleep_allowed(&self) -> bool {
        self.resident.sleep.allowed
    }
}
