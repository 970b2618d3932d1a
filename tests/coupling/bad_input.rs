//! Nonsense from the user or the host: an error or an event, and nothing else is disturbed.

use glam::{DQuat, DVec3};
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{FRAME, built, positions, rod, settings, world},
};

fn rope() -> RodDescription {
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y, 6))
        .material(Material::rigidity(2e4, 2e4, 0.02, 0.02, 0.2))
        .pin(0);
    built(&spec)
}

fn hung() -> (RodWorld, RodId, Bodies, BodyId) {
    let mut world = world(settings(1, 8));
    let id = world.insert(rope()).expect("a rod");
    let mut bodies = Bodies::new();
    let ball = bodies.ball(1, -DVec3::Y * 1.1, 2.0, 0.1);
    (world, id, bodies, ball)
}

fn to(body: BodyId) -> TieTo {
    TieTo::Body {
        body,
        anchor: DVec3::Y * 0.1,
    }
}

#[test]
fn bad_attachments_are_refused() {
    let (mut world, id, _, ball) = hung();
    let good = AttachmentSpec::ball(id, RodPoint::End, to(ball));
    let field = |spec: AttachmentSpec, world: &mut RodWorld| match world.attach(spec) {
        Err(AttachError::BadValue { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let nowhere = TieTo::Point(DVec3::new(0.0, f64::NAN, 0.0));
    assert_eq!(field(AttachmentSpec { to: nowhere, ..good }, &mut world), "anchor");
    assert_eq!(
        field(
            AttachmentSpec {
                stiffness: Some(0.0),
                ..good
            },
            &mut world
        ),
        "stiffness"
    );
    assert_eq!(
        field(
            AttachmentSpec {
                stiffness: Some(f64::NAN),
                ..good
            },
            &mut world
        ),
        "stiffness"
    );
    assert_eq!(
        field(
            AttachmentSpec {
                relaxation: -1.0,
                ..good
            },
            &mut world
        ),
        "relaxation"
    );
    assert_eq!(
        field(AttachmentSpec { max_force: 0.0, ..good }, &mut world),
        "max_force"
    );
    assert_eq!(
        field(
            AttachmentSpec {
                break_force: f64::NAN,
                ..good
            },
            &mut world
        ),
        "break_force"
    );
    assert_eq!(
        field(
            AttachmentSpec {
                break_torque: -1.0,
                ..good
            },
            &mut world
        ),
        "break_torque"
    );
    let frame = Some(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert_eq!(field(AttachmentSpec { frame, ..good }, &mut world), "frame");
    for at in [
        RodPoint::Arc(1.5),
        RodPoint::Arc(f64::NAN),
        RodPoint::Vertex(7),
        RodPoint::Segment { segment: 6, along: 0.5 },
        RodPoint::Segment { segment: 1, along: 1.5 },
    ] {
        let error = world.attach(AttachmentSpec { at, ..good });
        assert!(matches!(error, Err(AttachError::Point(_))), "{at:?}: {error:?}");
    }
    assert_eq!(world.attachments().count(), 0);
    world.remove(id);
    assert_eq!(world.attach(good), Err(AttachError::NoRod));
    let weld = AttachmentSpec::weld(world.insert(rope()).expect("a rod"), RodPoint::End, to(ball));
    let first = world.attach(weld).expect("a weld");
    assert_eq!(world.attach(weld), Err(AttachError::Welded { segment: 5 }));
    assert!(world.move_attachment(first, DVec3::NAN).is_err());
    world.detach(first);
    assert_eq!(
        world.move_attachment(first, DVec3::ZERO),
        Err(AttachError::NoAttachment)
    );
}

/// A body that is despawned lets its ropes go, with an event for each.
#[test]
fn a_body_that_is_gone_lets_go() {
    let (mut world, id, mut bodies, ball) = hung();
    let tie = world
        .attach(AttachmentSpec::ball(id, RodPoint::End, to(ball)))
        .expect("a tie");
    run(&mut world, &mut bodies, 30);
    bodies.bodies.remove(&1);
    run(&mut world, &mut bodies, 1);
    let events: Vec<Event> = world.drain_events().collect();
    assert_eq!(
        events,
        [Event::AttachmentLost {
            attachment: tie,
            rod: id
        }]
    );
    assert!(world.attachment(tie).is_none());
    run(&mut world, &mut bodies, 60);
    assert!(rod(&world, id).stretch() < 1e-3, "nothing pulls any more");
}

/// A rod that is removed takes its attachments with it; the others on the body stay.
#[test]
fn a_rod_that_is_gone_takes_its_ties() {
    let (mut world, a, mut bodies, ball) = hung();
    let b = world.insert(rope()).expect("a rod");
    let ties = [a, b].map(|rod| (world.attach(AttachmentSpec::ball(rod, RodPoint::End, to(ball)))).expect("a tie"));
    run(&mut world, &mut bodies, 10);
    world.remove(a);
    run(&mut world, &mut bodies, 300);
    assert!(world.attachment(ties[0]).is_none());
    let force = world.attachment(ties[1]).expect("the other").force.y;
    assert!((force - 2.0 * 9.81).abs() < 0.2, "{force} N");
}

/// While the host gives nonsense for a body, ropes see it where it last was; nobody else notices.
#[test]
fn a_nan_from_the_host_stays_with_its_body() {
    let (mut world, id, mut bodies, ball) = hung();
    let other = world.insert(rope()).expect("a rod");
    let second = bodies.ball(2, -DVec3::Y * 1.1, 1.0, 0.1);
    world
        .attach(AttachmentSpec::ball(id, RodPoint::End, to(ball)))
        .expect("a tie");
    world
        .attach(AttachmentSpec::ball(other, RodPoint::End, to(second)))
        .expect("a tie");
    run(&mut world, &mut bodies, 60);
    world.drain_events().for_each(drop);
    let good = *bodies.get(ball);
    bodies.get_mut(ball).position.x = f64::NAN;
    for _ in 0..30 {
        world.step_with(FRAME, &mut bodies).expect("a step");
    }
    let events: Vec<Event> = world.drain_events().collect();
    assert_eq!(events, [Event::BodyRefused { body: ball }], "said once");
    for id in [id, other] {
        assert!(positions(&world, id).iter().all(|place| place.is_finite()));
        assert!(!rod(&world, id).is_quarantined());
    }
    assert!(bodies.get(second).linear_velocity.is_finite());
    assert_eq!(
        bodies.get(ball).linear_velocity,
        good.linear_velocity,
        "no impulse for it"
    );
    *bodies.get_mut(ball) = good;
    run(&mut world, &mut bodies, 60);
    assert!(world.drain_events().next().is_none());
    assert!(
        bodies.get(ball).position.distance(good.position) < 0.01,
        "it hangs again"
    );
}

/// From the first step on nonsense: the tie waits until there is a body.
#[test]
fn a_body_that_never_was_sound_ties_nothing() {
    let (mut world, id, mut bodies, ball) = hung();
    bodies.get_mut(ball).orientation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    world
        .attach(AttachmentSpec::ball(id, RodPoint::End, to(ball)))
        .expect("a tie");
    for _ in 0..10 {
        world.step_with(FRAME, &mut bodies).expect("a step");
    }
    assert!(rod(&world, id).position(6).distance(-DVec3::Y) < 1e-3);
    bodies.get_mut(ball).orientation = DQuat::IDENTITY;
    run(&mut world, &mut bodies, 60);
    let (_, tie) = world.attachments().next().expect("the tie");
    assert!((tie.force.y - 2.0 * 9.81).abs() < 2.0, "{tie:?}");
}

/// Masses, inertia and sizes that no body has are refused; nothing that is not a number reaches the host.
#[test]
fn nonsense_masses_are_refused() {
    type Change = fn(&mut BodyState);
    let cases: [(&str, Change); 9] = [
        ("a light body", |body| body.inverse_mass = 1e300),
        ("negative inertia", |body| body.inverse_inertia = -body.inverse_inertia),
        ("indefinite inertia", |body| body.inverse_inertia.x_axis.y = 1e3),
        ("tiny inertia", |body| body.inverse_inertia.x_axis.x = 1e300),
        ("far away", |body| body.position.x = 1e200),
        ("too fast", |body| body.linear_velocity.x = 1e200),
        ("a spin", |body| body.angular_velocity.x = 1e200),
        ("a fall", |body| body.acceleration.x = 1e200),
        ("an arm", |body| body.center_of_mass.x = 1e200),
    ];
    for (what, change) in cases {
        for solver in [Solver::default(), Solver::GROOM] {
            let (mut world, _, mut bodies, ball) = hung();
            let options = RodOptions {
                solver,
                ..RodOptions::default()
            };
            let id = world.insert_with(rope(), options).expect("a rod");
            (world.attach(AttachmentSpec::ball(id, RodPoint::End, to(ball)))).expect("a tie");
            change(bodies.get_mut(ball));
            world.step_with(FRAME, &mut bodies).expect("a step");
            let events: Vec<Event> = world.drain_events().collect();
            assert_eq!(events, [Event::BodyRefused { body: ball }], "{what}");
            assert_eq!(bodies.taken, DVec3::ZERO, "{what}");
            assert!(!rod(&world, id).is_quarantined(), "{what}");
        }
    }
    // So heavy that it has no inverse: nothing moves it.
    let (mut world, id, mut bodies, ball) = hung();
    bodies.get_mut(ball).inverse_mass = 1e-310;
    bodies.get_mut(ball).inverse_inertia *= 1e-310;
    (world.attach(AttachmentSpec::ball(id, RodPoint::End, to(ball)))).expect("a tie");
    run(&mut world, &mut bodies, 1);
    assert!(world.drain_events().next().is_none());
    assert!(!rod(&world, id).is_quarantined() && bodies.taken == DVec3::ZERO);
}
