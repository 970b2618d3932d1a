//! The clock of rods is Bevy's: they step as the fixed schedules do, and are drawn as far between two steps as time has come.

use bevy::prelude::*;

use crate::ecs::{RodSettings, RodTimestep};

/// Whether poses are drawn between steps.
#[derive(Resource, Clone, Copy, Debug)]
pub(super) struct Smooth(pub bool);

/// Before the step: its length, and that the pose before it is wanted.
pub(super) fn keep_pace(
    fixed: Res<Time<Fixed>>,
    smooth: Res<Smooth>,
    mut timestep: ResMut<RodTimestep>,
    mut settings: ResMut<RodSettings>,
) {
    let dt = fixed.timestep().as_secs_f32();
    if timestep.dt() != dt {
        timestep.set_dt(dt);
    }
    if smooth.0 && !settings.interpolation {
        settings.interpolation = true;
    }
}

/// After the steps of a frame: how far time is beyond the last one but one.
pub(super) fn note_overstep(fixed: Res<Time<Fixed>>, smooth: Res<Smooth>, mut timestep: ResMut<RodTimestep>) {
    let alpha = if smooth.0 { fixed.overstep_fraction() } else { 1.0 };
    timestep.set_alpha(alpha);
}
