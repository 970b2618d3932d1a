//! The barrier between two surfaces (paper 1, Eq. 30), with an inner offset as in codimensional IPC: it rises to infinity before surfaces overlap
//! by a tenth of the radius, not only where centre lines meet.

/// Surfaces push from this gap on, in radii: so much do ropes that touch lightly stand off.
const OUTER: f64 = 0.25;
/// No overlap beyond this, in radii.
const INNER: f64 = 0.09;
/// Where in the band a lasting contact is meant to rest: stiffness is chosen for it.
pub const RESTING: f64 = 0.5;
/// Surfaces that were put into each other's barriers begin so far inside of theirs, in widths: touching, but lightly.
const LIGHTLY: f64 = 0.05;
/// And come out at this speed, in radii a second.
pub const RECOVERY: f64 = 5.0;

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

    /// By how much the band of a place is drawn in that begins a substep at a distance, m.
    ///
    /// Surfaces that were put into each other are not thrown apart: their band begins where they are, and comes out to where it belongs, by `out` in this substep. `before` is by how much it was drawn in so far.
    pub fn draw_in(&self, distance: f64, before: f64, out: f64) -> f64 {
        let lightly = self.outer - LIGHTLY * self.width() - distance;
        // What is pressed from the other side is not crushed.
        let room = (distance - self.inner + before).max(0.0);
        let drawn = (before - out.min(0.5 * room)).min(lightly).max(0.0);
        if distance > self.inner - drawn + 1e-6 * self.width() {
            drawn
        } else {
            lightly
        }
    }

    /// The strongest barrier, in joules, that does not throw apart what was put into it at a distance: what it holds takes `mass` to the speed of recovery of things with a radius, or lifts it out of the band.
    pub fn gentle_joules(&self, distance: f64, mass: f64, radius: f64, gravity: f64) -> f64 {
        let speed = RECOVERY * radius;
        let [value, ..] = barrier(((distance - self.inner) / self.width()).clamp(f64::MIN_POSITIVE, 1.0));
        mass * (0.5 * speed * speed + gravity * self.width()) / value.max(f64::MIN_POSITIVE)
    }

    /// Drawn in by so much.
    pub fn drawn_in(&self, by: f64) -> Self {
        Self {
            inner: self.inner - by,
            outer: self.outer - by,
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
    fn a_band_comes_out_step_by_step() {
        let band = Band::new(0.02, 0.01);
        let out = 1e-4;
        // Apart, or pressed as barriers are: it is where it belongs.
        assert_eq!(band.draw_in(0.03, 0.0, out), 0.0);
        assert_eq!(band.draw_in(0.0195, 0.0, out), 0.0);
        for distance in [0.0, 0.01, 0.019] {
            // However deep they start, they touch lightly.
            let first = band.draw_in(distance, 0.0, out);
            let s = (distance - band.drawn_in(first).inner) / band.width();
            assert!((s - 0.95).abs() < 1e-9, "{distance}: {s}");
            // Surfaces that go along are followed step by step; those that are held are pressed ever more, and never crushed.
            let (mut drawn, mut steps) = (first, 0);
            while drawn > 0.0 {
                let next = band.draw_in(distance + first - drawn, drawn, out);
                assert!(next < drawn && drawn - next <= out * (1.0 + 1e-9));
                (drawn, steps) = (next, steps + 1);
            }
            assert_eq!(steps, (first / out).ceil() as i32);
            let mut held = first;
            for _ in 0..1000 {
                held = band.draw_in(distance, held, out);
                assert!(band.drawn_in(held).inner < distance);
            }
        }
    }

    #[test]
    fn what_is_put_into_a_barrier_is_not_thrown() {
        let band = Band::new(0.02, 0.01);
        for distance in [0.0195, 0.02, 0.021, 0.0224] {
            let (mass, radius, gravity) = (0.3, 0.01, 9.81);
            let joules = band.gentle_joules(distance, mass, radius, gravity);
            let energy = band.push(distance, joules).map_or(0.0, |push| push.energy);
            let speed = RECOVERY * radius;
            let bound = mass * (0.5 * speed * speed + gravity * band.width());
            assert!((energy - bound).abs() < 1e-9 * bound, "{distance}: {energy}");
        }
        // Beyond, it holds nothing that could throw; it is never infinite times nothing.
        assert!(band.gentle_joules(0.03, 0.3, 0.01, 9.81).is_finite());
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
