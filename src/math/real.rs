//! The arithmetic that a kernel may use.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or eight of them that go the same way.
///
/// There is no comparison that branches: lanes can't. What differs between lanes is chosen by
/// [`Real::select_positive`] and [`Real::flip_by`].
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The same value everywhere.
    fn splat(value: f64) -> Self;
    /// `self * factor + term`: one rounding where the number type fuses, two where it does not.
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `1/√self` of a normal number above zero. Fused lanes refine the processor's estimate to within about 2 in the last place.
    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        Self::one() / self.sqrt()
    }
    /// `1/self` of a normal number above zero, as exact as [`Real::inverse_sqrt`].
    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::one() / self
    }
    /// The smaller of two; the second where the first is NaN.
    fn min(self, other: Self) -> Self;
    /// The larger of two; the second where the first is NaN.
    fn max(self, other: Self) -> Self;
    /// `self`, negated where `sign` is negative (the sign bit decides, also for zero).
    fn flip_by(self, sign: Self) -> Self;
    /// `yes` where `condition > 0`, else `no`.
    fn select_positive(condition: Self, yes: Self, no: Self) -> Self;

    /// Zero everywhere.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// One everywhere.
    #[inline(always)]
    fn one() -> Self {
        Self::splat(1.0)
    }

    /// `term - self * factor`.
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        (-self).mul_add(factor, term)
    }

    /// `self` held between two bounds.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
}

macro_rules! scalar {
    ($float:ty) => {
        impl Real for $float {
            #[inline(always)]
            fn splat(value: f64) -> Self {
                value as $float
            }
            // Not fused: the scalar path gives the bits of the portable lanes.
            #[inline(always)]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                self * factor + term
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn flip_by(self, sign: Self) -> Self {
                if sign.is_sign_negative() { -self } else { self }
            }
            #[inline(always)]
            fn select_positive(condition: Self, yes: Self, no: Self) -> Self {
                if condition > 0.0 { yes } else { no }
            }
        }
    };
}

scalar!(f32);
scalar!(f64);
