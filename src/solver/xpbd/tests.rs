//! The projections against finite differences of the constraints themselves, in `f64`.

use glam::{DMat3, DQuat, DVec3};

use super::{
    constraint::{
        BendLaw, EvenLaw, ModifiedLaw, StretchLaw, bend, bend_modified, measure, solve, stiffness_part, stretch,
        stretch_between, stretch_even, taken, turned,
    },
    energy::{bend_energy, bend_moment, stiffness},
};
use crate::{
    math::{Quaternion, Symmetric, Vector},
    solver::stable_cosserat::energy::Softness,
    state::block::softness_entries,
};

type Q = Quaternion<f64>;
type V = Vector<f64>;

/// Numbers from −1 to 1, the same on every machine.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> V {
        Vector::new(self.number(), self.number(), self.number())
    }

    fn quaternion(&mut self) -> Q {
        Quaternion::new(self.number(), self.number(), self.number(), self.number()).normalize()
    }

    fn positive(&mut self) -> f64 {
        10f64.powf(2.0 * self.number())
    }
}

fn array(v: V) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// `exp(ω/2) q`.
fn rotated(q: Q, omega: DVec3) -> Q {
    Quaternion::from(DQuat::from_scaled_axis(omega)) * q
}

/// The small world rotation from one orientation to another, as the linear step of a projection has it.
fn step(before: Q, after: Q) -> DVec3 {
    let z = after * before.conjugate();
    DVec3::from(z.vector()) * (2.0 / z.w)
}

/// Columns of the derivative of `c` by a small vector.
fn jacobian(c: impl Fn(DVec3) -> V) -> DMat3 {
    let e = 1e-5;
    DMat3::from_cols_array_2d(
        &[DVec3::X, DVec3::Y, DVec3::Z].map(|axis| array((c(axis * e) - c(axis * -e)) * (0.5 / e))),
    )
}

fn near(found: DVec3, expected: DVec3, what: &str) {
    // Central differences with a step of 1e-5 are right to 1e-10, and masses and stiffness span four decades.
    let error = found.distance(expected) / (1e-9 + expected.length());
    assert!(error < 1e-6, "{what}: {found} instead of {expected}");
}

/// So stiff that PBD takes all of an error at once.
const STIFF: V = Vector {
    x: 1e12,
    y: 1e12,
    z: 1e12,
};

/// A bend–twist projection from `K'`, by either measure.
#[allow(clippy::too_many_arguments)]
fn project(q: Q, u: Q, target: Q, k: V, turning: [f64; 2], modified: bool, lambda: V, pbd: Option<u32>) -> (Q, Q, V) {
    let yielding = 0.25 * (turning[0] + turning[1]);
    if modified {
        let part = |k: f64| pbd.map_or(k, |iterations| stiffness_part(k, yielding, iterations));
        let law = ModifiedLaw {
            target: target.vector(),
            stiffness: Vector::new(part(k.x), part(k.y), part(k.z)),
            turning,
            rigid: pbd.is_some(),
        };
        return bend_modified(q, u, &law, lambda);
    }
    let [(kx, x), (ky, y), (kz, z)] = array(k).map(|k| taken(k, yielding, pbd));
    let law = BendLaw {
        target,
        stiffness: Vector::new(kx, ky, kz),
        taken: Vector::new(x, y, z),
        turning,
    };
    bend(q, u, &law, lambda)
}

/// A segment of any strain between any two masses: the projection is `W ∇Cᵀ Δλ`, and Δλ solves the linearized constraint.
#[test]
fn stretch_follows_the_gradient_of_its_constraint() {
    let mut random = Random(1);
    for _ in 0..200 {
        let (q, edge) = (random.quaternion(), random.vector() * 2.0);
        let length = random.positive();
        let inverse_length = 1.0 / length;
        let [w1, w2, turning] = std::array::from_fn(|_| random.positive());
        let law = StretchLaw {
            target: random.vector() * 0.3 + Vector::new(0.0, 0.0, 1.0),
            stiffness: {
                let shear = random.positive();
                Vector::new(shear, shear, random.positive())
            },
            yielding: (w1 + w2) / (length * length),
            turning,
            rigid: false,
        };
        let lambda = random.vector();
        let constraint = |tail: DVec3, head: DVec3, omega: DVec3| {
            let p = (edge + Vector::from(head) - Vector::from(tail)) * inverse_length;
            rotated(q, omega).conjugate().rotate(p) - law.target
        };
        let zero = DVec3::ZERO;
        let by_tail = jacobian(|x| constraint(x, zero, zero));
        let by_head = jacobian(|x| constraint(zero, x, zero));
        let by_turn = jacobian(|x| constraint(zero, zero, x));

        let p = edge * inverse_length;
        let local = q.conjugate().rotate(p);
        let change = stretch(local, &law, lambda);
        let impulse = q.rotate(change);
        let found = DVec3::from(change);
        near(
            DVec3::from(impulse) * (w2 / length),
            w2 * by_head.transpose() * found,
            "head",
        );
        near(
            DVec3::from(impulse) * (-w1 / length),
            w1 * by_tail.transpose() * found,
            "tail",
        );
        near(
            step(q, turned(q, impulse, p, turning)),
            turning * by_turn.transpose() * found,
            "rotation",
        );
        let gram = |j: DMat3, w: f64| j * j.transpose() * w;
        let k = DVec3::from(law.stiffness);
        let matrix = gram(by_tail, w1) + gram(by_head, w2) + gram(by_turn, turning) + DMat3::from_diagonal(k.recip());
        let residual = DVec3::from(constraint(zero, zero, zero)) + DVec3::from(lambda) / k;
        near(matrix * found, -residual, "linearized constraint");

        // The same through matrices.
        let f = law.yielding;
        let yielding = Symmetric([f, f, f, 0.0, 0.0, 0.0]);
        near(
            DVec3::from(stretch_between(q, local, &law, yielding, lambda)),
            found,
            "through matrices",
        );
        // PBD without compliance: what is rigid loses all of its linearized error.
        let rigid = StretchLaw {
            rigid: true,
            stiffness: Vector::new(1.0, 1.0, 1.0),
            ..law
        };
        let found = DVec3::from(stretch(local, &rigid, Vector::zero()));
        let matrix = gram(by_tail, w1) + gram(by_head, w2) + gram(by_turn, turning);
        near(matrix * found, -DVec3::from(constraint(zero, zero, zero)), "rigid");
    }
}

/// The paper's own constraint, in the world: the same, for any target, and for PBD.
#[test]
fn even_stretch_follows_the_gradient_of_its_constraint() {
    let mut random = Random(7);
    for _ in 0..200 {
        let (q, edge) = (random.quaternion(), random.vector() * 2.0);
        let length = random.positive();
        let [w1, w2, turning, k] = std::array::from_fn(|_| random.positive());
        let target = random.vector() * 0.3 + Vector::new(0.0, 0.0, 1.0);
        let lambda = random.vector();
        let constraint = |tail: DVec3, head: DVec3, omega: DVec3| {
            (edge + Vector::from(head) - Vector::from(tail)) * (1.0 / length) - rotated(q, omega).rotate(target)
        };
        let zero = DVec3::ZERO;
        let by_tail = jacobian(|x| constraint(x, zero, zero));
        let by_head = jacobian(|x| constraint(zero, x, zero));
        let by_turn = jacobian(|x| constraint(zero, zero, x));
        let yielding = (w1 + w2) / (length * length);
        let law = EvenLaw::new(k, yielding, turning, target.length_squared(), None);
        let (p, d) = (edge * (1.0 / length), q.rotate(target));
        let change = stretch_even(p, d, &law, lambda);
        let found = DVec3::from(change);
        near(found * (w2 / length), w2 * by_head.transpose() * found, "head");
        near(found * (-w1 / length), w1 * by_tail.transpose() * found, "tail");
        near(
            step(q, turned(q, change, d, turning)),
            turning * by_turn.transpose() * found,
            "rotation",
        );
        let gram = |j: DMat3, w: f64| j * j.transpose() * w;
        let exact = gram(by_tail, w1) + gram(by_head, w2) + gram(by_turn, turning);
        let residual = DVec3::from(constraint(zero, zero, zero)) + DVec3::from(lambda) / k;
        near(
            (exact + DMat3::from_diagonal(DVec3::splat(1.0 / k))) * found,
            -residual,
            "linearized constraint",
        );
        // Rigid PBD in one iteration: what it leaves of the linearized error is 1/(1 + K'A), and A may be a millionth.
        let law = EvenLaw::new(1e15, yielding, turning, target.length_squared(), Some(1));
        let found = DVec3::from(stretch_even(p, d, &law, Vector::zero()));
        let (left, error) = (exact * found, -DVec3::from(constraint(zero, zero, zero)));
        // The matrix is one of finite differences, right to 1e-10 of its largest entry, and its entries span eight decades.
        assert!(
            left.distance(error) < 1e-4 * error.length(),
            "rigid: {left} instead of {error}"
        );
    }
}

/// Both measures: the projection is `W ∇Cᵀ Δλ`. Appendix A solves the linearized constraint; Eq. 40 solves it with a matrix that is no smaller.
#[test]
fn bend_follows_the_gradient_of_its_constraint() {
    let mut random = Random(2);
    for round in 0..400 {
        let modified = round % 2 == 0;
        let (q, rest) = (random.quaternion(), random.quaternion());
        let rest = rest.flip_by(rest.w);
        // Up to about 100° away from rest, with either sign.
        let bent = Quaternion::from(DQuat::from_scaled_axis(DVec3::from(random.vector())));
        let u = (q * rest * bent).scale(if random.number() > 0.0 { 1.0 } else { -1.0 });
        let turning: [f64; 2] = std::array::from_fn(|_| random.positive());
        let target = measure(rest, modified);
        let sign = Quaternion::from_parts(target, rest.w);
        let stiffness = Vector::new(random.positive(), random.positive(), random.positive());
        // A step beyond half a turn has no direction any more.
        let lambda = random.vector() * (0.1 / (turning[0] + turning[1]));
        let constraint = |a: DVec3, b: DVec3| {
            let z = rotated(q, a).conjugate() * rotated(u, b);
            measure(z.flip_by(z.dot(sign)), modified) - target
        };
        if modified && (q.conjugate() * u).w.abs() < 0.1 {
            continue; // Near half a turn the tangent is cut off.
        }
        let zero = DVec3::ZERO;
        let by_first = jacobian(|x| constraint(x, zero));
        let by_second = jacobian(|x| constraint(zero, x));
        let (first, second, change) = project(q, u, sign, stiffness, turning, modified, lambda, None);
        let found = DVec3::from(change);
        // The step is one in four components with a part along the quaternion, which normalization divides by: compare directions, and lengths for small ones.
        let [a, b] = [
            turning[0] * by_first.transpose() * found,
            turning[1] * by_second.transpose() * found,
        ];
        near(step(q, first).normalize(), a.normalize(), "direction of the first");
        near(step(u, second).normalize(), b.normalize(), "direction of the second");
        assert!(step(q, first).dot(a) > 0.0 && step(u, second).dot(b) > 0.0);
        let k = DVec3::from(stiffness);
        let gram = |j: DMat3, w: f64| j * j.transpose() * w;
        let exact = gram(by_first, turning[0]) + gram(by_second, turning[1]);
        let residual = DVec3::from(constraint(zero, zero)) + DVec3::from(lambda) / k;
        if modified {
            let matrix = exact + DMat3::from_diagonal(k.recip());
            near(matrix * found, -residual, "appendix A");
        } else {
            let above = 0.25 * (turning[0] + turning[1]);
            near((above + k.recip()) * found, -residual, "Eq. 40");
            let v = DVec3::from(random.vector());
            assert!(v.dot(exact * v) <= above * v.length_squared() * (1.0 + 1e-6));
        }
    }
}

/// A small step is the whole of it: lengths, where normalization takes nothing away.
#[test]
fn a_small_bend_is_taken_back_in_one_projection() {
    let mut random = Random(3);
    for modified in [false, true] {
        for _ in 0..100 {
            let (q, rest) = (
                random.quaternion(),
                DQuat::from_scaled_axis(DVec3::new(0.1, -0.05, 0.2)),
            );
            let rest = Quaternion::from(rest);
            let bent = Quaternion::from(DQuat::from_scaled_axis(DVec3::from(random.vector() * 1e-4)));
            let u = q * rest * bent;
            let target = Quaternion::from_parts(measure(rest, modified), rest.w);
            let turning = [random.positive(), random.positive()];
            let (first, second, _) = project(q, u, target, STIFF, turning, modified, Vector::zero(), Some(1));
            let z = rest.conjugate() * (first.conjugate() * second);
            // Eq. 40 leaves |v|² of it: sin²(0.12) is 1.3%. Appendix A leaves what is of second order.
            let left = z.vector().length() / bent.vector().length();
            assert!(left < if modified { 1e-3 } else { 0.02 }, "{left}");
        }
    }
}

/// Eq. 33 with vector parts alone would take the mirror image of the rest for the rest.
#[test]
fn a_joint_bent_beyond_straight_returns_to_its_rest() {
    let rest = Quaternion::from(DQuat::from_rotation_x(0.4));
    let mut pair = [
        Quaternion::from(DQuat::IDENTITY),
        Quaternion::from(DQuat::from_rotation_x(-0.5)),
    ];
    for modified in [false, true] {
        let target = Quaternion::from_parts(measure(rest, modified), rest.w);
        for _ in 0..20 {
            let (first, second, _) = project(
                pair[0],
                pair[1],
                target,
                STIFF,
                [1.0; 2],
                modified,
                Vector::zero(),
                Some(1),
            );
            pair = [first, second];
        }
        let z = rest.conjugate() * (pair[0].conjugate() * pair[1]);
        assert!(z.vector().length() < 1e-6, "{z:?}");
    }
}

#[test]
fn moments_are_the_gradient_of_the_energy() {
    let mut random = Random(4);
    for round in 0..100 {
        let modified = round % 2 == 0;
        let (first, rest) = (random.quaternion(), random.quaternion());
        let rest = rest.flip_by(rest.w);
        let bent = Quaternion::from(DQuat::from_scaled_axis(DVec3::from(random.vector() * 0.7)));
        let second = first * rest * bent;
        if (first.conjugate() * second).w.abs() < 0.1 || rest.w < 0.1 {
            continue;
        }
        let k = Vector::new(random.positive(), random.positive(), random.positive());
        let energy = |omega: DVec3| bend_energy(first, rotated(second, omega), rest, k, modified);
        let e = 1e-5;
        let gradient =
            DVec3::from_array([DVec3::X, DVec3::Y, DVec3::Z].map(|a| (energy(a * e) - energy(a * -e)) / (2.0 * e)));
        near(
            DVec3::from(bend_moment(first, second, rest, k, modified)),
            -gradient,
            "moment",
        );
    }
}

/// Rows keep a joint's softness in the frame of a segment; its three numbers come back.
#[test]
fn the_three_stiffnesses_come_back_from_rows() {
    let rest = DQuat::from_scaled_axis(DVec3::new(0.3, -0.4, 0.2));
    let k = [3.0, 7.0, 5.0];
    let [a, b, c, d, e, f, real, ratio] = softness_entries(rest, k, true);
    let softness = Softness {
        matrix: Symmetric([a, b, c, d, e, f]),
        real,
        ratio,
    };
    let found = DVec3::from(stiffness(rest.into(), 7.0, softness));
    assert!(found.distance(DVec3::from_array(k)) < 1e-12, "{found}");
}

/// After its iterations a PBD constraint has lost what implicit Euler takes from it.
#[test]
fn pbd_stiffness_follows_from_the_material() {
    for iterations in [1, 2, 3, 10, 50, 1000] {
        for exponent in -3..6 {
            let stiff = 10f64.powi(exponent);
            let k = stiffness_part(stiff, 0.7, iterations);
            let left = (1.0 - k).powi(iterations as i32) * (1.0 + 0.7 * stiff);
            assert!((left - 1.0).abs() < 1e-4, "{iterations} iterations, {stiff}: {left}");
        }
    }
    // In single precision as well.
    let k = stiffness_part(1e4f32, 1.0, 10);
    assert!((f64::from(k) - (1.0 - 10_001f64.powf(-0.1))).abs() < 1e-5);
}

#[test]
fn a_positive_matrix_is_solved() {
    let mut random = Random(5);
    for _ in 0..100 {
        let m = DMat3::from_cols_array_2d(&std::array::from_fn(|_| array(random.vector())));
        let m = m * m.transpose() + DMat3::IDENTITY * 0.1;
        let b = DVec3::from(random.vector());
        let packed = Symmetric([m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.x_axis.z, m.y_axis.z]);
        let x = DVec3::from(solve(packed, b.into()));
        assert!((m * x - b).length() < 1e-10, "{x}");
    }
}
