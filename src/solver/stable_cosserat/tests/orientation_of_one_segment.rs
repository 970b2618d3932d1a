//! The closed-form orientation against methods that share nothing with it: random search, bisection of the secular equation, and
//! paper 1's own Algorithm 1. In `f64`.

use super::*;

/// The part of the energy that one orientation sees, `−½ q·(v q η) − b·q`.
struct Local {
    pull: V,
    bias: Q,
    axis: V,
}

impl Local {
    /// `|v|`, `|b|` from 1e-3 to 1, the larger near one as the solver scales them; half of them with `b` nearly opposite to `v`.
    fn random(random: &mut Random, damped: bool) -> Self {
        let (ratio, alpha) = (random.scale(-3.0, 3.0), random.scale(-2.0, 1.0));
        let mut local = Self {
            pull: random.rotation().axis() * ratio.min(1.0),
            bias: random.rotation().scale((1.0 / ratio).min(1.0)),
            axis: if damped {
                E3 + (E3 + random.vector() * 0.5) * alpha
            } else {
                E3
            },
        };
        if random.number() > 0.0 {
            let plus = local.plus();
            local.bias = local.bias - plus.scale(1.0 - random.scale(-2.0, 0.0));
        }
        if local.share() > RESOLVED {
            local
        } else {
            Self::random(random, damped)
        }
    }

    fn energy(&self, q: Q) -> f64 {
        -0.5 * q.dot(swing(self.pull, q, self.axis)) - self.bias.dot(q)
    }

    /// `V = |v||η|`.
    fn strength(&self) -> f64 {
        self.pull.length() * self.axis.length()
    }

    /// `b₊`: the part of `b` for which `v b η = V b`.
    fn plus(&self) -> Q {
        (self.bias + swing(self.pull, self.bias, self.axis).scale(1.0 / self.strength())).scale(0.5)
    }

    /// `|b₊|/|b|`: 1 where the joints agree with the edge, 0 where they ask for the opposite.
    fn share(&self) -> f64 {
        (self.plus().norm_squared() / self.bias.norm_squared()).sqrt()
    }

    fn solve(&self, own: Q, exact: bool) -> Q {
        if self.axis == E3 {
            orientation::<f64, false>(self.pull, self.bias, self.axis, own, exact)
        } else {
            orientation::<f64, true>(self.pull, self.bias, self.axis, own, exact)
        }
    }

    /// λ by [`gap`], as [`orientation`] calls it.
    fn lambda(&self) -> f64 {
        let swung = swing(self.pull, self.bias, self.axis);
        self.strength() + gap(self.strength(), self.bias.norm_squared(), self.bias.dot(swung))
    }

    /// λ by Algorithm 1 of paper 1 (Eq. 25; Eq. 31 of paper 2): the fixed point, from the upper bound, until it stands still.
    fn lambda_of_the_paper(&self) -> f64 {
        let (strength, swung) = (self.strength(), swing(self.pull, self.bias, self.axis));
        let mut lambda = strength + self.bias.norm_squared().sqrt();
        for _ in 0..100_000 {
            let norm = self.bias.mul_add(lambda, swung).norm_squared().sqrt();
            let next = (norm + strength * strength).sqrt();
            if (next - lambda).abs() < 1e-15 * lambda {
                break;
            }
            lambda = next;
        }
        lambda
    }

    /// The global minimum by bisection of `|q(λ)| = 1` between the bounds of Eq. 21, `q` put together from the two eigenspaces.
    fn minimum(&self) -> Q {
        let (plus, strength) = (self.plus(), self.strength());
        let minus = self.bias - plus;
        let q = |delta: f64| plus.scale(1.0 / delta) + minus.scale(1.0 / (delta + 2.0 * strength));
        let (mut low, mut high) = (0.0, self.bias.norm_squared().sqrt());
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if q(middle).norm_squared() > 1.0 {
                low = middle
            } else {
                high = middle
            }
        }
        q(high).normalize()
    }
}

/// Where `gap` resolves `b₊`; below this share of `b` the two are opposite within a thousandth, and it keeps a thousandth.
const RESOLVED: f64 = 1.001e-3;

#[test]
fn exact_lambda_finds_the_global_minimum() {
    let mut random = Random(5);
    for case in 0..3000 {
        let local = Local::random(&mut random, case % 2 == 1);
        let (strength, largest) = (local.strength(), local.bias.norm_squared().sqrt());
        let q = local.solve(random.rotation(), true);
        assert!((q.norm_squared() - 1.0).abs() < 1e-14);
        // The proximal term, 1e-7 V + 1e-8, may cost up to twice its weight.
        let tolerance = 2e-7 * strength + 2e-8;
        let (found, best) = (local.energy(q), local.energy(local.minimum()));
        assert!(found <= best + tolerance, "{found} above {best} by {:e}", found - best);
        for _ in 0..30 {
            assert!(found <= local.energy(random.rotation()) + tolerance);
        }
        // Eq. 14 of paper 1, Eq. 24 of paper 2, but for the proximal term and the last digits of λ.
        let force = swing(local.pull, q, local.axis) + local.bias;
        let residual = (force - q.scale(force.dot(q))).norm_squared().sqrt();
        assert!(residual < tolerance + 2e-6 * largest, "{residual:e}");
    }
}

/// The same root as Algorithm 1, and inside Eq. 21 and 29.
#[test]
fn lambda_agrees_with_algorithm_1() {
    let mut random = Random(6);
    for case in 0..2000 {
        let local = Local::random(&mut random, case % 2 == 1);
        let (strength, largest) = (local.strength(), local.bias.norm_squared().sqrt());
        let (ours, theirs) = (local.lambda(), local.lambda_of_the_paper());
        assert!(strength < ours && ours <= strength + largest * (1.0 + 1e-15));
        // Halley's three steps are made for single precision: 1e-6 |b| at worst, where b is all but opposite (measured over a grid).
        let tolerance = if local.share() > 0.1 { 1e-11 } else { 2e-6 };
        let error = (ours - theirs) / largest;
        assert!(
            error.abs() < tolerance,
            "{ours} {theirs}: {error:e} at {}",
            local.share()
        );
    }
}

/// Joints that ask for exactly the opposite of the edge say nothing about the way to turn: any answer will do that is one.
#[test]
fn exactly_opposite() {
    let mut random = Random(11);
    for case in 0..200 {
        let mut local = Local::random(&mut random, case % 2 == 1);
        local.bias = local.bias - local.plus();
        let lambda = local.lambda() - local.strength();
        assert!(lambda > 0.0 && lambda <= local.bias.norm_squared().sqrt() * (1.0 + 1e-15));
        for exact in [false, true] {
            let q = local.solve(random.rotation(), exact);
            assert!((q.norm_squared() - 1.0).abs() < 1e-14, "{q:?}");
        }
    }
}

/// A segment between two others, with everything that can act on it.
struct Joined {
    edge: V,
    length: f64,
    axial: f64,
    neighbours: [Q; 2],
    rest: [Q; 2],
    stiffness: [f64; 2],
    softness: [Softness<f64>; 2],
    /// Its `Δx/l` in its frame, and its joints, before the step; `α` of each.
    before: (V, f64),
    joints_before: [(Q, f64); 2],
}

impl Joined {
    fn random(random: &mut Random, anisotropic: bool, damped: bool) -> Self {
        let stiffness = [random.scale(-3.0, 1.0), random.scale(-3.0, 1.0)];
        let alpha = if damped { random.scale(-2.0, 1.0) } else { 0.0 };
        Self {
            edge: random.vector(),
            length: random.scale(-1.0, 0.0),
            axial: random.scale(-2.0, 2.0),
            neighbours: [random.rotation(), random.rotation()],
            rest: [random.rotation(), random.rotation()],
            softness: stiffness.map(|k| if anisotropic { random.softness(k) } else { NO_SOFTNESS }),
            stiffness,
            before: (E3 + random.vector() * 0.5, alpha),
            joints_before: [(random.rotation(), alpha), (random.rotation(), alpha)],
        }
    }

    /// Every energy that sees `q`, from `energy.rs`.
    fn energy(&self, q: Q) -> f64 {
        let (before, alpha) = self.before;
        let stretch = stretch_energy(self.edge, q, self.axial, self.length)
            + stretch_damping_energy(self.edge, q, before, alpha, self.axial, self.length);
        let joint = |j: usize, rest: Q, scale: f64| {
            let [first, second] = if j == 0 {
                [self.neighbours[0], q]
            } else {
                [q, self.neighbours[1]]
            };
            let softness = self.softness[j].scaled(1.0 / scale);
            bend_energy(first, second, rest, self.stiffness[j] * scale, softness)
        };
        (0..2).fold(stretch, |sum, j| {
            let (before, alpha) = self.joints_before[j];
            let viscous = if alpha > 0.0 { joint(j, before, alpha) } else { 0.0 };
            sum + joint(j, self.rest[j], 1.0) + viscous
        })
    }

    /// The update as the sweeps make it: `b` from the current `q`, everything scaled, λ exact.
    fn update(&self, own: Q) -> Q {
        let mut bias = Q::new(0.0, 0.0, 0.0, 0.0);
        for j in 0..2 {
            let (before, alpha) = self.joints_before[j];
            for (target, scale) in [(self.rest[j], 1.0), (before, alpha)]
                .into_iter()
                .filter(|(_, s)| *s > 0.0)
            {
                let seen = if j == 0 { target } else { target.conjugate() };
                // From the first segment the difference of orientations is turned by the target.
                let turn = if j == 0 { Q::new(0.0, 0.0, 0.0, 1.0) } else { target };
                let mut softness = self.softness[j].scaled(1.0 / scale);
                softness.matrix = turned_matrix(glam_of(turn), matrix(softness.matrix));
                let target = seen.scale(self.stiffness[j] * scale);
                bias = bias
                    + if softness == NO_SOFTNESS {
                        joint_bias(self.neighbours[j], target, own)
                    } else {
                        joint_bias_anisotropic(self.neighbours[j], target, own, softness)
                    };
            }
        }
        let (before, alpha) = self.before;
        let scale = 1.0 / (2.0 * self.axial * (1.0 + alpha) + self.stiffness[0] + self.stiffness[1]);
        let local = Local {
            pull: self.edge * (-2.0 * self.axial * scale),
            bias: bias.scale(scale),
            axis: E3 + before * alpha,
        };
        local.solve(own, true)
    }
}

#[test]
fn an_orientation_update_never_raises_the_energy() {
    let mut random = Random(7);
    for case in 0..20_000 {
        let joined = Joined::random(&mut random, case % 2 == 1, case / 2 % 2 == 1);
        let mut q = random.rotation();
        let mut energy = joined.energy(q);
        for sweep in 0..8 {
            q = joined.update(q);
            let next = joined.energy(q);
            assert!(
                next <= energy * (1.0 + 1e-9),
                "case {case}, sweep {sweep}: {energy} to {next}"
            );
            energy = next;
        }
    }
}

/// Paper 1 section 3.3, paper 2 section 6: without strain λ is the bound of Eq. 22, and nothing turns.
#[test]
fn approximate_lambda_is_exact_without_strain() {
    let mut random = Random(8);
    for case in 0..200 {
        let (q, strength) = (random.rotation(), random.scale(-3.0, 0.0));
        let bias = random.scale(-3.0, 0.0);
        let axis = if case % 2 == 0 {
            E3
        } else {
            E3 * (1.0 + random.scale(-2.0, 2.0))
        };
        let local = Local {
            pull: q.axis() * -strength,
            bias: q.scale(bias),
            axis,
        };
        assert!((local.lambda() - local.strength() - bias).abs() < 1e-12 * (local.strength() + bias));
        for exact in [false, true] {
            // The other sign of `own` is the same orientation, but b says which one it is.
            assert!((local.solve(q, exact) - q).norm_squared() < 1e-26);
        }
    }
}

/// `q` and `−q` are one orientation: a neighbour may have either sign.
#[test]
fn signs_of_neighbours_do_not_matter() {
    let mut random = Random(9);
    for case in 0..200 {
        let mut joined = Joined::random(&mut random, case % 2 == 1, case / 2 % 2 == 1);
        let own = random.rotation();
        let q = joined.update(own);
        joined.neighbours[0] = joined.neighbours[0].scale(-1.0);
        assert_eq!(joined.update(own), q);
    }
}
