//! Every gradient and Hessian against finite differences, the factorization against its product, angles against the standard library.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat, DVec3};

use super::{
    Curvature,
    angles::{atan2, sin_cos, unwrapped},
    banded::{BAND, Banded},
    energy::{HeldLaw, JointLaw, Law, stretch},
    geometry::{Bent, Edge, LOCAL, Local, curvature, curvature_gradient, transport, twist, twist_gradient},
    newton::{EdgeLaw, Memory, Place, Segment, Vertex},
};

/// A row of numbers in [−1, 1] that is the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.roll(), self.roll(), self.roll())
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_xyzw(self.roll(), self.roll(), self.roll(), self.roll()).normalize()
    }
}

const MEASURES: [Curvature; 2] = [Curvature::BothFrames, Curvature::MeanFrame];

/// Two edges that meet at any angle, with frames turned anyhow.
fn pair(dice: &mut Dice) -> [Edge; 2] {
    let first = dice.vector() + DVec3::X * 1.5;
    let second = dice.vector() + DVec3::X * 1.5;
    [first, second].map(|span| Edge::carried(dice.rotation(), span, dice.roll()))
}

/// The two edges after `y` changed. Walls stay.
fn changed(edges: &[Edge; 2], y: &Local) -> [Edge; 2] {
    let x = |at: usize| DVec3::new(y[at], y[at + 1], y[at + 2]);
    let moved = |edge: &Edge, by: DVec3, turn: f64| match edge.fixed {
        true => *edge,
        false => edge.moved(edge.tangent * edge.length + by, turn),
    };
    [moved(&edges[0], x(4) - x(0), y[3]), moved(&edges[1], x(8) - x(4), y[7])]
}

/// Central differences of a function of `y`, along each unknown that is there.
fn differences(edges: &[Edge; 2], f: impl Fn(&[Edge; 2]) -> f64) -> Local {
    let step = 1e-6;
    std::array::from_fn(|k| {
        // The unknowns of a wall are not there: those of the edge that it stands for, without the vertex that both share.
        if (edges[0].fixed && k < 4) || (edges[1].fixed && k >= 7) {
            return 0.0;
        }
        let at = |sign: f64| {
            let mut y = [0.0; LOCAL];
            y[k] = sign * step;
            f(&changed(edges, &y))
        };
        (at(1.0) - at(-1.0)) / (2.0 * step)
    })
}

fn near(found: &Local, expected: &Local, what: &str) {
    let size = expected.iter().fold(1.0, |most: f64, e| most.max(e.abs()));
    for k in 0..LOCAL {
        let error = (found[k] - expected[k]).abs();
        // Central differences at 1e-6: 1e-12 of the third derivative, 1e-10 of rounding.
        assert!(
            error < 1e-7 * size,
            "{what}, unknown {k}: {} instead of {}",
            found[k],
            expected[k]
        );
    }
}

/// The same joint between two edges, and with a wall on either side.
fn with_walls(edges: [Edge; 2]) -> [[Edge; 2]; 3] {
    let wall = |edge: Edge| Edge {
        fixed: true,
        length: 1.0,
        ..edge
    };
    [edges, [wall(edges[0]), edges[1]], [edges[0], wall(edges[1])]]
}

/// The unknowns of a wall have a gradient by its angle; nobody reads it.
fn without_walls(mut row: Local, edges: &[Edge; 2]) -> Local {
    if edges[0].fixed {
        row[..4].fill(0.0);
    }
    if edges[1].fixed {
        row[7..].fill(0.0);
    }
    row
}

#[test]
fn gradients_of_curvature_and_twist_are_those_of_differences() {
    let mut dice = Dice(1);
    for _ in 0..50 {
        for edges in with_walls(pair(&mut dice)) {
            let bent = Bent::new(&edges[0], &edges[1]);
            for measure in MEASURES {
                let rows = curvature_gradient(&edges[0], &edges[1], &bent, measure);
                for (k, row) in rows.into_iter().enumerate() {
                    let value = |[a, b]: &[Edge; 2]| curvature(a, b, &Bent::new(a, b), measure)[k];
                    near(&without_walls(row, &edges), &differences(&edges, value), "curvature");
                }
            }
            let before = twist(&edges[0], &edges[1]);
            let value = |[a, b]: &[Edge; 2]| unwrapped(twist(a, b), before);
            let row = without_walls(twist_gradient(&edges[0], &edges[1], &bent), &edges);
            near(&row, &differences(&edges, value), "twist");
        }
    }
}

/// κ of both frames has twice the square of κb, whatever the frames; the mean loses what they twist against one another.
#[test]
fn both_frames_see_all_of_the_curvature_and_the_mean_does_not() {
    let mut dice = Dice(2);
    for _ in 0..50 {
        let [first, second] = pair(&mut dice);
        let bent = Bent::new(&first, &second);
        let square = |measure| -> f64 { curvature(&first, &second, &bent, measure).iter().map(|k| k * k).sum() };
        let whole = bent.binormal.length_squared();
        assert!((square(Curvature::BothFrames) - 2.0 * whole).abs() < 1e-12 * whole.max(1.0));
        // Two frames at an angle m have a mean of cos(m/2).
        let share = (0.5 * twist(&first, &second)).cos().powi(2);
        assert!((square(Curvature::MeanFrame) - share * whole).abs() < 1e-12 * whole.max(1.0));
    }
}

fn law(dice: &mut Dice, rest: f64) -> Law {
    Law {
        stiffness: 2.0 + dice.roll(),
        rest,
        alpha: 0.5 + 0.5 * dice.roll(),
        before: rest + 0.1 * dice.roll(),
    }
}

#[test]
fn stretch_is_exact_under_tension_and_positive_under_pressure() {
    let mut dice = Dice(3);
    for case in 0..60 {
        let span = dice.vector() + DVec3::X * 1.5;
        let rest = span.length() * if case % 2 == 0 { 0.8 } else { 1.3 };
        let law = Law {
            before: rest,
            ..law(&mut dice, rest)
        };
        let at = |span: DVec3| stretch(span.normalize(), span.length(), &law);
        let (gradient, hessian) = at(span);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        for (k, axis) in axes.into_iter().enumerate() {
            let step = axis * 1e-6;
            let slope = (law.energy((span + step).length()) - law.energy((span - step).length())) / 2e-6;
            assert!((gradient[k] - slope).abs() < 1e-7);
            if case % 2 == 0 {
                let change = (at(span + step).0 - at(span - step).0) / 2e-6;
                assert!((hessian.col(k) - change).length() < 1e-7, "{hessian} {k} {change}");
            }
        }
        // What is projected away is sideways, and along the edge nothing is.
        let along = span.normalize();
        assert!((along.dot(hessian * along) - law.curvature()).abs() < 1e-9);
        for _ in 0..5 {
            let way = dice.vector();
            assert!(way.dot(hessian * way) >= -1e-12);
        }
    }
}

#[test]
fn a_held_edge_pulls_back_to_its_frame() {
    let mut dice = Dice(4);
    let frame = DMat3::from_quat(dice.rotation());
    let law = HeldLaw {
        stiffness: frame * DMat3::from_diagonal(DVec3::new(2.0, 2.0, 5.0)) * frame.transpose(),
        rest: frame.z_axis * 0.7,
        alpha: 0.4,
        before: dice.vector(),
    };
    let edge = dice.vector();
    let (gradient, hessian) = law.stretch(edge);
    for (k, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        let step = axis * 1e-5;
        let slope = (law.energy(edge + step) - law.energy(edge - step)) / 2e-5;
        assert!((gradient[k] - slope).abs() < 1e-8);
        let change = (law.stretch(edge + step).0 - law.stretch(edge - step).0) / 2e-5;
        assert!((hessian.col(k) - change).length() < 1e-8);
    }
}

const SEGMENTS: usize = 6;
const UNKNOWNS: usize = 4 * SEGMENTS + 3;

/// A crooked rod of six segments between two walls. At rest it lies as it does; else everything is strained, damped, pushed and turned.
fn crooked(dice: &mut Dice, measure: Curvature, at_rest: bool) -> Memory {
    let mut memory = Memory::default();
    memory.reserve(SEGMENTS);
    let (problem, place) = (&mut memory.problem, &mut memory.now);
    problem.measure = measure;
    problem.mean_length = 1.0;
    let noise = |scale: f64| if at_rest { 0.0 } else { scale };
    place.edges[0] = Edge::wall(DQuat::from_rotation_y(1.2));
    for s in 0..=SEGMENTS {
        place.u[s] = dice.vector() * noise(0.1);
    }
    for s in 0..SEGMENTS {
        let span = dice.vector() * 0.6 + DVec3::X;
        let edge = Edge::carried(dice.rotation(), span, 0.0);
        place.edges[s + 1] = edge;
        place.turns[s] = dice.roll() * noise(0.3);
        let span = span - (place.u[s + 1] - place.u[s]);
        let length = edge.length * (1.0 - 0.2 * noise(1.0));
        let held = s == 3 && !at_rest;
        problem.segments.push(Segment {
            span,
            law: match held {
                true => EdgeLaw::Held(HeldLaw {
                    stiffness: DMat3::from_diagonal(DVec3::new(2.0, 3.0, 5.0)),
                    rest: DVec3::X,
                    alpha: 0.2,
                    before: span,
                }),
                false => EdgeLaw::Free(Law {
                    before: length,
                    ..law(dice, length)
                }),
            },
            inertia: 1.5 + dice.roll(),
            inertial: if at_rest { 0.0 } else { dice.roll() },
            couple: DVec3::ZERO,
            torque: dice.roll() * noise(1.0),
        });
    }
    place.edges[SEGMENTS + 1] = Edge::wall(dice.rotation() * DQuat::from_rotation_y(1.0));
    for j in 0..=SEGMENTS {
        place.measure(j, noise(TAU), measure);
        let rest = |value: f64, dice: &mut Dice| Law {
            before: value,
            ..law(dice, value)
        };
        let mut joint = JointLaw {
            bend: place.curvatures[j].map(|k| rest(k, dice)),
            twist: rest(place.twists[j], dice),
        };
        for law in joint.bend.iter_mut().chain([&mut joint.twist]) {
            law.rest += dice.roll() * noise(0.3);
            law.before += dice.roll() * noise(0.3);
        }
        problem.joints.push((j != 2).then_some(joint));
    }
    for v in 0..=SEGMENTS {
        let m = DMat3::from_quat(dice.rotation());
        problem.vertices.push(Vertex {
            free: v != 4,
            inertia: 2.0 + dice.roll(),
            inertial: dice.vector() * noise(1.0),
            guess: DVec3::ZERO,
            force: dice.vector() * noise(1.0),
            extra: (v % 2 == 1).then(|| {
                let stiff = m * DMat3::from_diagonal(DVec3::new(1.0, 2.0, 0.0)) * m.transpose();
                (dice.vector() * noise(1.0), stiff)
            }),
        });
    }
    memory
}

/// The place after its unknowns changed.
fn place_at(memory: &Memory, step: &[f64]) -> Place {
    let mut place = memory.now.clone();
    let vertex = |v: usize| DVec3::from_slice(&step[4 * v..4 * v + 3]);
    place.follow(&memory.now, &memory.problem, vertex, |s| step[4 * s + 3]);
    place
}

fn assembled(memory: &Memory, place: &Place) -> (Vec<f64>, Banded) {
    let mut force = vec![0.0; UNKNOWNS];
    let mut matrix = Banded::default();
    matrix.reserve(UNKNOWNS);
    memory.problem.assemble(place, &mut force, &mut matrix);
    (force, matrix)
}

fn is_held(unknown: usize) -> bool {
    (16..19).contains(&unknown)
}

#[test]
fn the_force_of_a_whole_rod_is_the_slope_of_its_potential() {
    let mut dice = Dice(5);
    for measure in MEASURES {
        let memory = crooked(&mut dice, measure, false);
        let (force, _) = assembled(&memory, &memory.now);
        for unknown in (0..UNKNOWNS).filter(|&k| !is_held(k) && k != 15) {
            let at = |change: f64| {
                let mut step = [0.0; UNKNOWNS];
                step[unknown] = change;
                memory.problem.potential(&place_at(&memory, &step))
            };
            let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
            let error = (force[unknown] + slope).abs();
            assert!(
                error < 1e-6,
                "{measure:?}, unknown {unknown}: {} instead of {}",
                force[unknown],
                -slope
            );
        }
    }
}

/// Where no joint is strained the Gauss–Newton part is all there is.
#[test]
fn the_matrix_of_a_rod_at_rest_is_the_slope_of_its_force() {
    let mut dice = Dice(6);
    for measure in MEASURES {
        let memory = crooked(&mut dice, measure, true);
        let (_, mut matrix) = assembled(&memory, &memory.now);
        for column in (0..UNKNOWNS).filter(|&k| !is_held(k)) {
            let at = |change: f64| {
                let mut step = [0.0; UNKNOWNS];
                step[column] = change;
                assembled(&memory, &place_at(&memory, &step)).0
            };
            let (ahead, behind) = (at(1e-6), at(-1e-6));
            for row in (column..UNKNOWNS).filter(|&k| !is_held(k)) {
                let slope = -(ahead[row] - behind[row]) / 2e-6;
                let found = if row - column <= BAND {
                    *matrix.at(row, column)
                } else {
                    0.0
                };
                // The matrix projects sideways stretch where the difference presses: 1e-6 of it is left.
                assert!(
                    (found - slope).abs() < 1e-5,
                    "{measure:?} ({row}, {column}): {found} instead of {slope}"
                );
            }
        }
    }
}

#[test]
fn the_matrix_of_a_strained_rod_is_positive_and_its_factors_solve_it() {
    let mut dice = Dice(7);
    for _ in 0..20 {
        let memory = crooked(&mut dice, Curvature::BothFrames, false);
        let (force, mut matrix) = assembled(&memory, &memory.now);
        let mut product = |x: &[f64]| -> Vec<f64> {
            let mut entry = |i: usize, j: usize| match i.abs_diff(j) <= BAND {
                true => *matrix.at(i.max(j), i.min(j)),
                false => 0.0,
            };
            (0..UNKNOWNS)
                .map(|i| (0..UNKNOWNS).map(|j| entry(i, j) * x[j]).sum())
                .collect()
        };
        let way: Vec<f64> = (0..UNKNOWNS).map(|_| dice.roll()).collect();
        let square: f64 = product(&way).iter().zip(&way).map(|(a, b)| a * b).sum();
        assert!(square > 0.0);
        let mut factored = assembled(&memory, &memory.now).1;
        factored.factor(UNKNOWNS);
        let mut x = force.clone();
        factored.solve(&mut x);
        for (found, expected) in product(&x).iter().zip(&force) {
            assert!((found - expected).abs() < 1e-10 * (1.0 + expected.abs()));
        }
    }
}

/// A solve ends where nothing pulls any more, and never above where it began.
#[test]
fn newton_comes_to_rest() {
    let mut dice = Dice(8);
    let mut memory = crooked(&mut dice, Curvature::BothFrames, false);
    memory.start = memory.now.clone();
    let before = memory.problem.potential(&memory.start);
    let taken = memory.solve(60);
    assert!(taken < 60, "{taken} iterations");
    assert!(memory.problem.potential(&memory.now) < before);
    let (force, _) = assembled(&memory, &memory.now);
    // Steps below 1e-5 of a segment are not taken; stiffness is of order 10.
    assert!(force.iter().all(|f| f.abs() < 1e-3), "{force:?}");
}

#[test]
fn transport_turns_vectors_without_stretching_them() {
    let mut dice = Dice(9);
    for _ in 0..100 {
        let [from, to] = [dice.vector().normalize(), dice.vector().normalize()];
        let across = from.any_orthonormal_vector();
        let carried = transport(across, from, to);
        assert!((carried.length() - 1.0).abs() < 1e-12 && carried.dot(to).abs() < 1e-12);
        assert!((transport(from, from, to) - to).length() < 1e-12);
        let back = transport(across, from, -from);
        assert!((back.length() - 1.0).abs() < 1e-12 && back.dot(from).abs() < 1e-12);
    }
}

#[test]
fn a_frame_survives_single_precision() {
    let mut dice = Dice(10);
    for _ in 0..100 {
        let [edge, _] = pair(&mut dice);
        let frame = edge.frame();
        assert!((frame * DVec3::Z - edge.tangent).length() < 1e-12 && (frame * DVec3::X - edge.d1).length() < 1e-12);
        let rounded = Edge::carried(frame.as_quat().as_dquat().normalize(), edge.tangent * edge.length, 0.0);
        let left = rounded.d1.cross(edge.d1).dot(edge.tangent);
        let again = rounded.moved(edge.tangent * edge.length, f64::from(left as f32));
        assert!(
            (again.d1 - edge.d1).length() < 1e-13,
            "{}",
            (again.d1 - edge.d1).length()
        );
    }
}

#[test]
fn angles_are_those_of_the_standard_library() {
    let mut dice = Dice(11);
    for _ in 0..2000 {
        let angle = dice.roll() * 50.0;
        let (sine, cosine) = sin_cos(angle);
        assert!(
            (sine - angle.sin()).abs() < 2e-15 && (cosine - angle.cos()).abs() < 2e-15,
            "{angle}"
        );
        let [y, x] = [dice.roll(), dice.roll()];
        assert!((atan2(y, x) - y.atan2(x)).abs() < 1e-15, "{y} {x}");
    }
    for (y, x) in [
        (0.0, 1.0),
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, -1.0),
        (1.0, 1.0),
        (-1.0, -1.0),
    ] {
        assert!((atan2(y, x) - f64::atan2(y, x)).abs() < 1e-15, "{y} {x}");
    }
    assert_eq!(atan2(0.0, 0.0), 0.0);
    assert!((unwrapped(0.3, 5.0 * TAU + PI * 0.9) - (0.3 + 5.0 * TAU)).abs() < 1e-12);
    assert!(sin_cos(f64::NAN).0.is_nan());
}
