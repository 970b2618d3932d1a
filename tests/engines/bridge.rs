//! A bridge of planks on two ropes.

use glam::DVec3;
use lariat::prelude::*;

use super::{Engine, FRAME, GRAVITY, settings, tame};

struct Bridge {
    planks: u32,
    /// kg
    plank: f64,
    load: f64,
    /// Stiffness of the ropes, N.
    ea: f64,
    /// The crate falls from so high, m.
    drop: f64,
    /// s
    frame: f64,
    /// Widest gap between ropes and planks on the way, m.
    widest: f64,
}

/// Eight planks and more, each tied at its four corners; a crate is dropped on them. Everything comes to rest, and the ropes carry all of it.
pub fn a_bridge_of_planks_carries_a_crate<E: Engine>() {
    play::<E>(&Bridge {
        planks: 10,
        plank: 10.0,
        load: 40.0,
        ea: 4e5,
        drop: 0.3,
        // The crate throws a plank down at 2 m/s within a frame, and the ropes hear of it in the next: finer frames than usual.
        frame: FRAME / 4.0,
        widest: 1e-2,
    });
}

/// The same at sixty frames a second: the blow of the crate opens the ties for a frame, then they close again.
pub fn a_bridge_of_planks_is_whole_again_after_a_blow<E: Engine>() {
    play::<E>(&Bridge {
        planks: 8,
        plank: 20.0,
        load: 30.0,
        ea: 2e5,
        drop: 0.2,
        frame: FRAME,
        widest: 0.04,
    });
}

fn play<E: Engine>(bridge: &Bridge) {
    let mut engine = E::new(GRAVITY, settings(GRAVITY), bridge.frame);
    let seconds = |s: f64| (s / bridge.frame).round() as usize;
    let pitch = 0.5;
    let span = pitch * f64::from(bridge.planks + 1);
    let half = DVec3::new(0.2, 0.03, 0.6);
    let segments = 4 * (bridge.planks + 1);
    let longer = 1.03; // Than the span: it hangs down from the start.
    let ropes = [-0.5, 0.5].map(|z| {
        let from = DVec3::new(-0.5 * span, 0.0, z);
        let spec = tame(from, from + DVec3::X * span, segments, bridge.ea).rest_scale(longer);
        engine.insert(&spec.pin(0).pin(segments))
    });
    let mut bodies = Vec::new();
    for k in 0..bridge.planks {
        let x = pitch * f64::from(k + 1) - 0.5 * span;
        let body = engine.crate_at(DVec3::X * x, half, bridge.plank);
        for (rod, z) in ropes.into_iter().zip([-0.5, 0.5]) {
            for side in [-0.15, 0.15] {
                let arc = (x + 0.5 * span + side) * longer;
                engine.tie(rod, RodPoint::Arc(arc), body, DVec3::new(side, 0.0, z));
            }
        }
        bodies.push(body);
    }
    engine.run(seconds(4.0));
    let empty = engine.widest_gap();
    assert!(empty < 1e-3, "{empty} m between ropes and planks of the empty bridge");
    let middle = bodies[bodies.len() / 2];
    let sag = -engine.see(middle).position.y;
    let over = engine.see(middle).position + DVec3::Y * (0.03 + 0.3 + bridge.drop);
    let load = engine.crate_at(over, DVec3::splat(0.3), bridge.load);
    let mut widest = 0.0f64;
    for _ in 0..seconds(8.0) {
        engine.frame();
        widest = widest.max(engine.widest_gap());
        assert!(engine.see(load).position.is_finite(), "the crate is gone");
    }
    let at_rest = engine.widest_gap();
    let loaded = -engine.see(middle).position.y;
    let speed = (bodies.iter().chain([&load]))
        .map(|&body| engine.see(body).velocity.length())
        .fold(0.0, f64::max);
    let ends = ropes.map(|rod| {
        let rod = engine.rods().rod(rod).expect("the rope");
        let pull = |s: usize| f64::from((rod.orientation(s) * rod.section_force(s)).y);
        pull(rod.segment_count() - 1) - pull(0)
    });
    let deck = engine.see(load).position.y - 0.3 + loaded;
    assert!((0.0..0.1).contains(&deck), "the crate is {deck} m above the deck");
    assert!(
        sag > 0.1 && loaded > sag && loaded < 0.25 * span,
        "sags by {sag}, then {loaded} m"
    );
    // It swings as a whole by a few centimetres, which nothing damps: 0.1 m/s at a hertz is a swing of 2 cm.
    assert!(speed < 0.1, "still moves by {speed} m/s");
    assert!(at_rest < 1e-3, "{at_rest} m between ropes and planks at rest");
    assert!(widest < bridge.widest, "{widest} m between ropes and planks");
    let weight = (f64::from(bridge.planks) * bridge.plank + bridge.load + 2.0 * span * longer) * GRAVITY;
    let borne = ends[0] + ends[1];
    // The first and last half segments hang beyond where the pull is read; 2% for them and for what still moves.
    assert!(
        (borne / weight - 1.0).abs() < 0.02,
        "the ropes carry {borne} N of {weight}"
    );
}
