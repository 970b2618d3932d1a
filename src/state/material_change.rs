//! Another material, thickness or load on a rod that moves: shape and velocity stay, forces follow the new numbers.
//!
//! The description is resolved again and put under the rod, which moves to another block if its kind changed. So these cost time in proportion to the rod.

use std::sync::Arc;

use thiserror::Error;

use super::{
    insert::{InsertError, fits},
    world::{RodId, RodWorld},
};
use crate::rod::{BreakLimit, Material, Place, RodDescription, RodError, RodParts, Stiffness, Yield};

/// Why a rod was not changed. It is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ChangeError {
    /// No such rod.
    #[error("there is no such rod")]
    Missing,
    /// The rod is frozen after it went non-finite.
    #[error("the rod is quarantined")]
    Quarantined,
    /// The result would not be a rod.
    #[error(transparent)]
    Rod(#[from] RodError),
    /// The result would not fit single precision.
    #[error(transparent)]
    Magnitude(#[from] InsertError),
}

type Answer = Result<(), ChangeError>;

impl RodWorld {
    /// Make a rod of another material: stiffness, own mass, damping and friction, over the section that it has. Loads stay, and so do the strains at which it
    /// breaks and yields.
    ///
    /// ```
    /// use glam::DVec3;
    /// use lariat::prelude::*;
    ///
    /// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 16)).pin(0).build()?;
    /// let mut world = RodWorld::default();
    /// let id = world.insert(rope)?;
    /// world.step(1.0 / 60.0)?;
    /// world.set_material(id, &Material::steel_cable())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_material(&mut self, id: RodId, material: &Material) -> Answer {
        let topology = self.rod(id).ok_or(ChangeError::Missing)?.description().topology();
        self.change(id, |parts| parts.set_material(material, topology))
    }

    /// Change the stiffness of a rod and nothing else. Moduli are those of a solid bar.
    pub fn set_stiffness(&mut self, id: RodId, stiffness: Stiffness) -> Answer {
        self.change(id, |parts| parts.set_stiffness(stiffness))
    }

    /// Make a rod thicker or thinner, m: EA, GA and its own mass go with the square, EI and GJ with the fourth power. The radius is that of the disc of
    /// the section's area where the rod is not tapered.
    pub fn set_radius(&mut self, id: RodId, radius: f64) -> Answer {
        self.change(id, |parts| parts.set_radius(radius))
    }

    /// Change the friction of a rod's surface.
    pub fn set_friction(&mut self, id: RodId, friction: f64) -> Answer {
        self.change(id, |parts| {
            parts.friction = friction;
            Ok(())
        })
    }

    /// Change when the segments of a rod break. What is broken stays so.
    pub fn set_break_at(&mut self, id: RodId, limit: BreakLimit) -> Answer {
        self.change(id, |parts| parts.set_break_at(limit))
    }

    /// Change when a rod yields. What has flowed stays so. A stress is turned into strain by EA over the section's area.
    pub fn set_yield(&mut self, id: RodId, limit: Yield) -> Answer {
        self.change(id, |parts| parts.set_yield(limit))
    }

    /// Tie a mass (kg) to a vertex of a rod in the place of what was tied to it. It joins with the velocity of the vertex.
    pub fn set_load(&mut self, id: RodId, vertex: u32, load: f64) -> Answer {
        self.change(id, |parts| parts.set_load(vertex, load))
    }

    fn change(&mut self, id: RodId, change: impl FnOnce(&mut RodParts) -> Result<(), RodError>) -> Answer {
        let mut lifted = self.lift(id).ok_or(ChangeError::Missing)?;
        if lifted.resident.quarantined {
            return Err(ChangeError::Quarantined);
        }
        let mut parts = lifted.parts();
        change(&mut parts)?;
        // A vertex that was described as pinned may have been let go.
        let free = parts.vertices.iter().zip(&lifted.vertices);
        if let Some(massless) = free.clone().position(|(v, state)| v.mass <= 0.0 && state.free > 0.0) {
            let at = Place::item("vertices[].mass", massless);
            return Err(RodError::Massless { at }.into());
        }
        let description = RodDescription::new(parts)?;
        fits(&description)?;
        lifted.resident.description = Arc::new(description);
        // Forces may jump: BDF2 would carry some of the old ones on.
        lifted.history_step = 0.0;
        lifted.rouse();
        self.put_down(id, &lifted).ok_or(ChangeError::Missing)
    }
}
