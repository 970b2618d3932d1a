//! Rods in apps of `bevy_app`.
#![cfg(feature = "bevy_app")]

mod common;

use bevy_app::prelude::*;
use bevy_ecs::{prelude::*, reflect::AppTypeRegistry};
use bevy_reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use common::{line, soft};
use lariat::prelude::*;
use serde::de::DeserializeSeed;

fn rope() -> RodSpec {
    line(1.0, 16).material(soft(500.0, 0.01)).pin(0)
}

#[test]
fn the_plugin_moves_rods_in_the_schedule_it_is_given() {
    let mut app = App::new();
    app.add_plugins(RodPlugin::new(Update));
    let entity = app.world_mut().spawn(Rod::new(rope())).id();
    for _ in 0..10 {
        app.update();
    }
    let mut world = RodWorld::default();
    let id = world.insert(common::built(&rope())).expect("sound");
    common::run(&mut world, 10);
    let pose = app.world().get::<RodPose>(entity).expect("a pose");
    for (v, &place) in pose.positions.iter().enumerate() {
        assert_eq!(place, common::rod(&world, id).position(v).as_vec3());
    }
}

#[test]
fn by_default_rods_take_the_steps_of_the_fixed_schedules() {
    let mut app = App::new();
    app.add_plugins(RodPlugin::default());
    app.world_mut().spawn(Rod::new(rope()));
    app.update();
    assert_eq!(app.world().resource::<Rods>().time(), 0.0);
    for _ in 0..64 {
        app.world_mut().run_schedule(FixedPostUpdate);
    }
    assert!((app.world().resource::<Rods>().time() - 1.0).abs() < 1e-9);
}

#[test]
fn a_stage_can_be_left_out() {
    let mut app = App::new();
    app.add_plugins(RodPlugin::new(Update).without(RodSystems::Step));
    app.world_mut().spawn(Rod::new(rope()));
    app.update();
    assert_eq!(app.world().resource::<Rods>().len(), 1);
    assert_eq!(app.world().resource::<Rods>().time(), 0.0);
}

#[test]
fn messages_reach_systems_of_the_app() {
    #[derive(Resource, Default)]
    struct Heard(usize);
    let mut app = App::new();
    app.add_plugins(RodPlugin::new(Update)).init_resource::<Heard>();
    app.add_systems(
        PostUpdate,
        |mut failed: MessageReader<RodSpawnFailed>, mut heard: ResMut<Heard>| heard.0 += failed.read().count(),
    );
    app.world_mut().spawn(Rod::new(rope().pin(99)));
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(app.world().resource::<Heard>().0, 1);
}

#[test]
fn components_are_known_to_reflection_and_rods_survive_it() {
    let mut app = App::new();
    app.add_plugins(RodPlugin::new(Update));
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for name in [
        "Rod",
        "RodPose",
        "RodPins",
        "RodTargets",
        "RodClamps",
        "RodForces",
        "RodDrag",
    ] {
        let found = registry.get_with_short_type_path(name).expect(name);
        assert!(found.data::<ReflectComponent>().is_some(), "{name}");
    }
    let rod = Rod::new(rope());
    let text = ron::to_string(&TypedReflectSerializer::new(&rod, &registry)).expect("written");
    let registration = registry.get(std::any::TypeId::of::<Rod>()).expect("registered");
    let mut reader = ron::Deserializer::from_str(&text).expect("text");
    let read = TypedReflectDeserializer::new(registration, &registry)
        .deserialize(&mut reader)
        .expect("read");
    let read: Rod = bevy_reflect::FromReflect::from_reflect(&*read).expect("a rod");
    assert_eq!(
        read.source.describe().expect("sound"),
        rod.source.describe().expect("sound")
    );
}
