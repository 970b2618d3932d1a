//! Ties to bodies of avian3d, and its colliders to touch, in apps of Bevy.
//!
//! Rods run between avian's `Prepare` and `StepSimulation`, in the same schedule and with the same time: they read the bodies that something is tied to or touches, solve with them, and
//! give each its impulse. As with rapier, what goes against gravity is given as an acceleration over avian's substeps, and only the rest at once: a weight that hangs still
//! stays still in all of them, and body and rope end the step at the same place.
//!
//! Kinematic bodies go where their velocities say; one whose `Transform` is set by hand jumps there. Axes of translation that are locked one by one are not known to the
//! rods; all three locked, and any axis of rotation, are.
//!
//! Rods touch all of avian's colliders but sensors: of static bodies, of kinematic ones, which take rods along, of dynamic ones, which rods push back, and those without a body. Shapes are shared, not copied. A
//! collider's friction is its dynamic coefficient, or its body's, or avian's default; avian's rules for two colliders do not apply, rods take the geometric mean. Its layers are those of
//! [`RodLayers`](crate::ecs::RodLayers): rods are in the first one, avian's default, unless told otherwise. [`RodTouch`] on the collider's entity makes an exception.

mod colliders;

use avian3d::{
    dynamics::integrator::{VelocityIntegrationData, solve_gyroscopic_torque},
    prelude::{
        AngularVelocity, ComputedAngularInertia, ComputedCenterOfMass, ComputedMass, ConstantAngularAcceleration,
        ConstantForce, ConstantLinearAcceleration, ConstantTorque, Forces, Gravity, GravityScale, LinearVelocity,
        LockedAxes, Physics, PhysicsSystems, PhysicsTime, Position, RigidBody, RigidBodyDisabled, Rotation, Sleeping,
        SubstepCount, WakeBody, WriteRigidBodyForces,
    },
};
use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, query::QueryData, schedule::ScheduleLabel};
use bevy_time::Time;
use glam::{DMat3, DVec3};

use super::{RodTouch, STIRRING, WAKING, lock};
use crate::{
    contact::ContactSettings,
    coupling::{BodyImpulse, BodyState},
    ecs::{RodBodies, RodPlugin, RodSettings, RodSystems, RodTimestep, RodsAsk, SettingsByDefault},
    solver::Settings,
};

/// Rods that touch avian's colliders, and are tied to its bodies by [`Attachment`](crate::ecs::Attachment)s. It brings a [`RodPlugin`] where there is none yet, and turns
/// [contact](crate::solver::Settings::contact) on where the app has no [`RodSettings`] of its own.
///
/// ```no_run
/// use avian3d::prelude::*;
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::{hosts::avian3d::AvianRodPlugin, prelude::*};
///
/// fn lay_a_rope_on_a_crate(mut commands: Commands) {
///     commands.spawn((RigidBody::Static, Collider::cuboid(1.0, 1.0, 1.0)));
///     let line = Shape::line(DVec3::new(-1.0, 0.6, 0.0), DVec3::new(1.0, 0.6, 0.0), 40);
///     commands.spawn(Rod::new(RodSpec::new(line).radius(0.02)));
/// }
///
/// fn hang_a_ball(mut commands: Commands) {
///     let ball = commands
///         .spawn((RigidBody::Dynamic, Collider::sphere(0.15), Position::from_xyz(0.0, -2.15, 0.0)))
///         .id();
///     let line = Shape::line(DVec3::ZERO, DVec3::Y * -2.0, 16);
///     let rope = commands.spawn(Rod::new(RodSpec::new(line).material(Material::hemp_rope()).pin(0))).id();
///     commands.spawn(Attachment::ball(rope, RodPoint::End, ball).anchor(DVec3::Y * 0.15));
/// }
///
/// App::new()
///     .add_plugins((PhysicsPlugins::default(), AvianRodPlugin::default()))
///     .add_systems(Startup, (lay_a_rope_on_a_crate, hang_a_ball))
///     .run();
/// ```
#[derive(Clone, Debug)]
pub struct AvianRodPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    colliders: bool,
}

impl AvianRodPlugin {
    /// For an app whose `PhysicsPlugins` run in this schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            colliders: true,
        }
    }

    /// Rods do not touch avian's colliders, and contact is left as the app has it. Shapes are given to them one by one, as [`RodCollider`](crate::ecs::RodCollider)s.
    pub fn without_colliders(self) -> Self {
        Self {
            colliders: false,
            ..self
        }
    }
}

impl Default for AvianRodPlugin {
    /// In `FixedPostUpdate`, as avian by default.
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl Plugin for AvianRodPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<RodPlugin>() {
            app.add_plugins(RodPlugin::new(self.schedule));
        }
        if self.colliders {
            let unsaid = app.world().contains_resource::<SettingsByDefault>();
            let mut settings = app.world_mut().resource_mut::<RodSettings>();
            if unsaid && settings.0 == Settings::default() {
                settings.contact = Some(ContactSettings::default());
            }
            app.register_type::<RodTouch>().add_systems(
                self.schedule,
                colliders::sync
                    .run_if(colliders::rods_touch)
                    .before(RodSystems::Spawn)
                    .after(PhysicsSystems::Prepare),
            );
        }
        app.init_resource::<Given>()
            .configure_sets(
                self.schedule,
                (
                    RodSystems::Spawn.after(PhysicsSystems::Prepare),
                    RodSystems::Step.run_if(time_passes),
                    RodSystems::Events.before(PhysicsSystems::StepSimulation),
                ),
            )
            .add_systems(
                self.schedule,
                (
                    keep_time.before(RodSystems::Spawn).after(PhysicsSystems::Prepare),
                    read.in_set(RodSystems::Bodies),
                    give_back.in_set(RodSystems::WriteBack).run_if(time_passes),
                ),
            );
    }
}

/// Length of avian's next step, s.
fn next_step(time: &Time, physics: &Time<Physics>) -> f64 {
    match physics.is_paused() {
        true => physics.delta_secs_f64(),
        false => time.delta_secs_f64() * physics.relative_speed_f64(),
    }
}

/// Avian is about to take a step.
fn time_passes(time: Res<Time>, physics: Res<Time<Physics>>) -> bool {
    next_step(&time, &physics) > 0.0
}

/// Rods step as avian does.
fn keep_time(time: Res<Time>, physics: Res<Time<Physics>>, mut timestep: ResMut<RodTimestep>) {
    let next = RodTimestep::every(next_step(&time, &physics) as f32);
    if next.dt() > 0.0 {
        timestep.set_if_neq(next);
    }
}

/// What rods gave to bodies in the last step that these were awake, in the order of their entities, and in the step before.
#[derive(Resource, Debug, Default)]
struct Given {
    now: Vec<(Entity, BodyImpulse)>,
    before: Vec<(Entity, BodyImpulse)>,
}

/// A body, as rods want to know it.
#[derive(QueryData)]
struct Body {
    entity: Entity,
    kind: &'static RigidBody,
    position: &'static Position,
    rotation: &'static Rotation,
    linear_velocity: &'static LinearVelocity,
    angular_velocity: &'static AngularVelocity,
    mass: &'static ComputedMass,
    inertia: &'static ComputedAngularInertia,
    center: &'static ComputedCenterOfMass,
    locked: Option<&'static LockedAxes>,
    gravity_scale: Option<&'static GravityScale>,
    applied: Option<&'static VelocityIntegrationData>,
    force: Option<&'static ConstantForce>,
    torque: Option<&'static ConstantTorque>,
    acceleration: Option<&'static ConstantLinearAcceleration>,
    angular_acceleration: Option<&'static ConstantAngularAcceleration>,
    disabled: Has<RigidBodyDisabled>,
}

/// Stage 3.
fn read(
    mut bodies: ResMut<RodBodies>,
    all: Query<Body, RodsAsk>,
    gravity: Res<Gravity>,
    substeps: Res<SubstepCount>,
    timestep: Res<RodTimestep>,
) {
    for body in &all {
        let still = BodyState {
            center_of_mass: body.center.0.as_dvec3(),
            ..BodyState::fixed(body.position.0.as_dvec3(), body.rotation.0.as_dquat().normalize())
        };
        let state = match body.kind {
            _ if body.disabled => still,
            RigidBody::Static => still,
            RigidBody::Kinematic => BodyState {
                linear_velocity: body.linear_velocity.0.as_dvec3(),
                angular_velocity: body.angular_velocity.0.as_dvec3(),
                ..still
            },
            RigidBody::Dynamic => dynamic(&body, still, &gravity, substeps.0, timestep.dt()),
        };
        bodies.set(body.entity, state);
    }
}

fn dynamic(body: &BodyItem, still: BodyState, gravity: &Gravity, substeps: u32, dt: f32) -> BodyState {
    let (inverse_mass, inverse_inertia) = masses(body.mass, body.inertia, body.rotation, body.locked);
    let before = body.angular_velocity.0;
    let mut after = before;
    solve_gyroscopic_torque(&mut after, body.rotation.0, body.inertia, dt);
    let turning = (after - before).as_dvec3()
        + inverse_inertia * body.torque.map_or(DVec3::ZERO, |torque| torque.0.as_dvec3()) * f64::from(dt)
        + (body.angular_acceleration.map_or(DVec3::ZERO, |a| a.0.as_dvec3())
            + body
                .applied
                .map_or(DVec3::ZERO, |applied| applied.angular_increment.as_dvec3()))
            * f64::from(dt);
    let steps = f64::from(substeps.max(1));
    let falling = gravity.0.as_dvec3() * f64::from(body.gravity_scale.map_or(1.0, |scale| scale.0));
    let pushed = body.force.map_or(DVec3::ZERO, |force| force.0.as_dvec3()) * inverse_mass
        + body.acceleration.map_or(DVec3::ZERO, |a| a.0.as_dvec3())
        + body
            .applied
            .map_or(DVec3::ZERO, |applied| applied.linear_increment.as_dvec3());
    BodyState {
        linear_velocity: body.linear_velocity.0.as_dvec3(),
        // Avian turns the body in n substeps and changes its angular velocity before each: on the way it has this one.
        angular_velocity: before.as_dvec3() + turning * (0.5 * (steps + 1.0) / steps),
        inverse_mass,
        inverse_inertia,
        acceleration: if inverse_mass > 0.0 {
            falling + pushed
        } else {
            DVec3::ZERO
        },
        ..still
    }
}

fn masses(
    mass: &ComputedMass,
    inertia: &ComputedAngularInertia,
    rotation: &Rotation,
    locked: Option<&LockedAxes>,
) -> (f64, DMat3) {
    let locked = locked.copied().unwrap_or_default();
    let turned = inertia.rotated(rotation.0).inverse();
    let inverse = DMat3::from_cols(
        glam::Vec3::new(turned.m00, turned.m01, turned.m02).as_dvec3(),
        glam::Vec3::new(turned.m01, turned.m11, turned.m12).as_dvec3(),
        glam::Vec3::new(turned.m02, turned.m12, turned.m22).as_dvec3(),
    );
    let axes = [
        locked.is_rotation_x_locked(),
        locked.is_rotation_y_locked(),
        locked.is_rotation_z_locked(),
    ];
    let inverse_mass = if locked.is_translation_locked() {
        0.0
    } else {
        mass.inverse().into()
    };
    (inverse_mass, lock(inverse, axes))
}

/// Stage 5.
#[allow(clippy::type_complexity, reason = "a query names all that it reads")]
fn give_back(
    mut commands: Commands,
    bodies: Res<RodBodies>,
    mut given: ResMut<Given>,
    mut all: Query<(
        Forces,
        &ComputedMass,
        &ComputedAngularInertia,
        &Rotation,
        Option<&LockedAxes>,
        Has<Sleeping>,
    )>,
    timestep: Res<RodTimestep>,
) {
    let Given { now, before } = &mut *given;
    std::mem::swap(now, before);
    now.clear();
    let per_second = 1.0 / timestep.dt();
    for (entity, impulse) in bodies.impulses() {
        let Ok((mut forces, mass, inertia, rotation, locked, asleep)) = all.get_mut(entity) else {
            continue;
        };
        let (inverse_mass, inverse_inertia) = masses(mass, inertia, rotation, locked);
        let kept = before.iter().find(|(other, _)| *other == entity);
        let known = kept.map_or(BodyImpulse::default(), |(_, impulse)| *impulse);
        let moved = (impulse.linear - known.linear) * inverse_mass;
        let turned = inverse_inertia * (impulse.angular - known.angular);
        if asleep && moved.length() < WAKING && turned.length() < WAKING {
            now.push((entity, known));
            continue;
        }
        now.push((entity, impulse));
        if asleep {
            commands.queue(WakeBody(entity));
        }
        let (linear, angular) = impulse.sudden();
        let linear = (linear * inverse_mass).as_vec3();
        let angular = (inverse_inertia * angular).as_vec3();
        let steady_linear = (impulse.steady_linear * inverse_mass).as_vec3() * per_second;
        let mut quiet = forces.non_waking();
        *quiet.linear_velocity_mut() += linear;
        *quiet.angular_velocity_mut() += angular;
        let speed = quiet
            .linear_velocity_mut()
            .length()
            .max(quiet.angular_velocity_mut().length());
        if speed > STIRRING as f32 {
            forces.apply_linear_acceleration(steady_linear);
        } else {
            quiet.apply_linear_acceleration(steady_linear);
        }
    }
}
