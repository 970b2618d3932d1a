//! A substep of up to eight like chains in lockstep: a lane is a rod.
//!
//! Rows are swept red and black, even ones and then odd ones: that is Gauss–Seidel like the index order (and converges as fast:
//! the system is consistently ordered), neighbouring rows do not wait for each other, and a lone rod that fills the lanes by colour goes through the very
//! same updates.

use super::rows::{
    Features, Outcome, SegmentWork, Substep, Targets, bias, excess, finish_vertex, grow, load_acceleration,
    load_position, poison, start_joint, start_segment, start_vertex, turn_segment, vertex_poison, yield_to,
};
use crate::{
    math::{
        Quaternion, Vector,
        lanes::{Kernel, LANES, Lanes, QuaternionRow, Row, VectorRow},
    },
    state::block::{Block, Kind},
};

/// Memory of a substep, kept by a worker and used for one block after the other.
#[derive(Clone, Debug, Default)]
pub struct ChainWork {
    vertices: Vec<VertexWork>,
    /// `w` of the vertices, for what further stages add.
    weights: Vec<Row>,
    segments: Vec<SegmentWork>,
    targets: Targets,
    /// Orientations with the two walls, as the rows of the block.
    orientations: Vec<QuaternionRow>,
    /// Relaxing increments `s` of the segments, with nothing at the walls.
    relaxing: Vec<VectorRow>,
}

/// A vertex during a substep.
#[derive(Clone, Copy, Debug, Default)]
struct VertexWork {
    u: VectorRow,
    g: VectorRow,
    /// `w a` of the segment before and of the one after.
    before: Row,
    after: Row,
}

impl ChainWork {
    /// Room for chains of a kind.
    pub fn reserve(&mut self, kind: &Kind) {
        let segments = kind.segments as usize;
        grow(&mut self.vertices, segments + 1);
        grow(&mut self.weights, segments + 1);
        grow(&mut self.segments, segments + 2);
        grow(&mut self.orientations, segments + 2);
        grow(&mut self.relaxing, segments + 2);
        self.targets.reserve(kind, segments + 1, segments + 2);
    }
}

/// One substep of a block of chains.
pub struct ChainStep<'a, const GENERAL: bool> {
    pub block: &'a mut Block,
    pub work: &'a mut ChainWork,
    pub substep: Substep,
}

impl<const GENERAL: bool> Kernel for ChainStep<'_, GENERAL> {
    type Output = Outcome;

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> Outcome {
        let mut outcome = Outcome {
            iterations: self.substep.iterations,
            ..Outcome::default()
        };
        let mut lane = 0;
        while lane < LANES {
            self.start::<R>(lane);
            // Frames follow the first guess of the positions before those are moved: see `ARCHITECTURE.md`.
            self.turn_segments::<R>(lane);
            for _ in 0..self.substep.iterations {
                self.move_vertices::<R>(lane);
                self.turn_segments::<R>(lane);
            }
            self.finish::<R>(&mut outcome, lane);
            lane += R::WIDTH;
        }
        outcome
    }
}

impl<const GENERAL: bool> ChainStep<'_, GENERAL> {
    #[inline(always)]
    fn start<R: Lanes>(&mut self, lane: usize) {
        let (block, work) = (&*self.block, &mut *self.work);
        let n = block.segments.len() - 2;
        let features = Features::new::<GENERAL>(&block.kind);
        let h = R::splat(self.substep.h.into());
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        let fade = R::load(&fade(&block.drag, self.substep.h), lane);

        for (row, segment) in block.segments.iter().enumerate() {
            let q = R::load_quaternion(&segment.orientation, lane);
            R::store_quaternion(q, &mut work.orientations[row], lane);
        }
        let mut bending_before = R::zero();
        let mut spring_before = R::zero();
        let mut tail = load_position::<R>(&block.vertices[0], lane);
        for row in 0..=n {
            // The joint between segment rows `row` and `row + 1`, then the segment after it, then the vertex between them.
            let bending = start_joint::<R>(
                features,
                R::load_quaternion(&work.orientations[row], lane),
                R::load_quaternion(&work.orientations[row + 1], lane),
                &block.joints[row],
                h,
                row,
                &mut work.targets,
                lane,
            );
            if row > 0 {
                // The segment before this joint now knows both of its joints.
                let head = load_position::<R>(&block.vertices[row], lane);
                let (spring, relaxing) = start_segment::<R>(
                    features,
                    &tail,
                    &head,
                    &block.segments[row],
                    bending_before + bending,
                    block.torque.get(row),
                    h,
                    &mut work.segments[row],
                    work.targets.axes.get_mut(row),
                    lane,
                );
                R::store_vector(relaxing, &mut work.relaxing[row], lane);
                start_row(block, work, row - 1, [spring_before, spring], (gravity, fade, h), lane);
                spring_before = spring;
                tail = head;
            }
            bending_before = bending;
        }
        start_row(block, work, n, [spring_before, R::zero()], (gravity, fade, h), lane);
        // The walls pull at no vertex.
        R::store_vector(Vector::zero(), &mut work.relaxing[0], lane);
        R::store_vector(Vector::zero(), &mut work.relaxing[n + 1], lane);
    }

    /// Eq. 6, vertex by vertex.
    #[inline(always)]
    fn move_vertices<R: Lanes>(&mut self, lane: usize) {
        let n = self.block.segments.len() - 2;
        let vertices = &mut self.work.vertices[..=n];
        let relaxing = &self.work.relaxing[..n + 2];
        for colour in 0..2 {
            let mut i = colour;
            while i <= n {
                // At the ends the weight of the missing neighbour is zero; the vertex itself stands in for it.
                let before =
                    R::load_vector(&vertices[i.saturating_sub(1)].u, lane) - R::load_vector(&relaxing[i], lane);
                let after = R::load_vector(&vertices[(i + 1).min(n)].u, lane) + R::load_vector(&relaxing[i + 1], lane);
                let vertex = &mut vertices[i];
                let u = R::load_vector(&vertex.g, lane);
                let u = before.mul_add(R::load(&vertex.before, lane), u);
                let mut u = after.mul_add(R::load(&vertex.after, lane), u);
                if let Some(extra) = self.block.extra.get(i) {
                    u = yield_to(extra, R::load(&self.work.weights[i], lane), u, lane);
                }
                R::store_vector(u, &mut vertex.u, lane);
                i += 2;
            }
        }
    }

    /// Eq. 7, segment by segment.
    #[inline(always)]
    fn turn_segments<R: Lanes>(&mut self, lane: usize) {
        let (block, work) = (&*self.block, &mut *self.work);
        let features = Features::new::<GENERAL>(&block.kind);
        let n = block.segments.len() - 2;
        for colour in 1..3 {
            let mut row = colour;
            while row <= n {
                let own = R::load_quaternion(&work.orientations[row], lane);
                let before = R::load_quaternion(&work.orientations[row - 1], lane);
                let after = R::load_quaternion(&work.orientations[row + 1], lane);
                let from_before = bias::<R, false>(
                    features,
                    before,
                    own,
                    row - 1,
                    &work.targets,
                    block.softness.get(2 * (row - 1) + 1),
                    lane,
                );
                let from_after = bias::<R, true>(
                    features,
                    after,
                    own,
                    row,
                    &work.targets,
                    block.softness.get(2 * row),
                    lane,
                );
                let increment =
                    R::load_vector(&work.vertices[row].u, lane) - R::load_vector(&work.vertices[row - 1].u, lane);
                let (q, relaxing) = turn_segment::<R>(
                    features,
                    increment,
                    own,
                    from_before + from_after,
                    block.torque.get(row),
                    &work.segments[row],
                    work.targets.axes.get(row),
                    self.substep.exact,
                    lane,
                );
                R::store_quaternion(q, &mut work.orientations[row], lane);
                R::store_vector(relaxing, &mut work.relaxing[row], lane);
                row += 2;
            }
        }
    }

    #[inline(always)]
    fn finish<R: Lanes>(&mut self, outcome: &mut Outcome, lane: usize) {
        let (block, work) = (&mut *self.block, &*self.work);
        let n = block.segments.len() - 2;
        let inverse_h = R::one() / R::splat(self.substep.h.into());
        let mut health = R::zero();
        for row in 0..=n {
            let u = R::load_vector(&work.vertices[row].u, lane);
            health = health + vertex_poison(&block.vertices[row], u, inverse_h, lane);
            // A relaxing increment is made of the orientation: it shows a bad one.
            health = health + poison(R::load_vector(&work.relaxing[row], lane));
        }
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        // Where a rod went bad `health − health` is NaN and not zero: it keeps the state from before the step.
        let good = health + R::one();
        for row in 0..=n {
            let acceleration = load_acceleration(gravity, &block.acceleration, row, lane);
            let u = R::load_vector(&work.vertices[row].u, lane);
            let u = Vector::select_positive(good, u, Vector::zero());
            finish_vertex(&mut block.vertices[row], u, acceleration, inverse_h, lane);
        }
        for row in 1..=n {
            let stored = &mut block.segments[row].orientation;
            let q = R::load_quaternion(&work.orientations[row], lane);
            let q = Quaternion::select_positive(good, q, R::load_quaternion(stored, lane));
            R::store_quaternion(q, stored, lane);
        }
        health.store(&mut outcome.health, lane);
        if block.kind.breakable {
            let mut most = -R::one();
            for row in 1..=n {
                let increment =
                    R::load_vector(&work.vertices[row].u, lane) - R::load_vector(&work.vertices[row - 1].u, lane);
                let over = excess(increment, &block.segments[row], &work.segments[row], lane);
                most = most.max(over);
            }
            most.store(&mut outcome.excess, lane);
        }
    }
}

/// The start of one row of vertices between two springs.
#[inline(always)]
fn start_row<R: Lanes>(
    block: &Block,
    work: &mut ChainWork,
    row: usize,
    [before, after]: [R; 2],
    (gravity, fade, h): (Vector<R>, R, R),
    lane: usize,
) {
    let acceleration = load_acceleration(gravity, &block.acceleration, row, lane);
    let (u, g, weight) = start_vertex(&block.vertices[row], acceleration, fade, before + after, h, lane);
    let vertex = &mut work.vertices[row];
    R::store_vector(u, &mut vertex.u, lane);
    R::store_vector(g, &mut vertex.g, lane);
    weight.store(&mut work.weights[row], lane);
    (weight * before).store(&mut vertex.before, lane);
    (weight * after).store(&mut vertex.after, lane);
}

/// What linear drag leaves of a velocity after `h`: `e^{−ch}` by its series, which gives the same bits everywhere.
pub fn fade(drag: &Row, h: f32) -> Row {
    Row(drag.0.map(|rate| {
        let x = rate * h;
        1.0 / (1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0)))))
    }))
}
