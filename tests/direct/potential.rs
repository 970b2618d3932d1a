//! The incremental potential of a substep, evaluated outside the solver: it never rises from one iteration to the next.

use glam::{DVec3, Vec3};
use lariat::prelude::*;
use proptest::prelude::*;

use crate::{
    common::{FRAME, apart, built, cases, positions, uneven},
    direct,
};

fn vector() -> impl Strategy<Value = DVec3> {
    (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// From rubber to steel, even in the exponents. Shear is as stiff as stretch, because that is the energy that `RodRef` answers.
fn material() -> impl Strategy<Value = Material> {
    (2.0..6.0f64, -4.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, prop::bool::ANY).prop_map(
        |(axial, bend, other, twist, even)| {
            let (ea, ei) = (10f64.powf(axial), 10f64.powf(bend));
            match even {
                true => uneven(ea, [ei; 2], ei),
                false => uneven(ea, [ei, ei * 10f64.powf(other)], ei * 10f64.powf(twist)),
            }
        },
    )
}

/// A chain bent at random, a loop, a tree or a net, hanging by one vertex or two, or clamped, with or without a load.
fn described() -> impl Strategy<Value = RodDescription> {
    let load = prop_oneof![Just(0.0), 0.1..1000.0f64];
    (
        0..6u32,
        prop::collection::vec(vector(), 6),
        4..16u32,
        material(),
        load,
        -2.0..2.0f64,
    )
        .prop_map(|(form, steps, segments, material, load, twist)| {
            let corners = steps[..3].iter().scan(DVec3::ZERO, |at, step| {
                *at += DVec3::new(0.4, 0.0, 0.0) + *step * 0.2;
                Some(*at)
            });
            let points: Vec<DVec3> = std::iter::once(DVec3::ZERO).chain(corners).collect();
            let wire = || RodSpec::new(Shape::spline(points.clone(), segments)).twist(Twist::Total(twist));
            let spec = match form {
                0 => wire().pin(0).load(segments, load),
                1 => wire().clamp_start().load(segments, load),
                2 => wire().rest(RestShape::Straight).pin(0).pin_last(),
                3 => RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, segments))
                    .pin(0)
                    .load(segments / 2, load),
                4 => {
                    // Each further vertex grows from an earlier one.
                    let mut places = vec![DVec3::ZERO];
                    let mut branches = Vec::new();
                    for v in 1..=segments {
                        let step = steps[v as usize % steps.len()];
                        let from = ((0.5 + 0.5 * step.x) * f64::from(v)) as u32 % v;
                        let out = DVec3::new(0.1 * step.z, 0.2, 0.1 * step.y) + 0.01 * f64::from(v) * DVec3::X;
                        places.push(places[from as usize] + out);
                        branches.push([from, v]);
                    }
                    RodSpec::new(Shape::graph(places, branches, Joints::All))
                        .pin(0)
                        .load(segments, load)
                }
                _ => RodSpec::new(crate::common::net(2 + segments % 3)).pin(0).load(1, load),
            };
            built(&spec.material(material))
        })
}

/// `Σ m/2h² |x − y|² + E` of `end` after a substep from `start`, and what rounding of the stored state may change about it.
fn potential(start: RodRef<'_>, end: RodRef<'_>, gravity: DVec3, h: f64) -> (f64, f64) {
    let rod = start.description();
    let inertia: f64 = (rod.vertices().iter().enumerate())
        .filter(|(v, _)| !start.is_pinned(*v))
        .map(|(v, vertex)| {
            let guess = start.position(v) + start.velocity(v).as_dvec3() * h + gravity * h * h;
            // The solver holds masses in single precision.
            0.5 * f64::from(vertex.mass as f32) / (h * h) * (end.position(v) - guess).length_squared()
        })
        .sum();
    let energy = end.energy();
    let total = inertia + energy.stretch + energy.bend;
    // Frames, rest lengths and rest frames are read back in single precision, each off by at most ε: `k strain ε` apiece, and by
    // Cauchy–Schwarz √(2 Σk E) ε in all.
    let epsilon = 2e-7;
    let axial: f64 = rod.segments().iter().map(|s| s.axial * s.rest_length).sum();
    let joint = |bending: [f64; 2], torsion: f64, length: f64| 4.0 * bending[0].max(bending[1]).max(torsion) / length;
    let joints: f64 = (rod.joints().iter().map(|j| joint(j.bending, j.torsion, j.length)))
        .chain(rod.clamps().iter().map(|c| joint(c.bending, c.torsion, c.length)))
        .sum();
    let noise = epsilon * ((2.0 * axial * energy.stretch).sqrt() + (2.0 * joints * energy.bend).sqrt())
        + epsilon * epsilon * (axial + joints);
    (total, 1e-9 * total + noise)
}

/// The world after a step with at most so many iterations, and how many it took.
fn stepped(start: &RodWorld, h: f32, iterations: u32) -> (RodWorld, u32) {
    let mut world = start.clone();
    let settings = Settings {
        iterations,
        ..world.settings().clone()
    };
    world.set_settings(settings).expect("sound settings");
    let taken = world.step(h).expect("a sound step").iterations;
    (world, taken)
}

/// Checks one substep from `start`; answers by how much the potential fell in all, relative to its end.
fn never_rises(start: &RodWorld, id: RodId, h: f32) -> Result<f64, TestCaseError> {
    let gravity = start.settings().gravity.as_dvec3();
    let before = start.rod(id).expect("the rod is there");
    let mut falls: Vec<f64> = Vec::new();
    let mut same_start = true;
    for iterations in 1..=10 {
        let (world, taken) = stepped(start, h, iterations);
        let after = world.rod(id).expect("the rod is there");
        prop_assert!(!after.is_quarantined());
        let (now, noise) = potential(before, after, gravity, h.into());
        prop_assert!(now.is_finite());
        // More iterations than allowed: it ended above standing still and began again from there. The next count may not need to, and ends
        // elsewhere; only solves from one start can be compared.
        let began_again = taken > iterations;
        if let Some(&last) = falls.last().filter(|_| same_start && !began_again) {
            prop_assert!(
                now <= last + noise,
                "iteration {iterations}: from {last:e} to {now:e} J, up by {:e} of noise {noise:e}",
                now - last
            );
        }
        same_start = !began_again;
        falls.push(now);
    }
    let (first, last) = (falls[0], falls[9]);
    Ok((first - last) / last.abs().max(1e-30))
}

proptest! {
    #![proptest_config(cases(150))]

    /// Random rods, loads and velocities, from the first step and after some others.
    #[test]
    fn the_potential_never_rises(
        rod in described(),
        push in vector(),
        kick in vector(),
        kicked in 0..64usize,
        warm in 0..4usize,
        exponent in -3.0..-1.0f64,
    ) {
        let h = 10f64.powf(exponent) as f32;
        let mut world = crate::common::world(crate::game());
        let options = RodOptions { velocity: (push * 3.0).as_vec3(), ..direct() };
        let id = world.insert_with(rod, options).expect("a sound rod");
        let vertex = kicked % world.rod(id).expect("the rod is there").vertex_count();
        crate::change(&mut world, id, |rod| rod.set_velocity(vertex, (kick * 10.0).as_vec3()));
        for _ in 0..warm {
            world.step(h).expect("a sound step");
        }
        never_rises(&world, id, h)?;
    }
}

proptest! {
    #![proptest_config(cases(100))]

    /// Standing still is always a choice: however few iterations, a substep ends no higher than where it began, or it would make energy out of
    /// nothing. A guess that lets stiff rods fall freely lies far above it.
    #[test]
    fn a_substep_never_ends_above_its_start(
        rod in described(),
        push in vector(),
        warm in 0..4usize,
        exponent in -3.0..-1.0f64,
        iterations in 1..10u32,
        heavy in 0.0..2.0f64,
    ) {
        let h = 10f64.powf(exponent) as f32;
        let gravity = Vec3::new(0.0, -10f64.powf(heavy) as f32, 0.0);
        let mut world = crate::common::world(Settings { gravity, ..crate::game() });
        let options = RodOptions { velocity: (push * 3.0).as_vec3(), ..direct() };
        let id = world.insert_with(rod, options).expect("a sound rod");
        for _ in 0..warm {
            world.step(h).expect("a sound step");
        }
        let before = world.rod(id).expect("the rod is there");
        let (still, noise) = potential(before, before, gravity.as_dvec3(), h.into());
        let (after, _) = stepped(&world, h, iterations);
        let (now, _) = potential(before, after.rod(id).expect("the rod is there"), gravity.as_dvec3(), h.into());
        prop_assert!(now <= still + noise, "{iterations} iterations of {h} s: {now:e} J, {still:e} J at the start");
    }
}

/// A bar of steel, clamped, let go under ten times its weight: the first substep takes it down by a millimetre, and makes no energy.
#[test]
fn a_steel_bar_starts_without_a_jump() {
    let bar = crate::common::line(1.0, 16)
        .material(Material::rigidity(4e8, 4e8, 1e3, 1e3, 3.16))
        .clamp_start();
    let settings = Settings {
        gravity: Vec3::new(0.0, -98.1, 0.0),
        ..crate::game()
    };
    let (mut world, id) = crate::with(&bar, direct(), settings);
    let start = crate::common::rod(&world, id).energy().total();
    for frame in 0..30 {
        crate::common::run(&mut world, 1);
        let energy = crate::common::rod(&world, id).energy().total();
        assert!(energy <= start + 1e-6, "frame {frame}: {energy} J from nothing");
    }
}

/// The check above can fail: a substep of a stiff rope is not done after one iteration, so there is something to fall.
#[test]
fn there_is_something_to_fall() {
    let rope = built(
        &crate::common::line(2.0, 32)
            .material(crate::common::soft(5e4, 0.01))
            .pin(0),
    );
    let mut world = crate::common::world(crate::game());
    let id = world.insert_with(rope, direct()).expect("a sound rope");
    crate::common::run(&mut world, 20);
    let fallen = never_rises(&world, id, FRAME).expect("it never rises");
    assert!(fallen > 1e-4, "{fallen:e}");
}

/// Iterations converge: what further ones would change is below what is seen, at 60 Hz, loaded or not.
#[test]
fn few_iterations_are_enough() {
    for load in [0.0, 100.0] {
        let rope = crate::common::line(2.0, 32)
            .material(crate::common::soft(1e6, 0.01))
            .pin(0)
            .load(32, load);
        let mut world = crate::common::world(crate::game());
        let options = RodOptions {
            velocity: Vec3::new(0.0, 0.0, 1.0),
            ..direct()
        };
        let id = world.insert_with(built(&rope), options).expect("a sound rope");
        for step in 0..30 {
            let (many, _) = stepped(&world, FRAME, 60);
            let error = |iterations| {
                let (few, _) = stepped(&world, FRAME, iterations);
                apart(&positions(&few, id), &positions(&many, id))
            };
            let (three, eight) = (error(3), error(8));
            // Of 2 m. The jolt of the first two steps is the worst.
            assert!(
                three < if step < 2 { 0.02 } else { 5e-3 },
                "{load} kg, step {step}: {three:e} m after 3"
            );
            assert!(
                eight < if step < 2 { 5e-4 } else { 1e-4 },
                "{load} kg, step {step}: {eight:e} m after 8"
            );
            world = many;
            world.set_settings(crate::game()).expect("sound settings");
        }
    }
}
