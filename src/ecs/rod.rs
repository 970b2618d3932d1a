//! The component that makes an entity a rod, and the handle that leads from the entity to the rod in [`Rods`].

use std::sync::Arc;

use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
use glam::{DQuat, DVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::{RodPose, Rods};
use crate::{
    rod::{RodDescription, RodError, RodSpec},
    solver::Solver,
    state::{RodId, RodOptions},
};

/// Makes an entity a rod: what it is, and how it is put into the world.
///
/// It is built and put in by the next run of the schedule; what comes out of it is in [`RodPose`]. Something that can't be built is reported by
/// [`RodSpawnFailed`](super::RodSpawnFailed), never by a panic. The component can't be changed in place: inserting another one
/// puts in another rod. Removing it, or despawning the entity, takes the rod out at once.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// let mut world = World::new();
/// // A recipe, built when it is put in:
/// world.spawn(Rod::new(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 16)).pin(0)));
/// // A description that many rods share, each in its own place:
/// let hair = std::sync::Arc::new(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::Y * 0.1, 16)).clamp_start().build()?);
/// for n in 0..10 {
///     world.spawn(Rod::new(hair.clone()).at(DVec3::X * 0.001 * f64::from(n)).solver(Solver::GROOM));
/// }
/// # Ok::<(), lariat::rod::RodError>(())
/// ```
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Clone, Debug, Component, Serialize, Deserialize)
)]
#[component(immutable, on_discard = let_go)]
#[require(RodHandle, RodPose)]
#[serde(deny_unknown_fields)]
pub struct Rod {
    /// What it is.
    pub source: RodSource,
    /// How it is put in.
    #[serde(default)]
    pub options: RodOptions,
}

/// What a [`Rod`] is made from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RodSource {
    /// A recipe: it is built when the rod is put in.
    Spec(Box<RodSpec>),
    /// A description that many rods can share.
    #[serde(with = "shared")]
    Description(Arc<RodDescription>),
}

impl Rod {
    /// A rod of this recipe or description.
    pub fn new(source: impl Into<RodSource>) -> Self {
        Self {
            source: source.into(),
            options: RodOptions::default(),
        }
    }

    /// Sets everything about how it is put in.
    pub fn options(mut self, options: RodOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets what moves it.
    pub fn solver(mut self, solver: Solver) -> Self {
        self.options.solver = solver;
        self
    }

    /// Carries it by so many metres from where it is described.
    pub fn at(mut self, translation: DVec3) -> Self {
        self.options.translation = translation;
        self
    }

    /// Turns it about its first vertex.
    pub fn turned(mut self, rotation: DQuat) -> Self {
        self.options.rotation = rotation;
        self
    }

    /// Sets the velocity that it starts with, m/s.
    pub fn moving(mut self, velocity: Vec3) -> Self {
        self.options.velocity = velocity;
        self
    }
}

impl RodSource {
    /// The description; a recipe is built.
    pub fn describe(&self) -> Result<Arc<RodDescription>, RodError> {
        match self {
            Self::Spec(spec) => spec.build().map(Arc::new),
            Self::Description(description) => Ok(description.clone()),
        }
    }
}

impl From<RodSpec> for RodSource {
    fn from(spec: RodSpec) -> Self {
        Self::Spec(Box::new(spec))
    }
}

impl From<RodDescription> for RodSource {
    fn from(description: RodDescription) -> Self {
        Self::Description(Arc::new(description))
    }
}

impl From<Arc<RodDescription>> for RodSource {
    fn from(description: Arc<RodDescription>) -> Self {
        Self::Description(description)
    }
}

/// Leads from an entity to its rod: `rods.rod(handle.id()?)` looks at it, `rods.rod_mut(handle.id()?)` acts on it.
///
/// Every [`Rod`] has one. It is marked as changed when the rod behind it is another one.
#[derive(Component, Debug, Default)]
#[component(on_discard = let_go, clone_behavior = Ignore)]
pub struct RodHandle {
    pub(super) id: Option<RodId>,
    pub(super) driven: Driven,
}

impl RodHandle {
    /// The rod, or `None` before it is put in and when it could not be.
    pub fn id(&self) -> Option<RodId> {
        self.id
    }
}

/// Which of a rod's controls a component has taken over: when the component is removed, they go back to what the rod started with. Those that no
/// component ever touched are left to whoever calls [`RodMut`](crate::state::RodMut).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Driven {
    pub pins: bool,
    pub forces: bool,
    pub drag: bool,
    pub gravity: bool,
    pub wind: bool,
    pub layers: bool,
}

/// Takes the rod of an entity out of the world of rods; the entity may be on its way out, too.
fn let_go(mut world: DeferredWorld, context: HookContext) {
    let Some(mut handle) = world.get_mut::<RodHandle>(context.entity) else {
        return;
    };
    let Some(id) = handle.id else { return };
    *handle = RodHandle::default();
    if let Some(mut rods) = world.get_resource_mut::<Rods>() {
        rods.let_go(id);
    }
}

/// For components that control a rod: their removal makes the gather stage look at the rod again.
pub(super) fn look_again(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut handle) = world.get_mut::<RodHandle>(context.entity) {
        handle.set_changed();
    }
}

#[cfg(feature = "reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

/// A shared description is written as if it were not shared.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::rod::RodDescription;

    pub fn serialize<S: Serializer>(description: &Arc<RodDescription>, serializer: S) -> Result<S::Ok, S::Error> {
        description.as_ref().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<RodDescription>, D::Error> {
        RodDescription::deserialize(deserializer).map(Arc::new)
    }
}
