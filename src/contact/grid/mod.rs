//! Hair among hair, on a grid that stands in space (paper 1, section 5.6): strands give mass, volume and momentum to it and get velocity back.
//!
//! - `sheet`: the strands of a block as samples, and what they gain; `bricks`: the sparse grid; `pressure`: what hair that is too dense does about it; `near`: hair among what is touched exactly.
//!
//! Every transfer is a weighted mean whose weights go back the way they came. So momentum is kept to rounding, and by convexity strands never gain more energy than the nodes of the grid do:
//! friction only takes out, and pressure gives back at most what is stored in hair that is too dense.

pub(crate) mod bricks;
mod near;
mod pressure;
pub(crate) mod sheet;

use tracing::trace_span;

use super::{scene::SceneRod, settings::HairGrid, stage::Stage, step::Aside};
use crate::{coupling::Island, solver::step::Workers, state::block::Block};
use bricks::Bricks;
use pressure::Pressure;

/// The grid of a world: memory, since everything is made anew in every substep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hair {
    /// There are strands on the grid.
    pub present: bool,
    /// What the sheets were laid out for.
    known: Option<HairGrid>,
    bricks: Bricks,
    pressure: Pressure,
}

impl Stage {
    /// Before a step: which strands there are, where that changed.
    pub fn lay_out_hair(
        &mut self,
        blocks: &[Option<Block>],
        islands: &[Island],
        asides: &mut [Aside],
        grid: &HairGrid,
        changed: bool,
        h: f32,
    ) {
        if !changed && self.hair.known == Some(*grid) {
            return;
        }
        self.hair.known = Some(*grid);
        self.hair.present = false;
        asides.iter_mut().for_each(|aside| aside.hair.clear());
        for rod in self.scene.rods.iter().filter(|rod| rod.is_hair()) {
            let block = match rod.island {
                Some((island, member)) => &islands[island as usize].blocks[member as usize],
                None => match &blocks[rod.home.block as usize] {
                    Some(block) => block,
                    None => continue,
                },
            };
            let sheet = &mut asides[rod.home.block as usize].hair;
            sheet.add(block, rod.home.lane as usize, grid);
            self.hair.present = true;
        }
        // What sleeps is not read again.
        for (block, aside) in blocks.iter().zip(asides) {
            if let Some(block) = block {
                aside.hair.read(block, grid, h);
            }
        }
    }

    /// Before a substep of `h`: what strands gain of each other. They take it as an acceleration ([`Sheet::press`](sheet::Sheet::press)).
    pub fn comb(
        &mut self,
        blocks: &mut [Option<Block>],
        islands: &[Island],
        asides: &mut [Aside],
        workers: &Workers,
        active: &[bool],
        h: f32,
    ) {
        let Some(grid) = self.hair.known.filter(|_| self.hair.present) else {
            return;
        };
        let _span = trace_span!("hair").entered();
        workers.each_beside(blocks, asides, active, |block, aside, _| {
            aside.hair.read(block, &grid, h)
        });
        for (at, (island, member)) in self.scene.rods.iter().filter_map(SceneRod::lodging) {
            let block = &islands[island as usize].blocks[member as usize];
            asides[at].hair.read(block, &grid, h);
        }
        let Hair { bricks, pressure, .. } = &mut self.hair;
        bricks.sort(asides);
        bricks.splat(asides, workers);
        bricks.collect(&grid, workers);
        pressure.solve(bricks, &grid, h);
        bricks.spread(&grid, h, workers);
        let bricks = &*bricks;
        workers.each_beside(blocks, asides, active, |_, aside, _| aside.hair.gain(bricks));
        for (at, _) in self.scene.rods.iter().filter_map(SceneRod::lodging) {
            asides[at].hair.gain(bricks);
        }
    }

    /// Strands that are tied to bodies take what they gained, once islands have been told of other forces.
    pub fn press_tied(&self, islands: &mut [Island], asides: &[Aside], h: f32) {
        for (at, (island, member)) in self.scene.rods.iter().filter_map(SceneRod::lodging) {
            let block = &mut islands[island as usize].blocks[member as usize];
            asides[at].hair.press(block, h);
        }
    }
}
