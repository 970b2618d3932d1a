//! Sine, cosine and arctangent by additions, multiplications, divisions and roots alone.
//!
//! Those of the standard library are the platform's and differ in their last bits. These are the same on every machine, and right to about two of them.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// π/2 to 33 bits, so that its multiples are exact up to a million turns, and what that leaves.
const HALF_PI_HIGH: f64 = 1.570_796_326_734_125_6;
const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;

/// Ratios of the terms of the series, the last first: `1/(k (k + 1))`.
const SINE: [f64; 7] = ratios([14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0]);
const COSINE: [f64; 8] = ratios([15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0]);

const fn ratios<const N: usize>(mut k: [f64; N]) -> [f64; N] {
    let mut i = 0;
    while i < N {
        k[i] = 1.0 / (k[i] * (k[i] + 1.0));
        i += 1;
    }
    k
}

/// Factors of the series of atan, the last first.
const ARC: [f64; 12] = {
    let mut factors = [0.0; 12];
    let mut i = 0;
    while i < 12 {
        factors[i] = 1.0 / (23.0 - 2.0 * i as f64);
        i += 1;
    }
    factors
};

/// Sine and cosine of an angle, rad.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    let quarter = (angle / FRAC_PI_2).round();
    let r = (angle - quarter * HALF_PI_HIGH) - quarter * HALF_PI_LOW;
    // |r| ≤ π/4: r¹⁷/17! is below 5e-17.
    let s = r * r;
    let term = |sum: f64, ratio: f64| 1.0 - sum * s * ratio;
    let sine = r * SINE.into_iter().fold(1.0, term);
    let cosine = COSINE.into_iter().fold(1.0, term);
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The angle of `(x, y)` from the x-axis, in [−π, π].
pub fn atan2(y: f64, x: f64) -> f64 {
    let (small, large) = (y.abs().min(x.abs()), y.abs().max(x.abs()));
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    // tan(π/8): beyond it 45° are taken off, and what is left is halved, so that |z| ≤ 0.2.
    let steep = ratio > 0.414_213_562_373_095_1;
    let z = if steep { (ratio - 1.0) / (ratio + 1.0) } else { ratio };
    let z = z / (1.0 + (1.0 + z * z).sqrt());
    let s = z * z;
    // The series of atan; the twelfth term is below 1e-18.
    let series = ARC.into_iter().fold(0.0, |sum, factor| factor - s * sum);
    let mut angle = 2.0 * z * series;
    if steep {
        angle += FRAC_PI_4;
    }
    if y.abs() > x.abs() {
        angle = FRAC_PI_2 - angle;
    }
    if x < 0.0 {
        angle = PI - angle;
    }
    if y < 0.0 { -angle } else { angle }
}

/// The angle that differs from this one by whole turns and is nearest to `near`.
pub fn unwrapped(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}
