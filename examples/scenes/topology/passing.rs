//! Did rods pass through each other between two sets of positions?
//!
//! [`PassThrough`] takes every vertex to move straight and evenly from one call to the next. Two segments are then
//! coplanar at the roots of a cubic in time, and where their lines meet inside both at such a time, they passed. Fed each
//! substep it sees what happened; fed each frame it sees what a straight motion would have done: it can report a pass that a
//! curved path avoided (two whirling ropes), and it can miss one that was undone within the frame.
//!
//! Each crossing has a sign, the change of the linking number that it makes. Passing through and back gives +1 and −1:
//! the signed sum of two rods is 0 when they are where they were. Segments with a vertex in common never count: they can't pass except by folding flat.
//! Segments that are exactly parallel, or move exactly within one plane, have no side to change and are not seen.
//! A meeting exactly at a vertex goes to the segment that begins there, so that it is counted once; rounding
//! may count it twice or not at all, about once in 10¹².
//!
//! [`gauss_jump`] needs no path at all.

use super::gauss::gauss_integral;
use glam::DVec3;

/// One segment through another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Which call of [`PassThrough::feed`] saw it, from 0 (the first call only remembers).
    pub feed: usize,
    /// Share of the time between that call and the one before.
    pub share: f64,
    /// Rod and segment.
    pub first: (usize, usize),
    /// Rod and segment of the other.
    pub second: (usize, usize),
    /// Change of the linking number, or of half the writhe within one rod: +1 or −1.
    pub sign: i32,
    /// How far the four vertices moved at most between the calls, beside each other, m.
    pub moved: f64,
    /// How far along its rod the nearer free end was from either segment, m; infinite for rings.
    pub from_end: f64,
}

impl Pass {
    /// Whether no other way from one call to the next explains it: with a free end nearer than the way that the two went, one may have gone around the end of the other.
    pub fn is_certain(&self) -> bool {
        self.from_end > self.moved
    }
}

/// Watches rods from call to call and collects the passes.
#[derive(Clone, Debug, Default)]
pub struct PassThrough {
    before: Vec<Vec<DVec3>>,
    closed: Vec<bool>,
    feeds: usize,
    passes: Vec<Pass>,
    boxes: Vec<Swept>,
}

/// The box that a segment sweeps in one call.
#[derive(Clone, Copy, Debug)]
struct Swept {
    low: DVec3,
    high: DVec3,
    rod: usize,
    segment: usize,
}

impl PassThrough {
    /// Watches open rods.
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches rods of which some are rings (true: the last point is joined to the first). Rods beyond the list are open.
    pub fn with_rings(closed: &[bool]) -> Self {
        let closed = closed.to_vec();
        Self {
            closed,
            ..Self::default()
        }
    }

    /// Takes the positions of all rods and returns how many segments passed through each other since the last call.
    ///
    /// A rod whose number of points has changed (cut, reeled) is not compared in this call.
    pub fn feed<P: AsRef<[DVec3]>>(&mut self, rods: &[P]) -> usize {
        let known = self.passes.len();
        self.boxes.clear();
        for (rod, now) in rods.iter().map(AsRef::as_ref).enumerate() {
            let Some(before) = self.before.get(rod).filter(|b| b.len() == now.len()) else {
                continue;
            };
            let count = now.len();
            for segment in 0..if self.is_closed(rod) {
                count
            } else {
                count.saturating_sub(1)
            } {
                let next = (segment + 1) % count;
                let corners = [before[segment], before[next], now[segment], now[next]];
                let low = corners.into_iter().reduce(DVec3::min).unwrap_or_default();
                let high = corners.into_iter().reduce(DVec3::max).unwrap_or_default();
                self.boxes.push(Swept {
                    low,
                    high,
                    rod,
                    segment,
                });
            }
        }
        self.boxes.sort_by(|a, b| {
            a.low
                .x
                .total_cmp(&b.low.x)
                .then((a.rod, a.segment).cmp(&(b.rod, b.segment)))
        });
        for (index, a) in self.boxes.iter().enumerate() {
            for b in &self.boxes[index + 1..] {
                if b.low.x > a.high.x {
                    break;
                }
                if a.high.cmplt(b.low).any() || b.high.cmplt(a.low).any() || self.share_vertex(a, b, rods) {
                    continue;
                }
                let (a, b) = if (a.rod, a.segment) < (b.rod, b.segment) {
                    (a, b)
                } else {
                    (b, a)
                };
                let [one, two] = [a, b].map(|s| self.motion(s, rods[s.rod].as_ref()));
                let mut seen = Vec::new();
                passes_of(one, two, |share, sign| seen.push((share, sign)));
                for (share, sign) in seen {
                    let from_end = [a, b].map(|s| self.way_to_end(s, rods[s.rod].as_ref()));
                    self.passes.push(Pass {
                        feed: self.feeds,
                        share,
                        first: (a.rod, a.segment),
                        second: (b.rod, b.segment),
                        sign,
                        moved: one.beside(&two),
                        from_end: from_end[0].min(from_end[1]),
                    });
                }
            }
        }
        self.before.resize_with(rods.len(), Vec::new);
        for (before, now) in self.before.iter_mut().zip(rods) {
            before.clear();
            before.extend_from_slice(now.as_ref());
        }
        self.feeds += 1;
        self.passes.len() - known
    }

    /// All passes so far.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// Pairs of rods that are through each other: those whose signed sum is not 0, with the sum. A rod with itself included.
    pub fn passed_pairs(&self) -> Vec<(usize, usize, i32)> {
        let mut sums = std::collections::BTreeMap::new();
        for pass in &self.passes {
            *sums.entry((pass.first.0, pass.second.0)).or_insert(0) += pass.sign;
        }
        sums.into_iter()
            .filter(|&(_, sum)| sum != 0)
            .map(|((a, b), sum)| (a, b, sum))
            .collect()
    }

    fn is_closed(&self, rod: usize) -> bool {
        self.closed.get(rod).copied().unwrap_or(false)
    }

    fn share_vertex<P: AsRef<[DVec3]>>(&self, a: &Swept, b: &Swept, rods: &[P]) -> bool {
        let apart = a.segment.abs_diff(b.segment);
        let around = rods[a.rod].as_ref().len().saturating_sub(1);
        a.rod == b.rod && (apart <= 1 || self.is_closed(a.rod) && apart == around)
    }

    /// How far it is along a rod from a segment to the nearer free end.
    fn way_to_end(&self, s: &Swept, now: &[DVec3]) -> f64 {
        if self.is_closed(s.rod) {
            return f64::INFINITY;
        }
        let length = |points: &[DVec3]| points.windows(2).map(|two| two[0].distance(two[1])).sum::<f64>();
        length(&now[..=s.segment]).min(length(&now[s.segment + 1..]))
    }

    fn motion(&self, s: &Swept, now: &[DVec3]) -> Motion {
        let next = (s.segment + 1) % now.len();
        let before = &self.before[s.rod];
        Motion {
            before: [before[s.segment], before[next]],
            now: [now[s.segment], now[next]],
            last: !self.is_closed(s.rod) && s.segment + 2 == now.len(),
        }
    }
}

#[derive(Clone, Copy)]
struct Motion {
    before: [DVec3; 2],
    now: [DVec3; 2],
    /// The last segment of an open rod owns its end.
    last: bool,
}

impl Motion {
    /// How far a vertex of one moved beside one of the other, at most.
    fn beside(&self, other: &Self) -> f64 {
        let moved = |motion: &Self| [0, 1].map(|i| motion.now[i] - motion.before[i]);
        let (these, those) = (moved(self), moved(other));
        let apart = these.iter().flat_map(|a| those.iter().map(|b| a.distance(*b)));
        apart.fold(0.0, f64::max)
    }

    fn at(&self, time: f64) -> [DVec3; 2] {
        // Exact at both ends, so that calls join without a gap.
        [0, 1].map(|i| self.before[i] * (1.0 - time) + self.now[i] * time)
    }
}

/// Six times the volume of the tetrahedron of both segments; its sign is the handedness of their crossing.
fn volume(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    (a[1] - a[0]).cross(b[1] - b[0]).dot(a[0] - b[0])
}

fn passes_of(a: Motion, b: Motion, mut report: impl FnMut(f64, i32)) {
    let value = |time: f64| volume(a.at(time), b.at(time));
    // A cubic by its Bernstein coefficients: as many sign changes as roots at most, and none where all agree.
    let [start, third, thirds, end] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(value);
    let near_start = (-5.0 * start + 18.0 * third - 9.0 * thirds + 2.0 * end) / 6.0;
    let near_end = (2.0 * start - 9.0 * third + 18.0 * thirds - 5.0 * end) / 6.0;
    let coefficients = [start, near_start, near_end, end];
    if coefficients.iter().all(|&c| c > 0.0) || coefficients.iter().all(|&c| c < 0.0) {
        return;
    }
    // Between its extremes a cubic is monotonic: each stretch has one root or none. A zero counts as positive on both
    // sides, so that a root at the seam of two calls is counted by one of them.
    let (rise, bend, turn) = (
        3.0 * (near_start - start),
        6.0 * (near_end - 2.0 * near_start + start),
        3.0 * (end - 3.0 * near_end + 3.0 * near_start - start),
    );
    let mut cuts = [0.0, 1.0, 1.0, 1.0];
    let mut count = 1;
    for root in quadratic_roots(turn, bend, rise) {
        if root > 0.0 && root < 1.0 {
            cuts[count] = root;
            count += 1;
        }
    }
    cuts[1..count].sort_by(f64::total_cmp);
    for stretch in cuts[..=count].windows(2) {
        let (mut low, mut high) = (stretch[0], stretch[1]);
        let rising = value(low) < 0.0;
        if rising == (value(high) < 0.0) {
            continue;
        }
        // Bisection to neighbouring numbers: slow, sure, and only for the few pairs that become coplanar.
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if (value(middle) < 0.0) == rising {
                low = middle;
            } else {
                high = middle;
            }
        }
        if meet(a.at(high), a.last, b.at(high), b.last) {
            report(high, if rising { 1 } else { -1 });
        }
    }
}

/// Whether coplanar segments meet inside both: a segment owns its start, and its end only when it is the last.
fn meet(a: [DVec3; 2], a_last: bool, b: [DVec3; 2], b_last: bool) -> bool {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let normal = u.cross(v);
    let square = normal.length_squared();
    if square == 0.0 {
        return false;
    }
    let owns = |share: f64, last: bool| share >= 0.0 && (share < 1.0 || last && share <= 1.0);
    owns(w.cross(v).dot(normal) / square, a_last) && owns(w.cross(u).dot(normal) / square, b_last)
}

/// Roots of `a t² + b t + c`, without cancellation; a root that does not exist is NaN.
fn quadratic_roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let sum = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
    [sum / a, c / sum]
}

/// How often a rod must have passed through another between two sets of positions, with sign and without any assumption about the path:
/// the change of their Gauss integral, rounded.
///
/// The integral of two open curves moves steadily with them and jumps by ±1 at each pass. What is steady comes from the
/// motion of the four ends alone (closed curves have none), so it is small against 1/2 while ends move little
/// compared with their distance to the other rod. It can't see passes that cancel (a bight pushed through another rod: +1 and −1), and an end that
/// whips around the other rod within one frame looks like a pass.
pub fn gauss_jump(before: [&[DVec3]; 2], after: [&[DVec3]; 2]) -> i32 {
    (gauss_integral(after[0], after[1]) - gauss_integral(before[0], before[1])).round() as i32
}
