//! The pen of the pictures: colours, texts, paths and round numbers.

use std::fmt::Write;

use glam::DVec2;

use crate::table::significant;

/// Corners that deviate less from a straight line than this are left out, px.
pub const TOLERANCE: f64 = 0.12;

pub const PAPER: &str = "#fbfaf6";
pub const CARD: &str = "#ffffff";
pub const EDGE: &str = "#e4e0d6";
pub const GRID: &str = "#f1eee6";
pub const INK: &str = "#23282e";
pub const PALE: &str = "#7d828a";
/// Hues that stay apart on a light ground, also for most colour-blind readers (after Okabe and Ito, darkened).
pub const COLOURS: [&str; 8] = [
    "#0b5c99", "#c4500c", "#0a7f62", "#8a3f86", "#a87900", "#b3213f", "#2f7fb8", "#545b66",
];

/// How strong strobe i of n is drawn: the last is full, the others fade with age.
pub fn strength(i: usize, n: usize) -> f64 {
    if i + 1 >= n {
        return 1.0;
    }
    let age = i as f64 / (n - 1) as f64;
    0.12 + 0.36 * age * age
}

/// The largest of 1, 2, 5 × 10ⁿ that is not above.
pub fn nice(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    let lead = length / power;
    power
        * if lead >= 5.0 {
            5.0
        } else if lead >= 2.0 {
            2.0
        } else {
            1.0
        }
}

pub fn metres(length: f64) -> String {
    // `significant` keeps three digits; a round number needs none of them.
    let trimmed = |value: f64| format!("{}", (value * 1e6).round() / 1e6);
    match length {
        l if l >= 1e4 => format!("{} km", trimmed(l / 1e3)),
        l if l >= 1.0 => format!("{} m", trimmed(l)),
        l if l >= 0.01 => format!("{} cm", trimmed(l * 100.0)),
        l if l >= 1e-3 => format!("{} mm", trimmed(l * 1e3)),
        l => format!("{} m", significant(l)),
    }
}

pub fn text(
    out: &mut String,
    at: DVec2,
    size: f64,
    colour: &str,
    anchor: &str,
    weight: &str,
    content: &str,
) -> std::fmt::Result {
    writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"{weight}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>",
        at.x,
        at.y,
        escape(content)
    )
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Adds a polyline to a path, in tenths of a pixel.
pub fn trace(path: &mut String, points: &[DVec2]) -> std::fmt::Result {
    for (i, p) in points.iter().enumerate() {
        write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, p.x, p.y)?;
    }
    Ok(())
}

/// Leaves out corners that cannot be seen (Ramer, Douglas and Peucker), with a stack instead of recursion.
pub fn simplify(points: &[DVec2]) -> Vec<DVec2> {
    let mut keep = vec![false; points.len()];
    let mut spans = vec![(0, points.len().saturating_sub(1))];
    while let Some((a, b)) = spans.pop() {
        keep[a] = true;
        keep[b] = true;
        let farthest = (a + 1..b)
            .map(|i| (distance(points[i], points[a], points[b]), i))
            .max_by(|x, y| x.0.total_cmp(&y.0));
        if let Some((far, i)) = farthest.filter(|(far, _)| *far > TOLERANCE) {
            debug_assert!(far.is_finite());
            spans.extend([(a, i), (i, b)]);
        }
    }
    points
        .iter()
        .zip(keep)
        .filter_map(|(p, keep)| keep.then_some(*p))
        .collect()
}

/// From a point to a segment.
pub fn distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let share = ((p - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    p.distance(a + along * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_are_round() {
        assert_eq!([0.23, 1.0, 7.2, 49.0].map(nice), [0.2, 1.0, 5.0, 20.0]);
        assert_eq!(
            [0.2, 0.005, 5.0, 20_000.0].map(metres),
            ["20 cm", "5 mm", "5 m", "20 km"]
        );
    }

    #[test]
    fn straight_runs_lose_their_inner_points() {
        let straight: Vec<DVec2> = (0..100).map(|i| DVec2::new(f64::from(i), 0.01)).collect();
        assert_eq!(simplify(&straight).len(), 2);
        let corner = [DVec2::ZERO, DVec2::X * 5.0, DVec2::splat(5.0)];
        assert_eq!(simplify(&corner).len(), 3);
    }

    #[test]
    fn names_cannot_break_the_picture() {
        assert_eq!(escape("a<b>&c"), "a&lt;b&gt;&amp;c");
    }
}
