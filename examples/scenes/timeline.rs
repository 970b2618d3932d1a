//! Plays the actions of a scene: what is due in a frame is done before the frame's step.
//!
//! An action begins with the first frame that starts at its time (or up to half a nanosecond before, for rounding).
//! Motions set where a pinned vertex shall be at the *end* of the frame; the world spreads the way over the substeps.

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::{RodId, RodMut, RodWorld};

use super::{
    script::{Act, Action},
    stage::{Group, find},
};

/// Times are multiples of a frame, which binary fractions miss by a little.
const ROUNDING: f64 = 1e-9;

/// The actions of a scene, one cue a rod that they mean.
#[derive(Clone, Debug)]
pub struct Timeline {
    cues: Vec<Cue>,
}

#[derive(Clone, Debug)]
struct Cue {
    at: f64,
    until: Option<f64>,
    rod: RodId,
    /// The vertex, segment or clamp that the act is about.
    index: usize,
    act: Act,
    state: CueState,
}

/// Where a motion began.
#[derive(Clone, Copy, Debug)]
enum CueState {
    Waiting { wall: DQuat },
    Running { from: DVec3, frame: DQuat },
    Done,
}

impl Timeline {
    /// Resolves names and indices, which [`super::check`] has seen to exist.
    pub fn new(actions: &[Action], groups: &[Group]) -> Self {
        let mut cues = Vec::new();
        for action in actions {
            for rod in find(groups, &action.rod) {
                cues.extend(Cue::new(action, rod, groups));
            }
        }
        Self { cues }
    }

    /// Does what is due in the frame from `start` to `end`.
    pub fn act(&mut self, world: &mut RodWorld, start: f64, end: f64) {
        for cue in &mut self.cues {
            if matches!(cue.state, CueState::Done) || start + ROUNDING < cue.at {
                continue;
            }
            // Checked names and indices cannot fail; a rod that a test has removed, or that was quarantined, has
            // nothing left to act on.
            if let CueState::Waiting { wall } = cue.state {
                cue.begin(world, wall);
            }
            if world.rod_mut(cue.rod).is_none_or(|rod| cue.play(rod, end)) {
                cue.state = CueState::Done;
            }
        }
    }
}

impl Cue {
    fn new(action: &Action, rod: RodId, groups: &[Group]) -> Option<Self> {
        let (group, copy) = groups
            .iter()
            .find_map(|group| Some((group, group.ids.iter().position(|id| *id == rod)?)))?;
        let description = &group.description;
        let (index, count) = match &action.act {
            Act::Pin { vertex }
            | Act::Release { vertex }
            | Act::Move { vertex, .. }
            | Act::Circle { vertex, .. }
            | Act::Path { vertex, .. }
            | Act::Force { vertex, .. }
            | Act::Kick { vertex, .. } => (vertex, description.vertices().len()),
            Act::Turn { clamp, .. } | Act::ReleaseClamp { clamp } => (clamp, description.clamps().len()),
            Act::TurnSegment { segment, .. }
            | Act::HoldSegment { segment }
            | Act::ReleaseSegment { segment }
            | Act::Torque { segment, .. } => (segment, description.segments().len()),
        };
        let index = index.resolve(count)? as usize;
        let wall = match action.act {
            Act::Turn { .. } => group.rotations[copy] * description.clamps()[index].frame,
            _ => DQuat::IDENTITY,
        };
        Some(Self {
            at: action.at,
            until: action.until,
            rod,
            index,
            act: action.act.clone(),
            state: CueState::Waiting { wall },
        })
    }

    /// Plays the act up to the time `end`; true when there is nothing left to do.
    fn play(&mut self, mut rod: RodMut<'_>, end: f64) -> bool {
        let index = self.index;
        let CueState::Running { from, frame } = self.state else {
            return true;
        };
        let over = self.until.is_some_and(|until| end + ROUNDING >= until);
        let passed = self.until.map_or(end, |until| end.min(until)) - self.at;
        let ramp = |from: Vec3, to: Vec3| {
            let share = self.until.map_or(1.0, |until| passed / (until - self.at).max(ROUNDING));
            from.lerp(to, share.clamp(0.0, 1.0) as f32)
        };
        let _ = match &self.act {
            Act::Pin { .. } => rod.pin(index),
            Act::Release { .. } => rod.unpin(index),
            Act::Move { velocity, .. } => rod.set_target(index, from + *velocity * passed),
            Act::Circle { centre, axis, rate, .. } => {
                let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), rate * passed);
                rod.set_target(index, from + *centre - turn * *centre)
            }
            Act::Path { points, .. } => rod.set_target(index, from + along(points, passed)),
            Act::Turn { axis, rate, .. } => {
                let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), rate * passed);
                rod.set_clamp(index, turn * frame)
            }
            Act::TurnSegment { axis, rate, .. } => {
                let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), rate * passed);
                rod.set_orientation(index, (turn * frame).as_quat())
            }
            Act::ReleaseClamp { .. } => rod.release_clamp(index),
            Act::HoldSegment { .. } => rod.hold_segment(index),
            Act::ReleaseSegment { .. } => rod.release_segment(index),
            Act::Force { from, to, .. } => rod.set_force(index, ramp(*from, *to)),
            Act::Torque { from, to, .. } => rod.set_torque(index, ramp(*from, *to)),
            Act::Kick { velocity, .. } => rod.set_velocity(index, *velocity),
        };
        match &self.act {
            Act::Move { .. } | Act::Circle { .. } | Act::Turn { .. } | Act::TurnSegment { .. } => over,
            Act::Path { points, .. } => over || points.last().is_none_or(|(time, _)| passed >= *time),
            Act::Force { .. } | Act::Torque { .. } => over || self.until.is_none(),
            _ => true,
        }
    }

    /// Notes where a motion begins, and holds what it will carry.
    fn begin(&mut self, world: &mut RodWorld, wall: DQuat) {
        let index = self.index;
        let (mut from, mut frame) = (DVec3::ZERO, wall);
        match self.act {
            Act::Move { .. } | Act::Circle { .. } | Act::Path { .. } => {
                from = world.rod(self.rod).map_or(from, |rod| rod.position(index));
                let _ = world.rod_mut(self.rod).map(|mut rod| rod.pin(index));
            }
            Act::TurnSegment { .. } => {
                frame = world
                    .rod(self.rod)
                    .map_or(frame, |rod| rod.orientation(index).as_dquat());
                let _ = world.rod_mut(self.rod).map(|mut rod| rod.hold_segment(index));
            }
            _ => {}
        }
        self.state = CueState::Running { from, frame };
    }
}

/// The offset at a time on straight pieces; the first piece starts at time 0 and offset 0.
fn along(points: &[(f64, DVec3)], time: f64) -> DVec3 {
    let mut before = (0.0, DVec3::ZERO);
    for &(at, offset) in points {
        if time < at {
            let share = (time - before.0) / (at - before.0);
            return before.1.lerp(offset, share);
        }
        before = (at, offset);
    }
    before.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_starts_at_zero_and_rests_at_its_end() {
        let points = [(1.0, DVec3::X), (1.0, DVec3::Y), (2.0, DVec3::ZERO)];
        assert_eq!(along(&points, 0.5), DVec3::X * 0.5);
        assert_eq!(along(&points, 1.0), DVec3::Y, "two points at one time are a jump");
        assert_eq!(along(&points, 1.5), DVec3::Y * 0.5);
        assert_eq!(along(&points, 9.0), DVec3::ZERO);
    }
}
