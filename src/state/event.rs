//! What a step did.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::world::RodId;
use crate::{
    contact::{ColliderId, Neighbor, Touched},
    coupling::{AttachmentId, BodyId},
};

/// Something that a step did to a rod.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Event {
    /// A segment broke.
    Broke {
        /// Of which rod.
        rod: RodId,
        /// Which.
        segment: u32,
        /// Strain at which it gave way.
        strain: f32,
    },
    /// A rod went non-finite: it is back where it was before the substep that failed, and frozen.
    Quarantined {
        /// Which.
        rod: RodId,
    },
    /// A rod was cut in two.
    Cut {
        /// Which; it keeps its start.
        rod: RodId,
        /// What came off, a rod of its own. `None` where the cut left the rod in one piece (a loop).
        piece: Option<RodId>,
    },
    /// An attachment was pulled too hard and let go.
    AttachmentBroke {
        /// Which.
        attachment: AttachmentId,
        /// That it held.
        rod: RodId,
        /// The force that was too much, N.
        force: f64,
    },
    /// The body of an attachment is gone, and with it the attachment.
    AttachmentLost {
        /// Which.
        attachment: AttachmentId,
        /// That it held.
        rod: RodId,
    },
    /// The host's numbers of a body are not finite, or no masses and rotations: until they are, rods see it where it last was, at rest.
    BodyRefused {
        /// Which.
        body: BodyId,
    },
    /// The body that a shape stood on is gone, and with it the shape.
    ColliderLost {
        /// Which.
        collider: ColliderId,
        /// That it stood on.
        body: BodyId,
    },
    /// Rods stopped a shape that was led against them short of where it should be: see [`RodWorld::collider_pose`](super::RodWorld::collider_pose). It goes on as far and as soon as they let it,
    /// at no more than the pace at which it is led in addition. Told once until it has caught up.
    ColliderHeld {
        /// Which.
        collider: ColliderId,
    },
    /// So many segments were put into the same place that they can't be parted all at once: some wait, and pass through each other until then. Told once until none waits.
    Crowded {
        /// The first of the rods there.
        rod: RodId,
        /// How many pairs of segments wait, at least.
        left_out: u32,
    },
    /// A rod came to rest and costs nothing until something wakes it.
    Slept {
        /// Which.
        rod: RodId,
    },
    /// A rod moves again.
    Woke {
        /// Which.
        rod: RodId,
    },
    /// A rod began to touch another one or a shape; told once until they part. Of two rods the one with the lesser name tells. A rod that touches itself tells nothing.
    Touched {
        /// Which.
        rod: RodId,
        /// Its segment where they press hardest.
        segment: u32,
        /// What it touches, there.
        other: Touched,
        /// Where that is, world, m.
        point: DVec3,
        /// Unit, from the rod to the other.
        normal: DVec3,
        /// How hard they met: the sum over all places where they touch, in the substep in which they began, N·s.
        impulse: f64,
    },
    /// A rod does not touch another one or a shape any more: it did not in the whole step. Either may be gone.
    Parted {
        /// Which.
        rod: RodId,
        /// What it touched.
        other: Neighbor,
    },
    /// A rod was put so deep into another one or into a shape that they can only be pushed apart slowly; told once until they part.
    Overlapping {
        /// Which.
        rod: RodId,
        /// What it is in.
        other: Neighbor,
    },
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Substeps taken.
    pub substeps: u32,
    /// Iterations in all of them, of the rod that took most.
    pub iterations: u32,
    /// Events added.
    pub events: usize,
}
