//! Strands in a box keep their volume.

use glam::{DQuat, DVec3};
use lariat::{contact::Collider, prelude::*};
use parry3d::shape::SharedShape;

use crate::{Dice, RADIUS, common, options, settings, strand};

/// Sides of the box, m, and lengths of strands.
const SIDE: f64 = 0.24;
const LENGTH: f64 = 0.12;
const STRANDS: u32 = 160;
/// Hairs that a strand stands for.
const HAIRS: f32 = 20.0;

/// Strands fall into a box. Answers the mean height of their vertices when they lie, m.
fn fill(hair: Option<HairGrid>, segments: u32, substeps: u32) -> f64 {
    let grid = hair.unwrap_or_default();
    let mut world = common::world(settings(substeps, grid));
    for axis in [DVec3::X, -DVec3::X, DVec3::Z, -DVec3::Z, DVec3::Y] {
        let wall = Collider::new(SharedShape::halfspace(glam::Vec3::Y))
            .at(if axis == DVec3::Y {
                DVec3::ZERO
            } else {
                axis * (-0.5 * SIDE)
            })
            .turned(DQuat::from_rotation_arc(DVec3::Y, axis));
        world.add_collider(wall).expect("a sound wall");
    }
    let mut dice = Dice(3);
    let rods: Vec<RodId> = (0..STRANDS)
        .map(|n| {
            let angle = std::f64::consts::TAU * dice.roll();
            let half = DVec3::new(angle.cos(), 0.0, angle.sin()) * (0.5 * LENGTH);
            let room = 0.5 * SIDE - 0.5 * LENGTH - 0.005;
            let middle = DVec3::new(room, 0.0, room) * dice.vector() + DVec3::Y * (0.02 + 0.001 * f64::from(n));
            let points = (0..=segments)
                .map(|k| middle + half * (2.0 * f64::from(k) / f64::from(segments) - 1.0))
                .collect();
            let falling = RodOptions {
                drag: 1.0,
                layers: CollisionLayers {
                    member_of: 2,
                    collides_with: 1,
                },
                hair: if hair.is_some() {
                    HairCollision::Grid
                } else {
                    HairCollision::Exact
                },
                ..options(Solver::GROOM)
            };
            world
                .insert_with(common::built(&strand(points)), falling)
                .expect("a strand")
        })
        .collect();
    common::run(&mut world, 120);
    let mut heights = Vec::new();
    for &id in &rods {
        let places = common::positions(&world, id);
        for place in &places {
            assert!(
                place.y > 0.0 && place.x.abs().max(place.z.abs()) < 0.5 * SIDE,
                "in the box: {place}"
            );
        }
        // By length, not by vertices: the ends of strands count half.
        heights.extend(places.windows(2).map(|ends| 0.5 * (ends[0].y + ends[1].y)));
    }
    heights.iter().sum::<f64>() / heights.len() as f64
}

fn grid() -> HairGrid {
    HairGrid {
        cell: 0.03,
        packing: 0.05,
        hairs: HAIRS,
        ..HairGrid::default()
    }
}

/// Half the height of a block of packed hair on the floor of the box, m.
fn packed() -> f64 {
    let volume = f64::from(STRANDS) * f64::from(HAIRS) * std::f64::consts::PI * RADIUS * RADIUS * LENGTH;
    0.5 * volume / (f64::from(grid().packing) * SIDE * SIDE)
}

#[test]
fn hair_in_a_box_is_as_high_as_it_is_packed() {
    let high = fill(Some(grid()), 10, 4);
    let without = fill(None, 10, 4);
    let fine = fill(Some(grid()), 20, 4);
    let long = fill(Some(grid()), 10, 2);
    println!(
        "mean height {high:.4} m, packed {:.4} m, without the grid {without:.4} m",
        packed()
    );
    println!("{fine:.4} m with twice the segments, {long:.4} m with half the substeps");
    // Nodes within a cell of a wall see the nothing behind it: the box seems larger by about a cell of 3 cm, that is (27/24)² in its floor and 1.5 cm in its depth. So it is lower, and not by more.
    assert!((0.7..1.05).contains(&(high / packed())));
    assert!(without < 0.1 * packed());
    // Samples lie elsewhere, and a heap is never twice the same: a tenth.
    assert!((fine / high - 1.0).abs() < 0.1);
    assert!((long / high - 1.0).abs() < 0.1);
}
