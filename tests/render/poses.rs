//! Poses that the caller brings, good and degenerate, and buffers of its own.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec2, Vec3, Vec4};
use lariat::{
    prelude::*,
    render::{Caps, PoseBuffer, TubeLayout, TubeMesh, TubeOptions, TubePose, TubeSurface},
};
use proptest::prelude::*;

use crate::{
    common::{built, cases, line},
    support::{assert_closed, assert_sound, mesh_of, options, posed, with_caps},
};

#[test]
fn zero_lengths_and_folds_leave_a_sound_tube() {
    // Along z frames are the identity, and opposite directions are so to the bit.
    for (axis, spec) in [
        (DVec3::X, line(1.0, 4)),
        (DVec3::Z, RodSpec::new(Shape::line(DVec3::ZERO, DVec3::Z, 4))),
    ] {
        degenerate(&spec, axis.as_vec3());
    }
}

fn degenerate(spec: &RodSpec, axis: Vec3) {
    let along = |way: f32| axis * way;
    let poses: [(&str, [Vec3; 5]); 5] = [
        ("all in one point", [Vec3::ONE; 5]),
        ("folded back", [0.0, 0.25, 0.5, 0.25, 0.0].map(along)),
        ("zigzag in itself", [0.0, 0.25, 0.0, 0.25, 0.0].map(along)),
        ("one segment without length", [0.0, 0.25, 0.25, 0.5, 0.75].map(along)),
        ("against its frames", [0.0, -0.25, -0.5, -0.75, -1.0].map(along)),
    ];
    for (name, points) in poses {
        for caps in [Caps::Round, Caps::Flat] {
            let mesh = posed(spec, &points, &with_caps(caps));
            for i in 0..mesh.positions().len() {
                let (normal, tangent) = (mesh.normals()[i], mesh.tangents()[i].truncate());
                assert!(mesh.positions()[i].is_finite(), "{name}");
                assert!((normal.length() - 1.0).abs() < 2e-6, "{name}: {normal}");
                assert!((tangent.length() - 1.0).abs() < 2e-6, "{name}: {tangent}");
                assert!(normal.dot(tangent).abs() < 2e-6, "{name}");
            }
        }
    }
}

#[test]
fn a_fold_is_drawn_as_a_bight() {
    // There and back again beside itself: the curve leaves the fold sideways, not through a point.
    let points = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [0.5, 0.04], [0.0, 0.04]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let mesh = mesh_of(&RodSpec::new(Shape::polyline(points)), &[], &options());
    assert_sound(&mesh);
    assert_eq!(assert_closed(&mesh), 2);
    let [low, high] = mesh.bounds().expect("something to see");
    assert!(high.x < 1.02, "{high}");
    // At full speed the curve would bulge by 4/27 of a segment, 7 cm.
    assert!(low.y > -0.06 && high.y < 0.1, "{low} {high}");
}

#[test]
fn a_pose_read_from_a_rod_gives_the_same_mesh() {
    let mut world = RodWorld::default();
    let id = world.insert(built(&line(1.0, 8).pin(0))).expect("a sound rod");
    for _ in 0..20 {
        world.step(1.0 / 60.0).expect("a sound step");
    }
    let rod = world.rod(id).expect("the rod is there");
    let [mut direct, mut by_hand] = [TubeMesh::default(), TubeMesh::default()];
    direct.write(&rod, DVec3::Y, &options()).expect("sound options");
    let mut buffer = PoseBuffer::default();
    buffer.read(&rod, DVec3::Y);
    (by_hand.write_pose(rod.description(), rod.broken(), &buffer.pose(), &options())).expect("a sound pose");
    assert_eq!(direct.positions(), by_hand.positions());
    assert_eq!(direct.tangents(), by_hand.tangents());
}

#[test]
fn many_rods_fit_into_one_mesh() {
    let rods = [
        line(1.0, 8),
        line(2.0, 3),
        RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.5, 12)),
    ]
    .map(|spec| {
        let alone = mesh_of(&spec, &[], &options());
        (Arc::new(built(&spec)), alone)
    });
    let mut layout = TubeLayout::default();
    let (mut positions, mut uvs, mut indices): (Vec<Vec3>, Vec<Vec2>, Vec<u32>) = Default::default();
    for (rod, _) in &rods {
        layout.lay(rod, &[], &options()).expect("sound options");
        let (first, count) = (positions.len(), layout.vertex_count());
        positions.resize(first + count, Vec3::ZERO);
        uvs.resize(first + count, Vec2::ZERO);
        let first_index = indices.len();
        indices.resize(first_index + layout.index_count(), 0);
        layout
            .write_shape(first as u32, &mut uvs[first..], &mut indices[first_index..])
            .expect("slices of the right size");
        let points: Vec<Vec3> = rod.vertices().iter().map(|v| v.position.as_vec3()).collect();
        let frames: Vec<Quat> = rod.segments().iter().map(|s| s.frame.as_quat()).collect();
        let pose = TubePose {
            positions: &points,
            orientations: &frames,
            radii: &vec![0.01; points.len()],
        };
        let surface = TubeSurface {
            positions: &mut positions[first..],
            normals: &mut vec![Vec3::ZERO; count],
            tangents: &mut vec![Vec4::ZERO; count],
        };
        layout.write_pose(&pose, surface).expect("a sound pose");
    }
    let corner = |mesh: &TubeMesh, i: &u32| mesh.positions()[*i as usize];
    let alone = rods
        .iter()
        .flat_map(|(_, mesh)| mesh.indices().iter().map(|i| corner(mesh, i)));
    let together = indices.iter().map(|&i| positions[i as usize]);
    // Frames and points took another way through single precision.
    assert!(alone.clone().count() == together.clone().count());
    assert!(alone.zip(together).all(|(a, b)| a.distance(b) < 1e-6));
}

#[test]
fn only_what_changed_is_written_again() {
    let mut world = RodWorld::default();
    let id = world.insert(built(&line(1.0, 8).pin(0))).expect("a sound rod");
    let mut mesh = TubeMesh::default();
    let mut write = |world: &RodWorld, options: &TubeOptions| {
        let rod = world.rod(id).expect("the rod is there");
        mesh.write(&rod, DVec3::ZERO, options).expect("sound options")
    };
    assert!(write(&world, &options()), "the first time everything is new");
    world.step(1.0 / 60.0).expect("a sound step");
    assert!(!write(&world, &options()), "it moved, that is all");
    assert!(write(&world, &with_caps(Caps::Flat)), "other options");
    assert!(!write(&world, &with_caps(Caps::Flat)));
    let mut rod = world.rod_mut(id).expect("the rod is there");
    rod.break_segment(3).expect("a segment of the rod");
    assert!(write(&world, &with_caps(Caps::Flat)), "a break");
    assert!(!write(&world, &with_caps(Caps::Flat)));
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_pose_gives_finite_unit_vectors(
        points in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 7),
        turns in prop::collection::vec(prop::array::uniform4(-1.0f32..1.0), 6),
        size in prop::sample::select(vec![0.0f32, 1e-30, 1e-6, 1.0, 1e6, 1e17]),
    ) {
        let rod = Arc::new(built(&line(1.0, 6)));
        let points: Vec<Vec3> = points.into_iter().map(|p| Vec3::from_array(p) * size).collect();
        let turns: Vec<Quat> = turns.into_iter().map(|q| Quat::from_array(q) + Quat::from_xyzw(0.0, 0.0, 0.0, 1.1)).collect();
        let pose = TubePose { positions: &points, orientations: &turns, radii: &[0.01; 7] };
        let mut mesh = TubeMesh::default();
        mesh.write_pose(&rod, &[], &pose, &options()).expect("a sound pose");
        for i in 0..mesh.positions().len() {
            let (normal, tangent) = (mesh.normals()[i], mesh.tangents()[i].truncate());
            prop_assert!(mesh.positions()[i].is_finite());
            prop_assert!((normal.length() - 1.0).abs() < 3e-6, "{} {}", i, normal);
            prop_assert!((tangent.length() - 1.0).abs() < 3e-6, "{} {}", i, tangent);
            prop_assert!(normal.dot(tangent).abs() < 3e-6);
        }
    }
}
