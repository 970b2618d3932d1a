//! 3×3 blocks in work memory, and the factorization `L D Lᵀ` by blocks that follows a [`Plan`].

use super::{
    newton::stiffen,
    plan::{Pivot, Plan},
};
use crate::math::{Real, Symmetric, Vector, lanes::Double};

/// A general 3×3 matrix by rows.
pub type Matrix<R> = [Vector<R>; 3];

/// Entries of work memory that hold a vector, from `index` on.
#[inline(always)]
pub fn read_vector<R: Double>(memory: &[f64], index: usize) -> Vector<R> {
    // One check of bounds for all three.
    let part = &memory[index * R::WIDTH..(index + 3) * R::WIDTH];
    Vector::new(R::read(part, 0), R::read(part, 1), R::read(part, 2))
}

/// Write a vector.
#[inline(always)]
pub fn write_vector<R: Double>(v: Vector<R>, memory: &mut [f64], index: usize) {
    let part = &mut memory[index * R::WIDTH..(index + 3) * R::WIDTH];
    v.x.write(part, 0);
    v.y.write(part, 1);
    v.z.write(part, 2);
}

/// Add to a vector.
#[inline(always)]
pub fn add_vector<R: Double>(v: Vector<R>, memory: &mut [f64], index: usize) {
    write_vector(read_vector(memory, index) + v, memory, index);
}

/// Add to a symmetric block.
#[inline(always)]
pub fn add_symmetric<R: Double>(s: Symmetric<R>, memory: &mut [f64], index: usize) {
    let part = &mut memory[index * R::WIDTH..(index + 6) * R::WIDTH];
    for (k, value) in s.0.into_iter().enumerate() {
        (R::read(part, k) + value).write(part, k);
    }
}

/// Read a general block.
#[inline(always)]
pub fn read_matrix<R: Double>(memory: &[f64], index: usize) -> Matrix<R> {
    let part = &memory[index * R::WIDTH..(index + 9) * R::WIDTH];
    [read_vector(part, 0), read_vector(part, 3), read_vector(part, 6)]
}

/// Write a general block.
#[inline(always)]
pub fn write_matrix<R: Double>(m: Matrix<R>, memory: &mut [f64], index: usize) {
    let part = &mut memory[index * R::WIDTH..(index + 9) * R::WIDTH];
    let [a, b, c] = m;
    write_vector(a, part, 0);
    write_vector(b, part, 3);
    write_vector(c, part, 6);
}

/// Add a matrix to a general block.
#[inline(always)]
fn add_matrix<R: Double>(m: Matrix<R>, memory: &mut [f64], index: usize) {
    let part = &mut memory[index * R::WIDTH..(index + 9) * R::WIDTH];
    let [a, b, c] = m;
    add_vector(a, part, 0);
    add_vector(b, part, 3);
    add_vector(c, part, 6);
}

/// A symmetric matrix as a general one.
#[inline(always)]
pub fn full<R: Double>(s: Symmetric<R>) -> Matrix<R> {
    let [xx, yy, zz, xy, xz, yz] = s.0;
    [
        Vector::new(xx, xy, xz),
        Vector::new(xy, yy, yz),
        Vector::new(xz, yz, zz),
    ]
}

/// `[v]×`.
#[inline(always)]
pub fn cross_matrix<R: Double>(v: Vector<R>) -> Matrix<R> {
    let zero = R::zero();
    [
        Vector::new(zero, -v.z, v.y),
        Vector::new(v.z, zero, -v.x),
        Vector::new(-v.y, v.x, zero),
    ]
}

/// `L Δ Lᵀ` of a symmetric 3×3 block: three inverses of Δ, and the three entries of L below its diagonal.
pub struct Small<R> {
    inverse: Vector<R>,
    pub below: Vector<R>,
}

impl<R: Real> Small<R> {
    /// Pivots are held above `floor`: rounding must not make one negative.
    ///
    /// From the minors, which need no division: the three divisions do not wait for one another. Backward stable as the usual order is: an error of a minor is one of an entry.
    #[inline(always)]
    pub fn new(s: Symmetric<R>, floor: R) -> Self {
        let [xx, yy, zz, xy, xz, yz] = s.0;
        let xx = xx.max(floor);
        let minor = xy.neg_mul_add(xy, xx * yy).max(floor * xx);
        let mixed = xy.neg_mul_add(xz, xx * yz);
        let last = xz.neg_mul_add(xz, xx * zz);
        let product = xx * minor;
        let determinant = mixed.neg_mul_add(mixed, minor * last).max(floor * product);
        let (x, y, z) = (R::one() / xx, xx / minor, product / determinant);
        Self {
            inverse: Vector::new(x, y, z),
            below: Vector::new(xy * x, xz * x, mixed * (x * y)),
        }
    }

    /// `L⁻¹ v`.
    #[inline(always)]
    pub fn lower(&self, v: Vector<R>) -> Vector<R> {
        let y = self.below.x.neg_mul_add(v.x, v.y);
        let z = self.below.z.neg_mul_add(y, self.below.y.neg_mul_add(v.x, v.z));
        Vector::new(v.x, y, z)
    }

    /// `Δ⁻¹ v`.
    #[inline(always)]
    pub fn divide(&self, v: Vector<R>) -> Vector<R> {
        Vector::new(v.x * self.inverse.x, v.y * self.inverse.y, v.z * self.inverse.z)
    }

    /// `L⁻ᵀ v`.
    #[inline(always)]
    pub fn upper(below: Vector<R>, v: Vector<R>) -> Vector<R> {
        let y = below.z.neg_mul_add(v.z, v.y);
        let x = below.x.neg_mul_add(y, below.y.neg_mul_add(v.z, v.x));
        Vector::new(x, y, v.z)
    }

    #[inline(always)]
    pub fn solve(&self, v: Vector<R>) -> Vector<R> {
        Self::upper(self.below, self.divide(self.lower(v)))
    }

    /// `L⁻¹ M` of a matrix by columns.
    #[inline(always)]
    pub fn lower_columns(&self, [a, b, c]: Matrix<R>) -> Matrix<R> {
        [self.lower(a), self.lower(b), self.lower(c)]
    }

    /// `Δ⁻¹ M` of a matrix by columns.
    #[inline(always)]
    pub fn divide_columns(&self, [a, b, c]: &Matrix<R>) -> Matrix<R> {
        [self.divide(*a), self.divide(*b), self.divide(*c)]
    }

    /// `D⁻¹ M` of a matrix by columns.
    #[inline(always)]
    pub fn solve_columns(&self, [a, b, c]: Matrix<R>) -> Matrix<R> {
        [self.solve(a), self.solve(b), self.solve(c)]
    }

    /// `D⁻¹`.
    #[inline(always)]
    pub fn inverse_block(&self) -> Symmetric<R> {
        let Vector { x, y, z } = self.inverse;
        // L⁻¹ below its diagonal: −l₁, l₁l₃ − l₂, −l₃.
        let (l1, l3) = (self.below.x, self.below.z);
        let corner = l1.mul_add(l3, -self.below.y);
        let (xy, yz) = (l1 * y, l3 * z);
        Symmetric([
            l1.mul_add(xy, corner.mul_add(corner * z, x)),
            l3.mul_add(yz, y),
            z,
            -corner.mul_add(yz, xy),
            corner * z,
            -yz,
        ])
    }
}

/// The transpose.
#[inline(always)]
pub fn transposed<R: Real>([a, b, c]: Matrix<R>) -> Matrix<R> {
    [
        Vector::new(a.x, b.x, c.x),
        Vector::new(a.y, b.y, c.y),
        Vector::new(a.z, b.z, c.z),
    ]
}

/// `t − a·b`.
#[inline(always)]
pub fn minus_dot<R: Real>(t: R, a: Vector<R>, b: Vector<R>) -> R {
    a.x.neg_mul_add(b.x, a.y.neg_mul_add(b.y, a.z.neg_mul_add(b.z, t)))
}

/// `aᵀ b`.
#[inline(always)]
fn product_transposed<R: Double>(a: &Matrix<R>, b: &Matrix<R>) -> Matrix<R> {
    [
        b[0].mul_add_each(a[0].x, b[1], a[1].x, b[2], a[2].x),
        b[0].mul_add_each(a[0].y, b[1], a[1].y, b[2], a[2].y),
        b[0].mul_add_each(a[0].z, b[1], a[1].z, b[2], a[2].z),
    ]
}

/// Eliminate a node: factor its block, solve forward, and take its part off what is left.
///
/// `off` keeps the blocks `W = D⁻¹ U`, and `rhs` becomes `D⁻¹` times what is left of it. The products of the blocks are taken off the blocks
/// between the node's neighbours (right-looking). Pivots are held above `floor`.
#[inline(always)]
pub fn eliminate<R: Double>(
    plan: &Plan,
    pivot: &Pivot,
    diagonal: &mut [f64],
    off: &mut [f64],
    rhs: &mut [f64],
    floor: R,
) {
    let node = pivot.node as usize;
    let mut entries = [R::zero(); 6];
    for (k, entry) in entries.iter_mut().enumerate() {
        *entry = R::read(diagonal, 6 * node + k);
    }
    let small = Small::new(Symmetric(entries), floor);
    let b = read_vector::<R>(rhs, 3 * node);
    write_vector(small.solve(b), rhs, 3 * node);
    let (first, count) = (pivot.first as usize, pivot.count as usize);
    let mut update = pivot.updates as usize;
    for k in 0..count {
        let u = read_matrix::<R>(off, 9 * (first + k));
        let w = transposed(small.solve_columns(transposed(u)));
        let other = plan.neighbours[first + k] as usize;
        // The neighbour's own block: Uᵀ W is symmetric.
        let [x, y, z] = product_transposed(&u, &w);
        add_symmetric(Symmetric([-x.x, -y.y, -z.z, -x.y, -x.z, -y.z]), diagonal, 6 * other);
        let sum = w[0].mul_add_each(b.x, w[1], b.y, w[2], b.z);
        write_vector(read_vector::<R>(rhs, 3 * other) - sum, rhs, 3 * other);
        // Between this neighbour and the later ones: Uₖᵀ D⁻¹ Uₗ = Wₖᵀ Uₗ.
        for l in k + 1..count {
            let block = 9 * plan.updates[update] as usize;
            update += 1;
            let later = read_matrix::<R>(off, 9 * (first + l));
            let [a, b, c] = product_transposed(&w, &later);
            add_matrix([-a, -b, -c], off, block);
        }
        write_matrix(w, off, 9 * (first + k));
    }
}

/// Turn the blocks that [`eliminate`] went by into their inverses, for [`substitute`].
#[inline(always)]
pub fn invert<R: Double>(plan: &Plan, size: &[f64], free: &[f64], diagonal: &mut [f64]) {
    for node in 0..plan.nodes() {
        let mut entries = [R::zero(); 6];
        for (k, entry) in entries.iter_mut().enumerate() {
            *entry = R::read(diagonal, 6 * node + k);
        }
        let (more, _) = stiffen(R::read(size, node), R::read(free, node), Vector::zero());
        let inverse = Small::new(Symmetric(entries), more * R::splat(0.5)).inverse_block();
        for (k, entry) in inverse.0.into_iter().enumerate() {
            entry.write(diagonal, 6 * node + k);
        }
    }
}

/// Solve for a further right-hand side, forward and backward, with the factors and after [`invert`].
#[inline(always)]
pub fn substitute<R: Double>(plan: &Plan, inverses: &[f64], off: &[f64], rhs: &mut [f64]) {
    for pivot in &plan.pivots {
        let node = pivot.node as usize;
        let b = read_vector::<R>(rhs, 3 * node);
        for k in pivot.first as usize..(pivot.first + pivot.count) as usize {
            let w = read_matrix::<R>(off, 9 * k);
            let other = plan.neighbours[k] as usize;
            let sum = w[0].mul_add_each(b.x, w[1], b.y, w[2], b.z);
            write_vector(read_vector::<R>(rhs, 3 * other) - sum, rhs, 3 * other);
        }
        let mut entries = [R::zero(); 6];
        for (k, entry) in entries.iter_mut().enumerate() {
            *entry = R::read(inverses, 6 * node + k);
        }
        write_vector(Symmetric(entries).apply(b), rhs, 3 * node);
    }
    solve_back::<R>(plan, off, rhs);
}

/// Solve backward with what [`eliminate`] left of all nodes.
#[inline(always)]
pub fn solve_back<R: Double>(plan: &Plan, off: &[f64], rhs: &mut [f64]) {
    for pivot in plan.pivots.iter().rev() {
        let node = pivot.node as usize;
        let mut x = read_vector::<R>(rhs, 3 * node);
        for k in pivot.first as usize..(pivot.first + pivot.count) as usize {
            let w = read_matrix::<R>(off, 9 * k);
            let y = read_vector::<R>(rhs, 3 * plan.neighbours[k] as usize);
            x = x - Vector::new(w[0].dot(y), w[1].dot(y), w[2].dot(y));
        }
        write_vector(x, rhs, 3 * node);
    }
}
