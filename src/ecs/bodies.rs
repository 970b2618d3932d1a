//! Rigid bodies of the host, between its components and the step.
//!
//! [`RodBodies`] is where adapters and rods meet: an adapter writes the bodies that rods are tied to or touch before the step, and takes the impulses after it. So
//! any number of engines can live in one world, and the step need not know one. [`RodBody`] is the adapter for hosts without an engine.

use bevy_ecs::prelude::*;

use super::{RodDiagnostics, RodShapes, RodTies, resources::Stopwatch};
use crate::coupling::{BodyId, BodyImpulse, BodyState, HostBodies};

/// Of a query, the bodies that rods ask for: something is tied to them, or they have shapes that rods touch. Adapters read these, and no others.
pub type RodsAsk = Or<(With<RodTies>, With<RodShapes>)>;

/// The bodies that rods may be tied to or touch in the next step, and what the last step gave them.
///
/// An adapter's systems are about this long (see [`RodSystems`](super::RodSystems)):
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::DQuat;
/// use lariat::prelude::*;
///
/// #[derive(Component)]
/// struct Crate { place: glam::DVec3, velocity: glam::DVec3, mass: f64 }
///
/// fn read(mut bodies: ResMut<RodBodies>, crates: Query<(Entity, &Crate), RodsAsk>) {
///     for (entity, body) in &crates {
///         bodies.set(entity, BodyState {
///             linear_velocity: body.velocity,
///             inverse_mass: 1.0 / body.mass,
///             ..BodyState::fixed(body.place, DQuat::IDENTITY)
///         });
///     }
/// }
///
/// fn give_back(bodies: Res<RodBodies>, mut crates: Query<&mut Crate>) {
///     for (entity, impulse) in bodies.impulses() {
///         if let Ok(mut body) = crates.get_mut(entity) {
///             let mass = body.mass;
///             body.velocity += impulse.linear / mass;
///         }
///     }
/// }
///
/// let (mut world, mut schedule) = (World::new(), Schedule::default());
/// lariat::ecs::install(&mut world, &mut schedule);
/// schedule.add_systems((read.in_set(RodSystems::Bodies), give_back.in_set(RodSystems::WriteBack)));
/// schedule.run(&mut world);
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct RodBodies {
    /// Ascending by name once the step begins.
    entries: Vec<Entry>,
    stale: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: BodyId,
    entity: Entity,
    state: BodyState,
    impulse: Option<BodyImpulse>,
}

impl RodBodies {
    /// The name that a body's entity has for rods.
    pub fn id(entity: Entity) -> BodyId {
        BodyId(entity.to_bits())
    }

    /// The body as it is before the step. The last word counts.
    pub fn set(&mut self, entity: Entity, state: BodyState) {
        self.begin();
        self.entries.push(Entry {
            id: Self::id(entity),
            entity,
            state,
            impulse: None,
        });
    }

    /// What the last step gave to bodies, in the order of their names.
    pub fn impulses(&self) -> impl Iterator<Item = (Entity, BodyImpulse)> + '_ {
        (self.entries.iter()).filter_map(|entry| Some((entry.entity, entry.impulse?)))
    }

    /// What the last step gave to one body. `None` when nothing is tied to it or touches it.
    pub fn impulse(&self, entity: Entity) -> Option<BodyImpulse> {
        self.find(Self::id(entity)).and_then(|at| self.entries[at].impulse)
    }

    /// The bodies of the last run are forgotten when the first of this run comes.
    pub(super) fn begin(&mut self) {
        if std::mem::take(&mut self.stale) {
            self.entries.clear();
        }
    }

    /// Everything has been set: in order, each once.
    pub(super) fn seal(&mut self) {
        self.begin();
        self.stale = true;
        // Stable, so that the last word of several stands last.
        self.entries.sort_by_key(|entry| entry.id);
        self.entries.dedup_by(|later, kept| {
            let same = later.id == kept.id;
            if same {
                *kept = *later;
            }
            same
        });
    }

    fn find(&self, id: BodyId) -> Option<usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.id).ok()
    }
}

impl HostBodies for RodBodies {
    fn body(&self, body: BodyId) -> Option<BodyState> {
        self.find(body).map(|at| self.entries[at].state)
    }

    fn apply(&mut self, body: BodyId, impulse: BodyImpulse) {
        if let Some(at) = self.find(body) {
            *self.entries[at].impulse.get_or_insert_default() += impulse;
        }
    }
}

/// A rigid body for hosts without an adapter: they write `state` before the run and read `impulse` after it.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct RodBody {
    /// As it is before the step.
    pub state: BodyState,
    /// What the last step gave it.
    pub impulse: BodyImpulse,
}

impl RodBody {
    /// A body in this state.
    pub fn new(state: BodyState) -> Self {
        Self {
            state,
            impulse: BodyImpulse::default(),
        }
    }
}

/// Stage 3 for [`RodBody`].
pub(super) fn read(
    mut bodies: ResMut<RodBodies>,
    mut diagnostics: ResMut<RodDiagnostics>,
    all: Query<(Entity, &RodBody), RodsAsk>,
) {
    let _watch = Stopwatch::new(&mut diagnostics.bodies);
    for (entity, body) in &all {
        bodies.set(entity, body.state);
    }
}

/// Stage 5 for [`RodBody`].
pub(super) fn give_back(bodies: Res<RodBodies>, mut all: Query<(Entity, &mut RodBody)>) {
    for (entity, mut body) in &mut all {
        let impulse = bodies.impulse(entity).unwrap_or_default();
        if body.impulse != impulse {
            body.impulse = impulse;
        }
    }
}
