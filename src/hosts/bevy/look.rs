//! How a rod looks, as a component of its entity.

use bevy::prelude::*;

use crate::{
    render::{Caps, TubeOptions},
    rod::RodDescription,
};

/// How a rod is drawn. Every [`Rod`](crate::ecs::Rod) gets one, a hemp rope; put another onto its entity to change that, at any time.
///
/// ```
/// use bevy::prelude::*;
/// use lariat::{hosts::bevy::RodLook, prelude::*};
///
/// fn hang(mut commands: Commands) {
///     let line = Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32);
///     let cable = RodSpec::new(line).material(Material::steel_cable()).radius(0.01).pin(0);
///     commands.spawn((Rod::new(cable), RodLook::cable()));
/// }
/// # use glam::DVec3;
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
pub struct RodLook {
    /// What its surface is.
    pub surface: RodSurface,
    /// The colour of it.
    pub color: Color,
    /// Sides of the tube, 3 to 256.
    pub sides: u32,
    /// Pieces that a segment is divided into along its curve, 1 to 64.
    pub subdivisions: u32,
    /// How the ends are closed.
    pub caps: Caps,
    /// Drawn radius over the rod's own.
    pub radius_scale: f32,
}

/// The surface of a rod. All but the last come with a material of the plugin's, shared by rods that look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RodSurface {
    /// Three strands of yarns, laid to the right.
    Laid,
    /// A plaited sheath, as on climbing ropes.
    Braided,
    /// Six strands of wires: metal.
    Wire,
    /// Nothing to be seen but the colour, dull: rubber, hair, wood.
    Smooth,
    /// A material of your own on the same entity, any `MeshMaterial3d`; the plugin puts none there. UVs as [`TubeMesh`](crate::render::TubeMesh) has them, v in metres.
    Own,
}

impl RodLook {
    /// A surface in a colour.
    pub fn new(surface: RodSurface, color: impl Into<Color>) -> Self {
        Self {
            surface,
            color: color.into(),
            sides: 12,
            subdivisions: 3,
            caps: Caps::Round,
            radius_scale: 1.0,
        }
    }

    /// A hemp rope of three strands.
    pub fn rope() -> Self {
        Self::new(RodSurface::Laid, Color::srgb(0.80, 0.66, 0.44))
    }

    /// A plaited rope.
    pub fn braid(color: impl Into<Color>) -> Self {
        Self::new(RodSurface::Braided, color)
    }

    /// A wire rope.
    pub fn cable() -> Self {
        Self::new(RodSurface::Wire, Color::srgb(0.62, 0.64, 0.67))
    }

    /// A surface without a pattern.
    pub fn smooth(color: impl Into<Color>) -> Self {
        Self::new(RodSurface::Smooth, color)
    }

    /// With a material of your own.
    pub fn own() -> Self {
        Self::new(RodSurface::Own, Color::WHITE)
    }

    /// Sets sides and pieces a segment: more where the camera comes near, less where there are many.
    pub fn detail(mut self, sides: u32, subdivisions: u32) -> Self {
        self.sides = sides;
        self.subdivisions = subdivisions;
        self
    }

    /// Sets how the ends are closed.
    pub fn caps(mut self, caps: Caps) -> Self {
        self.caps = caps;
        self
    }

    /// The tube that it makes of a rod. The pattern is as large as the rod is thick.
    pub(super) fn tube(&self, rod: &RodDescription) -> TubeOptions {
        // In the middle of the description: ends may be tapered.
        let radius = (rod.vertices().get(rod.vertices().len() / 2)).map_or(1.0, |vertex| vertex.radius as f32);
        TubeOptions {
            sides: self.sides,
            subdivisions: self.subdivisions,
            caps: self.caps,
            texture_length: match self.surface.lay() {
                Some(lay) => lay * radius * self.radius_scale,
                None => 1.0,
            },
            radius_scale: self.radius_scale,
        }
    }
}

impl Default for RodLook {
    fn default() -> Self {
        Self::rope()
    }
}

impl RodSurface {
    /// Length that the pattern repeats on, over the radius.
    fn lay(self) -> Option<f32> {
        match self {
            // Ropemakers lay three strands at some 3.5 diameters a turn, wires longer.
            Self::Laid => Some(LAID),
            Self::Wire => Some(WIRE),
            // As long as it is around: the threads cross at right angles.
            Self::Braided => Some(std::f32::consts::TAU),
            Self::Smooth | Self::Own => None,
        }
    }
}

pub(super) const LAID: f32 = 7.0;
pub(super) const WIRE: f32 = 12.0;
