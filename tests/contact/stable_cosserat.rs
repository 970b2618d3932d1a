//! Rods of Stable Cosserat and XPBD touch things as Direct's do: where they touch, they are solved as a whole on the same potential.

use std::f64::consts::{FRAC_PI_2, PI};

use super::*;

fn moved_by(solver: Solver) -> RodOptions {
    RodOptions {
        solver,
        ..RodOptions::default()
    }
}

const SWEPT: [Solver; 2] = [Solver::GROOM, Solver::XPBD];

#[test]
fn ropes_thrown_at_each_other_do_not_pass() {
    for solver in SWEPT {
        let mut scene = Watched::new(weightless());
        for (direction, side) in [(DVec3::X, -1.0), (DVec3::Z, 1.0)] {
            let middle = DVec3::new(0.013, side * 0.08, 0.007);
            let shape = Shape::line(middle - direction * 0.5, middle + direction * 0.5, 40);
            let options = RodOptions {
                velocity: Vec3::Y * (-side as f32 * 10.0),
                ..moved_by(solver)
            };
            scene.add(&RodSpec::new(shape).radius(0.01), options);
        }
        scene.run(60);
        scene.assert_sound(&format!("{solver:?} at 10 m/s"));
    }
}

#[test]
fn a_pile_of_three_solvers() {
    let mut scene = Watched::new(touching());
    scene.world.add_collider(Collider::ground(0.0)).expect("sound ground");
    let solvers = [Solver::GROOM, Solver::XPBD, Solver::default()];
    for k in 0..9 {
        let angle = 2.399_963 * f64::from(k);
        let direction = DVec3::new(angle.cos(), 0.0, angle.sin());
        let middle = DVec3::new(0.02 * (3.0 * angle).sin(), 0.05 + 0.05 * f64::from(k), 0.0);
        let shape = Shape::line(middle - direction * 0.4, middle + direction * 0.4, 30);
        scene.add(&RodSpec::new(shape).radius(0.01), moved_by(solvers[k as usize % 3]));
    }
    let mut lowest = f64::INFINITY;
    for _ in 0..120 {
        let positions = scene.step();
        lowest = positions.iter().flatten().fold(lowest, |least, p| least.min(p.y));
    }
    scene.assert_sound("pile of three solvers");
    assert!(lowest >= 0.9 * 0.01, "a rope went into the ground: {lowest}");
}

/// A rope over a bar, pulled at both ends: how far its stronger end goes in a fifth of a second.
fn over_a_bar(solver: Solver, pull: f32) -> [f64; 2] {
    let (bar, radius, friction) = (0.1, 0.01, 0.3);
    let mut world = common::world(Settings {
        gravity: Vec3::ZERO,
        ..touching()
    });
    let turn = glam::DQuat::from_rotation_x(FRAC_PI_2);
    let bar_shape = Collider::new(parry3d::shape::SharedShape::capsule_y(0.4, bar as f32));
    world
        .add_collider(bar_shape.turned(turn).friction(friction))
        .expect("a sound bar");
    let away = bar + 1.1 * radius;
    let mut points: Vec<DVec3> = (0..20)
        .map(|k| DVec3::new(-away, 0.02 * f64::from(k) - 0.4, 0.0))
        .collect();
    points.extend((0..=16).map(|k| {
        let angle = PI * (1.0 - f64::from(k) / 16.0);
        DVec3::new(angle.cos(), angle.sin(), 0.0) * away
    }));
    points.extend((1..=20).map(|k| DVec3::new(away, -0.02 * f64::from(k), 0.0)));
    let last = points.len() - 1;
    // Limp, so that it is friction alone that holds it.
    let material = Material {
        friction,
        ..Material::rigidity(5e4, 5e4, 1e-4, 1e-4, 1.0)
    };
    let shape = Shape::Polyline { points };
    let spec = RodSpec::new(shape)
        .rest(RestShape::Straight)
        .radius(radius)
        .material(material);
    let options = RodOptions {
        drag: 2.0,
        ..moved_by(solver)
    };
    let id = world.insert_with(common::built(&spec), options).expect("a sound rod");
    change(&mut world, id, |rod| rod.set_force(0, Vec3::Y * -20.0));
    change(&mut world, id, |rod| rod.set_force(last, Vec3::Y * -20.0 * pull));
    let height = |world: &RodWorld| common::positions(world, id)[last].y;
    let start = height(&world);
    common::run(&mut world, 12);
    let settled = height(&world);
    common::run(&mut world, 12);
    [settled - start, height(&world) - settled]
}

/// e^{0.3 π} = 2.57: at a ratio of the two pulls well below it the rope stays, well above it slides.
#[test]
fn friction_over_a_bar_holds_as_far_as_the_capstan_says() {
    for solver in SWEPT {
        let ([settled, held], [slid, _]) = (over_a_bar(solver, 2.1), over_a_bar(solver, 3.1));
        println!("{solver:?}: {settled} and {held} held, {slid} slid");
        // The pulls come at once, on a rope that lies on the bar without pressing on it: it slides until it does. From then on it stays.
        assert!(settled.abs() < 0.02, "{solver:?} slid by {settled} m");
        assert!(held.abs() < 1e-3, "{solver:?} went on sliding by {held} m");
        // (3.1 − 2.57) · 20 N on 1.1 kg go 20 cm in a fifth of a second, less drag.
        assert!(slid < -0.1, "{solver:?} held, and moved by {slid} m only");
    }
}

/// A clamped rod that leans on a ball, settled.
fn leaning(solver: Solver) -> Vec<DVec3> {
    let mut world = common::world(touching());
    let ball = Collider::new(parry3d::shape::SharedShape::ball(0.1)).friction(0.0);
    world.add_collider(ball).expect("a sound ball");
    // As stiff against shear as against stretch, so that all mean the same rod.
    let material = Material {
        friction: 0.0,
        ..Material::rigidity(500.0, 500.0, 0.002, 0.002, 0.1)
    };
    let line = Shape::line(DVec3::new(-0.3, 0.13, 0.013), DVec3::new(0.3, 0.13, 0.013), 24);
    let spec = RodSpec::new(line).radius(0.01).material(material).pin(0).pin(24);
    let options = RodOptions {
        drag: 8.0,
        ..moved_by(solver)
    };
    let id = world.insert_with(common::built(&spec), options).expect("a sound rod");
    common::run(&mut world, 300);
    common::positions(&world, id)
}

#[test]
fn all_solvers_rest_alike_on_a_ball() {
    let direct = leaning(Solver::default());
    let middle = direct[12];
    assert!(
        (0.109..0.1125).contains(&middle.length()),
        "it rests on the ball: {middle}"
    );
    for solver in SWEPT {
        let other = leaning(solver);
        let apart = direct
            .iter()
            .zip(&other)
            .map(|(a, b)| a.distance(*b))
            .fold(0.0, f64::max);
        println!("{solver:?} rests {apart} m from Direct");
        // Barriers may be of other strengths, which moves a contact within their width, a quarter of the radius.
        assert!(apart < 0.0025, "{solver:?} rests {apart} m from Direct");
    }
}

/// The same bits at one thread and at two, and from a snapshot taken while ropes touch.
#[test]
fn swept_rods_in_contact_are_deterministic() {
    let run = |threads: usize, back: bool| -> Vec<DVec3> {
        let mut world = common::world(Settings {
            threads: Some(threads),
            ..touching()
        });
        world.add_collider(Collider::ground(0.0)).expect("sound ground");
        let ids: Vec<RodId> = (0..4)
            .map(|k| {
                let angle = 0.9 * f64::from(k);
                let half = DVec3::new(angle.cos(), 0.0, angle.sin()) * 0.2;
                let middle = DVec3::Y * (0.02 + 0.03 * f64::from(k));
                let spec = RodSpec::new(Shape::line(middle - half, middle + half, 16)).radius(0.01);
                let options = moved_by(SWEPT[k as usize % 2]);
                world.insert_with(common::built(&spec), options).expect("a sound rod")
            })
            .collect();
        common::run(&mut world, 20);
        if back {
            let snapshot = world.snapshot();
            common::run(&mut world, 10);
            world.restore(&snapshot);
        }
        common::run(&mut world, 20);
        ids.iter().flat_map(|&id| common::positions(&world, id)).collect()
    };
    let one = run(1, false);
    assert!(one.iter().all(|p| p.y > 0.009), "they lie on the ground");
    assert_eq!(one, run(2, false), "threads");
    assert_eq!(one, run(1, true), "snapshot");
}

/// A rope of Stable Cosserat that is tied to a place lies over a bar.
#[test]
fn tied_rods_touch_too() {
    for solver in SWEPT {
        let mut world = common::world(touching());
        let ball = Collider::new(parry3d::shape::SharedShape::ball(0.1));
        world.add_collider(ball).expect("a sound ball");
        let line = Shape::line(DVec3::new(-0.3, 0.15, 0.0), DVec3::new(0.3, 0.15, 0.0), 24);
        let id = world
            .insert_with(common::built(&RodSpec::new(line).radius(0.01)), moved_by(solver))
            .expect("a sound rod");
        let tie = AttachmentSpec::ball(id, RodPoint::Vertex(0), TieTo::Point(DVec3::new(-0.3, 0.15, 0.0)));
        world.attach(tie).expect("a sound tie");
        let mut nearest = f64::INFINITY;
        for _ in 0..60 {
            common::run(&mut world, 1);
            let points = common::positions(&world, id);
            nearest = points.iter().map(|p| p.length()).fold(nearest, f64::min);
        }
        assert!(
            nearest > 0.109,
            "{solver:?} came within {nearest} m of the ball's centre"
        );
        assert!(nearest < 0.115, "{solver:?} never touched: {nearest}");
    }
}
