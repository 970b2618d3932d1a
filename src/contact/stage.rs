//! A substep in which rods touch.
//!
//! First everything moves as if it were alone, in blocks as always. What then may have touched something, by the boxes around where it was and where it went, is put back and
//! done again in groups, together with what it may touch. Which rods make a group follows from the state alone, not from what the broad phase remembers, so
//! that a world that goes back in time comes the same way again.

use glam::DVec3;
use tracing::trace_span;

use super::{
    broad::{Box3, Broad},
    collider::Colliders,
    crowd::Crowding,
    grid::Hair,
    group::{Group, LED, ShapeNow},
    lead::way,
    meet::Meetings,
    rouse::Ties,
    scene::Scene,
    shape::{Pose, ShapePoint, bounds, near_point},
    standing::Standing,
    step::Aside,
    touch::{MARK, Remembered},
};
use crate::{coupling::Island, solver::direct::memory::Memory};

/// Beyond, m, a shape without end is as good as one.
const FAR: f64 = 1e9;
/// The most pairs that the broad phase answers.
const MOST_PAIRS: usize = 4_000_000;

/// Contact of a world: what is kept from substep to substep, and memory.
#[derive(Clone)]
pub(crate) struct Stage {
    pub colliders: Colliders,
    /// Sorted by key.
    pub remembered: Vec<Remembered>,
    pub meetings: Meetings,
    pub ties: Ties,
    pub scene: Scene,
    pub groups: Vec<Group>,
    pub hair: Hair,
    /// Groups of the last substep.
    pub count: usize,
    /// The scene is another one.
    pub changed: bool,
    pub(super) broad: Broad,
    pub(super) boxes: Vec<Box3>,
    /// Strands that meet on the grid, with boxes around them.
    pub(super) strands: Vec<(u32, Box3)>,
    /// By rods: whether it touched something in the last substep, its group, its first point there, and the margin of its boxes.
    pub(super) busy: Vec<bool>,
    pub(super) parents: Vec<u32>,
    pub(super) group_of: Vec<u32>,
    pub(super) first_point: Vec<u32>,
    /// By islands.
    pub(super) first_rod: Vec<u32>,
    pub(super) margins: Vec<f64>,
    /// By rods: how far it goes in the substep, as far as is known.
    pub(super) speeds: Vec<f64>,
    pub(super) shapes: Vec<ShapeNow>,
    /// By colliders: how much of its way in the substep it came, and one of the groups that it is in.
    pub(super) done: Vec<f64>,
    pub(super) holders: Vec<u32>,
    /// Rods near the same shape are solved together, if it is led.
    pub(super) together: bool,
    /// Bodies that shapes stand on and that rods can move.
    pub(super) bodies: Vec<Standing>,
    /// Collider, rod slot and segment of what does not touch because it is tied; of a whole rod [`LED`]. Sorted.
    pub(super) excluded: Vec<[u32; 3]>,
    pub(super) near: Vec<(u32, u32)>,
    /// By segments; and by the pairs that are near, whether the two overlap.
    pub(super) crowds: Vec<Crowding>,
    pub(super) overlaps: Vec<bool>,
    /// How many pairs were left out in this step, in the substep with most; and whether that was told.
    pub(super) left_out: u32,
    pub(super) crowded: bool,
    pub(super) spots: Vec<(u32, u32)>,
    pub(super) overlapping: Vec<u32>,
    pub(super) found: Vec<ShapePoint>,
    pub(super) spare: Vec<Memory>,
    pub(super) fresh: Vec<Remembered>,
    pub asides: Vec<Aside>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stage")
            .field("groups", &self.count)
            .finish_non_exhaustive()
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            colliders: Colliders::default(),
            remembered: Vec::new(),
            meetings: Meetings::default(),
            ties: Ties::default(),
            scene: Scene::default(),
            groups: Vec::new(),
            hair: Hair::default(),
            count: 0,
            changed: true,
            broad: Broad::new(MOST_PAIRS),
            boxes: Vec::new(),
            strands: Vec::new(),
            busy: Vec::new(),
            parents: Vec::new(),
            group_of: Vec::new(),
            first_point: Vec::new(),
            first_rod: Vec::new(),
            margins: Vec::new(),
            speeds: Vec::new(),
            shapes: Vec::new(),
            done: Vec::new(),
            holders: Vec::new(),
            together: false,
            bodies: Vec::new(),
            excluded: Vec::new(),
            near: Vec::new(),
            crowds: Vec::new(),
            overlaps: Vec::new(),
            left_out: 0,
            crowded: false,
            spots: Vec::new(),
            overlapping: Vec::new(),
            found: Vec::new(),
            spare: Vec::new(),
            fresh: Vec::new(),
            asides: Vec::new(),
        }
    }
}

impl Stage {
    /// Which rods touched something in the last substep: they are not worth moving alone.
    pub fn mark_busy(&mut self) {
        self.busy.clear();
        self.busy.resize(self.scene.rods.len(), false);
        // The scene's rods are sorted by slot.
        let rods = &self.scene.rods;
        let mut mark = |slot: u32| {
            if let Ok(at) = rods.binary_search_by_key(&slot, |rod| rod.id.index()) {
                self.busy[at] = true;
            }
        };
        for known in &self.remembered {
            mark(known.key[0]);
            if known.key[2] & MARK == 0 {
                mark(known.key[2]);
            }
        }
    }

    pub fn is_busy(&self, rod: usize) -> bool {
        self.busy[rod] && self.scene.rods[rod].moves
    }

    /// Where shapes are during the substep that ends at this part of the step.
    pub fn place_shapes(&mut self, part: f64, islands: &[Island]) {
        self.look_at_bodies(islands);
        self.shapes.clear();
        for (index, placed) in self.colliders.iter() {
            while self.shapes.len() < index as usize {
                // Slots that are empty: never asked for.
                self.shapes.push(ShapeNow::nowhere());
            }
            if let Some(standing) = placed.standing {
                self.shapes
                    .push(self.bodies[standing as usize].shape(standing, placed, islands));
                continue;
            }
            // From where rods let it come, to where it should be by then.
            let (start, end) = (placed.now, placed.from.lerp(&placed.end, part));
            let [moved, turned] = way(&start, &end);
            let travel = moved + turned * placed.extent.min(1e6);
            self.shapes.push(ShapeNow {
                shape: placed.collider.shape.clone(),
                from: start,
                to: end,
                travel: if start == end { 0.0 } else { travel },
                friction: placed.collider.friction,
                body: None,
                local: Pose::default(),
                swing: 0.0,
            });
        }
    }

    /// Find what may touch, and make groups.
    pub fn detect(&mut self, h: f64, gravity: f64) {
        let _span = trace_span!("broad phase").entered();
        let scene = &self.scene;
        self.margins.clear();
        self.speeds.clear();
        for rod in &scene.rods {
            let most = scene.guess[rod.points.clone()]
                .iter()
                .fold(0.0, |most: f64, u| most.max(u.length_squared()));
            let pushed = gravity * h * h + rod.pushed.min(20.0 * rod.radius);
            let margin = rod.slack * (0.5 * rod.radius + 0.125 * most.sqrt() + 0.5 * pushed);
            self.margins.push(if rod.moves { margin } else { 0.0 });
            self.speeds.push(most.sqrt());
        }
        if self.changed {
            self.changed = false;
            self.broad.clear();
            self.broad.resize(scene.ends.len());
            self.boxes.resize(scene.ends.len(), Box3::EMPTY);
        }
        self.choose_margins();
        self.find_pairs();
        // What is hit by something fast goes far itself: its boxes are made for that.
        let mut faster = false;
        for &(a, b) in &self.near {
            let [a, b] = [a, b].map(|s| self.scene.rod_of[s as usize] as usize);
            for (rod, other) in [(a, b), (b, a)] {
                let wanted = 0.5 * self.speeds[other];
                if self.scene.rods[rod].moves && wanted > self.margins[rod] {
                    self.margins[rod] = wanted;
                    faster = true;
                }
            }
        }
        if faster {
            self.find_pairs();
        }
        self.find_spots();
        if self.hurry() {
            self.find_pairs();
            self.find_spots();
        }
        self.thin_out();
        self.unite();
    }

    /// Pairs of segments that the boxes around their motion, with the margins of their rods, do not keep apart.
    fn find_pairs(&mut self) {
        self.make_boxes();
        let scene = &self.scene;
        self.broad.update_pairs(|a, b| scene.may_touch(a, b));
        self.near.clear();
        let boxes = &self.boxes;
        let near = self
            .broad
            .pairs()
            .iter()
            .filter(|(a, b)| scene.one_moves(*a, *b) && boxes[*a as usize].overlaps(&boxes[*b as usize]));
        self.near.extend(near);
        self.find_hair_pairs();
    }

    fn make_boxes(&mut self) {
        let scene = &self.scene;
        for s in 0..scene.ends.len() {
            if !scene.whole[s] {
                self.broad.remove(s as u32);
                continue;
            }
            let rod = scene.rod_of[s] as usize;
            let [a, b] = scene.ends[s].map(|p| p as usize);
            let (from, to) = ([scene.start[a], scene.start[b]], [scene.guess[a], scene.guess[b]]);
            let margin = self.margins[rod];
            let grown = 1.25 * scene.radius[a].max(scene.radius[b]) + margin;
            let tight = Box3::of([from[0], from[1], from[0] + to[0], from[1] + to[1]]).grown(grown);
            self.boxes[s] = tight;
            // Strands on the grid are not looked for one by one.
            if !scene.rods[rod].is_hair() {
                self.broad.place(s as u32, &tight, margin, to[0] + to[1]);
            }
        }
        self.box_strands();
    }

    /// Segments that may touch a shape.
    fn find_spots(&mut self) {
        self.spots.clear();
        for (index, placed) in self.colliders.iter() {
            let shape = &self.shapes[index as usize];
            let (low, high) = bounds(&*shape.shape.0, &shape.from);
            let (low_then, high_then) = bounds(&*shape.shape.0, &shape.to);
            let margin = self.margin_of(shape);
            // A corner that goes around leaves the box between its two places by no more than it goes.
            let swept = margin + shape.from.angle(&shape.to) * placed.extent.min(FAR);
            let around = Box3 {
                low: (low.min(low_then) - swept).max(DVec3::splat(-FAR)),
                high: (high.max(high_then) + swept).min(DVec3::splat(FAR)),
            };
            let list = &mut self.overlapping;
            list.clear();
            self.broad.overlapping(&around, |s| list.push(s));
            Self::add_hair_in(&self.strands, &self.scene, &around, list);
            list.sort_unstable();
            for &s in &*list {
                let rod = self.scene.rod_of[s as usize] as usize;
                let known = &self.scene.rods[rod];
                if !known.moves
                    || !known.layers.touches(placed.collider.layers)
                    || !self.boxes[s as usize].overlaps(&around)
                    || self.scene.is_excluded(&self.excluded, index, s as usize)
                {
                    continue;
                }
                let [a, b] = self.scene.ends[s as usize].map(|p| p as usize);
                let (from, to) = (&self.scene.start, &self.scene.guess);
                let reach = 0.5 * from[a].distance(from[b])
                    + 1.25 * self.scene.radius[a].max(self.scene.radius[b])
                    + self.margins[rod]
                    + to[a].length().max(to[b].length())
                    + shape.travel
                    + margin;
                self.found.clear();
                let middle = 0.5 * (from[a] + from[b]);
                near_point(&*shape.shape.0, &shape.from, middle, reach, &mut self.found);
                if !self.found.is_empty() {
                    self.spots.push((s, index));
                }
            }
        }
        self.spots.sort_unstable();
    }

    /// Rods that may touch each other make a group.
    fn unite(&mut self) {
        let rods = self.scene.rods.len();
        // Bodies that rods can move come after the rods.
        let all = rods + self.bodies.len();
        self.parents.clear();
        self.parents.extend(0..all as u32);
        let mut touched = std::mem::take(&mut self.group_of);
        touched.clear();
        touched.resize(all, LED);
        for &(a, b) in &self.near {
            let [a, b] = [a, b].map(|s| self.scene.rod_of[s as usize]);
            let moves = [a, b].map(|rod| self.scene.rods[rod as usize].moves);
            if moves == [true; 2] {
                let (a, b) = (root(&mut self.parents, a), root(&mut self.parents, b));
                self.parents[a.max(b) as usize] = a.min(b);
            }
            for (rod, moves) in [a, b].into_iter().zip(moves) {
                if moves {
                    touched[rod as usize] = 0;
                }
            }
        }
        self.holders.clear();
        self.holders.resize(self.shapes.len(), LED);
        for &(s, collider) in &self.spots {
            let rod = self.scene.rod_of[s as usize];
            touched[rod as usize] = 0;
            if let Some(body) = self.shapes[collider as usize].body {
                let (a, b) = (
                    root(&mut self.parents, rod),
                    root(&mut self.parents, rods as u32 + body),
                );
                self.parents[a.max(b) as usize] = a.min(b);
            } else if self.together && self.shapes[collider as usize].is_led() {
                let first = &mut self.holders[collider as usize];
                *first = (*first).min(rod);
                let (a, b) = (root(&mut self.parents, rod), root(&mut self.parents, *first));
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
        self.first_rod.clear();
        // An island is one system: where one of its rods touches something, all of it takes part.
        for rod in 0..rods {
            let Some((island, _)) = self.scene.rods[rod].island.filter(|_| self.scene.rods[rod].moves) else {
                continue;
            };
            let island = island as usize;
            self.first_rod.resize(self.first_rod.len().max(island + 1), LED);
            if self.first_rod[island] == LED {
                self.first_rod[island] = rod as u32;
                continue;
            }
            let (a, b) = (
                root(&mut self.parents, self.first_rod[island]),
                root(&mut self.parents, rod as u32),
            );
            self.parents[a.max(b) as usize] = a.min(b);
        }
        for (body, standing) in (rods as u32..).zip(&self.bodies) {
            let first = self.first_rod.get(standing.island as usize).filter(|rod| **rod != LED);
            if let Some(&rod) = first {
                let (a, b) = (root(&mut self.parents, rod), root(&mut self.parents, body));
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
        for rod in 0..rods {
            if touched[rod] != LED {
                let first = root(&mut self.parents, rod as u32) as usize;
                touched[first] = 0;
            }
        }
        for part in 0..all {
            let first = root(&mut self.parents, part as u32) as usize;
            if touched[first] != LED && self.scene.rods.get(part).is_none_or(|rod| rod.moves) {
                touched[part] = 0;
            }
        }
        // Groups are numbered by their first rods.
        self.count = 0;
        for part in 0..all {
            if touched[part] == LED {
                continue;
            }
            let first = root(&mut self.parents, part as u32) as usize;
            if first == part {
                touched[part] = self.count as u32;
                self.count += 1;
            } else {
                touched[part] = touched[first];
            }
        }
        self.group_of = touched;
        self.groups
            .resize_with(self.groups.len().max(self.count), Group::default);
    }

    /// Whether a rod is in a group.
    pub fn is_grouped(&self, rod: usize) -> bool {
        self.group_of.get(rod).is_some_and(|group| *group != LED)
    }

    /// The groups of this substep, and what is asked of them.
    pub fn groups_and_shapes(&mut self) -> (&mut [Group], &[ShapeNow]) {
        (&mut self.groups[..self.count], &self.shapes)
    }
}

pub(super) fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        let up = parents[parents[of as usize] as usize];
        parents[of as usize] = up;
        of = up;
    }
    of
}
