//! How deep tubes stand in one another: all pairs of segments, by their own distance in doubles.

use glam::DVec3;

/// A polyline with a thickness.
#[derive(Clone, Copy, Debug)]
pub struct Tube<'a> {
    /// Centre line.
    pub points: &'a [DVec3],
    /// Radius in metres.
    pub radius: f64,
    /// Whether the last point is joined to the first.
    pub closed: bool,
}

impl<'a> Tube<'a> {
    /// A tube with two ends.
    pub fn open(points: &'a [DVec3], radius: f64) -> Self {
        let closed = false;
        Self { points, radius, closed }
    }

    /// A ring.
    pub fn closed(points: &'a [DVec3], radius: f64) -> Self {
        let closed = true;
        Self { points, radius, closed }
    }
}

/// The pair of segments whose surfaces overlap the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Depth in metres: sum of radii less distance of centre lines. Negative where nothing overlaps: the smallest gap.
    pub depth: f64,
    /// Rod and segment, the lesser first.
    pub first: (usize, usize),
    /// Rod and segment of the other.
    pub second: (usize, usize),
}

struct Piece {
    ends: [DVec3; 2],
    low: DVec3,
    high: DVec3,
    radius: f64,
    rod: usize,
    segment: usize,
    /// Arc lengths of both ends from the start of the rod.
    arc: [f64; 2],
}

/// The deepest overlap of all pairs of segments, or the smallest gap where there is none; `None` when there is no pair.
///
/// Segments of one rod count only when at least `exclusion` radii of rod lie between them: a rod bent as tightly as
/// it can be (radius of curvature = radius) comes back to itself after half a turn, which is an exclusion of π. Neighbours never count.
/// Boxes are swept along x and pruned by the deepest so far: thousands of segments take milliseconds.
pub fn deepest_overlap(tubes: &[Tube<'_>], exclusion: f64) -> Option<Overlap> {
    let mut lengths = Vec::with_capacity(tubes.len());
    let mut pieces: Vec<Piece> = Vec::new();
    for (rod, tube) in tubes.iter().enumerate() {
        let count = tube.points.len();
        let mut arc = 0.0;
        for segment in 0..if tube.closed { count } else { count.saturating_sub(1) } {
            let ends = [tube.points[segment], tube.points[(segment + 1) % count]];
            let start = arc;
            arc += ends[0].distance(ends[1]);
            let skin = DVec3::splat(tube.radius);
            pieces.push(Piece {
                ends,
                low: ends[0].min(ends[1]) - skin,
                high: ends[0].max(ends[1]) + skin,
                radius: tube.radius,
                rod,
                segment,
                arc: [start, arc],
            });
        }
        lengths.push(arc);
    }
    pieces.sort_by(|a, b| {
        a.low
            .x
            .total_cmp(&b.low.x)
            .then((a.rod, a.segment).cmp(&(b.rod, b.segment)))
    });
    let mut best: Option<Overlap> = None;
    for (index, a) in pieces.iter().enumerate() {
        for b in &pieces[index + 1..] {
            // Boxes have the radii in them: the least width that two of them share is at least the depth.
            let least = best.map_or(f64::NEG_INFINITY, |found| found.depth);
            if a.high.x - b.low.x < least {
                break;
            }
            let shared = (a.high.min(b.high) - a.low.max(b.low)).min_element();
            if shared < least || neighbours(a, b, tubes, &lengths, exclusion) {
                continue;
            }
            let depth = a.radius + b.radius - segment_distance(a.ends, b.ends);
            if depth > least {
                let mut pair = [(a.rod, a.segment), (b.rod, b.segment)];
                pair.sort_unstable();
                let [first, second] = pair;
                best = Some(Overlap { depth, first, second });
            }
        }
    }
    best
}

fn neighbours(a: &Piece, b: &Piece, tubes: &[Tube<'_>], lengths: &[f64], exclusion: f64) -> bool {
    if a.rod != b.rod {
        return false;
    }
    let (one, two) = if a.segment < b.segment { (a, b) } else { (b, a) };
    let tube = &tubes[a.rod];
    let between = two.arc[0] - one.arc[1];
    let around = lengths[a.rod] - two.arc[1] + one.arc[0];
    let excluded = exclusion * tube.radius;
    let last = two.segment + 1 == tube.points.len();
    two.segment == one.segment + 1
        || between < excluded
        || tube.closed && (one.segment == 0 && last || around < excluded)
}

/// Distance of two segments, degenerate and parallel ones too.
///
/// The nearest points lie inside both (one linear system) or at an end of one of them (four distances of a point to a
/// segment); the least of the candidates is the answer, and a badly conditioned system can only propose a point too far.
pub fn segment_distance(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let mut least = point_segment(a[0], b)
        .min(point_segment(a[1], b))
        .min(point_segment(b[0], a))
        .min(point_segment(b[1], a));
    let determinant = uu * vv - uv * uv;
    if determinant > 0.0 {
        let s = (vv * u.dot(w) - uv * v.dot(w)) / determinant;
        let t = (uv * u.dot(w) - uu * v.dot(w)) / determinant;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = least.min((w + v * t - u * s).length());
        }
    }
    least
}

fn point_segment(point: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let share = if square > 0.0 {
        ((point - a).dot(along) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(a + along * share)
}
