//! Puts a scene on stage: builds its rods, inserts them (and their copies) into a world, and plays it frame by frame.

use std::{sync::Arc, time::Duration};

use glam::{DQuat, DVec3};
use lariat::prelude::{
    ColliderId, Event, RodDescription, RodId, RodOptions, RodWorld, Settings, SettingsError, Solver, StepReport,
};

use super::{
    bodies::Bodies,
    check::{self, SceneError, split_name},
    random::Random,
    scene::{Copies, Layout, Scene, SceneRod},
    timeline::Timeline,
    watch::Watch,
};

/// All copies of one rod of the scene.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rod's name.
    pub name: String,
    /// The rod, shared by its copies.
    pub description: Arc<RodDescription>,
    /// The copies, in order.
    pub ids: Vec<RodId>,
    /// The turn that each copy was given, in order.
    pub rotations: Vec<DQuat>,
}

/// A scene in a world, ready to play.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The world. Tests may do to it what they like between frames.
    pub world: RodWorld,
    groups: Vec<Group>,
    shapes: Vec<ColliderId>,
    bodies: Bodies,
    timeline: Timeline,
    watches: Vec<Watch>,
    frame_seconds: f64,
    frame: u32,
    report: StepReport,
}

impl Stage {
    /// Builds the scene with its own settings.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Self::with_settings(scene, |_| {}, None)
    }

    /// Builds the scene; `adjust` may change the world's settings, and `solver` replaces every rod's solver.
    pub fn with_settings(
        scene: &Scene,
        adjust: impl FnOnce(&mut Settings),
        solver: Option<Solver>,
    ) -> Result<Self, SceneError> {
        let descriptions = check::resolve(scene)?;
        let mut settings = check::settings(scene);
        adjust(&mut settings);
        let mut world = RodWorld::new(settings).map_err(|error| check::settings_error(&error))?;
        let mut shapes = Vec::with_capacity(scene.shapes.len());
        for (i, shape) in scene.shapes.iter().enumerate() {
            let collider = shape.collider().map(|collider| match shape.mass {
                // On its body it is where the body is.
                Some(_) => {
                    let still = collider.at(DVec3::ZERO).turned(DQuat::IDENTITY);
                    still.on_body(Bodies::name(i))
                }
                None => collider,
            });
            let added = collider.and_then(|collider| world.add_collider(collider));
            shapes.push(added.map_err(|error| SceneError::new(format!("shapes[{i}]"), error.to_string()))?);
        }
        let bodies = Bodies::new(&scene.shapes, scene.gravity.as_dvec3());
        let mut groups = Vec::with_capacity(descriptions.len());
        for (i, (rod, description)) in scene.rods.iter().zip(descriptions).enumerate() {
            let solver = solver.or(rod.solver).unwrap_or(scene.solver);
            let group = insert(&mut world, rod, description, solver)
                .map_err(|message| SceneError::new(format!("rods[{i}]"), message))?;
            groups.push(group);
        }
        let timeline = Timeline::new(&scene.actions, &groups);
        let watches = scene
            .probes
            .iter()
            .map(|probe| Watch::new(probe, &groups, &scene.shapes, &shapes))
            .collect();
        Ok(Self {
            world,
            groups,
            shapes,
            bodies,
            timeline,
            watches,
            frame_seconds: scene.frame_seconds(),
            frame: 0,
            report: StepReport::default(),
        })
    }

    /// The rods with their copies, in the scene's order.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Where the shapes are now, in the scene's order.
    pub fn shapes(&self) -> impl Iterator<Item = (DVec3, DQuat)> + '_ {
        self.shapes.iter().enumerate().map(|(i, &id)| {
            let led = || self.world.collider_pose(id).unwrap_or_default();
            self.bodies.pose(i).unwrap_or_else(led)
        })
    }

    /// The probes, in the scene's order.
    pub fn watches(&self) -> &[Watch] {
        &self.watches
    }

    /// A rod by name, or a copy by `name[3]`; a bare name is the first copy.
    pub fn rod(&self, name: &str) -> Option<RodId> {
        find(&self.groups, name).first().copied()
    }

    /// All rods of the scene, in order.
    pub fn ids(&self) -> impl Iterator<Item = RodId> + '_ {
        self.groups.iter().flat_map(|group| group.ids.iter().copied())
    }

    /// The time that has been played, s.
    pub fn time(&self) -> f64 {
        f64::from(self.frame) * self.frame_seconds
    }

    /// Plays one frame: the actions that are due, then a step. Returns what the step took.
    pub fn advance(&mut self) -> Result<Duration, SettingsError> {
        let start = self.time();
        self.frame += 1;
        let end = self.time();
        self.timeline.act(&mut self.world, start, end);
        let clock = std::time::Instant::now();
        self.report = self.world.step_with(self.frame_seconds as f32, &mut self.bodies)?;
        self.bodies.step(self.frame_seconds);
        Ok(clock.elapsed())
    }

    /// What the last step did.
    pub fn report(&self) -> StepReport {
        self.report
    }

    /// Plays until `time`.
    pub fn play_until(&mut self, time: f64) -> Result<(), SettingsError> {
        while self.time() + 0.5 * self.frame_seconds < time {
            self.advance()?;
        }
        Ok(())
    }

    /// What has happened since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        self.world.drain_events().collect()
    }
}

/// The copies that a name means: one for `name[3]`, all for `name`.
pub fn find(groups: &[Group], name: &str) -> Vec<RodId> {
    let (base, copy) = split_name(name);
    let Some(group) = groups.iter().find(|group| group.name == base) else {
        return Vec::new();
    };
    match copy.map(str::parse::<usize>) {
        Some(Ok(copy)) => group.ids.get(copy).copied().into_iter().collect(),
        Some(Err(_)) => Vec::new(),
        None => group.ids.clone(),
    }
}

fn insert(
    world: &mut RodWorld,
    rod: &SceneRod,
    description: Arc<RodDescription>,
    solver: Solver,
) -> Result<Group, String> {
    let copies = options(rod, &description, solver);
    let mut group = Group {
        name: rod.name.clone(),
        description,
        ids: Vec::with_capacity(copies.len()),
        rotations: Vec::with_capacity(copies.len()),
    };
    for options in copies {
        let id = world
            .insert_with(Arc::clone(&group.description), options)
            .map_err(|error| error.to_string())?;
        group.ids.push(id);
        group.rotations.push(options.rotation);
    }
    Ok(group)
}

/// How every copy of a rod is put in.
pub fn options(rod: &SceneRod, description: &RodDescription, solver: Solver) -> Vec<RodOptions> {
    let base = rod.pose.rotation();
    let first = description.vertices()[0].position;
    let places = match &rod.copies {
        Some(copies) => places(copies),
        None => vec![(DVec3::ZERO, DQuat::IDENTITY)],
    };
    let place = |(offset, turn): (DVec3, DQuat)| {
        let rotation = turn * base;
        RodOptions {
            solver,
            // The world turns a rod about its first vertex, a scene about the origin.
            translation: rod.pose.translation + offset + rotation * first - first,
            rotation,
            velocity: rod.velocity,
            drag: rod.drag,
            hair: rod.hair,
            ..RodOptions::default()
        }
    };
    places.into_iter().map(place).collect()
}

/// The offset and the turn of every copy.
fn places(copies: &Copies) -> Vec<(DVec3, DQuat)> {
    let mut places: Vec<(DVec3, DQuat)> = match copies.layout {
        Layout::Row { count, offset } => (0..count).map(|i| (offset * f64::from(i), DQuat::IDENTITY)).collect(),
        Layout::Grid { counts, spacing } => (0..counts[1])
            .flat_map(|y| (0..counts[2]).flat_map(move |z| (0..counts[0]).map(move |x| [x, y, z])))
            .map(|cell| (DVec3::from(cell.map(f64::from)) * spacing, DQuat::IDENTITY))
            .collect(),
        Layout::Sphere { count, radius, cover } => (0..count)
            .map(|i| {
                let normal = fibonacci(i, count, cover);
                (normal * radius, DQuat::from_rotation_arc(DVec3::Y, normal))
            })
            .collect(),
    };
    let mut random = Random::new(copies.seed);
    for (offset, rotation) in &mut places {
        let turn = random.between(-copies.turn, copies.turn);
        *rotation *= DQuat::from_rotation_y(turn);
        *offset += random.in_ball() * copies.scatter;
    }
    places
}

/// Point i of n on the part `cover` of the unit sphere: equal steps of height (equal areas) and of the golden angle.
fn fibonacci(i: u32, n: u32, cover: f64) -> DVec3 {
    let golden_angle = std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
    let y = 1.0 - 2.0 * cover * (f64::from(i) + 0.5) / f64::from(n);
    let ring = (1.0 - y * y).max(0.0).sqrt();
    let (sin, cos) = (golden_angle * f64::from(i)).sin_cos();
    DVec3::new(ring * cos, y, ring * sin)
}
