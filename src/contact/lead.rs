//! Shapes that are led, and rods in their way.
//!
//! Nothing goes through anything: where rods can't get out of the way in time, or at all, a shape that is led stops short of where it should be, and goes on from there. It comes after
//! at no more than the pace at which it was led, beside the way that it is led on meanwhile.

use super::{
    collider::Placed,
    group::{Group, LED, ShapeNow},
    shape::Pose,
    stage::Stage,
    touch::Touch,
};
use crate::state::Event;

/// A way that counts for nothing, m and rad.
const NEXT_TO_NOTHING: f64 = 1e-9;

/// What is led first comes nearer by so many radii of a rod that it touches, and by no less than this share of its way at once.
const FIRST: f64 = 2.0;
const LEAST: f64 = 0.02;

/// A shape is not where it was led to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Behind {
    /// Where it should have been at the end of the last step.
    pub aimed: Pose,
    /// The fastest that it was led since it fell behind, m/s and rad/s.
    pub pace: [f64; 2],
}

impl Placed {
    /// Where it should have been at the end of the last step.
    pub fn aimed(&self) -> Pose {
        self.behind.map_or(self.from, |behind| behind.aimed)
    }

    /// It is where it is meant to be.
    pub fn settle(&mut self) {
        self.from = self.to;
        self.behind = None;
    }

    /// A step of `dt` seconds begins.
    fn set_out(&mut self, dt: f64) {
        self.now = self.from;
        self.end = self.to;
        let way = way(&self.aimed(), &self.to);
        if let Some(behind) = &mut self.behind {
            let mut part: f64 = 1.0;
            let left = self::way(&self.from, &self.to);
            for ((pace, way), left) in behind.pace.iter_mut().zip(way).zip(left) {
                *pace = pace.max(way / dt);
                let most = way + *pace * dt + NEXT_TO_NOTHING;
                if left > most {
                    part = part.min(most / left);
                }
            }
            self.end = self.from.lerp(&self.to, part);
        }
    }

    /// The step is over. Answers whether it fell behind.
    fn arrive(&mut self, dt: f64) -> bool {
        if self.standing.is_some() || self.now == self.to {
            self.settle();
            return false;
        }
        let way = way(&self.aimed(), &self.to);
        let before = self.behind.replace(Behind {
            aimed: self.to,
            pace: (self.behind).map_or(way.map(|way| way / dt), |behind| behind.pace),
        });
        self.from = self.now;
        before.is_none()
    }
}

/// How far it is from one pose to another, m and rad.
pub(super) fn way(from: &Pose, to: &Pose) -> [f64; 2] {
    if from == to {
        return [0.0; 2];
    }
    [from.position.distance(to.position), from.angle(to)]
}

impl Stage {
    /// A step of `dt` seconds begins.
    pub fn set_out(&mut self, dt: f64) {
        self.colliders.iter_mut().for_each(|placed| placed.set_out(dt));
    }

    /// Shapes are as far as rods let them in a substep.
    pub fn follow(&mut self) {
        self.done.clear();
        self.done.resize(self.shapes.len(), 1.0);
        for group in self.groups[..self.count].iter().filter(|group| group.progress < 1.0) {
            for collider in group.led(&self.shapes) {
                let done = &mut self.done[collider as usize];
                *done = done.min(group.progress);
            }
        }
        for ((slot, shape), &done) in self.colliders.slots.iter_mut().zip(&self.shapes).zip(&self.done) {
            if let Some(placed) = slot.placed.as_mut().filter(|placed| placed.here) {
                placed.now = if done < 1.0 {
                    shape.from.lerp(&shape.to, done)
                } else {
                    shape.to
                };
            }
        }
    }

    /// Whether a shape came less far with some rods than with others that it touches: these have to be solved together.
    pub fn is_torn(&mut self) -> bool {
        if self.groups[..self.count].iter().all(|group| group.progress >= 1.0) {
            return false;
        }
        self.holders.clear();
        self.holders.resize(self.shapes.len(), LED);
        for (index, group) in (0u32..).zip(&self.groups[..self.count]) {
            for collider in group.led(&self.shapes) {
                let holder = &mut self.holders[collider as usize];
                if *holder == LED {
                    *holder = index;
                }
                let [a, b] = [*holder, index].map(|group| self.groups[group as usize].progress);
                if *holder != index && (a < 1.0 || b < 1.0) {
                    return true;
                }
            }
        }
        false
    }

    /// Shapes are where they were led to, or as far as they came.
    pub fn arrive(&mut self, dt: f64) {
        for slot in 0..self.colliders.slots.len() as u32 {
            let collider = self.colliders.name(slot);
            let Some(placed) = self.colliders.get_mut(collider).filter(|placed| placed.here) else {
                continue;
            };
            if placed.arrive(dt) {
                self.meetings.events.push(Event::ColliderHeld { collider });
            }
        }
    }
}

impl Group {
    /// Choose how much of the led motion that is left comes next. Rods make way in steps that follow each other: a rope that lies straight before a thick bar has to bend around it place by place. Too much at once, and
    /// they would be held back with the shape instead, by the bounds.
    pub(super) fn pace_led(&mut self, first: bool) {
        let left = 1.0 - self.progress;
        if left <= 0.0 {
            return;
        }
        let wanted = if first {
            let closing = |touch: &Touch| FIRST * touch.radius / (-touch.ahead).max(f64::MIN_POSITIVE);
            self.touches.iter().map(closing).fold(1.0, f64::min)
        } else if self.led_scale >= self.led_share {
            self.led_share * 2.0
        } else {
            self.led_scale.max(0.25 * self.led_share)
        };
        self.led_share = wanted.clamp(LEAST, 1.0);
    }

    /// Shapes that are led somewhere, once for each place where they may touch.
    fn led(&self, shapes: &[ShapeNow]) -> impl Iterator<Item = u32> {
        let colliders = self.spots.iter().map(|spot| spot.collider);
        colliders.filter(|&collider| shapes[collider as usize].is_led())
    }
}
