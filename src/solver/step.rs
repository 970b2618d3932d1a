//! The one ordered loop over substeps.
//!
//! 1. *Aim*: pinned vertices get the velocity that takes them to their targets.
//! 2. For each substep: *push* (forces and wind become accelerations), *solve* (the block's method, which starts from
//!    the state, iterates and writes it back), *check* (what went non-finite is quarantined, what is overstrained breaks).
//! 3. *Arrive*: led vertices are exactly at their targets.
//!
//! Rods that sleep are put aside before and put back after; a block whose rods all sleep is passed over.
//!
//! Blocks share nothing, so that they go to threads as they come and the result does not depend on how many there are. Nothing couples
//! them between substeps either, so that a block takes all of its substeps at once, while its rows are in the nearest cache. A stage over all
//! blocks, such as contact, parts the loop there.

use std::sync::{Arc, Mutex, PoisonError};

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{
    Integrator, Lambda, Settings, SettingsError, Solver, direct, elastic, generalized_alpha,
    settings::within,
    stable_cosserat::{
        self,
        rows::{Outcome, Substep},
    },
    wind_field::Air,
    xpbd,
};
use crate::{
    contact,
    math::lanes::{DOUBLE_LANES, LANES, Row},
    state::{
        RodWorld,
        block::{Block, position, set_position, set_vector, vector},
        plastic::flow,
        reel::feed,
        resident::BlockEvent,
        sleep::Bed,
    },
};

/// Longest step, s: a frame that hung for a second is still simulated, an hour is a mistake.
const LONGEST_STEP: f64 = 100.0;

/// The memory of a worker, used for one block after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub stable_cosserat: stable_cosserat::Work,
    pub xpbd: xpbd::elements::Work,
    pub direct: direct::memory::Memory,
    pub generalized_alpha: generalized_alpha::Memory,
    pub elastic: elastic::newton::Memory,
    pub bed: Bed,
}

impl Work {
    fn reserve(&mut self, block: &Block) {
        self.bed.reserve(block);
        match (block.kind.solver, &block.plan) {
            (Solver::Direct { .. }, Some(plan)) => {
                // A graph is one rod, taken by itself.
                let lanes = if block.kind.segments == 0 { 1 } else { DOUBLE_LANES };
                self.direct.reserve(plan, lanes);
            }
            (Solver::Xpbd { .. }, _) => self.xpbd.reserve(block),
            (Solver::GeneralizedAlpha { .. }, _) => self.generalized_alpha.reserve(block),
            (Solver::Elastic { .. }, _) => self.elastic.reserve(block.kind.segments as usize),
            (Solver::StableCosserat { .. } | Solver::Direct { .. }, _) => self.stable_cosserat.reserve(block),
        }
    }
}

/// Shortest substep, s: the inverse of its square times any mass is still a single-precision number.
const SHORTEST_STEP: f64 = 1e-9;

/// Threads, and the memory that each keeps.
#[derive(Debug)]
pub(crate) struct Workers {
    pool: Option<Arc<rayon::ThreadPool>>,
    inline: bool,
    work: Vec<Mutex<Work>>,
}

impl Clone for Workers {
    fn clone(&self) -> Self {
        let work = (self.work.iter())
            .map(|w| Mutex::new(w.lock().unwrap_or_else(PoisonError::into_inner).clone()))
            .collect();
        Self {
            pool: self.pool.clone(),
            inline: self.inline,
            work,
        }
    }
}

impl Workers {
    /// On rayon's global pool.
    pub fn global() -> Self {
        Self::with(None, rayon::current_num_threads())
    }

    pub fn new(threads: Option<usize>) -> Result<Self, SettingsError> {
        match threads {
            None => Ok(Self::global()),
            Some(1) => Ok(Self {
                inline: true,
                ..Self::with(None, 1)
            }),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.map_err(|error| SettingsError::Threads {
                    threads,
                    reason: error.to_string(),
                })?;
                Ok(Self::with(Some(Arc::new(pool)), threads))
            }
        }
    }

    fn with(pool: Option<Arc<rayon::ThreadPool>>, threads: usize) -> Self {
        Self {
            pool,
            inline: false,
            work: (0..threads).map(|_| Mutex::default()).collect(),
        }
    }

    /// Room for a block in every worker.
    pub fn reserve(&mut self, block: &Block) {
        for work in &mut self.work {
            work.get_mut().unwrap_or_else(PoisonError::into_inner).reserve(block);
        }
    }

    /// Calls `run` where `each` may use this pool.
    pub fn enter(&self, run: impl FnOnce() + Send) {
        match &self.pool {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    /// Room for a plan of rods and bodies in every worker.
    pub fn reserve_plan(&mut self, plan: &direct::plan::Plan) {
        for work in &mut self.work {
            let work = work.get_mut().unwrap_or_else(PoisonError::into_inner);
            work.direct.reserve(plan, 1);
        }
    }

    /// All items, by threads as they come.
    pub fn each<T: Send>(&self, items: &mut [T], run: impl Fn(&mut T, &mut Work) + Sync) {
        let visit = |item: &mut T| self.with_work(|work| run(item, work));
        if self.inline || items.len() <= 1 {
            items.iter_mut().for_each(visit);
        } else {
            items.par_iter_mut().for_each(visit);
        }
    }

    /// The blocks that something happens in. One that sleeps is not even looked at: its rows are not in any cache.
    fn each_active(&self, blocks: &mut [Option<Block>], active: &[bool], run: impl Fn(&mut Block, &mut Work) + Sync) {
        let visit = |(block, active): (&mut Option<Block>, &bool)| {
            let Some(block) = block.as_mut().filter(|_| *active) else {
                return;
            };
            self.with_work(|work| run(block, work));
        };
        if self.inline || blocks.len() == 1 {
            blocks.iter_mut().zip(active).for_each(visit);
        } else {
            blocks.par_iter_mut().zip(active).for_each(visit);
        }
    }

    /// The same, with what is kept beside each block.
    pub fn each_beside<T: Send>(
        &self,
        blocks: &mut [Option<Block>],
        beside: &mut [T],
        active: &[bool],
        run: impl Fn(&mut Block, &mut T, &mut Work) + Sync,
    ) {
        let visit = |((block, beside), active): ((&mut Option<Block>, &mut T), &bool)| {
            let Some(block) = block.as_mut().filter(|_| *active) else {
                return;
            };
            self.with_work(|work| run(block, beside, work));
        };
        if self.inline || blocks.len() == 1 {
            blocks.iter_mut().zip(beside).zip(active).for_each(visit);
        } else {
            blocks.par_iter_mut().zip(beside).zip(active).for_each(visit);
        }
    }

    /// Whether everything runs on the thread that calls.
    pub fn is_inline(&self) -> bool {
        self.inline
    }

    /// The memory of the thread that calls.
    fn with_work(&self, run: impl FnOnce(&mut Work)) {
        let worker = rayon::current_thread_index().unwrap_or(0) % self.work.len();
        run(&mut self.work[worker].lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Move the world by `dt`.
pub(crate) fn step(world: &mut RodWorld, dt: f32) -> Result<(), SettingsError> {
    let settings = &world.settings;
    let h = check_length(settings, dt)?;
    let _span = tracing::trace_span!("step", substeps = settings.substeps).entered();
    if let Some(contact) = settings.contact {
        contact::step(world, contact, dt, h);
        return Ok(());
    }
    let (workers, start) = (&world.workers, world.time);
    // The blocks of tied rods are lent to their islands: what is left has nothing in common.
    world.coupling.lend(&mut world.blocks, dt);
    let active = &world.active;
    let (blocks, islands) = (world.blocks.as_mut_slice(), world.coupling.islands_mut());
    let air = Air::new(settings, world.wind_field.as_ref());
    let restless = air.is_some_and(|air| air.is_restless());
    if active.contains(&true) || !islands.is_empty() {
        workers.enter(|| {
            workers.each(islands, |island, work| island.step(work, settings, air, dt, h, start));
            workers.each_active(blocks, active, |block, work| {
                block.iterations = 0;
                if !block.is_idle() {
                    block.keep_previous(settings.interpolation);
                    work.bed.lay(block);
                    aim(block, dt);
                    for substep in 0..settings.substeps {
                        let time = start + f64::from(h) * f64::from(substep);
                        feed(block, settings.substeps - substep);
                        advance(block, work, settings, air, h, time);
                    }
                    arrive(block);
                    work.bed.lift(block);
                    if let Some(sleep) = &settings.sleep {
                        work.bed.settle(block, sleep, dt, restless);
                    }
                }
                block.report_sleep();
            });
        });
    }
    world.coupling.give_back(&mut world.blocks, dt);
    world.time += f64::from(dt);
    Ok(())
}

/// Whether a step may be that long.
pub(crate) fn check_length(settings: &Settings, dt: f32) -> Result<f32, SettingsError> {
    within("dt", dt.into(), SHORTEST_STEP, LONGEST_STEP, "from 1e-9 s to 100 s")?;
    let h = dt / settings.substeps as f32;
    within("dt / substeps", h.into(), SHORTEST_STEP, LONGEST_STEP, "1e-9 s or more")?;
    Ok(h)
}

/// What a solver is asked for in a substep.
pub(crate) fn substep_of(settings: &Settings, h: f32, solver: Solver) -> Substep {
    Substep {
        h,
        iterations: settings.iterations,
        gravity: settings.gravity.to_array(),
        exact: solver == Solver::StableCosserat { lambda: Lambda::Exact },
    }
}

/// One substep of a block.
fn advance(block: &mut Block, work: &mut Work, settings: &Settings, air: Option<Air<'_>>, h: f32, time: f64) {
    push(block, settings, air, h, time);
    let outcome = solve(block, work, settings, h);
    block.iterations = block.iterations.saturating_add(outcome.iterations);
    conclude(block, &outcome);
}

/// The block's method.
pub(crate) fn solve(block: &mut Block, work: &mut Work, settings: &Settings, h: f32) -> Outcome {
    let solver = block.kind.solver;
    let substep = substep_of(settings, h, solver);
    match solver {
        Solver::StableCosserat { .. } => {
            stable_cosserat::step(block, &mut work.stable_cosserat, substep, settings.arithmetic)
        }
        Solver::Xpbd { .. } => xpbd::step(block, &mut work.xpbd, substep, settings.arithmetic),
        Solver::Direct { integrator } => {
            let second_order = integrator == Integrator::Bdf2;
            direct::step(block, &mut work.direct, substep, second_order, settings.arithmetic)
        }
        Solver::GeneralizedAlpha { rho } => generalized_alpha::step(block, &mut work.generalized_alpha, substep, rho),
        Solver::Elastic { curvature } => elastic::step(block, &mut work.elastic, substep, curvature),
    }
}

/// What comes of a substep: rods that went bad, break or yield.
pub(crate) fn conclude(block: &mut Block, outcome: &Outcome) {
    check(block, outcome);
    if block.kind.yields {
        flow(block);
    }
}

pub(crate) fn aim(block: &mut Block, dt: f32) {
    for lane in 0..LANES {
        let Some(resident) = &mut block.rods[lane] else {
            continue;
        };
        let stopped = std::mem::take(&mut resident.moving);
        let led = std::mem::take(&mut resident.targets);
        for &(vertex, _) in &stopped {
            let (row, at) = block.vertex_place(lane, vertex as usize);
            set_vector(&mut block.vertices[row].velocity, at, Vec3::ZERO);
        }
        for &(vertex, target) in &led {
            let (row, at) = block.vertex_place(lane, vertex as usize);
            let row = &mut block.vertices[row];
            let velocity = (target - position(row, at)) / f64::from(dt);
            set_vector(&mut row.velocity, at, velocity.as_vec3());
        }
        // Give the two lists back, exchanged: their memory is kept.
        if let Some(resident) = &mut block.rods[lane] {
            resident.moving = led;
            resident.targets = stopped;
            resident.targets.clear();
        }
    }
}

pub(crate) fn arrive(block: &mut Block) {
    for lane in 0..LANES {
        let Some(resident) = &mut block.rods[lane] else {
            continue;
        };
        if resident.quarantined {
            continue;
        }
        let moved = std::mem::take(&mut resident.moving);
        for &(vertex, target) in &moved {
            let (row, at) = block.vertex_place(lane, vertex as usize);
            set_position(&mut block.vertices[row], at, target);
        }
        if let Some(resident) = &mut block.rods[lane] {
            resident.moving = moved;
        }
    }
}

/// Forces, wind and what a rod feels of gravity more or less than others, as accelerations. A force field of the air is applied implicitly, one vertex at a time, so that a
/// storm on a hair does not blow up: with the drag's rate `c` the vertex gains `c h/(1 + c h)` of the air's relative speed.
pub(crate) fn push(block: &mut Block, settings: &Settings, air: Option<Air<'_>>, h: f32, time: f64) {
    if air.is_some() && block.acceleration.is_empty() {
        block.acceleration = vec![[Row::default(); 3]; block.vertices.len()];
    }
    if block.acceleration.is_empty() {
        return;
    }
    let mut acceleration = std::mem::take(&mut block.acceleration);
    for row in &mut acceleration {
        *row = [Row::default(); 3];
    }
    let mut add = |block: &Block, lane: usize, vertex: u32, force: DVec3| {
        let (row, at) = block.vertex_place(lane, vertex as usize);
        let mass = f64::from(block.vertices[row].mass.0[at]);
        if block.vertices[row].free.0[at] > 0.0 {
            let now = vector(&acceleration[row], at);
            let more = (force / mass).as_vec3();
            set_vector(&mut acceleration[row], at, now + more);
        }
    };
    for lane in 0..LANES {
        let Some(resident) = &block.rods[lane] else {
            continue;
        };
        for &(vertex, force) in &resident.forces {
            add(block, lane, vertex, force.as_dvec3());
        }
        let rod = &resident.description;
        if resident.gravity_scale != 1.0 {
            let more = settings.gravity.as_dvec3() * f64::from(resident.gravity_scale - 1.0);
            for vertex in 0..rod.vertices().len() {
                let (row, at) = block.vertex_place(lane, vertex);
                let mass = f64::from(block.vertices[row].mass.0[at]);
                add(block, lane, vertex as u32, mass * more);
            }
        }
        let Some(air) = air.filter(|_| resident.wind_scale > 0.0) else {
            continue;
        };
        let drag = air.drag();
        for segment in rod.segments() {
            let state = |vertex: u32| {
                let (row, at) = block.vertex_place(lane, vertex as usize);
                let row = &block.vertices[row];
                (position(row, at), vector(&row.velocity, at).as_dvec3())
            };
            let ((a, va), (b, vb)) = (state(segment.tail), state(segment.head));
            let middle = resident.origin + 0.5 * (a + b);
            let relative = air.velocity(middle, time) - 0.5 * (va + vb);
            let ends = [segment.tail, segment.head].map(|v| rod.vertices()[v as usize]);
            let radius = 0.5 * (ends[0].radius + ends[1].radius);
            let mass = 0.5 * (ends[0].mass + ends[1].mass);
            let resistance = drag.resistance(relative, b - a, radius, mass) * f64::from(resident.wind_scale);
            // Half of it goes to either end: the lighter one decides how far the air can take it in a step.
            let lighter = ends[0].mass.min(ends[1].mass).max(f64::MIN_POSITIVE);
            let rate = resistance * f64::from(h) / lighter;
            let force = drag.driving(relative, b - a) * (resistance / (1.0 + rate));
            for vertex in [segment.tail, segment.head] {
                add(block, lane, vertex, 0.5 * force);
            }
        }
    }
    block.acceleration = acceleration;
}

/// Freeze what went non-finite; break what is strained too far.
fn check(block: &mut Block, outcome: &Outcome) {
    let health = outcome.health;
    let single = block.kind.segments == 0;
    for lane in 0..LANES {
        let sick = if single {
            lane == 0 && health.0.iter().any(|h| h.is_nan())
        } else {
            health.0[lane].is_nan()
        };
        if let Some(resident) = &mut block.rods[lane]
            && sick
            && !resident.quarantined
        {
            resident.quarantined = true;
            let rod = resident.index;
            block.events.push(BlockEvent::Quarantined { rod });
            block.freeze(lane);
        }
    }
    if outcome.excess.0.iter().all(|&over| over <= 0.0) {
        return;
    }
    for lane in 0..LANES {
        let Some(resident) = block.rods[lane].as_ref().filter(|resident| !resident.quarantined) else {
            continue;
        };
        if !single && outcome.excess.0[lane] <= 0.0 {
            continue;
        }
        let (rod, index) = (resident.description.clone(), resident.index);
        for (s, segment) in rod.segments().iter().enumerate() {
            let (row, at) = block.segment_place(lane, s);
            let limit = block.segments[row].strain_limit.0[at];
            if limit == f32::INFINITY {
                continue;
            }
            let (tail_row, tail_at) = block.vertex_place(lane, segment.tail as usize);
            let (head_row, head_at) = block.vertex_place(lane, segment.head as usize);
            let edge = position(&block.vertices[head_row], head_at) - position(&block.vertices[tail_row], tail_at);
            // The limit counts from the rest length now; what is told is how much longer it is than described.
            let now = f64::from(block.segments[row].rest_length.0[at]);
            let strain = (edge.length() / segment.rest_length - 1.0) as f32;
            if edge.length() / now - 1.0 > f64::from(limit) {
                let segment = s as u32;
                block.break_segment(lane, &rod, s);
                block.events.push(BlockEvent::Broke {
                    rod: index,
                    segment,
                    strain,
                });
                if let Some(resident) = &mut block.rods[lane] {
                    resident.broken.push(segment);
                }
            }
        }
    }
}
