//! A line of text: what this is, how long a step of the rods takes, what one can do. And the keys that every example has.

use bevy::prelude::*;
use lariat::prelude::*;

use super::{ArgsInUse, Stage};

/// Something that an example says beside its title, such as a count.
#[derive(Resource, Clone, Debug, Default)]
pub struct Note(pub String);

const KEYS: &str = "left mouse: drag | right mouse: look | space: pause | F1: forces | esc: quit";

#[derive(Component)]
struct Line;

pub fn plugin(app: &mut App) {
    app.init_resource::<Note>()
        .add_systems(Startup, write)
        .add_systems(Update, (keys, refresh));
}

fn write(mut commands: Commands, stage: Res<Stage>, args: Res<ArgsInUse>) {
    let place = Node {
        position_type: PositionType::Absolute,
        left: px(14),
        top: px(10),
        ..default()
    };
    commands.spawn((
        Line,
        Text::new(stage.title.clone()),
        // Smaller in small pictures, as long as it can be read.
        TextFont::from_font_size((args.0.size.1 as f32 / 36.0).clamp(12.0, 20.0)),
        TextColor(Color::srgb(0.12, 0.14, 0.18)),
        place,
    ));
}

fn refresh(
    stage: Res<Stage>,
    args: Res<ArgsInUse>,
    note: Res<Note>,
    diagnostics: Res<RodDiagnostics>,
    mut smooth: Local<f64>,
    mut line: Single<&mut Text, With<Line>>,
) {
    let mut text = stage.title.clone();
    if !note.0.is_empty() {
        text += &format!(": {}", note.0);
    }
    // A picture is the same every time: no milliseconds, and nobody to press keys.
    if args.0.output.is_none() {
        *smooth += 0.05 * (diagnostics.step.as_secs_f64() * 1e3 - *smooth);
        let own = if stage.controls.is_empty() { "" } else { " | " };
        text += &format!(" | {:.2} ms a step\n{}{own}{KEYS}", *smooth, stage.controls);
    }
    if line.0 != text {
        line.0 = text;
    }
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut time: ResMut<Time<Virtual>>,
    mut debug: ResMut<RodDebug>,
    mut exit: MessageWriter<AppExit>,
) {
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
    if keys.just_pressed(KeyCode::F1) {
        debug.enabled = !debug.enabled;
    }
    if keys.just_pressed(KeyCode::Space) {
        match time.is_paused() {
            true => time.unpause(),
            false => time.pause(),
        }
    }
}
