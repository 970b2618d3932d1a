//! Bad options and bad poses are refused by name, and change nothing.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use lariat::render::{TubeError, TubeLayout, TubeOptions, TubePose, TubeSurface};

use crate::{
    common::{built, line},
    support::{mesh_of, options},
};

fn field(error: &TubeError) -> (&'static str, Option<usize>) {
    match error {
        TubeError::OutOfRange { field, .. } | TubeError::CountMismatch { field, .. } => (field, None),
        TubeError::BadValue { field, index, .. } => (field, Some(*index)),
        _ => ("", None),
    }
}

#[test]
fn bad_options_are_named() {
    let good = TubeOptions::default();
    let bad = [
        ("sides", TubeOptions { sides: 2, ..good }),
        ("sides", TubeOptions { sides: 257, ..good }),
        (
            "subdivisions",
            TubeOptions {
                subdivisions: 0,
                ..good
            },
        ),
        (
            "subdivisions",
            TubeOptions {
                subdivisions: 65,
                ..good
            },
        ),
        (
            "texture_length",
            TubeOptions {
                texture_length: 0.0,
                ..good
            },
        ),
        (
            "texture_length",
            TubeOptions {
                texture_length: f32::NAN,
                ..good
            },
        ),
        (
            "radius_scale",
            TubeOptions {
                radius_scale: -1.0,
                ..good
            },
        ),
        (
            "radius_scale",
            TubeOptions {
                radius_scale: f32::INFINITY,
                ..good
            },
        ),
    ];
    let rod = Arc::new(built(&line(1.0, 4)));
    for (name, options) in bad {
        let mut layout = TubeLayout::default();
        let error = layout.lay(&rod, &[], &options).expect_err(name);
        assert_eq!(field(&error), (name, None));
        assert!(error.to_string().contains(name));
        assert_eq!(layout.vertex_count(), 0);
    }
    for options in [
        TubeOptions {
            sides: 3,
            subdivisions: 1,
            ..good
        },
        TubeOptions {
            sides: 256,
            subdivisions: 64,
            ..good
        },
    ] {
        assert!(TubeLayout::default().lay(&rod, &[], &options).is_ok());
    }
}

#[test]
fn bad_poses_are_named_and_leave_the_mesh_as_it_was() {
    let spec = line(1.0, 4);
    let rod = Arc::new(built(&spec));
    let mut mesh = mesh_of(&spec, &[], &options());
    let before = mesh.clone();
    let (points, frames, radii) = ([Vec3::ONE; 5], [Quat::IDENTITY; 4], [0.1f32; 5]);
    let good = TubePose {
        positions: &points,
        orientations: &frames,
        radii: &radii,
    };
    let mut nowhere = points;
    nowhere[3].y = f32::NAN;
    let mut beyond = points;
    beyond[1].z = -1e19;
    let mut unturned = frames;
    unturned[2] = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut thin = radii;
    thin[4] = 0.0;
    let bad = [
        (
            ("positions", None),
            TubePose {
                positions: &points[1..],
                ..good
            },
        ),
        (
            ("orientations", None),
            TubePose {
                orientations: &[],
                ..good
            },
        ),
        (
            ("radii", None),
            TubePose {
                radii: &radii[2..],
                ..good
            },
        ),
        (
            ("positions", Some(3)),
            TubePose {
                positions: &nowhere,
                ..good
            },
        ),
        (
            ("positions", Some(1)),
            TubePose {
                positions: &beyond,
                ..good
            },
        ),
        (
            ("orientations", Some(2)),
            TubePose {
                orientations: &unturned,
                ..good
            },
        ),
        (("radii", Some(4)), TubePose { radii: &thin, ..good }),
    ];
    for (place, pose) in bad {
        let error = mesh.write_pose(&rod, &[1], &pose, &options()).expect_err(place.0);
        assert_eq!(field(&error), place);
        assert_eq!(mesh.positions(), before.positions());
        assert_eq!(mesh.indices(), before.indices());
    }
    assert!(mesh.write_pose(&rod, &[1], &good, &options()).is_ok());
}

#[test]
fn slices_of_the_wrong_length_are_refused() {
    let rod = Arc::new(built(&line(1.0, 4)));
    let mut layout = TubeLayout::default();
    layout.lay(&rod, &[], &options()).expect("sound options");
    let (vertices, indices) = (layout.vertex_count(), layout.index_count());
    let short = layout.write_shape(0, &mut vec![Vec2::ZERO; vertices], &mut vec![0; indices - 3]);
    assert_eq!(field(&short.expect_err("too few indices")).0, "indices");
    let far = layout.write_shape(u32::MAX - 5, &mut vec![Vec2::ZERO; vertices], &mut vec![0; indices]);
    assert!(matches!(far, Err(TubeError::TooLarge { .. })));
    let pose = TubePose {
        positions: &[Vec3::ONE; 5],
        orientations: &[Quat::IDENTITY; 4],
        radii: &[0.1; 5],
    };
    let surface = TubeSurface {
        positions: &mut vec![Vec3::ZERO; vertices],
        normals: &mut [],
        tangents: &mut [],
    };
    let error = layout.write_pose(&pose, surface).expect_err("no normals");
    assert_eq!(field(&error).0, "surface.normals");
}

#[test]
fn segments_that_are_not_there_can_not_be_broken() {
    let rod = Arc::new(built(&line(1.0, 4)));
    let [mut whole, mut odd] = [TubeLayout::default(), TubeLayout::default()];
    whole.lay(&rod, &[], &options()).expect("sound options");
    odd.lay(&rod, &[17, u32::MAX], &options()).expect("sound options");
    assert_eq!(whole.vertex_count(), odd.vertex_count());
}
