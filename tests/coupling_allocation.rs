//! Tied rods allocate nothing from step to step, as long as nothing is tied or let go. The only test of its binary: see `counting`.

#[path = "coupling/bodies.rs"]
mod bodies;
mod common;
#[path = "common/counting.rs"]
mod counting;

use bodies::{Bodies, run};
use common::{built, net, settings, soft, world};
use counting::Counting;
use glam::{DQuat, DVec3};
use lariat::prelude::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn a_steady_step_with_bodies_allocates_nothing() {
    let mut world = world(Settings {
        interpolation: true,
        ..settings(2, 6)
    });
    let mut bodies = Bodies::new();
    bodies.bodies.insert(0, BodyState::fixed(DVec3::ZERO, DQuat::IDENTITY));
    let solvers = [
        Solver::default(),
        Solver::Direct {
            integrator: Integrator::Bdf2,
        },
        Solver::GROOM,
    ];
    let mut grabs = Vec::new();
    for n in 0..9u64 {
        let x = 0.5 * n as f64;
        let rope = RodSpec::new(Shape::line(DVec3::X * x, DVec3::new(x, 0.0, 1.0), 8)).material(soft(1e4, 0.02));
        let spec = if n % 4 == 3 {
            RodSpec::new(net(4)).material(soft(1e3, 0.01))
        } else {
            rope
        };
        let options = RodOptions {
            solver: solvers[n as usize % 3],
            drag: 0.5,
            ..RodOptions::default()
        };
        let id = world.insert_with(built(&spec), options).expect("a rod");
        let body = bodies.ball(n + 1, DVec3::new(x, 0.0, 1.1), 1.0, 0.1);
        let ceiling = TieTo::Body {
            body: BodyId(0),
            anchor: DVec3::X * x,
        };
        let load = TieTo::Body {
            body,
            anchor: DVec3::Z * -0.1,
        };
        let kind = if n % 2 == 0 { Tie::Ball } else { Tie::Weld };
        for (at, to) in [(RodPoint::Vertex(0), ceiling), (RodPoint::Vertex(8), load)] {
            let spec = AttachmentSpec {
                kind,
                ..AttachmentSpec::ball(id, at, to)
            };
            world.attach(spec).expect("a tie");
        }
        let hand = AttachmentSpec::grab(id, RodPoint::Vertex(4), DVec3::new(x, 0.0, 0.5), 2.0);
        grabs.push(world.attach(hand).expect("a grab"));
    }
    let mut frame = |n: usize| {
        for &grab in &grabs {
            let place = DVec3::new(n as f64 * 0.01, 0.1, 0.5);
            world.move_attachment(grab, place).expect("it is there");
        }
        run(&mut world, &mut bodies, 1);
        assert!(world.drain_events().next().is_none());
    };
    (0..10).for_each(&mut frame);
    let before = ALLOCATOR.calls();
    (10..70).for_each(&mut frame);
    assert_eq!(ALLOCATOR.calls() - before, 0);
}
