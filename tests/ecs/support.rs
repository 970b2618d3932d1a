//! A host.

use bevy_ecs::{prelude::*, schedule::SingleThreadedExecutor};
use glam::{DVec3, Vec3};
use lariat::prelude::*;

use crate::common::{line, settings, soft};

/// A world with rods and the schedule that moves them.
pub struct Host {
    pub world: World,
    pub schedule: Schedule,
}

impl Host {
    pub fn new() -> Self {
        Self::without(&[])
    }

    /// With some stages left to the test.
    pub fn without(left_out: &[RodSystems]) -> Self {
        let mut world = World::new();
        let mut schedule = Schedule::default();
        schedule.set_executor(SingleThreadedExecutor::new());
        world.insert_resource(RodSettings(settings(1, 8)));
        lariat::ecs::install_without(&mut world, &mut schedule, left_out);
        Self { world, schedule }
    }

    pub fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.schedule.run(&mut self.world);
            self.world.clear_trackers();
        }
    }

    pub fn rods(&self) -> &Rods {
        self.world.resource::<Rods>()
    }

    pub fn id(&self, entity: Entity) -> Option<RodId> {
        self.world.get::<RodHandle>(entity)?.id()
    }

    /// The rod of an entity.
    pub fn rod(&self, entity: Entity) -> RodRef<'_> {
        let id = self.id(entity).expect("the rod is in");
        self.rods().rod(id).expect("the rod is there")
    }

    pub fn pose(&self, entity: Entity) -> &RodPose {
        self.world.get::<RodPose>(entity).expect("rods have poses")
    }

    /// Changes a component in place.
    pub fn change<C: Component<Mutability = bevy_ecs::component::Mutable>>(
        &mut self,
        entity: Entity,
        change: impl FnOnce(&mut C),
    ) {
        change(&mut self.world.get_mut::<C>(entity).expect("the component is there"));
    }

    /// Messages of a kind that are still to be read.
    pub fn heard<M: Message + Clone>(&self) -> Vec<M> {
        let messages = self.world.resource::<Messages<M>>();
        messages.iter_current_update_messages().cloned().collect()
    }
}

/// A metre of soft rope along x, pinned at its start.
pub fn rope() -> RodSpec {
    line(1.0, 16).material(soft(500.0, 0.01)).pin(0)
}

/// Where a direct caller gets the rope to, with whatever it does to it each frame.
pub fn by_hand(frames: usize, mut each: impl FnMut(usize, &mut RodWorld, RodId)) -> Vec<Vec3> {
    let mut world = crate::common::world(settings(1, 8));
    let id = world.insert(crate::common::built(&rope())).expect("a sound rod");
    for frame in 0..frames {
        each(frame, &mut world, id);
        world.step(crate::common::FRAME).expect("a sound step");
    }
    let mut out = Vec::new();
    crate::common::rod(&world, id).positions_into(&mut out);
    out
}

/// What can't be built: a segment without length.
pub fn broken_spec() -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::ZERO, 4))
}
