//! Air that moves as the host says, and what rods feel of it and of gravity.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use super::SOLVERS;
use crate::common::{apart, breeze, built, line, positions, rod, run, settings, soft, world, zoo};

fn rope(solver: Solver) -> (RodWorld, RodId) {
    let mut world = world(settings(4, 8));
    let spec = line(1.0, 12).material(soft(500.0, 0.01)).pin(0);
    let options = RodOptions {
        solver,
        ..RodOptions::default()
    };
    let id = world.insert_with(built(&spec), options).expect("a sound rod");
    (world, id)
}

/// A field that says what a wind of the settings says gives the same bits; half of each gives the whole.
#[test]
fn a_field_is_a_wind() {
    for solver in SOLVERS {
        let (mut still, id) = rope(solver);
        let mut by_settings = still.clone();
        let gusts = Settings {
            wind: Some(breeze()),
            ..settings(4, 8)
        };
        by_settings.set_settings(gusts).expect("sound settings");
        let mut by_field = still.clone();
        by_field.set_wind_field(Some(Arc::new(|place: DVec3, time: f64| breeze().velocity(place, time))));
        let mut by_both = still.clone();
        let half = |velocity: Vec3| Settings {
            wind: Some(Wind::steady(velocity)),
            ..settings(4, 8)
        };
        by_both.set_settings(half(Vec3::Z * 2.0)).expect("sound settings");
        by_both.set_wind_field(Some(Arc::new(|_: DVec3, _: f64| DVec3::Z * 2.0)));
        let mut at_once = still.clone();
        at_once.set_settings(half(Vec3::Z * 4.0)).expect("sound settings");
        for world in [&mut still, &mut by_settings, &mut by_field, &mut by_both, &mut at_once] {
            run(world, 40);
        }
        assert_eq!(by_field.state_hash(), by_settings.state_hash(), "{solver:?}");
        assert_eq!(by_both.state_hash(), at_once.state_hash(), "{solver:?}");
        let blown = apart(&positions(&still, id), &positions(&by_field, id));
        assert!(blown > 0.01, "{solver:?}: blown by {blown} m");
        by_field.set_wind_field(None);
        by_settings.set_settings(settings(4, 8)).expect("sound settings");
        run(&mut by_field, 5);
        run(&mut by_settings, 5);
        assert_eq!(by_field.state_hash(), by_settings.state_hash(), "taken away");
    }
}

/// Asked at the middle of a segment, far from the world's origin, at the time of the substep.
#[test]
fn a_field_is_asked_where_the_rod_is() {
    let (mut world, id) = rope(SOLVERS[0]);
    let far = DVec3::new(1e7, 0.0, 0.0);
    let mut rod = world.rod_mut(id).expect("the rod is there");
    rod.translate(far).expect("a number");
    let asked = Arc::new(AtomicUsize::new(0));
    let seen = asked.clone();
    world.set_wind_field(Some(Arc::new(move |place: DVec3, time: f64| {
        let local = place - far;
        assert!(local.length() < 1.1 && (0.0..=0.1).contains(&time), "{place} {time}");
        seen.fetch_add(1, Ordering::Relaxed);
        DVec3::X
    })));
    run(&mut world, 6);
    assert_eq!(asked.load(Ordering::Relaxed), 12 * 4 * 6);
}

#[test]
fn nonsense_is_still_air() {
    for nonsense in [f64::NAN, f64::INFINITY, 1e300] {
        for solver in SOLVERS {
            let (mut world, _) = rope(solver);
            let mut calm = world.clone();
            calm.set_wind_field(Some(Arc::new(|_: DVec3, _: f64| DVec3::ZERO)));
            world.set_wind_field(Some(Arc::new(move |_: DVec3, _: f64| DVec3::new(0.0, nonsense, 0.0))));
            run(&mut world, 10);
            run(&mut calm, 10);
            assert_eq!(world.state_hash(), calm.state_hash());
            assert_eq!(world.drain_events().count(), 0);
        }
    }
}

/// Free fall is exact: implicit Euler falls by g h² n(n + 1)/2 in n substeps.
#[test]
fn gravity_is_felt_as_told() {
    for solver in SOLVERS {
        for scale in [0.0, 0.5, 2.0, -1.0] {
            let mut world = world(settings(1, 8));
            let spec = line(1.0, 4).material(soft(500.0, 0.01));
            let [plain, scaled] = [1.0, scale].map(|gravity_scale| {
                let options = RodOptions {
                    solver,
                    gravity_scale,
                    ..RodOptions::default()
                };
                world.insert_with(built(&spec), options).expect("a sound rod")
            });
            run(&mut world, 30);
            let [a, b] = [plain, scaled].map(|id| rod(&world, id).position(2).y);
            // Single-precision speeds, thirty steps of them.
            assert!(
                (b - f64::from(scale) * a).abs() < 1e-5 * a.abs(),
                "{solver:?}: {b} is not {scale} of {a}"
            );
            let energy = rod(&world, scaled).energy().gravity;
            let height: f64 = (0..5)
                .map(|v| rod(&world, scaled).position(v).y * built(&spec).vertices()[v].mass)
                .sum();
            assert!((energy - 9.81 * f64::from(scale) * height).abs() < 1e-5 * energy.abs().max(1e-9));
        }
    }
}

/// Told at once or told later, it is the same; and back again.
#[test]
fn scales_can_be_changed() {
    let (mut world, id) = rope(SOLVERS[0]);
    let gusts = Settings {
        wind: Some(breeze()),
        ..settings(4, 8)
    };
    world.set_settings(gusts).expect("sound settings");
    let mut calm = rope(SOLVERS[0]).0;
    let mut sheltered = world.rod_mut(id).expect("the rod is there");
    sheltered.set_wind_scale(0.0).expect("a sound scale");
    assert_eq!(rod(&world, id).wind_scale(), 0.0);
    run(&mut world, 10);
    run(&mut calm, 10);
    assert_eq!(world.state_hash(), calm.state_hash(), "out of the wind");
    let mut light = world.rod_mut(id).expect("the rod is there");
    light.set_gravity_scale(0.1).expect("a sound scale");
    assert_eq!(rod(&world, id).gravity_scale(), 0.1);
    run(&mut world, 5);
    run(&mut calm, 5);
    assert_ne!(world.state_hash(), calm.state_hash());
    let mut rod = world.rod_mut(id).expect("the rod is there");
    for bad in [f32::NAN, f32::INFINITY, 1e9] {
        assert!(rod.set_gravity_scale(bad).is_err());
        assert!(rod.set_wind_scale(bad).is_err());
    }
    assert!(rod.set_wind_scale(-1.0).is_err());
}

/// What a rod feels is its own: the others of its block do not notice.
#[test]
fn neighbours_feel_their_own() {
    for description in zoo() {
        let build = |scale: f32| {
            let mut world = world(Settings {
                wind: Some(breeze()),
                ..settings(2, 6)
            });
            let ids: Vec<RodId> = (0..3)
                .map(|n| {
                    let options = RodOptions {
                        gravity_scale: if n == 1 { scale } else { 1.0 },
                        wind_scale: if n == 1 { scale } else { 1.0 },
                        ..RodOptions::default()
                    };
                    world.insert_with(description.clone(), options).expect("a sound rod")
                })
                .collect();
            run(&mut world, 10);
            (
                positions(&world, ids[0]),
                positions(&world, ids[1]),
                positions(&world, ids[2]),
            )
        };
        let (plain, scaled) = (build(1.0), build(0.3));
        assert!(plain.0 == scaled.0 && plain.2 == scaled.2);
        assert!(plain.1 != scaled.1);
    }
}

#[test]
fn a_sheltered_rod_sleeps_in_a_storm() {
    let mut world = world(Settings {
        wind: Some(breeze()),
        sleep: Some(SleepSettings::default()),
        ..settings(4, 8)
    });
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, 8))
        .material(soft(500.0, 0.01))
        .pin(0);
    let [sheltered, blown] = [0.0, 1.0].map(|wind_scale| {
        let options = RodOptions {
            wind_scale,
            drag: 4.0,
            ..RodOptions::default()
        };
        world.insert_with(built(&spec), options).expect("a sound rod")
    });
    run(&mut world, 300);
    assert!(rod(&world, sheltered).is_asleep());
    assert!(!rod(&world, blown).is_asleep());
    world.set_wind_field(Some(Arc::new(|_: DVec3, _: f64| DVec3::ZERO)));
    assert!(!rod(&world, sheltered).is_asleep(), "something changed");
}

#[test]
fn bad_scales_are_refused() {
    let mut world = world(settings(1, 4));
    for (gravity_scale, wind_scale) in [(f32::NAN, 1.0), (1e7, 1.0), (1.0, f32::NAN), (1.0, -0.1)] {
        let options = RodOptions {
            gravity_scale,
            wind_scale,
            ..RodOptions::default()
        };
        assert!(world.insert_with(built(&line(1.0, 4)), options).is_err());
    }
    assert!(world.is_empty());
}
