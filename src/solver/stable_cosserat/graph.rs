//! A substep of one graph, or of one long chain: a lane is one of eight elements of the same colour.
//!
//! What neighbours read of each other (increments, relaxing increments, orientations) stands in tables of four floats, so that a lane fetches
//! a neighbour with one load. The arithmetic is that of `rows.rs`, as for chains.

use super::{
    chain::fade,
    rows::{
        Features, Outcome, SegmentWork, Substep, Targets, bias, excess, finish_vertex, grow, load_acceleration, poison,
        start_joint, start_segment, start_vertex, turn_segment, vertex_poison, yield_to,
    },
};
use crate::{
    math::{
        Quaternion, Vector,
        lanes::{Float4, Kernel, LANES, Lanes, Row, VectorRow},
    },
    state::{
        block::{Block, Kind},
        graph_layout::{GraphLayout, Incidence},
    },
};

/// Memory of a substep, kept by a worker and used for one block after the other.
#[derive(Clone, Debug, Default)]
pub struct GraphWork {
    /// `u` of every vertex slot.
    increments: Vec<Float4>,
    /// `s` of every segment slot, and its spring constant `a`.
    relaxing: Vec<Float4>,
    orientations: Vec<Float4>,
    /// The two parts of the positions, while the edges are made.
    positions: Vec<Float4>,
    residuals: Vec<Float4>,
    vertices: Vec<VertexWork>,
    segments: Vec<SegmentWork>,
    targets: Targets,
}

/// A group of vertices during a substep.
#[derive(Clone, Copy, Debug, Default)]
struct VertexWork {
    g: VectorRow,
    weight: Row,
}

impl GraphWork {
    /// Room for a graph.
    pub fn reserve(&mut self, kind: &Kind, layout: &GraphLayout) {
        grow(&mut self.increments, layout.vertex_groups() * LANES);
        grow(&mut self.positions, layout.vertex_groups() * LANES);
        grow(&mut self.residuals, layout.vertex_groups() * LANES);
        grow(&mut self.relaxing, layout.segment_groups() * LANES);
        grow(&mut self.orientations, layout.segment_groups() * LANES);
        grow(&mut self.vertices, layout.vertex_groups());
        grow(&mut self.segments, layout.segment_groups());
        let joints = layout.neighbours.len();
        self.targets.reserve(kind, joints, layout.segment_groups());
    }
}

/// One substep of a graph. A rod that went non-finite is left as it was.
pub struct GraphStep<'a, const GENERAL: bool> {
    pub block: &'a mut Block,
    pub layout: &'a GraphLayout,
    pub work: &'a mut GraphWork,
    pub substep: Substep,
}

impl<const GENERAL: bool> Kernel for GraphStep<'_, GENERAL> {
    type Output = Outcome;

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> Outcome {
        self.start::<R>();
        self.turn_segments::<R>();
        for _ in 0..self.substep.iterations {
            self.move_vertices::<R>();
            self.turn_segments::<R>();
        }
        self.finish::<R>()
    }
}

#[inline(always)]
fn as_vector<R: Lanes>([x, y, z, _]: [R; 4]) -> Vector<R> {
    Vector::new(x, y, z)
}

#[inline(always)]
fn as_quaternion<R: Lanes>([x, y, z, w]: [R; 4]) -> Quaternion<R> {
    Quaternion::new(x, y, z, w)
}

#[inline(always)]
fn with<R: Lanes>(v: Vector<R>, w: R) -> [R; 4] {
    [v.x, v.y, v.z, w]
}

impl<const GENERAL: bool> GraphStep<'_, GENERAL> {
    #[inline(always)]
    fn start<R: Lanes>(&mut self) {
        let (block, layout, work) = (&*self.block, self.layout, &mut *self.work);
        let features = Features::new::<GENERAL>(&block.kind);
        let h = R::splat(self.substep.h.into());
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        let fade = fade(&block.drag, self.substep.h);

        for (group, vertex) in block.vertices.iter().enumerate() {
            let mut lane = 0;
            while lane < LANES {
                let position = with(R::load_vector(&vertex.position, lane), R::zero());
                R::store_group(position, &mut work.positions, group, lane);
                let residual = with(R::load_vector(&vertex.residual, lane), R::zero());
                R::store_group(residual, &mut work.residuals, group, lane);
                lane += R::WIDTH;
            }
        }
        for (group, segment) in block.segments.iter().enumerate() {
            let mut lane = 0;
            while lane < LANES {
                let q = R::load_quaternion(&segment.orientation, lane);
                R::store_group([q.x, q.y, q.z, q.w], &mut work.orientations, group, lane);
                lane += R::WIDTH;
            }
        }
        for (group, segment) in block.segments.iter().enumerate() {
            let (tails, heads) = (&layout.tails[group], &layout.heads[group]);
            let joints = layout.joint_start[group] as usize..layout.joint_start[group + 1] as usize;
            let mut lane = 0;
            while lane < LANES {
                let own = as_quaternion(R::load_group(&work.orientations, group, lane));
                let mut bending = R::zero();
                for joint in joints.clone() {
                    let neighbour = as_quaternion(R::gather(&work.orientations, &layout.neighbours[joint], lane));
                    let stiffness = start_joint::<R>(
                        features,
                        neighbour,
                        own,
                        &block.joints[joint],
                        h,
                        joint,
                        &mut work.targets,
                        lane,
                    );
                    bending = bending + stiffness;
                }
                let tail = (
                    as_vector(R::gather(&work.positions, tails, lane)),
                    as_vector(R::gather(&work.residuals, tails, lane)),
                );
                let head = (
                    as_vector(R::gather(&work.positions, heads, lane)),
                    as_vector(R::gather(&work.residuals, heads, lane)),
                );
                let (spring, relaxing) = start_segment::<R>(
                    features,
                    &tail,
                    &head,
                    segment,
                    bending,
                    block.torque.get(group),
                    h,
                    &mut work.segments[group],
                    work.targets.axes.get_mut(group),
                    lane,
                );
                R::store_group(with(relaxing, spring), &mut work.relaxing, group, lane);
                lane += R::WIDTH;
            }
        }
        for (group, vertex) in block.vertices.iter().enumerate() {
            let incidences = incidences_of(layout, group);
            let mut lane = 0;
            while lane < LANES {
                let mut springs = R::zero();
                for incidence in incidences {
                    let [_, _, _, spring] = R::gather(&work.relaxing, &incidence.segment, lane);
                    springs = springs + spring;
                }
                let acceleration = load_acceleration(gravity, &block.acceleration, group, lane);
                let (u, g, weight) = start_vertex(vertex, acceleration, R::load(&fade, lane), springs, h, lane);
                R::store_group(with(u, R::zero()), &mut work.increments, group, lane);
                let row = &mut work.vertices[group];
                R::store_vector(g, &mut row.g, lane);
                weight.store(&mut row.weight, lane);
                lane += R::WIDTH;
            }
        }
    }

    /// Eq. 6, colour by colour.
    #[inline(always)]
    fn move_vertices<R: Lanes>(&mut self) {
        let (layout, work) = (self.layout, &mut *self.work);
        for group in 0..layout.vertex_groups() {
            let incidences = incidences_of(layout, group);
            let row = &work.vertices[group];
            let mut lane = 0;
            while lane < LANES {
                let weight = R::load(&row.weight, lane);
                let mut u = R::load_vector(&row.g, lane);
                for incidence in incidences {
                    let other = as_vector(R::gather(&work.increments, &incidence.other, lane));
                    let [x, y, z, spring] = R::gather(&work.relaxing, &incidence.segment, lane);
                    let sign = R::load(&incidence.sign, lane);
                    let toward = Vector::new(x, y, z).mul_add(sign, other);
                    u = toward.mul_add(weight * spring, u);
                }
                if let Some(extra) = self.block.extra.get(group) {
                    u = yield_to(extra, weight, u, lane);
                }
                R::store_group(with(u, R::zero()), &mut work.increments, group, lane);
                lane += R::WIDTH;
            }
        }
    }

    /// Eq. 7 with the sums of Eq. 17, colour by colour.
    #[inline(always)]
    fn turn_segments<R: Lanes>(&mut self) {
        let (block, layout, work) = (&*self.block, self.layout, &mut *self.work);
        let features = Features::new::<GENERAL>(&block.kind);
        for group in 0..layout.segment_groups() {
            let joints = layout.joint_start[group] as usize..layout.joint_start[group + 1] as usize;
            let mut lane = 0;
            while lane < LANES {
                let own = as_quaternion(R::load_group(&work.orientations, group, lane));
                let mut sum = Quaternion::new(R::zero(), R::zero(), R::zero(), R::zero());
                for joint in joints.clone() {
                    let neighbour = as_quaternion(R::gather(&work.orientations, &layout.neighbours[joint], lane));
                    let term = bias::<R, false>(
                        features,
                        neighbour,
                        own,
                        joint,
                        &work.targets,
                        block.softness.get(joint),
                        lane,
                    );
                    sum = sum + term;
                }
                let tail = as_vector(R::gather(&work.increments, &layout.tails[group], lane));
                let head = as_vector(R::gather(&work.increments, &layout.heads[group], lane));
                let (q, relaxing) = turn_segment::<R>(
                    features,
                    head - tail,
                    own,
                    sum,
                    block.torque.get(group),
                    &work.segments[group],
                    work.targets.axes.get(group),
                    self.substep.exact,
                    lane,
                );
                let [_, _, _, spring] = R::load_group(&work.relaxing, group, lane);
                R::store_group([q.x, q.y, q.z, q.w], &mut work.orientations, group, lane);
                R::store_group(with(relaxing, spring), &mut work.relaxing, group, lane);
                lane += R::WIDTH;
            }
        }
    }

    #[inline(always)]
    fn finish<R: Lanes>(&mut self) -> Outcome {
        let (block, work) = (&mut *self.block, &*self.work);
        let mut outcome = Outcome {
            iterations: self.substep.iterations,
            ..Outcome::default()
        };
        let inverse_h = R::one() / R::splat(self.substep.h.into());
        let mut lane = 0;
        while lane < LANES {
            let mut sum = R::zero();
            for group in 0..block.vertices.len() {
                let u = as_vector(R::load_group(&work.increments, group, lane));
                sum = sum + vertex_poison(&block.vertices[group], u, inverse_h, lane);
            }
            for group in 0..block.segments.len() {
                sum = sum + poison(as_vector(R::load_group(&work.relaxing, group, lane)));
            }
            sum.store(&mut outcome.health, lane);
            lane += R::WIDTH;
        }
        if outcome.health.0.iter().any(|value| value.is_nan()) {
            return outcome;
        }
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        for group in 0..block.vertices.len() {
            let mut lane = 0;
            while lane < LANES {
                let acceleration = load_acceleration(gravity, &block.acceleration, group, lane);
                let u = as_vector(R::load_group(&work.increments, group, lane));
                finish_vertex(&mut block.vertices[group], u, acceleration, inverse_h, lane);
                lane += R::WIDTH;
            }
        }
        for (group, segment) in block.segments.iter_mut().enumerate() {
            let mut lane = 0;
            while lane < LANES {
                let q = as_quaternion(R::load_group(&work.orientations, group, lane));
                R::store_quaternion(q, &mut segment.orientation, lane);
                lane += R::WIDTH;
            }
        }
        if block.kind.breakable {
            self.find_excess::<R>(&mut outcome.excess);
        }
        outcome
    }
}

impl<const GENERAL: bool> GraphStep<'_, GENERAL> {
    #[inline(always)]
    fn find_excess<R: Lanes>(&self, out: &mut Row) {
        let (block, layout, work) = (&*self.block, self.layout, &*self.work);
        let mut lane = 0;
        while lane < LANES {
            let mut most = -R::one();
            for (group, segment) in block.segments.iter().enumerate() {
                let tail = as_vector(R::gather(&work.increments, &layout.tails[group], lane));
                let head = as_vector(R::gather(&work.increments, &layout.heads[group], lane));
                most = most.max(excess(head - tail, segment, &work.segments[group], lane));
            }
            most.store(out, lane);
            lane += R::WIDTH;
        }
    }
}

#[inline(always)]
fn incidences_of(layout: &GraphLayout, group: usize) -> &[Incidence] {
    let start = layout.incidence_start[group] as usize;
    let end = layout.incidence_start[group + 1] as usize;
    &layout.incidences[start..end]
}
