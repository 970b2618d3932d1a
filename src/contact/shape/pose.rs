//! Where a shape is.

use glam::{DMat3, DQuat, DVec3};

/// Where a shape is: a rigid motion in doubles. The rotation has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The shape's origin, in the world.
    pub position: DVec3,
    /// From the shape's axes to those of the world.
    pub rotation: DQuat,
}

impl Default for Pose {
    fn default() -> Pose {
        Pose {
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
        }
    }
}

impl Pose {
    /// From the shape to the world.
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }

    /// From the world to the shape.
    pub fn inverse_point(&self, world: DVec3) -> DVec3 {
        self.rotation.conjugate() * (world - self.position)
    }

    /// A direction, from the shape to the world.
    pub fn vector(&self, local: DVec3) -> DVec3 {
        self.rotation * local
    }

    /// Something that is placed in this frame, in the world.
    pub fn then(&self, local: &Pose) -> Pose {
        Pose {
            position: self.point(local.position),
            rotation: (self.rotation * local.rotation).normalize(),
        }
    }

    /// How another pose is turned from this one, in the world, rad: the short way.
    pub fn turn_to(&self, other: &Pose) -> DVec3 {
        let turn = other.rotation * self.rotation.conjugate();
        let half = turn.xyz();
        let sine = half.length();
        if sine == 0.0 {
            return DVec3::ZERO;
        }
        half * (2.0 * sine.atan2(turn.w.abs()) / sine * 1.0_f64.copysign(turn.w))
    }

    /// By how much, rad.
    pub fn angle(&self, other: &Pose) -> f64 {
        self.turn_to(other).length()
    }

    /// Part of the way to another pose, at constant speed and turning the short way.
    pub fn lerp(&self, other: &Pose, part: f64) -> Pose {
        Pose {
            position: self.position.lerp(other.position, part),
            rotation: self.rotation.slerp(other.rotation, part).normalize(),
        }
    }

    /// Half extents of the box around a turned box, from the shape to the world.
    pub(super) fn vector_extent(&self, half: DVec3) -> DVec3 {
        DMat3::from_quat(self.rotation).abs() * half
    }

    /// Half extents of the box around a turned box, from the world to the shape.
    pub(super) fn inverse_vector_extent(&self, half: DVec3) -> DVec3 {
        DMat3::from_quat(self.rotation.conjugate()).abs() * half
    }

    /// Of a part in its shape. The rotation is of unit length to `f32` only, and is made so.
    pub(super) fn from_parry(pose: &parry3d::math::Pose) -> Pose {
        Pose {
            position: pose.translation.as_dvec3(),
            rotation: pose.rotation.as_dquat().normalize(),
        }
    }
}
