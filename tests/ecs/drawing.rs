use bevy_ecs::prelude::*;
use lariat::prelude::*;

use crate::support::{Host, rope};

#[test]
fn a_smooth_pose_lies_between_the_last_two_steps() {
    let mut host = Host::new();
    host.world.resource_mut::<RodSettings>().interpolation = true;
    let entity = host.world.spawn((Rod::new(rope()), RodSmoothPose::default())).id();
    let mut draw = Schedule::default();
    draw.add_systems(lariat::ecs::interpolate);
    host.run(5);
    let before = host.pose(entity).clone();
    host.run(1);
    let after = host.pose(entity).clone();
    for alpha in [0.0, 0.25, 1.0] {
        host.world.resource_mut::<RodTimestep>().set_alpha(alpha);
        draw.run(&mut host.world);
        let smooth = host.world.get::<RodSmoothPose>(entity).expect("asked for");
        for (v, place) in smooth.positions.iter().enumerate() {
            // Rounding of a position of a metre.
            assert!(place.distance(before.positions[v].lerp(after.positions[v], alpha)) < 1e-6);
        }
        assert_eq!(smooth.orientations.len(), 16);
    }
    assert!(before.positions[16].distance(after.positions[16]) > 1e-3, "it moves");
}

#[test]
fn a_fixed_step_knows_how_far_time_is_ahead() {
    let mut host = Host::new();
    host.world.resource_mut::<RodSettings>().interpolation = true;
    host.world.insert_resource(RodTimestep::fixed(0.01));
    let entity = host.world.spawn((Rod::new(rope()), RodSmoothPose::default())).id();
    host.schedule
        .add_systems(lariat::ecs::interpolate.after(RodSystems::WriteBack));
    let mut last = 0.0;
    // Seven millimetres and more a frame: drawn each frame, though only every third of a step is taken.
    for frame in 0..60 {
        host.world.resource_mut::<RodTimestep>().advance(0.0033);
        host.run(1);
        let smooth = host.world.get::<RodSmoothPose>(entity).expect("asked for");
        let height = smooth.positions[16].y;
        if frame > 10 {
            assert!(height < last, "frame {frame}: {height} after {last}");
        }
        last = height;
    }
}
