//! Eight lanes in one AVX2 register.
//!
//! Safety, once for the whole file: a value of [`Avx2`] exists only inside [`run_fused`] or [`run_unfused`], which
//! are called after the processor reported AVX2 and FMA (`dispatch`, the single caller). So every intrinsic below runs
//! on a processor that has it. The methods are `#[inline(always)]` and end up inside those two functions, where the compiler may
//! use the instruction set.
#![allow(unsafe_code)]

use std::{
    arch::x86_64::*,
    ops::{Add, Div, Mul, Neg, Sub},
};

use super::{Float4, Kernel, LANES, Lanes, Real, Row, Slots};

/// Eight `f32`; `FUSED` says whether `mul_add` rounds once or twice.
#[derive(Clone, Copy)]
pub struct Avx2<const FUSED: bool>(__m256);

/// Run a kernel with fused multiply–add.
///
/// # Safety
/// The processor has AVX2 and FMA.
pub(super) unsafe fn run_fused<K: Kernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,fma")]
    fn with_features<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2<true>>()
    }
    debug_assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
    // SAFETY: see the head of the file.
    unsafe { with_features(kernel) }
}

/// Run a kernel with the bits of the portable lanes.
///
/// # Safety
/// The processor has AVX2.
pub(super) unsafe fn run_unfused<K: Kernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2")]
    fn with_features<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2<false>>()
    }
    debug_assert!(is_x86_feature_detected!("avx2"));
    // SAFETY: see the head of the file.
    unsafe { with_features(kernel) }
}

macro_rules! lanewise {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl<const FUSED: bool> $trait for Avx2<FUSED> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the head of the file.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

lanewise!(Add, add, _mm256_add_ps);
lanewise!(Sub, sub, _mm256_sub_ps);
lanewise!(Mul, mul, _mm256_mul_ps);
lanewise!(Div, div, _mm256_div_ps);

impl<const FUSED: bool> Neg for Avx2<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl<const FUSED: bool> Real for Avx2<FUSED> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_set1_ps(value as f32) })
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        if FUSED {
            // SAFETY: see the head of the file.
            Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
        } else {
            self * factor + term
        }
    }
    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        if FUSED {
            // SAFETY: see the head of the file.
            Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, term.0) })
        } else {
            term - self * factor
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn inverse_sqrt(self) -> Self {
        if !FUSED {
            return Self::one() / self.sqrt();
        }
        // SAFETY: see the head of the file.
        let estimate = Self(unsafe { _mm256_rsqrt_ps(self.0) });
        // One step of Newton: y ← y + y/2 (1 − x y²).
        let off = (self * estimate).neg_mul_add(estimate, Self::one());
        (estimate * Self::splat(0.5)).mul_add(off, estimate)
    }
    #[inline(always)]
    fn reciprocal(self) -> Self {
        if !FUSED {
            return Self::one() / self;
        }
        // SAFETY: see the head of the file.
        let estimate = Self(unsafe { _mm256_rcp_ps(self.0) });
        // One step of Newton: y ← y + y (1 − x y).
        let off = self.neg_mul_add(estimate, Self::one());
        estimate.mul_add(off, estimate)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn flip_by(self, sign: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_and_ps(sign.0, _mm256_set1_ps(-0.0))) })
    }
    #[inline(always)]
    fn select_positive(condition: Self, yes: Self, no: Self) -> Self {
        // SAFETY: see the head of the file.
        Self(unsafe {
            let mask = _mm256_cmp_ps::<_CMP_GT_OQ>(condition.0, _mm256_setzero_ps());
            _mm256_blendv_ps(no.0, yes.0, mask)
        })
    }
}

/// Eight entries of four floats, transposed to four rows of eight.
///
/// # Safety
/// AVX is there, and every pointer may be read for four floats.
#[inline(always)]
unsafe fn transpose_in(entry: [*const f32; LANES]) -> [__m256; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        transpose(
            pair(entry[0], entry[4]),
            pair(entry[1], entry[5]),
            pair(entry[2], entry[6]),
            pair(entry[3], entry[7]),
        )
    }
}

/// Two entries in the halves of one register.
///
/// # Safety
/// AVX is there, and both pointers may be read for four floats.
#[inline(always)]
unsafe fn pair(low: *const f32, high: *const f32) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe {
        let low = _mm256_castps128_ps256(_mm_loadu_ps(low));
        _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(high))
    }
}

/// Transposes the 4×4 block in each half of four registers.
///
/// # Safety
/// AVX is there.
#[inline(always)]
unsafe fn transpose(a: __m256, b: __m256, c: __m256, d: __m256) -> [__m256; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let ab_low = _mm256_unpacklo_ps(a, b);
        let ab_high = _mm256_unpackhi_ps(a, b);
        let cd_low = _mm256_unpacklo_ps(c, d);
        let cd_high = _mm256_unpackhi_ps(c, d);
        [
            _mm256_shuffle_ps::<0x44>(ab_low, cd_low),
            _mm256_shuffle_ps::<0xEE>(ab_low, cd_low),
            _mm256_shuffle_ps::<0x44>(ab_high, cd_high),
            _mm256_shuffle_ps::<0xEE>(ab_high, cd_high),
        ]
    }
}

impl<const FUSED: bool> Lanes for Avx2<FUSED> {
    const WIDTH: usize = LANES;

    #[inline(always)]
    fn load(row: &Row, _lane: usize) -> Self {
        // SAFETY: see the head of the file; a row is eight floats, aligned to 32 bytes.
        Self(unsafe { _mm256_load_ps(row.0.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, row: &mut Row, _lane: usize) {
        // SAFETY: as for `load`.
        unsafe { _mm256_store_ps(row.0.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn gather(table: &[Float4], slots: &Slots, _lane: usize) -> [Self; 4] {
        assert!(slots.largest() < table.len());
        let base = table.as_ptr();
        let index = slots.index();
        // SAFETY: no index is larger than `largest`, which was just checked; an entry is four floats.
        unsafe {
            let mut entry = [base.cast::<f32>(); LANES];
            for lane in 0..LANES {
                entry[lane] = base.add(index[lane] as usize).cast();
            }
            let [x, y, z, w] = transpose_in(entry);
            [Self(x), Self(y), Self(z), Self(w)]
        }
    }
    #[inline(always)]
    fn load_group(table: &[Float4], group: usize, _lane: usize) -> [Self; 4] {
        let entries = &table[group * LANES..(group + 1) * LANES];
        let base = entries.as_ptr();
        // SAFETY: the slice has eight entries of four floats.
        unsafe {
            let mut entry = [base.cast::<f32>(); LANES];
            for (lane, pointer) in entry.iter_mut().enumerate() {
                *pointer = base.add(lane).cast();
            }
            let [x, y, z, w] = transpose_in(entry);
            [Self(x), Self(y), Self(z), Self(w)]
        }
    }
    #[inline(always)]
    fn store_group(value: [Self; 4], table: &mut [Float4], group: usize, _lane: usize) {
        let entries = &mut table[group * LANES..(group + 1) * LANES];
        let base = entries.as_mut_ptr();
        // SAFETY: the slice has eight entries of four floats; a transposition is its own inverse.
        unsafe {
            let [a, b, c, d] = transpose(value[0].0, value[1].0, value[2].0, value[3].0);
            let pairs = [a, b, c, d];
            for (lane, &pair) in pairs.iter().enumerate() {
                let (low, high) = (base.add(lane).cast(), base.add(lane + 4).cast());
                _mm_storeu_ps(low, _mm256_castps256_ps128(pair));
                _mm_storeu_ps(high, _mm256_extractf128_ps::<1>(pair));
            }
        }
    }
}
