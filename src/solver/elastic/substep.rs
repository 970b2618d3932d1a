//! A substep from the stored state and back: what the solve needs is laid out, and what it found is written.

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::{
    Curvature,
    energy::{HeldLaw, JointLaw, Law},
    geometry::{Bent, Edge, curvature, twist},
    newton::{EdgeLaw, Memory, Segment, Vertex},
};
use crate::{
    rod::RodDescription,
    solver::stable_cosserat::{
        chain::fade,
        rows::{Outcome, Substep},
    },
    state::block::{Block, position, quaternion, set_position, set_quaternion, set_vector, vector},
};

/// A position or speed beyond this does not go back into single precision.
const LARGEST: f64 = 1e37;
/// Least inertia of an edge about itself, as a share of the twist stiffness on it: an edge that nothing turns has a place to be.
const LEAST_INERTIA: f64 = 1e-12;

/// Joint `j` of a chain lies between the rows `j` and `j + 1` of segments; the first and the last are those of walls. What `joints()` and `clamps()` of the
/// description say of it: EI₁/l, EI₂/l and GJ/l, N·m. `None` where nothing resists.
pub fn stiffness(block: &Block, lane: usize, rod: &RodDescription, row: usize) -> Option<[f64; 3]> {
    let count = rod.segments().len();
    let end = if row == 0 { 0 } else { count as u32 };
    let (bending, torsion, length) = if row == 0 || row == count {
        let clamp = rod.clamps().iter().find(|clamp| clamp.vertex == end)?;
        (clamp.bending, clamp.torsion, clamp.length)
    } else {
        let joint = rod.joints().get(row - 1)?;
        (joint.bending, joint.torsion, joint.length)
    };
    let resists = block.joints[row].stiffness.0[lane] > 0.0;
    resists.then(|| [bending[0], bending[1], torsion].map(|rigidity| rigidity / length))
}

/// Curvatures and twist of a joint without load.
pub fn rest_of(block: &Block, lane: usize, row: usize, measure: Curvature) -> ([f64; 4], f64) {
    let rest = quaternion(&block.joints[row].rest, lane).as_dquat().normalize();
    let (first, second) = (Edge::wall(DQuat::IDENTITY), Edge::wall(rest));
    let bent = Bent::new(&first, &second);
    (curvature(&first, &second, &bent, measure), twist(&first, &second))
}

/// The laws of a joint, without damping: half of a bending stiffness for either frame (paper 4, Eq. 5), or all of it for their mean.
pub fn joint_law(stiffness: [f64; 3], rest: ([f64; 4], f64), measure: Curvature) -> JointLaw {
    let [about_d1, about_d2, torsion] = stiffness;
    let shares = match measure {
        Curvature::BothFrames => [0.5 * about_d2, 0.5 * about_d1, 0.5 * about_d2, 0.5 * about_d1],
        Curvature::MeanFrame => [about_d2, about_d1, 0.0, 0.0],
    };
    let law = |stiffness: f64, rest: f64| Law {
        stiffness,
        rest,
        ..Law::default()
    };
    JointLaw {
        bend: std::array::from_fn(|k| law(shares[k], rest.0[k])),
        twist: law(torsion, rest.1),
    }
}

/// The inertia of an edge about itself, kg·m²: that of a disc. Nothing shows whether the section is one, since twist runs through a rod far faster than bending.
pub fn spin_inertia(rod: &RodDescription, segment: usize) -> f64 {
    let segment = &rod.segments()[segment];
    let [tail, head] = [segment.tail, segment.head].map(|v| &rod.vertices()[v as usize]);
    let mass = if segment.mass > 0.0 {
        segment.mass
    } else {
        0.5 * (tail.mass + head.mass)
    };
    let radius = 0.5 * (tail.radius + head.radius);
    0.5 * mass * radius * radius
}

/// The orientation of a row of segments.
pub fn stored_frame(block: &Block, lane: usize, row: usize) -> DQuat {
    quaternion(&block.segments[row].orientation, lane)
        .as_dquat()
        .normalize()
}

/// The edge of a segment as it is stored.
pub fn stored_edge(block: &Block, lane: usize, segment: usize) -> Edge {
    let row = segment + 1;
    let place = |v: usize| position(&block.vertices[v], lane);
    let residual = block.twists.get(row).map_or(0.0, |twist| twist.residual.0[lane].into());
    Edge::carried(
        stored_frame(block, lane, row),
        place(segment + 1) - place(segment),
        residual,
    )
}

/// Lay out the rod of a lane.
pub fn load(block: &Block, lane: usize, memory: &mut Memory, substep: &Substep, measure: Curvature) {
    let Some(resident) = &block.rods[lane] else { return };
    let rod = &*resident.description;
    let count = rod.segments().len();
    let h = f64::from(substep.h);
    let kept = f64::from(fade(&block.drag, substep.h).0[lane]);
    let (problem, start) = (&mut memory.problem, &mut memory.start);
    problem.measure = measure;
    problem.turned = !block.torque.is_empty();
    problem.mean_length = rod.rest_length() / count as f64;
    problem.vertices.clear();
    problem.segments.clear();
    problem.joints.clear();
    for v in 0..=count {
        problem.vertices.push(load_vertex(block, lane, v, substep, kept));
        start.u[v] = DVec3::ZERO;
    }
    for s in 0..count {
        start.edges[s + 1] = stored_edge(block, lane, s);
        start.turns[s] = 0.0;
    }
    start.edges[0] = Edge::wall(stored_frame(block, lane, 0));
    start.edges[count + 1] = Edge::wall(stored_frame(block, lane, count + 1));
    for row in 0..=count {
        let law = stiffness(block, lane, rod, row).map(|stiffness| {
            let rest = rest_of(block, lane, row, measure);
            let near = rest.1 + f64::from(block.twists[row].twist.0[lane]);
            start.measure(row, near, measure);
            let alpha = f64::from(block.joints[row].relaxation.0[lane]) / h;
            let mut law = joint_law(stiffness, rest, measure);
            law.twist.alpha = alpha;
            law.twist.before = start.twists[row];
            for (law, &before) in law.bend.iter_mut().zip(&start.curvatures[row]) {
                law.alpha = alpha;
                law.before = before;
            }
            law
        });
        problem.joints.push(law);
    }
    for s in 0..count {
        let edge = start.edges[s + 1];
        let around = [s, s + 1].map(|row| problem.joints[row].map_or(0.0, |law| law.twist.curvature()));
        let span = edge.tangent * edge.length;
        let spin = f64::from(block.spin[s + 1][2].0[lane]) * kept;
        let law = edge_law(block, lane, s, span, h);
        let mut torque = block
            .torque
            .get(s + 1)
            .map_or(DVec3::ZERO, |t| vector(t, lane).as_dvec3());
        if matches!(law, EdgeLaw::Held(_)) {
            torque = DVec3::ZERO; // What holds it takes it.
        }
        problem.segments.push(Segment {
            span,
            law,
            inertia: (spin_inertia(rod, s) / (h * h))
                .max(LEAST_INERTIA * (around[0] + around[1]).max(f64::MIN_POSITIVE)),
            inertial: spin * h,
            couple: torque,
            torque: 0.0,
        });
    }
}

fn load_vertex(block: &Block, lane: usize, v: usize, substep: &Substep, kept: f64) -> Vertex {
    let row = &block.vertices[v];
    let h = f64::from(substep.h);
    let free = row.free.0[lane] > 0.0;
    let velocity = vector(&row.velocity, lane).as_dvec3();
    let fall = acceleration(block, lane, v, substep) * (h * h);
    let coasting = velocity * (h * kept);
    let (inertial, guess) = if free {
        (coasting + fall, coasting + fall * f64::from(row.falling.0[lane]))
    } else {
        (velocity * h, velocity * h)
    };
    let extra = block.extra.get(v).map(|extra| {
        let [xx, yy, zz, xy, xz, yz] = extra.hessian.map(|entry| f64::from(entry.0[lane]));
        let hessian = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        (vector(&extra.gradient, lane).as_dvec3(), hessian)
    });
    Vertex {
        free,
        inertia: f64::from(row.mass.0[lane]) / (h * h),
        inertial,
        guess,
        force: DVec3::ZERO,
        extra,
    }
}

fn acceleration(block: &Block, lane: usize, v: usize, substep: &Substep) -> DVec3 {
    let outer = block.acceleration.get(v).map_or(Vec3::ZERO, |a| vector(a, lane));
    Vec3::from_array(substep.gravity).as_dvec3() + outer.as_dvec3()
}

fn edge_law(block: &Block, lane: usize, s: usize, span: DVec3, h: f64) -> EdgeLaw {
    let row = &block.segments[s + 1];
    let [axial, shear, length] = [&row.axial, &row.shear, &row.rest_length].map(|cell| f64::from(cell.0[lane]));
    let alpha = f64::from(row.relaxation.0[lane]) / h;
    if row.held.0[lane] > 0.0 {
        let frame = DMat3::from_quat(stored_frame(block, lane, s + 1));
        let rigidity = DMat3::from_diagonal(DVec3::new(shear, shear, axial) / length);
        return EdgeLaw::Held(HeldLaw {
            stiffness: frame * rigidity * frame.transpose(),
            rest: frame.z_axis * length,
            alpha,
            before: span,
        });
    }
    EdgeLaw::Free(Law {
        stiffness: axial / length,
        rest: length,
        alpha,
        before: span.length(),
    })
}

/// Write back what was found.
pub fn store(block: &mut Block, lane: usize, memory: &Memory, substep: &Substep, outcome: &mut Outcome) {
    let (problem, now) = (&memory.problem, &memory.now);
    let count = problem.segments.len();
    let h = f64::from(substep.h);
    let fits = |value: f64| value.abs() < LARGEST;
    let sound = (0..=count).all(|v| {
        let place = position(&block.vertices[v], lane) + now.u[v];
        fits(place.length()) && fits((now.u[v] / h).length())
    }) && (0..count).all(|s| now.edges[s + 1].d1.is_finite() && fits(now.turns[s] / h));
    if !sound {
        outcome.health.0[lane] = f32::NAN;
        return;
    }
    for v in 0..=count {
        let u = now.u[v];
        let acceleration = acceleration(block, lane, v, substep);
        let row = &mut block.vertices[v];
        let before = vector(&row.velocity, lane).as_dvec3();
        let velocity = u / h;
        let followed = (velocity - before).dot(acceleration) / (h * acceleration.length_squared().max(1e-12));
        row.falling.0[lane] = followed.clamp(0.0, 1.0) as f32;
        set_vector(&mut row.velocity, lane, velocity.as_vec3());
        let place = position(row, lane) + u;
        set_position(row, lane, place);
    }
    let mut most = -1.0f64;
    for (s, segment) in problem.segments.iter().enumerate() {
        let edge = &now.edges[s + 1];
        let row = s + 1;
        if let EdgeLaw::Free(_) = segment.law {
            let before = quaternion(&block.segments[row].orientation, lane);
            let frame = edge.frame().as_quat();
            // Of the two quaternions of a rotation the one near the last: those who draw between two steps take the short way.
            let frame = if frame.dot(before) < 0.0 { -frame } else { frame };
            set_quaternion(&mut block.segments[row].orientation, lane, frame);
            block.spin[row][2].0[lane] = (now.turns[s] / h) as f32;
            block.twists[row].residual.0[lane] = 0.0;
            let rounded = stored_edge(block, lane, s);
            let left = rounded.d1.cross(edge.d1).dot(edge.tangent);
            block.twists[row].residual.0[lane] = left as f32;
        }
        let stored = &block.segments[row];
        let longest = (1.0 + f64::from(stored.strain_limit.0[lane])) * f64::from(stored.rest_length.0[lane]);
        most = most.max(edge.length * edge.length - longest * longest);
    }
    outcome.excess.0[lane] = most as f32;
    for (row, joint) in problem.joints.iter().enumerate() {
        let away = joint.map_or(0.0, |law| now.twists[row] - law.twist.rest);
        block.twists[row].twist.0[lane] = away as f32;
    }
}
