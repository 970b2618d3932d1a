//! Eight numbers at a time, and the choice of instruction set at run time.
//!
//! This is the only room with `unsafe` in it: the AVX2 intrinsics, and the call into code compiled for them after
//! the processor was asked. Everything it offers to the rest of the crate is safe.
//!
//! Three number types run the same kernels. AVX2 with fused multiply–add is the fastest; without
//! fusing it gives, bit for bit, what [`Portable`] and plain `f32` give on any machine.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_double;
mod double;
mod portable;
mod table;

use bytemuck::{Pod, Zeroable};
pub use double::{DOUBLE_LANES, Double, DoubleKernel, dispatch_double};
pub use portable::Portable;
use serde::{Deserialize, Serialize};
pub use table::{Float4, Slots};

use super::{Quaternion, Real, Vector};

/// How many rods (or same-coloured elements of one rod) go side by side.
pub const LANES: usize = 8;

/// One quantity of eight rods, in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Row(pub [f32; LANES]);

impl Row {
    /// The same value in every lane.
    pub const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
}

/// Three quantities of eight rods.
pub type VectorRow = [Row; 3];
/// Four quantities of eight rods.
pub type QuaternionRow = [Row; 4];

/// A number type that kernels run in. `lane` matters to the scalar type alone, which takes one lane at a time.
pub trait Lanes: Real {
    /// How many lanes one value covers.
    const WIDTH: usize;
    /// Read from memory.
    fn load(row: &Row, lane: usize) -> Self;
    /// Write to memory.
    fn store(self, row: &mut Row, lane: usize);
    /// Read one entry of a table per lane, as four components.
    fn gather(table: &[Float4], slots: &Slots, lane: usize) -> [Self; 4];
    /// Read the eight entries from `8 · group` on.
    fn load_group(table: &[Float4], group: usize, lane: usize) -> [Self; 4];
    /// Write the eight entries from `8 · group` on.
    fn store_group(value: [Self; 4], table: &mut [Float4], group: usize, lane: usize);

    /// Read a vector.
    #[inline(always)]
    fn load_vector(rows: &VectorRow, lane: usize) -> Vector<Self> {
        let [x, y, z] = rows;
        Vector::new(Self::load(x, lane), Self::load(y, lane), Self::load(z, lane))
    }

    /// Write a vector.
    #[inline(always)]
    fn store_vector(v: Vector<Self>, rows: &mut VectorRow, lane: usize) {
        let [x, y, z] = rows;
        v.x.store(x, lane);
        v.y.store(y, lane);
        v.z.store(z, lane);
    }

    /// Read a quaternion.
    #[inline(always)]
    fn load_quaternion(rows: &QuaternionRow, lane: usize) -> Quaternion<Self> {
        let [x, y, z, w] = rows;
        Quaternion::new(
            Self::load(x, lane),
            Self::load(y, lane),
            Self::load(z, lane),
            Self::load(w, lane),
        )
    }

    /// Write a quaternion.
    #[inline(always)]
    fn store_quaternion(q: Quaternion<Self>, rows: &mut QuaternionRow, lane: usize) {
        let [x, y, z, w] = rows;
        q.x.store(x, lane);
        q.y.store(y, lane);
        q.z.store(z, lane);
        q.w.store(w, lane);
    }
}

/// Work that can run in any number type. `run` must be `#[inline(always)]`, and so must all that it calls.
pub trait Kernel {
    /// What the work answers.
    type Output;
    /// Do it.
    fn run<R: Lanes>(self) -> Self::Output;
}

/// Which arithmetic the solver uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Arithmetic {
    /// The fastest that the processor has: AVX2 with fused multiply–add, else the portable lanes. The same machine gives
    /// the same bits at any number of threads; another kind of processor may round differently.
    #[default]
    Fast,
    /// Eight lanes without fusing: the same bits on every machine. For lockstep multiplayer and replays.
    Reproducible,
    /// One lane at a time, without SIMD; the bits of `Reproducible`. The baseline for benchmarks.
    Scalar,
}

/// Run `kernel` in the number type that `arithmetic` asks for.
#[inline]
#[allow(unsafe_code)]
pub fn dispatch<K: Kernel>(arithmetic: Arithmetic, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if arithmetic != Arithmetic::Scalar && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor was just asked.
        return unsafe {
            match arithmetic {
                Arithmetic::Fast => avx2::run_fused(kernel),
                _ => avx2::run_unfused(kernel),
            }
        };
    }
    match arithmetic {
        Arithmetic::Scalar => kernel.run::<f32>(),
        _ => kernel.run::<Portable>(),
    }
}

/// The portable lanes, whatever the processor has: for tests of parity.
#[cfg(test)]
pub fn dispatch_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Portable>()
}

#[cfg(test)]
mod tests;
