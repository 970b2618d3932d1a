//! What a shape resolves to: points, and which segments and joints connect them.

use glam::DVec3;

use super::checks::{at_most, count as check_count, index, position};
use super::error::{Place, RodError};
use super::shape::{Joints, Shape};

/// Points and connections, indices in range.
pub(super) struct Layout {
    pub points: Vec<DVec3>,
    pub segments: Vec<[u32; 2]>,
    pub joints: Vec<[u32; 2]>,
    pub kind: Kind,
}

/// What a shape promises about its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Chain,
    Loop,
    Graph,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Loop => "loop",
            Self::Graph => "graph",
        }
    }
}

impl Shape {
    pub(super) fn layout(&self) -> Result<Layout, RodError> {
        let points = self.positions()?;
        // A helix of finite numbers can still reach beyond all bounds; catch it before directions are taken.
        for (i, &point) in points.iter().enumerate() {
            position(Place::item("vertices[].position", i), point)?;
        }
        let count = points.len() as u32;
        match self {
            Self::Graph { segments, joints, .. } => {
                check_count(Place::field("shape.segments"), segments.len(), 1)?;
                for (i, &[tail, head]) in segments.iter().enumerate() {
                    index(Place::item("shape.segments[]", i), tail, points.len())?;
                    index(Place::item("shape.segments[]", i), head, points.len())?;
                    if tail == head {
                        return Err(RodError::SameEnds {
                            at: Place::item("shape.segments[]", i),
                            vertex: tail,
                        });
                    }
                }
                let joints = match joints {
                    Joints::All => all_pairs(points.len(), segments)?,
                    Joints::None => Vec::new(),
                    Joints::List(pairs) => {
                        for (i, &[first, second]) in pairs.iter().enumerate() {
                            index(Place::item("shape.joints[]", i), first, segments.len())?;
                            index(Place::item("shape.joints[]", i), second, segments.len())?;
                        }
                        pairs.clone()
                    }
                };
                Ok(Layout {
                    points,
                    segments: segments.clone(),
                    joints,
                    kind: Kind::Graph,
                })
            }
            Self::Loop { .. } | Self::Circle { .. } => {
                let ring: Vec<[u32; 2]> = (0..count).map(|i| [i, (i + 1) % count]).collect();
                Ok(Layout {
                    points,
                    segments: ring.clone(),
                    joints: ring,
                    kind: Kind::Loop,
                })
            }
            _ => Ok(Layout {
                points,
                segments: (1..count).map(|i| [i - 1, i]).collect(),
                joints: (2..count).map(|i| [i - 2, i - 1]).collect(),
                kind: Kind::Chain,
            }),
        }
    }
}

/// Every pair of segments that share a vertex, in order of the vertex.
fn all_pairs(vertices: usize, segments: &[[u32; 2]]) -> Result<Vec<[u32; 2]>, RodError> {
    let mut meeting: Vec<Vec<u32>> = vec![Vec::new(); vertices];
    for (ends, segment) in segments.iter().zip(0u32..) {
        for &vertex in ends {
            meeting[vertex as usize].push(segment);
        }
    }
    // A hub of a thousand segments has half a million pairs: count before making them.
    let pairs = meeting.iter().map(|at| at.len() * at.len().saturating_sub(1) / 2).sum();
    at_most(Place::field("shape.joints"), pairs)?;
    let mut joints = Vec::with_capacity(pairs);
    for at in &meeting {
        for (i, &first) in at.iter().enumerate() {
            joints.extend(at[i + 1..].iter().map(|&second| [first, second]));
        }
    }
    Ok(joints)
}
