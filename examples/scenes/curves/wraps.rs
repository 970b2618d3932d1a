//! Straight, round and wound curves.

use super::smooth::resample;
use glam::DVec3;
use std::f64::consts::TAU;

/// A straight line.
pub fn straight(from: DVec3, to: DVec3, segment: f64) -> Vec<DVec3> {
    resample(&[from, to], segment)
}

/// A closed ring about `centre` in the plane of two unit vectors, its corners on the circle.
pub fn ring(centre: DVec3, across: DVec3, up: DVec3, radius: f64, segment: f64) -> Vec<DVec3> {
    let count = ((TAU * radius / segment).round() as usize).max(3);
    (0..count)
        .map(|i| {
            let (sine, cosine) = (TAU * i as f64 / count as f64).sin_cos();
            centre + (across * cosine + up * sine) * radius
        })
        .collect()
}

/// A right-handed helix about the y axis, upwards from y = 0. Turns do not overlap for wire thinner than half the pitch.
pub fn helix(radius: f64, pitch: f64, turns: f64, segment: f64) -> Vec<DVec3> {
    let length = turns * (TAU * radius).hypot(pitch);
    let count = ((length / segment).round() as usize).max(1);
    (0..=count)
        .map(|i| {
            let turn = turns * i as f64 / count as f64;
            let (sine, cosine) = (TAU * turn).sin_cos();
            DVec3::new(radius * cosine, pitch * turn, -radius * sine)
        })
        .collect()
}

/// A spring of round wire that stands compressed on y = 0 (which its lowest turn touches) with a gap of a tenth of the wire between turns.
///
/// Wire up to a quarter of the coil's radius; two points a turn at the least leave it far from round.
pub fn slinky(coil_radius: f64, wire_radius: f64, turns: f64, segment: f64) -> Vec<DVec3> {
    let pitch = 2.2 * wire_radius;
    let mut points = helix(coil_radius, pitch, turns, segment);
    for point in &mut points {
        point.y += wire_radius;
    }
    points
}

/// Radius of rope over radius of ring up to which [`chain`] has no overlap: 1/3, less what the corners cut off.
pub const CHAIN_TIGHTEST: f64 = 0.32;

/// Rings linked one into the next along −y, alternating between the planes xy and zy; the first has its centre at the origin.
///
/// Centres are 4/3 of the radius apart: then a ring is as far from the next as from the one after that. Segments of at most a
/// quarter of the radius.
pub fn chain(rings: usize, radius: f64, segment: f64) -> Vec<Vec<DVec3>> {
    (0..rings)
        .map(|i| {
            let centre = DVec3::NEG_Y * (4.0 / 3.0 * radius * i as f64);
            let across = if i % 2 == 0 { DVec3::X } else { DVec3::Z };
            ring(centre, across, DVec3::Y, radius, segment)
        })
        .collect()
}

/// A rope around a bar along the z axis: straight in for `lead`, around by `angle` radians, straight out for `lead`.
///
/// The straight parts leave along the tangents. The wrap climbs 2.5 rope radii a turn, so that turns lie side by side. Corners stand
/// a little further out than the circle of `bar_radius + rope_radius + gap`, so that the middles of segments
/// touch it and none lies in the bar. Any rope up to half the bar's radius; segments up to the bar's radius.
pub fn capstan(bar_radius: f64, rope_radius: f64, gap: f64, angle: f64, lead: f64, segment: f64) -> Vec<DVec3> {
    let touch = bar_radius + rope_radius + gap;
    let count = (angle * touch / segment).ceil().max(1.0);
    let step = angle / count;
    let radius = touch / (0.5 * step).cos();
    let climb = 2.5 * rope_radius / TAU;
    let at = |turned: f64| DVec3::new(radius * turned.cos(), radius * turned.sin(), climb * turned);
    let tangent = |turned: f64| DVec3::new(-radius * turned.sin(), radius * turned.cos(), climb).normalize();
    let leads = (lead / segment).round().max(1.0) as usize;
    let along = |i: usize| lead * i as f64 / leads as f64;
    let mut points: Vec<DVec3> = (1..=leads).rev().map(|i| at(0.0) - tangent(0.0) * along(i)).collect();
    points.extend((0..=count as usize).map(|i| at(step * i as f64)));
    points.extend((1..=leads).map(|i| at(angle) + tangent(angle) * along(i)));
    points
}
