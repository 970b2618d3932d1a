//! Strands of distance and line–line bending constraints (Müller et al. 2007): no frames, no twist.

use lariat::math::{
    Real,
    lanes::{Kernel, LANES, Lanes, dispatch},
};

use super::{Pace, Points, interleaved};
use crate::lanes_of;

/// Eight strands.
pub struct Strands {
    pub points: Points,
    pub length: f32,
}

impl Strands {
    /// Straight along x, the first segment held.
    pub fn new(segments: usize, length: f32) -> Self {
        let places = (0..=segments).map(|k| [k as f32 * length, 0.0, 0.0]);
        Self {
            points: Points::new(places, 2),
            length,
        }
    }

    /// One step.
    pub fn step(&mut self, pace: Pace) {
        dispatch(pace.arithmetic, Step { strands: self, pace });
    }
}

struct Step<'a> {
    strands: &'a mut Strands,
    pace: Pace,
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { strands, pace } = self;
        let segments = strands.points.position.len() - 1;
        let length = R::splat(strands.length.into());
        lanes_of!(lane, R, {
            strands.points.predict::<R>(pace.h, lane);
            for _ in 0..pace.iterations {
                for step in 0..segments {
                    let s = interleaved(step, segments);
                    strands.points.keep_apart(s, s + 1, length, lane);
                }
                for step in 0..segments - 1 {
                    straighten::<R>(&mut strands.points, interleaved(step, segments - 1), lane);
                }
            }
            strands.points.conclude::<R>(pace.h, lane);
        });
    }
}

/// `C = acos(d₁·d₂)`, the angle between two segments, which is zero at rest.
#[inline(always)]
fn straighten<R: Lanes>(points: &mut Points, k: usize, lane: usize) {
    let [a, b, c] = [points.at::<R>(k, lane), points.at(k + 1, lane), points.at(k + 2, lane)];
    let [u, v, w] = [
        points.light::<R>(k, lane),
        points.light(k + 1, lane),
        points.light(k + 2, lane),
    ];
    let least = R::splat(1e-20);
    let (e, f) = (b - a, c - b);
    let inverse_e = e.length_squared().max(least).inverse_sqrt();
    let inverse_f = f.length_squared().max(least).inverse_sqrt();
    let (d, g) = (e * inverse_e, f * inverse_f);
    let cosine = d.dot(g).clamp(R::splat(-1.0), R::one());
    // Of the cosine; the gradient of the angle is −1/√(1 − cos²) of it.
    let at_a = (g + d * -cosine) * -inverse_e;
    let at_c = (d + g * -cosine) * inverse_f;
    let at_b = -(at_a + at_c);
    let sine = cosine.neg_mul_add(cosine, R::one()).max(R::splat(1e-12)).sqrt();
    let sum = u.mul_add(
        at_a.length_squared(),
        v.mul_add(at_b.length_squared(), w * at_c.length_squared()),
    );
    // −C/(Σ w |∇|²) with ∇ = −∇cos/sin.
    let factor = arc_cosine(cosine) * sine * sum.max(R::splat(1e-12)).reciprocal();
    points.put(k, at_a.mul_add(factor * u, a), lane);
    points.put(k + 1, at_b.mul_add(factor * v, b), lane);
    points.put(k + 2, at_c.mul_add(factor * w, c), lane);
}

/// To 7e-5 (Abramowitz and Stegun 4.4.45): a library's would cost more.
#[inline(always)]
fn arc_cosine<R: Real>(x: R) -> R {
    let size = x.flip_by(x);
    let root = (R::one() - size).max(R::zero()).sqrt();
    let series = size.mul_add(
        size.mul_add(
            size.mul_add(R::splat(-0.018_729_3), R::splat(0.074_261)),
            R::splat(-0.212_114_4),
        ),
        R::splat(1.570_728_8),
    );
    let angle = root * series;
    R::select_positive(x, angle, R::splat(std::f64::consts::PI) - angle)
}
