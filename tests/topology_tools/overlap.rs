//! Distances and depths against brute force.

use super::{random::Random, topology::*};
use crate::curves::ring;
use glam::DVec3;
use std::f64::consts::PI;

#[test]
fn segment_distance_matches_sampling() {
    let mut random = Random::new(5);
    for case in 0..300 {
        let mut ends: [DVec3; 4] = std::array::from_fn(|_| random.in_ball());
        match case % 5 {
            0 => ends[3] = ends[2] + (ends[1] - ends[0]) * 0.7,
            1 => ends[1] = ends[0],
            2 => ends[2] = ends[0].lerp(ends[1], 0.3),
            _ => {}
        }
        let (a, b) = ([ends[0], ends[1]], [ends[2], ends[3]]);
        let found = segment_distance(a, b);
        let mut least = f64::INFINITY;
        for i in 0..=200 {
            for j in 0..=200 {
                let p = a[0].lerp(a[1], i as f64 / 200.0);
                least = least.min(p.distance(b[0].lerp(b[1], j as f64 / 200.0)));
            }
        }
        // No sample is nearer, and a sample lies within half a step (1/400 of at most 2 m) along each.
        assert!(
            found <= least + 1e-12 && least <= found + 0.01,
            "case {case}: {found} {least}"
        );
    }
}

#[test]
fn deepest_pair_matches_all_pairs() {
    let mut random = Random::new(9);
    for case in 0..20 {
        let rods: Vec<Vec<DVec3>> = (0..6)
            .map(|_| {
                let (start, step) = (random.in_ball() * 3.0, random.in_ball() * 0.3);
                (0..12)
                    .map(|i| start + step * f64::from(i) + random.in_ball() * 0.1)
                    .collect()
            })
            .collect();
        let radius = |rod: usize| 0.02 + 0.03 * rod as f64;
        let tubes: Vec<_> = rods.iter().enumerate().map(|(i, r)| Tube::open(r, radius(i))).collect();
        let mut deepest = f64::NEG_INFINITY;
        for (a, one) in rods.iter().enumerate() {
            for (b, two) in rods.iter().enumerate().skip(a) {
                for (i, s) in one.windows(2).enumerate() {
                    for (j, t) in two.windows(2).enumerate() {
                        let between: f64 = one[..=j.max(1)]
                            .windows(2)
                            .skip(i + 1)
                            .map(|p| p[0].distance(p[1]))
                            .sum();
                        if a != b || j > i + 1 && between >= 3.0 * radius(a) {
                            let distance = segment_distance([s[0], s[1]], [t[0], t[1]]);
                            deepest = deepest.max(radius(a) + radius(b) - distance);
                        }
                    }
                }
            }
        }
        let found = deepest_overlap(&tubes, 3.0).expect("pairs");
        assert!(
            (found.depth - deepest).abs() < 1e-12,
            "case {case}: {found:?} {deepest}"
        );
    }
}

#[test]
fn neighbours_along_the_rod_do_not_count() {
    // A circle of radius 1 is as tight as a rope of radius 1 can be bent: half a turn on, its surfaces touch in the middle.
    let circle = ring(DVec3::ZERO, DVec3::X, DVec3::Y, 1.0, 0.02);
    let touching = deepest_overlap(&[Tube::closed(&circle, 0.99)], PI * 0.99).expect("pairs");
    assert!(touching.depth < 0.0 && touching.depth > -0.05, "{touching:?}");
    let near = deepest_overlap(&[Tube::closed(&circle, 0.99)], 1.0).expect("pairs");
    assert!(near.depth > 0.5, "{near:?}");
    // Taken as open, its two ends lie upon each other.
    let ends = deepest_overlap(&[Tube::open(&circle, 0.1)], PI).expect("pairs");
    assert!(ends.depth > 0.17 && ends.first.1 == 0, "{ends:?}");
    assert_eq!(deepest_overlap(&[Tube::open(&circle[..3], 0.1)], PI), None);
}
