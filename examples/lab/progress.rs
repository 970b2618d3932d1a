//! A progress bar on standard error, for people: only on a terminal, and only once a run has taken a while.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_millis(700);
/// The bar is redrawn at most this often.
const REDRAW: Duration = Duration::from_millis(100);
const WIDTH: usize = 28;

/// A bar that counts up to a total.
pub struct Progress {
    label: String,
    total: u64,
    started: Instant,
    drawn: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// A bar; `quiet` never shows it.
    pub fn new(label: &str, total: u64, quiet: bool) -> Self {
        Self {
            label: label.to_owned(),
            total: total.max(1),
            started: Instant::now(),
            drawn: None,
            shown: !quiet && std::io::stderr().is_terminal(),
        }
    }

    /// `done` of the total are done.
    pub fn set(&mut self, done: u64) {
        if !self.shown || self.started.elapsed() < PATIENCE || self.drawn.is_some_and(|at| at.elapsed() < REDRAW) {
            return;
        }
        self.drawn = Some(Instant::now());
        let line = bar(&self.label, done, self.total, self.started.elapsed());
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\r{line}\x1b[K").and_then(|()| out.flush());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "\r\x1b[K").and_then(|()| out.flush());
        }
    }
}

fn bar(label: &str, done: u64, total: u64, passed: Duration) -> String {
    let share = (done as f64 / total as f64).clamp(0.0, 1.0);
    let eighths = (share * (WIDTH * 8) as f64).round() as usize;
    let partial = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let mut cells: String = "█".repeat(eighths / 8);
    if eighths / 8 < WIDTH {
        cells.push(partial[eighths % 8]);
    }
    let blank = " ".repeat(WIDTH.saturating_sub(cells.chars().count()));
    let left = if share > 0.0 {
        passed.as_secs_f64() * (1.0 - share) / share
    } else {
        0.0
    };
    format!("{label} ▕{cells}{blank}▏ {:>3.0} %  {left:.0} s left", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_has_the_same_width_from_start_to_end() {
        let widths: std::collections::BTreeSet<usize> = (0..=1000)
            .map(|done| bar("x", done, 1000, Duration::ZERO))
            .map(|line| {
                line.chars()
                    .position(|c| c == '▏')
                    .map_or(0, |_| line.rfind('▏').map_or(0, |end| line[..end].chars().count()))
            })
            .collect();
        assert_eq!(widths.len(), 1, "{widths:?}");
    }
}
