//! One view of a run on the paper: its rods at every strobe, a grid, pins, axes and a scale bar.

use std::{collections::BTreeMap, fmt::Write};

use glam::{DVec2, DVec3};

use crate::{
    ink::{CARD, COLOURS, EDGE, GRID, INK, PALE, metres, nice, simplify, strength, text, trace},
    outline::{Line, chosen, pieces},
    scenes::runner::Run,
    solids::outlines,
};

/// An orthographic view.
pub struct View {
    pub title: &'static str,
    pub right: DVec3,
    pub up: DVec3,
}

impl View {
    pub fn front() -> Self {
        Self {
            title: "front",
            right: DVec3::X,
            up: DVec3::Y,
        }
    }

    /// From the front, 35° round to the right and 20° up: what is flat in the front view shows its depth here.
    pub fn three_quarter() -> Self {
        let (turn_sin, turn_cos) = 35f64.to_radians().sin_cos();
        let (lift_sin, lift_cos) = 20f64.to_radians().sin_cos();
        Self {
            title: "three-quarter",
            right: DVec3::new(turn_cos, 0.0, -turn_sin),
            up: DVec3::new(-turn_sin * lift_sin, lift_cos, -turn_cos * lift_sin),
        }
    }

    pub fn project(&self, p: DVec3) -> DVec2 {
        DVec2::new(p.dot(self.right), p.dot(self.up))
    }
}

/// A box around projected points.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub low: DVec2,
    pub high: DVec2,
}

impl Bounds {
    pub fn of(points: impl Iterator<Item = DVec2>) -> Self {
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

    pub fn size(&self) -> DVec2 {
        (self.high - self.low).max(DVec2::splat(1e-6))
    }

    pub fn centre(&self) -> DVec2 {
        0.5 * (self.low + self.high)
    }
}

/// A view placed on the paper.
pub struct Placed {
    pub view: View,
    pub corner: DVec2,
    pub size: DVec2,
    /// The point of the view's plane that is at the panel's middle, m.
    pub centre: DVec2,
    /// px a metre.
    pub scale: f64,
}

impl Placed {
    pub fn map(&self, p: DVec3) -> DVec2 {
        let offset = (self.view.project(p) - self.centre) * self.scale;
        self.corner + 0.5 * self.size + DVec2::new(offset.x, -offset.y)
    }
}

pub fn draw(out: &mut String, panel: &Placed, run: &Run, lines: &[Line]) -> std::fmt::Result {
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
        let mut paths: BTreeMap<(usize, u32), String> = BTreeMap::new();
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
        let mut solids = String::new();
        for piece in outlines(run, strobe, last, &panel.view) {
            let flat: Vec<DVec2> = piece.into_iter().map(|p| panel.map(p)).collect();
            trace(&mut solids, &flat)?;
        }
        if !solids.is_empty() {
            writeln!(out, "<path stroke=\"{PALE}\" stroke-width=\"1.4\" d=\"{solids}\"/>")?;
        }
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
pub fn stroke(radius: f64, scale: f64, lines: usize, last: bool) -> f64 {
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
pub fn grid(out: &mut String, panel: &Placed, step: f64) -> std::fmt::Result {
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
pub fn pins(out: &mut String, panel: &Placed, run: &Run, lines: &[Line]) -> std::fmt::Result {
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
pub fn furniture(out: &mut String, panel: &Placed, bar: f64) -> std::fmt::Result {
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
