//! A patch of knit, wrung by whole turns and let go: yarns that hold each other by nothing but contact.
//!
//! Two of the scene's five turns, which leaves time for the other parts; all five with `--whole`.

use glam::DVec3;

use crate::{
    Figures,
    common::{Clock, quick},
    points,
    scenes::{
        Stage,
        builtin::knit::{Knit, YARN},
    },
    stages,
    topology::{PassThrough, Tube, deepest_overlap, kept_legs, leg_links},
};

/// Frames that are timed at once, before they are judged.
const CHUNK: u32 = 60;

pub fn measure(figures: &mut Figures) {
    let knit = if quick() {
        Knit {
            columns: 6,
            rows: 6,
            turns: 0.25,
            hold: 0.0,
            release: 0.1,
            ..Knit::default()
        }
    } else if std::env::args().any(|argument| argument == "--whole") {
        Knit::default()
    } else {
        Knit {
            turns: 2.0,
            ..Knit::default()
        }
    };
    let scene = knit.scene();
    let mut stage = Stage::with_settings(&scene, |settings| settings.threads = Some(1), None).expect("a sound scene");
    let see = |stage: &Stage| -> Vec<Vec<DVec3>> { stage.ids().map(|id| points(&stage.world, id)).collect() };
    let start = see(&stage);
    let segments: usize = start.iter().map(|yarn| yarn.len() - 1).sum();
    let legs = knit.legs(&start);
    let links = leg_links(&start, &legs);
    let mut passing = PassThrough::new();
    passing.feed(&start);
    let (mut seconds, mut slowest, mut deepest) = (0.0, 0.0_f64, f64::NEG_INFINITY);
    let mut chunk = Vec::new();
    let mut played = 0;
    stages::start();
    while played < scene.frames {
        let count = CHUNK.min(scene.frames - played);
        let clock = Clock::start();
        for _ in 0..count {
            stage.advance().expect("a sound step");
            chunk.push(see(&stage));
        }
        let took = clock.seconds();
        seconds += took;
        slowest = slowest.max(took / f64::from(count));
        played += count;
        for yarns in chunk.drain(..) {
            passing.feed(&yarns);
            let tubes: Vec<Tube> = yarns.iter().map(|yarn| Tube::open(yarn, YARN)).collect();
            // A yarn bent as tightly as it can be touches itself after π radii.
            let overlap = deepest_overlap(&tubes, std::f64::consts::PI).map(|overlap| overlap.depth);
            deepest = overlap.into_iter().fold(deepest, f64::max);
        }
    }
    let [.., iterations, linear, _] = stages::counts();
    let shares = stages::shares();
    let kept = kept_legs(&links, &leg_links(&see(&stage), &legs));
    let ms = 1e3 * seconds / f64::from(played);
    let overlap = deepest / YARN;
    println!(
        "knit, {} × {} stitches, {segments} segments, {} turns and {} s after release, {played} steps of 1/{} s in {} substeps: {ms:.1} ms a step ({:.1} in the slowest {CHUNK}), {} pairs passed, overlap {overlap:.4} r, \
         {kept} of {} legs in their loops; {iterations:.1} iterations and {linear:.0} of conjugate gradients a substep; {shares}",
        knit.columns,
        knit.rows,
        knit.turns,
        knit.release,
        scene.rate,
        scene.substeps,
        1e3 * slowest,
        passing.passed_pairs().len(),
        legs.len(),
    );
    figures.push(("knit_segments", segments as f64));
    figures.push(("knit_ms_per_step", ms));
    figures.push(("knit_passed_pairs", passing.passed_pairs().len() as f64));
    figures.push(("knit_overlap", overlap));
    figures.push(("knit_legs_kept", kept as f64 / legs.len() as f64));
}
