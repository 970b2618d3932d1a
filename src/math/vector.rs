//! Three-vectors and symmetric 3×3 matrices over any [`Real`].

use std::ops::{Add, Mul, Neg, Sub};

use super::Real;

/// A vector of three.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Vector<R> {
    pub x: R,
    pub y: R,
    pub z: R,
}

impl<R: Real> Vector<R> {
    /// From components.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// All zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(R::zero(), R::zero(), R::zero())
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(v: [f64; 3]) -> Self {
        Self::new(R::splat(v[0]), R::splat(v[1]), R::splat(v[2]))
    }

    /// Inner product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        self.x.mul_add(other.x, self.y.mul_add(other.y, self.z * other.z))
    }

    /// Square of the length.
    #[inline(always)]
    pub fn length_squared(self) -> R {
        self.dot(self)
    }

    /// Length.
    #[inline(always)]
    pub fn length(self) -> R {
        self.length_squared().sqrt()
    }

    /// Cross product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.z.neg_mul_add(other.y, self.y * other.z),
            self.x.neg_mul_add(other.z, self.z * other.x),
            self.y.neg_mul_add(other.x, self.x * other.y),
        )
    }

    /// `self * factor + term`.
    #[inline(always)]
    pub fn mul_add(self, factor: R, term: Self) -> Self {
        Self::new(
            self.x.mul_add(factor, term.x),
            self.y.mul_add(factor, term.y),
            self.z.mul_add(factor, term.z),
        )
    }

    /// `self·a + second·b + third·c`.
    #[inline(always)]
    pub fn mul_add_each(self, a: R, second: Self, b: R, third: Self, c: R) -> Self {
        self.mul_add(a, second.mul_add(b, third * c))
    }

    /// `yes` where `condition > 0`, else `no`.
    #[inline(always)]
    pub fn select_positive(condition: R, yes: Self, no: Self) -> Self {
        Self::new(
            R::select_positive(condition, yes.x, no.x),
            R::select_positive(condition, yes.y, no.y),
            R::select_positive(condition, yes.z, no.z),
        )
    }
}

impl<R: Real> Add for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl<R: Real> Sub for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl<R: Real> Mul<R> for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: R) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl<R: Real> Neg for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl From<glam::DVec3> for Vector<f64> {
    fn from(v: glam::DVec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Vector<f64>> for glam::DVec3 {
    fn from(v: Vector<f64>) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

/// A symmetric 3×3 matrix: `xx, yy, zz, xy, xz, yz`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetric<R>(pub [R; 6]);

impl<R: Real> Symmetric<R> {
    /// Matrix times vector.
    #[inline(always)]
    pub fn apply(self, v: Vector<R>) -> Vector<R> {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        Vector::new(
            xx.mul_add(v.x, xy.mul_add(v.y, xz * v.z)),
            xy.mul_add(v.x, yy.mul_add(v.y, yz * v.z)),
            xz.mul_add(v.x, yz.mul_add(v.y, zz * v.z)),
        )
    }
}
