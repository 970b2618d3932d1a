//! Stockinette: rows of loops, each pulled through the loops of the row below.

use super::smooth::resample;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Radius of yarn over width of a stitch up to which [`knit_patch`] has no overlap, with segments of up to two radii.
pub const KNIT_TIGHTEST: f64 = 0.105;

/// Distance of rows over width of a stitch.
const ROW: f64 = 0.777;

/// One row of unit stitches: head at 0, feet at ±π, and so on every 2π.
///
/// `sin 2t` in x makes the neck of the Ω, and `cos 2t` in z takes heads and feet to the front and legs to the back. So a leg goes
/// up behind the head of the row below, and its feet pass before the legs of that row: in, and out again. The three
/// amplitudes and the distance of rows were found by a search for the largest gap between yarns.
fn stitch(t: f64) -> DVec3 {
    DVec3::new(
        t / TAU + 0.236 * (2.0 * t).sin(),
        0.658 * t.cos(),
        0.16 * (2.0 * t).cos(),
    )
}

/// A patch of knit in the plane xy: a yarn a row, bottom row first, from left to right, with a straight tail at both ends.
///
/// The patch begins at x = 0 (without tails) and is `columns · width` wide. Nothing holds the heads of the top row: hold them, or it
/// unravels from there, as knits do.
pub fn knit_patch(rows: usize, columns: usize, width: f64, tail: f64, segment: f64) -> Vec<Vec<DVec3>> {
    /// Points of the curve a stitch before it is spaced evenly.
    const FINE: usize = 256;
    (0..rows)
        .map(|row| {
            let corner = DVec3::new(0.5, ROW * row as f64, 0.0);
            let steps = columns * FINE;
            let mut yarn: Vec<DVec3> = (0..=steps)
                .map(|i| (stitch(TAU * i as f64 / FINE as f64 - PI) + corner) * width)
                .collect();
            if tail > 0.0 {
                yarn.insert(0, yarn[0] - DVec3::X * tail);
                yarn.push(yarn[yarn.len() - 1] + DVec3::X * tail);
            }
            resample(&yarn, segment)
        })
        .collect()
}
