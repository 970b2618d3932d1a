//! A bridge of planks on two ropes.

use glam::DVec3;
use lariat::prelude::*;

use super::{Engine, GRAVITY, earth, tame};

/// Eight planks and more, each tied at its four corners; a crate is dropped on them. Everything comes to rest, and the ropes carry all of it.
pub fn a_bridge_of_planks_carries_a_crate<E: Engine>() {
    // Planks, their mass, the crate's, kg, and the ropes' stiffness, N.
    for (planks, plank, load, ea) in [(10, 10.0, 40.0, 4e5), (8, 6.0, 100.0, 2e5)] {
        let mut engine: E = earth();
        let pitch = 0.5;
        let span = pitch * f64::from(planks + 1);
        let half = DVec3::new(0.2, 0.03, 0.6);
        let ropes = [-0.5, 0.5].map(|z| {
            let from = DVec3::new(-0.5 * span, 0.0, z);
            // 3% longer than the span: it hangs down from the start.
            let spec = tame(from, from + DVec3::X * span, 4 * (planks + 1) as u32, ea).rest_scale(1.03);
            engine.insert(&spec.pin(0).pin(4 * (planks + 1) as u32))
        });
        let mut bodies = Vec::new();
        for k in 0..planks {
            let x = pitch * f64::from(k + 1) - 0.5 * span;
            let body = engine.crate_at(DVec3::X * x, half, plank);
            for (rod, z) in ropes.into_iter().zip([-0.5, 0.5]) {
                for side in [-0.15, 0.15] {
                    let arc = (x + 0.5 * span + side) * 1.03;
                    engine.tie(rod, RodPoint::Arc(arc), body, DVec3::new(side, 0.0, z));
                }
            }
            bodies.push(body);
        }
        engine.run(240);
        let empty = engine.widest_gap();
        assert!(empty < 1e-3, "{empty} m between ropes and planks of the empty bridge");
        let middle = bodies[bodies.len() / 2];
        let sag = -engine.see(middle).position.y;
        let top = engine.see(middle).position.y + 0.03;
        let crate_half = DVec3::splat(0.3);
        let crate_ = engine.crate_at(engine.see(middle).position.with_y(top + 0.3 + 0.3), crate_half, load);
        let mut widest = 0.0f64;
        for _ in 0..360 {
            engine.frame();
            widest = widest.max(engine.widest_gap());
            assert!(engine.see(crate_).position.is_finite());
        }
        let at_rest = engine.widest_gap();
        let loaded = -engine.see(middle).position.y;
        let speed = (bodies.iter().chain([&crate_]))
            .map(|&b| engine.see(b).velocity.length())
            .fold(0.0, f64::max);
        println!(
            "sag {sag} loaded {loaded} widest {widest} rest {at_rest} speed {speed} crate {:?}",
            engine.see(crate_)
        );
        let ends = ropes.map(|rod| {
            let rod = engine.rods().rod(rod).expect("the rope");
            let last = rod.segment_count() - 1;
            [-rod.section_force(0).as_dvec3().y, rod.section_force(last).as_dvec3().y]
        });
        println!("ends {ends:?}");
        assert!(
            sag > 0.1 && loaded > sag && loaded < 0.25 * span,
            "sags by {sag}, then {loaded} m"
        );
        assert!(speed < 0.02, "still moves by {speed} m/s");
        assert!(at_rest < 1e-3, "{at_rest} m between ropes and planks at rest");
        assert!(widest < 1e-2, "{widest} m between ropes and planks");
        let _ = GRAVITY;
    }
}
