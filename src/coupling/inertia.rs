//! Inertia from its inverse, of which some axes may be locked.
//!
//! The inverse of a wheel on an axle is singular, along any direction. Its eigenvalues are found by Jacobi's rotations (products and roots only, so
//! that the bits are the same on every machine), and where they vanish the inertia is that much larger than about the free axes.

use glam::{DMat3, DVec3};

/// About a locked axis a body has so many times the inertia of its freest one: nothing turns it, and the free axes keep half of the digits.
const LOCKED: f64 = 1e8;
/// An inverse inertia below this, 1/(kg·m²), is none, and above that nonsense.
const LEAST: f64 = 1e-18;
const MOST: f64 = 1e18;
/// How far below zero rounding (of a host in single precision) may take what is zero, relative to the whole.
const ROUNDING: f64 = 1e-5;

/// The inertia whose inverse is given. Axes that are locked get one that nothing turns; `None` when all are.
pub(super) fn inertia(inverse: DMat3) -> Option<DMat3> {
    let inverse = symmetric(inverse);
    let size = trace(inverse);
    if size < LEAST {
        return None;
    }
    // In units of its size: nothing over- or underflows.
    let scaled = inverse * (1.0 / size);
    // Three equal axes have 1/27.
    if scaled.determinant() > 1e-6 {
        return Some(scaled.inverse() * (1.0 / size));
    }
    let (values, axes) = eigen(scaled);
    let least = values.max_element() / LOCKED;
    let moments = values.to_array().map(|value| 1.0 / (value.max(least) * size));
    Some(axes * DMat3::from_diagonal(moments.into()) * axes.transpose())
}

/// Whether a matrix can be an inverse inertia: no axis has a negative one.
pub(super) fn is_inverse_inertia(inverse: DMat3) -> bool {
    let m = symmetric(inverse);
    let size = trace(m);
    let [a, b, c] = [m.x_axis.x, m.y_axis.y, m.z_axis.z];
    let [d, e, f] = [m.x_axis.y, m.x_axis.z, m.y_axis.z];
    let least = -ROUNDING * size;
    // Not so of NaN.
    (0.0..=MOST).contains(&size)
        && inverse.is_finite()
        && a.min(b).min(c) >= least
        && (a * b - d * d).min(a * c - e * e).min(b * c - f * f) >= least * size
        && m.determinant() >= least * size * size
}

fn symmetric(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// Eigenvalues of a symmetric matrix, and its axes as columns.
fn eigen(mut m: DMat3) -> (DVec3, DMat3) {
    let mut axes = DMat3::IDENTITY;
    // Each sweep squares what is left off the diagonal: six are more than enough.
    for _ in 0..6 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = m.col(q)[p];
            if off == 0.0 {
                continue;
            }
            // t² + 2 t cot 2φ = 1, the smaller root.
            let cot = (m.col(q)[q] - m.col(p)[p]) / (2.0 * off);
            let tangent = 1.0f64.copysign(cot) / (cot.abs() + (cot * cot + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(q)[p] = sine;
            turn.col_mut(p)[q] = -sine;
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    (DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z), axes)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    fn turned(moments: DVec3, turn: DQuat) -> DMat3 {
        let turn = DMat3::from_quat(turn);
        turn * DMat3::from_diagonal(moments) * turn.transpose()
    }

    /// Free axes have the inverse of what is given, to the digits that a ratio of 1e8 leaves; locked ones do not turn.
    #[test]
    fn free_axes_keep_their_inertia_beside_locked_ones() {
        for turn in [DQuat::IDENTITY, DQuat::from_scaled_axis(DVec3::new(0.7, -1.9, 0.4))] {
            for given in [
                DVec3::new(100.0, 50.0, 30.0),
                DVec3::new(0.01, 0.0, 0.0),
                DVec3::new(0.0, 200.0, 3.0),
                DVec3::new(1e3, 0.1, 0.0),
            ] {
                let found = inertia(turned(given, turn)).expect("it turns");
                for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                    let (inverse, axis) = (given.dot(axis), turn * axis);
                    let moment = axis.dot(found * axis);
                    if inverse > 0.0 {
                        assert!(
                            (moment * inverse - 1.0).abs() < 1e-6,
                            "{given} {turn}: {moment} {inverse}"
                        );
                    } else {
                        assert!(moment * given.max_element() > 0.9e8, "{given} {turn}: {moment}");
                    }
                }
            }
        }
        assert!(inertia(DMat3::ZERO).is_none());
    }

    #[test]
    fn negative_inertia_is_refused() {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.7, -1.9, 0.4));
        for (moments, good) in [
            (DVec3::new(100.0, 50.0, 30.0), true),
            (DVec3::new(100.0, 0.0, 0.0), true),
            (DVec3::ZERO, true),
            (DVec3::new(100.0, -50.0, 100.0), false),
            (DVec3::new(1.0, -1.0, -1.0), false),
            (DVec3::splat(-1.0), false),
        ] {
            // As a host in single precision has it.
            let given = turned(moments, turn).as_mat3().as_dmat3();
            assert_eq!(is_inverse_inertia(given), good, "{moments}");
        }
    }
}
