use bevy_ecs::prelude::*;
use glam::DVec3;
use lariat::prelude::*;

use crate::support::{Host, by_hand, rope};

#[derive(Resource, Default)]
struct Order(Vec<&'static str>);

fn note(name: &'static str) -> impl Fn(ResMut<Order>) + Clone {
    move |mut order: ResMut<Order>| order.0.push(name)
}

#[test]
fn stages_run_in_their_numbered_order_and_a_host_can_go_between() {
    let mut host = Host::new();
    host.world.init_resource::<Order>();
    host.schedule.add_systems((
        note("events").in_set(RodSystems::Events),
        note("write back").in_set(RodSystems::WriteBack),
        note("step").in_set(RodSystems::Step),
        note("bodies").in_set(RodSystems::Bodies),
        note("gather").in_set(RodSystems::Gather),
        note("spawn").in_set(RodSystems::Spawn),
        note("between").after(RodSystems::Gather).before(RodSystems::Bodies),
    ));
    host.run(1);
    let expected = ["spawn", "gather", "between", "bodies", "step", "write back", "events"];
    assert_eq!(host.world.resource::<Order>().0, expected);
}

#[test]
fn what_is_spawned_and_told_before_the_run_moves_in_it() {
    let mut host = Host::new();
    host.schedule.add_systems(
        (|mut commands: Commands, mut done: Local<bool>| {
            if !std::mem::replace(&mut done, true) {
                commands.spawn((Rod::new(rope()), RodPins(vec![])));
            }
        })
        .before(RodSystems::Spawn),
    );
    host.run(1);
    let entity = host
        .world
        .query::<(Entity, &Rod)>()
        .single(&host.world)
        .expect("one rod")
        .0;
    assert!(host.pose(entity).positions[0].y < 0.0, "without pins it falls at once");
}

#[test]
fn a_stage_can_be_replaced() {
    let mut host = Host::without(&[RodSystems::Step]);
    fn twice(mut rods: ResMut<Rods>, timestep: Res<RodTimestep>) -> Result {
        for _ in 0..2 {
            rods.step(timestep.dt())?;
        }
        Ok(())
    }
    host.schedule.add_systems(twice.in_set(RodSystems::Step));
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(10);
    assert_eq!(host.pose(entity).positions, by_hand(20, |_, _, _| {}));
}

#[test]
fn actions_go_through_the_resource() {
    let mut host = Host::new();
    fn lift(mut rods: ResMut<Rods>, ropes: Query<&RodHandle>) -> Result {
        for handle in &ropes {
            if let Some(mut rod) = handle.id().and_then(|id| rods.rod_mut(id)) {
                rod.translate(DVec3::Y)?;
            }
        }
        Ok(())
    }
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    host.schedule
        .add_systems(lift.before(RodSystems::Step).after(RodSystems::Spawn));
    host.run(3);
    let still = by_hand(4, |_, _, _| {});
    for (here, there) in host.pose(entity).positions.iter().zip(still) {
        // Three metres up in single precision.
        assert!((here.y - there.y - 3.0).abs() < 1e-6);
    }
}

#[test]
fn diagnostics_say_what_was_done() {
    let mut host = Host::new();
    for n in 0..10 {
        host.world.spawn(Rod::new(rope()).at(DVec3::X * f64::from(n)));
    }
    host.run(5);
    let diagnostics = host.world.resource::<RodDiagnostics>();
    assert_eq!((diagnostics.rods, diagnostics.written, diagnostics.steps), (10, 10, 1));
    assert!(diagnostics.step.as_nanos() > 0 && diagnostics.write_back.as_nanos() > 0);
    assert!(diagnostics.overhead() > 0.0);
    assert!(diagnostics.iterations > 0);
}
