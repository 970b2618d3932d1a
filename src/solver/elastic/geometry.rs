//! Edges with their frames, and what bends and twists between two of them (paper 4, section III; Bergou et al. 2008 and 2010).
//!
//! The unknowns are increments from the current place: positions move, tangents carry their frames along by parallel transport in time, and edges then
//! turn about themselves by θ. So the reference frame of an edge is its material frame at the last place, and the reference twist what that one has
//! against its neighbour: neither needs a state of its own. Gradients are in `y = (x₋, θ₋, x, θ₊, x₊)`, eleven numbers (paper 4, below Eq. 5).

use glam::{DMat3, DQuat, DVec3};

use super::{
    Curvature,
    angles::{atan2, sin_cos},
};

/// Unknowns of two edges that meet.
pub const LOCAL: usize = 11;
/// `y` of two edges.
pub type Local = [f64; LOCAL];

/// Two tangents are opposite when one plus their cosine is below this: a kink of 180° has no curvature.
const OPPOSITE: f64 = 1e-9;
/// Shortest edge that is divided by, m.
const SHORTEST: f64 = 1e-30;

/// An edge and its material frame. Walls are edges as well: fixed ones, of length 1.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Unit tangent.
    pub tangent: DVec3,
    /// m.
    pub length: f64,
    /// First axis of the section, across the tangent.
    pub d1: DVec3,
    /// The second, across both.
    pub d2: DVec3,
    /// A wall: nothing that moves turns it.
    pub fixed: bool,
}

impl Edge {
    /// A wall.
    pub fn wall(frame: DQuat) -> Self {
        Self {
            tangent: frame * DVec3::Z,
            length: 1.0,
            d1: frame * DVec3::X,
            d2: frame * DVec3::Y,
            fixed: true,
        }
    }

    /// The edge `span`, with the frame carried over from `frame` the short way, and turned about itself.
    pub fn carried(frame: DQuat, span: DVec3, turn: f64) -> Self {
        Self {
            fixed: false,
            ..Self::wall(frame)
        }
        .moved(span, turn)
    }

    /// This edge after it went to `span`: parallel transport in time, then θ.
    pub fn moved(&self, span: DVec3, turn: f64) -> Self {
        let length = span.length().max(SHORTEST);
        let tangent = if length > SHORTEST { span / length } else { self.tangent };
        let carried = transport(self.d1, self.tangent, tangent);
        let across = tangent.cross(carried);
        let (sine, cosine) = sin_cos(turn);
        // Rounding adds up over steps: the frame is squared again.
        let d1 = carried * cosine + across * sine;
        let d1 = (d1 - tangent * tangent.dot(d1)).normalize();
        Self {
            tangent,
            length,
            d1,
            d2: tangent.cross(d1),
            fixed: self.fixed,
        }
    }

    /// The frame as a rotation.
    pub fn frame(&self) -> DQuat {
        DQuat::from_mat3(&DMat3::from_cols(self.d1, self.d2, self.tangent))
    }
}

/// `d` turned along with the shortest rotation that takes one unit vector to another.
pub fn transport(d: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let cosine = from.dot(to);
    if 1.0 + cosine < OPPOSITE {
        // Half a turn about d itself.
        return d;
    }
    let axis = from.cross(to);
    d * cosine + axis.cross(d) + axis * (axis.dot(d) / (1.0 + cosine))
}

/// What two tangents have between them.
#[derive(Clone, Copy, Debug)]
pub struct Bent {
    /// The curvature binormal `κb = 2 t₋×t₊/χ`.
    pub binormal: DVec3,
    /// `χ = 1 + t₋·t₊`.
    pub chi: f64,
    /// `t̃ = (t₋ + t₊)/χ`.
    pub mean: DVec3,
}

impl Bent {
    /// Between two edges.
    pub fn new(first: &Edge, second: &Edge) -> Self {
        let chi = (1.0 + first.tangent.dot(second.tangent)).max(OPPOSITE);
        Self {
            binormal: first.tangent.cross(second.tangent) * (2.0 / chi),
            chi,
            mean: (first.tangent + second.tangent) / chi,
        }
    }
}

/// A director of an edge: its derivative by the edge's own θ is another one.
#[derive(Clone, Copy)]
struct Director {
    axis: DVec3,
    turned: DVec3,
}

/// `κ` of a joint: `(κb·d₂, −κb·d₁)` in the frame of the first edge, then in that of the second; or in their mean, and zeros.
pub fn curvature(first: &Edge, second: &Edge, bent: &Bent, measure: Curvature) -> [f64; 4] {
    let b = bent.binormal;
    match measure {
        Curvature::BothFrames => [b.dot(first.d2), -b.dot(first.d1), b.dot(second.d2), -b.dot(second.d1)],
        Curvature::MeanFrame => {
            let [d1, d2] = [first.d1 + second.d1, first.d2 + second.d2];
            [0.5 * b.dot(d2), -0.5 * b.dot(d1), 0.0, 0.0]
        }
    }
}

/// `∇κ`, a row for each of the four.
///
/// With `m` a director carried along, `δm` is along the tangent, which `κb` is across: only `κb` varies. So
/// `∂κ/∂e₋ = (−κ t̃ + 2 t₊×m/χ)/|e₋|` and `∂κ/∂e₊ = (−κ t̃ − 2 t₋×m/χ)/|e₊|`.
pub fn curvature_gradient(first: &Edge, second: &Edge, bent: &Bent, measure: Curvature) -> [Local; 4] {
    let [a2, a1] = directors(first);
    let [b2, b1] = directors(second);
    match measure {
        Curvature::BothFrames => [
            row(first, second, bent, a2, 1.0, 0),
            row(first, second, bent, a1, 1.0, 0),
            row(first, second, bent, b2, 1.0, 1),
            row(first, second, bent, b1, 1.0, 1),
        ],
        Curvature::MeanFrame => {
            let mean = |a: Director, b: Director| {
                let of_first = row(first, second, bent, a, 0.5, 0);
                let of_second = row(first, second, bent, b, 0.5, 1);
                std::array::from_fn(|k| of_first[k] + of_second[k])
            };
            [mean(a2, b2), mean(a1, b1), [0.0; LOCAL], [0.0; LOCAL]]
        }
    }
}

/// `d₂` and `−d₁` of an edge, and what θ makes of them.
fn directors(edge: &Edge) -> [Director; 2] {
    [
        Director {
            axis: edge.d2,
            turned: -edge.d1,
        },
        Director {
            axis: -edge.d1,
            turned: -edge.d2,
        },
    ]
}

/// The gradient of `share · κb·m`, `m` a director of the first edge (0) or of the second (1).
fn row(first: &Edge, second: &Edge, bent: &Bent, m: Director, share: f64, of: usize) -> Local {
    let kappa = bent.binormal.dot(m.axis);
    let turn = share * bent.binormal.dot(m.turned);
    let stiff = 2.0 / bent.chi;
    let back = (second.tangent.cross(m.axis) * stiff - bent.mean * kappa) * (share / first.length);
    let ahead = (first.tangent.cross(m.axis) * -stiff - bent.mean * kappa) * (share / second.length);
    let mut turns = [0.0; 2];
    turns[of] = turn;
    spread(first, second, back, ahead, turns)
}

/// From derivatives by the two edges and their angles to those by `y`. What a wall does is no unknown.
fn spread(first: &Edge, second: &Edge, back: DVec3, ahead: DVec3, turns: [f64; 2]) -> Local {
    let back = if first.fixed { DVec3::ZERO } else { back };
    let ahead = if second.fixed { DVec3::ZERO } else { ahead };
    let (before, here, after) = (-back, back - ahead, ahead);
    [
        before.x, before.y, before.z, turns[0], here.x, here.y, here.z, turns[1], after.x, after.y, after.z,
    ]
}

/// Twist from the first edge to the second, up to whole turns: the angle from the first `d₁`, carried over in space, to the second (reference twist and
/// angles in one).
pub fn twist(first: &Edge, second: &Edge) -> f64 {
    let carried = transport(first.d1, first.tangent, second.tangent);
    let sine = carried.cross(second.d1).dot(second.tangent);
    atan2(sine, carried.dot(second.d1))
}

/// `∇m`: `κb/2|e|` by either edge, −1 and 1 by the angles.
pub fn twist_gradient(first: &Edge, second: &Edge, bent: &Bent) -> Local {
    let half = bent.binormal * 0.5;
    spread(first, second, half / first.length, half / second.length, [-1.0, 1.0])
}
