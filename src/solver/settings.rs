//! The settings of a world.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Wind;
use crate::{contact::ContactSettings, math::lanes::Arithmetic, state::SleepSettings};

/// How a world is stepped. Everything has a default; change what you need.
///
/// ```
/// use lariat::prelude::*;
/// let settings = Settings { substeps: 4, ..Settings::default() };
/// let world = RodWorld::new(settings)?;
/// # Ok::<(), SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// m/s².
    pub gravity: Vec3,
    /// Substeps of a step. One is right for [`Solver::Direct`](super::Solver) at 60 Hz; Stable Cosserat wants several, and XPBD more still.
    pub substeps: u32,
    /// Iterations of a substep: for Direct the most that it may take, for Stable Cosserat the sweeps over positions and orientations (paper 1 uses 4 to 8), for XPBD those over all
    /// constraints.
    pub iterations: u32,
    /// Air that moves. `None` is still air without resistance.
    pub wind: Option<Wind>,
    /// When rods that came to rest stop to cost anything. Off unless asked for: a rod that creeps to its place would be stopped on its way.
    pub sleep: Option<SleepSettings>,
    /// What rods do where they touch. `None`: they pass through everything.
    pub contact: Option<ContactSettings>,
    /// Keep the pose before the last step, for [`RodRef::interpolated_into`](crate::state::RodRef::interpolated_into).
    pub interpolation: bool,
    /// `Some(1)` runs on the calling thread, `Some(n)` on a pool of its own, `None` on rayon's global pool. The result is the same.
    pub threads: Option<usize>,
    /// Fastest, or the same bits on every machine.
    pub arithmetic: Arithmetic,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            substeps: 1,
            iterations: 8,
            wind: None,
            sleep: None,
            contact: None,
            interpolation: false,
            threads: None,
            arithmetic: Arithmetic::default(),
        }
    }
}

/// Most substeps of a step, and most iterations of a substep: beyond it is a typing error.
const MOST: u32 = 1_000_000;
/// Most threads of a pool.
const MOST_THREADS: usize = 1024;

/// What is wrong with [`Settings`], or with the length of a step.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SettingsError {
    /// Not a finite number.
    #[error("`{field}` is not finite")]
    NotFinite {
        /// Which.
        field: &'static str,
    },
    /// Outside what makes sense.
    #[error("`{field}` is {value}, but must be {expected}")]
    OutOfRange {
        /// Which.
        field: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// The pool could not be started.
    #[error("could not start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why not.
        reason: String,
    },
}

impl Settings {
    /// Check every field.
    pub fn validate(&self) -> Result<(), SettingsError> {
        if !self.gravity.is_finite() {
            return Err(SettingsError::NotFinite { field: "gravity" });
        }
        within(
            "substeps",
            self.substeps.into(),
            1.0,
            MOST.into(),
            "from 1 to 1,000,000",
        )?;
        within(
            "iterations",
            self.iterations.into(),
            1.0,
            MOST.into(),
            "from 1 to 1,000,000",
        )?;
        if let Some(threads) = self.threads {
            within("threads", threads as f64, 1.0, MOST_THREADS as f64, "from 1 to 1024")?;
        }
        if let Some(sleep) = &self.sleep {
            within("sleep.speed", sleep.speed.into(), 0.0, 1e6, "from 0 to 1,000,000 m/s")?;
            within("sleep.seconds", sleep.seconds.into(), 1e-6, 1e9, "from 1e-6 to 1e9 s")?;
        }
        if let Some(contact) = &self.contact {
            within(
                "contact.iterations",
                contact.iterations.into(),
                1.0,
                MOST.into(),
                "from 1 to 1,000,000",
            )?;
            let hair = &contact.hair;
            within("contact.hair.cell", hair.cell.into(), 1e-4, 1e3, "from 0.1 mm to 1 km")?;
            within("contact.hair.packing", hair.packing.into(), 1e-9, 1.0, "from 1e-9 to 1")?;
            within("contact.hair.hairs", hair.hairs.into(), 1e-6, 1e9, "from 1e-6 to 1e9")?;
            within(
                "contact.hair.speed",
                hair.speed.into(),
                0.0,
                1e4,
                "from 0 to 10,000 m/s",
            )?;
            within(
                "contact.hair.friction",
                hair.friction.into(),
                0.0,
                1e9,
                "from 0 to 1e9 1/s",
            )?;
        }
        self.wind.as_ref().map_or(Ok(()), Wind::validate)
    }
}

pub(super) fn within(
    field: &'static str,
    value: f64,
    low: f64,
    high: f64,
    expected: &'static str,
) -> Result<(), SettingsError> {
    if !value.is_finite() {
        return Err(SettingsError::NotFinite { field });
    }
    if value < low || value > high {
        return Err(SettingsError::OutOfRange { field, value, expected });
    }
    Ok(())
}
