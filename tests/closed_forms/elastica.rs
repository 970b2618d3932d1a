//! The elastica, integrated independently of the crate: Runge–Kutta and shooting.
//!
//! A rod in the xy plane, clamped at the origin along x, with the internal force `n(s)` that its loads leave at arc length `s`:
//!
//! ```text
//!   θ′ = κ,   EI κ′ = −(d × n)_z = n_x sin θ − n_y cos θ,   r′ = d + n/EA,   d = (cos θ, sin θ)
//! ```
//!
//! The second part of `r′` is the model's stretch and shear, both with EA (paper 1, Eq. 1). As `n × n = 0` it does not enter the
//! balance of moments: it shifts points but bends nothing, so that a soft EA costs these tests no accuracy.

use glam::{DVec2, DVec4, dvec2};

/// A clamped rod of length 1 and EI = 1 under dead loads.
pub struct Elastica<N: Fn(f64) -> DVec2> {
    /// EA.
    pub axial: f64,
    /// Internal force at arc length `s`.
    pub force: N,
}

/// Steps of the integration: its error, of fourth order, is below 1e-10.
const STEPS: usize = 1000;

impl<N: Fn(f64) -> DVec2> Elastica<N> {
    /// The end of the rod whose tip has an angle in this bracket: shoots from the free tip, where κ = 0, back to the wall, where θ must
    /// be 0.
    pub fn tip(&self, mut low: f64, mut high: f64) -> DVec2 {
        let side = self.shoot(low).z > 0.0;
        assert_ne!(side, self.shoot(high).z > 0.0, "the bracket holds a solution");
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if (self.shoot(middle).z > 0.0) == side {
                low = middle;
            } else {
                high = middle;
            }
        }
        let wall = self.shoot(low);
        -dvec2(wall.x, wall.y)
    }

    /// `(x, y, θ, κ)` at the wall when the tip is at the origin with this angle.
    fn shoot(&self, angle: f64) -> DVec4 {
        let h = -1.0 / STEPS as f64;
        let mut state = DVec4::new(0.0, 0.0, angle, 0.0);
        for i in 0..STEPS {
            let s = 1.0 + i as f64 * h;
            let k1 = self.slope(s, state);
            let k2 = self.slope(s + 0.5 * h, state + 0.5 * h * k1);
            let k3 = self.slope(s + 0.5 * h, state + 0.5 * h * k2);
            let k4 = self.slope(s + h, state + h * k3);
            state += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        state
    }

    fn slope(&self, s: f64, state: DVec4) -> DVec4 {
        let (sin, cos) = state.z.sin_cos();
        let n = (self.force)(s);
        let r = dvec2(cos, sin) + n / self.axial;
        DVec4::new(r.x, r.y, state.w, n.x * sin - n.y * cos)
    }
}

#[test]
fn the_reference_agrees_with_the_literature() {
    // Tip force with F L²/EI = 1, 2 and 10, by elliptic integrals: Mattiasson (1981).
    for (load, down) in [(1.0, 0.30172), (2.0, 0.49346), (10.0, 0.81061)] {
        let rod = Elastica {
            axial: 1e12,
            force: |_| dvec2(0.0, -load),
        };
        let tip = rod.tip(-1.6, 0.0);
        assert!((tip.y + down).abs() < 1e-5, "{load}: {tip}");
    }
}
