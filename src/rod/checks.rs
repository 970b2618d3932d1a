//! Checks of single numbers, vectors and indices, shared by specs, builders and descriptions.

use glam::{DQuat, DVec3};

use super::error::{Place, RodError};

/// Greatest number of vertices, segments or joints of one rod. A typo such as `u32::MAX` segments is an error, not an
/// attempt to allocate; a million-strand groom is many rods, not one.
pub const MAX_ELEMENTS: usize = 1 << 22;

/// Shortest segment, m. Far below any fibre; it keeps 1/l² of the solvers well inside `f32`.
pub(super) const MIN_LENGTH: f64 = 1e-9;

/// Range of positive quantities: what survives the solvers' `f32` (1e±38) with room for a product.
pub(super) const SMALLEST: f64 = 1e-30;
pub(super) const LARGEST: f64 = 1e30;

/// Farthest coordinate, m. Beyond it even `f64` resolves no better than 10 cm.
const FARTHEST: f64 = 1e15;

/// How far from 1 the length of a quaternion may be: room for one written by hand with five digits.
const UNIT_TOLERANCE: f64 = 1e-4;

/// Below this, a quaternion is left as it is, so that reading back what was written changes no bit.
const UNIT_EXACT: f64 = 1e-12;

pub(super) fn finite(at: Place, value: f64) -> Result<f64, RodError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(RodError::NotFinite { at })
    }
}

pub(super) fn positive(at: Place, value: f64) -> Result<f64, RodError> {
    finite(at, value)?;
    if value <= 0.0 {
        Err(RodError::NotPositive { at, value })
    } else if !(SMALLEST..=LARGEST).contains(&value) {
        Err(RodError::OutsideRange {
            at,
            value,
            low: SMALLEST,
            high: LARGEST,
        })
    } else {
        Ok(value)
    }
}

pub(super) fn not_negative(at: Place, value: f64) -> Result<f64, RodError> {
    finite(at, value)?;
    if value < 0.0 {
        Err(RodError::Negative { at, value })
    } else if value > LARGEST {
        Err(RodError::OutsideRange {
            at,
            value,
            low: 0.0,
            high: LARGEST,
        })
    } else {
        Ok(value)
    }
}

pub(super) fn position(at: Place, value: DVec3) -> Result<DVec3, RodError> {
    if !value.is_finite() {
        return Err(RodError::NotFinite { at });
    }
    let farthest = value.abs().max_element();
    if farthest > FARTHEST {
        return Err(RodError::OutsideRange {
            at,
            value: farthest,
            low: -FARTHEST,
            high: FARTHEST,
        });
    }
    Ok(value)
}

/// A vector that only gives a direction, made unit.
pub(super) fn direction(at: Place, value: DVec3) -> Result<DVec3, RodError> {
    if !value.is_finite() {
        return Err(RodError::NotFinite { at });
    }
    // Scaled first: the square of a tiny or huge vector would under- or overflow.
    let scale = value.abs().max_element();
    if scale < f64::MIN_POSITIVE {
        return Err(RodError::NoDirection { at });
    }
    Ok((value / scale).normalize())
}

pub(super) fn count(at: Place, count: usize, least: usize) -> Result<usize, RodError> {
    if count == 0 {
        Err(RodError::Empty { at })
    } else if count < least {
        Err(RodError::TooFew { at, count, least })
    } else if count > MAX_ELEMENTS {
        Err(RodError::TooMany {
            at,
            count,
            limit: MAX_ELEMENTS,
        })
    } else {
        Ok(count)
    }
}

pub(super) fn at_most(at: Place, count: usize) -> Result<(), RodError> {
    if count > MAX_ELEMENTS {
        Err(RodError::TooMany {
            at,
            count,
            limit: MAX_ELEMENTS,
        })
    } else {
        Ok(())
    }
}

pub(super) fn index(at: Place, target: u32, count: usize) -> Result<usize, RodError> {
    if (target as usize) < count {
        Ok(target as usize)
    } else {
        Err(RodError::OutOfRange { at, target, count })
    }
}

pub(super) fn unit(at: Place, quaternion: &mut DQuat) -> Result<(), RodError> {
    if !quaternion.is_finite() {
        return Err(RodError::NotFinite { at });
    }
    let length = quaternion.length();
    if (length - 1.0).abs() > UNIT_TOLERANCE {
        return Err(RodError::NotUnit { at, length });
    }
    if (length - 1.0).abs() > UNIT_EXACT {
        *quaternion = quaternion.normalize();
    }
    Ok(())
}
