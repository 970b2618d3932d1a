//! The closed-form orientation of one segment (paper 1, section 3; paper 2, sections 4 and 5).
//!
//! With everything else held, the part of the energy that depends on one unit quaternion `q` is
//!
//! ```text
//!   k_ss/2 |p − q e₃ q̄|² + α k_ss/2 |p − q r q̄|² + Σ k_bt/2 |q − t|²        (paper 1 Eq. 8, paper 2 Eq. 12)
//!   = const − ½ q·(v q η) − b·q,      v = −2 k_ss p,   η = e₃ + α r,   b = Σ k_bt t
//! ```
//!
//! where `t` is the orientation that a neighbour asks for: `t = φ qᵢ q⁰` from the segment before and `t = φ qⱼ q̄⁰` from the segment
//! after. (Paper 1's Eq. 12, 13 and 16 put a bar over the first `q⁰` as well, and paper 2's Eq. 17 and 22 miss the bar over the `Ω̄` of
//! the segment after: `q̄ᵢ qⱼ = q⁰` gives `qⱼ = qᵢ q⁰` and `qᵢ = qⱼ q̄⁰`. The finite differences in the tests settle it.)
//!
//! `q ↦ v q η` is a symmetric map with eigenvalues `±V`, `V = |v||η|`, so this is a trust-region problem on the unit
//! sphere: its global minimum solves `(λ − v·η) q = b` with `λ ≥ V`, which is Eq. 18.

use super::energy::Softness;
use crate::math::{Quaternion, Real, Vector};

/// The smallest share of the current orientation that is mixed into `b`, relative to the segment's own stiffness.
///
/// It is the weight of a proximal term `ε/2 |q − q_now|²`: where nothing bends (a cable without bending stiffness, `b = 0`) it picks the
/// rotation without twist that lines the frame up with the segment; elsewhere it is below the rounding of `f32`.
const PROXIMAL: f64 = 1e-7;
/// The same where nothing pulls either (a broken segment): the frame stays. Its fourth power is still a normal `f32`.
const PROXIMAL_FLOOR: f64 = 1e-8;

/// What one joint adds to `b`: `k t` in the hemisphere of `own` (the φ of Eq. 4).
///
/// `target` is `k q⁰` towards the segment after a joint, `k q̄⁰` towards the one before; with viscous bending
/// `k (q⁰ + α Ω̄)`, the sum of Eq. 6 and 22, `Ω̄` taken in the hemisphere of `q⁰`.
#[inline(always)]
pub fn joint_bias<R: Real>(neighbour: Quaternion<R>, target: Quaternion<R>, own: Quaternion<R>) -> Quaternion<R> {
    let t = neighbour * target;
    t.flip_by(t.dot(own))
}

/// The same for a joint whose stiffnesses differ, `K = diag(k₁, k₂, k₃)`: beyond the papers, which have one scalar.
///
/// With `ρ = t̄ q`, `k` the largest stiffness and `κ` the smallest the energy is
/// `½ ρᵀKρ + κ/2 (1 − ρ_w)² = k/2 |ρ − φ|² − ½ ρᵀ(k − K)ρ − (k − κ)/2 (φ − ρ_w)²`: the scalar model less what the softer directions save. The
/// part that is taken off is convex in `q`, so that the tangent at the current `q` lies above the energy, and minimizing that (it has the form of
/// Eq. 8 again) never raises the energy. At the fixed point both agree, so the joint is exactly anisotropic.
///
/// `target` is `k q⁰`, and `softness` is seen from `own`.
#[inline(always)]
pub fn joint_bias_anisotropic<R: Real>(
    neighbour: Quaternion<R>,
    target: Quaternion<R>,
    own: Quaternion<R>,
    softness: Softness<R>,
) -> Quaternion<R> {
    let t = neighbour * target;
    let r = t.conjugate() * own; // k ρ
    let real = softness.real.mul_add(r.w, softness.ratio.flip_by(r.w));
    t * Quaternion::from_parts(softness.matrix.apply(r.vector()), real)
}

/// What an outer torque `τ` (world, N·m) adds to `b`: `−δE = τ·ω` for `δq = ½ ω q` gives `2 τ q`, and as much of `q` itself keeps the
/// step short while the rod answers.
#[inline(always)]
pub fn torque_bias<R: Real>(torque: Vector<R>, own: Quaternion<R>) -> Quaternion<R> {
    let twice = torque + torque;
    own.mul_add(twice.length(), Quaternion::vector_times(twice, own))
}

/// Eq. 18 of paper 1, Eq. 28 of paper 2: the orientation for `v`, `b` and the axis `η`, normalized.
///
/// Without `DAMPED` the axis is `e₃` and `axis` is not read. `exact` refines λ (see [`gap`]), else λ is the upper bound of Eq. 22.
/// Scale `v` and `b` so that the larger is about one: products of three of them must stay inside `f32`.
#[inline(always)]
pub fn orientation<R: Real, const DAMPED: bool>(
    pull: Vector<R>,
    bias: Quaternion<R>,
    axis: Vector<R>,
    own: Quaternion<R>,
    exact: bool,
) -> Quaternion<R> {
    let mut strength_squared = pull.length_squared();
    if DAMPED {
        strength_squared = strength_squared * axis.length_squared();
    }
    let strength = root(strength_squared);
    let proximal = strength.mul_add(R::splat(PROXIMAL), R::splat(PROXIMAL_FLOOR));
    let bias = own.mul_add(proximal, bias);
    let turned = if DAMPED {
        bias.times_vector(axis)
    } else {
        bias.times_axis()
    };
    let swung = Quaternion::vector_times(pull, turned);
    let bias_squared = bias.norm_squared();
    let above = if exact {
        gap(strength, bias_squared, bias.dot(swung))
    } else {
        root(bias_squared)
    };
    bias.mul_add(strength + above, swung).normalize()
}

/// `√x` through the inverse root, which the lanes have faster; right for zero too.
#[inline(always)]
fn root<R: Real>(x: R) -> R {
    x * x.max(R::splat(1e-36)).inverse_sqrt()
}

/// How far the exact λ lies above `V = |v||η|`, from `V`, `|b|²` and `b·(v b η)`.
///
/// Split `b` into its parts `b₊`, `b₋` in the two eigenspaces of `q ↦ v q η`. Then `q = b₊/δ + b₋/(δ + 2V)` with `δ = λ − V`, and
/// `|q| = 1` is the secular equation `f(δ) = |b₊|²/δ² + |b₋|²/(δ + 2V)² = 1`. Each term alone gives a lower bound, `|b₊|` and `|b₋| − 2V`;
/// from the larger of them three steps of Halley's method reach the rounding of `f32`, and 2e-4 in the worst corner
/// (`b₊ ≈ 0` and `2V = |b₋|`, a frame about to flip), over seven decades of `V`.
///
/// Paper 1's Algorithm 1 solves the same equation by the fixed point of Eq. 25, one application a visit, with `γ` kept on every
/// segment. This needs no memory, so that a step depends on nothing but its start, and it makes the promise strict that an
/// orientation update never raises the energy (but for a frame within a thousandth of pointing backwards, where both clamp). The bounds of Eq. 21 hold by construction: `|b₊| ≤ δ ≤ |b|`.
#[inline(always)]
pub fn gap<R: Real>(strength: R, bias_squared: R, swing: R) -> R {
    let half = R::splat(0.5);
    let tiny = R::splat(1e-30);
    // b·(v b η) = V (|b₊|² − |b₋|²).
    let difference = swing * strength.max(tiny).reciprocal();
    let difference = difference.clamp(-bias_squared, bias_squared);
    // Rounding of the difference: below this share the plus part is noise, and Algorithm 1 clamps γ at 1e-3 likewise.
    let plus = ((bias_squared + difference) * half).max(bias_squared * R::splat(1e-6));
    let minus = (bias_squared - difference) * half;
    let twice = strength + strength;
    let highest = root(bias_squared);
    let lowest = root(plus).max(root(minus) - twice).max(tiny);
    let mut delta = lowest;
    for _ in 0..3 {
        let near = delta.reciprocal();
        let far = (delta + twice).reciprocal();
        let (near_part, far_part) = (plus * near * near, minus * far * far);
        let over = near_part + far_part - R::one();
        // −f′/2 and f″/6.
        let (near_slope, far_slope) = (near_part * near, far_part * far);
        let slope = near_slope + far_slope;
        let curvature = near_slope.mul_add(near, far_slope * far);
        let four = R::splat(4.0) * slope * slope;
        let down = (R::splat(3.0) * over).neg_mul_add(curvature, four);
        let rise = (over + over) * slope * down.max(tiny).reciprocal();
        delta = (delta + rise).clamp(lowest, highest);
    }
    delta
}
