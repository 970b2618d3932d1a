//! Islands from attachments, and what passes between them and the world in a step.

use std::{collections::HashMap, sync::Arc};

use glam::{DQuat, DVec3};

use super::{
    attachment::{Tie, TieTo},
    host::BodyState,
    island::{Form, Island, IslandTie, Key, Member, Source},
    motion::{Motion, impulse, velocities},
    registry::{Attachment, Coupling, HostBody},
};
use crate::{
    solver::{
        direct::plan::{Plan, Skeleton},
        step::Workers,
    },
    state::{
        RodId,
        block::{Block, Layout},
    },
};

impl Coupling {
    /// Make the islands from attachments whose rods are all there, each alone in its block, which `find` answers with its number.
    pub(super) fn rebuild<'a>(&mut self, find: impl Fn(RodId) -> Option<(u32, &'a Block)>) {
        self.changed = false;
        self.dynamic.clear();
        self.dynamic.extend(self.kept.bodies.iter().map(HostBody::is_dynamic));
        // Attachments of one island follow one another: rods are joined by the dynamic bodies that they share.
        let mut of_body: Vec<Option<usize>> = vec![None; self.kept.bodies.len()];
        let mut groups: Vec<Vec<u32>> = Vec::new(); // Slots of attachments.
        let mut group_of_rod: HashMap<RodId, usize> = HashMap::new();
        let slots: Vec<(u32, RodId, Option<usize>)> = (self.iter())
            .filter_map(|(id, attachment)| match attachment.spec.to {
                TieTo::Body { body, .. } => {
                    let at = self.kept.bodies.binary_search_by_key(&body, |b| b.id).ok()?;
                    // A body that never gave sound numbers ties nothing yet.
                    self.kept.bodies[at]
                        .state
                        .map(|_| (id.index, attachment.spec.rod, Some(at)))
                }
                TieTo::Point(_) => Some((id.index, attachment.spec.rod, None)),
            })
            .collect();
        for &(slot, rod, body) in &slots {
            let body = body.filter(|&b| self.dynamic[b]);
            let of_rod = group_of_rod.get(&rod).copied();
            let group = match (of_rod, body.and_then(|b| of_body[b])) {
                (Some(a), Some(b)) if a != b => {
                    // Two groups turn out to be one.
                    let moved = std::mem::take(&mut groups[b]);
                    groups[a].extend(moved);
                    let to = |g: &mut usize| {
                        if *g == b {
                            *g = a;
                        }
                    };
                    group_of_rod.values_mut().for_each(to);
                    of_body.iter_mut().flatten().for_each(to);
                    a
                }
                (Some(group), _) | (None, Some(group)) => group,
                (None, None) => {
                    groups.push(Vec::new());
                    groups.len() - 1
                }
            };
            group_of_rod.insert(rod, group);
            if let Some(body) = body {
                of_body[body] = Some(group);
            }
            groups[group].push(slot);
        }
        let mut old: HashMap<u32, Island> = (self.islands.drain(..))
            .filter_map(|island| Some((island.ties.first()?.attachment, island)))
            .collect();
        for mut group in groups.into_iter().filter(|group| !group.is_empty()) {
            group.sort_unstable();
            let Some(keys) = self.keys(&group, &find) else { continue };
            // What did not change is kept: its plan is dear.
            let same = old.remove(&group[0]).filter(|island| island.keys == keys);
            let island = same.or_else(|| self.island(&group, &find));
            if let Some(mut island) = island {
                island.keys = keys;
                self.find_bodies(&mut island);
                self.islands.push(island);
            }
        }
        self.seat();
    }

    /// What an island of some attachments is made from. `None` when a rod is not there.
    fn keys<'a>(&self, group: &[u32], find: &impl Fn(RodId) -> Option<(u32, &'a Block)>) -> Option<Vec<Key>> {
        let key = |&slot: &u32| {
            let attachment = self.attachment(slot)?;
            let (block, found) = find(attachment.spec.rod)?;
            let resident = found.rods[0].as_ref()?;
            Some(Key {
                attachment: self.name(slot),
                rod: attachment.spec.rod,
                block,
                form: match found.layout {
                    Layout::Chains => Form::Chain(found.kind.segments),
                    Layout::Graph(_) => Form::Graph(resident.description.clone()),
                },
                segment: attachment.segment,
                kind: attachment.spec.kind,
                joined: found.kind.solver.joins_bodies(self.contact),
                body: match attachment.spec.to {
                    TieTo::Body { body, .. } => Some(body),
                    TieTo::Point(_) => None,
                },
            })
        };
        group.iter().map(key).collect()
    }

    /// Where the bodies of an island stand among those that are read.
    fn find_bodies(&self, island: &mut Island) {
        for (tie, key) in island.ties.iter().zip(&island.keys) {
            let at = key
                .body
                .and_then(|body| self.bodies().binary_search_by_key(&body, |b| b.id).ok());
            island.sources[tie.body] = at.map_or(Source::Point(tie.attachment), Source::Host);
        }
    }

    /// Room for the islands in every worker.
    pub fn reserve(&self, workers: &mut Workers) {
        for plan in self.islands.iter().filter_map(|island| island.plan.as_ref()) {
            workers.reserve_plan(plan);
        }
    }

    /// The island of some attachments.
    fn island<'a>(&self, group: &[u32], find: &impl Fn(RodId) -> Option<(u32, &'a Block)>) -> Option<Island> {
        let mut island = Island::default();
        let mut skeleton = Skeleton::default();
        let mut rods: Vec<RodId> = Vec::new();
        let attachments: Vec<(u32, &Attachment)> = (group.iter())
            .filter_map(|&slot| Some((slot, self.attachment(slot)?)))
            .collect();
        for (_, attachment) in &attachments {
            let rod = attachment.spec.rod;
            if rods.contains(&rod) {
                continue;
            }
            let (number, block) = find(rod)?;
            let description = &block.rods[0].as_ref()?.description;
            let part = match &block.layout {
                _ if !block.kind.solver.joins_bodies(self.contact) => None,
                Layout::Chains => Some(skeleton.add_chain(block.kind.segments)),
                Layout::Graph(_) => Some(skeleton.add_graph(description)),
            };
            island.members.push(Member { block: number, part });
            rods.push(rod);
        }
        for (slot, attachment) in &attachments {
            let source = match attachment.spec.to {
                TieTo::Body { body, .. } => Source::Host(self.kept.bodies.binary_search_by_key(&body, |b| b.id).ok()?),
                TieTo::Point(_) => Source::Point(*slot),
            };
            let known = island.sources.iter().position(|other| *other == source);
            let body = known.unwrap_or(island.sources.len());
            if known.is_none() {
                island.sources.push(source);
                skeleton.add_body();
            }
            let member = rods.iter().position(|rod| *rod == attachment.spec.rod)?;
            island.ties.push(tie(*slot, attachment, member, body));
        }
        let mut ties = 0;
        for tie in &mut island.ties {
            let Some(part) = &island.members[tie.member].part else {
                continue;
            };
            let segment = part.segments.start as u32 + tie.segment;
            skeleton.add_tie(segment, tie.body as u32);
            tie.tie = Some(ties);
            ties += 1;
            if tie.spec.kind == Tie::Weld {
                tie.joint = Some(skeleton.add_weld(tie.body as u32, segment));
            }
        }
        island.direct = ties > 0;
        island.plan = Some(Arc::new(Plan::new(&skeleton)));
        island.make_room(ties);
        Some(island)
    }

    /// Give islands the state of their bodies and the blocks of their rods.
    pub fn lend(&mut self, blocks: &mut [Option<Block>], dt: f32) {
        for island in &mut self.islands {
            for body in 0..island.sources.len() {
                match island.sources[body] {
                    Source::Host(at) => {
                        let host = &self.kept.bodies[at];
                        if let Some(state) = host.state {
                            let still = BodyState::fixed(state.position, state.orientation);
                            let seen = if host.refused {
                                still
                            } else {
                                host.load.bear(&state, dt.into())
                            };
                            island.load(body, &seen);
                            if let Some(motion) = host.motion.filter(|_| host.is_dynamic()) {
                                motion.resume(&seen, &mut island.bodies.bodies[body]);
                            }
                        }
                    }
                    Source::Point(slot) => {
                        if let Some(attachment) = &self.kept.slots[slot as usize].attachment
                            && let TieTo::Point(place) = attachment.spec.to
                        {
                            // Led evenly over the substeps: all at once would be a blow.
                            let from = attachment.place.unwrap_or(place);
                            let linear_velocity = (place - from) / f64::from(dt);
                            let still = BodyState::fixed(from, DQuat::IDENTITY);
                            island.load(
                                body,
                                &BodyState {
                                    linear_velocity,
                                    ..still
                                },
                            );
                        }
                    }
                }
            }
            if let ([], [body]) = (&island.members[..], &island.bodies.bodies[..]) {
                island.started = [body.linear_velocity, body.angular_velocity];
            }
            let lent = island.members.iter().filter_map(|m| blocks[m.block as usize].take());
            island.blocks.extend(lent);
            for tie in &mut island.ties {
                if let Some(attachment) = &self.kept.slots[tie.attachment as usize].attachment {
                    let resident = island.blocks[tie.member].rods[0].as_ref();
                    tie.aim(attachment, resident);
                }
            }
        }
    }

    pub fn islands_mut(&mut self) -> &mut [Island] {
        &mut self.islands
    }

    /// Take the blocks back, and what the islands did to bodies and attachments.
    pub fn give_back(&mut self, blocks: &mut [Option<Block>], dt: f32) {
        for island in &mut self.islands {
            for (member, block) in island.members.iter().zip(island.blocks.drain(..)) {
                blocks[member.block as usize] = Some(block);
            }
            for (source, body) in island.sources.iter().zip(&island.bodies.bodies) {
                let Source::Host(at) = *source else { continue };
                let host = &mut self.kept.bodies[at];
                let before = host.motion.take();
                if island.members.is_empty() && !island.touched {
                    host.leave(before, island.started, dt);
                    continue;
                }
                if let Some(state) = host.state.filter(|_| host.is_dynamic()) {
                    let seen = host.load.bear(&state, dt.into());
                    let given = velocities(&seen, body, dt.into());
                    let impulse = impulse(&seen, body, given, dt.into());
                    if !(impulse.linear.is_finite() && impulse.angular.is_finite()) {
                        continue; // A rod went bad and is reported; its body goes on without it.
                    }
                    host.impulse = impulse;
                    host.load.expect(&state, &host.impulse, dt.into());
                    host.motion = Some(Motion {
                        given,
                        center: body.center,
                        velocity: [body.linear_velocity, body.angular_velocity],
                        history: body.history,
                    });
                }
            }
            for tie in &island.ties {
                if let Some(attachment) = &mut self.kept.slots[tie.attachment as usize].attachment {
                    attachment.force = tie.force;
                    attachment.torque = tie.torque;
                    attachment.gap = tie.gap;
                    attachment.angle = tie.angle;
                    attachment.spec.frame = tie.spec.frame; // A weld keeps the frame that it started with.
                    if let TieTo::Point(place) = attachment.spec.to {
                        attachment.place = Some(place);
                    }
                }
            }
        }
    }
}

fn tie(slot: u32, attachment: &Attachment, member: usize, body: usize) -> IslandTie {
    IslandTie {
        attachment: slot,
        member,
        body,
        segment: attachment.segment,
        along: attachment.along,
        spec: attachment.spec,
        tie: None,
        joint: None,
        turning: [0.0; 3],
        turning_relaxation: 0.0,
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
        gap: DVec3::ZERO,
        angle: 0.0,
        broken: false,
    }
}
