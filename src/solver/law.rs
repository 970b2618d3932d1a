//! The elastic law by which each method moves a rod, for whoever reads forces and energies back. In `f64`, element by element.

use glam::DVec3;

use super::{
    Solver,
    stable_cosserat::energy::{Softness, bend_energy, bend_moment},
    xpbd::{self, Darboux},
};
use crate::math::Quaternion;

/// A joint as it is now. Clamps are joints with a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BentJoint {
    pub first: Quaternion<f64>,
    pub second: Quaternion<f64>,
    pub rest: Quaternion<f64>,
    /// The largest of its three stiffnesses, N·m.
    pub stiffness: f64,
    /// Seen from the second segment.
    pub softness: Softness<f64>,
}

impl Solver {
    /// Whether contact moves its rods. A rod that touches something is solved as a whole, by Newton's method on the potential that Direct, Stable Cosserat and XPBD have in common. Elastic rods have
    /// edge angles and generalized-α an inextensible centre line instead: contact sees theirs where they go, and moves what they meet.
    pub(crate) fn is_moved_by_contact(self) -> bool {
        match self {
            Self::Direct { .. } | Self::StableCosserat { .. } | Self::Xpbd { .. } => true,
            Self::GeneralizedAlpha { .. } | Self::Elastic { .. } => false,
        }
    }

    /// Whether its tied rods are one system with their bodies: where rods touch, all that contact moves.
    pub(crate) fn joins_bodies(self, contact: bool) -> bool {
        matches!(self, Self::Direct { .. }) || contact && self.is_moved_by_contact()
    }

    /// Stiffness against shear, N, of a segment with EA and GA.
    pub(crate) fn shear_stiffness(self, axial: f64, shear: f64) -> f64 {
        match self {
            Self::StableCosserat { .. } | Self::GeneralizedAlpha { .. } => axial,
            // Frames of elastic rods are along their segments, and those that are held shear.
            Self::Direct { .. } | Self::Xpbd { .. } | Self::Elastic { .. } => shear,
        }
    }

    /// Energy of a joint, J.
    pub(crate) fn bend_energy(self, joint: &BentJoint) -> f64 {
        let BentJoint {
            first,
            second,
            rest,
            stiffness,
            softness,
        } = *joint;
        match self {
            // Elastic rods read their own back from their edges; in frames alone it is this one, up to the fourth power of the angle.
            Self::StableCosserat { .. }
            | Self::Direct { .. }
            | Self::GeneralizedAlpha { .. }
            | Self::Elastic { .. } => bend_energy(first, second, rest, stiffness, softness),
            Self::Xpbd { darboux, .. } => {
                let stiffness = xpbd::energy::stiffness(rest, stiffness, softness);
                xpbd::energy::bend_energy(first, second, rest, stiffness, darboux == Darboux::Modified)
            }
        }
    }

    /// Moment that a joint puts on its second segment, world frame, N·m.
    pub(crate) fn bend_moment(self, joint: &BentJoint) -> DVec3 {
        let BentJoint {
            first,
            second,
            rest,
            stiffness,
            softness,
        } = *joint;
        DVec3::from(match self {
            Self::StableCosserat { .. }
            | Self::Direct { .. }
            | Self::GeneralizedAlpha { .. }
            | Self::Elastic { .. } => bend_moment(first, second, rest, stiffness, softness),
            Self::Xpbd { darboux, .. } => {
                let stiffness = xpbd::energy::stiffness(rest, stiffness, softness);
                xpbd::energy::bend_moment(first, second, rest, stiffness, darboux == Darboux::Modified)
            }
        })
    }
}
