//! A winch that pulls a body.

use glam::DVec3;
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{FRAME, built, rod, settings, world},
};

/// 100 kg up 5 m at 1 m/s and down again: the tension at the load stays within a tenth of its weight while segments die and are born, and the
/// rope is as long as it was reeled.
#[test]
fn a_winch_pulls_a_body_up_and_lets_it_down() {
    for (length, segments, mass, axial) in [(6.0, 48, 100.0, 1e5), (7.0, 30, 250.0, 1e6)] {
        let mut world = world(settings(1, 8));
        let spec = RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y * length, segments))
            .material(Material::rigidity(axial, axial, 0.05, 0.05, 0.5).with_damping(Damping::Time(0.01)))
            .radius(0.01)
            .pin(0);
        let id = world.insert(built(&spec)).expect("a rope");
        let mut bodies = Bodies::new();
        let ball = bodies.ball(1, -DVec3::Y * (length + 0.2), mass, 0.2);
        let to = TieTo::Body {
            body: ball,
            anchor: DVec3::Y * 0.2,
        };
        let tie = world
            .attach(AttachmentSpec::ball(id, RodPoint::End, to))
            .expect("a tie");
        run(&mut world, &mut bodies, 240);
        let weight = mass * 9.81;
        let (mut reeled, mut births, mut deaths) = (0.0, 0, 0);
        for up in [true, false] {
            let mut speed = 0.0f64;
            for frame in 0..300 {
                // A ramp of half a second: ±2 m/s² on top of gravity is not a jump.
                speed = (speed + 2.0 * f64::from(FRAME)).min(1.0);
                let by = if up { -speed } else { speed } * f64::from(FRAME);
                let done = world.reel(id, RodEnd::Start, by).expect("room on the drum");
                (births, deaths) = (births + done.births, deaths + done.deaths);
                reeled += by;
                run(&mut world, &mut bodies, 1);
                let rest = rod(&world, id).description().rest_length();
                assert!((rest - length - reeled).abs() < 1e-3, "{rest} m");
                let tension = world.attachment(tie).expect("the tie").force.length();
                if frame > 60 {
                    assert!(
                        (tension / weight - 1.0).abs() < 0.1,
                        "{mass} kg, up {up}, frame {frame}: {tension} N"
                    );
                }
            }
            run(&mut world, &mut bodies, 120);
        }
        assert!(births > 10 && deaths > 10, "{births} {deaths}");
        let stretch = weight / axial * length;
        let end = bodies.get(ball).position.y;
        assert!((end + length + 0.2 + stretch).abs() < 0.02, "{end} m");
    }
}
