//! The energy that the compliance of the bend–twist constraint stands for: `½ CᵀKC`, with its moment.
//!
//! Stretch and shear have the same energy as in Direct. In `f64` this answers the readback, and is what finite differences check.

use super::constraint::measure;
use crate::{
    math::{Quaternion, Real, Symmetric, Vector},
    solver::stable_cosserat::energy::Softness,
};

/// The three stiffnesses `4EI₁/l, 4EI₂/l, 4GJ/l` in the halfway frame of a joint, from what rows keep of it: its largest stiffness and how much softer it is, seen from its second segment.
#[inline(always)]
pub fn stiffness<R: Real>(rest: Quaternion<R>, largest: R, softness: Softness<R>) -> Vector<R> {
    let nearest = rest.flip_by(rest.w);
    let half = Quaternion::new(nearest.x, nearest.y, nearest.z, nearest.w + R::one()).normalize();
    let (one, zero) = (R::one(), R::zero());
    let back = half.conjugate();
    Vector::new(
        left(back.rotate(Vector::new(one, zero, zero)), largest, softness.matrix),
        left(back.rotate(Vector::new(zero, one, zero)), largest, softness.matrix),
        left(back.rotate(Vector::new(zero, zero, one)), largest, softness.matrix),
    )
}

/// The stiffness about an axis.
#[inline(always)]
fn left<R: Real>(axis: Vector<R>, largest: R, softness: Symmetric<R>) -> R {
    let scaled = axis * largest;
    largest - scaled.dot(softness.apply(scaled))
}

/// Bend and twist of a joint.
#[inline(always)]
pub fn bend_energy<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    rest: Quaternion<R>,
    stiffness: Vector<R>,
    modified: bool,
) -> R {
    let (c, force, _) = strain(first, second, rest, stiffness, modified);
    c.dot(force) * R::splat(0.5)
}

/// Moment that the joint puts on the second segment, world frame, N·m; the first gets the opposite: `−∂E/∂ω` for `q ← exp(ω/2) q`.
///
/// With `z = φ q̄u` and `ω` in the frame of the first segment, `δz = ½ ω z`: `δ Im z = ½ (z_w ω + ω × v)`, and `δΨ = ½ (ω + ω × Ψ + Ψ (Ψ·ω))`.
#[inline(always)]
pub fn bend_moment<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    rest: Quaternion<R>,
    stiffness: Vector<R>,
    modified: bool,
) -> Vector<R> {
    let (_, force, z) = strain(first, second, rest, stiffness, modified);
    let moment = if modified {
        let psi = measure(z, true);
        force + psi.cross(force) + psi * psi.dot(force)
    } else {
        z.vector().cross(force) + force * z.w
    };
    first.rotate(moment * R::splat(-0.5))
}

/// `C`, `K C` and `φ q̄u`.
#[inline(always)]
fn strain<R: Real>(
    first: Quaternion<R>,
    second: Quaternion<R>,
    rest: Quaternion<R>,
    stiffness: Vector<R>,
    modified: bool,
) -> (Vector<R>, Vector<R>, Quaternion<R>) {
    let z = first.conjugate() * second;
    let z = z.flip_by(z.dot(rest));
    let c = measure(z, modified) - measure(rest, modified);
    let force = Vector::new(c.x * stiffness.x, c.y * stiffness.y, c.z * stiffness.z);
    (c, force, z)
}
