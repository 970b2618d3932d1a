//! The two constraints of paper 5 and their projection, once, for any number type.
//!
//! The paper differentiates by the four components of a quaternion and normalizes afterwards. Here a rotation is a small world vector, `q ← exp(ω/2) q`, with the inverse
//! inertia `w`; the paper's `w_q` is `w/4`. A constraint `C` with the stiffness `K` (its energy is `½ CᵀKC`) and the multiplier `λ` is projected by
//!
//! ```text
//!   Δλ = −(∇C W ∇Cᵀ + 1/K')⁻¹ (C + λ/K'),   K' = h²K,   Δx = W ∇Cᵀ Δλ   (Eq. 15–17 with compliance)
//! ```
//!
//! which is written with `K'` instead of `1/K'`, so that what is broken (`K = 0`) needs no care. PBD is the limit of an infinite `K'`, of which the part `k` is done.
//!
//! The paper's own two constraints have matrices that do not change within a substep, so that a projection divides by nothing. What it does not have, shear that differs from stretch and
//! the modified Darboux vector, takes a matrix of a diagonal and one outer product, inverted by Sherman and Morrison.
//!
//! Slips of the paper, found by finite differences:
//! - Eq. 35 lacks the minus sign of `−R(q)e₃`;
//! - `Δq` of Eq. 37 lacks the factor 2 of Eq. 35, while its denominator has the square of it;
//! - Eq. 36 counts the direction of `q` itself, which normalization takes back: along `d₃` nothing turns, so that the stretch is divided by `w₁ + w₂` alone;
//! - Eq. 33 decides by vector parts: a joint bent beyond straight, away from its rest, would be sent to the mirror image of its rest. Whole quaternions must be compared;
//! - Eq. 12 is `q̇ = ½ q ω` for an ω of the body's frame (as line 11 of Algorithm 1 has it), and the world's ω of Eq. 13 is `q ω q̄`.

use crate::math::{Quaternion, Real, Symmetric, Vector};

/// Stands for an infinite `K'`: its product with any inverse mass is far above one, and within single precision.
const RIGID: f64 = 1e20;

/// The numbers of a stretch–shear constraint that resists shear as it resists stretch.
#[derive(Clone, Copy)]
pub struct EvenLaw<R> {
    /// `K'`; 1 for PBD.
    pub stiffness: R,
    /// What a projection takes of the residual across `d`: `1/(1 + K'A)`, or `k/A`.
    pub across: R,
    /// How much more it takes along `d`, over `|d|²`.
    pub more: R,
}

impl<R: Real> EvenLaw<R> {
    /// From `K' = h² l EA`, `(w₁ + w₂)/l²`, `w` of the rotation and the square of the target's length.
    #[inline(always)]
    pub fn new(stiffness: R, yielding: R, turning: R, square: R, pbd: Option<u32>) -> Self {
        let (one, least) = (R::one(), R::splat(1e-20));
        let sideways = turning.mul_add(square, yielding);
        let (stiffness, across, along) = match pbd {
            None => (
                stiffness,
                one / stiffness.mul_add(sideways, one),
                one / stiffness.mul_add(yielding, one),
            ),
            Some(iterations) => (
                one,
                stiffness_part(stiffness, sideways, iterations) / sideways.max(least),
                stiffness_part(stiffness, yielding, iterations) / yielding.max(least),
            ),
        };
        Self {
            stiffness,
            across,
            more: (along - across) / square.max(least),
        }
    }
}

/// `C_s = Δx/l − d` (Eq. 31), `d = R(q)e₃`, or a multiple of it where the segment is damped. Answers `Δλ`, in the world.
///
/// `∇C W ∇Cᵀ = (w₁ + w₂)/l² + w (|d|² − d dᵀ)`: one number along `d`, and one across.
#[inline(always)]
pub fn stretch_even<R: Real>(p: Vector<R>, d: Vector<R>, law: &EvenLaw<R>, lambda: Vector<R>) -> Vector<R> {
    let residual = (p - d).mul_add(law.stiffness, lambda);
    -d.mul_add(law.more * d.dot(residual), residual * law.across)
}

/// The numbers of a stretch–shear constraint.
#[derive(Clone, Copy)]
pub struct StretchLaw<R> {
    /// What the local `Δx/l` is without load: e₃, and more where the segment is damped.
    pub target: Vector<R>,
    /// `h² l` times GA, GA and EA; for PBD the part `k` of each.
    pub stiffness: Vector<R>,
    /// `(w₁ + w₂)/l²`.
    pub yielding: R,
    /// `w` of the rotation.
    pub turning: R,
    /// PBD.
    pub rigid: bool,
}

/// `C_s = R(q)ᵀ Δx/l − target`: Eq. 31 in the frame of the segment, so that shear and stretch may differ. Answers `Δλ` in that frame.
///
/// With `p = Δx/l` in the frame of the segment, `∇C W ∇Cᵀ = (w₁ + w₂)/l² + w (|p|² − p pᵀ)`.
#[inline(always)]
pub fn stretch<R: Real>(local: Vector<R>, law: &StretchLaw<R>, lambda: Vector<R>) -> Vector<R> {
    let one = R::one();
    let c = local - law.target;
    let whole = law.turning.mul_add(local.length_squared(), law.yielding);
    let (soft, residual) = share(c, lambda, law.stiffness, whole, law.rigid);
    let along = each(soft, local);
    // Above zero: (whole − turning |p|²)/whole and more. Between two pins it is nothing but compliance, and rounding must not turn its sign.
    let left = law.turning.neg_mul_add(along.dot(local), one).max(R::splat(1e-5));
    let more = law.turning * local.dot(residual) * left.reciprocal();
    -part(along.mul_add(more, residual), law.stiffness, law.rigid)
}

/// [`stretch`] where vertices resist by matrices: `yielding` is `(W₁ + W₂)/l²` in the world, and takes the place of the law's own.
#[inline(always)]
pub fn stretch_between<R: Real>(
    q: Quaternion<R>,
    local: Vector<R>,
    law: &StretchLaw<R>,
    yielding: Symmetric<R>,
    lambda: Vector<R>,
) -> Vector<R> {
    let stiffness = if law.rigid {
        let rigid = R::splat(RIGID);
        Vector::new(rigid, rigid, rigid)
    } else {
        law.stiffness
    };
    let least = R::splat(1e-30);
    let shear = stiffness.x.max(least).reciprocal();
    let axial = stiffness.z.max(least).reciprocal();
    let c = local - law.target;
    let residual = Vector::new(
        lambda.x.mul_add(shear, c.x),
        lambda.y.mul_add(shear, c.y),
        lambda.z.mul_add(axial, c.z),
    );
    // W + w (|p|² − p pᵀ) + 1/K', in the world.
    let (p, d) = (q.rotate(local), q.axis());
    let along = axial - shear;
    let round = law.turning.mul_add(local.length_squared(), shear);
    let [xx, yy, zz, xy, xz, yz] = yielding.0;
    let factors = (law.turning, along);
    let matrix = Symmetric([
        entry(xx + round, factors, p.x * p.x, d.x * d.x),
        entry(yy + round, factors, p.y * p.y, d.y * d.y),
        entry(zz + round, factors, p.z * p.z, d.z * d.z),
        entry(xy, factors, p.x * p.y, d.x * d.y),
        entry(xz, factors, p.x * p.z, d.x * d.z),
        entry(yz, factors, p.y * p.z, d.y * d.z),
    ]);
    let found = q.conjugate().rotate(solve(matrix, q.rotate(residual)));
    -part(found, law.stiffness, law.rigid)
}

/// An entry of `base − w p pᵀ + a d dᵀ`. (Not a closure: those are not sure to be inlined where the instruction set is known.)
#[inline(always)]
fn entry<R: Real>(base: R, (turning, along): (R, R), pp: R, dd: R) -> R {
    turning.neg_mul_add(pp, along.mul_add(dd, base))
}

/// The orientation after an impulse `n` (world) on the head and its opposite on the tail: `ω = w n × arm`. The arm is `d` of [`stretch_even`], and `Δx/l` of [`stretch`].
#[inline(always)]
pub fn turned<R: Real>(q: Quaternion<R>, impulse: Vector<R>, arm: Vector<R>, turning: R) -> Quaternion<R> {
    let half = impulse.cross(arm) * (turning * R::splat(0.5));
    (q + Quaternion::vector_times(half, q)).normalize()
}

/// The real part of a bent joint, kept away from zero where it divides (a joint folded by 174°).
#[inline(always)]
fn real_part<R: Real>(w: R) -> R {
    w.flip_by(w).max(R::splat(0.05)).flip_by(w)
}

/// Bending and twist of a relative orientation `z = q̄u`: `Im z` (Eq. 32), or `Im z/Re z` (Eq. 41).
#[inline(always)]
pub fn measure<R: Real>(z: Quaternion<R>, modified: bool) -> Vector<R> {
    if modified {
        // Divided: below zero there is no fast reciprocal.
        z.vector() * (R::one() / real_part(z.w))
    } else {
        z.vector()
    }
}

/// The numbers of a bend–twist constraint.
#[derive(Clone, Copy)]
pub struct BendLaw<R> {
    /// `Im(q̄u)` without load, and the real part of `q⁰`, by which the sign of `q̄u` is told.
    pub target: Quaternion<R>,
    /// `4 h²/l` times EI₁, EI₂ and GJ; 1 for PBD.
    pub stiffness: Vector<R>,
    /// What a projection takes of the residual: `1/(1 + K'A)`, or `k/A`.
    pub taken: Vector<R>,
    /// `w` of the two segments.
    pub turning: [R; 2],
}

/// What a projection takes of one component: `K'` and `1/(1 + K'A)`, or for PBD 1 and `k/A`.
#[inline(always)]
pub fn taken<R: Real>(stiffness: R, yielding: R, pbd: Option<u32>) -> (R, R) {
    match pbd {
        None => (stiffness, R::one() / stiffness.mul_add(yielding, R::one())),
        Some(iterations) => {
            let part = stiffness_part(stiffness, yielding, iterations);
            (R::one(), part / yielding.max(R::splat(1e-20)))
        }
    }
}

/// `C_b = Im(φ q̄u) − target` (Eq. 32). Answers the two orientations after it, and `Δλ`.
///
/// `∇C W ∇Cᵀ = (w₁ + w₂)/4 (1 − v vᵀ)`, `v = Im(q̄u)`. As in Eq. 40 `v vᵀ` is left out: near half a turn it would ask for more than the linearization knows.
#[inline(always)]
pub fn bend<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    law: &BendLaw<R>,
    lambda: Vector<R>,
) -> (Quaternion<R>, Quaternion<R>, Vector<R>) {
    let z = first.conjugate() * second;
    let sign = z.dot(law.target);
    let c = z.flip_by(sign).vector() - law.target.vector();
    let change = -each(each(law.stiffness, c) + lambda, law.taken);
    // Eq. 40.
    let quarter = R::splat(0.25).flip_by(sign);
    let at_first = second.times_vector(change);
    let at_second = first.times_vector(change);
    let first = at_first.mul_add(-(law.turning[0] * quarter), first).normalize();
    let second = at_second.mul_add(law.turning[1] * quarter, second).normalize();
    (first, second, change)
}

/// The numbers of a bend–twist constraint with the modified Darboux vector.
#[derive(Clone, Copy)]
pub struct ModifiedLaw<R> {
    /// `Ψ` without load.
    pub target: Vector<R>,
    /// `4 h²/l` times EI₁, EI₂ and GJ; for PBD the part `k` of each.
    pub stiffness: Vector<R>,
    /// `w` of the two segments.
    pub turning: [R; 2],
    /// PBD.
    pub rigid: bool,
}

/// `C_b = Ψ − Ψ⁰` (Eq. 41). Answers the two orientations after it, and `Δλ`.
///
/// `∇C W ∇Cᵀ = (w₁ + w₂)/4 (1 + |Ψ|²)(1 + Ψ Ψᵀ)`.
#[inline(always)]
pub fn bend_modified<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    law: &ModifiedLaw<R>,
    lambda: Vector<R>,
) -> (Quaternion<R>, Quaternion<R>, Vector<R>) {
    let one = R::one();
    let quarter = R::splat(0.25);
    let [w1, w2] = [law.turning[0] * quarter, law.turning[1] * quarter];
    let z = first.conjugate() * second;
    let real = one / real_part(z.w);
    let psi = z.vector() * real;
    let yielding = (w1 + w2) * (one + psi.length_squared());
    let (soft, residual) = share(psi - law.target, lambda, law.stiffness, yielding, law.rigid);
    let along = each(soft, psi);
    let less = yielding * psi.dot(residual) * yielding.mul_add(along.dot(psi), one).reciprocal();
    let change = -part((-along).mul_add(less, residual), law.stiffness, law.rigid);
    // Appendix A: u (Δλ + Ψ·Δλ) and q (Δλ − Ψ·Δλ), as quaternions.
    let aligned = psi.dot(change);
    let at_first = second.times_vector(change) + second.scale(aligned);
    let at_second = first.times_vector(change) - first.scale(aligned);
    let first = at_first.mul_add(-(w1 * real), first).normalize();
    let second = at_second.mul_add(w2 * real, second).normalize();
    (first, second, change)
}

/// `(A + 1/K')⁻¹` and its product with `C + λ/K'`, component by component, for a number `A`.
#[inline(always)]
fn share<R: Real>(c: Vector<R>, lambda: Vector<R>, k: Vector<R>, a: R, rigid: bool) -> (Vector<R>, Vector<R>) {
    let one = R::one();
    if rigid {
        let inverse = a.max(R::splat(1.0 / RIGID)).reciprocal();
        return (Vector::new(inverse, inverse, inverse), c * inverse);
    }
    let inverse = Vector::new(
        k.x.mul_add(a, one).reciprocal(),
        k.y.mul_add(a, one).reciprocal(),
        k.z.mul_add(a, one).reciprocal(),
    );
    let whole = each(k, c) + lambda;
    (each(k, inverse), each(whole, inverse))
}

/// What PBD does of a correction; XPBD does all of it.
#[inline(always)]
fn part<R: Real>(correction: Vector<R>, k: Vector<R>, rigid: bool) -> Vector<R> {
    if rigid { each(correction, k) } else { correction }
}

#[inline(always)]
fn each<R: Real>(a: Vector<R>, b: Vector<R>) -> Vector<R> {
    Vector::new(a.x * b.x, a.y * b.y, a.z * b.z)
}

/// `S⁻¹ b` of a positive definite matrix, by L D Lᵀ.
#[inline(always)]
pub fn solve<R: Real>(matrix: Symmetric<R>, b: Vector<R>) -> Vector<R> {
    let one = R::one();
    let [xx, yy, zz, xy, xz, yz] = matrix.0;
    // A positive matrix in single precision may lose a pivot to rounding.
    let least = R::splat(1e-7);
    let x = one / xx;
    let (yx, zx) = (xy * x, xz * x);
    let y = one / yx.neg_mul_add(xy, yy).max(yy * least);
    let rest = zx.neg_mul_add(xy, yz);
    let zy = rest * y;
    let z = one / zy.neg_mul_add(rest, zx.neg_mul_add(xz, zz)).max(zz * least);
    let second = yx.neg_mul_add(b.x, b.y);
    let third = zy.neg_mul_add(second, zx.neg_mul_add(b.x, b.z)) * z;
    let second = zy.neg_mul_add(third, second * y);
    let first = yx.neg_mul_add(second, zx.neg_mul_add(third, b.x * x));
    Vector::new(first, second, third)
}

/// The PBD stiffness `k` of a constraint with `K'` and `A = ∇C W ∇Cᵀ`: after so many iterations it has lost `K'A/(1 + K'A)` of its error, as in a substep of implicit Euler,
/// `1 − k = (1 + K'A)^(−1/n)`.
///
/// The root is a product of repeated square roots, by the binary digits of `1/n`: the same bits on every machine, and in lanes.
#[inline(always)]
pub fn stiffness_part<R: Real>(stiffness: R, yielding: R, iterations: u32) -> R {
    let base = stiffness.mul_add(yielding, R::one());
    if iterations <= 1 {
        return R::one() - R::one() / base;
    }
    let mut digits = 1.0 / f64::from(iterations);
    let (mut root, mut power) = (base, R::one());
    // 30 digits: the exponent is right to 1e-9, a thousandth of one in a million iterations.
    for _ in 0..30 {
        root = root.sqrt();
        digits *= 2.0;
        if digits >= 1.0 {
            digits -= 1.0;
            power = power * root;
        }
    }
    R::one() - R::one() / power
}
