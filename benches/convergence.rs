//! Paper 1's Fig. 5, 6 and 11: how fast the incremental potential falls with iterations and with time, for approximate and exact λ.
//!
//! From one state of a scene the same substep is solved with ever more iterations. The potential `Σ m/2h² |x − y|² + E` is
//! evaluated outside the solver in `f64`; what it lies above the best solve, relative to the first guess, is the residual. Approximate λ is a
//! material of its own, so that its residual ends where the two materials differ.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use common::{best_of, figure, quick};
use glam::DVec3;
use lariat::prelude::{Lambda, RodWorld, Solver};
use scenes::{
    Scene, Stage,
    builtin::{bridge, cantilever, trees},
};

fn main() {
    let scenes = [
        ("cantilever", Ok(cantilever::paper(&Default::default())), 0.25),
        ("trees", trees::trees(&Default::default()), 0.1),
        ("bridge", bridge::bridge(&Default::default()), 0.5),
    ];
    for (name, scene, time) in scenes {
        match scene {
            Ok(scene) => study(name, &scene, time),
            Err(error) => println!("{name}: {error}"),
        }
    }
}

fn study(name: &str, scene: &Scene, time: f64) {
    // Drag and wind are no part of the potential below.
    let mut scene = Scene {
        wind: None,
        ..scene.clone()
    };
    for rod in &mut scene.rods {
        rod.drag = 0.0;
    }
    let most = if quick() { 64 } else { 512 };
    let h = (scene.frame_seconds() / f64::from(scene.substeps)) as f32;
    let start = |lambda| prepare(&scene, time, lambda);
    let reference = start(Lambda::Exact);
    let floor = potential(&reference, &solve(&reference, h, 8 * most), h.into());
    let top = potential(&reference, &solve(&reference, h, 1), h.into());
    println!("{name}: potential above the best solve, relative to one iteration; time of a substep");
    println!("iterations   approximate        ms         exact        ms");
    let mut iterations = 1;
    let mut last = [f64::NAN; 2];
    while iterations <= most {
        print!("{iterations:>10}");
        for (column, lambda) in [Lambda::Approximate, Lambda::Exact].into_iter().enumerate() {
            let begin = switched(&reference, &scene, time, lambda);
            let residual = (potential(&begin, &solve(&begin, h, iterations), h.into()) - floor) / (top - floor);
            let ms = best_of(3, || {
                solve(&begin, h, iterations);
            }) * 1e3;
            print!("  {residual:>12.3e}  {ms:>8.4}");
            if iterations == 4 {
                last[column] = residual;
            }
        }
        println!();
        iterations *= 2;
    }
    figure(&format!("{name}_residual_after_4_approximate"), last[0]);
    figure(&format!("{name}_residual_after_4_exact"), last[1]);
}

fn prepare(scene: &Scene, time: f64, lambda: Lambda) -> RodWorld {
    let solver = Solver::StableCosserat { lambda };
    let adjust = |settings: &mut lariat::prelude::Settings| settings.threads = Some(1);
    let stage = Stage::with_settings(scene, adjust, Some(solver)).map(|mut stage| {
        stage
            .play_until(time)
            .unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        stage
    });
    match stage {
        Ok(stage) => stage.world,
        Err(error) => panic!("{}: {error}", scene.name),
    }
}

/// The state of `from` in a world that uses another λ.
fn switched(from: &RodWorld, scene: &Scene, time: f64, lambda: Lambda) -> RodWorld {
    if lambda == Lambda::Exact {
        return from.clone();
    }
    let mut to = prepare(scene, time.min(1e-9), lambda);
    let pairs: Vec<_> = from.ids().zip(to.ids()).collect();
    for (source, target) in pairs {
        let (Some(source), Some(mut target)) = (from.rod(source), to.rod_mut(target)) else {
            continue;
        };
        for v in 0..source.vertex_count() {
            let done =
                (target.set_position(v, source.position(v))).and_then(|()| target.set_velocity(v, source.velocity(v)));
            done.unwrap_or_else(|error| panic!("{error}"));
        }
        for s in 0..source.segment_count() {
            let done = target.set_orientation(s, source.orientation(s));
            done.unwrap_or_else(|error| panic!("{error}"));
        }
    }
    to
}

fn solve(start: &RodWorld, h: f32, iterations: u32) -> RodWorld {
    let mut world = start.clone();
    let settings = lariat::prelude::Settings {
        substeps: 1,
        iterations,
        ..world.settings().clone()
    };
    if let Err(error) = world.set_settings(settings).and_then(|()| world.step(h).map(drop)) {
        panic!("{error}");
    }
    world
}

/// The incremental potential of `end` after a substep from `start`.
fn potential(start: &RodWorld, end: &RodWorld, h: f64) -> f64 {
    let gravity = start.settings().gravity.as_dvec3();
    let rods = start.ids().filter_map(|id| Some((start.rod(id)?, end.rod(id)?)));
    rods.map(|(before, after)| {
        let inertia: f64 = (before.description().vertices().iter().enumerate())
            .filter(|(v, _)| !before.is_pinned(*v))
            .map(|(v, vertex)| {
                let guess: DVec3 = before.position(v) + before.velocity(v).as_dvec3() * h + gravity * h * h;
                0.5 * vertex.mass / (h * h) * (after.position(v) - guess).length_squared()
            })
            .sum();
        let energy = after.energy();
        inertia + energy.stretch + energy.bend
    })
    .sum()
}
