//! The left mouse button takes hold of what is under it, a rope or a body, and drags it about.

use avian3d::prelude::{
    Forces, ReadRigidBodyForces, RigidBody, SpatialQuery, SpatialQueryFilter, WriteRigidBodyForces,
};
use bevy::prelude::*;
use lariat::prelude::*;

use super::Stage;

/// The most that a hand pulls with, N, and how hard it pulls a body for each metre and kilogram.
const STRENGTH: f64 = 400.0;
const SPRING: f32 = 60.0;

/// What the hand holds, and how far from the camera.
#[derive(Resource, Default)]
struct Hand {
    held: Option<(Held, f32)>,
}

enum Held {
    /// The entity of a tie.
    Rope(Entity),
    /// A body, and where on it.
    Body(Entity, Vec3),
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Hand>()
        .add_systems(Update, (take, drag_rope).chain());
    if app.world().resource::<Stage>().bodies {
        app.add_systems(Update, take_body.after(take))
            .add_systems(FixedUpdate, drag_body);
    }
}

/// What the mouse points at.
pub fn ray(window: &Query<&Window>, camera: &Query<(&Camera, &GlobalTransform)>) -> Option<Ray3d> {
    let (camera, place) = camera.single().ok()?;
    camera
        .viewport_to_world(place, window.single().ok()?.cursor_position()?)
        .ok()
}

fn take(
    mut commands: Commands,
    mut hand: ResMut<Hand>,
    buttons: Res<ButtonInput<MouseButton>>,
    rods: Res<Rods>,
    window: Query<&Window>,
    camera: Query<(&Camera, &GlobalTransform)>,
) {
    if buttons.just_released(MouseButton::Left)
        && let Some((Held::Rope(tie), _)) = hand.held.take()
    {
        commands.entity(tie).try_despawn();
    }
    let Some(ray) = ray(&window, &camera).filter(|_| buttons.just_pressed(MouseButton::Left)) else {
        return;
    };
    if let Some((hit, distance)) = pointed_at(&rods, ray)
        && let Some(rope) = rods.entity(hit.rod)
    {
        let tie = commands
            .spawn(Attachment::grab(rope, place(&hit), hit.center, STRENGTH))
            .id();
        hand.held = Some((Held::Rope(tie), distance));
    }
}

fn drag_rope(
    hand: Res<Hand>,
    mut ties: Query<&mut Attachment>,
    window: Query<&Window>,
    camera: Query<(&Camera, &GlobalTransform)>,
) {
    if let Some((Held::Rope(tie), distance)) = hand.held
        && let Ok(mut tie) = ties.get_mut(tie)
        && let Some(ray) = ray(&window, &camera)
    {
        *tie = tie.anchor(ray.get_point(distance).as_dvec3());
    }
}

fn take_body(
    mut hand: ResMut<Hand>,
    buttons: Res<ButtonInput<MouseButton>>,
    world: SpatialQuery,
    bodies: Query<(&RigidBody, &GlobalTransform)>,
    window: Query<&Window>,
    camera: Query<(&Camera, &GlobalTransform)>,
) {
    if buttons.just_released(MouseButton::Left) {
        hand.held = None;
    }
    let free = hand.held.is_none() && buttons.just_pressed(MouseButton::Left);
    let Some(ray) = ray(&window, &camera).filter(|_| free) else {
        return;
    };
    let filter = SpatialQueryFilter::default();
    if let Some(hit) = world.cast_ray(ray.origin, ray.direction, 200.0, true, &filter)
        && let Ok((RigidBody::Dynamic, place)) = bodies.get(hit.entity)
    {
        let point = ray.get_point(hit.distance);
        let on_body = place.affine().inverse().transform_point3(point);
        hand.held = Some((Held::Body(hit.entity, on_body), hit.distance));
    }
}

/// A spring with damping, as strong as the body is heavy.
fn drag_body(
    hand: Res<Hand>,
    mut bodies: Query<(Forces, &GlobalTransform, &avian3d::prelude::ComputedMass)>,
    window: Query<&Window>,
    camera: Query<(&Camera, &GlobalTransform)>,
) {
    if let Some((Held::Body(body, on_body), distance)) = hand.held
        && let Ok((mut forces, place, mass)) = bodies.get_mut(body)
        && let Some(ray) = ray(&window, &camera)
    {
        let point = place.transform_point(on_body);
        let way = ray.get_point(distance) - point;
        let velocity = forces.velocity_at_point(point);
        let pull = mass.value() * (SPRING * way - 2.0 * SPRING.sqrt() * velocity);
        forces.apply_force_at_point(pull, point);
    }
}

/// The rope that a ray comes to first, and how far away. Ropes are thin and hands are not: what passes within a few centimetres will do.
pub fn pointed_at(rods: &Rods, ray: Ray3d) -> Option<(RodHit, f32)> {
    (1..600).map(|k| 0.05 * k as f32).find_map(|distance| {
        let place = ray.get_point(distance).as_dvec3();
        rods.nearest_point(place, 0.04, |_| true).map(|hit| (hit, distance))
    })
}

/// Where on its rod.
pub fn place(hit: &RodHit) -> RodPoint {
    RodPoint::Segment {
        segment: hit.segment as u32,
        along: hit.along,
    }
}
