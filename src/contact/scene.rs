//! The rods of a world as contact sees them: points and segments in world space, and who may touch whom.

use std::{f64::consts::PI, ops::Range, sync::Arc};

use glam::DVec3;

use crate::{
    coupling::Island,
    rod::{RodDescription, Topology},
    state::{
        CollisionLayers, HairCollision, RodId,
        block::{Block, position, vector},
        rows::VertexRow,
    },
};

/// Where a rod lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    pub block: u32,
    pub lane: u32,
}

/// A rod of the scene.
#[derive(Clone, Debug)]
pub struct SceneRod {
    pub id: RodId,
    pub home: Home,
    pub description: Arc<RodDescription>,
    pub layers: CollisionLayers,
    pub hair: HairCollision,
    /// Segments that broke touch nothing.
    pub broken: usize,
    pub points: Range<usize>,
    pub segments: Range<usize>,
    /// Length of a loop; of others infinite, so that nobody comes around.
    pub around: f64,
    /// Pairs of segments that are near along the rod, of graphs.
    pub near: Vec<[u32; 2]>,
    /// Contact can move it: its solver lets it, and it is awake.
    pub moves: bool,
    /// The island that it is in, and its number there.
    pub island: Option<(u32, u32)>,
    /// It sleeps.
    pub rests: bool,
    /// How many times farther than usual it is looked for.
    pub slack: f64,
    /// How far outer forces alone would take a vertex in a substep, m.
    pub pushed: f64,
    /// The largest radius, m.
    pub radius: f64,
    /// The least EA, N.
    pub axial: f64,
}

/// See the head of the file.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub rods: Vec<SceneRod>,
    /// Of points: where they are at the start of a substep, where they would go, how thick and heavy.
    pub start: Vec<DVec3>,
    pub guess: Vec<DVec3>,
    pub radius: Vec<f64>,
    pub mass: Vec<f64>,
    /// Of segments: their points, their rod, how far along it they start, and how long they are.
    pub ends: Vec<[u32; 2]>,
    pub rod_of: Vec<u32>,
    pub along: Vec<f64>,
    pub length: Vec<f64>,
    pub whole: Vec<bool>,
    /// Block, island, number there, and whether it moves with the bodies.
    lodging: Vec<(u32, u32, u32, bool)>,
}

impl Scene {
    /// Take up who is there. Answers whether that changed.
    pub fn gather<'a>(&mut self, rods: impl Iterator<Item = (RodId, Home, &'a Block)> + Clone) -> bool {
        let same = rods.clone().count() == self.rods.len()
            && rods.clone().zip(&self.rods).all(|((id, home, block), known)| {
                block.rods[home.lane as usize].as_ref().is_some_and(|resident| {
                    known.id == id
                        && known.home == home
                        && Arc::ptr_eq(&known.description, &resident.description)
                        && known.layers == resident.layers
                        && known.hair == resident.hair
                        && known.broken == resident.broken.len()
                })
            });
        if !same {
            self.rebuild(rods.clone());
        }
        for ((_, home, block), rod) in rods.zip(&mut self.rods) {
            let willing = block.kind.solver.is_moved_by_contact();
            let resident = block.rods[home.lane as usize].as_ref();
            rod.rests = resident.is_some_and(|resident| !resident.quarantined && resident.sleep.asleep);
            rod.moves = willing && resident.is_some_and(|resident| !resident.quarantined && !resident.sleep.asleep);
        }
        !same
    }

    fn rebuild<'a>(&mut self, rods: impl Iterator<Item = (RodId, Home, &'a Block)>) {
        let Self {
            rods: list,
            start,
            guess,
            radius,
            mass,
            ends,
            rod_of,
            along,
            length,
            whole,
            lodging: _,
        } = self;
        list.clear();
        for lists in [&mut *start, &mut *guess] {
            lists.clear();
        }
        for lists in [&mut *radius, &mut *mass, &mut *along, &mut *length] {
            lists.clear();
        }
        ends.clear();
        rod_of.clear();
        whole.clear();
        for (id, home, block) in rods {
            let Some(resident) = &block.rods[home.lane as usize] else {
                continue;
            };
            if !block.kind.solver.is_moved_by_contact() {
                tracing::warn!(rod = ?id, solver = ?block.kind.solver, "contact does not move rods of this solver: they pass through things");
            }
            let rod = &resident.description;
            let (first_point, first_segment) = (start.len(), ends.len());
            let mut way = 0.0;
            for (s, segment) in rod.segments().iter().enumerate() {
                ends.push([segment.tail, segment.head].map(|v| v + first_point as u32));
                rod_of.push(list.len() as u32);
                along.push(way);
                length.push(segment.rest_length);
                whole.push(!resident.broken.contains(&(s as u32)));
                way += segment.rest_length;
            }
            // Nothing is thinner than a thousandth of a segment: a barrier without width would be a wall that nothing can see.
            let shortest = rod
                .segments()
                .iter()
                .fold(f64::INFINITY, |least, s| least.min(s.rest_length));
            for vertex in rod.vertices() {
                start.push(DVec3::ZERO);
                guess.push(DVec3::ZERO);
                radius.push(vertex.radius.max(1e-3 * shortest));
                mass.push(vertex.mass);
            }
            list.push(SceneRod {
                id,
                home,
                description: rod.clone(),
                layers: resident.layers,
                hair: resident.hair,
                broken: resident.broken.len(),
                points: first_point..start.len(),
                segments: first_segment..ends.len(),
                around: if rod.topology() == Topology::Loop {
                    way
                } else {
                    f64::INFINITY
                },
                near: if rod.topology() == Topology::Graph {
                    near_along(rod)
                } else {
                    Vec::new()
                },
                moves: false,
                island: None,
                rests: false,
                slack: 1.0,
                pushed: 0.0,
                radius: resident.radius.max(1e-3 * shortest),
                axial: rod.segments().iter().fold(f64::INFINITY, |least, s| least.min(s.axial)),
            });
        }
    }

    /// Which rods are in which islands; an island is solved by itself unless one of its rods touches something.
    pub fn find_islands(&mut self, islands: &[Island]) {
        self.lodging.clear();
        for (at, island) in (0u32..).zip(islands) {
            let members = (0u32..).zip(&island.members);
            self.lodging
                .extend(members.map(|(number, member)| (member.block, at, number, member.part.is_some())));
        }
        self.lodging.sort_unstable();
        for rod in &mut self.rods {
            rod.island = None;
            if let Ok(found) = self.lodging.binary_search_by_key(&rod.home.block, |entry| entry.0) {
                let (_, island, member, moves) = self.lodging[found];
                rod.island = Some((island, member));
                rod.moves &= moves;
            }
        }
    }

    /// Where the points of a rod are.
    pub fn read_start(&mut self, rod: usize, block: &Block) {
        let rod = &self.rods[rod];
        let lane = rod.home.lane as usize;
        let Some(resident) = &block.rods[lane] else { return };
        for (v, point) in rod.points.clone().enumerate() {
            let (row, at) = block.vertex_place(lane, v);
            let row = &block.vertices[row];
            self.start[point] = resident.origin + position(row, at);
            self.mass[point] = if row.free.0[at] > 0.0 {
                row.mass.0[at].into()
            } else {
                f64::INFINITY
            };
        }
    }

    /// It does not move, as far as anybody knows.
    pub fn forget_guess(&mut self, rod: usize) {
        self.guess[self.rods[rod].points.clone()].fill(DVec3::ZERO);
    }

    /// Where they went from rows at the start, or would go by their velocities.
    pub fn read_move(&mut self, rod: usize, block: &Block, start: &[VertexRow], h: f32, went: bool) {
        let index = rod;
        let rod = &self.rods[rod];
        let lane = rod.home.lane as usize;
        if block.rods[lane].is_none() {
            return;
        }
        let mut pushed: f64 = 0.0;
        for (v, point) in rod.points.clone().enumerate() {
            let (row, at) = block.vertex_place(lane, v);
            self.guess[point] = if went {
                position(&block.vertices[row], at) - position(&start[row], at)
            } else {
                vector(&start[row].velocity, at).as_dvec3() * f64::from(h)
            };
            // How far outer forces alone would take it.
            if let Some(row) = block.acceleration.get(row) {
                pushed = pushed.max(f64::from(vector(row, at).length() * h * h));
            }
        }
        self.rods[index].pushed = pushed;
        self.rods[index].slack = 1.0;
    }

    /// The segments that go before and after one along its rod, by their numbers there.
    pub fn beside(&self, segment: u32) -> [Option<u32>; 2] {
        let all = &self.rods[self.rod_of[segment as usize] as usize].segments;
        let s = segment as usize;
        let before = if s == all.start { all.end - 1 } else { s - 1 };
        let after = if s + 1 == all.end { all.start } else { s + 1 };
        let ends = &self.ends;
        // Only where they share a vertex: the last of an open rod does not go before the first, and the parts of a graph come in any order.
        [
            (ends[before][1] == ends[s][0], before),
            (ends[s][1] == ends[after][0], after),
        ]
        .map(|(joined, other)| joined.then(|| (other - all.start) as u32))
    }

    /// Whether one of the two can be moved.
    pub fn one_moves(&self, a: u32, b: u32) -> bool {
        let moves = |s: u32| self.rods[self.rod_of[s as usize] as usize].moves;
        moves(a) || moves(b)
    }

    /// Whether two segments may touch.
    pub fn may_touch(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        let (first, second) = (self.rod_of[a] as usize, self.rod_of[b] as usize);
        let (one, other) = (&self.rods[first], &self.rods[second]);
        one.layers.touches(other.layers) && (first != second || !self.are_near_along(a, b))
    }

    /// Whether two segments of one rod are so near along it that they can't touch but by bending tighter than the rod is thick.
    ///
    /// Bent to a half circle of its own radius a rod touches itself: the way around is π times the radius.
    fn are_near_along(&self, a: usize, b: usize) -> bool {
        let rod = &self.rods[self.rod_of[a] as usize];
        let (a, b) = (a.min(b), a.max(b));
        if rod.description.topology() == Topology::Graph {
            let pair = [a, b].map(|s| (s - rod.segments.start) as u32);
            return rod.near.binary_search(&pair).is_ok();
        }
        let thick = |s: usize| {
            self.ends[s]
                .iter()
                .fold(0.0, |most: f64, &p| most.max(self.radius[p as usize]))
        };
        let between = self.along[b] - (self.along[a] + self.length[a]);
        let around = rod.around - (self.along[b] + self.length[b]) + self.along[a];
        between.min(around) < 0.5 * PI * (thick(a) + thick(b))
    }
}

/// The pairs of segments of a graph that are near along it, sorted.
fn near_along(rod: &RodDescription) -> Vec<[u32; 2]> {
    let mut at: Vec<Vec<u32>> = vec![Vec::new(); rod.vertices().len()];
    for (s, segment) in (0u32..).zip(rod.segments()) {
        at[segment.tail as usize].push(s);
        at[segment.head as usize].push(s);
    }
    let thick = rod.vertices().iter().fold(0.0, |most: f64, v| most.max(v.radius));
    let far = PI * thick;
    let mut near = Vec::new();
    let mut open: Vec<(u32, f64)> = Vec::new();
    let mut seen: Vec<(u32, f64)> = Vec::new();
    for (s, segment) in (0u32..).zip(rod.segments()) {
        open.clear();
        seen.clear();
        open.extend([segment.tail, segment.head].map(|v| (v, 0.0)));
        while let Some((vertex, way)) = open.pop() {
            match seen.iter_mut().find(|(known, _)| *known == vertex) {
                Some((_, best)) if *best <= way => continue,
                Some((_, best)) => *best = way,
                None => seen.push((vertex, way)),
            }
            for &next in &at[vertex as usize] {
                near.push([s.min(next), s.max(next)]);
                let other = &rod.segments()[next as usize];
                let further = way + other.rest_length;
                if next != s && further < far {
                    open.extend([other.tail, other.head].map(|v| (v, further)));
                }
            }
        }
    }
    near.sort_unstable();
    near.dedup();
    near
}
