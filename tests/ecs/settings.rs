use glam::Vec3;
use lariat::prelude::*;

use crate::support::{Host, rope};

#[test]
fn changed_settings_take_effect_in_the_next_run() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    assert!(host.rod(entity).velocity(16).y < 0.0);
    let mut settings = host.world.resource_mut::<RodSettings>();
    settings.gravity = Vec3::new(0.0, 50.0, 0.0);
    settings.substeps = 3;
    host.run(1);
    assert_eq!(host.rods().settings().substeps, 3);
    assert!(host.rod(entity).velocity(16).y > 0.0);
}

#[test]
fn bad_settings_are_refused_and_the_old_ones_stay() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    let good = host.rods().settings().clone();
    host.world.resource_mut::<RodSettings>().gravity = Vec3::NAN;
    host.run(3);
    assert_eq!(*host.rods().settings(), good);
    assert!(host.pose(entity).positions.iter().all(|p| p.is_finite()));
    host.world.resource_mut::<RodSettings>().gravity = Vec3::X;
    host.run(1);
    assert_eq!(host.rods().settings().gravity, Vec3::X);
}

#[test]
fn a_bad_step_moves_nothing_and_a_good_one_goes_on() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    let before = host.pose(entity).clone();
    for dt in [0.0, -1.0, f32::NAN, 1e9] {
        host.world.insert_resource(RodTimestep::every(dt));
        host.run(2);
        assert_eq!(*host.pose(entity), before);
        assert_eq!(host.world.resource::<RodDiagnostics>().steps, 0);
    }
    host.world.insert_resource(RodTimestep::default());
    host.run(1);
    assert_ne!(*host.pose(entity), before);
}

#[test]
fn a_fixed_step_takes_as_many_steps_as_time_has_passed() {
    let mut host = Host::new();
    let mut plain = Host::new();
    let [here, there] = [&mut host, &mut plain].map(|h| h.world.spawn(Rod::new(rope())).id());
    host.world.insert_resource(RodTimestep::fixed(1.0 / 60.0));
    // 0.6 + 1.5 + 0 + 1.9 = 4 steps, in runs of 0, 2, 0 and 2 (a hair more, so that rounding does not decide).
    let mut taken = Vec::new();
    for frames in [0.6, 1.5, 0.0, 1.9001] {
        host.world.resource_mut::<RodTimestep>().advance(frames / 60.0);
        host.run(1);
        taken.push(host.world.resource::<RodDiagnostics>().steps);
    }
    assert_eq!(taken, [0, 2, 0, 2]);
    plain.run(4);
    assert_eq!(host.pose(here), plain.pose(there));
    // A second and a half hung: four steps are made up for, the rest is dropped.
    host.world.resource_mut::<RodTimestep>().advance(1.5);
    host.world.resource_mut::<RodTimestep>().advance(f32::NAN);
    host.run(2);
    assert_eq!(host.world.resource::<RodDiagnostics>().steps, 0);
    plain.run(4);
    assert_eq!(host.pose(here), plain.pose(there));
}
