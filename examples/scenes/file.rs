//! Reads and writes scene files: RON or JSON, by the file's extension or else by its first character.
//!
//! Whatever is wrong with a file, the answer is a [`SceneError`] with the line, the column and the field.

use std::path::{Path, PathBuf};

use ron::{error::Error as RonError, extensions::Extensions};
use serde::Deserialize;

use super::{
    check::{self, Place, SceneError},
    locate,
    names::did_you_mean,
    scene::{Scene, VERSION},
};

/// The two notations of one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rusty object notation: comments, trailing commas, no quotes around keys.
    Ron,
    /// JSON, for other programs.
    Json,
}

impl Format {
    /// By the extension, if it is one of the two.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "ron" => Some(Self::Ron),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// By the first character: a scene in JSON is an object, and RON would write `(` or `Scene(`.
    pub fn of_text(text: &str) -> Self {
        if text.trim_start().starts_with('{') {
            Self::Json
        } else {
            Self::Ron
        }
    }
}

/// Why a scene file could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It was read, but does not hold a scene.
    #[error(transparent)]
    Scene(#[from] SceneError),
}

/// Loads and checks a scene file.
pub fn load(path: &Path) -> Result<Scene, LoadError> {
    let bytes = std::fs::read(path).map_err(|source| LoadError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let name = path.display().to_string();
    Ok(parse_bytes(bytes, &name, Format::of_path(path))?)
}

/// Parses and checks a scene from bytes that came from a file or a pipe.
pub fn parse_bytes(bytes: Vec<u8>, name: &str, format: Option<Format>) -> Result<Scene, SceneError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        placed(SceneError::new("", "the file is not UTF-8 text"), &text, good, name)
    })?;
    parse(text.trim_start_matches('\u{feff}'), name, format)
}

/// Parses and checks a scene; `name` is what errors call the text.
pub fn parse(text: &str, name: &str, format: Option<Format>) -> Result<Scene, SceneError> {
    let format = format.unwrap_or_else(|| Format::of_text(text));
    let scene: Scene = match read(text, format) {
        Ok(scene) => scene,
        Err(fault) => {
            // A file of another version may differ anywhere, so its version is the thing to tell.
            if let Ok(Versioned { version }) = read::<Versioned>(text, format)
                && version != VERSION
            {
                let message = format!("is {version}, this program reads version {VERSION}");
                return Err(at_field(SceneError::new("version", message), text, name));
            }
            let error = SceneError::new(fault.field, fault.message);
            return Err(placed(error, text, fault.position, name));
        }
    };
    check::resolve(&scene).map_err(|error| at_field(error, text, name))?;
    Ok(scene)
}

/// The scene as RON, indented.
pub fn to_ron(scene: &Scene) -> Result<String, ron::Error> {
    let pretty = ron::ser::PrettyConfig::new()
        .indentor("  ")
        .depth_limit(6)
        .compact_arrays(false)
        .struct_names(false);
    let mut text = options().to_string_pretty(scene, pretty)?;
    text.push('\n');
    Ok(text)
}

/// The scene as JSON, indented.
pub fn to_json(scene: &Scene) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(scene)?;
    text.push('\n');
    Ok(text)
}

/// `wind: (…)` rather than `wind: Some((…))`.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// The one field that all versions share.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// What a parser said, and where it stood.
struct Fault {
    position: usize,
    field: String,
    message: String,
}

fn read<T: for<'de> Deserialize<'de>>(text: &str, format: Format) -> Result<T, Fault> {
    match format {
        Format::Ron => options().from_str(text).map_err(|error| ron_fault(text, &error)),
        Format::Json => serde_json::from_str(text).map_err(|error| json_fault(text, &error)),
    }
}

fn ron_fault(text: &str, error: &ron::error::SpannedError) -> Fault {
    let end = locate::position(text, error.span.end.line, error.span.end.col);
    let start = locate::position(text, error.span.start.line, error.span.start.col);
    match &error.code {
        RonError::NoSuchStructField { expected, found, .. } => unknown_field(text, end, found, expected),
        RonError::MissingStructField { field, .. } => missing_field(text, end, field),
        RonError::NoSuchEnumVariant { expected, found, .. } => Fault {
            position: start,
            field: locate::field_at(text, start),
            message: format!(
                "`{found}` is unknown here, expected {}{}",
                one_of(expected),
                did_you_mean(found, expected.iter().copied())
            ),
        },
        code => Fault {
            position: start,
            field: locate::field_at(text, start),
            message: lower(&code.to_string()),
        },
    }
}

fn json_fault(text: &str, error: &serde_json::Error) -> Fault {
    // serde_json counts bytes, and its column is the last byte it has read.
    let line_start = locate::position(text, error.line(), 1);
    let position = (line_start + error.column().saturating_sub(1)).min(text.len());
    let full = error.to_string();
    let message = full.split(" at line ").next().unwrap_or(&full);
    let quoted = |prefix: &str| {
        let rest = message.strip_prefix(prefix)?;
        rest.split('`').next()
    };
    if let Some(field) = quoted("unknown field `") {
        let expected: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        return unknown_field(text, position, field, &expected);
    }
    if let Some(field) = quoted("missing field `") {
        return missing_field(text, position, field);
    }
    Fault {
        position,
        field: locate::field_at(text, position),
        message: message.to_owned(),
    }
}

fn unknown_field(text: &str, near: usize, found: &str, expected: &[&str]) -> Fault {
    // The parser has read past the name; the name itself is what to point at.
    let position = text
        .get(..near.min(text.len()))
        .and_then(|before| before.rfind(found))
        .unwrap_or(near);
    Fault {
        position,
        field: locate::field_at(text, position),
        message: format!(
            "there is no such field, expected {}{}",
            one_of(expected),
            did_you_mean(found, expected.iter().copied())
        ),
    }
}

fn missing_field(text: &str, position: usize, field: &str) -> Fault {
    // The parser stands at or just past the closing bracket of what lacks the field: point at where that begins.
    let around = locate::field_at(text, position);
    let begin = if around.is_empty() {
        None
    } else {
        locate::position_of(text, &around)
    };
    Fault {
        position: begin.unwrap_or(position),
        field: if around.is_empty() {
            field.to_owned()
        } else {
            format!("{around}.{field}")
        },
        message: "is missing".to_owned(),
    }
}

fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [name] => format!("`{name}`"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
            format!("{} or `{last}`", rest.join(", "))
        }
    }
}

fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn at_field(error: SceneError, text: &str, name: &str) -> SceneError {
    let position = locate::position_of(text, &error.field).unwrap_or(0);
    placed(error, text, position, name)
}

fn placed(mut error: SceneError, text: &str, position: usize, name: &str) -> SceneError {
    let (line, column) = locate::line_and_column(text, position);
    error.place = Some(Place {
        file: name.to_owned(),
        line,
        column,
        text: text.lines().nth(line - 1).unwrap_or("").to_owned(),
    });
    error
}
