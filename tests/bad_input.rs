//! Design §9, a test a row: bad input is a typed error that names the field, and changes nothing.

mod common;

use common::{FRAME, built, line, positions, rod, run, settings, soft, world};
use glam::{DQuat, DVec3, Quat, Vec3};
use lariat::prelude::*;

fn rope() -> RodSpec {
    line(1.0, 8).material(soft(100.0, 0.01)).pin(0)
}

/// A world with one rope.
fn one() -> (RodWorld, RodId) {
    let mut world = world(settings(2, 4));
    let id = world.insert(built(&rope().clamp_end())).expect("a sound rod");
    (world, id)
}

// Descriptions.

/// The error of a sound rope's parts, spoilt.
fn spoilt(spoil: impl FnOnce(&mut RodParts)) -> RodError {
    let mut parts = built(&rope()).into_parts();
    spoil(&mut parts);
    RodDescription::new(parts).expect_err("spoilt parts are refused")
}

#[test]
fn not_a_number_in_a_description() {
    let error = spoilt(|parts| parts.vertices[3].position.y = f64::NAN);
    assert_eq!(error.to_string(), "vertices[3].position is not a finite number");
    let error = line(f64::INFINITY, 8).build().expect_err("an endless line is refused");
    assert_eq!(error.place(), Place::field("shape.to"));
}

#[test]
fn zero_length_segment() {
    let error = spoilt(|parts| parts.segments[5].rest_length = 0.0);
    assert_eq!(error.to_string(), "segments[5].rest_length has zero length");
    let points = [DVec3::ZERO, DVec3::X, DVec3::X, DVec3::Y];
    let error = RodSpec::new(Shape::polyline(points))
        .build()
        .expect_err("a point twice is refused");
    assert_eq!(
        error,
        RodError::ZeroLength {
            at: Place::item("segments[]", 1)
        }
    );
}

#[test]
fn negative_radius() {
    let error = rope().radius(-0.01).build().expect_err("a negative radius is refused");
    assert_eq!(error.to_string(), "section.radius is -0.01, but must be positive");
    let error = spoilt(|parts| parts.vertices[2].radius = -1.0);
    assert_eq!(error.place(), Place::item("vertices[].radius", 2));
}

#[test]
fn joint_between_segments_that_do_not_meet() {
    let error = spoilt(|parts| parts.joints[1].second = 5);
    assert_eq!(error.to_string(), "joints[1] joins segments 1 and 5, which do not meet");
}

#[test]
fn mass_zero_without_a_pin() {
    let error = spoilt(|parts| parts.vertices[4].mass = 0.0);
    assert_eq!(
        error.to_string(),
        "vertices[4].mass is zero and the vertex is not pinned"
    );
}

#[test]
fn nothing_at_all() {
    let error = RodDescription::new(RodParts::default()).expect_err("nothing is no rod");
    assert_eq!(error.to_string(), "vertices is empty");
    let error = RodSpec::new(Shape::graph([], [], Joints::All))
        .build()
        .expect_err("nothing is no rod");
    assert_eq!(error.place(), Place::field("shape.vertices"));
    // An empty world, on the other hand, may be stepped.
    let mut empty = world(settings(1, 1));
    assert_eq!(empty.step(FRAME).map(|report| report.events), Ok(0));
    assert!(empty.is_empty());
}

// Worlds.

#[test]
fn length_of_a_step() {
    let (mut world, _) = one();
    let before = world.state_hash();
    for dt in [f32::NAN, f32::INFINITY, 0.0, -FRAME, 1e-12, 1e6] {
        assert!(world.step(dt).is_err(), "{dt}");
    }
    assert_eq!(world.step(f32::NAN), Err(SettingsError::NotFinite { field: "dt" }));
    assert!(matches!(
        world.step(-1.0),
        Err(SettingsError::OutOfRange {
            field: "dt",
            value: -1.0,
            ..
        })
    ));
    assert_eq!((world.state_hash(), world.time()), (before, 0.0));
}

#[test]
fn bad_settings() {
    let nan = Vec3::new(0.0, f32::NAN, 0.0);
    type Spoil = fn(&mut Settings);
    let wind = |wind: Wind| -> Settings {
        Settings {
            wind: Some(wind),
            ..settings(1, 1)
        }
    };
    let table: [(&str, Spoil); 5] = [
        ("gravity", |s| s.gravity.y = f32::NAN),
        ("substeps", |s| s.substeps = 0),
        ("iterations", |s| s.iterations = 0),
        ("threads", |s| s.threads = Some(1_000_000)),
        ("threads", |s| s.threads = Some(0)),
    ];
    let (mut world, _) = one();
    let before = world.settings().clone();
    let mut refused = |field: &str, bad: Settings| {
        let error = RodWorld::new(bad.clone()).expect_err(field);
        assert!(error.to_string().starts_with(&format!("`{field}`")), "{error}");
        let again = world.set_settings(bad).expect_err(field);
        assert_eq!(again.to_string(), error.to_string());
        assert_eq!(*world.settings(), before);
        run(&mut world, 1);
    };
    for (field, spoil) in table {
        let mut bad = settings(2, 4);
        spoil(&mut bad);
        refused(field, bad);
    }
    let breeze = Wind::steady(Vec3::X);
    refused(
        "wind.direction",
        wind(Wind {
            direction: nan,
            ..breeze
        }),
    );
    refused(
        "wind.direction",
        wind(Wind {
            direction: Vec3::ZERO,
            ..breeze
        }),
    );
    refused(
        "wind.speed",
        wind(Wind {
            speed: f32::NAN,
            ..breeze
        }),
    );
    refused(
        "wind.wavelength",
        wind(Wind {
            wavelength: f32::NAN,
            ..breeze
        }),
    );
    refused("wind.base", wind(Wind { base: -1.0, ..breeze }));
    refused(
        "wind.drag.coefficient",
        wind(Wind {
            drag: AirDrag::Paper { coefficient: f32::NAN },
            ..breeze
        }),
    );
}

/// The most that settings allow is allowed: nothing overflows in counting it.
#[test]
fn largest_settings() {
    let mut empty = world(settings(1_000_000, 1_000_000));
    assert!(empty.step(FRAME).is_ok());
}

#[test]
fn bad_options() {
    let (mut world, _) = one();
    let good = RodOptions::default();
    let table = [
        (
            "translation",
            RodOptions {
                translation: DVec3::NAN,
                ..good
            },
        ),
        (
            "rotation",
            RodOptions {
                rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
                ..good
            },
        ),
        (
            "rotation",
            RodOptions {
                rotation: DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0),
                ..good
            },
        ),
        (
            "velocity",
            RodOptions {
                velocity: Vec3::INFINITY,
                ..good
            },
        ),
        ("drag", RodOptions { drag: -1.0, ..good }),
        ("drag", RodOptions { drag: f32::NAN, ..good }),
    ];
    for (name, options) in table {
        let error = world.insert_with(built(&rope()), options).expect_err(name);
        assert!(
            matches!(error, InsertError::BadOption { field, .. } if field == name),
            "{error}"
        );
    }
    assert_eq!(world.len(), 1);
    // Sound in f64, but not in the single precision of the state.
    let heavy = built(&rope().load(8, 1e25));
    let error = world.insert(heavy).expect_err("heavier than single precision");
    assert!(
        matches!(
            error,
            InsertError::Magnitude {
                field: "mass",
                index: 8,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn bad_values_for_a_rod() {
    type Call = fn(&mut RodMut<'_>) -> Result<(), RodAccessError>;
    let values: [(&str, Call); 9] = [
        ("target", |rod| rod.set_target(0, DVec3::NAN)),
        ("position", |rod| rod.set_position(0, DVec3::INFINITY)),
        ("velocity", |rod| rod.set_velocity(0, Vec3::NAN)),
        ("force", |rod| rod.set_force(0, Vec3::splat(f32::MAX))),
        ("torque", |rod| rod.set_torque(0, Vec3::NEG_INFINITY)),
        ("frame", |rod| {
            rod.set_clamp(0, DQuat::from_xyzw(0.0, f64::NAN, 0.0, 1.0))
        }),
        ("orientation", |rod| {
            rod.set_orientation(0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))
        }),
        ("translation", |rod| rod.translate(DVec3::NAN)),
        ("drag", |rod| rod.set_drag(f32::NAN)),
    ];
    let outside: [(&str, usize, Call); 14] = [
        ("vertex", 9, |rod| rod.pin(9)),
        ("vertex", 9, |rod| rod.unpin(9)),
        ("vertex", 9, |rod| rod.set_target(9, DVec3::ZERO)),
        ("vertex", 9, |rod| rod.set_position(9, DVec3::ZERO)),
        ("vertex", 9, |rod| rod.set_velocity(usize::MAX, Vec3::ZERO)),
        ("vertex", 9, |rod| rod.set_force(9, Vec3::ZERO)),
        ("segment", 8, |rod| rod.set_torque(8, Vec3::ZERO)),
        ("segment", 8, |rod| rod.hold_segment(8)),
        ("segment", 8, |rod| rod.release_segment(8)),
        ("segment", 8, |rod| rod.set_orientation(8, Quat::IDENTITY)),
        ("segment", 8, |rod| rod.break_segment(8)),
        ("clamp", 1, |rod| rod.set_clamp(1, DQuat::IDENTITY)),
        ("clamp", 1, |rod| rod.release_clamp(1)),
        ("clamp", 1, |rod| rod.release_clamp(usize::MAX)),
    ];
    let (mut world, id) = one();
    let untouched = world.clone();
    let mut call = |call: Call| call(&mut world.rod_mut(id).expect("the rope"));
    for (name, bad) in values {
        let error = call(bad).expect_err(name);
        assert!(
            matches!(error, RodAccessError::BadValue { field, index: 0, .. } if field == name),
            "{error}"
        );
    }
    for (name, many, bad) in outside {
        let error = call(bad).expect_err(name);
        let right = |element, count| element == name && count == many;
        assert!(
            matches!(error, RodAccessError::OutOfRange { element, count, .. } if right(element, count)),
            "{error}"
        );
    }
    assert_eq!(
        call(|rod| rod.set_target(4, DVec3::ZERO)),
        Err(RodAccessError::NotPinned { index: 4 })
    );
    // A bad call changes nothing, now or later.
    let mut untouched = untouched;
    run(&mut untouched, 5);
    run(&mut world, 5);
    assert_eq!(world.state_hash(), untouched.state_hash());
    // Reading outside the rod is NaN, not a panic.
    let rod = rod(&world, id);
    assert!(rod.position(9).is_nan() && rod.velocity(9).is_nan() && rod.orientation(8).is_nan());
    assert!(rod.segment_strain(8).is_nan() && rod.tension(8).is_nan());
    assert!(rod.moment(99).is_nan() && rod.twist(usize::MAX).is_nan());
    assert!(!rod.is_pinned(9) && !rod.is_broken(8));
}

#[test]
fn unpinning_a_vertex_without_mass() {
    let mut parts = built(&rope()).into_parts();
    parts.vertices[0].mass = 0.0;
    let mut world = world(settings(1, 1));
    let id = world
        .insert(RodDescription::new(parts).expect("a pin needs no mass"))
        .expect("a sound rod");
    let mut rod = world.rod_mut(id).expect("the rope");
    assert_eq!(rod.unpin(0), Err(RodAccessError::Massless { index: 0 }));
    run(&mut world, 10);
    assert!(positions(&world, id).iter().all(|p| p.is_finite()));
}

#[test]
fn stale_names() {
    let (mut world, old) = one();
    assert!(world.remove(old).is_some());
    let new = world.insert(built(&rope())).expect("a sound rod");
    assert!(old != new && !world.contains(old) && world.contains(new));
    assert!(world.rod(old).is_none() && world.rod_mut(old).is_none() && world.remove(old).is_none());
    // A name of another world, too.
    let mut other = RodWorld::default();
    assert!(other.rod(new).is_none() && other.remove(new).is_none());
}
