//! A symmetric banded matrix and its factorization `L D Lᵀ`, in place, in O(n).
//!
//! Vertices and angles are interleaved (`x₀, θ₀, x₁, θ₁, …`, paper 4, section III), so that an element of eleven neighbouring unknowns reaches ten below the
//! diagonal. Without roots, and a pivot that rounding has eaten is put right (paper 4, section V-A3).

use super::{energy::Element, geometry::LOCAL};

/// Below the diagonal.
pub const BAND: usize = LOCAL - 1;
const ROW: usize = BAND + 1;
/// What elimination leaves of a pivot below this share of it is rounding.
const NOISE: f64 = 1e-15;

/// Rows of the lower band: entry `(i, i − k)` at `ROW i + k`.
#[derive(Clone, Debug, Default)]
pub struct Banded {
    entries: Vec<f64>,
}

impl Banded {
    /// Room for so many unknowns.
    pub fn reserve(&mut self, unknowns: usize) {
        if self.entries.len() < ROW * unknowns {
            self.entries.resize(ROW * unknowns, 0.0);
        }
    }

    /// All zero.
    pub fn clear(&mut self, unknowns: usize) {
        self.entries[..ROW * unknowns].fill(0.0);
    }

    /// Entry of row and column; the column is at most the row, and at most [`BAND`] away.
    pub fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[ROW * row + (row - column)]
    }

    /// Add an element whose unknowns begin at `4 (joint − 1)`, as far as they are within so many.
    pub fn add(&mut self, element: &Element, joint: usize, unknowns: usize) {
        // The first joint is that of a wall: its first four unknowns are not there.
        let skip = if joint == 0 { 4 } else { 0 };
        let start = 4 * joint;
        let mut entry = 0;
        for i in 0..LOCAL {
            let row = start + i;
            if i < skip || row >= unknowns + 4 {
                entry += i + 1;
                continue;
            }
            let row = row - 4;
            for k in 0..=i {
                if k >= skip {
                    self.entries[ROW * row + (i - k)] += element.hessian[entry];
                }
                entry += 1;
            }
        }
    }

    /// Take an unknown out: it does not move.
    pub fn hold(&mut self, unknown: usize, unknowns: usize) {
        self.entries[ROW * unknown..ROW * (unknown + 1)].fill(0.0);
        for below in 1..ROW.min(unknowns - unknown) {
            self.entries[ROW * (unknown + below) + below] = 0.0;
        }
        self.entries[ROW * unknown] = 1.0;
    }

    /// `L D Lᵀ` in place; `D` is kept inverted.
    pub fn factor(&mut self, unknowns: usize) {
        for i in 0..unknowns {
            let reach = BAND.min(i);
            let (done, rest) = self.entries.split_at_mut(ROW * i);
            let row = &mut rest[..ROW];
            let size = row[0];
            // `products[c]` belongs to column i − reach + c.
            let mut products = [0.0; BAND];
            for c in 0..reach {
                let column = i - reach + c;
                let above = &done[ROW * column..ROW * (column + 1)];
                let mut sum = row[reach - c];
                for (k, product) in products[..c].iter().enumerate() {
                    sum -= product * above[c - k];
                }
                products[c] = sum;
            }
            let mut pivot = size;
            for c in 0..reach {
                let factor = products[c] * done[ROW * (i - reach + c)];
                pivot -= products[c] * factor;
                row[reach - c] = factor;
            }
            let least = (size * NOISE).max(f64::MIN_POSITIVE);
            row[0] = 1.0 / pivot.max(least);
        }
    }

    /// Solve with the factors, in place.
    pub fn solve(&self, x: &mut [f64]) {
        let unknowns = x.len();
        for i in 0..unknowns {
            let row = &self.entries[ROW * i..ROW * (i + 1)];
            let mut sum = x[i];
            for k in 1..=BAND.min(i) {
                sum -= row[k] * x[i - k];
            }
            x[i] = sum;
        }
        for i in (0..unknowns).rev() {
            let mut sum = x[i] * self.entries[ROW * i];
            for k in 1..=BAND.min(unknowns - 1 - i) {
                sum -= self.entries[ROW * (i + k) + k] * x[i + k];
            }
            x[i] = sum;
        }
    }
}
