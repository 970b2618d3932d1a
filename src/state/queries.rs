//! Nearest points and rays against the surface of rods.
//!
//! A segment is a round cone: the hull of the balls at its two vertices, a capsule where their radii are equal. Both queries are closed forms in `f64`, counted from the
//! rod's own origin. Boxes are made when asked for, eight rods at a time: a world moves every step, and a tree over it would be refitted for few questions.

use glam::DVec3;

use super::{
    block::{Block, Layout, position},
    readback::RodRef,
    world::{RodId, RodWorld},
};
use crate::{math::lanes::LANES, rod::Topology};

/// Where a query met a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodHit {
    /// Which rod.
    pub rod: RodId,
    /// Which segment.
    pub segment: usize,
    /// Where on it: 0 at its tail, 1 at its head.
    pub along: f64,
    /// Rest length from vertex 0, m. `None` on a graph, where no one way leads there.
    pub arc_length: Option<f64>,
    /// On the centre line, world, m.
    pub center: DVec3,
    /// On the surface, world, m.
    pub surface: DVec3,
    /// Out of the surface, of unit length.
    pub normal: DVec3,
    /// To the surface, m: from the place (negative inside the rod), or along the ray.
    pub distance: f64,
}

impl RodWorld {
    /// The point of a rod's surface that is nearest to a place, no farther away than `max_distance`; inside a rod it is the deepest. Broken
    /// segments and rods that `filter` refuses do not count. `None` as well where the place or the distance is not a number.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let mut world = RodWorld::default();
    /// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 4)).radius(0.02).build()?;
    /// let id = world.insert(rope)?;
    /// let hit = world.nearest_point(DVec3::new(0.6, 0.5, 0.0), 1.0, |_| true);
    /// let hit = hit.ok_or("nothing there")?;
    /// assert_eq!((hit.rod, hit.segment), (id, 2));
    /// assert!((hit.distance - 0.48).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_point(&self, place: DVec3, max_distance: f64, filter: impl FnMut(RodId) -> bool) -> Option<RodHit> {
        let query = Nearest::new(place, max_distance)?;
        self.first(query, max_distance, filter)
    }

    /// Where a ray meets the surface of a rod first, no farther along than `max_distance`. A ray that starts inside a rod meets it at once, at distance zero. Broken
    /// segments and rods that `filter` refuses do not count. `None` as well where something is not a number or the direction is zero; its length does not matter.
    pub fn ray_cast(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        filter: impl FnMut(RodId) -> bool,
    ) -> Option<RodHit> {
        let query = Ray::new(origin, direction, max_distance)?;
        self.first(query, max_distance, filter)
    }

    fn first(&self, query: impl Query, max_distance: f64, mut filter: impl FnMut(RodId) -> bool) -> Option<RodHit> {
        let mut best = None;
        let mut limit = max_distance.next_up();
        for block in self.blocks.iter().flatten() {
            for (lane, [low, high]) in lane_boxes(block).into_iter().enumerate() {
                let Some(resident) = &block.rods[lane] else { continue };
                let fat = DVec3::splat(resident.radius) + high.abs().max(low.abs()) * ROUNDING;
                let moved = query.from(resident.origin);
                if moved.misses(low - fat, high + fat, limit) {
                    continue;
                }
                let id = self.name(resident.index);
                if !filter(id) {
                    continue;
                }
                let Some(rod) = self.rod(id) else { continue };
                if let Some(touch) = rod.touch(&moved, limit) {
                    limit = touch.distance;
                    best = Some((rod, touch));
                }
            }
        }
        best.map(|(rod, touch)| rod.hit(&query.from(rod.origin()), touch))
    }
}

impl RodRef<'_> {
    /// As [`RodWorld::nearest_point`], of this rod alone.
    pub fn nearest_point(&self, place: DVec3, max_distance: f64) -> Option<RodHit> {
        self.ask(Nearest::new(place, max_distance)?, max_distance)
    }

    /// As [`RodWorld::ray_cast`], of this rod alone.
    pub fn ray_cast(&self, origin: DVec3, direction: DVec3, max_distance: f64) -> Option<RodHit> {
        self.ask(Ray::new(origin, direction, max_distance)?, max_distance)
    }

    fn ask(&self, query: impl Query, max_distance: f64) -> Option<RodHit> {
        let query = query.from(self.origin());
        let touch = self.touch(&query, max_distance.next_up())?;
        Some(self.hit(&query, touch))
    }

    /// The first segment that the query meets before `limit`.
    fn touch(&self, query: &impl Query, limit: f64) -> Option<Touch> {
        let mut best = None;
        let mut limit = limit;
        for segment in 0..self.segment_count() {
            // Of equals the first.
            let distance = query.distance(&self.cone(segment)).filter(|distance| *distance < limit);
            if let Some(distance) = distance
                && !self.is_broken(segment)
            {
                limit = distance;
                best = Some(Touch { segment, distance });
            }
        }
        best
    }

    fn hit(&self, query: &impl Query, touch: Touch) -> RodHit {
        let Touch { segment, distance } = touch;
        let cone = self.cone(segment);
        let place = query.place(distance);
        let along = cone.nearest(place);
        let center = cone.tail + cone.edge * along;
        // On the centre line every way out is as short: that of the section's first axis.
        let sideways = self.orientation(segment).as_dquat() * DVec3::X;
        let normal = (place - center).normalize_or(sideways.normalize_or(DVec3::X));
        let described = &self.description().segments()[segment];
        let start = (self.description().topology() != Topology::Graph).then(|| {
            self.description().segments()[..segment]
                .iter()
                .map(|s| s.rest_length)
                .sum::<f64>()
        });
        RodHit {
            rod: self.id,
            segment,
            along,
            arc_length: start.map(|start| start + along * described.rest_length),
            center: self.origin() + center,
            surface: self.origin() + center + normal * cone.radius(along),
            normal,
            distance,
        }
    }

    fn cone(&self, segment: usize) -> Cone {
        let rod = self.description();
        let ends = [rod.segments()[segment].tail, rod.segments()[segment].head];
        let [tail, head] = ends.map(|vertex| {
            let (row, lane) = self.block.vertex_place(self.lane, vertex as usize);
            position(&self.block.vertices[row], lane)
        });
        Cone {
            tail,
            edge: head - tail,
            radii: ends.map(|vertex| rod.vertices()[vertex as usize].radius),
        }
    }
}

/// How far the leading part of a coordinate is from the coordinate, relative; twice the rounding of `f32`.
const ROUNDING: f64 = 1.2e-7;

/// Corners of the box around the vertices of every lane, from the rod's origin. A graph has one box for all of its lanes, in every one; lanes that are
/// not used are at its origin, which can only make it larger.
fn lane_boxes(block: &Block) -> [[DVec3; 2]; LANES] {
    let (mut low, mut high) = ([[f32::INFINITY; LANES]; 3], [[f32::NEG_INFINITY; LANES]; 3]);
    for row in &block.vertices {
        for axis in 0..3 {
            for lane in 0..LANES {
                let at = row.position[axis].0[lane];
                low[axis][lane] = low[axis][lane].min(at);
                high[axis][lane] = high[axis][lane].max(at);
            }
        }
    }
    let corner =
        |rows: &[[f32; LANES]; 3], lane: usize| DVec3::from_array(std::array::from_fn(|axis| rows[axis][lane].into()));
    let own = std::array::from_fn(|lane| [corner(&low, lane), corner(&high, lane)]);
    match block.layout {
        Layout::Chains => own,
        Layout::Graph(_) => {
            let all = own.into_iter().reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
            [all.unwrap_or_default(); LANES]
        }
    }
}

/// A segment, and how far along the query it is.
struct Touch {
    segment: usize,
    distance: f64,
}

/// What can be asked of a rod.
trait Query: Copy {
    /// The same, counted from a rod's origin.
    fn from(self, origin: DVec3) -> Self;
    /// Whether nothing in the box can be met before `limit`.
    fn misses(&self, low: DVec3, high: DVec3, limit: f64) -> bool;
    /// How far it is to a segment.
    fn distance(&self, cone: &Cone) -> Option<f64>;
    /// The place to measure from at that distance.
    fn place(&self, distance: f64) -> DVec3;
}

#[derive(Clone, Copy)]
struct Nearest {
    place: DVec3,
}

impl Nearest {
    fn new(place: DVec3, max_distance: f64) -> Option<Self> {
        (place.is_finite() && max_distance >= 0.0).then_some(Self { place })
    }
}

impl Query for Nearest {
    fn from(self, origin: DVec3) -> Self {
        Self {
            place: self.place - origin,
        }
    }

    fn misses(&self, low: DVec3, high: DVec3, limit: f64) -> bool {
        let away = (low - self.place).max(self.place - high).max(DVec3::ZERO);
        // Inside a rod the distance is negative, and another rod around the place may be deeper.
        away.length() > limit.max(0.0)
    }

    fn distance(&self, cone: &Cone) -> Option<f64> {
        let along = cone.nearest(self.place);
        Some(self.place.distance(cone.tail + cone.edge * along) - cone.radius(along))
    }

    fn place(&self, _: f64) -> DVec3 {
        self.place
    }
}

#[derive(Clone, Copy)]
struct Ray {
    origin: DVec3,
    /// Of unit length.
    direction: DVec3,
}

impl Ray {
    fn new(origin: DVec3, direction: DVec3, max_distance: f64) -> Option<Self> {
        // By its largest part first: the square of a very long one is infinite.
        let direction = (direction / direction.abs().max_element()).try_normalize()?;
        (origin.is_finite() && max_distance >= 0.0).then_some(Self { origin, direction })
    }
}

impl Query for Ray {
    fn from(self, origin: DVec3) -> Self {
        Self {
            origin: self.origin - origin,
            ..self
        }
    }

    fn misses(&self, low: DVec3, high: DVec3, limit: f64) -> bool {
        let (mut enter, mut leave) = (0.0_f64, limit);
        for axis in 0..3 {
            let (at, speed) = (self.origin[axis], self.direction[axis]);
            if speed == 0.0 {
                if at < low[axis] || at > high[axis] {
                    return true;
                }
                continue;
            }
            let (a, b) = ((low[axis] - at) / speed, (high[axis] - at) / speed);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter > leave
    }

    fn distance(&self, cone: &Cone) -> Option<f64> {
        // From where the ray passes the segment: a ray from far away would lose the digits.
        let shift = (cone.tail + 0.5 * cone.edge - self.origin).dot(self.direction);
        let (enter, leave) = cone.pierced(self.place(shift), self.direction)?;
        (leave + shift >= 0.0).then_some((enter + shift).max(0.0))
    }

    fn place(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }
}

/// The hull of two balls.
struct Cone {
    tail: DVec3,
    edge: DVec3,
    radii: [f64; 2],
}

impl Cone {
    fn radius(&self, along: f64) -> f64 {
        self.radii[0] + along * (self.radii[1] - self.radii[0])
    }

    /// Length, unit axis and slope of the radius. `None` where one ball holds the other.
    fn axis(&self) -> Option<(f64, DVec3, f64)> {
        let length = self.edge.length();
        let growth = self.radii[1] - self.radii[0];
        (growth.abs() < length).then(|| (length, self.edge / length, growth / length))
    }

    /// Where on the axis the ball is whose surface is nearest. Straight down from the place, and towards the thicker end by the sine of the slope.
    fn nearest(&self, place: DVec3) -> f64 {
        let Some((length, axis, slope)) = self.axis() else {
            return if self.radii[1] > self.radii[0] { 1.0 } else { 0.0 };
        };
        let from = place - self.tail;
        let height = from.dot(axis);
        let sideways = (from - axis * height).length();
        ((height + sideways * slope / (1.0 - slope * slope).sqrt()) / length).clamp(0.0, 1.0)
    }

    /// Where a line enters and leaves. The hull is convex: of all places where the line meets the two balls, or the mantle between them, the first and the last.
    fn pierced(&self, from: DVec3, direction: DVec3) -> Option<(f64, f64)> {
        let mut range: Option<(f64, f64)> = None;
        let mut meet = |at: f64| range = Some(range.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
        for (ball, radius) in [self.tail, self.tail + self.edge].into_iter().zip(self.radii) {
            let from = from - ball;
            let c = from.length_squared() - radius * radius;
            roots(1.0, from.dot(direction), c)
                .into_iter()
                .flatten()
                .for_each(&mut meet);
        }
        if let Some((length, axis, slope)) = self.axis() {
            // The ball at height τ of radius r + sτ touches the mantle where x² + (y − τ)² − (r + sτ)² is least in τ, at τ = (y + sr)/(1 − s²);
            // there it vanishes: x² + y² − r² − (y + sr)²/(1 − s²) = 0.
            let (from, radius) = (from - self.tail, self.radii[0]);
            let steepness = 1.0 / (1.0 - slope * slope);
            let (height, climb) = (from.dot(axis) + slope * radius, direction.dot(axis));
            let a = 1.0 - climb * climb * steepness;
            let b = from.dot(direction) - height * climb * steepness;
            let c = from.length_squared() - radius * radius - height * height * steepness;
            for at in roots(a, b, c).into_iter().flatten() {
                let tau = (height + at * climb) * steepness;
                if (0.0..=length).contains(&tau) {
                    meet(at);
                }
            }
        }
        range
    }
}

/// Where `a x² + 2 b x + c` vanishes.
fn roots(a: f64, b: f64, c: f64) -> [Option<f64>; 2] {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return [None; 2];
    }
    // Without a difference of near numbers; a line along the mantle has one root, or none.
    let sum = -(b + discriminant.sqrt().copysign(b));
    let finite = |x: f64| Some(x).filter(|x| x.is_finite());
    [finite(sum / a), finite(c / sum)]
}
