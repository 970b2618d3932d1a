//! Newton's method on the incremental potential of whole rods.
//!
//! The potential of a substep is `Σ m̂/2 |u − û|² + E(u, q)`, `m̂ = m/h²` and `û` the inertial increment (or those of BDF2). An iteration assembles gradient and Hessian,
//! factors, and moves; the next one answers the potential at the new place as a by-product, and where it rose the step is halved. So the
//! potential never rises between accepted iterations. A lane that has converged, or can't improve, stays as it is whatever the others do.

use super::{
    bodies::Bodies,
    blocks::{
        add_symmetric, add_vector, cross_matrix, eliminate, full, read_vector, solve_back, write_matrix, write_vector,
    },
    element::{BendLaw, StretchLaw, bend, stretch},
    memory::Memory,
    plan::{Coupling, Plan},
};
use crate::{
    math::{Quaternion, Symmetric, Vector, lanes::Double},
    solver::stable_cosserat::energy::Softness,
    state::rows::VertexRow,
};

/// Half-steps before a lane gives up.
const HALVINGS: u32 = 12;
/// A lane is done when no vertex moves, and no segment's end turns, by more than this share of a mean segment.
const TOLERANCE: f64 = 1e-5;
/// A first guess with so many times the potential of standing still is thrown away.
const HOPELESS: f64 = 1e4;
/// Added to the Hessian of a pinned vertex or held segment: it does not move. Its square is still a double.
const HELD: f64 = 1e100;

/// The potential of a substep, in work memory, and the loop that lowers it.
pub struct Newton<'a> {
    pub anisotropic: bool,
    pub damped: bool,
    pub plan: &'a Plan,
    pub memory: &'a mut Memory,
    pub iterations: u32,
    /// The rigid bodies among the unknowns. Only where a rod is taken one lane at a time.
    pub bodies: Option<&'a Bodies>,
}

/// Read a quaternion.
#[inline(always)]
pub fn read_quaternion<R: Double>(memory: &[f64], index: usize) -> Quaternion<R> {
    Quaternion::new(
        R::read(memory, index),
        R::read(memory, index + 1),
        R::read(memory, index + 2),
        R::read(memory, index + 3),
    )
}

/// Write a quaternion.
#[inline(always)]
pub fn write_quaternion<R: Double>(q: Quaternion<R>, memory: &mut [f64], index: usize) {
    q.x.write(memory, index);
    q.y.write(memory, index + 1);
    q.z.write(memory, index + 2);
    q.w.write(memory, index + 3);
}

/// Read what softens a joint.
#[inline(always)]
pub fn read_softness<R: Double>(memory: &[f64], index: usize) -> Softness<R> {
    let mut entries = [R::zero(); 8];
    for (k, entry) in entries.iter_mut().enumerate() {
        *entry = R::read(memory, index + k);
    }
    let [a, b, c, d, e, f, real, ratio] = entries;
    let matrix = Symmetric([a, b, c, d, e, f]);
    Softness { matrix, real, ratio }
}

impl Newton<'_> {
    /// Lower the potential. Answers the number of iterations.
    ///
    /// One loop with one sweep in it: a turn either moves on from an accepted place, or goes back halfway to the last one.
    #[inline(always)]
    pub fn run<R: Double>(&mut self) -> u32 {
        let (zero, one) = (R::zero(), R::one());
        let mut active = one;
        let mut before = zero;
        let mut scale = one;
        let (mut iteration, mut taken, mut halvings) = (0, 0, 0);
        let standing = R::read(&self.memory.standing, 0);
        let mut moving = one;
        let mut reached = zero;
        let (mut fresh, mut again) = (true, false);
        loop {
            let energy = self.sweep::<R>();
            if fresh {
                // A guess that far above standing still (of a stiff bar under a sudden load) helps nobody.
                fresh = false;
                let worse = R::select_positive(energy - standing * R::splat(HOPELESS), one, zero);
                if worse.any_positive() {
                    self.stand::<R>(worse);
                    continue;
                }
            }
            if iteration > 0 {
                // Where the potential rose (or is NaN) the step is halved; rounding of the sums is no rise.
                let size = before.flip_by(before) + energy.flip_by(energy);
                let slack = size.mul_add(R::splat(1e-12), R::splat(1e-24));
                let fine = R::select_positive(before - energy + slack, one, zero);
                let fine = R::select_positive(active, fine, one);
                if (one - fine).any_positive() && halvings <= HALVINGS {
                    let half = if halvings == HALVINGS {
                        zero
                    } else {
                        scale * R::splat(0.5)
                    };
                    scale = R::select_positive(fine, scale, half);
                    halvings += 1;
                    self.place::<R>(scale, moving);
                    continue;
                }
                // A lane at scale zero is back where the step started, and done.
                active = R::select_positive(scale, active, zero);
            }
            reached = R::select_positive(active, energy, reached);
            if iteration < self.iterations && active.any_positive() {
                before = energy;
                let (moved, turned) = self.direction::<R>();
                moving = active;
                self.keep::<R>(moving);
                // No segment turns by more than about a radian at once: beyond, the model of the step says nothing.
                scale = one / turned.max(one);
                halvings = 0;
                iteration += 1;
                taken += 1;
                self.place::<R>(scale, moving);
                // The last step of a lane is too small to matter: it is not looked at again.
                active = R::select_positive(moved - R::splat(TOLERANCE), active, zero);
                if active.any_positive() {
                    continue;
                }
            }
            // Where all of that ended above standing still, start once more from there: a substep never ends above where it began. Not at
            // once, though: from up there the way down is short, while from standing still the potential allows a swinging rope small steps only.
            let slack = standing.mul_add(R::splat(1e-9), R::splat(1e-24));
            let worse = R::select_positive(reached - standing - slack, one, zero);
            if again || !worse.any_positive() {
                return taken;
            }
            again = true;
            self.stand::<R>(worse);
            active = worse;
            (iteration, scale, halvings) = (0, one, 0);
        }
    }

    /// Potential at the current place; on the way, node after node, gradient and Hessian are put together, factored and solved forward.
    #[inline(always)]
    fn sweep<R: Double>(&mut self) -> R {
        let (plan, m) = (self.plan, &mut *self.memory);
        let width = R::WIDTH;
        m.diagonal[..6 * plan.nodes() * width].fill(0.0);
        m.rhs[..3 * plan.nodes() * width].fill(0.0);
        m.size[..plan.nodes() * width].fill(0.0);
        for &block in &plan.fill {
            let start = 9 * block as usize * width;
            m.off[start..start + 9 * width].fill(0.0);
        }
        let mut energy = R::zero();
        let (mut segment, mut joint, mut tie) = (0, 0, 0);
        for (at, pivot) in (0u32..).zip(&plan.pivots) {
            while segment < pivot.segments_end as usize {
                energy = energy + self.add_segment::<R>(plan.segment_order[segment] as usize);
                segment += 1;
            }
            while joint < pivot.joints_end as usize {
                energy = energy + self.add_joint::<R>(plan.joint_order[joint] as usize);
                joint += 1;
            }
            let node = pivot.node as usize;
            if node < plan.vertices {
                energy = energy + self.add_vertex::<R>(node);
            }
            let m = &mut *self.memory;
            if let Some(bodies) = self.bodies {
                while let Some(&(next, _)) = plan.tie_order.get(tie).filter(|(_, due)| *due <= at) {
                    energy = energy + R::splat(bodies.add_tie(plan, m, next as usize));
                    tie += 1;
                }
                if let Some(body) = node.checked_sub(plan.vertices + plan.segments.len()) {
                    energy = energy + R::splat(bodies.add_rotation(plan, m, body));
                }
            }
            // Held nodes do not move; free ones get a trace of their own stiffness, so that a twist that nothing resists stays put.
            let free = R::read(&m.free, node);
            let held = (R::one() - free) * R::splat(HELD);
            let more = R::read(&m.size, node).mul_add(R::splat(1e-12), held) + R::splat(1e-30);
            for axis in 0..3 {
                (R::read(&m.diagonal, 6 * node + axis) + more).write(&mut m.diagonal, 6 * node + axis);
            }
            let b = Vector::select_positive(free, read_vector::<R>(&m.rhs, 3 * node), Vector::zero());
            write_vector(b, &mut m.rhs, 3 * node);
            let floor = more * R::splat(0.5);
            eliminate::<R>(plan, pivot, &mut m.diagonal, &mut m.off, &mut m.rhs, floor);
        }
        energy
    }

    /// Inertia of a vertex, and what further stages add to it.
    #[inline(always)]
    fn add_vertex<R: Double>(&mut self, v: usize) -> R {
        let m = &mut *self.memory;
        let inertia = R::read(&m.inertia, v);
        let u = read_vector::<R>(&m.u, 3 * v);
        let away = u - read_vector(&m.inertial, 3 * v);
        let mut energy = away.length_squared() * R::splat(0.5) * inertia;
        add_vector(-(away * inertia), &mut m.rhs, 3 * v);
        for axis in 0..3 {
            (R::read(&m.diagonal, 6 * v + axis) + inertia).write(&mut m.diagonal, 6 * v + axis);
        }
        (R::read(&m.size, v) + inertia).write(&mut m.size, v);
        if m.has_extra {
            let mut hessian = [R::zero(); 6];
            for (k, entry) in hessian.iter_mut().enumerate() {
                *entry = R::read(&m.extra, 9 * v + 3 + k);
            }
            let hessian = Symmetric(hessian);
            let gradient = read_vector::<R>(&m.extra, 9 * v);
            let pull = hessian.apply(u);
            energy = energy + u.dot(gradient + pull * R::splat(0.5));
            add_vector(-(gradient + pull), &mut m.rhs, 3 * v);
            add_block(hessian, m, v);
        }
        energy
    }

    /// Stretch and shear of a segment, and the torque on it.
    #[inline(always)]
    fn add_segment<R: Double>(&mut self, s: usize) -> R {
        let (plan, damped, m) = (self.plan, self.damped, &mut *self.memory);
        let at = &plan.segments[s];
        let (tail, head, node) = (at.tail as usize, at.head as usize, at.node as usize);
        let edge = read_vector::<R>(&m.edges, 3 * s) + (read_vector(&m.u, 3 * head) - read_vector(&m.u, 3 * tail));
        let law = StretchLaw {
            axial: R::read(&m.segments, 4 * s),
            shear: R::read(&m.segments, 4 * s + 1),
            length: R::read(&m.segments, 4 * s + 2),
            inverse_length: R::read(&m.segments, 4 * s + 3),
            alpha: if damped {
                R::read(&m.segment_alpha, s)
            } else {
                R::zero()
            },
            before: if damped {
                read_vector(&m.strains, 3 * s)
            } else {
                Vector::zero()
            },
        };
        let q = read_quaternion::<R>(&m.q, 4 * s);
        let part = stretch(edge, q, &law);
        let mut energy = part.energy;
        let mut torque = -part.torque;
        if m.has_torque {
            // An outer torque works along the rotation since the start; its gradient is −τ up to the square of that rotation.
            let outer = read_vector::<R>(&m.torque, 3 * s);
            let since = q * read_quaternion::<R>(&m.start_q, 4 * s).conjugate();
            let since = since.flip_by(since.w).vector();
            energy = energy - (since + since).dot(outer);
            torque = torque + outer;
        }
        add_vector(part.force, &mut m.rhs, 3 * tail);
        add_vector(-part.force, &mut m.rhs, 3 * head);
        add_vector(torque, &mut m.rhs, 3 * node);
        add_block(part.stiffness, m, tail);
        add_block(part.stiffness, m, head);
        add_block(part.rotation, m, node);
        let [a, b, c] = full(part.stiffness);
        write_matrix([-a, -b, -c], &mut m.off, 9 * at.tail_head.block as usize);
        write_cross(part.coupling, at.head_rotation, &mut m.off);
        write_cross(-part.coupling, at.tail_rotation, &mut m.off);
        energy
    }

    /// Bend and twist of a joint.
    #[inline(always)]
    fn add_joint<R: Double>(&mut self, j: usize) -> R {
        let (anisotropic, damped) = (self.anisotropic, self.damped);
        let (plan, m) = (self.plan, &mut *self.memory);
        let at = &plan.joints[j];
        let rest = read_quaternion(&m.rests, 4 * j);
        let law = BendLaw {
            rest,
            stiffness: R::read(&m.joint_stiffness, j),
            softness: if anisotropic {
                read_softness(&m.softness, 8 * j)
            } else {
                Softness::none()
            },
            alpha: if damped { R::read(&m.joint_alpha, j) } else { R::zero() },
            before: if damped { read_quaternion(&m.turns, 4 * j) } else { rest },
        };
        let first = read_quaternion::<R>(&m.q, 4 * at.first as usize);
        let second = read_quaternion::<R>(&m.q, 4 * at.second as usize);
        let part = bend(anisotropic, damped, first, second, &law);
        if let Some(node) = at.second_node {
            add_vector(-part.torque, &mut m.rhs, 3 * node as usize);
            add_block(part.stiffness, m, node as usize);
        }
        if let Some(node) = at.first_node {
            add_vector(part.torque, &mut m.rhs, 3 * node as usize);
            add_block(part.stiffness, m, node as usize);
        }
        if let Some(coupling) = at.coupling {
            let [a, b, c] = full(part.stiffness);
            write_matrix([-a, -b, -c], &mut m.off, 9 * coupling.block as usize);
        }
        part.energy
    }

    /// The Newton step into `rhs`. Answers the largest motion in mean segments, or turn if that is more, and the largest turn.
    #[inline(always)]
    fn direction<R: Double>(&mut self) -> (R, R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        solve_back::<R>(plan, &m.off, &mut m.rhs);
        let inverse_mean = R::read(&m.inverse_mean_length, 0);
        let (mut most, mut turn) = (R::zero(), R::zero());
        for v in 0..plan.vertices {
            most = most.max(read_vector::<R>(&m.rhs, 3 * v).length_squared());
        }
        for s in 0..plan.frames {
            turn = turn.max(read_vector::<R>(&m.rhs, 3 * (plan.vertices + s)).length_squared());
        }
        ((most * inverse_mean * inverse_mean).max(turn).sqrt(), turn.sqrt())
    }

    /// Put the lanes where `worse` is above zero back to the start: nothing moves but what is led.
    #[inline(always)]
    fn stand<R: Double>(&mut self, worse: R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        for v in 0..plan.vertices {
            let free = R::read(&m.free, v);
            let still = Vector::select_positive(free, Vector::zero(), read_vector::<R>(&m.inertial, 3 * v));
            let u = Vector::select_positive(worse, still, read_vector(&m.u, 3 * v));
            write_vector(u, &mut m.u, 3 * v);
        }
        for s in 0..plan.frames {
            let start = read_quaternion::<R>(&m.start_q, 4 * s);
            let q = Quaternion::select_positive(worse, start, read_quaternion(&m.q, 4 * s));
            write_quaternion(q, &mut m.q, 4 * s);
        }
    }

    /// Keep the place that the step starts from, and the step, in the lanes that move.
    #[inline(always)]
    fn keep<R: Double>(&mut self, active: R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        for v in 0..plan.vertices {
            write_vector(read_vector::<R>(&m.u, 3 * v), &mut m.kept_u, 3 * v);
        }
        for s in 0..plan.frames {
            write_quaternion(read_quaternion::<R>(&m.q, 4 * s), &mut m.kept_q, 4 * s);
        }
        for node in 0..plan.nodes() {
            let step = read_vector::<R>(&m.rhs, 3 * node);
            let step = Vector::select_positive(active, step, Vector::zero());
            write_vector(step, &mut m.step, 3 * node);
        }
    }

    /// Go to `scale` steps from the kept place, in the lanes that had a step to take.
    #[inline(always)]
    fn place<R: Double>(&mut self, scale: R, moving: R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        for v in 0..plan.vertices {
            let u = read_vector::<R>(&m.step, 3 * v).mul_add(scale, read_vector(&m.kept_u, 3 * v));
            write_vector(u, &mut m.u, 3 * v);
        }
        for s in 0..plan.frames {
            let half = read_vector::<R>(&m.step, 3 * (plan.vertices + s)) * (scale * R::splat(0.5));
            let q = read_quaternion::<R>(&m.kept_q, 4 * s);
            // (1 + ω/2) q, normalized: the rotation by 2 atan |ω/2| about ω.
            let turned = (q + Quaternion::vector_times(half, q)).normalize();
            let turned = Quaternion::select_positive(moving, turned, q);
            write_quaternion(turned, &mut m.q, 4 * s);
        }
    }
}

/// Add to the block of a node, and to the size of what was added: a measure for what is noise once neighbours have been eliminated.
#[inline(always)]
fn add_block<R: Double>(block: Symmetric<R>, m: &mut Memory, node: usize) {
    let [xx, yy, zz, ..] = block.0;
    (R::read(&m.size, node) + (xx + yy + zz)).write(&mut m.size, node);
    add_symmetric(block, &mut m.diagonal, 6 * node);
}

/// Write `[v]×` as the block of (position, rotation).
#[inline(always)]
fn write_cross<R: Double>(v: Vector<R>, coupling: Coupling, off: &mut [f64]) {
    // The transpose of [v]× is [−v]×.
    let v = if coupling.transposed { -v } else { v };
    write_matrix(cross_matrix(v), off, 9 * coupling.block as usize);
}

/// Position of a vertex in double precision.
#[inline(always)]
pub fn load_position<R: Double>(vertex: &VertexRow, lane: usize) -> Vector<R> {
    load_vector::<R>(&vertex.position, lane) + load_vector(&vertex.residual, lane)
}

/// A vector of the state.
#[inline(always)]
pub fn load_vector<R: Double>(rows: &crate::math::lanes::VectorRow, lane: usize) -> Vector<R> {
    let [x, y, z] = rows;
    Vector::new(R::load(x, lane), R::load(y, lane), R::load(z, lane))
}
