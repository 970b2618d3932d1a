//! Error against time: the cheapest setting of each solver that stays within 1 % of a rope's length of the truth.
//!
//! The error is the largest distance of a watched vertex from its place in the reference, at every thirtieth of a second of the scene. The
//! reference is a fine direct solve of second order, checked against one with twice its step. Rates and iterations are tried from the cheapest
//! on, and a search ends when what is left must cost more than what was found. One core; the figures are of a lone rod, the last column of eight.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use common::{
    Clock, figure,
    play::{Setting, advance, rod, stage},
    quick,
};
use glam::DVec3;
use lariat::prelude::Solver;
use scenes::{
    Layout, Scene, SceneRod,
    builtin::{
        cantilever::own_weight,
        rope::{Rope, loaded},
        slinky::{Slinky, slinky},
    },
    names::{DIRECT, DIRECT_BDF2, STABLE_COSSERAT, STABLE_COSSERAT_EXACT, solver_name},
};

/// Part of the length.
const ALLOWED: f64 = 0.01;
/// Times of comparison a second.
const LOOKS: u32 = 30;

/// A scene, the vertex that is watched, the length that errors are parts of, and rate and iterations of its reference.
struct Problem {
    name: &'static str,
    scene: Scene,
    vertex: usize,
    length: f64,
    reference: u32,
    /// Sweeps (rate × iterations) of a second that a search of Stable Cosserat may reach.
    sweeps: u32,
}

fn main() {
    let mut figures = Vec::new();
    for problem in problems() {
        let ratio = study(&problem);
        figures.push((format!("direct_time_ratio_{}", problem.name), ratio));
    }
    for (name, ratio) in figures {
        figure(&name, ratio);
    }
}

fn problems() -> Vec<Problem> {
    let seconds = |scene: Scene, seconds: f64| Scene {
        frames: (seconds * scene.rate).round() as u32,
        probes: Vec::new(),
        ..scene
    };
    // Let go from the horizontal, as S1.
    let fall = |rope: &Rope, load: f64| {
        let spec = rope.carrying(load, DVec3::X);
        seconds(Scene::new("fall", "").with_rod(SceneRod::new("rope", spec)), 0.6)
    };
    let coil = Slinky {
        turns: if quick() { 2 } else { 6 },
        ..Slinky::default()
    };
    let middle = coil.points().len() / 2;
    let sweeps = if quick() { 20_000 } else { 500_000 };
    let fine = if quick() { 1920 } else { 7680 };
    let problem = |name, scene, vertex, length| Problem {
        name,
        scene,
        vertex,
        length,
        reference: fine,
        sweeps,
    };
    let (rope, steel) = (Rope::default(), Rope::steel());
    vec![
        problem("hanging", fall(&rope, 0.0), 64, rope.length),
        problem("loaded", fall(&rope, 100.0), 64, rope.length),
        problem(
            "loaded_tilted",
            seconds(loaded(&rope, 100.0, 5.0), 1.0),
            64,
            rope.length,
        ),
        problem("loaded_steel", fall(&steel, 1000.0), 64, rope.length),
        problem("loaded_stiff", fall(&steel, 100.0), 64, rope.length),
        problem("cantilever", seconds(own_weight(32), 0.6), 32, 1.0),
        Problem {
            sweeps: sweeps / 10,
            reference: fine / 2,
            ..problem(
                "slinky",
                seconds(slinky(&coil), 0.6),
                middle,
                coil.pitch * f64::from(coil.turns),
            )
        },
    ]
}

/// What a setting reached.
struct Found {
    setting: Setting,
    seconds: f64,
    error: f64,
}

/// Prints the table of a scene. Answers the time of the better direct solver over that of the better Stable Cosserat.
fn study(problem: &Problem) -> f64 {
    let fine = |hz| Setting {
        solver: DIRECT_BDF2,
        hz,
        iterations: 32,
    };
    let (truth, _) = watch(problem, &fine(problem.reference));
    let (coarser, _) = watch(problem, &fine(problem.reference / 2));
    let doubt = distance(&coarser, &truth) / problem.length;
    println!(
        "{}: {:.1} s, cheapest setting with at most 1 % error; reference direct/bdf2 at {} Hz, doubt {:.4} %",
        problem.name,
        f64::from(problem.scene.frames) / problem.scene.rate,
        problem.reference,
        doubt * 100.0
    );
    println!("  solver                           Hz  iterations   ms a second   error %   ms of eight");
    let best = |solvers: [Solver; 2], sweeps| {
        let found = solvers.map(|solver| search(problem, solver, sweeps, &truth));
        found.into_iter().min_by(|a, b| a.score().total_cmp(&b.score()))
    };
    let direct = best([DIRECT, DIRECT_BDF2], 20_000);
    let alternating = best([STABLE_COSSERAT, STABLE_COSSERAT_EXACT], problem.sweeps);
    let (Some(direct), Some(alternating)) = (direct, alternating) else {
        return f64::NAN;
    };
    let ratio = direct.seconds / alternating.seconds;
    let bound = if alternating.good() { "" } else { "less than " };
    println!("  direct takes {bound}{ratio:.4} of the time\n");
    ratio
}

impl Problem {
    /// Eight of them, as many as there are lanes.
    fn eight(&self) -> Self {
        let mut scene = self.scene.clone();
        let offset = DVec3::Z * self.length;
        scene.rods[0].copies = Some(Layout::Row { count: 8, offset }.into());
        Self { scene, ..*self }
    }
}

impl Found {
    fn good(&self) -> bool {
        self.error <= ALLOWED
    }

    /// Less is better: any good one before all others, then by time, the others by error.
    fn score(&self) -> f64 {
        if self.good() {
            self.seconds
        } else {
            1e9 * (1.0 + self.error.min(1e9))
        }
    }
}

/// The cheapest good setting; if none is, the one with the least error, which makes its time a lower bound.
fn search(problem: &Problem, solver: Solver, sweeps: u32, truth: &[DVec3]) -> Found {
    let direct = matches!(solver, Solver::Direct { .. });
    let (counts, slowest): (&[u32], u32) = if direct {
        (&[1, 2, 3, 8], 30)
    } else {
        (&[1, 2, 4, 8, 16, 64], 60)
    };
    let rates = (0..).map(|k| slowest << k).take_while(|hz| *hz <= sweeps);
    let mut settings: Vec<Setting> = rates
        .flat_map(|hz| counts.iter().map(move |&iterations| Setting { solver, hz, iterations }))
        .filter(|setting| setting.hz * setting.iterations <= sweeps)
        .collect();
    settings.sort_by_key(|setting| setting.hz * setting.iterations);
    let mut best: Option<Found> = None;
    for setting in settings {
        // A sweep costs the same everywhere, give or take: what needs twice as many can't be cheaper.
        let work = |s: &Setting| s.hz * s.iterations;
        if best
            .as_ref()
            .is_some_and(|b| b.good() && work(&setting) > 2 * work(&b.setting))
        {
            break;
        }
        let (places, mut seconds) = watch(problem, &setting);
        let error = distance(&places, truth) / problem.length;
        if error <= ALLOWED {
            seconds = fastest(problem, &setting, seconds);
        }
        let found = Found {
            setting,
            seconds,
            error,
        };
        if best.as_ref().is_none_or(|b| found.score() < b.score()) {
            best = Some(found);
        }
    }
    let best = best.unwrap_or_else(|| panic!("no setting was tried"));
    let played = f64::from(problem.scene.frames) / problem.scene.rate;
    println!(
        "  {:<27} {:>7} {:>11} {:>13.4} {:>9.3} {:>13.4}{}",
        solver_name(&solver),
        best.setting.hz,
        best.setting.iterations,
        best.seconds * 1e3 / played,
        best.error * 100.0,
        fastest(&problem.eight(), &best.setting, f64::INFINITY) * 1e3 / played,
        if best.good() { "" } else { "  not reached" }
    );
    best
}

/// Where the watched vertex is at all times of comparison, and the seconds of all steps.
fn watch(problem: &Problem, setting: &Setting) -> (Vec<DVec3>, f64) {
    let scene = setting.apply(&problem.scene);
    let mut stage = stage(&scene);
    let every = setting.hz / LOOKS;
    let clock = Clock::start();
    let mut places = Vec::new();
    for frame in 1..=scene.frames {
        advance(&mut stage);
        if frame % every == 0 {
            places.push(rod(&stage).position(problem.vertex));
        }
    }
    (places, clock.seconds())
}

/// Seconds of the fastest of several plays. A long one is measured as this thread's work, which needs no repetition.
fn fastest(problem: &Problem, setting: &Setting, mut seconds: f64) -> f64 {
    for _ in 0..5 {
        if (0.2..f64::INFINITY).contains(&seconds) {
            break;
        }
        seconds = seconds.min(watch(problem, setting).1);
    }
    seconds
}

/// The largest, over time. A run that went wrong is infinitely far.
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    distances
        .map(|d| if d.is_nan() { f64::INFINITY } else { d })
        .fold(0.0, f64::max)
}
