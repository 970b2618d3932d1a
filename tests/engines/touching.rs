//! Ropes on an engine's own colliders: still ones, led ones, and those that ropes push back.

use glam::DVec3;
use lariat::prelude::*;

use super::{Engine, FRAME, GRAVITY, Solid, settings, tame};

/// Of ropes, m.
const ROPE: f64 = 0.01;

/// An engine whose colliders ropes touch.
fn touching<E: Engine>() -> E {
    let settings = Settings {
        contact: Some(ContactSettings::default()),
        ..settings(GRAVITY)
    };
    E::new(GRAVITY, settings, FRAME)
}

fn seconds(seconds: f64) -> usize {
    (seconds / FRAME).round() as usize
}

/// A rope between two pins, as taut as `ea` times `stretch`.
fn string<E: Engine>(engine: &mut E, from: DVec3, to: DVec3, segments: u32, ea: f64, stretch: f64) -> RodId {
    let spec = tame(from, to, segments, ea).rest_scale(1.0 / (1.0 + stretch));
    engine.insert(&spec.pin(0).pin(segments))
}

fn points<E: Engine>(engine: &mut E, rod: RodId) -> Vec<DVec3> {
    let rod = engine.rods().rod(rod).expect("the rope");
    (0..rod.vertex_count()).map(|v| rod.position(v)).collect()
}

/// The least distance of a place from the centre lines of ropes, m.
fn distance<E: Engine>(engine: &mut E, ropes: &[RodId], place: DVec3) -> f64 {
    let mut least = f64::INFINITY;
    for &rope in ropes {
        for pair in points(engine, rope).windows(2) {
            let along = pair[1] - pair[0];
            let part = (place - pair[0]).dot(along) / along.length_squared();
            least = least.min(place.distance(pair[0] + along * part.clamp(0.0, 1.0)));
        }
    }
    least
}

/// Upward force of all contacts on what ropes touch, N.
fn lift<E: Engine>(engine: &mut E) -> f64 {
    (engine.rods().contacts())
        .filter(|contact| matches!(contact.other, Touched::Collider(_)))
        .map(|contact| contact.normal.y * contact.force - contact.friction.y)
        .sum()
}

/// What the pins at both ends of ropes bear, N.
fn borne<E: Engine>(engine: &mut E, ropes: &[RodId]) -> f64 {
    let ends = ropes.iter().map(|&rope| {
        let rod = engine.rods().rod(rope).expect("the rope");
        let pull = |s: usize| f64::from((rod.orientation(s) * rod.section_force(s)).y);
        pull(rod.segment_count() - 1) - pull(0)
    });
    ends.sum()
}

fn speed<E: Engine>(engine: &mut E, rope: RodId) -> f64 {
    let rod = engine.rods().rod(rope).expect("the rope");
    let speeds = (0..rod.vertex_count()).map(|v| f64::from(rod.velocity(v).length()));
    speeds.fold(0.0, f64::max)
}

/// A rope falls over a block that stands still, hangs down on both sides, and comes to rest. The block bears it, and when the block is gone it falls.
pub fn a_rope_drapes_over_a_block<E: Engine>() {
    let mut engine: E = touching();
    let half = DVec3::new(0.3, 0.5, 0.3);
    let block = engine.block(Solid::Cuboid(half), DVec3::ZERO);
    let from = DVec3::new(-0.8, 0.55, 0.02);
    let rope = engine.insert(&tame(from, from + DVec3::X * 1.6, 64, 1e5));
    engine.run(seconds(8.0));
    for (v, place) in points(&mut engine, rope).into_iter().enumerate() {
        let out = (place.abs() - half).max(DVec3::ZERO).length();
        assert!(out > 0.9 * ROPE, "vertex {v} is {out} m from the block");
    }
    let (left, middle) = (points(&mut engine, rope)[0], points(&mut engine, rope)[32]);
    assert!(left.y < 0.3, "the ends hang down: {left}");
    assert!((middle.y - 0.5 - ROPE).abs() < 0.25 * ROPE, "it lies on top: {middle}");
    let weight = 1.6 * GRAVITY;
    // 2%: the hanging ends still sway a little.
    let lift = -lift(&mut engine);
    assert!((lift / weight - 1.0).abs() < 0.02, "{lift} N of {weight}");
    let moves = speed(&mut engine, rope);
    assert!(moves < 0.05, "still moves by {moves} m/s");
    engine.remove(block);
    engine.run(seconds(1.0));
    assert!(engine.rods().contacts().next().is_none(), "nothing is there");
    let fallen = points(&mut engine, rope)[32].y;
    assert!(fallen < -2.0, "it falls freely: {fallen}");
}

/// A ball lies in the groove of two taut ropes. What presses on it is its weight, and the pins bear it.
pub fn a_ball_rests_on_two_ropes<E: Engine>() {
    let mut engine: E = touching();
    let (radius, mass) = (0.15, 5.0);
    // Taut enough that it does not roll off sideways: springs of 4 T/L each, 6 cm to both sides, against its weight 15 cm above them.
    let ropes = [-0.06, 0.06].map(|z| {
        let from = DVec3::new(-1.0, 0.0, z);
        string(&mut engine, from, from + DVec3::X * 2.0, 40, 1e5, 0.02)
    });
    engine.run(seconds(1.0));
    let ball = engine.ball(DVec3::Y * 0.16, radius, mass);
    engine.run(seconds(4.0));
    let frames = seconds(1.0);
    let (mut pressed, mut held) = (0.0, 0.0);
    for _ in 0..frames {
        engine.frame();
        pressed += lift(&mut engine) / frames as f64;
        held += borne(&mut engine, &ropes) / frames as f64;
    }
    let seen = engine.see(ball);
    // Nothing keeps it from rolling to and fro along the ropes, slowly.
    let (rolls, still) = (seen.velocity.x.abs(), seen.velocity.with_x(0.0).length());
    assert!(rolls < 0.2 && still < 0.02, "it lies still: {}", seen.velocity);
    let apart = distance(&mut engine, &ropes, seen.position) - radius;
    assert!(
        (0.9 * ROPE..1.3 * ROPE).contains(&apart),
        "{apart} m from the ropes' middles"
    );
    // 3%: while it rolls, forces are read where Newton's method was content, and the ropes' ends hang beyond where the pull is read.
    let weight = mass * GRAVITY;
    assert!((pressed / weight - 1.0).abs() < 0.03, "{pressed} N press on {weight} N");
    let all = weight + 4.0 / 1.02 * GRAVITY;
    assert!((held / all - 1.0).abs() < 0.03, "the pins bear {held} N of {all}");
}

/// A ball is thrown at a net of ropes: it is caught, and no rope is passed.
pub fn a_net_catches_a_ball<E: Engine>() {
    let mut engine: E = touching();
    let mut ropes = Vec::new();
    for k in -2..=2 {
        let across = 0.12 * f64::from(k);
        for (from, to) in [
            (DVec3::new(-0.8, 0.0, across), DVec3::new(0.8, 0.0, across)),
            (DVec3::new(across, -0.024, -0.8), DVec3::new(across, -0.024, 0.8)),
        ] {
            ropes.push(string(&mut engine, from, to, 32, 5e4, 0.01));
        }
    }
    let (radius, mass) = (0.15, 5.0);
    let ball = engine.ball(DVec3::new(0.02, 0.5, -0.03), radius, mass);
    engine.set_velocity(ball, DVec3::Y * -8.0, DVec3::ZERO);
    let (mut nearest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for frame in 0..seconds(1.5) {
        engine.frame();
        let seen = engine.see(ball);
        nearest = nearest.min(distance(&mut engine, &ropes, seen.position) - radius);
        assert!(
            seen.position.y > -0.6,
            "frame {frame}: it is through, {}",
            seen.position
        );
        if frame > seconds(0.2) {
            highest = highest.max(seen.velocity.y);
        }
    }
    // As the player sees it, after the engine's own step: half a radius is what a ball at 8 m/s may be off within one.
    assert!(nearest > 0.5 * ROPE, "a rope's middle is {nearest} m from the ball");
    assert!(highest < 8.0, "thrown back faster than it came: {highest} m/s");
}

/// A ball rolls from a bank over a bridge of four ropes to the other bank, and does not fall through.
pub fn a_ball_rolls_over_a_rope_bridge<E: Engine>() {
    let mut engine: E = touching();
    let (radius, mass, start) = (0.15, 2.0, 2.0);
    for side in [-1.0, 1.0] {
        engine.block(
            Solid::Cuboid(DVec3::new(1.0, 0.5, 1.0)),
            DVec3::new(side * 3.02, -0.5, 0.0),
        );
    }
    // The outer two are handrails.
    let ropes = [(-0.06, 0.0), (0.06, 0.0), (-0.2, 0.12), (0.2, 0.12)].map(|(z, y)| {
        let from = DVec3::new(-2.0, y, z);
        string(&mut engine, from, from + DVec3::X * 4.0, 80, 5e4, 0.02)
    });
    engine.run(seconds(1.0));
    let ball = engine.ball(DVec3::new(-2.6, radius, 0.0), radius, mass);
    engine.set_velocity(ball, DVec3::X * start, DVec3::Z * (-start / radius));
    let (mut nearest, mut lowest, mut slowest) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let mut pressed = Vec::new();
    for _ in 0..seconds(4.0) {
        engine.frame();
        let seen = engine.see(ball);
        if seen.position.x > 2.3 {
            break;
        }
        lowest = lowest.min(seen.position.y);
        if seen.position.x.abs() < 1.5 {
            nearest = nearest.min(distance(&mut engine, &ropes, seen.position) - radius);
            slowest = slowest.min(seen.velocity.x);
            pressed.push(lift(&mut engine));
        }
    }
    let end = engine.see(ball);
    assert!(end.position.x > 2.3, "it is still at {}", end.position);
    // Ropes of 1,000 N sag by 2 cm under themselves, and by 1 cm more under the ball.
    assert!(lowest > 0.148 - 0.05, "it went down to {lowest} m");
    assert!(nearest > 0.9 * ROPE, "a rope's middle is {nearest} m from the ball");
    assert!(slowest > 0.8 * start, "it was held up to {slowest} m/s");
    // On the way ropes press with its weight, on the mean: 5% for the dip that it rolls through and climbs from.
    let (mean, weight) = (pressed.iter().sum::<f64>() / pressed.len() as f64, mass * GRAVITY);
    assert!((mean / weight - 1.0).abs() < 0.05, "{mean} N press on {weight} N");
}

/// A rope lies on a slab that is led away evenly: it goes along, and does not slip.
pub fn a_led_slab_takes_a_rope_along<E: Engine>() {
    let mut engine: E = touching();
    let slab = engine.led(Solid::Cuboid(DVec3::new(1.0, 0.1, 0.5)), DVec3::Y * -0.1);
    let from = DVec3::new(-0.4, 0.02, 0.0);
    let rope = engine.insert(&tame(from, from + DVec3::X * 0.8, 16, 1e4));
    engine.run(seconds(1.0));
    let before = points(&mut engine, rope)[8];
    engine.set_velocity(slab, DVec3::Z * 0.3, DVec3::ZERO);
    engine.run(seconds(2.0));
    let moved = points(&mut engine, rope)[8] - before;
    // It slips as long as friction needs to get it going: v²/2μg, 8 mm.
    assert!((moved.z - 0.6).abs() < 0.02, "it went {moved}");
    // And it stops with the slab.
    engine.set_velocity(slab, DVec3::ZERO, DVec3::ZERO);
    engine.run(seconds(1.0));
    let on = points(&mut engine, rope)[8] - engine.see(slab).position;
    assert!(
        (on.y - 0.1 - ROPE).abs() < 0.25 * ROPE && on.z.abs() < 0.02,
        "it lies at {on}"
    );
}

/// A rope is dropped over a crate that stands on the ground: the engine holds the crate, the crate holds the rope, and neither sinks.
pub fn a_rope_lies_on_a_crate_on_the_ground<E: Engine>() {
    let mut engine: E = touching();
    engine.floor(0.0);
    let half = DVec3::splat(0.25);
    let box_ = engine.crate_at(DVec3::Y * 0.25, half, 10.0);
    engine.run(seconds(1.0));
    let before = engine.see(box_).position;
    let from = DVec3::new(-0.5, 0.55, 0.0);
    let rope = engine.insert(&tame(from, from + DVec3::X, 40, 1e5));
    engine.run(seconds(4.0));
    let after = engine.see(box_);
    let moved = after.position.distance(before);
    assert!(moved < 5e-3, "the crate moved by {moved} m");
    assert!(after.velocity.length() < 0.02, "the crate moves by {}", after.velocity);
    let top = points(&mut engine, rope)[20].y - after.position.y - 0.25;
    assert!((top - ROPE).abs() < 0.3 * ROPE, "it lies {top} m above the crate");
    let moves = speed(&mut engine, rope);
    assert!(moves < 0.05, "the rope still moves by {moves} m/s");
}

/// A rope that is tied to a ball does not touch it; another one does.
pub fn a_tied_rope_may_end_inside_its_ball<E: Engine>() {
    let mut engine: E = touching();
    let top = DVec3::Y * 2.0;
    let rope = engine.insert(&tame(top, DVec3::ZERO, 20, 1e5).pin(0));
    let ball = engine.ball(DVec3::ZERO, 0.2, 10.0);
    engine.tie(rope, RodPoint::End, ball, DVec3::ZERO);
    engine.run(seconds(2.0));
    assert!(engine.rods().contacts().next().is_none(), "it touches its own ball");
    let hangs = engine.see(ball).position;
    assert!(hangs.length() < 0.01, "the ball hangs at {hangs}");
    let from = DVec3::new(-0.5, 0.3, 0.05);
    let other = engine.insert(&tame(from, from + DVec3::X, 20, 1e4));
    engine.run(seconds(0.3));
    let touched = engine.rods().contacts().any(|contact| contact.rod == other);
    assert!(touched, "the other rope falls onto the ball");
}
