//! Texture coordinates and the frame that they follow.

use std::f32::consts::TAU;

use glam::{DVec3, Quat, Vec2, Vec3};
use lariat::{
    prelude::*,
    render::{Caps, TubeMesh, TubeOptions},
};

use crate::{
    common::line,
    support::{mesh_of, options, triangles, with_caps},
};

/// Rows of an open tube.
fn rows(mesh: &TubeMesh) -> Vec<(Vec<Vec3>, Vec<Vec2>)> {
    let row = options().sides as usize + 1;
    (mesh.positions().chunks(row).map(<[_]>::to_vec))
        .zip(mesh.uvs().chunks(row).map(<[_]>::to_vec))
        .collect()
}

#[test]
fn v_is_length_along_the_rod_and_u_once_around() {
    let half = TubeOptions {
        texture_length: 0.5,
        ..with_caps(Caps::Open)
    };
    let mesh = mesh_of(&line(2.0, 8), &[], &half);
    let rows = rows(&mesh);
    assert_eq!(rows.len(), 25);
    for (i, (places, uvs)) in rows.iter().enumerate() {
        for (k, uv) in uvs.iter().enumerate() {
            assert!((uv.x - k as f32 / 7.0).abs() < 1e-6);
            assert!((uv.y - 4.0 * i as f32 / 24.0).abs() < 1e-6);
        }
        assert!(
            (places[0].x - 2.0 * i as f32 / 24.0).abs() < 1e-6,
            "rows are evenly spaced"
        );
    }
}

#[test]
fn v_grows_from_pole_to_pole() {
    let mesh = mesh_of(&RodSpec::new(Shape::helix(0.3, 0.2, 2.0, 20)), &[], &options());
    let v: Vec<f32> = mesh.uvs().iter().map(|uv| uv.y).collect();
    assert!(v.is_sorted() && v[0] < 0.0);
    // A quarter of a circle of 1 cm beyond either end.
    assert!((v[0] + 0.01 * TAU / 4.0).abs() < 1e-6, "{}", v[0]);
}

#[test]
fn texture_stays_on_the_material_when_the_rod_stretches_or_breaks() {
    let open = with_caps(Caps::Open);
    let spec = line(1.0, 10);
    let whole = mesh_of(&spec, &[], &open);
    let longer = crate::support::posed(
        &spec,
        &Vec::from_iter((0..=10).map(|i| Vec3::X * 0.2 * i as f32)),
        &open,
    );
    assert_eq!(whole.uvs(), longer.uvs());
    let broken = mesh_of(&spec, &[3], &open);
    let row = 8;
    let kept = [&whole.uvs()[..10 * row], &whole.uvs()[12 * row..]].concat();
    assert_eq!(broken.uvs(), kept);
}

#[test]
fn a_loop_closes_its_texture() {
    let spec = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.5, 12));
    let third = TubeOptions {
        texture_length: 0.9,
        ..options()
    };
    // 3.11 m around (a polygon) over 0.9 m is nearest to three times.
    let last = |mesh: &TubeMesh| mesh.uvs().last().map_or(f32::NAN, |uv| uv.y);
    assert!((last(&mesh_of(&spec, &[], &third)) - 3.0).abs() < 1e-5);
    // Broken at segment 5 the rope goes on over the old beginning; textures that repeat do not notice.
    let mesh = mesh_of(
        &spec,
        &[5],
        &TubeOptions {
            caps: Caps::Open,
            ..third
        },
    );
    let v: Vec<f32> = mesh.uvs().iter().map(|uv| uv.y).collect();
    assert!(v.is_sorted());
    assert!((v[0] - 3.0 * 6.0 / 12.0).abs() < 1e-5 && (last(&mesh) - 3.0 * 17.0 / 12.0).abs() < 1e-5);
}

#[test]
fn textures_are_not_mirrored() {
    // Seen from outside u to the right and v downwards turn clockwise, against the triangles.
    for caps in [Caps::Round, Caps::Flat] {
        let spec = RodSpec::new(Shape::helix(0.3, 0.2, 2.0, 20)).radius(0.05);
        let mesh = mesh_of(&spec, &[], &with_caps(caps));
        for t in triangles(&mesh) {
            let [a, b, c] = t.map(|i| mesh.uvs()[i]);
            assert!((b - a).perp_dot(c - a) < 0.0, "triangle {t:?}: {a} {b} {c}");
        }
    }
}

#[test]
fn tangents_point_along_u_and_bitangents_against_v() {
    for caps in [Caps::Round, Caps::Flat] {
        let mesh = mesh_of(&line(1.0, 4).radius(0.05), &[], &with_caps(caps));
        for t in triangles(&mesh) {
            let [p, q, r] = t.map(|i| mesh.positions()[i]);
            let [a, b, c] = t.map(|i| mesh.uvs()[i]);
            // Gradient of position by u and v over the triangle.
            let (e, f, g, h) = (q - p, r - p, b - a, c - a);
            let scale = 1.0 / g.perp_dot(h);
            let by_u = (e * h.y - f * g.y) * scale;
            let by_v = (f * g.x - e * h.x) * scale;
            for i in t {
                let (normal, tangent) = (mesh.normals()[i], mesh.tangents()[i]);
                let bitangent = normal.cross(tangent.truncate()) * tangent.w;
                // Side faces are chords of 51°, so vertices are up to 26° off; at the poles meridians of 45° add to it.
                assert!(by_u.normalize().dot(tangent.truncate()) > 0.7, "triangle {t:?}");
                assert!(by_v.normalize().dot(bitangent) < -0.6, "triangle {t:?}");
            }
        }
    }
}

#[test]
fn rows_turn_with_the_material() {
    let turns = 5.0;
    let mesh = mesh_of(
        &line(1.0, 10).twist(Twist::Total(turns)).up(DVec3::Y),
        &[],
        &with_caps(Caps::Open),
    );
    for (places, _) in rows(&mesh) {
        let centre = places[..7].iter().sum::<Vec3>() / 7.0;
        // Frames are those of segment middles, from 0.05 to 0.95 m; beyond, nothing turns any more. Between two of them, half a radian apart, straight
        // interpolation of quaternions is off by up to 1e-4 rad.
        let angle = turns as f32 * ((centre.x - 0.05) / 0.9).clamp(0.0, 1.0);
        let d1 = Quat::from_rotation_x(angle) * Vec3::Y.cross(Vec3::X);
        let seam = (places[0] - centre).normalize();
        assert!(seam.distance(d1) < 1e-3, "at {} m: {seam} but d1 is {d1}", centre.x);
    }
}

#[test]
fn a_bent_tube_does_not_twist() {
    // A plane curve whose frames have no twist: the seam keeps its angle to the plane, all along.
    let spec = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 0.5, 9)).up(DVec3::Z);
    let mesh = mesh_of(&spec, &[], &options());
    for (places, _) in rows(&mesh) {
        let centre = places[..7].iter().sum::<Vec3>() / 7.0;
        assert!((places[0] - centre).normalize().dot(Vec3::Z).abs() < 1e-4);
    }
}
