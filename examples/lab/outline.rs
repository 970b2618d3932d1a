//! What of a run a picture shows: rods as polylines, thinned so that a groom of ten thousand strands is still a small
//! file that a browser opens at once.

use glam::DVec3;
use lariat::prelude::RodDescription;

use crate::scenes::{
    random::Random,
    runner::{Run, Strobe},
};

/// Rods a strobe, at most.
const RODS: usize = 60;
/// Points of the last strobe, about, and of an older one.
const POINTS_LAST: usize = 16_000;
const POINTS_OLD: usize = 2_500;
/// A line goes on while EA stays within this factor of its first segment's.
const ALIKE: f64 = 3.0;

/// A polyline through vertices of one rod.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Which rod, in the order of the run.
    pub rod: usize,
    /// Which group, for the colour.
    pub group: usize,
    /// Its vertices, in order.
    pub vertices: Vec<u32>,
    /// Its segments, in order: one fewer than vertices.
    pub segments: Vec<u32>,
    /// The mean radius, m.
    pub radius: f64,
    /// Rest length, m.
    pub length: f64,
}

/// The lines of a run, longest first within a rod.
pub fn lines(run: &Run) -> Vec<Line> {
    let total: usize = run.groups.iter().map(|group| group.ids.len()).sum();
    let mut lines = Vec::new();
    let mut first = 0;
    // Copies often stand in a pattern, and every hundredth of a pattern is another: one at random out of each hundred.
    let mut random = Random::new(1);
    for (g, group) in run.groups.iter().enumerate() {
        let count = group.ids.len();
        // Every group is seen, and the larger ones more of.
        let shown = if total <= RODS {
            count
        } else {
            (RODS * count / total).clamp(1, count)
        };
        let template = walk(&group.description);
        for i in 0..shown {
            let from = i * count / shown;
            let to = (i + 1) * count / shown;
            let rod = first + from + (random.bits() % (to - from) as u64) as usize;
            lines.extend(template.iter().map(|line| Line {
                rod,
                group: g,
                ..line.clone()
            }));
        }
        first += count;
    }
    lines
}

/// Of all lines, those that a strobe shows: all of them in the last one if they fit, the longest in older ones.
pub fn chosen(lines: &[Line], last: bool) -> Vec<&Line> {
    let limit = if last { POINTS_LAST } else { POINTS_OLD };
    let points: usize = lines.iter().map(|line| line.vertices.len()).sum();
    let mut chosen: Vec<&Line> = lines.iter().collect();
    if points <= limit {
        return chosen;
    }
    chosen.sort_by(|a, b| b.length.total_cmp(&a.length));
    let mut points = 0;
    chosen.retain(|line| {
        points += line.vertices.len();
        points <= limit || points == line.vertices.len()
    });
    chosen
}

/// The positions of a line in a strobe, in pieces where segments are broken or numbers are not finite.
pub fn pieces(line: &Line, strobe: &Strobe) -> Vec<Vec<DVec3>> {
    let Some(positions) = strobe.rods.get(line.rod) else {
        return Vec::new();
    };
    let broken: Vec<u32> = strobe
        .broken
        .iter()
        .filter(|(rod, _)| *rod == line.rod)
        .map(|(_, s)| *s)
        .collect();
    let mut pieces = vec![Vec::new()];
    for (i, vertex) in line.vertices.iter().enumerate() {
        let point = positions.get(*vertex as usize).copied().unwrap_or(DVec3::NAN);
        let cut = i > 0 && broken.contains(&line.segments[i - 1]);
        if cut || !point.is_finite() {
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut().filter(|_| point.is_finite()) {
            piece.push(point);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// Covers the segments of a rod with few polylines: start at the first segment that is left, go on while there is a way.
fn walk(rod: &RodDescription) -> Vec<Line> {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); rod.vertices().len()];
    for (s, segment) in rod.segments().iter().enumerate() {
        around[segment.tail as usize].push(s as u32);
        around[segment.head as usize].push(s as u32);
    }
    let mut used = vec![false; rod.segments().len()];
    let mut lines = Vec::new();
    for (s, segment) in rod.segments().iter().enumerate() {
        if used[s] {
            continue;
        }
        used[s] = true;
        let mut line = Line {
            rod: 0,
            group: 0,
            vertices: vec![segment.tail, segment.head],
            segments: vec![s as u32],
            radius: 0.0,
            length: segment.rest_length,
        };
        let mut end = segment.head;
        // Straight on where the way forks, the continuation that the eye takes, and only while it is much the same
        // stuff: a line has one width.
        let alike = |s: u32| {
            let ratio = rod.segments()[s as usize].axial / segment.axial;
            (1.0 / ALIKE..ALIKE).contains(&ratio)
        };
        loop {
            let before = line.vertices[line.vertices.len() - 2];
            let open = around[end as usize]
                .iter()
                .copied()
                .filter(|s| !used[*s as usize] && alike(*s));
            let Some(next) = straightest(rod, open, end, before) else {
                break;
            };
            used[next as usize] = true;
            let segment = &rod.segments()[next as usize];
            end = if segment.tail == end {
                segment.head
            } else {
                segment.tail
            };
            line.vertices.push(end);
            line.segments.push(next);
            line.length += segment.rest_length;
        }
        // A vertex has the radius of its thickest segment, so a segment's is the smaller of its ends'.
        let radius = |s: &u32| {
            let segment = &rod.segments()[*s as usize];
            let [tail, head] = [segment.tail, segment.head].map(|v| rod.vertices()[v as usize].radius);
            tail.min(head)
        };
        line.radius = line.segments.iter().map(radius).sum::<f64>() / line.segments.len() as f64;
        lines.push(line);
    }
    lines.sort_by(|a, b| b.length.total_cmp(&a.length));
    lines
}

fn straightest(rod: &RodDescription, candidates: impl Iterator<Item = u32>, at: u32, before: u32) -> Option<u32> {
    let position = |v: u32| rod.vertices()[v as usize].position;
    let came = (position(at) - position(before)).normalize_or_zero();
    let turn = |s: u32| {
        let segment = &rod.segments()[s as usize];
        let other = if segment.tail == at { segment.head } else { segment.tail };
        (position(other) - position(at)).normalize_or_zero().dot(came)
    };
    candidates.max_by(|a, b| turn(*a).total_cmp(&turn(*b)))
}
