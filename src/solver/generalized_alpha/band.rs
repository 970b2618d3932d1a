//! A band matrix: factored in place with row exchanges (LU), O(n).
//!
//! Paper 3 section 4.3: the Jacobian is neither symmetric nor diagonally dominant, so rows must be exchanged. Rows are scaled first, each to a largest entry of 1:
//! forces, torques and velocities stand side by side in them.

/// Entries left of the diagonal.
pub const LOWER: usize = 23;
/// Entries right of it before the factorization, and after: exchanged rows reach farther.
const UPPER: usize = 20;
const REACH: usize = LOWER + UPPER;
/// A row as it is stored: column `c` of row `r` is at `c + LOWER − r`.
const WIDTH: usize = LOWER + REACH + 1;

/// A square band matrix and what became of it.
#[derive(Clone, Debug, Default)]
pub struct Band {
    size: usize,
    rows: Vec<[f64; WIDTH]>,
    scale: Vec<f64>,
    pivots: Vec<u32>,
}

impl Band {
    /// Room for so many rows.
    pub fn reserve(&mut self, size: usize) {
        if self.rows.len() < size {
            self.rows.resize(size, [0.0; WIDTH]);
            self.scale.resize(size, 1.0);
            self.pivots.resize(size, 0);
        }
    }

    /// All zero, with so many rows.
    pub fn clear(&mut self, size: usize) {
        self.reserve(size);
        self.size = size;
        self.rows[..size].fill([0.0; WIDTH]);
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        debug_assert!(column + LOWER >= row && column <= row + UPPER, "{row} {column}");
        self.rows[row][column + LOWER - row] += value;
    }

    /// An entry, before the factorization.
    #[cfg(test)]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let inside = column + LOWER >= row && column <= row + UPPER;
        if inside {
            self.rows[row][column + LOWER - row]
        } else {
            0.0
        }
    }

    /// Factor in place. False when a pivot vanishes.
    pub fn factor(&mut self) -> bool {
        let n = self.size;
        for r in 0..n {
            let largest = self.rows[r].iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            self.scale[r] = 1.0 / largest;
            self.rows[r].iter_mut().for_each(|entry| *entry /= largest);
        }
        for k in 0..n {
            let last = (k + LOWER).min(n - 1);
            let entry = |r: usize| self.rows[r][k + LOWER - r];
            let mut pivot = k;
            for r in k + 1..=last {
                if entry(r).abs() > entry(pivot).abs() {
                    pivot = r;
                }
            }
            let size = entry(pivot).abs();
            if size.is_nan() || size <= f64::MIN_POSITIVE {
                return false;
            }
            self.pivots[k] = pivot as u32;
            // Columns k to k + REACH: from the diagonal of row k to its end.
            let count = (REACH + 1).min(n - k);
            if pivot != k {
                let (above, below) = self.rows.split_at_mut(pivot);
                let shift = k + LOWER - pivot;
                above[k][LOWER..LOWER + count].swap_with_slice(&mut below[0][shift..shift + count]);
            }
            let (above, below) = self.rows.split_at_mut(k + 1);
            let top = &above[k][LOWER..LOWER + count];
            for (r, row) in below[..last - k].iter_mut().enumerate() {
                let shift = LOWER - 1 - r;
                if row[shift] == 0.0 {
                    continue;
                }
                let factor = row[shift] / top[0];
                row[shift] = factor;
                for (entry, above) in row[shift + 1..shift + count].iter_mut().zip(&top[1..]) {
                    *entry -= factor * above;
                }
            }
        }
        true
    }

    /// Solve for a right-hand side, in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for (value, scale) in x.iter_mut().zip(&self.scale) {
            *value *= scale;
        }
        for k in 0..n {
            x.swap(k, self.pivots[k] as usize);
            let value = x[k];
            if value != 0.0 {
                for r in k + 1..=(k + LOWER).min(n - 1) {
                    x[r] -= self.rows[r][k + LOWER - r] * value;
                }
            }
        }
        for k in (0..n).rev() {
            let count = (REACH + 1).min(n - k);
            let row = &self.rows[k][LOWER..LOWER + count];
            let sum: f64 = row[1..].iter().zip(&x[k + 1..]).map(|(a, b)| a * b).sum();
            x[k] = (x[k] - sum) / row[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_that_needs_exchanges_is_solved() {
        let n = 90;
        let mut band = Band::default();
        band.clear(n);
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for r in 0..n {
            for c in r.saturating_sub(LOWER)..=(r + UPPER).min(n - 1) {
                // Nothing on the diagonal, and rows of very different size.
                let value = if r == c {
                    0.0
                } else {
                    random() * 10_f64.powi((r % 7) as i32 * 3 - 9)
                };
                band.add(r, c, value);
            }
        }
        let exact: Vec<f64> = (0..n).map(|_| random()).collect();
        let mut x: Vec<f64> = (0..n)
            .map(|r| (0..n).map(|c| band.get(r, c) * exact[c]).sum())
            .collect();
        assert!(band.factor());
        band.solve(&mut x);
        for (x, exact) in x.iter().zip(&exact) {
            assert!((x - exact).abs() < 1e-9, "{x} {exact}"); // Rounding times the condition, some 1e4.
        }
    }

    #[test]
    fn a_singular_band_is_refused() {
        let mut band = Band::default();
        band.clear(30);
        for r in 0..29 {
            band.add(r, r, 1.0);
        }
        assert!(!band.factor());
    }
}
