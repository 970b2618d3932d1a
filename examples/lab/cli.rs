//! What `lab` does with its arguments: loads scenes, runs them, prints, writes files, and says how it ended.

use std::{
    fmt::Display,
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

use crate::{
    args::{self, Command, CompareArgs, ExportArgs, RunArgs},
    compare, picture, plot,
    progress::Progress,
    scenes::{
        RunError, Scene, builtin,
        file::{self, LoadError},
        names::did_you_mean,
        runner,
    },
    table,
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

type Outcome = Result<(), Failure>;

fn input(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}

fn work(error: impl Display) -> Failure {
    Failure::Work(error.to_string())
}

/// Does what the arguments (without the program's name) say; results go to `out`, errors to `err`. Returns the exit code.
pub fn lab(arguments: impl IntoIterator<Item = String>, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let outcome = args::parse(arguments).map_err(input).and_then(|command| match command {
        Command::Run(args) => run(args, out),
        Command::Compare(args) => compare(&args, out),
        Command::List => list(out),
        Command::Export(args) => export(&args, out),
        Command::Help => print(out, include_str!("help.txt")),
        Command::Version => print(out, &format!("lab of lariat {}\n", env!("CARGO_PKG_VERSION"))),
    });
    let (message, code) = match outcome {
        Ok(()) => return 0,
        Err(Failure::Input(message)) => (message, 2),
        Err(Failure::Work(message)) => (message, 1),
    };
    let _ = writeln!(err, "error: {message}");
    code
}

fn run(mut args: RunArgs, out: &mut dyn Write) -> Outcome {
    let scene = load(&args.target)?;
    let frames = args.overrides.apply(&scene).frames;
    if args.svg.is_some() {
        args.overrides.strobe_frames = runner::evenly(frames, STROBES);
    }
    let mut progress = Progress::new(&scene.name, u64::from(frames), args.quiet);
    let run = runner::run(&scene, &args.overrides, |frame| progress.set(u64::from(frame))).map_err(run_failure)?;
    drop(progress);
    let table = !args.json && !args.quiet;
    if args.json {
        let text = serde_json::to_string(&run.report).map_err(work)?;
        print(out, &format!("{text}\n"))?;
    } else if table {
        print(out, &table::table(&scene, &run))?;
    }
    if let Some(path) = &args.svg {
        save(path, &picture::svg(&scene, &run))?;
        if table {
            print(out, &table::row("picture", &[path.display().to_string()]))?;
        }
    }
    if table {
        print(out, "\n")?;
    }
    Ok(())
}

fn compare(args: &CompareArgs, out: &mut dyn Write) -> Outcome {
    let mut compared = Vec::with_capacity(args.targets.len());
    for target in &args.targets {
        let scene = load(target)?;
        let comparison = compare::compare(&scene, args).map_err(run_failure)?;
        print(out, &comparison.table())?;
        compared.push(comparison);
    }
    if let Some(path) = &args.svg {
        save(path, &plot::svg(&compared))?;
        print(out, &table::row("plot", &[path.display().to_string()]))?;
    }
    Ok(())
}

fn list(out: &mut dyn Write) -> Outcome {
    let mut text = String::from("\n");
    for entry in builtin::ALL {
        let scene = (entry.build)().map_err(work)?;
        let about = table::wrap(&scene.about, 78).join(&format!("\n  {:<20}", ""));
        text.push_str(&format!("  {:<20}{about}\n", entry.name));
    }
    text.push_str("\n  lab run NAME runs one, lab export NAME writes it as a scene file.\n\n");
    print(out, &text)
}

fn export(args: &ExportArgs, out: &mut dyn Write) -> Outcome {
    let scene = load(&args.target)?;
    let text = if args.json {
        file::to_json(&scene).map_err(work)?
    } else {
        file::to_ron(&scene).map_err(work)?
    };
    match &args.path {
        Some(path) => save(path, &text),
        None => print(out, &text),
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
    file::load(&PathBuf::from(target)).map_err(|error| match error {
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

fn save(path: &Path, text: &str) -> Outcome {
    let failed = |error: std::io::Error| Failure::Work(format!("cannot write {}: {error}", path.display()));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

/// Prints. A reader that has closed the pipe (`lab list | head`) has seen enough; that is no failure.
fn print(out: &mut dyn Write, text: &str) -> Outcome {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(work(error)),
        _ => Ok(()),
    }
}
