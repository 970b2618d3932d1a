//! What is near, now: distances of the pairs and spots of a group, and of those that touch the linear model.

use glam::DVec3;
use tracing::trace_span;

use super::{
    barrier::{Band, Push, RECOVERY},
    bounds::across,
    closest::closest,
    friction::{Friction, GIVE},
    group::{Ask, Group, LED},
    shape::{ShapePoint, near_point, near_segment},
    touch::{Key, MARK, Remembered, Side, Touch, tilt},
};

/// How near two segments are: the direction from the first to the second, and how far they are from where the barrier is infinite, m.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nearness {
    pub normal: DVec3,
    pub room: f64,
    pub distance: f64,
    /// Width of the barrier, m.
    pub band: f64,
}

/// Two segments that may touch.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub key: Key,
    pub points: [[u32; 2]; 2],
    /// In the plans of their systems.
    pub segments: [u32; 2],
    /// The segments before and after either of them along its rod, as in keys.
    pub beside: [[Option<u32>; 2]; 2],
    pub friction: f64,
    /// Barriers are made for no more than this force, N.
    pub strongest: f64,
    /// Need not be looked at before its two systems have travelled so far, m; how far they had at the last look.
    pub clear: f64,
    pub looked: f64,
    pub nearness: Nearness,
    /// By how much its band is drawn in, m: see [`Band::draw_in`].
    pub deeper: f64,
    /// Of its barrier: a start before it is needed.
    pub joules: f64,
    /// Once it is needed.
    pub known: Option<Remembered>,
}

impl Pair {
    pub fn new(key: Key, points: [[u32; 2]; 2], segments: [u32; 2], friction: f64, strongest: f64) -> Self {
        Self {
            key,
            points,
            segments,
            beside: [[None; 2]; 2],
            friction,
            strongest,
            clear: 0.0,
            looked: -1.0,
            nearness: Nearness::default(),
            deeper: 0.0,
            joules: 0.0,
            known: None,
        }
    }

    /// Whether it is deeper than a band that is not drawn in would allow.
    pub fn overlaps(&self) -> bool {
        self.nearness.room < self.deeper
    }
}

/// A vertex or a segment that may touch a shape.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Rod slot, and element.
    pub element: [u32; 2],
    /// Of a vertex, twice the same.
    pub points: [u32; 2],
    pub segment: Option<u32>,
    pub collider: u32,
    /// Number of the group's body that it stands on; else it is led, and [`LED`].
    pub body: u32,
    pub friction: f64,
    pub strongest: f64,
    /// Like that of a [`Pair`].
    pub clear: f64,
}

/// A place on a shape whose band is drawn in, and by how much, m.
#[derive(Clone, Copy, Debug)]
pub struct Deep {
    pub key: Key,
    pub deeper: f64,
    /// It started deeper than a band that is not drawn in would allow.
    pub overlaps: bool,
}

/// What touched between a rod and another, or a collider, in the substep before: what slides comes to ever new places.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    pub between: [u32; 2],
    /// The strongest barrier, J.
    pub joules: f64,
}

/// Centre lines meet where they are nearer than this share of a segment, or of a radius.
const MEETING: f64 = 3e-3;

impl Group {
    /// Look at everything that may be near, and make the list of what touches. Answers whether nothing is where barriers are infinite.
    pub(super) fn look(&mut self, ask: &Ask<'_>) -> bool {
        let _span = trace_span!("narrow phase").entered();
        std::mem::swap(&mut self.touches, &mut self.before);
        self.touches.clear();
        let mut sound = true;
        for k in 0..self.pairs.len() {
            let [a, b] = self.pairs[k].points.map(|side| self.points[side[0] as usize].system);
            let travelled = self.travel_of(a) + self.travel_of(b);
            if self.pairs[k].clear <= travelled {
                sound &= self.touch_pair(k, travelled, ask);
            }
        }
        for k in 0..self.spots.len() {
            let spot = &self.spots[k];
            let system = self.points[spot.points[0] as usize].system;
            let travelled = self.travel_of(system) + self.way_of_shape(spot, ask).0;
            if spot.clear <= travelled {
                sound &= self.touch_shape(k, ask);
            }
        }
        sound
    }

    /// Distance and direction of a pair. Answers places on both, and the band of its barrier.
    pub(super) fn look_at_pair(&mut self, k: usize, travelled: f64, h: f64) -> ([f64; 2], f64, f64, Band) {
        let pair = &self.pairs[k];
        let [a, b] = pair.points.map(|side| side.map(|point| &self.points[point as usize]));
        let found = closest([a[0].now, a[1].now], [b[0].now, b[1].now]);
        let distance = found.between.length();
        let at =
            |side: [&super::group::Point; 2], along: f64| side[0].radius + (side[1].radius - side[0].radius) * along;
        let radii = [at(a, found.first), at(b, found.second)];
        let radius = radii[0].min(radii[1]);
        let mut band = Band::new(radii[0] + radii[1], radius);
        let first_time = pair.looked < 0.0;
        let [along_a, along_b] = [a, b].map(|side| side[1].now - side[0].now);
        // The nearest places are drawn to the middles a little: nearer than that, they do not tell where to.
        let drawn = MEETING * along_a.length_squared().max(along_b.length_squared()).sqrt();
        let normal = if distance > drawn.max(MEETING * radius).min(0.5 * radius) {
            found.between / distance
        } else {
            // Centre lines that meet part across both, towards where they are already; the ends of a rope that was cut, along it.
            let cross = along_a.cross(along_b).try_normalize();
            let beyond = (b[0].now + b[1].now) - (a[0].now + a[1].now);
            match cross {
                Some(cross) => cross * 1.0_f64.copysign(cross.dot(found.between) + 0.1 * distance),
                None => beyond.try_normalize().unwrap_or_else(|| across(along_a)),
            }
        };
        let key = pair.key;
        if first_time && distance < band.outer {
            self.pairs[k].deeper = band.draw_in(distance, self.deeper_before(&key), RECOVERY * radius * h);
        }
        let pair = &mut self.pairs[k];
        band = band.drawn_in(pair.deeper);
        pair.looked = travelled;
        pair.clear = travelled + (distance - band.outer);
        pair.nearness = Nearness {
            normal,
            room: distance - band.inner,
            distance,
            band: band.width(),
        };
        ([found.first, found.second], distance, radius, band)
    }

    fn touch_pair(&mut self, k: usize, travelled: f64, ask: &Ask<'_>) -> bool {
        let (along, distance, radius, band) = self.look_at_pair(k, travelled, ask.h);
        if distance >= band.outer {
            return true;
        }
        let sides: [Side; 2] = std::array::from_fn(|side| Side {
            points: self.pairs[k].points[side],
            weights: [1.0 - along[side], along[side]],
            segment: Some(self.pairs[k].segments[side]),
            arm: None,
        });
        let mut known = self.pairs[k].known.unwrap_or_else(|| {
            let key = self.pairs[k].key;
            let known = self.remembered_at(&key).unwrap_or_else(|| Remembered {
                held: self.held_beside(k),
                ..Remembered::new(key, 0.0)
            });
            let mass = self.mass_of(&sides[0]).min(self.mass_of(&sides[1]));
            let wanted = self.pairs[k].joules;
            self.arm(
                known,
                Armed {
                    mass,
                    band,
                    distance,
                    radius,
                    wanted,
                },
                ask,
            )
        });
        let Some(push) = band.push(distance, known.joules) else {
            return false;
        };
        let rub = known.rub(push.force);
        self.pairs[k].known = Some(known);
        let pair = &self.pairs[k];
        let normal = pair.nearness.normal;
        let segments = pair
            .points
            .map(|[a, b]| self.points[b as usize].now - self.points[a as usize].now);
        let place = self.place_of(&sides[0]) + normal * (0.5 * distance);
        self.touches.push(Touch {
            key: pair.key,
            sides,
            fixed: false,
            normal,
            place,
            gap: distance - (band.outer + pair.deeper - 0.25 * radius),
            band,
            deeper: pair.deeper,
            gentle: known.gentle,
            room: distance - band.inner,
            radius,
            energy: push.energy,
            force: push.force,
            stiffness: push.stiffness,
            joules: known.joules,
            strongest: pair.strongest,
            sliding: 0.0,
            tilt: tilt(push.force, distance, along, segments),
            friction: Friction {
                limit: pair.friction * rub,
                give: GIVE * radius,
            },
            held: known.held,
            led: DVec3::ZERO,
            ahead: 0.0,
        });
        true
    }

    /// The places of a spot that are nearer than where barriers begin and so much more, into `found`.
    pub(super) fn look_for_places(&mut self, k: usize, ask: &Ask<'_>, more: f64) {
        let spot = self.spots[k];
        let shape = &ask.shapes[spot.collider as usize];
        let pose = self.pose_of(&spot, ask, 0.0);
        let [a, b] = spot.points.map(|point| &self.points[point as usize]);
        let radius = a.radius.max(b.radius);
        let band = Band::new(radius, radius);
        let reach = band.outer + more;
        self.found.clear();
        if spot.segment.is_some() {
            near_segment(&*shape.shape.0, &pose, a.now, b.now, reach, &mut self.found);
        } else {
            near_point(&*shape.shape.0, &pose, a.now, reach, &mut self.found);
        }
        let mut nearest = self.found.iter().fold(reach, |least, found| least.min(found.distance));
        if let ([], Some(_), true) = (&self.found[..], spot.segment, shape.is_round()) {
            // Its nearest place is an end, which has a spot of its own; but what slides along the rod comes over the end onto the segment.
            for end in [a.now, b.now] {
                near_point(&*shape.shape.0, &pose, end, reach, &mut self.found);
            }
            nearest = self.found.iter().fold(reach, |least, found| least.min(found.distance));
            self.found.clear();
        }
        let travelled = self.travel_of(a.system) + self.way_of_shape(&spot, ask).0;
        self.spots[k].clear = travelled + (nearest - band.outer);
    }

    pub(super) fn key_of(&self, k: usize, found: &ShapePoint) -> Key {
        let spot = &self.spots[k];
        [spot.element[0], spot.element[1], spot.collider | MARK, found.feature]
    }

    pub(super) fn band_of(&self, k: usize, found: &ShapePoint) -> (Band, f64) {
        let [a, b] = self.spots[k].points.map(|point| self.points[point as usize].radius);
        let radius = a + (b - a) * found.along;
        let band = Band::new(radius, radius);
        if self.deep.is_empty() {
            return (band, radius);
        }
        let key = self.key_of(k, found);
        let at = self.deep.binary_search_by_key(&key, |deep| deep.key);
        let deeper = at.map_or(0.0, |at| self.deep[at].deeper);
        (band.drawn_in(deeper), radius)
    }

    /// A substep starts with a place on a shape in the reach of a band that is not drawn in.
    fn draw_in(&mut self, key: Key, distance: f64, radius: f64, h: f64) {
        let band = Band::new(radius, radius);
        let deeper = band.draw_in(distance, self.deeper_before(&key), RECOVERY * radius * h);
        if let (Err(at), true) = (self.deep.binary_search_by_key(&key, |deep| deep.key), deeper > 0.0) {
            let overlaps = distance < band.inner;
            self.deep.insert(at, Deep { key, deeper, overlaps });
        }
    }

    /// By how much the band of a place was drawn in before.
    fn deeper_before(&self, key: &Key) -> f64 {
        self.remembered_at(key).map_or(0.0, |known| known.deeper)
    }

    /// A barrier is as strong as what it stops has inertia, as it was between the same two, and as somebody found it has to be; what starts in it without having touched before is not thrown out.
    fn arm(&self, mut known: Remembered, at: Armed, ask: &Ask<'_>) -> Remembered {
        let Armed {
            mass,
            band,
            distance,
            radius,
            wanted,
        } = at;
        let usual = self.usual_between(&known.key);
        known.gentle |= self.starting && known.joules == 0.0 && usual.is_none();
        let mass = if mass.is_finite() { mass } else { 1.0 };
        let inertia = mass / (ask.h * ask.h) * band.width() * band.width();
        let least = match known.gentle {
            false => inertia,
            true if known.joules > 0.0 => 0.0,
            true => inertia.min(band.gentle_joules(distance, mass, radius, ask.gravity)),
        };
        let usual = usual.map_or(0.0, |usual| 0.5 * usual.joules);
        known.joules = known.joules.max(least).max(wanted).max(usual);
        known
    }

    fn touch_shape(&mut self, k: usize, ask: &Ask<'_>) -> bool {
        let margin = self.points[self.spots[k].points[0] as usize].radius;
        self.look_for_places(k, ask, margin);
        let mut sound = true;
        for place in 0..self.found.len() {
            let found = self.found[place];
            let key = self.key_of(k, &found);
            let (mut band, radius) = self.band_of(k, &found);
            if self.starting && found.distance < Band::new(radius, radius).outer {
                self.draw_in(key, found.distance, radius, ask.h);
                (band, _) = self.band_of(k, &found);
            }
            if found.distance >= band.outer {
                continue;
            }
            let spot = self.spots[k];
            let rod = Side {
                points: spot.points,
                weights: [1.0 - found.along, found.along],
                segment: spot.segment,
                arm: None,
            };
            let under = self.side_under(&spot, self.place_of(&rod));
            let shape = &ask.shapes[spot.collider as usize];
            let fixed = under.is_none();
            let mut ahead = 0.0;
            let (second, led) = under.unwrap_or_else(|| {
                if shape.travel > 0.0 {
                    let pose = shape.from.lerp(&shape.to, self.progress);
                    let local = pose.inverse_point(found.on_shape);
                    ahead = -found.normal.dot(shape.to.point(local) - found.on_shape);
                    (Side::default(), found.on_shape - shape.from.point(local))
                } else {
                    Default::default()
                }
            });
            let mass = self.mass_of(&rod).min(self.mass_under(&spot));
            // As strong as what has to get out of the way of a shape that is led.
            let wanted = if ahead < 0.0 {
                let mass = if mass.is_finite() { mass } else { 1.0 };
                band.joules_for((mass * -ahead / (ask.h * ask.h)).min(spot.strongest))
            } else {
                0.0
            };
            let at = self.remember_place(key, 0.0);
            let armed = Armed {
                mass,
                band,
                distance: found.distance,
                radius,
                wanted,
            };
            self.remembered[at] = self.arm(self.remembered[at], armed, ask);
            let Remembered { joules, gentle, .. } = self.remembered[at];
            let Some(Push {
                energy,
                force,
                stiffness,
            }) = band.push(found.distance, joules)
            else {
                sound = false;
                continue;
            };
            let rub = self.remembered[at].rub(force);
            self.touches.push(Touch {
                key,
                sides: [rod, second],
                fixed,
                normal: -found.normal,
                place: found.on_shape,
                gap: found.distance - radius,
                band,
                deeper: Band::new(radius, radius).inner - band.inner,
                gentle,
                room: found.distance - band.inner,
                radius,
                energy,
                force,
                stiffness,
                joules,
                strongest: spot.strongest,
                sliding: 0.0,
                tilt: [0.0; 2],
                friction: Friction {
                    limit: spot.friction * rub,
                    give: GIVE * radius,
                },
                held: self.remembered[at].held,
                led,
                ahead,
            });
        }
        sound
    }

    /// What is known of a place on a shape, with a barrier of at least so many joules: where in the list.
    pub(super) fn remember_place(&mut self, key: Key, joules: f64) -> usize {
        match self.remembered.binary_search_by_key(&key, |known| known.key) {
            Ok(at) => {
                self.remembered[at].joules = self.remembered[at].joules.max(joules);
                at
            }
            Err(at) => {
                self.remembered.insert(at, Remembered::new(key, joules));
                at
            }
        }
    }

    fn usual_between(&self, key: &Key) -> Option<&Usual> {
        let between = [key[0], key[2]];
        let at = self.usual.binary_search_by_key(&between, |usual| usual.between).ok()?;
        Some(&self.usual[at])
    }

    fn remembered_at(&self, key: &Key) -> Option<Remembered> {
        let at = self.remembered.binary_search_by_key(key, |known| known.key).ok()?;
        Some(self.remembered[at])
    }

    /// What friction holds where the same two rods press hardest on each other beside a pair: a place that slides from one segment to the next takes along what it holds.
    fn held_beside(&self, k: usize) -> DVec3 {
        let Pair { key, beside, .. } = &self.pairs[k];
        let [firsts, seconds] = [
            [Some(key[1]), beside[0][0], beside[0][1]],
            [Some(key[3]), beside[1][0], beside[1][1]],
        ];
        let (mut hardest, mut held) = (0.0, DVec3::ZERO);
        for first in firsts.into_iter().flatten() {
            for second in seconds.into_iter().flatten() {
                if let Some(known) = self.remembered_at(&[key[0], first, key[2], second])
                    && known.force > hardest
                {
                    (hardest, held) = (known.force, known.held);
                }
            }
        }
        held
    }

    /// The lighter side of a pair.
    pub(super) fn mass_of_pair(&self, k: usize) -> f64 {
        let masses = self.pairs[k].points.map(|[a, b]| {
            let [a, b] = [a, b].map(|point| self.points[point as usize].mass);
            a.min(b)
        });
        let least = masses[0].min(masses[1]);
        if least.is_finite() { least } else { 1.0 }
    }

    fn mass_of(&self, side: &Side) -> f64 {
        let [a, b] = side.points.map(|point| self.points[point as usize]);
        if a.system == LED {
            return f64::INFINITY;
        }
        (a.mass * side.weights[0]).max(b.mass * side.weights[1])
    }

    fn place_of(&self, side: &Side) -> DVec3 {
        let [a, b] = side.points.map(|point| self.points[point as usize].now);
        a * side.weights[0] + b * side.weights[1]
    }
}

/// What the strength of a barrier follows from.
struct Armed {
    /// Of the lighter side, kg.
    mass: f64,
    band: Band,
    distance: f64,
    /// Of the thinner side, m.
    radius: f64,
    /// What somebody found that it has to be, J.
    wanted: f64,
}
