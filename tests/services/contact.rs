//! Contact and the other services of a world: going back in time, events, sleep.

use glam::{DQuat, DVec3};
use lariat::{
    contact::Collider,
    io::{Command, Recorder, Recording, Replay},
    prelude::*,
};
use parry3d::shape::SharedShape;

use crate::common::{built, run, soft, world};

const RADIUS: f64 = 0.02;

fn settings() -> Settings {
    Settings {
        threads: Some(1),
        contact: Some(ContactSettings::default()),
        ..Settings::default()
    }
}

fn stick(length: f64, direction: DVec3) -> RodDescription {
    let half = 0.5 * length * direction;
    let shape = Shape::line(-half, half, 8);
    built(&RodSpec::new(shape).radius(RADIUS).material(soft(2000.0, 0.5)))
}

fn put(world: &mut RodWorld, rod: RodDescription, place: DVec3) -> RodId {
    let options = RodOptions {
        translation: place,
        ..RodOptions::default()
    };
    world.insert_with(rod, options).expect("a sound rod")
}

/// Rods across each other that fall on the ground and on a ball.
fn pile() -> (RodWorld, ColliderId) {
    let mut world = world(settings());
    world.add_collider(Collider::ground(0.0)).expect("sound");
    let ball = Collider::new(SharedShape::ball(0.08)).at(DVec3::new(0.0, 0.08, 0.0));
    let ball = world.add_collider(ball).expect("sound");
    for k in 0..4 {
        let direction = if k % 2 == 0 { DVec3::X } else { DVec3::Z };
        let place = DVec3::new(0.01 * f64::from(k), 0.25 + 0.08 * f64::from(k), 0.0);
        put(&mut world, stick(0.5, direction), place);
    }
    (world, ball)
}

fn future(world: &mut RodWorld, ball: ColliderId, frames: usize) -> Vec<u64> {
    (0..frames)
        .map(|n| {
            let up = 0.08 + 0.01 * (0.1 * n as f64).sin();
            let turned = DQuat::from_rotation_y(0.02 * n as f64);
            let _ = world.move_collider(ball, DVec3::Y * up, turned);
            run(world, 1);
            world.state_hash()
        })
        .collect()
}

#[test]
fn a_pile_goes_back_in_time() {
    let (mut world, ball) = pile();
    future(&mut world, ball, 40);
    // A target that is not reached yet, and a slot that is free.
    let gone = world.add_collider(Collider::ground(-1.0)).expect("sound");
    world.remove_collider(gone).expect("there");
    world
        .move_collider(ball, DVec3::Y * 0.085, DQuat::IDENTITY)
        .expect("there");
    let before = world.snapshot();
    let first = future(&mut world, ball, 120);
    assert!(world.contacts().count() > 3, "a pile touches");
    world.remove_collider(ball).expect("there");
    run(&mut world, 3);
    world.restore(&before);
    assert_eq!(future(&mut world, ball, 120), first);
    // Names are given again as they were.
    world.restore(&before);
    let again = world.add_collider(Collider::ground(-1.0)).expect("sound");
    assert_ne!(again, gone);
    // In another world, whose memory knows nothing of it.
    let mut other = crate::common::world(settings());
    other.restore(&before);
    assert_eq!(future(&mut other, ball, 120), first);
}

#[test]
fn friction_and_barriers_are_remembered_by_a_snapshot() {
    let (mut world, ball) = pile();
    future(&mut world, ball, 90);
    let stored = serde_json::to_string(&world.snapshot()).expect("it can be stored");
    let forgotten: serde_json::Value = serde_json::from_str(&stored).expect("JSON");
    let remembered = &forgotten["body"]["contact"]["remembered"];
    assert!(remembered.as_array().is_some_and(|list| list.len() > 3), "{remembered}");
}

#[test]
fn a_pile_is_stored_without_its_shapes() {
    let (mut world, ball) = pile();
    future(&mut world, ball, 60);
    let stored = serde_json::to_string(&world.snapshot()).expect("it can be stored");
    let first = future(&mut world, ball, 60);
    let mut read: Snapshot = serde_json::from_str(&stored).expect("what was stored");
    assert_eq!(read.shapeless().count(), 2);

    // The level was built again: the same colliders in the same order, wherever they are.
    let (mut again, _) = pile();
    again.restore(&read);
    assert_eq!(future(&mut again, ball, 60), first);

    // The shapes are given.
    let names: Vec<ColliderId> = read.shapeless().collect();
    let shapes = [Collider::ground(0.0).shape, SharedShape::ball(0.08)];
    for (&name, shape) in names.iter().zip(shapes) {
        read.set_shape(name, shape).expect("a sound shape");
    }
    assert_eq!(read.shapeless().count(), 0);
    let mut bare = crate::common::world(settings());
    bare.restore(&read);
    assert_eq!(future(&mut bare, ball, 60), first);

    // Nobody gives them: the colliders are gone, and so are their names.
    let read: Snapshot = serde_json::from_str(&stored).expect("what was stored");
    let mut bare = crate::common::world(settings());
    bare.restore(&read);
    assert!(bare.collider(ball).is_none());
    assert_ne!(bare.add_collider(Collider::ground(0.0)), Ok(ball));
    run(&mut bare, 1);
}

#[test]
fn a_damaged_collider_is_refused() {
    let (world, _) = pile();
    let stored = serde_json::to_string(&world.snapshot()).expect("it can be stored");
    let layers = stored.replacen("\"member_of\":1", "\"member_of\":3", 1);
    assert_ne!(stored, layers);
    let error = serde_json::from_str::<Snapshot>(&layers).expect_err("damaged");
    assert!(error.to_string().contains("checksum"), "{error}");
}

/// What rods told about touching.
fn told(world: &mut RodWorld) -> Vec<Event> {
    let touching = |event: &Event| {
        matches!(
            event,
            Event::Touched { .. } | Event::Parted { .. } | Event::Overlapping { .. }
        )
    };
    world.drain_events().filter(touching).collect()
}

#[test]
fn a_fall_is_told_once_and_so_is_the_end_of_the_rest() {
    let mut world = world(settings());
    let ground = world.add_collider(Collider::ground(0.0)).expect("sound");
    let id = put(&mut world, stick(0.5, DVec3::X), DVec3::Y * 0.3);
    run(&mut world, 60);
    let events = told(&mut world);
    let [
        Event::Touched {
            rod,
            other,
            point,
            normal,
            impulse,
            ..
        },
    ] = events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!((rod, other), (id, Touched::Collider(ground)));
    assert!(
        point.y.abs() < RADIUS && (normal + DVec3::Y).length() < 1e-6,
        "{normal}"
    );
    // Half a kilogram that fell 0.28 m: the ground takes its momentum of 1.2 N·s or, where the barrier began to push in the substep, a part of it. What it
    // gets back of elastic rods can't be more than twice.
    let momentum = 0.5 * (2.0_f64 * 9.81 * 0.28).sqrt();
    assert!(0.0 < impulse && impulse < 2.2 * momentum, "{impulse}");
    run(&mut world, 60);
    assert_eq!(told(&mut world), [], "it lies there");
    let mut rod = world.rod_mut(id).expect("there");
    rod.translate(DVec3::Y).expect("finite");
    run(&mut world, 2);
    let other = Neighbor::Collider(ground);
    assert_eq!(told(&mut world), [Event::Parted { rod: id, other }]);
}

#[test]
fn of_two_rods_the_first_tells_and_the_normal_leads_to_the_other() {
    for upper_first in [true, false] {
        let mut world = world(settings());
        let upper = |world: &mut RodWorld| put(world, stick(0.5, DVec3::X), DVec3::Y * 0.1);
        let mut ids = Vec::new();
        if upper_first {
            ids.push(upper(&mut world));
        }
        ids.push(put(&mut world, stick(0.5, DVec3::Z), DVec3::ZERO));
        if !upper_first {
            ids.push(upper(&mut world));
        }
        let lower = ids[usize::from(upper_first)];
        for vertex in 0..9 {
            world.rod_mut(lower).expect("there").pin(vertex).expect("a vertex");
        }
        run(&mut world, 15);
        let events = told(&mut world);
        let Some(&Event::Touched {
            rod,
            segment,
            other: Touched::Rod {
                rod: other,
                segment: at,
            },
            normal,
            ..
        }) = events.first()
        else {
            panic!("{events:?}");
        };
        assert_eq!([rod, other], ids[..]);
        let down = if upper_first { -DVec3::Y } else { DVec3::Y };
        assert!(normal.dot(down) > 0.9, "{normal}");
        // They cross in the middle of both: on one of the two segments beside it.
        assert!([3, 4].contains(&segment) && [3, 4].contains(&at), "{segment} {at}");
    }
}

#[test]
fn who_is_taken_out_has_parted() {
    let mut world = world(settings());
    let ground = world.add_collider(Collider::ground(0.0)).expect("sound");
    let id = put(&mut world, stick(0.5, DVec3::X), DVec3::Y * 0.03);
    run(&mut world, 20);
    assert_eq!(told(&mut world).len(), 1);
    world.remove(id).expect("there");
    // The next one gets its slot, and is another one.
    let next = put(&mut world, stick(0.5, DVec3::X), DVec3::Y * 0.03);
    run(&mut world, 20);
    let events = told(&mut world);
    let other = Neighbor::Collider(ground);
    assert!(events.contains(&Event::Parted { rod: id, other }), "{events:?}");
    assert!(
        (events.iter()).any(|event| matches!(event, Event::Touched { rod, .. } if *rod == next)),
        "{events:?}"
    );
    assert_eq!(events.len(), 2);
    world.remove_collider(ground).expect("there");
    run(&mut world, 2);
    assert_eq!(told(&mut world), [Event::Parted { rod: next, other }]);
}

#[test]
fn an_overlap_is_told_once() {
    let mut world = world(settings());
    let ground = world.add_collider(Collider::ground(0.0)).expect("sound");
    let deep = put(&mut world, stick(0.5, DVec3::X), DVec3::Y * 0.3 * RADIUS);
    put(&mut world, stick(0.5, DVec3::X), DVec3::new(0.0, 1.2 * RADIUS, 1.0));
    run(&mut world, 60);
    let events = told(&mut world);
    let overlaps: Vec<_> = (events.iter())
        .filter(|event| matches!(event, Event::Overlapping { .. }))
        .collect();
    let other = Neighbor::Collider(ground);
    assert_eq!(overlaps, [&Event::Overlapping { rod: deep, other }]);
}

#[test]
fn a_rod_that_touches_itself_tells_nothing() {
    let mut world = world(settings());
    // A hairpin whose ends are pressed together.
    let arms = [
        DVec3::new(0.5, 0.022, 0.0),
        DVec3::new(0.0, 0.1, 0.0),
        DVec3::new(0.0, -0.1, 0.0),
        DVec3::new(0.5, -0.022, 0.0),
    ];
    let spec = RodSpec::new(Shape::curve(arms, 24))
        .radius(RADIUS)
        .material(soft(2000.0, 0.05));
    let id = put(&mut world, built(&spec), DVec3::ZERO);
    let mut rod = world.rod_mut(id).expect("there");
    rod.set_force(0, glam::Vec3::NEG_Y).expect("a vertex");
    rod.set_force(24, glam::Vec3::Y).expect("a vertex");
    let mut most = 0;
    for _ in 0..60 {
        run(&mut world, 1);
        most = most.max(world.contacts().count());
    }
    assert!(most > 0, "it touches itself");
    assert_eq!(told(&mut world), []);
}

#[test]
fn what_was_told_is_part_of_a_snapshot() {
    let (mut world, ball) = pile();
    future(&mut world, ball, 20);
    told(&mut world);
    let before = world.snapshot();
    future(&mut world, ball, 60);
    let first = told(&mut world);
    assert!(!first.is_empty());
    let mut other = crate::common::world(settings());
    other.restore(&before);
    future(&mut other, ball, 60);
    assert_eq!(told(&mut other), first);
}

/// A pile whose rods may sleep, when all of them do.
fn sleeping_pile() -> (RodWorld, ColliderId) {
    let (mut world, ball) = pile();
    let sleep = Some(SleepSettings {
        speed: 0.02,
        seconds: 0.5,
    });
    world.set_settings(Settings { sleep, ..settings() }).expect("sound");
    for _ in 0..1200 {
        run(&mut world, 1);
        let asleep = sleepers(&world);
        if asleep == world.len() {
            return (world, ball);
        }
        assert_eq!(asleep, 0, "what touches sleeps together");
    }
    panic!("a pile that never sleeps");
}

fn sleepers(world: &RodWorld) -> usize {
    (world.ids().filter_map(|id| world.rod(id)))
        .filter(|rod| rod.is_asleep())
        .count()
}

#[test]
fn a_pile_sleeps_and_wakes_as_one() {
    let (mut world, ball) = sleeping_pile();
    let ids: Vec<RodId> = world.ids().collect();
    told(&mut world);
    let resting = world.snapshot();
    let hash = world.state_hash();
    run(&mut world, 60);
    assert_eq!((world.state_hash(), told(&mut world)), (hash, vec![]), "nothing stirs");

    // Pushed.
    let mut rod = world.rod_mut(ids[3]).expect("there");
    rod.set_force(0, glam::Vec3::Y * 0.1).expect("a vertex");
    run(&mut world, 1);
    assert_eq!(sleepers(&world), 0);

    // One is taken out.
    world.restore(&resting);
    world.remove(ids[0]).expect("there");
    run(&mut world, 2);
    assert_eq!(sleepers(&world), 0);

    // A shape under it moves, or goes.
    world.restore(&resting);
    world
        .move_collider(ball, DVec3::Y * 0.079, DQuat::IDENTITY)
        .expect("there");
    run(&mut world, 1);
    assert_eq!(sleepers(&world), 0);
    world.restore(&resting);
    world.remove_collider(ball).expect("there");
    run(&mut world, 1);
    assert_eq!(sleepers(&world), 0);

    // A shape that moves elsewhere wakes nobody.
    world.restore(&resting);
    let far = Collider::new(SharedShape::ball(0.1)).at(DVec3::X * 5.0);
    let far = world.add_collider(far).expect("sound");
    world
        .move_collider(far, DVec3::X * 5.1, DQuat::IDENTITY)
        .expect("there");
    run(&mut world, 1);
    assert_eq!(sleepers(&world), 4);

    // Something falls on it.
    world.restore(&resting);
    let top = (ids.iter())
        .map(|&id| crate::common::positions(&world, id))
        .fold(0.0, |top: f64, places| {
            places.iter().fold(top, |top, place| top.max(place.y))
        });
    put(
        &mut world,
        stick(0.5, DVec3::new(0.8, 0.0, 0.6)),
        DVec3::Y * (top + 0.2),
    );
    run(&mut world, 8);
    assert_eq!(sleepers(&world), 4, "it is still in the air");
    run(&mut world, 12);
    assert_eq!(sleepers(&world), 0, "it fell on the pile");
}

#[test]
fn iterations_of_contact_are_checked() {
    for iterations in [0, 1_000_001] {
        let contact = Some(ContactSettings {
            iterations,
            ..ContactSettings::default()
        });
        let error = RodWorld::new(Settings { contact, ..settings() }).expect_err("too few or too many");
        assert!(error.to_string().contains("contact.iterations"), "{error}");
    }
}

#[test]
fn what_is_done_to_colliders_is_recorded() {
    let (mut world, ball) = pile();
    let mut recorder = Recorder::new(&world, 10);
    for n in 0..60 {
        let position = DVec3::Y * (0.08 + 0.001 * f64::from(n));
        let rotation = DQuat::IDENTITY;
        let collider = ball;
        let command = Command::MoveCollider {
            collider,
            position,
            rotation,
        };
        recorder.apply(&mut world, command).expect("it is there");
        recorder.step(&mut world, crate::common::FRAME).expect("a sound step");
    }
    let take = Command::RemoveCollider { collider: ball };
    recorder.apply(&mut world, take.clone()).expect("it is there");
    assert!(recorder.apply(&mut world, take).is_err(), "it is gone");
    for _ in 0..30 {
        recorder.step(&mut world, crate::common::FRAME).expect("a sound step");
    }
    let stored = serde_json::to_string(&recorder.finish()).expect("it can be stored");
    let recording: Recording = serde_json::from_str(&stored).expect("what was stored");
    let (mut again, _) = pile();
    Replay::new(&recording, &mut again)
        .run(&mut again)
        .expect("the same way");
    assert_eq!(again.state_hash(), world.state_hash());
}
