//! Playing scenes: actions, results, pictures, comparisons, exit codes.

use glam::DVec3;

use crate::{
    built_in_scenes::built_in,
    cli,
    command_line::words,
    outline, picture,
    scene_files::{GOOD, changed},
    scenes::{
        Overrides, Stage,
        builtin::{self, groom},
        file, run,
    },
};

#[test]
fn the_cantilever_of_the_paper_settles_where_its_authors_say() {
    let run = run(&built_in("cantilever"), &Overrides::default(), |_| {}).expect("it runs");
    let tip = run.report.probes["tip"].last().expect("a row").clone();
    assert!((tip[0] - 5.0).abs() < 1e-9 && (tip[2] + 0.2846).abs() < 1e-3, "{tip:?}");
}

#[test]
fn actions_and_copies_do_what_they_say() {
    let text = r#"(version: 1, name: "x", gravity: (0, 0, 0), rate: 50, substeps: 2, frames: 50,
      rods: [(name: "r", rod: (shape: Line(from: (0, 0, 0), to: (1, 0, 0), segments: 4), pins: [0],
                    material: (stiffness: Rigidity(ea: 100, ga: 100, ei: (0, 0), gj: 0), density: Linear(0.1))),
              pose: (translation: (0, 5, 0), axis: (0, 0, 1), angle: 1.5707963267948966),
              copies: (layout: Grid(counts: (2, 1, 2), spacing: (3, 0, 4))))],
      actions: [(at: 0.2, until: 0.6, rod: "r[0]", act: Move(vertex: 0, velocity: (0, 0, 1))),
                (at: 0.0, until: 1.0, rod: "r[1]", act: Circle(vertex: 0, centre: (1, 0, 0), axis: (0, 1, 0), rate: 3.141592653589793)),
                (at: 0.5, rod: "r[2]", act: Kick(vertex: -1, velocity: (2, 0, 0))),
                (at: 0.0, until: 1.0, rod: "r[3]", act: Path(vertex: 0, points: [(0.5, (0, 0, 1)), (0.7, (0, 0, 0))]))])"#;
    let scene = file::parse(text, "x", None).expect("a good file");
    let mut stage = Stage::new(&scene).expect("it stands");
    let at = |stage: &Stage, copy: usize, vertex: usize| {
        let id = stage.rod(&format!("r[{copy}]")).expect("a copy");
        stage.world.rod(id).expect("is there").position(vertex)
    };
    // Turned about z by a right angle, then shifted: the far end is above the first.
    assert!(at(&stage, 3, 4).distance(DVec3::new(3.0, 6.0, 4.0)) < 1e-6);
    stage.play_until(0.5).expect("it plays");
    assert!((at(&stage, 0, 0).z - 0.3).abs() < 1e-5, "0.3 s at 1 m/s");
    assert!(
        at(&stage, 1, 0).distance(DVec3::new(4.0, 5.0, 1.0)) < 1e-5,
        "{}",
        at(&stage, 1, 0)
    );
    assert!(
        at(&stage, 2, 4).distance(DVec3::new(0.0, 6.0, 4.0)) < 1e-5,
        "not kicked yet"
    );
    assert!((at(&stage, 3, 0).z - 5.0).abs() < 1e-5, "at its first point");
    stage.play_until(1.0).expect("it plays");
    assert!((at(&stage, 0, 0).z - 0.4).abs() < 1e-5, "stopped");
    assert!(
        at(&stage, 1, 0).distance(DVec3::new(5.0, 5.0, 0.0)) < 1e-5,
        "half a turn"
    );
    assert!(at(&stage, 2, 4).x > 0.1, "kicked");
    assert!((at(&stage, 3, 0).z - 4.0).abs() < 1e-5, "back again");
}

#[test]
fn results_are_those_that_others_read() {
    let scene = file::parse(GOOD, "scene", None).expect("a good file");
    let overrides = Overrides {
        threads: Some(1),
        strobe_frames: vec![0, 3, 6],
        ..Overrides::default()
    };
    let run = run(&scene, &overrides, |_| {}).expect("it runs");
    assert_eq!(run.strobes.len(), 3);
    assert_eq!(run.strobes[0].rods.len(), 3);
    let json = serde_json::to_value(&run.report).expect("JSON");
    let keys: Vec<&str> = json
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = [
        "scene",
        "solver",
        "hz",
        "substeps",
        "iterations",
        "threads",
        "vertices",
        "segments",
        "frames",
        "ms_per_frame",
        "stretch",
        "energy",
        "contacts",
        "events",
        "probes",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    for (object, fields) in [
        ("ms_per_frame", &["median", "p99", "min"][..]),
        ("stretch", &["max", "end"]),
        ("energy", &["start", "end", "max"]),
        ("contacts", &["max_pairs", "max_penetration"]),
        ("events", &["broke", "cut", "quarantined"]),
    ] {
        for field in fields {
            assert!(json[object][field].is_number(), "{object}.{field}");
        }
    }
    let rows = json["probes"]["middle"].as_array().expect("rows");
    assert_eq!(rows.len(), 7, "once before the first frame and after every frame");
    assert_eq!(rows[6].as_array().map(Vec::len), Some(4), "time and three coordinates");
    assert!((rows[6][0].as_f64().expect("a time") - 0.1).abs() < 1e-12);
}

/// Runs `lab` and gives its exit code, its output and its errors.
fn lab(line: &str) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = cli::lab(words(line), &mut out, &mut err);
    let [out, err] = [out, err].map(|bytes| String::from_utf8(bytes).expect("text"));
    (code, out, err)
}

#[test]
fn exit_codes_tell_bad_input_from_success() {
    let folder = std::env::temp_dir().join(format!("lariat-lab-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = |name: &str| folder.join(name).display().to_string();
    std::fs::write(path("good.ron"), GOOD).expect("a file");
    std::fs::write(path("bad.ron"), changed(GOOD, "segments", "segmets")).expect("a file");

    let (code, out, err) = lab(&format!("run {} --svg {}", path("good.ron"), path("sub/good.svg")));
    assert_eq!((code, err.as_str()), (0, ""));
    for part in [
        "washing line",
        "ms a frame",
        "stretch",
        "energy",
        "4 substeps × 8 iterations",
        "middle",
        "good.svg",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let picture = std::fs::read_to_string(path("sub/good.svg")).expect("the picture");
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));

    let (code, out, err) = lab(&format!("run {}", path("bad.ron")));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("rods[0].rod.shape.segmets") && err.contains("bad.ron:10:"),
        "{err}"
    );

    let (code, out, _) = lab(&format!("run {} --json --frames 2", path("good.ron")));
    let json: serde_json::Value = serde_json::from_str(&out).expect("nothing but JSON");
    assert_eq!((code, json["frames"].as_u64()), (0, Some(2)));

    let (code, _, err) = lab("run slinkie");
    assert!(code == 2 && err.contains("did you mean `slinky`?"), "{err}");
    assert_eq!(lab("run a --frames x").0, 2);
    assert_eq!(lab(&format!("run {} -q", path(""))).0, 2, "a folder is not a scene");
    assert_eq!(
        lab(&format!("run {} -q --svg {}/x.svg", path("good.ron"), path("bad.ron"))).0,
        1,
        "a file is not a folder"
    );
    assert_eq!(lab("--help").0, 0);
    let (code, out, _) = lab("list");
    assert!(
        code == 0 && builtin::ALL.iter().all(|entry| out.contains(entry.name)),
        "{out}"
    );
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn pictures_have_two_views_and_stay_small() {
    let scene = groom::groom(&groom::Groom {
        strands: 400,
        ..Default::default()
    });
    let overrides = Overrides {
        frames: Some(4),
        substeps: Some(2),
        strobe_frames: vec![0, 2, 4],
        ..Overrides::default()
    };
    let run = run(&scene, &overrides, |_| {}).expect("it runs");
    let svg = picture::svg(&scene, &run);
    for part in ["front", "three-quarter", " cm</text>", "strand × 400", "0.13 s"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert!(svg.len() < 1_000_000, "{} bytes", svg.len());
    assert_eq!(outline::lines(&run).len(), 60, "of many rods a part is drawn");
}

#[test]
fn compare_puts_error_next_to_cost() {
    let (code, out, err) = lab("compare cantilever --frames 7 --reference 8x8 -q");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("direct/bdf2, 8 substeps × at most 8 iterations at 30 Hz"),
        "{out}"
    );
    for (solver, rows) in [
        ("direct ", 7),
        ("direct/bdf2 ", 7),
        ("stable-cosserat/approximate ", 8),
        ("stable-cosserat/exact ", 8),
        ("xpbd ", 8),
        ("xpbd/pbd ", 8),
        ("elastic ", 7),
    ] {
        // Its rows, and what it takes to be near.
        assert_eq!(out.matches(solver).count(), rows + 1, "{solver}: {out}");
    }
    assert!(!out.contains("NaN"), "{out}");
    // This bar is held by a segment, which generalized-α does not know.
    assert!(out.contains("generalized-alpha           not for it: "), "{out}");
}

#[test]
fn compare_draws_all_scenes_in_one_plot() {
    let path = std::env::temp_dir().join(format!("lariat-compare-{}.svg", std::process::id()));
    let line = format!(
        "compare cantilever_s3 cantilever --frames 4 --reference 4x8 -q --svg {}",
        path.display()
    );
    let (code, out, err) = lab(&line);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("• generalized-alpha ") || out.contains("  generalized-alpha "),
        "{out}"
    );
    let svg = std::fs::read_to_string(&path).expect("it was written");
    let _ = std::fs::remove_file(&path);
    for part in [
        "cantilever_s3</text>",
        "cantilever</text>",
        "not for generalized-alpha",
        " ms</text>",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // A dot a row and one a solver in the legend: eight solvers on one scene, seven on the other.
    assert!(
        svg.matches("<circle").count() > 8 + 2 * 7 * 7,
        "{}",
        svg.matches("<circle").count()
    );
}
