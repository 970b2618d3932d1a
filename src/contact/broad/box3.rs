//! Boxes along the axes: in doubles for callers, and in floats counted from a centre for the tree.

use glam::{DVec3, Vec3, Vec3A};
use parry3d::bounding_volume::Aabb;

/// A box along the axes of the world, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Box3 {
    /// Least coordinates.
    pub low: DVec3,
    /// Greatest coordinates.
    pub high: DVec3,
}

impl Box3 {
    /// Contains nothing; the union with it changes nothing.
    pub const EMPTY: Box3 = Box3 {
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
    };

    /// The smallest box around points.
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Box3 {
        let around = |b: Box3, p: DVec3| Box3 {
            low: b.low.min(p),
            high: b.high.max(p),
        };
        points.into_iter().fold(Box3::EMPTY, around)
    }

    /// Larger by a length on every side.
    pub fn grown(&self, by: f64) -> Box3 {
        Box3 {
            low: self.low - DVec3::splat(by),
            high: self.high + DVec3::splat(by),
        }
    }

    /// Contains this box and what it sweeps on a displacement.
    pub fn stretched(&self, by: DVec3) -> Box3 {
        Box3 {
            low: self.low + by.min(DVec3::ZERO),
            high: self.high + by.max(DVec3::ZERO),
        }
    }

    /// Whether the other box is inside; touching from within counts.
    pub fn contains(&self, other: &Box3) -> bool {
        self.low.cmple(other.low).all() && self.high.cmpge(other.high).all()
    }

    /// Whether the boxes have a point in common; touching counts.
    pub fn overlaps(&self, other: &Box3) -> bool {
        self.low.cmple(other.high).all() && self.high.cmpge(other.low).all()
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Box3) -> Box3 {
        Box3 {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// Nothing is farther than this from the centre, so that volumes of boxes in the tree stay within the range of floats. Metres.
pub(super) const FARTHEST: f64 = 1e11;

/// A box in floats, counted from the centre of the broad phase. The empty one contains nothing and overlaps nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    pub low: Vec3A,
    pub high: Vec3A,
}

impl Near {
    pub const EMPTY: Near = Near {
        low: Vec3A::INFINITY,
        high: Vec3A::NEG_INFINITY,
    };

    /// Rounded outward. `None` where the box is not finite, inside out, or out of reach.
    ///
    /// Subtracting the centre rounds too, but never swaps the order of two coordinates: boxes that touch in doubles still touch.
    pub fn around(b: &Box3, centre: DVec3) -> Option<Near> {
        let (low, high) = (b.low - centre, b.high - centre);
        let sound = low.cmpge(DVec3::splat(-FARTHEST)) & high.cmple(DVec3::splat(FARTHEST)) & low.cmple(high);
        sound.all().then(|| Near {
            low: Vec3A::new(below(low.x), below(low.y), below(low.z)),
            high: Vec3A::new(-below(-high.x), -below(-high.y), -below(-high.z)),
        })
    }

    pub fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    pub fn back(&self, centre: DVec3) -> Box3 {
        Box3 {
            low: self.low.as_dvec3() + centre,
            high: self.high.as_dvec3() + centre,
        }
    }

    /// Never for a box that is inside out, or has a coordinate that is not a number.
    pub fn contains(&self, b: &Box3, centre: DVec3) -> bool {
        let low = self.low.as_dvec3().cmple(b.low - centre);
        let high = self.high.as_dvec3().cmpge(b.high - centre);
        (low & high & b.low.cmple(b.high)).all()
    }

    /// Sum of the three sides.
    pub fn sides(&self) -> f64 {
        f64::from((self.high - self.low).element_sum())
    }

    pub fn aabb(&self) -> Aabb {
        Aabb {
            mins: Vec3::from(self.low),
            maxs: Vec3::from(self.high),
        }
    }
}

/// Smaller than anything that matters, yet so large that the tree's own least margin is lost in it. Metres.
const TINY: f32 = 1e-30;

/// A float that is not above, and next to it; never within `TINY` of zero.
fn below(x: f64) -> f32 {
    let nearest = x as f32;
    if nearest.abs() < TINY {
        -TINY
    } else if f64::from(nearest) > x {
        nearest.next_down()
    } else {
        nearest
    }
}
