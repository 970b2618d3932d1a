//! The script of a scene: what happens to its rods when, and what is measured.

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// A vertex, segment, joint or clamp by number; negative numbers count from the end, −1 is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Index(pub i64);

impl Index {
    /// The last one.
    pub const LAST: Self = Self(-1);

    /// The index among `count` things.
    pub fn resolve(self, count: usize) -> Option<u32> {
        let count = i64::try_from(count).ok()?;
        let index = if self.0 < 0 { self.0 + count } else { self.0 };
        (0..count).contains(&index).then(|| u32::try_from(index).ok()).flatten()
    }
}

impl From<u32> for Index {
    fn from(index: u32) -> Self {
        Self(i64::from(index))
    }
}

/// Something that is done to a rod at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// When it begins, s.
    pub at: f64,
    /// When it ends, s: motions stop there, ramps reach their value there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// To which rod: a name (all of its copies) or one copy, `name[3]`.
    pub rod: String,
    /// What.
    pub act: Act,
}

/// What can be done to a rod. Offsets and axes are in the world's directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Act {
    /// Holds a vertex where it is.
    Pin {
        /// Which.
        vertex: Index,
    },
    /// Lets a held vertex go.
    Release {
        /// Which.
        vertex: Index,
    },
    /// Carries a vertex at a velocity (and pins it, if it was free).
    Move {
        /// Which.
        vertex: Index,
        /// m/s.
        velocity: DVec3,
    },
    /// Carries a vertex round a circle.
    Circle {
        /// Which.
        vertex: Index,
        /// From the vertex to the circle's centre, m.
        centre: DVec3,
        /// The axis of the circle.
        axis: DVec3,
        /// rad/s.
        rate: f64,
    },
    /// Carries a vertex along straight pieces: (seconds since the start, offset from where it started).
    Path {
        /// Which.
        vertex: Index,
        /// At least one point, times rising.
        points: Vec<(f64, DVec3)>,
    },
    /// Turns the wall of a clamp.
    Turn {
        /// Which.
        clamp: Index,
        /// The axis.
        axis: DVec3,
        /// rad/s.
        rate: f64,
    },
    /// Turns a held segment (and holds it, if it was free).
    TurnSegment {
        /// Which.
        segment: Index,
        /// The axis.
        axis: DVec3,
        /// rad/s.
        rate: f64,
    },
    /// Lets a clamped end turn and go.
    ReleaseClamp {
        /// Which.
        clamp: Index,
    },
    /// Holds a segment's orientation.
    HoldSegment {
        /// Which.
        segment: Index,
    },
    /// Lets a held segment turn.
    ReleaseSegment {
        /// Which.
        segment: Index,
    },
    /// A force on a vertex: rises evenly from `from` to `to` between `at` and `until`, then stays.
    Force {
        /// On which.
        vertex: Index,
        /// N.
        #[serde(default)]
        from: Vec3,
        /// N.
        to: Vec3,
    },
    /// A torque on a segment: rises evenly from `from` to `to` between `at` and `until`, then stays.
    Torque {
        /// On which.
        segment: Index,
        /// N m.
        #[serde(default)]
        from: Vec3,
        /// N m.
        to: Vec3,
    },
    /// Gives a vertex a velocity, once.
    Kick {
        /// Which.
        vertex: Index,
        /// m/s.
        velocity: Vec3,
    },
}

/// Something that is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Its name in the results.
    pub name: String,
    /// Of which rod: a name (its first copy) or one copy, `name[3]`. Stretch and energies may leave it out: all rods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rod: Option<String>,
    /// What.
    pub what: What,
}

/// What a probe measures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum What {
    /// x, y, z of a vertex, m.
    Position(Index),
    /// x, y, z of the point at an arc length from vertex 0, measured at rest, m.
    PositionAt(f64),
    /// x, y, z of a vertex's velocity, m/s.
    Velocity(Index),
    /// Tension of a segment, N.
    Tension(Index),
    /// Bending moments about d1 and d2 and torsion about d3 at a joint, N m.
    Moment(Index),
    /// Twist at a joint, rad.
    Twist(Index),
    /// Length / rest length − 1; over all rods: the largest.
    Stretch,
    /// Kinetic energy, J.
    KineticEnergy,
    /// Kinetic, elastic and gravitational energy, J.
    TotalEnergy,
    /// x, y, z of the middle of a shape, m.
    ShapePosition(Index),
    /// x, y, z of the force of all rods on a shape, N.
    ShapeForce(Index),
}
