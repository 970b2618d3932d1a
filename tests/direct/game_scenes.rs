//! SCENES.md S1, S2 and S2t at 60 Hz in one substep.

use glam::{DQuat, DVec3};
use lariat::prelude::*;

use crate::{
    close,
    common::{rod, run},
    direct, with,
};

const GRAVITY: f64 = 9.81;

/// 64 segments, 2 m, 1 cm radius, 1 kg/m, hemp (EA = 220 kN).
fn rope(direction: DVec3) -> RodSpec {
    let hemp = Material::hemp_rope().with_density(Density::Linear(1.0));
    RodSpec::new(Shape::line(DVec3::ZERO, direction * 2.0, 64))
        .material(hemp)
        .radius(0.01)
        .pin(0)
}

#[test]
fn s1_does_not_stretch() {
    let (mut world, id) = with(&rope(DVec3::X), direct(), crate::game());
    let mut most = 0.0f64;
    let mut lowest = 0.0f64;
    for _ in 0..240 {
        run(&mut world, 1);
        let rope = rod(&world, id);
        most = most.max(rope.stretch().abs());
        lowest = lowest.min(rope.position(64).y);
    }
    assert!(most <= 1e-3, "stretched by {most}");
    // And it fell: all of its length hung down at some time.
    assert!(lowest < -1.9, "{lowest}");
}

/// EA from 50 kN to 1 MN, as long as T/EA is below 5%.
#[test]
fn s2_carries_its_load() {
    for (load, ea) in [(100.0, 5e4), (100.0, 2.2e5), (100.0, 1e6), (1000.0, 5e5), (1000.0, 1e6)] {
        let material = Material::rigidity(ea, ea / 2.6, 0.02, 0.02, 1.0);
        let spec = rope(DVec3::NEG_Y).material(material).load(64, load);
        let (mut world, id) = with(&spec, direct(), crate::game());
        run(&mut world, 240);
        let mut squares = 0.0;
        for _ in 0..60 {
            run(&mut world, 1);
            squares += f64::from(rod(&world, id).velocity(64).length_squared());
        }
        let speed = (squares / 60.0).sqrt();
        assert!(speed <= 1e-3, "{load} kg on {ea} N still moves at {speed} m/s");
        // The load, and half of the rope's own weight on average.
        let expected = (load + 1.0) * GRAVITY / ea;
        close(
            rod(&world, id).stretch(),
            expected,
            0.01,
            format!("{load} kg on {ea} N"),
        );
        let tension = rod(&world, id).tension(63);
        close(tension, load * GRAVITY, 0.01, format!("tension under {load} kg"));
    }
}

/// Tilted by 5°, the load swings through the vertical after a quarter of a period.
#[test]
fn s2t_swings() {
    for load in [100.0, 1000.0] {
        let spec = rope(DVec3::NEG_Y).load(64, load);
        let options = RodOptions {
            rotation: DQuat::from_rotation_z(5f64.to_radians()),
            ..direct()
        };
        let (mut world, id) = with(&spec, options, crate::game());
        let mut last = rod(&world, id).position(64).x;
        assert!(last > 0.1);
        let mut crossing = None;
        for _ in 0..90 {
            let time = world.time();
            run(&mut world, 1);
            let x = rod(&world, id).position(64).x;
            if x <= 0.0 && crossing.is_none() {
                crossing = Some(time + (world.time() - time) * last / (last - x));
            }
            last = x;
        }
        let crossing = crossing.expect("it crosses");
        assert!((0.70..=0.75).contains(&crossing), "{load} kg: {crossing} s");
    }
}
