//! What a scene showed, frame by frame, and what a judge from outside says about it.

use std::time::Instant;

use glam::DVec3;

use crate::{
    common::Clock,
    topology::{PassThrough, Tube, deepest_overlap},
};

/// All rods after every frame, the start first, and what the frames cost.
pub struct Film {
    pub frames: Vec<Vec<Vec<DVec3>>>,
    /// Milliseconds a frame: of all, and of the last ones.
    pub ms: f64,
    pub ms_late: f64,
    /// Of each frame, by the clock on the wall.
    pub each: Vec<f64>,
}

/// Which rods went through each other, and how deep surfaces were in one another at worst, m.
pub struct Verdict {
    pub passed: usize,
    pub deepest: f64,
}

impl Film {
    /// Plays so many frames, of which the `late` last ones are timed by themselves. The clock sees the copying of positions, which is nothing beside contact.
    pub fn shoot<S>(
        scene: &mut S,
        frames: usize,
        late: usize,
        mut advance: impl FnMut(&mut S, usize),
        see: impl Fn(&S) -> Vec<Vec<DVec3>>,
    ) -> Self {
        let mut film = vec![see(scene)];
        let mut each = Vec::new();
        let mut spans = [0.0; 2];
        for (span, range) in spans.iter_mut().zip([0..frames - late, frames - late..frames]) {
            let clock = Clock::start();
            for frame in range {
                let start = Instant::now();
                advance(scene, frame);
                each.push(start.elapsed().as_secs_f64() * 1e3);
                film.push(see(scene));
            }
            *span = clock.seconds() * 1e3;
        }
        let [early, last] = spans;
        Self {
            frames: film,
            ms: (early + last) / frames as f64,
            ms_late: last / late as f64,
            each,
        }
    }

    /// Judges every frame. With a floor, y = 0 counts as a surface too.
    pub fn judge(&self, radius: f64, floor: bool) -> Verdict {
        // Fed each frame: it takes points to move straight in between.
        let mut passing = PassThrough::new();
        let mut deepest = f64::NEG_INFINITY;
        for rods in &self.frames {
            passing.feed(rods);
            let tubes: Vec<Tube> = rods.iter().map(|points| Tube::open(points, radius)).collect();
            // A rod bent as tightly as it can be touches itself after π radii.
            let overlap = deepest_overlap(&tubes, std::f64::consts::PI).map(|overlap| overlap.depth);
            let lowest = rods.iter().flatten().fold(f64::INFINITY, |low, p| low.min(p.y));
            let sunk = floor.then_some(radius - lowest);
            deepest = overlap.into_iter().chain(sunk).fold(deepest, f64::max);
        }
        Verdict {
            passed: passing.passed_pairs().len(),
            deepest,
        }
    }
}
