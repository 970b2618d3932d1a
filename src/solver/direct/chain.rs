//! Sweep and step of a chain without a plan: the blocks are where they always are.
//!
//! Two streams eat the chain from its ends, outer vertex, rotation, next vertex, next rotation, and meet in the middle segment: two
//! dependent chains for the processor to overlap. What an elimination leaves for its two neighbours waits in locals, so that memory sees only what
//! the way back needs, once. Any other rod, and a chain that is tied to something, goes through [`Plan`](super::plan::Plan): the
//! steps are the same but for rounding, and a test holds the two together.

use std::mem::swap;

use super::{
    blocks::{
        Matrix, Small, cross_matrix, full, minus_dot, read_matrix, read_vector, transposed, write_matrix, write_vector,
    },
    element::{Bend, Stretch},
    newton::{Newton, limit_twist, read_quaternion, stiffen, turned, write_quaternion},
};
use crate::math::{Quaternion, Real, Symmetric, Vector, lanes::Double};

/// Entries that a segment leaves for the way back: of its outer vertex `L`, `Δ⁻¹L⁻¹b` and `Δ⁻¹L⁻¹U` towards rotation and inner vertex; of its rotation
/// `D⁻¹b` and `D⁻¹U` towards the inner vertex and the next rotation.
pub const RECORD: usize = 45;

/// A block on the diagonal with its right-hand side, and the size of what was added to it.
#[derive(Clone, Copy)]
struct Node<R> {
    block: Symmetric<R>,
    rhs: Vector<R>,
    size: R,
}

/// What has come in from outside for the next vertex and the next rotation, and the block between them by columns, one for each axis of the rotation.
#[derive(Clone, Copy)]
struct Pending<R> {
    vertex: Node<R>,
    rotation: Node<R>,
    between: Matrix<R>,
}

/// What is left of a segment whose outer vertex is gone: its rotation, its inner vertex, and the block between them by columns, one for each axis of the vertex.
struct Half<R> {
    rotation: Node<R>,
    inner: Node<R>,
    between: Matrix<R>,
}

/// Which end a stream comes from.
#[derive(Clone, Copy, PartialEq)]
enum From {
    Tail,
    Head,
}

impl<R: Real> Node<R> {
    #[inline(always)]
    fn empty() -> Self {
        Self {
            block: Symmetric([R::zero(); 6]),
            rhs: Vector::zero(),
            size: R::zero(),
        }
    }

    #[inline(always)]
    fn add(&mut self, block: Symmetric<R>, rhs: Vector<R>) {
        let [xx, yy, zz, ..] = block.0;
        self.size = self.size + (xx + yy + zz);
        self.block = plus(self.block, block);
        self.rhs = self.rhs + rhs;
    }

    #[inline(always)]
    fn merge(&mut self, other: &Self) {
        self.size = self.size + other.size;
        self.block = plus(self.block, other.block);
        self.rhs = self.rhs + other.rhs;
    }
}

#[inline(always)]
fn plus<R: Real>(a: Symmetric<R>, b: Symmetric<R>) -> Symmetric<R> {
    let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2, b3, b4, b5]) = (a.0, b.0);
    Symmetric([a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4, a5 + b5])
}

#[inline(always)]
fn scaled<R: Real>(s: Symmetric<R>, k: R) -> Symmetric<R> {
    let [xx, yy, zz, xy, xz, yz] = s.0;
    Symmetric([xx * k, yy * k, zz * k, xy * k, xz * k, yz * k])
}

#[inline(always)]
fn plus_matrix<R: Real>(a: Matrix<R>, b: Matrix<R>) -> Matrix<R> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `s − aᵀb` of two matrices by columns whose product is symmetric.
#[inline(always)]
fn less<R: Real>(s: Symmetric<R>, a: &Matrix<R>, b: &Matrix<R>) -> Symmetric<R> {
    let [xx, yy, zz, xy, xz, yz] = s.0;
    Symmetric([
        minus_dot(xx, a[0], b[0]),
        minus_dot(yy, a[1], b[1]),
        minus_dot(zz, a[2], b[2]),
        minus_dot(xy, a[0], b[1]),
        minus_dot(xz, a[0], b[2]),
        minus_dot(yz, a[1], b[2]),
    ])
}

/// `v − aᵀb` of a matrix by columns.
#[inline(always)]
fn less_vector<R: Real>(v: Vector<R>, a: &Matrix<R>, b: Vector<R>) -> Vector<R> {
    Vector::new(
        minus_dot(v.x, a[0], b),
        minus_dot(v.y, a[1], b),
        minus_dot(v.z, a[2], b),
    )
}

/// `v − m x` of a matrix by columns.
#[inline(always)]
fn less_product<R: Real>(v: Vector<R>, m: &Matrix<R>, x: Vector<R>) -> Vector<R> {
    let v = m[0].mul_add(-x.x, v);
    let v = m[1].mul_add(-x.y, v);
    m[2].mul_add(-x.z, v)
}

impl Newton<'_> {
    /// The potential at the current place; on the way gradient and Hessian are put together, factored and solved forward.
    #[inline(always)]
    pub(super) fn sweep_chain<R: Double>(&mut self) -> R {
        let count = self.plan.segments.len();
        let middle = count / 2;
        let first = self.chain_joint::<R>(0);
        let last = self.chain_joint::<R>(count);
        let mut energy = first.energy + last.energy;
        let mut tail = entry(first.stiffness, -first.torque);
        let mut head = entry(last.stiffness, last.torque);
        // One more segment may be behind the middle than before it, or none.
        for step in 0..middle {
            energy = energy + self.pass::<R>(step, From::Tail, &mut tail);
            let other = count - 1 - step;
            if other > middle {
                energy = energy + self.pass::<R>(other, From::Head, &mut head);
            }
        }
        // Both streams have come to the ends of the middle segment.
        let part = self.segment_between::<R>(middle, middle, middle + 1);
        tail.rotation.merge(&head.rotation);
        let (more, mut half) = self.eliminate_vertex(middle, From::Tail, &part, &tail);
        half.inner.merge(&head.vertex);
        half.between = plus_matrix(half.between, transposed(head.between));
        energy = energy + more + part.energy;
        let free = R::read(&self.memory.free, self.plan.vertices + middle);
        let (small, b) = resist(&half.rotation, free);
        let between = small.solve_columns(half.between);
        let solved = small.solve(b);
        half.inner.block = less(half.inner.block, &half.between, &between);
        half.inner.rhs = less_vector(half.inner.rhs, &half.between, solved);
        let record = kept_mut::<R>(&mut self.memory.off, middle);
        write_vector(solved, record, 24);
        write_matrix(between, record, 27);
        let (more, node) = self.with_vertex(middle + 1, &half.inner);
        let free = R::read(&self.memory.free, middle + 1);
        let (small, b) = resist(&node, free);
        write_vector(small.solve(b), &mut self.memory.rhs, 0);
        energy + more
    }

    /// Take a segment off an end.
    #[inline(always)]
    fn pass<R: Double>(&mut self, s: usize, from: From, pending: &mut Pending<R>) -> R {
        let part = self.segment_between::<R>(s, s, s + 1);
        let (energy, half) = self.eliminate_vertex(s, from, &part, pending);
        let joint = self.chain_joint::<R>(if from == From::Tail { s + 1 } else { s });
        *pending = self.eliminate_rotation(s, from, &joint, half);
        energy + part.energy + joint.energy
    }

    /// Joint `j` is between segments `j − 1` and `j`; at the ends are walls.
    #[inline(always)]
    fn chain_joint<R: Double>(&self, j: usize) -> Bend<R> {
        let count = self.plan.segments.len();
        let first = if j == 0 { count } else { j - 1 };
        let second = if j == count { count + 1 } else { j };
        self.joint_between(j, first, second)
    }

    /// Inertia of a vertex on top of what has come in.
    #[inline(always)]
    fn with_vertex<R: Double>(&self, v: usize, pending: &Node<R>) -> (R, Node<R>) {
        let part = self.vertex::<R>(v);
        let mut node = *pending;
        let [xx, yy, zz, xy, xz, yz] = node.block.0;
        node.block = Symmetric([xx + part.inertia, yy + part.inertia, zz + part.inertia, xy, xz, yz]);
        node.rhs = node.rhs + part.force;
        node.size = node.size + part.inertia;
        if let Some(hessian) = part.extra {
            node.add(hessian, Vector::zero());
        }
        (part.energy, node)
    }

    /// Put a segment on what is pending, and eliminate its outer vertex.
    #[inline(always)]
    fn eliminate_vertex<R: Double>(
        &mut self,
        s: usize,
        from: From,
        part: &Stretch<R>,
        pending: &Pending<R>,
    ) -> (R, Half<R>) {
        // The outer vertex is the tail or the head: force and coupling change their signs.
        let (outer, force, coupling) = match from {
            From::Tail => (s, part.force, -part.coupling),
            From::Head => (s + 1, -part.force, part.coupling),
        };
        let (energy, mut vertex) = self.with_vertex(outer, &pending.vertex);
        vertex.add(part.stiffness, force);
        let mut rotation = pending.rotation;
        rotation.add(part.rotation, -part.torque);
        let mut inner = Node::empty();
        inner.add(part.stiffness, -force);
        let free = R::read(&self.memory.free, outer);
        let (small, b) = resist(&vertex, free);
        // U = [c]× towards the rotation, with columns [−c]×; −K towards the inner vertex, which has [−c]× towards the rotation.
        let aside = small.lower_columns(plus_matrix(pending.between, cross_matrix(-coupling)));
        let [kx, ky, kz] = full(part.stiffness);
        let along = small.lower_columns([-kx, -ky, -kz]);
        let (aside_over, along_over) = (small.divide_columns(&aside), small.divide_columns(&along));
        let over = small.divide(small.lower(b));
        rotation.block = less(rotation.block, &aside, &aside_over);
        rotation.rhs = less_vector(rotation.rhs, &aside, over);
        inner.block = less(inner.block, &along, &along_over);
        inner.rhs = less_vector(inner.rhs, &along, over);
        let turned = cross_matrix(-coupling);
        let between = [
            less_vector(turned[0], &aside, along_over[0]),
            less_vector(turned[1], &aside, along_over[1]),
            less_vector(turned[2], &aside, along_over[2]),
        ];
        let record = kept_mut::<R>(&mut self.memory.off, s);
        write_vector(small.below, record, 0);
        write_vector(over, record, 3);
        write_matrix(aside_over, record, 6);
        write_matrix(along_over, record, 15);
        (
            energy,
            Half {
                rotation,
                inner,
                between,
            },
        )
    }

    /// Put a joint on what is left of a segment, and eliminate its rotation.
    #[inline(always)]
    fn eliminate_rotation<R: Double>(&mut self, s: usize, from: From, joint: &Bend<R>, half: Half<R>) -> Pending<R> {
        let Half {
            mut rotation,
            mut inner,
            between,
        } = half;
        let torque = if from == From::Tail {
            joint.torque
        } else {
            -joint.torque
        };
        rotation.add(joint.stiffness, torque);
        let free = R::read(&self.memory.free, self.plan.vertices + s);
        let (small, b) = resist(&rotation, free);
        let solved = small.solve(b);
        let across = small.solve_columns(between);
        inner.block = less(inner.block, &between, &across);
        inner.rhs = less_vector(inner.rhs, &between, solved);
        let mut next = Node::empty();
        next.add(joint.stiffness, -torque);
        // U = −B towards the next rotation.
        let (onward, fill);
        if self.anisotropic {
            let [bx, by, bz] = full(joint.stiffness);
            let b = [bx, by, bz];
            onward = small.solve_columns([-bx, -by, -bz]);
            fill = [
                less_vector(Vector::zero(), &across, -bx),
                less_vector(Vector::zero(), &across, -by),
                less_vector(Vector::zero(), &across, -bz),
            ];
            next.block = less(next.block, &[-b[0], -b[1], -b[2]], &onward);
            next.rhs = less_vector(next.rhs, &[-b[0], -b[1], -b[2]], solved);
        } else {
            // B = k: the products are multiples of D⁻¹, of D⁻¹U and of D⁻¹b.
            let k = joint.stiffness.0[0];
            let scaled = scaled(small.inverse_block(), -k);
            let [xx, yy, zz, xy, xz, yz] = scaled.0;
            onward = full(scaled);
            let [a, b, c] = transposed(across);
            fill = [a * k, b * k, c * k];
            next.block = Symmetric([
                xx.mul_add(k, k),
                yy.mul_add(k, k),
                zz.mul_add(k, k),
                xy * k,
                xz * k,
                yz * k,
            ]);
            next.rhs = solved.mul_add(k, next.rhs);
        }
        let record = kept_mut::<R>(&mut self.memory.off, s);
        write_vector(solved, record, 24);
        write_matrix(across, record, 27);
        write_matrix(onward, record, 36);
        Pending {
            vertex: inner,
            rotation: next,
            between: fill,
        }
    }

    /// Solve backward, keep the place where the step starts, and take the step in the lanes that move. Answers as `direction` does.
    #[inline(always)]
    pub(super) fn advance_chain<R: Double>(&mut self, moving: R) -> (R, R) {
        let count = self.plan.segments.len();
        let middle = count / 2;
        let m = &mut *self.memory;
        swap(&mut m.u, &mut m.kept_u);
        swap(&mut m.q, &mut m.kept_q);
        let mut largest = Largest {
            moved: R::zero(),
            turned: R::zero(),
            side: R::zero(),
        };
        let mut head = read_vector::<R>(&m.rhs, 0);
        self.move_vertex(middle + 1, head, moving, &mut largest);
        let record = kept::<R>(&self.memory.off, middle);
        let turn = less_product(read_vector(record, 24), &read_matrix(record, 27), head);
        let mut tail = outer_vertex(record, turn, head);
        self.move_vertex(middle, tail, moving, &mut largest);
        self.move_frame(middle, turn, moving, &mut largest);
        let (mut tail_turn, mut head_turn) = (turn, turn);
        for step in (0..middle).rev() {
            (tail, tail_turn) = back(kept::<R>(&self.memory.off, step), tail, tail_turn);
            self.move_vertex(step, tail, moving, &mut largest);
            self.move_frame(step, tail_turn, moving, &mut largest);
            let other = count - 1 - step;
            if other > middle {
                (head, head_turn) = back(kept::<R>(&self.memory.off, other), head, head_turn);
                self.move_vertex(other + 1, head, moving, &mut largest);
                self.move_frame(other, head_turn, moving, &mut largest);
            }
        }
        let inverse_mean = R::read(&self.memory.inverse_mean_length, 0);
        let moved = (largest.moved * inverse_mean * inverse_mean).max(largest.turned);
        (moved.sqrt(), largest.side.sqrt())
    }

    #[inline(always)]
    fn move_vertex<R: Double>(&mut self, v: usize, step: Vector<R>, moving: R, largest: &mut Largest<R>) {
        let m = &mut *self.memory;
        largest.moved = largest.moved.max(step.length_squared());
        let step = Vector::select_positive(moving, step, Vector::zero());
        write_vector(step, &mut m.step, 3 * v);
        write_vector(step + read_vector(&m.kept_u, 3 * v), &mut m.u, 3 * v);
    }

    #[inline(always)]
    fn move_frame<R: Double>(&mut self, s: usize, turn: Vector<R>, moving: R, largest: &mut Largest<R>) {
        let node = 3 * (self.plan.vertices + s);
        let m = &mut *self.memory;
        let q = read_quaternion::<R>(&m.kept_q, 4 * s);
        let (turn, side) = limit_twist(m, s, q, turn);
        largest.turned = largest.turned.max(turn.length_squared());
        largest.side = largest.side.max(side);
        let step = Vector::select_positive(moving, turn, Vector::zero());
        write_vector(step, &mut m.step, node);
        let q = Quaternion::select_positive(moving, turned(q, step), q);
        write_quaternion(q, &mut m.q, 4 * s);
    }
}

/// Squares of the largest steps: of vertices, of frames, and of frames without what they turn about their own axes.
struct Largest<R> {
    moved: R,
    turned: R,
    side: R,
}

/// The block of a node that is about to go, factored, and its right-hand side.
#[inline(always)]
fn resist<R: Double>(node: &Node<R>, free: R) -> (Small<R>, Vector<R>) {
    let (more, b) = stiffen(node.size, free, node.rhs);
    let [xx, yy, zz, xy, xz, yz] = node.block.0;
    let block = Symmetric([xx + more, yy + more, zz + more, xy, xz, yz]);
    (Small::new(block, more * R::splat(0.5)), b)
}

/// What a wall's joint leaves for the first rotation.
#[inline(always)]
fn entry<R: Real>(stiffness: Symmetric<R>, torque: Vector<R>) -> Pending<R> {
    let mut rotation = Node::empty();
    rotation.add(stiffness, torque);
    Pending {
        vertex: Node::empty(),
        rotation,
        between: [Vector::zero(); 3],
    }
}

/// Steps of the outer vertex and of the rotation of a segment, from those of its inner vertex and of the next rotation.
#[inline(always)]
fn back<R: Double>(record: &[f64], inner: Vector<R>, next: Vector<R>) -> (Vector<R>, Vector<R>) {
    let turn = less_product(read_vector(record, 24), &read_matrix(record, 27), inner);
    let turn = less_product(turn, &read_matrix(record, 36), next);
    (outer_vertex(record, turn, inner), turn)
}

#[inline(always)]
fn outer_vertex<R: Double>(record: &[f64], turn: Vector<R>, inner: Vector<R>) -> Vector<R> {
    let over = less_product(read_vector(record, 3), &read_matrix(record, 6), turn);
    let over = less_product(over, &read_matrix(record, 15), inner);
    Small::upper(read_vector(record, 0), over)
}

#[inline(always)]
fn kept<R: Double>(memory: &[f64], s: usize) -> &[f64] {
    &memory[RECORD * s * R::WIDTH..RECORD * (s + 1) * R::WIDTH]
}

#[inline(always)]
fn kept_mut<R: Double>(memory: &mut [f64], s: usize) -> &mut [f64] {
    &mut memory[RECORD * s * R::WIDTH..RECORD * (s + 1) * R::WIDTH]
}
