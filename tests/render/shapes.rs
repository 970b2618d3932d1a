//! The surface: closed, of the right volume and topology, whatever the rod.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};
use lariat::{
    prelude::*,
    render::{Caps, TubeMesh, TubeOptions},
};

use crate::{
    common::{line, net, placed, world, zoo},
    support::{assert_closed, assert_faces_out, assert_sound, mesh_of, options, parts, volume, with_caps},
};

/// Area of a regular polygon in a circle of radius 1.
fn polygon(sides: u32) -> f64 {
    0.5 * f64::from(sides) * (TAU / f64::from(sides)).sin()
}

#[test]
fn a_straight_tube_has_the_volume_of_its_prism() {
    let (length, radius) = (2.0, 0.03);
    for sides in [3, 7, 8, 24] {
        let flat = TubeOptions {
            sides,
            caps: Caps::Flat,
            ..TubeOptions::default()
        };
        let mesh = mesh_of(&line(length, 5).radius(radius), &[], &flat);
        let exact = polygon(sides) * radius * radius * length;
        // Positions of up to 2 m are rounded to 1e-7 m, 4e-6 of the radius.
        assert!((volume(&mesh) / exact - 1.0).abs() < 2e-5, "{sides} sides");
        assert_eq!(assert_closed(&mesh), 2);
        assert_faces_out(&mesh);
    }
}

#[test]
fn round_caps_add_frusta_of_polygons() {
    let (length, radius) = (1.0, 0.1);
    for sides in [4u32, 8, 16, 33] {
        let round = TubeOptions {
            sides,
            ..TubeOptions::default()
        };
        let mesh = mesh_of(&line(length, 3).radius(radius), &[], &round);
        // Slices of equal angle; each is a frustum whose ends are polygons in circles of the ball.
        let strips = sides.div_ceil(4).max(2);
        let at = |k: u32| (0.5 * PI * f64::from(k) / f64::from(strips)).sin_cos();
        let cap: f64 = (0..strips)
            .map(|k| {
                let ((low, wide), (high, narrow)) = (at(k), at(k + 1));
                (high - low) / 3.0 * (wide * wide + wide * narrow + narrow * narrow)
            })
            .sum();
        let exact = polygon(sides) * radius * radius * (length + 2.0 * cap * radius);
        assert!((volume(&mesh) / exact - 1.0).abs() < 1e-5, "{sides} sides");
        assert_eq!(assert_closed(&mesh), 2);
        assert_faces_out(&mesh);
    }
}

#[test]
fn a_tapered_tube_has_the_volume_of_its_frustum() {
    let taper = Taper::Linear { start: 1.0, end: 0.2 };
    let spec = line(1.0, 8).radius(0.1).taper(taper);
    let mesh = mesh_of(&spec, &[], &with_caps(Caps::Flat));
    let exact = polygon(7) * (0.1f64.powi(2) + 0.1 * 0.02 + 0.02f64.powi(2)) / 3.0;
    assert!((volume(&mesh) / exact - 1.0).abs() < 1e-5);
    // Normals lean towards the thin end as a cone's do: slope 0.08.
    let lean = 0.08 / (1.0f32 + 0.08 * 0.08).sqrt();
    let sides = mesh.normals().iter().filter(|n| n.x.abs() < 0.9);
    assert!(sides.clone().count() > 100);
    assert!(sides.clone().all(|n| (n.x - lean).abs() < 1e-5));
}

#[test]
fn an_open_tube_has_no_caps() {
    let mesh = mesh_of(&line(1.0, 4), &[], &with_caps(Caps::Open));
    assert_eq!(mesh.positions().len(), (4 * 3 + 1) * 8);
    assert_eq!(mesh.indices().len(), 4 * 3 * 7 * 6);
    assert_sound(&mesh);
    assert_faces_out(&mesh);
}

#[test]
fn a_circle_is_a_watertight_torus() {
    let (ring, tube) = (0.5, 0.08);
    let spec = RodSpec::new(Shape::circle(
        DVec3::new(3.0, 1.0, 0.0),
        DVec3::new(1.0, 2.0, 0.5),
        ring,
        24,
    ))
    .radius(tube);
    for caps in [Caps::Round, Caps::Flat, Caps::Open] {
        let mesh = mesh_of(&spec, &[], &with_caps(caps));
        assert_sound(&mesh);
        assert_faces_out(&mesh);
        assert_eq!(assert_closed(&mesh), 0, "a torus has a hole");
        // Pappus: area times the way of its middle. The rows are 72 around: chords lose up to (π/72)²/2 of their radius, three times
        // that in volume; the curve is nearer to the circle than that.
        let exact = polygon(7) * tube * tube * TAU * ring;
        assert!((volume(&mesh) / exact - 1.0).abs() < 3e-3, "{}", volume(&mesh) / exact);
    }
}

#[test]
fn a_curve_through_a_circle_is_one() {
    // Five degrees from the true circle a chord is 1e-3 of the radius inside; the curve is fourth order.
    let spec = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, 36)).radius(0.01);
    let one = TubeOptions {
        subdivisions: 8,
        ..options()
    };
    let mesh = mesh_of(&spec, &[], &one);
    for row in mesh.positions().chunks_exact(8) {
        let centre = row[..7].iter().sum::<Vec3>() / 7.0;
        assert!((centre.length() - 1.0).abs() < 1e-4, "{centre}");
    }
}

/// Middles of the rows of an open tube of 64 pieces a segment.
fn middles(spec: &RodSpec) -> Vec<Vec3> {
    let fine = TubeOptions {
        subdivisions: 64,
        ..with_caps(Caps::Open)
    };
    let mesh = mesh_of(spec, &[], &fine);
    (mesh.positions().chunks_exact(8))
        .map(|row| row[..7].iter().sum::<Vec3>() / 7.0)
        .collect()
}

#[test]
fn the_curve_is_smooth_and_straight_at_its_ends() {
    let points = [[0.0, 0.0], [1.0, 0.0], [1.5, 0.5], [1.6, 2.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
    let middles = middles(&RodSpec::new(Shape::polyline(points)));
    for (i, point) in points.iter().enumerate() {
        assert!(
            middles[64 * i].distance(point.as_vec3()) < 1e-6,
            "it passes the vertices"
        );
    }
    let way = |i: usize| (middles[i + 1] - middles[i]).normalize();
    for i in 1..middles.len() - 1 {
        // A turn of 58° at most, over two segments of 64 pieces, but not evenly: 2° a piece. A corner would be 45°.
        assert!(way(i).angle_between(way(i - 1)) < 0.06, "piece {i}");
    }
    let bend = |i: usize| way(i).angle_between(way(i - 1));
    let last = middles.len() - 2;
    // Curvature grows from zero in proportion: a piece from the end it is 1/64 of a segment's.
    assert!(bend(1) < 0.1 * bend(32) && bend(last) < 0.1 * bend(last - 31));
}

#[test]
fn segments_that_point_the_other_way_make_no_difference() {
    let points: Vec<DVec3> = (0..5)
        .map(|i| DVec3::new(0.3 * f64::from(i), 0.05 * f64::from(i * i), 0.0))
        .collect();
    let chain = RodSpec::new(Shape::polyline(points.clone())).up(DVec3::Z);
    let mixed = RodSpec::new(Shape::graph(points, [[0, 1], [2, 1], [2, 3], [4, 3]], Joints::All)).up(DVec3::Z);
    let [chain, mixed] = [chain, mixed].map(|spec| mesh_of(&spec, &[], &options()));
    assert_eq!(chain.indices(), mixed.indices());
    let pairs = chain.positions().iter().zip(mixed.positions());
    // Half turns and back are rounded in single precision.
    assert!(pairs.clone().count() > 100 && pairs.clone().all(|(a, b)| a.distance(*b) < 1e-6));
}

#[test]
fn a_break_leaves_a_gap_with_caps() {
    let spec = line(1.0, 10).radius(0.01);
    for caps in [Caps::Round, Caps::Flat] {
        let mesh = mesh_of(&spec, &[4], &with_caps(caps));
        assert_sound(&mesh);
        // Two pieces, each a ball to the topologist.
        assert_eq!(assert_closed(&mesh), 4);
        let reach = if caps == Caps::Round { 0.0101 } else { 1e-6 };
        let inside = |p: &&Vec3| p.x > 0.4 + reach && p.x < 0.5 - reach;
        assert_eq!(mesh.positions().iter().filter(inside).count(), 0);
    }
}

#[test]
fn ends_that_break_off_are_gone() {
    let spec = line(1.0, 10).radius(0.01);
    let mesh = mesh_of(&spec, &[0, 9, 4, 5], &with_caps(Caps::Flat));
    assert_eq!(assert_closed(&mesh), 4);
    let [low, high] = mesh.bounds().expect("something to see");
    assert!(low.x > 0.085 && high.x < 0.915, "{low} {high}");
    let nothing = mesh_of(&spec, &Vec::from_iter(0..10), &options());
    assert!(nothing.positions().is_empty() && nothing.indices().is_empty() && nothing.bounds().is_none());
}

#[test]
fn a_broken_loop_is_a_rope() {
    let spec = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.5, 12)).radius(0.05);
    let mesh = mesh_of(&spec, &[7], &options());
    assert_sound(&mesh);
    assert_eq!(assert_closed(&mesh), 2);
}

#[test]
fn threads_of_a_net_go_through() {
    let side = 5;
    let mesh = mesh_of(&RodSpec::new(net(side)).radius(0.01), &[], &options());
    assert_sound(&mesh);
    assert_closed(&mesh);
    assert_eq!(parts(&mesh), 1 + 2 * 3, "a closed border and three threads each way");
}

#[test]
fn a_branch_begins_inside_its_trunk() {
    let points = [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [1.0, 1.5]].map(|[x, y]| DVec3::new(x, y, 0.0));
    // The branch runs against its segment, which must not matter.
    let tree = RodSpec::new(Shape::graph(points, [[0, 1], [1, 2], [3, 1]], Joints::All))
        .taper(Taper::Radii(vec![0.2, 0.2, 0.2, 0.05]));
    for caps in [Caps::Round, Caps::Flat] {
        let mesh = mesh_of(&tree, &[], &with_caps(caps));
        assert_sound(&mesh);
        assert_faces_out(&mesh);
        assert_eq!(assert_closed(&mesh), 4, "trunk and branch");
        // The branch is as thin as its other end already inside the trunk, and its end there is round.
        let trunk = |p: &Vec3| (p.x * p.x + p.z * p.z).sqrt() < 0.21;
        let branch: Vec<Vec3> = (mesh.positions().iter().copied()).filter(|p| !trunk(p)).collect();
        assert!(branch.iter().all(|p| {
            let along = Vec3::new(1.0, 0.5, 0.0).normalize();
            let from = *p - Vec3::Y;
            (from - along * from.dot(along)).length() < 0.0501
        }));
    }
}

#[test]
fn rods_that_only_meet_are_sealed_by_balls() {
    // Three at 120°: none goes on straight.
    let arm = |k: u32| DVec3::new((TAU * f64::from(k) / 3.0).cos(), (TAU * f64::from(k) / 3.0).sin(), 0.0);
    let star = Shape::graph(
        [DVec3::ZERO, arm(0), arm(1), arm(2)],
        [[0, 1], [0, 2], [0, 3]],
        Joints::All,
    );
    let mesh = mesh_of(&RodSpec::new(star).radius(0.1), &[], &with_caps(Caps::Flat));
    assert_closed(&mesh);
    assert_eq!(
        parts(&mesh),
        3 + 3,
        "three tubes, and flat caps at their free ends alone"
    );
    // Each of the three reaches across the middle by its radius.
    for k in 0..3 {
        let pole = -0.1 * arm(k).as_vec3();
        assert!(mesh.positions().iter().any(|p| p.distance(pole) < 1e-5));
    }
}

#[test]
fn every_kind_of_rod_has_a_sound_tube_while_it_moves() {
    let mut world = world(Settings::default());
    let ids: Vec<RodId> = (zoo().into_iter().enumerate())
        .map(|(n, rod)| world.insert_with(rod, placed(n)).expect("a sound rod"))
        .collect();
    let mut meshes = vec![TubeMesh::default(); ids.len()];
    for frame in 0..40 {
        world.step(1.0 / 60.0).expect("a sound step");
        for (mesh, &id) in meshes.iter_mut().zip(&ids) {
            let rod = world.rod(id).expect("the rod is there");
            mesh.write(&rod, rod.origin(), &options()).expect("sound options");
            if frame % 13 == 0 {
                assert_sound(mesh);
                assert_closed(mesh);
            }
        }
    }
}

#[test]
fn a_tube_far_away_is_as_round_as_one_here() {
    let mut world = RodWorld::default();
    let far = RodOptions {
        translation: DVec3::splat(1e7),
        ..RodOptions::default()
    };
    let rope = line(1.0, 8).radius(0.01).build().expect("a sound rope");
    let [here, there] = [RodOptions::default(), far].map(|options| {
        let id = world.insert_with(rope.clone(), options).expect("a sound rod");
        let mut mesh = TubeMesh::default();
        let rod = world.rod(id).expect("the rod is there");
        mesh.write(&rod, rod.origin(), &TubeOptions::default())
            .expect("sound options");
        mesh
    });
    // A double at 1e7 m is exact to 2e-9 m.
    let pairs = here.positions().iter().zip(there.positions());
    assert!(pairs.clone().count() > 100 && pairs.clone().all(|(a, b)| a.distance(*b) < 1e-8));
}
