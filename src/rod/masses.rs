//! Whose mass it is that a vertex carries: its segments', or a load's.

use super::description::RodParts;

/// What is left of a vertex below this fraction is rounding, not a load.
const ROUNDING: f64 = 1e-12;

/// The mass of a rod, sorted by owner.
pub(crate) struct Masses {
    /// What each segment puts on its tail and on its head, kg.
    pub segments: Vec<[f64; 2]>,
    /// What is tied to each vertex, kg.
    pub loads: Vec<f64>,
}

impl Masses {
    /// Of parts as they are. What segments and loads have adds up to the masses of the vertices, whatever the parts say.
    pub fn of(parts: &RodParts) -> Self {
        let said = parts.segments.iter().any(|segment| segment.mass > 0.0);
        // Parts that say nothing of their segments' masses: a vertex belongs to its segments by their lengths.
        let weight = |s: usize| {
            let segment = &parts.segments[s];
            if said { segment.mass / 2.0 } else { segment.rest_length }
        };
        let mut claims = vec![0.0; parts.vertices.len()];
        for (s, segment) in parts.segments.iter().enumerate() {
            claims[segment.tail as usize] += weight(s);
            claims[segment.head as usize] += weight(s);
        }
        // A vertex that is lighter than its segments say gives each of them less.
        let share = |vertex: u32, s: usize| {
            let (mass, claim) = (parts.vertices[vertex as usize].mass, claims[vertex as usize]);
            match said && claim <= mass {
                true => weight(s),
                false => mass * weight(s) / claim,
            }
        };
        let segments = (parts.segments.iter().enumerate())
            .map(|(s, segment)| match weight(s) > 0.0 {
                true => [share(segment.tail, s), share(segment.head, s)],
                false => [0.0; 2],
            })
            .collect();
        let loads = (parts.vertices.iter().zip(claims))
            .map(|(vertex, claim)| {
                let load = vertex.mass - claim;
                if said && load > ROUNDING * vertex.mass {
                    load
                } else {
                    0.0
                }
            })
            .collect();
        Self { segments, loads }
    }

    /// Own mass of a segment, kg.
    pub fn segment(&self, segment: usize) -> f64 {
        self.segments[segment].iter().sum()
    }
}
