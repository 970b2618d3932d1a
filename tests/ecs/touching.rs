//! Shapes as components, and what is told of touching.

use bevy_ecs::prelude::*;
use glam::{DMat3, DQuat, DVec3};
use lariat::{contact::Collider, prelude::*};
use parry3d::shape::SharedShape;

use crate::{
    bodies::Bodies,
    common::{self, FRAME, built, line, settings, soft},
    support::Host,
    tying::move_bodies,
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

/// A ball of 2 kg that falls.
fn ball_at(place: DVec3) -> BodyState {
    BodyState {
        inverse_mass: 0.5,
        inverse_inertia: DMat3::from_diagonal(DVec3::splat(1.0 / (0.4 * 2.0 * 0.15 * 0.15))),
        acceleration: DVec3::Y * -9.81,
        ..BodyState::fixed(place, DQuat::IDENTITY)
    }
}

/// A taut rope across, a little below the ball's centre line.
fn string(z: f64) -> RodSpec {
    let from = DVec3::new(-1.0, 0.0, z);
    RodSpec::new(Shape::line(from, from + DVec3::X * 2.0, 32))
        .material(soft(5e4, 1e-3))
        .radius(RADIUS)
        .pin(0)
        .pin(32)
}

const STRINGS: [f64; 2] = [-0.08, 0.08];

/// Two ropes, and a ball with a shape that falls onto them.
fn catch(host: &mut Host) -> ([Entity; 2], Entity) {
    host.schedule.add_systems(move_bodies.after(RodSystems::Events));
    let ropes = STRINGS.map(|z| host.world.spawn(Rod::new(string(z))).id());
    let shape = RodCollider::new(SharedShape::ball(0.15)).on_itself();
    let ball = host.world.spawn((RodBody::new(ball_at(DVec3::Y * 0.25)), shape)).id();
    (ropes, ball)
}

fn state(host: &Host, body: Entity) -> BodyState {
    host.world.get::<RodBody>(body).expect("there").state
}

#[test]
fn a_ball_falls_onto_ropes_as_by_direct_calls() {
    let mut host = host();
    let (ropes, ball) = catch(&mut host);
    host.run(60);
    assert!(state(&host, ball).position.y > 0.0, "it is held");

    let mut world = common::world(Settings {
        contact: Some(ContactSettings::default()),
        ..settings(1, 8)
    });
    let ids = STRINGS.map(|z| world.insert(built(&string(z))).expect("a sound rope"));
    let mut engine = Bodies::new();
    let body = RodBodies::id(ball);
    engine.bodies.insert(body.0, ball_at(DVec3::Y * 0.25));
    world
        .add_collider(Collider::new(SharedShape::ball(0.15)).on_body(body))
        .expect("a sound shape");
    for _ in 0..60 {
        world.step_with(FRAME, &mut engine).expect("a sound step");
        engine.step(FRAME.into());
    }
    assert_eq!(state(&host, ball), *engine.get(body));
    for (entity, id) in ropes.into_iter().zip(ids) {
        let mut by_hand = Vec::new();
        common::rod(&world, id).positions_into(&mut by_hand);
        assert_eq!(host.pose(entity).positions, by_hand);
    }
}

#[test]
fn ropes_carry_the_weight_of_a_ball() {
    let mut host = host();
    let (ropes, ball) = catch(&mut host);
    host.run(360);
    let mut taken = DVec3::ZERO;
    for _ in 0..60 {
        host.run(1);
        taken += host.world.get::<RodBody>(ball).expect("there").impulse.linear;
    }
    // In a second; 1% for the little that it still bounces.
    assert!((taken.y / (2.0 * 9.81) - 1.0).abs() < 0.01, "{taken} N s");
    let touching = |rope: Entity| {
        let id = host.id(rope).expect("in");
        let lift = (host.rods().contacts().filter(|contact| contact.rod == id)).map(|contact| contact.force);
        lift.sum::<f64>()
    };
    // It may sway from one to the other, but needs both.
    let shares = ropes.map(touching);
    assert!(shares.iter().all(|&share| share > 0.25 * 2.0 * 9.81), "{shares:?} N");
}

#[test]
fn a_shape_stands_on_the_body_of_another_entity() {
    let mut host = host();
    let turned = DQuat::from_rotation_z(0.5);
    let body = host
        .world
        .spawn(RodBody::new(BodyState::fixed(DVec3::new(1.0, 2.0, 3.0), turned)))
        .id();
    let knob = RodCollider::new(SharedShape::ball(0.1)).on_body(body);
    let knob = host.world.spawn((knob, RodColliderPose::at(DVec3::X * 0.5))).id();
    // Somebody has to be there to touch it, or nothing is stepped.
    stick(&mut host, DVec3::ZERO);
    host.run(1);
    let place = |host: &Host| collider(host, knob).and_then(|id| host.rods().collider_pose(id));
    let (at, rotation) = place(&host).expect("it is somewhere");
    assert!(at.distance(DVec3::new(1.0, 2.0, 3.0) + turned * DVec3::X * 0.5) < 1e-12);
    assert!(rotation.angle_between(turned) < 1e-7);
    assert_eq!(host.world.get::<StandsOn>(knob), Some(&StandsOn(body)));
    // Put elsewhere on the body, and the body elsewhere.
    host.change(knob, |pose: &mut RodColliderPose| pose.position = DVec3::Y);
    host.change(body, |body: &mut RodBody| body.state.position = DVec3::ZERO);
    host.run(1);
    let (at, _) = place(&host).expect("it is somewhere");
    assert!(at.distance(turned * DVec3::Y) < 1e-12, "{at}");
    // Off the body, it is in the world.
    host.change(knob, |knob: &mut RodCollider| knob.on = RodColliderOn::World);
    host.run(1);
    assert_eq!(place(&host).map(|(at, _)| at), Some(DVec3::Y));
    assert!(host.world.get::<RodShapes>(body).is_none(), "nobody asks for the body");
}

#[test]
fn a_body_that_goes_takes_its_shapes_along() {
    let mut host = host();
    let body = |host: &mut Host| {
        let state = BodyState::fixed(DVec3::Y * -0.1, DQuat::IDENTITY);
        host.world.spawn(RodBody::new(state)).id()
    };
    let first = body(&mut host);
    let floor = host.world.spawn(slab().on_body(first)).id();
    let rod = stick(&mut host, DVec3::Y * 0.03);
    host.run(30);
    assert!(height(&host, rod) > 0.0, "it lies on the body");
    host.world.despawn(first);
    host.run(1);
    let lost = RodColliderLost {
        entity: floor,
        body: Some(first),
    };
    assert_eq!(host.heard::<RodColliderLost>(), [lost]);
    assert_eq!(collider(&host, floor), None);
    host.run(5);
    assert_eq!(host.heard::<RodColliderLost>(), [], "told once");
    assert!(height(&host, rod) < 0.01, "it falls");
    let second = body(&mut host);
    host.change(floor, |floor: &mut RodCollider| floor.on = RodColliderOn::Body(second));
    host.run(1);
    assert!(collider(&host, floor).is_some(), "on another body it is there again");
}

#[test]
fn a_rope_passes_the_shapes_of_the_body_that_it_is_tied_to() {
    for touches_tied in [false, true] {
        let mut host = host();
        let rope = host.world.spawn(Rod::new(line(1.0, 16).radius(RADIUS))).id();
        // A pillar below the middle of a rope that hangs on it by one end.
        let pillar = RodCollider {
            touches_tied,
            ..RodCollider::new(SharedShape::cuboid(0.1, 0.5, 0.1)).on_itself()
        };
        let state = BodyState::fixed(DVec3::new(0.5, -0.55, 0.0), DQuat::IDENTITY);
        let body = host.world.spawn((RodBody::new(state), pillar)).id();
        let anchor = DVec3::new(-0.5, 0.55, 0.0);
        host.world
            .spawn(Attachment::ball(rope, RodPoint::Start, body).anchor(anchor));
        host.run(60);
        assert_eq!(host.rods().contacts().next().is_some(), touches_tied);
    }
}

#[test]
fn bodies_and_their_shapes_go_back_in_time() {
    let mut host = host();
    let (ropes, ball) = catch(&mut host);
    host.run(25);
    let (saved, body) = (host.rods().snapshot(), *host.world.get::<RodBody>(ball).expect("there"));
    host.run(30);
    let expected = (ropes.map(|rope| host.pose(rope).clone()), state(&host, ball));
    // Another shape takes part for a while.
    let late = host.world.spawn(slab().on_body(ball)).id();
    host.run(5);
    host.world.despawn(late);
    host.world.resource_mut::<Rods>().restore(&saved);
    host.world.entity_mut(ball).insert(body);
    host.run(30);
    assert_eq!(
        (ropes.map(|rope| host.pose(rope).clone()), state(&host, ball)),
        expected
    );
}
