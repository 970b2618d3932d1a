//! The parts of a substep that chains and graphs share, element by element: the start from the stored state, the orientation of a
//! segment, and the end.
//!
//! Positions are solved as increments `u = x − xᵗ` (SCENES' f32 trap): the unknowns stay as small as a step, whatever the size of the
//! rod. With orientations held the potential of vertex `i` is quadratic with a scalar Hessian (Eq. 28, 29), so its minimum is
//!
//! ```text
//!   uᵢ = w (m/h² u* + Σ a (uⱼ ± s)),   a = EA/l (1 + α),   w = 1/(m/h² + Σ a),
//!   s  = Δxᵗ − l q η q̄/(1 + α)
//! ```
//!
//! over the segments at `i`, `u* = h v + h² a_ext` the inertial guess and `s` the increment that would relax the segment by itself. `g = w m/h² u*` and `w`
//! do not change within a substep: an update is a handful of multiply–adds, and `w = 0` pins.

use super::{
    energy::Softness,
    orientation::{joint_bias, joint_bias_anisotropic, orientation, torque_bias},
};
use crate::{
    math::{
        Quaternion, Real, Symmetric, Vector,
        lanes::{Lanes, QuaternionRow, Row, VectorRow},
    },
    state::{
        block::Kind,
        rows::{ExtraRow, JointRow, SegmentRow, SoftnessRow, VertexRow},
    },
};

/// What a substep asks of every element.
#[derive(Clone, Copy, Debug)]
pub struct Substep {
    /// Length of the substep, s.
    pub h: f32,
    /// Sweeps over positions and orientations.
    pub iterations: u32,
    /// m/s².
    pub gravity: [f32; 3],
    /// Refine λ beyond Eq. 22.
    pub exact: bool,
}

/// What the joints and segments of a block ask for. A kernel that is compiled for neither gets it as a constant, and the branches vanish.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Bending and twist differ in stiffness.
    pub anisotropic: bool,
    /// Some relaxation time is not zero.
    pub damped: bool,
}

impl Features {
    /// Of a kind of block; of a kernel that knows only the plain kind, nothing.
    #[inline(always)]
    pub fn new<const GENERAL: bool>(kind: &Kind) -> Self {
        Self {
            anisotropic: GENERAL && kind.anisotropic,
            damped: GENERAL && kind.damped,
        }
    }
}

/// The constants of a segment during a substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct SegmentWork {
    /// `Δxᵗ`, m.
    pub edge: VectorRow,
    /// `−2 EA κ`: turns an edge into `v`, scaled.
    pub pull: Row,
    /// `κ`, one over the stiffnesses that meet in the segment: keeps `v` and `b` near one.
    pub scale: Row,
    /// `l/(1 + α)`, m.
    pub reach: Row,
    /// 1 where the orientation does not move.
    pub held: Row,
}

/// The viscous target of a joint that is damped and anisotropic; an isotropic one adds it to the elastic target.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViscousWork {
    /// `α k Ω̄`.
    pub target: QuaternionRow,
    /// `1/α`: scales the softness to the viscous stiffness. 0 where nothing is damped.
    pub inverse_alpha: Row,
}

/// What the elements need beside [`SegmentWork`], each in a list of its own so that a sweep reads nothing it does not use.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// `k q⁰` of each joint, or with isotropic damping `k (q⁰ + α Ω̄)`.
    pub joints: Vec<QuaternionRow>,
    /// Of damped, anisotropic joints.
    pub viscous: Vec<ViscousWork>,
    /// `η` of each segment, where damped.
    pub axes: Vec<VectorRow>,
}

impl Targets {
    /// Room for so many.
    pub fn reserve(&mut self, kind: &Kind, joints: usize, segments: usize) {
        grow(&mut self.joints, joints);
        if kind.damped {
            grow(&mut self.axes, segments);
        }
        if kind.damped && kind.anisotropic {
            grow(&mut self.viscous, joints);
        }
    }
}

/// Lengthen a list that is too short.
pub fn grow<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    if list.len() < length {
        list.resize(length, T::default());
    }
}

/// The start of a segment: fills `work` and answers the spring constant `a` and the relaxing increment `s`.
#[inline(always)]
pub fn start_segment<R: Lanes>(
    features: Features,
    tail: &(Vector<R>, Vector<R>),
    head: &(Vector<R>, Vector<R>),
    segment: &SegmentRow,
    bending: R,
    torque: Option<&VectorRow>,
    h: R,
    work: &mut SegmentWork,
    axis_row: Option<&mut VectorRow>,
    lane: usize,
) -> (R, Vector<R>) {
    let q = R::load_quaternion(&segment.orientation, lane);
    let length = R::load(&segment.rest_length, lane);
    let axial = R::load(&segment.axial, lane);
    let edge = (head.0 - tail.0) + (head.1 - tail.1);
    let one = R::one();
    let mut viscosity = one; // 1 + α
    let mut axis = Vector::new(R::zero(), R::zero(), one);
    if let Some(axis_row) = axis_row.filter(|_| features.damped) {
        let alpha = R::load(&segment.relaxation, lane) / h;
        viscosity = one + alpha;
        // η = e₃ + α r, r = q̄ (Δx/l) q (paper 2, Eq. 8, 11, 20).
        axis = q.conjugate().rotate(edge * (alpha / length)) + axis;
        R::store_vector(axis, axis_row, lane);
    }
    let reach = length / viscosity;
    let twice = axial + axial;
    // The largest v and b can be: |v| ≤ 2 EA l (1 + strain), |b| ≤ Σ k + 4 |τ|.
    let mut total = twice.mul_add(length * viscosity, bending);
    if let Some(torque) = torque {
        total = R::load_vector(torque, lane).length().mul_add(R::splat(4.0), total);
    }
    let scale = one / total.max(R::splat(1e-30));
    R::store_vector(edge, &mut work.edge, lane);
    (-(twice * scale)).store(&mut work.pull, lane);
    scale.store(&mut work.scale, lane);
    reach.store(&mut work.reach, lane);
    R::load(&segment.held, lane).store(&mut work.held, lane);
    (axial * viscosity / length, relaxing(features, edge, q, axis, reach))
}

/// `s = Δxᵗ − l/(1 + α) · q η q̄`.
#[inline(always)]
fn relaxing<R: Real>(features: Features, edge: Vector<R>, q: Quaternion<R>, axis: Vector<R>, reach: R) -> Vector<R> {
    let direction = if features.damped { q.rotate(axis) } else { q.axis() };
    (-direction).mul_add(reach, edge)
}

/// The start of a joint: its targets from the orientations before the step. Answers its stiffness with damping, `k (1 + α)`.
///
/// `neighbour` and `own` are the two segments, `own = neighbour · rest` at rest.
#[inline(always)]
pub fn start_joint<R: Lanes>(
    features: Features,
    neighbour: Quaternion<R>,
    own: Quaternion<R>,
    joint: &JointRow,
    h: R,
    index: usize,
    work: &mut Targets,
    lane: usize,
) -> R {
    let rest = R::load_quaternion(&joint.rest, lane);
    let stiffness = R::load(&joint.stiffness, lane);
    let target = rest.scale(stiffness);
    if !features.damped {
        R::store_quaternion(target, &mut work.joints[index], lane);
        return stiffness;
    }
    let alpha = R::load(&joint.relaxation, lane) / h;
    // Ω̄ in the hemisphere of q⁰, so that one sign serves both targets (paper 2, Eq. 13 and 22).
    let before = neighbour.conjugate() * own;
    let before = before.flip_by(before.dot(rest)).scale(stiffness * alpha);
    if features.anisotropic {
        let inverse = R::one() / alpha.max(R::splat(1e-30));
        let viscous = &mut work.viscous[index];
        R::select_positive(alpha, inverse, R::zero()).store(&mut viscous.inverse_alpha, lane);
        R::store_quaternion(before, &mut viscous.target, lane);
        R::store_quaternion(target, &mut work.joints[index], lane);
    } else {
        R::store_quaternion(target + before, &mut work.joints[index], lane);
    }
    stiffness * (R::one() + alpha)
}

/// What a joint adds to `b` of `own`. `BACKWARD` looks at the joint from its first segment: the targets are conjugated.
#[inline(always)]
pub fn bias<R: Lanes, const BACKWARD: bool>(
    features: Features,
    neighbour: Quaternion<R>,
    own: Quaternion<R>,
    index: usize,
    work: &Targets,
    softness: Option<&SoftnessRow>,
    lane: usize,
) -> Quaternion<R> {
    let target = R::load_quaternion(&work.joints[index], lane);
    let target = if BACKWARD { target.conjugate() } else { target };
    let Some(softness) = softness.filter(|_| features.anisotropic) else {
        return joint_bias(neighbour, target, own);
    };
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
    let elastic = joint_bias_anisotropic(neighbour, target, own, softness);
    if !features.damped {
        return elastic;
    }
    let row = &work.viscous[index];
    let viscous = R::load_quaternion(&row.target, lane);
    let viscous = if BACKWARD { viscous.conjugate() } else { viscous };
    let inverse = R::load(&row.inverse_alpha, lane);
    elastic + joint_bias_anisotropic(neighbour, viscous, own, softness.scaled(inverse))
}

/// The new orientation of a segment from its edge now and the `b` of its joints, and the relaxing increment `s` that goes with it.
#[inline(always)]
pub fn turn_segment<R: Lanes>(
    features: Features,
    edge_increment: Vector<R>,
    own: Quaternion<R>,
    bias: Quaternion<R>,
    torque: Option<&VectorRow>,
    work: &SegmentWork,
    axis: Option<&VectorRow>,
    exact: bool,
    lane: usize,
) -> (Quaternion<R>, Vector<R>) {
    let start = R::load_vector(&work.edge, lane);
    let mut bias = bias;
    if let Some(torque) = torque {
        bias = bias + torque_bias(R::load_vector(torque, lane), own);
    }
    let axis = match axis.filter(|_| features.damped) {
        Some(axis) => R::load_vector(axis, lane),
        None => Vector::zero(),
    };
    let pull = (start + edge_increment) * R::load(&work.pull, lane);
    let bias = bias.scale(R::load(&work.scale, lane));
    let turned = if features.damped {
        orientation::<R, true>(pull, bias, axis, own, exact)
    } else {
        orientation::<R, false>(pull, bias, axis, own, exact)
    };
    let q = Quaternion::select_positive(R::load(&work.held, lane), own, turned);
    let reach = R::load(&work.reach, lane);
    (q, relaxing(features, start, q, axis, reach))
}

/// The start of a vertex: `(u, g, w)`, the adaptive first guess (Chen et al. 2024) and the constants of its updates. `springs` is the sum of `a`.
#[inline(always)]
pub fn start_vertex<R: Lanes>(
    vertex: &VertexRow,
    acceleration: Vector<R>,
    fade: R,
    springs: R,
    h: R,
    lane: usize,
) -> (Vector<R>, Vector<R>, R) {
    let free = R::load(&vertex.free, lane);
    let velocity = R::load_vector(&vertex.velocity, lane);
    let inertia = R::load(&vertex.mass, lane) / (h * h);
    // A pinned vertex may weigh nothing and hang on nothing.
    let weight = free / (inertia + springs).max(R::splat(1e-30));
    let coasting = velocity * (fade * h);
    let driven = velocity * h; // A pinned vertex goes where it is told.
    let fall = acceleration * (h * h);
    let inertial = coasting + fall;
    let guess = fall.mul_add(R::load(&vertex.falling, lane), coasting);
    (
        Vector::select_positive(free, guess, driven),
        Vector::select_positive(free, inertial * (inertia * weight), driven),
        weight,
    )
}

/// What further stages add to a vertex, solved for: with `g·u + ½ uᵀHu` on top, its minimum `u` becomes `(1 + wH)⁻¹ (u − w g)`.
#[inline(always)]
pub fn yield_to<R: Lanes>(extra: &ExtraRow, weight: R, u: Vector<R>, lane: usize) -> Vector<R> {
    let one = R::one();
    let gradient = R::load_vector(&extra.gradient, lane);
    let u = (-gradient).mul_add(weight, u);
    let [xx, yy, zz, xy, xz, yz] = &extra.hessian;
    // L D Lᵀ of 1 + wH, whose pivots are at least one.
    let x = one / R::load(xx, lane).mul_add(weight, one);
    let (xy, xz) = (R::load(xy, lane) * weight, R::load(xz, lane) * weight);
    let (yx, zx) = (xy * x, xz * x);
    let y = one / yx.neg_mul_add(xy, R::load(yy, lane).mul_add(weight, one)).max(one);
    let rest = zx.neg_mul_add(xy, R::load(yz, lane) * weight);
    let zy = rest * y;
    let last = zx.neg_mul_add(xz, R::load(zz, lane).mul_add(weight, one));
    let z = one / zy.neg_mul_add(rest, last).max(one);
    let b = yx.neg_mul_add(u.x, u.y);
    let c = zy.neg_mul_add(b, zx.neg_mul_add(u.x, u.z)) * z;
    let b = zy.neg_mul_add(c, b * y);
    let a = yx.neg_mul_add(b, zx.neg_mul_add(c, u.x * x));
    Vector::new(a, b, c)
}

/// The end of a vertex: position, velocity and the share of the fall that it followed.
#[inline(always)]
pub fn finish_vertex<R: Lanes>(
    vertex: &mut VertexRow,
    u: Vector<R>,
    acceleration: Vector<R>,
    inverse_h: R,
    lane: usize,
) {
    let before = R::load_vector(&vertex.velocity, lane);
    let velocity = u * inverse_h;
    let strength = acceleration.length_squared().max(R::splat(1e-12));
    let followed = (velocity - before).dot(acceleration) * inverse_h / strength;
    followed.clamp(R::zero(), R::one()).store(&mut vertex.falling, lane);
    R::store_vector(velocity, &mut vertex.velocity, lane);
    // x + r + u, exactly up to the last bit of r: Knuth's sum of x and (r + u), the rest kept in r.
    let position = R::load_vector(&vertex.position, lane);
    let small = R::load_vector(&vertex.residual, lane) + u;
    let sum = position + small;
    let part = sum - position;
    let rest = (position - (sum - part)) + (small - part);
    R::store_vector(sum, &mut vertex.position, lane);
    R::store_vector(rest, &mut vertex.residual, lane);
}

/// The two parts of a position.
#[inline(always)]
pub fn load_position<R: Lanes>(vertex: &VertexRow, lane: usize) -> (Vector<R>, Vector<R>) {
    (
        R::load_vector(&vertex.position, lane),
        R::load_vector(&vertex.residual, lane),
    )
}

/// Outer acceleration of a row of vertices: gravity, and forces and wind where there are any.
#[inline(always)]
pub fn load_acceleration<R: Lanes>(gravity: Vector<R>, extra: &[VectorRow], row: usize, lane: usize) -> Vector<R> {
    match extra.get(row) {
        Some(extra) => gravity + R::load_vector(extra, lane),
        None => gravity,
    }
}

/// What a substep found, besides moving the rods.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// NaN where a rod went non-finite; it was left as it was.
    pub health: Row,
    /// Above zero where a segment passed its limit of strain.
    pub excess: Row,
    /// Iterations taken by the rod that took most.
    pub iterations: u32,
}

/// Above zero where a segment is longer than it may be: the difference of the squares.
#[inline(always)]
pub fn excess<R: Lanes>(edge_increment: Vector<R>, segment: &SegmentRow, work: &SegmentWork, lane: usize) -> R {
    let edge = R::load_vector(&work.edge, lane) + edge_increment;
    let length = R::load(&segment.rest_length, lane);
    let longest = R::load(&segment.strain_limit, lane).mul_add(length, length);
    edge.length_squared() - longest * longest
}

/// Zero where a vertex will be finite after moving by `u`, in position and speed, NaN where it will not.
#[inline(always)]
pub fn vertex_poison<R: Lanes>(vertex: &VertexRow, u: Vector<R>, inverse_h: R, lane: usize) -> R {
    poison(R::load_vector(&vertex.position, lane) + u) + poison(u * inverse_h)
}

/// Zero where `v` is finite, NaN where it is not.
#[inline(always)]
pub fn poison<R: Real>(v: Vector<R>) -> R {
    let zero = R::zero();
    v.x.mul_add(zero, v.y.mul_add(zero, v.z * zero))
}
