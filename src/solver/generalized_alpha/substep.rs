//! From the rows of a rod to the unknowns of a step, and back.
//!
//! What the method knows beyond the rows (curvatures, forces, rates, frames in double precision) is kept beside them. Where somebody changed the rows in the meantime (a teleport, a kick, a cut), or the
//! past is forgotten, it is made again from them and the next step is taken by implicit Euler.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use super::{
    coefficients::{Rho, Weights},
    equations::{End, Node, Rates},
    leap::{Leap, Motion},
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

/// What a worker keeps: one rod's state, what acts on it, and the solve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    motion: Motion,
    force: Vec<DVec3>,
    torque: Vec<DVec3>,
    solve: Solve,
}

impl Memory {
    pub fn reserve(&mut self, block: &Block) {
        let n = block.kind.segments as usize;
        let Motion {
            nodes, rates, frames, ..
        } = &mut self.motion;
        nodes.reserve((n + 1).saturating_sub(nodes.len()));
        rates.reserve((n + 1).saturating_sub(rates.len()));
        frames.reserve((n + 1).saturating_sub(frames.len()));
        for list in [&mut self.force, &mut self.torque] {
            list.reserve((n + 1).saturating_sub(list.len()));
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
    let walls = walls(block, lane, &model);
    if fresh {
        remake(block, lane, &model, &walls, &mut memory.motion);
    } else {
        recall(block, lane, n, &mut memory.motion);
    }
    let gravity = Vec3::from_array(substep.gravity).as_dvec3();
    gather_loads(block, lane, &model, gravity, memory);
    let Memory {
        motion,
        force,
        torque,
        solve,
    } = memory;
    let ends = lead(&model, motion, block, lane, h, &walls);
    let leap = Leap {
        model: &model,
        weights: if fresh { Weights::EULER } else { Weights::of(rho) },
        h,
        drag: block.drag.0[lane].into(),
        force,
        torque,
        ends,
        wall_turn: walls[0].map(|wall| log(motion.frames[0].conjugate() * wall)),
        most: substep.iterations,
    };
    let (iterations, there) = leap.run(motion, solve);
    let sound = |v: DVec3| v.is_finite() && v.abs().max_element() < FASTEST;
    let whole = |node: &Node| {
        let Node {
            velocity,
            spin,
            curvature,
            force,
        } = *node;
        [velocity, spin, curvature, force].into_iter().all(sound)
    };
    let given = (force.iter().chain(torque.iter())).all(|load| load.is_finite());
    let frames = motion.frames.iter().all(|frame| frame.is_finite());
    if !given || !frames || !motion.nodes.iter().all(whole) || !sound(motion.shift) {
        return None;
    }
    keep(block, lane, &model, motion);
    block.history_step.0[lane] = if there { substep.h } else { 0.0 };
    write_rows(block, lane, &model, motion, h);
    Some(iterations)
}

/// Put the state beside the rows.
fn keep(block: &mut Block, lane: usize, model: &Model, motion: &Motion) {
    let n = model.segments();
    let kept = &mut block.alpha_nodes[lane * (n + 1)..(lane + 1) * (n + 1)];
    for (j, stored) in kept.iter_mut().enumerate() {
        let (node, frame) = (&motion.nodes[j], motion.frames[j]);
        *stored = AlphaNode::new(node, &motion.rates[j], frame);
        stored.world_velocity = (frame * node.velocity).to_array();
    }
    block.alpha_starts[lane] = AlphaStart {
        spin: motion.spin.to_array(),
        travel: motion.travel.to_array(),
    };
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
        row.free.0[lane] > 0.0 && vector(&row.velocity, lane) != DVec3::from_array(kept[v].world_velocity).as_vec3()
    };
    !(0..n).any(turned) && !(0..=n).any(kicked)
}

/// The state as the last step left it.
fn recall(block: &Block, lane: usize, n: usize, motion: &mut Motion) {
    let kept = &block.alpha_nodes[lane * (n + 1)..(lane + 1) * (n + 1)];
    motion.nodes.clear();
    motion.nodes.extend(kept.iter().map(AlphaNode::node));
    motion.rates.clear();
    motion.rates.extend(kept.iter().map(AlphaNode::rates));
    motion.frames.clear();
    motion.frames.extend(kept.iter().map(AlphaNode::frame));
    motion.spin = DVec3::from_array(block.alpha_starts[lane].spin);
    motion.travel = DVec3::from_array(block.alpha_starts[lane].travel);
}

/// The state as the rows have it. Segments point along their edges; their lengths are those without load.
fn remake(block: &Block, lane: usize, model: &Model, walls: &[Option<DQuat>; 2], motion: &mut Motion) {
    let n = model.segments();
    let Motion {
        nodes, rates, frames, ..
    } = motion;
    let speed = |v: usize| vector(&block.vertices[v].velocity, lane).as_dvec3();
    frames.clear();
    frames.push(DQuat::IDENTITY);
    for s in 0..n {
        let frame = quaternion(&block.segments[s + 1].orientation, lane)
            .as_dquat()
            .normalize();
        let edge = position(&block.vertices[s + 1], lane) - position(&block.vertices[s], lane);
        let along = frame * DVec3::Z;
        let turn = DQuat::from_rotation_arc(along, edge.normalize_or(along));
        frames.push((turn * frame).normalize());
    }
    frames[0] = walls[0].unwrap_or_else(|| frames[1] * exp(-model.rest[0] * model.spans[0]));
    let beyond = walls[1].unwrap_or_else(|| frames[n] * exp(model.rest[n] * model.spans[n]));
    // Segments turn as their ends move; about their own axis nothing is known.
    let turning = |s: usize| {
        let along = frames[s + 1] * DVec3::Z;
        along.cross(speed(s + 1) - speed(s)) / model.lengths[s]
    };
    nodes.clear();
    for j in 0..=n {
        let next = if j < n { frames[j + 1] } else { beyond };
        let back = frames[j].conjugate();
        nodes.push(Node {
            velocity: back * speed(j),
            spin: back * turning(j.saturating_sub(1)),
            curvature: log(back * next) / model.spans[j],
            force: DVec3::ZERO,
        });
    }
    rates.clear();
    rates.resize(n + 1, Rates::default());
    motion.spin = DVec3::ZERO;
    motion.travel = DVec3::ZERO;
}

/// The frames that walls give the ends. A clamp says how its segment lies at rest; the end is half a segment farther along the rest curve.
fn walls(block: &Block, lane: usize, model: &Model) -> [Option<DQuat>; 2] {
    let n = model.segments();
    let wall = |joint: usize, row: usize, turn: DVec3| {
        (block.joints[joint].stiffness.0[lane] > 0.0).then(|| {
            let frame = quaternion(&block.segments[row].orientation, lane)
                .as_dquat()
                .normalize();
            frame * exp(turn)
        })
    };
    [
        wall(0, 0, -model.rest[0] * model.spans[0]),
        wall(n, n + 1, model.rest[n] * model.spans[n]),
    ]
}

/// Weight and forces on nodes, torques on segments.
fn gather_loads(block: &Block, lane: usize, model: &Model, gravity: DVec3, memory: &mut Memory) {
    let n = model.segments();
    memory.force.clear();
    memory.force.extend((0..=n).map(|v| {
        let pushed = block
            .acceleration
            .get(v)
            .map_or(DVec3::ZERO, |a| vector(a, lane).as_dvec3());
        // A pinned vertex gives its force to what holds it.
        let row = &block.vertices[v];
        model.masses[v] * gravity + f64::from(row.mass.0[lane] * row.free.0[lane]) * pushed
    }));
    memory.torque.clear();
    memory.torque.extend((0..n).map(|s| {
        let torque = block.torque.get(s + 1);
        torque.map_or(DVec3::ZERO, |torque| vector(torque, lane).as_dvec3())
    }));
}

/// How pins and walls lead the ends.
fn lead(model: &Model, motion: &Motion, block: &Block, lane: usize, h: f64, walls: &[Option<DQuat>; 2]) -> [End; 2] {
    let n = model.segments();
    let [first, last] = [0, n].map(|v| {
        let row = &block.vertices[v];
        (row.free.0[lane] == 0.0).then(|| vector(&row.velocity, lane).as_dvec3())
    });
    let start = motion.frames[0];
    // The last node's place and frame follow from all the others'. They are told to go from where they are to where they shall be, so that errors of one step are taken back in the next.
    let place = |velocity: DVec3| {
        let mut here = position(&block.vertices[0], lane);
        for s in 0..n {
            here += motion.frames[s + 1] * DVec3::Z * model.lengths[s];
        }
        (position(&block.vertices[n], lane) + velocity * h - here) / h
    };
    let beyond = motion.frames[n] * exp(motion.nodes[n].curvature * model.spans[n]);
    [
        End {
            velocity: first,
            spin: walls[0].map(|wall| start * (log(start.conjugate() * wall) / h)),
        },
        End {
            velocity: last.map(place),
            spin: walls[1].map(|wall| log(wall * beyond.conjugate()) / h),
        },
    ]
}

/// Positions, velocities and orientations of the rows, along the new frames.
fn write_rows(block: &mut Block, lane: usize, model: &Model, motion: &Motion, h: f64) {
    let n = model.segments();
    let mut place = DVec3::ZERO;
    for v in 0..=n {
        let row = &mut block.vertices[v];
        let free = row.free.0[lane] > 0.0;
        let led = position(row, lane) + vector(&row.velocity, lane).as_dvec3() * h;
        place = match v {
            0 if free => position(row, lane) + motion.shift,
            0 => led,
            v => place + motion.frames[v] * DVec3::Z * model.lengths[v - 1],
        };
        set_position(row, lane, if free { place } else { led });
        if free {
            let velocity = block.alpha_nodes[lane * (n + 1) + v].world_velocity;
            set_vector(&mut row.velocity, lane, DVec3::from_array(velocity).as_vec3());
        }
        if v < n {
            set_quaternion(
                &mut block.segments[v + 1].orientation,
                lane,
                motion.frames[v + 1].as_quat(),
            );
        }
    }
}
