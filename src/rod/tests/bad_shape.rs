//! One test a kind of bad shape: the exact error, with field and index.

use glam::DVec3;

use super::super::{Joints, MAX_ELEMENTS, Place, RodError, RodSpec, Shape};
use super::{corner, line, spec_error as error};

fn shape_error(shape: Shape) -> RodError {
    error(RodSpec::new(shape))
}

#[test]
fn too_few_segments() {
    let at = Place::field("shape.segments");
    assert_eq!(error(line(0)), RodError::Empty { at });
    assert_eq!(
        shape_error(Shape::closed(corner(), 2)),
        RodError::TooFew { at, count: 2, least: 3 }
    );
    assert_eq!(
        shape_error(Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, 1)),
        RodError::TooFew { at, count: 1, least: 3 }
    );
    assert_eq!(
        shape_error(Shape::graph(corner(), [], Joints::All)),
        RodError::Empty { at }
    );
}

#[test]
fn too_many_segments_are_refused_before_allocating() {
    let at = Place::field("shape.segments");
    let too_many = RodError::TooMany {
        at,
        count: u32::MAX as usize,
        limit: MAX_ELEMENTS,
    };
    for shape in [
        Shape::line(DVec3::ZERO, DVec3::X, u32::MAX),
        Shape::curve(corner(), u32::MAX),
        Shape::spline(corner(), u32::MAX),
        Shape::helix(1.0, 0.1, 3.0, u32::MAX),
        Shape::closed(corner(), u32::MAX),
        Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, u32::MAX),
    ] {
        assert_eq!(shape_error(shape.clone()), too_many);
        assert_eq!(error(RodSpec::new(shape).pin_last()), too_many);
    }
    // A hub whose pairs of spokes are more than its spokes by far.
    let spokes = 4000;
    let mut vertices = vec![DVec3::ZERO];
    vertices.extend((0..spokes).map(|i| DVec3::new(1.0, f64::from(i), 0.0)));
    let segments: Vec<[u32; 2]> = (1..=spokes as u32).map(|i| [0, i]).collect();
    let count = 4000 * 3999 / 2;
    assert_eq!(
        shape_error(Shape::graph(vertices, segments, Joints::All)),
        RodError::TooMany {
            at: Place::field("shape.joints"),
            count,
            limit: MAX_ELEMENTS
        }
    );
}

#[test]
fn too_few_points() {
    let at = Place::field("shape.points");
    assert_eq!(shape_error(Shape::curve([], 4)), RodError::Empty { at });
    assert_eq!(
        shape_error(Shape::spline([DVec3::X], 4)),
        RodError::TooFew { at, count: 1, least: 2 }
    );
    assert_eq!(
        shape_error(Shape::polyline([DVec3::X])),
        RodError::TooFew { at, count: 1, least: 2 }
    );
    assert_eq!(
        shape_error(Shape::closed([DVec3::X, DVec3::Y], 4)),
        RodError::TooFew { at, count: 2, least: 3 }
    );
}

#[test]
fn point_not_a_number() {
    let mut points = corner();
    points[1].x = f64::NAN;
    let at = Place::item("shape.points[]", 1);
    for shape in [
        Shape::curve(points.clone(), 4),
        Shape::spline(points.clone(), 4),
        Shape::polyline(points.clone()),
        Shape::closed(points.clone(), 4),
    ] {
        assert_eq!(shape_error(shape), RodError::NotFinite { at });
    }
    assert_eq!(
        shape_error(Shape::graph(points, [[0, 1]], Joints::All)),
        RodError::NotFinite {
            at: Place::item("shape.vertices[]", 1)
        }
    );
    assert_eq!(
        shape_error(Shape::line(DVec3::ZERO, DVec3::NAN, 4)),
        RodError::NotFinite {
            at: Place::field("shape.to")
        }
    );
}

#[test]
fn no_length() {
    assert_eq!(
        shape_error(Shape::line(DVec3::X, DVec3::X, 4)),
        RodError::ZeroLength {
            at: Place::field("shape")
        }
    );
    let at = Place::field("shape.points");
    assert_eq!(shape_error(Shape::curve([DVec3::X; 3], 4)), RodError::ZeroLength { at });
    assert_eq!(
        shape_error(Shape::spline([DVec3::X; 3], 4)),
        RodError::ZeroLength { at }
    );
    assert_eq!(
        shape_error(Shape::closed([DVec3::X; 3], 4)),
        RodError::ZeroLength { at }
    );
    assert_eq!(
        shape_error(Shape::polyline([DVec3::ZERO, DVec3::X, DVec3::X])),
        RodError::ZeroLength {
            at: Place::item("segments[]", 1)
        }
    );
    // There and back: two halves of an even number lie on each other, but each has its length.
    assert!(
        RodSpec::new(Shape::curve([DVec3::ZERO, DVec3::X, DVec3::ZERO], 4))
            .build()
            .is_ok()
    );
}

#[test]
fn helix_and_circle_numbers() {
    let helix = |radius, pitch, turns| shape_error(Shape::helix(radius, pitch, turns, 16));
    assert_eq!(
        helix(-1.0, 0.1, 2.0),
        RodError::NotPositive {
            at: Place::field("shape.radius"),
            value: -1.0
        }
    );
    assert_eq!(
        helix(1.0, f64::NAN, 2.0),
        RodError::NotFinite {
            at: Place::field("shape.pitch")
        }
    );
    assert_eq!(
        helix(1.0, 0.1, 0.0),
        RodError::NotPositive {
            at: Place::field("shape.turns"),
            value: 0.0
        }
    );
    assert!(matches!(helix(1.0, 1e300, 1e20), RodError::NotFinite { .. }));
    assert_eq!(
        shape_error(Shape::circle(DVec3::ZERO, DVec3::ZERO, 1.0, 8)),
        RodError::NoDirection {
            at: Place::field("shape.normal")
        }
    );
}

#[test]
fn graph_indices() {
    let graph = |segments: Vec<[u32; 2]>, joints| shape_error(Shape::graph(corner(), segments, joints));
    assert_eq!(
        graph(vec![[0, 1], [1, 3]], Joints::All),
        RodError::OutOfRange {
            at: Place::item("shape.segments[]", 1),
            target: 3,
            count: 3
        }
    );
    assert_eq!(
        graph(vec![[0, 1], [1, 1]], Joints::All),
        RodError::SameEnds {
            at: Place::item("shape.segments[]", 1),
            vertex: 1
        }
    );
    assert_eq!(
        graph(vec![[0, 1], [1, 2]], Joints::List(vec![[0, 2]])),
        RodError::OutOfRange {
            at: Place::item("shape.joints[]", 0),
            target: 2,
            count: 2
        }
    );
    assert_eq!(
        graph(vec![[0, 1], [1, 0]], Joints::None),
        RodError::Duplicate {
            at: Place::item("segments[]", 1),
            earlier: 0
        }
    );
    let apart = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    assert_eq!(
        shape_error(Shape::graph(apart, [[0, 1], [2, 3]], Joints::List(vec![[0, 1]]))),
        RodError::NotMeeting {
            at: Place::item("joints[]", 0),
            first: 0,
            second: 1
        }
    );
}
