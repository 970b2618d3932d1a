//! What attachments hold, when they let go, and what moves along with them.

use glam::{DQuat, DVec3};
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{FRAME, built, rod, settings, world},
};

const SOLVERS: [Solver; 3] = [
    Solver::Direct {
        integrator: Integrator::Euler,
    },
    Solver::GROOM,
    Solver::Elastic {
        curvature: Curvature::BothFrames,
    },
];

fn rope(segments: u32) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, segments))
        .material(Material::rigidity(2e4, 2e4, 0.02, 0.02, 0.2))
        .radius(0.005)
}

fn put(solver: Solver, spec: &RodSpec) -> (RodWorld, RodId) {
    // Bodies are lumped onto the vertices of rods that Direct does not move.
    let substeps = if solver == SOLVERS[0] { 1 } else { 16 };
    let mut world = world(settings(substeps, 8));
    let options = RodOptions {
        solver,
        drag: 0.5,
        ..RodOptions::default()
    };
    let id = world.insert_with(built(spec), options).expect("a rod");
    (world, id)
}

/// A point between two vertices follows the place that it is tied to.
#[test]
fn any_point_can_be_held() {
    for solver in SOLVERS {
        let (mut world, id) = put(solver, &rope(10));
        let at = RodPoint::Arc(0.43);
        let tie =
            (world.attach(AttachmentSpec::ball(id, at, TieTo::Point(DVec3::new(0.43, 0.0, 0.0))))).expect("a tie");
        let mut bodies = Bodies::new();
        for frame in 0..120 {
            let place = DVec3::new(0.43, 0.002 * f64::from(frame), 0.001 * f64::from(frame));
            world.move_attachment(tie, place).expect("it is there");
            run(&mut world, &mut bodies, 1);
            let rod = rod(&world, id);
            let held = rod.position(4).lerp(rod.position(5), 0.3);
            // Rigid means a hundredth of what a segment gives: 2 N on 2e5 N/m. Stable Cosserat is led a little behind.
            assert!(held.distance(place) < 2e-4, "{solver:?}, frame {frame}: {held} {place}");
        }
        run(&mut world, &mut bodies, 900);
        let hangs = world.attachment(tie).expect("the tie").force;
        // The nail carries the rope once it hangs still: drag leaves e^{−7.5/2} of its swing, whose pull goes with the square of it.
        assert!((hangs.y + 0.2 * 9.81).abs() < 0.02, "{solver:?}: {hangs}");
        assert!(world.detach(tie).is_some() && world.detach(tie).is_none());
        run(&mut world, &mut bodies, 30);
        assert!(rod(&world, id).position(4).y < -0.5, "{solver:?}: it falls");
    }
}

/// A weld to a turning body turns a stiff rod along; a ball lets it hang.
#[test]
fn welds_turn_with_their_body() {
    for solver in SOLVERS {
        for (kind, turns) in [(Tie::Weld, true), (Tie::Ball, false)] {
            let wire = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 0.3, 6))
                .material(Material::rigidity(1e4, 1e4, 5.0, 5.0, 0.1))
                .radius(0.005);
            let (mut world, id) = put(solver, &wire);
            let mut bodies = Bodies::new();
            bodies.bodies.insert(4, BodyState::fixed(DVec3::ZERO, DQuat::IDENTITY));
            let to = TieTo::Body {
                body: BodyId(4),
                anchor: DVec3::ZERO,
            };
            let spec = AttachmentSpec {
                kind,
                ..AttachmentSpec::ball(id, RodPoint::Start, to)
            };
            world.attach(spec).expect("a tie");
            // A quarter turn up in a second, then rest.
            for frame in 0..600 {
                let rate = if frame < 60 { std::f64::consts::FRAC_PI_2 } else { 0.0 };
                bodies.get_mut(BodyId(4)).angular_velocity = DVec3::Z * rate;
                run(&mut world, &mut bodies, 1);
            }
            let tip = rod(&world, id).position(6);
            // Its own weight bends it by ρ g L⁴ / 8 EI = 0.2 mm, and upright not at all.
            let expected = if turns { DVec3::Y * 0.3 } else { DVec3::Y * -0.3 };
            assert!(tip.distance(expected) < 0.02, "{solver:?} {kind:?}: {tip}");
        }
    }
}

/// A welded end bends like a clamped one: the cantilever of a body that does not move.
#[test]
fn a_weld_at_the_end_is_a_clamp() {
    let wire = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8))
        .material(Material::rigidity(1e6, 1e6, 20.0, 20.0, 1.0))
        .radius(0.005);
    let mut clamped = world(settings(1, 8));
    let a = clamped.insert(built(&wire.clone().clamp_start())).expect("a rod");
    let (mut welded, b) = put(SOLVERS[0], &wire);
    welded.rod_mut(b).expect("the rod").set_drag(0.0).expect("a drag");
    let mut bodies = Bodies::new();
    let turned = DQuat::from_rotation_x(0.7);
    bodies
        .bodies
        .insert(1, BodyState::fixed(DVec3::new(0.1, 0.2, 0.3), turned));
    let anchor = turned.conjugate() * -DVec3::new(0.1, 0.2, 0.3);
    let to = TieTo::Body {
        body: BodyId(1),
        anchor,
    };
    welded
        .attach(AttachmentSpec::weld(b, RodPoint::Start, to))
        .expect("a weld");
    for frame in 0..240 {
        clamped.step(FRAME).expect("a step");
        run(&mut welded, &mut bodies, 1);
        let (a, b) = (rod(&clamped, a).position(8), rod(&welded, b).position(8));
        // The end itself gives by a hundredth of a segment's stretch.
        assert!(a.distance(b) < 1e-4, "frame {frame}: {a} {b}");
    }
    assert!(rod(&clamped, a).position(8).y < -0.03);
}

/// Two ropes on one crate share its weight; a rope between two crates carries the lower one.
#[test]
fn several_ropes_and_several_bodies() {
    for solver in SOLVERS {
        let line = |from: DVec3| {
            RodSpec::new(Shape::line(from, from - DVec3::Y, 8))
                .material(Material::rigidity(2e4, 2e4, 0.01, 0.01, 0.1))
                .radius(0.005)
        };
        let (mut world, a) = put(solver, &line(-DVec3::X * 0.3).pin(0));
        let options = RodOptions {
            solver,
            drag: 0.5,
            ..RodOptions::default()
        };
        let mut insert = |spec: RodSpec| world.insert_with(built(&spec), options).expect("a rod");
        let b = insert(line(DVec3::X * 0.3).pin(0));
        let c = insert(line(-DVec3::Y * 1.2));
        let mut bodies = Bodies::new();
        let upper = bodies.ball(1, -DVec3::Y * 1.1, 2.0, 0.3);
        let lower = bodies.ball(2, -DVec3::Y * 2.3, 3.0, 0.1);
        let mut tie = |rod, at, body, anchor| {
            let to = TieTo::Body { body, anchor };
            world.attach(AttachmentSpec::ball(rod, at, to)).expect("a tie")
        };
        let left = tie(a, RodPoint::End, upper, DVec3::new(-0.3, 0.1, 0.0));
        let right = tie(b, RodPoint::End, upper, DVec3::new(0.3, 0.1, 0.0));
        let below = tie(c, RodPoint::Start, upper, DVec3::new(0.0, -0.1, 0.0));
        let hung = tie(c, RodPoint::End, lower, DVec3::new(0.0, 0.1, 0.0));
        run(&mut world, &mut bodies, 900);
        let pull = |id| world.attachment(id).expect("the tie").force.y;
        let g = 9.81;
        for (id, expected) in [(left, 2.55 * g), (right, 2.55 * g), (below, -3.1 * g), (hung, 3.0 * g)] {
            let force = pull(id);
            assert!(
                (force - expected).abs() < 0.02 * expected.abs(),
                "{solver:?}: {force} N, not {expected} N"
            );
        }
        assert!(bodies.get(upper).linear_velocity.length() < 5e-3, "{solver:?}");
    }
}

/// What is pulled too hard lets go, once, and says so.
#[test]
fn attachments_break() {
    for solver in SOLVERS {
        let (mut world, id) = put(solver, &rope(10).pin(0));
        let mut bodies = Bodies::new();
        let ball = bodies.ball(1, DVec3::X * 1.1, 5.0, 0.1);
        let to = TieTo::Body {
            body: ball,
            anchor: -DVec3::X * 0.1,
        };
        let tie = AttachmentSpec {
            break_force: 60.0,
            ..AttachmentSpec::ball(id, RodPoint::End, to)
        };
        let tie = world.attach(tie).expect("a tie");
        let mut broke = Vec::new();
        for _ in 0..120 {
            run(&mut world, &mut bodies, 1);
            broke.extend(world.drain_events().filter_map(|event| match event {
                Event::AttachmentBroke { attachment, rod, force } => Some((attachment, rod, force)),
                _ => None,
            }));
        }
        // Swinging down it would carry up to three times its weight, 147 N.
        assert_eq!(broke.len(), 1, "{solver:?}");
        assert_eq!((broke[0].0, broke[0].1), (tie, id), "{solver:?}");
        assert!(broke[0].2 > 60.0 && broke[0].2 < 150.0, "{solver:?}: {}", broke[0].2);
        assert!(world.attachment(tie).is_none());
        assert!(bodies.get(ball).position.y < -5.0, "{solver:?}: the ball falls");
    }
}

/// A hand drags with no more force than it has.
#[test]
fn a_grab_gives_way() {
    for solver in SOLVERS {
        let (mut world, id) = put(solver, &rope(10).pin(0));
        let spec = AttachmentSpec::grab(id, RodPoint::End, DVec3::new(2.0, 0.0, 0.0), 15.0);
        let grab = world.attach(spec).expect("a grab");
        let mut bodies = Bodies::new();
        run(&mut world, &mut bodies, 240);
        let force = world.attachment(grab).expect("the grab").force.length();
        assert!((force - 15.0).abs() < 0.5, "{solver:?}: {force} N");
        let stretch = rod(&world, id).stretch();
        // 15 N pull, less half the rope's weight across it: EA = 2e4 N.
        assert!((stretch - 15.0 / 2e4).abs() < 2e-4, "{solver:?}: {stretch}");
    }
}

/// A cut takes the load along with its piece.
#[test]
fn a_cut_keeps_what_is_tied() {
    let (mut world, id) = put(SOLVERS[0], &rope(10).pin(0));
    let mut bodies = Bodies::new();
    let ball = bodies.ball(1, DVec3::X * 1.1, 5.0, 0.1);
    let to = TieTo::Body {
        body: ball,
        anchor: -DVec3::X * 0.1,
    };
    let tie = world
        .attach(AttachmentSpec::ball(id, RodPoint::End, to))
        .expect("a tie");
    run(&mut world, &mut bodies, 20);
    let cut = world.cut(id, RodPoint::Arc(0.47)).expect("a cut");
    let piece = cut.piece.expect("a piece");
    run(&mut world, &mut bodies, 60);
    let state = world.attachment(tie).expect("the tie");
    assert_eq!(state.rod, piece);
    let (end, body) = (rod(&world, piece), bodies.get(ball));
    let anchor = body.position + body.orientation * (-DVec3::X * 0.1);
    let last = end.vertex_count() - 1;
    assert!(end.position(last).distance(anchor) < 1e-3);
    assert!(body.position.y < -3.0, "it falls with its piece");
    assert!(rod(&world, id).position(0).length() < 1e-6);
}

/// Debug lines show where a rod is tied.
#[test]
fn ties_are_drawn() {
    let (mut world, id) = put(SOLVERS[0], &rope(10).pin(0));
    let count = |world: &RodWorld| {
        let mut lines = Vec::new();
        let options = lariat::render::DebugOptions::default();
        lariat::render::draw(world, &options, &mut |a: glam::Vec3, b: glam::Vec3, _: [f32; 4]| {
            lines.push((a, b))
        });
        lines
    };
    let before = count(&world).len();
    let place = DVec3::new(0.5, 0.3, 0.0);
    world
        .attach(AttachmentSpec::grab(id, RodPoint::Arc(0.5), place, 1.0))
        .expect("a grab");
    run(&mut world, &mut Bodies::new(), 1);
    let after = count(&world);
    assert!(after.len() > before);
    assert!(
        after.iter().any(|(_, b)| b.distance(place.as_vec3()) < 1e-3),
        "a line ends where the hand is"
    );
}
