//! Scene files: good ones are read, bad ones name the line and the field, nothing panics.

use crate::{
    built_in_scenes::built_in,
    scenes::{
        self, SceneError,
        file::{self, Format},
        names::{DIRECT, DIRECT_BDF2, ELASTIC, ELASTIC_MEAN_FRAME, PBD, STABLE_COSSERAT, STABLE_COSSERAT_EXACT, XPBD},
        random::Random,
    },
};

pub const GOOD: &str = r#"// A line between two hooks.
(
  version: 1,
  name: "washing line",
  substeps: 4, frames: 6,
  rods: [
    (
      name: "line",
      rod: (
        shape: Line(from: (0, 0, 0), to: (2, 0, 0), segments: 16),
        material: (preset: NylonRope),
        pins: [0, 16],
      ),
      copies: (layout: Row(count: 3, offset: (0, 0, 1))),
    ),
  ],
  actions: [(at: 0.05, until: 0.08, rod: "line[1]", act: Move(vertex: -1, velocity: (1, 0, 0)))],
  probes: [(name: "middle", rod: "line[2]", what: Position(8))],
)
"#;

const GOOD_JSON: &str = r#"{
  "version": 1,
  "name": "washing line",
  "rods": [
    { "name": "line",
      "rod": {
        "shape": { "Line": { "from": [0, 0, 0], "to": [2, 0, 0], "segments": 16 } },
        "pins": [0, 16] } }
  ],
  "probes": [{ "name": "middle", "rod": "line", "what": { "Position": 8 } }]
}"#;

fn bad(text: &str) -> SceneError {
    file::parse(text, "scene", None).expect_err(text)
}

/// The text with one part changed; the part must be there.
pub fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn good_files_are_read_in_both_notations() {
    let scene = file::parse(GOOD, "scene", None).expect("the RON file is good");
    assert_eq!((scene.rate, scene.frames, scene.rods.len()), (60.0, 6, 1));
    let json = file::parse(GOOD_JSON, "scene", None).expect("the JSON file is good");
    assert_eq!(json.probes[0], {
        let mut probe = scene.probes[0].clone();
        probe.rod = Some("line".to_owned());
        probe
    });
    assert_eq!(Format::of_text("  {"), Format::Json);
}

#[test]
fn every_solver_can_be_named_in_both_notations() {
    for (ron, json, solver) in [
        ("Direct()", r#"{ "Direct": {} }"#, DIRECT),
        (
            "Direct(integrator: Bdf2)",
            r#"{ "Direct": { "integrator": "Bdf2" } }"#,
            DIRECT_BDF2,
        ),
        ("StableCosserat()", r#"{ "StableCosserat": {} }"#, STABLE_COSSERAT),
        (
            "StableCosserat(lambda: Exact)",
            r#"{ "StableCosserat": { "lambda": "Exact" } }"#,
            STABLE_COSSERAT_EXACT,
        ),
        ("Xpbd()", r#"{ "Xpbd": {} }"#, XPBD),
        (
            "Xpbd(projection: Stiffness)",
            r#"{ "Xpbd": { "projection": "Stiffness" } }"#,
            PBD,
        ),
        ("Elastic()", r#"{ "Elastic": {} }"#, ELASTIC),
        (
            "Elastic(curvature: MeanFrame)",
            r#"{ "Elastic": { "curvature": "MeanFrame" } }"#,
            ELASTIC_MEAN_FRAME,
        ),
    ] {
        let ron = changed(GOOD, "version: 1,", &format!("version: 1, solver: {ron},"));
        let json = changed(
            GOOD_JSON,
            "\"version\": 1,",
            &format!("\"version\": 1, \"solver\": {json},"),
        );
        for text in [ron, json] {
            let scene = file::parse(&text, "scene", None).expect("a good file");
            assert_eq!(scene.solver, solver, "{text}");
        }
    }
    let error = bad(&changed(
        GOOD,
        "version: 1,",
        "version: 1, solver: Direct(integrator: Bdf3),",
    ));
    assert!(error.to_string().contains("did you mean `Bdf2`?"), "{error}");
}

#[test]
fn the_examples_of_the_manual_are_good_files() {
    let manual = include_str!("../../docs/scenes.md");
    let mut count = 0;
    for (fence, format) in [("```ron\n", Format::Ron), ("```json\n", Format::Json)] {
        for block in manual.split(fence).skip(1) {
            let text = block.split("```").next().unwrap_or("");
            file::parse(text, "docs/scenes.md", Some(format)).expect("an example of the manual");
            count += 1;
        }
    }
    assert_eq!(count, 2);
}

#[test]
fn bad_files_name_the_line_and_the_field() {
    // (what is changed, into what, line, field, part of the message)
    let cases = [
        (
            "segments: 16",
            "segmets: 16",
            10,
            "rods[0].rod.shape.segmets",
            "did you mean `segments`?",
        ),
        (
            "segments: 16",
            "segments: -3",
            10,
            "rods[0].rod.shape.segments",
            "integer",
        ),
        ("segments: 16", "segments: 0", 10, "rods[0].rod.shape.segments", "empty"),
        ("to: (2, 0, 0)", "to: (0, 0, 0)", 10, "rods[0].rod.shape", "zero length"),
        (
            "NylonRope",
            "Nylon",
            11,
            "rods[0].rod.material.preset",
            "did you mean `NylonRope`?",
        ),
        ("[0, 16]", "[0, 99]", 12, "rods[0].rod.pins[1]", "99"),
        ("[0, 16]", "\"all\"", 12, "rods[0].rod.pins", "["),
        (
            "count: 3",
            "count: 0",
            14,
            "rods[0].copies.layout.count",
            "between 1 and",
        ),
        (
            "count: 3",
            "count: 4000000000",
            14,
            "rods[0].copies.layout.count",
            "between 1 and",
        ),
        (
            "offset: (0, 0, 1)",
            "offset: (0, 0, inf)",
            14,
            "rods[0].copies.layout.offset",
            "finite",
        ),
        ("line[1]", "line[3]", 17, "actions[0].rod", "has no copy 3"),
        ("until: 0.08", "until: 0.01", 17, "actions[0].until", "between 0.05 and"),
        (
            "vertex: -1",
            "vertex: -18",
            17,
            "actions[0].act.vertex",
            "no vertex -18",
        ),
        ("Move(", "Mover(", 17, "actions[0].act", "did you mean `Move`?"),
        ("line[2]", "lime", 18, "probes[0].rod", "did you mean `line`?"),
        ("Position(8)", "Position(88)", 18, "probes[0].what", "no vertex 88"),
        ("Position(8)", "PositionAt(9)", 18, "probes[0].what", "between 0 and 2"),
        ("Position(8)", "Velocity(\"x\")", 18, "probes[0].what", "nteger"),
        ("rod: \"line[2]\", ", "", 18, "probes[0]", "needs `rod`"),
        ("version: 1", "version: 2", 3, "version", "reads version 1"),
        ("version: 1,", "version: 2, colour: 3,", 3, "version", "reads version 1"),
        ("substeps: 4", "substeps: 0", 5, "substeps", "must be"),
        ("name: \"line\"", "name: \"li[ne\"", 8, "rods[0].name", "brackets"),
        (
            "name: \"line\",",
            "name: \"line\", drag: -1,",
            8,
            "rods[0].drag",
            "between 0",
        ),
        ("  name: \"washing line\",\n", "", 18, "name", "missing"),
        (
            "frames: 6",
            "wind: (direction: (0, 0, 0), speed: 1)",
            5,
            "wind.direction",
            "direction",
        ),
    ];
    for (from, to, line, field, part) in cases {
        let error = bad(&changed(GOOD, from, to));
        let shown = format!("{from} → {to}: {error}");
        assert_eq!((error.line(), error.field.as_str()), (Some(line), field), "{shown}");
        assert!(error.message.contains(part), "{shown}");
        assert!(shown.contains(&format!("scene:{line}:")), "{shown}");
    }
}

#[test]
fn bad_json_names_the_line_and_the_field() {
    let cases = [
        (
            "\"segments\"",
            "\"segmets\"",
            7,
            "rods[0].rod.shape.segmets",
            "did you mean",
        ),
        ("16 }", "\"many\" }", 7, "rods[0].rod.shape.segments", "invalid type"),
        ("\"Line\"", "\"Lime\"", 7, "rods[0].rod.shape", "unknown variant"),
        ("[0, 16]", "[0, 17]", 8, "rods[0].rod.pins[1]", "17"),
        (
            "\"Position\": 8",
            "\"Position\": 80",
            10,
            "probes[0].what",
            "no vertex 80",
        ),
        ("[0, 0, 0]", "[0, 0]", 7, "rods[0].rod.shape.from", "length"),
        ("\"version\": 1,", "", 11, "version", "missing"),
        ("\"name\": \"line\",", "", 8, "rods[0].name", "missing"),
    ];
    for (from, to, line, field, part) in cases {
        let error = bad(&changed(GOOD_JSON, from, to));
        let shown = format!("{from} → {to}: {error}");
        assert!(error.message.contains(part), "{shown}");
        if part != "missing" {
            assert_eq!(error.line(), Some(line), "{shown}");
        }
        assert_eq!(error.field, field, "{shown}");
    }
}

#[test]
fn a_rod_needs_a_recipe_or_a_description() {
    let start = GOOD.find("rod: (\n").expect("the recipe");
    let end = GOOD.find("copies:").expect("its end");
    let without = format!("{}{}", &GOOD[..start], &GOOD[end..]);
    assert!(bad(&without).message.contains("needs `rod`"), "{without}");
}

#[test]
fn broken_files_are_errors_and_never_panics() {
    for text in [
        "",
        "(",
        "{",
        "[]",
        "Scene",
        "\u{feff}(version: 1)",
        "((((((((",
        "{\"version\": 1",
    ] {
        let _ = bad(text);
    }
    assert!(file::parse_bytes(vec![0xff, 0xfe], "x", None).is_err());
    let mut random = Random::new(5);
    for text in [GOOD, GOOD_JSON] {
        for _ in 0..1500 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=random.bits() % 3 {
                let at = (random.bits() % bytes.len() as u64) as usize;
                // Never empty, so that there is always something to change next.
                if bytes.len() < 3 {
                    break;
                }
                match random.bits() % 3 {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, b"(){}[],:\"-9e/"[(random.bits() % 13) as usize]),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            // Some of these are still good scenes; a vertex or two more is no harm.
            let _ = file::parse_bytes(bytes, "x", None);
        }
    }
}

#[test]
fn written_scenes_are_read_back_the_same() {
    for name in ["show", "cantilever", "slingshot", "net", "twisted_cable"] {
        let scene = built_in(name);
        let ron = file::to_ron(&scene).expect("RON is written");
        let json = file::to_json(&scene).expect("JSON is written");
        let from_ron = file::parse(&ron, name, None).expect("RON is read back");
        let from_json = file::parse(&json, name, None).expect("JSON is read back");
        assert!(file::to_ron(&from_ron).is_ok_and(|again| again == ron), "{name}");
        // serde_json may read the last digit of a number differently, so JSON is compared by what it builds.
        let [before, after] = [&scene, &from_json].map(|scene| scenes::check::resolve(scene).expect(name));
        assert_eq!(before.len(), after.len(), "{name}");
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.topology(), after.topology(), "{name}");
            for (a, b) in before.vertices().iter().zip(after.vertices()) {
                assert!(
                    a.position.distance(b.position) < 1e-12 && (a.mass - b.mass).abs() < 1e-9,
                    "{name}"
                );
            }
        }
    }
}
