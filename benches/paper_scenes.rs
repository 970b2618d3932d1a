//! Paper 1's scenes with its own steps and iteration counts on one core, against its authors' C++ on one core.
//!
//! The authors' times are given in units of the yardstick (`common::unit_ms`), taken on one core without contact or wind. Trees
//! are grown at random and differ in size by a few percent, so that times are compared per vertex and segment.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use common::{figure, median, quick, unit_ms};
use scenes::{
    Scene, Stage,
    builtin::{bridge, slingshot, slinky, trees},
};

struct Rival {
    name: &'static str,
    /// Time a frame in units of the yardstick.
    units: f64,
    /// Vertices and segments.
    elements: usize,
}

fn main() {
    let still = |scene: Scene| Scene { wind: None, ..scene };
    let table: [(Rival, Result<Scene, lariat::rod::RodError>); 4] = [
        (
            rival("slinky", 61.3, 2881 + 2880),
            Ok(slinky::slinky(&Default::default())),
        ),
        (
            rival("trees", 36.2, 9948 + 9945),
            trees::trees(&Default::default()).map(still),
        ),
        (
            rival("bridge", 4.45, 2208 + 2298),
            bridge::bridge(&Default::default()).map(still),
        ),
        (rival("slingshot", 0.188, 44 + 46), slingshot::slingshot().map(still)),
    ];
    println!("one core, times of a 1/30 s frame");
    println!(
        "scene       vertices segments  joints  steps iterations      ms  ns/element/iteration  authors ms  ratio"
    );
    let mut figures = Vec::new();
    for (rival, scene) in table {
        match scene {
            Ok(scene) => figures.push((rival.name, measure(&rival, &scene))),
            Err(error) => println!("{}: {error}", rival.name),
        }
    }
    for (name, ratio) in figures {
        figure(&format!("{name}_speedup"), ratio);
    }
}

fn rival(name: &'static str, units: f64, elements: usize) -> Rival {
    Rival { name, units, elements }
}

/// Plays the scene with the yardstick beside it and answers how many times faster than the authors it is.
fn measure(rival: &Rival, scene: &Scene) -> f64 {
    let mut stage = Stage::with_settings(scene, |settings| settings.threads = Some(1), None)
        .unwrap_or_else(|error| panic!("{}: {error}", rival.name));
    let count = |of: fn(&lariat::rod::RodDescription) -> usize| -> usize {
        (stage.groups().iter())
            .map(|group| of(&group.description) * group.ids.len())
            .sum()
    };
    let vertices = count(|rod| rod.vertices().len());
    let segments = count(|rod| rod.segments().len());
    let joints = count(|rod| rod.joints().len());
    let rounds = if quick() { 2 } else { 9 };
    // Short scenes are timed over several frames at once.
    let frames = if vertices < 100 { 20 } else { 2 };
    let (mut times, mut units) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        units.push(unit_ms());
        for _ in 0..frames {
            match stage.advance() {
                Ok(took) => times.push(took.as_secs_f64() * 1e3),
                Err(error) => panic!("{}: {error}", rival.name),
            }
        }
    }
    let (ms, unit) = (median(times), median(units));
    let sweeps = f64::from(scene.substeps * scene.iterations);
    let each = ms * 1e6 / (sweeps * (vertices + segments) as f64);
    let authors = rival.units * unit * (vertices + segments) as f64 / rival.elements as f64;
    println!(
        "{:<11} {vertices:>8} {segments:>8} {joints:>7} {:>6} {:>10} {ms:>7.2} {each:>21.2} {authors:>11.2} {:>6.2}",
        rival.name,
        scene.substeps,
        scene.iterations,
        authors / ms
    );
    authors / ms
}
