//! What is stored of a rod while it moves: structs of rows, eight lanes wide (an array of structures of arrays).
//!
//! A lane is a whole rod in a block of like rods, or one of eight same-coloured elements of a graph. The layout is plain
//! (`repr(C)`, `Pod`): a GPU buffer can take it as it is.

use bytemuck::{Pod, Zeroable};

use glam::{DQuat, DVec3};

use crate::{
    math::lanes::{QuaternionRow, Row, VectorRow},
    solver::generalized_alpha::{Node, Rates},
};

/// A vertex in eight lanes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct VertexRow {
    /// Metres from the rod's origin: the leading part.
    pub position: VectorRow,
    /// What rounding left out of `position`. Their sum is the position: a step of 1e-8 m is not lost at 2 m.
    pub residual: VectorRow,
    /// m/s. Of a pinned vertex: the speed it is moved with.
    pub velocity: VectorRow,
    /// kg.
    pub mass: Row,
    /// 1, or 0 for a pinned vertex.
    pub free: Row,
    /// The share of the outer acceleration that the vertex followed in the last step: the adaptive guess of vertex block descent.
    pub falling: Row,
}

/// A segment in eight lanes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SegmentRow {
    /// Unit quaternion, world frame.
    pub orientation: QuaternionRow,
    /// m.
    pub rest_length: Row,
    /// EA, N. 0 when broken.
    pub axial: Row,
    /// GA, N. 0 when broken. Stable Cosserat takes EA for it.
    pub shear: Row,
    /// Kelvin–Voigt relaxation time of stretch and shear, s.
    pub relaxation: Row,
    /// 1 where the orientation does not move, else 0.
    pub held: Row,
    /// Breaks above this strain; infinite when unbreakable or broken.
    pub strain_limit: Row,
}

/// A joint in eight lanes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct JointRow {
    /// Rest orientation of the segment relative to its neighbour.
    pub rest: QuaternionRow,
    /// The largest of 4 EI₁/l, 4 EI₂/l, 4 GJ/l, N·m. 0 when broken.
    pub stiffness: Row,
    /// Kelvin–Voigt relaxation time of bending and twist, s.
    pub relaxation: Row,
}

/// What BDF2 remembers of a vertex.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct HistoryRow {
    /// Of the last substep, m.
    pub increment: VectorRow,
    /// Before the last substep, m/s.
    pub velocity: VectorRow,
}

/// What discrete elastic rods remember beside the orientation of a segment.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct TwistRow {
    /// What rounding left out of the orientation's angle about the segment, rad.
    pub residual: Row,
    /// Twist of the joint between this row and the next, away from rest, rad: orientations know it up to whole turns.
    pub twist: Row,
}

/// What further stages add to the potential of a vertex during a substep: `g·u + ½ uᵀHu` in its increment `u`.
///
/// Contact, friction and bodies come in here; [`Solver::Direct`](crate::solver::Solver) takes it into its solve.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ExtraRow {
    /// `g`, N.
    pub gradient: VectorRow,
    /// `H`, N/m: `xx, yy, zz, xy, xz, yz`, positive semidefinite.
    pub hessian: [Row; 6],
}

/// What generalized-α knows of a node and of the segment before it beyond the rows, in that segment's frame unless it says otherwise. Doubles, one rod after the other.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct AlphaNode {
    pub velocity: [f64; 3],
    pub spin: [f64; 3],
    pub curvature: [f64; 3],
    pub force: [f64; 3],
    pub velocity_rate: [f64; 3],
    pub spin_rate: [f64; 3],
    pub curvature_rate: [f64; 3],
    /// Of the segment before the node, world; of the first node: where the rod starts.
    pub frame: [f64; 4],
    /// World; what the velocity of the vertex was set to.
    pub world_velocity: [f64; 3],
}

impl AlphaNode {
    pub fn new(node: &Node, rates: &Rates, frame: DQuat) -> Self {
        Self {
            velocity: node.velocity.to_array(),
            spin: node.spin.to_array(),
            curvature: node.curvature.to_array(),
            force: node.force.to_array(),
            velocity_rate: rates.velocity.to_array(),
            spin_rate: rates.spin.to_array(),
            curvature_rate: rates.curvature.to_array(),
            frame: frame.to_array(),
            world_velocity: [0.0; 3],
        }
    }

    pub fn node(&self) -> Node {
        Node {
            velocity: DVec3::from_array(self.velocity),
            spin: DVec3::from_array(self.spin),
            curvature: DVec3::from_array(self.curvature),
            force: DVec3::from_array(self.force),
        }
    }

    pub fn rates(&self) -> Rates {
        Rates {
            velocity: DVec3::from_array(self.velocity_rate),
            spin: DVec3::from_array(self.spin_rate),
            curvature: DVec3::from_array(self.curvature_rate),
        }
    }

    pub fn frame(&self) -> DQuat {
        DQuat::from_array(self.frame)
    }
}

/// What generalized-α knows of the start of a rod: the mean angular (own frame) and linear (world) velocity that led it, where nothing else does.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct AlphaStart {
    pub spin: [f64; 3],
    pub travel: [f64; 3],
}

/// The softness of a joint seen from one of its segments: `xx, yy, zz, xy, xz, yz` of its matrix, then its real part and ratio.
pub type SoftnessRow = [Row; 8];

impl VertexRow {
    /// A lane that no rod uses: it stays where it is and gives no NaN.
    pub fn vacant() -> Self {
        Self {
            mass: Row::splat(1.0),
            ..Self::zeroed()
        }
    }
}

impl SegmentRow {
    /// A lane that no rod uses.
    pub fn vacant() -> Self {
        let mut row = Self {
            rest_length: Row::splat(1.0),
            held: Row::splat(1.0),
            strain_limit: Row::splat(f32::INFINITY),
            ..Self::zeroed()
        };
        row.orientation[3] = Row::splat(1.0);
        row
    }
}

impl JointRow {
    /// A lane that no rod uses.
    pub fn vacant() -> Self {
        let mut row = Self::zeroed();
        row.rest[3] = Row::splat(1.0);
        row
    }
}
