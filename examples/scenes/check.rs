//! Checks a scene beyond its syntax: settings in range, rods that build, names and indices that exist.
//!
//! An error names the field by its path in the scene; [`super::file`] adds the line.

use std::{collections::HashMap, fmt, sync::Arc};

use glam::{DVec3, Vec3};
use lariat::prelude::{RodDescription, RodError, Settings, SettingsError};

use super::{
    names::did_you_mean,
    scene::{Copies, Layout, Scene, SceneRod, VERSION},
    script::{Act, Action, Index, Probe, What},
    shapes::{Kind, SceneShape},
};

/// More vertices than this in one scene are taken for a slip (the largest scene of the papers has 1.5 million).
pub const MAX_VERTICES: usize = 50_000_000;

/// What is wrong with a scene, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The path of the field, such as `rods[0].rod.shape.segments`; empty when the text as a whole is at fault.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
    /// Where it stands, if the scene came from a file.
    pub place: Option<Place>,
}

/// A place in a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The text of the line.
    pub text: String,
}

impl SceneError {
    /// An error that has no place yet.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
            place: None,
        }
    }

    /// The line, if the scene came from a file.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        write!(f, "{}", self.message)?;
        let Some(place) = &self.place else {
            return Ok(());
        };
        // The line with a caret, as compilers show it. Tabs and very long lines are shortened so that the caret fits.
        let number = place.line.to_string();
        let blank = " ".repeat(number.len());
        let shown: String = place.text.replace('\t', " ").chars().take(120).collect();
        let caret = " ".repeat(place.column.saturating_sub(1).min(120));
        write!(f, "\n{blank}--> {}:{}:{}", place.file, place.line, place.column)?;
        write!(f, "\n{blank} |\n{number} | {shown}\n{blank} | {caret}^")
    }
}

impl std::error::Error for SceneError {}

/// Checks the whole scene and builds its rods, in order.
pub fn resolve(scene: &Scene) -> Result<Vec<Arc<RodDescription>>, SceneError> {
    check_settings(scene)?;
    let mut rods = Vec::with_capacity(scene.rods.len());
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut vertices = 0usize;
    for (i, rod) in scene.rods.iter().enumerate() {
        let path = format!("rods[{i}]");
        check_name(&rod.name, &path)?;
        if let Some(first) = seen.insert(&rod.name, i) {
            let message = format!("`{}` is already the name of rods[{first}]", rod.name);
            return Err(SceneError::new(format!("{path}.name"), message));
        }
        check_rod(rod, &path)?;
        let description = build(rod, &path)?;
        let copies = rod.copies.as_ref().map_or(1, count);
        vertices = vertices.saturating_add(description.vertices().len().saturating_mul(copies));
        if vertices > MAX_VERTICES {
            let message = format!("more than {MAX_VERTICES} vertices in all");
            return Err(SceneError::new(path, message));
        }
        rods.push(description);
    }
    for (i, shape) in scene.shapes.iter().enumerate() {
        check_shape(shape, &format!("shapes[{i}]"))?;
    }
    let names = Names { scene, rods: &rods };
    for (i, action) in scene.actions.iter().enumerate() {
        names.check_action(action, &format!("actions[{i}]"))?;
    }
    let mut probes: HashMap<&str, usize> = HashMap::new();
    for (i, probe) in scene.probes.iter().enumerate() {
        let path = format!("probes[{i}]");
        if let Some(first) = probes.insert(&probe.name, i) {
            let message = format!("`{}` is already the name of probes[{first}]", probe.name);
            return Err(SceneError::new(format!("{path}.name"), message));
        }
        names.check_probe(probe, &path)?;
    }
    Ok(rods)
}

fn build(rod: &SceneRod, path: &str) -> Result<Arc<RodDescription>, SceneError> {
    match (&rod.rod, &rod.description) {
        (Some(spec), None) => spec.build().map(Arc::new).map_err(|error| rod_error(&error, path)),
        (None, Some(description)) => Ok(Arc::new(description.clone())),
        (Some(_), Some(_)) => Err(SceneError::new(
            format!("{path}.description"),
            "a rod has either `rod` or `description`, not both",
        )),
        (None, None) => Err(SceneError::new(path, "a rod needs `rod` (a recipe) or `description`")),
    }
}

/// A rod's own error names its field: that becomes a path in the scene, and the message is not to repeat it.
fn rod_error(error: &RodError, path: &str) -> SceneError {
    let place = error.place().to_string();
    let message = error.to_string();
    let message = message.strip_prefix(&place).unwrap_or(&message).trim_start();
    SceneError::new(format!("{path}.rod.{place}"), message)
}

fn within<T: PartialOrd + fmt::Display>(value: T, low: T, high: T, path: &str) -> Result<(), SceneError> {
    if value >= low && value <= high {
        return Ok(());
    }
    let message = format!("is {value}, must be between {low} and {high}");
    Err(SceneError::new(path, message))
}

fn finite(value: f64, path: &str) -> Result<(), SceneError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(SceneError::new(path, format!("is {value}, must be finite")))
}

fn finite_vector(value: DVec3, path: &str) -> Result<(), SceneError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(SceneError::new(path, format!("is {value}, must be finite")))
}

fn direction(value: DVec3, path: &str) -> Result<(), SceneError> {
    finite_vector(value, path)?;
    if value.length() > 1e-12 {
        return Ok(());
    }
    Err(SceneError::new(path, "is zero, must have a direction"))
}

fn wide(value: Vec3) -> DVec3 {
    value.as_dvec3()
}

/// The world's settings that a scene asks for.
pub fn settings(scene: &Scene) -> Settings {
    Settings {
        gravity: scene.gravity,
        substeps: scene.substeps,
        iterations: scene.iterations,
        wind: scene.wind,
        threads: scene.threads,
        contact: scene.contact,
        ..Settings::default()
    }
}

/// A world's settings bear the names of the scene's fields.
pub fn settings_error(error: &SettingsError) -> SceneError {
    let field = match error {
        SettingsError::NotFinite { field } | SettingsError::OutOfRange { field, .. } => field,
        SettingsError::Threads { .. } => "threads",
    };
    let message = error.to_string();
    let message = message.strip_prefix(&format!("`{field}` ")).unwrap_or(&message);
    SceneError::new(field, message)
}

fn check_settings(scene: &Scene) -> Result<(), SceneError> {
    if scene.version != VERSION {
        let message = format!("is {}, this program reads version {VERSION}", scene.version);
        return Err(SceneError::new("version", message));
    }
    within(scene.rate, 1e-3, 1e6, "rate")?;
    within(scene.frames, 1, 10_000_000, "frames")?;
    settings(scene).validate().map_err(|error| settings_error(&error))?;
    if scene.rods.is_empty() {
        return Err(SceneError::new("rods", "is empty, a scene needs at least one rod"));
    }
    Ok(())
}

fn check_name(name: &str, path: &str) -> Result<(), SceneError> {
    if name.is_empty() || name.contains(['[', ']']) {
        let message = format!("is `{name}`, must not be empty and must not hold brackets (they number copies)");
        return Err(SceneError::new(format!("{path}.name"), message));
    }
    Ok(())
}

fn check_rod(rod: &SceneRod, path: &str) -> Result<(), SceneError> {
    finite_vector(rod.pose.translation, &format!("{path}.pose.translation"))?;
    direction(rod.pose.axis, &format!("{path}.pose.axis"))?;
    finite(rod.pose.angle, &format!("{path}.pose.angle"))?;
    finite_vector(wide(rod.velocity), &format!("{path}.velocity"))?;
    within(rod.drag, 0.0, 1e6, &format!("{path}.drag"))?;
    let Some(copies) = &rod.copies else {
        return Ok(());
    };
    within(copies.turn, 0.0, 1e3, &format!("{path}.copies.turn"))?;
    within(copies.scatter, 0.0, 1e6, &format!("{path}.copies.scatter"))?;
    let path = format!("{path}.copies.layout");
    match &copies.layout {
        Layout::Row { offset, .. } => finite_vector(*offset, &format!("{path}.offset"))?,
        Layout::Grid { spacing, .. } => finite_vector(*spacing, &format!("{path}.spacing"))?,
        Layout::Sphere { radius, cover, .. } => {
            within(*radius, 0.0, 1e6, &format!("{path}.radius"))?;
            within(*cover, 0.0, 1.0, &format!("{path}.cover"))?;
        }
    }
    let counts = match copies.layout {
        Layout::Grid { .. } => "counts",
        _ => "count",
    };
    within(count(copies), 1, MAX_VERTICES, &format!("{path}.{counts}"))
}

/// How many copies there are.
pub fn count(copies: &Copies) -> usize {
    match copies.layout {
        Layout::Row { count, .. } | Layout::Sphere { count, .. } => count as usize,
        Layout::Grid { counts, .. } => counts
            .iter()
            .fold(1, |product: usize, &n| product.saturating_mul(n as usize)),
    }
}

/// Splits `name[3]` into the name and the number of the copy.
pub fn split_name(name: &str) -> (&str, Option<&str>) {
    match name.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        Some((base, copy)) => (base, Some(copy)),
        None => (name, None),
    }
}

struct Names<'a> {
    scene: &'a Scene,
    rods: &'a [Arc<RodDescription>],
}

impl Names<'_> {
    fn rod(&self, name: &str, path: &str) -> Result<&RodDescription, SceneError> {
        let (base, copy) = split_name(name);
        let rods = &self.scene.rods;
        let Some(i) = rods.iter().position(|rod| rod.name == base) else {
            let near = did_you_mean(base, rods.iter().map(|rod| rod.name.as_str()));
            return Err(SceneError::new(path, format!("no rod is named `{base}`{near}")));
        };
        if let Some(copy) = copy {
            let count = rods[i].copies.as_ref().map_or(1, count);
            if copy.parse::<usize>().map_or(true, |copy| copy >= count) {
                let message = format!("`{base}` has no copy {copy}; it has {count}, numbered from 0");
                return Err(SceneError::new(path, message));
            }
        }
        Ok(&self.rods[i])
    }

    fn check_action(&self, action: &Action, path: &str) -> Result<(), SceneError> {
        within(action.at, 0.0, 1e9, &format!("{path}.at"))?;
        if let Some(until) = action.until {
            within(until, action.at, 1e9, &format!("{path}.until"))?;
        }
        let rod = self.rod(&action.rod, &format!("{path}.rod"))?;
        let path = format!("{path}.act");
        let vertex = |index: Index| exists(index, rod.vertices().len(), "vertex", &format!("{path}.vertex"));
        let segment = |index: Index| exists(index, rod.segments().len(), "segment", &format!("{path}.segment"));
        let clamp = |index: Index| exists(index, rod.clamps().len(), "clamp", &format!("{path}.clamp"));
        match &action.act {
            Act::Pin { vertex: v } | Act::Release { vertex: v } => vertex(*v),
            Act::Move { vertex: v, velocity } => {
                vertex(*v)?;
                finite_vector(*velocity, &format!("{path}.velocity"))
            }
            Act::Circle {
                vertex: v,
                centre,
                axis,
                rate,
            } => {
                vertex(*v)?;
                finite_vector(*centre, &format!("{path}.centre"))?;
                direction(*axis, &format!("{path}.axis"))?;
                finite(*rate, &format!("{path}.rate"))
            }
            Act::Path { vertex: v, points } => {
                vertex(*v)?;
                check_path(points, &format!("{path}.points"))
            }
            Act::Turn { clamp: c, axis, rate } => {
                clamp(*c)?;
                direction(*axis, &format!("{path}.axis"))?;
                finite(*rate, &format!("{path}.rate"))
            }
            Act::TurnSegment { segment: s, axis, rate } => {
                segment(*s)?;
                direction(*axis, &format!("{path}.axis"))?;
                finite(*rate, &format!("{path}.rate"))
            }
            Act::ReleaseClamp { clamp: c } => clamp(*c),
            Act::HoldSegment { segment: s } | Act::ReleaseSegment { segment: s } => segment(*s),
            Act::Force { vertex: v, from, to } => {
                vertex(*v)?;
                finite_vector(wide(*from), &format!("{path}.from"))?;
                finite_vector(wide(*to), &format!("{path}.to"))
            }
            Act::Torque { segment: s, from, to } => {
                segment(*s)?;
                finite_vector(wide(*from), &format!("{path}.from"))?;
                finite_vector(wide(*to), &format!("{path}.to"))
            }
            Act::Kick { vertex: v, velocity } => {
                vertex(*v)?;
                finite_vector(wide(*velocity), &format!("{path}.velocity"))
            }
        }
    }

    fn check_probe(&self, probe: &Probe, path: &str) -> Result<(), SceneError> {
        if let What::ShapePosition(shape) | What::ShapeForce(shape) = probe.what {
            if probe.rod.is_some() {
                return Err(SceneError::new(
                    format!("{path}.rod"),
                    "this probe is of a shape, not of a rod",
                ));
            }
            let path = format!("{path}.what");
            return exists_in("scene", shape, self.scene.shapes.len(), "shape", &path);
        }
        let Some(name) = &probe.rod else {
            return match probe.what {
                What::Stretch | What::KineticEnergy | What::TotalEnergy => Ok(()),
                _ => Err(SceneError::new(path, "this probe needs `rod`, the name of a rod")),
            };
        };
        let rod = self.rod(name, &format!("{path}.rod"))?;
        let path = format!("{path}.what");
        match probe.what {
            What::Position(v) | What::Velocity(v) => exists(v, rod.vertices().len(), "vertex", &path),
            What::PositionAt(s) => within(s, 0.0, rod.rest_length(), &path),
            What::Tension(s) => exists(s, rod.segments().len(), "segment", &path),
            What::Moment(j) | What::Twist(j) => exists(j, rod.joints().len(), "joint", &path),
            What::Stretch | What::KineticEnergy | What::TotalEnergy | What::ShapePosition(_) | What::ShapeForce(_) => {
                Ok(())
            }
        }
    }
}

fn check_shape(shape: &SceneShape, path: &str) -> Result<(), SceneError> {
    finite_vector(shape.velocity, &format!("{path}.velocity"))?;
    let Some(mass) = shape.mass else {
        return match shape.velocity == DVec3::ZERO {
            true => Ok(()),
            false => Err(SceneError::new(
                format!("{path}.velocity"),
                "this shape has no `mass` and stays where it is",
            )),
        };
    };
    let path = format!("{path}.mass");
    if shape.kind == Kind::Ground {
        return Err(SceneError::new(path, "ground has none"));
    }
    within(mass, 1e-6, 1e9, &path)
}

fn exists(index: Index, count: usize, kind: &str, path: &str) -> Result<(), SceneError> {
    exists_in("rod", index, count, kind, path)
}

fn exists_in(owner: &str, index: Index, count: usize, kind: &str, path: &str) -> Result<(), SceneError> {
    if index.resolve(count).is_some() {
        return Ok(());
    }
    let message = match count {
        0 => format!("there is no {kind} {}; the {owner} has none", index.0),
        _ => format!(
            "there is no {kind} {}; the {owner} has {count}, numbered from 0 to {} (or −1, the last, to −{count})",
            index.0,
            count - 1
        ),
    };
    Err(SceneError::new(path, message))
}

fn check_path(points: &[(f64, DVec3)], path: &str) -> Result<(), SceneError> {
    if points.is_empty() {
        return Err(SceneError::new(path, "is empty, a path needs at least one point"));
    }
    let mut before = 0.0;
    for (i, (time, offset)) in points.iter().enumerate() {
        within(*time, before, 1e9, &format!("{path}[{i}][0]"))?;
        finite_vector(*offset, &format!("{path}[{i}][1]"))?;
        before = *time;
    }
    Ok(())
}
