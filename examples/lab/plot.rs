//! The plot of a comparison: error against cost, both by powers of ten, a panel a scene and a colour a solver.

use std::fmt::Write;

use glam::DVec2;

use crate::{
    compare::Comparison,
    ink::{CARD, COLOURS, EDGE, GRID, INK, PALE, PAPER, text, trace},
    scenes::names::{solver_name, solvers},
    table::cut,
};

const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 28.0;
const HEADER: f64 = 92.0;
const GAP: f64 = 18.0;
const HEIGHT: f64 = 330.0;
/// Room for the numbers of the axes, px: left, above, right, below.
const FRAME: [f64; 4] = [62.0, 34.0, 28.0, 44.0];

/// Draws all scenes that were compared.
pub fn svg(compared: &[Comparison]) -> String {
    let columns = compared.len().clamp(1, 2);
    let width = (WIDTH - 2.0 * MARGIN - GAP * (columns as f64 - 1.0)) / columns as f64;
    let rows = compared.len().div_ceil(columns);
    let height = HEADER + rows as f64 * (HEIGHT + GAP) - GAP + MARGIN;
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = page(&mut out, height);
    for (i, comparison) in compared.iter().enumerate() {
        let place = DVec2::new(
            (i % columns) as f64 * (width + GAP),
            (i / columns) as f64 * (HEIGHT + GAP),
        );
        let _ = panel(
            &mut out,
            DVec2::new(MARGIN, HEADER) + place,
            DVec2::new(width, HEIGHT),
            comparison,
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The ground, the title and the legend.
fn page(out: &mut String, height: f64) -> std::fmt::Result {
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         font-family=\"Inter, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif\" fill=\"{INK}\">"
    )?;
    writeln!(out, "<title>Error against cost</title>")?;
    writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>")?;
    text(
        out,
        DVec2::new(MARGIN, 34.0),
        19.0,
        INK,
        "start",
        "600",
        "Error against cost",
    )?;
    let axes = "rms distance of vertices to a fine reference, over ms of one core for a simulated second; lower left is better";
    text(out, DVec2::new(WIDTH - MARGIN, 34.0), 12.0, PALE, "end", "400", axes)?;
    let mut x = MARGIN;
    for (k, solver) in solvers().iter().enumerate() {
        let name = solver_name(solver);
        dot(out, DVec2::new(x + 5.0, 62.0), k)?;
        text(out, DVec2::new(x + 15.0, 66.0), 12.0, INK, "start", "400", &name)?;
        x += 34.0 + 6.4 * name.chars().count() as f64;
    }
    Ok(())
}

fn dot(out: &mut String, at: DVec2, solver: usize) -> std::fmt::Result {
    writeln!(
        out,
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"/>",
        at.x,
        at.y,
        COLOURS[solver % COLOURS.len()]
    )
}

/// Powers of ten around positive values, at least one decade.
fn decades(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(f64::log10);
    let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if low > high {
        return (0, 1);
    }
    let (low, high) = (low.floor() as i32, high.ceil() as i32);
    (low, high.max(low + 1))
}

/// A power of ten as people write it.
fn power(exponent: i32, unit: &str) -> String {
    match (exponent, unit) {
        (-3..0, "m") => format!("{} mm", 10_i32.pow((exponent + 3) as u32)),
        (-6..-3, "m") => format!("{} µm", 10_i32.pow((exponent + 6) as u32)),
        (3.., "ms") => power(exponent - 3, "s"),
        (0..3, _) => format!("{} {unit}", 10_i32.pow(exponent as u32)),
        (-2..0, _) => format!("{} {unit}", 10_f64.powi(exponent)),
        _ => format!("1e{exponent} {unit}"),
    }
}

fn panel(out: &mut String, corner: DVec2, size: DVec2, comparison: &Comparison) -> std::fmt::Result {
    let [left, above, right, below] = FRAME;
    writeln!(
        out,
        "<g><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"10\" fill=\"{CARD}\" stroke=\"{EDGE}\"/>",
        corner.x, corner.y, size.x, size.y
    )?;
    let title = corner + DVec2::new(16.0, 22.0);
    text(out, title, 13.0, INK, "start", "600", &comparison.scene.name)?;
    let measured = &comparison.measured;
    let (first, last) = decades(measured.iter().map(|m| m.second));
    // What diverged is not worth a decade each; it stands as far off as anything goes.
    let most = comparison.way().max(f64::MIN_POSITIVE);
    let (low, high) = decades(measured.iter().map(|m| m.error.rms.min(most)));
    let area = size - DVec2::new(left + right, above + below);
    let place = |cost: f64, error: f64| {
        let x = (cost.log10() - f64::from(first)) / f64::from(last - first);
        let y = (error.log10() - f64::from(low)) / f64::from(high - low);
        corner + DVec2::new(left + area.x * x, above + area.y * (1.0 - y))
    };
    let mut lines = String::new();
    for k in first..=last {
        let at = place(10_f64.powi(k), 10_f64.powi(low));
        write!(lines, "M{:.1} {:.1}v{:.1}", at.x, at.y, -area.y)?;
        text(
            out,
            at + DVec2::new(0.0, 16.0),
            10.5,
            PALE,
            "middle",
            "400",
            &power(k, "ms"),
        )?;
    }
    for k in low..=high {
        let at = place(10_f64.powi(first), 10_f64.powi(k));
        write!(lines, "M{:.1} {:.1}h{:.1}", at.x, at.y, area.x)?;
        text(
            out,
            at + DVec2::new(-6.0, 3.5),
            10.5,
            PALE,
            "end",
            "400",
            &power(k, "m"),
        )?;
    }
    writeln!(out, "<path d=\"{lines}\" stroke=\"{GRID}\" fill=\"none\"/>")?;
    for (k, solver) in solvers().into_iter().enumerate() {
        let rows = comparison.rows.iter().zip(measured);
        let mut own: Vec<(f64, f64)> = rows
            .filter(|(row, m)| row.solver == solver && m.error.rms > 0.0 && m.second > 0.0)
            .map(|(_, m)| (m.second, m.error.rms.min(most)))
            .collect();
        own.sort_by(|a, b| a.0.total_cmp(&b.0));
        // What a solver can do at its best: each further point is nearer than all that are cheaper.
        let mut nearest = f64::INFINITY;
        let mut best = Vec::new();
        for &(cost, error) in own.iter().filter(|(_, error)| error.is_finite()) {
            if error < nearest {
                nearest = error;
                best.push(place(cost, error));
            }
        }
        let mut path = String::new();
        trace(&mut path, &best)?;
        let colour = COLOURS[k % COLOURS.len()];
        writeln!(
            out,
            "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"1.4\" fill=\"none\" opacity=\"0.55\"/>"
        )?;
        for (cost, error) in own {
            dot(out, place(cost, error), k)?;
        }
    }
    let foot = corner + DVec2::new(left, size.y - 10.0);
    for (k, (solver, why)) in comparison.refused.iter().enumerate() {
        let note = cut(&format!("not for {}: {why}", solver_name(solver)), 84);
        text(
            out,
            foot - DVec2::new(0.0, 12.0 * k as f64),
            10.5,
            PALE,
            "start",
            "400",
            &note,
        )?;
    }
    writeln!(out, "</g>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_span_whole_decades() {
        assert_eq!(decades([0.02, 3.0].into_iter()), (-2, 1));
        assert_eq!(decades([1.0].into_iter()), (0, 1));
        assert_eq!(decades([f64::NAN, 0.0].into_iter()), (0, 1));
        assert_eq!(
            [power(-2, "m"), power(-5, "m"), power(4, "ms"), power(-1, "ms")],
            ["10 mm", "10 µm", "10 s", "0.1 ms"]
        );
    }
}
