//! A block: up to eight like chains side by side, or one graph.
//!
//! Blocks share nothing, so they are what threads are given. A chain shares a block with others of the same length and kind; one longer than
//! [`LONGEST_LANE`] fills the lanes by itself, coloured, as every graph does.

use std::sync::Arc;

use bytemuck::Zeroable;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::{
    graph_layout::GraphLayout,
    in_place::clone_in_place,
    interpolation::Previous,
    resident::{BlockEvent, Resident},
    rows::{AlphaNode, AlphaStart, ExtraRow, HistoryRow, JointRow, SegmentRow, SoftnessRow, TwistRow, VertexRow},
};
use crate::{
    math::{
        Symmetric,
        lanes::{LANES, QuaternionRow, Row, VectorRow},
    },
    rod::{RodDescription, Topology},
    solver::{Integrator, Solver, direct::plan::Plan, generalized_alpha::Model, stable_cosserat::energy::Softness},
};

/// Chains with more segments than this are coloured. Alone in its block a chain costs eight lanes: coloured it is four times cheaper. But eight
/// like chains side by side are twice as cheap as coloured ones, and short rods come in numbers.
pub const LONGEST_LANE: usize = 96;

/// What chains must have in common to share a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Kind {
    /// Segments of a chain; 0 for a graph, which shares with nobody.
    pub segments: u32,
    /// Bending and twist differ in stiffness.
    pub anisotropic: bool,
    /// Some relaxation time is not zero.
    pub damped: bool,
    /// Some segment can break.
    pub breakable: bool,
    /// Some segment or joint can yield.
    pub yields: bool,
    /// The block takes one rod only.
    pub alone: bool,
    /// How it moves.
    pub solver: Solver,
}

/// How the elements of a block are laid out.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Vertex `i` of every rod in row `i`; segment `i` in row `i + 1`, between the wall frames of the two ends; joint `j` between segment
    /// rows `j` and `j + 1`.
    Chains,
    /// See [`GraphLayout`].
    Graph(Arc<GraphLayout>),
}

/// The rows of a block. Rows of unused lanes are vacant.
#[derive(Debug)]
pub struct Block {
    pub kind: Kind,
    pub layout: Layout,
    /// The rod in each lane; a graph is in lane 0.
    pub rods: [Option<Resident>; LANES],
    pub vertices: Vec<VertexRow>,
    pub segments: Vec<SegmentRow>,
    pub joints: Vec<JointRow>,
    /// Of chains two for each joint, seen from its first and from its second segment; of graphs one for each entry of `joints`.
    /// Empty when isotropic.
    pub softness: Vec<SoftnessRow>,
    /// Linear drag, 1/s.
    pub drag: Row,
    /// Acceleration by forces and wind, m/s². Empty while there are none.
    pub acceleration: Vec<VectorRow>,
    /// Outer torques on segments, N·m. Empty while there are none.
    pub torque: Vec<VectorRow>,
    /// What further stages add to the vertices. Empty while there is nothing.
    pub extra: Vec<ExtraRow>,
    /// The order of elimination, of rods that the direct solver moves, or that touched something.
    pub plan: Option<Arc<Plan>>,
    /// Of vertices that move by BDF2, and the length of the substep that it comes from (0 where there is none).
    pub history: Vec<HistoryRow>,
    pub history_step: Row,
    /// Angular velocities of segments in their own frames, rad/s: of rods that XPBD moves, and about d₃ of elastic ones. The other methods keep none.
    pub spin: Vec<VectorRow>,
    /// Of rods that generalized-α moves: their nodes lane after lane, their first nodes, and their numbers.
    pub alpha_nodes: Vec<AlphaNode>,
    pub alpha_starts: Vec<AlphaStart>,
    pub alpha_models: [Option<Arc<Model>>; LANES],
    /// Of discrete elastic rods, like `segments`.
    pub twists: Vec<TwistRow>,
    /// Where everything was before the last step, for rendering.
    pub previous: Previous,
    /// Iterations of the last step, all substeps together.
    pub iterations: u32,
    /// What happened since the world last looked.
    pub events: Vec<BlockEvent>,
}

clone_in_place!(Block {
    kind,
    layout,
    rods,
    vertices,
    segments,
    joints,
    softness,
    drag,
    acceleration,
    torque,
    extra,
    plan,
    history,
    history_step,
    spin,
    alpha_nodes,
    alpha_starts,
    alpha_models,
    twists,
    previous,
    iterations,
    events,
});

impl Kind {
    /// The kind of a description.
    pub fn of(rod: &RodDescription, solver: Solver) -> Self {
        // The direct solver takes a lone chain one lane at a time, however long. XPBD has no colours.
        let longest = match solver {
            Solver::StableCosserat { .. } => LONGEST_LANE,
            Solver::Direct { .. } | Solver::Xpbd { .. } | Solver::GeneralizedAlpha { .. } | Solver::Elastic { .. } => {
                usize::MAX
            }
        };
        let chain = rod.topology() == Topology::Chain && rod.segments().len() <= longest;
        let uneven = |[a, b]: [f64; 2], t: f64| a != b || a != t;
        Self {
            segments: if chain { rod.segments().len() as u32 } else { 0 },
            anisotropic: rod.joints().iter().any(|j| uneven(j.bending, j.torsion))
                || rod.clamps().iter().any(|c| uneven(c.bending, c.torsion)),
            damped: rod.segments().iter().any(|s| s.relaxation > 0.0)
                || rod.joints().iter().any(|j| j.relaxation > 0.0)
                || rod.clamps().iter().any(|c| c.relaxation > 0.0),
            breakable: rod.segments().iter().any(|s| s.break_strain.is_finite()),
            yields: rod.segments().iter().any(|s| s.yield_strain.is_finite())
                || rod.joints().iter().any(|j| j.yield_curvature.is_finite())
                || rod.clamps().iter().any(|c| c.yield_curvature.is_finite()),
            alone: false,
            solver,
        }
    }
}

/// Chains of a kind have the same plan.
fn make_plan(kind: Kind, rod: &RodDescription) -> Arc<Plan> {
    Arc::new(match kind.segments {
        0 => Plan::graph(rod),
        segments => Plan::chain(segments),
    })
}

impl Block {
    /// An empty block for rods of a kind; `rod` gives a graph its layout.
    pub fn new(kind: Kind, rod: &RodDescription) -> Self {
        let (layout, vertices, segments, joints) = if kind.segments > 0 {
            let n = kind.segments as usize;
            (Layout::Chains, n + 1, n + 2, n + 1)
        } else {
            let graph = GraphLayout::new(rod);
            let sizes = (graph.vertex_groups(), graph.segment_groups(), graph.neighbours.len());
            (Layout::Graph(Arc::new(graph)), sizes.0, sizes.1, sizes.2)
        };
        let plan = matches!(kind.solver, Solver::Direct { .. }).then(|| make_plan(kind, rod));
        let history = match kind.solver {
            Solver::Direct {
                integrator: Integrator::Bdf2,
            } => vec![HistoryRow::zeroed(); vertices],
            _ => Vec::new(),
        };
        let (spin, twists) = match kind.solver {
            Solver::Xpbd { .. } => (segments, 0),
            Solver::Elastic { .. } => (segments, segments),
            _ => (0, 0),
        };
        let (alpha_nodes, alpha_starts) = match kind.solver {
            Solver::GeneralizedAlpha { .. } => (LANES * vertices, LANES),
            _ => (0, 0),
        };
        let softness = match (&layout, kind.anisotropic) {
            (_, false) => 0,
            (Layout::Chains, true) => 2 * joints,
            (Layout::Graph(_), true) => joints,
        };
        Self {
            kind,
            layout,
            rods: [const { None }; LANES],
            vertices: vec![VertexRow::vacant(); vertices],
            segments: vec![SegmentRow::vacant(); segments],
            joints: vec![JointRow::vacant(); joints],
            softness: vec![[Row::default(); 8]; softness],
            drag: Row::default(),
            acceleration: Vec::new(),
            torque: Vec::new(),
            extra: Vec::new(),
            plan,
            history,
            history_step: Row::default(),
            alpha_nodes: vec![AlphaNode::zeroed(); alpha_nodes],
            alpha_starts: vec![AlphaStart::zeroed(); alpha_starts],
            alpha_models: [const { None }; LANES],
            spin: vec![[Row::default(); 3]; spin],
            twists: vec![TwistRow::zeroed(); twists],
            previous: Previous::default(),
            iterations: 0,
            events: Vec::new(),
        }
    }

    /// The order of elimination of the rod in a lane, made where nobody needed it so far. `None` when there is no rod.
    pub fn plan(&mut self, lane: usize) -> Option<Arc<Plan>> {
        if self.plan.is_none() {
            let rod = &self.rods[lane].as_ref()?.description;
            self.plan = Some(make_plan(self.kind, rod));
        }
        self.plan.clone()
    }

    /// A lane that a further rod can take.
    pub fn open_lane(&self) -> Option<usize> {
        match self.layout {
            Layout::Chains if !self.kind.alone => self.rods.iter().position(Option::is_none),
            _ => self.rods[0].is_none().then_some(0),
        }
    }

    /// Row and lane of a vertex of the rod in `lane`.
    pub fn vertex_place(&self, lane: usize, vertex: usize) -> (usize, usize) {
        match &self.layout {
            Layout::Chains => (vertex, lane),
            Layout::Graph(graph) => split(graph.vertex_slot[vertex]),
        }
    }

    /// Row and lane of a segment.
    pub fn segment_place(&self, lane: usize, segment: usize) -> (usize, usize) {
        match &self.layout {
            Layout::Chains => (segment + 1, lane),
            Layout::Graph(graph) => split(graph.segment_slot[segment]),
        }
    }

    /// Row and lane of the wall frame of a clamp.
    pub fn wall_place(&self, lane: usize, rod: &RodDescription, clamp: usize) -> (usize, usize) {
        match &self.layout {
            Layout::Chains if rod.clamps()[clamp].vertex == 0 => (0, lane),
            Layout::Chains => (self.kind.segments as usize + 1, lane),
            Layout::Graph(graph) => split(graph.segment_slot[rod.segments().len() + clamp]),
        }
    }

    /// Entries of `joints` (row, lane) that hold a joint; clamps are numbered after the joints.
    pub fn joint_places(&self, lane: usize, rod: &RodDescription, joint: usize) -> [(usize, usize); 2] {
        match &self.layout {
            Layout::Chains => {
                let place = match joint.checked_sub(rod.joints().len()) {
                    None => (joint + 1, lane),
                    Some(clamp) if rod.clamps()[clamp].vertex == 0 => (0, lane),
                    Some(_) => (self.kind.segments as usize, lane),
                };
                [place, place]
            }
            Layout::Graph(graph) => {
                let [(a, b), (c, d)] = graph.joint_places[joint];
                [(a as usize, b as usize), (c as usize, d as usize)]
            }
        }
    }

    /// Put a rod into a lane, as it is described, turned about its first vertex, which is its origin.
    pub fn write(&mut self, lane: usize, resident: Resident, turn: DQuat) {
        let rod = &*resident.description.clone();
        // Every segment breaks, and it is quarantined, falls asleep or wakes.
        let others = self.rods.iter().flatten().map(|other| other.broken.capacity() + 2);
        let most = others.sum::<usize>() + resident.broken.capacity() + 2;
        self.events.reserve(most);
        self.rods[lane] = Some(resident);
        if !self.alpha_nodes.is_empty() {
            self.alpha_models[lane] = Some(Arc::new(Model::of(rod)));
        }
        for (v, vertex) in rod.vertices().iter().enumerate() {
            let (row, lane) = self.vertex_place(lane, v);
            let local = turn * (vertex.position - rod.vertices()[0].position);
            let row = &mut self.vertices[row];
            set_position(row, lane, local);
            row.mass.0[lane] = vertex.mass as f32;
            row.free.0[lane] = 1.0;
            row.falling.0[lane] = 1.0;
            set_vector(&mut row.velocity, lane, Vec3::ZERO);
        }
        for &pin in rod.pins() {
            let (row, lane) = self.vertex_place(lane, pin as usize);
            self.vertices[row].free.0[lane] = 0.0;
        }
        for (s, segment) in rod.segments().iter().enumerate() {
            let (at, lane) = self.segment_place(lane, s);
            let row = &mut self.segments[at];
            set_quaternion(&mut row.orientation, lane, (turn * segment.frame).as_quat());
            row.rest_length.0[lane] = segment.rest_length as f32;
            row.axial.0[lane] = segment.axial as f32;
            row.shear.0[lane] = segment.shear as f32;
            row.relaxation.0[lane] = segment.relaxation as f32;
            row.held.0[lane] = 0.0;
            if let Some(spin) = self.spin.get_mut(at) {
                set_vector(spin, lane, Vec3::ZERO);
            }
            row.strain_limit.0[lane] = segment.break_strain as f32;
        }
        for &held in rod.held_segments() {
            let (row, lane) = self.segment_place(lane, held as usize);
            self.segments[row].held.0[lane] = 1.0;
        }
        for (j, joint) in rod.joints().iter().enumerate() {
            let (stiffness, relaxation) = described_joint(rod, j);
            self.write_joint(lane, rod, j, joint.rest, stiffness, relaxation);
        }
        for (k, clamp) in rod.clamps().iter().enumerate() {
            let (row, wall_lane) = self.wall_place(lane, rod, k);
            let frame = (turn * clamp.frame).as_quat();
            set_quaternion(&mut self.segments[row].orientation, wall_lane, frame);
            let j = rod.joints().len() + k;
            let (stiffness, relaxation) = described_joint(rod, j);
            self.write_joint(lane, rod, j, DQuat::IDENTITY, stiffness, relaxation);
        }
        self.forget_previous(lane);
    }

    /// `k_bt` of the two bending directions and of twist, about the joint's rest orientation.
    pub(super) fn write_joint(
        &mut self,
        lane: usize,
        rod: &RodDescription,
        joint: usize,
        rest: DQuat,
        stiffness: [f64; 3],
        relaxation: f64,
    ) {
        let largest = stiffness.into_iter().fold(0.0, f64::max);
        let places = self.joint_places(lane, rod, joint);
        let chains = matches!(self.layout, Layout::Chains);
        for (side, (row, lane)) in places.into_iter().enumerate() {
            let seen = if chains || side == 1 { rest } else { rest.conjugate() };
            let target = &mut self.joints[row];
            set_quaternion(&mut target.rest, lane, seen.as_quat());
            target.stiffness.0[lane] = largest as f32;
            target.relaxation.0[lane] = relaxation as f32;
            if self.kind.anisotropic {
                let entries = softness_entries(rest, stiffness, side == 1);
                let entry = if chains { 2 * row + side } else { row };
                for (cell, value) in self.softness[entry].iter_mut().zip(entries) {
                    cell.0[lane] = value as f32;
                }
            }
        }
    }

    /// Rest orientation, stiffness and softness of a joint seen from the second segment, as the solver has them; clamps come after the joints.
    pub fn stored_joint(&self, lane: usize, rod: &RodDescription, joint: usize) -> (Quat, f64, Softness<f64>) {
        let [_, (row, at)] = self.joint_places(lane, rod, joint);
        let entry = match self.layout {
            Layout::Chains => 2 * row + 1,
            Layout::Graph(_) => row,
        };
        let softness = self.softness.get(entry).map_or(Softness::none(), |row| {
            let [a, b, c, d, e, f, real, ratio] = row.map(|cell| cell.0[at].into());
            let matrix = Symmetric([a, b, c, d, e, f]);
            Softness { matrix, real, ratio }
        });
        let row = &self.joints[row];
        (quaternion(&row.rest, at), row.stiffness.0[at].into(), softness)
    }

    /// Take the rod out of a lane.
    pub fn clear(&mut self, lane: usize) {
        self.rods[lane] = None;
        self.alpha_models[lane] = None;
        if matches!(self.layout, Layout::Graph(_)) {
            return; // The whole block goes with it.
        }
        copy_lane(&mut self.vertices, &VertexRow::vacant(), lane);
        copy_lane(&mut self.segments, &SegmentRow::vacant(), lane);
        copy_lane(&mut self.joints, &JointRow::vacant(), lane);
        copy_lane(&mut self.softness, &[Row::default(); 8], lane);
        copy_lane(&mut self.acceleration, &[Row::default(); 3], lane);
        copy_lane(&mut self.torque, &[Row::default(); 3], lane);
        copy_lane(&mut self.extra, &ExtraRow::zeroed(), lane);
        copy_lane(&mut self.history, &HistoryRow::zeroed(), lane);
        copy_lane(&mut self.spin, &[Row::default(); 3], lane);
        copy_lane(&mut self.twists, &TwistRow::zeroed(), lane);
        self.history_step.0[lane] = 0.0;
        self.drag.0[lane] = 0.0;
    }

    /// Forget the past of a rod that was put elsewhere.
    pub fn forget(&mut self, lane: usize) {
        match self.layout {
            Layout::Chains => self.history_step.0[lane] = 0.0,
            Layout::Graph(_) => self.history_step = Row::default(),
        }
    }

    /// Row and lane of a wall, as plans number them.
    pub fn wall_row(&self, lane: usize, wall: usize) -> (usize, usize) {
        match &self.layout {
            Layout::Chains if wall == 0 => (0, lane),
            Layout::Chains => (self.kind.segments as usize + 1, lane),
            Layout::Graph(graph) => split(graph.segment_slot[self.graph_segments() + wall]),
        }
    }

    fn graph_segments(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| plan.segments.len())
    }

    /// Row and lane of a joint seen from its second segment, and its entry of `softness`, as plans number them.
    pub fn joint_row(&self, lane: usize, joint: usize) -> (usize, usize, usize) {
        match &self.layout {
            Layout::Chains => (joint, lane, 2 * joint + 1),
            Layout::Graph(graph) => {
                let [_, (row, cell)] = graph.joint_places[joint];
                (row as usize, cell as usize, row as usize)
            }
        }
    }

    /// Forget the stiffness of a segment and of the joints on it.
    pub fn break_segment(&mut self, lane: usize, rod: &RodDescription, segment: usize) {
        let (row, at) = self.segment_place(lane, segment);
        self.segments[row].axial.0[at] = 0.0;
        self.segments[row].shear.0[at] = 0.0;
        self.segments[row].strain_limit.0[at] = f32::INFINITY;
        if let Some(torque) = self.torque.get_mut(row) {
            set_vector(torque, at, Vec3::ZERO);
        }
        let segment = segment as u32;
        let joints = rod.joints().iter().map(|j| j.first == segment || j.second == segment);
        let clamps = rod.clamps().iter().map(|c| c.segment == segment);
        for (joint, _) in joints.chain(clamps).enumerate().filter(|(_, on)| *on) {
            self.release_joint(lane, rod, joint);
        }
    }
}

impl Block {
    /// Stop a rod where it is.
    pub fn freeze(&mut self, lane: usize) {
        let Some(resident) = &self.rods[lane] else {
            return;
        };
        let rod = resident.description.clone();
        for v in 0..rod.vertices().len() {
            let (row, at) = self.vertex_place(lane, v);
            self.vertices[row].free.0[at] = 0.0;
            set_vector(&mut self.vertices[row].velocity, at, Vec3::ZERO);
        }
        for s in 0..rod.segments().len() {
            let (row, at) = self.segment_place(lane, s);
            self.segments[row].held.0[at] = 1.0;
            if let Some(spin) = self.spin.get_mut(row) {
                set_vector(spin, at, Vec3::ZERO);
            }
        }
        self.forget_previous(lane);
    }
}

/// `k_bt` in the two bending directions and in twist, and relaxation time, of a joint; clamps come after the joints.
pub(super) fn described_joint(rod: &RodDescription, joint: usize) -> ([f64; 3], f64) {
    let (bending, torsion, length, relaxation) = match rod.joints().get(joint) {
        Some(j) => (j.bending, j.torsion, j.length, j.relaxation),
        None => {
            let c = &rod.clamps()[joint - rod.joints().len()];
            (c.bending, c.torsion, c.length, c.relaxation)
        }
    };
    let stiffness = [bending[0], bending[1], torsion].map(|rigidity| 4.0 * rigidity / length);
    (stiffness, relaxation)
}

/// How much softer than its stiffest direction a joint is, as rows keep it, from its three stiffnesses.
///
/// They are those of the halfway frame between the two segments: the joint looks the same from both ends of the rod. Seen from the first segment the
/// difference of orientations is turned by half the rest angle one way, from the second the other way.
pub fn softness_entries(rest: DQuat, stiffness: [f64; 3], from_second: bool) -> [f64; 8] {
    let largest = stiffness.into_iter().fold(0.0, f64::max);
    let smallest = stiffness.into_iter().fold(f64::INFINITY, f64::min);
    let scale = (largest * largest).max(f64::MIN_POSITIVE);
    let nearest = if rest.w < 0.0 { -rest } else { rest };
    let half = (DQuat::IDENTITY + nearest).normalize();
    let turn = DMat3::from_quat(if from_second { half.conjugate() } else { half });
    let saved = stiffness.map(|k| (largest - k) / scale);
    let matrix = turn * DMat3::from_diagonal(DVec3::from_array(saved)) * turn.transpose();
    [
        matrix.x_axis.x,
        matrix.y_axis.y,
        matrix.z_axis.z,
        matrix.y_axis.x,
        matrix.z_axis.x,
        matrix.z_axis.y,
        (largest - smallest) / scale,
        smallest / largest.max(f64::MIN_POSITIVE),
    ]
}

fn split(slot: u32) -> (usize, usize) {
    (slot as usize / LANES, slot as usize % LANES)
}

/// Copies one lane of every row of `rows` from `from`.
pub fn copy_lane<T: bytemuck::Pod>(rows: &mut [T], from: &T, lane: usize) {
    let from: &[Row] = bytemuck::cast_slice(std::slice::from_ref(from));
    for row in rows {
        let row: &mut [Row] = bytemuck::cast_slice_mut(std::slice::from_mut(row));
        for (cell, source) in row.iter_mut().zip(from) {
            cell.0[lane] = source.0[lane];
        }
    }
}

/// Copies one lane of every row from the row of the same place.
pub fn copy_lanes<T: bytemuck::Pod>(rows: &mut [T], from: &[T], lane: usize) {
    for (row, from) in rows.iter_mut().zip(from) {
        copy_lane(std::slice::from_mut(row), from, lane);
    }
}

pub fn vector(rows: &VectorRow, lane: usize) -> Vec3 {
    Vec3::new(rows[0].0[lane], rows[1].0[lane], rows[2].0[lane])
}

pub fn set_vector(rows: &mut VectorRow, lane: usize, v: Vec3) {
    for (row, value) in rows.iter_mut().zip(v.to_array()) {
        row.0[lane] = value;
    }
}

pub fn quaternion(rows: &QuaternionRow, lane: usize) -> Quat {
    Quat::from_array(std::array::from_fn(|c| rows[c].0[lane]))
}

pub fn set_quaternion(rows: &mut QuaternionRow, lane: usize, q: Quat) {
    for (row, value) in rows.iter_mut().zip(q.to_array()) {
        row.0[lane] = value;
    }
}

/// Position from the rod's origin, both parts.
pub fn position(row: &VertexRow, lane: usize) -> DVec3 {
    vector(&row.position, lane).as_dvec3() + vector(&row.residual, lane).as_dvec3()
}

/// Split a position into what `f32` holds and what it leaves.
pub fn set_position(row: &mut VertexRow, lane: usize, local: DVec3) {
    let leading = local.as_vec3();
    set_vector(&mut row.position, lane, leading);
    set_vector(&mut row.residual, lane, (local - leading.as_dvec3()).as_vec3());
}
