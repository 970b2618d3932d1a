//! Cutting, reeling, sleeping: what changes a rod as a whole.

use bevy_ecs::prelude::*;
use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    common::{FRAME, built, line, settings, soft},
    support::{Host, by_hand, rope},
};

fn cut(host: &mut Host, entity: Entity, at: RodPoint) -> Option<Entity> {
    let id = host.id(entity).expect("in");
    host.world.resource_mut::<Rods>().cut(id, at).expect("a sound cut");
    host.run(1);
    let told = host.heard::<RodCut>();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].entity, entity);
    told[0].piece
}

#[test]
fn what_is_cut_off_becomes_an_entity_of_its_own_and_both_move_on() {
    let mut host = Host::new();
    let entity = host.world.spawn((Rod::new(rope()), RodTension::default())).id();
    host.run(10);
    let piece = cut(&mut host, entity, RodPoint::Vertex(10)).expect("a chain falls in two");
    host.run(9);

    let mut world = crate::common::world(settings(1, 8));
    let id = world.insert(built(&rope())).expect("sound");
    crate::common::run(&mut world, 10);
    let direct = world.cut(id, RodPoint::Vertex(10)).expect("sound").piece.expect("two");
    crate::common::run(&mut world, 10);
    for (entity, id, vertices) in [(entity, id, 11), (piece, direct, 7)] {
        let pose = host.pose(entity);
        assert_eq!(pose.positions.len(), vertices);
        for (v, &place) in pose.positions.iter().enumerate() {
            assert_eq!(place, crate::common::rod(&world, id).position(v).as_vec3());
        }
        let tension = host.world.get::<RodTension>(entity).expect("asked for");
        assert_eq!(tension.0.len(), vertices - 1);
    }
    assert_eq!(host.rods().entity(host.id(piece).expect("in")), Some(piece));
    host.world.despawn(piece);
    assert_eq!(host.rods().len(), 1);
}

#[test]
fn a_cut_loop_stays_in_one_piece() {
    let mut host = Host::new();
    let ring = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21)).pin(0);
    let entity = host.world.spawn(Rod::new(ring)).id();
    host.run(1);
    assert_eq!(cut(&mut host, entity, RodPoint::Vertex(5)), None);
    assert_eq!(host.rods().len(), 1);
}

#[test]
fn ties_beyond_a_cut_go_with_the_piece() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope())).id();
    let [near, far, end] = [RodPoint::Vertex(4), RodPoint::Vertex(12), RodPoint::End].map(|at| {
        let x = match at {
            RodPoint::Vertex(v) => f64::from(v) / 16.0,
            _ => 1.0,
        };
        host.world.spawn(Attachment::ball(entity, at, DVec3::X * x)).id()
    });
    host.run(3);
    let handle = |host: &Host, tie| host.world.get::<AttachmentHandle>(tie).and_then(AttachmentHandle::id);
    let before = [near, far, end].map(|tie| handle(&host, tie));
    let piece = cut(&mut host, entity, RodPoint::Vertex(8)).expect("two");
    host.run(30);
    assert_eq!(
        [near, far, end].map(|tie| handle(&host, tie)),
        before,
        "none was tied anew"
    );
    let of = |tie| *host.world.get::<Attachment>(tie).expect("still tied");
    assert_eq!(of(near).rod, entity);
    assert_eq!([of(far).rod, of(end).rod], [piece; 2]);
    assert_eq!(of(end).at, RodPoint::End);
    // The piece hangs on its two nails.
    assert!(host.pose(piece).positions[8].distance(Vec3::X) < 1e-3);
    // Something of the piece's own tie can still be changed.
    host.change(far, |tie: &mut Attachment| tie.to = DVec3::new(0.75, 0.1, 0.0).into());
    host.run(1);
    assert_eq!(handle(&host, far), before[1]);
    host.world.despawn(piece);
    host.run(2);
    assert!(host.world.get_entity(far).is_err() && host.world.get_entity(end).is_err());
    assert!(host.world.get::<Attachment>(near).is_some());
}

#[test]
fn a_winch_reels_at_its_speed_until_its_limit() {
    let mut host = Host::new();
    let rope = || line(1.0, 16).material(soft(5000.0, 0.001)).pin(0);
    let winch = RodWinch::new(RodEnd::Start, 0.5).between(0.6, 1.4);
    let entity = host.world.spawn((Rod::new(rope()), winch)).id();
    let length = |host: &Host| host.rod(entity).description().rest_length();
    host.run(30);
    // Rest lengths are added up in single precision.
    assert!((length(&host) - 1.25).abs() < 1e-5, "{}", length(&host));
    host.run(60);
    assert!((length(&host) - 1.4).abs() < 1e-5, "{}", length(&host));
    host.change(entity, |winch: &mut RodWinch| winch.speed = -1.0);
    host.run(60);
    assert!((length(&host) - 0.6).abs() < 1e-5, "{}", length(&host));
    host.change(entity, |winch: &mut RodWinch| winch.speed = 0.0);
    host.run(10);
    assert!((length(&host) - 0.6).abs() < 1e-5);
    assert_eq!(host.pose(entity).positions.len(), host.rod(entity).vertex_count());
    assert!(host.pose(entity).positions.len() < 17);
    assert!(host.heard::<WinchStalled>().is_empty());

    let mut world = crate::common::world(settings(1, 8));
    let id = world.insert(built(&rope())).expect("sound");
    for _ in 0..10 {
        let by = 0.5 * f64::from(FRAME);
        world.reel(id, RodEnd::Start, by).expect("sound");
        crate::common::run(&mut world, 1);
    }
    let mut again = Host::new();
    let entity = (again.world)
        .spawn((Rod::new(rope()), RodWinch::new(RodEnd::Start, 0.5)))
        .id();
    again.run(10);
    assert_eq!(again.rods().state_hash(), world.state_hash());
    assert_eq!(
        again.pose(entity).positions.len(),
        crate::common::positions(&world, id).len()
    );
}

#[test]
fn a_winch_that_cannot_turn_says_so_once() {
    let mut host = Host::new();
    let ring = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21)).pin(0);
    let entity = host.world.spawn((Rod::new(ring), RodWinch::new(RodEnd::End, 1.0))).id();
    let mut told = Vec::new();
    for _ in 0..5 {
        host.run(1);
        told.extend(host.heard::<WinchStalled>());
    }
    let error = ReelError::NotAChain;
    assert_eq!(told, [WinchStalled { entity, error }]);
    assert!(
        host.world
            .get::<RodWinch>(entity)
            .is_some_and(|winch| winch.stalled.is_some())
    );
    host.world.entity_mut(entity).insert(Rod::new(rope()));
    host.run(1);
    assert!(
        host.world
            .get::<RodWinch>(entity)
            .is_some_and(|winch| winch.stalled.is_none())
    );
}

#[test]
fn a_rod_at_rest_is_marked_costs_no_copy_and_wakes_when_it_is_told_something() {
    let mut host = Host::new();
    host.world.resource_mut::<RodSettings>().sleep = Some(SleepSettings::default());
    let hanging = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, 8))
        .material(soft(5000.0, 0.01))
        .pin(0);
    let entity = host.world.spawn((Rod::new(hanging), RodDrag(3.0))).id();
    let mut slept = 0;
    for _ in 0..600 {
        host.run(1);
        slept += host.heard::<RodSlept>().len();
    }
    assert_eq!(slept, 1);
    assert!(host.world.get::<RodAsleep>(entity).is_some());
    // The last pose that was written is the one that it sleeps in.
    let rod = host.rod(entity);
    for (v, &place) in host.pose(entity).positions.iter().enumerate() {
        assert_eq!(place, rod.position(v).as_vec3());
    }
    assert_eq!(host.world.resource::<RodDiagnostics>().written, 0);

    host.world.entity_mut(entity).insert(RodForces {
        forces: vec![(8, Vec3::X)],
        torques: Vec::new(),
    });
    host.run(1);
    assert_eq!(host.heard::<RodWoke>(), [RodWoke { entity }]);
    assert!(host.world.get::<RodAsleep>(entity).is_none());
    assert_eq!(host.world.resource::<RodDiagnostics>().written, 1);
    host.run(300);
    assert!(
        host.world.get::<RodAsleep>(entity).is_some(),
        "it rests under the force"
    );
    // The same again is no news.
    host.change(entity, |_: &mut RodForces| ());
    host.run(1);
    assert!(host.world.get::<RodAsleep>(entity).is_some());
    host.world.entity_mut(entity).remove::<RodForces>();
    host.run(1);
    assert!(host.world.get::<RodAsleep>(entity).is_none(), "what held it is gone");
}

#[test]
fn a_replaced_rod_is_awake() {
    let mut host = Host::new();
    let entity = host.world.spawn(Rod::new(rope())).id();
    host.run(1);
    let id = host.id(entity).expect("in");
    let mut rods = host.world.resource_mut::<Rods>();
    rods.rod_mut(id).expect("there").sleep().expect("sound");
    host.run(2);
    assert!(host.world.get::<RodAsleep>(entity).is_some());
    host.world.entity_mut(entity).insert(Rod::new(rope()));
    host.run(3);
    assert!(host.world.get::<RodAsleep>(entity).is_none());
    assert_eq!(host.pose(entity).positions, by_hand(3, |_, _, _| {}));
}
