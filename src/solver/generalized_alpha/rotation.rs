//! Rotations by their vectors: Rodrigues' formula, its inverse and derivatives.

use glam::{DMat3, DQuat, DVec3};

/// Below this angle, rad, series: the term that they leave out is below the rounding of `f64`.
const SMALL: f64 = 1e-2;

/// The rotation about a vector by its length (Rodrigues), of unit length.
pub fn exp(vector: DVec3) -> DQuat {
    let angle = vector.length();
    let v = vector * (0.5 * sinc(0.5 * angle));
    DQuat::from_xyzw(v.x, v.y, v.z, (0.5 * angle).cos())
}

/// The vector of a rotation, not longer than π.
pub fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = q.xyz();
    let sine = v.length();
    let factor = if sine < 1e-5 {
        2.0 / q.w
    } else {
        2.0 * sine.atan2(q.w) / sine
    };
    v * factor
}

/// The matrix that crosses a vector with this one: `[v]× x = v × x`.
pub fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// How a rotation changes with its vector, seen from the turned frame: `exp(v + δ) ≈ exp(v) exp(J δ)`, `J = 1 − a[v]× + b[v]×²`.
pub fn derivative(v: DVec3) -> DMat3 {
    let t = Terms::of(v);
    series(v, -t.a, t.b)
}

/// The derivative of `derivative(v) x` by `v`.
pub fn second_derivative(v: DVec3, x: DVec3) -> DMat3 {
    let t = Terms::of(v);
    by_vector(v, x, [-t.a, -t.a_slope], [t.b, t.b_slope])
}

/// The inverse of `derivative(v)`: `1 + [v]×/2 + c[v]×²`.
pub fn inverse(v: DVec3) -> DMat3 {
    series(v, 0.5, Terms::of(v).c)
}

/// The derivative of `inverse(v) x` by `v`.
pub fn inverse_derivative(v: DVec3, x: DVec3) -> DMat3 {
    let t = Terms::of(v);
    by_vector(v, x, [0.5, 0.0], [t.c, t.c_slope])
}

fn sinc(x: f64) -> f64 {
    if x < SMALL {
        let s = x * x;
        1.0 - s / 6.0 + s * s / 120.0
    } else {
        x.sin() / x
    }
}

/// `1 + first [v]× + second [v]×²`.
fn series(v: DVec3, first: f64, second: f64) -> DMat3 {
    let c = cross(v);
    DMat3::IDENTITY + c * first + c * c * second
}

/// The derivative of `(1 + f[v]× + g[v]×²) x` by `v`; `f` and `g` come with their slopes over |v|.
fn by_vector(v: DVec3, x: DVec3, [f, f_slope]: [f64; 2], [g, g_slope]: [f64; 2]) -> DMat3 {
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    let (once, twice) = (v.cross(x), v.cross(v.cross(x)));
    cross(x) * -f
        + outer(once * f_slope + twice * g_slope, v)
        + (DMat3::from_diagonal(DVec3::splat(v.dot(x))) + outer(v, x) - outer(x, v) * 2.0) * g
}

/// Factors of the series and their slopes over the angle.
struct Terms {
    a: f64,
    a_slope: f64,
    b: f64,
    b_slope: f64,
    c: f64,
    c_slope: f64,
}

impl Terms {
    fn of(v: DVec3) -> Self {
        let s = v.length_squared();
        let x = s.sqrt();
        // Slopes cancel to the fourth power: their series are used farther out.
        if x < 0.1 {
            let sum = |terms: [f64; 4]| terms[0] + s * (terms[1] + s * (terms[2] + s * terms[3]));
            return Self {
                a: sum([1.0 / 2.0, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0]),
                a_slope: sum([-1.0 / 12.0, 1.0 / 180.0, -1.0 / 6720.0, 1.0 / 453_600.0]),
                b: sum([1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362_880.0]),
                b_slope: sum([-1.0 / 60.0, 1.0 / 1260.0, -1.0 / 60_480.0, 1.0 / 4_989_600.0]),
                c: sum([1.0 / 12.0, 1.0 / 720.0, 1.0 / 30_240.0, 1.0 / 1_209_600.0]),
                c_slope: sum([1.0 / 360.0, 1.0 / 7560.0, 1.0 / 201_600.0, 1.0 / 5_987_520.0]),
            };
        }
        let (sine, cosine) = x.sin_cos();
        let a = (1.0 - cosine) / s;
        let b = (x - sine) / (s * x);
        // x/2 · cot(x/2), and its slope.
        let g = 0.5 * x * sine / (1.0 - cosine);
        let g_slope = 0.5 * sine / (1.0 - cosine) - 0.5 * x / (1.0 - cosine);
        Self {
            a,
            a_slope: (x * sine - 2.0 * (1.0 - cosine)) / (s * s),
            b,
            b_slope: (a - 3.0 * b) / s,
            c: (1.0 - g) / s,
            c_slope: (-g_slope * x - 2.0 * (1.0 - g)) / (s * s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_derivatives_fit_the_exponential() {
        let other = DVec3::new(0.7, -0.4, 1.3);
        for v in [
            DVec3::new(0.3, -1.1, 2.0),
            DVec3::new(1e-6, 2e-6, -1e-6),
            DVec3::ZERO,
            DVec3::new(3e-3, 0.0, 9e-3),
            DVec3::new(0.06, -0.05, 0.06),
            DVec3::new(0.07, -0.05, 0.06),
            DVec3::new(0.0, 0.0, 3.1),
        ] {
            assert!((log(exp(v)) - v).length() < 1e-12, "{v}");
            assert!((exp(v).length() - 1.0).abs() < 1e-15, "{v}");
            assert!((inverse(v) * derivative(v) * other - other).length() < 1e-10, "{v}");
            let step = 1e-6;
            for axis in DVec3::AXES {
                // Central differences are right to step², here 1e-12, and rounding over step, 1e-10.
                let near = |found: DVec3, numeric: [DVec3; 2]| {
                    let numeric = (numeric[0] - numeric[1]) / (2.0 * step);
                    assert!((numeric - found).length() < 1e-8, "{v} {axis}: {numeric} {found}");
                };
                let sides = [1.0, -1.0].map(|side| v + side * step * axis);
                near(derivative(v) * axis, sides.map(|w| log(exp(v).conjugate() * exp(w))));
                near(second_derivative(v, other) * axis, sides.map(|w| derivative(w) * other));
                near(inverse_derivative(v, other) * axis, sides.map(|w| inverse(w) * other));
            }
        }
    }
}
