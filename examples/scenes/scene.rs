//! The scene as data: what a scene file holds, field by field. `docs/scenes.md` is the manual of this file.
//!
//! Everything is SI: metres, seconds, kilograms, newtons, radians; y is up.

use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::{ContactSettings, HairCollision, RodDescription, RodSpec, Settings, Solver, Wind};
use serde::{Deserialize, Serialize};

use super::{
    names::DIRECT,
    script::{Act, Action, Probe, What},
    shapes::SceneShape,
};

/// The version of the format that this code reads and writes.
pub const VERSION: u32 = 1;

/// A whole scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The version of the format, always [`VERSION`].
    pub version: u32,
    /// A short name, used in tables and file names.
    pub name: String,
    /// A sentence about what is to be seen.
    #[serde(default)]
    pub about: String,
    /// Gravity, m/s².
    #[serde(default = "default_gravity")]
    pub gravity: Vec3,
    /// Frames a second.
    #[serde(default = "default_rate")]
    pub rate: f64,
    /// Substeps a frame.
    #[serde(default = "default_substeps")]
    pub substeps: u32,
    /// Solver iterations a substep.
    #[serde(default = "default_iterations")]
    pub iterations: u32,
    /// How many frames to run.
    #[serde(default = "default_frames")]
    pub frames: u32,
    /// The solver of all rods that do not name their own.
    #[serde(default)]
    pub solver: Solver,
    /// Wind, if it blows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<Wind>,
    /// Threads to use; absent means all cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// What rods do where they touch; absent means that they pass through everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactSettings>,
    /// What there is to touch beside rods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<SceneShape>,
    /// The rods.
    pub rods: Vec<SceneRod>,
    /// What happens when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// What is measured, once before the first frame and after every frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
}

fn default_gravity() -> Vec3 {
    Vec3::new(0.0, -9.81, 0.0)
}
fn default_rate() -> f64 {
    60.0
}
fn default_substeps() -> u32 {
    1
}
fn default_iterations() -> u32 {
    8
}
fn default_frames() -> u32 {
    240
}

impl Scene {
    /// A scene with no rods yet and every setting at its default.
    pub fn new(name: &str, about: &str) -> Self {
        Self {
            version: VERSION,
            name: name.to_owned(),
            about: about.to_owned(),
            gravity: default_gravity(),
            rate: default_rate(),
            substeps: default_substeps(),
            iterations: default_iterations(),
            frames: default_frames(),
            solver: Solver::default(),
            wind: None,
            threads: None,
            contact: None,
            shapes: Vec::new(),
            rods: Vec::new(),
            actions: Vec::new(),
            probes: Vec::new(),
        }
    }

    /// Sets frames a second, substeps a frame, iterations a substep and the number of frames.
    #[must_use]
    pub fn timed(mut self, rate: f64, substeps: u32, iterations: u32, frames: u32) -> Self {
        self.rate = rate;
        self.substeps = substeps;
        self.iterations = iterations;
        self.frames = frames;
        self
    }

    /// Adds a shape for rods to touch.
    #[must_use]
    pub fn with_shape(mut self, shape: SceneShape) -> Self {
        self.shapes.push(shape);
        self
    }

    /// Sets the solver of all rods that do not name their own.
    #[must_use]
    pub fn solved_by(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// At game rates: 60 frames a second, one substep, Newton on whole rods with the world's default iterations at most.
    #[must_use]
    pub fn at_game_rate(self, frames: u32) -> Self {
        self.timed(60.0, 1, Settings::default().iterations, frames)
            .solved_by(DIRECT)
    }

    /// Adds a rod.
    #[must_use]
    pub fn with_rod(mut self, rod: SceneRod) -> Self {
        self.rods.push(rod);
        self
    }

    /// Adds an action on the rod named `rod`, from `at` to `until` (`None`: at once, or for ever).
    #[must_use]
    pub fn with_action(mut self, at: f64, until: Option<f64>, rod: &str, act: Act) -> Self {
        self.actions.push(Action {
            at,
            until,
            rod: rod.to_owned(),
            act,
        });
        self
    }

    /// Adds a probe of one rod.
    #[must_use]
    pub fn with_probe(mut self, name: &str, rod: &str, what: What) -> Self {
        self.probes.push(Probe {
            name: name.to_owned(),
            rod: Some(rod.to_owned()),
            what,
        });
        self
    }

    /// Seconds a frame.
    pub fn frame_seconds(&self) -> f64 {
        1.0 / self.rate
    }
}

/// A rod of a scene, or many alike.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneRod {
    /// The name by which actions and probes call it; copies are `name[0]`, `name[1]`, …
    pub name: String,
    /// The recipe of the rod. Either this or `description` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rod: Option<RodSpec>,
    /// A resolved rod, as programs write it: trees, bridges, nets of several materials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<RodDescription>,
    /// A solver for this rod alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<Solver>,
    /// Where it starts.
    #[serde(default, skip_serializing_if = "Pose::is_identity")]
    pub pose: Pose,
    /// The velocity that all its free vertices start with, m/s.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub velocity: Vec3,
    /// Drag, 1/s: velocities fall as e^(−drag·t) when nothing else acts.
    #[serde(default, skip_serializing_if = "is_still")]
    pub drag: f32,
    /// How it meets others of its kind: `Exact`, or on a `Grid`.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub hair: HairCollision,
    /// Many of the same rod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<Copies>,
}

fn is_zero(v: &Vec3) -> bool {
    *v == Vec3::ZERO
}
fn is_still(drag: &f32) -> bool {
    *drag == 0.0
}

fn is_exact(hair: &HairCollision) -> bool {
    *hair == HairCollision::Exact
}

impl SceneRod {
    fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            rod: None,
            description: None,
            solver: None,
            pose: Pose::default(),
            velocity: Vec3::ZERO,
            drag: 0.0,
            hair: HairCollision::Exact,
            copies: None,
        }
    }

    /// A rod from a recipe.
    pub fn new(name: &str, rod: RodSpec) -> Self {
        Self {
            rod: Some(rod),
            ..Self::empty(name)
        }
    }

    /// A rod that a program has resolved.
    pub fn described(name: &str, description: RodDescription) -> Self {
        Self {
            description: Some(description),
            ..Self::empty(name)
        }
    }

    /// Moves the start of the rod.
    #[must_use]
    pub fn at(mut self, translation: DVec3) -> Self {
        self.pose.translation = translation;
        self
    }

    /// Sets the drag, 1/s.
    #[must_use]
    pub fn drag(mut self, drag: f32) -> Self {
        self.drag = drag;
        self
    }

    /// Has it meet others of its kind on a grid.
    #[must_use]
    pub fn on_grid(mut self) -> Self {
        self.hair = HairCollision::Grid;
        self
    }

    /// Makes many of it.
    #[must_use]
    pub fn copies(mut self, copies: Copies) -> Self {
        self.copies = Some(copies);
        self
    }
}

/// A place: a turn about an axis through the origin, then a shift.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pose {
    /// The shift, m.
    pub translation: DVec3,
    /// The axis of the turn; its length does not matter.
    pub axis: DVec3,
    /// The turn, rad.
    pub angle: f64,
}

impl Default for Pose {
    fn default() -> Self {
        Self {
            translation: DVec3::ZERO,
            axis: DVec3::Y,
            angle: 0.0,
        }
    }
}

impl Pose {
    fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// The turn as a quaternion.
    pub fn rotation(&self) -> DQuat {
        DQuat::from_axis_angle(self.axis.normalize_or(DVec3::Y), self.angle)
    }
}

/// Many of one rod: they share one description, so ten thousand cost little more memory than their state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// How the copies are laid out.
    pub layout: Layout,
    /// Each copy is turned about the y axis by a random angle of at most this, rad.
    #[serde(default)]
    pub turn: f64,
    /// Each copy is shifted by a random vector of at most this length, m.
    #[serde(default)]
    pub scatter: f64,
    /// The seed of both.
    #[serde(default)]
    pub seed: u64,
}

impl From<Layout> for Copies {
    fn from(layout: Layout) -> Self {
        Self {
            layout,
            turn: 0.0,
            scatter: 0.0,
            seed: 0,
        }
    }
}

/// Where copies stand, relative to the rod's pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Layout {
    /// `count` copies, each shifted from the one before by `offset`.
    Row {
        /// How many.
        count: u32,
        /// From one to the next, m.
        offset: DVec3,
    },
    /// A box of copies.
    Grid {
        /// How many along x, y and z.
        counts: [u32; 3],
        /// From one to the next along x, y and z, m.
        spacing: DVec3,
    },
    /// Copies spread evenly over a sphere about the pose (a Fibonacci lattice), each turned so that its +y points
    /// outwards: the rod should start at its origin and leave along +y.
    Sphere {
        /// How many.
        count: u32,
        /// The sphere's radius, m.
        radius: f64,
        /// The part of the sphere that is covered, from the top: 1 is all of it, 0.5 the upper half.
        #[serde(default = "whole")]
        cover: f64,
    },
}

fn whole() -> f64 {
    1.0
}
