//! From the rows of a rod to the unknowns of a step, and back.
//!
//! What the method knows beyond the rows (curvatures, forces, rates, frames in double precision) is kept beside them. Where somebody changed the rows in the meantime (a teleport, a kick, a cut), or the
//! past is forgotten, it is made again from them and the next step is taken by implicit Euler.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use super::{
    coefficients::{Rho, Weights},
    equations::{End, Node, Place, Rates, Step, Turn},
    model::Model,
    newton::Solve,
    rotation::{exp, log},
};
use crate::{
    solver::stable_cosserat::rows::{Outcome, Substep},
    state::{
        block::{Block, position, quaternion, set_position, set_quaternion, set_vector, vector},
        rows::{AlphaNode, AlphaStart},
    },
};

/// Fastest that a vertex may be, m/s: its square is still a single-precision number.
const FASTEST: f64 = 1e18;

/// What a worker keeps: one rod's state before the step, and the solve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    old: Vec<Node>,
    rates: Vec<Rates>,
    frames: Vec<DQuat>,
    force: Vec<DVec3>,
    torque: Vec<DVec3>,
    solve: Solve,
}

impl Memory {
    pub fn reserve(&mut self, block: &Block) {
        let n = block.kind.segments as usize;
        if self.old.capacity() < n + 1 {
            self.old.reserve(n + 1 - self.old.len());
            self.rates.reserve(n + 1 - self.rates.len());
            self.frames.reserve(n + 1 - self.frames.len());
            self.force.reserve(n + 1 - self.force.len());
            self.torque.reserve(n + 1 - self.torque.len());
        }
        self.solve.reserve(n);
    }
}

/// Move a block by one substep.
pub(crate) fn step(block: &mut Block, memory: &mut Memory, substep: Substep, rho: Rho) -> Outcome {
    let mut outcome = Outcome::default();
    for lane in 0..block.rods.len() {
        if block.rods[lane].as_ref().is_none_or(|rod| rod.quarantined) {
            continue;
        }
        match advance(block, lane, memory, &substep, rho) {
            Some(iterations) => outcome.iterations = outcome.iterations.max(iterations),
            None => outcome.health.0[lane] = f32::NAN,
        }
    }
    outcome
}

/// Move one rod. `None` where it went non-finite; it is then as it was.
fn advance(block: &mut Block, lane: usize, memory: &mut Memory, substep: &Substep, rho: Rho) -> Option<u32> {
    follow_rows(block, lane);
    let model = block.alpha_models[lane].clone()?;
    let n = model.segments();
    let h = f64::from(substep.h);
    let fresh = block.history_step.0[lane] == 0.0 || !unchanged(block, lane, n);
    let start = if fresh {
        remake(block, lane, &model, memory);
        AlphaStart::default()
    } else {
        recall(block, lane, n, memory);
        block.alpha_starts[lane]
    };
    let gravity = Vec3::from_array(substep.gravity).as_dvec3();
    let walls = walls(block, lane, &model);
    let ends = gather_loads(block, lane, &model, gravity, memory, &walls);
    let places = [0, n].map(|v| position(&block.vertices[v], lane));
    let mut step = Step {
        model: &model,
        weights: if fresh { Weights::EULER } else { Weights::of(rho) },
        h,
        drag: block.drag.0[lane].into(),
        gravity,
        old: &memory.old,
        rates: &memory.rates,
        old_frames: &memory.frames,
        force: &memory.force,
        torque: &memory.torque,
        ends,
        wall: walls[0],
        start_spin: DVec3::from_array(start.spin),
    };
    step.ends = lead(&step, block, lane, &walls, places);
    let ending = memory.solve.run(&step, substep.iterations);
    let Solve { nodes, frames, .. } = &mut memory.solve;
    if !ending.converged {
        // The shape that was reached is kept, its speed is not: however long the step, nothing is fed into the rod.
        for node in nodes.iter_mut() {
            node.velocity = DVec3::ZERO;
            node.spin = DVec3::ZERO;
        }
    }
    let start = next_start(&step, start, &nodes[0], frames[0]);
    let sound = |v: DVec3| v.is_finite() && v.abs().max_element() < FASTEST;
    let whole = nodes
        .iter()
        .all(|node| sound(node.velocity) && sound(node.spin) && sound(node.curvature) && sound(node.force));
    if !whole || !frames.iter().all(|frame| frame.is_finite()) || !sound(DVec3::from_array(start.travel)) {
        return None;
    }
    let shift = (DVec3::from_array(start.travel) * step.weights.gamma
        + DVec3::from_array(block.alpha_starts[lane].travel) * (1.0 - step.weights.gamma))
        * h;
    let shift = if ending.converged { shift } else { DVec3::ZERO };
    let kept = lane * (n + 1)..(lane + 1) * (n + 1);
    for (j, (node, stored)) in nodes.iter().zip(&mut block.alpha_nodes[kept]).enumerate() {
        *stored = AlphaNode::new(node, &step.rates_of(j, node), frames[j]);
        let frame = match j {
            0 => frames[0],
            j => frames[j] * exp(node.curvature * (model.spans[j] * if j == n { 1.0 } else { 0.5 })),
        };
        stored.world_velocity = (frame * node.velocity).to_array();
    }
    block.alpha_starts[lane] = start;
    block.history_step.0[lane] = if ending.converged { substep.h } else { 0.0 };
    write_rows(block, lane, &model, frames, h, shift);
    Some(ending.iterations)
}

/// Take over rest lengths and rest orientations that changed.
fn follow_rows(block: &mut Block, lane: usize) {
    let Some(model) = &mut block.alpha_models[lane] else {
        return;
    };
    for s in 0..model.segments() {
        let length = block.segments[s + 1].rest_length.0[lane];
        if model.lengths[s] as f32 != length {
            Arc::make_mut(model).set_length(s, length.into());
        }
    }
    let Some(rod) = &block.rods[lane] else { return };
    for (j, joint) in rod.description.joints().iter().enumerate() {
        let rest = quaternion(&block.joints[j + 1].rest, lane);
        let known = (model.rest[j + 1] * model.spans[j + 1], rest.as_dquat().normalize());
        let as_described = rest == joint.rest.as_quat();
        // To the rounding of single precision; what was described is known better than that.
        if !as_described && (known.0 - log(known.1)).length() > 1e-6 {
            Arc::make_mut(model).set_rest(j + 1, known.1);
        }
    }
}

/// Whether the rows are still what the last step wrote.
fn unchanged(block: &Block, lane: usize, n: usize) -> bool {
    let kept = &block.alpha_nodes[lane * (n + 1)..(lane + 1) * (n + 1)];
    let turned = |s: usize| quaternion(&block.segments[s + 1].orientation, lane) != kept[s + 1].frame().as_quat();
    let kicked = |v: usize| {
        let row = &block.vertices[v];
        row.free.0[lane] > 0.0
            && vector(&row.velocity, lane) != DVec3::from_array(kept[v].world_velocity).as_vec3()
    };
    !(0..n).any(turned) && !(0..=n).any(kicked)
}

/// The state as the last step left it.
fn recall(block: &Block, lane: usize, n: usize, memory: &mut Memory) {
    let kept = &block.alpha_nodes[lane * (n + 1)..(lane + 1) * (n + 1)];
    memory.old.clear();
    memory.old.extend(kept.iter().map(AlphaNode::node));
    memory.rates.clear();
    memory.rates.extend(kept.iter().map(AlphaNode::rates));
    memory.frames.clear();
    memory.frames.extend(kept.iter().map(AlphaNode::frame));
}

/// The state as the rows have it. Segments point along their edges; their lengths are those without load.
fn remake(block: &mut Block, lane: usize, model: &Model, memory: &mut Memory) {
    let n = model.segments();
    let Memory {
        old, rates, frames, ..
    } = memory;
    let speed = |v: usize| vector(&block.vertices[v].velocity, lane).as_dvec3();
    let walls = walls(block, lane, model);
    frames.clear();
    frames.push(DQuat::IDENTITY);
    for s in 0..n {
        let frame = quaternion(&block.segments[s + 1].orientation, lane).as_dquat().normalize();
        let edge = position(&block.vertices[s + 1], lane) - position(&block.vertices[s], lane);
        let turn = DQuat::from_rotation_arc(frame * DVec3::Z, edge.normalize_or(frame * DVec3::Z));
        frames.push((turn * frame).normalize());
    }
    frames[0] = walls[0].unwrap_or_else(|| frames[1] * exp(-model.rest[0] * model.spans[0]));
    let beyond = walls[1].unwrap_or_else(|| frames[n] * exp(model.rest[n] * model.spans[n]));
    old.clear();
    for j in 0..=n {
        let next = if j < n { frames[j + 1] } else { beyond };
        let turn = log(frames[j].conjugate() * next);
        let half = match j {
            0 => frames[0],
            j if j == n => beyond,
            j => frames[j] * exp(turn * 0.5),
        };
        // Segments turn as their ends move; about their own axis nothing is known.
        let turning = |s: usize| {
            let along = frames[s + 1] * DVec3::Z;
            along.cross(speed(s + 1) - speed(s)) / model.lengths[s]
        };
        let spin = 0.5 * (turning(j.min(n - 1)) + turning(j.saturating_sub(1)));
        let back = half.conjugate();
        old.push(Node {
            velocity: back * speed(j),
            spin: back * spin,
            curvature: turn / model.spans[j],
            force: DVec3::ZERO,
        });
    }
    rates.clear();
    rates.resize(n + 1, Rates::default());
    block.alpha_starts[lane] = AlphaStart::default();
}

/// The frames that walls give the nodes at the ends. A clamp says how its segment lies at rest; the node is half a segment farther along the rest curve.
fn walls(block: &Block, lane: usize, model: &Model) -> [Option<DQuat>; 2] {
    let n = model.segments();
    let wall = |joint: usize, row: usize, turn: DVec3| {
        (block.joints[joint].stiffness.0[lane] > 0.0).then(|| {
            let frame = quaternion(&block.segments[row].orientation, lane).as_dquat().normalize();
            frame * exp(turn)
        })
    };
    [
        wall(0, 0, -model.rest[0] * model.spans[0]),
        wall(n, n + 1, model.rest[n] * model.spans[n]),
    ]
}

/// Loads on segments go to `memory`, those of free ends are answered.
fn gather_loads(
    block: &Block,
    lane: usize,
    model: &Model,
    gravity: DVec3,
    memory: &mut Memory,
    walls: &[Option<DQuat>; 2],
) -> [End; 2] {
    let n = model.segments();
    let pushed = |v: usize| {
        let row = &block.vertices[v];
        block.acceleration.get(v).map_or(DVec3::ZERO, |a| {
            vector(a, lane).as_dvec3() * f64::from(row.mass.0[lane] * row.free.0[lane])
        })
    };
    let twisted = |s: usize| {
        let torque = block.torque.get(s + 1);
        torque.map_or(DVec3::ZERO, |torque| vector(torque, lane).as_dvec3())
    };
    memory.force.clear();
    memory.torque.clear();
    for s in 0..n {
        // Half of an inner vertex' force goes to either side; an end's is a boundary condition.
        let share = |v: usize| if v == 0 || v == n { DVec3::ZERO } else { 0.5 * pushed(v) };
        memory
            .force
            .push(model.line_density[s] * gravity + (share(s) + share(s + 1)) / model.lengths[s]);
        // The torque on a segment at a free end turns the end itself.
        let at_end = (s + 1 == n && walls[1].is_none()) || (s == 0 && n > 1 && walls[0].is_none());
        let torque = if at_end { DVec3::ZERO } else { twisted(s) };
        memory.torque.push(torque / model.lengths[s]);
    }
    let first = if n > 1 { twisted(0) } else { DVec3::ZERO };
    [(0, first), (n, twisted(n - 1))].map(|(v, torque)| End {
        place: Place::Free(pushed(v)),
        turn: Turn::Free(torque),
    })
}

/// What pins and walls make of the ends.
fn lead(step: &Step, block: &Block, lane: usize, walls: &[Option<DQuat>; 2], places: [DVec3; 2]) -> [End; 2] {
    let mut ends = step.ends;
    let n = step.model.segments();
    let [first, last] = [0, n].map(|v| {
        let row = &block.vertices[v];
        (row.free.0[lane] == 0.0).then(|| vector(&row.velocity, lane).as_dvec3())
    });
    if let Some(velocity) = first {
        ends[0].place = Place::Led(velocity);
    }
    if let Some(wall) = walls[0] {
        let turn = log(step.old_frames[0].conjugate() * wall) / step.h;
        ends[0].turn = Turn::Led(step.old_frames[0] * turn);
    }
    // The last node's place follows from all the others'. It is told to go from where it is to where it shall be, so that errors of one step are taken back in the next.
    if let Some(velocity) = last {
        let mut here = places[0];
        for s in 0..n {
            here += step.old_frames[s + 1] * DVec3::Z * step.model.lengths[s];
        }
        let there = places[1] + velocity * step.h;
        ends[1].place = Place::Led((there - here) / step.h);
    }
    if let Some(wall) = walls[1] {
        let here = step.end_frame(step.old, step.old_frames);
        ends[1].turn = Turn::Led(log(wall * here.conjugate()) / step.h);
    }
    ends
}

/// What the first node's place and frame are led on with.
fn next_start(step: &Step, start: AlphaStart, first: &Node, frame: DQuat) -> AlphaStart {
    let Weights { alpha, beta, .. } = step.weights;
    let velocity =
        (frame * first.velocity) * (1.0 - beta) + (step.old_frames[0] * step.old[0].velocity) * beta;
    let travel = (velocity - DVec3::from_array(start.travel) * alpha) / (1.0 - alpha);
    let spin = match step.wall {
        Some(_) => first.spin,
        None => step.start_turn(first).0,
    };
    AlphaStart {
        spin: spin.to_array(),
        travel: travel.to_array(),
    }
}

/// Positions, velocities and orientations of the rows, along the new frames.
fn write_rows(block: &mut Block, lane: usize, model: &Model, frames: &[DQuat], h: f64, shift: DVec3) {
    let n = model.segments();
    let mut place = position(&block.vertices[0], lane);
    for v in 0..=n {
        let row = &mut block.vertices[v];
        let free = row.free.0[lane] > 0.0;
        let led = position(row, lane) + vector(&row.velocity, lane).as_dvec3() * h;
        match v {
            0 if free => place += shift,
            0 => place = led,
            v => place += frames[v] * DVec3::Z * model.lengths[v - 1],
        }
        set_position(row, lane, if free || v == 0 { place } else { led });
        if free {
            let velocity = block.alpha_nodes[lane * (n + 1) + v].world_velocity;
            set_vector(&mut row.velocity, lane, DVec3::from_array(velocity).as_vec3());
        }
        if v < n {
            set_quaternion(&mut block.segments[v + 1].orientation, lane, frames[v + 1].as_quat());
        }
    }
}
