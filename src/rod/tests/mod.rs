//! Tests of the rod room, a file a subject.

mod bad_description;
mod bad_graph;
mod bad_shape;
mod bad_spec;
mod building;
mod curves;
mod files;
mod frames;
mod materials;
mod properties;
mod rest;

use glam::{DQuat, DVec3};

use super::{Joint, RodError, RodParts, RodSpec, Segment, Shape, Vertex};

/// A line of this many segments, one metre long, along x.
fn line(segments: u32) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, segments))
}

/// Three points around a right angle.
fn corner() -> Vec<DVec3> {
    vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0)]
}

/// The error of a bad recipe.
fn spec_error(spec: RodSpec) -> RodError {
    spec.build().expect_err("a bad spec must be refused")
}

/// Sound parts of a chain of four segments with one pin and one clamp, to be spoilt.
fn sound_parts() -> RodParts {
    line(4)
        .clamp_start()
        .pin_last()
        .hold_segment(2)
        .build()
        .expect("a sound spec")
        .into_parts()
}

/// The error of parts spoilt by `spoil`.
fn spoilt(spoil: impl FnOnce(&mut RodParts)) -> RodError {
    let mut parts = sound_parts();
    spoil(&mut parts);
    super::RodDescription::new(parts).expect_err("spoilt parts must be refused")
}

#[track_caller]
fn close(left: f64, right: f64, tolerance: f64) {
    assert!(
        (left - right).abs() <= tolerance,
        "{left} is not {right} within {tolerance}"
    );
}

/// The angle by which the second frame is turned about its axis against the first carried to it: swing–twist.
fn twist_between(first: DQuat, second: DQuat) -> f64 {
    super::frames::twist_angle(first.conjugate() * second)
}

/// Bending curvature of a joint's rest (in the plane of d1 and d2), 1/m: the angle of the swing over its length.
fn rest_curvature(joint: &Joint) -> f64 {
    let tangent = joint.rest * DVec3::Z;
    tangent.truncate().length().atan2(tangent.z) / joint.length
}

fn tangent(vertices: &[Vertex], segment: &Segment) -> DVec3 {
    (vertices[segment.head as usize].position - vertices[segment.tail as usize].position).normalize()
}
