//! The plugin for apps built with `bevy_app`.

use bevy_app::{App, FixedPostUpdate, Plugin, PostUpdate};
use bevy_ecs::{intern::Interned, schedule::ScheduleLabel};

use super::{
    Attachment, AttachmentBroke, AttachmentFailed, AttachmentLoad, AttachmentLost, RodAsleep, RodBodyRefused, RodBroke,
    RodClamps, RodCollider, RodColliderFailed, RodColliderHeld, RodColliderLost, RodColliderPose, RodControlFailed,
    RodCrowded, RodCut, RodDrag, RodForces, RodFrozen, RodGravityScale, RodLayers, RodMaterial, RodOverlapping,
    RodParted, RodPins, RodPose, RodQuarantined, RodSlept, RodSmoothPose, RodSpawnFailed, RodSystems, RodTargets,
    RodTension, RodTimestep, RodTouched, RodVelocities, RodWinch, RodWindScale, RodWoke, WinchStalled, WindZone,
    interpolate, messages::for_each_message, rod::Rod, schedule,
};

/// Rods in an app.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use glam::DVec3;
/// use lariat::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins(RodPlugin::new(Update)).add_systems(Startup, |mut commands: Commands| {
///     commands.spawn(Rod::new(RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32)).pin(0)));
/// });
/// app.update();
/// ```
#[derive(Clone, Debug)]
pub struct RodPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    left_out: Vec<RodSystems>,
}

impl RodPlugin {
    /// Rods that are stepped in this schedule, as [`RodTimestep`] says.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            left_out: Vec::new(),
        }
    }

    /// Leaves out the systems of a stage, for the app to put in its own.
    pub fn without(mut self, stage: RodSystems) -> Self {
        self.left_out.push(stage);
        self
    }
}

/// Bevy runs its fixed schedules 64 times a second unless it is told otherwise.
const BEVY_FIXED: f32 = 1.0 / 64.0;

impl Default for RodPlugin {
    /// In `FixedPostUpdate`, after what games do in `FixedUpdate`. The step is that of Bevy's fixed schedules by default: an app that changes their rate
    /// changes [`RodTimestep`] too.
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

impl Plugin for RodPlugin {
    fn build(&self, app: &mut App) {
        if !app.world().contains_resource::<RodTimestep>() {
            let fixed = self.schedule == FixedPostUpdate.intern() || self.schedule == bevy_app::FixedUpdate.intern();
            app.insert_resource(if fixed {
                RodTimestep::every(BEVY_FIXED)
            } else {
                RodTimestep::default()
            });
        }
        schedule::init(app.world_mut());
        macro_rules! run {
            ($($message:ident),*) => {
                $(app.add_message::<$message>();)*
            };
        }
        for_each_message!(run);
        app.register_type::<Rod>()
            .register_type::<RodPose>()
            .register_type::<RodVelocities>()
            .register_type::<RodTension>()
            .register_type::<RodAsleep>()
            .register_type::<RodFrozen>()
            .register_type::<RodPins>()
            .register_type::<RodTargets>()
            .register_type::<RodClamps>()
            .register_type::<RodForces>()
            .register_type::<RodDrag>()
            .register_type::<Attachment>()
            .register_type::<AttachmentLoad>()
            .register_type::<RodSmoothPose>()
            .register_type::<RodWinch>()
            .register_type::<RodGravityScale>()
            .register_type::<RodWindScale>()
            .register_type::<RodLayers>()
            .register_type::<RodCollider>()
            .register_type::<RodColliderPose>()
            .register_type::<WindZone>()
            .register_type::<RodMaterial>();
        app.add_systems(PostUpdate, interpolate);
        app.edit_schedule(self.schedule, |schedule| schedule::fill(schedule, &self.left_out));
    }
}
