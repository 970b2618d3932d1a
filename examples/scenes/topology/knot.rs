//! Knots and links by their determinant |Δ(−1)|: project, read crossings, and take a minor of the colouring matrix exactly.
//!
//! At each crossing of a diagram write `2·over − under before − under after` for the arcs that meet there. Any minor of that square
//! matrix has the same absolute value for all diagrams of a link. 1: unknot, 3: trefoil (overhand), 5: figure-eight,
//! 9: square and granny knot, 2: Hopf link, 8: Whitehead link, 0: links that fall apart (and a few that do not). Some knots
//! have determinant 1, the simplest with ten crossings; mirror images are not told apart.

use glam::{DMat3, DVec2, DVec3};

/// What to do with the ends of a curve to make a knot of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The curve is closed: its last point is joined to its first.
    Joined,
    /// Each end goes straight away from the middle of the curve, and far outside the two meet.
    Outwards,
    /// Each end goes on along its last segment, as a rope does that is pulled, and far outside the two meet.
    Along,
}

/// One crossing of two curves, seen along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Place on the first curve: index of the segment and share of it.
    pub first: f64,
    /// Place on the second curve.
    pub second: f64,
    /// Whether the first curve is nearer to the viewer, who looks against the direction.
    pub first_over: bool,
    /// +1: right-handed.
    pub sign: i32,
}

/// A view in which two segments cross so near to an end, or so near in height, that rounding could decide.
struct Degenerate;

/// Directions are tried until this many views agree.
const VIEWS: usize = 3;
/// How many may be degenerate before nothing is said.
const TRIES: usize = 16;

/// |Δ(−1)| of the knot made of one curve. `None` when it is degenerate in every view (points that coincide, not finite) or
/// larger than 64 bits hold.
pub fn alexander_determinant(points: &[DVec3], ends: Ends) -> Option<u64> {
    let mut whole = points.to_vec();
    whole.extend(close_far(points, ends));
    link_determinant(&[&whole])
}

/// |Δ(−1)| of a link of closed curves. Not 0: it can't fall apart, also where linking numbers are 0.
pub fn link_determinant(curves: &[&[DVec3]]) -> Option<u64> {
    if curves.iter().any(|c| c.len() < 3 || c.iter().any(|p| !p.is_finite())) {
        return None;
    }
    let mut answers = (0..TRIES)
        .filter_map(|view| diagram(curves, view_axes(view)).ok())
        .map(|crossings| determinant_of(&crossings, curves.len()))
        .take(VIEWS);
    let first = answers.next()??;
    let mut agreeing = 1;
    for answer in answers {
        if answer != Some(first) {
            return None;
        }
        agreeing += 1;
    }
    (agreeing == VIEWS).then_some(first)
}

/// The far points that close an open curve, from its last point back to its first; none for [`Ends::Joined`].
///
/// They lie twenty times the curve's size away, and the way between them bends around the curve.
pub fn close_far(points: &[DVec3], ends: Ends) -> Vec<DVec3> {
    let count = points.len();
    if ends == Ends::Joined || count < 2 {
        return Vec::new();
    }
    let middle = points.iter().sum::<DVec3>() / count as f64;
    let size = points.iter().map(|p| p.distance(middle)).fold(0.0, f64::max);
    let leave = |end: usize, before: usize| {
        let along = (points[end] - points[before]).normalize_or(DVec3::X);
        match ends {
            Ends::Along => along,
            _ => (points[end] - middle).normalize_or(along),
        }
    };
    let (out, back) = (leave(count - 1, count - 2), leave(0, 1));
    let between = out + back;
    let around = if between.length() > 0.5 {
        between.normalize()
    } else {
        (out - back).normalize().any_orthonormal_vector()
    };
    let reach = 20.0 * size;
    vec![
        points[count - 1] + out * reach,
        middle + around * 2.0 * reach,
        points[0] + back * reach,
    ]
}

/// Crossings of two open polylines seen against `direction`, in the order of the first; `None` when the view is degenerate.
pub fn crossings(a: &[DVec3], b: &[DVec3], direction: DVec3) -> Option<Vec<Crossing>> {
    let axes = axes_along(direction.normalize());
    let mut found = Vec::new();
    for (i, one) in a.windows(2).enumerate() {
        for (j, two) in b.windows(2).enumerate() {
            let pair = [axes * one[0], axes * one[1]];
            let other = [axes * two[0], axes * two[1]];
            if let Some(c) = cross(pair, other).ok()? {
                found.push(c.at(i, j));
            }
        }
    }
    found.sort_by(|p, q| p.first.total_cmp(&q.first));
    Some(found)
}

impl Crossing {
    fn at(self, first: usize, second: usize) -> Self {
        Self {
            first: self.first + first as f64,
            second: self.second + second as f64,
            ..self
        }
    }
}

/// Rows: two axes of the picture and the direction towards the viewer.
fn axes_along(direction: DVec3) -> DMat3 {
    let (right, up) = direction.any_orthonormal_pair();
    DMat3::from_cols(right, up, direction).transpose()
}

/// Directions that no scene is aligned with: a spiral over the sphere by the golden angle, from an odd start.
fn view_axes(view: usize) -> DMat3 {
    let height = 1.0 - 2.0 * (view as f64 + 0.3713) / TRIES as f64;
    let angle = 0.7391 + 2.399_963_229_728_653 * view as f64;
    let flat = (1.0 - height * height).sqrt();
    axes_along(DVec3::new(flat * angle.cos(), flat * angle.sin(), height))
}

/// Where two segments in view coordinates (z towards the viewer) cross.
fn cross(a: [DVec3; 2], b: [DVec3; 2]) -> Result<Option<Crossing>, Degenerate> {
    /// Shares of a segment this near to its ends, and heights this near relative to the segments, are not decided.
    const DOUBT: f64 = 1e-10;
    let flat = |p: DVec3| DVec2::new(p.x, p.y);
    let (a0, a1, b0, b1) = (flat(a[0]), flat(a[1]), flat(b[0]), flat(b[1]));
    let apart = a0.max(a1).cmplt(b0.min(b1)).any() || b0.max(b1).cmplt(a0.min(a1)).any();
    if apart {
        return Ok(None);
    }
    let (u, v, w) = (a1 - a0, b1 - b0, b0 - a0);
    let area = u.perp_dot(v);
    let scale = u.length() * v.length();
    if area.abs() <= DOUBT * scale {
        // Parallel in this view: they touch only when one lies in the line of the other.
        let line = u.perp_dot(w).abs() <= DOUBT * u.length() * (w.length() + u.length());
        return if line { Err(Degenerate) } else { Ok(None) };
    }
    let (s, t) = (w.perp_dot(v) / area, w.perp_dot(u) / area);
    let inside = |x: f64, by: f64| x > -by && x < 1.0 + by;
    if !(inside(s, DOUBT) && inside(t, DOUBT)) {
        return Ok(None);
    }
    if !(inside(s, -DOUBT) && inside(t, -DOUBT)) {
        return Err(Degenerate);
    }
    let height = (a[0].z + (a[1].z - a[0].z) * s) - (b[0].z + (b[1].z - b[0].z) * t);
    if height.abs() <= DOUBT * scale.sqrt() {
        return Err(Degenerate);
    }
    // Right-handed: (over tangent × under tangent) · towards the viewer > 0.
    let sign = if (area > 0.0) == (height > 0.0) { 1 } else { -1 };
    let first_over = height > 0.0;
    Ok(Some(Crossing {
        first: s,
        second: t,
        first_over,
        sign,
    }))
}

/// A crossing by curve and place on it.
struct Meeting {
    over: (usize, f64),
    under: (usize, f64),
}

fn diagram(curves: &[&[DVec3]], axes: DMat3) -> Result<Vec<Meeting>, Degenerate> {
    let seen: Vec<Vec<DVec3>> = curves
        .iter()
        .map(|curve| curve.iter().map(|&p| axes * p).collect())
        .collect();
    let ends = |curve: &[DVec3], i: usize| [curve[i], curve[(i + 1) % curve.len()]];
    let mut meetings = Vec::new();
    for (c, one) in seen.iter().enumerate() {
        for (d, two) in seen.iter().enumerate().skip(c) {
            for i in 0..one.len() {
                for j in if c == d { i + 2..two.len() } else { 0..two.len() } {
                    if c == d && i == 0 && j + 1 == two.len() {
                        continue;
                    }
                    let Some(found) = cross(ends(one, i), ends(two, j))? else {
                        continue;
                    };
                    let found = found.at(i, j);
                    let (first, second) = ((c, found.first), (d, found.second));
                    let (over, under) = if found.first_over {
                        (first, second)
                    } else {
                        (second, first)
                    };
                    meetings.push(Meeting { over, under });
                }
            }
        }
    }
    Ok(meetings)
}

fn determinant_of(meetings: &[Meeting], components: usize) -> Option<u64> {
    let mut unders: Vec<Vec<f64>> = vec![Vec::new(); components];
    for meeting in meetings {
        unders[meeting.under.0].push(meeting.under.1);
    }
    // A component that never goes under lies on top of all others and can be lifted off.
    if unders.iter().any(Vec::is_empty) && components > 1 {
        return Some(0);
    }
    let mut offsets = vec![0];
    for places in &mut unders {
        places.sort_by(f64::total_cmp);
        offsets.push(offsets[offsets.len() - 1] + places.len());
    }
    // Arc k of a component begins at its k-th place under; before the first comes the last.
    let arc = |(component, place): (usize, f64), passed: bool| {
        let places = &unders[component];
        let begun = places.partition_point(|&p| if passed { p <= place } else { p < place });
        offsets[component] + (begun + places.len() - 1) % places.len()
    };
    let rows: Vec<[usize; 3]> = meetings
        .iter()
        .map(|m| [arc(m.over, false), arc(m.under, false), arc(m.under, true)])
        .collect();
    // Primes: 2^61 − 1 and 2^62 − 57. The determinant follows from both remainders when it is below 2^122.
    const P: u64 = (1 << 61) - 1;
    const Q: u64 = (1 << 62) - 57;
    let (by_p, by_q) = (minor_modulo(&rows, P), minor_modulo(&rows, Q));
    let difference = (by_q + Q - by_p % Q) % Q;
    let steps = multiply(difference, power(P % Q, Q - 2, Q), Q);
    let value = u128::from(by_p) + u128::from(P) * u128::from(steps);
    let product = u128::from(P) * u128::from(Q);
    u64::try_from(value.min(product - value)).ok()
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// Determinant of the colouring matrix without its last row and column, by elimination.
fn minor_modulo(rows: &[[usize; 3]], modulus: u64) -> u64 {
    let size = rows.len().saturating_sub(1);
    let mut matrix = vec![vec![0u64; size + 1]; size];
    for (row, &[over, before, after]) in matrix.iter_mut().zip(rows) {
        row[over] = (row[over] + 2) % modulus;
        row[before] = (row[before] + modulus - 1) % modulus;
        row[after] = (row[after] + modulus - 1) % modulus;
    }
    let mut determinant = 1;
    for column in 0..size {
        let Some(pivot) = (column..size).find(|&r| matrix[r][column] != 0) else {
            return 0;
        };
        if pivot != column {
            matrix.swap(pivot, column);
            determinant = (modulus - determinant) % modulus;
        }
        let (done, rest) = matrix.split_at_mut(column + 1);
        let top = &done[column];
        determinant = multiply(determinant, top[column], modulus);
        let inverse = power(top[column], modulus - 2, modulus);
        for row in rest {
            if row[column] == 0 {
                continue;
            }
            let factor = modulus - multiply(row[column], inverse, modulus);
            for (entry, &above) in row[column..size].iter_mut().zip(&top[column..size]) {
                if above != 0 {
                    *entry = (*entry + multiply(factor, above, modulus)) % modulus;
                }
            }
        }
    }
    determinant
}
