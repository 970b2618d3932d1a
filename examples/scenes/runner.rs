//! Plays a scene and measures it: milliseconds a frame, stretch, energy, events, probes, and snapshots for pictures.

use std::{collections::BTreeMap, time::Duration};

use glam::{DQuat, DVec3};
use lariat::prelude::{Arithmetic, Event, RodWorld, SettingsError, Solver};
use serde::Serialize;

use super::{
    check::SceneError,
    names::solver_name,
    scene::Scene,
    shapes::SceneShape,
    stage::{Group, Stage},
};

/// What replaces a scene's own settings for one run, and what the run records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The solver of every rod.
    pub solver: Option<Solver>,
    /// Frames a second.
    pub rate: Option<f64>,
    /// Substeps a frame.
    pub substeps: Option<u32>,
    /// Iterations a substep.
    pub iterations: Option<u32>,
    /// Threads.
    pub threads: Option<usize>,
    /// Frames to run.
    pub frames: Option<u32>,
    /// How arithmetic is done.
    pub arithmetic: Option<Arithmetic>,
    /// The frames after which snapshots are taken; 0 is the start.
    pub strobe_frames: Vec<u32>,
}

impl Overrides {
    /// The scene with these settings in place of its own.
    pub fn apply(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        if let Some(rate) = self.rate {
            // The same seconds are played at another rate, unless the frames are given too.
            scene.frames = (f64::from(scene.frames) * rate / scene.rate).round().max(1.0) as u32;
            scene.rate = rate;
        }
        scene.substeps = self.substeps.unwrap_or(scene.substeps);
        scene.iterations = self.iterations.unwrap_or(scene.iterations);
        scene.threads = self.threads.or(scene.threads);
        scene.frames = self.frames.unwrap_or(scene.frames);
        scene
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene is not right.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A step refused.
    #[error("frame {frame}: {source}")]
    Step {
        /// Which.
        frame: u32,
        /// Why.
        source: SettingsError,
    },
}

/// The results that `lab --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The scene's name.
    pub scene: String,
    /// The solver, or all of them when rods differ.
    pub solver: String,
    /// Frames a second.
    pub hz: f64,
    /// Substeps a frame.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Threads.
    pub threads: usize,
    /// Vertices of all rods.
    pub vertices: usize,
    /// Segments of all rods.
    pub segments: usize,
    /// Frames that were run.
    pub frames: u32,
    /// Wall time of a step.
    pub ms_per_frame: Milliseconds,
    /// Length / rest length − 1, the largest of all rods.
    pub stretch: Stretch,
    /// Energy of all rods, J.
    pub energy: EnergySpan,
    /// Contacts.
    pub contacts: Contacts,
    /// How many of each.
    pub events: Events,
    /// Rows of time and values.
    pub probes: BTreeMap<String, Vec<Vec<f64>>>,
}

/// Wall time a frame, ms.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Milliseconds {
    /// Half of the frames took less.
    pub median: f64,
    /// One frame in a hundred took more.
    pub p99: f64,
    /// The fastest frame.
    pub min: f64,
}

/// Stretch of the most stretched rod.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Stretch {
    /// Over all frames.
    pub max: f64,
    /// After the last frame.
    pub end: f64,
}

/// Kinetic, elastic and gravitational energy, J.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct EnergySpan {
    /// Before the first frame.
    pub start: f64,
    /// After the last.
    pub end: f64,
    /// The most.
    pub max: f64,
}

/// Contacts of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Contacts {
    /// Pairs in touch, at most.
    pub max_pairs: usize,
    /// Deepest overlap, m.
    pub max_penetration: f64,
}

impl Contacts {
    fn look(&mut self, world: &RodWorld) {
        let (count, deepest) = world.contacts().fold((0, 0.0), |(count, deepest), contact| {
            (count + 1, f64::max(deepest, -contact.gap))
        });
        self.max_pairs = self.max_pairs.max(count);
        self.max_penetration = self.max_penetration.max(deepest);
    }
}

/// Events of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Events {
    /// Segments that broke.
    pub broke: usize,
    /// Segments that were cut.
    pub cut: usize,
    /// Rods that were quarantined.
    pub quarantined: usize,
}

/// The rods at one time.
#[derive(Clone, Debug)]
pub struct Strobe {
    /// s.
    pub time: f64,
    /// Positions of the vertices of every rod, in the order of [`Stage::ids`].
    pub rods: Vec<Vec<DVec3>>,
    /// Where the shapes are, in the scene's order.
    pub shapes: Vec<(DVec3, DQuat)>,
    /// Segments that were broken by then: (rod, segment).
    pub broken: Vec<(usize, u32)>,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The numbers.
    pub report: Report,
    /// The snapshots, oldest first.
    pub strobes: Vec<Strobe>,
    /// The rods and their copies.
    pub groups: Vec<Group>,
    /// The shapes.
    pub shapes: Vec<SceneShape>,
    /// Joints of all rods.
    pub joints: usize,
    /// Seconds that were simulated.
    pub seconds: f64,
    /// Wall time of all steps.
    pub step_time: Duration,
}

/// `count` frames evenly from 0 to the last, both among them.
pub fn evenly(frames: u32, count: usize) -> Vec<u32> {
    let last = count.saturating_sub(1).max(1) as u64;
    let mut chosen: Vec<u32> = (0..count as u64)
        .map(|i| (u64::from(frames) * i / last) as u32)
        .collect();
    chosen.dedup();
    chosen
}

/// Plays a scene to its end; `progress` is told how many frames are done.
pub fn run(scene: &Scene, overrides: &Overrides, mut progress: impl FnMut(u32)) -> Result<Run, RunError> {
    let scene = overrides.apply(scene);
    let adjust = |settings: &mut lariat::prelude::Settings| {
        if let Some(arithmetic) = overrides.arithmetic {
            settings.arithmetic = arithmetic;
        }
    };
    let mut stage = Stage::with_settings(&scene, adjust, overrides.solver)?;
    let mut recorder = Recorder::new(&scene, &stage, overrides.strobe_frames.clone());
    recorder.record(&mut stage, 0);
    for frame in 1..=scene.frames {
        let took = stage.advance().map_err(|source| RunError::Step { frame, source })?;
        recorder.times.push(took);
        recorder.record(&mut stage, frame);
        progress(frame);
    }
    Ok(recorder.finish(&scene, overrides, &stage))
}

struct Recorder {
    times: Vec<Duration>,
    stretch: Stretch,
    energy: EnergySpan,
    contacts: Contacts,
    events: Events,
    probes: BTreeMap<String, Vec<Vec<f64>>>,
    strobe_frames: Vec<u32>,
    strobes: Vec<Strobe>,
    broken: Vec<(usize, u32)>,
}

impl Recorder {
    fn new(scene: &Scene, stage: &Stage, strobe_frames: Vec<u32>) -> Self {
        Self {
            times: Vec::with_capacity(scene.frames as usize),
            stretch: Stretch {
                max: f64::NEG_INFINITY,
                end: 0.0,
            },
            energy: EnergySpan {
                start: world_energy(&stage.world),
                end: 0.0,
                max: f64::NEG_INFINITY,
            },
            contacts: Contacts::default(),
            events: Events::default(),
            probes: stage
                .watches()
                .iter()
                .map(|watch| (watch.name.clone(), Vec::new()))
                .collect(),
            strobe_frames,
            strobes: Vec::new(),
            broken: Vec::new(),
        }
    }

    fn record(&mut self, stage: &mut Stage, frame: u32) {
        for event in stage.events() {
            match event {
                Event::Broke { rod, segment, .. } => {
                    self.events.broke += 1;
                    let rod = stage.ids().position(|id| id == rod).unwrap_or(0);
                    self.broken.push((rod, segment));
                }
                Event::Quarantined { .. } => self.events.quarantined += 1,
                _ => {}
            }
        }
        let world = &stage.world;
        self.energy.end = world_energy(world);
        self.energy.max = self.energy.max.max(self.energy.end);
        self.contacts.look(world);
        self.stretch.end = world_stretch(world);
        self.stretch.max = self.stretch.max.max(self.stretch.end);
        for watch in stage.watches() {
            let mut row = vec![stage.time()];
            row.extend(watch.read(world));
            if let Some(rows) = self.probes.get_mut(&watch.name) {
                rows.push(row);
            }
        }
        if self.strobe_frames.contains(&frame) {
            self.strobes.push(snapshot(stage, self.broken.clone()));
        }
    }

    fn finish(self, scene: &Scene, overrides: &Overrides, stage: &Stage) -> Run {
        let total = |count: fn(&Group) -> usize| stage.groups().iter().map(|g| count(g) * g.ids.len()).sum();
        let mut solvers: Vec<String> = scene
            .rods
            .iter()
            .map(|rod| {
                solver_name(
                    overrides
                        .solver
                        .as_ref()
                        .or(rod.solver.as_ref())
                        .unwrap_or(&scene.solver),
                )
            })
            .collect();
        solvers.sort();
        solvers.dedup();
        let report = Report {
            scene: scene.name.clone(),
            solver: solvers.join(" + "),
            hz: scene.rate,
            substeps: scene.substeps,
            iterations: scene.iterations,
            threads: scene.threads.unwrap_or_else(available_threads),
            vertices: total(|group| group.description.vertices().len()),
            segments: total(|group| group.description.segments().len()),
            frames: scene.frames,
            ms_per_frame: milliseconds(&self.times),
            stretch: self.stretch,
            energy: self.energy,
            contacts: self.contacts,
            events: self.events,
            probes: self.probes,
        };
        Run {
            report,
            strobes: self.strobes,
            groups: stage.groups().to_vec(),
            shapes: scene.shapes.clone(),
            joints: total(|group| group.description.joints().len()),
            seconds: stage.time(),
            step_time: self.times.iter().sum(),
        }
    }
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn world_energy(world: &RodWorld) -> f64 {
    let rods = world.ids().filter_map(|id| world.rod(id));
    rods.map(|rod| rod.energy().total()).sum()
}

fn world_stretch(world: &RodWorld) -> f64 {
    let rods = world.ids().filter_map(|id| world.rod(id));
    rods.map(|rod| rod.stretch()).fold(f64::NEG_INFINITY, f64::max)
}

/// Positions of all vertices of all rods, in the scene's order.
pub fn snapshot(stage: &Stage, broken: Vec<(usize, u32)>) -> Strobe {
    let rods = stage
        .ids()
        .filter_map(|id| stage.world.rod(id))
        .map(|rod| (0..rod.vertex_count()).map(|v| rod.position(v)).collect())
        .collect();
    Strobe {
        time: stage.time(),
        rods,
        shapes: stage.shapes().collect(),
        broken,
    }
}

fn milliseconds(times: &[Duration]) -> Milliseconds {
    let mut ms: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    ms.sort_by(f64::total_cmp);
    let quantile = |q: f64| {
        let last = ms.len().saturating_sub(1);
        ms.get((last as f64 * q).round() as usize).copied().unwrap_or(0.0)
    };
    Milliseconds {
        median: quantile(0.5),
        p99: quantile(0.99),
        min: quantile(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_hundred_and_one_frames() {
        let times: Vec<Duration> = (0..=100).rev().map(Duration::from_millis).collect();
        let ms = milliseconds(&times);
        assert_eq!((ms.min, ms.median, ms.p99), (0.0, 50.0, 99.0));
        assert_eq!(milliseconds(&[]).median, 0.0);
    }

    #[test]
    fn snapshots_begin_at_the_start_and_end_at_the_end() {
        assert_eq!(evenly(10, 3), [0, 5, 10]);
        assert_eq!(evenly(2, 9), [0, 1, 2]);
        assert_eq!(evenly(10, 0), [] as [u32; 0]);
    }

    #[test]
    fn another_rate_plays_the_same_seconds() {
        let scene = Scene::new("x", "").timed(60.0, 1, 1, 120);
        let faster = Overrides {
            rate: Some(240.0),
            ..Overrides::default()
        };
        assert_eq!(faster.apply(&scene).frames, 480);
    }
}
