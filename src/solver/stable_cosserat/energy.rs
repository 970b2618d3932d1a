//! The energies of papers 1 and 2 with their forces, once, for any number type.
//!
//! In `f64` they answer the readback (energy, tension, moment) and are what finite differences check. The sweeps do not call
//! the force below: solved for the one vertex that moves it is a weighted mean of its neighbours (see `rows.rs`), and a test holds the two together.

use crate::math::{Quaternion, Real, Symmetric, Vector};

/// How much softer than its stiffest direction a joint is: with `K` its three stiffnesses, `k` the largest and `κ` the smallest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness<R> {
    /// `(k − K)/k²`, in the frame of a segment.
    pub matrix: Symmetric<R>,
    /// `(k − κ)/k²`.
    pub real: R,
    /// `κ/k`.
    pub ratio: R,
}

impl<R: Real> Softness<R> {
    /// Of a joint that is as stiff in all directions.
    #[inline(always)]
    pub fn none() -> Self {
        Self {
            matrix: Symmetric([R::zero(); 6]),
            real: R::zero(),
            ratio: R::one(),
        }
    }

    /// Of a joint whose stiffnesses are all divided by `factor`.
    #[inline(always)]
    pub fn scaled(self, factor: R) -> Self {
        let [a, b, c, d, e, f] = self.matrix.0;
        Self {
            matrix: Symmetric([a * factor, b * factor, c * factor, d * factor, e * factor, f * factor]),
            real: self.real * factor,
            ratio: self.ratio,
        }
    }
}

/// Stretch and shear of one segment, `EA l/2 |Δx/l − d₃|²` (Eq. 1 and 5, `k_ss = EA·l`).
#[inline(always)]
pub fn stretch_energy<R: Real>(edge: Vector<R>, q: Quaternion<R>, axial: R, length: R) -> R {
    let strain = edge * (R::one() / length) - q.axis();
    strain.length_squared() * axial * length * R::splat(0.5)
}

/// The force of [`stretch_energy`] on the tail; the head gets the opposite (Eq. 28).
#[inline(always)]
pub fn stretch_force<R: Real>(edge: Vector<R>, q: Quaternion<R>, axial: R, length: R) -> Vector<R> {
    (edge * (R::one() / length) - q.axis()) * axial
}

/// Viscous stretch over one step, `α EA l/2 |Δx/l − q r q̄|²` with `r = e₃ + Γ̄` the local `Δx/l` before the step (paper 2, Eq. 12).
#[inline(always)]
pub fn stretch_damping_energy<R: Real>(
    edge: Vector<R>,
    q: Quaternion<R>,
    before: Vector<R>,
    alpha: R,
    axial: R,
    length: R,
) -> R {
    let rate = edge * (R::one() / length) - q.rotate(before);
    rate.length_squared() * alpha * axial * length * R::splat(0.5)
}

/// Bend and twist of a joint: `½ ρᵀKρ + κ/2 (1 − ρ_w)²` with `ρ = φ q̄⁰ q̄ᵢ qⱼ` and `κ` the smallest of its stiffnesses. With one stiffness it is
/// `k/2 |q̄ᵢqⱼ − φ q⁰|²` (Eq. 3–5). `softness` is seen from the second segment.
#[inline(always)]
pub fn bend_energy<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    rest: Quaternion<R>,
    stiffness: R,
    softness: Softness<R>,
) -> R {
    let r = rest.conjugate() * (first.conjugate() * second);
    let r = r.flip_by(r.w);
    let v = r.vector() * stiffness;
    // By components: k (1 − ρ_w) would lose the small angles.
    let real = r.w - R::one();
    let turned = r.vector().length_squared() * stiffness - v.dot(softness.matrix.apply(v));
    (real * real).mul_add(stiffness * softness.ratio, turned) * R::splat(0.5)
}

/// Moment that the joint puts on the second segment, world frame, N·m; the first gets the opposite: `−∂E/∂ω` for `q ← exp(ω/2) q`.
#[inline(always)]
pub fn bend_moment<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    rest: Quaternion<R>,
    stiffness: R,
    softness: Softness<R>,
) -> Vector<R> {
    // b = k t − …, and −δE = b·(½ ω q) = ½ ω·vec(b q̄).
    let bias = super::orientation::joint_bias_anisotropic(first, rest.scale(stiffness), second, softness);
    (bias * second.conjugate()).vector() * R::splat(0.5)
}
