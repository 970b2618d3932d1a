//! What this method can't do, said when a rod is put in.

use thiserror::Error;

use crate::rod::{RodDescription, Topology};

/// What a rod has that generalized-α does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Rods are chains.
    #[error("it moves chains, and this is a loop or a graph")]
    Chain,
    /// Only ends can be held.
    #[error("vertex {vertex} is pinned, and it holds ends only")]
    InnerPin {
        /// Which.
        vertex: u32,
    },
    /// Frames are held by clamps.
    #[error("segment {segment} is held, and it holds ends only: clamp them")]
    HeldSegment {
        /// Which.
        segment: u32,
    },
    /// The equations need bending and torsional stiffness everywhere.
    #[error("joint {joint} has no bending or no torsional stiffness")]
    Limp {
        /// Which; clamps come after the joints.
        joint: u32,
    },
    /// The equations need mass everywhere.
    #[error("segment {segment} has no mass")]
    Massless {
        /// Which.
        segment: u32,
    },
    /// What can't stretch can't break by it.
    #[error("segment {segment} can break, and it knows no strain")]
    Breakable {
        /// Which.
        segment: u32,
    },
    /// Bodies and points to tie to.
    #[error("its rods can't be tied to bodies or points")]
    Attachment,
}

/// What keeps a rod from being moved so.
pub(crate) fn unsupported(rod: &RodDescription) -> Option<Unsupported> {
    if rod.topology() != Topology::Chain {
        return Some(Unsupported::Chain);
    }
    let last = rod.segments().len() as u32;
    if let Some(&vertex) = rod.pins().iter().find(|&&vertex| vertex != 0 && vertex != last) {
        return Some(Unsupported::InnerPin { vertex });
    }
    if let Some(&segment) = rod.held_segments().first() {
        return Some(Unsupported::HeldSegment { segment });
    }
    let joints = rod.joints().iter().map(|j| (j.bending, j.torsion));
    let clamps = rod.clamps().iter().map(|c| (c.bending, c.torsion));
    let limp = |([a, b], torsion): ([f64; 2], f64)| a.min(b).min(torsion) <= 0.0;
    if let Some(joint) = joints.chain(clamps).position(limp) {
        return Some(Unsupported::Limp { joint: joint as u32 });
    }
    let weight = |v: u32| rod.vertices()[v as usize].mass;
    let massless = |s: &crate::rod::Segment| weight(s.tail) + weight(s.head) <= 0.0;
    if let Some(segment) = rod.segments().iter().position(massless) {
        return Some(Unsupported::Massless {
            segment: segment as u32,
        });
    }
    let breakable = rod.segments().iter().position(|s| s.break_strain.is_finite());
    breakable.map(|segment| Unsupported::Breakable {
        segment: segment as u32,
    })
}
