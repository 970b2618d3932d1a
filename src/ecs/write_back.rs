//! Stages 4 and 5: the step, and the copy of what came out of it.

use bevy_ecs::prelude::*;

use super::{
    RodAsleep, RodBodies, RodDiagnostics, RodHandle, RodPose, RodSmoothPose, RodTension, RodTimestep, RodVelocities,
    Rods, resources::Stopwatch,
};
use crate::solver::SettingsError;

/// Stage 4: rods move.
pub(super) fn step(
    mut rods: ResMut<Rods>,
    mut timestep: ResMut<RodTimestep>,
    mut bodies: ResMut<RodBodies>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut refused: Local<Option<SettingsError>>,
) {
    let diagnostics = &mut *diagnostics;
    let _watch = Stopwatch::new(&mut diagnostics.step);
    diagnostics.steps = 0;
    bodies.seal();
    for _ in 0..timestep.take_due() {
        match rods.world.step_with(timestep.dt(), &mut *bodies) {
            Ok(report) => {
                *refused = None;
                diagnostics.steps += 1;
                diagnostics.iterations = report.iterations;
            }
            Err(error) => {
                if refused.as_ref() != Some(&error) {
                    tracing::warn!(%error, "rods can't be stepped");
                    *refused = Some(error);
                }
                return;
            }
        }
    }
}

type Readback<'a> = (
    Ref<'a, RodHandle>,
    &'a mut RodPose,
    Has<RodAsleep>,
    Option<&'a mut RodVelocities>,
    Option<&'a mut RodTension>,
);

/// Stage 5: poses go to the components. A rod that did not move is not touched.
pub(super) fn write_back(
    rods: Res<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut last: Local<f64>,
    mut all: Query<Readback>,
) {
    let diagnostics = &mut *diagnostics;
    let _watch = Stopwatch::new(&mut diagnostics.write_back);
    diagnostics.rods = rods.len();
    diagnostics.written = 0;
    // By the clock of the rods, whoever stepped them.
    let stepped = std::mem::replace(&mut *last, rods.time()) != rods.time();
    for (handle, mut pose, asleep, velocities, tension) in &mut all {
        let Some(rod) = handle.id.and_then(|id| rods.rod(id)) else {
            continue;
        };
        // The step that puts a rod to sleep still moves it; the marker comes after this.
        let rests = rod.is_quarantined() || asleep && rod.is_asleep();
        let moved = stepped && !rests;
        if !moved && !handle.is_changed() {
            continue;
        }
        diagnostics.written += 1;
        let pose = &mut *pose;
        rod.positions_into(&mut pose.positions);
        rod.orientations_into(&mut pose.orientations);
        if let Some(mut velocities) = velocities {
            rod.velocities_into(&mut velocities.0);
        }
        if let Some(mut tension) = tension {
            rod.tensions_into(&mut tension.0);
        }
    }
}

/// Writes [`RodSmoothPose`]: a system for the schedule that draws, after [`RodTimestep`] knows the time. `RodPlugin` has it in `PostUpdate`.
pub fn interpolate(rods: Res<Rods>, timestep: Res<RodTimestep>, mut all: Query<(&RodHandle, &mut RodSmoothPose)>) {
    let alpha = timestep.alpha();
    for (handle, mut pose) in &mut all {
        if let Some(rod) = handle.id.and_then(|id| rods.rod(id)) {
            let pose = &mut *pose;
            rod.interpolated_into(alpha, &mut pose.positions, &mut pose.orientations);
        }
    }
}
