//! Properties over random recipes: nothing panics, nothing depends on where and how the rod lies.

use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::super::{
    BreakLimit, Damping, Density, Joints, Material, RestShape, RodDescription, RodSpec, Section, Shape, Shear,
    Stiffness, Taper, Twist,
};
use super::{close, rest_curvature};

/// Any number at all, the troublesome ones often.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        60 => 0.01..10.0f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320, 1e300, f64::MAX]),
    ]
}

fn vector() -> impl Strategy<Value = DVec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn points() -> impl Strategy<Value = Vec<DVec3>> {
    prop::collection::vec(vector(), 0..6)
}

fn count() -> impl Strategy<Value = u32> {
    prop_oneof![20 => 0..9u32, 1 => Just(u32::MAX)]
}

fn shape() -> impl Strategy<Value = Shape> {
    let pairs = || prop::collection::vec([0..5u32, 0..5u32], 0..6);
    prop_oneof![
        (vector(), vector(), count()).prop_map(|(from, to, n)| Shape::line(from, to, n)),
        (points(), count()).prop_map(|(points, n)| Shape::curve(points, n)),
        (points(), count()).prop_map(|(points, n)| Shape::spline(points, n)),
        points().prop_map(Shape::polyline),
        (points(), count()).prop_map(|(points, n)| Shape::closed(points, n)),
        (vector(), vector(), number(), count()).prop_map(|(c, n, r, s)| Shape::circle(c, n, r, s)),
        (vector(), vector(), number(), number(), number(), count()).prop_map(
            |(centre, axis, radius, pitch, turns, segments)| Shape::Helix {
                centre,
                axis,
                radius,
                pitch,
                turns,
                segments
            }
        ),
        (points(), pairs()).prop_map(|(points, pairs)| Shape::graph(points, pairs, Joints::All)),
        (points(), pairs(), pairs()).prop_map(|(points, pairs, joints)| Shape::graph(
            points,
            pairs,
            Joints::List(joints)
        )),
    ]
}

fn material() -> impl Strategy<Value = Material> {
    let stiffness = prop_oneof![
        (number(), number()).prop_map(|(young, g)| Stiffness::Elastic {
            young,
            shear: Shear::Modulus(g)
        }),
        (number(), -1.0..0.5f64).prop_map(|(young, nu)| Stiffness::Elastic {
            young,
            shear: Shear::Poisson(nu)
        }),
        (number(), number(), number()).prop_map(|(ea, ei, gj)| Stiffness::Rigidity {
            ea,
            ga: ea,
            ei: [ei; 2],
            gj
        }),
        (number(), number()).prop_map(|(k_ss, k_bt)| Stiffness::Paper { k_ss, k_bt }),
    ];
    let damping = prop_oneof![
        number().prop_map(Damping::Time),
        number().prop_map(Damping::Ratio),
        (number(), number()).prop_map(|(stretch, bend)| Damping::Times { stretch, bend }),
    ];
    (stiffness, number(), damping, number()).prop_map(|(stiffness, density, damping, factor)| Material {
        stiffness,
        density: Density::Linear(density),
        damping,
        friction: 0.5,
        bending_factor: factor,
    })
}

fn spec() -> impl Strategy<Value = RodSpec> {
    let section = prop_oneof![
        number().prop_map(Section::round),
        (number(), number()).prop_map(|(a, b)| Section::rectangular(a, b)),
    ];
    let taper = prop_oneof![
        Just(Taper::Uniform),
        (number(), number()).prop_map(|(start, end)| Taper::Linear { start, end }),
        prop::collection::vec(number(), 4..6).prop_map(Taper::Factors),
    ];
    let rest = prop_oneof![
        Just(RestShape::AsGiven),
        Just(RestShape::Straight),
        points().prop_map(RestShape::Curve),
    ];
    (
        shape(),
        section,
        taper,
        material(),
        rest,
        number(),
        vector(),
        number(),
        0..6u32,
    )
        .prop_map(|(shape, section, taper, material, rest, angle, up, limit, index)| {
            RodSpec::new(shape)
                .section(section)
                .taper(taper)
                .material(material)
                .rest(rest)
                .twist(Twist::Total(angle))
                .up(up)
                .break_at(BreakLimit::Tension(limit))
                .load(index, limit)
                .clamp_at(index, index)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_for_builds_or_is_refused(spec in spec()) {
        if let Ok(rod) = spec.build() {
            // What was accepted is sound, and stays so when it is opened and sealed again.
            prop_assert_eq!(&RodDescription::new(rod.parts().clone()).unwrap(), &rod);
            for vertex in rod.vertices() {
                prop_assert!((vertex.mass as f32).is_finite() && vertex.position.is_finite());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rest_numbers_do_not_depend_on_where_the_rod_lies(
        points in prop::collection::vec([-1.0..1.0f64, -1.0..1.0, -1.0..1.0].prop_map(DVec3::from_array), 4..9),
        axis in [-1.0..1.0f64, -1.0..1.0, 0.1..1.0].prop_map(DVec3::from_array),
        angle in -3.0..3.0f64,
    ) {
        let turn = DQuat::from_axis_angle(axis.normalize(), angle);
        let moved: Vec<DVec3> = points.iter().map(|&point| turn * point + DVec3::new(3.0, -2.0, 1.0)).collect();
        let rods = [points, moved].map(|points| RodSpec::new(Shape::spline(points, 20)).build().unwrap());
        for (a, b) in rods[0].segments().iter().zip(rods[1].segments()) {
            close(a.rest_length, b.rest_length, 1e-9);
        }
        for (a, b) in rods[0].joints().iter().zip(rods[1].joints()) {
            close(rest_curvature(a) * a.length, rest_curvature(b) * b.length, 1e-6);
            close(a.rest.w.abs(), b.rest.w.abs(), 1e-6);
        }
    }
}
