//! The seven experiments of paper 3: the scenes show what its section 5 says.

use glam::DVec3;
use lariat::prelude::*;

use crate::scenes::{
    Overrides, Run, Scene, Stage,
    builtin::generalized_alpha::{self as experiments, PAIRS, PUSHED, SEGMENTS},
    run,
    runner::Report,
};

fn played(scene: &Scene) -> Run {
    let overrides = Overrides {
        threads: Some(1),
        strobe_frames: (0..=scene.frames).collect(),
        ..Overrides::default()
    };
    let run = run(scene, &overrides, |_| {}).expect("it plays");
    let report = &run.report;
    assert_eq!(report.events.quarantined, 0, "{}", scene.name);
    assert!(
        run.groups
            .iter()
            .all(|group| group.description.segments().len() == SEGMENTS as usize)
    );
    assert!(report.energy.max.is_finite(), "{}", scene.name);
    run
}

/// The rows of a probe: time, then values.
fn rows<'a>(report: &'a Report, probe: &str) -> &'a [Vec<f64>] {
    &report.probes[probe]
}

fn at(report: &Report, probe: &str, seconds: f64) -> DVec3 {
    let rows = rows(report, probe);
    let row = rows.iter().find(|row| row[0] > seconds - 1e-6).expect("within the run");
    DVec3::new(row[1], row[2], row[3])
}

#[test]
fn a_sine_falls_and_keeps_its_energy() {
    let run = played(&experiments::sinus());
    let lowest = rows(&run.report, "tip").iter().map(|row| row[2]).fold(0.0, f64::min);
    assert!(lowest < -0.2, "it falls from horizontal: {lowest}");
    // What falls is the weight of 1.4 g by some 0.2 m. With ρ∞ = 1 nothing is damped, and steps of 1/30 s do not see the higher modes: a part of it comes and goes.
    let fallen = 0.003 * run.groups[0].description.rest_length() * 9.81 * 0.2;
    for row in rows(&run.report, "energy") {
        assert!(
            (row[1] - run.report.energy.start).abs() < 0.2 * fallen,
            "{row:?}, {fallen}"
        );
    }
}

#[test]
fn a_damped_helix_follows_its_load() {
    let run = played(&experiments::helix());
    let ends = |t| at(&run.report, "end", t);
    // Loads of 0.15 N down and 0.05 N to the side have their full size at 1 s and at 1.8 s, and are gone at 3.4 s.
    let (start, down, aside, last) = (ends(0.4), ends(1.1), ends(1.9), ends(4.0));
    assert!(
        down.y < start.y - 0.02 && aside.x > start.x + 0.04,
        "{start} {down} {aside}"
    );
    assert!(aside.y > down.y + 0.02, "{down} {aside}");
    assert!(last.distance(start) < 5e-3, "much damped, it is back: {start} {last}");
}

#[test]
fn a_torque_rolls_a_rod_and_lets_it_go() {
    let run = played(&experiments::torque());
    let nearest = rows(&run.report, "end")
        .iter()
        .map(|row| DVec3::new(row[1], row[2], row[3]).length());
    assert!(nearest.fold(1.0, f64::min) < 0.1, "it is rolled up");
    let out_of_plane = rows(&run.report, "end")
        .iter()
        .map(|row| row[3].abs())
        .fold(0.0, f64::max);
    assert!(out_of_plane > 0.05, "half of the torque lies along it: {out_of_plane}");
    // Without torque, from 4 s on, it unrolls and swings about straight with its period of 1.4 s.
    let rows = rows(&run.report, "end");
    let last = &rows[rows.len() - 42..];
    let mean = last.iter().map(|row| row[1]).sum::<f64>() / last.len() as f64;
    assert!(mean > 0.36, "{mean} of 0.45 m");
}

#[test]
fn a_coil_spring_swings_and_is_little_damped() {
    let run = played(&experiments::spring());
    let heights: Vec<f64> = rows(&run.report, "end").iter().map(|row| row[2]).collect();
    let rest = heights[0];
    let turns = heights
        .windows(2)
        .filter(|pair| (pair[0] < rest) != (pair[1] < rest))
        .count();
    assert!(turns >= 8, "{turns} crossings in 3 s");
    let energies: Vec<f64> = rows(&run.report, "energy").iter().map(|row| row[1]).collect();
    // After the pull, which ends with the fourth frame.
    let (pulled, last) = (energies[5], energies[energies.len() - 1]);
    assert!(
        pulled > 0.0 && last > 0.5 * pulled && last < 1.02 * pulled,
        "{pulled} {last}"
    );
}

#[test]
fn a_rod_under_torque_buckles_out_of_its_plane() {
    let scene = experiments::buckling();
    let run = played(&scene);
    let before = at(&run.report, "middle", PUSHED[0]);
    assert!(
        before.with_x(0.0).length() < 1e-6,
        "straight until it is pushed: {before}"
    );
    // As the square root of the way, where the rod's own swinging is over.
    let aside = |seconds: f64| at(&run.report, "middle", PUSHED[0] + seconds).with_x(0.0).length();
    assert!(aside(1.0 / 30.0) > 5e-3, "at once");
    assert!(
        (aside(1.0) / aside(0.25) - 2.0).abs() < 0.25,
        "{} {}",
        aside(1.0),
        aside(0.25)
    );
    // A rod that buckled in a plane would stay in the one that its middle and its ends lie in.
    let shape = &run.strobes.last().expect("an end").rods[0];
    let bow = shape[SEGMENTS as usize / 2].with_x(0.0).normalize();
    let off_plane = |p: &DVec3| p.dot(DVec3::X.cross(bow));
    let (low, high) = (
        shape.iter().map(off_plane).fold(0.0, f64::min),
        shape.iter().map(off_plane).fold(0.0, f64::max),
    );
    assert!(high > 0.01 && low < -0.01, "{low} {high}");
    // The end is where it was led; what the rod lacks to it is in its last segment.
    let end = shape[SEGMENTS as usize];
    assert!(end.distance(DVec3::X * 0.28) < 1e-4, "{end}");
    assert!(run.report.stretch.end.abs() < 1e-3, "{}", run.report.stretch.end);
    // Direct is another discretization of the same rod, with stretch and shear (none to speak of) and Euler's damping.
    let mut direct =
        Stage::with_settings(&scene, |settings| settings.substeps = 4, Some(Solver::default())).expect("sound");
    direct.play_until(PUSHED[1] + 0.5).expect("it plays");
    let id = direct.ids().next().expect("a rod");
    let other = direct
        .world
        .rod(id)
        .expect("it is there")
        .position(SEGMENTS as usize / 2)
        .with_x(0.0)
        .length();
    let own = shape[SEGMENTS as usize / 2].with_x(0.0).length();
    assert!((own / other - 1.0).abs() < 0.03, "{own} {other}");
}

#[test]
fn a_tress_is_drawn_out_by_thirty_percent_and_released() {
    let run = played(&experiments::tress_pulled());
    let rows = rows(&run.report, "end");
    let (start, lowest) = (rows[0][2], rows.iter().map(|row| row[2]).fold(0.0, f64::min));
    let extension = lowest / start - 1.0;
    assert!((extension - 0.3).abs() < 0.02, "{extension}");
    let released = rows.iter().position(|row| row[2] == lowest).expect("a lowest point");
    // On a line down while it is led, and back past its rest within the two seconds that follow.
    assert!(
        rows[..released]
            .iter()
            .all(|row| (row[1] - rows[0][1]).abs() < 1e-6 && (row[3] - rows[0][3]).abs() < 1e-6)
    );
    let highest = rows[released..]
        .iter()
        .map(|row| row[2])
        .fold(f64::NEG_INFINITY, f64::max);
    assert!(highest > start, "{start} {highest}");
    // Length is kept all the while.
    assert!(run.report.stretch.max < 2e-3, "{}", run.report.stretch.max);
}

#[test]
fn a_tress_under_gravity_is_damped_as_its_weights_say() {
    let run = played(&experiments::tress_weights());
    let kinetic: Vec<f64> = PAIRS
        .iter()
        .map(|[alpha, gamma]| {
            let rows = rows(&run.report, &format!("α {alpha} γ {gamma}"));
            // Over the last second.
            rows[rows.len() - 30..].iter().map(|row| row[1]).sum::<f64>()
        })
        .collect();
    // (0, ½) is the trapezoidal rule in all but the mean of the state; the others damp, the last most.
    assert!(kinetic[1..].iter().all(|k| *k < kinetic[0]), "{kinetic:?}");
    assert!(kinetic[3] < kinetic[1] && kinetic[3] < kinetic[2], "{kinetic:?}");
}
