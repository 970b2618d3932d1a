use bevy_ecs::prelude::*;
use glam::Vec3;
use lariat::prelude::*;

use crate::{
    common::{line, soft},
    support::{Host, rope},
};

/// 50 N stretch it by a tenth; half a kilogram at its end tears it on the way down.
fn weak() -> RodSpec {
    line(1.0, 16)
        .material(soft(50.0, 0.01))
        .pin(0)
        .load(16, 0.5)
        .break_at(BreakLimit::Strain(0.12))
}

#[derive(Resource, Default)]
struct Seen(Vec<Entity>);

#[test]
fn a_break_is_told_to_readers_and_to_observers_of_the_entity() {
    let mut host = Host::new();
    host.world.init_resource::<Seen>();
    let strong = host.world.spawn(Rod::new(rope())).id();
    let entity = host.world.spawn(Rod::new(weak())).id();
    for watched in [strong, entity] {
        (host.world.entity_mut(watched)).observe(|broke: On<RodBroke>, mut seen: ResMut<Seen>| {
            seen.0.push(broke.entity);
        });
    }
    let mut heard = Vec::new();
    for _ in 0..120 {
        host.run(1);
        heard.extend(host.heard::<RodBroke>());
    }
    assert!(!heard.is_empty(), "it did not break");
    for broke in &heard {
        assert_eq!(broke.entity, entity);
        assert!(broke.strain > 0.12);
        assert!(host.rod(entity).is_broken(broke.segment as usize));
    }
    assert_eq!(host.world.resource::<Seen>().0, vec![entity; heard.len()]);
}

#[test]
fn a_quarantined_rod_is_marked_told_once_and_starts_over_when_inserted_again() {
    let mut host = Host::new();
    // Double precision would take the force in its stride.
    let rod = || Rod::new(rope()).solver(Solver::GROOM);
    let entity = host.world.spawn(rod()).id();
    let other = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    // The largest finite force there is: the step overflows.
    host.world.entity_mut(entity).insert(RodForces {
        forces: vec![(8, Vec3::splat(9e17))],
        torques: Vec::new(),
    });
    let mut told = Vec::new();
    for _ in 0..400 {
        host.run(1);
        told.extend(host.heard::<RodQuarantined>());
    }
    assert_eq!(told, [RodQuarantined { entity }]);
    assert!(host.world.get::<RodFrozen>(entity).is_some());
    assert!(host.world.get::<RodFrozen>(other).is_none());
    assert!(host.pose(entity).positions.iter().all(|p| p.is_finite()));

    host.world.entity_mut(entity).remove::<RodForces>().insert(rod());
    host.run(2);
    assert!(host.world.get::<RodFrozen>(entity).is_none());
    assert!(!host.rod(entity).is_quarantined());
    assert!(host.rod(entity).velocity(8).y < 0.0, "it falls again");
}

#[test]
fn messages_are_forgotten_after_two_runs() {
    let mut host = Host::new();
    for _ in 0..50 {
        host.world.spawn(Rod::new(crate::support::broken_spec()));
        host.run(1);
    }
    let kept = host.world.resource::<Messages<RodSpawnFailed>>().len();
    assert!(kept <= 2, "{kept} messages kept");
}

#[test]
fn an_observer_may_despawn_what_it_hears_of() {
    let mut host = Host::new();
    host.world.add_observer(|broke: On<RodBroke>, mut commands: Commands| {
        commands.entity(broke.entity).try_despawn();
    });
    // All sixteen segments at once, so that more is told of a rod that is gone.
    let brittle = weak().load(16, 50.0).break_at(BreakLimit::Strain(1e-4));
    for _ in 0..5 {
        host.world.spawn(Rod::new(brittle.clone()));
    }
    host.run(60);
    assert!(host.rods().is_empty());
}
