//! One test a kind of bad part: the exact error, with field and index.

use glam::{DQuat, DVec3};

use super::super::{Joint, MAX_ELEMENTS, Place, RodDescription, RodError, RodParts, Vertex};
use super::{sound_parts, spoilt};

#[test]
fn sound_parts_pass() {
    assert!(RodDescription::new(sound_parts()).is_ok());
}

#[test]
fn empty() {
    let error = RodDescription::new(RodParts::default()).unwrap_err();
    assert_eq!(
        error,
        RodError::Empty {
            at: Place::field("vertices")
        }
    );
    assert_eq!(
        spoilt(|parts| parts.segments.clear()),
        RodError::Empty {
            at: Place::field("segments")
        }
    );
    assert_eq!(
        spoilt(|parts| parts.vertices.truncate(1)),
        RodError::TooFew {
            at: Place::field("vertices"),
            count: 1,
            least: 2
        }
    );
}

#[test]
fn position_not_a_number() {
    let error = spoilt(|parts| parts.vertices[3].position.y = f64::NAN);
    assert_eq!(
        error,
        RodError::NotFinite {
            at: Place::item("vertices[].position", 3)
        }
    );
    assert_eq!(error.to_string(), "vertices[3].position is not a finite number");
    assert_eq!(error.place(), Place::item("vertices[].position", 3));
}

#[test]
fn position_infinite_or_beyond_all_bounds() {
    let at = Place::item("vertices[].position", 1);
    assert_eq!(
        spoilt(|parts| parts.vertices[1].position.z = f64::INFINITY),
        RodError::NotFinite { at }
    );
    assert_eq!(
        spoilt(|parts| parts.vertices[1].position.z = -1e16),
        RodError::OutsideRange {
            at,
            value: 1e16,
            low: -1e15,
            high: 1e15
        }
    );
}

#[test]
fn every_number_refuses_nan() {
    type Spoil = fn(&mut RodParts);
    let table: &[(&'static str, Spoil)] = &[
        ("vertices[].mass", |p| p.vertices[2].mass = f64::NAN),
        ("vertices[].radius", |p| p.vertices[2].radius = f64::NAN),
        ("segments[].rest_length", |p| p.segments[2].rest_length = f64::NAN),
        ("segments[].frame", |p| p.segments[2].frame.w = f64::NAN),
        ("segments[].axial", |p| p.segments[2].axial = f64::NAN),
        ("segments[].shear", |p| p.segments[2].shear = f64::NAN),
        ("segments[].relaxation", |p| p.segments[2].relaxation = f64::NAN),
        ("segments[].break_strain", |p| p.segments[2].break_strain = f64::NAN),
        ("joints[].rest", |p| p.joints[2].rest.x = f64::NAN),
        ("joints[].length", |p| p.joints[2].length = f64::NAN),
        ("joints[].bending", |p| p.joints[2].bending[1] = f64::NAN),
        ("joints[].torsion", |p| p.joints[2].torsion = f64::NAN),
        ("joints[].relaxation", |p| p.joints[2].relaxation = f64::NAN),
    ];
    for &(field, spoil) in table {
        assert_eq!(
            spoilt(spoil),
            RodError::NotFinite {
                at: Place::item(field, 2)
            }
        );
    }
    let clamps: &[(&'static str, Spoil)] = &[
        ("clamps[].frame", |p| p.clamps[0].frame.y = f64::NAN),
        ("clamps[].length", |p| p.clamps[0].length = f64::NAN),
        ("clamps[].bending", |p| p.clamps[0].bending[0] = f64::NAN),
        ("clamps[].torsion", |p| p.clamps[0].torsion = f64::NAN),
        ("clamps[].relaxation", |p| p.clamps[0].relaxation = f64::NAN),
    ];
    for &(field, spoil) in clamps {
        assert_eq!(
            spoilt(spoil),
            RodError::NotFinite {
                at: Place::item(field, 0)
            }
        );
    }
    assert_eq!(
        spoilt(|p| p.friction = f64::NAN),
        RodError::NotFinite {
            at: Place::field("friction")
        }
    );
}

#[test]
fn zero_length_segment() {
    assert_eq!(
        spoilt(|parts| parts.vertices[2].position = parts.vertices[1].position),
        RodError::ZeroLength {
            at: Place::item("segments[]", 1)
        }
    );
    assert_eq!(
        spoilt(|parts| parts.segments[3].rest_length = 0.0),
        RodError::ZeroLength {
            at: Place::item("segments[].rest_length", 3)
        }
    );
    assert_eq!(
        spoilt(|parts| parts.segments[3].rest_length = -0.5),
        RodError::NotPositive {
            at: Place::item("segments[].rest_length", 3),
            value: -0.5
        }
    );
}

#[test]
fn negative_and_zero_radius() {
    let at = Place::item("vertices[].radius", 4);
    assert_eq!(
        spoilt(|parts| parts.vertices[4].radius = -0.01),
        RodError::NotPositive { at, value: -0.01 }
    );
    assert_eq!(
        spoilt(|parts| parts.vertices[4].radius = 0.0),
        RodError::NotPositive { at, value: 0.0 }
    );
}

#[test]
fn stiffness_out_of_bounds() {
    let at = Place::item("segments[].axial", 0);
    assert_eq!(
        spoilt(|parts| parts.segments[0].axial = 0.0),
        RodError::NotPositive { at, value: 0.0 }
    );
    assert_eq!(
        spoilt(|parts| parts.segments[0].axial = 1e40),
        RodError::OutsideRange {
            at,
            value: 1e40,
            low: 1e-30,
            high: 1e30
        }
    );
    assert_eq!(
        spoilt(|parts| parts.joints[1].bending[0] = -1.0),
        RodError::Negative {
            at: Place::item("joints[].bending", 1),
            value: -1.0
        }
    );
    assert_eq!(
        spoilt(|parts| parts.segments[1].relaxation = -1.0),
        RodError::Negative {
            at: Place::item("segments[].relaxation", 1),
            value: -1.0
        }
    );
    assert_eq!(
        spoilt(|parts| parts.segments[1].break_strain = f64::NEG_INFINITY),
        RodError::NotFinite {
            at: Place::item("segments[].break_strain", 1)
        }
    );
}

#[test]
fn joint_of_segments_that_do_not_meet() {
    let error = spoilt(|parts| parts.joints[1].second = 3);
    assert_eq!(
        error,
        RodError::NotMeeting {
            at: Place::item("joints[]", 1),
            first: 1,
            second: 3
        }
    );
    assert_eq!(error.to_string(), "joints[1] joins segments 1 and 3, which do not meet");
}

#[test]
fn joint_of_a_segment_with_itself() {
    assert_eq!(
        spoilt(|parts| parts.joints[2].second = 2),
        RodError::SelfJoint {
            at: Place::item("joints[]", 2),
            segment: 2
        }
    );
}

#[test]
fn segment_from_a_vertex_to_itself() {
    assert_eq!(
        spoilt(|parts| parts.segments[2].head = 2),
        RodError::SameEnds {
            at: Place::item("segments[]", 2),
            vertex: 2
        }
    );
}

#[test]
fn indices_out_of_range() {
    let out = |field, index, target, count| RodError::OutOfRange {
        at: Place::item(field, index),
        target,
        count,
    };
    assert_eq!(
        spoilt(|parts| parts.segments[3].head = 5),
        out("segments[].head", 3, 5, 5)
    );
    assert_eq!(
        spoilt(|parts| parts.segments[0].tail = u32::MAX),
        out("segments[].tail", 0, u32::MAX, 5)
    );
    assert_eq!(
        spoilt(|parts| parts.joints[0].first = 4),
        out("joints[].first", 0, 4, 4)
    );
    assert_eq!(
        spoilt(|parts| parts.joints[0].second = 9),
        out("joints[].second", 0, 9, 4)
    );
    assert_eq!(
        spoilt(|parts| parts.clamps[0].vertex = 7),
        out("clamps[].vertex", 0, 7, 5)
    );
    assert_eq!(
        spoilt(|parts| parts.clamps[0].segment = 7),
        out("clamps[].segment", 0, 7, 4)
    );
    assert_eq!(spoilt(|parts| parts.pins.push(5)), out("pins[]", 2, 5, 5));
    assert_eq!(
        spoilt(|parts| parts.held_segments.push(4)),
        out("held_segments[]", 1, 4, 4)
    );
}

#[test]
fn mass_zero_without_a_pin() {
    assert_eq!(
        spoilt(|parts| parts.vertices[2].mass = 0.0),
        RodError::Massless {
            at: Place::item("vertices[].mass", 2)
        }
    );
    assert_eq!(
        spoilt(|parts| parts.vertices[2].mass = -1.0),
        RodError::Negative {
            at: Place::item("vertices[].mass", 2),
            value: -1.0
        }
    );
    let mut parts = sound_parts();
    parts.vertices[4].mass = 0.0;
    parts.vertices[0].mass = 0.0;
    assert!(
        RodDescription::new(parts).is_ok(),
        "a pinned or clamped vertex needs no mass"
    );
}

#[test]
fn quaternion_not_of_unit_length() {
    assert_eq!(
        spoilt(|parts| parts.segments[1].frame = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
        RodError::NotUnit {
            at: Place::item("segments[].frame", 1),
            length: 2.0
        }
    );
    assert_eq!(
        spoilt(|parts| parts.joints[0].rest = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        RodError::NotUnit {
            at: Place::item("joints[].rest", 0),
            length: 0.0
        }
    );
    // Five digits by hand are near enough, and are made exact.
    let mut parts = sound_parts();
    parts.joints[0].rest = DQuat::from_xyzw(0.86603, 0.0, 0.0, 0.50001);
    let sealed = RodDescription::new(parts).unwrap();
    super::close(sealed.joints()[0].rest.length(), 1.0, 1e-15);
}

#[test]
fn clamp_away_from_its_segment() {
    assert_eq!(
        spoilt(|parts| parts.clamps[0].vertex = 3),
        RodError::ClampApart {
            at: Place::item("clamps[]", 0),
            vertex: 3,
            segment: 0
        }
    );
}

#[test]
fn duplicates() {
    let repeat = |field, index, earlier| RodError::Duplicate {
        at: Place::item(field, index),
        earlier,
    };
    assert_eq!(
        spoilt(|parts| {
            let mut again = parts.segments[1];
            std::mem::swap(&mut again.tail, &mut again.head);
            parts.segments.push(again);
        }),
        repeat("segments[]", 4, 1)
    );
    assert_eq!(
        spoilt(|parts| {
            let joint = parts.joints[0];
            parts.joints.push(Joint {
                first: joint.second,
                second: joint.first,
                ..joint
            });
        }),
        repeat("joints[]", 3, 0)
    );
    assert_eq!(
        spoilt(|parts| parts.clamps.push(parts.clamps[0])),
        repeat("clamps[]", 1, 0)
    );
}

#[test]
fn too_many() {
    let vertex = Vertex {
        position: DVec3::ZERO,
        mass: 1.0,
        radius: 0.01,
    };
    assert_eq!(
        spoilt(|parts| parts.vertices = vec![vertex; MAX_ELEMENTS + 1]),
        RodError::TooMany {
            at: Place::field("vertices"),
            count: MAX_ELEMENTS + 1,
            limit: MAX_ELEMENTS
        }
    );
}
