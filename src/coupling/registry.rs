//! All attachments of a world, and the islands that they make.
//!
//! Islands are made anew when something changed: an attachment came or went, a rod was put elsewhere, a body became dynamic or stopped being so.
//! Between such changes a step allocates nothing.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    attachment::{AttachmentId, AttachmentSpec, AttachmentState, TieTo},
    host::{BodyId, BodyImpulse, BodyState, HostBodies},
    island::Island,
    load::Load,
    motion::Motion,
    standing::{Held, Seat},
};
use crate::{rod::RodDescription, state::RodId};

/// An attachment.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attachment {
    pub spec: AttachmentSpec,
    pub segment: u32,
    pub along: f64,
    /// Where the place that it holds to was at the end of the last step, if it holds to one.
    pub place: Option<DVec3>,
    /// As of the last step.
    pub force: DVec3,
    pub torque: DVec3,
    pub gap: DVec3,
    pub angle: f64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slot {
    pub generation: u32,
    pub attachment: Option<Attachment>,
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
    pub motion: Option<Motion>,
    /// What the host does to it besides.
    pub load: Load,
}

impl HostBody {
    pub fn is_dynamic(&self) -> bool {
        !self.refused && self.state.is_some_and(|state| state.is_dynamic())
    }
}

/// The attachments of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coupling {
    pub(super) kept: Kept,
    pub(super) islands: Vec<Island>,
    /// Which of the bodies were dynamic when the islands were made.
    pub(super) dynamic: Vec<bool>,
    pub(super) changed: bool,
    /// Rods touch things: all that contact moves are one system with their bodies.
    pub(super) contact: bool,
    /// Bodies that shapes stand on, in the order of their names, and how they go through a step.
    pub(super) standing: Vec<BodyId>,
    pub(super) seats: Vec<Seat>,
    /// What is tied to bodies, sorted.
    pub(super) held: Vec<Held>,
}

/// What a snapshot keeps of them: all that islands are made from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    pub(super) slots: Vec<Slot>,
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
                && attachment.place.is_none_or(|place| place.is_finite())
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
    /// A body that shapes stand on is gone.
    Gone(BodyId),
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

    /// The attachment in a slot.
    pub(super) fn attachment(&self, slot: u32) -> Option<&Attachment> {
        self.kept.slots.get(slot as usize)?.attachment.as_ref()
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

    /// Ask the host for every body that something is tied to, or that shapes stand on.
    pub(super) fn read(
        &mut self,
        host: &dyn HostBodies,
        standing: impl Iterator<Item = BodyId>,
        mut found: impl FnMut(Finding),
    ) {
        if self.changed {
            self.standing.clear();
            self.standing.extend(standing);
            self.standing.sort_unstable();
            self.standing.dedup();
            let mut names: Vec<BodyId> = (self.iter())
                .filter_map(|(_, attachment)| match attachment.spec.to {
                    TieTo::Body { body, .. } => Some(body),
                    TieTo::Point(_) => None,
                })
                .collect();
            names.extend(&self.standing);
            names.sort_unstable();
            names.dedup();
            let known = std::mem::take(&mut self.kept.bodies);
            let fresh = |id: BodyId| HostBody {
                id,
                state: None,
                refused: false,
                impulse: BodyImpulse::default(),
                motion: None,
                load: Load::default(),
            };
            let find = |id: BodyId| known.binary_search_by_key(&id, |body| body.id).ok().map(|at| known[at]);
            self.kept.bodies = names.into_iter().map(|id| find(id).unwrap_or(fresh(id))).collect();
        }
        let mut lost = false;
        for body in &mut self.kept.bodies {
            body.impulse = BodyImpulse::default();
            match host.body(body.id) {
                Some(state) if state.is_sound() => {
                    body.state = Some(state);
                    body.refused = false;
                    body.load.observe(&state);
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
            let bodies = &self.kept.bodies;
            self.standing.retain(|&body| {
                let there = bodies.binary_search_by_key(&body, |known| known.id).is_ok();
                if !there {
                    found(Finding::Gone(body));
                }
                there
            });
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

    /// Whether rods touch things.
    pub(super) fn set_contact(&mut self, contact: bool) {
        self.changed |= self.contact != contact;
        self.contact = contact;
    }

    /// Whether islands have to be made anew.
    pub(super) fn has_changed(&self) -> bool {
        self.changed
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
