//! Pictures without a window: time goes in steps of its own, and nothing is drawn but what is kept.

use std::{fs, path::PathBuf, time::Duration};

use bevy::{
    app::PluginsState,
    camera::RenderTarget,
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured},
    render::{render_resource::TextureFormat, renderer::RenderDevice},
    time::TimeUpdateStrategy,
};
use lariat::prelude::*;

use super::{Args, ArgsInUse, Output, Stage, gif::Gif, scenery};

/// Frames that are drawn before the first is kept: textures and shadows have arrived by then. Later ones need one, for what moved.
const WARM: u32 = 3;

/// What the photographer does.
#[derive(Resource, Debug)]
struct Photographer {
    target: Handle<Image>,
    /// Pictures still to come, the last one first.
    next: Vec<Picture>,
    steps: u64,
    state: State,
    gif: Option<Gif>,
    kept: u32,
    failed: bool,
}

/// A picture, or a frame of a film.
#[derive(Clone, Debug)]
struct Picture {
    /// How many steps of time it is at.
    at: u64,
    file: PathBuf,
    /// Whether rods are left out of it.
    bare: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Time goes on.
    Running,
    /// Time stands; so many frames have been drawn of it.
    Posing(u32),
    /// The picture is on its way.
    Waiting,
}

pub fn plugin(app: &mut App) {
    app.set_runner(run)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(PostStartup, set_up)
        .add_systems(FixedLast, |mut photographer: ResMut<Photographer>| {
            photographer.steps += 1
        })
        .add_systems(Last, (photograph, poll).chain());
}

/// Update after update, as fast as it goes.
fn run(mut app: App) -> AppExit {
    while app.plugins_state() == PluginsState::Adding {
        bevy::tasks::tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    loop {
        app.update();
        if let Some(exit) = app.should_exit() {
            return exit;
        }
    }
}

fn set_up(
    mut commands: Commands,
    args: Res<ArgsInUse>,
    stage: Res<Stage>,
    mut images: ResMut<Assets<Image>>,
    camera: Single<(Entity, &mut Camera)>,
) {
    let (width, height) = args.0.size;
    let target = images.add(Image::new_target_texture(
        width,
        height,
        TextureFormat::Rgba8UnormSrgb,
        None,
    ));
    let (entity, mut camera) = camera.into_inner();
    camera.is_active = false;
    commands
        .entity(entity)
        .insert(RenderTarget::Image(target.clone().into()));
    commands.insert_resource(Photographer {
        target,
        next: plan(&args.0, stage.rate),
        steps: 0,
        state: State::Running,
        gif: match &args.0.output {
            Some(Output::Gif(_)) => Some(Gif::new(args.0.size, args.0.fps)),
            _ => None,
        },
        kept: 0,
        failed: false,
    });
}

/// When a picture is taken, and where it goes; the last one first.
fn plan(args: &Args, rate: f64) -> Vec<Picture> {
    let step = |seconds: f64| (seconds * rate).round() as u64;
    let picture = |seconds: f64, file: &PathBuf, bare: bool| Picture {
        at: step(seconds),
        file: file.clone(),
        bare,
    };
    let [first, last] = [args.from, args.at].map(|seconds| (seconds * f64::from(args.fps)).round() as u64);
    let frames = (first..=last)
        .rev()
        .map(|frame| (frame, frame as f64 / f64::from(args.fps)));
    match &args.output {
        None => Vec::new(),
        Some(Output::Shot(file)) => {
            let bare = args.bare.iter().map(|file| picture(args.at, file, true));
            bare.chain([picture(args.at, file, false)]).collect()
        }
        Some(Output::Gif(file)) => frames.map(|(_, seconds)| picture(seconds, file, false)).collect(),
        Some(Output::Frames(folder)) => frames
            .map(|(frame, seconds)| picture(seconds, &folder.join(format!("{frame:04}.png")), false))
            .collect(),
    }
}

fn photograph(
    mut commands: Commands,
    mut photographer: ResMut<Photographer>,
    mut time: ResMut<TimeUpdateStrategy>,
    mut exit: MessageWriter<AppExit>,
    mut camera: Single<&mut Camera>,
    mut looks: Query<&mut RodLook>,
) {
    let photographer = &mut *photographer;
    if photographer.failed {
        exit.write(AppExit::error());
        return;
    }
    let Some(picture) = photographer.next.last() else {
        exit.write(AppExit::Success);
        return;
    };
    match photographer.state {
        State::Running if photographer.steps >= picture.at => {
            *time = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
            camera.is_active = true;
            if picture.bare {
                // Too thin to be seen, or to throw a shadow; all else is drawn as before.
                looks.iter_mut().for_each(|mut look| look.radius_scale = 1e-3);
            }
            photographer.state = State::Posing(if photographer.kept == 0 || picture.bare {
                0
            } else {
                WARM - 1
            });
        }
        State::Posing(WARM) => {
            let shot = Screenshot::image(photographer.target.clone());
            commands.spawn(shot).observe(keep);
            photographer.state = State::Waiting;
        }
        State::Posing(frames) => photographer.state = State::Posing(frames + 1),
        State::Running | State::Waiting => {}
    }
}

/// The picture is there.
fn keep(
    shot: On<ScreenshotCaptured>,
    mut photographer: ResMut<Photographer>,
    mut time: ResMut<TimeUpdateStrategy>,
    mut camera: Single<&mut Camera>,
    args: Res<ArgsInUse>,
    stage: Res<Stage>,
    rods: Res<Rods>,
) {
    let Some(Picture { file, .. }) = photographer.next.pop() else {
        return;
    };
    photographer.kept += 1;
    let last = photographer.next.is_empty();
    let saved = save(&shot.image, &file, last, photographer.gif.as_mut()).and_then(|done| match &args.0.points {
        Some(points) => fs::write(points, describe(&stage, &args.0, &rods))
            .map(|()| done)
            .map_err(|error| error.to_string()),
        None => Ok(done),
    });
    match saved {
        Ok(true) => println!("{}", file.display()),
        Ok(false) => {}
        Err(problem) => {
            eprintln!("{}: {problem}", file.display());
            photographer.failed = true;
        }
    }
    // The next one may be of the same moment.
    if photographer.next.last().is_none_or(|next| next.at > photographer.steps) {
        *time = TimeUpdateStrategy::FixedTimesteps(1);
        camera.is_active = false;
    }
    photographer.state = State::Running;
}

/// Whether the file is done: a film is with its last frame.
fn save(image: &Image, file: &std::path::Path, last: bool, gif: Option<&mut Gif>) -> Result<bool, String> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    let picture = image.clone().try_into_dynamic().map_err(|error| error.to_string())?;
    let Some(gif) = gif else {
        return picture
            .to_rgb8()
            .save(file)
            .map(|()| true)
            .map_err(|error| error.to_string());
    };
    gif.add(picture.to_rgba8().into_raw());
    if last {
        gif.write(file).map_err(|error| error.to_string())?;
    }
    Ok(last)
}

/// Where the camera, the sun and the rods are, a line each: enough to say where in the picture a rod must be seen.
fn describe(stage: &Stage, args: &Args, rods: &Rods) -> String {
    let numbers = |v: glam::DVec3| format!("{} {} {}", v.x, v.y, v.z);
    let mut text = format!(
        "size {} {}\nview {}\neye {}\ntarget {}\nsun {}\n",
        args.size.0,
        args.size.1,
        scenery::VIEW,
        numbers(stage.eye.as_dvec3()),
        numbers(stage.target.as_dvec3()),
        numbers(scenery::SUN.as_dvec3()),
    );
    for (number, rod) in rods.ids().filter_map(|id| rods.rod(id)).enumerate() {
        for (vertex, at) in rod.description().vertices().iter().enumerate() {
            let place = numbers(rod.position(vertex));
            text += &format!("vertex {number} {} {place}\n", at.radius);
        }
    }
    text
}

/// Pictures come back from the device when it is asked.
fn poll(device: Res<RenderDevice>) {
    // A device that is lost has nothing to wait for; the picture will be missed.
    let _ = device.poll(bevy::render::render_resource::PollType::wait_indefinitely());
}
