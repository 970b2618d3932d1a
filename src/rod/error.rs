//! Everything that can be wrong with a rod, each error naming the field and the index at fault.

use std::fmt;

/// Where in the input an error sits: a field and, inside a list, the index.
///
/// The field is written as a path whose `[]` stands for the index: `segments[].rest_length` with index 3 displays as
/// `segments[3].rest_length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Path of the field, with `[]` where the index belongs.
    pub field: &'static str,
    /// Index in the list, for fields that are lists.
    pub index: Option<usize>,
}

impl Place {
    /// A field that is not in a list.
    pub const fn field(field: &'static str) -> Self {
        Self { field, index: None }
    }

    /// An element of a list; `field` marks the place of the index by `[]`.
    pub const fn item(field: &'static str, index: usize) -> Self {
        Self {
            field,
            index: Some(index),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.index, self.field.split_once("[]")) {
            (Some(index), Some((list, rest))) => write!(formatter, "{list}[{index}]{rest}"),
            (Some(index), None) => write!(formatter, "{}[{index}]", self.field),
            (None, _) => formatter.write_str(self.field),
        }
    }
}

/// Why a rod could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RodError {
    /// A list that must not be empty is.
    #[error("{at} is empty")]
    Empty {
        /// The list.
        at: Place,
    },
    /// Fewer elements than the shape needs.
    #[error("{at} is {count}, but at least {least} are needed")]
    TooFew {
        /// The list or count.
        at: Place,
        /// How many there are.
        count: usize,
        /// How many are needed.
        least: usize,
    },
    /// More elements than one rod may have ([`MAX_ELEMENTS`](super::MAX_ELEMENTS)).
    #[error("{at} is {count}, above the limit of {limit}")]
    TooMany {
        /// The list or count.
        at: Place,
        /// How many were asked for.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// A list whose length must match another's does not.
    #[error("{at} has {count} entries, but {expected} are needed")]
    CountMismatch {
        /// The list.
        at: Place,
        /// How many it has.
        count: usize,
        /// How many it must have.
        expected: usize,
    },
    /// A NaN or an infinity.
    #[error("{at} is not a finite number")]
    NotFinite {
        /// The number.
        at: Place,
    },
    /// Zero or negative where only positive makes sense.
    #[error("{at} is {value}, but must be positive")]
    NotPositive {
        /// The number.
        at: Place,
        /// Its value.
        value: f64,
    },
    /// Negative where only zero or positive makes sense.
    #[error("{at} is {value}, but must not be negative")]
    Negative {
        /// The number.
        at: Place,
        /// Its value.
        value: f64,
    },
    /// Outside the range that is physical, or that the solvers' `f32` can hold.
    #[error("{at} is {value}, outside {low} to {high}")]
    OutsideRange {
        /// The number.
        at: Place,
        /// Its value.
        value: f64,
        /// Least allowed value.
        low: f64,
        /// Greatest allowed value.
        high: f64,
    },
    /// An index that points past the end of the list it refers to.
    #[error("{at} refers to element {target} of {count}")]
    OutOfRange {
        /// The index at fault.
        at: Place,
        /// What it refers to.
        target: u32,
        /// How many elements there are.
        count: usize,
    },
    /// A segment whose two ends are at the same place, or a curve of no length.
    #[error("{at} has zero length")]
    ZeroLength {
        /// The segment or curve.
        at: Place,
    },
    /// A direction that is zero, or parallel to what it should be across.
    #[error("{at} gives no direction")]
    NoDirection {
        /// The vector.
        at: Place,
    },
    /// A quaternion that is not of unit length.
    #[error("{at} is not a unit quaternion (its length is {length})")]
    NotUnit {
        /// The quaternion.
        at: Place,
        /// Its length.
        length: f64,
    },
    /// A segment from a vertex to itself.
    #[error("{at} joins vertex {vertex} to itself")]
    SameEnds {
        /// The segment.
        at: Place,
        /// The vertex.
        vertex: u32,
    },
    /// A joint of a segment with itself.
    #[error("{at} joins segment {segment} to itself")]
    SelfJoint {
        /// The joint.
        at: Place,
        /// The segment.
        segment: u32,
    },
    /// A joint between segments that share no vertex.
    #[error("{at} joins segments {first} and {second}, which do not meet")]
    NotMeeting {
        /// The joint.
        at: Place,
        /// Its first segment.
        first: u32,
        /// Its second segment.
        second: u32,
    },
    /// A clamp on a vertex that is not an end of the clamp's segment.
    #[error("{at} holds segment {segment} at vertex {vertex}, which is not one of its ends")]
    ClampApart {
        /// The clamp.
        at: Place,
        /// The clamp's vertex.
        vertex: u32,
        /// The clamp's segment.
        segment: u32,
    },
    /// The same segment, joint or clamp twice.
    #[error("{at} repeats element {earlier}")]
    Duplicate {
        /// The later one.
        at: Place,
        /// Index of the earlier one.
        earlier: usize,
    },
    /// A vertex without mass that is not pinned: nothing says how it accelerates.
    #[error("{at} is zero and the vertex is not pinned")]
    Massless {
        /// The vertex's mass.
        at: Place,
    },
    /// A setting that has no meaning for this shape.
    #[error("{at} has no meaning for a {shape}")]
    Unsupported {
        /// The setting.
        at: Place,
        /// The kind of shape.
        shape: &'static str,
    },
}

impl RodError {
    /// The field and index at fault.
    pub fn place(&self) -> Place {
        match *self {
            Self::Empty { at }
            | Self::TooFew { at, .. }
            | Self::TooMany { at, .. }
            | Self::CountMismatch { at, .. }
            | Self::NotFinite { at }
            | Self::NotPositive { at, .. }
            | Self::Negative { at, .. }
            | Self::OutsideRange { at, .. }
            | Self::OutOfRange { at, .. }
            | Self::ZeroLength { at }
            | Self::NoDirection { at }
            | Self::NotUnit { at, .. }
            | Self::SameEnds { at, .. }
            | Self::SelfJoint { at, .. }
            | Self::NotMeeting { at, .. }
            | Self::ClampApart { at, .. }
            | Self::Duplicate { at, .. }
            | Self::Massless { at }
            | Self::Unsupported { at, .. } => at,
        }
    }
}
