//! How a rod is put into a world, and why one is not.

use glam::{DQuat, DVec3, Vec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    hair::HairCollision,
    layers::CollisionLayers,
    scales::{is_gravity_scale, is_wind_scale},
};
use crate::{
    rod::{RodDescription, Topology},
    solver::{Solver, Unsupported},
};

/// How a rod is put into a world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RodOptions {
    /// What moves it.
    pub solver: Solver,
    /// Where its first vertex goes, relative to its description, m.
    pub translation: DVec3,
    /// How it is turned, about its first vertex.
    pub rotation: DQuat,
    /// Velocity of every free vertex, m/s.
    pub velocity: Vec3,
    /// Linear drag, 1/s: velocity falls as `e^{−ct}`.
    pub drag: f32,
    /// How much of the world's gravity it feels: 1 is all of it, 0 none, below zero it rises.
    pub gravity_scale: f32,
    /// How much of the air's force it feels: 1 is all of it, 0 none.
    pub wind_scale: f32,
    /// What it may touch.
    pub layers: CollisionLayers,
    /// How it meets others of its kind: exactly, or on a grid.
    pub hair: HairCollision,
}

impl Default for RodOptions {
    fn default() -> Self {
        Self {
            solver: Solver::default(),
            translation: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: Vec3::ZERO,
            drag: 0.0,
            gravity_scale: 1.0,
            wind_scale: 1.0,
            layers: CollisionLayers::default(),
            hair: HairCollision::default(),
        }
    }
}

/// Why a rod was not put in.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InsertError {
    /// Not a finite number, or negative where that makes no sense.
    #[error("`{field}` of the rod's options is not usable: {value}")]
    BadOption {
        /// Which.
        field: &'static str,
        /// What it is.
        value: String,
    },
    /// The described numbers do not fit the single precision that rods move in.
    #[error("`{field}` of element {index} is {value:e}, beyond what single precision can hold")]
    Magnitude {
        /// Which.
        field: &'static str,
        /// Of which vertex, segment or joint.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// The solver that was chosen does not know such rods.
    #[error("generalized-α can't move this rod: {0}")]
    Unsupported(#[from] Unsupported),
    /// The solver can't move rods of that kind.
    #[error("{solver:?} does not move rods whose topology is {topology:?}")]
    Topology {
        /// Of the options.
        solver: Solver,
        /// Of the rod.
        topology: Topology,
    },
}

impl RodOptions {
    pub(super) fn validate(&self) -> Result<(), InsertError> {
        let bad = |field, value: String| Err(InsertError::BadOption { field, value });
        if !(self.translation.is_finite() && self.translation.abs().max_element() < LARGEST) {
            return bad("translation", self.translation.to_string());
        }
        let size = self.rotation.length_squared();
        if !size.is_finite() || size < 1e-12 {
            return bad("rotation", self.rotation.to_string());
        }
        if !(self.velocity.is_finite() && f64::from(self.velocity.abs().max_element()) < LARGEST) {
            return bad("velocity", self.velocity.to_string());
        }
        if !(self.drag.is_finite() && self.drag >= 0.0) {
            return bad("drag", self.drag.to_string());
        }
        if !is_gravity_scale(self.gravity_scale) {
            return bad("gravity_scale", self.gravity_scale.to_string());
        }
        if !is_wind_scale(self.wind_scale) {
            return bad("wind_scale", self.wind_scale.to_string());
        }
        if let Solver::GeneralizedAlpha { rho } = self.solver
            && let Some((field, value)) = rho.fault()
        {
            return bad(field, value.to_string());
        }
        Ok(())
    }
}

/// Largest number that enters the solver: its square is still a single-precision number.
const LARGEST: f64 = 1e18;
/// Smallest mass, length or stiffness above zero: its inverse square is still one.
const SMALLEST: f64 = 1e-18;

/// Whether single precision can hold the numbers of a rod.
pub(super) fn fits(rod: &RodDescription) -> Result<(), InsertError> {
    let check = |field, index, value: f64| {
        let size = value.abs();
        if size > LARGEST || (size > 0.0 && size < SMALLEST) {
            return Err(InsertError::Magnitude { field, index, value });
        }
        Ok(())
    };
    let start = rod.vertices()[0].position;
    for (i, v) in rod.vertices().iter().enumerate() {
        let away = (v.position - start).length();
        check("position", i, away.max(SMALLEST))?;
        check("mass", i, v.mass)?;
    }
    for (i, s) in rod.segments().iter().enumerate() {
        check("rest_length", i, s.rest_length)?;
        check("axial", i, s.axial)?;
        check("axial over rest_length", i, s.axial / s.rest_length)?;
        check("shear over rest_length", i, s.shear / s.rest_length)?;
        check("relaxation", i, s.relaxation)?;
    }
    for (i, j) in rod.joints().iter().enumerate() {
        for rigidity in [j.bending[0], j.bending[1], j.torsion] {
            check("bending or torsion over length", i, rigidity / j.length)?;
        }
        check("relaxation", i, j.relaxation)?;
    }
    for (i, c) in rod.clamps().iter().enumerate() {
        for rigidity in [c.bending[0], c.bending[1], c.torsion] {
            check("bending or torsion of a clamp over length", i, rigidity / c.length)?;
        }
        check("relaxation of a clamp", i, c.relaxation)?;
    }
    Ok(())
}
