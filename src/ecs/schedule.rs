//! The order of things: stages as system sets, and how they get into a schedule.

use bevy_ecs::{
    prelude::*,
    schedule::{IntoScheduleConfigs, ScheduleConfigs},
    system::ScheduleSystem,
};

use super::{
    RodBodies, RodDiagnostics, RodSettings, RodTimestep, RodWindField, Rods, air, bodies, colliders, deliver, gather,
    messages, snapshot, spawn, ties, winch, write_back,
};

/// The stages of a run, in this order.
///
/// 1. [`Spawn`](Self::Spawn): rods of new entities are put in.
/// 2. [`Gather`](Self::Gather): changed settings and components go to the rods.
/// 3. [`Bodies`](Self::Bodies): the host's bodies that rods are tied to or touch are read into [`RodBodies`].
/// 4. [`Step`](Self::Step): winches turn and rods move.
/// 5. [`WriteBack`](Self::WriteBack): poses go to the components, impulses to the bodies.
/// 6. [`Events`](Self::Events): what happened is told.
///
/// Systems that tell rods something belong before `Gather`, those that read poses after `WriteBack`. An adapter to a rigid-body engine has one system in
/// `Bodies` and one in `WriteBack`. A stage is replaced by leaving its systems out ([`install_without`]) and putting others into its set.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RodSystems {
    /// 1. Rods of new entities are put in. (Rods of despawned ones are taken out at once.)
    Spawn,
    /// 2. Changed settings and components go to the rods.
    Gather,
    /// 3. Bodies are read into [`RodBodies`].
    Bodies,
    /// 4. Winches turn and rods move, by as much as [`RodTimestep`] says.
    Step,
    /// 5. Poses and impulses are written back.
    WriteBack,
    /// 6. What happened is told.
    Events,
}

impl RodSystems {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::Spawn,
        Self::Gather,
        Self::Bodies,
        Self::Step,
        Self::WriteBack,
        Self::Events,
    ];

    fn systems(self) -> ScheduleConfigs<ScheduleSystem> {
        match self {
            Self::Spawn => (
                (snapshot::rewind_ties, colliders::rewind, snapshot::rewind)
                    .chain()
                    .run_if(snapshot::was_rewound),
                spawn::spawn,
            )
                .chain(),
            Self::Gather => (
                gather::gather_settings,
                gather::gather,
                ties::gather,
                colliders::gather,
                air::gather,
            )
                .chain(),
            Self::Bodies => bodies::read.into_configs(),
            Self::Step => (winch::turn, write_back::step).chain(),
            Self::WriteBack => (write_back::write_back, ties::write_back, bodies::give_back).chain(),
            Self::Events => deliver::deliver.into_configs(),
        }
    }
}

/// Puts the resources of rods into a world and their systems into a schedule: a host of plain `bevy_ecs` calls it once.
///
/// Each run of the schedule takes one step ([`RodTimestep`]). A host that drives schedules by itself should also call [`World::clear_trackers`] once a
/// frame, as `bevy_app` does: `bevy_ecs` remembers despawned entities until then.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    install_without(world, schedule, &[]);
}

/// [`install`], with the systems of some stages left out, for the host to put in its own.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use lariat::ecs::install_without;
/// use lariat::prelude::*;
///
/// /// Half as fast as the clock.
/// fn slow_motion(mut rods: ResMut<Rods>, timestep: Res<RodTimestep>) -> Result {
///     rods.step(0.5 * timestep.dt())?;
///     Ok(())
/// }
///
/// let (mut world, mut schedule) = (World::new(), Schedule::default());
/// install_without(&mut world, &mut schedule, &[RodSystems::Step]);
/// schedule.add_systems(slow_motion.in_set(RodSystems::Step));
/// schedule.run(&mut world);
/// ```
pub fn install_without(world: &mut World, schedule: &mut Schedule, left_out: &[RodSystems]) {
    messages::init(world);
    init(world);
    fill(schedule, left_out);
    schedule.add_systems(messages::forget_old.before(RodSystems::Spawn));
}

/// The app came without [`RodSettings`] of its own: an adapter may choose what suits it.
#[derive(Resource, Debug)]
pub(crate) struct SettingsByDefault;

/// Resources, where the host has not put in its own.
pub(super) fn init(world: &mut World) {
    world.init_resource::<Rods>();
    if !world.contains_resource::<RodSettings>() {
        world.init_resource::<RodSettings>();
        world.insert_resource(SettingsByDefault);
    }
    world.init_resource::<RodTimestep>();
    world.init_resource::<RodBodies>();
    world.init_resource::<RodWindField>();
    world.init_resource::<RodDiagnostics>();
}

/// Sets and systems.
pub(super) fn fill(schedule: &mut Schedule, left_out: &[RodSystems]) {
    let [a, b, c, d, e, f] = RodSystems::ALL;
    schedule.configure_sets((a, b, c, d, e, f).chain());
    for stage in RodSystems::ALL {
        if !left_out.contains(&stage) {
            schedule.add_systems(stage.systems().in_set(stage));
        }
    }
}
