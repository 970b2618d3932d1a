//! The scaffold of the examples in Bevy: a camera to orbit, the sun, the ground, a line of text; and pictures without a window (`--shot`, `--film`).
//!
//! ```sh
//! cargo run --example hello_rope --features examples                                   # a window
//! cargo run --example hello_rope --features examples -- --shot rope.png --at 2.5       # a picture
//! ```

// Every example takes a part of this; what one leaves another uses.
#![allow(dead_code, unused_imports)]

mod args;
mod caption;
mod gif;
pub mod hand;
mod orbit;
pub mod props;
mod scenery;
mod shots;

use bevy::{
    app::PluginGroupBuilder, prelude::*, render::RenderPlugin, render::pipelined_rendering::PipelinedRenderingPlugin,
    window::ExitCondition, winit::WinitPlugin,
};
use lariat::prelude::*;

pub use args::{Args, Output};
pub use caption::Note;
pub use props::Props;

/// What an example wants to have around its rods.
#[derive(Resource, Clone, Debug)]
pub struct Stage {
    pub title: String,
    pub controls: String,
    pub eye: Vec3,
    pub target: Vec3,
    pub rate: f64,
    pub settings: Settings,
    pub bodies: bool,
    pub ground: bool,
}

impl Stage {
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            controls: String::new(),
            eye: Vec3::new(2.0, 1.5, 5.0),
            target: Vec3::Y,
            rate: 60.0,
            settings: Settings::default(),
            bodies: false,
            ground: true,
        }
    }

    /// Where the camera is, and where it looks.
    pub fn seen_from(mut self, eye: [f32; 3], target: [f32; 3]) -> Self {
        (self.eye, self.target) = (eye.into(), target.into());
        self
    }

    /// What the user can do, beyond what every example has.
    pub fn controls(mut self, text: &str) -> Self {
        self.controls = text.to_owned();
        self
    }

    /// Avian's rigid bodies.
    pub fn with_bodies(mut self) -> Self {
        self.bodies = true;
        self
    }

    /// Ropes touch each other, shapes and the ground.
    pub fn with_contact(mut self) -> Self {
        self.settings.contact = Some(ContactSettings::default());
        self
    }

    /// How rods are stepped.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Steps a second.
    pub fn rate(mut self, rate: f64) -> Self {
        self.rate = rate;
        self
    }

    /// Nothing below: for things that are as large as houses, or hang in the air.
    pub fn without_ground(mut self) -> Self {
        self.ground = false;
        self
    }

    /// The app: in a window, or for pictures.
    pub fn app(self) -> App {
        let args = Args::read();
        let windowed = args.output.is_none();
        let mut app = App::new();
        app.add_plugins(engine(&self.title, windowed))
            .insert_resource(RodSettings(self.settings.clone()))
            .insert_resource(Time::<Fixed>::from_hz(self.rate))
            .add_plugins(LariatPlugin {
                // A picture shows the last step, not one before it.
                interpolation: windowed,
            });
        if self.bodies {
            use avian3d::{interpolation::PhysicsInterpolationPlugin, prelude::*};
            let plugins = PhysicsPlugins::default();
            app.add_plugins(match windowed {
                true => plugins.set(PhysicsInterpolationPlugin::interpolate_all()),
                false => plugins.build(),
            });
        }
        app.insert_resource(self).add_plugins((
            scenery::plugin,
            orbit::plugin,
            caption::plugin,
            props::plugin,
            hand::plugin,
        ));
        if !windowed {
            app.add_plugins(shots::plugin);
        }
        app.insert_resource(ArgsInUse(args));
        app
    }
}

/// The command line.
#[derive(Resource, Clone, Debug)]
pub struct ArgsInUse(pub Args);

/// Bevy, with a window or without.
fn engine(title: &str, windowed: bool) -> PluginGroupBuilder {
    if windowed {
        return DefaultPlugins.set(WindowPlugin {
            primary_window: Some(Window {
                title: title.to_owned(),
                ..default()
            }),
            ..default()
        });
    }
    DefaultPlugins
        .set(WindowPlugin {
            primary_window: None,
            exit_condition: ExitCondition::DontExit,
            ..default()
        })
        .set(RenderPlugin {
            // A picture waits for what it shows.
            synchronous_pipeline_compilation: true,
            ..default()
        })
        .disable::<WinitPlugin>()
        // A frame is done when `update` is.
        .disable::<PipelinedRenderingPlugin>()
}
