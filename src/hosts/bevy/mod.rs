//! Rods in Bevy apps: stepped at the fixed rate, drawn in between, and tied to avian's bodies where there are any.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use glam::DVec3;
//! use lariat::prelude::*;
//!
//! fn main() {
//!     App::new().add_plugins((DefaultPlugins, LariatPlugin::default())).add_systems(Startup, hang).run();
//! }
//!
//! fn hang(mut commands: Commands) {
//!     let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32)).radius(0.02).pin(0);
//!     commands.spawn(Rod::new(rope));
//!     commands.spawn((Camera3d::default(), Transform::from_xyz(1.0, 0.0, 5.0)));
//!     commands.spawn((DirectionalLight::default(), Transform::default().looking_to(Vec3::new(-1.0, -2.0, -1.0), Vec3::Y)));
//! }
//! ```
//!
//! Every [`Rod`] becomes a tube with the material of its [`RodLook`], between the last two steps as far as the clock has come, so that ropes move smoothly at any frame rate.
//! Vertices are written in place, several rods at a time; the shape of a mesh is made anew only when the rod is cut, broken or reeled. [`RodDebug`] draws what a rod does.

mod debug;
mod dress;
mod look;
mod texture;
mod time;
mod tubes;

use bevy::{app::RunFixedMainLoopSystems, camera::visibility::VisibilitySystems, gizmos::AppGizmoBuilder, prelude::*};

pub use debug::{RodDebug, RodGizmos};
pub use look::{RodLook, RodSurface};
pub use tubes::RodTube;

use crate::ecs::{Rod, RodPlugin, RodSystems};

/// Rods in an app of Bevy, drawn: all that such an app needs.
///
/// It brings a [`RodPlugin`] in `FixedPostUpdate` where there is none yet. With the feature `avian3d`, and avian's `PhysicsPlugins` in the app, rods touch its colliders and are tied to its bodies as
/// [`AvianRodPlugin`](crate::hosts::avian3d::AvianRodPlugin) says. Servers that draw nothing want `RodPlugin` alone.
#[derive(Clone, Copy, Debug)]
pub struct LariatPlugin {
    /// Draw poses between the last two steps, up to a step late, rather than the last one. On by default.
    pub interpolation: bool,
}

impl Default for LariatPlugin {
    fn default() -> Self {
        Self { interpolation: true }
    }
}

impl Plugin for LariatPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<RodPlugin>() {
            app.add_plugins(RodPlugin::default());
        }
        // An app that has said so itself has a default of its own.
        let _ = app.try_register_required_components::<Rod, RodLook>();
        app.init_resource::<RodDebug>()
            .init_resource::<dress::Wardrobe>()
            .insert_resource(time::Smooth(self.interpolation))
            .init_gizmo_group::<RodGizmos>()
            .add_observer(dress::hand_down)
            .add_systems(FixedPostUpdate, time::keep_pace.before(RodSystems::Spawn))
            .add_systems(
                RunFixedMainLoop,
                time::note_overstep.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            )
            .add_systems(
                PostUpdate,
                (
                    (dress::dress, tubes::draw, tubes::show)
                        .chain()
                        .before(TransformSystems::Propagate)
                        .before(VisibilitySystems::CalculateBounds),
                    debug::draw.run_if(debug::is_on),
                ),
            );
    }

    fn finish(&self, app: &mut App) {
        debug::set_up(app);
        // All plugins are in by now, in whatever order.
        #[cfg(feature = "avian3d")]
        {
            use crate::hosts::avian3d::AvianRodPlugin;
            let avian = app.world().contains_resource::<Time<avian3d::prelude::Physics>>();
            if avian && !app.is_plugin_added::<AvianRodPlugin>() {
                AvianRodPlugin::default().build(app);
            }
        }
    }
}
