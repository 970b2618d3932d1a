//! `lab compare`: every solver at several settings on one scene, error against a fine reference next to cost.
//!
//! Errors are distances between vertices of a run and of the reference, in metres, over all vertices and over times
//! that all runs share. The reference is a run as well, a fine one of the direct solver, second order in time. How far it
//! is from the truth is estimated by another with half of its substeps: errors near that number are not to be trusted.

use std::fmt::Write;

use glam::DVec3;
use lariat::prelude::Solver;

use crate::{
    args::CompareArgs,
    progress::Progress,
    scenes::{
        Scene, Stage,
        names::{DIRECT_BDF2, solver_name, solvers},
        runner::{Overrides, Run, RunError, Strobe, evenly, run},
    },
    table::{grouped, significant, wrap},
};

/// Times at which runs are compared.
const SAMPLES: usize = 25;
/// What counts as near the reference, as a part of the way that its vertices go.
const NEAR: f64 = 0.02;
/// Newton iterations of the reference, at most; it stops when a step no longer matters.
const REFERENCE_ITERATIONS: u32 = 32;

/// A row of the table.
pub struct Row {
    pub solver: Solver,
    rate: f64,
    substeps: u32,
    iterations: u32,
}

/// Distances of a run to the reference, m.
#[derive(Clone, Copy)]
pub struct Error {
    pub max: f64,
    pub rms: f64,
    pub end: f64,
}

/// What a row cost and how near it came.
pub struct Measured {
    /// ms a frame.
    frame: f64,
    /// ms a simulated second, because rates differ.
    pub second: f64,
    pub error: Error,
}

/// A scene by every solver.
pub struct Comparison {
    pub scene: Scene,
    reference: Row,
    fine: Run,
    /// How far the reference is from one with half of its substeps.
    pub doubt: Error,
    pub rows: Vec<Row>,
    /// In the order of the rows.
    pub measured: Vec<Measured>,
    /// Solvers that can't move the scene's rods, and why.
    pub refused: Vec<(Solver, String)>,
}

impl Comparison {
    /// As a text. Writing to a String cannot fail.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let _ = head(&mut out, &self.scene, &self.reference, &self.fine, self.doubt);
        let _ = body(&mut out, &self.rows, &self.measured);
        let _ = self.tail(&mut out);
        out
    }

    /// The farthest that a vertex of the reference goes from where it begins, m.
    pub fn way(&self) -> f64 {
        let places = |strobe: &Strobe| strobe.rods.iter().flatten().copied().collect::<Vec<_>>();
        let begin = self.fine.strobes.first().map(places).unwrap_or_default();
        let all = self.fine.strobes.iter().flat_map(places);
        all.zip(begin.iter().cycle())
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, f64::max)
    }

    /// The cheapest way of a solver to stay near the reference; or else its nearest one.
    fn cheapest(&self, solver: Solver) -> Option<(&Measured, bool)> {
        let own =
            || (self.rows.iter().zip(&self.measured)).filter_map(move |(row, m)| (row.solver == solver).then_some(m));
        let bound = NEAR * self.way();
        let near = own().filter(|m| m.error.rms <= bound);
        let cheap = near.min_by(|a, b| a.second.total_cmp(&b.second)).map(|m| (m, true));
        cheap.or_else(|| {
            own()
                .min_by(|a, b| a.error.rms.total_cmp(&b.error.rms))
                .map(|m| (m, false))
        })
    }

    /// Each solver in a line.
    fn tail(&self, out: &mut String) -> std::fmt::Result {
        let bound = NEAR * self.way();
        writeln!(
            out,
            "  the cheapest with an rms error below {} m (2 % of the way that vertices go)",
            significant(bound)
        )?;
        for solver in solvers() {
            let name = solver_name(&solver);
            if let Some((_, why)) = self.refused.iter().find(|(refused, _)| *refused == solver) {
                writeln!(out, "  {name:<27} not for it: {why}")?;
            } else if let Some((best, near)) = self.cheapest(solver) {
                let (cost, error) = (significant(best.second), significant(best.error.rms));
                let less = if near { "" } else { ", not nearer" };
                writeln!(out, "  {name:<27} {cost:>9} ms a second, {error} m{less}")?;
            }
        }
        writeln!(out)
    }
}

/// Runs everything.
pub fn compare(scene: &Scene, args: &CompareArgs) -> Result<Comparison, RunError> {
    let mut scene = args.overrides.apply(scene);
    // Half and double rates are tried too, so an even number of frames lets all of them end at the same time.
    scene.frames = scene.frames.next_multiple_of(2);
    let (rows, refused) = rows(&scene, args.overrides.solver);
    let finest = 16 * base(&scene, true).0;
    let (substeps, iterations) = args.reference.unwrap_or((finest, REFERENCE_ITERATIONS));
    let reference = Row {
        solver: DIRECT_BDF2,
        rate: scene.rate,
        substeps,
        iterations,
    };
    let half = Row {
        substeps: (substeps / 2).max(1),
        ..reference
    };

    let work = |row: &Row| row.work(&scene);
    let total = work(&reference) + work(&half) + rows.iter().map(work).sum::<u64>();
    let mut progress = Progress::new(&format!("compare {}", scene.name), total, args.quiet);
    let mut done = 0;
    let mut play = |row: &Row| -> Result<Run, RunError> {
        let frames = u64::from(row.frames(&scene));
        let finished = run(&scene, &row.overrides(&args.overrides, &scene), |frame| {
            progress.set(done + work(row) * u64::from(frame) / frames);
        })?;
        done += work(row);
        Ok(finished)
    };
    // Only the reference keeps its snapshots; those of a groom are large.
    let fine = play(&reference)?;
    let doubt = error(&play(&half)?, &fine);
    let mut measured = Vec::with_capacity(rows.len());
    for row in &rows {
        let run = play(row)?;
        let frame = run.report.ms_per_frame.median;
        measured.push(Measured {
            frame,
            second: frame * row.rate,
            error: error(&run, &fine),
        });
    }
    drop(progress);
    Ok(Comparison {
        scene,
        reference,
        fine,
        doubt,
        rows,
        measured,
        refused,
    })
}

/// Substeps and iterations to begin from. Those of a scene suit the solver that it was written for: sixteen substeps of one
/// kind cost and do about as much as one of the other.
fn base(scene: &Scene, direct: bool) -> (u32, u32) {
    let written_for_direct = is_newton(scene.solver);
    match (written_for_direct, direct) {
        (true, true) | (false, false) => (scene.substeps, scene.iterations),
        (false, true) => (scene.substeps.div_ceil(16), 8),
        (true, false) => (scene.substeps * 16, 4),
    }
}

/// Whether a method solves whole rods: few substeps, few iterations.
fn is_newton(solver: Solver) -> bool {
    matches!(
        solver,
        Solver::Direct { .. } | Solver::Elastic { .. } | Solver::GeneralizedAlpha { .. }
    )
}

/// Rate as a factor, substeps, iterations: the scene's own and around them.
fn settings(scene: &Scene, solver: Solver) -> Vec<(f64, u32, u32)> {
    let direct = is_newton(solver);
    let (s, i) = base(scene, direct);
    let quarter = (s / 4).max(1);
    let mut settings = if direct {
        vec![
            (0.5, s, i),
            (1.0, s, 2),
            (1.0, s, 3),
            (1.0, s, i),
            (2.0, s, 3),
            (1.0, s * 4, 2),
            (1.0, s * 4, i),
        ]
    } else {
        vec![
            (1.0, quarter, i),
            (0.5, s, i),
            (0.5, s * 2, i),
            (1.0, s, i),
            (2.0, (s / 2).max(1), i),
            (1.0, s * 4, i),
            (1.0, quarter, i * 4),
            (1.0, s, i * 4),
        ]
    };
    settings.dedup();
    settings
}

/// What is run, and what can't be. (A scene that is wrong as a whole says so when its reference is played.)
fn rows(scene: &Scene, only: Option<Solver>) -> (Vec<Row>, Vec<(Solver, String)>) {
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for solver in only.map_or_else(solvers, |solver| vec![solver]) {
        if let (None, Err(error)) = (only, Stage::with_settings(scene, |_| {}, Some(solver))) {
            refused.push((solver, error.message));
            continue;
        }
        let settings = settings(scene, solver).into_iter();
        rows.extend(settings.map(|(factor, substeps, iterations)| Row {
            solver,
            rate: scene.rate * factor,
            substeps,
            iterations,
        }));
    }
    (rows, refused)
}

impl Row {
    fn frames(&self, scene: &Scene) -> u32 {
        (f64::from(scene.frames) * self.rate / scene.rate).round().max(1.0) as u32
    }

    /// The frames at which this row is compared: the same times for all rows, which are frames of the half rate.
    fn samples(&self, scene: &Scene) -> Vec<u32> {
        let factor = (2.0 * self.rate / scene.rate).round() as u32;
        let half_rate = evenly(scene.frames / 2, SAMPLES + 1);
        half_rate.into_iter().map(|frame| frame * factor).collect()
    }

    /// Sweeps over the scene, for the progress bar.
    fn work(&self, scene: &Scene) -> u64 {
        u64::from(self.frames(scene)) * u64::from(self.substeps) * u64::from(self.iterations)
    }

    fn overrides(&self, given: &Overrides, scene: &Scene) -> Overrides {
        Overrides {
            solver: Some(self.solver),
            rate: Some(self.rate),
            frames: Some(self.frames(scene)),
            substeps: Some(self.substeps),
            iterations: Some(self.iterations),
            strobe_frames: self.samples(scene),
            ..given.clone()
        }
    }
}

fn head(out: &mut String, scene: &Scene, reference: &Row, fine: &Run, doubt: Error) -> std::fmt::Result {
    writeln!(
        out,
        "\n  {}: {:.2} s, {} vertices",
        scene.name,
        fine.seconds,
        grouped(fine.report.vertices)
    )?;
    for line in wrap(&scene.about, 110) {
        writeln!(out, "  {line}")?;
    }
    writeln!(
        out,
        "\n  reference: {}, {} substeps × at most {} iterations at {} Hz ({} ms a frame)",
        solver_name(&reference.solver),
        reference.substeps,
        reference.iterations,
        reference.rate,
        significant(fine.report.ms_per_frame.median)
    )?;
    writeln!(
        out,
        "  its own doubt: rms {} m, max {} m (against half of its substeps)\n",
        significant(doubt.rms),
        significant(doubt.max)
    )
}

fn body(out: &mut String, rows: &[Row], measured: &[Measured]) -> std::fmt::Result {
    writeln!(
        out,
        "  {:<27} {:>6} {:>9} {:>11} {:>9} {:>10} {:>11} {:>11} {:>11}",
        "solver", "Hz", "substeps", "iterations", "ms/frame", "ms/second", "rms error", "max error", "end error"
    )?;
    writeln!(out, "  {}", "─".repeat(115))?;
    for (row, own) in rows.iter().zip(measured) {
        let beats = |other: &Measured| other.second < own.second && other.error.rms < own.error.rms;
        let beaten = measured.iter().any(beats);
        writeln!(
            out,
            "{} {:<27} {:>6} {:>9} {:>11} {:>9} {:>10} {:>9} m {:>9} m {:>9} m",
            if beaten { ' ' } else { '•' },
            solver_name(&row.solver),
            row.rate,
            row.substeps,
            row.iterations,
            significant(own.frame),
            significant(own.second),
            significant(own.error.rms),
            significant(own.error.max),
            significant(own.error.end),
        )?;
    }
    writeln!(
        out,
        "\n  ms/second: computing time a simulated second. Errors: distances of vertices to the reference.\n  \
         • no other row is both cheaper and nearer to the reference (by rms error).\n"
    )
}

/// Distances over all vertices and shared times. Both runs took their snapshots at the same times.
fn error(run: &Run, reference: &Run) -> Error {
    let (mut max, mut sum, mut count) = (0.0f64, 0.0, 0usize);
    let mut end = 0.0;
    for (mine, theirs) in run.strobes.iter().zip(&reference.strobes) {
        debug_assert!(
            (mine.time - theirs.time).abs() < 1e-6,
            "runs are compared at the same times"
        );
        end = 0.0;
        let pairs = mine.rods.iter().flatten().zip(theirs.rods.iter().flatten());
        for distance in pairs.map(|(a, b): (&DVec3, &DVec3)| a.distance(*b)) {
            max = max.max(distance);
            end = f64::max(end, distance);
            sum += distance * distance;
            count += 1;
        }
    }
    Error {
        max,
        rms: (sum / count.max(1) as f64).sqrt(),
        end,
    }
}
