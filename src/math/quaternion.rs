//! Quaternion calculus over any [`Real`]: the algebra that papers 1 and 2 are written in.
//!
//! A vector is a pure quaternion; products are Hamilton's. The rod's axis is `e₃ = k`, and a unit quaternion `q`
//! turns it into `d₃ = q e₃ q̄`.

use std::ops::{Add, Mul, Sub};

use super::{Real, Vector};

/// `w + x i + y j + z k`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Quaternion<R> {
    pub x: R,
    pub y: R,
    pub z: R,
    pub w: R,
}

impl<R: Real> Quaternion<R> {
    /// From components, real part last as in glam.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R, w: R) -> Self {
        Self { x, y, z, w }
    }

    /// From a vector part and a real part.
    #[inline(always)]
    pub fn from_parts(v: Vector<R>, w: R) -> Self {
        Self::new(v.x, v.y, v.z, w)
    }

    /// The vector part.
    #[inline(always)]
    pub fn vector(self) -> Vector<R> {
        Vector::new(self.x, self.y, self.z)
    }

    /// `q̄`.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, self.w)
    }

    /// Inner product of the four components.
    #[inline(always)]
    pub fn dot(self, o: Self) -> R {
        self.x
            .mul_add(o.x, self.y.mul_add(o.y, self.z.mul_add(o.z, self.w * o.w)))
    }

    /// Square of the norm.
    #[inline(always)]
    pub fn norm_squared(self) -> R {
        self.dot(self)
    }

    /// `self * factor + term`.
    #[inline(always)]
    pub fn mul_add(self, factor: R, term: Self) -> Self {
        Self::new(
            self.x.mul_add(factor, term.x),
            self.y.mul_add(factor, term.y),
            self.z.mul_add(factor, term.z),
            self.w.mul_add(factor, term.w),
        )
    }

    /// Every component times `factor`.
    #[inline(always)]
    pub fn scale(self, factor: R) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor, self.w * factor)
    }

    /// Divided by its norm.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        self.scale(self.norm_squared().inverse_sqrt())
    }

    /// Negated where `sign` is negative.
    #[inline(always)]
    pub fn flip_by(self, sign: R) -> Self {
        Self::new(
            self.x.flip_by(sign),
            self.y.flip_by(sign),
            self.z.flip_by(sign),
            self.w.flip_by(sign),
        )
    }

    /// `yes` where `condition > 0`, else `no`.
    #[inline(always)]
    pub fn select_positive(condition: R, yes: Self, no: Self) -> Self {
        Self::new(
            R::select_positive(condition, yes.x, no.x),
            R::select_positive(condition, yes.y, no.y),
            R::select_positive(condition, yes.z, no.z),
            R::select_positive(condition, yes.w, no.w),
        )
    }

    /// `self · e₃`: a permutation with signs.
    #[inline(always)]
    pub fn times_axis(self) -> Self {
        Self::new(self.y, -self.x, self.w, -self.z)
    }

    /// `self · v` with `v` a pure quaternion.
    #[inline(always)]
    pub fn times_vector(self, v: Vector<R>) -> Self {
        Self::new(
            self.w.mul_add(v.x, self.z.neg_mul_add(v.y, self.y * v.z)),
            self.w.mul_add(v.y, self.x.neg_mul_add(v.z, self.z * v.x)),
            self.w.mul_add(v.z, self.y.neg_mul_add(v.x, self.x * v.y)),
            -self.x.mul_add(v.x, self.y.mul_add(v.y, self.z * v.z)),
        )
    }

    /// `v · self` with `v` a pure quaternion.
    #[inline(always)]
    pub fn vector_times(v: Vector<R>, q: Self) -> Self {
        Self::new(
            q.w.mul_add(v.x, v.z.neg_mul_add(q.y, v.y * q.z)),
            q.w.mul_add(v.y, v.x.neg_mul_add(q.z, v.z * q.x)),
            q.w.mul_add(v.z, v.y.neg_mul_add(q.x, v.x * q.y)),
            -q.x.mul_add(v.x, q.y.mul_add(v.y, q.z * v.z)),
        )
    }

    /// `d₃ = q e₃ q̄` of a unit quaternion.
    #[inline(always)]
    pub fn axis(self) -> Vector<R> {
        let (x, y, z, w) = (self.x, self.y, self.z, self.w);
        let (x2, y2) = (x + x, y + y);
        Vector::new(
            x2.mul_add(z, y2 * w),
            x2.neg_mul_add(w, y2 * z),
            x2.neg_mul_add(x, y2.neg_mul_add(y, R::one())),
        )
    }

    /// `q v q̄` of a unit quaternion.
    #[inline(always)]
    pub fn rotate(self, v: Vector<R>) -> Vector<R> {
        // v + 2w (u × v) + 2 u × (u × v), u the vector part.
        let u = self.vector();
        let t = u.cross(v);
        let t = t + t;
        t.mul_add(self.w, v) + u.cross(t)
    }
}

impl<R: Real> Mul for Quaternion<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let (a, b) = (self, o);
        Self::new(
            a.w.mul_add(b.x, a.x.mul_add(b.w, a.z.neg_mul_add(b.y, a.y * b.z))),
            a.w.mul_add(b.y, a.y.mul_add(b.w, a.x.neg_mul_add(b.z, a.z * b.x))),
            a.w.mul_add(b.z, a.z.mul_add(b.w, a.y.neg_mul_add(b.x, a.x * b.y))),
            a.x.neg_mul_add(b.x, a.y.neg_mul_add(b.y, a.z.neg_mul_add(b.z, a.w * b.w))),
        )
    }
}

impl<R: Real> Add for Quaternion<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z, self.w + o.w)
    }
}

impl<R: Real> Sub for Quaternion<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z, self.w - o.w)
    }
}

impl From<glam::DQuat> for Quaternion<f64> {
    fn from(q: glam::DQuat) -> Self {
        Self::new(q.x, q.y, q.z, q.w)
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    #[test]
    fn agrees_with_glam() {
        let a = DQuat::from_xyzw(0.1, -0.4, 0.3, 0.8).normalize();
        let b = DQuat::from_xyzw(-0.5, 0.2, 0.6, -0.3).normalize();
        let v = DVec3::new(0.3, -2.0, 1.1);
        let close = |q: Quaternion<f64>, r: DQuat| {
            assert!((q - Quaternion::from(r)).norm_squared() < 1e-28);
        };
        let (qa, qb, qv) = (Quaternion::from(a), Quaternion::from(b), Vector::from(v));
        let pure = DQuat::from_xyzw(v.x, v.y, v.z, 0.0);
        close(qa * qb, a * b);
        close(qa.times_vector(qv), a * pure);
        close(Quaternion::vector_times(qv, qa), pure * a);
        close(qa.times_axis(), a * DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0));
        assert!((DVec3::from(qa.axis()) - a * DVec3::Z).length() < 1e-14);
        assert!((DVec3::from(qa.rotate(qv)) - a * v).length() < 1e-14);
    }
}
