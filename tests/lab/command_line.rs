//! The command line: what is understood, and how mistakes are explained.

use std::path::PathBuf;

use lariat::prelude::{Arithmetic, Lambda, Solver};

use crate::{
    args::{self, Command, parse},
    scenes::{
        Overrides,
        names::{DIRECT, DIRECT_BDF2, ELASTIC, STABLE_COSSERAT, STABLE_COSSERAT_EXACT},
    },
};

pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

fn refused(line: &str) -> String {
    parse(words(line)).expect_err(line).0
}

#[test]
fn no_arguments_show_the_show() {
    let Ok(Command::Run(run)) = parse(Vec::new()) else {
        panic!("not a run");
    };
    assert_eq!((run.target.as_str(), run.json), ("show", false));
    assert_eq!(run.svg, Some(PathBuf::from(args::SHOW_PICTURE)));
}

#[test]
fn every_flag_is_understood() {
    let line = "run slinky --lambda exact --solver stable-cosserat --rate=120 --substeps 3 --iterations 7 --threads 2 \
                --frames 9 --arithmetic reproducible --json --svg a/b.svg -q";
    let Ok(Command::Run(run)) = parse(words(line)) else {
        panic!("not a run");
    };
    assert_eq!(run.target, "slinky");
    assert!(run.json && run.quiet);
    assert_eq!(run.svg, Some(PathBuf::from("a/b.svg")));
    let expected = Overrides {
        solver: Some(Solver::StableCosserat { lambda: Lambda::Exact }),
        rate: Some(120.0),
        substeps: Some(3),
        iterations: Some(7),
        threads: Some(2),
        frames: Some(9),
        arithmetic: Some(Arithmetic::Reproducible),
        strobe_frames: Vec::new(),
    };
    assert_eq!(run.overrides, expected);
    for (flags, solver) in [
        ("--solver direct", DIRECT),
        ("--solver direct/bdf2", DIRECT_BDF2),
        ("--solver stable-cosserat/exact", STABLE_COSSERAT_EXACT),
        ("--solver elastic", ELASTIC),
        ("--lambda exact --solver stable-cosserat/approximate", STABLE_COSSERAT),
    ] {
        let Ok(Command::Run(run)) = parse(words(&format!("run net {flags}"))) else {
            panic!("not a run");
        };
        assert_eq!(run.overrides.solver, Some(solver), "{flags}");
    }
    let Ok(Command::Compare(compare)) = parse(words("compare net - --reference 64x32")) else {
        panic!("not a comparison");
    };
    assert_eq!(
        (compare.targets.join(" ").as_str(), compare.reference),
        ("net -", Some((64, 32)))
    );
    assert_eq!(compare.svg, Some(PathBuf::from(args::COMPARE_PLOT)));
    let Ok(Command::Export(export)) = parse(words("export net out.json")) else {
        panic!("not an export");
    };
    assert_eq!((export.json, export.path), (true, Some(PathBuf::from("out.json"))));
    assert!(matches!(parse(words("run net --help")), Ok(Command::Help)));
    assert!(matches!(parse(words("list")), Ok(Command::List)));
}

#[test]
fn mistakes_on_the_command_line_are_explained() {
    for (line, part) in [
        ("rum slinky", "did you mean `run`?"),
        ("run", "needs a scene"),
        ("run a b", "takes one scene"),
        ("run a --substep 4", "did you mean `--substeps`?"),
        ("run a --substeps", "--substeps needs a value"),
        ("run a --substeps --json", "--substeps needs a value"),
        ("run a --substeps 0", "between 1 and 100000"),
        ("run a --substeps -3", "not `-3`"),
        ("run a --rate nan", "not `nan`"),
        ("run a --solver newton", "does not know `newton`"),
        ("run a --solver direkt", "did you mean `direct`?"),
        ("run a --solver direct --lambda exact", "`direct` has no λ"),
        ("run a --lambda exact --solver direct/bdf2", "`direct/bdf2` has no λ"),
        ("run a --lambda exact --solver elastic", "`elastic` has no λ"),
        ("run a --lambda exakt", "did you mean `exact`?"),
        ("run a --arithmetic fats", "did you mean `fast`?"),
        ("compare --quiet", "needs a scene"),
        ("compare a --json", "no flag `--json`"),
        ("compare a --reference 64", "SUBSTEPSxITERATIONS"),
        ("list everything", "one word too many"),
    ] {
        let message = refused(line);
        assert!(message.contains(part), "{line}: {message}");
    }
}
