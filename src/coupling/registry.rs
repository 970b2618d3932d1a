//! All attachments of a world, and the islands that they make.
//!
//! Islands are made anew when something changed: an attachment came or went, a rod was put elsewhere, a body became dynamic or stopped being so.
//! Between such changes a step allocates nothing.

use std::collections::HashMap;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::{
    attachment::{AttachmentId, AttachmentSpec, AttachmentState, Tie, TieTo},
    host::{BodyId, BodyImpulse, BodyState, HostBodies},
    island::{Island, IslandTie, Member, Source, inertia, weld_stiffness},
};
use crate::{
    rod::RodDescription,
    solver::{
        Solver,
        direct::{
            bodies::{Body, BodyHistory, rotation_since},
            plan::{Plan, Skeleton},
        },
        step::Workers,
    },
    state::{
        RodId,
        block::{Block, Layout},
    },
};

/// An attachment.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attachment {
    pub spec: AttachmentSpec,
    pub segment: u32,
    pub along: f64,
    /// As of the last step.
    pub force: DVec3,
    pub torque: DVec3,
    pub gap: DVec3,
    pub angle: f64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    generation: u32,
    attachment: Option<Attachment>,
}

/// A body of the host that something is tied to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostBody {
    pub id: BodyId,
    /// As it was read for this step; the last sound one while the host gives nonsense.
    pub state: Option<BodyState>,
    /// The host's numbers are not sound.
    pub refused: bool,
    pub impulse: BodyImpulse,
    /// How it left the last step.
    motion: Option<Motion>,
}

/// How a body left a step.
///
/// The host moves a body by its velocity alone, so that it is given the velocity that takes it from where it was to where the rods have it: the mean of the step. The velocity
/// that it really has at the end (after several substeps, or by BDF2) is kept here, and goes on from there as long as the host only adds to it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Motion {
    /// What the host was given, and where that takes it: velocities, m/s and rad/s, and centre of mass, m.
    given: [DVec3; 2],
    center: DVec3,
    /// What the body has.
    velocity: [DVec3; 2],
    history: Option<BodyHistory>,
}

impl Motion {
    /// The body's own velocities and memory, if the host did with it what it was asked for. A blow, or being put elsewhere, is a new start.
    fn resume(&self, state: &BodyState, body: &mut Body) {
        let now = [state.linear_velocity, state.angular_velocity];
        let more = [now[0] - self.given[0], now[1] - self.given[1]];
        let calm = |k: usize| more[k].length() <= 0.05 * self.given[k].length() + 0.05;
        // By an adapter that integrates otherwise a body is off by some g dt²; further than that it was moved.
        if calm(0) && calm(1) && state.center().distance(self.center) < 0.02 {
            body.linear_velocity = self.velocity[0] + more[0];
            body.angular_velocity = self.velocity[1] + more[1];
            body.history = self.history;
        }
    }
}

impl HostBody {
    fn is_dynamic(&self) -> bool {
        !self.refused && self.state.is_some_and(|state| state.is_dynamic())
    }
}

/// The attachments of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupling {
    kept: Kept,
    islands: Vec<Island>,
    /// Which of the bodies were dynamic when the islands were made.
    dynamic: Vec<bool>,
    changed: bool,
}

/// What a snapshot keeps of them: all that islands are made from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// In the order of their names.
    pub(super) bodies: Vec<HostBody>,
    /// Rods that have a block of their own because they are tied.
    pub(super) tied: Vec<RodId>,
}

impl Kept {
    /// Whether it fits a world whose rods `find` answers; else the slot that does not.
    pub fn check<'a>(&self, find: impl Fn(RodId) -> Option<&'a RodDescription>) -> Result<(), usize> {
        for (index, slot) in self.slots.iter().enumerate() {
            let Some(attachment) = &slot.attachment else { continue };
            let fits = attachment.spec.validate().is_ok()
                && (0.0..=1.0).contains(&attachment.along)
                && find(attachment.spec.rod).is_some_and(|rod| (attachment.segment as usize) < rod.segments().len());
            if !fits {
                return Err(index);
            }
        }
        let mut free = vec![false; self.slots.len()];
        for &index in &self.free {
            let slot = self.slots.get(index as usize);
            let once = free
                .get_mut(index as usize)
                .is_some_and(|seen| !std::mem::replace(seen, true));
            if !once || slot.is_none_or(|slot| slot.attachment.is_some()) {
                return Err(index as usize);
            }
        }
        let sound = |body: &HostBody| body.state.is_none_or(|state| state.is_sound());
        let ordered = self.bodies.is_sorted_by(|a, b| a.id < b.id) && self.tied.is_sorted();
        match ordered && self.bodies.iter().all(sound) {
            true => Ok(()),
            false => Err(0),
        }
    }
}

/// What reading the host's bodies brought to light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Finding {
    /// The body of an attachment is gone.
    Lost(AttachmentId, RodId),
    /// The host's numbers of a body are not sound.
    Refused(BodyId),
}

impl Coupling {
    /// Something that islands are made of is not what it was.
    pub fn touch(&mut self) {
        self.changed = true;
    }

    /// The material of a rod is elsewhere: its attachments go along.
    pub fn remap(&mut self, rod: RodId, place: impl Fn(u32, f64) -> Option<(RodId, u32, f64)>) {
        for slot in &mut self.kept.slots {
            let Some(attachment) = slot.attachment.as_mut().filter(|a| a.spec.rod == rod) else {
                continue;
            };
            let before = (rod, attachment.segment, attachment.along);
            if let Some(after) = place(attachment.segment, attachment.along)
                && after != before
            {
                (attachment.spec.rod, attachment.segment, attachment.along) = after;
                self.changed = true;
            }
        }
    }

    /// What a snapshot keeps.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Go back to what a snapshot kept.
    pub fn restore(&mut self, kept: &Kept) {
        self.kept.clone_from(kept);
        self.changed = true;
    }

    pub(super) fn bodies(&self) -> &[HostBody] {
        &self.kept.bodies
    }

    /// The rods that are tied now, in order; answers those that were.
    pub(super) fn set_tied(&mut self, tied: Vec<RodId>) -> Vec<RodId> {
        std::mem::replace(&mut self.kept.tied, tied)
    }

    pub(super) fn insert(&mut self, attachment: Attachment) -> AttachmentId {
        self.changed = true;
        let index = self.kept.free.pop().unwrap_or_else(|| {
            self.kept.slots.push(Slot {
                generation: 0,
                attachment: None,
            });
            self.kept.slots.len() as u32 - 1
        });
        let slot = &mut self.kept.slots[index as usize];
        slot.attachment = Some(attachment);
        AttachmentId {
            index,
            generation: slot.generation,
        }
    }

    pub(super) fn remove(&mut self, id: AttachmentId) -> Option<Attachment> {
        let slot = self.kept.slots.get_mut(id.index as usize)?;
        let gone = slot.attachment.take_if(|_| slot.generation == id.generation)?;
        self.changed = true;
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.kept.free.push(id.index);
        }
        Some(gone)
    }

    pub(super) fn get(&self, id: AttachmentId) -> Option<&Attachment> {
        let slot = self.kept.slots.get(id.index as usize)?;
        slot.attachment.as_ref().filter(|_| slot.generation == id.generation)
    }

    pub(super) fn get_mut(&mut self, id: AttachmentId) -> Option<&mut Attachment> {
        let slot = self.kept.slots.get_mut(id.index as usize)?;
        slot.attachment.as_mut().filter(|_| slot.generation == id.generation)
    }

    /// In the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (AttachmentId, &Attachment)> {
        (0u32..).zip(&self.kept.slots).filter_map(|(index, slot)| {
            let id = AttachmentId {
                index,
                generation: slot.generation,
            };
            slot.attachment.as_ref().map(|attachment| (id, attachment))
        })
    }

    pub(super) fn name(&self, slot: u32) -> AttachmentId {
        AttachmentId {
            index: slot,
            generation: self.kept.slots[slot as usize].generation,
        }
    }

    /// Ask the host for every body that something is tied to.
    pub(super) fn read(&mut self, host: &dyn HostBodies, mut found: impl FnMut(Finding)) {
        if self.changed {
            let mut names: Vec<BodyId> = (self.iter())
                .filter_map(|(_, attachment)| match attachment.spec.to {
                    TieTo::Body { body, .. } => Some(body),
                    TieTo::Point(_) => None,
                })
                .collect();
            names.sort_unstable();
            names.dedup();
            let known = std::mem::take(&mut self.kept.bodies);
            let fresh = |id: BodyId| HostBody {
                id,
                state: None,
                refused: false,
                impulse: BodyImpulse::default(),
                motion: None,
            };
            let find = |id: BodyId| known.iter().find(|body| body.id == id).copied();
            self.kept.bodies = names.into_iter().map(|id| find(id).unwrap_or(fresh(id))).collect();
        }
        let mut lost = false;
        for body in &mut self.kept.bodies {
            body.impulse = BodyImpulse::default();
            match host.body(body.id) {
                Some(state) if state.is_sound() => {
                    body.state = Some(state);
                    body.refused = false;
                }
                Some(_) => {
                    if !body.refused {
                        found(Finding::Refused(body.id));
                    }
                    body.refused = true;
                }
                None => {
                    body.state = None;
                    body.refused = false;
                    lost = true;
                }
            }
        }
        if lost {
            let gone: Vec<AttachmentId> = (self.iter())
                .filter(|(_, attachment)| match attachment.spec.to {
                    TieTo::Body { body, .. } => self.host_body(body).is_none_or(|b| b.state.is_none() && !b.refused),
                    TieTo::Point(_) => false,
                })
                .map(|(id, _)| id)
                .collect();
            for id in gone {
                if let Some(attachment) = self.remove(id) {
                    found(Finding::Lost(id, attachment.spec.rod));
                }
            }
            self.kept.bodies.retain(|body| body.state.is_some() || body.refused);
        }
        let same = self.dynamic.len() == self.kept.bodies.len()
            && self
                .kept
                .bodies
                .iter()
                .zip(&self.dynamic)
                .all(|(body, was)| body.is_dynamic() == *was);
        self.changed |= !same;
    }

    fn host_body(&self, id: BodyId) -> Option<&HostBody> {
        let at = self.kept.bodies.binary_search_by_key(&id, |body| body.id).ok()?;
        Some(&self.kept.bodies[at])
    }

    /// Whether islands have to be made anew.
    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }

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
        self.islands.clear();
        for mut group in groups.into_iter().filter(|group| !group.is_empty()) {
            group.sort_unstable();
            if let Some(island) = self.island(&group, &find) {
                self.islands.push(island);
            }
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
            .filter_map(|&slot| Some((slot, self.kept.slots[slot as usize].attachment.as_ref()?)))
            .collect();
        for (_, attachment) in &attachments {
            let rod = attachment.spec.rod;
            if rods.contains(&rod) {
                continue;
            }
            let (number, block) = find(rod)?;
            let description = &block.rods[0].as_ref()?.description;
            let part = match (block.kind.solver, &block.layout) {
                (Solver::StableCosserat { .. } | Solver::Elastic { .. }, _) => None,
                (_, Layout::Chains) => Some(skeleton.add_chain(block.kind.segments)),
                (_, Layout::Graph(_)) => Some(skeleton.add_graph(description)),
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
            let (_, block) = find(attachment.spec.rod)?;
            let description = &block.rods[0].as_ref()?.description;
            island.ties.push(tie(*slot, attachment, member, body, description));
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
            if tie.kind == Tie::Weld {
                tie.joint = Some(skeleton.add_weld(tie.body as u32, segment));
            }
        }
        if ties > 0 {
            island.plan = Some(Plan::new(&skeleton));
        }
        let idle = Body {
            center: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            mass: None,
            inertia: None,
            history: None,
        };
        island.bodies.bodies = vec![idle; island.sources.len()];
        island.offsets = vec![DVec3::ZERO; island.sources.len()];
        island.bodies.ties = vec![Default::default(); ties];
        island.blocks.reserve(island.members.len());
        island.outcomes = vec![Default::default(); island.members.len()];
        island.lumps.reserve(island.ties.len());
        Some(island)
    }

    /// Give islands the state of their bodies and the blocks of their rods.
    pub fn lend(&mut self, blocks: &mut [Option<Block>]) {
        for island in &mut self.islands {
            for body in 0..island.sources.len() {
                match island.sources[body] {
                    Source::Host(at) => {
                        let host = &self.kept.bodies[at];
                        if let Some(state) = host.state {
                            let still = BodyState::fixed(state.position, state.orientation);
                            island.load(body, if host.refused { &still } else { &state });
                            if let Some(motion) = host.motion.filter(|_| host.is_dynamic()) {
                                motion.resume(&state, &mut island.bodies.bodies[body]);
                            }
                        }
                    }
                    Source::Point(slot) => {
                        let attachment = self.kept.slots[slot as usize].attachment.as_ref();
                        if let Some(TieTo::Point(place)) = attachment.map(|a| a.spec.to) {
                            island.load(body, &BodyState::fixed(place, DQuat::IDENTITY));
                        }
                    }
                }
            }
            // A weld without a frame of its own keeps the one that it started with.
            for tie in &mut island.ties {
                let attachment = self.kept.slots[tie.attachment as usize].attachment.as_ref();
                tie.frame = attachment.and_then(|a| a.spec.frame);
            }
            let lent = island.members.iter().filter_map(|m| blocks[m.block as usize].take());
            island.blocks.extend(lent);
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
                host.motion = None;
                if let Some(state) = host.state.filter(|_| host.is_dynamic()) {
                    let given = velocities(&state, body, dt.into());
                    host.impulse = impulse(&state, body, given, dt.into());
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
                    attachment.spec.frame = tie.frame;
                }
            }
        }
    }

    /// Attachments that gave way in the last step, with their force.
    pub(super) fn broken(&self) -> impl Iterator<Item = (AttachmentId, DVec3)> + '_ {
        let ties = self.islands.iter().flat_map(|island| &island.ties);
        ties.filter(|tie| tie.broken)
            .map(|tie| (self.name(tie.attachment), tie.force))
    }

    /// The most iterations that an island took in the last step.
    pub fn iterations(&self) -> u32 {
        self.islands.iter().fold(0, |most, island| most.max(island.iterations))
    }
}

/// The velocities that take a body from where it was before the step to where it is at its end.
fn velocities(before: &BodyState, after: &Body, dt: f64) -> [DVec3; 2] {
    let turn = rotation_since(after.orientation * before.orientation.normalize().conjugate()).0;
    // More than half a turn looks like less the other way round.
    let fast = after.angular_velocity.length() * dt > 2.5;
    [
        (after.center - before.center()) / dt,
        if fast { after.angular_velocity } else { turn / dt },
    ]
}

/// What gives a body these velocities, beside what the host does by itself.
fn impulse(before: &BodyState, after: &Body, given: [DVec3; 2], dt: f64) -> BodyImpulse {
    let linear = after.mass.map_or(DVec3::ZERO, |mass| {
        (given[0] - before.linear_velocity - before.acceleration * dt) * mass
    });
    let inertia = inertia(before.inverse_inertia).filter(|_| after.inertia.is_some());
    let angular = inertia.map_or(DVec3::ZERO, |inertia| inertia * (given[1] - before.angular_velocity));
    BodyImpulse { linear, angular }
}

fn tie(slot: u32, attachment: &Attachment, member: usize, body: usize, rod: &RodDescription) -> IslandTie {
    let spec = &attachment.spec;
    let (turning, turning_relaxation) = match spec.kind {
        Tie::Ball => ([0.0; 3], 0.0),
        Tie::Weld => weld_stiffness(rod, attachment.segment, attachment.along),
    };
    IslandTie {
        attachment: slot,
        member,
        body,
        segment: attachment.segment,
        along: attachment.along,
        kind: spec.kind,
        anchor: match spec.to {
            TieTo::Body { anchor, .. } => anchor,
            TieTo::Point(_) => DVec3::ZERO,
        },
        frame: spec.frame,
        stiffness: spec.stiffness,
        relaxation: spec.relaxation,
        max_force: spec.max_force,
        break_force: spec.break_force,
        break_torque: spec.break_torque,
        tie: None,
        joint: None,
        turning,
        turning_relaxation,
        force: DVec3::ZERO,
        torque: DVec3::ZERO,
        gap: DVec3::ZERO,
        angle: 0.0,
        broken: false,
    }
}

impl Attachment {
    pub(super) fn state(&self) -> AttachmentState {
        AttachmentState {
            rod: self.spec.rod,
            segment: self.segment,
            along: self.along,
            to: self.spec.to,
            kind: self.spec.kind,
            force: self.force,
            torque: self.torque,
            gap: self.gap,
            angle: self.angle,
        }
    }
}
