//! How fast rods move: vertex-iterations a second, growth with size, threads, and lanes against one lane.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use common::{best_of, figure, quick};
use lariat::prelude::{Arithmetic, RodWorld, Settings};
use scenes::{
    Scene, Stage,
    builtin::{groom, slinky},
};

fn main() {
    let rounds = if quick() { 2 } else { 12 };
    let strands = if quick() { 1000 } else { 10_000 };

    println!("(a) one core");
    let hair = pair_ns(&groom_of(strands), Some(1), Arithmetic::Fast, rounds);
    report("groom", hair);
    let spring = pair_ns(&slinky::slinky(&Default::default()), Some(1), Arithmetic::Fast, rounds);
    report("slinky", spring);

    println!("(b) growth: ns per vertex + segment per iteration");
    let mut growth = Vec::new();
    let sizes: &[u32] = if quick() {
        &[32, 1024]
    } else {
        &[32, 320, 3200, 15_000, 46_875]
    };
    for &strands in sizes {
        // The small ones are over in no time: more rounds find a quiet moment.
        let rounds = if strands < 5000 { 5 * rounds } else { rounds };
        let ns = pair_ns(&groom_of(strands), Some(1), Arithmetic::Fast, rounds);
        println!("  {:>8} vertices {ns:>7.2}", strands * 32);
        growth.push(ns);
    }

    println!("(c) threads");
    let one = pair_ns(&groom_of(strands), Some(1), Arithmetic::Fast, rounds);
    let two = pair_ns(&groom_of(strands), Some(2), Arithmetic::Fast, rounds);
    println!("  1 thread {one:.2} ns, 2 threads {two:.2} ns");

    println!("(d) lanes");
    let scalar = pair_ns(&groom_of(strands / 4), Some(1), Arithmetic::Scalar, rounds.min(4));
    let unfused = pair_ns(&groom_of(strands / 4), Some(1), Arithmetic::Reproducible, rounds);
    let fast = pair_ns(&groom_of(strands / 4), Some(1), Arithmetic::Fast, rounds);
    println!("  scalar {scalar:.2} ns, reproducible {unfused:.2} ns, fast {fast:.2} ns");

    figure("groom_ns", hair);
    figure("slinky_ns", spring);
    figure("threads_speedup", one / two);
    figure("simd_speedup", scalar / fast);
    figure("simd_speedup_reproducible", scalar / unfused);
    // The largest world against the smallest, and the worst pair of sizes.
    let (first, last) = (growth[0], growth[growth.len() - 1]);
    let lowest = growth.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = growth.iter().copied().fold(0.0, f64::max);
    figure("scaling_factor", last / first);
    figure("scaling_factor_worst", highest / lowest);
}

fn groom_of(strands: u32) -> Scene {
    groom::groom(&groom::Groom {
        strands,
        ..Default::default()
    })
}

/// ns per vertex + segment per iteration, with everything that a frame does.
fn pair_ns(scene: &Scene, threads: Option<usize>, arithmetic: Arithmetic, rounds: usize) -> f64 {
    let adjust = |settings: &mut Settings| {
        settings.threads = threads;
        settings.arithmetic = arithmetic;
        // A whole frame of the paper's substeps takes seconds at the largest size; four show the same.
        settings.substeps = 4;
    };
    let mut world: RodWorld = match Stage::with_settings(scene, adjust, None) {
        Ok(stage) => stage.world,
        Err(error) => panic!("{}: {error}", scene.name),
    };
    let vertices: usize = (world.ids())
        .filter_map(|id| world.rod(id))
        .map(|rod| rod.vertex_count())
        .sum();
    let dt = 4e-3 * (1.0 / scene.substeps as f32) * 34.0 / 4.0;
    let work = (vertices as u32 * 4 * world.settings().iterations) as f64;
    // Small worlds are timed over several steps at once: a clock reading is then nothing.
    let steps = (400_000 / vertices).clamp(1, 50);
    let mut step = || {
        for _ in 0..steps {
            if let Err(error) = world.step(dt) {
                panic!("{error}");
            }
        }
    };
    step();
    best_of(rounds, step) * 1e9 / (work * steps as f64)
}

fn report(name: &str, ns: f64) {
    println!(
        "  {name:<7} {ns:>6.2} ns, {:>6.1} million vertex-iterations a second",
        1e3 / ns
    );
}
