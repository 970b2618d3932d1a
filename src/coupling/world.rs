//! Attachments as a world offers them.

use bytemuck::Zeroable;
use glam::DVec3;

use super::{
    attachment::{AttachError, AttachmentId, AttachmentSpec, AttachmentState, Tie, TieTo},
    host::{BodyId, HostBodies},
    registry::{Attachment, Finding},
};
use crate::{
    solver::{Solver, Unsupported},
    state::{Event, RodId, RodWorld, rows::ExtraRow},
};

impl RodWorld {
    /// Tie a point of a rod to a body of the host, or to a place. It takes hold with the next step.
    pub fn attach(&mut self, spec: AttachmentSpec) -> Result<AttachmentId, AttachError> {
        spec.validate()?;
        let rod = self.rod(spec.rod).ok_or(AttachError::NoRod)?;
        if rod.is_quarantined() {
            return Err(AttachError::Quarantined);
        }
        let (segment, along) = rod.description().locate(spec.at)?;
        let solver = self.block_of(spec.rod).map(|(_, block)| block.kind.solver);
        if let Some(Solver::GeneralizedAlpha { .. }) = solver {
            return Err(Unsupported::Attachment.into());
        }
        let doubled = self.coupling.iter().any(|(_, other)| {
            other.spec.rod == spec.rod
                && other.segment == segment
                && other.spec.kind == Tie::Weld
                && matches!((other.spec.to, spec.to), (TieTo::Body { body: a, .. }, TieTo::Body { body: b, .. }) if a == b)
        });
        if doubled && spec.kind == Tie::Weld {
            return Err(AttachError::Welded { segment });
        }
        if let Some(mut rod) = self.rod_mut(spec.rod) {
            rod.wake();
        }
        Ok(self.coupling.insert(Attachment {
            spec: AttachmentSpec {
                frame: spec.frame.map(|frame| frame.normalize()),
                ..spec
            },
            segment,
            along,
            place: match spec.to {
                TieTo::Point(place) => Some(place),
                TieTo::Body { .. } => None,
            },
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            gap: DVec3::ZERO,
            angle: 0.0,
        }))
    }

    /// Let go. `None` when it is not there.
    pub fn detach(&mut self, id: AttachmentId) -> Option<AttachmentState> {
        self.coupling.remove(id).map(|attachment| attachment.state())
    }

    /// What an attachment does. `None` when it is not there.
    pub fn attachment(&self, id: AttachmentId) -> Option<AttachmentState> {
        self.coupling.get(id).map(Attachment::state)
    }

    /// All attachments, in the order of their slots.
    pub fn attachments(&self) -> impl Iterator<Item = (AttachmentId, AttachmentState)> + '_ {
        self.coupling.iter().map(|(id, attachment)| (id, attachment.state()))
    }

    /// Move what an attachment holds to: the anchor on the body, or the place in the world that it is tied to. Dragging a rope is this, once a frame.
    pub fn move_attachment(&mut self, id: AttachmentId, place: DVec3) -> Result<(), AttachError> {
        if !place.is_finite() {
            return Err(AttachError::bad("anchor", place.to_string()));
        }
        let attachment = self.coupling.get_mut(id).ok_or(AttachError::NoAttachment)?;
        match &mut attachment.spec.to {
            TieTo::Body { anchor, .. } => *anchor = place,
            TieTo::Point(point) => *point = place,
        }
        Ok(())
    }

    /// Read the host's bodies, and make the islands anew where something changed.
    pub(crate) fn read_bodies(&mut self, host: &dyn HostBodies) {
        let gone: Vec<AttachmentId> = if self.coupling.has_changed() {
            let all = self.coupling.iter().map(|(id, attachment)| (id, attachment.spec.rod));
            all.filter(|(_, rod)| !self.contains(*rod)).map(|(id, _)| id).collect()
        } else {
            Vec::new()
        };
        for id in gone {
            self.coupling.remove(id);
        }
        let contact = self.settings.contact.is_some();
        self.coupling.set_contact(contact);
        let events = &mut self.events;
        let colliders = &mut self.contact.colliders;
        // Without contact nobody asks where shapes are.
        let standing: Vec<BodyId> = match contact && self.coupling.has_changed() {
            true => colliders.bodies().collect(),
            false => Vec::new(),
        };
        let mut gone = Vec::new();
        self.coupling.read(host, standing.into_iter(), |finding| {
            events.push(match finding {
                Finding::Lost(attachment, rod) => Event::AttachmentLost { attachment, rod },
                Finding::Refused(body) => {
                    tracing::warn!(body = body.0, "the host's numbers of a body are not usable");
                    Event::BodyRefused { body }
                }
                Finding::Gone(body) => {
                    gone.push(body);
                    return;
                }
            });
        });
        self.lose_bodies(&gone);
        if !self.coupling.has_changed() {
            return;
        }
        let mut tied: Vec<RodId> = self.coupling.iter().map(|(_, a)| a.spec.rod).collect();
        tied.sort_unstable();
        tied.dedup();
        let before = self.coupling.set_tied(tied.clone());
        for rod in before {
            if tied.binary_search(&rod).is_err() {
                self.relocate(rod, false);
            }
        }
        for &rod in &tied {
            self.relocate(rod, true);
            if let Some(block) = self.block_of_mut(rod) {
                block.extra.clear();
                if !block.kind.solver.joins_bodies(contact) {
                    // Bodies are put on its vertices.
                    block.extra.resize(block.vertices.len(), ExtraRow::zeroed());
                }
            }
        }
        let mut coupling = std::mem::take(&mut self.coupling);
        coupling.rebuild(|rod| self.block_of(rod));
        coupling.reserve(&mut self.workers);
        self.coupling = coupling;
    }

    /// Give the host its impulses, and let go what was pulled too hard.
    pub(crate) fn push_bodies(&mut self, host: &mut dyn HostBodies) {
        for body in self.coupling.bodies() {
            let impulse = body.impulse;
            if impulse.linear != DVec3::ZERO || impulse.angular != DVec3::ZERO {
                host.apply(body.id, impulse);
            }
        }
        let broken: Vec<(AttachmentId, DVec3)> = self.coupling.broken().collect();
        for (attachment, force) in broken {
            if let Some(gone) = self.coupling.remove(attachment) {
                self.events.push(Event::AttachmentBroke {
                    attachment,
                    rod: gone.spec.rod,
                    force: force.length(),
                });
            }
        }
    }
}
