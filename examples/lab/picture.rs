//! The picture of a run: an SVG with the rods strobed over time, older ones fainter, in two views of one scale.

use std::fmt::Write;

use glam::{DVec2, DVec3};

use crate::{
    outline::{Line, chosen, lines, pieces},
    scenes::{Scene, runner::Run},
    table::{cut, grouped, significant, wrap},
};

const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 36.0;
const HEADER: f64 = 104.0;
const GAP: f64 = 20.0;
const INSET: f64 = 34.0;
const PANEL: f64 = (WIDTH - 2.0 * MARGIN - GAP) / 2.0;
/// Corners that deviate less from a straight line than this are left out, px.
const TOLERANCE: f64 = 0.12;

const PAPER: &str = "#fbfaf6";
const CARD: &str = "#ffffff";
const EDGE: &str = "#e4e0d6";
const GRID: &str = "#f1eee6";
const INK: &str = "#23282e";
const PALE: &str = "#7d828a";
/// Hues that stay apart on a light ground, also for most colour-blind readers (after Okabe and Ito, darkened).
const COLOURS: [&str; 8] = [
    "#0b5c99", "#c4500c", "#0a7f62", "#8a3f86", "#a87900", "#b3213f", "#2f7fb8", "#545b66",
];

/// An orthographic view.
struct View {
    title: &'static str,
    right: DVec3,
    up: DVec3,
}

impl View {
    fn front() -> Self {
        Self {
            title: "front",
            right: DVec3::X,
            up: DVec3::Y,
        }
    }

    /// From the front, 35° round to the right and 20° up: what is flat in the front view shows its depth here.
    fn three_quarter() -> Self {
        let (turn_sin, turn_cos) = 35f64.to_radians().sin_cos();
        let (lift_sin, lift_cos) = 20f64.to_radians().sin_cos();
        Self {
            title: "three-quarter",
            right: DVec3::new(turn_cos, 0.0, -turn_sin),
            up: DVec3::new(-turn_sin * lift_sin, lift_cos, -turn_cos * lift_sin),
        }
    }

    fn project(&self, p: DVec3) -> DVec2 {
        DVec2::new(p.dot(self.right), p.dot(self.up))
    }
}

/// A box around projected points.
#[derive(Clone, Copy)]
struct Bounds {
    low: DVec2,
    high: DVec2,
}

impl Bounds {
    fn of(points: impl Iterator<Item = DVec2>) -> Self {
        let empty = Self {
            low: DVec2::INFINITY,
            high: DVec2::NEG_INFINITY,
        };
        let bounds = points.fold(empty, |b, p| Self {
            low: b.low.min(p),
            high: b.high.max(p),
        });
        if bounds.low.is_finite() {
            bounds
        } else {
            Self {
                low: DVec2::ZERO,
                high: DVec2::ONE,
            }
        }
    }

    fn size(&self) -> DVec2 {
        (self.high - self.low).max(DVec2::splat(1e-6))
    }

    fn centre(&self) -> DVec2 {
        0.5 * (self.low + self.high)
    }
}

/// A view placed on the paper.
struct Placed {
    view: View,
    corner: DVec2,
    size: DVec2,
    /// The point of the view's plane that is at the panel's middle, m.
    centre: DVec2,
    /// px a metre.
    scale: f64,
}

impl Placed {
    fn map(&self, p: DVec3) -> DVec2 {
        let offset = (self.view.project(p) - self.centre) * self.scale;
        self.corner + 0.5 * self.size + DVec2::new(offset.x, -offset.y)
    }
}

/// Draws the run.
pub fn svg(scene: &Scene, run: &Run) -> String {
    let lines = lines(run);
    let views = [View::front(), View::three_quarter()];
    let bounds = views.map(|view| {
        let drawn = run
            .strobes
            .iter()
            .flat_map(|strobe| lines.iter().flat_map(|line| pieces(line, strobe)));
        let bounds = Bounds::of(drawn.flatten().map(|p| view.project(p)));
        (view, bounds)
    });
    // One scale for both views, and panels as high as the contents need.
    let widest = bounds.iter().map(|(_, b)| b.size().x).fold(0.0, f64::max);
    let highest = bounds.iter().map(|(_, b)| b.size().y).fold(0.0, f64::max);
    let inner = PANEL - 2.0 * INSET;
    let height = (inner * highest / widest + 2.0 * INSET + 30.0).clamp(300.0, 760.0);
    let scale = (inner / widest).min((height - 2.0 * INSET - 30.0) / highest);
    let size = DVec2::new(PANEL, height);

    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = page(&mut out, HEADER + height + MARGIN, scene, run);
    for (i, (view, bounds)) in bounds.into_iter().enumerate() {
        let panel = Placed {
            view,
            corner: DVec2::new(MARGIN + i as f64 * (PANEL + GAP), HEADER),
            size,
            // A little room below for the scale bar.
            centre: bounds.centre() - DVec2::new(0.0, 12.0 / scale),
            scale,
        };
        let _ = draw(&mut out, &panel, run, &lines);
    }
    out.push_str("</svg>\n");
    out
}

/// The ground, the title and the legend.
fn page(out: &mut String, height: f64, scene: &Scene, run: &Run) -> std::fmt::Result {
    let report = &run.report;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         font-family=\"Inter, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif\" fill=\"{INK}\">"
    )?;
    writeln!(out, "<title>{}</title>", escape(&report.scene))?;
    writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>")?;
    text(out, DVec2::new(MARGIN, 40.0), 22.0, INK, "start", "600", &report.scene)?;
    let facts = format!(
        "{} vertices · {:.2} s at {} Hz · {} × {} · {}",
        grouped(report.vertices),
        run.seconds,
        report.hz,
        report.substeps,
        report.iterations,
        report.solver
    );
    text(out, DVec2::new(WIDTH - MARGIN, 40.0), 12.5, PALE, "end", "400", &facts)?;
    let about = wrap(&scene.about, 120).into_iter().next().unwrap_or_default();
    let about = if about.len() < scene.about.trim().len() {
        format!("{about} …")
    } else {
        about
    };
    text(out, DVec2::new(MARGIN, 62.0), 13.0, PALE, "start", "400", &about)?;
    legend(out, run)
}

/// A swatch and a name for each group of rods, and the ramp of time.
fn legend(out: &mut String, run: &Run) -> std::fmt::Result {
    let mut x = MARGIN;
    for (g, group) in run.groups.iter().enumerate().take(8) {
        let name = match group.ids.len() {
            1 => cut(&group.name, 18),
            n => format!("{} × {}", cut(&group.name, 18), grouped(n)),
        };
        writeln!(
            out,
            "<path d=\"M{x:.1} 84h18\" stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\"/>",
            COLOURS[g % COLOURS.len()]
        )?;
        text(out, DVec2::new(x + 25.0, 88.0), 12.0, INK, "start", "400", &name)?;
        x += 48.0 + 7.0 * name.chars().count() as f64;
    }
    let count = run.strobes.len();
    let step = 9.0;
    let right = WIDTH - MARGIN - 62.0;
    let left = right - step * count as f64;
    for i in 0..count {
        writeln!(
            out,
            "<path d=\"M{:.1} 78v11\" stroke=\"{INK}\" stroke-width=\"3\" stroke-linecap=\"round\" opacity=\"{:.2}\"/>",
            left + step * (i as f64 + 0.5),
            strength(i, count)
        )?;
    }
    text(out, DVec2::new(left - 8.0, 88.0), 12.0, PALE, "end", "400", "t = 0")?;
    text(
        out,
        DVec2::new(right + 8.0, 88.0),
        12.0,
        INK,
        "start",
        "400",
        &format!("{:.2} s", run.seconds),
    )
}

/// How strong strobe i of n is drawn: the last is full, the others fade with age.
fn strength(i: usize, n: usize) -> f64 {
    if i + 1 >= n {
        return 1.0;
    }
    let age = i as f64 / (n - 1) as f64;
    0.07 + 0.38 * age * age
}

fn draw(out: &mut String, panel: &Placed, run: &Run, lines: &[Line]) -> std::fmt::Result {
    let Placed { corner, size, .. } = *panel;
    writeln!(
        out,
        "<g><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"10\" fill=\"{CARD}\" stroke=\"{EDGE}\"/>",
        corner.x, corner.y, size.x, size.y
    )?;
    let bar = nice(110.0 / panel.scale);
    grid(out, panel, bar)?;
    let count = run.strobes.len();
    for (i, strobe) in run.strobes.iter().enumerate() {
        let last = i + 1 == count;
        let mut paths: std::collections::BTreeMap<(usize, u32), String> = std::collections::BTreeMap::new();
        for line in chosen(lines, last) {
            let width = stroke(line.radius, panel.scale, lines.len(), last);
            let path = paths.entry((line.group, (width * 100.0) as u32)).or_default();
            for piece in pieces(line, strobe) {
                let flat: Vec<DVec2> = piece.into_iter().map(|p| panel.map(p)).collect();
                trace(path, &simplify(&flat))?;
            }
        }
        writeln!(
            out,
            "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" opacity=\"{:.2}\">",
            strength(i, count)
        )?;
        for ((group, width), path) in paths {
            writeln!(
                out,
                "<path stroke=\"{}\" stroke-width=\"{:.2}\" d=\"{path}\"/>",
                COLOURS[group % COLOURS.len()],
                f64::from(width) / 100.0
            )?;
        }
        writeln!(out, "</g>")?;
    }
    pins(out, panel, run, lines)?;
    furniture(out, panel, bar)?;
    writeln!(out, "</g>")
}

/// A line's width, px: the rod's own if that can be seen, thinner where many are drawn.
fn stroke(radius: f64, scale: f64, lines: usize, last: bool) -> f64 {
    let least = match lines {
        0..=20 => 1.8,
        21..=80 => 1.2,
        _ => 0.7,
    };
    let width = (2.0 * radius * scale).clamp(least, 9.0);
    // Steps of an eighth of the width, so that lines of like width share a path.
    let width = 1.125f64.powf((width.ln() / 1.125f64.ln()).round());
    if last { width } else { width.min(2.5) }
}

/// Faint lines a scale bar apart, with the origin's a little stronger.
fn grid(out: &mut String, panel: &Placed, step: f64) -> std::fmt::Result {
    let Placed {
        corner,
        size,
        centre,
        scale,
        ..
    } = *panel;
    let half = 0.5 * size / scale;
    let mut path = String::new();
    let (first, last) = (
        ((centre.x - half.x) / step).ceil() as i64,
        ((centre.x + half.x) / step).floor() as i64,
    );
    for i in first..=last {
        let x = corner.x + 0.5 * size.x + (i as f64 * step - centre.x) * scale;
        write!(path, "M{x:.1} {:.1}v{:.1}", corner.y + 1.0, size.y - 2.0)?;
    }
    let (first, last) = (
        ((centre.y - half.y) / step).ceil() as i64,
        ((centre.y + half.y) / step).floor() as i64,
    );
    for i in first..=last {
        let y = corner.y + 0.5 * size.y - (i as f64 * step - centre.y) * scale;
        write!(path, "M{:.1} {y:.1}h{:.1}", corner.x + 1.0, size.x - 2.0)?;
    }
    writeln!(out, "<path d=\"{path}\" stroke=\"{GRID}\" fill=\"none\"/>")
}

/// A ring at every vertex that is held, where it is at the end (unless there are too many to help).
fn pins(out: &mut String, panel: &Placed, run: &Run, lines: &[Line]) -> std::fmt::Result {
    let Some(strobe) = run.strobes.last() else {
        return Ok(());
    };
    let mut rods: Vec<(usize, usize)> = lines.iter().map(|line| (line.rod, line.group)).collect();
    rods.dedup();
    let held = rods.iter().flat_map(|(rod, group)| {
        let pins = run.groups[*group].description.pins();
        pins.iter().map(move |pin| (*rod, *group, *pin as usize))
    });
    let held: Vec<_> = held.collect();
    if held.len() > 200 {
        return Ok(());
    }
    for (rod, group, pin) in held {
        let Some(p) = strobe
            .rods
            .get(rod)
            .and_then(|positions| positions.get(pin))
            .filter(|p| p.is_finite())
        else {
            continue;
        };
        let at = panel.map(*p);
        writeln!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.4\" fill=\"{CARD}\" stroke=\"{}\" stroke-width=\"1.8\"/>",
            at.x,
            at.y,
            COLOURS[group % COLOURS.len()]
        )?;
    }
    Ok(())
}

/// The name of the view, the axes and the scale bar.
fn furniture(out: &mut String, panel: &Placed, bar: f64) -> std::fmt::Result {
    let Placed {
        corner, size, scale, ..
    } = *panel;
    text(
        out,
        corner + DVec2::new(16.0, 24.0),
        12.0,
        PALE,
        "start",
        "600",
        panel.view.title,
    )?;
    let foot = corner + DVec2::new(42.0, size.y - 26.0);
    for (axis, name, colour) in [
        (DVec3::X, "x", "#b3213f"),
        (DVec3::Y, "y", "#0a7f62"),
        (DVec3::Z, "z", "#0b5c99"),
    ] {
        let flat = panel.view.project(axis) * 24.0;
        let tip = foot + DVec2::new(flat.x, -flat.y);
        if flat.length() < 2.0 {
            continue;
        }
        writeln!(
            out,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-linecap=\"round\"/>",
            foot.x, foot.y, tip.x, tip.y
        )?;
        let label = foot + (tip - foot) * (1.0 + 9.0 / (tip - foot).length()) + DVec2::new(0.0, 3.5);
        text(out, label, 10.5, colour, "middle", "600", name)?;
    }
    let right = corner.x + size.x - 18.0;
    let left = right - bar * scale;
    let y = corner.y + size.y - 18.0;
    writeln!(
        out,
        "<path d=\"M{left:.1} {:.1}v5h{:.1}v-5\" stroke=\"{INK}\" stroke-width=\"1.4\" fill=\"none\"/>",
        y - 5.0,
        right - left
    )?;
    text(
        out,
        DVec2::new(0.5 * (left + right), y - 8.0),
        11.5,
        INK,
        "middle",
        "400",
        &metres(bar),
    )
}

/// The largest of 1, 2, 5 × 10ⁿ that is not above.
fn nice(length: f64) -> f64 {
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

fn metres(length: f64) -> String {
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

fn text(
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Adds a polyline to a path, in tenths of a pixel.
fn trace(path: &mut String, points: &[DVec2]) -> std::fmt::Result {
    for (i, p) in points.iter().enumerate() {
        write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, p.x, p.y)?;
    }
    Ok(())
}

/// Leaves out corners that cannot be seen (Ramer, Douglas and Peucker), with a stack instead of recursion.
fn simplify(points: &[DVec2]) -> Vec<DVec2> {
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
fn distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
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
