//! A substep of one graph, one constraint after the other.
//!
//! Scalar: who wants speed for nets and trees takes Stable Cosserat or Direct. The order is that of chains, over segments and joints as they are numbered.

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
        lanes::{LANES, Lanes, QuaternionRow, Row},
    },
    rod::RodDescription,
    solver::stable_cosserat::{
        chain::fade,
        rows::{Outcome, Substep, finish_vertex, load_acceleration, load_position, vertex_poison},
    },
    state::{block::Block, graph_layout::GraphLayout},
};

/// Move a graph by one substep. A rod that went non-finite is left as it was.
pub fn step(block: &mut Block, layout: &GraphLayout, work: &mut Work, substep: Substep, options: Options) -> Outcome {
    let Some(rod) = block.rods[0].as_ref().map(|resident| resident.description.clone()) else {
        return Outcome::default();
    };
    let mut graph = Graph {
        block,
        rod: &rod,
        work,
        substep,
        options,
    };
    graph.start();
    if options.long_range {
        graph.work.long_range.find(graph.block, layout);
    }
    let joints = rod.joints().len() + rod.clamps().len();
    for _ in 0..substep.iterations {
        for parity in 0..2 {
            for s in interleaved(parity, rod.segments().len()) {
                graph.stretch(s);
            }
            for j in interleaved(parity, joints) {
                graph.bend(j);
            }
        }
        if options.long_range {
            graph.reach(layout);
        }
    }
    graph.finish()
}

/// Up over the even ones, down over the odd ones.
fn interleaved(parity: usize, count: usize) -> impl Iterator<Item = usize> {
    let many = count.saturating_sub(parity).div_ceil(2);
    (0..many).map(move |k| if parity == 0 { 2 * k } else { 2 * (many - 1 - k) + 1 })
}

struct Graph<'a> {
    block: &'a mut Block,
    rod: &'a RodDescription,
    work: &'a mut Work,
    substep: Substep,
    options: Options,
}

/// Row and lane.
type Place = (usize, usize);

impl Graph<'_> {
    /// The two vertices of a segment, and itself.
    fn segment(&self, segment: usize) -> [Place; 3] {
        let ends = &self.rod.segments()[segment];
        [
            self.block.vertex_place(0, ends.tail as usize),
            self.block.vertex_place(0, ends.head as usize),
            self.block.segment_place(0, segment),
        ]
    }

    /// The two segments of a joint, or the wall and the segment of a clamp (they come after the joints), and itself.
    fn joint(&self, joint: usize) -> [Place; 3] {
        let [_, place] = self.block.joint_places(0, self.rod, joint);
        match self.rod.joints().get(joint) {
            Some(j) => [
                self.block.segment_place(0, j.first as usize),
                self.block.segment_place(0, j.second as usize),
                place,
            ],
            None => {
                let clamp = joint - self.rod.joints().len();
                let segment = self.rod.clamps()[clamp].segment as usize;
                [
                    self.block.wall_place(0, self.rod, clamp),
                    self.block.segment_place(0, segment),
                    place,
                ]
            }
        }
    }

    fn orientation(&self, (row, lane): Place) -> Quaternion<f32> {
        f32::load_quaternion(&self.work.orientations[row], lane)
    }

    fn increment(&self, (row, lane): Place) -> Vector<f32> {
        f32::load_vector(&self.work.vertices[row].increment, lane)
    }

    fn start(&mut self) {
        let h = self.substep.h;
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        let fade = fade(&self.block.drag, h).0[0];
        for v in 0..self.rod.vertices().len() {
            let (row, lane) = self.block.vertex_place(0, v);
            let acceleration = load_acceleration(gravity, &self.block.acceleration, row, lane);
            let weights = self.block.extra.get(row).zip(self.work.weights.get_mut(row));
            let vertex = &self.block.vertices[row];
            let work = &mut self.work.vertices[row];
            start_vertex(vertex, acceleration, fade, h, work, weights, lane);
        }
        for clamp in 0..self.rod.clamps().len() {
            let (row, lane) = self.block.wall_place(0, self.rod, clamp);
            copy(
                &self.block.segments[row].orientation,
                &mut self.work.orientations[row],
                lane,
            );
            self.work.turning[row].0[lane] = 0.0;
        }
        for s in 0..self.rod.segments().len() {
            let [tail, head, (row, lane)] = self.segment(s);
            let [(from, light), (to, other)] = [tail, head].map(|(row, lane)| {
                let vertex = &self.block.vertices[row];
                (load_position::<f32>(vertex, lane), lightness::<f32>(vertex, lane))
            });
            let [w1, w2] = [tail, head].map(|(row, lane)| self.work.vertices[row].weight.0[lane]);
            start_segment(
                &self.block.segments[row],
                &self.block.spin[row],
                self.block.torque.get(row),
                (to.0 - from.0) + (to.1 - from.1),
                (light + other, w1 + w2),
                (fade, h),
                self.options,
                &mut self.work.segments[row],
                (&mut self.work.orientations[row], &mut self.work.turning[row]),
                lane,
            );
        }
        for j in 0..self.rod.joints().len() + self.rod.clamps().len() {
            let [first, second, (row, lane)] = self.joint(j);
            let [a, b] =
                [first, second].map(|(row, lane)| f32::load_quaternion(&self.block.segments[row].orientation, lane));
            let joint = &self.block.joints[row];
            let softness = self.block.softness.get(row);
            let [w1, w2] = [first, second].map(|(row, lane)| self.work.turning[row].0[lane]);
            let work = &mut self.work.joints[row];
            start_joint(joint, softness, a, b, w1 + w2, h, self.options, work, lane);
        }
    }

    fn stretch(&mut self, segment: usize) {
        let [tail, head, (row, lane)] = self.segment(segment);
        let [at_tail, at_head] = [self.increment(tail), self.increment(head)];
        let matrices = (!self.block.extra.is_empty())
            .then(|| [tail, head].map(|(row, lane)| weights(&self.work.weights[row], lane)));
        let sum = matrices.map(|[a, b]| Symmetric(std::array::from_fn(|k| a.0[k] + b.0[k])));
        let impulse = project_stretch(
            at_head - at_tail,
            &mut self.work.segments[row],
            &mut self.work.orientations[row],
            &self.work.turning[row],
            sum,
            self.options,
            lane,
        );
        let [pull, push] = match matrices {
            Some([a, b]) => [a.apply(impulse), b.apply(impulse)],
            None => [tail, head].map(|(row, lane)| impulse * self.work.vertices[row].weight.0[lane]),
        };
        let [(row, lane), (other, at)] = [tail, head];
        f32::store_vector(at_tail - pull, &mut self.work.vertices[row].increment, lane);
        f32::store_vector(at_head + push, &mut self.work.vertices[other].increment, at);
    }

    fn bend(&mut self, joint: usize) {
        let [first, second, (row, lane)] = self.joint(joint);
        let turning = [first, second].map(|(row, lane)| self.work.turning[row].0[lane]);
        let [a, b] = project_bend(
            self.orientation(first),
            self.orientation(second),
            turning,
            &mut self.work.joints[row],
            self.options,
            lane,
        );
        for ((row, lane), q) in [(first, a), (second, b)] {
            f32::store_quaternion(q, &mut self.work.orientations[row], lane);
        }
    }

    /// No vertex is farther from its nearest pin than the rod between them is long.
    fn reach(&mut self, layout: &GraphLayout) {
        for v in 0..self.rod.vertices().len() {
            let slot = layout.vertex_slot[v] as usize;
            let reach = self.work.long_range.reach[slot];
            if reach == 0.0 || reach == f32::INFINITY {
                continue;
            }
            let anchor = self.work.long_range.anchor[slot] as usize;
            let [own, pin] = [slot, anchor].map(|slot| (slot / LANES, slot % LANES));
            let [x, a] = [own, pin].map(|(row, lane)| load_position::<f32>(&self.block.vertices[row], lane));
            let u = self.increment(own);
            let away = (x.0 - a.0) + (x.1 - a.1) + (u - self.increment(pin));
            let distance = away.length();
            if distance > reach {
                let back = away * (1.0 - reach / distance);
                f32::store_vector(u - back, &mut self.work.vertices[own.0].increment, own.1);
            }
        }
    }

    fn finish(&mut self) -> Outcome {
        let mut outcome = Outcome {
            iterations: self.substep.iterations,
            ..Outcome::default()
        };
        let inverse_h = 1.0 / self.substep.h;
        let mut health = 0.0;
        for v in 0..self.rod.vertices().len() {
            let (row, lane) = self.block.vertex_place(0, v);
            let u = self.increment((row, lane));
            health += vertex_poison(&self.block.vertices[row], u, inverse_h, lane);
        }
        for s in 0..self.rod.segments().len() {
            health += orientation_poison(self.orientation(self.block.segment_place(0, s)));
        }
        outcome.health.0[0] = health;
        if health.is_nan() {
            return outcome;
        }
        let gravity = Vector::splat(self.substep.gravity.map(f64::from));
        for v in 0..self.rod.vertices().len() {
            let (row, lane) = self.block.vertex_place(0, v);
            let acceleration = load_acceleration(gravity, &self.block.acceleration, row, lane);
            let u = self.increment((row, lane));
            finish_vertex(&mut self.block.vertices[row], u, acceleration, inverse_h, lane);
        }
        let mut most: f32 = -1.0;
        for s in 0..self.rod.segments().len() {
            let [tail, head, (row, lane)] = self.segment(s);
            let before = f32::load_quaternion(&self.block.segments[row].orientation, lane);
            let after = self.orientation((row, lane));
            f32::store_quaternion(after, &mut self.block.segments[row].orientation, lane);
            let spin = spin_between(before, after, inverse_h);
            f32::store_vector(spin, &mut self.block.spin[row], lane);
            let increment = self.increment(head) - self.increment(tail);
            let over = excess(increment, &self.block.segments[row], &self.work.segments[row], lane);
            most = most.max(over);
        }
        outcome.excess.0[0] = most;
        outcome
    }
}

fn copy(from: &QuaternionRow, to: &mut QuaternionRow, lane: usize) {
    f32::store_quaternion(f32::load_quaternion(from, lane), to, lane);
}

fn weights(rows: &[Row; 6], lane: usize) -> Symmetric<f32> {
    Symmetric(std::array::from_fn(|k| rows[k].0[lane]))
}
