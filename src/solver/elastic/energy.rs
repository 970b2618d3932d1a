//! The three energies of a rod with their gradients and positive semidefinite Hessians, element by element, with all parameters explicit (paper 4, Eq. 2–8).
//!
//! Plain functions of numbers: the solver sums them up, and whoever looks for a rest shape asks them for their derivatives. Kelvin–Voigt damping with the
//! relaxation time τ adds, in a step `h`, `α = τ/h` times the same energy about the strain before the step.
//!
//! The paper's `sβπr⁴/4(l̄₋ + l̄₊)` is `EI/2l` with `l = (l̄₋ + l̄₊)/2`, `sγπr⁴/(l̄₋ + l̄₊)` is `GJ/l`: here the rigidities themselves are the parameters, so
//! that sections need not be round. Its sum in section III-B starts at the second edge, since the first one is held there; ours has all of them.

use glam::{DMat3, DVec3};

use super::geometry::{LOCAL, Local};

/// Entries of a symmetric matrix over [`Local`]: row after row, up to the diagonal.
pub const LOCAL_PAIRS: usize = LOCAL * (LOCAL + 1) / 2;

/// What an element adds in its unknowns.
#[derive(Clone, Debug)]
pub struct Element {
    /// By [`Local`].
    pub gradient: Local,
    /// Lower triangle, row after row.
    pub hessian: [f64; LOCAL_PAIRS],
}

impl Element {
    /// Nothing yet.
    pub const ZERO: Self = Self {
        gradient: [0.0; LOCAL],
        hessian: [0.0; LOCAL_PAIRS],
    };

    /// Add the energy's `½ k (c − c̄)²`: `slope = k (c − c̄)` along `∇c`, and `k ∇c ∇cᵀ`, which is positive and exact at rest.
    pub fn add(&mut self, row: &Local, slope: f64, stiffness: f64) {
        let mut start = 0;
        for (i, &a) in row.iter().enumerate() {
            self.gradient[i] += slope * a;
            let scaled = stiffness * a;
            for (entry, &b) in self.hessian[start..].iter_mut().zip(&row[..=i]) {
                *entry += scaled * b;
            }
            start += i + 1;
        }
    }
}

/// A spring with damping: `k/2 (c − c̄)² + α k/2 (c − c₀)²`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Law {
    /// `k`.
    pub stiffness: f64,
    /// `c̄`.
    pub rest: f64,
    /// Relaxation time over the step.
    pub alpha: f64,
    /// `c₀`, before the step.
    pub before: f64,
}

impl Law {
    /// J.
    pub fn energy(&self, value: f64) -> f64 {
        let (strain, rate) = (value - self.rest, value - self.before);
        0.5 * self.stiffness * (strain * strain + self.alpha * rate * rate)
    }

    /// Derivative of the energy.
    pub fn slope(&self, value: f64) -> f64 {
        self.stiffness * ((value - self.rest) + self.alpha * (value - self.before))
    }

    /// Its second derivative.
    pub fn curvature(&self) -> f64 {
        self.stiffness * (1.0 + self.alpha)
    }
}

/// Stretch of an edge, Eq. 2: a law in the edge's length, with `k = EA/l̄`. Gradient at its head (Eq. 4) and Hessian there; the tail has the opposite gradient.
///
/// The Hessian `k t tᵀ + T/|e| (I − t tᵀ)` is exact under tension. Under pressure `T < 0` it is projected: sideways nothing is left.
pub fn stretch(tangent: DVec3, length: f64, law: &Law) -> (DVec3, DMat3) {
    let tension = law.slope(length);
    let sideways = tension.max(0.0) / length;
    let along = DMat3::from_cols(tangent * tangent.x, tangent * tangent.y, tangent * tangent.z);
    let hessian = DMat3::IDENTITY * sideways + along * (law.curvature() - sideways);
    (tangent * tension, hessian)
}

/// The rigidities of a held edge: its frame does not turn, so that it shears instead.
#[derive(Clone, Copy, Debug)]
pub struct HeldLaw {
    /// `R diag(GA, GA, EA) Rᵀ/l̄`, N/m.
    pub stiffness: DMat3,
    /// The edge without load, m.
    pub rest: DVec3,
    /// Relaxation time over the step.
    pub alpha: f64,
    /// The edge before the step, m.
    pub before: DVec3,
}

impl HeldLaw {
    /// J.
    pub fn energy(&self, edge: DVec3) -> f64 {
        let (strain, rate) = (edge - self.rest, edge - self.before);
        0.5 * (strain.dot(self.stiffness * strain) + self.alpha * rate.dot(self.stiffness * rate))
    }

    /// Gradient at the head, and the Hessian there.
    pub fn stretch(&self, edge: DVec3) -> (DVec3, DMat3) {
        let force = self.stiffness * ((edge - self.rest) + (edge - self.before) * self.alpha);
        (force, self.stiffness * (1.0 + self.alpha))
    }
}

/// Bending and twist of a joint, Eq. 5 and 7: a law for each of the four curvatures, and one for the twist.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointLaw {
    /// Of [`curvature`](super::geometry::curvature), N·m.
    pub bend: [Law; 4],
    /// Of [`twist`](super::geometry::twist), N·m.
    pub twist: Law,
}

impl JointLaw {
    /// J.
    pub fn energy(&self, curvature: &[f64; 4], twist: f64) -> f64 {
        let bend: f64 = self.bend.iter().zip(curvature).map(|(law, &k)| law.energy(k)).sum();
        bend + self.twist.energy(twist)
    }

    /// Gradient (Eq. 6 and 8) and Gauss–Newton Hessian `Σ k ∇c ∇cᵀ`.
    pub fn element(&self, curvature: &[f64; 4], gradients: &[Local; 4], twist: f64, twist_gradient: &Local) -> Element {
        let mut element = Element::ZERO;
        for ((law, &value), row) in self.bend.iter().zip(curvature).zip(gradients) {
            if law.stiffness > 0.0 {
                element.add(row, law.slope(value), law.curvature());
            }
        }
        element.add(twist_gradient, self.twist.slope(twist), self.twist.curvature());
        element
    }
}
