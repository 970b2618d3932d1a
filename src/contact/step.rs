//! A step of a world in which rods touch: the loop of `solver/step.rs`, parted by a stage over all blocks in every substep.

use super::{group::Ask, rouse::rouse, scene::Home, settings::ContactSettings};
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

/// Move the world by `dt`, in substeps of `h`.
pub(crate) fn step(world: &mut RodWorld, contact: ContactSettings, dt: f32, h: f32) {
    rouse(world);
    let settings = world.settings.clone();
    let start = world.time;
    let mut stage = std::mem::take(&mut world.contact);
    let mut asides = std::mem::take(&mut stage.asides);
    asides.resize_with(world.blocks.len(), Aside::default);
    let changed = stage.scene.gather(world.homes());
    stage.changed |= changed;
    let rods: Vec<Home> = stage.scene.rods.iter().map(|rod| rod.home).collect();
    for (rod, home) in rods.iter().enumerate() {
        if let Some(block) = &world.blocks[home.block as usize]
            && (changed || world.active[home.block as usize])
        {
            stage.scene.read_start(rod, block);
            stage.scene.forget_guess(rod);
        }
    }
    world.coupling.lend(&mut world.blocks, dt);
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
        workers.each(coupling.islands_mut(), |island, work| {
            island.step(work, &settings, air, dt, h, start);
        });
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
            stage.mark_busy();
            for aside in &mut asides {
                aside.worth_moving = false;
            }
            for (rod, home) in rods.iter().enumerate() {
                asides[home.block as usize].worth_moving |= !stage.is_busy(rod);
            }
            workers.each_beside(blocks, &mut asides, active, |block, aside, work| {
                aside.outcome = Outcome::default();
                if block.is_idle() {
                    return;
                }
                feed(block, settings.substeps - substep);
                push(block, &settings, air, h, time);
                aside.keep(block);
                if aside.worth_moving {
                    aside.outcome = solve(block, work, &settings, h);
                    block.iterations = block.iterations.saturating_add(aside.outcome.iterations);
                }
            });
            for (rod, home) in rods.iter().enumerate() {
                if let (Some(block), true) = (&blocks[home.block as usize], active[home.block as usize]) {
                    let aside = &asides[home.block as usize];
                    stage.scene.read_move(
                        rod,
                        block,
                        &aside.vertices,
                        h,
                        aside.worth_moving && !stage.is_busy(rod),
                    );
                }
            }
            let part = |substep: u32| f64::from(substep) / f64::from(settings.substeps);
            stage.place_shapes(part(substep), part(substep + 1));
            stage.detect(h.into(), settings.gravity.length().into());
            for (rod, home) in rods.iter().enumerate() {
                if let (Some(block), true) = (&mut blocks[home.block as usize], stage.is_grouped(rod)) {
                    asides[home.block as usize].restore(block, home.lane as usize);
                }
            }
            let ask = substep_of(&settings, h, Solver::default());
            stage.lay_out(blocks, ask, settings.arithmetic);
            let (groups, shapes) = stage.groups_and_shapes();
            let parallel = !workers.is_inline();
            workers.each(groups, |group, _| {
                group.solve(&Ask {
                    h: h.into(),
                    iterations: contact.iterations,
                    arithmetic: settings.arithmetic,
                    parallel,
                    shapes,
                });
            });
            stage.write_back(blocks, &mut asides, ask, settings.arithmetic);
            stage.meet(h.into());
            workers.each_beside(blocks, &mut asides, active, |block, aside, _| {
                if !block.is_idle() {
                    conclude(block, &aside.outcome);
                }
            });
            // Where everything starts next.
            for (rod, home) in rods.iter().enumerate() {
                if let (Some(block), true) = (&blocks[home.block as usize], active[home.block as usize]) {
                    stage.scene.read_start(rod, block);
                }
            }
        }
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
    stage.arrive();
    world.events.append(&mut stage.meetings.events);
    stage.asides = asides;
    world.contact = stage;
    world.coupling.give_back(&mut world.blocks, dt);
    world.time += f64::from(dt);
}
