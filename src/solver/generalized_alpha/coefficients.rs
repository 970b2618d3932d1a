//! The weights of a step in time (paper 3, section 4.2), from the spectral radius at infinity or by hand.
//!
//! They are kept as thousandths: a [`Solver`](crate::solver::Solver) is then a key like any other, equal or not to the last bit.

use serde::{Deserialize, Serialize};

/// A number to three decimals, from −32 to 32. In files it is written as the number.
///
/// ```
/// use lariat::solver::Thousandths;
/// assert_eq!(Thousandths::new(0.8).get(), 0.8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Thousandths(i16);

impl Thousandths {
    /// The nearest one. What is no number is 0, what is too large the largest.
    pub const fn new(value: f64) -> Self {
        // Rounds half away from zero; the cast saturates, and takes NaN to 0.
        let half = if value < 0.0 { -0.5 } else { 0.5 };
        Self((value * 1000.0 + half) as i16)
    }

    /// The number.
    pub fn get(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl From<Thousandths> for f64 {
    fn from(value: Thousandths) -> Self {
        value.get()
    }
}

impl TryFrom<f64> for Thousandths {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let near = Self::new(value);
        if (near.get() - value).abs() < 1e-6 {
            return Ok(near);
        }
        Err(format!("{value} is not a number of three decimals between -32 and 32"))
    }
}

/// How generalized-α damps what swings fast against the step.
///
/// ```
/// use lariat::prelude::*;
/// use lariat::solver::Rho;
///
/// let lively = Solver::GeneralizedAlpha { rho: Rho::radius(0.9) };
/// let as_in_the_paper = Solver::GeneralizedAlpha { rho: Rho::weights(0.3, 0.0, 0.7) };
/// assert_ne!(lively, as_in_the_paper);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Rho {
    /// The spectral radius ρ∞, from 0 to 1: what a step leaves of an oscillation that is infinitely fast against it. Second order in time for every ρ∞. 1 is the midpoint rule
    /// and damps nothing, 0 is the second backward difference.
    Radius(Thousandths),
    /// α, β and γ by hand. Stable for `α ≤ 1/2`, `β ≤ 1/2`, `γ ≥ 1/2`; of second order where `α − β + γ = 1/2`, else of first.
    Weights {
        /// The weight of the last step's rates.
        alpha: Thousandths,
        /// The weight of the last step's state.
        beta: Thousandths,
        /// The weight of the new rate in the increment.
        gamma: Thousandths,
    },
}

impl Default for Rho {
    /// 0.5: an oscillation of forty steps a period is hardly damped, one of three steps is gone in a few. Hair that whips about at 30 Hz never gains energy; above some 0.7 it can.
    fn default() -> Self {
        Self::radius(0.5)
    }
}

impl Rho {
    /// By the spectral radius at infinity.
    pub const fn radius(rho: f64) -> Self {
        Self::Radius(Thousandths::new(rho))
    }

    /// By hand.
    pub const fn weights(alpha: f64, beta: f64, gamma: f64) -> Self {
        Self::Weights {
            alpha: Thousandths::new(alpha),
            beta: Thousandths::new(beta),
            gamma: Thousandths::new(gamma),
        }
    }

    /// The name and value of what makes it unstable.
    pub(crate) fn fault(self) -> Option<(&'static str, f64)> {
        let outside = |name, value: f64, low: f64, high: f64| (!(low..=high).contains(&value)).then_some((name, value));
        match self {
            Self::Radius(rho) => outside("solver.rho", rho.get(), 0.0, 1.0),
            Self::Weights { alpha, beta, gamma } => outside("solver.rho.alpha", alpha.get(), -32.0, 0.5)
                .or_else(|| outside("solver.rho.beta", beta.get(), 0.0, 0.5))
                .or_else(|| outside("solver.rho.gamma", gamma.get(), 0.5, 32.0)),
        }
    }
}

/// α, β and γ of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub alpha: f64,
    pub beta: f64,
    pub gamma: f64,
}

impl Weights {
    /// Implicit Euler: it asks for nothing of the past. The first step of a rod is taken so; one step of first order leaves the whole of second order.
    pub const EULER: Self = Self {
        alpha: 0.0,
        beta: 0.0,
        gamma: 1.0,
    };

    /// Paper 3 section 4.2 with λ∞ = −ρ∞. (The paper says α ∈ [0, 1]; its own formula goes down to −1/2, at λ∞ = 0.)
    pub fn of(rho: Rho) -> Self {
        match rho {
            Rho::Radius(rho) => {
                let rho = rho.get();
                Self {
                    alpha: (3.0 * rho - 1.0) / (2.0 * rho + 2.0),
                    beta: rho / (rho + 1.0),
                    gamma: 1.0 / (1.0 + rho),
                }
            }
            Rho::Weights { alpha, beta, gamma } => Self {
                alpha: alpha.get(),
                beta: beta.get(),
                gamma: gamma.get(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_radius_gives_second_order_and_its_own_damping_at_infinity() {
        for thousandths in [0, 250, 500, 800, 1000] {
            let rho = f64::from(thousandths) / 1000.0;
            let w = Weights::of(Rho::radius(rho));
            assert!((w.alpha - w.beta + w.gamma - 0.5).abs() < 1e-12, "{rho}");
            // x' + kx = 0 as k∞: (x, x') → (x, x') with (1 − β) x₁ + β x₀ = 0, so x₁ = −ρ x₀.
            assert!((w.beta / (1.0 - w.beta) - rho).abs() < 1e-12, "{rho}");
            // The double eigenvalue of the smooth choice: the rate is damped alike, (1 − γ)/γ = ρ.
            assert!(((1.0 - w.gamma) / w.gamma - rho).abs() < 1e-12, "{rho}");
            assert_eq!(Rho::radius(rho).fault(), None);
        }
    }

    #[test]
    fn weights_that_blow_up_are_found() {
        assert_eq!(Rho::radius(1.2).fault(), Some(("solver.rho", 1.2)));
        assert_eq!(Rho::radius(-0.1).fault(), Some(("solver.rho", -0.1)));
        assert_eq!(Rho::weights(0.7, 0.0, 0.7).fault(), Some(("solver.rho.alpha", 0.7)));
        assert_eq!(Rho::weights(0.3, 0.6, 0.7).fault(), Some(("solver.rho.beta", 0.6)));
        assert_eq!(Rho::weights(0.3, 0.0, 0.4).fault(), Some(("solver.rho.gamma", 0.4)));
        assert_eq!(Rho::weights(0.4, 0.0, 1.0).fault(), None);
        assert_eq!(Thousandths::new(f64::NAN).get(), 0.0);
        assert!(Thousandths::try_from(f64::NAN).is_err() && Thousandths::try_from(0.8004).is_err());
        assert_eq!(Thousandths::try_from(-0.123).map(Thousandths::get), Ok(-0.123));
    }
}
