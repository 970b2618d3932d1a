//! The air around a rod: the wind of the settings, and a field that the host makes.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use glam::DVec3;

use super::{AirDrag, Settings};

/// Fastest air that is believed, m/s: the square of more is not a single-precision number.
const FASTEST: f64 = 1e18;

/// Air that moves as the host says: rotors, explosions, draughts, weather. Every closure of a place (world, m) and a time (s) is one.
///
/// It is asked once a segment and substep, from several threads at once. For the same bits in every run it must answer the same to the same question.
pub trait WindField: Send + Sync {
    /// Velocity of the air, m/s. What is not finite counts as still air, and a warning is given once.
    fn velocity(&self, place: DVec3, time: f64) -> DVec3;
}

impl<F: Fn(DVec3, f64) -> DVec3 + Send + Sync> WindField for F {
    fn velocity(&self, place: DVec3, time: f64) -> DVec3 {
        self(place, time)
    }
}

/// A field, and whether it was complained about.
#[derive(Clone)]
pub(crate) struct WindSource {
    field: Arc<dyn WindField>,
    warned: Arc<AtomicBool>,
}

impl WindSource {
    pub fn new(field: Arc<dyn WindField>) -> Self {
        Self {
            field,
            warned: Arc::default(),
        }
    }

    fn velocity(&self, place: DVec3, time: f64) -> DVec3 {
        let velocity = self.field.velocity(place, time);
        // A NaN is not below either.
        if velocity.abs().max_element() < FASTEST && velocity.is_finite() {
            return velocity;
        }
        if !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                ?place,
                time,
                ?velocity,
                "a wind field's answer is not usable; still air is taken instead"
            );
        }
        DVec3::ZERO
    }
}

impl fmt::Debug for WindSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WindSource").finish_non_exhaustive()
    }
}

/// All air of a world. There is some where there is a wind or a field; both add up.
#[derive(Clone, Copy)]
pub(crate) struct Air<'a> {
    settings: &'a Settings,
    field: Option<&'a WindSource>,
}

impl<'a> Air<'a> {
    pub fn new(settings: &'a Settings, field: Option<&'a WindSource>) -> Option<Self> {
        (settings.wind.is_some() || field.is_some()).then_some(Self { settings, field })
    }

    /// Velocity of the air at a place and time.
    pub fn velocity(&self, place: DVec3, time: f64) -> DVec3 {
        let wind = self
            .settings
            .wind
            .as_ref()
            .map_or(DVec3::ZERO, |wind| wind.velocity(place, time));
        wind + self.field.map_or(DVec3::ZERO, |field| field.velocity(place, time))
    }

    /// What it does to a rod.
    pub fn drag(&self) -> AirDrag {
        self.settings.wind.as_ref().map_or(AirDrag::default(), |wind| wind.drag)
    }

    /// Whether it keeps changing, so that nothing in it rests.
    pub fn is_restless(&self) -> bool {
        let gusty = (self.settings.wind.as_ref()).is_some_and(|wind| wind.speed > 0.0 && wind.wavelength.is_finite());
        gusty || self.field.is_some()
    }
}
