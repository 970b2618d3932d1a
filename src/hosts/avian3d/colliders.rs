//! Colliders of avian, for rods to touch.
//!
//! Every collider of avian gets a [`RodCollider`] beside it, which shares its shape and follows what its user does to it. Much may change about one, on its own entity and on its body's, and components that go leave
//! no mark: so all of them are looked at before a step and compared with what rods were told. What is the same is left untouched, and costs rods nothing.

use std::sync::Arc;

use avian3d::prelude::{
    Collider, ColliderDisabled, ColliderOf, ColliderTransform, CollisionLayers as AvianLayers, DefaultFriction,
    Friction, Position, RigidBodyDisabled, Rotation, Sensor,
};
use bevy_ecs::{prelude::*, query::QueryData};
use glam::{DQuat, DVec3};

use crate::{
    ecs::{RodCollider, RodColliderOn, RodColliderPose, RodSettings},
    hosts::RodTouch,
    state::CollisionLayers,
};

/// On colliders whose [`RodCollider`] is made here.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct FromAvian;

/// A collider of avian, and what rods were told of it.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Known {
    entity: Entity,
    collider: &'static Collider,
    on: Option<&'static ColliderOf>,
    local: Option<&'static ColliderTransform>,
    position: &'static Position,
    rotation: &'static Rotation,
    friction: Option<&'static Friction>,
    layers: Option<&'static AvianLayers>,
    touch: Option<&'static RodTouch>,
    sensor: Has<Sensor>,
    disabled: Has<ColliderDisabled>,
    told: Option<(&'static mut RodCollider, &'static mut RodColliderPose)>,
    ours: Has<FromAvian>,
}

/// Whether anybody asks for shapes.
pub(super) fn rods_touch(settings: Res<RodSettings>) -> bool {
    settings.contact.is_some()
}

/// Tell rods what came, changed and went.
pub(super) fn sync(
    mut commands: Commands,
    mut all: Query<Known>,
    bodies: Query<(Option<&Friction>, Has<RigidBodyDisabled>)>,
    usual: Res<DefaultFriction>,
    left: Query<Entity, (With<FromAvian>, Without<Collider>)>,
) {
    for mut one in &mut all {
        // A shape of the user's own.
        if one.told.is_some() && !one.ours {
            continue;
        }
        let body = one.on.map(|on| on.body);
        let (body_friction, body_disabled) = body.and_then(|body| bodies.get(body).ok()).unwrap_or_default();
        let touch = one.touch.copied().unwrap_or_default();
        if touch == RodTouch::Never || one.sensor || one.disabled || body_disabled {
            if one.ours {
                commands.entity(one.entity).remove::<(RodCollider, FromAvian)>();
            }
            continue;
        }
        let layers = one.layers.copied().unwrap_or_default();
        let friction = one.friction.or(body_friction).unwrap_or(&usual.0);
        let now = RodCollider {
            shape: one.collider.shape_scaled().clone(),
            on: match body {
                Some(body) if body == one.entity => RodColliderOn::Itself,
                Some(body) => RodColliderOn::Body(body),
                None => RodColliderOn::World,
            },
            touches_tied: touch == RodTouch::All,
            friction: friction.dynamic_coefficient.into(),
            layers: CollisionLayers {
                member_of: layers.memberships.0,
                collides_with: layers.filters.0,
            },
        };
        let pose = match (body, one.local) {
            (Some(_), Some(local)) => pose(local.translation, local.rotation),
            (Some(_), None) => RodColliderPose::default(),
            (None, _) => pose(one.position.0, one.rotation.0),
        };
        match &mut one.told {
            Some((told, told_pose)) => {
                told_pose.set_if_neq(pose);
                if !is_same(told, &now) {
                    **told = now;
                }
            }
            None => {
                commands.entity(one.entity).insert((now, pose, FromAvian));
            }
        }
    }
    for entity in &left {
        commands.entity(entity).remove::<(RodCollider, FromAvian)>();
    }
}

fn pose(position: glam::Vec3, rotation: glam::Quat) -> RodColliderPose {
    RodColliderPose {
        position: DVec3::from(position),
        rotation: DQuat::normalize(rotation.as_dquat()),
    }
}

/// Shapes are the same where they are one and the same: avian makes another when it is changed.
fn is_same(a: &RodCollider, b: &RodCollider) -> bool {
    Arc::ptr_eq(&a.shape.0, &b.shape.0)
        && a.on == b.on
        && a.touches_tied == b.touches_tied
        && a.friction == b.friction
        && a.layers == b.layers
}
