//! Moment, twist and energy of a joint as it is stored, in the solver's own energies.

use glam::DVec3;

use super::{
    Curvature,
    angles::unwrapped,
    geometry::{Bent, Edge, Local, curvature, curvature_gradient, twist, twist_gradient},
    substep::{joint_law, rest_of, spin_inertia, stiffness, stored_edge, stored_frame},
};
use crate::{rod::RodDescription, state::block::Block};

/// What a joint does.
pub struct JointReading {
    /// On its second segment (a clamp's is the rod's), in that segment's frame, N·m.
    pub moment: DVec3,
    /// Away from rest, whole turns counted, rad.
    pub twist: f64,
    /// J.
    pub energy: f64,
}

/// A joint; clamps come after the joints. `None` where there is no such joint.
pub fn joint(
    block: &Block,
    lane: usize,
    rod: &RodDescription,
    joint: usize,
    measure: Curvature,
) -> Option<JointReading> {
    let count = rod.segments().len();
    let (row, first, second, sign) = match joint.checked_sub(rod.joints().len()) {
        None => {
            let [first, second] = [joint, joint + 1].map(|s| stored_edge(block, lane, s));
            (joint + 1, first, second, 1.0)
        }
        // A clamp is told from the wall, also where the rod ends at it: seen so, twist has the other sign.
        Some(clamp) => {
            let clamp = rod.clamps().get(clamp)?;
            let (row, wall, sign) = if clamp.vertex == 0 {
                (0, 0, 1.0)
            } else {
                (count, count + 1, -1.0)
            };
            let wall = Edge::wall(stored_frame(block, lane, wall));
            (row, wall, stored_edge(block, lane, clamp.segment as usize), sign)
        }
    };
    let rest = rest_of(block, lane, row, measure);
    let law = joint_law(stiffness(block, lane, rod, row).unwrap_or([0.0; 3]), rest, measure);
    let bent = Bent::new(&first, &second);
    let kappa = curvature(&first, &second, &bent, measure);
    let near = rest.1 + sign * f64::from(block.twists.get(row)?.twist.0[lane]);
    let twisted = unwrapped(twist(&first, &second), near);
    // Turning the second edge by ω moves its tangent by ω × t and its angle by ω·t: the derivative by ω is t × ∂/∂t + t ∂/∂θ.
    let by_rotation = |row: &Local| {
        let by_tangent = DVec3::new(row[8], row[9], row[10]) * second.length;
        second.tangent.cross(by_tangent) + second.tangent * row[7]
    };
    let rows = curvature_gradient(&first, &second, &bent, measure);
    let mut moment = by_rotation(&twist_gradient(&first, &second, &bent)) * -law.twist.slope(twisted);
    for ((law, &value), row) in law.bend.iter().zip(&kappa).zip(&rows) {
        moment -= by_rotation(row) * law.slope(value);
    }
    Some(JointReading {
        moment: DVec3::new(moment.dot(second.d1), moment.dot(second.d2), moment.dot(second.tangent)),
        twist: twisted - rest.1,
        energy: law.energy(&kappa, twisted),
    })
}

/// Energy of spin of an edge about itself, J.
pub fn spin_energy(block: &Block, lane: usize, rod: &RodDescription, segment: usize) -> f64 {
    let rate = (block.spin.get(segment + 1)).map_or(0.0, |spin| f64::from(spin[2].0[lane]));
    0.5 * spin_inertia(rod, segment) * rate * rate
}
