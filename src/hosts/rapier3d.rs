//! Ties to bodies of rapier3d, and its colliders to touch, without Bevy.
//!
//! Rods go first: they read the bodies, solve with them, and give each its impulse; then rapier takes its step of the same length. Rapier moves its bodies in
//! several small steps (`num_solver_iterations`, four of them) and adds gravity in each. Had a rope's whole impulse been given at the start, a weight that hangs still
//! would rise and fall again within every frame, and end it a millimetre from its rope, `g dt² (n − 1)/2n`. So the part that goes against gravity is lent to the body as a force
//! for that one step, spread as gravity is, and only what changes the motion is given at once. Body and rope then end the frame at the same place, for any number of small steps.
//!
//! What rapier turns a body with by itself (gyroscopic effects, torques of the user) is foreseen to the first order of the step. Damping comes at the end of a step of
//! rapier and is seen by the rods in the next. Axes of translation that are locked one by one are not known to the rods; all three locked, and any axis of rotation, are.
//! Links of a multibody take no impulses: tie to bodies that are joined by impulse joints instead.
//!
//! A blow moves a body within rapier's step, and its rope hears of it in the next: for one frame they are apart by what the blow changed of the speed, times the frame. Where light
//! bodies on ropes are hit by heavy ones, step both more often.
//!
//! While [contact](crate::solver::Settings::contact) is on, rods touch all of rapier's colliders but sensors and those of soft bodies: of fixed bodies, of kinematic ones, which take rods along, of dynamic ones,
//! which rods push back, and those without a body. Shapes are shared, not copied. A collider's friction is its coefficient; rapier's rules for two colliders do not apply, rods take the geometric mean. Its groups are the
//! layers of [`CollisionLayers`](crate::state::CollisionLayers): rods are in group 1 unless told otherwise.

mod colliders;

use glam::{DMat3, DQuat, DVec3};
use rapier3d::prelude::{
    ColliderHandle, ColliderSet, IntegrationParameters, LockedAxes, PhysicsWorld, Pose, RigidBody, RigidBodyHandle,
    RigidBodySet, RigidBodyType, Rotation, Vector,
};

use self::colliders::Shapes;
use super::{RodTouch, STIRRING, WAKING, lock};
use crate::{
    contact::{ColliderError, ColliderId},
    coupling::{BodyId, BodyImpulse, BodyState, HostBodies},
    solver::SettingsError,
    state::{RodWorld, StepReport},
};

impl From<RigidBodyHandle> for BodyId {
    fn from(handle: RigidBodyHandle) -> Self {
        let (index, generation) = handle.into_raw_parts();
        Self(u64::from(generation) << 32 | u64::from(index))
    }
}

impl From<BodyId> for RigidBodyHandle {
    fn from(BodyId(bits): BodyId) -> Self {
        Self::from_raw_parts(bits as u32, (bits >> 32) as u32)
    }
}

/// Couples rods to bodies of rapier, frame by frame. Keep one beside every world of rapier.
///
/// ```
/// use glam::DVec3;
/// use lariat::{hosts::rapier3d::RapierHost, prelude::*};
/// use rapier3d::prelude::*;
///
/// let mut physics = PhysicsWorld::new();
/// let ball = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, -2.15, 0.0));
/// let (ball, _) = physics.insert(ball, ColliderBuilder::ball(0.15).mass(100.0));
///
/// let mut rods = RodWorld::default();
/// let rope = RodSpec::new(lariat::rod::Shape::line(DVec3::ZERO, DVec3::Y * -2.0, 16))
///     .material(Material::hemp_rope())
///     .radius(0.01)
///     .pin(0)
///     .build()?;
/// let rope = rods.insert(rope)?;
/// let top = TieTo::Body { body: ball.into(), anchor: DVec3::Y * 0.15 };
/// rods.attach(AttachmentSpec::ball(rope, RodPoint::End, top))?;
///
/// let mut host = RapierHost::default();
/// for _ in 0..60 {
///     host.step(&mut rods, &mut physics)?; // Rods and bodies, one frame.
/// }
/// assert!((physics.bodies[ball].translation().y + 2.15).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Ropes lie on rapier's colliders, and are hit by them, as soon as rods touch at all:
///
/// ```
/// use glam::DVec3;
/// use lariat::{hosts::rapier3d::RapierHost, prelude::*};
/// use rapier3d::prelude::*;
///
/// let mut physics = PhysicsWorld::new();
/// physics.colliders.insert(ColliderBuilder::cuboid(0.2, 0.5, 0.2)); // A post,
/// let settings = Settings { contact: Some(ContactSettings::default()), ..Settings::default() };
/// let mut rods = RodWorld::new(settings)?;
/// let line = lariat::rod::Shape::line(DVec3::new(-1.0, 0.6, 0.0), DVec3::new(1.0, 0.6, 0.0), 40);
/// let limp = Material::rigidity(1e4, 1e4, 0.01, 0.01, 0.5);
/// let rope = rods.insert(RodSpec::new(line).material(limp).radius(0.01).build()?)?; // and a rope that falls over it.
///
/// let mut host = RapierHost::default();
/// for _ in 0..60 {
///     host.step(&mut rods, &mut physics)?;
/// }
/// let rope = rods.rod(rope).ok_or("the rope is gone")?;
/// assert!(rope.position(20).y > 0.5 && rope.position(0).y < 0.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A program that keeps rapier's sets by itself does the same in four calls: [`sync_colliders`](Self::sync_colliders), [`step_rods`](Self::step_rods), `PhysicsPipeline::step`, and
/// [`take_back`](Self::take_back). One that goes back in time keeps a clone of this beside its snapshot of the rods, and puts both back.
#[derive(Clone, Debug, Default)]
pub struct RapierHost {
    /// Forces that bodies have for this step alone.
    lent: Vec<Loan>,
    /// What rods gave to bodies in the last step that these were awake, in the order of their names, and in the step before.
    given: Vec<(BodyId, BodyImpulse)>,
    before: Vec<(BodyId, BodyImpulse)>,
    shapes: Shapes,
}

/// What a body has for a step alone: its force before, and with the loan.
#[derive(Clone, Copy, Debug)]
struct Loan {
    body: RigidBodyHandle,
    own: Vector,
    with: Vector,
}

impl RapierHost {
    /// One frame of rods and bodies, as long as `physics.integration_parameters.dt`. When the rods refuse that length, nothing is stepped.
    pub fn step(&mut self, rods: &mut RodWorld, physics: &mut PhysicsWorld) -> Result<StepReport, SettingsError> {
        self.sync_colliders(rods, &physics.colliders);
        let report = self.step_rods(
            rods,
            &mut physics.bodies,
            physics.gravity,
            &physics.integration_parameters,
        )?;
        physics.step();
        self.take_back(&mut physics.bodies);
        Ok(report)
    }

    /// Let rods touch rapier's colliders as they are now: those that came are put in, those that changed are changed or moved, those that went are taken out. Nothing is done while
    /// [contact](crate::solver::Settings::contact) is off.
    pub fn sync_colliders(&mut self, rods: &mut RodWorld, colliders: &ColliderSet) {
        if rods.settings().contact.is_some() {
            self.shapes.tell(rods, colliders);
        }
    }

    /// Which rods touch a collider, from the next step on, as long as the collider is there.
    pub fn set_touch(&mut self, collider: ColliderHandle, touch: RodTouch) {
        self.shapes.set_rule(collider, touch);
    }

    /// What a collider of rapier is called among the rods, as in [`Contact::other`](crate::contact::Contact::other). `None` when rods do not know it.
    pub fn collider(&self, collider: ColliderHandle) -> Option<ColliderId> {
        self.shapes.id(collider)
    }

    /// The collider of rapier that rods call so. `None` when it is not one of rapier's.
    pub fn handle(&self, collider: ColliderId) -> Option<ColliderHandle> {
        self.shapes.handle(collider)
    }

    /// Colliders that rods refused, and why: they are tried again when they change.
    pub fn refused(&self) -> impl Iterator<Item = (ColliderHandle, &ColliderError)> {
        self.shapes.refused()
    }

    /// Step the rods, and give the bodies what rods do to them. Rapier's own step, of the same gravity and parameters, comes next.
    pub fn step_rods(
        &mut self,
        rods: &mut RodWorld,
        bodies: &mut RigidBodySet,
        gravity: Vector,
        parameters: &IntegrationParameters,
    ) -> Result<StepReport, SettingsError> {
        self.take_back(bodies);
        std::mem::swap(&mut self.given, &mut self.before);
        self.given.clear();
        rods.step_with(
            parameters.dt,
            &mut RapierBodies {
                bodies,
                gravity,
                parameters,
                host: self,
            },
        )
    }

    /// Take the forces of this step from the bodies again, after rapier's step.
    pub fn take_back(&mut self, bodies: &mut RigidBodySet) {
        for Loan { body, own, with } in self.lent.drain(..) {
            if let Some(body) = bodies.get_mut(body) {
                // What was added meanwhile stays; where nothing was, exactly what the user had.
                let added = body.user_force() - with;
                body.reset_forces(false);
                body.add_force(own + added, false);
            }
        }
    }
}

/// The bodies of rapier during a step of the rods.
struct RapierBodies<'a> {
    bodies: &'a mut RigidBodySet,
    gravity: Vector,
    parameters: &'a IntegrationParameters,
    host: &'a mut RapierHost,
}

impl HostBodies for RapierBodies<'_> {
    fn body(&self, id: BodyId) -> Option<BodyState> {
        let body = self.bodies.get(id.into())?;
        let center_of_mass = vector(body.local_center_of_mass());
        let pose = body.position();
        let still = BodyState {
            center_of_mass,
            ..BodyState::fixed(vector(pose.translation), rotation(pose.rotation))
        };
        if !body.is_enabled() {
            return Some(still);
        }
        let dt = f64::from(self.parameters.dt);
        Some(match body.body_type() {
            RigidBodyType::Dynamic => self.dynamic(body, still),
            RigidBodyType::KinematicPositionBased => led(still, body.next_position(), dt),
            RigidBodyType::KinematicVelocityBased => BodyState {
                linear_velocity: vector(body.linvel()),
                angular_velocity: vector(body.angvel()),
                ..still
            },
            // Fixed ones; and the frames of soft bodies, which follow their particles.
            _ => still,
        })
    }

    fn apply(&mut self, id: BodyId, impulse: BodyImpulse) {
        let before = (self.host.before).binary_search_by_key(&id, |(id, _)| *id);
        let Some(body) = self.bodies.get_mut(id.into()) else {
            return;
        };
        let (inverse_mass, inverse_inertia) = masses(body);
        if body.is_sleeping() {
            let known = before.ok().and_then(|at| self.host.before.get(at));
            let known = known.map_or(BodyImpulse::default(), |(_, impulse)| *impulse);
            let moved = (impulse.linear - known.linear) * inverse_mass;
            let turned = inverse_inertia * (impulse.angular - known.angular);
            if moved.length() < WAKING && turned.length() < WAKING {
                self.host.given.push((id, known));
                return;
            }
            body.wake_up(true);
        }
        self.host.given.push((id, impulse));
        let (linear, angular) = impulse.sudden();
        let linear = vector(body.linvel()) + linear * inverse_mass;
        let angular = vector(body.angvel()) + inverse_inertia * angular;
        if linear.length() > STIRRING || angular.length() > STIRRING {
            body.wake_up(true);
        }
        body.set_linvel(single(linear), false);
        body.set_angvel(single(angular), false);
        let per_second = 1.0 / f64::from(self.parameters.dt);
        let force = single(impulse.steady_linear * per_second);
        if force != Vector::ZERO {
            let own = body.user_force();
            body.add_force(force, false);
            self.host.lent.push(Loan {
                body: id.into(),
                own,
                with: body.user_force(),
            });
        }
    }
}

impl RapierBodies<'_> {
    fn dynamic(&self, body: &RigidBody, still: BodyState) -> BodyState {
        let (inverse_mass, inverse_inertia) = masses(body);
        let dt = self.parameters.dt;
        // Rapier turns the body in n small steps and changes its angular velocity before each: on the way it has this one.
        let steps = (self.parameters.num_solver_iterations + body.additional_solver_iterations()).max(1) as f64;
        let own = match body.gyroscopic_forces_enabled() {
            true => vector(body.angvel_with_gyroscopic_forces(dt) - body.angvel()),
            false => DVec3::ZERO,
        } + inverse_inertia * vector(body.user_torque()) * f64::from(dt);
        BodyState {
            linear_velocity: vector(body.linvel()),
            angular_velocity: vector(body.angvel()) + own * (0.5 * (steps + 1.0) / steps),
            inverse_mass,
            inverse_inertia,
            acceleration: match inverse_mass > 0.0 {
                true => {
                    vector(self.gravity) * f64::from(body.gravity_scale()) + vector(body.user_force()) * inverse_mass
                }
                false => DVec3::ZERO,
            },
            ..still
        }
    }
}

/// Inverse mass and inverse inertia about the centre of mass, world, as the body may move. Rapier's own are of its last step, before a user may have put the body elsewhere.
fn masses(body: &RigidBody) -> (f64, DMat3) {
    let properties = &body.mass_properties().local_mprops;
    let locked = body.locked_axes();
    let inverse_mass = match locked.contains(LockedAxes::TRANSLATION_LOCKED) {
        true => 0.0,
        false => properties.inv_mass.into(),
    };
    let i = properties.world_inv_inertia(body.rotation());
    let inverse = DMat3::from_cols(
        DVec3::new(i.m11.into(), i.m12.into(), i.m13.into()),
        DVec3::new(i.m12.into(), i.m22.into(), i.m23.into()),
        DVec3::new(i.m13.into(), i.m23.into(), i.m33.into()),
    );
    let axes = [
        LockedAxes::ROTATION_LOCKED_X,
        LockedAxes::ROTATION_LOCKED_Y,
        LockedAxes::ROTATION_LOCKED_Z,
    ];
    (inverse_mass, lock(inverse, axes.map(|axis| locked.contains(axis))))
}

/// A body that goes from where it is to a pose.
fn led(still: BodyState, to: &Pose, dt: f64) -> BodyState {
    let orientation = rotation(to.rotation);
    let center = vector(to.translation) + orientation * still.center_of_mass;
    let turn = orientation * still.orientation.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    BodyState {
        linear_velocity: (center - still.center()) / dt,
        angular_velocity: turn.to_scaled_axis() / dt,
        ..still
    }
}

fn vector(v: Vector) -> DVec3 {
    DVec3::new(v.x.into(), v.y.into(), v.z.into())
}

fn single(v: DVec3) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

fn rotation(q: Rotation) -> DQuat {
    DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into()).normalize()
}
