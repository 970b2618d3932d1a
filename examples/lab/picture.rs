//! The picture of a run: an SVG with the rods strobed over time, older ones fainter, in two views of one scale.

use std::fmt::Write;

use glam::DVec2;

use crate::{
    ink::{COLOURS, INK, PALE, PAPER, escape, strength, text},
    outline::{lines, pieces},
    panel::{Bounds, Placed, View, draw},
    scenes::{Scene, runner::Run},
    solids::outlines,
    table::{cut, grouped, wrap},
};

const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 36.0;
const HEADER: f64 = 104.0;
const GAP: f64 = 20.0;
/// Free space between the drawing and the panel's edge, and more of it below for the axes and the scale bar.
const INSET: f64 = 34.0;
const FOOT: f64 = 30.0;
/// Drawings wider than this many heights get the whole width each, one view below the other.
const WIDE: f64 = 1.9;

/// Draws the run.
pub fn svg(scene: &Scene, run: &Run) -> String {
    let lines = lines(run);
    let views = [View::front(), View::three_quarter()];
    let bounds = views.map(|view| {
        let drawn = run
            .strobes
            .iter()
            .flat_map(|strobe| lines.iter().flat_map(|line| pieces(line, strobe)));
        let solids = run.strobes.iter().flat_map(|strobe| outlines(run, strobe, true, &view));
        let bounds = Bounds::of(drawn.chain(solids).flatten().map(|p| view.project(p)));
        (view, bounds)
    });
    // One scale for both views, and panels as high as the contents need.
    let widest = bounds.iter().map(|(_, b)| b.size().x).fold(0.0, f64::max);
    let highest = bounds.iter().map(|(_, b)| b.size().y).fold(0.0, f64::max);
    let stacked = widest > WIDE * highest;
    let whole = WIDTH - 2.0 * MARGIN;
    let width = if stacked { whole } else { (whole - GAP) / 2.0 };
    let inner = width - 2.0 * INSET;
    let frame = 2.0 * INSET + FOOT;
    let scale = (inner / widest).min((760.0 - frame) / highest);
    // Side by side both are as high as the higher one needs, stacked each as high as itself.
    let height = |size: DVec2| (size.y * scale + frame).max(260.0);
    let tallest = height(DVec2::new(widest, highest));

    let mut panels = String::new();
    let mut corner = DVec2::new(MARGIN, HEADER);
    let mut bottom = HEADER;
    for (view, bounds) in bounds {
        let panel = Placed {
            view,
            corner,
            size: DVec2::new(width, if stacked { height(bounds.size()) } else { tallest }),
            centre: bounds.centre() - DVec2::new(0.0, 0.5 * FOOT / scale),
            scale,
        };
        // Writing to a String cannot fail.
        let _ = draw(&mut panels, &panel, run, &lines);
        bottom = corner.y + panel.size.y;
        match stacked {
            true => corner.y += panel.size.y + GAP,
            false => corner.x += width + GAP,
        }
    }
    let mut out = String::new();
    let _ = page(&mut out, bottom + MARGIN, scene, run);
    out.push_str(&panels);
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
        cut(&report.solver, 44)
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
