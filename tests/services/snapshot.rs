//! Going back to a moment, in memory and through a file.

use glam::{DVec3, Vec3};
use lariat::{io::SnapshotError, prelude::*};

use super::{busy, common};
use crate::common::{built, line, placed, rod, run, soft};

/// Everything that a host can see of a world, as text: `Debug` of floats is exact.
fn visible(world: &RodWorld) -> String {
    let mut seen = format!(
        "{} {:x} {:?}\n",
        world.time(),
        world.state_hash(),
        world.settings().gravity
    );
    for id in world.ids() {
        let rod = rod(world, id);
        let segments = 0..rod.segment_count();
        seen += &format!("{id:?} {:?} {} ", rod.origin(), rod.is_quarantined());
        seen += &format!(
            "{:?} ",
            (0..rod.vertex_count()).map(|v| rod.position(v)).collect::<Vec<_>>()
        );
        seen += &format!("{:?}\n", segments.map(|s| rod.is_broken(s)).collect::<Vec<_>>());
    }
    seen
}

/// What a host does in a frame: leads pins, pushes, removes and inserts, steps.
fn frame(world: &mut RodWorld, n: usize) {
    let ids: Vec<RodId> = world.ids().collect();
    for (k, &id) in ids.iter().enumerate() {
        let origin = rod(world, id).origin();
        let mut rod = world.rod_mut(id).expect("the rod is there");
        // Rods whose first vertex is free have nothing to lead, and quarantined ones take nothing.
        let _ = rod.set_target(0, origin + DVec3::Y * 0.05 * (0.3 * n as f64).sin());
        if k % 3 == n % 3 {
            let _ = rod.set_force(5, Vec3::new(0.1, 0.2 * n as f32, 0.0));
            let _ = rod.set_torque(2, Vec3::new(0.001, 0.0, 0.0));
        }
    }
    if n % 4 == 2 {
        let gone = ids[n * 7 % ids.len()];
        let description = world.remove(gone).expect("the rod is there");
        world.insert_with(description, placed(n)).expect("a sound rod");
        let spec = line(1.0, 9 + n as u32).material(soft(100.0, 0.01)).pin(0);
        world.insert(built(&spec)).expect("a sound rod");
    }
    run(world, 1);
}

/// A world in the middle of things: some rods broken, one quarantined, events waiting, a lane and a slot free, targets given.
fn midst() -> RodWorld {
    let (mut world, ids) = busy();
    for n in 0..12 {
        frame(&mut world, n);
    }
    world.remove(ids[3]).expect("the rod is there");
    // The 24th is moved in single precision, which can't hold what comes of this.
    let mut sick = world.rod_mut(ids[23]).expect("the rod is there");
    sick.set_position(5, DVec3::new(9e17, 0.0, 1.0))
        .expect("a finite place");
    frame(&mut world, 12);
    let mut tired = world.rod_mut(ids[1]).expect("the rod is there");
    tired.sleep().expect("not frozen");
    let origin = rod(&world, ids[0]).origin();
    let mut led = world.rod_mut(ids[0]).expect("the rod is there");
    led.set_target(0, origin + DVec3::X * 0.01).expect("pinned");
    world
}

/// Goes on for a while; what was seen, and the events.
fn future(world: &mut RodWorld) -> (Vec<String>, Vec<Event>) {
    let seen = (13..24)
        .map(|n| {
            frame(world, n);
            visible(world)
        })
        .collect();
    (seen, world.drain_events().collect())
}

#[test]
fn a_restored_world_goes_the_same_way() {
    let mut world = midst();
    let quarantined = world.ids().filter(|&id| rod(&world, id).is_quarantined()).count();
    assert!(quarantined > 0, "nothing is quarantined");
    let (snapshot, before) = (world.snapshot(), visible(&world));
    let first = future(&mut world);
    assert!(
        first.1.iter().any(|event| matches!(event, Event::Broke { .. })),
        "nothing broke"
    );
    assert!(first.1.iter().any(|event| matches!(event, Event::Quarantined { .. })));

    world.restore(&snapshot);
    assert_eq!(visible(&world), before);
    assert!(future(&mut world) == first, "back in the same world");

    let mut other = common::world(common::settings(1, 1));
    other.insert(built(&line(1.0, 4))).expect("a sound rod");
    run(&mut other, 3);
    other.restore(&snapshot);
    assert!(future(&mut other) == first, "in a world that was something else");
    assert_eq!(snapshot.len(), {
        other.restore(&snapshot);
        other.len()
    });
}

/// A snapshot taken into the memory of another holds nothing of it.
#[test]
fn memory_is_used_again_without_a_trace() {
    let mut world = midst();
    let mut used = busy().0.snapshot();
    world.snapshot_into(&mut used);
    let fresh = world.snapshot();
    let expected = future(&mut world);
    for snapshot in [fresh, used] {
        world.restore(&snapshot);
        assert!(future(&mut world) == expected);
    }
}

#[test]
fn a_stored_snapshot_is_the_same_bits() {
    let mut world = midst();
    let snapshot = world.snapshot();
    let expected = future(&mut world);
    let text = serde_json::to_string(&snapshot).expect("it can be written");
    let read: Snapshot = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(serde_json::to_string(&read).expect("again"), text, "written twice");
    let ron: Snapshot = ron::from_str(&ron::to_string(&snapshot).expect("it can be written")).expect("it can be read");
    for stored in [read, ron] {
        let mut fresh = RodWorld::default();
        fresh.restore(&stored);
        assert!(future(&mut fresh) == expected);
    }
}

/// A small world as JSON, for damage.
fn written() -> serde_json::Value {
    let mut world = common::world(common::settings(1, 4));
    let rope = std::sync::Arc::new(built(&line(1.0, 3).pin(0).break_at(BreakLimit::Strain(0.5))));
    let first = world.insert(rope.clone()).expect("a sound rod");
    world.insert(rope.clone()).expect("a sound rod");
    world.insert(rope).expect("a sound rod");
    world
        .insert(built(&RodSpec::new(common::net(2)).pin(0)))
        .expect("a sound rod");
    run(&mut world, 2);
    world.remove(first);
    serde_json::to_value(world.snapshot()).expect("it can be written")
}

fn refusal(value: &serde_json::Value) -> String {
    let read = serde_json::from_value::<Snapshot>(value.clone());
    read.expect_err("it must be refused").to_string()
}

#[test]
fn like_rods_share_one_description() {
    let value = written();
    assert_eq!(value["body"]["descriptions"].as_array().map(Vec::len), Some(2));
}

#[test]
fn foreign_and_damaged_bytes_are_refused() {
    let good = written();
    serde_json::from_value::<Snapshot>(good.clone()).expect("undamaged");

    let mut foreign = good.clone();
    foreign["format"] = "somebody's rope".into();
    let found = "somebody's rope".into();
    assert!(refusal(&foreign).contains(&SnapshotError::Foreign { found }.to_string()));
    // The version comes before the body, which may be anything.
    let newer = r#"{ "format": "lariat snapshot", "version": 999, "checksum": 1, "body": "not of this time" }"#;
    let error = serde_json::from_str::<Snapshot>(newer)
        .expect_err("it must be refused")
        .to_string();
    assert!(
        error.contains(&SnapshotError::Version { found: 999 }.to_string()),
        "{error}"
    );
    let mut flipped = good.clone();
    flipped["body"]["blocks"][0]["vertices"][40] = 12345.into();
    assert!(refusal(&flipped).contains("checksum"));
    let text = good.to_string();
    for cut in (0..text.len()).step_by(97) {
        assert!(serde_json::from_str::<Snapshot>(&text[..cut]).is_err(), "cut at {cut}");
    }
}

/// Every number of a snapshot in turn is made something else, also with a checksum that fits: it is refused, or the world steps on, finite.
#[test]
fn no_number_makes_it_panic() {
    let good = written();
    let mut pointers = Vec::new();
    collect(&good["body"], "/body".into(), &mut pointers);
    assert!(pointers.len() > 1000);
    let mut accepted = 0;
    for (n, pointer) in pointers.iter().enumerate() {
        let nan = u64::from(f32::NAN.to_bits());
        for value in [0, 1, 7, nan, u64::from(u32::MAX), u64::MAX] {
            // Everything would take minutes: a few values for each of the many rows.
            if pointer.contains("/blocks/") && !(n as u64).wrapping_add(value).is_multiple_of(5) {
                continue;
            }
            let mut bad = good.clone();
            let Some(place) = bad.pointer_mut(pointer) else {
                continue;
            };
            *place = value.into();
            let Err(error) = serde_json::from_value::<Snapshot>(bad.clone()) else {
                continue; // It was this value before.
            };
            // The checksum tells what it should have been: write that, as a forger would.
            let message = error.to_string();
            let Some(found) = message
                .split("checksum is 0x")
                .nth(1)
                .and_then(|rest| rest.split(',').next())
            else {
                continue;
            };
            let found = u64::from_str_radix(found, 16).expect("a number");
            bad["checksum"] = found.into();
            if let Ok(forged) = serde_json::from_value::<Snapshot>(bad) {
                accepted += 1;
                let mut world = RodWorld::default();
                world.restore(&forged);
                let _ = world.step(1.0 / 60.0);
                for id in world.ids() {
                    let rod = rod(&world, id);
                    assert!(
                        (0..rod.vertex_count()).all(|v| rod.position(v).is_finite()),
                        "{pointer} {value}"
                    );
                }
                world.insert(built(&line(1.0, 3).pin(0))).expect("a sound rod");
                let ids: Vec<RodId> = world.ids().collect();
                for id in ids {
                    world.remove(id);
                }
            }
        }
    }
    assert!(accepted > 0, "no forgery got as far as the checks");
}

/// Pointers to every number below a value.
fn collect(value: &serde_json::Value, at: String, pointers: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(list) => {
            for (n, entry) in list.iter().enumerate() {
                collect(entry, format!("{at}/{n}"), pointers);
            }
        }
        serde_json::Value::Object(map) => {
            for (key, entry) in map {
                collect(entry, format!("{at}/{key}"), pointers);
            }
        }
        serde_json::Value::Number(_) => pointers.push(at),
        _ => {}
    }
}
