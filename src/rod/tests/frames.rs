//! Frames: along the rod, twist-free, closing, and where the user points them.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::super::{Joints, RodDescription, RodSpec, Section, Shape, Twist};
use super::{close, line, tangent, twist_between};

/// A space curve with curvature and torsion, sampled.
fn knot_like(count: usize) -> Vec<DVec3> {
    (0..count)
        .map(|i| TAU * i as f64 / count as f64)
        .map(|a| {
            DVec3::new(
                a.sin() + 2.0 * (2.0 * a).sin(),
                a.cos() - 2.0 * (2.0 * a).cos(),
                -(3.0 * a).sin(),
            )
        })
        .collect()
}

fn assert_along(rod: &RodDescription) {
    for segment in rod.segments() {
        close(
            (segment.frame * DVec3::Z).distance(tangent(rod.vertices(), segment)),
            0.0,
            1e-12,
        );
        close(segment.frame.length(), 1.0, 1e-14);
    }
}

#[test]
fn frames_follow_the_tangent_without_twist() {
    for shape in [Shape::helix(0.2, 0.1, 5.0, 100), Shape::spline(knot_like(40), 200)] {
        let rod = RodSpec::new(shape).build().unwrap();
        assert_along(&rod);
        for pair in rod.segments().windows(2) {
            close(twist_between(pair[0].frame, pair[1].frame), 0.0, 1e-12);
        }
    }
}

#[test]
fn the_first_frame_is_the_smallest_rotation_from_z() {
    let rod = line(3).build().unwrap();
    let expected = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    close(rod.segments()[0].frame.dot(expected).abs(), 1.0, 1e-14);
    // Against z as well, where the smallest rotation is not unique.
    let down = RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Z, 3)).build().unwrap();
    assert_along(&down);
}

#[test]
fn a_long_rod_does_not_drift() {
    let rod = RodSpec::new(Shape::helix(0.2, 0.01, 500.0, 20_000)).build().unwrap();
    assert_along(&rod);
}

#[test]
fn up_points_d2() {
    let up = DVec3::new(0.7, 1.0, 0.0);
    let rod = line(4)
        .section(Section::rectangular(0.01, 0.05))
        .up(up)
        .build()
        .unwrap();
    let frame = rod.segments()[0].frame;
    close((frame * DVec3::Y).distance(DVec3::Y), 0.0, 1e-14);
    close((frame * DVec3::Z).distance(DVec3::X), 0.0, 1e-14);
    // High and narrow: stiff against bending about d1, which moves it up and down.
    let [about_d1, about_d2] = rod.joints()[0].bending;
    close(about_d1 / about_d2, 25.0, 1e-9);
}

#[test]
fn a_closed_curve_closes_without_a_jump() {
    let rod = RodSpec::new(Shape::closed(knot_like(200), 150)).build().unwrap();
    assert_along(&rod);
    let twists: Vec<f64> = rod
        .joints()
        .iter()
        .map(|joint| {
            let [first, second] = [joint.first, joint.second].map(|i| rod.segments()[i as usize].frame);
            twist_between(first, second)
        })
        .collect();
    // All the same, the closing joint among them; the curve has torsion, so it is not zero.
    assert!(twists[0].abs() > 1e-4);
    for twist in &twists {
        close(*twist, twists[0], 1e-9);
    }
    assert!((twists[0] * 150.0).abs() <= PI + 1e-9, "closing takes the shorter way");
}

#[test]
fn a_flat_loop_needs_no_closing_twist() {
    let rod = RodSpec::new(Shape::circle(DVec3::ONE, DVec3::new(1.0, 2.0, 3.0), 0.7, 31))
        .build()
        .unwrap();
    for joint in rod.joints() {
        let [first, second] = [joint.first, joint.second].map(|i| rod.segments()[i as usize].frame);
        close(twist_between(first, second), 0.0, 1e-12);
        close(joint.rest.dot(first.conjugate() * second).abs(), 1.0, 1e-14);
    }
}

#[test]
fn twist_turns_the_material() {
    let rod = line(5).twist(Twist::Total(2.0)).build().unwrap();
    assert_along(&rod);
    for pair in rod.segments().windows(2) {
        close(twist_between(pair[0].frame, pair[1].frame), 0.5, 1e-12);
    }
    let angles = vec![0.0, 0.3, -0.2, 1.0];
    let listed = line(4).twist(Twist::PerSegment(angles.clone())).build().unwrap();
    for (segment, angle) in listed.segments().iter().zip(angles) {
        close(twist_between(listed.segments()[0].frame, segment.frame), angle, 1e-12);
    }
    assert!(line(1).twist(Twist::Total(2.0)).build().is_ok());
}

#[test]
fn graph_frames_run_through_joints_whichever_way_segments_point() {
    // One straight line, segments pointing to and fro.
    let vertices: Vec<DVec3> = (0..6).map(|i| DVec3::X * f64::from(i)).collect();
    let segments = [[0, 1], [2, 1], [2, 3], [4, 3], [5, 4]];
    let rod = RodSpec::new(Shape::graph(vertices, segments, Joints::All))
        .up(DVec3::Y)
        .build()
        .unwrap();
    assert_along(&rod);
    let d1 = rod.segments()[0].frame * DVec3::X;
    for segment in rod.segments() {
        close((segment.frame * DVec3::X).distance(d1), 0.0, 1e-12);
    }
}

#[test]
fn a_graph_that_is_a_chain_gets_the_frames_of_a_chain() {
    let points = knot_like(30);
    let segments: Vec<[u32; 2]> = (1..30).map(|i| [i - 1, i]).collect();
    let graph = RodSpec::new(Shape::graph(points.clone(), segments, Joints::All))
        .build()
        .unwrap();
    let chain = RodSpec::new(Shape::polyline(points)).build().unwrap();
    assert_eq!(graph.topology(), chain.topology());
    for (a, b) in graph.segments().iter().zip(chain.segments()) {
        close(a.frame.dot(b.frame).abs(), 1.0, 1e-12);
    }
}

#[test]
fn every_part_of_a_graph_gets_a_frame() {
    // Two parts without a joint between them; up is parallel to the first, which must not be an error.
    let vertices = [DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::new(2.0, 1.0, 0.0)];
    let rod = RodSpec::new(Shape::graph(vertices, [[0, 1], [2, 3]], Joints::None))
        .up(DVec3::Y)
        .build()
        .unwrap();
    assert_along(&rod);
}
