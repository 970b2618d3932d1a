//! Shapes that rods touch, as outlines: still ones as they are at the end, bodies at every strobe.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::{
    panel::View,
    scenes::{
        runner::{Run, Strobe},
        shapes::Kind,
    },
};

/// The outlines of a strobe, seen from a side.
pub fn outlines<'a>(
    run: &'a Run,
    strobe: &'a Strobe,
    last: bool,
    view: &'a View,
) -> impl Iterator<Item = Vec<DVec3>> + 'a {
    let shown = run.shapes.iter().zip(&strobe.shapes);
    let shown = shown.filter(move |(shape, _)| last || shape.mass.is_some());
    shown.flat_map(|(shape, pose)| outline(shape.kind, *pose, view))
}

/// Ground has no outline.
fn outline(kind: Kind, (place, rotation): (DVec3, DQuat), view: &View) -> Vec<Vec<DVec3>> {
    let ring = |middle: DVec3, radius: f64| {
        let point = |k: u32| {
            let (sin, cos) = (TAU * f64::from(k) / 48.0).sin_cos();
            middle + radius * (view.right * cos + view.up * sin)
        };
        (0..=48).map(point).collect::<Vec<DVec3>>()
    };
    match kind {
        Kind::Ground => Vec::new(),
        // A spoke shows how it rolls.
        Kind::Ball { radius } => vec![ring(place, radius), vec![place, place + rotation * DVec3::Y * radius]],
        Kind::Bar { length, radius } => {
            let along = rotation * DVec3::Z * (0.5 * length);
            let across = along.cross(view.right.cross(view.up)).normalize_or_zero() * radius;
            let side = |across: DVec3| vec![place - along + across, place + along + across];
            let ends = [ring(place - along, radius), ring(place + along, radius)];
            ends.into_iter().chain([side(across), side(-across)]).collect()
        }
        Kind::Box { size } => {
            let corner = |bits: usize| {
                let sign = |bit: usize| if bits >> bit & 1 == 0 { -0.5 } else { 0.5 };
                place + rotation * (size * DVec3::new(sign(0), sign(1), sign(2)))
            };
            let edges = (0..8).flat_map(|a| (0..3).map(move |bit| (a, a | 1 << bit)));
            let edges = edges.filter(|(a, b)| a != b);
            edges.map(|(a, b)| vec![corner(a), corner(b)]).collect()
        }
    }
}
