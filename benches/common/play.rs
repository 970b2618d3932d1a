//! Scenes played on one core for a bench: what every frame cost, and what was to be seen after it.

use glam::DVec3;
use lariat::prelude::{RodRef, Solver};

use super::Clock;
use crate::scenes::{Scene, Stage};

/// The method, its rate, and its iterations a step: there is one substep a frame.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub solver: Solver,
    pub hz: u32,
    pub iterations: u32,
}

impl Setting {
    /// The scene's seconds with this setting.
    pub fn apply(&self, scene: &Scene) -> Scene {
        let frames = f64::from(scene.frames) * f64::from(self.hz) / scene.rate;
        let scene = scene
            .clone()
            .timed(self.hz.into(), 1, self.iterations, frames.round() as u32);
        scene.solved_by(self.solver)
    }
}

/// The scene on stage, on the calling thread.
pub fn stage(scene: &Scene) -> Stage {
    Stage::with_settings(scene, |settings| settings.threads = Some(1), None)
        .unwrap_or_else(|error| panic!("{}: {error}", scene.name))
}

/// One frame; answers its seconds.
pub fn advance(stage: &mut Stage) -> f64 {
    let took = stage.advance().unwrap_or_else(|error| panic!("{error}"));
    took.as_secs_f64()
}

/// What a scene cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Milliseconds of a frame, on average.
    pub ms: f64,
    /// Iterations of a frame, on average.
    pub iterations: f64,
}

/// Shows every frame of the scene to `see`, then plays it so many times more against the clock.
///
/// Nothing that repeats can be faster than it is: of each frame the fastest counts, and of the whole the fastest play.
pub fn play(scene: &Scene, rounds: u32, mut see: impl FnMut(&Stage)) -> Cost {
    let mut first = stage(scene);
    let mut iterations = 0;
    for _ in 0..scene.frames {
        advance(&mut first);
        iterations += first.report().iterations;
        see(&first);
    }
    let mut fastest = vec![f64::INFINITY; scene.frames as usize];
    let mut whole = f64::INFINITY;
    for _ in 0..rounds {
        let mut stage = stage(scene);
        let clock = Clock::start();
        for seconds in &mut fastest {
            *seconds = seconds.min(advance(&mut stage));
        }
        whole = whole.min(clock.seconds());
    }
    let frames = f64::from(scene.frames);
    Cost {
        ms: whole.min(fastest.iter().sum()) * 1e3 / frames,
        iterations: f64::from(iterations) / frames,
    }
}

/// The only rod, or the first.
pub fn rod(stage: &Stage) -> RodRef<'_> {
    let first = stage.ids().next().and_then(|id| stage.world.rod(id));
    first.unwrap_or_else(|| panic!("a scene without rods"))
}

/// The last vertices of all rods.
pub fn tips(stage: &Stage) -> Vec<DVec3> {
    let rods = stage.ids().filter_map(|id| stage.world.rod(id));
    rods.map(|rod| rod.position(rod.vertex_count() - 1)).collect()
}
