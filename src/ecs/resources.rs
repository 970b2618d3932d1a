//! The world of rods as a resource, and how it is stepped.

use std::{
    collections::HashMap,
    ops::{Deref, DerefMut},
    time::{Duration, Instant},
};

use bevy_ecs::prelude::*;

use super::ties::Tied;
use crate::{
    contact::ColliderId,
    coupling::AttachmentId,
    solver::{Settings, SettingsError},
    state::{RodId, RodWorld},
};

/// All rods, and which entity each belongs to.
///
/// Lasting state is told by components; *actions* are methods of [`RodWorld`], which this dereferences to:
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// fn lift(mut rods: ResMut<Rods>, ropes: Query<&RodHandle>) -> Result {
///     for handle in &ropes {
///         if let Some(mut rod) = handle.id().and_then(|id| rods.rod_mut(id)) {
///             rod.translate(DVec3::Y)?;
///         }
///     }
///     Ok(())
/// }
/// ```
///
/// [`snapshot`](Self::snapshot) and [`restore`](Self::restore) here know whose rods they are; those of [`RodWorld`] itself do not.
#[derive(Resource, Debug, Default)]
pub struct Rods {
    pub(super) world: RodWorld,
    pub(super) entities: HashMap<RodId, Entity>,
    /// The attachments of entities, as they are in force.
    pub(super) ties: HashMap<AttachmentId, Tied>,
    /// The colliders of entities.
    pub(super) colliders: HashMap<ColliderId, Entity>,
    /// Attachments that were found gone, to be told.
    pub(super) lost: Vec<AttachmentId>,
    /// A zone of wind is gone.
    pub(super) air_changed: bool,
    /// There is a wind field.
    pub(super) air_moves: bool,
    /// It was put back: handles and markers of the entities are to be looked at again.
    pub(super) rewound: bool,
}

impl Rods {
    /// No rods, to be stepped as the settings say.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        Ok(Self {
            world: RodWorld::new(settings)?,
            ..Self::default()
        })
    }

    /// The entity that a rod belongs to. `None` for a rod that was put in without one.
    pub fn entity(&self, rod: RodId) -> Option<Entity> {
        self.entities.get(&rod).copied()
    }

    /// Take out a rod whose entity does not want it any more.
    pub(super) fn let_go(&mut self, id: RodId) {
        self.entities.remove(&id);
        self.world.remove(id);
    }
}

impl Deref for Rods {
    type Target = RodWorld;

    fn deref(&self) -> &RodWorld {
        &self.world
    }
}

impl DerefMut for Rods {
    fn deref_mut(&mut self) -> &mut RodWorld {
        &mut self.world
    }
}

/// The [`Settings`] of all rods: gravity, substeps, wind and so on. A change takes effect in the next run of the schedule. Bad settings are refused
/// with a warning, and the old ones stay in force.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct RodSettings(pub Settings);

impl FromWorld for RodSettings {
    fn from_world(world: &mut World) -> Self {
        Self((world.get_resource::<Rods>()).map_or_else(Settings::default, |rods| rods.settings().clone()))
    }
}

impl Deref for RodSettings {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.0
    }
}

impl DerefMut for RodSettings {
    fn deref_mut(&mut self) -> &mut Settings {
        &mut self.0
    }
}

/// How far a run of the schedule takes the rods.
///
/// In a schedule that runs at a fixed rate, say [`every`](Self::every) with the length of a run. In one that runs once a frame, say
/// [`fixed`](Self::fixed), and tell it each frame how much time has passed:
///
/// ```
/// use lariat::prelude::*;
/// let mut timestep = RodTimestep::fixed(1.0 / 60.0);
/// timestep.advance(0.040); // A slow frame: the next run takes two steps …
/// assert_eq!(timestep.due(), 2);
/// # timestep.take_due();
/// assert!((timestep.alpha() - 0.4).abs() < 1e-3); // … and two fifths of a third are left.
/// ```
///
/// Rods that are tied to bodies want `every`: the bodies are read once a run.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct RodTimestep {
    dt: f32,
    /// Time that was not stepped yet, s; `None` takes one step a run.
    pending: Option<f64>,
    most: u32,
    alpha: f32,
}

impl RodTimestep {
    /// One step of `dt` seconds each run.
    pub fn every(dt: f32) -> Self {
        Self {
            dt,
            pending: None,
            most: 1,
            alpha: 1.0,
        }
    }

    /// As many steps of `dt` seconds as fit into the time that [`advance`](Self::advance) brings, four a run at most.
    pub fn fixed(dt: f32) -> Self {
        Self {
            pending: Some(0.0),
            most: 4,
            ..Self::every(dt)
        }
    }

    /// Sets the most steps of a run. Time beyond it is dropped: a frame that took long must not make the next one longer.
    pub fn most(mut self, steps: u32) -> Self {
        self.most = steps.max(1);
        self
    }

    /// The length of a step, s.
    pub fn dt(&self) -> f32 {
        self.dt
    }

    /// Sets the length of a step, s. A bad one is refused by the step, with a warning.
    pub fn set_dt(&mut self, dt: f32) {
        self.dt = dt;
    }

    /// Time has passed, s. Means nothing to [`every`](Self::every).
    pub fn advance(&mut self, elapsed: f32) {
        if let Some(pending) = &mut self.pending
            && elapsed.is_finite()
        {
            *pending += f64::from(elapsed.max(0.0));
        }
    }

    /// Where between the last two steps to draw, from 0 to 1: with [`fixed`](Self::fixed) the part of a step that time is ahead of the rods, with
    /// [`every`](Self::every) what [`set_alpha`](Self::set_alpha) said.
    pub fn alpha(&self) -> f32 {
        match self.pending {
            Some(pending) if self.dt > 0.0 => (pending / f64::from(self.dt)).clamp(0.0, 1.0) as f32,
            Some(_) => 1.0,
            None => self.alpha,
        }
    }

    /// Sets where between the last two steps to draw, where the host keeps the time: in Bevy `Time<Fixed>::overstep_fraction`. 1, the last step, until it is
    /// set. Means nothing to [`fixed`](Self::fixed).
    pub fn set_alpha(&mut self, alpha: f32) {
        self.alpha = alpha;
    }

    /// The number of steps that the next run takes.
    pub fn due(&self) -> u32 {
        match self.pending {
            // Of a step without length, the step itself says what is wrong. Too many for a `u32` saturate.
            Some(pending) if self.dt > 0.0 => ((pending / f64::from(self.dt)).floor() as u32).min(self.most),
            _ => 1,
        }
    }

    /// The number of steps that this run takes; their time is taken away. For hosts that replace the step.
    pub fn take_due(&mut self) -> u32 {
        let due = self.due();
        let dt = f64::from(self.dt);
        if let Some(pending) = &mut self.pending
            && dt > 0.0
        {
            *pending = (*pending - (*pending / dt).floor() * dt).max(0.0);
        }
        due
    }
}

impl Default for RodTimestep {
    /// Every sixtieth of a second.
    fn default() -> Self {
        Self::every(1.0 / 60.0)
    }
}

/// Where the time of the last run went, and how much there was to do.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct RodDiagnostics {
    /// Putting in rods.
    pub spawn: Duration,
    /// From components to rods.
    pub gather: Duration,
    /// Reading bodies.
    pub bodies: Duration,
    /// Moving rods.
    pub step: Duration,
    /// From rods to components and bodies.
    pub write_back: Duration,
    /// Telling what happened.
    pub events: Duration,
    /// Rods in the world.
    pub rods: usize,
    /// Rods whose pose was written back.
    pub written: usize,
    /// Steps taken.
    pub steps: u32,
    /// Iterations of the last step, of the rod that took most.
    pub iterations: u32,
}

impl RodDiagnostics {
    /// What keeping the rods as components costs, as a share of moving them. 0 when none were moved.
    pub fn overhead(&self) -> f64 {
        let around = self.spawn + self.gather + self.bodies + self.write_back + self.events;
        let step = self.step.as_secs_f64();
        if step > 0.0 { around.as_secs_f64() / step } else { 0.0 }
    }
}

/// Writes the time from here to its end.
pub(super) struct Stopwatch<'a> {
    start: Instant,
    to: &'a mut Duration,
}

impl<'a> Stopwatch<'a> {
    pub fn new(to: &'a mut Duration) -> Self {
        Self {
            start: Instant::now(),
            to,
        }
    }
}

impl Drop for Stopwatch<'_> {
    fn drop(&mut self) {
        *self.to = self.start.elapsed();
    }
}
