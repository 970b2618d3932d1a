//! A groom on a head, with the strands on a grid and with exact contact: what either costs, and how much the grid takes of it.

use glam::DVec3;
use lariat::{
    contact::{Collider, ContactSettings},
    prelude::*,
};
use parry3d::shape::SharedShape;

use crate::{
    FRAME, Figures,
    common::{Clock, median, quick},
    stages,
};

const SUBSTEPS: u32 = 4;
const SEGMENTS: u32 = 16;
const HEAD: f64 = 0.1;

/// Nanoseconds for each vertex and substep: of the whole step, and of the grid.
struct Cost {
    step: f64,
    grid: f64,
}

pub fn measure(figures: &mut Figures) {
    let strands = if quick() { 80 } else { 150 };
    let frames = if quick() { 5 } else { 10 };
    let [grid, exact] = [HairCollision::Grid, HairCollision::Exact].map(|hair| play(hair, strands, frames, true));
    println!(
        "hair, {strands} strands of {SEGMENTS} segments on a head, for each vertex and substep: {:.0} ns on the grid, which takes {:.1} ns of it, {:.0} ns exact",
        grid.step, grid.grid, exact.step
    );
    // As many strands as a groom has; the head would take most of the time.
    let many = if quick() { 500 } else { 4000 };
    let groom = play(HairCollision::Grid, many, frames, false);
    println!(
        "hair, {many} strands without a head: {:.0} ns on the grid, which takes {:.1} ns of it",
        groom.step, groom.grid
    );
    figures.push(("hair_grid_ns_per_vertex", groom.grid));
    figures.push(("hair_grid_vs_exact", grid.step / exact.step));
}

fn play(hair: HairCollision, strands: u32, frames: u32, head: bool) -> Cost {
    let grid = HairGrid {
        hairs: 4000.0 / strands as f32,
        ..HairGrid::default()
    };
    let settings = Settings {
        substeps: SUBSTEPS,
        contact: Some(ContactSettings {
            hair: grid,
            ..ContactSettings::default()
        }),
        threads: Some(1),
        ..Settings::default()
    };
    let mut world = RodWorld::new(settings).expect("sound settings");
    if head {
        let ball = Collider::new(SharedShape::ball(HEAD as f32));
        world.add_collider(ball).expect("a head");
    }
    let material = Material {
        friction: 0.3,
        ..Material::rigidity(20.0, 20.0, 1e-6, 1e-6, 0.01)
    };
    for n in 0..strands {
        // A spiral from the crown to the equator.
        let y = 1.0 - (f64::from(n) + 0.5) / f64::from(strands);
        let (angle, around) = (2.399_963 * f64::from(n), (1.0 - y * y).sqrt());
        let out = DVec3::new(around * angle.cos(), y, around * angle.sin());
        // Exact strands would touch the head with their roots.
        let spec = RodSpec::new(Shape::line(out * (HEAD + 6e-4), out * (HEAD + 0.2), SEGMENTS))
            .radius(4e-4)
            .material(material)
            .pin(0)
            .hold_segment(0);
        let options = RodOptions {
            solver: Solver::GROOM,
            drag: 1.0,
            hair,
            ..RodOptions::default()
        };
        world
            .insert_with(spec.build().expect("a sound strand"), options)
            .expect("room");
    }
    (0..frames).for_each(|_| {
        world.step(FRAME).expect("a sound step");
    });
    // The middle of the frames: others may disturb some.
    let (mut steps, mut grids) = (Vec::new(), Vec::new());
    for _ in 0..frames {
        stages::start();
        let clock = Clock::start();
        world.step(FRAME).expect("a sound step");
        steps.push(clock.seconds() * 1e9);
        grids.push(stages::read()[0] * 1e6);
    }
    println!("hair {hair:?}, the last frame: {}", stages::shares());
    let each = 1.0 / f64::from(SUBSTEPS * strands * (SEGMENTS + 1));
    Cost {
        step: median(steps) * each,
        grid: median(grids) * each,
    }
}
