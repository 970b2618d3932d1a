//! A winch at the end of a chain: rest length is paid out and reeled in.
//!
//! The segment at the end grows and shrinks in place. Beyond 1.5 of the nominal length it gives birth to one of the nominal length, below 0.5 it
//! merges with its neighbour; both leave strain, tension and tangent as they were. Mass enters and leaves with the velocity of what it joins.

mod chain;

use std::sync::Arc;

use chain::Chain;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    block::Block,
    insert::{InsertError, fits},
    resident::Resident,
    world::{RodId, RodWorld},
};
use crate::math::lanes::LANES;
use crate::rod::{MAX_ELEMENTS, RodDescription, RodError, Topology};

/// In nominal lengths: a segment that grows beyond it gives birth, so that what stays is as long as one that is about to die.
const LONGEST: f64 = 1.5;
/// In nominal lengths: a segment that shrinks below it dies.
const SHORTEST: f64 = 0.5;

/// An end of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RodEnd {
    /// At vertex 0.
    Start,
    /// At the last vertex.
    End,
}

/// Why nothing was reeled. The rod is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReelError {
    /// No such rod.
    #[error("there is no such rod")]
    Missing,
    /// The rod is frozen after it went non-finite.
    #[error("the rod is quarantined")]
    Quarantined,
    /// Loops and graphs have no end to reel at.
    #[error("only a chain has ends to reel at")]
    NotAChain,
    /// Not a finite length.
    #[error("a length of {by} can't be reeled")]
    BadLength {
        /// What was asked for, m.
        by: f64,
    },
    /// More segments than a rod may have.
    #[error("the rod would have {segments} segments")]
    TooLong {
        /// How many it would have.
        segments: f64,
    },
    /// A vertex that carries a load or is pinned does not go through the winch.
    #[error("vertex {vertex} carries a load or is pinned: it does not go through the winch")]
    Blocked {
        /// Which.
        vertex: u32,
    },
    /// A broken segment can't be reeled.
    #[error("segment {segment} is broken")]
    Broken {
        /// Which.
        segment: u32,
    },
    /// The result would not be a rod.
    #[error("the result would not be a rod: {0}")]
    Result(#[from] RodError),
    /// The result would not fit single precision.
    #[error("the result would not fit: {0}")]
    Magnitude(#[from] InsertError),
}

/// What a winch did, and where the material went.
#[derive(Clone, Debug, PartialEq)]
pub struct Reeled {
    /// The rod.
    pub rod: RodId,
    /// Rest length that went out, m; negative when it came in. Less than asked for when the rod is as short as it gets: one segment of half
    /// the nominal length.
    pub by: f64,
    /// Segments that were born.
    pub births: u32,
    /// Segments that died.
    pub deaths: u32,
    end: RodEnd,
    /// Segments before.
    count: u32,
    /// Rest lengths of the segments that changed, before and after, towards the end.
    before: Lengths,
    after: Lengths,
}

/// One length, most of the time.
#[derive(Clone, Debug, PartialEq)]
enum Lengths {
    One([f64; 1]),
    Many(Vec<f64>),
}

impl Lengths {
    fn list(&self) -> &[f64] {
        match self {
            Self::One(one) => one,
            Self::Many(many) => many,
        }
    }
}

impl Reeled {
    /// Where something is that was tied to a point: what holds the end at the winch stays at the end, the rest goes with the material.
    fn holds(&self, segment: u32, along: f64) -> Option<(RodId, u32, f64)> {
        let last = self.count + self.births - self.deaths - 1;
        match self.end {
            RodEnd::Start if segment == 0 && along == 0.0 => Some((self.rod, 0, 0.0)),
            RodEnd::End if segment + 1 == self.count && along == 1.0 => Some((self.rod, last, 1.0)),
            _ => self.map(segment, along),
        }
    }

    /// Where a material point of the rod before (a segment, and 0 to 1 from its tail to its head) is now: rod, segment and place on it. What
    /// went into the winch is at its end. `None` for a segment that there was not.
    pub fn map(&self, segment: u32, along: f64) -> Option<(RodId, u32, f64)> {
        if segment >= self.count {
            return None;
        }
        let (before, after) = (self.before.list(), self.after.list());
        let (old, new) = (before.len() as u32, after.len() as u32);
        // From the far side of the part that changed: how many segments on, and how far.
        let (steps, inward) = match self.end {
            RodEnd::Start if segment >= old => return Some((self.rod, segment + new - old, along)),
            RodEnd::End if segment < self.count - old => return Some((self.rod, segment, along)),
            RodEnd::Start => (old - 1 - segment, 1.0 - along),
            RodEnd::End => (segment - (self.count - old), along),
        };
        let steps = steps as usize;
        let mut left = before[..steps].iter().sum::<f64>() + inward * before[steps];
        let mut place = 0;
        while place + 1 < after.len() && left > after[place] {
            left -= after[place];
            place += 1;
        }
        let share = (left / after[place]).min(1.0);
        let place = place as u32;
        Some(match self.end {
            RodEnd::Start => (self.rod, new - 1 - place, 1.0 - share),
            RodEnd::End => (self.rod, self.count - old + place, share),
        })
    }
}

/// What is to be done.
struct Plan {
    /// Rest length of the end segment in the end, m.
    length: f64,
    /// What is really reeled, m.
    by: f64,
    nominal: f64,
    births: usize,
    deaths: usize,
}

impl RodWorld {
    /// Pay out (`by` above zero, m) or reel in rest length at an end of a chain. The end stays where it is; its material moves.
    ///
    /// Call it before each step with the winch's speed times the step. Segments are born and die at the end as needed (which allocates; in between
    /// nothing does), of the length that the description's had on the average.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y * 2.0, 16)).pin(0).build()?;
    /// let mut world = RodWorld::default();
    /// let id = world.insert(rope)?;
    /// for _ in 0..60 {
    ///     world.reel(id, RodEnd::Start, -0.5 / 60.0)?;
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let rope = world.rod(id);
    /// assert!(rope.is_some_and(|rope| (rope.description().rest_length() - 1.5).abs() < 1e-9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reel(&mut self, id: RodId, end: RodEnd, by: f64) -> Result<Reeled, ReelError> {
        let place = self.place(id).ok_or(ReelError::Missing)?;
        let lane = usize::from(place.lane);
        let block = self.blocks[place.block as usize].as_mut().ok_or(ReelError::Missing)?;
        let resident = block.rods[lane].as_ref().ok_or(ReelError::Missing)?;
        if resident.quarantined {
            return Err(ReelError::Quarantined);
        }
        let rod = &*resident.description;
        if rod.topology() != Topology::Chain {
            return Err(ReelError::NotAChain);
        }
        if !by.is_finite() {
            return Err(ReelError::BadLength { by });
        }
        let plan = plan(block, lane, resident, end, by)?;
        let count = rod.segments().len();
        for k in 0..=plan.deaths {
            let segment = from_end(end, k, count) as u32;
            if resident.broken.contains(&segment) {
                return Err(ReelError::Broken { segment });
            }
        }
        let length = |k| settled(block, lane, resident, from_end(end, k, count));
        let (before, after);
        if plan.births + plan.deaths > 0 {
            before = Lengths::Many((0..=plan.deaths).rev().map(length).collect());
            after = Lengths::Many([vec![plan.nominal; plan.births], vec![plan.length]].concat());
            self.rebuild(id, end, &plan)?;
        } else {
            before = Lengths::One([length(0)]);
            after = Lengths::One([plan.length]);
            resize(block, lane, from_end(end, 0, count), &plan);
            if plan.by != 0.0 {
                block.wake(lane);
                self.active[place.block as usize] = true;
            }
        }
        let reeled = Reeled {
            rod: id,
            by: plan.by,
            births: plan.births as u32,
            deaths: plan.deaths as u32,
            end,
            count: count as u32,
            before,
            after,
        };
        self.coupling.remap(id, |segment, along| reeled.holds(segment, along));
        Ok(reeled)
    }

    fn rebuild(&mut self, id: RodId, end: RodEnd, plan: &Plan) -> Result<(), ReelError> {
        let lifted = self.lift(id).ok_or(ReelError::Missing)?;
        let mut parts = lifted.parts();
        parts.complete();
        let mut chain = Chain { parts, lifted, end };
        for _ in 0..plan.deaths {
            chain.merge()?;
        }
        let outer = chain.outer();
        let whole = plan.length + plan.births as f64 * plan.nominal;
        chain.parts.resize_segment(outer, whole);
        chain.lay_out();
        for birth in 0..plan.births {
            chain.split(plan.nominal, whole - (birth + 1) as f64 * plan.nominal);
        }
        let Chain { parts, mut lifted, .. } = chain;
        let fed = (0..=plan.births).map(|k| from_end(end, k, parts.segments.len()) as u32);
        lifted.resident.feeding.extend(fed);
        lifted.resident.feeding.sort_unstable();
        lifted.resident.feeding.dedup();
        lifted.rouse();
        let description = RodDescription::new(parts)?;
        fits(&description)?;
        lifted.resident.description = Arc::new(description);
        self.put_down(id, &lifted);
        Ok(())
    }
}

/// The number of the `k`-th segment from an end.
fn from_end(end: RodEnd, k: usize, count: usize) -> usize {
    match end {
        RodEnd::Start => k,
        RodEnd::End => count - 1 - k,
    }
}

/// Rest length of a segment that nothing is fed into any more: the described one, or where it flowed the one that it has.
fn settled(block: &Block, lane: usize, resident: &Resident, segment: usize) -> f64 {
    let (row, at) = block.segment_place(lane, segment);
    let stored = block.segments[row].rest_length.0[at];
    let described = resident.description.segments()[segment].rest_length;
    if stored == described as f32 || resident.feeding.contains(&(segment as u32)) {
        described
    } else {
        stored.into()
    }
}

/// Lengthen what a winch feeds, evenly over the substeps of a step: all at once would pull as if the winch had jumped.
pub(crate) fn feed(block: &mut Block, substeps_left: u32) {
    for lane in 0..LANES {
        let Some(resident) = &mut block.rods[lane] else {
            continue;
        };
        if resident.feeding.is_empty() {
            continue;
        }
        let (mut fed, rod) = (std::mem::take(&mut resident.feeding), resident.description.clone());
        for &segment in &fed {
            let (row, at) = block.segment_place(lane, segment as usize);
            let length = &mut block.segments[row].rest_length.0[at];
            let described = rod.segments()[segment as usize].rest_length as f32;
            *length = match substeps_left {
                1 => described,
                left => *length + (described - *length) / left as f32,
            };
        }
        if substeps_left == 1 {
            fed.clear();
        }
        if let Some(resident) = &mut block.rods[lane] {
            resident.feeding = fed;
        }
    }
}

fn plan(block: &Block, lane: usize, resident: &Resident, end: RodEnd, by: f64) -> Result<Plan, ReelError> {
    let rod = &*resident.description;
    let count = rod.segments().len();
    let mean = rod.rest_length() / count as f64;
    let nominal = rod.parts().nominal_length.unwrap_or(mean);
    let at = |k| settled(block, lane, resident, from_end(end, k, count));
    let mut deaths = 0;
    let mut whole = at(0);
    // The shortest that it may get: as it is, if it is that short already.
    while whole + by < SHORTEST * nominal && deaths + 1 < count {
        deaths += 1;
        whole += at(deaths);
    }
    let least = (SHORTEST * nominal).min(whole);
    let (length, by) = if whole + by < least {
        (least, least - whole)
    } else {
        (whole + by, by)
    };
    let births = ((length / nominal - LONGEST).ceil()).max(0.0);
    let segments = count as f64 + births - deaths as f64;
    if segments > MAX_ELEMENTS as f64 {
        return Err(ReelError::TooLong { segments });
    }
    Ok(Plan {
        length: length - births * nominal,
        by,
        nominal,
        births: births as usize,
        deaths,
    })
}

/// No births, no deaths: the end segment grows or shrinks in place.
fn resize(block: &mut Block, lane: usize, segment: usize, plan: &Plan) {
    let Some(resident) = &block.rods[lane] else {
        return;
    };
    let now = settled(block, lane, resident, segment);
    let Some(resident) = &mut block.rods[lane] else {
        return;
    };
    // The first time, and after a snapshot, the rod gets a description of its own.
    Arc::make_mut(&mut resident.description).resize_segment(segment, now, plan.length);
    if !resident.feeding.contains(&(segment as u32)) {
        resident.feeding.push(segment as u32);
    }
    resident.measure();
    let rod = resident.description.clone();
    block.rewrite_segment(lane, &rod, segment);
    block.wake(lane);
}
