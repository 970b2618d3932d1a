//! The paths that a rod's segments make: a tube each.
//!
//! A path goes on where two segments meet alone. At a junction of more, the straightest pairs go on through it, so that the threads
//! of a net and the trunk of a tree are one tube each, and the others end there. The description alone decides: a break splits a path
//! and leaves the coordinates along it as they were.

use glam::DVec3;

use crate::rod::RodDescription;

/// Two segments of a junction continue each other when the angle between them is more than 135°.
const STRAIGHT: f64 = -std::f64::consts::FRAC_1_SQRT_2;

/// A segment, as a path runs through it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub segment: u32,
    /// The path runs from head to tail.
    pub reversed: bool,
    pub from: u32,
    pub to: u32,
    /// Rest length from where the path began, m.
    pub arc: f64,
    pub rest_length: f64,
}

/// What an end of a path meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing.
    Free,
    /// Ends of other paths.
    Junction,
    /// A path that goes on: the end is inside its tube.
    Inside,
}

/// Successive segments, none of them broken.
#[derive(Clone, Debug)]
pub struct Path {
    pub steps: Vec<Step>,
    /// It returns to its first vertex; then it has no ends.
    pub closed: bool,
    pub ends: [End; 2],
    /// Rest length once around, of a path that was closed before it broke, m.
    pub around: Option<f64>,
}

/// All paths of a rod, in the order of their first segments: open ones, then closed ones.
pub fn paths(rod: &RodDescription, broken: &[u32]) -> Vec<Path> {
    let partners = Partners::new(rod);
    let mut seen = vec![false; rod.segments().len()];
    let mut whole = Vec::new();
    // Half `2s` is the tail of segment s, half `2s + 1` its head.
    let halves = 0..2 * rod.segments().len();
    let ends = halves.clone().filter(|&half| partners.next[half].is_none());
    for start in ends.chain(halves) {
        if !seen[start / 2] {
            whole.push(trace(rod, &partners, &mut seen, start));
        }
    }
    let mut is_broken = vec![false; rod.segments().len()];
    for &segment in broken {
        if let Some(flag) = is_broken.get_mut(segment as usize) {
            *flag = true;
        }
    }
    whole
        .into_iter()
        .flat_map(|path| split(path, |step| is_broken[step.segment as usize]))
        .collect()
}

/// Runs along a path from one end of a segment, until it ends or returns.
fn trace(rod: &RodDescription, partners: &Partners, seen: &mut [bool], start: usize) -> Path {
    let mut steps = Vec::new();
    let mut arc = 0.0;
    let mut enters = start;
    let last = loop {
        seen[enters / 2] = true;
        let segment = &rod.segments()[enters / 2];
        let reversed = enters % 2 == 1;
        let (from, to) = if reversed {
            (segment.head, segment.tail)
        } else {
            (segment.tail, segment.head)
        };
        steps.push(Step {
            segment: (enters / 2) as u32,
            reversed,
            from,
            to,
            arc,
            rest_length: segment.rest_length,
        });
        arc += segment.rest_length;
        match partners.next[enters ^ 1] {
            Some(next) if next as usize == start => break None,
            Some(next) => enters = next as usize,
            None => break Some(enters ^ 1),
        }
    };
    Path {
        steps,
        closed: last.is_none(),
        ends: last.map_or([End::Free; 2], |last| {
            [partners.end(rod, start), partners.end(rod, last)]
        }),
        around: last.is_none().then_some(arc),
    }
}

/// The pieces that are left of a path.
fn split(mut path: Path, broken: impl Fn(&Step) -> bool) -> Vec<Path> {
    let Some(first) = path.steps.iter().position(&broken) else {
        return vec![path];
    };
    if let (true, Some(around)) = (path.closed, path.around) {
        // Begin at the break, and count on where the path passes its old beginning.
        path.steps.rotate_left(first);
        let wrapped = path.steps.len() - first;
        for step in &mut path.steps[wrapped..] {
            step.arc += around;
        }
    }
    let count = path.steps.len();
    let mut pieces = Vec::new();
    let mut at = 0;
    for run in path.steps.split(&broken) {
        let (begin, end) = (at, at + run.len());
        at = end + 1;
        if !run.is_empty() {
            let own = |kept: bool, end: End| if kept && !path.closed { end } else { End::Free };
            pieces.push(Path {
                steps: run.to_vec(),
                closed: false,
                ends: [own(begin == 0, path.ends[0]), own(end == count, path.ends[1])],
                around: path.around,
            });
        }
    }
    pieces
}

/// Which end of which segment follows on each end of each segment.
struct Partners {
    next: Vec<Option<u32>>,
    /// At each vertex.
    meeting: Vec<Meeting>,
}

/// What a vertex of the rod is to the paths.
#[derive(Clone, Copy)]
struct Meeting {
    segments: usize,
    /// Some path goes through.
    passed: bool,
}

impl Partners {
    fn new(rod: &RodDescription) -> Self {
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); rod.vertices().len()];
        for (segment, s) in (0u32..).zip(rod.segments()) {
            at[s.tail as usize].push(2 * segment);
            at[s.head as usize].push(2 * segment + 1);
        }
        let mut next = vec![None; 2 * rod.segments().len()];
        let mut join = |a: u32, b: u32| {
            if next[a as usize].is_none() && next[b as usize].is_none() {
                next[a as usize] = Some(b);
                next[b as usize] = Some(a);
            }
        };
        let mut pairs: Vec<(f64, u32, u32)> = Vec::new();
        for halves in &at {
            if let &[a, b] = &halves[..] {
                join(a, b);
                continue;
            }
            pairs.clear();
            for (i, &a) in halves.iter().enumerate() {
                let away = leaves(rod, a);
                pairs.extend((halves[i + 1..].iter()).filter_map(|&b| {
                    let cosine = away.dot(leaves(rod, b));
                    (cosine < STRAIGHT).then_some((cosine, a, b))
                }));
            }
            // Rounded, so that equal angles are equal on every machine; then the lower segments go first.
            pairs.sort_by_key(|&(cosine, a, b)| ((cosine * 1e6).round() as i64, a, b));
            for &(_, a, b) in &pairs {
                join(a, b);
            }
        }
        let meeting = (at.iter())
            .map(|halves| Meeting {
                segments: halves.len(),
                passed: halves.iter().any(|&half| next[half as usize].is_some()),
            })
            .collect();
        Self { next, meeting }
    }

    /// What a path meets that ends with this end of a segment.
    fn end(&self, rod: &RodDescription, half: usize) -> End {
        let segment = &rod.segments()[half / 2];
        let vertex = if half % 2 == 1 { segment.head } else { segment.tail };
        match self.meeting[vertex as usize] {
            Meeting { segments: 0..2, .. } => End::Free,
            Meeting { passed: true, .. } => End::Inside,
            Meeting { passed: false, .. } => End::Junction,
        }
    }
}

/// The direction in which a segment leaves the vertex at one of its ends, as described.
fn leaves(rod: &RodDescription, half: u32) -> DVec3 {
    let segment = &rod.segments()[half as usize / 2];
    let along = segment.frame * DVec3::Z;
    if half % 2 == 1 { -along } else { along }
}
