//! What the benches share: the yardstick, a clock that ignores disturbance, and the closing lines.

#![allow(dead_code)]

pub mod play;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Whether `--quick` was given: a short run that only shows that everything works.
pub fn quick() -> bool {
    std::env::args().any(|argument| argument == "--quick")
}

/// The line that a figure is read from.
pub fn figure(name: &str, value: f64) {
    let digits = if value.abs() < 0.1 { 8 } else { 4 };
    println!("figure {name} {value:.digits$}");
}

/// Milliseconds of one million trips of a dependent chain of multiply–add with a root and a division every eighth trip.
///
/// Machines differ, so that a rival's time is handed on as a multiple of this loop's, and compared in one sitting.
pub fn unit_ms() -> f64 {
    // Short calls and many of them: on a busy machine some run undisturbed.
    let trips = 200_000u32;
    let best = best_of(90, || {
        let mut x = black_box(1.5f32);
        for trip in 0..trips {
            x = x * 0.999_9 + 0.25;
            if trip % 8 == 0 {
                x = 1.0 / (x * x + 1.0).sqrt() + 1.0;
            }
        }
        black_box(x);
    });
    best * 1e3 / (f64::from(trips) / 1e6)
}

/// Seconds of the fastest of so many calls: what the code costs when nothing else runs.
pub fn best_of(calls: usize, mut work: impl FnMut()) -> f64 {
    (0..calls)
        .map(|_| seconds(&mut work).as_secs_f64())
        .fold(f64::INFINITY, f64::min)
}

fn seconds(work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Time that this thread worked: on a busy machine a long measure would count what others do.
pub struct Clock {
    wall: Instant,
    worked: Option<f64>,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        Self {
            wall: Instant::now(),
            worked: worked(),
        }
    }

    /// Seconds since the start. The system counts work in ticks of some milliseconds, so short times are those of the wall.
    pub fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64();
        match (self.worked, worked()) {
            (Some(before), Some(now)) if wall > 0.2 && now - before > 0.1 => wall.min(now - before),
            _ => wall,
        }
    }
}

/// Seconds that this thread has worked so far, where the system tells (Linux).
fn worked() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}

/// The middle of a list.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
