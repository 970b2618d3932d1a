//! Is a knit still knitted?

use std::ops::Range;

use super::gauss::gauss_integral;
use glam::DVec3;

/// The leg of a loop, and the loop of the row below that it goes through: yarn and range of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The leg.
    pub leg: (usize, Range<usize>),
    /// What it goes through.
    pub through: (usize, Range<usize>),
}

/// How far each leg goes around the loop below, in turns: the Gauss integral of the two pieces.
///
/// A leg that comes up through a loop has about half a turn of one sign, its other leg of the other sign; one that was pulled out of the loop lies beside it and has next to nothing.
pub fn leg_links(yarns: &[Vec<DVec3>], legs: &[Leg]) -> Vec<f64> {
    let piece = |(yarn, points): &(usize, Range<usize>)| &yarns[*yarn][points.clone()];
    legs.iter()
        .map(|leg| gauss_integral(piece(&leg.leg), piece(&leg.through)))
        .collect()
}

/// How many legs go through their loops as they did before: nearer to what they had than to nothing.
pub fn kept_legs(before: &[f64], now: &[f64]) -> usize {
    before
        .iter()
        .zip(now)
        .filter(|(before, now)| now.signum() == before.signum() && now.abs() > 0.5 * before.abs())
        .count()
}
