//! Lists of a whole rod hold what is answered one by one, and places along it lie on it.

use glam::{DVec3, Quat, Vec3};
use lariat::prelude::*;

use super::busy;
use crate::common::{built, line, rod, run, settings, world};

#[test]
fn lists_hold_what_is_answered_one_by_one() {
    let (mut world, ids) = busy();
    run(&mut world, 10);
    // Lists that were something else before.
    let (mut velocities, mut orientations) = (vec![Vec3::NAN; 999], vec![Quat::NAN; 1]);
    let (mut tensions, mut strains, mut twists) = (vec![1.0; 7], Vec::new(), vec![f32::NAN; 400]);
    for id in ids {
        let rod = rod(&world, id);
        rod.velocities_into(&mut velocities);
        rod.orientations_into(&mut orientations);
        rod.tensions_into(&mut tensions);
        rod.strains_into(&mut strains);
        rod.twists_into(&mut twists);
        let segments = 0..rod.segment_count();
        assert!(
            velocities
                .iter()
                .copied()
                .eq((0..rod.vertex_count()).map(|v| rod.velocity(v)))
        );
        assert!(
            orientations
                .iter()
                .copied()
                .eq(segments.clone().map(|s| rod.orientation(s)))
        );
        assert!(
            tensions
                .iter()
                .copied()
                .eq(segments.clone().map(|s| rod.tension(s) as f32))
        );
        assert!(
            strains
                .iter()
                .copied()
                .eq(segments.map(|s| rod.segment_strain(s) as f32))
        );
        let joints = 0..rod.description().joints().len();
        assert!(twists.iter().copied().eq(joints.map(|j| rod.twist(j) as f32)));
    }
}

#[test]
fn places_along_a_rod_are_where_its_vertices_say() {
    let (mut world, ids) = busy();
    run(&mut world, 10);
    let mut graphs = 0;
    for id in ids {
        let rod = rod(&world, id);
        let description = rod.description();
        let around = description.rest_length();
        if description.topology() == Topology::Graph {
            graphs += 1;
            assert_eq!(rod.pose_at(0.1), None);
            continue;
        }
        for vertex in 0..rod.vertex_count() {
            let arc = description.arc_length(vertex as u32).expect("a chain or a loop");
            let pose = rod.pose_at(arc).expect("on the rod");
            assert!(pose.position.distance(rod.position(vertex)) < 1e-9);
            assert!(pose.velocity.distance(rod.velocity(vertex)) < 1e-5);
        }
        for (s, segment) in description.segments().iter().enumerate() {
            let start = description.arc_length(segment.tail).expect("a chain or a loop");
            let pose = rod.pose_at(start + 0.25 * segment.rest_length).expect("on the rod");
            let [tail, head] = [segment.tail, segment.head].map(|v| rod.position(v as usize));
            assert_eq!(pose.segment, s);
            assert!((pose.along - 0.25).abs() < 1e-9);
            assert!(pose.position.distance(tail.lerp(head, 0.25)) < 1e-9);
            assert!((pose.tangent.dot((head - tail).normalize()) - 1.0).abs() < 1e-12);
            assert_eq!(pose.orientation, rod.orientation(s));
        }
        // Past the end: the end, or once more round.
        let past = rod.pose_at(around + 0.01).expect("on the rod");
        if description.topology() == Topology::Loop {
            let same = rod.pose_at(0.01).expect("on the rod");
            assert!(past.position.distance(same.position) < 1e-9);
            let back = rod.pose_at(0.01 - around).expect("on the rod");
            assert!(back.position.distance(same.position) < 1e-9);
        } else {
            assert_eq!(past.position, rod.position(rod.vertex_count() - 1));
            assert_eq!(rod.pose_at(-3.0).expect("the start").position, rod.position(0));
        }
    }
    assert!(graphs > 0);
}

#[test]
fn places_that_are_none_answer_none() {
    let mut world = world(settings(1, 4));
    let id = world.insert(built(&line(1.0, 4))).expect("a sound rod");
    let rod = rod(&world, id);
    assert_eq!(rod.pose_at(f64::NAN), None);
    assert_eq!(rod.pose_at(f64::INFINITY), None);
    assert_eq!(rod.pose_on(4, 0.5), None);
    assert_eq!(rod.pose_on(0, f64::NAN), None);
    let end = rod.pose_on(3, 7.0).expect("cut off");
    assert!(end.position.distance(DVec3::X) < 1e-6);
}
