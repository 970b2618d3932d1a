//! What rods do, as gizmos.

use bevy::{
    gizmos::config::{GizmoConfigGroup, GizmoConfigStore},
    prelude::*,
};

use crate::{
    ecs::Rods,
    render::{self, DebugLines, DebugOptions},
};

/// Draws lines about rods: strain, pins, clamps, ties and forces, and what else the options ask for. Off until asked for.
///
/// ```
/// use bevy::prelude::*;
/// use lariat::hosts::bevy::RodDebug;
///
/// fn toggle(keys: Res<ButtonInput<KeyCode>>, mut debug: ResMut<RodDebug>) {
///     if keys.just_pressed(KeyCode::F1) {
///         debug.enabled = !debug.enabled;
///     }
/// }
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct RodDebug {
    /// Whether anything is drawn.
    pub enabled: bool,
    /// What.
    pub options: DebugOptions,
}

/// The gizmos of [`RodDebug`]: line width and layers are configured as for any group. They are drawn over everything else.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct RodGizmos;

/// Lines inside tubes are to be seen.
pub(super) fn set_up(app: &mut App) {
    if let Some(mut store) = app.world_mut().get_resource_mut::<GizmoConfigStore>() {
        store.config_mut::<RodGizmos>().0.depth_bias = -1.0;
    }
}

pub(super) fn is_on(debug: Res<RodDebug>) -> bool {
    debug.enabled
}

struct Pen<'a, 'w, 's>(&'a mut Gizmos<'w, 's, RodGizmos>);

impl DebugLines for Pen<'_, '_, '_> {
    fn line(&mut self, a: Vec3, b: Vec3, [red, green, blue, alpha]: [f32; 4]) {
        self.0.line(a, b, LinearRgba::new(red, green, blue, alpha));
    }
}

pub(super) fn draw(rods: Res<Rods>, debug: Res<RodDebug>, mut gizmos: Gizmos<RodGizmos>) {
    render::draw(&rods, &debug.options, &mut Pen(&mut gizmos));
}
