//! The barrier between two surfaces (paper 1, Eq. 30), with an inner offset as in codimensional IPC: it rises to infinity before surfaces overlap
//! by a tenth of the radius, not only where centre lines meet.

/// Surfaces push from this gap on, in radii: so much do ropes that touch lightly stand off.
const OUTER: f64 = 0.25;
/// No overlap beyond this, in radii.
const INNER: f64 = 0.09;
/// Where in the band a lasting contact is meant to rest: stiffness is chosen for it.
pub const RESTING: f64 = 0.5;

/// The distances of centre lines between which the barrier lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Where it is infinite, m.
    pub inner: f64,
    /// Where it begins, m.
    pub outer: f64,
}

impl Band {
    /// Between surfaces whose distance from their centre lines sums to `thickness`; `radius` is that of the thinner one.
    pub fn new(thickness: f64, radius: f64) -> Self {
        Self {
            inner: thickness - INNER * radius,
            outer: thickness + OUTER * radius,
        }
    }

    /// Its width, m.
    pub fn width(&self) -> f64 {
        self.outer - self.inner
    }

    /// The band of a pair that starts at a distance: one that overlaps already may stay as deep as it is, and is pushed out from there.
    pub fn starting_at(self, distance: f64) -> Self {
        let width = self.width();
        let inner = self.inner.min(distance - 0.25 * width);
        Self {
            inner,
            outer: inner + width,
        }
    }

    /// Energy, force and stiffness at a distance for a barrier of so many joules; `None` inside of where it is infinite.
    pub fn push(&self, distance: f64, joules: f64) -> Option<Push> {
        let scale = 1.0 / self.width();
        let s = (distance - self.inner) * scale;
        if s >= 1.0 {
            return Some(Push::default());
        }
        if s.is_nan() || s <= 0.0 {
            return None;
        }
        let [value, slope, curvature] = barrier(s);
        Some(Push {
            energy: joules * value,
            force: -joules * slope * scale,
            stiffness: joules * curvature * scale * scale,
        })
    }

    /// The barrier, in joules, that holds a force in the middle of the band.
    pub fn joules_for(&self, force: f64) -> f64 {
        force * self.width() / -barrier(RESTING)[1]
    }
}

/// What a barrier does at some distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// J.
    pub energy: f64,
    /// N, apart.
    pub force: f64,
    /// N/m.
    pub stiffness: f64,
}

/// `b(s) = −(s − 1)² ln s`, its slope and its curvature, for `0 < s < 1`.
pub fn barrier(s: f64) -> [f64; 3] {
    let (log, away) = (s.ln(), s - 1.0);
    [
        -away * away * log,
        -2.0 * away * log - away * away / s,
        -2.0 * log - away * (3.0 * s + 1.0) / (s * s),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_and_curvature_are_those_of_the_barrier() {
        for k in 1..100 {
            let s = f64::from(k) / 100.0;
            let step = 1e-6 * s;
            let [below, above] = [barrier(s - step), barrier(s + step)];
            let [_, slope, curvature] = barrier(s);
            // Central differences err by the square of the step and by rounding over it.
            for (exact, order) in [(slope, 0), (curvature, 1)] {
                let difference = (above[order] - below[order]) / (2.0 * step);
                assert!(
                    (difference - exact).abs() <= 1e-6 * (1.0 + exact.abs()),
                    "at {s}: {difference} against {exact}"
                );
            }
            assert!(slope < 0.0 && curvature > 0.0);
        }
    }

    #[test]
    fn a_band_keeps_surfaces_apart() {
        let band = Band::new(0.02, 0.01);
        assert!(
            band.push(0.02 - 0.1 * 0.01, 1.0).is_none(),
            "a tenth of the radius is too deep"
        );
        assert_eq!(band.push(0.0226, 1.0), Some(Push::default()));
        let rest = band.inner + RESTING * band.width();
        let push = band.push(rest, band.joules_for(7.0)).map(|push| push.force);
        assert!(push.is_some_and(|force| (force - 7.0).abs() < 1e-9));
    }
}
