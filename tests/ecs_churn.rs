//! A hundred thousand rods come and go as entities: nothing is left behind. And a run in which nothing comes or goes allocates nothing.

mod common;
#[path = "common/counting.rs"]
mod counting;

use std::sync::Arc;

use bevy_ecs::{prelude::*, schedule::SingleThreadedExecutor};
use common::{placed, settings, zoo};
use counting::Counting;
use lariat::prelude::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

const RODS: usize = 100_000;
/// Spawned and despawned between two runs.
const WAVE: usize = 500;

#[test]
fn a_hundred_thousand_entities_leave_nothing_behind_and_a_quiet_run_allocates_nothing() {
    let zoo: Vec<Arc<RodDescription>> = zoo().into_iter().map(Arc::new).collect();
    let mut world = World::new();
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new());
    world.insert_resource(RodSettings(settings(1, 1)));
    lariat::ecs::install(&mut world, &mut schedule);
    let mut run = |world: &mut World| {
        schedule.run(world);
        world.clear_trackers();
    };
    let mut settled = 0;
    for wave in 0..RODS / WAVE {
        let entities: Vec<Entity> = (0..WAVE)
            .map(|n| {
                let rod = Rod::new(zoo[n % zoo.len()].clone()).options(placed(n));
                let mut entity = world.spawn(rod);
                if n % 2 == 0 {
                    entity.insert((RodPins(vec![1]), RodDrag(0.1), RodForces::default()));
                }
                entity.id()
            })
            .collect();
        run(&mut world);
        assert_eq!(world.resource::<Rods>().len(), WAVE);
        for (n, entity) in entities.into_iter().enumerate() {
            if n % 3 == 0 {
                world.entity_mut(entity).remove::<Rod>();
            }
            world.despawn(entity);
        }
        let rods = world.resource::<Rods>();
        assert!(rods.is_empty() && rods.ids().next().is_none());
        if wave == 20 {
            settled = ALLOCATOR.bytes();
        }
    }
    // Twenty waves have found their room; nine times as many more need a tenth more at most (tables that doubled late).
    let bytes = ALLOCATOR.bytes();
    assert!(bytes < settled + settled / 10, "{settled} bytes grew to {bytes}");

    // A break is told, and telling allocates.
    let lasting = |rod: &&Arc<RodDescription>| rod.segments().iter().all(|s| s.break_strain.is_infinite());
    for (n, rod) in zoo.iter().filter(lasting).enumerate() {
        let rod = Rod::new(rod.clone()).options(RodOptions { drag: 0.0, ..placed(n) });
        world.spawn((rod, RodVelocities::default(), RodTension::default(), RodPins(vec![0])));
    }
    for _ in 0..10 {
        run(&mut world);
    }
    let before = ALLOCATOR.calls();
    for _ in 0..10 {
        run(&mut world);
    }
    assert_eq!(ALLOCATOR.calls() - before, 0, "allocations in quiet runs");
}
