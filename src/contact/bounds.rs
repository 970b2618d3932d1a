//! How far a step may go without anything passing through anything else.
//!
//! Points move straight from where they are to where the step takes them. Two segments are apart at either end of that, with the directions `n₀` and `n₁` between their closest points; whether
//! they are on the way follows from the plane between them turning from one direction to the other: for vertices `a` and `b` of the two `(b − a)·n` is a quadratic in time, whose
//! least value is bounded by its ends and its curvature. So sliding, turning and moving together are free, and nothing is searched along the path. (The bounds of
//! Wu et al. 2020 take a ball about every vertex.) For shapes, whose distance no step can change by more than its length, conservative advancement does the same.

use glam::DVec3;
use tracing::trace_span;

use super::{
    barrier::Band,
    closest::closest,
    group::{Ask, Group, LED},
    shape::{ShapePoint, near_point, near_segment},
    touch::Key,
};

/// The share of a gap that one step may close.
const SHARE: f64 = 0.5;
/// Nor may it leave less than this share of a barrier's width: nearer, stiffness would have no end. A barrier that is pressed so far is made stronger instead.
const LEAST: f64 = 0.02;
/// A barrier that is pressed beyond this share of its width, and by a step that goes further, is made so many times stronger at once: held back by the bounds
/// alone, everything in the group would stand still, and its momentum would be gone.
const PRESSED: f64 = 0.25;
const STRONGER: f64 = 10.0;
/// Rounds over all pairs before everything is held back alike, and after that.
const ROUNDS: u32 = 12;
/// What is led stops where it would come no farther than this share of what it is to.
const NOTHING: f64 = 1e-3;
/// A plane tells two segments apart that stand off it by more than this share of a barrier's width.
const NO_SIDE: f64 = 1e-6;
/// Looks at a shape along one path.
const LOOKS: u32 = 64;

/// A place that a step may take too near, or through.
#[derive(Clone, Copy, Debug)]
pub enum Watch {
    /// A pair.
    Pair(u32),
    /// A spot.
    Spot(u32),
}

/// What a step does to a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    Fine,
    /// So much of the step is fine, by what it does to the gap at its end.
    Less(f64),
    /// Something may pass on the way.
    Through,
}

impl Group {
    /// Choose how much of its step each system takes.
    pub(super) fn bound(&mut self, ask: &Ask<'_>) {
        let _span = trace_span!("bounds").entered();
        self.led_scale = self.led_share;
        let left = 1.0 - self.progress;
        for point in self.points.iter_mut().filter(|point| point.system == LED) {
            point.step = point.led * left;
        }
        self.keep_leashes();
        self.collect_watches(ask);
        self.judged.clear();
        self.judged.resize(self.watches.len(), None);
        for round in 0..2 * ROUNDS {
            let mut changed = false;
            for k in 0..self.watches.len() {
                let watch = self.watches[k];
                // What was fine stays so while the two go as far as they went then.
                let scales = self.scales_of(watch);
                if self.judged[k] == Some(scales) {
                    continue;
                }
                let verdict = self.judge(watch, ask);
                if verdict == Verdict::Fine {
                    self.judged[k] = Some(scales);
                    continue;
                }
                self.judged[k] = None;
                changed = true;
                if round == 0 {
                    if self.starting {
                        self.strengthen(watch, verdict, ask);
                    } else {
                        self.strengthen_pressed(watch, ask);
                    }
                }
                let share = match verdict {
                    Verdict::Less(share) => share.clamp(0.05, 0.95),
                    _ => 0.5,
                };
                if round < ROUNDS {
                    self.hold_back(watch, share, ask);
                } else {
                    // The scales chase each other: all alike comes to an end.
                    self.systems.iter_mut().for_each(|system| system.scale *= share);
                    self.led_scale *= share;
                }
            }
            if !changed {
                return;
            }
        }
        self.systems.iter_mut().for_each(|system| system.scale = 0.0);
        self.led_scale = 0.0;
    }

    /// Nobody goes where nobody looked.
    fn keep_leashes(&mut self) {
        for (index, system) in (0u32..).zip(&mut self.systems) {
            let points = &self.points[system.points.clone()];
            let bodies = &self.bodies;
            let strays = |scale: f64| {
                let mut own = bodies.iter().filter(|body| body.system == index);
                own.any(|body| body.strays(&self.points, scale))
                    || points.iter().any(|point| {
                        let moved = point.now + point.step * scale - point.start;
                        let part =
                            (moved.dot(point.led) / point.led.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                        moved.distance_squared(point.led * part) > point.leash * point.leash
                    })
            };
            let mut tries = 0;
            while system.scale > 0.0 && strays(system.scale) {
                tries += 1;
                system.scale = if tries < 8 { 0.6 * system.scale } else { 0.0 };
            }
            if tries > 2 {
                system.strayed = true;
                self.strayed = true;
            }
        }
    }

    fn scale_of(&mut self, system: u32) -> &mut f64 {
        match self.systems.get_mut(system as usize) {
            Some(system) => &mut system.scale,
            None => &mut self.led_scale,
        }
    }

    pub(super) fn scale(&self, system: u32) -> f64 {
        self.systems
            .get(system as usize)
            .map_or(self.led_scale, |system| system.scale)
    }

    /// How much of their steps the two of a watch take.
    fn scales_of(&self, watch: Watch) -> [f64; 2] {
        let system = |point: u32| self.points[point as usize].system;
        match watch {
            Watch::Pair(k) => self.pairs[k as usize].points.map(|side| self.scale(system(side[0]))),
            Watch::Spot(k) => {
                let spot = &self.spots[k as usize];
                [system(spot.points[0]), self.system_under(spot)].map(|system| self.scale(system))
            }
        }
    }

    /// Hold back whoever closes a gap.
    fn hold_back(&mut self, watch: Watch, share: f64, ask: &Ask<'_>) {
        let (systems, closing) = match watch {
            Watch::Pair(k) => {
                let pair = &self.pairs[k as usize];
                let closing = pair.points.map(|[a, b]| {
                    let along = |point: u32| pair.nearness.normal.dot(self.points[point as usize].step);
                    [along(a), along(b)]
                });
                (
                    pair.points.map(|side| self.points[side[0] as usize].system),
                    [closing[0][0].max(closing[0][1]), -closing[1][0].min(closing[1][1])],
                )
            }
            Watch::Spot(k) => {
                let spot = &self.spots[k as usize];
                let system = self.points[spot.points[0] as usize].system;
                // The judge left what it found.
                let found = nearest(&self.found);
                let closing = found.map_or([1.0; 2], |found| self.closing(spot, &found, ask));
                ([system, self.system_under(spot)], closing)
            }
        };
        let both = systems[0] != systems[1];
        if !both || closing[0] > 0.0 || closing[1] <= 0.0 {
            *self.scale_of(systems[0]) *= share;
        }
        if both && (closing[1] > 0.0 || closing[0] <= 0.0) {
            *self.scale_of(systems[1]) *= share;
        }
        if self.led_scale < NOTHING * self.led_share {
            self.led_scale = 0.0;
        }
    }

    /// Where a step goes too far, the barrier is too weak for what comes at it: with a stronger one the next step knows. Of what was not in reach of a barrier before,
    /// inertia tells how strong that has to be.
    pub(super) fn strengthen(&mut self, watch: Watch, verdict: Verdict, ask: &Ask<'_>) {
        let Verdict::Less(share) = verdict else { return };
        match watch {
            Watch::Pair(k) => {
                let reach = self.pairs[k as usize]
                    .points
                    .map(|side| self.reach_of(self.points[side[0] as usize].system));
                let mass = self.mass_of_pair(k as usize);
                let pair = &mut self.pairs[k as usize];
                let band = Band {
                    inner: 0.0,
                    outer: pair.nearness.band,
                };
                // Not how far they go, which they may do together, but by how much too near they come.
                let nearer = allowed(pair.nearness.room, pair.nearness.band) / share.max(f64::MIN_POSITIVE);
                let too_far = (reach[0] + reach[1]).min(nearer) * (1.0 - share);
                let force = (mass * too_far / (ask.h * ask.h)).min(pair.strongest);
                pair.joules = pair.joules.max(band.joules_for(force));
            }
            Watch::Spot(k) => {
                let spot = &self.spots[k as usize];
                let system = self.points[spot.points[0] as usize].system;
                let mut too_far = self.reach_of(system) * (1.0 - share);
                too_far += match self.bodies.get(spot.body as usize) {
                    Some(body) => self.reach_of(body.system) * (1.0 - share),
                    None if ask.shapes[spot.collider as usize].is_led() => self.moves_past(spot, ask) * (1.0 - share),
                    None => 0.0,
                };
                let mass = self.points[spot.points[0] as usize].mass.min(self.mass_under(spot));
                let mass = if mass.is_finite() { mass } else { 1.0 };
                let strongest = spot.strongest;
                for place in 0..self.found.len() {
                    let found = self.found[place];
                    let (band, _) = self.band_of(k as usize, &found);
                    let key: Key = self.key_of(k as usize, &found);
                    let force = (mass * too_far / (ask.h * ask.h)).min(strongest);
                    self.remember_place(key, band.joules_for(force));
                }
            }
        }
    }

    /// In the course of a solve: a barrier that is pressed to its end and would be pressed further.
    fn strengthen_pressed(&mut self, watch: Watch, ask: &Ask<'_>) {
        match watch {
            Watch::Pair(k) => {
                let pair = &mut self.pairs[k as usize];
                let band = Band {
                    inner: 0.0,
                    outer: pair.nearness.band,
                };
                let most = band.joules_for(pair.strongest);
                if let Some(known) = &mut pair.known
                    && pair.nearness.room < PRESSED * pair.nearness.band
                    && known.joules < most
                {
                    known.joules = (STRONGER * known.joules).min(most);
                    self.strengthened = true;
                }
            }
            Watch::Spot(k) => {
                let spot = self.spots[k as usize];
                let reach = Band::new(
                    self.points[spot.points[0] as usize].radius,
                    self.points[spot.points[0] as usize].radius,
                )
                .outer;
                self.distance_at(k as usize, 0.0, ask, reach);
                for place in 0..self.found.len() {
                    let found = self.found[place];
                    let (band, _) = self.band_of(k as usize, &found);
                    let most = band.joules_for(spot.strongest);
                    let at = self.remember_place(self.key_of(k as usize, &found), 0.0);
                    let known = &mut self.remembered[at];
                    if found.distance - band.inner < PRESSED * band.width() && known.joules < most {
                        known.joules = (STRONGER * known.joules).min(most);
                        self.strengthened = true;
                    }
                }
            }
        }
    }

    /// What is so near that the step could matter to it.
    pub(super) fn collect_watches(&mut self, ask: &Ask<'_>) {
        self.watches.clear();
        for k in 0..self.pairs.len() {
            let [a, b] = self.pairs[k].points;
            let systems = [a, b].map(|side| self.points[side[0] as usize].system);
            let reach = self.reach_of(systems[0]) + self.reach_of(systems[1]);
            let travelled = self.travel_of(systems[0]) + self.travel_of(systems[1]);
            if self.pairs[k].clear > travelled + reach {
                continue;
            }
            if self.pairs[k].looked < travelled {
                self.look_at_pair(k, travelled, ask.h);
            }
            self.watches.push(Watch::Pair(k as u32));
        }
        for k in 0..self.spots.len() {
            let spot = &self.spots[k];
            let system = self.points[spot.points[0] as usize].system;
            let (went, goes) = self.way_of_shape(spot, ask);
            let reach = self.reach_of(system) + goes;
            let travelled = self.travel_of(system) + went;
            if spot.clear <= travelled + reach {
                self.watches.push(Watch::Spot(k as u32));
            }
        }
    }

    fn judge(&mut self, watch: Watch, ask: &Ask<'_>) -> Verdict {
        match watch {
            Watch::Pair(k) => self.judge_pair(k as usize),
            Watch::Spot(k) => self.judge_spot(k as usize, ask),
        }
    }

    pub(super) fn judge_pair(&self, k: usize) -> Verdict {
        let pair = &self.pairs[k];
        let sides = pair.points.map(|side| {
            let scale = self.scale(self.points[side[0] as usize].system);
            side.map(|point| {
                let point = &self.points[point as usize];
                (point.now, point.now + point.step * scale)
            })
        });
        let [a, b] = sides;
        let end = closest([a[0].1, a[1].1], [b[0].1, b[1].1]);
        let after = end.between.length();
        let inner = pair.nearness.distance - pair.nearness.room;
        let room = after - inner;
        let allowed = allowed(pair.nearness.room, pair.nearness.band);
        let closed = pair.nearness.room - room;
        let normal = end.between / after.max(f64::MIN_POSITIVE);
        let turned = normal - pair.nearness.normal;
        for (from_a, to_a) in a {
            for (from_b, to_b) in b {
                let (before, then) = (from_b - from_a, to_b - to_a);
                let start = pair.nearness.normal.dot(before);
                if pair.deeper > 0.0 && start <= NO_SIDE * pair.nearness.band {
                    // They were put into each other's middle, or cut there: no plane stands between them yet, and they part wherever they go.
                    return Verdict::Fine;
                }
                let ends = start.min(normal.dot(then));
                if ends <= 0.25 * (then - before).dot(turned).max(0.0) {
                    return Verdict::Through;
                }
            }
        }
        if closed <= allowed * (1.0 + 1e-9) + 1e-300 {
            Verdict::Fine
        } else {
            Verdict::Less(allowed / closed)
        }
    }

    /// The distance of a spot from its shape, after so much of the step: of the nearest place, which is left in `found` with the others.
    fn distance_at(&mut self, k: usize, part: f64, ask: &Ask<'_>, reach: f64) -> Option<ShapePoint> {
        let spot = self.spots[k];
        let shape = &ask.shapes[spot.collider as usize];
        let pose = self.pose_of(&spot, ask, part);
        let scale = part * self.scale(self.points[spot.points[0] as usize].system);
        let [a, b] = spot.points.map(|point| {
            let point = &self.points[point as usize];
            point.now + point.step * scale
        });
        self.found.clear();
        if spot.segment.is_some() {
            near_segment(&*shape.shape.0, &pose, a, b, reach, &mut self.found);
        } else {
            near_point(&*shape.shape.0, &pose, a, reach, &mut self.found);
        }
        nearest(&self.found)
    }

    /// The same, and where a segment has no place between its ends, the nearer of these: what slides along a rod comes from one segment onto the next.
    fn distance_along(&mut self, k: usize, part: f64, ask: &Ask<'_>, reach: f64) -> Option<(ShapePoint, bool)> {
        let found = self.distance_at(k, part, ask, reach);
        let spot = self.spots[k];
        if found.is_some() || spot.segment.is_none() || !ask.shapes[spot.collider as usize].is_round() {
            return found.map(|found| (found, true));
        }
        let pose = self.pose_of(&spot, ask, part);
        let shape = &ask.shapes[spot.collider as usize];
        let scale = part * self.scale(self.points[spot.points[0] as usize].system);
        for point in spot.points.map(|point| &self.points[point as usize]) {
            near_point(
                &*shape.shape.0,
                &pose,
                point.now + point.step * scale,
                reach,
                &mut self.found,
            );
        }
        let found = nearest(&self.found);
        self.found.clear();
        found.map(|found| (found, false))
    }

    fn judge_spot(&mut self, k: usize, ask: &Ask<'_>) -> Verdict {
        let spot = self.spots[k];
        let points = spot.points.map(|point| self.points[point as usize]);
        let moved = self.moves_past(&spot, ask);
        let reach = Band::new(points[0].radius, points[0].radius).outer + moved;
        let Some((start, between)) = self.distance_along(k, 0.0, ask, reach) else {
            return Verdict::Fine;
        };
        let (band, _) = self.band_of(k, &start);
        let room = start.distance - band.inner;
        if !between && room <= 0.0 {
            // An end that started too deep: it has its own watch, and its own band.
            return Verdict::Fine;
        }
        let allowed = allowed(room, band.width());
        let least = start.distance - allowed;
        // No point comes nearer by more than it moves.
        let mut part = 0.0;
        let mut distance = start.distance;
        for _ in 0..LOOKS {
            part += (distance.max(0.0) * 0.9).max(1e-3 * points[0].radius) / moved.max(f64::MIN_POSITIVE);
            let last = part >= 1.0;
            let Some((found, between)) = self.distance_along(k, part.min(1.0), ask, reach) else {
                return Verdict::Fine;
            };
            distance = found.distance;
            if last && !between {
                return Verdict::Fine;
            }
            if last {
                let (end, _) = self.band_of(k, &found);
                let closed = room - (found.distance - end.inner);
                return if found.distance >= least || closed <= allowed * (1.0 + 1e-9) {
                    Verdict::Fine
                } else {
                    Verdict::Less(allowed / closed)
                };
            }
            if distance < least.min(band.inner) {
                return Verdict::Less(part.min(0.9) * 0.9);
            }
        }
        Verdict::Less(part.min(0.9))
    }

    pub(super) fn reach_of(&self, system: u32) -> f64 {
        match self.systems.get(system as usize) {
            Some(system) => system.reach,
            None => self.led_travel * self.led_share * (1.0 - self.progress),
        }
    }

    pub(super) fn travel_of(&self, system: u32) -> f64 {
        match self.systems.get(system as usize) {
            Some(system) => system.travel,
            None => self.led_travel * self.progress,
        }
    }
}

fn nearest(found: &[ShapePoint]) -> Option<ShapePoint> {
    found.iter().fold(None, |best: Option<ShapePoint>, found| match best {
        Some(best) if best.distance <= found.distance => Some(best),
        _ => Some(*found),
    })
}

/// How much of a gap one step may close: into the middle of the barrier, or a part of what is left of it.
pub(super) fn allowed(room: f64, band: f64) -> f64 {
    (room - 0.5 * band)
        .max((SHARE * room).min(room - LEAST * band))
        .max(0.0)
}

/// A direction across another, for segments whose centre lines meet.
pub fn across(along: DVec3) -> DVec3 {
    along.any_orthogonal_vector().normalize_or(DVec3::Y)
}
