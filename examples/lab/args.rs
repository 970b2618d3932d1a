//! The command line of `lab`, by hand: few commands, few flags, and errors that say what was meant.

use std::{fmt, path::PathBuf, str::FromStr};

use lariat::prelude::{Arithmetic, Solver};

use crate::scenes::{
    names::{self, did_you_mean},
    runner::Overrides,
};

/// What `lab` is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Run a scene.
    Run(RunArgs),
    /// Run every solver on a scene, against a fine reference.
    Compare(CompareArgs),
    /// List the built-in scenes.
    List,
    /// Write a built-in scene as a file.
    Export(ExportArgs),
    /// Print the help.
    Help,
    /// Print the version.
    Version,
}

/// `lab run`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunArgs {
    /// A file or the name of a built-in scene; `-` is standard input.
    pub target: String,
    /// Settings in place of the scene's.
    pub overrides: Overrides,
    /// Print JSON instead of the table.
    pub json: bool,
    /// Print nothing but errors (and JSON, if asked for).
    pub quiet: bool,
    /// Where to write the picture.
    pub svg: Option<PathBuf>,
}

/// `lab compare`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareArgs {
    /// Files or names of built-in scenes; `-` is standard input.
    pub targets: Vec<String>,
    /// Settings in place of the scene's.
    pub overrides: Overrides,
    /// Substeps and iterations of the reference.
    pub reference: Option<(u32, u32)>,
    /// Where to write the plot.
    pub svg: Option<PathBuf>,
    /// Print no progress.
    pub quiet: bool,
}

/// `lab export`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportArgs {
    /// The name of a built-in scene.
    pub target: String,
    /// JSON instead of RON.
    pub json: bool,
    /// Where to write it; standard output if absent.
    pub path: Option<PathBuf>,
}

/// A command line that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for UsageError {}

const COMMANDS: &[&str] = &["run", "compare", "list", "export", "help"];
const RUN_FLAGS: &[&str] = &[
    "--solver",
    "--lambda",
    "--rate",
    "--substeps",
    "--iterations",
    "--threads",
    "--frames",
    "--arithmetic",
    "--json",
    "--svg",
    "--quiet",
    "--help",
];
const COMPARE_FLAGS: &[&str] = &[
    "--solver",
    "--lambda",
    "--rate",
    "--substeps",
    "--iterations",
    "--threads",
    "--frames",
    "--arithmetic",
    "--reference",
    "--svg",
    "--quiet",
    "--help",
];
const EXPORT_FLAGS: &[&str] = &["--json", "--help"];
const ARITHMETICS: &[&str] = &["fast", "reproducible", "scalar"];

/// The picture of a run without arguments.
pub const SHOW_PICTURE: &str = "out/lab/show.svg";

/// The plot of a comparison, unless another place is named.
pub const COMPARE_PLOT: &str = "out/lab/compare.svg";

/// Understands the arguments (without the program's name).
pub fn parse<I: IntoIterator<Item = String>>(arguments: I) -> Result<Command, UsageError> {
    let mut words = Words::new(arguments);
    let Some(first) = words.next() else {
        return Ok(Command::Run(RunArgs {
            target: "show".to_owned(),
            svg: Some(PathBuf::from(SHOW_PICTURE)),
            ..RunArgs::default()
        }));
    };
    match first.as_str() {
        "run" => run(words, None),
        "compare" => compare(words),
        "export" => export(words),
        "list" => nothing_more(words, Command::List),
        "help" | "--help" | "-h" => Ok(Command::Help),
        "--version" | "-V" => Ok(Command::Version),
        flag if flag.starts_with("--") => {
            // `lab --frames 60` is the show scene with another setting.
            words.give_back(first);
            run(words, Some("show"))
        }
        other => Err(UsageError(format!(
            "there is no command `{other}`{}; the commands are {}",
            did_you_mean(other, COMMANDS.iter().copied()),
            COMMANDS.join(", ")
        ))),
    }
}

fn run(mut words: Words, default: Option<&str>) -> Result<Command, UsageError> {
    let mut args = RunArgs::default();
    let mut target = default.map(str::to_owned);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--json" => args.json = true,
            "--quiet" | "-q" => args.quiet = true,
            "--svg" => args.svg = Some(PathBuf::from(words.value("--svg")?)),
            flag if is_flag(flag) => setting(flag, &mut words, &mut args.overrides, RUN_FLAGS)?,
            _ => one_target(&mut target, word, "run")?,
        }
    }
    if default.is_some() && args.svg.is_none() && !args.json {
        args.svg = Some(PathBuf::from(SHOW_PICTURE));
    }
    args.target = target.ok_or_else(|| no_target("run"))?;
    Ok(Command::Run(args))
}

fn compare(mut words: Words) -> Result<Command, UsageError> {
    let mut args = CompareArgs::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--quiet" | "-q" => args.quiet = true,
            "--svg" => args.svg = Some(PathBuf::from(words.value("--svg")?)),
            "--reference" => args.reference = Some(reference(&words.value("--reference")?)?),
            flag if is_flag(flag) => setting(flag, &mut words, &mut args.overrides, COMPARE_FLAGS)?,
            _ => args.targets.push(word),
        }
    }
    if args.targets.is_empty() {
        return Err(no_target("compare"));
    }
    if args.svg.is_none() && !args.quiet {
        args.svg = Some(PathBuf::from(COMPARE_PLOT));
    }
    Ok(Command::Compare(args))
}

fn export(mut words: Words) -> Result<Command, UsageError> {
    let mut args = ExportArgs::default();
    let mut target = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--json" => args.json = true,
            flag if is_flag(flag) => return Err(unknown_flag(flag, EXPORT_FLAGS)),
            _ if target.is_some() && args.path.is_none() => {
                let path = PathBuf::from(word);
                args.json |= path
                    .extension()
                    .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
                args.path = Some(path);
            }
            _ => one_target(&mut target, word, "export")?,
        }
    }
    args.target = target.ok_or_else(|| no_target("export"))?;
    Ok(Command::Export(args))
}

/// The flags that `run` and `compare` share.
fn setting(flag: &str, words: &mut Words, overrides: &mut Overrides, known: &[&str]) -> Result<(), UsageError> {
    match flag {
        "--solver" => {
            let name = words.value(flag)?;
            let solver = names::solver(&name).ok_or_else(|| not_one_of(flag, &name, names::SOLVERS))?;
            overrides.solver = Some(match (overrides.solver, solver) {
                (
                    Some(Solver::StableCosserat { .. }),
                    Solver::Direct { .. }
                    | Solver::Xpbd { .. }
                    | Solver::GeneralizedAlpha { .. }
                    | Solver::Elastic { .. },
                ) => {
                    return Err(no_lambda(&name));
                }
                // An earlier `--lambda` stays, unless this name says another.
                (Some(earlier @ Solver::StableCosserat { .. }), _) if !name.contains('/') => earlier,
                _ => solver,
            });
        }
        "--lambda" => {
            let name = words.value(flag)?;
            let lambda = names::lambda(&name).ok_or_else(|| not_one_of(flag, &name, names::LAMBDAS))?;
            if let Some(
                other @ (Solver::Direct { .. }
                | Solver::Xpbd { .. }
                | Solver::GeneralizedAlpha { .. }
                | Solver::Elastic { .. }),
            ) = &overrides.solver
            {
                return Err(no_lambda(&names::solver_name(other)));
            }
            overrides.solver = Some(Solver::StableCosserat { lambda });
        }
        "--rate" => overrides.rate = Some(number(flag, &words.value(flag)?, 1e-3, 1e6)?),
        "--substeps" => overrides.substeps = Some(number(flag, &words.value(flag)?, 1, 100_000)?),
        "--iterations" => overrides.iterations = Some(number(flag, &words.value(flag)?, 1, 100_000)?),
        "--threads" => overrides.threads = Some(number(flag, &words.value(flag)?, 1, 1024)?),
        "--frames" => overrides.frames = Some(number(flag, &words.value(flag)?, 1, 10_000_000)?),
        "--arithmetic" => {
            let name = words.value(flag)?;
            overrides.arithmetic = Some(match name.as_str() {
                "fast" => Arithmetic::Fast,
                "reproducible" => Arithmetic::Reproducible,
                "scalar" => Arithmetic::Scalar,
                _ => return Err(not_one_of(flag, &name, ARITHMETICS)),
            });
        }
        _ => return Err(unknown_flag(flag, known)),
    }
    Ok(())
}

fn no_lambda(solver: &str) -> UsageError {
    UsageError(format!("`{solver}` has no λ, and a run has one solver"))
}

fn number<T: FromStr + PartialOrd + fmt::Display>(flag: &str, text: &str, low: T, high: T) -> Result<T, UsageError> {
    match text.parse::<T>() {
        Ok(value) if value >= low && value <= high => Ok(value),
        _ => Err(UsageError(format!(
            "{flag} needs a number between {low} and {high}, not `{text}`"
        ))),
    }
}

/// `64x32`: substeps and iterations.
fn reference(text: &str) -> Result<(u32, u32), UsageError> {
    let wrong = || {
        UsageError(format!(
            "--reference needs SUBSTEPSxITERATIONS such as 64x32, not `{text}`"
        ))
    };
    let (substeps, iterations) = text.split_once(['x', '×']).ok_or_else(wrong)?;
    let count = |text: &str| text.trim().parse::<u32>().ok().filter(|n| (1..=100_000).contains(n));
    Ok((count(substeps).ok_or_else(wrong)?, count(iterations).ok_or_else(wrong)?))
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word != "-"
}

fn one_target(target: &mut Option<String>, word: String, command: &str) -> Result<(), UsageError> {
    if let Some(first) = target {
        return Err(UsageError(format!(
            "`lab {command}` takes one scene, but got `{first}` and `{word}`"
        )));
    }
    *target = Some(word);
    Ok(())
}

fn no_target(command: &str) -> UsageError {
    UsageError(format!(
        "`lab {command}` needs a scene: a file, or a name that `lab list` shows"
    ))
}

fn not_one_of(flag: &str, given: &str, known: &[&str]) -> UsageError {
    UsageError(format!(
        "{flag} does not know `{given}`{}; it takes {}",
        did_you_mean(given, known.iter().copied()),
        known.join(", ")
    ))
}

fn unknown_flag(flag: &str, known: &[&str]) -> UsageError {
    UsageError(format!(
        "there is no flag `{flag}`{}; `lab --help` lists them",
        did_you_mean(flag, known.iter().copied())
    ))
}

fn nothing_more(mut words: Words, command: Command) -> Result<Command, UsageError> {
    match words.next().as_deref() {
        None => Ok(command),
        Some("--help" | "-h") => Ok(Command::Help),
        Some(word) => Err(UsageError(format!(
            "`{word}` is one word too many; `lab --help` shows the usage"
        ))),
    }
}

/// The words of the command line, `--flag=value` split in two.
struct Words {
    rest: std::collections::VecDeque<String>,
}

impl Words {
    fn new(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut rest = std::collections::VecDeque::new();
        for word in arguments {
            match word.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => rest.extend([flag.to_owned(), value.to_owned()]),
                _ => rest.push_back(word),
            }
        }
        Self { rest }
    }

    fn next(&mut self) -> Option<String> {
        self.rest.pop_front()
    }

    fn give_back(&mut self, word: String) {
        self.rest.push_front(word);
    }

    fn value(&mut self, flag: &str) -> Result<String, UsageError> {
        self.next()
            .filter(|value| !value.starts_with("--"))
            .ok_or_else(|| UsageError(format!("{flag} needs a value after it")))
    }
}
