use glam::{DVec3, Vec3};
use lariat::prelude::*;
use proptest::prelude::*;

use crate::{common::*, support::*};

/// A swinging rope with everything on it.
fn swinging(solver: Solver) -> (RodWorld, RodId) {
    let mut world = world(settings(2, 6));
    let rope = line(2.0, 20)
        .material(soft(400.0, 0.02))
        .pin(0)
        .load(20, 0.5)
        .load(4, 0.3);
    let id = world.insert_with(built(&rope), with_solver(solver)).expect("room");
    run(&mut world, 20);
    (world, id)
}

#[test]
fn a_chain_cut_inside_a_segment_keeps_mass_momentum_strain_and_frames() {
    for solver in SOLVERS {
        let (mut world, id) = swinging(solver);
        let before = sum(&world, [id]);
        let old = rod(&world, id);
        let strains: Vec<f64> = (0..20).map(|s| old.segment_strain(s)).collect();
        let frames: Vec<_> = (0..20).map(|s| old.orientation(s)).collect();
        let places = positions(&world, id);
        let cut = world.cut(id, RodPoint::Arc(1.24)).expect("a sound cut");
        let piece = cut.piece.expect("two pieces");
        assert_eq!(
            world.drain_events().last(),
            Some(Event::Cut {
                rod: id,
                piece: Some(piece)
            })
        );
        conserved(&before, &sum(&world, [id, piece]));
        let (first, second) = (rod(&world, id), rod(&world, piece));
        for half in [first, second] {
            assert_eq!(half.description().topology(), Topology::Chain);
        }
        assert_eq!((first.segment_count(), second.segment_count()), (13, 8));
        assert!((first.description().rest_length() - 1.24).abs() < 1e-12);
        // The stubs are as strained as the segment was, to the rounding of two rest lengths.
        for s in 0..20 {
            for along in [0.2, 0.9] {
                let (now, segment, _) = cut.map(s as u32, along).expect("a segment");
                let now = rod(&world, now);
                assert!((now.segment_strain(segment as usize) - strains[s]).abs() < 3e-7, "{s}");
                assert_eq!(now.orientation(segment as usize), frames[s]);
            }
        }
        // The ends of the stubs are where the material was, everything else to the bit where it was.
        let middle = places[12].lerp(places[13], 0.4);
        assert!(first.position(13).distance(middle) < 1e-12);
        assert!(second.position(0).distance(middle) < 1e-12);
        assert_eq!(positions(&world, id)[..13], places[..13]);
        assert_eq!(positions(&world, piece)[1..], places[13..]);
        assert!(first.is_pinned(0) && (0..9).all(|v| !second.is_pinned(v)));
        // The piece falls freely: its centre of mass gains g t.
        let fall = |world: &RodWorld| {
            let sum = sum(world, [piece]);
            sum.momentum / sum.mass
        };
        let speed = fall(&world);
        run(&mut world, 30);
        let gained = fall(&world) - speed;
        let expected = DVec3::new(0.0, -9.81 * 0.5, 0.0);
        assert!(gained.distance(expected) < 2e-3, "{solver:?}: {gained}");
    }
}

#[test]
fn a_cut_close_to_a_vertex_goes_through_it() {
    for at in [
        RodPoint::Vertex(12),
        RodPoint::Arc(1.2),
        RodPoint::Segment {
            segment: 11,
            along: 0.97,
        },
        RodPoint::Segment {
            segment: 12,
            along: 0.04,
        },
    ] {
        let (mut world, id) = swinging(Solver::default());
        let before = sum(&world, [id]);
        let places = positions(&world, id);
        let cut = world.cut(id, at).expect("a sound cut");
        let piece = cut.piece.expect("two pieces");
        conserved(&before, &sum(&world, [id, piece]));
        assert_eq!(positions(&world, id), places[..=12]);
        assert_eq!(positions(&world, piece), places[12..]);
        assert_eq!(cut.map(11, 0.5), Some((id, 11, 0.5)));
        assert_eq!(cut.map(12, 0.5), Some((piece, 0, 0.5)));
        assert_eq!(cut.map(20, 0.5), None);
        run(&mut world, 10);
        assert!(positions(&world, piece).iter().all(|p| p.is_finite()));
    }
}

#[test]
fn everything_on_the_rod_goes_with_its_part() {
    let mut world = world(settings(1, 8));
    let rope = line(2.0, 20)
        .material(soft(400.0, 0.02))
        .clamp_start()
        .clamp_end()
        .load(15, 0.7);
    let id = world.insert(built(&rope)).expect("room");
    let mut edit = world.rod_mut(id).expect("there");
    edit.set_force(5, Vec3::Y).expect("sound");
    edit.set_force(15, Vec3::Y * 20.0).expect("sound");
    edit.hold_segment(17).expect("sound");
    edit.break_segment(2).expect("sound");
    edit.set_drag(0.3).expect("sound");
    edit.pin(12).expect("sound");
    let lead = DVec3::new(1.2, 0.1, 0.0);
    edit.set_target(12, lead).expect("sound");
    let piece = world
        .cut(id, RodPoint::Vertex(10))
        .expect("a sound cut")
        .piece
        .expect("two");
    let (first, second) = (rod(&world, id), rod(&world, piece));
    assert_eq!(
        (first.description().clamps().len(), second.description().clamps().len()),
        (1, 1)
    );
    assert_eq!(second.description().clamps()[0].vertex, 10);
    assert!(first.is_broken(2) && !second.is_broken(2));
    assert!(second.is_pinned(2) && second.is_pinned(10) && !second.is_pinned(0));
    assert!((second.description().vertices()[5].mass - 0.8).abs() < 1e-12);
    run(&mut world, 1);
    assert!(rod(&world, piece).position(2).distance(lead) < 1e-12);
    // 20 N lift the 0.8 kg at vertex 5 of the piece; a force that stayed behind would let it fall.
    assert!(rod(&world, piece).velocity(5).y > 0.05);
}

#[test]
fn a_loop_becomes_a_chain_that_starts_behind_the_cut() {
    for (at, vertices) in [
        (RodPoint::Vertex(5), 22),
        (
            RodPoint::Segment {
                segment: 20,
                along: 0.5,
            },
            23,
        ),
        (RodPoint::Segment { segment: 6, along: 0.3 }, 23),
        (RodPoint::Start, 22),
        (RodPoint::End, 22),
    ] {
        let ring = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21))
            .material(soft(200.0, 0.05))
            .pin(3);
        let mut world = world(settings(1, 8));
        let id = world.insert(built(&ring)).expect("room");
        run(&mut world, 10);
        let before = sum(&world, [id]);
        let moments: Vec<f32> = (0..21).map(|j| rod(&world, id).moment(j).length()).collect();
        let places = positions(&world, id);
        let cut = world.cut(id, at).expect("a sound cut");
        assert_eq!(cut.piece, None);
        conserved(&before, &sum(&world, [id]));
        let now = rod(&world, id);
        assert_eq!(
            (now.description().topology(), now.vertex_count()),
            (Topology::Chain, vertices)
        );
        assert!(now.position(0).distance(now.position(vertices - 1)) < 1e-12);
        let (_, segment, _) = cut.map(3, 0.0).expect("a segment");
        assert_eq!(now.position(segment as usize), places[3]);
        assert!(now.is_pinned(segment as usize));
        // Joints away from the cut bend as before: they were not mixed up.
        let (_, far, _) = cut.map(14, 0.5).expect("a segment");
        assert!((now.moment(far as usize).length() - moments[14]).abs() < 1e-6 * moments[14]);
        run(&mut world, 20);
        let now = rod(&world, id);
        assert!(
            now.position(0).distance(now.position(vertices - 1)) > 0.01,
            "it springs open"
        );
    }
}

/// A trunk of four segments with two branches of three.
fn tree() -> RodSpec {
    let mut points: Vec<DVec3> = (0..5).map(|i| DVec3::Y * f64::from(i) * 0.2).collect();
    let mut segments: Vec<[u32; 2]> = (0..4).map(|i| [i, i + 1]).collect();
    for side in [1.0, -1.0] {
        let mut from = 4;
        for i in 1..4 {
            points.push(DVec3::new(side * 0.15 * f64::from(i), 0.8 + 0.1 * f64::from(i), 0.0));
            let to = points.len() as u32 - 1;
            segments.push([from, to]);
            from = to;
        }
    }
    RodSpec::new(Shape::graph(points, segments, Joints::All)).material(soft(500.0, 0.5))
}

#[test]
fn a_branch_comes_off_a_tree_and_the_pinned_part_keeps_the_name() {
    for solver in SOLVERS {
        for (at, kept, off) in [
            (RodPoint::Segment { segment: 5, along: 0.5 }, 6 + 4, 3),
            (RodPoint::Segment { segment: 4, along: 0.0 }, 4 + 4, 4),
            (RodPoint::Segment { segment: 1, along: 0.4 }, 3, 10),
        ] {
            let mut world = world(settings(2, 6));
            let id = world
                .insert_with(built(&tree().clamp_at(0, 0)), with_solver(solver))
                .expect("room");
            run(&mut world, 10);
            let before = sum(&world, [id]);
            let cut = world.cut(id, at).expect("a sound cut");
            let piece = cut.piece.expect("two pieces");
            conserved(&before, &sum(&world, [id, piece]));
            assert_eq!(
                (rod(&world, id).vertex_count(), rod(&world, piece).vertex_count()),
                (kept, off)
            );
            assert!(rod(&world, id).is_pinned(0));
            assert_eq!(rod(&world, piece).description().clamps().len(), 0);
            run(&mut world, 20);
            assert!(rod(&world, piece).position(off - 1).y < -0.1 + 1.2, "it falls");
            assert!(
                positions(&world, id)
                    .iter()
                    .chain(&positions(&world, piece))
                    .all(|p| p.is_finite())
            );
        }
    }
    // Pinned at the tips of one branch: that part keeps the name although the trunk has vertex 0.
    let mut world = world(settings(1, 6));
    let id = world.insert(built(&tree().pin(7))).expect("room");
    world
        .cut(id, RodPoint::Segment { segment: 5, along: 0.5 })
        .expect("a sound cut");
    assert_eq!(rod(&world, id).vertex_count(), 3);
}

#[test]
fn a_net_with_one_thread_cut_stays_one_rod() {
    for solver in SOLVERS {
        let mut world = world(settings(2, 6));
        let spec = RodSpec::new(net(6))
            .material(uneven(100.0, [0.002, 0.004], 0.001))
            .pin(0)
            .pin(5);
        let id = world.insert_with(built(&spec), with_solver(solver)).expect("room");
        run(&mut world, 10);
        let before = sum(&world, [id]);
        let vertices = rod(&world, id).vertex_count();
        let cut = world
            .cut(
                id,
                RodPoint::Segment {
                    segment: 30,
                    along: 0.5,
                },
            )
            .expect("a sound cut");
        assert_eq!(cut.piece, None);
        conserved(&before, &sum(&world, [id]));
        assert_eq!(rod(&world, id).vertex_count(), vertices + 2);
        let tip = |world: &RodWorld| {
            rod(world, id)
                .position(vertices)
                .distance(rod(world, id).position(vertices + 1))
        };
        assert!(tip(&world) < 1e-12);
        run(&mut world, 20);
        assert!(tip(&world) > 1e-3);
    }
}

#[test]
fn a_cut_that_cuts_nothing_off_changes_nothing() {
    let (mut world, id) = swinging(Solver::default());
    let hash = world.state_hash();
    let description = rod(&world, id).description().clone();
    for (at, error) in [
        (RodPoint::Start, CutError::AtEnd { vertex: 0 }),
        (RodPoint::End, CutError::AtEnd { vertex: 20 }),
        (RodPoint::Vertex(20), CutError::AtEnd { vertex: 20 }),
        (
            RodPoint::Segment {
                segment: 19,
                along: 0.99,
            },
            CutError::AtEnd { vertex: 20 },
        ),
        (
            RodPoint::Vertex(21),
            CutError::Point(RodPointError::OutOfRange {
                element: "vertex",
                index: 21,
                count: 21,
            }),
        ),
        (
            RodPoint::Arc(-0.1),
            CutError::Point(RodPointError::Outside {
                field: "arc",
                value: -0.1,
                most: 2.0,
            }),
        ),
        (
            RodPoint::Segment { segment: 3, along: 1.5 },
            CutError::Point(RodPointError::Outside {
                field: "along",
                value: 1.5,
                most: 1.0,
            }),
        ),
    ] {
        let found = world.cut(id, at).expect_err("a bad cut");
        match (&found, &error) {
            // The rest length of the rope is 2 m to rounding.
            (CutError::Point(RodPointError::Outside { .. }), CutError::Point(RodPointError::Outside { .. })) => {}
            _ => assert_eq!(found, error),
        }
    }
    assert!(matches!(
        world.cut(id, RodPoint::Arc(f64::NAN)),
        Err(CutError::Point(_))
    ));
    assert_eq!((world.len(), world.state_hash()), (1, hash));
    assert!(std::sync::Arc::ptr_eq(rod(&world, id).description(), &description));
    assert_eq!(world.drain_events().count(), 0);
    world.remove(id);
    assert_eq!(world.cut(id, RodPoint::Vertex(3)), Err(CutError::Missing));
    let (mut world, id) = quarantined();
    assert_eq!(world.cut(id, RodPoint::Vertex(3)), Err(CutError::Quarantined));
}

#[test]
fn the_others_in_the_block_do_not_notice() {
    for solver in SOLVERS {
        let hashes = |cut: bool| {
            let mut world = world(settings(2, 6));
            let ids: Vec<RodId> = (0..6)
                .map(|i| {
                    let options = RodOptions { solver, ..placed(i) };
                    let rope = line(1.0, 16).material(soft(200.0, 0.01)).pin(0);
                    world.insert_with(built(&rope), options).expect("room")
                })
                .collect();
            run(&mut world, 5);
            if cut {
                world.cut(ids[2], RodPoint::Arc(0.4)).expect("a sound cut");
            }
            run(&mut world, 20);
            [0, 1, 3, 4, 5].map(|i| positions(&world, ids[i]))
        };
        assert_eq!(hashes(true), hashes(false));
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_cut_of_any_rod_conserves(which in 0usize..11, segment in 0u32..300, along in 0.0..=1.0f64, second in 0u32..300) {
        let rods = zoo();
        let mut world = world(settings(2, 4));
        let id = world.insert_with(rods[which].clone(), placed(which)).expect("room");
        run(&mut world, 5);
        let mut before = sum(&world, [id]);
        for segment in [segment, second] {
            let segment = segment % rod(&world, id).segment_count() as u32;
            match world.cut(id, RodPoint::Segment { segment, along }) {
                Ok(cut) => {
                    let all: Vec<RodId> = world.ids().collect();
                    conserved(&before, &sum(&world, all));
                    prop_assert!(cut.map(segment, 0.5).is_some());
                }
                Err(error) => prop_assert!(matches!(error, CutError::AtEnd { .. }), "{error}"),
            }
            run(&mut world, 5);
            let all: Vec<RodId> = world.ids().collect();
            before = sum(&world, all);
            prop_assert!(before.moment.is_finite());
        }
    }
}
