//! Long-range attachments on graphs (Kim et al. 2012): how far each vertex is from its nearest pin along the rod, and which pin that is.
//!
//! Chains go along themselves instead. Pins come and go and segments break, so that the ways are found anew in every substep; that costs less than an iteration.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{
    math::lanes::LANES,
    state::{
        block::{Block, Layout},
        graph_layout::GraphLayout,
    },
};

/// The nearest pin of each vertex slot.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Length of the way, m; infinite where no pin holds the vertex.
    pub reach: Vec<f32>,
    /// Slot of the pin.
    pub anchor: Vec<u32>,
    /// Lengths of ways as bits, which order as the numbers do where none is negative, and where they lead.
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Reach {
    /// Room for a graph.
    pub fn reserve(&mut self, block: &Block) {
        let Layout::Graph(layout) = &block.layout else {
            return;
        };
        let slots = layout.vertex_groups() * LANES;
        if self.reach.len() < slots {
            self.reach.resize(slots, f32::INFINITY);
            self.anchor.resize(slots, 0);
        }
        self.open.clear();
        // Every vertex is offered once by each of its segments, and once where it is pinned.
        self.open.reserve(slots + layout.incidences.len() * LANES);
    }

    /// Find the ways (Dijkstra).
    pub fn find(&mut self, block: &Block, layout: &GraphLayout) {
        self.open.clear();
        self.reach.fill(f32::INFINITY);
        let vertices = block.rods[0].as_ref().map_or(0, |rod| rod.description.vertices().len());
        for &slot in &layout.vertex_slot[..vertices] {
            let (row, lane) = (slot as usize / LANES, slot as usize % LANES);
            if block.vertices[row].free.0[lane] == 0.0 {
                self.reach[slot as usize] = 0.0;
                self.anchor[slot as usize] = slot;
                self.open.push(Reverse((0, slot)));
            }
        }
        while let Some(Reverse((bits, slot))) = self.open.pop() {
            let here = f32::from_bits(bits);
            if here > self.reach[slot as usize] {
                continue;
            }
            let (row, lane) = (slot as usize / LANES, slot as usize % LANES);
            let incidences = layout.incidence_start[row] as usize..layout.incidence_start[row + 1] as usize;
            for incidence in &layout.incidences[incidences] {
                let segment = incidence.segment.index()[lane] as usize;
                let stored = &block.segments[segment / LANES];
                // A lane without a segment, or a broken one, leads nowhere.
                if incidence.sign.0[lane] == 0.0 || stored.axial.0[segment % LANES] == 0.0 {
                    continue;
                }
                let there = here + stored.rest_length.0[segment % LANES];
                let other = incidence.other.index()[lane];
                if there < self.reach[other as usize] {
                    self.reach[other as usize] = there;
                    self.anchor[other as usize] = self.anchor[slot as usize];
                    self.open.push(Reverse((there.to_bits(), other)));
                }
            }
        }
    }
}
