//! A groom on a head: it keeps its volume, and no strand gets into the head.

use glam::DVec3;
use lariat::{contact::Collider, prelude::*};
use parry3d::shape::SharedShape;

use crate::{RADIUS, common, options, settings, strand};

const HEAD: f64 = 0.1;
const STRANDS: u32 = 120;

/// Strands stand on the upper part of a ball and fall over it.
fn groom(hair: HairCollision, solver: Solver) -> (RodWorld, Vec<RodId>) {
    let grid = HairGrid {
        hairs: 30.0,
        ..HairGrid::default()
    };
    let mut world = common::world(settings(4, grid));
    world
        .add_collider(Collider::new(SharedShape::ball(HEAD as f32)))
        .expect("a head");
    let rods = (0..STRANDS)
        .map(|n| {
            // A spiral from the crown to 70° off it.
            let s = (f64::from(n) + 0.5) / f64::from(STRANDS);
            let (y, angle) = (1.0 - 0.65 * s, 2.399_963 * f64::from(n));
            let around = (1.0 - y * y).sqrt();
            let out = DVec3::new(around * angle.cos(), y, around * angle.sin());
            let points = (0..=12).map(|k| out * (HEAD + 0.012 * f64::from(k))).collect();
            let spec = strand(points).pin(0).hold_segment(0);
            let drag = RodOptions {
                drag: 1.0,
                hair,
                layers: CollisionLayers {
                    member_of: 2,
                    collides_with: 1,
                },
                ..options(solver)
            };
            world.insert_with(common::built(&spec), drag).expect("a strand")
        })
        .collect();
    (world, rods)
}

/// Mean distance of strands from the head, and the least beyond the root segments, m.
fn layer(world: &RodWorld, rods: &[RodId]) -> (f64, f64) {
    let (mut sum, mut count, mut least) = (0.0, 0.0, f64::INFINITY);
    for &id in rods {
        let places = common::positions(world, id);
        for ends in places.windows(2).skip(1) {
            // The nearest point of the segment to the centre.
            let along = ends[1] - ends[0];
            let t = (-ends[0].dot(along) / along.length_squared()).clamp(0.0, 1.0);
            least = least.min((ends[0] + along * t).length() - HEAD);
            sum += (0.5 * (ends[0] + ends[1])).length() - HEAD;
            count += 1.0;
        }
    }
    (sum / count, least)
}

/// After a second: the layer of hair, m. No strand was in the head meanwhile.
fn settled(hair: HairCollision, solver: Solver) -> f64 {
    let (mut world, rods) = groom(hair, solver);
    let (mut mean, mut deepest) = (0.0, f64::INFINITY);
    for _ in 0..60 {
        common::run(&mut world, 1);
        let (now, least) = layer(&world, &rods);
        mean = now;
        deepest = deepest.min(least);
    }
    println!(
        "{solver:?} {hair:?}: {:.2} mm above the head, at least {:.3} mm",
        mean * 1e3,
        deepest * 1e3
    );
    // Surfaces overlap by no more than the barrier lets them: never the centre line.
    assert!(deepest > 0.5 * RADIUS, "{deepest}");
    mean
}

#[test]
fn a_groom_keeps_its_volume_and_stays_out_of_the_head() {
    // Layers keep exact strands from each other here: they only touch the head.
    let flat = settled(HairCollision::Exact, Solver::GROOM);
    for solver in [Solver::GROOM, Solver::default(), Solver::XPBD] {
        let full = settled(HairCollision::Grid, solver);
        // 120 strands × 30 hairs × πr² × 0.144 m at a fraction of 0.05 are 8 litres, twice the volume of the head: a layer of some centimetres, where it was some millimetres.
        assert!(full > 3.0 * flat, "{full} {flat}");
    }
}

#[test]
fn strands_on_the_grid_touch_other_rods() {
    let mut world = common::world(settings(2, HairGrid::default()));
    let rope = RodSpec::new(Shape::line(DVec3::X * -0.2, DVec3::X * 0.2, 8))
        .radius(0.01)
        .material(Material::rigidity(5e4, 5e4, 0.1, 0.1, 1.0))
        .pin(0)
        .pin_last();
    let floating = RodOptions {
        gravity_scale: 0.0,
        ..RodOptions::default()
    };
    world.insert_with(common::built(&rope), floating).expect("a rope");
    let points = (0..=12)
        .map(|k| DVec3::new(0.03, 0.03, 0.01 * f64::from(k) - 0.06))
        .collect();
    let id = world
        .insert_with(common::built(&strand(points)), options(Solver::GROOM))
        .expect("a strand");
    common::run(&mut world, 60);
    let middle = common::positions(&world, id)[6];
    println!("it hangs at {middle}");
    assert!(middle.y > 0.009, "on the rope: {middle}");
    assert!(
        world.contacts().any(|contact| contact.rod == id
            || matches!(contact.other, lariat::contact::Touched::Rod { rod, .. } if rod == id))
    );
}
