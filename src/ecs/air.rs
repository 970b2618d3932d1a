//! Air that moves, from resources and entities: zones of wind, and a field that the host computes.

use std::sync::Arc;

use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
use glam::DVec3;

use super::Rods;
use crate::solver::WindField;

/// Air that moves as the host computes it, beside [`Settings::wind`](crate::solver::Settings::wind) and the [`WindZone`]s: all add up.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// let (mut world, mut schedule) = (World::new(), Schedule::default());
/// lariat::ecs::install(&mut world, &mut schedule);
/// // Below a rotor at the origin air streams down, less with every metre.
/// world.insert_resource(RodWindField::new(|place: DVec3, _time: f64| {
///     DVec3::NEG_Y * 15.0 * (-place.length_squared() / 9.0).exp()
/// }));
/// schedule.run(&mut world);
/// ```
#[derive(Resource, Clone, Default)]
pub struct RodWindField(pub Option<Arc<dyn WindField>>);

impl RodWindField {
    /// A field; closures of place and time are.
    pub fn new(field: impl WindField + 'static) -> Self {
        Self(Some(Arc::new(field)))
    }
}

/// A ball of moving air, such as before a fan: full wind at its middle, none at its edge.
///
/// A change wakes all rods; they do not fall asleep while there is a zone.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_remove = note)]
pub struct WindZone {
    /// The middle, world, m.
    pub place: DVec3,
    /// m.
    pub radius: f64,
    /// Of the air at the middle, m/s.
    pub velocity: DVec3,
}

impl WindField for WindZone {
    fn velocity(&self, place: DVec3, _time: f64) -> DVec3 {
        let distance = place.distance_squared(self.place) / (self.radius * self.radius);
        // Smooth at the middle and at the edge. A zone without radius has no inside; NaN is none either.
        if distance < 1.0 {
            self.velocity * (1.0 - distance).powi(2)
        } else {
            DVec3::ZERO
        }
    }
}

fn note(mut world: DeferredWorld, _: HookContext) {
    if let Some(mut rods) = world.get_resource_mut::<Rods>() {
        rods.air_changed = true;
    }
}

/// Stage 2: changed zones and fields become the field of the rods.
pub(super) fn gather(
    mut rods: ResMut<Rods>,
    field: Res<RodWindField>,
    changed: Query<(), Changed<WindZone>>,
    zones: Query<&WindZone>,
) {
    if !(rods.air_changed || field.is_changed() || !changed.is_empty()) {
        return;
    }
    let rods = rods.bypass_change_detection();
    let news = std::mem::take(&mut rods.air_changed) || field.0.is_some() || !changed.is_empty();
    if !news && !rods.air_moves {
        return; // A resource that was just put in, empty, need not wake anybody.
    }
    let zones: Vec<WindZone> = zones.iter().copied().collect();
    let all: Option<Arc<dyn WindField>> = match (&field.0, zones.is_empty()) {
        (None, true) => None,
        (Some(field), true) => Some(field.clone()),
        (field, false) => {
            let field = field.clone();
            Some(Arc::new(move |place: DVec3, time: f64| {
                let start = field.as_ref().map_or(DVec3::ZERO, |field| field.velocity(place, time));
                zones.iter().fold(start, |sum, zone| sum + zone.velocity(place, time))
            }))
        }
    };
    rods.air_moves = all.is_some();
    rods.world.set_wind_field(all);
}
