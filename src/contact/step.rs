//! A step of a world in which rods touch: the loop of `solver/step.rs`, parted by a stage over all blocks in every substep.

use super::{grid::sheet::Sheet, group::Ask, rouse::rouse, settings::ContactSettings};
use crate::{
    math::lanes::Row,
    solver::{
        Solver,
        stable_cosserat::rows::Outcome,
        step::{aim, arrive, conclude, push, solve, substep_of},
        wind_field::Air,
    },
    state::{
        RodWorld,
        block::{Block, Layout, copy_lanes},
        reel::feed,
        rows::{HistoryRow, SegmentRow, VertexRow},
        sleep::Bed,
    },
};

/// What is kept of a block while it is stepped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside {
    bed: Bed,
    pub outcome: Outcome,
    /// Its strands on the grid.
    pub hair: Sheet,
    /// Some of its rods did not touch anything in the last substep.
    worth_moving: bool,
    /// As at the start of the substep.
    vertices: Vec<VertexRow>,
    segments: Vec<SegmentRow>,
    history: Vec<HistoryRow>,
    history_step: Row,
}

impl Aside {
    fn keep(&mut self, block: &Block) {
        self.vertices.clone_from(&block.vertices);
        self.segments.clone_from(&block.segments);
        self.history.clone_from(&block.history);
        self.history_step = block.history_step;
    }

    /// Put a rod back to where it was.
    fn restore(&self, block: &mut Block, lane: usize) {
        if matches!(block.layout, Layout::Graph(_)) {
            block.vertices.clone_from(&self.vertices);
            block.segments.clone_from(&self.segments);
            block.history.clone_from(&self.history);
            block.history_step = self.history_step;
        } else {
            copy_lanes(&mut block.vertices, &self.vertices, lane);
            copy_lanes(&mut block.segments, &self.segments, lane);
            copy_lanes(&mut block.history, &self.history, lane);
            block.history_step.0[lane] = self.history_step.0[lane];
        }
    }
}

/// So often is a substep begun, where rods go where nobody looked.
const ROUNDS: u32 = 3;

/// Move the world by `dt`, in substeps of `h`.
pub(crate) fn step(world: &mut RodWorld, contact: ContactSettings, dt: f32, h: f32) {
    world.seat_shapes(dt);
    rouse(world);
    let settings = world.settings.clone();
    let start = world.time;
    let mut stage = std::mem::take(&mut world.contact);
    let mut asides = std::mem::take(&mut stage.asides);
    asides.resize_with(world.blocks.len(), Aside::default);
    let changed = stage.scene.gather(world.homes());
    stage.changed |= changed;
    for rod in 0..stage.scene.rods.len() {
        let home = stage.scene.rods[rod].home;
        if let Some(block) = &world.blocks[home.block as usize]
            && (changed || world.active[home.block as usize])
        {
            stage.scene.read_start(rod, block);
            stage.scene.forget_guess(rod);
        }
    }
    stage.exclude(&world.coupling);
    stage.set_out(dt.into());
    world.coupling.lend(&mut world.blocks, dt);
    stage.scene.find_islands(world.coupling.islands_mut());
    let islands = world.coupling.islands_mut();
    stage.lay_out_hair(&world.blocks, islands, &mut asides, &contact.hair, changed, h);
    let slots = world.slot_count();
    let RodWorld {
        blocks,
        active,
        workers,
        coupling,
        wind_field,
        ..
    } = world;
    let air = Air::new(&settings, wind_field.as_ref());
    let restless = air.is_some_and(|air| air.is_restless());
    workers.enter(|| {
        let islands = coupling.islands_mut();
        workers.each(islands, |island, _| island.begin(&settings, dt, h));
        workers.each_beside(blocks, &mut asides, active, |block, aside, _| {
            block.iterations = 0;
            if !block.is_idle() {
                block.keep_previous(settings.interpolation);
                aside.bed.lay(block);
                aim(block, dt);
            }
        });
        for substep in 0..settings.substeps {
            let time = start + f64::from(h) * f64::from(substep);
            let left = settings.substeps - substep;
            stage.mark_busy();
            for aside in &mut asides {
                aside.worth_moving = false;
            }
            for rod in 0..stage.scene.rods.len() {
                asides[stage.scene.rods[rod].home.block as usize].worth_moving |= !stage.is_busy(rod);
            }
            stage.comb(blocks, islands, &mut asides, workers, active, h);
            workers.each(islands, |island, work| {
                island.prepare(work, &settings, air, h, time, left);
            });
            stage.press_tied(islands, &asides, h);
            workers.each_beside(blocks, &mut asides, active, |block, aside, work| {
                aside.outcome = Outcome::default();
                if block.is_idle() {
                    return;
                }
                feed(block, left);
                push(block, &settings, air, h, time);
                aside.hair.press(block, h);
                aside.keep(block);
                if aside.worth_moving {
                    aside.outcome = solve(block, work, &settings, h);
                    block.iterations = block.iterations.saturating_add(aside.outcome.iterations);
                }
            });
            for rod in 0..stage.scene.rods.len() {
                let at = stage.scene.rods[rod].home.block as usize;
                let went = asides[at].worth_moving && !stage.is_busy(rod);
                if let Some((island, member)) = stage.scene.rods[rod].island {
                    let block = &islands[island as usize].blocks[member as usize];
                    stage.scene.read_move(rod, block, &block.vertices, h, false);
                } else if let (Some(block), true) = (&blocks[at], active[at]) {
                    stage.scene.read_move(rod, block, &asides[at].vertices, h, went);
                }
            }
            let part = |substep: u32| f64::from(substep) / f64::from(settings.substeps);
            stage.place_shapes(part(substep + 1), islands);
            let ask = substep_of(&settings, h, Solver::default());
            for round in 1..=ROUNDS {
                stage.together = round > 1;
                stage.detect(h.into(), settings.gravity.length().into());
                for rod in 0..stage.scene.rods.len() {
                    let home = stage.scene.rods[rod].home;
                    if let (Some(block), true) = (&mut blocks[home.block as usize], stage.is_grouped(rod)) {
                        asides[home.block as usize].restore(block, home.lane as usize);
                    }
                }
                stage.lay_out(blocks, islands, &settings, ask);
                let (groups, shapes) = stage.groups_and_shapes();
                let parallel = !workers.is_inline();
                workers.each(groups, |group, _| {
                    group.solve(&Ask {
                        h: h.into(),
                        gravity: settings.gravity.length().into(),
                        iterations: contact.iterations,
                        arithmetic: settings.arithmetic,
                        anyway: round == ROUNDS,
                        parallel,
                        shapes,
                    });
                });
                if round == ROUNDS || !stage.widen(islands) {
                    break;
                }
            }
            stage.follow();
            stage.write_back(blocks, islands, &mut asides, &settings, ask);
            stage.meet(h.into());
            workers.each(islands, |island, work| {
                // Those that touch nothing go by themselves.
                if !island.solved {
                    island.solve(&mut work.direct, &settings, h);
                }
                island.solved = false;
                island.conclude();
            });
            workers.each_beside(blocks, &mut asides, active, |block, aside, _| {
                if !block.is_idle() {
                    conclude(block, &aside.outcome);
                }
            });
            // Where everything starts next.
            for rod in 0..stage.scene.rods.len() {
                let at = stage.scene.rods[rod].home.block as usize;
                if let Some((island, member)) = stage.scene.rods[rod].island {
                    stage
                        .scene
                        .read_start(rod, &islands[island as usize].blocks[member as usize]);
                } else if let (Some(block), true) = (&blocks[at], active[at]) {
                    stage.scene.read_start(rod, block);
                }
            }
        }
        workers.each(islands, |island, _| island.end());
        stage.land(islands);
        workers.each_beside(blocks, &mut asides, active, |block, aside, _| {
            if !block.is_idle() {
                arrive(block);
                aside.bed.lift(block);
                if let Some(sleep) = &settings.sleep {
                    aside.bed.tire(block, sleep, dt, restless);
                }
            }
        });
    });
    stage.part();
    if let Some(sleep) = &settings.sleep {
        stage.rest(blocks, active, slots, sleep);
    }
    for (block, _) in blocks.iter_mut().zip(active.iter()).filter(|(_, active)| **active) {
        block.iter_mut().for_each(Block::report_sleep);
    }
    stage.arrive(dt.into());
    stage.tell_crowd();
    world.events.append(&mut stage.meetings.events);
    stage.asides = asides;
    world.contact = stage;
    world.coupling.give_back(&mut world.blocks, dt);
    world.time += f64::from(dt);
}
