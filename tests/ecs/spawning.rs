use std::sync::Arc;

use bevy_ecs::prelude::*;
use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    common::built,
    support::{Host, broken_spec, by_hand, rope},
};

#[test]
fn a_rod_moves_as_one_that_is_called_directly() {
    let mut host = Host::new();
    let rope = host.world.spawn(Rod::new(rope())).id();
    host.run(30);
    // The same bits: components add nothing to the motion.
    assert_eq!(host.pose(rope).positions, by_hand(30, |_, _, _| {}));
    let rod = host.rod(rope);
    for (s, &orientation) in host.pose(rope).orientations.iter().enumerate() {
        assert_eq!(orientation, rod.orientation(s));
    }
    assert_eq!(host.rods().entity(host.id(rope).expect("in")), Some(rope));
}

#[test]
fn poses_velocities_and_tension_of_every_kind_of_rod_are_those_of_the_rod() {
    let mut host = Host::new();
    let all: Vec<Entity> = (crate::common::zoo().into_iter().enumerate())
        .map(|(n, rod)| {
            let rod = Rod::new(rod).options(crate::common::placed(n));
            host.world
                .spawn((rod, RodVelocities::default(), RodTension::default()))
                .id()
        })
        .collect();
    host.run(3);
    for entity in all {
        let (rod, pose) = (host.rod(entity), host.pose(entity));
        let velocities = &host.world.get::<RodVelocities>(entity).expect("there").0;
        let tension = &host.world.get::<RodTension>(entity).expect("there").0;
        assert_eq!(pose.positions.len(), rod.vertex_count());
        assert_eq!(velocities.len(), rod.vertex_count());
        assert_eq!(pose.orientations.len(), rod.segment_count());
        assert_eq!(tension.len(), rod.segment_count());
        for (v, (&place, &velocity)) in pose.positions.iter().zip(velocities).enumerate() {
            assert_eq!(place, rod.position(v).as_vec3());
            assert_eq!(velocity, rod.velocity(v));
        }
        for (s, &tension) in tension.iter().enumerate() {
            assert_eq!(pose.orientations[s], rod.orientation(s));
            assert_eq!(tension, rod.tension(s) as f32);
        }
    }
}

#[test]
fn a_rod_is_put_where_its_component_says() {
    let mut host = Host::without(&[RodSystems::Step]);
    let shared = Arc::new(built(&rope()));
    let at = DVec3::new(3.0, -2.0, 1.0);
    let turned = Rod::new(shared.clone())
        .at(at)
        .turned(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))
        .moving(Vec3::Z)
        .solver(Solver::GROOM);
    let entity = host.world.spawn(turned).id();
    host.run(1);
    let rod = host.rod(entity);
    // A metre along x is turned to a metre along y. Positions are stored to 1e-7 of a metre and better.
    assert!(rod.position(16).distance(at + DVec3::Y) < 1e-7);
    assert_eq!(rod.velocity(16), Vec3::Z);
    assert!(Arc::ptr_eq(rod.description(), &shared));
    // The pose is there before the first step.
    assert_eq!(host.pose(entity).positions[16], rod.position(16).as_vec3());
}

#[test]
fn despawning_takes_the_rod_out_at_once() {
    let mut host = Host::new();
    let [gone, stays] = [(); 2].map(|()| host.world.spawn(Rod::new(rope())).id());
    host.run(1);
    let id = host.id(gone).expect("in");
    host.world.despawn(gone);
    assert_eq!(host.rods().len(), 1);
    assert!(!host.rods().contains(id));
    assert_eq!(host.rods().entity(id), None);
    host.run(1);
    assert!(host.rods().contains(host.id(stays).expect("in")));
}

#[test]
fn removing_the_component_or_the_handle_takes_the_rod_out() {
    let mut host = Host::new();
    let rod = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    host.world.entity_mut(rod).remove::<Rod>();
    assert!(host.rods().is_empty());
    assert_eq!(host.id(rod), None);
    host.run(1);
    assert!(host.rods().is_empty());

    host.world.entity_mut(rod).insert(Rod::new(rope()));
    host.run(1);
    assert_eq!(host.rods().len(), 1);
    host.world.entity_mut(rod).remove::<RodHandle>();
    assert!(host.rods().is_empty());
}

#[test]
fn inserting_another_rod_replaces_the_first() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(5);
    let first = host.id(entity).expect("in");
    let shorter = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 3));
    host.world.entity_mut(entity).insert(Rod::new(shorter));
    host.run(1);
    assert!(!host.rods().contains(first));
    assert_eq!(host.rods().len(), 1);
    assert_eq!(host.pose(entity).positions.len(), 4);
    assert_eq!(host.pose(entity).orientations.len(), 3);
}

#[test]
fn a_cloned_entity_gets_a_rod_of_its_own() {
    let mut host = Host::new();
    let first = host.world.spawn(Rod::new(rope())).id();
    host.run(5);
    let second = host.world.entity_mut(first).clone_and_spawn();
    host.run(5);
    assert_eq!(host.rods().len(), 2);
    assert_ne!(host.id(first), host.id(second));
    host.world.despawn(first);
    host.run(5);
    // Ten frames in all since the second was made: as a rod by itself.
    assert_eq!(host.pose(second).positions, by_hand(10, |_, _, _| {}));
}

#[test]
fn rods_spawned_before_install_are_put_in() {
    let mut world = World::new();
    let entity = world.spawn(Rod::new(rope())).id();
    let mut schedule = Schedule::default();
    lariat::ecs::install(&mut world, &mut schedule);
    schedule.run(&mut world);
    assert!(world.get::<RodHandle>(entity).is_some_and(|h| h.id().is_some()));
    assert_eq!(world.get::<RodPose>(entity).map(|pose| pose.positions.len()), Some(17));
}

#[test]
fn what_cannot_be_built_is_reported_with_its_error_and_the_rest_goes_on() {
    let mut host = Host::new();
    let bad = host.world.spawn(Rod::new(broken_spec())).id();
    let nowhere = host.world.spawn(Rod::new(rope()).at(DVec3::NAN)).id();
    let good = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    let failed = host.heard::<RodSpawnFailed>();
    let of = |entity| failed.iter().find(|f| f.entity == entity).map(|f| f.error.clone());
    assert_eq!(failed.len(), 2);
    let expected = broken_spec().build().expect_err("no length");
    assert_eq!(of(bad), Some(RodSpawnError::Spec(expected)));
    assert!(matches!(
        of(nowhere),
        Some(RodSpawnError::Insert(InsertError::BadOption {
            field: "translation",
            ..
        }))
    ));
    assert_eq!(host.rods().len(), 1);
    assert!(host.id(good).is_some() && host.id(bad).is_none());
    // It is not tried again until there is something new to try.
    host.run(3);
    assert!(host.heard::<RodSpawnFailed>().is_empty());
    host.world.entity_mut(bad).insert(Rod::new(rope()));
    host.run(1);
    assert!(host.id(bad).is_some());
}

#[test]
fn the_order_of_spawning_and_what_else_is_there_do_not_change_a_rod() {
    let mut host = Host::new();
    let mut other = Host::new();
    #[derive(Component)]
    struct Tag;
    let spawn = |host: &mut Host, n: usize, tag: bool| {
        let rod = Rod::new(rope()).at(DVec3::X * n as f64);
        let mut entity = host.world.spawn(rod);
        if tag {
            entity.insert(Tag);
        }
        entity.id()
    };
    let mut here: Vec<Entity> = (0..20).map(|n| spawn(&mut host, n, false)).collect();
    let there: Vec<Entity> = (0..20).rev().map(|n| spawn(&mut other, n, n % 3 == 0)).collect();
    here.reverse();
    host.run(20);
    other.run(20);
    for (a, b) in here.into_iter().zip(there) {
        assert_eq!(host.pose(a), other.pose(b));
    }
}

#[test]
fn a_rod_survives_a_file() {
    for rod in [Rod::new(rope()), Rod::new(built(&rope())).at(DVec3::Y)] {
        let text = ron::to_string(&rod).expect("rods can be written");
        let read: Rod = ron::from_str(&text).expect("and read");
        let (a, b) = (rod.source.describe(), read.source.describe());
        assert_eq!(a.expect("sound"), b.expect("sound"));
        assert_eq!(rod.options, read.options);
    }
}
