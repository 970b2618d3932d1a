//! From rods and what they may touch to the groups that are solved, and back.

use glam::DVec3;

use super::{
    body::GroupBody,
    group::{Group, LED, Owner, Point, System},
    look::{Pair, Spot, Usual},
    scene::{Scene, SceneRod},
    stage::Stage,
    standing::Standing,
    start::Lodger,
    step::Aside,
    touch::{MARK, Remembered},
};
use crate::{
    coupling::Island,
    solver::{Settings, direct::plan::Plan, stable_cosserat::rows::Substep},
    state::block::Block,
};

/// No barrier is made for more than this share of EA: a rod that is pressed so hard is crushed.
const STRONGEST: f64 = 0.1;
/// How much farther rods are looked for that strayed.
const WIDER: f64 = 6.0;

impl Stage {
    /// Lay out the groups; `blocks` are as at the start of the substep in the lanes of grouped rods.
    pub fn lay_out(
        &mut self,
        blocks: &mut [Option<Block>],
        islands: &mut [Island],
        settings: &Settings,
        substep: Substep,
    ) {
        for group in &mut self.groups {
            self.spare.extend(group.systems.drain(..).map(|system| system.memory));
            group.clear();
        }
        self.first_point.clear();
        self.first_point.resize(self.scene.rods.len(), LED);
        self.bodies.iter_mut().for_each(|body| body.number = LED);
        for rod in 0..self.scene.rods.len() {
            let Some(group) = self.groups.get_mut(self.group_of[rod] as usize) else {
                continue;
            };
            if self.first_point[rod] != LED {
                continue;
            }
            let known = &self.scene.rods[rod];
            let mut memory = self.spare.pop().unwrap_or_default();
            let first = group.points.len();
            let system = group.systems.len() as u32;
            let (plan, features, owner, bodies) = if let Some((at, _)) = known.island {
                let island = &mut islands[at as usize];
                let Some(plan) = island.plan.clone() else { continue };
                memory.reserve(&plan, 1);
                memory.reserve_contact(&plan);
                let features = island.lay_out(&mut memory, settings, substep.h);
                for other in rod..self.scene.rods.len() {
                    let Some((_, member)) = self.scene.rods[other].island.filter(|(island, _)| *island == at) else {
                        continue;
                    };
                    if let Some(part) = &island.members[member as usize].part {
                        self.first_point[other] = group.points.len() as u32;
                        let leash = self.margins[other];
                        add_points(group, &self.scene, other, system, part.vertices.start as u32, leash);
                    }
                }
                let own = self.bodies.iter_mut().filter(|body| body.island == at);
                own.for_each(|body| add_body(group, body, system, &plan));
                (
                    plan,
                    features,
                    Owner::Island(at),
                    Some(std::mem::take(&mut island.bodies)),
                )
            } else {
                let Some(block) = &mut blocks[known.home.block as usize] else {
                    continue;
                };
                let Some(plan) = block.plan(known.home.lane as usize) else {
                    continue;
                };
                memory.reserve(&plan, 1);
                memory.reserve_contact(&plan);
                let lodger = Lodger {
                    block,
                    lane: known.home.lane as usize,
                    plan: &plan,
                    memory: &mut memory,
                    substep,
                    arithmetic: settings.arithmetic,
                };
                let features = lodger.start();
                self.first_point[rod] = first as u32;
                add_points(group, &self.scene, rod, system, 0, self.margins[rod]);
                (plan, features, Owner::Rod(rod as u32), None)
            };
            group.systems.push(System {
                plan,
                memory,
                features,
                owner,
                bodies,
                points: first..group.points.len(),
                strayed: false,
                scale: 1.0,
                travel: 0.0,
                reach: 0.0,
                energy: 0.0,
            });
        }
        self.lay_out_bodies(islands, settings, substep);
        self.lay_out_pairs(islands);
        self.lay_out_spots(islands);
        self.share_memory();
        self.mark_crowds();
    }

    /// Bodies that are touched and that no rod is tied to.
    fn lay_out_bodies(&mut self, islands: &mut [Island], settings: &Settings, substep: Substep) {
        let groups = &self.group_of[self.scene.rods.len()..];
        for (body, group) in self.bodies.iter_mut().zip(groups) {
            let island = &mut islands[body.island as usize];
            let (Some(group), Some(plan)) = (self.groups.get_mut(*group as usize), island.plan.clone()) else {
                continue;
            };
            if body.number != LED {
                continue;
            }
            let mut memory = self.spare.pop().unwrap_or_default();
            memory.reserve(&plan, 1);
            memory.reserve_contact(&plan);
            let features = island.lay_out(&mut memory, settings, substep.h);
            let (first, system) = (group.points.len(), group.systems.len() as u32);
            add_body(group, body, system, &plan);
            group.systems.push(System {
                plan,
                memory,
                features,
                owner: Owner::Island(body.island),
                bodies: Some(std::mem::take(&mut island.bodies)),
                points: first..group.points.len(),
                strayed: false,
                scale: 1.0,
                travel: 0.0,
                reach: 0.0,
                energy: 0.0,
            });
        }
    }

    fn lay_out_pairs(&mut self, islands: &[Island]) {
        let scene = &self.scene;
        for &(a, b) in &self.near {
            let rods = [a, b].map(|s| scene.rod_of[s as usize] as usize);
            let Some(group) = rods.iter().map(|&rod| self.group_of[rod]).find(|group| *group != LED) else {
                continue;
            };
            let group = &mut self.groups[group as usize];
            let mut points = [[0; 2]; 2];
            for (side, (s, rod)) in [a, b].into_iter().zip(rods).enumerate() {
                let known = &scene.rods[rod];
                let local = |p: u32| p as usize - known.points.start;
                if known.moves {
                    points[side] = scene.ends[s as usize].map(|p| self.first_point[rod] + local(p) as u32);
                } else {
                    // What is led has its points anew in every pair: there are few.
                    points[side] = scene.ends[s as usize].map(|p| {
                        let p = p as usize;
                        group.led_travel = group.led_travel.max(scene.guess[p].length());
                        group.points.push(Point {
                            start: scene.start[p],
                            now: scene.start[p],
                            step: DVec3::ZERO,
                            radius: scene.radius[p],
                            mass: f64::INFINITY,
                            system: LED,
                            node: 0,
                            led: scene.guess[p],
                            leash: f64::INFINITY,
                        });
                        group.points.len() as u32 - 1
                    });
                }
            }
            let local = [a, b].map(|s| s - scene.rods[scene.rod_of[s as usize] as usize].segments.start as u32);
            let slots = rods.map(|rod| scene.rods[rod].id.index());
            let rubs = rods.map(|rod| scene.rods[rod].description.friction());
            let key = [slots[0], local[0], slots[1], local[1]];
            let friction = (rubs[0] * rubs[1]).sqrt();
            let strongest = STRONGEST * scene.rods[rods[0]].axial.min(scene.rods[rods[1]].axial);
            let segments = [0, 1].map(|side| first_segment(&scene.rods[rods[side]], islands) + local[side]);
            group.pairs.push(Pair {
                beside: [a, b].map(|s| scene.beside(s)),
                ..Pair::new(key, points, segments, friction, strongest)
            });
        }
    }

    fn lay_out_spots(&mut self, islands: &[Island]) {
        let scene = &self.scene;
        for &(s, collider) in &self.spots {
            let rod = scene.rod_of[s as usize] as usize;
            let known = &scene.rods[rod];
            let group = &mut self.groups[self.group_of[rod] as usize];
            let local = scene.ends[s as usize].map(|p| p - known.points.start as u32);
            let points = local.map(|p| self.first_point[rod] + p);
            let segment = s - known.segments.start as u32;
            let shape = &self.shapes[collider as usize];
            let spot = Spot {
                element: [known.id.index(), segment],
                points,
                segment: Some(first_segment(known, islands) + segment),
                collider,
                body: shape.body.map_or(LED, |body| self.bodies[body as usize].number),
                friction: (known.description.friction() * shape.friction).sqrt(),
                strongest: STRONGEST * known.axial,
                clear: 0.0,
            };
            if shape.body.is_none() {
                group.led_travel = group.led_travel.max(shape.travel);
            }
            group.spots.push(spot);
            for (vertex, point) in local.into_iter().zip(points) {
                let spot = Spot {
                    element: [known.id.index(), vertex | MARK],
                    points: [point; 2],
                    segment: None,
                    ..spot
                };
                group.spots.push(spot);
            }
        }
        // A vertex is between several segments: it is looked at once.
        for group in &mut self.groups[..self.count] {
            group.spots.sort_unstable_by_key(|spot| (spot.element, spot.collider));
            group.spots.dedup_by_key(|spot| (spot.element, spot.collider));
        }
    }

    /// Give every group what is remembered of its rods.
    fn share_memory(&mut self) {
        let rods = &self.scene.rods;
        for known in &self.remembered {
            let Ok(at) = rods.binary_search_by_key(&known.key[0], |rod| rod.id.index()) else {
                continue;
            };
            let other = rods.binary_search_by_key(&known.key[2], |rod| rod.id.index());
            let groups = [Some(at), other.ok().filter(|_| known.key[2] & MARK == 0)];
            let group = groups
                .into_iter()
                .flatten()
                .map(|rod| self.group_of[rod])
                .find(|group| *group != LED);
            if let Some(group) = group {
                let group = &mut self.groups[group as usize];
                group.remembered.push(*known);
                let between = [known.key[0], known.key[2]];
                let joules = known.joules;
                match group.usual.binary_search_by_key(&between, |usual| usual.between) {
                    Ok(at) => group.usual[at].joules = group.usual[at].joules.max(joules),
                    Err(at) => group.usual.insert(at, Usual { between, joules }),
                }
            }
        }
    }

    /// Whether the substep has to be done again: rods strayed from where somebody looked, and with the next look that is farther; or a shape came less far with some than with others.
    pub fn widen(&mut self, islands: &mut [Island]) -> bool {
        let strayed = self.groups[..self.count].iter().any(|group| group.strayed);
        if !strayed && !self.is_torn() {
            return false;
        }
        for system in self.groups[..self.count]
            .iter_mut()
            .flat_map(|group| &mut group.systems)
        {
            match system.owner {
                Owner::Rod(rod) if system.strayed => self.scene.rods[rod as usize].slack *= WIDER,
                Owner::Rod(_) => {}
                Owner::Island(at) => {
                    islands[at as usize].bodies = system.bodies.take().unwrap_or_default();
                    if system.strayed {
                        let members = self.scene.rods.iter_mut();
                        members
                            .filter(|rod| rod.island.is_some_and(|(island, _)| island == at))
                            .for_each(|rod| rod.slack *= WIDER);
                        let bodies = self.bodies.iter_mut().filter(|body| body.island == at);
                        bodies.for_each(|body| body.slack *= WIDER);
                    }
                }
            }
        }
        true
    }

    /// Write back what the groups found.
    pub fn write_back(
        &mut self,
        blocks: &mut [Option<Block>],
        islands: &mut [Island],
        asides: &mut [Aside],
        settings: &Settings,
        substep: Substep,
    ) {
        self.fresh.clear();
        for group in &mut self.groups[..self.count] {
            for system in &mut group.systems {
                let rod = match system.owner {
                    Owner::Rod(rod) => rod,
                    Owner::Island(at) => {
                        let island = &mut islands[at as usize];
                        island.bodies = system.bodies.take().unwrap_or_default();
                        island.take_back(&mut system.memory, settings, substep.h, group.report.iterations);
                        continue;
                    }
                };
                let home = self.scene.rods[rod as usize].home;
                let Some(block) = &mut blocks[home.block as usize] else {
                    continue;
                };
                let lodger = Lodger {
                    block: &mut *block,
                    lane: home.lane as usize,
                    plan: &system.plan,
                    memory: &mut system.memory,
                    substep,
                    arithmetic: settings.arithmetic,
                };
                lodger.finish(&mut asides[home.block as usize].outcome);
                block.iterations = block.iterations.saturating_add(group.report.iterations);
            }
            self.fresh
                .extend(group.touches.iter().map(|touch| touch.remember(&group.increments)));
        }
        // Nobody looked at what sleeps.
        let rods = &self.scene.rods;
        let rests = |slot: u32| {
            let at = rods.binary_search_by_key(&slot, |rod| rod.id.index());
            at.is_ok_and(|at| rods[at].rests)
        };
        let still = |known: &&Remembered| rests(known.key[0]) && (known.key[2] & MARK != 0 || rests(known.key[2]));
        self.fresh.extend(self.remembered.iter().filter(still));
        self.fresh.sort_unstable_by_key(|known| known.key);
        std::mem::swap(&mut self.fresh, &mut self.remembered);
    }
}

/// The vertices of a rod as points of a group.
fn add_points(group: &mut Group, scene: &Scene, rod: usize, system: u32, first: u32, leash: f64) {
    for (node, point) in (first..).zip(scene.rods[rod].points.clone()) {
        group.points.push(Point {
            start: scene.start[point],
            now: scene.start[point],
            step: DVec3::ZERO,
            radius: scene.radius[point],
            mass: scene.mass[point],
            system,
            node,
            led: scene.guess[point],
            leash,
        });
    }
}

/// The centre and the rotation of a body as points of a group.
fn add_body(group: &mut Group, body: &mut Standing, system: u32, plan: &Plan) {
    let frame = plan.segments.len() as u32 + body.body;
    let first = group.points.len() as u32;
    let center = Point {
        start: body.start.position,
        now: body.start.position,
        step: DVec3::ZERO,
        radius: f64::INFINITY,
        mass: body.mass,
        system,
        node: plan.first_body() as u32 + body.body,
        led: body.guess[0],
        // A body strays with its shapes: see there.
        leash: f64::INFINITY,
    };
    group.points.push(center);
    group.points.push(Point {
        start: DVec3::ZERO,
        now: DVec3::ZERO,
        mass: 0.0,
        node: plan.vertices as u32 + frame,
        led: body.guess[1],
        ..center
    });
    body.number = group.bodies.len() as u32;
    group.bodies.push(GroupBody {
        system,
        center: first,
        rotation: first + 1,
        frame,
        start: body.start,
        orientation: body.start.rotation,
        kept: DVec3::ZERO,
        swing: body.swing,
        leash: body.margin,
    });
}

/// Where the segments of a rod begin in the plan of its system.
fn first_segment(rod: &SceneRod, islands: &[Island]) -> u32 {
    let part = rod.island.and_then(|(island, member)| {
        let members = &islands[island as usize].members;
        members[member as usize].part.as_ref()
    });
    part.map_or(0, |part| part.segments.start as u32)
}
