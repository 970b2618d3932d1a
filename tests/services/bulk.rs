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
    for id in ids {
        let rod = rod(&world, id);
        let description = rod.description();
        for vertex in 0..rod.vertex_count() {
            let place = rod.place_at(RodPoint::Vertex(vertex as u32)).expect("on the rod");
            assert!(place.position.distance(rod.position(vertex)) < 1e-9);
            assert!(place.velocity.distance(rod.velocity(vertex)) < 1e-5);
        }
        for (s, segment) in description.segments().iter().enumerate() {
            let mut points = vec![RodPoint::Segment {
                segment: s as u32,
                along: 0.25,
            }];
            let start = description.arc_length(segment.tail);
            points.extend(start.map(|start| RodPoint::Arc(start + 0.25 * segment.rest_length)));
            for point in points {
                let place = rod.place_at(point).expect("on the rod");
                let [tail, head] = [segment.tail, segment.head].map(|v| rod.position(v as usize));
                assert_eq!(place.segment, s);
                assert!((place.along - 0.25).abs() < 1e-9);
                assert!(place.position.distance(tail.lerp(head, 0.25)) < 1e-9);
                assert!((place.tangent.dot((head - tail).normalize()) - 1.0).abs() < 1e-12);
                assert_eq!(place.orientation, rod.orientation(s));
            }
        }
    }
}

#[test]
fn places_that_are_none_are_refused() {
    let mut world = world(settings(1, 4));
    let id = world.insert(built(&line(1.0, 4))).expect("a sound rod");
    let rod = rod(&world, id);
    for arc in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        assert!(rod.place_at(RodPoint::Arc(arc)).is_err());
    }
    assert!(rod.place_at(RodPoint::Vertex(5)).is_err());
    let end = rod.place_at(RodPoint::End).expect("a chain has one");
    assert!(end.position.distance(DVec3::X) < 1e-6);
}
