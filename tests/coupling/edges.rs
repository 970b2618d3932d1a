//! Bodies and ties at the edges of what they are meant for: axles, fast spins, light bodies, and rods that change under their ties.

use glam::{DMat3, DQuat, DVec3, Vec3};
use lariat::prelude::*;

use super::{
    bodies::{Bodies, run},
    common::{FRAME, apart, built, positions, rod, settings, world},
};

fn rope(segments: u32) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, segments))
        .material(Material::rigidity(2e4, 2e4, 0.02, 0.02, 0.2))
        .radius(0.005)
}

fn to(body: BodyId, anchor: DVec3) -> TieTo {
    TieTo::Body { body, anchor }
}

/// A weight on the rim of a wheel: `α = m g r / (m r² + I)`, whichever way the axle points.
#[test]
fn a_wheel_turns_about_its_axle() {
    let (radius, load, moment) = (0.5, 2.0, 5.0);
    for axle in [DVec3::Z, DVec3::new(0.6, 0.64, 0.48), DVec3::ONE] {
        let axle = axle.normalize();
        let side = axle.any_orthonormal_vector();
        let down = axle.cross(side);
        let rim = side * radius;
        let mut world = world(Settings {
            gravity: Vec3::ZERO,
            ..settings(1, 8)
        });
        let spec = RodSpec::new(Shape::line(rim, rim + down, 8))
            .material(Material::rigidity(1e5, 1e5, 0.0, 0.0, 0.001))
            .radius(0.005);
        let id = world.insert(built(&spec)).expect("a rod");
        let mut bodies = Bodies::new();
        let turns = DMat3::from_cols(axle * axle.x, axle * axle.y, axle * axle.z);
        let wheel = BodyState {
            inverse_inertia: turns * (1.0 / moment),
            ..BodyState::fixed(DVec3::ZERO, DQuat::IDENTITY)
        };
        bodies.bodies.insert(1, wheel);
        let weight = bodies.ball(2, rim + down * 1.05, load, 0.05);
        bodies.get_mut(weight).acceleration = down * 9.81;
        for (at, body, anchor) in [(RodPoint::Start, BodyId(1), rim), (RodPoint::End, weight, down * -0.05)] {
            (world.attach(AttachmentSpec::ball(id, at, to(body, anchor)))).expect("a tie");
        }
        run(&mut world, &mut bodies, 12);
        let spin = bodies.get(BodyId(1)).angular_velocity;
        let expected = 9.81 * load * radius / (load * radius * radius + moment) * 0.2;
        // In that time it turns by 0.04 rad, whose cosine shortens the arm by 1e-3 at the end.
        assert!(
            (spin.dot(axle) / expected - 1.0).abs() < 1e-3,
            "{axle}: {spin}, {expected}"
        );
        assert!((spin - axle * spin.dot(axle)).length() < 1e-9, "{axle}: {spin}");
    }
}

/// A rope that is tied to the middle of a body leaves its spin alone, however many turns it makes in a frame.
#[test]
fn fast_spins_are_kept() {
    for spin in [150.0, 200.0, 400.0, 1e4, 1e6] {
        for integrator in [Integrator::Euler, Integrator::Bdf2] {
            let mut world = world(Settings {
                gravity: Vec3::ZERO,
                ..settings(1, 8)
            });
            let options = RodOptions {
                solver: Solver::Direct { integrator },
                ..RodOptions::default()
            };
            let id = world.insert_with(built(&rope(8)), options).expect("a rod");
            let mut bodies = Bodies::new();
            let ball = bodies.ball(1, DVec3::ZERO, 1.0, 0.1);
            bodies.get_mut(ball).acceleration = DVec3::ZERO;
            bodies.get_mut(ball).angular_velocity = DVec3::X * spin;
            (world.attach(AttachmentSpec::ball(id, RodPoint::Start, to(ball, DVec3::ZERO)))).expect("a tie");
            run(&mut world, &mut bodies, 10);
            let now = bodies.get(ball).angular_velocity;
            assert!(
                now.distance(DVec3::X * spin) < 1e-9 * spin,
                "{integrator:?} {spin}: {now}"
            );
            assert!(!rod(&world, id).is_quarantined());
        }
    }
}

/// A hand is never stronger than it is, moved as it may be.
#[test]
fn a_grab_pulls_no_harder_than_it_may() {
    for stiffness in [Some(AttachmentSpec::GRAB_STIFFNESS), None] {
        for solver in [Solver::default(), Solver::GROOM] {
            let groom = solver == Solver::GROOM;
            let mut world = world(settings(if groom { 16 } else { 1 }, 8));
            let options = RodOptions {
                solver,
                ..RodOptions::default()
            };
            let id = world.insert_with(built(&rope(8).pin(0)), options).expect("a rod");
            let grab = AttachmentSpec::grab(id, RodPoint::End, DVec3::X, 5.0);
            let tie = (world.attach(AttachmentSpec { stiffness, ..grab })).expect("a grab");
            for n in 0..240 {
                let t = f64::from(n);
                let place = DVec3::new(0.5 + (0.1 * t).sin(), 0.8, (0.13 * t).cos());
                world.move_attachment(tie, place).expect("it is there");
                world.step(FRAME).expect("a step");
                let force = world.attachment(tie).expect("the grab").force.length();
                // Stable Cosserat holds the stiffness of the start of a substep, during which a point may go away from the hand.
                let most = if groom { 8.0 } else { 5.0 + 1e-9 };
                assert!(force < most, "{solver:?} {stiffness:?}, frame {n}: {force} N");
            }
        }
    }
}

/// A place that moves is led over the substeps as a pin is.
#[test]
fn a_place_is_led_evenly() {
    let [mut pinned, mut tied] = [(); 2].map(|()| world(settings(4, 20)));
    let a = pinned.insert(built(&rope(8).pin(0))).expect("a rod");
    let b = tied.insert(built(&rope(8))).expect("a rod");
    let tie = (tied.attach(AttachmentSpec::ball(b, RodPoint::Start, TieTo::Point(DVec3::ZERO)))).expect("a tie");
    for n in 1..=60 {
        let place = DVec3::Z * (0.05 * f64::from(n));
        let mut rod = pinned.rod_mut(a).expect("the rod");
        rod.set_target(0, place).expect("a target");
        tied.move_attachment(tie, place).expect("it is there");
        pinned.step(FRAME).expect("a step");
        tied.step(FRAME).expect("a step");
        // The tie gives by a hundredth of what a segment does: 2 N on 1.6e5 N/m are 1e-7 m of it.
        let off = apart(&positions(&pinned, a), &positions(&tied, b));
        assert!(off < 1e-4, "frame {n}: {off} m");
    }
}

/// Islands are made for rods as they are, however often those are made anew between two steps.
#[test]
fn rods_may_be_remade_several_times_between_steps() {
    for round in 0..20 {
        let mut world = world(settings(1, 6));
        let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 4.0, 40))
            .material(Material::rigidity(2e4, 2e4, 0.02, 0.02, 0.2))
            .radius(0.005);
        let id = world.insert(built(&spec.pin(0))).expect("a rod");
        let mut bodies = Bodies::new();
        let ball = bodies.ball(1, DVec3::ZERO, 1.0, 0.1);
        (world.attach(AttachmentSpec::ball(id, RodPoint::Start, to(ball, DVec3::ZERO)))).expect("a tie");
        for frame in 0..60 {
            for _ in 0..1 + (frame + round) % 4 {
                let length = rod(&world, id).description().rest_length();
                match frame % 3 {
                    0 => drop(world.reel(id, RodEnd::End, 0.1).expect("it grows")),
                    1 => drop(world.reel(id, RodEnd::End, -0.15).expect("it shrinks")),
                    // In the end there is nothing left to cut.
                    _ => drop(world.cut(id, RodPoint::Arc(length - 0.12))),
                }
            }
            run(&mut world, &mut bodies, 1);
            assert!(!rod(&world, id).is_quarantined());
        }
    }
}

/// What a rod is tied to may move at any time: it stays awake, whoever else does.
#[test]
fn tied_rods_do_not_sleep() {
    let ends = [false, true].map(|company| {
        let mut world = world(settings(1, 8));
        let id = world.insert(built(&rope(8).pin(0))).expect("a rod");
        if company {
            world.insert(built(&rope(8).pin(0))).expect("a rod");
        }
        let mut bodies = Bodies::new();
        let ball = bodies.ball(1, DVec3::X * 1.1, 1.0, 0.1);
        (world.attach(AttachmentSpec::ball(id, RodPoint::End, to(ball, DVec3::X * -0.1)))).expect("a tie");
        run(&mut world, &mut bodies, 5);
        world.rod_mut(id).expect("the rod").sleep().expect("not frozen");
        run(&mut world, &mut bodies, 20);
        assert!(!rod(&world, id).is_asleep());
        bodies.get(ball).position
    });
    assert!(ends[0].y < -0.3, "{}", ends[0]);
    assert_eq!(ends[0], ends[1]);
}

/// A weld at the winch is as stiff as half of the segment there, which a winch makes longer.
#[test]
fn a_weld_follows_the_winch() {
    let wire = |length: f64, first: f64| {
        let mut points: Vec<DVec3> = (0..8).map(|k| DVec3::X * (first + 0.125 * f64::from(k))).collect();
        points.insert(0, DVec3::ZERO);
        assert!((points[8].x - length).abs() < 1e-12);
        RodSpec::new(Shape::polyline(points))
            .material(Material::rigidity(1e6, 1e6, 5.0, 5.0, 1.0))
            .radius(0.005)
    };
    let tips = [(1.0, 0.125, 11), (1.055, 0.18, 0)].map(|(length, first, frames)| {
        let mut world = world(settings(1, 8));
        let options = RodOptions {
            drag: 5.0,
            ..RodOptions::default()
        };
        let id = world.insert_with(built(&wire(length, first)), options).expect("a rod");
        let mut bodies = Bodies::new();
        bodies.bodies.insert(1, BodyState::fixed(DVec3::ZERO, DQuat::IDENTITY));
        (world.attach(AttachmentSpec::weld(id, RodPoint::Start, to(BodyId(1), DVec3::ZERO)))).expect("a weld");
        run(&mut world, &mut bodies, 1);
        for _ in 0..frames {
            world.reel(id, RodEnd::Start, 0.005).expect("it grows");
            run(&mut world, &mut bodies, 1);
        }
        run(&mut world, &mut bodies, 900);
        rod(&world, id).position(8)
    });
    // It comes to rest; the half that the weld bends is a tenth of what the tip sinks by, 0.3 m.
    assert!(tips[0].distance(tips[1]) < 3e-3, "{tips:?}");
}

/// The tie on a segment that breaks goes with the nearer end: nothing pulls at the other one.
#[test]
fn a_tie_on_a_broken_segment_holds_the_nearer_end() {
    for (at, falls) in [(0.57, true), (0.53, false)] {
        for solver in [Solver::default(), Solver::GROOM] {
            let mut world = world(settings(if solver == Solver::GROOM { 16 } else { 1 }, 8));
            let options = RodOptions {
                solver,
                ..RodOptions::default()
            };
            let id = world.insert_with(built(&rope(10).pin(0)), options).expect("a rod");
            let mut bodies = Bodies::new();
            let ball = bodies.ball(1, DVec3::X * at, 1.0, 0.1);
            (world.attach(AttachmentSpec::ball(id, RodPoint::Arc(at), to(ball, DVec3::ZERO)))).expect("a tie");
            run(&mut world, &mut bodies, 30);
            let mut held = world.rod_mut(id).expect("the rod");
            held.break_segment(5).expect("it breaks");
            run(&mut world, &mut bodies, 60);
            let (place, rod) = (bodies.get(ball).position, rod(&world, id));
            let end = rod.position(if falls { 6 } else { 5 });
            assert!(place.distance(end) < 1e-3, "{solver:?} {at}: {place} {end}");
            assert_eq!(place.y < -3.0, falls, "{solver:?} {at}: {place}");
        }
    }
}

/// Welds of Stable Cosserat hold bodies of any weight beside the rod's, by an arm.
#[test]
fn welds_hold_light_and_heavy_bodies() {
    let material = Material {
        stiffness: Stiffness::Rigidity {
            ea: 1e5,
            ga: 1e5,
            ei: [0.5, 5.0],
            gj: 1.0,
        },
        ..Material::rigidity(1e5, 1e5, 0.5, 0.5, 0.2)
    };
    for solver in [Solver::default(), Solver::GROOM] {
        for (at, x) in [
            (RodPoint::End, 1.0),
            (RodPoint::Start, 0.0),
            (RodPoint::Arc(0.35), 0.35),
        ] {
            for mass in [2e-6, 1e-3, 1.0] {
                let mut world = world(settings(if solver == Solver::GROOM { 16 } else { 1 }, 8));
                let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 10)).material(material);
                let options = RodOptions {
                    solver,
                    ..RodOptions::default()
                };
                let id = world
                    .insert_with(built(&spec.radius(0.005).pin(5)), options)
                    .expect("a rod");
                let mut bodies = Bodies::new();
                let arm = DVec3::new(0.0, 0.05, 0.1);
                let inertia = DVec3::new(1.0, 2.0, 1.5) * (mass * 1e-3);
                let body = bodies.solid(1, DVec3::X * x + arm, mass, inertia);
                (world.attach(AttachmentSpec::weld(id, at, to(body, -arm)))).expect("a weld");
                for _ in 0..120 {
                    run(&mut world, &mut bodies, 1);
                    let (_, tie) = world.attachments().next().expect("the weld");
                    let what = format!("{solver:?} {at:?} {mass} kg: {} m, {} rad", tie.gap.length(), tie.angle);
                    assert!(tie.gap.length() < 1e-4, "{what}");
                    // At an end half a segment bends: 1 kg by an arm of 0.1 m and swinging against 0.5 N·m² / 0.05 m.
                    assert!(tie.angle < 0.02 || (mass == 1.0 && tie.angle < 0.2), "{what}");
                    assert!(bodies.get(body).angular_velocity.length() < 30.0, "{what}");
                }
            }
        }
    }
}

/// A ball between two vertices lets the rod turn as one at a vertex does.
#[test]
fn a_ball_inside_a_segment_lets_it_turn() {
    // Few sweeps turn a stiff wire slowly, so that the two solvers are not compared with each other.
    for (solver, least) in [(Solver::default(), 0.15), (Solver::GROOM, 0.015)] {
        for x in [0.1, 0.11] {
            let mut world = world(settings(if solver == Solver::GROOM { 16 } else { 1 }, 8));
            let wire = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 0.3, 6))
                .material(Material::rigidity(1e3, 1e3, 5.0, 5.0, 0.1))
                .radius(0.005);
            let options = RodOptions {
                solver,
                ..RodOptions::default()
            };
            let id = world.insert_with(built(&wire), options).expect("a rod");
            let nail = TieTo::Point(DVec3::X * x);
            let tie = (world.attach(AttachmentSpec::ball(id, RodPoint::Arc(x), nail))).expect("a tie");
            run(&mut world, &mut Bodies::new(), 20);
            let (tip, gap) = (rod(&world, id).position(6), world.attachment(tie).expect("the tie").gap);
            assert!(tip.y < -least && gap.length() < 1e-4, "{solver:?} {x}: {tip} {gap}");
        }
    }
}

/// A bar that is held to a body by two balls and a weld falls and turns with it: the ties do not work against one another.
#[test]
fn several_ties_on_one_segment_agree() {
    for solver in [Solver::default(), Solver::GROOM] {
        let mut world = world(settings(if solver == Solver::GROOM { 16 } else { 1 }, 8));
        let options = RodOptions {
            solver,
            ..RodOptions::default()
        };
        let id = world.insert_with(built(&rope(1)), options).expect("a rod");
        let mut bodies = Bodies::new();
        let ball = bodies.ball(1, DVec3::new(0.5, 0.2, 0.0), 1.0, 0.1);
        bodies.get_mut(ball).angular_velocity = DVec3::new(0.0, 0.5, 0.0);
        for (kind, x) in [(Tie::Ball, 0.4), (Tie::Ball, 0.6), (Tie::Weld, 0.5)] {
            let spec = AttachmentSpec::ball(id, RodPoint::Arc(x), to(ball, DVec3::new(x - 0.5, -0.2, 0.0)));
            world.attach(AttachmentSpec { kind, ..spec }).expect("a tie");
        }
        for frame in 0..240 {
            run(&mut world, &mut bodies, 1);
            for (_, tie) in world.attachments() {
                let what = format!("{solver:?}, frame {frame}: {} m, {}", tie.gap.length(), tie.force);
                // The bar of 0.2 kg does not turn yet: 0.5 rad/s at half a metre is a blow of 0.05 N·s, and then some N of centripetal force.
                assert!(tie.gap.length() < 1e-3, "{what}");
                assert!(frame < 10 || tie.force.length() < 2.0, "{what}");
            }
        }
    }
}
