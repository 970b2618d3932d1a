//! Shapes as components, and what is told of touching.

use bevy_ecs::prelude::*;
use glam::{DQuat, DVec3};
use lariat::prelude::*;
use parry3d::shape::SharedShape;

use crate::{
    common::{line, soft},
    support::Host,
};

const RADIUS: f64 = 0.02;

fn host() -> Host {
    let mut host = Host::new();
    host.world.resource_mut::<RodSettings>().contact = Some(ContactSettings::default());
    host
}

fn stick(host: &mut Host, place: DVec3) -> Entity {
    let spec = line(0.5, 8).radius(RADIUS).material(soft(2000.0, 0.5));
    host.world.spawn(Rod::new(spec).at(place - DVec3::X * 0.25)).id()
}

fn slab() -> RodCollider {
    RodCollider::new(SharedShape::cuboid(1.0, 0.1, 1.0))
}

fn collider(host: &Host, entity: Entity) -> Option<ColliderId> {
    host.world.get::<RodColliderHandle>(entity)?.id()
}

fn height(host: &Host, entity: Entity) -> f32 {
    host.pose(entity).positions[4].y
}

#[test]
fn a_shape_carries_a_rod_and_lets_it_fall_when_it_goes() {
    let mut host = host();
    let floor = host.world.spawn((slab(), RodColliderPose::at(DVec3::Y * -0.1))).id();
    let rod = stick(&mut host, DVec3::Y * 0.1);
    host.run(60);
    // It lies on its surface, within what barriers give: a quarter of the radius.
    let lies = |height: f32, floor: f64| (f64::from(height) - floor - RADIUS).abs() < 0.25 * RADIUS;
    assert!(lies(height(&host, rod), 0.0), "{}", height(&host, rod));
    // Lifted by 0.04 m.
    for n in 1..=40 {
        let up = -0.1 + 0.001 * f64::from(n);
        host.change::<RodColliderPose>(floor, |pose| pose.position.y = up);
        host.run(1);
    }
    host.run(30);
    assert!(lies(height(&host, rod), 0.04), "{}", height(&host, rod));
    // Another one by the same name.
    let name = collider(&host, floor);
    host.change::<RodCollider>(floor, |collider| collider.friction = 0.9);
    host.run(1);
    assert_eq!(collider(&host, floor), name);
    let there = name.and_then(|id| host.rods().collider(id));
    assert_eq!(there.map(|collider| collider.friction), Some(0.9));
    // Gone with its entity.
    host.world.despawn(floor);
    host.run(30);
    assert!(name.is_some_and(|id| host.rods().collider(id).is_none()));
    assert!(height(&host, rod) < -0.5, "{}", height(&host, rod));
}

#[test]
fn a_shape_goes_with_its_component() {
    let mut host = host();
    let floor = host.world.spawn(slab()).id();
    host.run(1);
    let name = collider(&host, floor).expect("put in");
    host.world.entity_mut(floor).remove::<RodCollider>();
    assert!(host.rods().collider(name).is_none());
    host.world.entity_mut(floor).insert(slab());
    host.run(1);
    let next = collider(&host, floor).expect("put in again");
    assert_ne!(next, name);
    assert_eq!(host.rods().collider_entity(next), Some(floor));
}

#[test]
fn touching_and_parting_are_told_to_both_rods() {
    let mut host = host();
    let floor = host.world.spawn((slab(), RodColliderPose::at(DVec3::Y * -0.1))).id();
    let lower = stick(&mut host, DVec3::Y * 0.022);
    let upper = stick(&mut host, DVec3::Y * 0.066);
    let mut heard: Vec<RodTouched> = Vec::new();
    for _ in 0..30 {
        host.run(1);
        heard.extend(host.heard::<RodTouched>());
    }
    let told = |entity, other| {
        heard
            .iter()
            .filter(move |t| t.entity == entity && t.other == Some(other))
    };
    assert_eq!(told(lower, floor).count(), 1, "{heard:?}");
    let (up, down) = (told(lower, upper).next(), told(upper, lower).next());
    let (up, down) = (up.expect("told"), down.expect("told"));
    assert!(up.normal.y > 0.9 && down.normal == -up.normal, "{up:?} {down:?}");
    assert_eq!((up.point, up.impulse), (down.point, down.impulse));
    let Touched::Rod { segment, .. } = up.touched else {
        panic!("{up:?}");
    };
    assert_eq!(segment, down.segment);

    let id = host.id(upper).expect("in");
    let mut rods = host.world.resource_mut::<Rods>();
    let mut rod = rods.rod_mut(id).expect("there");
    rod.translate(DVec3::Y).expect("finite");
    host.run(1);
    let parted: Vec<_> = (host.heard::<RodParted>().iter())
        .map(|parted| (parted.entity, parted.other))
        .collect();
    assert_eq!(parted, [(lower, Some(upper)), (upper, Some(lower))]);
}

#[test]
fn an_overlap_is_told() {
    let mut host = host();
    let floor = host.world.spawn((slab(), RodColliderPose::at(DVec3::Y * -0.1))).id();
    let rod = stick(&mut host, DVec3::Y * 0.3 * RADIUS);
    host.run(1);
    let heard: Vec<_> = (host.heard::<RodOverlapping>().iter())
        .map(|deep| (deep.entity, deep.other))
        .collect();
    assert_eq!(heard, [(rod, Some(floor))]);
}

#[test]
fn what_is_refused_is_told_and_leaves_the_collider_as_it_was() {
    let mut host = host();
    let bad = RodCollider {
        friction: -1.0,
        ..slab()
    };
    let floor = host.world.spawn(bad).id();
    host.run(1);
    let [failed] = &host.heard::<RodColliderFailed>()[..] else {
        panic!("it was not told");
    };
    assert_eq!(failed.entity, floor);
    assert_eq!(collider(&host, floor), None);
    host.change::<RodCollider>(floor, |collider| collider.friction = 0.5);
    host.run(1);
    let name = collider(&host, floor).expect("mended");
    host.change::<RodColliderPose>(floor, |pose| pose.position.x = f64::NAN);
    host.run(1);
    assert_eq!(host.heard::<RodColliderFailed>().len(), 1);
    let there = host.rods().collider(name).expect("still there");
    assert_eq!(there.position, DVec3::ZERO);
}

#[test]
fn shapes_go_back_in_time() {
    let mut host = host();
    let floor = host.world.spawn((slab(), RodColliderPose::at(DVec3::Y * -0.1))).id();
    let rod = stick(&mut host, DVec3::Y * 0.1);
    let lead = |host: &mut Host, frames: i32| {
        for n in 1..=frames {
            let turned = DQuat::from_rotation_z(0.002 * f64::from(n));
            host.change::<RodColliderPose>(floor, |pose| pose.rotation = turned);
            host.run(1);
        }
    };
    lead(&mut host, 30);
    let before = host.rods().snapshot();
    let then = *host.world.get::<RodColliderPose>(floor).expect("there");
    lead(&mut host, 30);
    let after = host.pose(rod).clone();
    let late = host.world.spawn((slab(), RodColliderPose::at(DVec3::Y * 3.0))).id();
    host.run(1);
    let late_name = collider(&host, late).expect("put in");
    host.world.resource_mut::<Rods>().restore(&before);
    host.world.entity_mut(floor).insert(then);
    host.world.despawn(late);
    lead(&mut host, 30);
    assert_eq!(*host.pose(rod), after);
    assert!(host.rods().collider(late_name).is_none());
}
