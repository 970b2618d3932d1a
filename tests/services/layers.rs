//! Collision layers are kept with a rod, through changes and snapshots.

use lariat::prelude::*;

use crate::common::{built, line, rod, settings, world};

#[test]
fn a_rod_keeps_its_layers() {
    let mut world = world(settings(1, 4));
    let hair = CollisionLayers {
        member_of: 0b100,
        collides_with: 0b011,
    };
    let options = RodOptions {
        layers: hair,
        ..RodOptions::default()
    };
    let spec = line(1.0, 4).pin(0);
    let id = world.insert_with(built(&spec), options).expect("a sound rod");
    let plain = world.insert(built(&spec)).expect("a sound rod");
    assert_eq!(rod(&world, id).layers(), hair);
    assert_eq!(rod(&world, plain).layers(), CollisionLayers::default());
    let text = serde_json::to_string(&world.snapshot()).expect("it can be written");
    let mut rod_mut = world.rod_mut(id).expect("the rod is there");
    rod_mut.set_layers(CollisionLayers::NONE).expect("not frozen");
    assert_eq!(rod(&world, id).layers(), CollisionLayers::NONE);
    let stored: Snapshot = serde_json::from_str(&text).expect("it can be read");
    world.restore(&stored);
    assert_eq!(rod(&world, id).layers(), hair);
}

#[test]
fn both_must_agree_to_touch() {
    let of = |member_of, collides_with| CollisionLayers {
        member_of,
        collides_with,
    };
    for (a, b, touch) in [
        (of(1, 1), of(1, 1), true),
        (of(1, 2), of(2, 1), true),
        (of(1, 2), of(2, 4), false),
        (of(1, 4), of(2, 1), false),
        (CollisionLayers::NONE, CollisionLayers::default(), false),
        (CollisionLayers::default(), CollisionLayers::default(), true),
    ] {
        assert_eq!(a.touches(b), touch, "{a:?} {b:?}");
        assert_eq!(b.touches(a), touch, "{b:?} {a:?}");
    }
}
