//! `lab`, the headless scene runner: `cargo run --release --example lab` shows what it does, `-- --help` what it can.

mod args;
mod compare;
mod outline;
mod picture;
mod progress;
#[path = "../scenes/mod.rs"]
mod scenes;
mod table;

use std::{
    fmt::Display,
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use args::{Command, CompareArgs, ExportArgs, RunArgs};
use progress::Progress;
use scenes::{
    RunError, Scene, builtin,
    file::{self, LoadError},
    names::did_you_mean,
    runner,
};

/// Snapshots in a picture.
const STROBES: usize = 13;

/// Why `lab` ends with something other than success.
enum Failure {
    /// A bad command line or scene: exit code 2.
    Input(String),
    /// Something went wrong on the way: exit code 1.
    Work(String),
}

fn input(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}

fn work(error: impl Display) -> Failure {
    Failure::Work(error.to_string())
}

fn main() -> ExitCode {
    let outcome = args::parse(std::env::args().skip(1))
        .map_err(input)
        .and_then(|command| match command {
            Command::Run(args) => run(args),
            Command::Compare(args) => compare(&args),
            Command::List => list(),
            Command::Export(args) => export(&args),
            Command::Help => print(include_str!("help.txt")),
            Command::Version => print(&format!("lab of lariat {}\n", env!("CARGO_PKG_VERSION"))),
        });
    let (message, code) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (message, 2),
        Err(Failure::Work(message)) => (message, 1),
    };
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(code)
}

fn run(mut args: RunArgs) -> Result<(), Failure> {
    let scene = load(&args.target)?;
    if args.svg.is_some() {
        args.overrides.strobes = STROBES;
    }
    let frames = args.overrides.apply(&scene).frames;
    let mut progress = Progress::new(&scene.name, u64::from(frames), args.quiet);
    let run = runner::run(&scene, &args.overrides, |frame| progress.set(u64::from(frame))).map_err(run_failure)?;
    drop(progress);
    if args.json {
        let text = serde_json::to_string(&run.report).map_err(work)?;
        print(&format!("{text}\n"))?;
    } else if !args.quiet {
        print(&table::table(&scene, &run))?;
    }
    if let Some(path) = &args.svg {
        save(path, &picture::svg(&scene, &run))?;
        if !args.json && !args.quiet {
            print(&format!("  {:<12} {}\n", "picture", path.display()))?;
        }
    }
    if !args.json && !args.quiet {
        print("\n")?;
    }
    Ok(())
}

fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let scene = load(&args.target)?;
    let table = compare::compare(&scene, args).map_err(run_failure)?;
    print(&table)
}

fn list() -> Result<(), Failure> {
    let mut out = String::from("\n");
    for entry in builtin::ALL {
        let scene = (entry.build)().map_err(work)?;
        let about = table::wrap(&scene.about, 78).join(&format!("\n  {:<20}", ""));
        out.push_str(&format!("  {:<20}{about}\n", entry.name));
    }
    out.push_str("\n  lab run NAME runs one, lab export NAME writes it as a scene file.\n\n");
    print(&out)
}

fn export(args: &ExportArgs) -> Result<(), Failure> {
    let scene = load(&args.target)?;
    let text = if args.json {
        file::to_json(&scene).map_err(work)?
    } else {
        file::to_ron(&scene).map_err(work)?
    };
    match &args.path {
        Some(path) => save(path, &text),
        None => print(&text),
    }
}

/// A scene from a file, from standard input, or built in.
fn load(target: &str) -> Result<Scene, Failure> {
    if target == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(work)?;
        return file::parse_bytes(bytes, "standard input", None).map_err(input);
    }
    if let Some(entry) = builtin::find(target) {
        return (entry.build)().map_err(work);
    }
    let path = PathBuf::from(target);
    file::load(&path).map_err(|error| match error {
        LoadError::Unreadable { source, .. } if source.kind() == ErrorKind::NotFound => {
            let names = builtin::ALL.iter().map(|entry| entry.name);
            input(format!(
                "there is neither a file nor a built-in scene `{target}`{}; `lab list` lists the scenes",
                did_you_mean(target, names)
            ))
        }
        error => input(error),
    })
}

fn run_failure(error: RunError) -> Failure {
    match error {
        RunError::Scene(error) => input(error),
        error @ RunError::Step { .. } => work(error),
    }
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Work(format!("cannot write {}: {error}", path.display()));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

/// Prints to standard output. A reader that has closed it (`lab list | head`) has seen enough; that is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(work(error)),
        _ => Ok(()),
    }
}
