//! Rest shapes: curvature, torsion and twist without load.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::super::{RestShape, RodDescription, RodSpec, Shape, Twist};
use super::{close, line, rest_curvature, twist_between};

/// The strain of every joint at the start: its relative orientation against its rest.
fn initial_strain(rod: &RodDescription) -> Vec<DQuat> {
    let relative = |joint: &super::super::Joint| {
        let [first, second] = [joint.first, joint.second].map(|i| rod.segments()[i as usize].frame);
        let strain = joint.rest.conjugate() * (first.conjugate() * second);
        if strain.w < 0.0 { -strain } else { strain }
    };
    rod.joints().iter().map(relative).collect()
}

fn assert_unstrained(rod: &RodDescription) {
    for strain in initial_strain(rod) {
        close(strain.xyz().length(), 0.0, 1e-12);
    }
    for segment in rod.segments() {
        let [tail, head] = [segment.tail, segment.head].map(|i| rod.vertices()[i as usize].position);
        close(tail.distance(head) / segment.rest_length, 1.0, 1e-12);
    }
}

#[test]
fn as_given_is_unstrained() {
    let corner = [DVec3::ZERO, DVec3::X, DVec3::ONE];
    for shape in [
        Shape::curve(corner, 9),
        Shape::helix(0.2, 0.1, 3.0, 50),
        Shape::closed(corner, 12),
        Shape::circle(DVec3::ZERO, DVec3::Y, 1.0, 20),
    ] {
        assert_unstrained(&RodSpec::new(shape.clone()).build().unwrap());
        assert_unstrained(&RodSpec::new(shape).twist(Twist::Total(1.3)).build().unwrap());
    }
}

#[test]
fn helix_has_the_curvature_and_torsion_of_the_closed_form() {
    let (radius, pitch) = (0.3, 0.4);
    let climb = pitch / TAU;
    let (curvature, torsion) = (
        radius / (radius * radius + climb * climb),
        climb / (radius * radius + climb * climb),
    );
    let mut errors = Vec::new();
    for segments in [120, 240] {
        let rod = RodSpec::new(Shape::helix(radius, pitch, 3.0, segments))
            .build()
            .unwrap();
        // In twist-free frames the direction of bending turns by the torsion.
        let bending: Vec<DVec3> = rod
            .joints()
            .iter()
            .map(|joint| (rod.segments()[joint.first as usize].frame * joint.rest.xyz()).normalize())
            .collect();
        let joint = &rod.joints()[10];
        let turned = bending[10].angle_between(bending[11]) / joint.length;
        errors.push([
            (rest_curvature(joint) / curvature - 1.0).abs(),
            (turned / torsion - 1.0).abs(),
        ]);
    }
    assert!(errors[0].iter().all(|&error| error < 5e-3), "{errors:?}");
    // Second order: half the length, a quarter of the error.
    for (coarse, fine) in errors[0].iter().zip(errors[1]) {
        close(coarse / fine, 4.0, 0.2);
    }
}

#[test]
fn circle_has_curvature_one_over_radius() {
    let rod = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 0.5, 64))
        .build()
        .unwrap();
    for joint in rod.joints() {
        close(rest_curvature(joint) * 0.5, 1.0, 1e-3);
    }
}

#[test]
fn straight_rest_keeps_the_given_frames_and_lengths() {
    let helix = RodSpec::new(Shape::helix(0.2, 0.1, 3.0, 50));
    let bent = helix.clone().rest(RestShape::Straight).build().unwrap();
    let given = helix.build().unwrap();
    assert_eq!(bent.segments(), given.segments());
    assert!(bent.joints().iter().all(|joint| joint.rest == DQuat::IDENTITY));
}

#[test]
fn a_second_curve_gives_rest_lengths_and_curvature() {
    // A straight rod that wants to be a helix twice as long.
    let helix = Shape::helix(0.2, 0.1, 3.0, 50);
    let curled = helix.positions().unwrap();
    let rod = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::Y * 2.0, 50))
        .rest(RestShape::Curve(curled))
        .build()
        .unwrap();
    let helix = RodSpec::new(helix).build().unwrap();
    close(rod.rest_length(), helix.rest_length(), 1e-9);
    for (a, b) in rod.joints().iter().zip(helix.joints()) {
        close(rest_curvature(a), rest_curvature(b), 1e-6);
    }
    for segment in rod.segments() {
        close((segment.frame * DVec3::Z).distance(DVec3::Y), 0.0, 1e-12);
    }
}

#[test]
fn a_closed_second_curve() {
    let circle = Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, 24).positions().unwrap();
    let rod = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 0.5, 24))
        .rest(RestShape::Curve(circle))
        .build()
        .unwrap();
    close(rest_curvature(&rod.joints()[23]), 1.0, 0.01);
    close(rest_curvature(&rod.joints()[5]), 1.0, 0.01);
}

#[test]
fn twist_is_rest_or_strain_as_asked() {
    // Given with the shape: at rest.
    assert_unstrained(&line(5).twist(Twist::Total(2.0)).build().unwrap());
    // Wound up: half a radian a joint.
    for rod in [
        line(5)
            .twist(Twist::Total(2.0))
            .rest_twist(Twist::None)
            .build()
            .unwrap(),
        line(5)
            .twist(Twist::Total(2.0))
            .rest(RestShape::Straight)
            .build()
            .unwrap(),
    ] {
        for strain in initial_strain(&rod) {
            close(strain.z, (0.25f64).sin(), 1e-12);
        }
    }
    // Rest twist of a rod that lies there without: a ribbon forced flat.
    let forced = line(5).rest_twist(Twist::Total(2.0)).build().unwrap();
    for strain in initial_strain(&forced) {
        close(strain.z, -(0.25f64).sin(), 1e-12);
    }
}

#[test]
fn a_ring_wound_up_and_glued_is_twisted_evenly() {
    // Michell's ring: straight at rest, bent to a circle, turned by any angle once around. Every joint, the closing one
    // among them, carries the same curvature and the same twist.
    let (segments, total) = (40, 5.0);
    let rod = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, segments))
        .rest(RestShape::Straight)
        .twist(Twist::Total(total))
        .build()
        .unwrap();
    for strain in initial_strain(&rod) {
        close(2.0 * strain.z.atan2(strain.w), total / f64::from(segments), 1e-12);
        close(
            2.0 * strain.w.acos(),
            (TAU / f64::from(segments)).hypot(total / f64::from(segments)),
            1e-3,
        );
    }
    let frames = rod.segments();
    close(twist_between(frames[0].frame, frames[1].frame), total / 40.0, 1e-12);
    close(
        rod.joints()[39].rest.dot(DQuat::from_rotation_z(-total)).abs(),
        1.0,
        1e-12,
    );
    close((PI / 40.0).sin() * 80.0, rod.rest_length(), 1e-9);
}
