//! A winch at an end of a rod, as a component of the rod's entity.

use bevy_ecs::prelude::*;

use super::{RodDiagnostics, RodHandle, RodTimestep, Rods, WinchStalled, messages::tell};
use crate::state::{ReelError, RodEnd};

/// Pays out or reels in rope at an end of a chain, as long as `speed` is not zero and the limits allow it.
///
/// Segments are born and die at that end, so that the numbers of vertices change: at [`RodEnd::Start`] those of all, at [`RodEnd::End`] only the last.
///
/// ```
/// use lariat::prelude::*;
/// // Half a metre a second out, until the rope has twenty metres.
/// let winch = RodWinch::new(RodEnd::Start, 0.5).between(1.0, 20.0);
/// # assert_eq!(winch.longest, 20.0);
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Clone, Debug, Component))]
pub struct RodWinch {
    /// The end that the winch is at.
    pub end: RodEnd,
    /// m/s; above zero pays out.
    pub speed: f64,
    /// It reels in no further, m.
    pub shortest: f64,
    /// It pays out no further, m.
    pub longest: f64,
    /// Why it could not turn in the last run.
    pub stalled: Option<ReelError>,
}

impl RodWinch {
    /// A winch at an end, with a speed in m/s; above zero pays out.
    pub fn new(end: RodEnd, speed: f64) -> Self {
        Self {
            end,
            speed,
            shortest: 0.0,
            longest: f64::INFINITY,
            stalled: None,
        }
    }

    /// Sets the lengths that it stops at, m.
    pub fn between(mut self, shortest: f64, longest: f64) -> Self {
        self.shortest = shortest;
        self.longest = longest;
        self
    }

    /// What it would reel in `seconds` with `length` metres of rod out.
    fn turn(&self, length: f64, seconds: f64) -> f64 {
        let by = self.speed * seconds;
        // A rod that is beyond a limit already is not pulled back to it.
        match by > 0.0 {
            true => by.min((self.longest - length).max(0.0)),
            false => by.max((self.shortest - length).min(0.0)),
        }
    }
}

/// Stage 4, before the step, so that winches stand still when time does: they turn as far as the coming steps take them.
pub(super) fn turn(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    timestep: Res<RodTimestep>,
    mut all: Query<(Entity, &RodHandle, &mut RodWinch)>,
) {
    let start = std::time::Instant::now();
    let seconds = f64::from(timestep.due()) * f64::from(timestep.dt());
    let world = &mut rods.bypass_change_detection().world;
    for (entity, handle, mut winch) in &mut all {
        let Some(id) = handle.id.filter(|_| winch.speed != 0.0 && seconds > 0.0) else {
            continue;
        };
        let length = world.rod(id).map_or(0.0, |rod| rod.description().rest_length());
        let by = winch.turn(length, seconds);
        if by == 0.0 {
            continue;
        }
        let error = world.reel(id, winch.end, by).err();
        if winch.stalled == error {
            continue;
        }
        if let Some(error) = error.clone() {
            tracing::warn!(%entity, %error, "a winch is stalled");
            commands.queue(move |world: &mut World| tell(world, WinchStalled { entity, error }));
        }
        // What the plugin notes is not a change by the host.
        winch.bypass_change_detection().stalled = error;
    }
    diagnostics.gather += start.elapsed();
}
