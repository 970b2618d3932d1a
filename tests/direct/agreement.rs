//! The same motion by another method, from another description, in other lanes, on other threads.

use glam::{DVec3, Vec3};
use lariat::{prelude::*, solver::Integrator};

use crate::{
    by,
    common::{apart, breeze, built, line, placed, positions, rod, run, settings, soft, uneven, world, zoo},
    direct,
};

/// Stable Cosserat converged, with steps so small that both are as good as exact: two methods that share only the energy.
#[test]
fn stable_cosserat_at_small_steps() {
    let specs = [
        line(0.6, 6).material(soft(60.0, 0.02)).pin(0),
        line(0.6, 6).material(uneven(60.0, [0.01, 0.04], 0.02)).clamp_start(),
        line(0.6, 6)
            .material(uneven(60.0, [0.01, 0.04], 0.02).with_damping(Damping::Time(0.01)))
            .clamp_start()
            .pin(6),
    ];
    for (n, spec) in specs.iter().enumerate() {
        let motion = |solver: Solver, iterations: u32| {
            let mut world = world(settings(20, iterations));
            let options = RodOptions {
                solver,
                velocity: Vec3::new(0.0, 0.3, 0.5),
                ..RodOptions::default()
            };
            let id = world.insert_with(built(spec), options).expect("a sound rod");
            run(&mut world, 30);
            positions(&world, id)
        };
        let lambda = Lambda::Exact;
        let reference = motion(Solver::StableCosserat { lambda }, 200);
        let found = motion(direct().solver, 10);
        let error = apart(&reference, &found);
        // Both are implicit Euler of the same potential; frames in single precision push with EA/10⁷ N.
        assert!(error < 2e-4, "rod {n}: {error:e} m apart");
        let moved = apart(
            &reference,
            &built(spec).vertices().iter().map(|v| v.position).collect::<Vec<_>>(),
        );
        assert!(moved > 0.05, "rod {n} moved by {moved} m only");
    }
}

/// The same chain with its vertices and segments numbered at random is a graph, with another order of elimination.
fn shuffled(rod: &RodDescription, turned: bool) -> RodDescription {
    let mut parts = rod.parts().clone();
    let shuffle = |count: usize| -> Vec<u32> {
        // A step that shares no factor with the count visits everything once.
        let step = (2..)
            .find(|s: &usize| (2..=*s).all(|d| !s.is_multiple_of(d) || !count.is_multiple_of(d)) && 2 * s > count)
            .expect("there is one");
        (0..count).map(|k| ((k * step + 1) % count) as u32).collect()
    };
    let (vertices, segments) = (shuffle(parts.vertices.len()), shuffle(parts.segments.len()));
    let place = |list: &[u32], from: usize| list[from] as usize;
    let old = rod.parts();
    for (from, vertex) in old.vertices.iter().enumerate() {
        parts.vertices[place(&vertices, from)] = *vertex;
    }
    for (from, segment) in old.segments.iter().enumerate() {
        let mut segment = *segment;
        segment.tail = vertices[segment.tail as usize];
        segment.head = vertices[segment.head as usize];
        parts.segments[place(&segments, from)] = segment;
    }
    for joint in &mut parts.joints {
        joint.first = segments[joint.first as usize];
        joint.second = segments[joint.second as usize];
    }
    if turned {
        // A joint may as well be told from its other side.
        for joint in parts.joints.iter_mut().step_by(2) {
            (joint.first, joint.second) = (joint.second, joint.first);
            joint.rest = joint.rest.conjugate();
        }
    }
    for clamp in &mut parts.clamps {
        clamp.vertex = vertices[clamp.vertex as usize];
        clamp.segment = segments[clamp.segment as usize];
    }
    for pin in &mut parts.pins {
        *pin = vertices[*pin as usize];
    }
    RodDescription::new(parts).expect("a chain shuffled is a graph")
}

#[test]
fn a_shuffled_chain_moves_alike() {
    let damped = Damping::Time(0.01);
    let specs = [
        line(1.0, 16).material(soft(1e5, 0.01)).pin(0).load(16, 20.0),
        line(1.0, 17).material(uneven(1e4, [0.5, 2.0], 1.0)).clamp_start(),
        line(1.0, 16)
            .material(uneven(1e4, [0.5, 2.0], 1.0).with_damping(damped))
            .clamp_start()
            .clamp_end(),
        RodSpec::new(Shape::helix(0.2, 0.1, 2.0, 30))
            .material(uneven(1e3, [0.3, 0.4], 0.2))
            .clamp_start(),
    ];
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        for (n, spec) in specs.iter().enumerate() {
            let chain = built(spec);
            let graph = shuffled(&chain, false);
            assert_eq!(graph.topology(), Topology::Graph);
            let motion = |rod: RodDescription| {
                let mut world = world(settings(1, 20));
                let options = RodOptions {
                    velocity: Vec3::new(0.1, 0.3, 0.5),
                    ..by(integrator)
                };
                let id = world.insert_with(rod, options).expect("a sound rod");
                run(&mut world, 40);
                positions(&world, id)
            };
            // Vertices are matched by where they start.
            let order: Vec<usize> = (chain.vertices().iter())
                .map(|v| {
                    let found = graph.vertices().iter().position(|w| w.position == v.position);
                    found.expect("the vertex is there")
                })
                .collect();
            let there = motion(graph);
            let there: Vec<DVec3> = order.into_iter().map(|v| there[v]).collect();
            let error = apart(&motion(chain.clone()), &there);
            // Newton stops at 1e-5 of a segment a step: 6e-7 m here, over 40 steps.
            assert!(error < 1e-4, "{integrator:?}, rod {n}: {error:e} m apart");
            // Joints told from the other side are the same energy where bending is even.
            if n == 0 {
                let turned = motion(shuffled(&chain, true));
                let turned: Vec<DVec3> = (chain.vertices().iter().map(|v| {
                    let graph = shuffled(&chain, true);
                    let found = graph.vertices().iter().position(|w| w.position == v.position);
                    turned[found.expect("the vertex is there")]
                }))
                .collect();
                let error = apart(&there, &turned);
                assert!(error < 1e-4, "{integrator:?}, joints turned: {error:e} m apart");
            }
        }
    }
}

/// Nothing resists a torque about the axis of a segment without GJ, and nothing but the segment feels it: the rod moves as without it.
#[test]
fn a_segment_that_spins_freely_stops_nobody() {
    let spun = 5;
    let spec = line(1.0, 16).material(uneven(1e4, [0.02, 0.02], 0.0)).pin(0);
    let chain = built(&spec);
    for rod in [chain.clone(), shuffled(&chain, false)] {
        let [tail, head] = [rod.segments()[spun].tail, rod.segments()[spun].head].map(|v| v as usize);
        let motion = |torque: f64| {
            let mut world = world(settings(1, 8));
            let id = world
                .insert_with(rod.clone(), by(Integrator::Euler))
                .expect("a sound rod");
            for _ in 0..40 {
                let places = positions(&world, id);
                let axis = (places[head] - places[tail]).normalize();
                let torque = (axis * torque).as_vec3();
                crate::change(&mut world, id, |rod| rod.set_torque(spun, torque));
                run(&mut world, 1);
            }
            positions(&world, id)
        };
        let free = motion(0.0);
        let tip = apart(&free, &rod.vertices().iter().map(|v| v.position).collect::<Vec<_>>());
        assert!(tip > 0.5, "it falls by {tip} m only");
        // The torque keeps its direction while the segment turns by some tenths of a radian a step: up to 3e-5 N·m across it, 0.5 mN on its ends
        // against the 0.6 N of its weight. Held back by the spin, the tip would hang a metre behind.
        let error = apart(&free, &motion(1e-4));
        assert!(error < 1e-3, "{:?}: {error:e} m apart", rod.topology());
    }
}

/// Loops and nets fall, swing and come to rest; nothing gives them energy.
#[test]
fn loops_and_nets_only_lose_energy() {
    let specs = [
        RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 0.3, 24))
            .material(soft(1e5, 0.05))
            .pin(0),
        RodSpec::new(crate::common::net(6))
            .material(soft(1e4, 0.002))
            .pin(0)
            .pin(5),
        RodSpec::new(crate::common::net(5))
            .material(uneven(1e4, [0.002, 0.004], 0.001))
            .pin(0)
            .load(24, 3.0),
    ];
    for (n, spec) in specs.iter().enumerate() {
        // As many iterations as a net that folds together needs.
        let mut world = world(settings(1, 60));
        let options = RodOptions {
            velocity: Vec3::new(0.2, 0.0, 1.0),
            ..direct()
        };
        let id = world.insert_with(built(spec), options).expect("a sound rod");
        let start = rod(&world, id).energy();
        let mut last = start.total();
        let mut lowest = last;
        for frame in 0..180 {
            run(&mut world, 1);
            let energy = rod(&world, id).energy();
            let now = energy.total();
            assert!(now.is_finite() && !rod(&world, id).is_quarantined());
            // A thousandth of what there is to lose: gravity is linear and strain convex near rest, so Euler only takes.
            let scale = start.kinetic.max((start.gravity - energy.gravity).abs());
            assert!(
                now <= last + 1e-3 * scale,
                "rod {n}, frame {frame}: from {last} to {now} J"
            );
            last = now;
            lowest = lowest.min(now);
            assert!(rod(&world, id).stretch().abs() < 0.05);
        }
        assert!(lowest < start.total() - 0.5 * start.kinetic, "rod {n} lost nothing");
        // What hangs at rest hangs low.
        run(&mut world, 600);
        assert!(rod(&world, id).energy().gravity < start.gravity);
    }
}

fn bits(world: &RodWorld, id: RodId) -> Vec<u64> {
    let rod = rod(world, id);
    let places = (0..rod.vertex_count()).flat_map(|v| (rod.position(v) - rod.origin()).to_array().map(f64::to_bits));
    let speeds = (0..rod.vertex_count()).flat_map(|v| rod.velocity(v).to_array().map(|c| c.to_bits().into()));
    let frames = (0..rod.segment_count()).flat_map(|s| rod.orientation(s).to_array().map(|c| c.to_bits().into()));
    places.chain(speeds).chain(frames).collect()
}

/// Alone a chain runs one lane at a time, with seven others in eight: the same bits, whatever the others do.
#[test]
fn lanes_do_not_matter() {
    for arithmetic in [Arithmetic::Fast, Arithmetic::Reproducible] {
        for integrator in [Integrator::Euler, Integrator::Bdf2] {
            for (n, description) in zoo().into_iter().enumerate() {
                let alone = |others: usize| {
                    let mut world = world(Settings {
                        arithmetic,
                        wind: Some(breeze()),
                        ..settings(2, 6)
                    });
                    let solver = by(integrator).solver;
                    let options = |n: usize| RodOptions { solver, ..placed(n) };
                    for n in 0..others {
                        let id = world
                            .insert_with(description.clone(), options(n + 1))
                            .expect("a sound rod");
                        // One of them is torn about, and takes more iterations and halvings than the rest.
                        if n == 1 {
                            crate::change(&mut world, id, |rod| rod.set_velocity(5, Vec3::new(300.0, -200.0, 0.0)));
                        }
                    }
                    let id = world.insert_with(description.clone(), options(0)).expect("a sound rod");
                    run(&mut world, 15);
                    bits(&world, id)
                };
                let first = alone(0);
                assert!(
                    alone(7) == first,
                    "{arithmetic:?} {integrator:?} rod {n}: among seven others"
                );
                assert!(alone(2) == first, "{arithmetic:?} {integrator:?} rod {n}: as the third");
            }
        }
    }
}

fn zoo_hash(threads: usize, arithmetic: Arithmetic, integrator: Integrator) -> u64 {
    let mut world = world(Settings {
        threads: Some(threads),
        arithmetic,
        wind: Some(breeze()),
        ..settings(2, 6)
    });
    let solver = by(integrator).solver;
    for (n, description) in zoo().into_iter().enumerate() {
        for copy in 0..if n % 2 == 0 { 1 } else { 5 } {
            let options = RodOptions {
                solver,
                ..placed(n + 20 * copy)
            };
            world.insert_with(description.clone(), options).expect("a sound rod");
        }
    }
    run(&mut world, 15);
    world.state_hash()
}

#[test]
fn threads_and_scalar_arithmetic_give_the_same_bits() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        for arithmetic in [Arithmetic::Fast, Arithmetic::Reproducible] {
            let one = zoo_hash(1, arithmetic, integrator);
            for threads in [2, 8] {
                assert_eq!(
                    zoo_hash(threads, arithmetic, integrator),
                    one,
                    "{arithmetic:?} on {threads} threads"
                );
            }
        }
        let reproducible = zoo_hash(1, Arithmetic::Reproducible, integrator);
        assert_eq!(
            zoo_hash(1, Arithmetic::Scalar, integrator),
            reproducible,
            "{integrator:?}"
        );
        assert_ne!(zoo_hash(1, Arithmetic::Fast, integrator), 0);
    }
}

/// Rods of the two methods in one world do not disturb one another.
#[test]
fn methods_live_side_by_side() {
    let description = built(&line(1.0, 16).material(soft(200.0, 0.01)).pin(0));
    let run_with = |solvers: &[Solver]| -> Vec<Vec<u64>> {
        let mut world = world(settings(4, 8));
        let ids: Vec<RodId> = (solvers.iter())
            .map(|&solver| {
                let options = RodOptions {
                    solver,
                    ..RodOptions::default()
                };
                world.insert_with(description.clone(), options).expect("a sound rod")
            })
            .collect();
        run(&mut world, 20);
        ids.into_iter().map(|id| bits(&world, id)).collect()
    };
    let all = [
        direct().solver,
        by(Integrator::Bdf2).solver,
        Solver::StableCosserat { lambda: Lambda::Exact },
    ];
    let together = run_with(&all);
    for (solver, expected) in all.iter().zip(&together) {
        assert!(&run_with(&[*solver])[0] == expected, "{solver:?}");
    }
    assert!(together[0] != together[1] && together[0] != together[2]);
}
