//! Broad phase: which of many things may come near each other.
//!
//! Every item has a box that is larger than it needs to be, kept until the item leaves it. Pairs of overlapping boxes are kept too: a step in which no
//! item leaves its box costs a comparison an item, and where a few do, their pairs alone are looked for, in a tree of boxes.
//!
//! The tree is in floats, counted from a centre that follows the items, and rounded outward: two boxes that touch are found 10 km from the origin as well.
//! Pairs are sorted, so that they do not depend on the shape of the tree.

mod box3;
mod pairs;
#[cfg(test)]
mod tests;
mod tree;

pub use box3::Box3;

use box3::{FARTHEST, Near};
use glam::{DVec3, Vec3};
use pairs::Pairs;
use tree::{Tree, Work};

/// A stored box is made anew when its sides have become this much longer than a new one would have: a box that was stretched ahead of a fast item
/// does not stay when the item rests.
const TOO_FAT: f64 = 2.0;

/// The centre moves when the items are farther from it than this, in metres, and four times their own extent. At 16 m a float resolves 1 µm.
const ASTRAY: f32 = 16.0;

/// Above this share of changed items all pairs are looked for at once: then that takes less than to look for some and to merge them.
const MANY: f64 = 0.5;

/// Looking for the pairs of a small share of the items takes this many times the share of a whole traversal, since they are all over the tree.
const SPREAD: f64 = 3.0;

/// Boxes of all items, and the pairs that overlap.
#[derive(Clone)]
pub struct Broad {
    boxes: Vec<Near>,
    centre: DVec3,
    /// How many boxes are not empty.
    count: usize,
    /// Items whose boxes have changed since the pairs were made, each once.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    tree: Tree,
    pairs: Pairs,
    /// All pairs have to be looked for.
    stale: bool,
    limit: usize,
    overflowed: bool,
}

impl Broad {
    /// Without items. There will never be more than `limit` pairs.
    pub fn new(limit: usize) -> Broad {
        Broad {
            boxes: Vec::new(),
            centre: DVec3::ZERO,
            count: 0,
            changed: Vec::new(),
            is_changed: Vec::new(),
            tree: Tree::default(),
            pairs: Pairs::default(),
            stale: false,
            limit,
            overflowed: false,
        }
    }

    /// Sets how many items there may be: those beyond are removed, and new ones have no box yet.
    pub fn resize(&mut self, items: usize) {
        if items < self.boxes.len() {
            for index in items..self.boxes.len() {
                self.remove(index as u32);
            }
            // Leaves and pairs have to go while their numbers are still known.
            self.tree.change(&self.boxes, &self.changed);
            self.changed.retain(|&index| (index as usize) < items);
            self.pairs.sorted.retain(|pair| (pair.1 as usize) < items);
            self.stale = true;
        }
        self.boxes.resize(items, Near::EMPTY);
        self.is_changed.resize(items, false);
    }

    /// Removes all items and keeps the memory of the lists.
    pub fn clear(&mut self) {
        self.boxes.clear();
        self.is_changed.clear();
        self.changed.clear();
        self.pairs.sorted.clear();
        self.tree.build(&[]);
        self.count = 0;
        self.stale = false;
        self.overflowed = false;
    }

    /// Says where an item will be until it is placed again. Cheap as long as `tight` stays inside the stored box; otherwise the stored box becomes
    /// `tight`, larger by `margin` all around and stretched by `ahead`, the way that the item is expected to go.
    ///
    /// A box that is not finite, or inside out, removes the item and answers false. Numbers are expected to be dense: memory goes with the largest.
    pub fn place(&mut self, index: u32, tight: &Box3, margin: f64, ahead: DVec3) -> bool {
        let i = index as usize;
        if i >= self.boxes.len() {
            self.boxes.resize(i + 1, Near::EMPTY);
            self.is_changed.resize(i + 1, false);
        }
        let margin = margin.max(0.0);
        let stored = self.boxes[i];
        if stored.contains(tight, self.centre) {
            let needed = (tight.high - tight.low + ahead.abs()).element_sum() + 6.0 * margin;
            if stored.sides() <= TOO_FAT * needed {
                return true;
            }
        }
        if self.count == 0 && tight.low.abs().cmplt(DVec3::splat(FARTHEST)).all() {
            self.centre = tight.low.round();
        }
        let Some(near) = Near::around(&tight.grown(margin).stretched(ahead), self.centre) else {
            self.remove(index);
            return false;
        };
        if near != stored {
            self.count += usize::from(stored.is_empty());
            self.boxes[i] = near;
            self.mark(index);
        }
        true
    }

    /// Takes the box of an item away. Nothing happens if it has none.
    pub fn remove(&mut self, index: u32) {
        if let Some(stored) = self.boxes.get_mut(index as usize)
            && !stored.is_empty()
        {
            *stored = Near::EMPTY;
            self.count -= 1;
            self.mark(index);
        }
    }

    /// The box that is kept for an item.
    pub fn stored(&self, index: u32) -> Option<Box3> {
        let near = self.boxes.get(index as usize).filter(|near| !near.is_empty())?;
        Some(near.back(self.centre))
    }

    /// Has the next [`update_pairs`](Broad::update_pairs) make all pairs anew, because what is wanted has changed.
    pub fn invalidate(&mut self) {
        self.stale = true;
    }

    /// Pairs of items whose boxes overlap, the smaller number first, sorted, as of the last [`update_pairs`](Broad::update_pairs).
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs.sorted
    }

    /// Whether there were more pairs than the limit. Then those with the greatest numbers are missing.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Calls `found` with every item whose box overlaps, as of the last [`update_pairs`](Broad::update_pairs); in no useful order.
    pub fn overlapping(&self, b: &Box3, mut found: impl FnMut(u32)) {
        if let Some(near) = Near::around(b, self.centre) {
            self.tree.query(&near, &mut Work::default(), &mut found);
        }
    }

    /// Makes the pairs that are `wanted` if a box has changed since, and answers whether one has. The same two items are asked about again only after one of
    /// them has changed its box, or after [`invalidate`](Broad::invalidate).
    pub fn update_pairs(&mut self, wanted: impl Fn(u32, u32) -> bool + Sync) -> bool {
        if self.changed.is_empty() && !self.stale {
            return false;
        }
        self.update_tree();
        let share = self.changed.len() as f64 / self.count.max(1) as f64;
        let whole = self.stale || self.overflowed || share > MANY;
        let expected = self
            .tree
            .tend(&self.boxes, if whole { 1.0 } else { (SPREAD * share).min(1.0) });
        self.overflowed = false;
        if expected > self.most_overlaps() as f64 || !self.look_for_pairs(whole, &wanted) {
            self.look_for_pairs_in_order(&wanted);
        }
        for &index in &self.changed {
            self.is_changed[index as usize] = false;
        }
        self.changed.clear();
        self.stale = false;
        true
    }

    fn mark(&mut self, index: u32) {
        let mark = &mut self.is_changed[index as usize];
        if !*mark {
            *mark = true;
            self.changed.push(index);
        }
    }

    fn update_tree(&mut self) {
        if 2 * self.count > 3 * self.tree.len() {
            // Leaves that are inserted one by one cost more.
            self.tree.build(&self.boxes);
            self.stale = true;
        } else {
            self.tree.change(&self.boxes, &self.changed);
        }
        let Some(root) = self.tree.root() else { return };
        let middle = 0.5 * (root.mins + root.maxs);
        let extent = (root.maxs - root.mins).max_element();
        if middle.abs().max_element() > ASTRAY + 4.0 * extent {
            self.move_centre(middle);
        }
    }

    /// Counts all boxes from a new centre, in whole metres from the old one so that the move itself is exact.
    fn move_centre(&mut self, by: Vec3) {
        let by = by.as_dvec3().round();
        for near in self.boxes.iter_mut().filter(|near| !near.is_empty()) {
            // A box that was in reach of the old centre, far from all others, may be out of reach of the new one.
            *near = Near::around(&near.back(DVec3::ZERO), by).unwrap_or(Near::EMPTY);
        }
        self.count = self.boxes.iter().filter(|near| !near.is_empty()).count();
        self.centre += by;
        self.tree.build(&self.boxes);
        self.stale = true;
    }

    /// More overlaps than this are not looked at, wanted or not: nothing hangs where everything is at one place.
    fn most_overlaps(&self) -> usize {
        2 * self.limit + 16 * self.boxes.len()
    }

    /// Looks for all pairs, or those of changed items. Answers false if there are too many.
    fn look_for_pairs(&mut self, whole: bool, wanted: &impl Fn(u32, u32) -> bool) -> bool {
        let found = &mut self.pairs.found;
        let limit = self.limit;
        found.clear();
        self.tree.each_pair(!whole, |a, b| {
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            if found.len() <= limit && wanted(a, b) {
                found.push((a, b));
            }
        });
        if found.len() > limit {
            return false;
        }
        if whole {
            self.pairs.replace(self.boxes.len());
        } else {
            self.pairs.merge(&self.is_changed);
        }
        self.pairs.sorted.len() <= limit
    }

    /// Looks for the pairs of one item after the other, five times slower, and stops where there are too many: the list then is the beginning of what it
    /// should be, whatever the shape of the tree.
    fn look_for_pairs_in_order(&mut self, wanted: &impl Fn(u32, u32) -> bool) {
        let most = self.most_overlaps();
        let sorted = &mut self.pairs.sorted;
        sorted.clear();
        let mut overlaps = 0;
        for (index, near) in self.boxes.iter().enumerate().filter(|(_, near)| !near.is_empty()) {
            let a = index as u32;
            let start = sorted.len();
            self.tree.query(near, &mut Work::default(), |b| {
                if b > a {
                    overlaps += 1;
                    if wanted(a, b) {
                        sorted.push((a, b));
                    }
                }
            });
            sorted[start..].sort_unstable();
            if sorted.len() > self.limit || overlaps > most {
                sorted.truncate(self.limit);
                self.overflowed = true;
                return;
            }
        }
    }
}
