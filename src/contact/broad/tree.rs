//! The tree of boxes: parry3d's, with the knowledge of when it pays to build it anew.
//!
//! Leaves are moved in place and their ancestors refitted, which costs little and lets the tree decay: nodes grow and overlap. How far it has decayed is
//! told by a few queries, by the nodes that they visit. What that will cost is added up, and before the sum exceeds the price of building, the tree is built: in all
//! that is at most about twice what the best moment would have cost. Nodes are counted, not seconds, so that a run can be repeated.

use super::box3::Near;
use glam::Vec3;
use parry3d::{
    bounding_volume::Aabb,
    partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace, TraversalAction},
};

/// Price of building, in traversals of a fresh tree against itself: 15 ms against 10 ms for 65,000 segments in a heap.
const BUILD_PRICE: f64 = 1.5;

/// Items that are asked for their neighbours to see how the tree is. A cluster of more than a part in `SAMPLES` of all items can't hide from them; 0.2 ms.
const SAMPLES: usize = 128;

#[derive(Clone, Default)]
pub(super) struct Tree {
    bvh: Bvh,
    workspace: BvhWorkspace,
    /// Work of a query in the fresh tree, in shares of what is due; zero until measured.
    fresh: f64,
    /// Traversals lost to decay since the tree was built.
    debt: f64,
}

/// What queries have cost.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    queries: usize,
    visited: usize,
    pub found: usize,
}

impl Tree {
    pub fn len(&self) -> usize {
        if self.bvh.is_empty() {
            0
        } else {
            self.bvh.leaf_count() as usize
        }
    }

    /// The box around everything, if there is anything.
    pub fn root(&self) -> Option<Aabb> {
        (!self.bvh.is_empty()).then(|| self.bvh.root_aabb())
    }

    /// Forgets everything and takes these boxes.
    pub fn build(&mut self, boxes: &[Near]) {
        let present = || boxes.iter().enumerate().filter(|(_, b)| !b.is_empty());
        if present().take(3).count() < 3 {
            // Given one or two leaves at once, parry3d 0.31 numbers them from zero.
            self.bvh = Bvh::new();
            present().for_each(|(index, b)| self.bvh.insert(b.aabb(), index as u32));
        } else {
            self.bvh = Bvh::from_iter(BvhBuildStrategy::Binned, present().map(|(index, b)| (index, b.aabb())));
        }
        self.fresh = 0.0;
        self.debt = 0.0;
    }

    /// Takes the boxes of `changed` items, empty ones out. From then on, until the next change, they are the changed ones.
    pub fn change(&mut self, boxes: &[Near], changed: &[u32]) {
        // parry3d marks a leaf as changed only if it gets a margin, however small, and leaves its box: so each goes by way of a place where nothing is.
        let nowhere = Aabb {
            mins: Vec3::splat(1e12),
            maxs: Vec3::splat(1e12),
        };
        for &index in changed {
            let b = &boxes[index as usize];
            if b.is_empty() {
                self.bvh.remove(index);
            } else {
                self.bvh.update_partially_if_present(nowhere, index, 0.0);
                self.bvh.insert_or_update_partially(b.aabb(), index, f32::MIN_POSITIVE);
            }
        }
        if !self.bvh.is_empty() {
            self.bvh.refit(&mut self.workspace);
        }
    }

    /// Builds the tree anew if the coming traversal, whose work is a `share` of a whole one, would make its decay too costly. Answers about how many pairs of
    /// boxes overlap.
    pub fn tend(&mut self, boxes: &[Near], share: f64) -> f64 {
        let mut work = self.sample(boxes);
        if self.fresh > 0.0 {
            // A traversal of the tree against itself suffers from both sides.
            let decay = (self.work(&work) / self.fresh).powi(2) - 1.0;
            self.debt += (share * decay).max(0.0);
            if self.debt > BUILD_PRICE {
                self.bvh.rebuild(&mut self.workspace, BvhBuildStrategy::Binned);
                self.fresh = 0.0;
                self.debt = 0.0;
                work = self.sample(boxes);
            }
        }
        if self.fresh == 0.0 {
            self.fresh = self.work(&work);
        }
        // Each finds itself too, and every pair is found from both sides.
        let neighbours = work.found.saturating_sub(work.queries) as f64;
        0.5 * self.len() as f64 * neighbours / work.queries.max(1) as f64
    }

    /// Visited nodes in shares of what a query has to visit: it goes down once, and on from there to what it finds. So crowding does not count as decay.
    fn work(&self, work: &Work) -> f64 {
        let depth = (self.len().max(2) as f64).log2();
        work.visited as f64 / (work.queries as f64 * depth + work.found as f64).max(1.0)
    }

    fn sample(&self, boxes: &[Near]) -> Work {
        let mut work = Work::default();
        let step = boxes.len().div_ceil(SAMPLES).max(1);
        for b in boxes.iter().step_by(step).filter(|b| !b.is_empty()) {
            self.query(b, &mut work, |_| {});
        }
        work
    }

    /// Calls `found` with the items whose boxes overlap.
    pub fn query(&self, b: &Near, work: &mut Work, mut found: impl FnMut(u32)) {
        let wanted = BvhNode::leaf(b.aabb(), 0);
        work.queries += 1;
        self.bvh.traverse(|node| {
            work.visited += 1;
            if !node.intersects(&wanted) {
                return TraversalAction::Prune;
            }
            if let Some(index) = node.leaf_data() {
                work.found += 1;
                found(index);
            }
            TraversalAction::Continue
        });
    }

    /// Calls `found` with every two items whose boxes overlap, or with those of which at least one has changed.
    pub fn each_pair(&mut self, only_changed: bool, mut found: impl FnMut(u32, u32)) {
        if only_changed {
            self.bvh
                .traverse_bvtt_single_tree::<true>(&mut self.workspace, &mut found);
        } else {
            self.bvh
                .traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut found);
        }
    }
}

#[cfg(test)]
impl Tree {
    /// Nodes that a few queries visit.
    pub fn visits(&self, boxes: &[Near]) -> usize {
        self.sample(boxes).visited
    }
}
