//! The two position-based methods that paper 5 compares with, as fast as we know to write them.
//!
//! They get what our own solver has: eight strands side by side, a lane each, AVX2 with fused multiply–add where the processor has it, the same vectors, reciprocal
//! roots and bilateral interleaving order. Inverse masses are 1, or 0 where a strand is held, as in the paper; nothing is allocated in a step. What a game needs beside (forces, wind, breaking,
//! checks for NaN, positions in two floats), and our solver does, they leave out.

pub mod ghost;
pub mod strand;

use lariat::math::{
    Vector,
    lanes::{Arithmetic, LANES, Lanes, Row, VectorRow},
};

/// Steps of a time, s, and iterations a step.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub h: f32,
    pub iterations: u32,
    pub arithmetic: Arithmetic,
}

/// Points of eight strands.
#[derive(Clone, Debug, Default)]
pub struct Points {
    pub position: Vec<VectorRow>,
    pub before: Vec<VectorRow>,
    pub velocity: Vec<VectorRow>,
    pub weight: Vec<Row>,
}

impl Points {
    /// At the given places, in all lanes, the first so many held.
    pub fn new(places: impl Iterator<Item = [f32; 3]>, held: usize) -> Self {
        let position: Vec<VectorRow> = places.map(|place| place.map(Row::splat)).collect();
        let weight = |k: usize| Row::splat(if k < held { 0.0 } else { 1.0 });
        Self {
            before: position.clone(),
            velocity: vec![[Row::default(); 3]; position.len()],
            weight: (0..position.len()).map(weight).collect(),
            position,
        }
    }

    #[inline(always)]
    pub fn at<R: Lanes>(&self, k: usize, lane: usize) -> Vector<R> {
        R::load_vector(&self.position[k], lane)
    }

    #[inline(always)]
    pub fn light<R: Lanes>(&self, k: usize, lane: usize) -> R {
        R::load(&self.weight[k], lane)
    }

    #[inline(always)]
    pub fn put<R: Lanes>(&mut self, k: usize, place: Vector<R>, lane: usize) {
        R::store_vector(place, &mut self.position[k], lane);
    }

    /// Lines 6 and 7 of Algorithm 1.
    #[inline(always)]
    pub fn predict<R: Lanes>(&mut self, h: f32, lane: usize) {
        let h = R::splat(h.into());
        let fall = Vector::splat([0.0, -9.81, 0.0]) * h;
        for k in 0..self.position.len() {
            let x = self.at::<R>(k, lane);
            let weight = self.light::<R>(k, lane);
            R::store_vector(x, &mut self.before[k], lane);
            let v = R::load_vector(&self.velocity[k], lane) + fall;
            self.put(k, v.mul_add(h * weight, x), lane);
        }
    }

    /// Line 17.
    #[inline(always)]
    pub fn conclude<R: Lanes>(&mut self, h: f32, lane: usize) {
        let inverse = R::one() / R::splat(h.into());
        for k in 0..self.position.len() {
            let v = (self.at::<R>(k, lane) - R::load_vector(&self.before[k], lane)) * inverse;
            R::store_vector(v, &mut self.velocity[k], lane);
        }
    }

    /// Keep two points so far apart.
    #[inline(always)]
    pub fn keep_apart<R: Lanes>(&mut self, a: usize, b: usize, distance: R, lane: usize) {
        let (x, y) = (self.at::<R>(a, lane), self.at::<R>(b, lane));
        let (v, w) = (self.light::<R>(a, lane), self.light::<R>(b, lane));
        let edge = y - x;
        let inverse = edge.length_squared().max(R::splat(1e-20)).inverse_sqrt();
        let sum = (v + w).max(R::splat(1e-10)).reciprocal();
        let correction = edge * (distance.neg_mul_add(inverse, R::one()) * sum);
        self.put(a, correction.mul_add(v, x), lane);
        self.put(b, correction.mul_add(-w, y), lane);
    }

    /// Length along some points of the first strand, m.
    pub fn length(&self, count: usize) -> f64 {
        let place = |k: usize| self.position[k].map(|row| f64::from(row.0[0]));
        (1..count)
            .map(|k| {
                let (a, b) = (place(k - 1), place(k));
                (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt()
            })
            .sum()
    }

    /// Height of a point of the first strand, m.
    pub fn height(&self, k: usize) -> f64 {
        self.position[k][1].0[0].into()
    }
}

/// The index of each element: up over the even ones, down over the odd ones.
#[inline(always)]
pub fn interleaved(step: usize, count: usize) -> usize {
    let even = count.div_ceil(2);
    if step < even {
        2 * step
    } else {
        2 * (count - 1 - step) + 1
    }
}

/// Calls a kernel of one lane group after the other.
#[macro_export]
macro_rules! lanes_of {
    ($lane:ident, $number:ty, $body:block) => {
        let mut $lane = 0;
        while $lane < LANES {
            $body
            $lane += <$number>::WIDTH;
        }
    };
}

/// So many lanes there are.
pub const STRANDS: usize = LANES;
