//! Avian's colliders, as rods know them: all as components.

use avian3d::prelude::{CollisionLayers, *};
use bevy_app::App;
use bevy_ecs::prelude::*;
use glam::{DVec3, Vec3};
use lariat::{
    hosts::RodTouch,
    prelude::{CollisionLayers as RodLayerMask, *},
};
use parry3d::shape::SharedShape;

use super::engine::app;

fn plate() -> (RigidBody, Collider, Position) {
    let below = Position(Vec3::Y * -0.1);
    (RigidBody::Static, Collider::cuboid(2.0, 0.2, 2.0), below)
}

/// Let a rope fall from 5 cm above the plate: whether it lies there half a second later.
fn holds(app: &mut App) -> bool {
    let from = DVec3::new(-0.3, 0.05, 0.0);
    let spec = RodSpec::new(Shape::line(from, from + DVec3::X * 0.6, 12))
        .material(Material::rigidity(1e4, 1e4, 0.01, 0.01, 1.0).with_damping(Damping::Time(0.1)))
        .radius(0.01);
    let rope = app.world_mut().spawn(Rod::new(spec)).id();
    (0..30).for_each(|_| app.update());
    let height = app.world().get::<RodPose>(rope).expect("the rope").positions[6].y;
    app.world_mut().despawn(rope);
    assert!(
        (height - 0.01).abs() < 0.003 || height < -0.5,
        "neither lies nor falls: {height}"
    );
    height > 0.0
}

/// With the plugins alone, and nothing else said.
#[test]
fn ropes_lie_on_what_is_solid_and_in_their_layers() {
    let mut app = app(1.0 / 60.0);
    let plate = app.world_mut().spawn(plate()).id();
    assert!(holds(&mut app));
    macro_rules! with {
        ($held:expr, $component:expr, $why:literal) => {
            app.world_mut().entity_mut(plate).insert($component);
            assert_eq!(holds(&mut app), $held, $why);
        };
    }
    macro_rules! without {
        ($component:ty) => {
            app.world_mut().entity_mut(plate).remove::<$component>();
            assert!(holds(&mut app), concat!("without ", stringify!($component)));
        };
    }
    with!(false, Sensor, "a sensor");
    without!(Sensor);
    with!(false, ColliderDisabled, "a disabled collider");
    without!(ColliderDisabled);
    with!(false, RigidBodyDisabled, "on a disabled body");
    without!(RigidBodyDisabled);
    with!(false, RodTouch::Never, "told not to");
    without!(RodTouch);
    with!(
        false,
        CollisionLayers::new(LayerMask(1), LayerMask(2)),
        "not with the first layer"
    );
    with!(
        true,
        CollisionLayers::new(LayerMask(2), LayerMask(1)),
        "with the first layer"
    );
    app.world_mut().entity_mut(plate).remove::<Collider>();
    assert!(!holds(&mut app), "without a collider");
    assert!(app.world().get::<RodCollider>(plate).is_none());
    app.world_mut()
        .entity_mut(plate)
        .insert(Collider::cuboid(2.0, 0.2, 2.0));
    assert!(holds(&mut app), "with another");
    app.world_mut().despawn(plate);
    assert!(!holds(&mut app), "gone");
}

#[test]
fn rods_know_colliders_as_they_are() {
    let mut app = app(1.0 / 60.0);
    let world = app.world_mut();
    world.spawn(Rod::new(
        RodSpec::new(Shape::line(DVec3::Y * 5.0, DVec3::Y * 4.0, 4)).pin(0),
    ));
    let body = world
        .spawn((RigidBody::Static, Position(Vec3::X), Friction::new(0.9)))
        .id();
    let up = ColliderTransform {
        translation: Vec3::Y * 0.5,
        ..ColliderTransform::default()
    };
    let child = world
        .spawn((Collider::sphere(0.2), ColliderOf { body }))
        .insert(up)
        .id();
    let loose = world.spawn((Collider::sphere(0.2), Position(Vec3::Y * -3.0))).id();
    let own = RodCollider::new(SharedShape::ball(0.7));
    let own = world.spawn((plate(), own)).id();
    (0..3).for_each(|_| app.update());
    let place = |app: &App, entity: Entity| {
        let id = app
            .world()
            .get::<RodColliderHandle>(entity)
            .and_then(RodColliderHandle::id);
        let rods = app.world().resource::<Rods>();
        id.and_then(|id| rods.collider_pose(id)).expect("rods know it").0
    };
    let known = |app: &App, entity: Entity| app.world().get::<RodCollider>(entity).expect("rods know it").clone();
    assert_eq!(known(&app, child).on, RodColliderOn::Body(body));
    assert!((known(&app, child).friction - 0.9).abs() < 1e-6, "its body's friction");
    let up = place(&app, child);
    assert!(up.distance(DVec3::new(1.0, 0.5, 0.0)) < 1e-6, "{up}");
    assert_eq!(known(&app, loose).on, RodColliderOn::World);
    assert!((known(&app, loose).friction - 0.5).abs() < 1e-6, "avian's friction");
    assert!(place(&app, loose).distance(DVec3::Y * -3.0) < 1e-6);
    assert_eq!(known(&app, loose).layers, RodLayerMask::default());
    let ball = known(&app, own);
    assert_eq!(
        ball.shape.as_ball().map(|ball| ball.radius),
        Some(0.7),
        "a shape of one's own stays"
    );
    // The body moves, the loose one is moved by hand, and the child gets another shape.
    app.world_mut().entity_mut(body).insert(Position(Vec3::X * 2.0));
    app.world_mut().entity_mut(loose).insert(Position(Vec3::Y * -3.1));
    app.world_mut()
        .entity_mut(child)
        .insert(Collider::cuboid(1.0, 1.0, 1.0));
    (0..3).for_each(|_| app.update());
    assert!(place(&app, child).distance(DVec3::new(2.0, 0.5, 0.0)) < 1e-6);
    assert!(place(&app, loose).distance(DVec3::Y * -3.1) < 1e-6);
    assert!(known(&app, child).shape.as_cuboid().is_some());
}

/// A message names the entity of avian's collider, and nothing is written as long as nothing changes.
#[test]
fn touching_is_told_with_the_colliders_entity() {
    let mut app = app(1.0 / 60.0);
    let plate = app.world_mut().spawn(plate()).id();
    app.world_mut().insert_resource(Heard::default());
    app.add_systems(bevy_app::Last, listen);
    assert!(holds(&mut app));
    assert_eq!(app.world().resource::<Heard>().0.first(), Some(&Some(plate)));
    let changed = app
        .world()
        .entity(plate)
        .get_change_ticks::<RodCollider>()
        .expect("there");
    (0..5).for_each(|_| app.update());
    let later = app
        .world()
        .entity(plate)
        .get_change_ticks::<RodCollider>()
        .expect("there");
    assert_eq!(changed.changed, later.changed);
}

#[derive(Resource, Default)]
struct Heard(Vec<Option<Entity>>);

fn listen(mut touched: MessageReader<RodTouched>, mut heard: ResMut<Heard>) {
    heard.0.extend(touched.read().map(|touched| touched.other));
}
