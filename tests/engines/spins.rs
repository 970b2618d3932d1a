//! Ties on bodies that spin.

use glam::{DQuat, DVec3};
use lariat::prelude::*;

use super::{Engine, Solid, space};

const SPIN: f64 = 20.0; // rad/s

/// A light, springy rod.
fn whip(from: DVec3, to: DVec3) -> RodSpec {
    let material = Material::rigidity(1e4, 1e4, 0.5, 0.5, 0.05).with_damping(Damping::Time(0.01));
    RodSpec::new(Shape::line(from, to, 16)).material(material).radius(0.005)
}

/// Place and direction at a weld hold while the body spins, about a principal axis and about others, where it tumbles.
pub fn a_weld_holds_on_a_spinning_body<E: Engine>() {
    for (axis, half) in [
        (DVec3::Z, DVec3::new(0.2, 0.1, 0.15)),
        (DVec3::new(1.0, 2.0, 0.5), DVec3::splat(0.15)),
        (DVec3::new(0.3, 1.0, 0.8), DVec3::new(0.2, 0.15, 0.18)),
    ] {
        let mut engine: E = space();
        let body = engine.solid(Solid::Cuboid(half), DVec3::ZERO, DQuat::IDENTITY, 50.0);
        let face = DVec3::X * half.x;
        let id = engine.insert(&whip(face, face + DVec3::X * 0.3));
        let tie = engine.weld(id, RodPoint::Start, body, face);
        let frame = engine.rods().rod(id).expect("the rod").orientation(0).as_dquat();
        engine.set_velocity(body, DVec3::ZERO, axis.normalize() * SPIN);
        let (mut widest, mut most) = (0.0f64, 0.0f64);
        for n in 0..300 {
            engine.frame();
            // The rod starts at rest and is whipped up to speed first.
            if n < 60 {
                continue;
            }
            widest = widest.max(engine.gap(tie));
            let segment = engine.rods().rod(id).expect("the rod").orientation(0).as_dquat();
            let off = (engine.see(body).orientation * frame).conjugate() * segment;
            most = most.max(2.0 * off.xyz().length().atan2(off.w.abs()));
        }
        let rate = engine.see(body).angular_velocity.length();
        assert!(rate > 0.8 * SPIN, "it should still spin: {rate} rad/s");
        assert!(widest < 1e-3, "{axis}: {widest} m");
        assert!(most < 0.02, "{axis}: {most} rad");
    }
}

/// A rope with a stone on it, tied to the corner of a spinning crate.
pub fn a_tie_holds_on_a_spinning_body<E: Engine>() {
    for axis in [DVec3::Y, DVec3::new(1.0, 1.0, 0.2)] {
        let mut engine: E = space();
        let half = DVec3::new(0.2, 0.15, 0.1);
        let body = engine.solid(Solid::Cuboid(half), DVec3::ZERO, DQuat::IDENTITY, 20.0);
        let id = engine.insert(&whip(half, half + DVec3::new(0.3, 0.1, 0.0)));
        let tie = engine.tie(id, RodPoint::Start, body, half);
        engine.set_velocity(body, DVec3::ZERO, axis.normalize() * SPIN);
        let mut widest = 0.0f64;
        for _ in 0..300 {
            engine.frame();
            widest = widest.max(engine.gap(tie));
        }
        assert!(widest < 1e-3, "{axis}: {widest} m");
    }
}
