//! The table that a run prints.

use std::fmt::Write;

use lariat::prelude::Topology;

use crate::scenes::{Scene, runner::Run};

/// At most this many rods and probes are listed.
const ROWS: usize = 10;
const RULE: usize = 78;

/// All of it, ready to print.
pub fn table(scene: &Scene, run: &Run) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_table(&mut out, scene, run);
    out
}

fn write_table(out: &mut String, scene: &Scene, run: &Run) -> std::fmt::Result {
    let report = &run.report;
    writeln!(out, "\n  {}", report.scene)?;
    for line in wrap(&scene.about, RULE - 2) {
        writeln!(out, "  {line}")?;
    }
    rule(out)?;
    rods(out, run)?;
    rule(out)?;

    let rods: usize = run.groups.iter().map(|group| group.ids.len()).sum();
    out.push_str(&row(
        "size",
        &[
            format!("{} {}", grouped(rods), if rods == 1 { "rod" } else { "rods" }),
            format!("{} vertices", grouped(report.vertices)),
            format!("{} segments", grouped(report.segments)),
            format!("{} joints", grouped(run.joints)),
        ],
    ));
    out.push_str(&row(
        "time",
        &[
            format!("{:.2} s", run.seconds),
            format!("{} frames at {} Hz", grouped(report.frames as usize), report.hz),
        ],
    ));
    out.push_str(&row(
        "solver",
        &[
            report.solver.clone(),
            format!("{} substeps × {} iterations", report.substeps, report.iterations),
            format!(
                "{} {}",
                report.threads,
                if report.threads == 1 { "thread" } else { "threads" }
            ),
        ],
    ));
    let ms = report.ms_per_frame;
    out.push_str(&row(
        "ms a frame",
        &[
            format!("{} median", significant(ms.median)),
            format!("{} p99", significant(ms.p99)),
            format!("{} min", significant(ms.min)),
            format!("{}× real time", significant(1e3 / report.hz / ms.median.max(1e-9))),
        ],
    ));
    let sweeps = f64::from(report.substeps) * f64::from(report.iterations);
    let elements = (report.vertices + report.segments) as f64;
    out.push_str(&row(
        "cost",
        &[format!(
            "{} ns per vertex + segment per iteration",
            significant(ms.median * 1e6 / (sweeps * elements))
        )],
    ));
    out.push_str(&row(
        "stretch",
        &[
            format!("{} % most", significant(report.stretch.max * 100.0)),
            format!("{} % at the end", significant(report.stretch.end * 100.0)),
        ],
    ));
    let energy = report.energy;
    // Energies are sums of large terms; what rounding leaves of zero is shown as zero.
    let size = [energy.start, energy.end, energy.max]
        .map(f64::abs)
        .into_iter()
        .fold(0.0, f64::max);
    let joules = |value: f64| significant(if value.abs() < 1e-9 * size { 0.0 } else { value });
    out.push_str(&row(
        "energy",
        &[
            format!("{} J at the start", joules(energy.start)),
            format!("{} J at the end", joules(energy.end)),
            format!("{} J most", joules(energy.max)),
        ],
    ));
    out.push_str(&row(
        "events",
        &[
            format!("{} broke", report.events.broke),
            format!("{} cut", report.events.cut),
            format!("{} quarantined", report.events.quarantined),
        ],
    ));
    probes(out, run)
}

/// One line a rod: its name, how many, what it is.
fn rods(out: &mut String, run: &Run) -> std::fmt::Result {
    writeln!(
        out,
        "  {:<16} {:>7}  {:<6} {:>9} {:>9} {:>9} {:>11}",
        "rod", "copies", "kind", "vertices", "segments", "joints", "length"
    )?;
    for group in run.groups.iter().take(ROWS) {
        let rod = &group.description;
        let kind = match rod.topology() {
            Topology::Chain => "chain",
            Topology::Loop => "loop",
            Topology::Graph => "graph",
        };
        writeln!(
            out,
            "  {:<16} {:>7}  {:<6} {:>9} {:>9} {:>9} {:>9} m",
            cut(&group.name, 16),
            grouped(group.ids.len()),
            kind,
            grouped(rod.vertices().len()),
            grouped(rod.segments().len()),
            grouped(rod.joints().len()),
            significant(rod.rest_length()),
        )?;
    }
    if run.groups.len() > ROWS {
        writeln!(out, "  … and {} more", run.groups.len() - ROWS)?;
    }
    Ok(())
}

/// The last value of every probe.
fn probes(out: &mut String, run: &Run) -> std::fmt::Result {
    let probes = &run.report.probes;
    if probes.is_empty() {
        return Ok(());
    }
    rule(out)?;
    writeln!(out, "  {:<16} value at {:.2} s", "probe", run.seconds)?;
    for (name, rows) in probes.iter().take(ROWS) {
        let values: Vec<String> = rows
            .last()
            .into_iter()
            .flat_map(|row| row.iter().skip(1))
            .map(|value| format!("{value:>11.5}"))
            .collect();
        writeln!(out, "  {:<16}{}", cut(name, 16), values.join(" "))?;
    }
    if probes.len() > ROWS {
        writeln!(
            out,
            "  … and {} more (--json prints them all, over time)",
            probes.len() - ROWS
        )?;
    }
    Ok(())
}

fn rule(out: &mut String) -> std::fmt::Result {
    writeln!(out, "  {}", "─".repeat(RULE))
}

/// A line of the table: a name and values.
pub fn row(name: &str, values: &[String]) -> String {
    format!(
        "  {name:<12} {}
",
        values.join("  ·  ")
    )
}

/// Three significant digits: 0.0123, 1.23, 123, 12300.
pub fn significant(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-5..6).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (2 - magnitude).max(0) as usize;
    format!("{value:.decimals$}")
}

/// 12345 as 12,345.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The text, at most so many characters.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let head: String = text.chars().take(width - 1).collect();
    format!("{head}…")
}

/// Lines of at most so many characters, broken at spaces.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> = [0.0, 0.012_34, 1.234, -12.34, 1234.5, 1.5e7, 1e-7]
            .map(significant)
            .to_vec();
        assert_eq!(shown, ["0", "0.0123", "1.23", "-12.3", "1234", "1.50e7", "1.00e-7"]);
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn text_is_wrapped_and_cut() {
        assert_eq!(wrap("a bb ccc dddd", 5), ["a bb", "ccc", "dddd"]);
        assert_eq!(cut("abcdef", 4), "abc…");
    }
}
