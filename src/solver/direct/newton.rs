//! Newton's method on the incremental potential of whole rods.
//!
//! The potential of a substep is `Σ m̂/2 |u − û|² + E(u, q)`, `m̂ = m/h²` and `û` the inertial increment (or those of BDF2). An iteration assembles gradient and Hessian,
//! factors, and moves; the next one answers the potential at the new place as a by-product, and where it rose the step is halved. So the
//! potential never rises between accepted iterations. A lane that has converged, or can't improve, stays as it is whatever the others do.

use super::{
    blocks::{
        add_symmetric, add_vector, cross_matrix, eliminate, full, read_vector, solve_back, write_matrix, write_vector,
    },
    bodies::Bodies,
    memory::Memory,
    plan::{Coupling, Plan},
    potential::still,
};
use crate::{
    math::{Quaternion, Symmetric, Vector, lanes::Double},
    solver::stable_cosserat::energy::Softness,
    state::rows::VertexRow,
};

/// Two steps in a row whose ratio is below this are on their way to the end.
const SHRINKING: f64 = 0.25;
/// Half-steps before a lane gives up.
const HALVINGS: u32 = 12;
/// A lane is done when no vertex is going to move, and no segment's end to turn, by more than this share of a mean segment.
const TOLERANCE: f64 = 1e-5;
/// A first guess with so many times the potential of standing still is thrown away.
const HOPELESS: f64 = 1e4;
/// Added to the Hessian of rotations of rods that touch something, as a share of their stiffness.
const SPIN: f64 = 1e-7;
/// Added to the Hessian of a pinned vertex or held segment: it does not move. The fifth power is still a double.
const HELD: f64 = 1e60;

/// The potential of a substep, in work memory, and the loop that lowers it.
pub struct Newton<'a> {
    pub anisotropic: bool,
    pub damped: bool,
    /// A chain and nothing else: its plan is known.
    pub chain: bool,
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
        // Size of the last step where it was taken in full, else zero.
        let mut last = zero;
        let (mut iteration, mut taken, mut halvings) = (0, 0, 0);
        let mut moving = one;
        let mut reached = zero;
        let (mut fresh, mut again) = (true, false);
        loop {
            // After the last iteration nothing is left to solve: the potential alone says whether the step was good.
            let energy = if iteration >= self.iterations {
                self.potential::<R>()
            } else if self.chain {
                self.sweep_chain::<R>()
            } else {
                self.sweep::<R>()
            };
            if fresh {
                // A guess that far above standing still (of a stiff bar under a sudden load) helps nobody.
                fresh = false;
                let worse = self.above_standing::<R>(energy, HOPELESS);
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
                    last = R::select_positive(fine, last, zero);
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
                moving = active;
                let (moved, turned) = if self.chain {
                    self.advance_chain::<R>(moving)
                } else {
                    self.advance::<R>(moving)
                };
                // No segment turns by more than about a radian at once: beyond, the model of the step says nothing.
                scale = one / turned.max(one);
                if (turned - one).any_positive() {
                    self.place::<R>(scale, moving);
                }
                halvings = 0;
                iteration += 1;
                taken += 1;
                // A lane is done when what the next step would still move is too little to matter. Its last step is not looked at again.
                active = R::select_positive(left_over(moved, last) - R::splat(TOLERANCE), active, zero);
                last = R::select_positive(turned - one, zero, moved);
                if active.any_positive() {
                    continue;
                }
            }
            // Where all of that ended above standing still, start once more from there: a substep never ends above where it began. Not at
            // once, though: from up there the way down is short, while from standing still the potential allows a swinging rope small steps only.
            let doubtful = self.above_standing::<R>(reached, 1.0);
            if again || !doubtful.any_positive() {
                return taken;
            }
            // What was reached before the last step may be above it, and the end below.
            let ended = self.potential::<R>();
            let worse = R::select_positive(doubtful, self.above_standing::<R>(ended, 1.0), zero);
            if !worse.any_positive() {
                return taken;
            }
            again = true;
            self.stand::<R>(worse);
            active = worse;
            (iteration, scale, last, halvings) = (0, one, zero, 0);
        }
    }

    /// Potential at the current place; on the way, node after node, gradient and Hessian are put together, factored and solved forward.
    #[inline(always)]
    pub(super) fn sweep<R: Double>(&mut self) -> R {
        let (plan, m) = (self.plan, &mut *self.memory);
        let width = R::WIDTH;
        m.diagonal[..6 * plan.nodes() * width].fill(0.0);
        m.rhs[..3 * plan.nodes() * width].fill(0.0);
        m.size[..plan.nodes() * width].fill(0.0);
        for &block in &plan.fill {
            let start = 9 * block as usize * width;
            m.off[start..start + 9 * width].fill(0.0);
        }
        if let Some(bodies) = self.bodies.filter(|_| m.has_contact) {
            bodies.add_touched(plan, m);
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
                    add_contact::<R>(m, node);
                }
            }
            let free = R::read(&m.free, node);
            let (mut more, mut b) = stiffen(R::read(&m.size, node), free, read_vector(&m.rhs, 3 * node));
            if m.has_contact && node < plan.vertices {
                // What is led is still on its way: contacts may have stopped it.
                let left = read_vector::<R>(&m.inertial, 3 * node) - read_vector(&m.u, 3 * node);
                b = Vector::select_positive(free, b, left * R::splat(HELD));
            }
            if m.has_contact && (plan.vertices..plan.vertices + plan.segments.len()).contains(&node) {
                // Contact never comes to rest to the last digit: what little it leaves must not spin a rod that nothing keeps from spinning. (Bodies have inertia; a share of
                // what locks an axis would hold the others.)
                more = more + R::read(&m.size, node) * R::splat(SPIN);
            }
            for axis in 0..3 {
                (R::read(&m.diagonal, 6 * node + axis) + more).write(&mut m.diagonal, 6 * node + axis);
            }
            write_vector(b, &mut m.rhs, 3 * node);
            let floor = more * R::splat(0.5);
            eliminate::<R>(plan, pivot, &mut m.diagonal, &mut m.off, &mut m.rhs, floor);
        }
        energy
    }

    #[inline(always)]
    fn add_vertex<R: Double>(&mut self, v: usize) -> R {
        let part = self.vertex::<R>(v);
        let m = &mut *self.memory;
        add_vector(part.force, &mut m.rhs, 3 * v);
        for axis in 0..3 {
            (R::read(&m.diagonal, 6 * v + axis) + part.inertia).write(&mut m.diagonal, 6 * v + axis);
        }
        (R::read(&m.size, v) + part.inertia).write(&mut m.size, v);
        if let Some(hessian) = part.extra {
            add_block(hessian, m, v);
        }
        add_contact::<R>(m, v);
        part.energy
    }

    #[inline(always)]
    fn add_segment<R: Double>(&mut self, s: usize) -> R {
        let part = self.segment::<R>(s);
        let (plan, m) = (self.plan, &mut *self.memory);
        let at = &plan.segments[s];
        let (tail, head, node) = (at.tail as usize, at.head as usize, at.node as usize);
        add_vector(part.force, &mut m.rhs, 3 * tail);
        add_vector(-part.force, &mut m.rhs, 3 * head);
        add_vector(-part.torque, &mut m.rhs, 3 * node);
        add_block(part.stiffness, m, tail);
        add_block(part.stiffness, m, head);
        add_block(part.rotation, m, node);
        let [mut a, mut b, mut c] = full(part.stiffness).map(|row| -row);
        if m.has_contact {
            let [x, y, z] = full(Symmetric(read_symmetric::<R>(&m.contact_edges, 6 * s)));
            (a, b, c) = (a + x, b + y, c + z);
        }
        write_matrix([a, b, c], &mut m.off, 9 * at.tail_head.block as usize);
        write_cross(part.coupling, at.head_rotation, &mut m.off);
        write_cross(-part.coupling, at.tail_rotation, &mut m.off);
        part.energy
    }

    #[inline(always)]
    fn add_joint<R: Double>(&mut self, j: usize) -> R {
        let part = self.joint::<R>(j);
        let (plan, m) = (self.plan, &mut *self.memory);
        let at = &plan.joints[j];
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

    /// Solve backward, keep the place where the step starts, and take the step in the lanes that move. Answers as [`Newton::direction`] does.
    #[inline(always)]
    fn advance<R: Double>(&mut self, moving: R) -> (R, R) {
        let sizes = self.direction::<R>();
        self.keep::<R>(moving);
        self.place::<R>(R::one(), moving);
        sizes
    }

    /// The Newton step into `rhs`. Answers the largest motion in mean segments, or turn if that is more, and the largest turn of a segment's axis.
    #[inline(always)]
    fn direction<R: Double>(&mut self) -> (R, R) {
        solve_back::<R>(self.plan, &self.memory.off, &mut self.memory.rhs);
        self.limit::<R>()
    }

    /// Hold free turns of the step in `rhs` within bounds. Answers as [`Newton::direction`] does.
    #[inline(always)]
    pub(super) fn limit<R: Double>(&mut self) -> (R, R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        let inverse_mean = R::read(&m.inverse_mean_length, 0);
        let (mut most, mut turn, mut side) = (R::zero(), R::zero(), R::zero());
        for v in 0..plan.vertices {
            most = most.max(read_vector::<R>(&m.rhs, 3 * v).length_squared());
        }
        for s in 0..plan.segments.len() {
            let node = 3 * (plan.vertices + s);
            let q = read_quaternion(&m.q, 4 * s);
            let (step, tilt) = limit_twist(m, s, q, read_vector::<R>(&m.rhs, node));
            write_vector(step, &mut m.rhs, node);
            turn = turn.max(step.length_squared());
            side = side.max(tilt);
        }
        for body in plan.segments.len()..plan.frames {
            let tilt = read_vector::<R>(&m.rhs, 3 * (plan.vertices + body)).length_squared();
            turn = turn.max(tilt);
            side = side.max(tilt);
        }
        ((most * inverse_mean * inverse_mean).max(turn).sqrt(), side.sqrt())
    }

    /// Put the lanes where `worse` is above zero back to the start: nothing moves but what is led.
    #[inline(always)]
    fn stand<R: Double>(&mut self, worse: R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        for v in 0..plan.vertices {
            let u = Vector::select_positive(worse, still(m, v), read_vector(&m.u, 3 * v));
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
    pub(super) fn keep<R: Double>(&mut self, active: R) {
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
    pub(super) fn place<R: Double>(&mut self, scale: R, moving: R) {
        let (plan, m) = (self.plan, &mut *self.memory);
        for v in 0..plan.vertices {
            let u = read_vector::<R>(&m.step, 3 * v).mul_add(scale, read_vector(&m.kept_u, 3 * v));
            write_vector(u, &mut m.u, 3 * v);
        }
        for s in 0..plan.frames {
            let step = read_vector::<R>(&m.step, 3 * (plan.vertices + s)) * scale;
            let q = read_quaternion::<R>(&m.kept_q, 4 * s);
            let q = Quaternion::select_positive(moving, turned(q, step), q);
            write_quaternion(q, &mut m.q, 4 * s);
        }
    }
}

/// What the diagonal of a node gets before it goes, and what is left of its right-hand side.
///
/// Held nodes do not move; free ones get a trace of their own stiffness, so that a twist that nothing resists stays put. What has no stiffness at all (a broken segment) does not move either.
#[inline(always)]
pub fn stiffen<R: Double>(size: R, free: R, rhs: Vector<R>) -> (R, Vector<R>) {
    let held = (R::one() - free) * R::splat(HELD);
    let more = size.mul_add(R::splat(1e-12), held) + R::splat(1e-30);
    (more, Vector::select_positive(free * size, rhs, Vector::zero()))
}

/// `(1 + ω/2) q`, normalized: the rotation by 2 atan |ω/2| about ω.
#[inline(always)]
pub fn turned<R: Double>(q: Quaternion<R>, step: Vector<R>) -> Quaternion<R> {
    (q + Quaternion::vector_times(step * R::splat(0.5), q)).normalize()
}

/// A segment's turn with its part about the axis held within bounds, and the square of its part aside.
///
/// Turning about its axis moves nothing but the segment itself. So one that spins freely (no GJ, an axial torque on it) is held by itself, and does not keep
/// the whole rod from taking its step. That stays a way down: of the energy of twist, differences of neighbours, holding all within the same bounds
/// never makes more. The bound falls to zero at half a turn from where the substep began, beyond which the work of a torque has no meaning.
#[inline(always)]
pub fn limit_twist<R: Double>(m: &Memory, s: usize, q: Quaternion<R>, turn: Vector<R>) -> (Vector<R>, R) {
    let size = turn.length_squared();
    let large = size - R::one();
    if !large.any_positive() {
        return (turn, size);
    }
    let axis = q.axis();
    let twist = turn.dot(axis);
    let aside = axis.mul_add(-twist, turn);
    let since = q.dot(read_quaternion::<R>(&m.start_q, 4 * s));
    let bound = since.flip_by(since);
    let limited = axis.mul_add(twist.clamp(-bound, bound), aside);
    (
        Vector::select_positive(large, limited, turn),
        R::select_positive(large, aside.length_squared(), size),
    )
}

/// What a step leaves over, as far as two of them in a row can tell.
///
/// Newton's steps shrink ever faster. So the next one is at most this one times the ratio of the last two, once they shrink at all, and the step itself until then.
#[inline(always)]
fn left_over<R: Double>(moved: R, last: R) -> R {
    let shrinking = last * R::splat(SHRINKING) - moved;
    R::select_positive(shrinking, moved * moved / last.max(moved), moved)
}

/// Add to the block of a node, and to the size of what was added: a measure for what is noise once neighbours have been eliminated.
#[inline(always)]
fn add_block<R: Double>(block: Symmetric<R>, m: &mut Memory, node: usize) {
    let [xx, yy, zz, ..] = block.0;
    (R::read(&m.size, node) + (xx + yy + zz)).write(&mut m.size, node);
    add_symmetric(block, &mut m.diagonal, 6 * node);
}

/// Add what a node touches.
#[inline(always)]
fn add_contact<R: Double>(m: &mut Memory, node: usize) {
    if m.has_contact {
        add_vector(-read_vector::<R>(&m.contact, 9 * node), &mut m.rhs, 3 * node);
        let hessian = read_symmetric::<R>(&m.contact, 9 * node + 3);
        add_block(Symmetric(hessian), m, node);
    }
}

/// The six entries of a symmetric block.
#[inline(always)]
fn read_symmetric<R: Double>(memory: &[f64], index: usize) -> [R; 6] {
    let mut entries = [R::zero(); 6];
    for (k, entry) in entries.iter_mut().enumerate() {
        *entry = R::read(memory, index + k);
    }
    entries
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
