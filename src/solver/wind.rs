//! Moving air: a gusty wind field and the drag of a thin cylinder in it.

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::settings::{SettingsError, within};

/// A wind with gusts that travel along it.
///
/// With `D` the direction, `p = 2π/L (D·x − U t)` and `s = Σ 0.7ᵏ sin(0.7ᵏ p)` for `k = 0, 1, 2`, the air moves at
/// `U (s + 10/3 + base)/(base + 20/3) D`: from a breath to about `U`, calmer in proportion as `base` grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Where it blows to; any length but zero.
    pub direction: Vec3,
    /// `U`, m/s.
    pub speed: f32,
    /// `L`, m: the length of a gust. Infinite for a steady wind.
    #[serde(default = "steady", skip_serializing_if = "is_steady")]
    pub wavelength: f32,
    /// Steadiness; 0 is gusty.
    #[serde(default)]
    pub base: f32,
    /// What it does to a rod.
    #[serde(default)]
    pub drag: AirDrag,
}

fn steady() -> f32 {
    f32::INFINITY
}

/// JSON has no infinity: a steady wind leaves the field out.
fn is_steady(wavelength: &f32) -> bool {
    *wavelength == f32::INFINITY
}

/// The force of the air on a segment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum AirDrag {
    /// Cross-flow on a cylinder: `½ ρ C D l |v⊥| v⊥`, with the part of the relative velocity across the segment.
    Cylinder {
        /// kg/m³.
        density: f32,
        /// About 1.2 for a smooth cylinder between Reynolds numbers of 10² and 10⁵.
        coefficient: f32,
    },
    /// The law that paper 1's authors use for trees and bridges: `C |v| v √m l sin∠(v, segment)`, `m` the segment's mass.
    Paper {
        /// `C`.
        coefficient: f32,
    },
}

impl Default for AirDrag {
    /// Air at 15 °C and sea level.
    fn default() -> Self {
        Self::Cylinder {
            density: 1.225,
            coefficient: 1.2,
        }
    }
}

impl Wind {
    /// A steady wind, `velocity` in m/s.
    pub fn steady(velocity: Vec3) -> Self {
        Self {
            direction: velocity.normalize_or(Vec3::X),
            speed: velocity.length(),
            wavelength: steady(),
            base: 0.0,
            drag: AirDrag::default(),
        }
    }

    /// Velocity of the air at a place and time.
    pub fn velocity(&self, place: DVec3, time: f64) -> DVec3 {
        let direction = self.direction.as_dvec3().normalize_or_zero();
        let speed = f64::from(self.speed);
        if self.wavelength.is_infinite() {
            return direction * speed;
        }
        let turns = (direction.dot(place) - speed * time) / f64::from(self.wavelength);
        let gust: f64 = [1.0, 0.7, 0.49].iter().map(|k| k * sine_of_turns(k * turns)).sum();
        let base = f64::from(self.base);
        direction * (speed * (gust + 10.0 / 3.0 + base) / (base + 20.0 / 3.0))
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        if !self.direction.is_finite() || self.direction.length_squared() < 1e-12 {
            return Err(SettingsError::OutOfRange {
                field: "wind.direction",
                value: self.direction.length().into(),
                expected: "a direction of non-zero length",
            });
        }
        within("wind.speed", self.speed.into(), 0.0, 1e4, "from 0 to 10,000 m/s")?;
        within("wind.base", self.base.into(), 0.0, 1e6, "0 or more")?;
        if self.wavelength.is_nan() || self.wavelength <= 0.0 {
            return Err(SettingsError::OutOfRange {
                field: "wind.wavelength",
                value: self.wavelength.into(),
                expected: "above zero",
            });
        }
        let (density, coefficient) = match self.drag {
            AirDrag::Cylinder { density, coefficient } => (density, coefficient),
            AirDrag::Paper { coefficient } => (1.0, coefficient),
        };
        within("wind.drag.density", density.into(), 0.0, 1e6, "0 or more")?;
        within("wind.drag.coefficient", coefficient.into(), 0.0, 1e6, "0 or more")
    }
}

impl AirDrag {
    /// Drag of the air on a segment per relative speed, kg/s, for air that moves at `relative` to it.
    pub(crate) fn resistance(&self, relative: DVec3, edge: DVec3, radius: f64, mass: f64) -> f64 {
        let length = edge.length();
        let along = relative.dot(edge) / length.max(f64::MIN_POSITIVE);
        let across = (relative.length_squared() - along * along).max(0.0).sqrt();
        match *self {
            AirDrag::Cylinder { density, coefficient } => f64::from(density * coefficient) * radius * length * across,
            // |v| sin∠ is the speed across.
            AirDrag::Paper { coefficient } => f64::from(coefficient) * mass.sqrt() * length * across,
        }
    }

    /// The part of the relative velocity that the drag goes along.
    pub(crate) fn driving(&self, relative: DVec3, edge: DVec3) -> DVec3 {
        match self {
            AirDrag::Cylinder { .. } => {
                let tangent = edge.normalize_or_zero();
                relative - tangent * tangent.dot(relative)
            }
            AirDrag::Paper { .. } => relative,
        }
    }
}

/// `sin(2πx)` from sums and products alone: the same bits on every machine, which the platform's sine does not promise. To 1e-15.
fn sine_of_turns(turns: f64) -> f64 {
    let rest = turns - turns.round();
    // Beyond a quarter the sine comes back the way it went.
    let folded = if rest.abs() > 0.25 {
        0.5_f64.copysign(rest) - rest
    } else {
        rest
    };
    let x = folded * std::f64::consts::TAU;
    // Taylor's series to x²¹, of which the next term is below 1e-18 at a quarter turn: 1 − x²/(2·3) (1 − x²/(4·5) (…)).
    let series = (1..=10).rev().fold(1.0, |inner, k| {
        let k = f64::from(2 * k);
        1.0 - x * x / (k * (k + 1.0)) * inner
    });
    x * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sine_is_the_sine() {
        for n in -2000..2000 {
            let turns = f64::from(n) * 0.00317;
            let expected = (std::f64::consts::TAU * turns).sin();
            // The argument of the platform's sine is rounded: 1e-16 of up to forty radians.
            assert!((sine_of_turns(turns) - expected).abs() < 1e-14, "{turns}");
        }
    }
}
