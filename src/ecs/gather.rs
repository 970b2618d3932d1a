//! Stage 2: what changed since the last run goes from components to rods.
//!
//! One query visits the rods of which anything changed. A handle that changed stands for a rod that is new, was rewound, or lost a
//! component: then everything is looked at, and what is already as it should be is left alone.

use bevy_ecs::prelude::*;
use glam::Vec3;

use super::{
    Rod, RodClamps, RodControlError, RodControlFailed, RodDiagnostics, RodDrag, RodForces, RodGravityScale, RodHandle,
    RodLayers, RodMaterial, RodPins, RodSettings, RodTargets, RodWindScale, Rods, messages::tell, resources::Stopwatch,
};
use crate::{
    solver::SettingsError,
    state::{RodAccessError, RodId, RodMut, RodWorld},
};

type Touched = Or<(
    Changed<RodHandle>,
    Changed<RodMaterial>,
    Changed<RodPins>,
    Changed<RodTargets>,
    Changed<RodClamps>,
    Changed<RodForces>,
    Changed<RodDrag>,
    Changed<RodGravityScale>,
    Changed<RodWindScale>,
    Changed<RodLayers>,
)>;

type Controls<'a> = (
    Entity,
    &'a Rod,
    &'a mut RodHandle,
    Option<Ref<'a, RodMaterial>>,
    Option<Ref<'a, RodPins>>,
    Option<Ref<'a, RodTargets>>,
    Option<Ref<'a, RodClamps>>,
    Option<Ref<'a, RodForces>>,
    Option<Ref<'a, RodDrag>>,
    Option<Ref<'a, RodGravityScale>>,
    Option<Ref<'a, RodWindScale>>,
    Option<Ref<'a, RodLayers>>,
);

/// Changed settings go to the world of rods.
pub(super) fn gather_settings(
    settings: Res<RodSettings>,
    mut rods: ResMut<Rods>,
    mut refused: Local<Option<SettingsError>>,
) {
    // A rewound world has the settings of its time: compare, whatever the ticks say.
    if settings.0 == *rods.settings() {
        *refused = None;
        return;
    }
    if let Err(error) = rods.bypass_change_detection().set_settings(settings.0.clone())
        && refused.as_ref() != Some(&error)
    {
        tracing::warn!(%error, "bad settings of rods are refused, the old ones stay");
        *refused = Some(error);
    }
}

/// Changed components go to their rods.
pub(super) fn gather(
    mut commands: Commands,
    mut rods: ResMut<Rods>,
    mut diagnostics: ResMut<RodDiagnostics>,
    mut touched: Query<Controls, Touched>,
) {
    let _watch = Stopwatch::new(&mut diagnostics.gather);
    let world = &mut rods.bypass_change_detection().world;
    for (entity, rod, mut handle, material, pins, targets, clamps, forces, drag, gravity, wind, layers) in &mut touched
    {
        let Some(id) = handle.id else { continue };
        let all = handle.is_changed();
        let driven = &mut handle.bypass_change_detection().driven;
        let mut complain = |component, error: RodControlError| {
            tracing::warn!(%entity, component, %error, "a rod could not be controlled");
            let message = RodControlFailed {
                entity,
                component,
                error,
            };
            commands.queue(move |world: &mut World| tell(world, message));
        };
        if let Some(material) = material.filter(|material| all || material.is_changed())
            && let Err(error) = world.set_material(id, &material.0)
        {
            complain("RodMaterial", error.into());
        }
        let mut report = |component, answer: Result<(), RodAccessError>| {
            if let Err(error) = answer {
                complain(component, error.into());
            }
        };
        match pins {
            Some(pins) if all || pins.is_changed() => {
                driven.pins = true;
                set_pins(world, id, &pins.0, |answer| report("RodPins", answer));
            }
            None if driven.pins => {
                driven.pins = false;
                let described = world.rod(id).map(|rod| rod.description().clone());
                let described = described.as_ref().map_or(&[][..], |rod| rod.pins());
                set_pins(world, id, described, |answer| report("RodPins", answer));
            }
            _ => {}
        }
        let Some(mut target) = world.rod_mut(id) else { continue };
        if let Some(targets) = targets.filter(|targets| all || targets.is_changed()) {
            for &(vertex, place) in &targets.0 {
                report("RodTargets", target.set_target(vertex as usize, place));
            }
        }
        if let Some(clamps) = clamps.filter(|clamps| all || clamps.is_changed()) {
            for (clamp, frame) in clamps.0.iter().enumerate() {
                if let Some(frame) = *frame {
                    report("RodClamps", target.set_clamp(clamp, frame));
                }
            }
        }
        match forces {
            Some(forces) if all || forces.is_changed() => {
                driven.forces = true;
                set_forces(&mut target, &forces, |answer| report("RodForces", answer));
            }
            None if driven.forces => {
                driven.forces = false;
                report("RodForces", target.clear_loads(|_| false, |_| false));
            }
            _ => {}
        }
        if let Some(drag) = news(drag, &mut driven.drag, all, || RodDrag(rod.options.drag)) {
            report("RodDrag", target.set_drag(drag.0));
        }
        if let Some(scale) = news(gravity, &mut driven.gravity, all, || {
            RodGravityScale(rod.options.gravity_scale)
        }) {
            report("RodGravityScale", target.set_gravity_scale(scale.0));
        }
        if let Some(scale) = news(wind, &mut driven.wind, all, || RodWindScale(rod.options.wind_scale)) {
            report("RodWindScale", target.set_wind_scale(scale.0));
        }
        if let Some(layers) = news(layers, &mut driven.layers, all, || RodLayers(rod.options.layers)) {
            report("RodLayers", target.set_layers(layers.0));
        }
    }
}

/// The value of a component that changed; what the rod started with when the component is gone that drove it; or nothing new.
fn news<C: Component + Copy>(
    component: Option<Ref<C>>,
    driven: &mut bool,
    all: bool,
    start: impl FnOnce() -> C,
) -> Option<C> {
    match component {
        Some(component) => {
            *driven = true;
            (all || component.is_changed()).then_some(*component)
        }
        None => std::mem::take(driven).then(start),
    }
}

/// Pins these vertices and lets the others go.
fn set_pins(world: &mut RodWorld, id: RodId, pins: &[u32], mut report: impl FnMut(Result<(), RodAccessError>)) {
    let count = world.rod(id).map_or(0, |rod| rod.vertex_count());
    for vertex in 0..count {
        let pinned = world.rod(id).is_some_and(|rod| rod.is_pinned(vertex));
        let Some(mut rod) = world.rod_mut(id) else { return };
        match (pinned, pins.iter().any(|&pin| pin as usize == vertex)) {
            (false, true) => report(rod.pin(vertex)),
            (true, false) => report(rod.unpin(vertex)),
            _ => {}
        }
    }
    let outside = pins.iter().map(|&pin| pin as usize).filter(|&pin| pin >= count);
    let Some(mut rod) = world.rod_mut(id) else { return };
    outside.for_each(|vertex| report(rod.pin(vertex)));
}

fn set_forces(rod: &mut RodMut, forces: &RodForces, mut report: impl FnMut(Result<(), RodAccessError>)) {
    let on = |list: &[(u32, Vec3)], element: usize| list.iter().any(|&(at, _)| at as usize == element);
    report(rod.clear_loads(|v| on(&forces.forces, v), |s| on(&forces.torques, s)));
    for &(vertex, force) in &forces.forces {
        report(rod.set_force(vertex as usize, force));
    }
    for &(segment, torque) in &forces.torques {
        report(rod.set_torque(segment as usize, torque));
    }
}
