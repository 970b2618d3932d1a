//! A first guess that keeps its distances.
//!
//! The guess is the motion so far. Where it takes two rods into each other, bounds would hold back both as wholes, then what moves along with them, and so on through
//! everything that hangs together: one loop that tightens would stop a knit. So the guess is bent first, and only there: the four ends of the two segments are moved apart along the normal
//! by what is too much, and the frames turn with their segments.

use glam::DVec3;

use super::{
    bounds::{Verdict, Watch, allowed},
    closest::closest,
    group::{Ask, Group, LED},
};

/// Rounds over what is too near: a push between two rods moves what others are near to.
const ROUNDS: u32 = 6;
/// A push takes so much more than what is too near.
const MORE: f64 = 1.1;
/// What is too near by more than so many radii is no loop that tightens, but something that hits: that is held back.
const FAR: f64 = 1.0;

impl Group {
    /// Bend the step that is to be taken, the first guess, where it takes rods too near to each other.
    pub(super) fn keep_apart(&mut self, ask: &Ask<'_>) {
        self.led_scale = 1.0;
        for point in self.points.iter_mut().filter(|point| point.system == LED) {
            point.step = point.led;
        }
        self.collect_watches(ask);
        self.bent.clear();
        self.bent.resize(self.points.len(), DVec3::ZERO);
        let mut any = false;
        for round in 0..ROUNDS {
            let mut changed = false;
            for at in 0..self.watches.len() {
                if let watch @ Watch::Pair(pair) = self.watches[at]
                    && let verdict @ Verdict::Less(_) = self.judge_pair(pair as usize)
                {
                    if round == 0 {
                        self.strengthen(watch, verdict, ask);
                    }
                    changed |= self.push_apart(pair as usize);
                }
            }
            any |= changed;
            if !changed {
                break;
            }
        }
        if any {
            self.take_bent();
        }
    }

    /// Push the two of a pair apart that are too near at the end of the step. Answers whether it could.
    fn push_apart(&mut self, k: usize) -> bool {
        let sides = self.pairs[k].points;
        let ends = sides.map(|side| {
            side.map(|point| {
                let point = &self.points[point as usize];
                point.now + point.step
            })
        });
        let found = closest(ends[0], ends[1]);
        let weights = [[1.0 - found.first, found.first], [1.0 - found.second, found.second]];
        let near = self.pairs[k].nearness;
        let closed = near.distance - found.between.length();
        let too_near = closed - allowed(near.room, near.band);
        let mut total = 0.0;
        for (side, weights) in sides.iter().zip(weights) {
            for (&point, weight) in side.iter().zip(weights) {
                if self.points[point as usize].mass.is_finite() {
                    total += weight * weight;
                }
            }
        }
        let radius = self.points[sides[0][0] as usize].radius;
        // Or both are held.
        if too_near > FAR * radius || total < 0.1 {
            return false;
        }
        let push = found.between.normalize_or_zero() * (MORE * too_near / total);
        for ((side, weights), sign) in sides.iter().zip(weights).zip([-1.0, 1.0]) {
            for (&point, weight) in side.iter().zip(weights) {
                if self.points[point as usize].mass.is_finite() {
                    let by = push * (sign * weight);
                    self.points[point as usize].step += by;
                    self.bent[point as usize] += by;
                }
            }
        }
        true
    }

    /// The steps of the systems are those of their points.
    fn take_bent(&mut self) {
        for (index, system) in (0u32..).zip(&mut self.systems) {
            let memory = &mut system.memory;
            let vertices = system.plan.vertices;
            // Points by their nodes: `rhs` is free before the first sweep.
            memory.rhs[..3 * vertices].fill(0.0);
            let mut any = false;
            for k in system.points.clone() {
                let by = self.bent[k];
                if by != DVec3::ZERO {
                    let at = 3 * self.points[k].node as usize;
                    by.write_to_slice(&mut memory.rhs[at..at + 3]);
                    any = true;
                }
            }
            if !any {
                continue;
            }
            for (s, segment) in system.plan.segments.iter().enumerate() {
                let read = |list: &[f64], node: u32| DVec3::from_slice(&list[3 * node as usize..3 * node as usize + 3]);
                let bent = read(&memory.rhs, segment.head) - read(&memory.rhs, segment.tail);
                let frame = vertices + s;
                if bent == DVec3::ZERO || memory.free[frame] == 0.0 {
                    continue;
                }
                let edge = DVec3::from_slice(&memory.edges[3 * s..3 * s + 3])
                    + (read(&memory.step, segment.head) - read(&memory.step, segment.tail));
                let turn = edge.cross(bent) / edge.length_squared().max(f64::MIN_POSITIVE);
                for (entry, more) in memory.step[3 * frame..3 * frame + 3].iter_mut().zip(turn.to_array()) {
                    *entry += more;
                }
            }
            for (entry, more) in memory.step[..3 * vertices].iter_mut().zip(&memory.rhs) {
                *entry += more;
            }
            system.read_step(index, &mut self.points, &self.bodies);
        }
    }
}
