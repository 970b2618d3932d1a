//! How a tube is made, and what can be wrong with that.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How the ends of a tube are closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Caps {
    /// Half a ball, as rods are in contact.
    #[default]
    Round,
    /// A disc with an edge. Where a path ends at a junction of several it is round all the same: discs would leave wedges open.
    Flat,
    /// Not at all: for hair, whose ends nobody sees.
    Open,
}

/// How the tubes of a rod are made. Everything has a default; change what you need.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TubeOptions {
    /// Sides of the tube, 3 to 256.
    pub sides: u32,
    /// Pieces that a segment is divided into along its curve, 1 to 64. One is enough for a rope in the distance.
    pub subdivisions: u32,
    /// How the ends are closed.
    pub caps: Caps,
    /// Length of rod at rest that v goes up by one on, m. Loops take the nearest length that closes the texture.
    pub texture_length: f32,
    /// Drawn radius over the rod's own.
    pub radius_scale: f32,
}

impl Default for TubeOptions {
    fn default() -> Self {
        Self {
            sides: 8,
            subdivisions: 2,
            caps: Caps::Round,
            texture_length: 1.0,
            radius_scale: 1.0,
        }
    }
}

impl TubeOptions {
    /// Check every field.
    pub fn validate(&self) -> Result<(), TubeError> {
        within("sides", self.sides, 3, 256, "from 3 to 256")?;
        within("subdivisions", self.subdivisions, 1, 64, "from 1 to 64")?;
        size("texture_length", self.texture_length)?;
        size("radius_scale", self.radius_scale)
    }

    /// Strips of a round cap from rim to pole, as long as the sides are wide.
    pub(super) fn cap_strips(&self) -> usize {
        (self.sides as usize).div_ceil(4).max(2)
    }
}

/// Why no tube was made; what was there before is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TubeError {
    /// An option outside what makes sense.
    #[error("`{field}` is {value}, but must be {expected}")]
    OutOfRange {
        /// Which.
        field: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// A slice of another length than the rod or the layout asks for.
    #[error("`{field}` has {count} elements, but {expected} are needed")]
    CountMismatch {
        /// Which.
        field: &'static str,
        /// How many there are.
        count: usize,
        /// How many are needed.
        expected: usize,
    },
    /// A number that is not finite, too large to square, or a radius that is not above zero.
    #[error("`{field}[{index}]` is not usable: {value}")]
    BadValue {
        /// Which.
        field: &'static str,
        /// Of which vertex or segment.
        index: usize,
        /// What it is.
        value: String,
    },
    /// More vertices than 32 bits can name.
    #[error("the tubes would have {vertices} vertices, more than an index of 32 bits can name")]
    TooLarge {
        /// How many.
        vertices: usize,
    },
}

fn within(field: &'static str, value: u32, low: u32, high: u32, expected: &'static str) -> Result<(), TubeError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let value = value.into();
    Err(TubeError::OutOfRange { field, value, expected })
}

/// Positive, and its square and the inverse of it are single-precision numbers.
fn size(field: &'static str, value: f32) -> Result<(), TubeError> {
    if (1e-18..=1e18).contains(&value) {
        return Ok(());
    }
    Err(TubeError::OutOfRange {
        field,
        value: value.into(),
        expected: "from 1e-18 to 1e18",
    })
}
