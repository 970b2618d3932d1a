//! What the benches share: the yardstick, a clock that ignores disturbance, and the closing lines.

#![allow(dead_code)]

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
    println!("figure {name} {value:.4}");
}

/// Milliseconds of one million trips of a dependent chain of multiply–add with a root and a division every eighth trip.
///
/// Machines differ, so that a rival's time is handed on as a multiple of this loop's, and compared in one sitting.
pub fn unit_ms() -> f64 {
    let trips = 2_000_000u32;
    let best = best_of(9, || {
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

/// The middle of a list.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
