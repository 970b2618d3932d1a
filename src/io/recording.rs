//! Recordings: where a world started, all that was done to it, and fingerprints to see that a replay goes the same way.
//!
//! Rods are deterministic, so that commands are enough; poses are not stored. A recording is the bug report: it replays on the machine of whoever mends it, with
//! [`Arithmetic::Reproducible`](crate::math::lanes::Arithmetic) to the bit.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::command::{Command, CommandError, Done};
use crate::{
    coupling::{BodyId, BodyImpulse, BodyState, HostBodies, NoBodies},
    solver::SettingsError,
    state::{RodWorld, Snapshot, StepReport},
};

/// A world's start, and all that was done to it since. One that was stored has no shapes of colliders: it is replayed in a world that has them, under the same names (see [`Snapshot`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    format: Format,
    start: Snapshot,
    steps: Vec<StepRecord>,
    /// What was done after the last step.
    after: Vec<Command>,
}

/// What it is and which version: another name is refused.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Format {
    #[serde(rename = "lariat recording 1")]
    Recording,
}

/// A step with what was done before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRecord {
    commands: Vec<Command>,
    /// What the host answered when it was asked for its bodies.
    bodies: Vec<(BodyId, Option<BodyState>)>,
    /// Length, s.
    dt: f32,
    /// The fingerprint after the step, where one was taken.
    hash: Option<u64>,
}

impl Recording {
    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Where it starts.
    pub fn start(&self) -> &Snapshot {
        &self.start
    }
}

/// Writes down what a host does to a world: everything that changes the world goes through it.
///
/// ```
/// use glam::DVec3;
/// use lariat::{io::{Command, Recorder, Replay}, prelude::*};
///
/// let mut world = RodWorld::default();
/// let mut recorder = Recorder::new(&world, 10);
/// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 8)).pin(0).build()?;
/// recorder.apply(&mut world, Command::Insert { description: rope.into(), options: RodOptions::default() })?;
/// for _ in 0..30 {
///     recorder.step(&mut world, 1.0 / 60.0)?;
/// }
///
/// let recording = recorder.finish();
/// let mut again = RodWorld::default();
/// Replay::new(&recording, &mut again).run(&mut again)?;
/// assert_eq!(again.state_hash(), world.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Recording,
    /// Steps between fingerprints; 0 for none.
    interval: u32,
}

impl Recorder {
    /// Starts with the world as it is now, and takes a fingerprint every `interval` steps (0 for none), which costs about as much as reading all poses.
    pub fn new(world: &RodWorld, interval: u32) -> Self {
        Self {
            recording: Recording {
                format: Format::Recording,
                start: world.snapshot(),
                steps: Vec::new(),
                after: Vec::new(),
            },
            interval,
        }
    }

    /// Carry a command out and write it down. One that is refused changed nothing and is not written.
    pub fn apply(&mut self, world: &mut RodWorld, command: Command) -> Result<Done, CommandError> {
        let answer = command.apply(world)?;
        self.recording.after.push(command);
        Ok(answer)
    }

    /// Step the world and write it down.
    pub fn step(&mut self, world: &mut RodWorld, dt: f32) -> Result<StepReport, SettingsError> {
        self.step_with(world, dt, &mut NoBodies)
    }

    /// Step the world together with the host's bodies, and write it down with what the bodies were.
    pub fn step_with(
        &mut self,
        world: &mut RodWorld,
        dt: f32,
        host: &mut dyn HostBodies,
    ) -> Result<StepReport, SettingsError> {
        let mut listener = Listener {
            host,
            heard: RefCell::default(),
        };
        let report = world.step_with(dt, &mut listener)?;
        let bodies = listener.heard.into_inner();
        let steps = &mut self.recording.steps;
        let due = self.interval > 0 && (steps.len() + 1).is_multiple_of(self.interval as usize);
        steps.push(StepRecord {
            commands: std::mem::take(&mut self.recording.after),
            bodies,
            dt,
            hash: due.then(|| world.state_hash()),
        });
        Ok(report)
    }

    /// What was written.
    pub fn finish(self) -> Recording {
        self.recording
    }

    /// What was written so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}

/// Writes down what a host answers.
struct Listener<'a> {
    host: &'a mut dyn HostBodies,
    heard: RefCell<Vec<(BodyId, Option<BodyState>)>>,
}

impl HostBodies for Listener<'_> {
    fn body(&self, body: BodyId) -> Option<BodyState> {
        let state = self.host.body(body);
        self.heard.borrow_mut().push((body, state));
        state
    }

    fn apply(&mut self, body: BodyId, impulse: BodyImpulse) {
        self.host.apply(body, impulse);
    }
}

/// Answers as the host did. Where its bodies went from there is in the next answers.
struct Answers<'a>(&'a [(BodyId, Option<BodyState>)]);

impl HostBodies for Answers<'_> {
    fn body(&self, body: BodyId) -> Option<BodyState> {
        let (_, state) = self.0.iter().find(|(id, _)| *id == body)?;
        *state
    }

    fn apply(&mut self, _: BodyId, _: BodyImpulse) {}
}

/// Why a replay stopped.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReplayError {
    /// A command that was carried out then is refused now.
    #[error("command {command} before step {step}: {error}")]
    Command {
        /// The step that was to follow.
        step: usize,
        /// Which of the commands before it.
        command: usize,
        /// Why.
        error: CommandError,
    },
    /// A step that was taken then is refused now.
    #[error("step {step}: {error}")]
    Step {
        /// Which.
        step: usize,
        /// Why.
        error: SettingsError,
    },
    /// The world went another way.
    #[error("after step {step} the world is another: {found:#x}, not {expected:#x}")]
    Differs {
        /// The first of the steps with a fingerprint after which it differs, counted from 0.
        step: usize,
        /// What the recording says.
        expected: u64,
        /// What it is.
        found: u64,
    },
}

/// Plays a [`Recording`] step by step.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    recording: &'a Recording,
    next: usize,
}

impl<'a> Replay<'a> {
    /// Puts the world where the recording starts. A wind field is not recorded: a world that had one must be given it.
    pub fn new(recording: &'a Recording, world: &mut RodWorld) -> Self {
        world.restore(&recording.start);
        Self { recording, next: 0 }
    }

    /// The next step, with what was done before it. `None` when the last one was played; what was done after that is done then, once.
    pub fn step(&mut self, world: &mut RodWorld) -> Result<Option<StepReport>, ReplayError> {
        let step = self.next;
        let record = self.recording.steps.get(step);
        let commands = match record {
            Some(record) => &record.commands,
            None if step == self.recording.steps.len() => &self.recording.after,
            None => return Ok(None),
        };
        self.next += 1;
        for (number, command) in commands.iter().enumerate() {
            command.apply(world).map_err(|error| ReplayError::Command {
                step,
                command: number,
                error,
            })?;
        }
        let Some(record) = record else { return Ok(None) };
        let report = world.step_with(record.dt, &mut Answers(&record.bodies));
        let report = report.map_err(|error| ReplayError::Step { step, error })?;
        let Some(expected) = record.hash else {
            return Ok(Some(report));
        };
        match world.state_hash() {
            found if found == expected => Ok(Some(report)),
            found => Err(ReplayError::Differs { step, expected, found }),
        }
    }

    /// All steps that are left.
    pub fn run(&mut self, world: &mut RodWorld) -> Result<(), ReplayError> {
        while self.step(world)?.is_some() {}
        Ok(())
    }
}
