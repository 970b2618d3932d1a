//! The two energies of a rod with their gradients and a positive semidefinite Hessian, for any number type.
//!
//! Unknowns are increments of positions and small world rotations, `q ← exp(ω/2) q`. Everything is derived here once; finite differences check it.

use crate::{
    math::{Quaternion, Real, Symmetric, Vector},
    solver::stable_cosserat::energy::{Softness, bend_energy, bend_moment},
};

/// What a segment adds: its energy, the gradient, and a positive semidefinite Hessian in the form below.
///
/// With `P = R^T Δx/l` the energy is `l/2 (P − e₃)ᵀW(P − e₃) + α l/2 (P − r)ᵀW(P − r)`, `W = diag(GA, GA, EA)`: stretch, shear and their viscous
/// twins (paper 2, Eq. 12; `r` is `P` before the step). With `n = R W((1 + α)P − e₃ − α r)`:
///
/// - gradient `±n` at head and tail, and `l n × p` in ω, `p = Δx/l`;
/// - `∂n/∂x = ±K/l` with `K = (1 + α)(GA + (EA − GA) d dᵀ)`;
/// - `∂n/∂ω = K[p]× − [n]×`, which without shear is `A [d]×`, `A = (1 + α) GA λ − T`, `λ = p·d`, `T = n·d`;
/// - `∂²E/∂ω²` is then `l λ A (I − d dᵀ)`.
///
/// Taking the tension `T` as zero under pressure makes the whole positive semidefinite: sideways the 2×2 form
/// `[K/l, A; A, lλA]` has the determinant `A T`.
pub struct Stretch<R> {
    /// J.
    pub energy: R,
    /// Gradient at the head; the tail has the opposite.
    pub force: Vector<R>,
    /// Gradient in ω.
    pub torque: Vector<R>,
    /// `K/l`: on the head, on the tail, and negative between them.
    pub stiffness: Symmetric<R>,
    /// `A d`: `[A d]×` couples the head to ω, the negative couples the tail.
    pub coupling: Vector<R>,
    /// The block in ω.
    pub rotation: Symmetric<R>,
}

/// `d dᵀ`.
#[inline(always)]
fn outer<R: Real>(d: Vector<R>) -> Symmetric<R> {
    Symmetric([d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z])
}

/// `a I + b S`.
#[inline(always)]
fn shifted<R: Real>(a: R, b: R, s: Symmetric<R>) -> Symmetric<R> {
    let [xx, yy, zz, xy, xz, yz] = s.0;
    Symmetric([
        b.mul_add(xx, a),
        b.mul_add(yy, a),
        b.mul_add(zz, a),
        b * xy,
        b * xz,
        b * yz,
    ])
}

/// The numbers of a segment.
#[derive(Clone, Copy)]
pub struct StretchLaw<R> {
    /// EA, N.
    pub axial: R,
    /// GA, N.
    pub shear: R,
    /// At rest, m.
    pub length: R,
    /// Its inverse.
    pub inverse_length: R,
    /// Relaxation time over the step.
    pub alpha: R,
    /// `r`, the local `Δx/l` before the step.
    pub before: Vector<R>,
}

/// `W v`. (Not a closure: those are not sure to be inlined where the instruction set is known.)
#[inline(always)]
fn weigh<R: Real>(v: Vector<R>, law: &StretchLaw<R>) -> Vector<R> {
    Vector::new(v.x * law.shear, v.y * law.shear, v.z * law.axial)
}

/// See [`Stretch`].
#[inline(always)]
pub fn stretch<R: Real>(edge: Vector<R>, q: Quaternion<R>, law: &StretchLaw<R>) -> Stretch<R> {
    let one = R::one();
    let p = edge * law.inverse_length;
    let d = q.axis();
    let local = q.conjugate().rotate(p);
    let strain = Vector::new(local.x, local.y, local.z - one);
    let rate = local - law.before;
    let elastic = weigh(strain, law);
    let viscous = weigh(rate, law) * law.alpha;
    let energy = (strain.dot(elastic) + rate.dot(viscous)) * law.length * R::splat(0.5);
    let n = q.rotate(elastic + viscous);
    let thick = one + law.alpha;
    let ratio = p.dot(d).max(R::splat(0.1));
    let tension = n.dot(d).max(R::zero());
    let whole = thick * law.shear * ratio;
    let a = (whole - tension).max(whole * R::splat(0.05));
    let turning = law.length * ratio * a;
    let dd = outer(d);
    Stretch {
        energy,
        force: n,
        torque: n.cross(p) * law.length,
        stiffness: shifted(
            thick * law.shear * law.inverse_length,
            thick * (law.axial - law.shear) * law.inverse_length,
            dd,
        ),
        coupling: d * a,
        rotation: shifted(turning, -turning, dd),
    }
}

/// What a joint adds: energy, gradient in the rotation of its second segment (the first has the opposite), and the Hessian in the difference of the two rotations.
pub struct Bend<R> {
    /// J.
    pub energy: R,
    /// Gradient in the rotation of the second segment.
    pub torque: Vector<R>,
    /// On the diagonal of both, and negative between them.
    pub stiffness: Symmetric<R>,
}

/// The numbers of a joint.
#[derive(Clone, Copy)]
pub struct BendLaw<R> {
    /// `q⁰`.
    pub rest: Quaternion<R>,
    /// The largest of the three stiffnesses, as in Stable Cosserat: `4 EI/l`.
    pub stiffness: R,
    /// Seen from the second segment.
    pub softness: Softness<R>,
    /// Relaxation time over the step.
    pub alpha: R,
    /// `Ω̄`, the relative orientation before the step.
    pub before: Quaternion<R>,
}

/// The energy of [`bend_energy`] about `q⁰`, and `α` times the same about `Ω̄` (paper 2, Eq. 13).
///
/// Near rest `ρ ≈ R_jᵀ(ω_j − ω_i)/2`, so the Hessian is `¼ R_j K R_jᵀ`, less as the joint bends far (`ρ_w` falls).
#[inline(always)]
pub fn bend<R: Real>(
    anisotropic: bool,
    damped: bool,
    first: Quaternion<R>,
    second: Quaternion<R>,
    law: &BendLaw<R>,
) -> Bend<R> {
    let quarter = R::splat(0.25);
    let turned = first.conjugate() * second;
    let r = law.rest.dot(turned);
    let cosine = r.flip_by(r).max(R::splat(0.1));
    let mut energy = bend_energy(first, second, law.rest, law.stiffness, law.softness);
    let mut torque = -bend_moment(first, second, law.rest, law.stiffness, law.softness);
    let mut factor = cosine;
    if damped {
        let viscous = bend_energy(first, second, law.before, law.stiffness, law.softness);
        energy = viscous.mul_add(law.alpha, energy);
        let moment = bend_moment(first, second, law.before, law.stiffness, law.softness);
        torque = (-moment).mul_add(law.alpha, torque);
        factor = factor + law.alpha;
    }
    let k = law.stiffness * factor * quarter;
    let stiffness = if anisotropic {
        // K = k − k² softness, turned into the world.
        let s = turned_into_world(second, law.softness.matrix);
        shifted(k, -(k * law.stiffness), s)
    } else {
        Symmetric([k, k, k, R::zero(), R::zero(), R::zero()])
    };
    Bend {
        energy,
        torque,
        stiffness,
    }
}

/// `R S Rᵀ`.
#[inline(always)]
fn turned_into_world<R: Real>(q: Quaternion<R>, s: Symmetric<R>) -> Symmetric<R> {
    let zero = R::zero();
    let one = R::one();
    // Rows of R are the images of the axes under q̄.
    let back = q.conjugate();
    let x = back.rotate(Vector::new(one, zero, zero));
    let y = back.rotate(Vector::new(zero, one, zero));
    let z = back.rotate(Vector::new(zero, zero, one));
    let (sx, sy, sz) = (s.apply(x), s.apply(y), s.apply(z));
    Symmetric([x.dot(sx), y.dot(sy), z.dot(sz), x.dot(sy), x.dot(sz), y.dot(sz)])
}
