//! Bad graphs wired by hand: the exact error, with field and index.

use glam::DVec3;

use super::super::{GraphBuilder, JointProperties, Material, Place, RodError, Section, SegmentProperties, Stiffness};
use super::corner;

#[test]
fn bad_graphs_by_hand() {
    let segment = SegmentProperties::new(1e3, 1.0);
    let joint = JointProperties::new(1.0);
    let mut sound = GraphBuilder::new();
    let vertices = corner()
        .into_iter()
        .map(|point| sound.add_vertex(point))
        .collect::<Vec<_>>();
    sound.add_path(&vertices, &segment, Some(&joint));
    assert!(sound.finish().is_ok());
    let spoilt = |spoil: &dyn Fn(&mut GraphBuilder)| {
        let mut builder = sound.clone();
        spoil(&mut builder);
        builder.finish().expect_err("a spoilt graph must be refused")
    };

    assert_eq!(
        GraphBuilder::new().finish().unwrap_err(),
        RodError::Empty {
            at: Place::field("vertices")
        }
    );
    let out = |field, index, target, count| RodError::OutOfRange {
        at: Place::item(field, index),
        target,
        count,
    };
    assert_eq!(
        spoilt(&|b| {
            b.add_segment(0, 7, &segment);
        }),
        out("segments[].head", 2, 7, 3)
    );
    assert_eq!(
        spoilt(&|b| {
            b.add_joint(0, 2, &joint);
        }),
        out("joints[].second", 1, 2, 2)
    );
    assert_eq!(
        spoilt(&|b| {
            b.clamp(0, 2, &joint);
        }),
        out("clamps[].segment", 0, 2, 2)
    );
    assert_eq!(
        spoilt(&|b| {
            b.pin(3);
        }),
        out("pins[]", 0, 3, 3)
    );
    assert_eq!(
        spoilt(&|b| {
            b.hold(3);
        }),
        out("held_segments[]", 0, 3, 2)
    );
    assert_eq!(
        spoilt(&|b| {
            b.load(4, 1.0);
        }),
        out("loads[].vertex", 0, 4, 3)
    );
    assert_eq!(
        spoilt(&|b| {
            b.add_segment(1, 1, &segment);
        }),
        RodError::SameEnds {
            at: Place::item("segments[]", 2),
            vertex: 1
        }
    );
    assert_eq!(
        spoilt(&|b| {
            b.add_segment(2, 0, &SegmentProperties { radius: 0.0, ..segment });
        }),
        RodError::NotPositive {
            at: Place::item("segments[].radius", 2),
            value: 0.0
        }
    );
    assert_eq!(
        spoilt(&|b| {
            b.add_segment(2, 0, &SegmentProperties { axial: -1.0, ..segment });
        }),
        RodError::NotPositive {
            at: Place::item("segments[].axial", 2),
            value: -1.0
        }
    );
    assert_eq!(
        spoilt(&|b| {
            b.add_vertex(DVec3::NAN);
        }),
        RodError::NotFinite {
            at: Place::item("vertices[].position", 3)
        }
    );
    // A vertex that nothing reaches has neither radius nor mass.
    assert_eq!(
        spoilt(&|b| {
            b.add_vertex(DVec3::Z);
        }),
        RodError::NotPositive {
            at: Place::item("vertices[].radius", 3),
            value: 0.0
        }
    );
    let paper = Material {
        stiffness: Stiffness::Paper { k_ss: 1.0, k_bt: 1.0 },
        ..Material::rubber()
    };
    assert_eq!(
        SegmentProperties::of(&paper, &Section::default()).unwrap_err().place(),
        Place::field("material.stiffness")
    );
}
