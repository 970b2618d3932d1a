//! Double precision: four lanes, or one, for solvers whose linear systems are too stiff for `f32`.

use super::{Arithmetic, Real, Row};

/// The most lanes that a double-precision number type covers.
pub const DOUBLE_LANES: usize = 4;

/// A double-precision number type that kernels run in. Work memory is a flat list of `f64`, `WIDTH` of them an entry.
pub trait Double: Real {
    /// How many lanes one value covers.
    const WIDTH: usize;
    /// Read from the state, which is in single precision.
    fn load(row: &Row, lane: usize) -> Self;
    /// Round into the state.
    fn store(self, row: &mut Row, lane: usize);
    /// Entry `index` of work memory.
    fn read(memory: &[f64], index: usize) -> Self;
    /// Write entry `index` of work memory.
    fn write(self, memory: &mut [f64], index: usize);
    /// Whether the value is above zero in any lane.
    fn any_positive(self) -> bool;
}

/// Work that can run in any double-precision number type. `run` must be `#[inline(always)]`, and so must all that it calls.
pub trait DoubleKernel {
    /// What the work answers.
    type Output;
    /// Do it.
    fn run<R: Double>(self) -> Self::Output;
}

/// Run `kernel` in one lane (`single`) or in four, with the arithmetic asked for. The bits of a lane do not depend on `single`.
#[inline]
#[allow(unsafe_code)]
pub fn dispatch_double<K: DoubleKernel>(arithmetic: Arithmetic, single: bool, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if arithmetic != Arithmetic::Scalar && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor was just asked.
        return unsafe {
            match (arithmetic, single) {
                (Arithmetic::Fast, true) => super::avx2_double::run_fused_scalar(kernel),
                (Arithmetic::Fast, false) => super::avx2_double::run_fused(kernel),
                (_, true) => kernel.run::<f64>(),
                (_, false) => super::avx2_double::run_unfused(kernel),
            }
        };
    }
    // Without AVX2 one lane at a time: two doubles in a register would not pay for a further copy of every kernel.
    kernel.run::<f64>()
}

impl Double for f64 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn load(row: &Row, lane: usize) -> Self {
        row.0[lane].into()
    }
    #[inline(always)]
    fn store(self, row: &mut Row, lane: usize) {
        row.0[lane] = self as f32;
    }
    #[inline(always)]
    fn read(memory: &[f64], index: usize) -> Self {
        memory[index]
    }
    #[inline(always)]
    fn write(self, memory: &mut [f64], index: usize) {
        memory[index] = self;
    }
    #[inline(always)]
    fn any_positive(self) -> bool {
        self > 0.0
    }
}
