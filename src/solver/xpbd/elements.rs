//! A substep of Algorithm 1 element by element: prediction, projection of one constraint, velocities. Chains and graphs share it.
//!
//! Positions are increments from the start of the substep, as in Stable Cosserat. A segment's inertia against turning is a number, as in the paper; a thin rod has next to none,
//! and one so small makes the constraints fight each other. It gets one in proportion to its ends, `w l² = (w₁ + w₂)/4`: twice the mass of a segment times its length squared.
//! Bending waves are slowed by it as they are by the lengths of the segments (a wave of `n` segments by `(2π/n)²`), twist travels more slowly than in
//! truth, and nothing at rest depends on it. More would converge faster and be slower still; less needs iterations in proportion. An inertia that is a number has no gyroscopic term (line 9).

use super::{
    Options,
    constraint::{
        BendLaw, EvenLaw, ModifiedLaw, StretchLaw, bend, bend_modified, measure, solve, stiffness_part, stretch,
        stretch_between, stretch_even, taken, turned,
    },
    energy::stiffness,
};
use crate::{
    math::{
        Quaternion, Symmetric, Vector,
        lanes::{Lanes, QuaternionRow, Row, VectorRow},
    },
    solver::stable_cosserat::{energy::Softness, rows::grow},
    state::{
        block::Block,
        rows::{ExtraRow, JointRow, SegmentRow, SoftnessRow, VertexRow},
    },
};

/// `w l²/(w₁ + w₂)`: how readily a segment turns compared with its ends.
const READINESS: f64 = 0.25;

/// Memory of a worker, used for one block after the other. Rows stand as in the block.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub vertices: Vec<VertexWork>,
    /// Inverse masses as matrices, where further stages add to the vertices.
    pub weights: Vec<[Row; 6]>,
    pub segments: Vec<SegmentWork>,
    pub orientations: Vec<QuaternionRow>,
    /// `w` of the rotations: 0 where one is held, and at walls.
    pub turning: Vec<Row>,
    pub joints: Vec<JointWork>,
    pub long_range: super::long_range::Reach,
}

/// A vertex during a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct VertexWork {
    /// m from the start of the substep.
    pub increment: VectorRow,
    /// Inverse mass, 1/kg: 0 where pinned.
    pub weight: Row,
}

/// A segment during a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct SegmentWork {
    /// `Δx/l` at the start.
    pub start: VectorRow,
    /// In the world where shear is as stiff as stretch, else in the frame of the segment.
    pub lambda: VectorRow,
    pub target: VectorRow,
    /// Of [`EvenLaw`], in its order; or shear, stretch and `yielding` of [`StretchLaw`].
    pub law: [Row; 3],
    pub inverse_length: Row,
}

/// A joint during a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointWork {
    pub target: QuaternionRow,
    pub lambda: VectorRow,
    pub stiffness: VectorRow,
    pub taken: VectorRow,
}

impl Work {
    /// Room for a block, so that stepping it allocates nothing.
    pub fn reserve(&mut self, block: &Block) {
        grow(&mut self.vertices, block.vertices.len());
        grow(&mut self.weights, block.vertices.len());
        grow(&mut self.segments, block.segments.len());
        grow(&mut self.orientations, block.segments.len());
        grow(&mut self.turning, block.segments.len());
        grow(&mut self.joints, block.joints.len());
        self.long_range.reserve(block);
    }
}

/// Lines 6 and 7: where a vertex goes without constraints, and how readily it leaves that way. `weights` where further stages add `g·u + ½ uᵀHu`: the vertex then has the mass
/// `m + h²H`, and goes to where that potential and its inertia agree.
#[inline(always)]
pub fn start_vertex<R: Lanes>(
    vertex: &VertexRow,
    acceleration: Vector<R>,
    fade: R,
    h: R,
    work: &mut VertexWork,
    weights: Option<(&ExtraRow, &mut [Row; 6])>,
    lane: usize,
) {
    let free = R::load(&vertex.free, lane);
    let velocity = R::load_vector(&vertex.velocity, lane);
    let mass = R::load(&vertex.mass, lane);
    let driven = velocity * h; // A pinned vertex goes where it is told.
    let mut inertial = acceleration.mul_add(h * h, velocity * (fade * h));
    // A pinned vertex may weigh nothing.
    (free / mass.max(R::splat(1e-30))).store(&mut work.weight, lane);
    if let Some((extra, weights)) = weights {
        let square = h * h;
        let [xx, yy, zz, xy, xz, yz] = &extra.hessian;
        let heavy = mass.max(R::splat(1e-30));
        let matrix = Symmetric([
            R::load(xx, lane).mul_add(square, heavy),
            R::load(yy, lane).mul_add(square, heavy),
            R::load(zz, lane).mul_add(square, heavy),
            R::load(xy, lane) * square,
            R::load(xz, lane) * square,
            R::load(yz, lane) * square,
        ]);
        let pull = R::load_vector(&extra.gradient, lane);
        inertial = solve(matrix, (-pull).mul_add(square, inertial * heavy));
        let zero = R::zero();
        let x = solve(matrix, Vector::new(free, zero, zero));
        let y = solve(matrix, Vector::new(zero, free, zero));
        let z = solve(matrix, Vector::new(zero, zero, free));
        for (entry, cell) in [x.x, y.y, z.z, x.y, x.z, y.z].into_iter().zip(weights) {
            entry.store(cell, lane);
        }
    }
    let u = Vector::select_positive(free, inertial, driven);
    R::store_vector(u, &mut work.increment, lane);
}

/// `1/m` of a vertex, pinned or not; nothing where it has no mass.
#[inline(always)]
pub fn lightness<R: Lanes>(vertex: &VertexRow, lane: usize) -> R {
    let mass = R::load(&vertex.mass, lane);
    R::select_positive(mass, R::one() / mass.max(R::splat(1e-30)), R::zero())
}

/// Lines 9 to 12: where a segment turns without constraints, and the numbers of its stretch–shear constraint.
///
/// `lightness` is the sum over its two ends, pinned or not, and `weight` the sum of what they yield by.
#[inline(always)]
pub fn start_segment<R: Lanes>(
    segment: &SegmentRow,
    spin: &VectorRow,
    torque: Option<&VectorRow>,
    edge: Vector<R>,
    (lightness, weight): (R, R),
    (fade, h): (R, R),
    options: Options,
    work: &mut SegmentWork,
    (orientation, turning_row): (&mut QuaternionRow, &mut Row),
    lane: usize,
) {
    let one = R::one();
    let q = R::load_quaternion(&segment.orientation, lane);
    let length = R::load(&segment.rest_length, lane);
    let inverse_length = one / length;
    let free = one - R::load(&segment.held, lane);
    // Between two ends without mass any inertia will do.
    let light = R::select_positive(lightness, lightness, one);
    let turning = free * light * R::splat(READINESS) * inverse_length * inverse_length;
    let mut spin = R::load_vector(spin, lane) * fade;
    if let Some(torque) = torque {
        let torque = q.conjugate().rotate(R::load_vector(torque, lane));
        spin = torque.mul_add(h * turning, spin);
    }
    let ahead = q.times_vector(spin * (h * free * R::splat(0.5)));
    R::store_quaternion((q + ahead).normalize(), orientation, lane);
    turning.store(turning_row, lane);

    // Kelvin–Voigt over the step: stiffness (1 + τ/h), and a target that follows the strain before it (paper 2, Eq. 12).
    let alpha = R::load(&segment.relaxation, lane) / h;
    let thick = one + alpha;
    let start = edge * inverse_length;
    let e3 = Vector::new(R::zero(), R::zero(), one);
    let target = (q.conjugate().rotate(start) - e3).mul_add(alpha / thick, e3);
    let scale = length * h * h * thick;
    let axial = R::load(&segment.axial, lane) * scale;
    let yielding = weight * inverse_length * inverse_length;
    let [first, second, third] = &mut work.law;
    if options.even {
        let law = EvenLaw::new(axial, yielding, turning, target.length_squared(), options.pbd());
        law.stiffness.store(first, lane);
        law.across.store(second, lane);
        law.more.store(third, lane);
    } else {
        let mut shear = R::load(&segment.shear, lane) * scale;
        let mut axial = axial;
        if let Some(iterations) = options.pbd() {
            shear = stiffness_part(shear, yielding + turning, iterations);
            axial = stiffness_part(axial, yielding, iterations);
        }
        shear.store(first, lane);
        axial.store(second, lane);
        yielding.store(third, lane);
    }
    R::store_vector(target, &mut work.target, lane);
    R::store_vector(start, &mut work.start, lane);
    R::store_vector(Vector::zero(), &mut work.lambda, lane);
    inverse_length.store(&mut work.inverse_length, lane);
}

/// The numbers of a bend–twist constraint. `first` and `second` are the orientations at the start of the substep, `turning` the sum of how readily they turn; `softness` is seen from the second.
#[inline(always)]
pub fn start_joint<R: Lanes>(
    joint: &JointRow,
    softness: Option<&SoftnessRow>,
    first: Quaternion<R>,
    second: Quaternion<R>,
    turning: R,
    h: R,
    options: Options,
    work: &mut JointWork,
    lane: usize,
) {
    let one = R::one();
    let rest = R::load_quaternion(&joint.rest, lane);
    let largest = R::load(&joint.stiffness, lane);
    let mut k = Vector::new(largest, largest, largest);
    if let Some(softness) = softness {
        let [a, b, c, d, e, f, real, ratio] = softness;
        let matrix = Symmetric([
            R::load(a, lane),
            R::load(b, lane),
            R::load(c, lane),
            R::load(d, lane),
            R::load(e, lane),
            R::load(f, lane),
        ]);
        let softness = Softness {
            matrix,
            real: R::load(real, lane),
            ratio: R::load(ratio, lane),
        };
        k = stiffness(rest, largest, softness);
    }
    let alpha = R::load(&joint.relaxation, lane) / h;
    let thick = one + alpha;
    let rest_measure = measure(rest, options.modified);
    let z = first.conjugate() * second;
    let before = measure(z.flip_by(z.dot(rest)), options.modified);
    let target = (before - rest_measure).mul_add(alpha / thick, rest_measure);
    R::store_quaternion(Quaternion::from_parts(target, rest.w), &mut work.target, lane);
    R::store_vector(Vector::zero(), &mut work.lambda, lane);
    let k = k * (h * h * thick);
    let yielding = turning * R::splat(0.25);
    let pbd = options.pbd();
    let rows = work.stiffness.iter_mut().zip(&mut work.taken);
    for (k, (stiffness_row, taken_row)) in [k.x, k.y, k.z].into_iter().zip(rows) {
        if let (true, Some(iterations)) = (options.modified, pbd) {
            stiffness_part(k, yielding, iterations).store(stiffness_row, lane);
        } else {
            let (stiffness, taken) = taken(k, yielding, pbd);
            // The modified vector's matrix changes with it: it takes `K'` alone.
            let stiffness = if options.modified { k } else { stiffness };
            stiffness.store(stiffness_row, lane);
            taken.store(taken_row, lane);
        }
    }
}

/// Project the stretch–shear constraint of a segment. Answers the impulse over the length (world) that its head is moved by times its weight, and its tail by the opposite.
#[inline(always)]
pub fn project_stretch<R: Lanes>(
    increment: Vector<R>,
    work: &mut SegmentWork,
    orientation: &mut QuaternionRow,
    turning: &Row,
    weights: Option<Symmetric<R>>,
    options: Options,
    lane: usize,
) -> Vector<R> {
    let inverse_length = R::load(&work.inverse_length, lane);
    let turning = R::load(turning, lane);
    let [first, second, third] = &work.law;
    let (first, second, third) = (R::load(first, lane), R::load(second, lane), R::load(third, lane));
    let q = R::load_quaternion(orientation, lane);
    let p = increment.mul_add(inverse_length, R::load_vector(&work.start, lane));
    let lambda = R::load_vector(&work.lambda, lane);
    let (change, impulse, arm);
    if options.even {
        let law = EvenLaw {
            stiffness: first,
            across: second,
            more: third,
        };
        arm = if options.damped {
            q.rotate(R::load_vector(&work.target, lane))
        } else {
            q.axis()
        };
        change = stretch_even(p, arm, &law, lambda);
        impulse = change;
    } else {
        let law = StretchLaw {
            target: R::load_vector(&work.target, lane),
            stiffness: Vector::new(first, first, second),
            yielding: third,
            turning,
            rigid: options.rigid,
        };
        arm = p;
        let local = q.conjugate().rotate(p);
        change = match weights {
            None => stretch(local, &law, lambda),
            Some(Symmetric([xx, yy, zz, xy, xz, yz])) => {
                let f = inverse_length * inverse_length;
                let yielding = Symmetric([xx * f, yy * f, zz * f, xy * f, xz * f, yz * f]);
                stretch_between(q, local, &law, yielding, lambda)
            }
        };
        impulse = q.rotate(change);
    }
    if !options.rigid {
        R::store_vector(lambda + change, &mut work.lambda, lane);
    }
    R::store_quaternion(turned(q, impulse, arm, turning), orientation, lane);
    impulse * inverse_length
}

/// Project the bend–twist constraint of a joint. Answers the two orientations after it.
#[inline(always)]
pub fn project_bend<R: Lanes>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    turning: [R; 2],
    work: &mut JointWork,
    options: Options,
    lane: usize,
) -> [Quaternion<R>; 2] {
    let lambda = R::load_vector(&work.lambda, lane);
    let target = R::load_quaternion(&work.target, lane);
    let stiffness = R::load_vector(&work.stiffness, lane);
    let (first, second, change) = if options.modified {
        let law = ModifiedLaw {
            target: target.vector(),
            stiffness,
            turning,
            rigid: options.rigid,
        };
        bend_modified(first, second, &law, lambda)
    } else {
        let law = BendLaw {
            target,
            stiffness,
            taken: R::load_vector(&work.taken, lane),
            turning,
        };
        bend(first, second, &law, lambda)
    };
    if !options.rigid {
        R::store_vector(lambda + change, &mut work.lambda, lane);
    }
    [first, second]
}

/// Line 20: the angular velocity, in the segment's frame, that turned `before` into `after`.
///
/// The paper takes `2 Im(q̄u)/h`, which takes away from a free spin what line 12 normalized. `2 Im/Re` is the inverse of lines 11 and 12 and keeps it; it is bounded beyond
/// 120° a step.
#[inline(always)]
pub fn spin_between<R: Lanes>(before: Quaternion<R>, after: Quaternion<R>, inverse_h: R) -> Vector<R> {
    let z = before.conjugate() * after;
    let z = z.flip_by(z.w);
    z.vector() * ((inverse_h + inverse_h) / z.w.max(R::splat(0.5)))
}

/// Above zero where a segment is longer than it may be: the difference of the squares, over the length.
#[inline(always)]
pub fn excess<R: Lanes>(increment: Vector<R>, segment: &SegmentRow, work: &SegmentWork, lane: usize) -> R {
    let p = increment.mul_add(R::load(&work.inverse_length, lane), R::load_vector(&work.start, lane));
    let longest = R::one() + R::load(&segment.strain_limit, lane);
    p.length_squared() - longest * longest
}

/// Zero where an orientation is finite, NaN where it is not.
#[inline(always)]
pub fn orientation_poison<R: Lanes>(q: Quaternion<R>) -> R {
    let zero = R::zero();
    q.x.mul_add(zero, q.y.mul_add(zero, q.z.mul_add(zero, q.w * zero)))
}
