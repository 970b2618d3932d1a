//! Resampling: equal lengths along the curve, on the curve, ends kept.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::super::{RodSpec, Shape};
use super::close;

/// Length of a polyline from its start to each vertex of `on`, which lie on it in order.
fn arc_positions(polyline: &[DVec3], on: &[DVec3]) -> Vec<f64> {
    let mut start = 0.0;
    let mut from = 0;
    on.iter()
        .map(|&vertex| {
            loop {
                let (a, b) = (polyline[from], polyline[from + 1]);
                let off = (a.distance(vertex) + vertex.distance(b) - a.distance(b)).abs();
                if off < 1e-9 {
                    return start + a.distance(vertex);
                }
                start += a.distance(b);
                from += 1;
            }
        })
        .collect()
}

#[test]
fn a_polyline_is_cut_into_equal_arc_lengths() {
    let points = [
        DVec3::ZERO,
        DVec3::new(1.0, 0.0, 0.0),
        DVec3::new(1.0, 0.3, 0.0),
        DVec3::new(1.0, 0.3, 0.0),
        DVec3::new(-0.5, 0.3, 2.0),
    ];
    let vertices = Shape::curve(points, 17).positions().unwrap();
    let total: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    assert_eq!(vertices.len(), 18);
    assert_eq!((vertices[0], vertices[17]), (points[0], points[4]));
    for (i, arc) in arc_positions(&points, &vertices).into_iter().enumerate() {
        close(arc, total * i as f64 / 17.0, 1e-9);
    }
}

#[test]
fn a_curve_sampled_as_it_is_stays_as_it_is() {
    let helix = Shape::helix(0.3, 0.1, 4.0, 60).positions().unwrap();
    let again = Shape::curve(helix.clone(), 60).positions().unwrap();
    for (a, b) in helix.iter().zip(&again) {
        close(a.distance(*b), 0.0, 1e-12);
    }
}

#[test]
fn a_closed_polyline_is_cut_into_equal_arc_lengths() {
    let square = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    let vertices = Shape::closed(square, 16).positions().unwrap();
    assert_eq!(vertices.len(), 16);
    for i in 0..16 {
        close(vertices[i].distance(vertices[(i + 1) % 16]), 0.25, 1e-12);
    }
}

#[test]
fn a_spline_passes_its_points_at_equal_lengths() {
    // Points of a circle: the curve stays near it, and its chords are equal.
    let points: Vec<DVec3> = (0..=12)
        .map(|i| f64::from(i) * PI / 12.0)
        .map(|a| DVec3::new(a.cos(), a.sin(), 0.0))
        .collect();
    let vertices = Shape::spline(points.clone(), 48).positions().unwrap();
    close(vertices[0].distance(points[0]), 0.0, 1e-15);
    close(vertices[48].distance(points[12]), 0.0, 1e-15);
    let chords: Vec<f64> = vertices.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let mean = chords.iter().sum::<f64>() / 48.0;
    for chord in chords {
        close(chord / mean, 1.0, 2e-3);
    }
    for vertex in &vertices {
        close(vertex.length(), 1.0, 5e-3);
    }
    // By symmetry, the middle point is passed exactly half way.
    close(vertices[24].distance(points[6]), 0.0, 1e-6);
}

#[test]
fn a_spline_survives_doubled_points() {
    let points = [DVec3::ZERO, DVec3::X, DVec3::X, DVec3::new(2.0, 1.0, 0.0)];
    let vertices = Shape::spline(points, 20).positions().unwrap();
    assert!(vertices.iter().all(|vertex| vertex.is_finite()));
    assert!(RodSpec::new(Shape::spline(points, 20)).build().is_ok());
}

#[test]
fn a_spline_of_two_points_is_a_line() {
    let vertices = Shape::spline([DVec3::ZERO, DVec3::X], 8).positions().unwrap();
    for (i, vertex) in vertices.iter().enumerate() {
        close(vertex.distance(DVec3::X * (i as f64 / 8.0)), 0.0, 1e-12);
    }
}

#[test]
fn a_helix_has_its_radius_pitch_and_hand() {
    let vertices = Shape::helix(0.2, 0.05, 3.5, 70).positions().unwrap();
    assert_eq!(vertices.len(), 71);
    for (i, vertex) in vertices.iter().enumerate() {
        let turn = i as f64 / 20.0;
        close(vertex.truncate().length(), 0.2, 1e-12);
        close(vertex.z, 0.05 * turn, 1e-12);
        // Right-handed: counterclockwise seen against z while it climbs.
        close(vertex.x, 0.2 * (TAU * turn).cos(), 1e-12);
        close(vertex.y, 0.2 * (TAU * turn).sin(), 1e-12);
    }
    let moved = Shape::Helix {
        centre: DVec3::new(1.0, 2.0, 3.0),
        axis: DVec3::Y * 7.0,
        radius: 0.2,
        pitch: 0.05,
        turns: 3.5,
        segments: 70,
    };
    for vertex in moved.positions().unwrap() {
        let offset = vertex - DVec3::new(1.0, 2.0, 3.0);
        close(offset.x.hypot(offset.z), 0.2, 1e-12);
    }
}
