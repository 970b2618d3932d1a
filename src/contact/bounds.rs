//! How far a step may go without anything passing through anything else.
//!
//! Between two segments stands the plane midway between their closest points. As long as the two do not come closer along its normal than they are
//! apart, the plane, moving with them, keeps them on their sides all the way: sliding along it is free, and so is moving together. So the bound is one-sided and
//! needs no search along the path (the bounds of Wu et al. 2020 take a ball about every vertex).

use glam::DVec3;

use super::{
    barrier::Band,
    group::{Ask, Group, LED},
    look::Nearness,
    touch::{Key, Remembered},
};

/// The share of a gap that one step may close.
const SHARE: f64 = 0.8;
/// A barrier is made no more than so many times stronger at once.
const MORE: f64 = 30.0;
/// Rounds over all limits before everything is held back alike.
const ROUNDS: u32 = 16;

/// Two systems that come closer to each other at some place.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub systems: [u32; 2],
    /// How much the step of each closes the gap, m; below zero it opens it.
    pub closing: [f64; 2],
    /// How much of it may be closed, m.
    pub room: f64,
    pub barrier: Barrier,
}

/// Whose barrier stands at a limit.
#[derive(Clone, Copy, Debug)]
pub enum Barrier {
    /// That of a pair.
    Pair(u32),
    /// That of a place on a shape; the mass that it stops, kg, and its band.
    Place(Key, f64, Band),
}

impl Group {
    /// Choose how much of its step each system takes.
    pub(super) fn bound(&mut self, ask: &Ask<'_>) {
        self.led_scale = 1.0;
        let left = 1.0 - self.progress;
        for point in self.points.iter_mut().filter(|point| point.system == LED) {
            point.step = point.led * left;
        }
        self.collect_limits(ask);
        self.strengthen(ask);
        for _ in 0..ROUNDS {
            let mut changed = false;
            for k in 0..self.limits.len() {
                changed |= self.obey(k);
            }
            if !changed {
                return;
            }
        }
        // The scales chase each other: all alike is safe.
        let mut least: f64 = 1.0;
        for limit in &self.limits {
            let closing = limit.closing[0] + limit.closing[1];
            if closing > limit.room {
                least = least.min(limit.room / closing);
            }
        }
        for system in &mut self.systems {
            system.scale = system.scale.min(least);
        }
        let least = self.systems.iter().fold(least, |least, system| least.min(system.scale));
        self.systems.iter_mut().for_each(|system| system.scale = least);
        self.led_scale = least;
    }

    /// Where a step goes too far, the barrier is too weak for what comes at it: with a stronger one the next step knows.
    fn strengthen(&mut self, ask: &Ask<'_>) {
        for k in 0..self.limits.len() {
            let Limit {
                closing, room, barrier, ..
            } = self.limits[k];
            let too_far = closing[0] + closing[1] - room;
            if !(too_far > 0.0) {
                continue;
            }
            self.strengthened = true;
            let more = ((closing[0] + closing[1]) / room.max(1e-300)).clamp(2.0, MORE);
            match barrier {
                Barrier::Pair(k) => {
                    let least = self.mass_of_pair(k as usize) / (ask.h * ask.h) * too_far;
                    let pair = &mut self.pairs[k as usize];
                    let band = Band {
                        inner: 0.0,
                        outer: pair.nearness.band,
                    };
                    pair.joules = (pair.joules * more).max(band.joules_for(least));
                }
                Barrier::Place(key, mass, band) => {
                    let mass = if mass.is_finite() { mass } else { 1.0 };
                    let least = band.joules_for(mass / (ask.h * ask.h) * too_far);
                    match self.remembered.binary_search_by_key(&key, |known| known.key) {
                        Ok(at) => {
                            let known = &mut self.remembered[at];
                            known.joules = (known.joules * more).max(least);
                        }
                        Err(at) => self.remembered.insert(
                            at,
                            Remembered {
                                key,
                                joules: least,
                                held: DVec3::ZERO,
                                force: 0.0,
                            },
                        ),
                    }
                }
            }
        }
    }

    fn scale_of(&mut self, system: u32) -> &mut f64 {
        match self.systems.get_mut(system as usize) {
            Some(system) => &mut system.scale,
            None => &mut self.led_scale,
        }
    }

    /// Hold back what closes a gap too far. Answers whether something had to be.
    fn obey(&mut self, k: usize) -> bool {
        let Limit {
            systems: [a, b],
            closing: [by_a, by_b],
            room,
            ..
        } = self.limits[k];
        let (scale_a, scale_b) = (*self.scale_of(a), *self.scale_of(b));
        let closing = scale_a * by_a + scale_b * by_b;
        if closing <= room * (1.0 + 1e-9) {
            return false;
        }
        if a == b {
            *self.scale_of(a) *= room / closing;
        } else if by_a <= 0.0 {
            *self.scale_of(b) = (room - scale_a * by_a) / by_b;
        } else if by_b <= 0.0 {
            *self.scale_of(a) = (room - scale_b * by_b) / by_a;
        } else {
            let share = room / closing;
            *self.scale_of(a) *= share;
            *self.scale_of(b) *= share;
        }
        true
    }

    fn collect_limits(&mut self, ask: &Ask<'_>) {
        self.limits.clear();
        for k in 0..self.pairs.len() {
            let [a, b] = self.pairs[k].points;
            let systems = [a, b].map(|side| self.points[side[0] as usize].system);
            let reach = self.reach_of(systems[0]) + self.reach_of(systems[1]);
            let travelled = self.travel_of(systems[0]) + self.travel_of(systems[1]);
            if self.pairs[k].clear > travelled + reach {
                continue;
            }
            if self.pairs[k].looked < travelled {
                self.look_at_pair(k, travelled);
            }
            let Nearness { normal, room, band } = self.pairs[k].nearness;
            let along = |point: u32| normal.dot(self.points[point as usize].step);
            // The normal leads from the first to the second.
            let closing = [along(a[0]).max(along(a[1])), -along(b[0]).min(along(b[1]))];
            self.limit(systems, closing, allowed(room, band), Barrier::Pair(k as u32));
        }
        self.collect_shape_limits(ask);
    }

    fn limit(&mut self, systems: [u32; 2], closing: [f64; 2], room: f64, barrier: Barrier) {
        let most = if systems[0] == systems[1] {
            closing[0] + closing[1]
        } else {
            closing[0].max(0.0) + closing[1].max(0.0)
        };
        if most > room {
            self.limits.push(Limit {
                systems,
                closing,
                room: room.max(0.0),
                barrier,
            });
        }
    }

    fn collect_shape_limits(&mut self, ask: &Ask<'_>) {
        for k in 0..self.spots.len() {
            let spot = &self.spots[k];
            let system = self.points[spot.points[0] as usize].system;
            let shape = &ask.shapes[spot.collider as usize];
            let left = 1.0 - self.progress;
            let reach = self.reach_of(system) + shape.travel * left;
            let travelled = self.travel_of(system) + shape.travel * self.progress;
            if spot.clear > travelled + reach {
                continue;
            }
            let points = spot.points;
            let (pose, end) = (shape.from.lerp(&shape.to, self.progress), shape.to);
            let moves = shape.travel > 0.0;
            self.look_for_places(k, ask, reach);
            for place in 0..self.found.len() {
                let found = self.found[place];
                let (band, _) = self.band_of(k, &found);
                let room = found.distance - band.inner;
                // From the shape to the rod.
                let along = |point: u32| -found.normal.dot(self.points[point as usize].step);
                let own = along(points[0]).max(along(points[1]));
                let led = if moves {
                    let ahead = end.point(pose.inverse_point(found.on_shape)) - found.on_shape;
                    found.normal.dot(ahead)
                } else {
                    0.0
                };
                let mass = self.points[points[0] as usize].mass;
                let barrier = Barrier::Place(self.key_of(k, &found), mass, band);
                self.limit([system, LED], [own, led], allowed(room, band.width()), barrier);
            }
        }
    }

    pub(super) fn reach_of(&self, system: u32) -> f64 {
        match self.systems.get(system as usize) {
            Some(system) => system.reach,
            None => self.led_travel * (1.0 - self.progress),
        }
    }

    pub(super) fn travel_of(&self, system: u32) -> f64 {
        match self.systems.get(system as usize) {
            Some(system) => system.travel,
            None => self.led_travel * self.progress,
        }
    }
}

/// How much of a gap one step may close: into the middle of the barrier, or a part of what is left of it.
fn allowed(room: f64, band: f64) -> f64 {
    (room - 0.5 * band).max(SHARE * room)
}

/// A direction across another, for segments whose centre lines meet.
pub fn across(along: DVec3) -> DVec3 {
    along.any_orthogonal_vector().normalize_or(DVec3::Y)
}
