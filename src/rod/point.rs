//! A point on a rod, named the way a person would: an end, a vertex, so many metres along.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::description::{RodDescription, Topology};

/// A place along a rod.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RodPoint {
    /// Vertex 0.
    Start,
    /// The last vertex of a chain; of a loop, where it closes. Not for graphs.
    End,
    /// A vertex.
    Vertex(u32),
    /// So many metres of rest length from the start. Not for graphs.
    Arc(f64),
    /// A place on a segment.
    Segment {
        /// Which.
        segment: u32,
        /// From 0 at its tail to 1 at its head.
        along: f64,
    },
}

/// Why a rod has no such point.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RodPointError {
    /// No such vertex or segment.
    #[error("{element} {index} is outside the rod, which has {count}")]
    OutOfRange {
        /// "vertex" or "segment".
        element: &'static str,
        /// What was asked for.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// Not a finite number, or beyond the ends.
    #[error("`{field}` is {value}, but must be from 0 to {most}")]
    Outside {
        /// "arc" or "along".
        field: &'static str,
        /// What it is.
        value: f64,
        /// The most that it may be.
        most: f64,
    },
    /// A graph has no arc length and no end.
    #[error("a graph has no `{0}`: name a vertex or a segment")]
    NotOnGraph(&'static str),
}

impl RodDescription {
    /// The segment that a point lies on, and where on it: 0 at its tail, 1 at its head.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::rod::{RodPoint, RodSpec, Shape};
    ///
    /// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 8)).build()?;
    /// let (segment, along) = rope.locate(RodPoint::Arc(0.3))?;
    /// assert_eq!(segment, 1);
    /// assert!((along - 0.2).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn locate(&self, point: RodPoint) -> Result<(u32, f64), RodPointError> {
        let graph = self.topology() == Topology::Graph;
        let count = self.segments().len();
        match point {
            RodPoint::Start => self.locate(RodPoint::Vertex(0)),
            RodPoint::End if graph => Err(RodPointError::NotOnGraph("end")),
            RodPoint::End => Ok((count as u32 - 1, 1.0)),
            RodPoint::Vertex(vertex) => {
                let at = (0u32..).zip(self.segments());
                let tail = at.clone().find(|(_, s)| s.tail == vertex).map(|(s, _)| (s, 0.0));
                let head = at.clone().find(|(_, s)| s.head == vertex).map(|(s, _)| (s, 1.0));
                tail.or(head).ok_or(RodPointError::OutOfRange {
                    element: "vertex",
                    index: vertex,
                    count: self.vertices().len(),
                })
            }
            RodPoint::Arc(_) if graph => Err(RodPointError::NotOnGraph("arc")),
            RodPoint::Arc(arc) => {
                within("arc", arc, self.rest_length())?;
                let mut left = arc;
                for (s, segment) in (0u32..).zip(self.segments()) {
                    if left <= segment.rest_length || s as usize + 1 == count {
                        return Ok((s, (left / segment.rest_length).min(1.0)));
                    }
                    left -= segment.rest_length;
                }
                Ok((count as u32 - 1, 1.0))
            }
            RodPoint::Segment { segment, along } => {
                if segment as usize >= count {
                    return Err(RodPointError::OutOfRange {
                        element: "segment",
                        index: segment,
                        count,
                    });
                }
                within("along", along, 1.0)?;
                Ok((segment, along))
            }
        }
    }
}

fn within(field: &'static str, value: f64, most: f64) -> Result<(), RodPointError> {
    if (0.0..=most).contains(&value) {
        return Ok(());
    }
    Err(RodPointError::Outside { field, value, most })
}
