//! Snapshots of the resource, put back; and the same bits from the same input.

use bevy_ecs::prelude::*;
use glam::DVec3;
use lariat::prelude::*;

use crate::{
    common::{placed, zoo},
    support::{Host, rope},
};

fn crowd(host: &mut Host) -> Vec<Entity> {
    (zoo().into_iter().enumerate())
        .map(|(n, rod)| host.world.spawn(Rod::new(rod).options(placed(n))).id())
        .collect()
}

fn hash(host: &Host) -> u64 {
    host.rods().state_hash()
}

#[test]
fn a_rewound_world_runs_again_to_the_same_bits() {
    let mut host = Host::new();
    let all = crowd(&mut host);
    host.world.entity_mut(all[0]).insert((
        RodPins(vec![0, 3]),
        RodDrag(0.2),
        RodMaterial(crate::common::soft(300.0, 0.02)),
    ));
    let lead = |host: &mut Host, frame: usize| {
        let place = DVec3::new(0.0, 0.01 * frame as f64, 0.0);
        host.world.entity_mut(all[0]).insert(RodTargets(vec![(0, place)]));
        host.run(1);
    };
    (0..10).for_each(|frame| lead(&mut host, frame));
    let saved = host.rods().snapshot();
    let then = hash(&host);
    (10..25).for_each(|frame| lead(&mut host, frame));
    let (later, poses) = (
        hash(&host),
        all.iter().map(|&e| host.pose(e).clone()).collect::<Vec<_>>(),
    );
    for _ in 0..2 {
        host.world.resource_mut::<Rods>().restore(&saved);
        assert_eq!(hash(&host), then);
        (10..25).for_each(|frame| lead(&mut host, frame));
        assert_eq!(hash(&host), later);
        for (&entity, pose) in all.iter().zip(&poses) {
            assert_eq!(host.pose(entity), pose);
        }
    }
}

#[test]
fn entities_decide_which_rods_there_are_after_a_rewind() {
    let mut host = Host::new();
    let [stays, goes] = [1.0, 2.0].map(|x| host.world.spawn(Rod::new(rope()).at(DVec3::X * x)).id());
    host.run(10);
    let saved = host.rods().snapshot();
    let expected = host.pose(stays).clone();
    host.world.despawn(goes);
    // Takes over the slot of the rod that went.
    let came = host.world.spawn(Rod::new(rope()).at(DVec3::X * 9.0)).id();
    host.run(10);
    host.world.resource_mut::<Rods>().restore(&saved);
    host.world.insert_resource(RodTimestep::fixed(1.0 / 60.0)); // Time stands still.
    host.run(1);
    assert_eq!(*host.pose(stays), expected);
    assert_eq!(host.rods().len(), 2);
    assert_eq!(host.pose(came).positions[16].x, 10.0, "as it was described");
    for entity in [stays, came] {
        assert_eq!(host.rods().entity(host.id(entity).expect("in")), Some(entity));
    }
}

#[test]
fn handles_lead_to_the_right_rod_however_often_time_goes_back() {
    let mut host = Host::new();
    let early = host.rods().snapshot();
    let all: Vec<Entity> = (0..6)
        .map(|n| {
            let entity = host
                .world
                .spawn(Rod::new(rope()).at(DVec3::X * 10.0 * f64::from(n)))
                .id();
            host.run(1);
            entity
        })
        .collect();
    let late = host.rods().snapshot();
    // All are put in anew, in another order than they came: entities are visited table by table …
    host.world.entity_mut(all[0]).insert(RodDrag(0.0));
    host.world.resource_mut::<Rods>().restore(&early);
    host.run(3);
    // … and then each must find its own again.
    host.world.resource_mut::<Rods>().restore(&late);
    host.run(1);
    for (n, &entity) in all.iter().enumerate() {
        assert_eq!(host.pose(entity).positions[0].x, 10.0 * n as f32);
    }
    assert_eq!(host.rods().len(), 6);
}

#[test]
fn a_stored_snapshot_finds_new_entities() {
    let mut host = Host::new();
    let spawn = |host: &mut Host| {
        let ropes = [0.0, 5.0].map(|x| host.world.spawn(Rod::new(rope()).at(DVec3::X * x)).id());
        let tie = Attachment::weld(ropes[1], RodPoint::End, DVec3::X * 6.0);
        (ropes, host.world.spawn(tie).id())
    };
    let (ropes, tie) = spawn(&mut host);
    host.run(10);
    let text = ron::to_string(host.rods().snapshot().world()).expect("written");
    let names = ropes.map(|entity| host.id(entity).expect("in"));
    let knot = host
        .world
        .get::<AttachmentHandle>(tie)
        .and_then(AttachmentHandle::id)
        .expect("tied");
    host.run(10);
    let expected = ropes.map(|entity| host.pose(entity).clone());

    let mut loaded = Host::new();
    for _ in 0..7 {
        loaded.world.spawn_empty(); // Entities are others than they were.
    }
    let (ropes, tie) = spawn(&mut loaded);
    let world: Snapshot = ron::from_str(&text).expect("read");
    // The other way round than they would be put in by themselves.
    let rods = names.into_iter().zip(ropes).rev();
    let snapshot = RodsSnapshot::new(world, rods, [(knot, tie)]);
    loaded.world.resource_mut::<Rods>().restore(&snapshot);
    loaded.run(10);
    assert_eq!(ropes.map(|entity| loaded.pose(entity).clone()), expected);
    assert_eq!(loaded.rods().len(), 2);
    assert_eq!(loaded.rods().attachments().count(), 1);
}

#[test]
fn markers_follow_a_rewind() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope()).solver(Solver::GROOM)).id();
    host.run(1);
    let sound = host.rods().snapshot();
    let force = RodForces {
        forces: vec![(8, glam::Vec3::splat(9e17))],
        torques: Vec::new(),
    };
    host.world.entity_mut(entity).insert(force);
    host.run(400);
    assert!(host.world.get::<RodFrozen>(entity).is_some());
    let frozen = host.rods().snapshot();
    host.world.entity_mut(entity).remove::<RodForces>();
    for (saved, expected) in [(&sound, false), (&frozen, true), (&sound, false)] {
        host.world.resource_mut::<Rods>().restore(saved);
        host.run(1);
        assert_eq!(host.world.get::<RodFrozen>(entity).is_some(), expected);
    }
}

#[test]
fn any_number_of_threads_and_any_executor_give_the_same_bits() {
    let run = |threads: Option<usize>, many: bool| {
        let mut host = Host::new();
        if many {
            host.schedule
                .set_executor(bevy_ecs::schedule::MultiThreadedExecutor::new());
        }
        host.world.resource_mut::<RodSettings>().threads = threads;
        let all = crowd(&mut host);
        host.world.entity_mut(all[1]).insert(RodPins(vec![2]));
        host.run(30);
        (
            hash(&host),
            all.iter().map(|&e| host.pose(e).clone()).collect::<Vec<_>>(),
        )
    };
    let alone = run(Some(1), false);
    assert_eq!(alone, run(Some(3), false));
    assert_eq!(alone, run(None, true));
}
