//! Paper 5, Table 1: times of a frame of 10 ms for rods of 50 segments, ours against strands of distance and bending constraints (PBD) and against
//! position-based elastic rods with ghost points (PBER).
//!
//! All three run eight rods side by side in the same lanes on one core, 64 rods in all; `rivals` says what they get and leave out. Ours goes through a whole
//! `RodWorld`. The table has the paper's iterations: the same for all in the first scene, and those that the authors found to look alike in the other two. Figures: our time over the rival's at
//! the same iterations, and nanoseconds a segment and iteration.

use lariat::prelude::*;

use crate::{
    common::{best_of, figure, quick},
    rivals::{Pace, STRANDS, ghost::GhostRods, strand::Strands},
    scenes::{
        Stage,
        builtin::slinky_curls::{SlinkyCurls, slinky_curls},
    },
};

/// Segments of a rod.
const SEGMENTS: u32 = 50;
/// m.
const LENGTH: f64 = 0.02;
/// Rods in all.
const RODS: usize = 64;
/// The paper's step, s.
const STEP: f32 = 0.01;

/// A method, its time for a frame of one rod in ms, how far its strands are stretched after a second, and how low they hang.
struct Row {
    ms: f64,
    stretch: f64,
    height: f64,
}

pub fn compare() {
    println!("paper 5, Table 1: ms a frame and rod of {SEGMENTS} segments, one core, eight lanes");
    println!("scene      method     iterations         ms    stretched   end at, m   paper, ms");
    // Iterations of ours, PBER and PBD, with the paper's milliseconds.
    let scenes = [
        ([10, 10, 10], [0.14, 1.65, 0.16]),
        ([2, 18, 18], [0.03, 2.16, 0.26]),
        ([10, 80, 80], [0.14, 9.18, 1.32]),
    ];
    let mut ratios = None;
    for (number, (iterations, paper)) in scenes.into_iter().enumerate() {
        let [mine, ghosts, strands] = iterations;
        let ours = ours(Solver::XPBD, mine, Arithmetic::Fast);
        let ghost = ghost(ghosts, Arithmetic::Fast);
        let strand = strand(strands, Arithmetic::Fast);
        let rows = [
            ("XPBD", mine, &ours),
            ("PBER", ghosts, &ghost),
            ("PBD", strands, &strand),
        ];
        for ((name, iterations, row), paper) in rows.into_iter().zip(paper) {
            println!(
                "scene {}    {name:<10} {iterations:>10} {:>10.5} {:>11.2}% {:>11.3} {paper:>11.2}",
                number + 1,
                row.ms,
                100.0 * row.stretch,
                row.height,
            );
        }
        ratios.get_or_insert((
            ours.ms / strand.ms,
            ours.ms / ghost.ms,
            ours.ms * 1e6 / f64::from(mine * SEGMENTS),
        ));
    }

    println!("one lane at a time, ten iterations");
    let scalar = Arithmetic::Scalar;
    let rows = [
        ("XPBD", ours(Solver::XPBD, 10, scalar)),
        ("PBER", ghost(10, scalar)),
        ("PBD", strand(10, scalar)),
    ];
    for (name, row) in rows {
        println!("           {name:<10} {:>21.5}", row.ms);
    }
    println!("other ways of ours, ten iterations");
    for (name, projection, darboux) in [
        ("PBD stiffness", Projection::Stiffness, Darboux::Plain),
        ("modified Darboux vector", Projection::Compliance, Darboux::Modified),
    ] {
        let solver = Solver::Xpbd {
            projection,
            darboux,
            long_range: false,
        };
        println!("           {name:<23} {:>8.5}", ours(solver, 10, Arithmetic::Fast).ms);
    }
    println!(
        "slinky of 50 curls and 1,000 segments, 50 iterations: {:.3} ms a frame (paper: 7 ms)",
        slinky()
    );
    if let Some((strands, ghosts, segment)) = ratios {
        figure("xpbd_vs_pbd_time", strands);
        figure("xpbd_vs_ghost_time", ghosts);
        figure("xpbd_ns_per_segment", segment);
    }
}

/// Plays a second, then times frames of all rods.
fn measure(mut frame: impl FnMut(), look: impl FnOnce() -> (f64, f64)) -> Row {
    let frames = if quick() { 20 } else { 100 };
    let seconds = best_of(frames, &mut frame);
    let (stretch, height) = look();
    Row {
        ms: seconds * 1e3 / RODS as f64,
        stretch,
        height,
    }
}

fn ours(solver: Solver, iterations: u32, arithmetic: Arithmetic) -> Row {
    let settings = Settings {
        iterations,
        arithmetic,
        threads: Some(1),
        ..Settings::default()
    };
    let mut world = RodWorld::new(settings).unwrap_or_else(|error| panic!("{error}"));
    // As stiff as a step of 10 ms can tell, as the rivals are.
    let spec = RodSpec::new(Shape::line(
        glam::DVec3::ZERO,
        glam::DVec3::X * LENGTH * f64::from(SEGMENTS),
        SEGMENTS,
    ))
    .material(Material::rigidity(1e5, 1e5, 1.0, 1.0, 0.1))
    .pin(0)
    .pin(1)
    .hold_segment(0);
    let rod = spec.build().unwrap_or_else(|error| panic!("{error}"));
    let options = RodOptions {
        solver,
        ..RodOptions::default()
    };
    let ids: Vec<RodId> = (0..RODS)
        .map(|_| {
            let inserted = world.insert_with(rod.clone(), options);
            inserted.unwrap_or_else(|error| panic!("{error}"))
        })
        .collect();
    let cell = std::cell::RefCell::new(world);
    measure(
        || {
            if let Err(error) = cell.borrow_mut().step(STEP) {
                panic!("{error}");
            }
        },
        || {
            let world = cell.borrow();
            let rod = world.rod(ids[0]).unwrap_or_else(|| panic!("the rod is gone"));
            (rod.stretch(), rod.position(SEGMENTS as usize).y)
        },
    )
}

fn strand(iterations: u32, arithmetic: Arithmetic) -> Row {
    let make = || Strands::new(SEGMENTS as usize, LENGTH as f32);
    let all = std::cell::RefCell::new((0..RODS / STRANDS).map(|_| make()).collect::<Vec<_>>());
    let pace = Pace {
        h: STEP,
        iterations,
        arithmetic,
    };
    measure(
        || all.borrow_mut().iter_mut().for_each(|strands| strands.step(pace)),
        || seen(&all.borrow()[0].points),
    )
}

fn ghost(iterations: u32, arithmetic: Arithmetic) -> Row {
    let make = || GhostRods::new(SEGMENTS as usize, LENGTH as f32);
    let all = std::cell::RefCell::new((0..RODS / STRANDS).map(|_| make()).collect::<Vec<_>>());
    let pace = Pace {
        h: STEP,
        iterations,
        arithmetic,
    };
    measure(
        || all.borrow_mut().iter_mut().for_each(|rods| rods.step(pace)),
        || seen(&all.borrow()[0].points),
    )
}

fn seen(points: &crate::rivals::Points) -> (f64, f64) {
    let count = SEGMENTS as usize + 1;
    let length = points.length(count) / (LENGTH * f64::from(SEGMENTS));
    assert!(length.is_finite(), "a rival blew up");
    (length - 1.0, points.height(count - 1))
}

fn slinky() -> f64 {
    let scene = slinky_curls(&SlinkyCurls::default());
    let adjust = |settings: &mut Settings| {
        settings.threads = Some(1);
        (settings.substeps, settings.iterations) = (1, 50);
    };
    let stage = Stage::with_settings(&scene, adjust, None);
    let mut stage = stage.unwrap_or_else(|error| panic!("{error}"));
    let frames = if quick() { 5 } else { 100 };
    best_of(frames, || {
        if let Err(error) = stage.advance() {
            panic!("{error}");
        }
    }) * 1e3
}
