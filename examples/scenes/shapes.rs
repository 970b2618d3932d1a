//! Shapes in a scene for rods to touch.

use glam::{DQuat, DVec3};
use lariat::{contact::Collider, prelude::ColliderError};
use parry3d::{math::Vector, shape::SharedShape};
use serde::{Deserialize, Serialize};

/// A shape that rods touch, and where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneShape {
    /// What it is.
    pub kind: Kind,
    /// Where its middle is, m.
    #[serde(default)]
    pub position: DVec3,
    /// How it is turned.
    #[serde(default)]
    pub rotation: DQuat,
    /// Coefficient of friction.
    #[serde(default = "default_friction")]
    pub friction: f64,
}

/// The kinds of shapes that a file can name; all lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    /// Everything below a level plane.
    Ground,
    /// A ball.
    Ball {
        /// Its radius.
        radius: f64,
    },
    /// A box.
    Box {
        /// Its three lengths.
        size: DVec3,
    },
    /// A bar with round ends, along z.
    Bar {
        /// Without the ends.
        length: f64,
        /// Its radius.
        radius: f64,
    },
}

fn default_friction() -> f64 {
    0.5
}

impl SceneShape {
    /// Level ground at a height.
    pub fn ground(height: f64, friction: f64) -> Self {
        Self {
            kind: Kind::Ground,
            position: DVec3::Y * height,
            rotation: DQuat::IDENTITY,
            friction,
        }
    }

    /// A bar along z.
    pub fn bar(position: DVec3, length: f64, radius: f64, friction: f64) -> Self {
        Self {
            kind: Kind::Bar { length, radius },
            position,
            rotation: DQuat::IDENTITY,
            friction,
        }
    }

    /// A ball.
    pub fn ball(position: DVec3, radius: f64, friction: f64) -> Self {
        Self {
            kind: Kind::Ball { radius },
            position,
            rotation: DQuat::IDENTITY,
            friction,
        }
    }

    /// The collider that it becomes.
    pub fn collider(&self) -> Result<Collider, ColliderError> {
        let shape = match self.kind {
            Kind::Ground => SharedShape::halfspace(Vector::Y),
            Kind::Ball { radius } => SharedShape::ball(radius as f32),
            Kind::Box { size } => {
                let [x, y, z] = (0.5 * size).as_vec3().to_array();
                SharedShape::cuboid(x, y, z)
            }
            Kind::Bar { length, radius } => SharedShape::capsule_z(0.5 * length as f32, radius as f32),
        };
        Ok(Collider::new(shape)
            .at(self.position)
            .turned(self.rotation)
            .friction(self.friction))
    }
}
