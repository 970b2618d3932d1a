//! Hair among what is touched exactly: shapes, and rods that are not on the grid.
//!
//! Strands are many and always on the move, so that they are not in the tree of segments: a box around each strand tells whether it is near anything.

use crate::{
    contact::{
        broad::Box3,
        scene::{Scene, SceneRod},
        stage::Stage,
    },
    state::HairCollision,
};

impl SceneRod {
    /// Whether it meets others of its kind on the grid.
    pub fn is_hair(&self) -> bool {
        self.hair == HairCollision::Grid
    }

    /// Of a strand that is tied to a body: its block, its island and its number there.
    pub fn lodging(&self) -> Option<(usize, (u32, u32))> {
        let tied = self.island.filter(|_| self.is_hair());
        tied.map(|lodging| (self.home.block as usize, lodging))
    }
}

impl Scene {
    /// Whether a segment is the root of a strand: it grows out of a shape, and does not touch any.
    pub fn is_root(&self, segment: usize) -> bool {
        let held = |point: u32| self.mass[point as usize] == f64::INFINITY;
        self.rods[self.rod_of[segment] as usize].is_hair() && self.ends[segment].into_iter().any(held)
    }
}

impl Stage {
    /// Boxes around whole strands, from those of their segments.
    pub(in crate::contact) fn box_strands(&mut self) {
        self.strands.clear();
        for (index, rod) in (0u32..).zip(&self.scene.rods) {
            if rod.is_hair() {
                let whole = (rod.segments.clone()).filter(|s| self.scene.whole[*s]);
                let around = whole.fold(Box3::EMPTY, |sum, s| sum.union(&self.boxes[s]));
                self.strands.push((index, around));
            }
        }
    }

    /// Pairs of strands and other rods that may touch.
    pub(in crate::contact) fn find_hair_pairs(&mut self) {
        if self.strands.len() == self.scene.rods.len() {
            return;
        }
        let before = self.near.len();
        for (rod, around) in &self.strands {
            let list = &mut self.overlapping;
            list.clear();
            self.broad.overlapping(around, |s| list.push(s));
            for &other in &*list {
                for s in self.scene.rods[*rod as usize].segments.clone() {
                    let (a, b) = (other.min(s as u32), other.max(s as u32));
                    if self.boxes[s].overlaps(&self.boxes[other as usize])
                        && self.scene.whole[s]
                        && self.scene.may_touch(a, b)
                        && self.scene.one_moves(a, b)
                    {
                        self.near.push((a, b));
                    }
                }
            }
        }
        if self.near.len() > before {
            self.near.sort_unstable();
        }
    }

    /// Segments of strands that may be in a box.
    pub(in crate::contact) fn add_hair_in(strands: &[(u32, Box3)], scene: &Scene, around: &Box3, list: &mut Vec<u32>) {
        for (rod, _) in strands.iter().filter(|(_, strand)| strand.overlaps(around)) {
            let segments = scene.rods[*rod as usize].segments.clone();
            list.extend(
                segments
                    .filter(|s| scene.whole[*s] && !scene.is_root(*s))
                    .map(|s| s as u32),
            );
        }
    }
}
