//! A wrecking ball.

use glam::DVec3;
use lariat::prelude::*;

use super::{Engine, GRAVITY, Solid, earth, rope};

/// It swings down and knocks a stack of boxes over; nothing flies faster than it can, no energy is made.
pub fn a_wrecking_ball_fells_a_stack<E: Engine>() {
    for (mass, radius, box_mass) in [(60.0, 0.35, 5.0), (300.0, 0.4, 12.0)] {
        let mut engine: E = earth();
        engine.floor(0.0);
        let half = DVec3::splat(0.25);
        let boxes: Vec<BodyId> = (0..5)
            .map(|k| engine.crate_at(DVec3::Y * (0.25 + 0.5 * f64::from(k)), half, box_mass))
            .collect();
        let hook = DVec3::new(-radius - 0.25, 5.5, 0.0);
        let away = DVec3::new(-0.8, -0.6, 0.0);
        let length = 4.0;
        let id = engine.insert(&rope(hook, hook + away * length, 40, 4e5).pin(0));
        let ball = engine.ball(hook + away * (length + radius), radius, mass);
        engine.tie(id, RodPoint::End, ball, -away * radius);
        let solids: Vec<(BodyId, Solid, f64)> = (boxes.iter())
            .map(|&b| (b, Solid::Cuboid(half), box_mass))
            .chain([(ball, Solid::Ball(radius), mass)])
            .collect();
        let total = |engine: &mut E| {
            let bodies: f64 = (solids.iter())
                .map(|&(body, shape, mass)| engine.energy(body, shape, mass, GRAVITY))
                .sum();
            bodies + engine.rods().rod(id).expect("the rod").energy().total()
        };
        let start = total(&mut engine);
        let drop = length * (1.0 - 0.6);
        let impact = (2.0 * GRAVITY * drop).sqrt();
        let mut hit = false;
        for frame in 0..360 {
            engine.frame();
            let now = total(&mut engine);
            // Contact of the engine may push apart what overlaps: 2% of what swings.
            assert!(
                now < start + 0.02 * mass * GRAVITY * drop,
                "{mass} kg: {start} to {now} J in frame {frame}"
            );
            for &(body, _, _) in &solids {
                let seen = engine.see(body);
                assert!(seen.position.is_finite(), "{mass} kg: gone in frame {frame}");
                // An elastic blow of something much heavier gives twice its speed, and falling from the stack a little more.
                let speed = seen.velocity.length();
                assert!(speed < 2.0 * impact + 3.0, "{mass} kg: {speed} m/s in frame {frame}");
            }
            hit |= engine.see(boxes[4]).velocity.length() > 1.0;
            let gap = engine.widest_gap();
            // A blow stops the ball within a frame, and the rope hears of it in the next.
            assert!(gap < 1e-3 + impact / 60.0, "{mass} kg: {gap} m in frame {frame}");
        }
        assert!(hit, "{mass} kg: the stack was not hit");
        let top = engine.see(boxes[4]).position.y;
        assert!(top < 1.5, "{mass} kg: the topmost box is still {top} m high");
        let reach = engine.see(ball).position.distance(hook);
        assert!(
            reach < 1.02 * (length + radius),
            "{mass} kg: the rope is {reach} m long"
        );
    }
}
