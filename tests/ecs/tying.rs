use bevy_ecs::prelude::*;
use glam::{DMat3, DQuat, DVec3};
use lariat::prelude::*;

use crate::{
    bodies::Bodies,
    common::{FRAME, built, settings},
    support::{Host, rope},
};

/// A ball of 5 kg below the end of the rope, by the host's own small engine.
fn ball() -> BodyState {
    BodyState {
        inverse_mass: 0.2,
        inverse_inertia: DMat3::from_diagonal(DVec3::splat(1.0 / 0.02)),
        acceleration: DVec3::new(0.0, -9.81, 0.0),
        ..BodyState::fixed(DVec3::new(1.0, -0.1, 0.0), DQuat::IDENTITY)
    }
}

/// The step of the host: it takes the impulses of its bodies and moves them.
pub fn move_bodies(mut all: Query<(Entity, &mut RodBody)>) {
    for (entity, mut body) in &mut all {
        let mut engine = Bodies::new();
        let id = RodBodies::id(entity);
        engine.bodies.insert(id.0, body.state);
        engine.apply(id, body.impulse);
        engine.step(FRAME.into());
        body.state = *engine.get(id);
    }
}

fn host() -> Host {
    let mut host = Host::new();
    host.schedule.add_systems(move_bodies.after(RodSystems::Events));
    host
}

struct Scene {
    rope: Entity,
    ball: Entity,
    tie: Entity,
}

fn hang(host: &mut Host, change: impl FnOnce(Attachment) -> Attachment) -> Scene {
    let rope = host.world.spawn(Rod::new(rope())).id();
    let ball = host.world.spawn(RodBody::new(ball())).id();
    let tie = Attachment::ball(rope, RodPoint::End, ball).anchor(DVec3::Y * 0.1);
    let tie = host.world.spawn(change(tie)).id();
    Scene { rope, ball, tie }
}

fn load(host: &Host, tie: Entity) -> AttachmentLoad {
    *host.world.get::<AttachmentLoad>(tie).expect("it is tied")
}

#[test]
fn a_crate_on_a_rope_moves_as_by_direct_calls() {
    let mut host = host();
    let Scene {
        rope: entity,
        ball: body,
        tie,
    } = hang(&mut host, |tie| tie);
    host.run(40);

    let mut world = crate::common::world(settings(1, 8));
    let mut bodies = Bodies::new();
    let rod = world.insert(built(&rope())).expect("sound");
    let id = RodBodies::id(body);
    bodies.bodies.insert(id.0, ball());
    let to = TieTo::Body {
        body: id,
        anchor: DVec3::Y * 0.1,
    };
    let attachment = world
        .attach(AttachmentSpec::ball(rod, RodPoint::End, to))
        .expect("sound");
    crate::bodies::run(&mut world, &mut bodies, 40);

    let state = host.world.get::<RodBody>(body).expect("there").state;
    assert_eq!(state, *bodies.get(id));
    for (v, &place) in host.pose(entity).positions.iter().enumerate() {
        assert_eq!(place, crate::common::rod(&world, rod).position(v).as_vec3());
    }
    let direct = world.attachment(attachment).expect("tied");
    assert_eq!(load(&host, tie).force, direct.force);
    assert_eq!(load(&host, tie).gap, direct.gap);
    // It swings down: a pendulum pulls with more than its weight at the bottom, and something at every time.
    assert!(state.position.y < -0.3 && direct.force.length() > 5.0);
}

#[test]
fn ties_are_listed_on_the_body() {
    let mut host = host();
    let scene = hang(&mut host, |tie| tie);
    host.run(1);
    let ties = host.world.get::<RodTies>(scene.ball).expect("tied");
    assert_eq!(ties.iter().collect::<Vec<_>>(), [scene.tie]);
    assert!(
        host.world
            .get::<AttachmentHandle>(scene.tie)
            .is_some_and(|h| h.id().is_some())
    );
    host.world.entity_mut(scene.tie).remove::<Attachment>();
    host.run(1);
    assert!(host.world.get::<RodTies>(scene.ball).is_none());
    assert_eq!(host.rods().attachments().count(), 0);
}

#[test]
fn despawning_the_tie_lets_the_body_fall() {
    let mut host = host();
    let scene = hang(&mut host, |tie| tie);
    host.run(1);
    host.world.despawn(scene.tie);
    assert_eq!(host.rods().attachments().count(), 0);
    let before = host
        .world
        .get::<RodBody>(scene.ball)
        .expect("there")
        .state
        .linear_velocity
        .y;
    host.run(6);
    let after = host
        .world
        .get::<RodBody>(scene.ball)
        .expect("there")
        .state
        .linear_velocity
        .y;
    assert!(
        (after - before + 0.981).abs() < 1e-5,
        "free fall for a tenth of a second"
    );
}

#[test]
fn a_tie_breaks_at_its_force_is_told_and_goes() {
    #[derive(Resource, Default)]
    struct Seen(Vec<AttachmentBroke>);
    let mut host = host();
    host.world.init_resource::<Seen>();
    let Scene { rope, ball, tie } = hang(&mut host, |tie| tie.break_force(30.0));
    (host.world.entity_mut(tie)).observe(|broke: On<AttachmentBroke>, mut seen: ResMut<Seen>| seen.0.push(*broke));
    let mut heard = Vec::new();
    for _ in 0..60 {
        host.run(1);
        heard.extend(host.heard::<AttachmentBroke>());
    }
    assert_eq!(heard.len(), 1);
    assert_eq!((heard[0].entity, heard[0].rod, heard[0].body), (tie, rope, Some(ball)));
    assert!(heard[0].force > 30.0);
    assert_eq!(host.world.resource::<Seen>().0, heard);
    assert!(host.world.get::<Attachment>(tie).is_none());
    assert!(host.world.get::<RodTies>(ball).is_none());
}

#[test]
fn a_tie_with_nothing_else_on_its_entity_takes_the_entity_along() {
    #[derive(Component)]
    struct Sound;
    let mut host = host();
    let bare = hang(&mut host, |tie| tie.break_force(30.0));
    let more = hang(&mut host, |tie| tie.break_force(30.0));
    host.world.entity_mut(more.tie).insert(Sound);
    host.run(60);
    assert!(host.world.get_entity(bare.tie).is_err());
    assert!(host.world.get::<Sound>(more.tie).is_some());
    assert!(host.world.get::<Attachment>(more.tie).is_none());
}

#[test]
fn a_despawned_body_or_rod_is_let_go_and_told() {
    let mut host = host();
    let a = hang(&mut host, |tie| tie);
    let b = hang(&mut host, |tie| tie);
    let c = hang(&mut host, |tie| tie);
    host.run(2);
    host.world.despawn(a.ball);
    host.world.despawn(b.rope);
    let mut heard = Vec::new();
    for _ in 0..3 {
        host.run(1);
        heard.extend(host.heard::<AttachmentLost>());
    }
    heard.sort_by_key(|lost| lost.entity);
    let lost = |scene: &Scene| AttachmentLost {
        entity: scene.tie,
        rod: scene.rope,
        body: Some(scene.ball),
    };
    let mut expected = [lost(&a), lost(&b)];
    expected.sort_by_key(|lost| lost.entity);
    assert_eq!(heard, expected);
    for scene in [&a, &b] {
        assert!(host.world.get_entity(scene.tie).is_err());
    }
    assert_eq!(host.rods().attachments().count(), 1);
    assert!(load(&host, c.tie).force.length() > 1.0);
    assert!(host.pose(a.rope).positions.iter().all(|p| p.is_finite()));
}

#[test]
fn a_moved_anchor_is_followed_without_tying_anew() {
    let mut host = host();
    let rope = host.world.spawn(Rod::new(rope())).id();
    let start = DVec3::X;
    let hand = host.world.spawn(Attachment::grab(rope, RodPoint::End, start, 1e4)).id();
    host.run(1);
    let id = host.world.get::<AttachmentHandle>(hand).and_then(AttachmentHandle::id);
    for frame in 0..120 {
        let place = start + DVec3::new(-0.4, 0.3, 0.0) * (f64::from(frame) / 60.0).min(1.0);
        host.change(hand, |hand: &mut Attachment| hand.to = place.into());
        host.run(1);
    }
    assert_eq!(
        host.world.get::<AttachmentHandle>(hand).and_then(AttachmentHandle::id),
        id
    );
    // The weight of a metre of rope at 1 kg/m on a spring of 2 kN/m: within 5 mm at rest, a few times that while it swings out.
    let tip = host.rod(rope).position(16);
    let hand_at = start + DVec3::new(-0.4, 0.3, 0.0);
    assert!(tip.distance(hand_at) < 0.02, "{tip}");
    // Anything else ties anew.
    host.change(hand, |hand: &mut Attachment| hand.at = RodPoint::Vertex(8));
    host.run(1);
    assert_ne!(
        host.world.get::<AttachmentHandle>(hand).and_then(AttachmentHandle::id),
        id
    );
    assert_eq!(host.rods().attachments().count(), 1);
}

#[test]
fn a_tie_follows_its_rope_when_that_is_replaced() {
    let mut host = host();
    let scene = hang(&mut host, |tie| tie);
    host.run(2);
    host.world.entity_mut(scene.rope).insert(Rod::new(rope()));
    host.run(30);
    assert_eq!(host.rods().attachments().count(), 1);
    assert!(load(&host, scene.tie).force.length() > 1.0);
}

#[test]
fn a_tie_that_cannot_be_made_is_reported_once_and_tried_again_when_it_changes() {
    let mut host = host();
    let scene = hang(&mut host, |tie| tie);
    let nobody = host.world.spawn_empty().id();
    let no_rod = host
        .world
        .spawn(Attachment::ball(nobody, RodPoint::End, scene.ball))
        .id();
    let far = Attachment::ball(scene.rope, RodPoint::Vertex(99), scene.ball);
    let no_point = host.world.spawn(far).id();
    let nan = host
        .world
        .spawn(Attachment::ball(scene.rope, RodPoint::End, DVec3::NAN))
        .id();
    host.run(1);
    let failed = host.heard::<AttachmentFailed>();
    let of = |entity| failed.iter().find(|f| f.entity == entity).map(|f| f.error.clone());
    assert_eq!(failed.len(), 3);
    assert_eq!(of(no_rod), Some(AttachError::NoRod));
    assert!(matches!(of(no_point), Some(AttachError::Point(_))));
    assert!(matches!(of(nan), Some(AttachError::BadValue { field: "anchor", .. })));
    host.run(1);
    assert!(host.heard::<AttachmentFailed>().is_empty());
    host.change(no_point, |tie: &mut Attachment| tie.at = RodPoint::Vertex(4));
    host.world.entity_mut(nobody).insert(Rod::new(rope()));
    host.run(1);
    assert!(host.heard::<AttachmentFailed>().is_empty());
    assert_eq!(host.rods().attachments().count(), 3);
}

#[test]
fn a_body_with_unusable_numbers_is_told_and_harms_nobody() {
    let mut host = host();
    let scene = hang(&mut host, |tie| tie);
    host.run(2);
    host.change(scene.ball, |body: &mut RodBody| body.state.position = DVec3::NAN);
    host.run(1);
    assert_eq!(host.heard::<RodBodyRefused>(), [RodBodyRefused { entity: scene.ball }]);
    assert!(host.pose(scene.rope).positions.iter().all(|p| p.is_finite()));
}

#[test]
fn a_rewound_world_holds_the_ties_of_its_time() {
    let mut host = host();
    let scene = hang(&mut host, |tie| Attachment { kind: Tie::Weld, ..tie });
    let other = hang(&mut host, |tie| tie);
    host.run(10);
    let (saved, body) = (
        host.rods().snapshot(),
        *host.world.get::<RodBody>(scene.ball).expect("there"),
    );
    host.run(10);
    let later = host.pose(scene.rope).clone();
    // What happens now is undone: one tie is let go, another is made.
    host.world.despawn(other.tie);
    host.world.despawn(other.rope);
    let extra = host
        .world
        .spawn(Attachment::ball(scene.rope, RodPoint::Vertex(8), DVec3::ZERO))
        .id();
    host.run(5);
    host.world.despawn(extra);
    host.world.resource_mut::<Rods>().restore(&saved);
    host.change(scene.ball, |now: &mut RodBody| *now = body);
    host.run(10);
    assert_eq!(*host.pose(scene.rope), later);
    assert_eq!(host.rods().attachments().count(), 1);
}

#[test]
fn an_adapter_reads_and_moves_bodies_of_its_own_kind() {
    #[derive(Component)]
    struct Crate(BodyState);
    fn read(mut bodies: ResMut<RodBodies>, crates: Query<(Entity, &Crate), With<RodTies>>) {
        for (entity, body) in &crates {
            bodies.set(entity, body.0);
        }
    }
    fn give_back(bodies: Res<RodBodies>, mut crates: Query<&mut Crate>) {
        for (entity, impulse) in bodies.impulses() {
            if let Ok(mut body) = crates.get_mut(entity) {
                let inverse_mass = body.0.inverse_mass;
                body.0.linear_velocity += impulse.linear * inverse_mass;
            }
        }
    }
    let mut host = host();
    host.schedule.add_systems((
        read.in_set(RodSystems::Bodies),
        give_back.in_set(RodSystems::WriteBack).after(RodSystems::Step),
    ));
    let rope = host.world.spawn(Rod::new(rope())).id();
    let body = host.world.spawn(Crate(ball())).id();
    host.world.spawn(Attachment::ball(rope, RodPoint::End, body));
    // Beside a body of the built-in kind.
    let other = hang(&mut host, |tie| tie);
    host.run(10);
    let crate_ = host.world.get::<Crate>(body).expect("there");
    assert!(crate_.0.linear_velocity.length() > 0.01, "the rope pulled at it");
    assert!(
        host.world
            .get::<RodBody>(other.ball)
            .expect("there")
            .impulse
            .linear
            .length()
            > 0.01
    );
    assert_eq!(host.rods().attachments().count(), 2);
}
