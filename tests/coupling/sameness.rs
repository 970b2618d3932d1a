//! The same bits: at any number of threads, and after going back.

use glam::DVec3;
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{built, settings},
};

/// Ropes with bodies of every kind: shared, chained, welded, breaking off; ropes that yield, break and are reeled; and some without anything.
fn stage(threads: usize) -> (RodWorld, Bodies) {
    let mut world = RodWorld::new(Settings {
        threads: Some(threads),
        ..settings(2, 6)
    })
    .expect("sound settings");
    let mut bodies = Bodies::new();
    let solvers = [
        Solver::default(),
        Solver::Direct {
            integrator: Integrator::Bdf2,
        },
        Solver::GROOM,
    ];
    let mut last = None;
    for n in 0..18u64 {
        let x = 0.4 * n as f64;
        let spec = RodSpec::new(Shape::line(DVec3::X * x, DVec3::new(x, -0.3, 1.0), 6 + (n % 3) as u32))
            .material(Material::rigidity(1e4, 8e3, 0.02, 0.01, 0.2))
            .pin(0);
        let spec = match n % 7 {
            2 => spec.yields(Yield::At {
                strain: 0.002,
                curvature: 0.5,
            }),
            5 => spec.break_at(BreakLimit::Tension(80.0)),
            _ => spec,
        };
        let options = RodOptions {
            solver: solvers[n as usize % 3],
            ..RodOptions::default()
        };
        let id = world.insert_with(built(&spec), options).expect("a rod");
        if n % 4 == 3 {
            continue;
        }
        let body = bodies.solid(
            n,
            DVec3::new(x, -0.3, 1.1),
            0.5 + n as f64,
            DVec3::new(0.01, 0.02, 0.03),
        );
        let to = TieTo::Body {
            body,
            anchor: DVec3::new(0.0, 0.0, -0.1),
        };
        let mut spec = AttachmentSpec::ball(id, RodPoint::End, to);
        if n % 5 == 0 {
            spec.kind = Tie::Weld;
        }
        world.attach(spec).expect("a tie");
        if let Some(last) = last.filter(|_| n % 2 == 0) {
            let to = TieTo::Body {
                body: last,
                anchor: DVec3::new(0.1, 0.0, 0.0),
            };
            world
                .attach(AttachmentSpec::ball(id, RodPoint::Arc(0.5), to))
                .expect("a tie");
        }
        last = Some(body);
    }
    // Let go from the horizontal, a weight would pull with three times itself at the bottom.
    let spec = RodSpec::new(Shape::line(-DVec3::X, DVec3::new(-1.0, 0.0, 1.0), 8));
    let id = world.insert(built(&spec.pin(0))).expect("a rod");
    let body = bodies.ball(100, DVec3::new(-1.0, 0.0, 1.0), 5.0, 0.1);
    let to = TieTo::Body {
        body,
        anchor: DVec3::ZERO,
    };
    let tie = AttachmentSpec::ball(id, RodPoint::End, to);
    let break_force = 2.0 * 9.81 * 5.0;
    world.attach(AttachmentSpec { break_force, ..tie }).expect("a tie");
    (world, bodies)
}

/// Frames with winches that go up and down: segments are born and die.
fn play(world: &mut RodWorld, bodies: &mut Bodies, frames: std::ops::Range<u32>) {
    let ids: Vec<RodId> = world.ids().collect();
    for frame in frames {
        for &id in ids.iter().step_by(3) {
            let by = if frame / 150 % 2 == 0 { 0.004 } else { -0.004 };
            // One that broke next to its winch can't be reeled.
            let _ = world.reel(id, RodEnd::Start, by);
        }
        run(world, bodies, 1);
    }
}

fn fingerprint(world: &RodWorld, bodies: &Bodies) -> (u64, Vec<[u64; 3]>) {
    let places = bodies
        .bodies
        .values()
        .map(|body| body.position.to_array().map(f64::to_bits));
    (world.state_hash(), places.collect())
}

#[test]
fn threads_do_not_matter() {
    let mut prints = [1, 2, 8].map(|threads| {
        let (mut world, mut bodies) = stage(threads);
        play(&mut world, &mut bodies, 0..200);
        fingerprint(&world, &bodies)
    });
    prints.sort();
    assert_eq!(prints[0], prints[2]);
}

#[test]
fn going_back_gives_the_same_bits() {
    let (mut world, mut bodies) = stage(1);
    play(&mut world, &mut bodies, 0..10);
    world.drain_events().for_each(drop);
    let (snapshot, kept) = (world.snapshot(), bodies.bodies.clone());
    let mut stored = serde_json::to_vec(&snapshot).expect("it can be stored");
    play(&mut world, &mut bodies, 10..610);
    let first = fingerprint(&world, &bodies);
    // What the test is about did happen.
    let events: Vec<Event> = world.drain_events().collect();
    assert!(events.iter().any(|event| matches!(event, Event::Broke { .. })));
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::AttachmentBroke { .. }))
    );
    world.restore(&snapshot);
    bodies.bodies = kept.clone();
    play(&mut world, &mut bodies, 10..610);
    assert_eq!(fingerprint(&world, &bodies), first, "from memory");
    assert_eq!(world.drain_events().collect::<Vec<_>>(), events);

    let read: Snapshot = serde_json::from_slice(&stored).expect("it can be read");
    let mut other = RodWorld::default();
    other.restore(&read);
    bodies.bodies = kept;
    play(&mut other, &mut bodies, 10..610);
    assert_eq!(fingerprint(&other, &bodies), first, "from a file");

    // A segment that is not there: refused, not followed.
    let text = String::from_utf8(std::mem::take(&mut stored)).expect("text");
    let damaged = text.replacen("\"along\":1.0", "\"along\":7.0", 1);
    assert_ne!(damaged, text);
    assert!(serde_json::from_str::<Snapshot>(&damaged).is_err());
}
