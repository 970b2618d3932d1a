//! A substep of up to eight like chains in lockstep: a lane is a rod.
//!
//! Constraints go in bilateral interleaving order (Fig. 4): up the rod over the even elements, down over the odd ones. Elements of one parity share nothing, so
//! that consecutive rows do not wait for each other.

use super::{
    Options,
    elements::{
        Work, excess, lightness, orientation_poison, project_bend, project_stretch, spin_between, start_joint,
        start_segment, start_vertex,
    },
};
use crate::{
    math::{
        Quaternion, Symmetric, Vector,
        lanes::{Kernel, LANES, Lanes, Row},
    },
    solver::stable_cosserat::{
        chain::fade,
        rows::{Outcome, Substep, finish_vertex, load_acceleration, load_position, vertex_poison},
    },
    state::block::Block,
};

/// One substep of a block of chains. `EXTRA` where further stages add to the vertices, `EVEN` where shear is as stiff as stretch.
pub struct ChainStep<'a, const EXTRA: bool, const EVEN: bool> {
    pub block: &'a mut Block,
    pub work: &'a mut Work,
    pub substep: Substep,
    pub options: Options,
}

impl<const EXTRA: bool, const EVEN: bool> Kernel for ChainStep<'_, EXTRA, EVEN> {
    type Output = Outcome;

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> Outcome {
        self.options.even = EVEN; // A constant to the compiler.
        let mut outcome = Outcome {
            iterations: self.substep.iterations,
            ..Outcome::default()
        };
        let n = self.block.segments.len() - 2;
        let mut lane = 0;
        while lane < LANES {
            self.start::<R>(lane);
            for _ in 0..self.substep.iterations {
                for parity in 0..2 {
                    // Rows of segments start at 1; the joint of a row lies after it.
                    let rows = (n - parity).div_ceil(2);
                    for k in 0..rows {
                        let k = if parity == 0 { k } else { rows - 1 - k };
                        self.stretch::<R>(1 + parity + 2 * k, lane);
                    }
                    let joints = (n + 1 - parity).div_ceil(2);
                    for k in 0..joints {
                        let k = if parity == 0 { k } else { joints - 1 - k };
                        self.bend::<R>(parity + 2 * k, lane);
                    }
                }
                if self.options.long_range {
                    self.reach::<R>(lane);
                }
            }
            self.finish::<R>(&mut outcome, lane);
            lane += R::WIDTH;
        }
        outcome
    }
}

#[inline(always)]
fn load_weights<R: Lanes>(rows: &[Row; 6], lane: usize) -> Symmetric<R> {
    let [xx, yy, zz, xy, xz, yz] = rows;
    Symmetric([
        R::load(xx, lane),
        R::load(yy, lane),
        R::load(zz, lane),
        R::load(xy, lane),
        R::load(xz, lane),
        R::load(yz, lane),
    ])
}

#[inline(always)]
fn sum<R: Lanes>(a: Symmetric<R>, b: Symmetric<R>) -> Symmetric<R> {
    let (a, b) = (a.0, b.0);
    Symmetric([
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
    ])
}

impl<const EXTRA: bool, const EVEN: bool> ChainStep<'_, EXTRA, EVEN> {
    #[inline(always)]
    fn start<R: Lanes>(&mut self, lane: usize) {
        let (block, work) = (&*self.block, &mut *self.work);
        let n = block.segments.len() - 2;
        let h = R::splat(self.substep.h.into());
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        let fade = R::load(&fade(&block.drag, self.substep.h), lane);
        for row in 0..=n {
            let acceleration = load_acceleration(gravity, &block.acceleration, row, lane);
            let weights = block.extra.get(row).filter(|_| EXTRA).zip(work.weights.get_mut(row));
            start_vertex(
                &block.vertices[row],
                acceleration,
                fade,
                h,
                &mut work.vertices[row],
                weights,
                lane,
            );
        }
        for wall in [0, n + 1] {
            let q = R::load_quaternion(&block.segments[wall].orientation, lane);
            R::store_quaternion(q, &mut work.orientations[wall], lane);
            R::zero().store(&mut work.turning[wall], lane);
        }
        for row in 1..=n {
            let (tail, head) = (&block.vertices[row - 1], &block.vertices[row]);
            let (from, to) = (load_position::<R>(tail, lane), load_position::<R>(head, lane));
            let weight = R::load(&work.vertices[row - 1].weight, lane) + R::load(&work.vertices[row].weight, lane);
            start_segment(
                &block.segments[row],
                &block.spin[row],
                block.torque.get(row),
                (to.0 - from.0) + (to.1 - from.1),
                (lightness::<R>(tail, lane) + lightness::<R>(head, lane), weight),
                (fade, h),
                self.options,
                &mut work.segments[row],
                (&mut work.orientations[row], &mut work.turning[row]),
                lane,
            );
        }
        for row in 0..=n {
            start_joint(
                &block.joints[row],
                block.softness.get(2 * row + 1),
                R::load_quaternion(&block.segments[row].orientation, lane),
                R::load_quaternion(&block.segments[row + 1].orientation, lane),
                R::load(&work.turning[row], lane) + R::load(&work.turning[row + 1], lane),
                h,
                self.options,
                &mut work.joints[row],
                lane,
            );
        }
    }

    #[inline(always)]
    fn stretch<R: Lanes>(&mut self, row: usize, lane: usize) {
        let work = &mut *self.work;
        let tail = R::load_vector(&work.vertices[row - 1].increment, lane);
        let head = R::load_vector(&work.vertices[row].increment, lane);
        let (segment, orientation) = (&mut work.segments[row], &mut work.orientations[row]);
        let (tail, head) = if EXTRA {
            let light = load_weights::<R>(&work.weights[row - 1], lane);
            let other = load_weights::<R>(&work.weights[row], lane);
            let weights = Some(sum(light, other));
            let turning = &work.turning[row];
            let impulse = project_stretch(head - tail, segment, orientation, turning, weights, self.options, lane);
            (tail - light.apply(impulse), head + other.apply(impulse))
        } else {
            let turning = &work.turning[row];
            let impulse = project_stretch(head - tail, segment, orientation, turning, None, self.options, lane);
            let [light, other] = [
                R::load(&work.vertices[row - 1].weight, lane),
                R::load(&work.vertices[row].weight, lane),
            ];
            (impulse.mul_add(-light, tail), impulse.mul_add(other, head))
        };
        R::store_vector(tail, &mut work.vertices[row - 1].increment, lane);
        R::store_vector(head, &mut work.vertices[row].increment, lane);
    }

    #[inline(always)]
    fn bend<R: Lanes>(&mut self, row: usize, lane: usize) {
        let work = &mut *self.work;
        let [first, second] = project_bend(
            R::load_quaternion(&work.orientations[row], lane),
            R::load_quaternion(&work.orientations[row + 1], lane),
            [R::load(&work.turning[row], lane), R::load(&work.turning[row + 1], lane)],
            &mut work.joints[row],
            self.options,
            lane,
        );
        R::store_quaternion(first, &mut work.orientations[row], lane);
        R::store_quaternion(second, &mut work.orientations[row + 1], lane);
    }

    /// Long-range attachments: no vertex is farther from the next pin, either way, than the rod between them is long.
    #[inline(always)]
    fn reach<R: Lanes>(&mut self, lane: usize) {
        let n = self.block.segments.len() - 2;
        let (one, zero) = (R::one(), R::zero());
        for upward in [true, false] {
            let (mut anchor, mut reach, mut held) = (Vector::zero(), zero, zero);
            for k in 0..=n {
                let row = if upward { k } else { n - k };
                let vertex = &self.block.vertices[row];
                let (leading, residual) = load_position::<R>(vertex, lane);
                let u = R::load_vector(&self.work.vertices[row].increment, lane);
                let free = R::load(&vertex.free, lane);
                if k > 0 {
                    let segment = &self.block.segments[if upward { row } else { row + 1 }];
                    reach = reach + R::load(&segment.rest_length, lane);
                    // A broken segment holds nothing.
                    held = R::select_positive(R::load(&segment.axial, lane), held, zero);
                }
                let away = (leading - anchor) + (residual + u);
                let distance = away.length().max(R::splat(1e-30));
                let beyond = (distance - reach).max(zero) * free * held / distance;
                R::store_vector((-away).mul_add(beyond, u), &mut self.work.vertices[row].increment, lane);
                anchor = Vector::select_positive(free, anchor, leading + (residual + u));
                reach = R::select_positive(free, reach, zero);
                held = R::select_positive(free, held, one);
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
            let u = R::load_vector(&work.vertices[row].increment, lane);
            health = health + vertex_poison(&block.vertices[row], u, inverse_h, lane);
            health = health + orientation_poison(R::load_quaternion(&work.orientations[row], lane));
        }
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        // Where a rod went bad `health` is NaN: it keeps the state from before the step.
        let good = health + R::one();
        for row in 0..=n {
            let acceleration = load_acceleration(gravity, &block.acceleration, row, lane);
            let u = R::load_vector(&work.vertices[row].increment, lane);
            let u = Vector::select_positive(good, u, Vector::zero());
            finish_vertex(&mut block.vertices[row], u, acceleration, inverse_h, lane);
        }
        for row in 1..=n {
            let stored = &mut block.segments[row].orientation;
            let before = R::load_quaternion(stored, lane);
            let after = R::load_quaternion(&work.orientations[row], lane);
            let after = Quaternion::select_positive(good, after, before);
            R::store_quaternion(after, stored, lane);
            let spin = spin_between(before, after, inverse_h);
            R::store_vector(spin, &mut block.spin[row], lane);
        }
        health.store(&mut outcome.health, lane);
        if block.kind.breakable {
            let mut most = -R::one();
            for row in 1..=n {
                let [tail, head] = [&work.vertices[row - 1].increment, &work.vertices[row].increment];
                let increment = R::load_vector(head, lane) - R::load_vector(tail, lane);
                most = most.max(excess(increment, &block.segments[row], &work.segments[row], lane));
            }
            most.store(&mut outcome.excess, lane);
        }
    }
}
