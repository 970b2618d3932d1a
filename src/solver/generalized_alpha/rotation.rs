//! Rotations by their vectors: Rodrigues' formula, its inverse and its derivative.

use glam::{DMat3, DQuat, DVec3};

/// Below this angle, rad, series: the next term is below the rounding of `f64`.
const SMALL: f64 = 1e-4;

/// The rotation about a vector by its length (Rodrigues), of unit length.
pub fn exp(vector: DVec3) -> DQuat {
    let square = vector.length_squared();
    let angle = square.sqrt();
    let factor = if angle < SMALL {
        0.5 - square / 48.0
    } else {
        (0.5 * angle).sin() / angle
    };
    let v = vector * factor;
    DQuat::from_xyzw(v.x, v.y, v.z, (0.5 * angle).cos())
}

/// The vector of a rotation, shorter than π.
pub fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = q.xyz();
    let sine = v.length();
    let factor = if sine < SMALL {
        (2.0 - 2.0 / 3.0 * (sine / q.w).powi(2)) / q.w
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

/// How the rotation changes with its vector, seen from the turned frame: `exp(v + δ) ≈ exp(v) exp(J δ)`.
pub fn derivative(v: DVec3) -> DMat3 {
    let square = v.length_squared();
    let angle = square.sqrt();
    let (first, second) = if angle < SMALL {
        (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0)
    } else {
        ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
    };
    let c = cross(v);
    DMat3::IDENTITY - c * first + c * c * second
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_derivative_fit_the_exponential() {
        for v in [
            DVec3::new(0.3, -1.1, 2.0),
            DVec3::new(1e-6, 2e-6, -1e-6),
            DVec3::ZERO,
            DVec3::new(3e-5, 0.0, 9e-5),
            DVec3::new(0.0, 0.0, 3.1),
        ] {
            assert!((log(exp(v)) - v).length() < 1e-12, "{v}");
            assert!((exp(v).length() - 1.0).abs() < 1e-15, "{v}");
            let step = 1e-6;
            for axis in DVec3::AXES {
                // Central differences are right to step², here 1e-12, and rounding over step, 1e-10.
                let turn = |side: f64| log(exp(v).conjugate() * exp(v + side * step * axis));
                let numeric = (turn(1.0) - turn(-1.0)) / (2.0 * step);
                assert!((numeric - derivative(v) * axis).length() < 1e-8, "{v} {axis}");
            }
        }
    }
}
