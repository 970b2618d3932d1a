//! Double precision on AVX2: four lanes in a register, and one lane with fused multiply–add.
//!
//! Four and not eight in two registers: a kernel that factors 3×3 blocks needs all sixteen registers for one value each.
//!
//! Safety, once for the whole file: as in `avx2.rs`. Values of [`Avx2Double`] and [`FusedDouble`] exist only inside the `run_…`
//! functions below, which `dispatch_double` calls after the processor reported AVX2 and FMA.
#![allow(unsafe_code)]

use std::{
    arch::x86_64::*,
    ops::{Add, Div, Mul, Neg, Sub},
};

use super::{
    Real, Row,
    double::{DOUBLE_LANES as WIDTH, Double, DoubleKernel},
};

/// Four `f64`; `FUSED` says whether `mul_add` rounds once or twice.
#[derive(Clone, Copy)]
pub struct Avx2Double<const FUSED: bool>(__m256d);

/// One `f64` with fused multiply–add: the bits of a lane of [`Avx2Double`].
#[derive(Clone, Copy)]
pub struct FusedDouble(f64);

macro_rules! entry {
    ($name:ident, $features:literal, $number:ty) => {
        /// Run a kernel.
        ///
        /// # Safety
        /// The processor has AVX2 and FMA.
        pub(super) unsafe fn $name<K: DoubleKernel>(kernel: K) -> K::Output {
            #[target_feature(enable = $features)]
            fn with_features<K: DoubleKernel>(kernel: K) -> K::Output {
                kernel.run::<$number>()
            }
            debug_assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
            // SAFETY: see the head of the file.
            unsafe { with_features(kernel) }
        }
    };
}

entry!(run_fused, "avx2,fma", Avx2Double<true>);
entry!(run_unfused, "avx2", Avx2Double<false>);
entry!(run_fused_scalar, "avx2,fma", FusedDouble);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $intrinsic:ident, $operator:tt) => {
        impl<const FUSED: bool> $trait for Avx2Double<FUSED> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                // SAFETY: see the head of the file.
                unsafe { Self($intrinsic(self.0, o.0)) }
            }
        }
        impl $trait for FusedDouble {
            type Output = Self;
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                Self(self.0 $operator o.0)
            }
        }
    };
}

lanewise!(Add, add, _mm256_add_pd, +);
lanewise!(Sub, sub, _mm256_sub_pd, -);
lanewise!(Mul, mul, _mm256_mul_pd, *);
lanewise!(Div, div, _mm256_div_pd, /);

impl<const FUSED: bool> Neg for Avx2Double<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the head of the file.
        unsafe { Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))) }
    }
}

impl Neg for FusedDouble {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<const FUSED: bool> Real for Avx2Double<FUSED> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if FUSED {
            // SAFETY: see the head of the file.
            Self(unsafe { _mm256_fmadd_pd(self.0, factor.0, term.0) })
        } else {
            self * factor + term
        }
    }
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        if FUSED {
            // SAFETY: see the head of the file.
            Self(unsafe { _mm256_fnmadd_pd(self.0, factor.0, term.0) })
        } else {
            term - self * factor
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_min_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn flip_by(self, sign: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_and_pd(sign.0, _mm256_set1_pd(-0.0))) })
    }
    #[inline(always)]
    fn select_positive(condition: Self, yes: Self, no: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe {
            let mask = _mm256_cmp_pd::<_CMP_GT_OQ>(condition.0, _mm256_setzero_pd());
            _mm256_blendv_pd(no.0, yes.0, mask)
        })
    }
}

impl<const FUSED: bool> Double for Avx2Double<FUSED> {
    const WIDTH: usize = WIDTH;

    #[inline(always)]
    fn load(row: &Row, lane: usize) -> Self {
        let part = &row.0[lane..lane + WIDTH];
        // SAFETY: see the head of the file; the slice has four floats.
        Self(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(part.as_ptr())) })
    }
    #[inline(always)]
    fn store(self, row: &mut Row, lane: usize) {
        let part = &mut row.0[lane..lane + WIDTH];
        // SAFETY: as for `load`.
        unsafe { _mm_storeu_ps(part.as_mut_ptr(), _mm256_cvtpd_ps(self.0)) }
    }
    #[inline(always)]
    fn read(memory: &[f64], index: usize) -> Self {
        let entry = &memory[index * WIDTH..(index + 1) * WIDTH];
        // SAFETY: see the head of the file; the slice has four doubles.
        Self(unsafe { _mm256_loadu_pd(entry.as_ptr()) })
    }
    #[inline(always)]
    fn write(self, memory: &mut [f64], index: usize) {
        let entry = &mut memory[index * WIDTH..(index + 1) * WIDTH];
        // SAFETY: as for `read`.
        unsafe { _mm256_storeu_pd(entry.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn any_positive(self) -> bool {
        // SAFETY: see the head of the file.
        unsafe {
            let positive = _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, _mm256_setzero_pd());
            _mm256_movemask_pd(positive) != 0
        }
    }
}

impl Real for FusedDouble {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(value)
    }
    // One instruction where this is inlined: `run_fused_scalar` enables it.
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(self.0.mul_add(factor.0, term.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(Real::min(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(Real::max(self.0, other.0))
    }
    #[inline(always)]
    fn flip_by(self, sign: Self) -> Self {
        Self(self.0.flip_by(sign.0))
    }
    #[inline(always)]
    fn select_positive(condition: Self, yes: Self, no: Self) -> Self {
        if condition.0 > 0.0 { yes } else { no }
    }
}

impl Double for FusedDouble {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn load(row: &Row, lane: usize) -> Self {
        Self(f64::load(row, lane))
    }
    #[inline(always)]
    fn store(self, row: &mut Row, lane: usize) {
        self.0.store(row, lane);
    }
    #[inline(always)]
    fn read(memory: &[f64], index: usize) -> Self {
        Self(memory[index])
    }
    #[inline(always)]
    fn write(self, memory: &mut [f64], index: usize) {
        memory[index] = self.0;
    }
    #[inline(always)]
    fn any_positive(self) -> bool {
        self.0 > 0.0
    }
}
