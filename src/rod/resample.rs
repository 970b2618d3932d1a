//! Curves cut into pieces of equal length along them.
//!
//! A table of length against parameter is inverted at even steps. Vertices lie *on* the curve; the straight segments
//! between them are as long as their chords, so that nothing is strained at the start.

use glam::DVec3;

use super::checks::MIN_LENGTH;
use super::error::{Place, RodError};

/// Splits an open polyline into `segments` pieces.
pub(super) fn polyline(field: &'static str, points: &[DVec3], segments: usize) -> Result<Vec<DVec3>, RodError> {
    let table = lengths(points.iter().copied());
    even_steps(field, &table, segments, |knot, fraction| {
        points[knot].lerp(points[knot + 1], fraction)
    })
}

/// Splits a closed polyline into `segments` pieces; the last runs back to the first point.
pub(super) fn closed_polyline(field: &'static str, points: &[DVec3], segments: usize) -> Result<Vec<DVec3>, RodError> {
    let table = lengths(points.iter().chain(points.first()).copied());
    let mut vertices = even_steps(field, &table, segments, |knot, fraction| {
        points[knot].lerp(points[(knot + 1) % points.len()], fraction)
    })?;
    // The end is the start.
    vertices.pop();
    Ok(vertices)
}

/// Splits a centripetal Catmull–Rom curve through the points into `segments` pieces.
pub(super) fn spline(field: &'static str, points: &[DVec3], segments: usize) -> Result<Vec<DVec3>, RodError> {
    let curve = CatmullRom::new(points);
    let spans = points.len() - 1;
    // Eight entries a segment keep the error of the length far below a hundredth of a segment.
    let entries = (8 * segments / spans).clamp(4, 256);
    let at = |entry: usize, fraction: f64| {
        let parameter = (entry as f64 + fraction) / entries as f64;
        let span = (parameter as usize).min(spans - 1);
        curve.at(span, parameter - span as f64)
    };
    let table = lengths((0..=spans * entries).map(|entry| at(entry, 0.0)));
    even_steps(field, &table, segments, at)
}

/// Length from the first point to each.
fn lengths(points: impl Iterator<Item = DVec3>) -> Vec<f64> {
    let mut total = 0.0;
    let mut previous = None;
    points
        .map(|point| {
            total += previous
                .replace(point)
                .map_or(0.0, |before: DVec3| before.distance(point));
            total
        })
        .collect()
}

/// Positions at `segments` even steps of length, ends included.
fn even_steps(
    field: &'static str,
    table: &[f64],
    segments: usize,
    position: impl Fn(usize, f64) -> DVec3,
) -> Result<Vec<DVec3>, RodError> {
    let total = table.last().copied().unwrap_or(0.0);
    if total < MIN_LENGTH {
        return Err(RodError::ZeroLength {
            at: Place::field(field),
        });
    }
    let last_knot = table.len() - 2;
    let mut knot = 0;
    let vertices = (0..=segments).map(|i| {
        if i == segments {
            return position(last_knot, 1.0);
        }
        let target = total * i as f64 / segments as f64;
        while knot < last_knot && table[knot + 1] <= target {
            knot += 1;
        }
        let span = table[knot + 1] - table[knot];
        let fraction = if span > 0.0 {
            ((target - table[knot]) / span).clamp(0.0, 1.0)
        } else {
            0.0
        };
        position(knot, fraction)
    });
    Ok(vertices.collect())
}

/// Centripetal Catmull–Rom: knots spaced by the square root of the distance, so that it makes no loops or cusps within a
/// span (Yuksel, Schaefer and Keyser 2011). Beyond the ends the neighbour is mirrored.
struct CatmullRom<'points> {
    points: &'points [DVec3],
}

impl<'points> CatmullRom<'points> {
    fn new(points: &'points [DVec3]) -> Self {
        Self { points }
    }

    /// Position in a span, u from 0 to 1.
    fn at(&self, span: usize, u: f64) -> DVec3 {
        let points = self.points;
        let (b, c) = (points[span], points[span + 1]);
        let a = if span > 0 { points[span - 1] } else { b * 2.0 - c };
        let d = points.get(span + 2).copied().unwrap_or(c * 2.0 - b);
        // A point given twice makes a knot interval of zero: leave it out of the tangent instead of dividing by it.
        let (ab, bc, cd) = (knot_interval(a, b), knot_interval(b, c), knot_interval(c, d));
        if bc == 0.0 {
            return b;
        }
        let chord = (c - b) / bc;
        let tangent = |outer: DVec3, inner: f64| {
            if inner == 0.0 {
                chord
            } else {
                outer / inner - (outer + (c - b)) / (inner + bc) + chord
            }
        };
        // Derivatives at b and c with respect to the knot parameter, times the span: a cubic Hermite piece.
        let at_b = tangent(b - a, ab) * bc;
        let at_c = tangent(d - c, cd) * bc;
        let (u2, u3) = (u * u, u * u * u);
        b * (2.0 * u3 - 3.0 * u2 + 1.0) + at_b * (u3 - 2.0 * u2 + u) + c * (3.0 * u2 - 2.0 * u3) + at_c * (u3 - u2)
    }
}

fn knot_interval(from: DVec3, to: DVec3) -> f64 {
    from.distance(to).sqrt()
}
