//! Where the time of a step goes: the spans that the crate traces, summed.

use std::{
    cell::RefCell,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

/// The spans that are summed.
pub const NAMES: [&str; 7] = [
    "hair",
    "broad phase",
    "narrow phase",
    "factor",
    "couple",
    "bounds",
    "step",
];

/// What is counted of the solves of groups: their sums, and last the number of solves.
pub const COUNTS: [&str; 5] = ["pairs", "touches", "iterations", "linear", "halvings"];

static COUNTED: [AtomicU64; COUNTS.len() + 1] = [const { AtomicU64::new(0) }; COUNTS.len() + 1];

static NANOSECONDS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];

thread_local! {
    static OPEN: RefCell<Vec<Instant>> = const { RefCell::new(Vec::new()) };
}

/// A subscriber that does nothing but to sum.
struct Stopwatch;

impl Subscriber for Stopwatch {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() || NAMES.contains(&metadata.name())
    }

    // A span is known by its name alone.
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let at = NAMES.iter().position(|name| *name == span.metadata().name());
        Id::from_u64(1 + at.unwrap_or(0) as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        if event.metadata().fields().field("linear").is_some() {
            event.record(&mut Counter);
            COUNTED[COUNTS.len()].fetch_add(1, Ordering::Relaxed);
        }
    }

    fn enter(&self, _: &Id) {
        OPEN.with_borrow_mut(|open| open.push(Instant::now()));
    }

    fn exit(&self, id: &Id) {
        if let Some(start) = OPEN.with_borrow_mut(Vec::pop) {
            let passed = start.elapsed().as_nanos() as u64;
            NANOSECONDS[id.into_u64() as usize - 1].fetch_add(passed, Ordering::Relaxed);
        }
    }
}

/// Adds what the crate tells of a solve.
struct Counter;

impl Visit for Counter {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if let Some(at) = COUNTS.iter().position(|name| *name == field.name()) {
            COUNTED[at].fetch_add(value, Ordering::Relaxed);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

/// The means of [`COUNTS`] over the solves since the last call.
pub fn counts() -> [f64; COUNTS.len()] {
    let sums = COUNTED.each_ref().map(|sum| sum.swap(0, Ordering::Relaxed) as f64);
    std::array::from_fn(|k| sums[k] / sums[COUNTS.len()].max(1.0))
}

/// Sums from now on. All threads count: two that work side by side for a second make two.
pub fn start() {
    // A second start finds the first: the sums are there either way.
    let _ = tracing::subscriber::set_global_default(Stopwatch);
    NANOSECONDS.iter().for_each(|sum| sum.store(0, Ordering::Relaxed));
}

/// Milliseconds of each of [`NAMES`] since the start.
pub fn read() -> [f64; NAMES.len()] {
    std::array::from_fn(|k| NANOSECONDS[k].load(Ordering::Relaxed) as f64 * 1e-6)
}

/// The sums as shares of the step, in words.
pub fn shares() -> String {
    let sums = read();
    let whole = sums[NAMES.len() - 1].max(f64::MIN_POSITIVE);
    let parts = NAMES.iter().zip(sums).take(NAMES.len() - 1);
    let parts: Vec<String> = parts
        .map(|(name, sum)| format!("{name} {:.0}%", 100.0 * sum / whole))
        .collect();
    parts.join(", ")
}
