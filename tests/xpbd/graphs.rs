//! Loops, trees and nets: one constraint after the other, with the shapes of Direct.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    LONG_RANGE, MODIFIED, PBD, change,
    common::{apart, built, net, positions, rod, run, settings, soft, uneven},
    slowed, with,
};

/// A fork: a stem of six segments and two arms of five. Its angles are small: at wide ones the constraint, a sine, is softer than the other solvers' joints.
fn fork() -> Shape {
    let mut vertices: Vec<DVec3> = (0..=6).map(|k| DVec3::Y * 0.1 * f64::from(k)).collect();
    let mut segments: Vec<[u32; 2]> = (0..6).map(|k| [k, k + 1]).collect();
    for side in [-1.0, 1.0] {
        let first = vertices.len() as u32;
        vertices.extend((1..=5).map(|k| DVec3::new(side * 0.005 * f64::from(k), 0.6 + 0.1 * f64::from(k), 0.0)));
        segments.push([6, first]);
        segments.extend((0..4).map(|k| [first + k, first + k + 1]));
    }
    Shape::graph(vertices, segments, Joints::All)
}

#[test]
fn loops_trees_and_nets_rest_as_direct_rests_them() {
    let specs = [
        RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 0.3, 40))
            .material(soft(300.0, 0.1))
            .pin(0),
        RodSpec::new(fork())
            .material(uneven(800.0, [4.0, 2.5], 2.0))
            .clamp_at(0, 0),
        RodSpec::new(net(4)).material(soft(200.0, 0.01)).pin(0).pin(3),
    ];
    for (n, spec) in specs.iter().enumerate() {
        let tilted = |substeps, iterations| Settings {
            gravity: Vec3::new(1.0, -9.0, 3.0),
            ..settings(substeps, iterations)
        };
        let rest = |solver: Solver, [substeps, iterations]: [u32; 2], frames: usize| {
            let (mut world, id) = with(built(spec), slowed(solver, 4.0), tilted(substeps, iterations));
            run(&mut world, frames);
            assert!(!rod(&world, id).is_quarantined());
            positions(&world, id)
        };
        let expected = rest(Solver::default(), [1, 40], 900);
        let start: Vec<DVec3> = built(spec).vertices().iter().map(|v| v.position).collect();
        // In a ring of 40 the constraint is softer than the angle by cos² of half of 9°: 0.6%.
        let found = rest(Solver::XPBD, [30, 12], 500);
        let off = apart(&found, &expected) / apart(&start, &expected);
        assert!(off < 0.01, "graph {n}: {off} of the way");
    }
}

/// A chain that is told backwards in its middle is a graph: the same rod, through the other code.
#[test]
fn a_chain_told_as_a_graph_rests_alike() {
    let chain = RodSpec::new(Shape::helix(0.2, 0.1, 1.0, 16))
        .material(uneven(200.0, [0.05, 0.08], 0.04))
        .clamp_start();
    let chain = built(&chain);
    let mut parts = chain.parts().clone();
    // Segments in the opposite order, and joints with them.
    parts.segments.reverse();
    let last = parts.segments.len() as u32 - 1;
    for joint in &mut parts.joints {
        joint.first = last - joint.first;
        joint.second = last - joint.second;
    }
    for clamp in &mut parts.clamps {
        clamp.segment = last - clamp.segment;
    }
    let graph = RodDescription::new(parts).expect("a chain told backwards");
    assert_eq!(graph.topology(), Topology::Graph);
    for solver in [Solver::XPBD, MODIFIED, PBD] {
        let rest = |rod: RodDescription| {
            let (mut world, id) = with(rod, slowed(solver, 4.0), settings(20, 16));
            run(&mut world, 300);
            positions(&world, id)
        };
        let (a, b) = (rest(chain.clone()), rest(graph.clone()));
        let start: Vec<DVec3> = chain.vertices().iter().map(|v| v.position).collect();
        let off = apart(&a, &b) / apart(&a, &start);
        // Another order of constraints: the same fixed point up to what the iterations leave. That of PBD depends on the order.
        let share = if solver == PBD { 0.05 } else { 0.01 };
        assert!(off < share, "{solver:?}: {off} of the way apart");
    }
}

/// Long-range attachments find their way over a net, and let go of what is cut off.
#[test]
fn a_net_stays_within_reach_of_its_pins() {
    let spec = RodSpec::new(net(6))
        .material(soft(1e4, 1e-4))
        .pin(0)
        .pin(5)
        .load(35, 5.0);
    let longest = |solver: Solver| {
        let (mut world, id) = with(built(&spec), slowed(solver, 1.0), settings(1, 4));
        run(&mut world, 120);
        let rod = rod(&world, id);
        // Ten segments of 0.1 m lead from either pin to the far corner, and none shorter.
        rod.position(35).distance(rod.position(5)) / 0.5
    };
    let (without, with) = (longest(Solver::XPBD), longest(LONG_RANGE));
    assert!(without > 1.1, "{without}");
    assert!(with <= 1.0 + 1e-4, "{with}");

    // Everything that held it breaks: it falls.
    let spec = spec.break_at(BreakLimit::Strain(1e3));
    let (mut world, id) = crate::with(built(&spec), slowed(LONG_RANGE, 0.0), settings(1, 4));
    change(&mut world, id, |rod| {
        rod.unpin(0)?;
        rod.unpin(5)
    });
    run(&mut world, 60);
    assert!(rod(&world, id).position(20).y < -2.0);
}
