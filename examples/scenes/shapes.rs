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
    /// What it weighs, kg: it is then a body that falls and that rods push. Without, it stays where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Of a body, how it starts, m/s.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub velocity: DVec3,
}

fn is_zero(v: &DVec3) -> bool {
    *v == DVec3::ZERO
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

impl Kind {
    /// As parry3d has it.
    pub fn shape(self) -> SharedShape {
        match self {
            Kind::Ground => SharedShape::halfspace(Vector::Y),
            Kind::Ball { radius } => SharedShape::ball(radius as f32),
            Kind::Box { size } => {
                let [x, y, z] = (0.5 * size).as_vec3().to_array();
                SharedShape::cuboid(x, y, z)
            }
            Kind::Bar { length, radius } => SharedShape::capsule_z(0.5 * length as f32, radius as f32),
        }
    }
}

fn default_friction() -> f64 {
    0.5
}

impl SceneShape {
    /// A shape that stays where it is.
    pub fn new(kind: Kind, position: DVec3, friction: f64) -> Self {
        Self {
            kind,
            position,
            rotation: DQuat::IDENTITY,
            friction,
            mass: None,
            velocity: DVec3::ZERO,
        }
    }

    /// Level ground at a height.
    pub fn ground(height: f64, friction: f64) -> Self {
        Self::new(Kind::Ground, DVec3::Y * height, friction)
    }

    /// A bar along z.
    pub fn bar(position: DVec3, length: f64, radius: f64, friction: f64) -> Self {
        Self::new(Kind::Bar { length, radius }, position, friction)
    }

    /// A ball that stands where it is.
    pub fn ball(position: DVec3, radius: f64, friction: f64) -> Self {
        Self::new(Kind::Ball { radius }, position, friction)
    }

    /// A ball that weighs so much, and how fast it starts.
    pub fn thrown_ball(position: DVec3, radius: f64, friction: f64, mass: f64, velocity: DVec3) -> Self {
        Self {
            mass: Some(mass),
            velocity,
            ..Self::new(Kind::Ball { radius }, position, friction)
        }
    }

    /// The collider that it becomes, where it starts.
    pub fn collider(&self) -> Result<Collider, ColliderError> {
        Ok(Collider::new(self.kind.shape())
            .at(self.position)
            .turned(self.rotation)
            .friction(self.friction))
    }
}
