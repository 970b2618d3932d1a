//! How much a rod feels of what acts on the whole world: gravity, and air.

use std::sync::Arc;

use super::{
    block::Block,
    edit::{RodAccessError, RodMut},
    readback::RodRef,
    world::RodWorld,
};
use crate::{
    math::lanes::Row,
    solver::{WindField, wind_field::WindSource},
};

/// Largest scale: a million times the gravity of the earth is a mistake.
const LARGEST: f32 = 1e6;

/// Whether a rod can feel so much of gravity.
pub fn is_gravity_scale(scale: f32) -> bool {
    scale.abs() <= LARGEST
}

/// Whether a rod can feel so much of the air.
pub fn is_wind_scale(scale: f32) -> bool {
    (0.0..=LARGEST).contains(&scale)
}

impl Block {
    /// How much of gravity and of the air's force the rod in a lane feels.
    pub fn set_scales(&mut self, lane: usize, gravity: f32, wind: f32) {
        if let Some(resident) = &mut self.rods[lane] {
            resident.gravity_scale = gravity;
            resident.wind_scale = wind;
            if gravity != 1.0 {
                self.make_acceleration();
            }
        }
    }

    /// Room for accelerations by forces.
    pub fn make_acceleration(&mut self) {
        if self.acceleration.is_empty() {
            self.acceleration = vec![[Row::default(); 3]; self.vertices.len()];
        }
    }
}

impl RodWorld {
    /// Air that moves as the host says, beside [`Settings::wind`](crate::solver::Settings::wind): both add up. `None` takes it away. All rods wake, and none
    /// falls asleep in it that feels it. The drag is that of `Settings::wind`, or that of air on a cylinder.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let mut world = RodWorld::default();
    /// // Below a rotor at the origin air streams down, less with every metre.
    /// let downwash = |place: DVec3, _time: f64| DVec3::NEG_Y * 15.0 * (-place.length_squared() / 9.0).exp();
    /// world.set_wind_field(Some(Arc::new(downwash)));
    /// ```
    pub fn set_wind_field(&mut self, field: Option<Arc<dyn WindField>>) {
        self.wind_field = field.map(WindSource::new);
        self.wake_all();
    }
}

impl RodMut<'_> {
    /// How much of the world's gravity the rod feels: 1 is all of it, 0 none, below zero it rises.
    pub fn set_gravity_scale(&mut self, scale: f32) -> Result<(), RodAccessError> {
        if !is_gravity_scale(scale) {
            return Err(bad("gravity_scale", scale));
        }
        let resident = self.resident()?;
        let (before, wind) = (resident.gravity_scale, resident.wind_scale);
        self.block.set_scales(self.lane, scale, wind);
        self.wake_if(scale != before);
        Ok(())
    }

    /// How much of the air's force the rod feels: 1 is all of it, 0 none.
    pub fn set_wind_scale(&mut self, scale: f32) -> Result<(), RodAccessError> {
        if !is_wind_scale(scale) {
            return Err(bad("wind_scale", scale));
        }
        let resident = self.resident()?;
        let (gravity, before) = (resident.gravity_scale, resident.wind_scale);
        self.block.set_scales(self.lane, gravity, scale);
        self.wake_if(scale != before);
        Ok(())
    }
}

fn bad(field: &'static str, value: f32) -> RodAccessError {
    RodAccessError::BadValue {
        field,
        index: 0,
        value: value.to_string(),
    }
}

impl RodRef<'_> {
    /// How much of the world's gravity the rod feels.
    pub fn gravity_scale(&self) -> f32 {
        self.resident.gravity_scale
    }

    /// How much of the air's force the rod feels.
    pub fn wind_scale(&self) -> f32 {
        self.resident.wind_scale
    }
}
