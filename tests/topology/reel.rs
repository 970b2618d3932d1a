use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::{common::*, support::*};

const LOAD: f64 = 100.0;
const GRAVITY: f64 = 9.81;

/// A rope that hangs with a crate of 100 kg: EA 2e5 N, 0.4 kg/m, 0.25 m segments. The winch is at one of its ends.
fn crane(length: f64, winch: RodEnd, solver: Solver) -> (RodWorld, RodId) {
    let segments = (length / 0.25).round() as u32;
    let material = Material::rigidity(2e5, 1e5, 0.5, 0.5, 0.4).with_damping(Damping::Time(0.01));
    let (top, bottom) = (DVec3::ZERO, DVec3::NEG_Y * length * (1.0 + LOAD * GRAVITY / 2e5));
    let spec = match winch {
        RodEnd::Start => RodSpec::new(Shape::line(top, bottom, segments))
            .pin(0)
            .load(segments, LOAD),
        RodEnd::End => RodSpec::new(Shape::line(bottom, top, segments))
            .pin(segments)
            .load(0, LOAD),
    };
    let spec = spec.rest(RestShape::Curve(vec![DVec3::ZERO, DVec3::Y * length]));
    let mut world = world(settings(1, 16));
    let id = world
        .insert_with(built(&spec.material(material)), with_solver(solver))
        .expect("room");
    (world, id)
}

struct Trace {
    tension: Vec<f64>,
    births: u32,
    deaths: u32,
}

/// Tension at the load while a winch runs, `speed` rising smoothly over the first second: a sudden start would bounce the crate on its rope.
fn winch(world: &mut RodWorld, id: RodId, end: RodEnd, speed: f64, by: f64) -> Trace {
    let mut trace = Trace {
        tension: Vec::new(),
        births: 0,
        deaths: 0,
    };
    let (mut done, mut time) = (0.0, 0.0);
    let start = rod(world, id).description().rest_length();
    while done < by {
        let dt = f64::from(FRAME);
        time += dt;
        let ramp = time.min(1.0);
        let step = (speed.abs() * ramp * ramp * (3.0 - 2.0 * ramp)) * dt;
        done += step;
        let reeled = world.reel(id, end, step * speed.signum()).expect("a sound winch");
        assert!((reeled.by.abs() - step).abs() < 1e-12);
        trace.births += reeled.births;
        trace.deaths += reeled.deaths;
        run(world, 1);
        let now = rod(world, id);
        let rest = now.description().rest_length();
        assert!((rest - start - done * speed.signum()).abs() < 1e-9, "{rest}");
        let (load, winch) = match end {
            RodEnd::Start => (now.segment_count() - 1, 0),
            RodEnd::End => (0, now.segment_count()),
        };
        assert!(now.position(winch).length() < 1e-12, "the winch stays where it is");
        if time > 1.0 {
            trace.tension.push(now.tension(load));
        }
    }
    trace
}

#[test]
fn a_winch_lifts_and_lowers_a_crate_without_a_jerk() {
    for solver in [SOLVERS[0], SOLVERS[2]] {
        for end in [RodEnd::Start, RodEnd::End] {
            for speed in [-1.0, 1.0] {
                let (mut world, id) = crane(if speed < 0.0 { 8.0 } else { 3.0 }, end, solver);
                run(&mut world, 30);
                let trace = winch(&mut world, id, end, speed, 5.0);
                assert_eq!(trace.births + trace.deaths, 20, "5 m in steps of 0.25 m");
                let weight = LOAD * GRAVITY;
                let (mut least, mut most) = (f64::INFINITY, 0.0f64);
                for &tension in &trace.tension {
                    least = least.min(tension);
                    most = most.max(tension);
                }
                // What is left is the crate's bounce after the start, 2%.
                assert!(least > 0.95 * weight && most < 1.05 * weight, "{least} to {most}");
                let lengths = (rod(&world, id).description().segments().iter()).map(|s| s.rest_length);
                assert!(lengths.into_iter().all(|l| (0.125..0.376).contains(&l)));
            }
        }
    }
}

#[test]
fn a_winch_runs_while_the_crate_swings() {
    for speed in [-1.0, 1.0] {
        // The tension follows the swing, by 1% of the weight a frame; a birth or death that showed would be on top of that.
        let (mut world, id) = crane(if speed < 0.0 { 8.0 } else { 3.0 }, RodEnd::Start, SOLVERS[2]);
        let last = rod(&world, id).vertex_count() - 1;
        let mut edit = world.rod_mut(id).expect("there");
        for v in 0..=last {
            edit.set_velocity(v, Vec3::X * 2.0 * v as f32 / last as f32)
                .expect("sound");
        }
        run(&mut world, 30);
        let trace = winch(&mut world, id, RodEnd::Start, speed, 5.0);
        let mut worst = 0.0f64;
        for pair in trace.tension.windows(2) {
            worst = worst.max((pair[1] - pair[0]).abs());
        }
        assert!(worst < 0.03 * LOAD * GRAVITY, "{worst}");
    }
}

/// A rope with nothing on it: what the winch does to the rope itself shows.
#[test]
fn a_bare_rope_does_not_feel_births_and_deaths() {
    for solver in SOLVERS {
        for speed in [-1.0, 1.0] {
            let mut world = world(settings(if solver == Solver::GROOM { 32 } else { 4 }, 16));
            let material = Material::rigidity(2e3, 1e3, 0.01, 0.01, 0.4).with_damping(Damping::Time(0.005));
            let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y * 4.0, 16))
                .pin(0)
                .material(material);
            let id = world.insert_with(built(&spec), with_solver(solver)).expect("room");
            run(&mut world, 240);
            let mut last = None;
            let mut events = 0;
            for frame in 0..130 {
                let ramp = (f64::from(frame) / 60.0).min(1.0);
                let reeled = world.reel(id, RodEnd::Start, speed * ramp * ramp * (3.0 - 2.0 * ramp) / 60.0);
                let reeled = reeled.expect("a sound winch");
                events += reeled.births + reeled.deaths;
                if reeled.births > 0 && frame > 60 {
                    // What is born moves on with the rope: between the winch and the rope it would be jerked to full speed.
                    let [born, next] = [1, 2].map(|v| rod(&world, id).velocity(v).y);
                    assert!((born - next).abs() < 0.02, "{solver:?}: {born} and {next}");
                }
                run(&mut world, 1);
                let now = rod(&world, id);
                // In the middle of the rope, by material: 2 m above its end.
                let s = now.segment_count() - 8;
                let tension = now.tension(s);
                if frame > 90 {
                    let weight = 0.4 * (2.0 - 0.125) * GRAVITY;
                    assert!(
                        (tension / weight - 1.0).abs() < 0.1,
                        "{solver:?} {speed} {frame}: {tension} of {weight}"
                    );
                    let jump: f64 = last.map_or(0.0, |last: f64| (tension - last).abs());
                    assert!(jump < 0.05 * weight, "{solver:?} {speed} {frame}: {jump}");
                }
                last = Some(tension);
            }
            assert!(events >= 6);
        }
    }
}

#[test]
fn mass_and_length_follow_any_amount_at_once() {
    for solver in SOLVERS {
        for end in [RodEnd::Start, RodEnd::End] {
            let mut world = world(settings(1, 8));
            let spec = line(2.0, 8)
                .material(uneven(500.0, [0.02, 0.03], 0.01))
                .clamp_start()
                .clamp_end()
                .load(4, 2.0);
            let id = world.insert_with(built(&spec), with_solver(solver)).expect("room");
            let mut length = 2.0;
            for by in [0.01, 0.12, 0.2, -0.1, 1.3, -1.6, -0.3, 0.05, 2.0, -2.5] {
                let before = rod(&world, id);
                let others = before.vertex_count();
                let (count, places) = (before.segment_count(), positions(&world, id));
                let reeled = world.reel(id, end, by).expect("a sound winch");
                length += reeled.by;
                assert_eq!(reeled.by, by);
                let now = rod(&world, id);
                let description = now.description();
                assert_eq!(
                    now.segment_count(),
                    count + reeled.births as usize - reeled.deaths as usize
                );
                assert!((description.rest_length() - length).abs() < 1e-12);
                assert!((description.mass() - length - 2.0).abs() < 1e-12, "1 kg/m and the load");
                // What is not at the winch did not move, and the ends are where they were.
                let kept = others - 1 - reeled.deaths as usize;
                let after = positions(&world, id);
                match end {
                    RodEnd::Start => assert_eq!(after[after.len() - kept..], places[others - kept..]),
                    RodEnd::End => assert_eq!(after[..kept], places[..kept]),
                }
                assert_eq!((after[0], after[after.len() - 1]), (places[0], places[others - 1]));
                for s in description.segments() {
                    assert!((0.125..=0.375 + 1e-9).contains(&s.rest_length), "{}", s.rest_length);
                }
                for (j, joint) in description.joints().iter().enumerate() {
                    let halves = description.segments()[j].rest_length + description.segments()[j + 1].rest_length;
                    assert!((joint.length - halves / 2.0).abs() < 1e-12);
                }
                assert_eq!(description.clamps().len(), 2);
                run(&mut world, 2);
                assert!(positions(&world, id).iter().all(|p| p.is_finite()));
            }
        }
    }
}

#[test]
fn material_points_keep_their_place_in_the_rope() {
    for end in [RodEnd::Start, RodEnd::End] {
        for by in [0.03, -0.03, 0.7, -0.7, 0.2, -0.2] {
            let mut world = world(settings(1, 8));
            let id = world.insert(built(&line(2.0, 8).pin(0))).expect("room");
            world.reel(id, end, 0.05).expect("a sound winch");
            // Metres of rest length from the far end.
            let from_far = |world: &RodWorld, segment: u32, along: f64| {
                let rod = rod(world, id).description().clone();
                let arc =
                    rod.arc_length(segment).expect("a vertex") + along * rod.segments()[segment as usize].rest_length;
                if end == RodEnd::Start {
                    rod.rest_length() - arc
                } else {
                    arc
                }
            };
            let points: Vec<(u32, f64, f64)> = (0..8u32)
                .flat_map(|s| [0.1, 0.6, 1.0].map(|along| (s, along)))
                .map(|(s, along)| (s, along, from_far(&world, s, along)))
                .collect();
            let reeled = world.reel(id, end, by).expect("a sound winch");
            let whole = rod(&world, id).description().rest_length();
            for (s, along, arc) in points {
                let (now, segment, along) = reeled.map(s, along).expect("a segment");
                assert_eq!(now, id);
                assert!((0.0..=1.0).contains(&along));
                let expected = arc.min(whole);
                let found = from_far(&world, segment, along);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{end:?} {by} {s}: {found} is not {expected}"
                );
            }
            assert_eq!(reeled.map(8, 0.5), None);
        }
    }
}

#[test]
fn a_rope_gets_no_shorter_than_half_a_segment() {
    let mut world = world(settings(1, 8));
    let id = world.insert(built(&line(1.0, 8).pin(0))).expect("room");
    let reeled = world.reel(id, RodEnd::Start, -5.0).expect("as far as it goes");
    assert!((reeled.by + 0.9375).abs() < 1e-12);
    assert_eq!((reeled.deaths, rod(&world, id).segment_count()), (7, 1));
    let hash = world.state_hash();
    let reeled = world.reel(id, RodEnd::Start, -0.1).expect("no farther");
    assert_eq!((reeled.by, reeled.deaths, reeled.births), (0.0, 0, 0));
    assert_eq!(world.state_hash(), hash);
    run(&mut world, 10);
    let reeled = world.reel(id, RodEnd::End, 1.0).expect("and out again");
    assert_eq!((reeled.by, reeled.births), (1.0, 7));
    run(&mut world, 10);
    assert!(positions(&world, id).iter().all(|p| p.is_finite()));
}

#[test]
fn what_can_not_be_reeled_is_left_as_it_is() {
    let mut world = world(settings(1, 8));
    let id = world.insert(built(&line(1.0, 8).pin(0).load(1, 2.0))).expect("room");
    let ring = world
        .insert(built(&RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21))))
        .expect("room");
    let held = world.insert(built(&line(1.0, 8).pin(0).pin(1))).expect("room");
    let broken = world.insert(built(&line(1.0, 8).pin(0))).expect("room");
    world.rod_mut(broken).expect("there").break_segment(1).expect("sound");
    run(&mut world, 3);
    let hash = world.state_hash();
    let start = RodEnd::Start;
    assert_eq!(world.reel(id, start, -0.1), Err(ReelError::Blocked { vertex: 1 }));
    assert_eq!(world.reel(held, start, -0.1), Err(ReelError::Blocked { vertex: 1 }));
    assert_eq!(world.reel(broken, start, -0.1), Err(ReelError::Broken { segment: 1 }));
    assert_eq!(world.reel(ring, start, -0.1), Err(ReelError::NotAChain));
    assert!(matches!(
        world.reel(id, start, f64::NAN),
        Err(ReelError::BadLength { .. })
    ));
    assert!(matches!(
        world.reel(id, start, f64::INFINITY),
        Err(ReelError::BadLength { .. })
    ));
    assert!(matches!(world.reel(id, start, 1e12), Err(ReelError::TooLong { .. })));
    assert!(matches!(world.reel(id, start, 1e300), Err(ReelError::TooLong { .. })));
    assert_eq!(world.state_hash(), hash);
    // From the other end there is nothing in the way.
    assert!(world.reel(id, RodEnd::End, -0.1).is_ok());
    world.remove(id);
    assert_eq!(world.reel(id, start, 0.1), Err(ReelError::Missing));
    let (mut world, id) = quarantined();
    assert_eq!(world.reel(id, start, 0.1), Err(ReelError::Quarantined));
}

#[test]
fn the_others_in_the_block_do_not_notice_a_winch() {
    for solver in SOLVERS {
        let shapes = |reel: bool| {
            let mut world = world(settings(2, 6));
            let ids: Vec<RodId> = (0..6)
                .map(|i| {
                    let options = RodOptions { solver, ..placed(i) };
                    let rope = line(1.0, 16).material(uneven(200.0, [0.01, 0.02], 0.03)).pin(0);
                    world.insert_with(built(&rope), options).expect("room")
                })
                .collect();
            for _ in 0..30 {
                if reel {
                    world.reel(ids[2], RodEnd::Start, 0.01).expect("a sound winch");
                }
                run(&mut world, 1);
            }
            [0, 1, 3, 4, 5].map(|i| positions(&world, ids[i]))
        };
        assert_eq!(shapes(true), shapes(false));
    }
}
