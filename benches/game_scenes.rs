//! Ropes as games have them, at 60 Hz with one substep and the default iterations: S1–S4, on which rope solvers are compared; how far a
//! falling rope is from the truth over stiffness, bending and load; what is left of the energy of a swing.
//!
//! One core. Times are means over the frames of a scene, undisturbed by others (`common::play`).

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use common::{
    figure,
    play::{Cost, Setting, advance, play, rod, stage, tips},
    quick, unit_ms,
};
use glam::DVec3;
use lariat::prelude::Solver;
use scenes::{
    Scene, SceneRod,
    builtin::{
        cantilever::{ELASTICA_TIP, own_weight},
        rope::{self, Rope},
    },
    names::{DIRECT, DIRECT_BDF2, STABLE_COSSERAT},
};

const GRAVITY: f64 = 9.81;

fn main() {
    let rounds = if quick() { 1 } else { 5 };
    let mut figures = Vec::new();
    println!("unit_ms {:.2}", unit_ms());
    println!("60 Hz, one substep, one core           ms  iterations   result");
    falling(rounds, &mut figures);
    loaded(rounds, &mut figures);
    tilted(rounds, &mut figures);
    cantilevers(rounds, &mut figures);
    thousand(if quick() { 1 } else { 3 }, &mut figures);
    accuracy(&mut figures);
    energy();
    for (name, value) in figures {
        figure(&name, value);
    }
}

type Figures = Vec<(String, f64)>;

fn add(figures: &mut Figures, name: &str, value: f64) {
    figures.push((name.to_owned(), value));
}

fn row(name: &str, cost: Cost, result: &str) {
    println!("{name:<34} {:>7.4} {:>11.2}   {result}", cost.ms, cost.iterations);
}

fn falling(rounds: u32, figures: &mut Figures) {
    let mut most = 0.0f64;
    let scene = rope::hanging(&Rope::default());
    let cost = play(&scene, rounds, |stage| most = most.max(rod(stage).stretch()));
    row("S1 rope falls", cost, &format!("max stretch {:.4} %", most * 100.0));
    add(figures, "s1_stretch", most);
}

fn loaded(rounds: u32, figures: &mut Figures) {
    let [mut ms, mut error, mut jitter] = [0.0f64; 3];
    for (rope, load) in [(Rope::default(), 100.0), (Rope::steel(), 1000.0)] {
        let scene = rope::loaded(&rope, load, 0.0);
        let (mut speeds, mut stretch) = (Vec::new(), 0.0);
        let cost = play(&scene, rounds, |stage| {
            let rod = rod(stage);
            speeds.push(f64::from(rod.velocity(rod.vertex_count() - 1).length_squared()));
            stretch = rod.stretch();
        });
        let last = &speeds[speeds.len() - 60..];
        let rms = (last.iter().sum::<f64>() / last.len() as f64).sqrt();
        // T/EA on average: the lowest segment carries the load, the highest the rope as well.
        let expected = GRAVITY * (load + 0.5 * rope.linear_density * rope.length) / rope.ea;
        let off = (stretch / expected - 1.0).abs();
        let result = format!(
            "stretch {:.4} % (T/EA {:.4} %), rms speed {:.3} mm/s",
            stretch * 100.0,
            expected * 100.0,
            rms * 1e3
        );
        row(&format!("S2 {load} kg, EA {:.0e} N", rope.ea), cost, &result);
        (ms, error, jitter) = (ms.max(cost.ms), error.max(off), jitter.max(rms));
    }
    add(figures, "s2_ms", ms);
    add(figures, "s2_stretch_error", error);
    add(figures, "s2_jitter", jitter);
}

fn tilted(rounds: u32, figures: &mut Figures) {
    let scene = rope::loaded(&Rope::default(), 100.0, 5.0);
    let mut crossing = f64::NAN;
    let mut last = (0.0, f64::INFINITY);
    let cost = play(&scene, rounds, |stage| {
        let now = (stage.time(), tips(stage)[0].x);
        if crossing.is_nan() && last.1 > 0.0 && now.1 <= 0.0 {
            crossing = last.0 + (now.0 - last.0) * last.1 / (last.1 - now.1);
        }
        last = now;
    });
    row("S2t tilted by 5°", cost, &format!("crosses at {crossing:.4} s"));
    add(figures, "s2t_crossing", crossing);
}

fn cantilevers(rounds: u32, figures: &mut Figures) {
    for segments in [16, 32, 64] {
        let mut tip = DVec3::ZERO;
        let cost = play(&own_weight(segments), rounds, |stage| tip = tips(stage)[0]);
        let error = (tip.y / ELASTICA_TIP - 1.0).abs();
        let result = format!("tip {:.5} m, error {:.3} %", tip.y, error * 100.0);
        row(&format!("S3 cantilever, {segments} segments"), cost, &result);
        add(figures, &format!("s3_error_{segments}"), error);
    }
}

fn thousand(rounds: u32, figures: &mut Figures) {
    let scene = rope::many(if quick() { [10, 10] } else { [40, 25] });
    let mut most = 0.0f64;
    let mut segments = 0;
    let cost = play(&scene, rounds, |stage| {
        let group = &stage.groups()[0];
        segments = group.ids.len() * group.description.segments().len();
        let rods = group.ids.iter().filter_map(|id| stage.world.rod(*id));
        most = rods.map(|rod| rod.stretch()).fold(most, f64::max);
    });
    let ns = cost.ms * 1e6 / (segments as f64 * cost.iterations);
    let result = format!(
        "max stretch {:.4} %, {ns:.1} ns per segment and iteration",
        most * 100.0
    );
    row(&format!("S4 {segments} segments of ropes"), cost, &result);
    add(figures, "s4_ms", cost.ms);
    add(figures, "s4_stretch", most);
    add(figures, "direct_ns_per_segment", ns);
}

/// A rope of the table: 2 m, 32 segments, 1 kg/m, pinned, let go from the horizontal.
struct Case {
    ea: f64,
    ei: f64,
    load: f64,
}

fn cases() -> Vec<Case> {
    let (stiffnesses, bendings): (&[f64], &[f64]) = if quick() {
        (&[1e3, 1e6], &[0.0, 2.0])
    } else {
        (&[1e3, 1e4, 5e4, 1e6], &[0.0, 0.01, 0.1, 2.0, 10.0])
    };
    let mut cases = Vec::new();
    for &ea in stiffnesses {
        for &ei in bendings {
            for load in [0.0, 1.0, 10.0, 100.0, 1000.0] {
                // At rest it stretches by at most 5 %.
                if (load + 2.0) * GRAVITY <= 0.05 * ea {
                    cases.push(Case { ea, ei, load });
                }
            }
        }
    }
    cases
}

/// All cases beside one another: they do not touch.
fn falling_side_by_side(cases: &[Case]) -> Scene {
    let scene = Scene::new("cases", "").timed(60.0, 1, 8, 36);
    (cases.iter().enumerate()).fold(scene, |scene, (i, case)| {
        let rope = Rope {
            segments: 32,
            ea: case.ea,
            ei: case.ei,
            ..Rope::default()
        };
        let spec = rope.carrying(case.load, DVec3::X);
        scene.with_rod(SceneRod::new(&format!("rope {i}"), spec))
    })
}

/// The table of design §4: distance of the tip from where it should be after 0.6 s.
fn accuracy(figures: &mut Figures) {
    let cases = cases();
    let scene = falling_side_by_side(&cases);
    let end = |solver, hz, iterations| {
        let mut stage = stage(&Setting { solver, hz, iterations }.apply(&scene));
        let frames = scene.frames * hz / 60;
        for _ in 0..frames {
            advance(&mut stage);
        }
        tips(&stage)
    };
    let finest = if quick() { 3840 } else { 7680 };
    let truth = end(DIRECT_BDF2, finest, 32);
    let distances = |tips: Vec<DVec3>| -> Vec<f64> { tips.iter().zip(&truth).map(|(a, b)| a.distance(*b)).collect() };
    let doubt = distances(end(DIRECT_BDF2, finest / 2, 32));
    let columns: [(&str, Solver, u32, u32); 7] = [
        ("direct 240×2", DIRECT, 240, 2),
        ("direct 60×3", DIRECT, 60, 3),
        ("bdf2 240×2", DIRECT_BDF2, 240, 2),
        ("bdf2 60×3", DIRECT_BDF2, 60, 3),
        ("bdf2 60×8", DIRECT_BDF2, 60, 8),
        ("alternating 240×4", STABLE_COSSERAT, 240, 4),
        ("alternating 960×4", STABLE_COSSERAT, 960, 4),
    ];
    println!("\ntip error after 0.6 s, m: rope of 2 m, 32 segments, let go from the horizontal; Hz × iterations");
    print!("    EA N  EI Nm²  load kg      doubt");
    columns.iter().for_each(|(name, ..)| print!(" {name:>18}"));
    println!();
    let errors = columns.map(|(_, solver, hz, iterations)| distances(end(solver, hz, iterations)));
    for (i, case) in cases.iter().enumerate() {
        print!("{:>8.0e} {:>7} {:>8} {:>10.6}", case.ea, case.ei, case.load, doubt[i]);
        errors.iter().for_each(|column| print!(" {:>18.4}", column[i]));
        println!();
    }
    let worst = |column: &[f64]| column.iter().copied().fold(0.0, f64::max);
    print!("{:<25} {:>10.6}", "worst", worst(&doubt));
    errors.iter().for_each(|column| print!(" {:>18.4}", worst(column)));
    println!();
    add(figures, "tip_error_240", worst(&errors[0]));
    add(figures, "tip_error_60", worst(&errors[1]));
    add(figures, "tip_error_240_bdf2", worst(&errors[2]));
    add(figures, "tip_error_60_bdf2", worst(&errors[4]));
}

/// What is left of the energy of a swing over 10 s at 60 Hz, above the rope that hangs still.
fn energy() {
    println!("\nenergy of a swing from 30°, 60 Hz, one substep: part that is left after");
    println!("rope of 2 m, 1 kg/m, EA 5e4 N        1 s     2 s     4 s     6 s     8 s    10 s");
    for load in [0.0, 100.0] {
        let rope = Rope::default();
        let (sin, cos) = 30f64.to_radians().sin_cos();
        let spec = rope.carrying(load, DVec3::new(sin, -cos, 0.0));
        for (name, solver) in [("Euler", DIRECT), ("BDF2", DIRECT_BDF2)] {
            let scene = Scene::new("swing", "").timed(60.0, 1, 8, 600).solved_by(solver);
            let scene = scene.with_rod(SceneRod::new("rope", spec.clone()));
            let mut energies = vec![rod(&stage(&scene)).energy().total()];
            play(&scene, 0, |stage| energies.push(rod(stage).energy().total()));
            // Straight down at its rest length.
            let rest = -GRAVITY * rope.length * (0.5 * rope.linear_density * rope.length + load);
            print!("{:<30}", format!("{load} kg at its end, {name}"));
            for second in [1, 2, 4, 6, 8, 10] {
                print!(" {:>7.3}", (energies[60 * second] - rest) / (energies[0] - rest));
            }
            println!();
        }
    }
}
