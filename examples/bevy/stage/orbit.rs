//! A camera that goes around what it looks at: the right button turns it, the wheel brings it nearer.

use bevy::{
    input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll},
    prelude::*,
};

use super::Stage;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, orbit);
}

fn orbit(
    mut stage: ResMut<Stage>,
    buttons: Res<ButtonInput<MouseButton>>,
    motion: Res<AccumulatedMouseMotion>,
    scroll: Res<AccumulatedMouseScroll>,
    mut camera: Single<&mut Transform, With<Camera3d>>,
) {
    let turned = if buttons.pressed(MouseButton::Right) {
        motion.delta
    } else {
        Vec2::ZERO
    };
    if turned == Vec2::ZERO && scroll.delta.y == 0.0 {
        return;
    }
    let arm = stage.eye - stage.target;
    let around = f32::atan2(arm.x, arm.z) - 0.005 * turned.x;
    let steep = (arm.y / arm.length()).asin() + 0.005 * turned.y;
    let steep = steep.clamp(-0.2, 1.5);
    let length = arm.length() * (1.0 - 0.1 * scroll.delta.y.clamp(-3.0, 3.0));
    let (sin, cos) = steep.sin_cos();
    stage.eye = stage.target + length * Vec3::new(cos * around.sin(), sin, cos * around.cos());
    **camera = Transform::from_translation(stage.eye).looking_at(stage.target, Vec3::Y);
}
