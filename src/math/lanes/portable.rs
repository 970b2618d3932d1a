//! The number types that need no special instructions: eight floats in an array, and one float.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Float4, LANES, Lanes, Real, Row, Slots};

/// Eight lanes as a plain array. The compiler vectorizes it as far as the target allows.
#[derive(Clone, Copy, Debug)]
pub struct Portable([f32; LANES]);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $assign:tt) => {
        impl $trait for Portable {
            type Output = Self;
            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for lane in 0..LANES {
                    self.0[lane] $assign other.0[lane];
                }
                self
            }
        }
    };
}

lanewise!(Add, add, +=);
lanewise!(Sub, sub, -=);
lanewise!(Mul, mul, *=);
lanewise!(Div, div, /=);

impl Neg for Portable {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        for value in &mut self.0 {
            *value = -*value;
        }
        self
    }
}

impl Real for Portable {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value as f32; LANES])
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self * factor + term
    }
    #[inline(always)]
    fn sqrt(mut self) -> Self {
        for value in &mut self.0 {
            *value = value.sqrt();
        }
        self
    }
    #[inline(always)]
    fn min(mut self, other: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] = Real::min(self.0[lane], other.0[lane]);
        }
        self
    }
    #[inline(always)]
    fn max(mut self, other: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] = Real::max(self.0[lane], other.0[lane]);
        }
        self
    }
    #[inline(always)]
    fn flip_by(mut self, sign: Self) -> Self {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].flip_by(sign.0[lane]);
        }
        self
    }
    #[inline(always)]
    fn select_positive(condition: Self, mut yes: Self, no: Self) -> Self {
        for lane in 0..LANES {
            yes.0[lane] = f32::select_positive(condition.0[lane], yes.0[lane], no.0[lane]);
        }
        yes
    }
}

impl Lanes for Portable {
    const WIDTH: usize = LANES;

    #[inline(always)]
    fn load(row: &Row, _lane: usize) -> Self {
        Self(row.0)
    }
    #[inline(always)]
    fn store(self, row: &mut Row, _lane: usize) {
        row.0 = self.0;
    }
    #[inline(always)]
    fn gather(table: &[Float4], slots: &Slots, _lane: usize) -> [Self; 4] {
        let mut rows = [Self([0.0; LANES]); 4];
        for (lane, &slot) in slots.index().iter().enumerate() {
            let entry = table[slot as usize].0;
            for (row, value) in rows.iter_mut().zip(entry) {
                row.0[lane] = value;
            }
        }
        rows
    }
    #[inline(always)]
    fn load_group(table: &[Float4], group: usize, _lane: usize) -> [Self; 4] {
        let mut rows = [Self([0.0; LANES]); 4];
        let entries = &table[group * LANES..(group + 1) * LANES];
        for (lane, entry) in entries.iter().enumerate() {
            for (row, value) in rows.iter_mut().zip(entry.0) {
                row.0[lane] = value;
            }
        }
        rows
    }
    #[inline(always)]
    fn store_group(value: [Self; 4], table: &mut [Float4], group: usize, _lane: usize) {
        let entries = &mut table[group * LANES..(group + 1) * LANES];
        for (lane, entry) in entries.iter_mut().enumerate() {
            entry.0 = value.map(|row| row.0[lane]);
        }
    }
}

impl Lanes for f32 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn load(row: &Row, lane: usize) -> Self {
        row.0[lane]
    }
    #[inline(always)]
    fn store(self, row: &mut Row, lane: usize) {
        row.0[lane] = self;
    }
    #[inline(always)]
    fn gather(table: &[Float4], slots: &Slots, lane: usize) -> [Self; 4] {
        table[slots.index()[lane] as usize].0
    }
    #[inline(always)]
    fn load_group(table: &[Float4], group: usize, lane: usize) -> [Self; 4] {
        table[group * LANES + lane].0
    }
    #[inline(always)]
    fn store_group(value: [Self; 4], table: &mut [Float4], group: usize, lane: usize) {
        table[group * LANES + lane].0 = value;
    }
}
