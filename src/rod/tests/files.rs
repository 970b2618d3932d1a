//! Serde: round trips in JSON and RON, defaults, and tampered files.

use glam::DVec3;
use serde_json::Value;

use super::super::{
    BreakLimit, ClampAt, Damping, Joints, Material, Place, RestShape, RodDescription, RodError, RodParts, RodSpec,
    Section, Shape, Stiffness, Taper, Topology, Twist,
};
use super::{close, line, sound_parts};

fn specs() -> Vec<RodSpec> {
    let corner = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.1)];
    vec![
        line(8),
        line(8)
            .material(Material::steel_cable())
            .section(Section::rectangular(0.01, 0.02))
            .up(DVec3::Y)
            .taper(Taper::Linear { start: 1.0, end: 0.3 })
            .twist(Twist::Total(1.0))
            .rest_twist(Twist::None)
            .rest(RestShape::Straight)
            .rest_scale(0.9)
            .pin(3)
            .clamp_start()
            .clamp_at(8, 7)
            .hold_segment(2)
            .load(8, 2.5)
            .break_at(BreakLimit::Tension(3e4)),
        RodSpec::new(Shape::spline(corner.clone(), 12)).rest(RestShape::Curve(corner.clone())),
        RodSpec::new(Shape::curve(corner.clone(), 12)).twist(Twist::PerSegment(vec![0.1; 12])),
        RodSpec::new(Shape::helix(0.3, 0.1, 2.0, 30)).section(Section::elliptical(0.01, 0.02)),
        RodSpec::new(Shape::closed(corner.clone(), 12)),
        RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 1.0, 12)),
        RodSpec::new(Shape::graph(
            corner.clone(),
            [[0, 1], [1, 2]],
            Joints::List(vec![[0, 1]]),
        ))
        .material(Material {
            stiffness: Stiffness::Paper { k_ss: 1.0, k_bt: 2.0 },
            damping: Damping::Times {
                stretch: 0.1,
                bend: 0.2,
            },
            ..Material::rubber()
        })
        .taper(Taper::Radii(vec![0.1, 0.2, 0.3])),
    ]
}

/// Equal but for the last bit of a number, which serde_json gives up on reading (unless told to keep it).
fn assert_near(left: &RodDescription, right: &RodDescription) {
    fn walk(left: &Value, right: &Value) {
        match (left, right) {
            (Value::Array(left), Value::Array(right)) => {
                assert_eq!(left.len(), right.len());
                left.iter().zip(right).for_each(|(left, right)| walk(left, right));
            }
            (Value::Object(left), Value::Object(right)) => {
                assert!(left.keys().eq(right.keys()));
                left.values()
                    .zip(right.values())
                    .for_each(|(left, right)| walk(left, right));
            }
            (Value::Number(left), Value::Number(right)) => {
                let (left, right) = (left.as_f64().unwrap(), right.as_f64().unwrap());
                close(left, right, 4.0 * f64::EPSILON * right.abs());
            }
            _ => assert_eq!(left, right),
        }
    }
    walk(
        &serde_json::to_value(left).unwrap(),
        &serde_json::to_value(right).unwrap(),
    );
    assert_eq!(left.topology(), right.topology());
}

#[test]
fn specs_and_descriptions_round_trip() {
    for spec in specs() {
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<RodSpec>(&json).unwrap(), spec, "{json}");
        let text = ron::to_string(&spec).unwrap();
        assert_eq!(ron::from_str::<RodSpec>(&text).unwrap(), spec, "{text}");

        let rod = spec.build().unwrap();
        let json = serde_json::to_string(&rod).unwrap();
        assert_near(&serde_json::from_str::<RodDescription>(&json).unwrap(), &rod);
        let text = ron::to_string(&rod).unwrap();
        assert_eq!(ron::from_str::<RodDescription>(&text).unwrap(), rod);
    }
}

#[test]
fn never_breaking_survives_json() {
    let rod = line(2).build().unwrap();
    let json = serde_json::to_string(&rod).unwrap();
    assert!(json.contains(r#""break_strain":null"#));
    assert_eq!(
        serde_json::from_str::<RodDescription>(&json).unwrap().segments()[0].break_strain,
        f64::INFINITY
    );
}

#[test]
fn only_the_shape_is_required() {
    let json = r#"{ "shape": { "Line": { "from": [0, 0, 0], "to": [1, 0, 0], "segments": 8 } } }"#;
    assert_eq!(serde_json::from_str::<RodSpec>(json).unwrap(), line(8));
    let text = "(shape: Line(from: (0, 0, 0), to: (1, 0, 0), segments: 8))";
    assert_eq!(ron::from_str::<RodSpec>(text).unwrap(), line(8));
    let text = "(shape: Helix(radius: 0.3, pitch: 0.1, turns: 2, segments: 30))";
    assert_eq!(
        ron::from_str::<RodSpec>(text).unwrap().shape,
        Shape::helix(0.3, 0.1, 2.0, 30)
    );
    assert!(
        ron::from_str::<RodSpec>("()")
            .unwrap_err()
            .to_string()
            .contains("shape")
    );
}

#[test]
fn a_material_is_a_preset_and_what_differs() {
    let text = "(
        shape: Line(from: (0, 0, 0), to: (1, 0, 0), segments: 8),
        material: (preset: SteelCable, friction: 0.1, damping: Ratio(0.02)),
        section: Round(radius: 0.004),
        up: (0, 1, 0),
        clamps: [Start, Vertex(vertex: 8, segment: 7)],
        loads: [(vertex: 4, mass: 2)],
        break_at: Strain(0.01),
    )";
    let spec: RodSpec = ron::from_str(text).unwrap();
    let expected = Material::steel_cable()
        .with_friction(0.1)
        .with_damping(Damping::Ratio(0.02));
    assert_eq!(spec.material, expected);
    assert_eq!(spec.up, Some(DVec3::Y));
    assert_eq!(spec.clamps, [ClampAt::Start, ClampAt::Vertex { vertex: 8, segment: 7 }]);
    assert!(spec.build().is_ok());
    let json = r#"{ "preset": "Rubber", "friction": 0.3 }"#;
    assert_eq!(
        serde_json::from_str::<Material>(json).unwrap(),
        Material::rubber().with_friction(0.3)
    );
}

#[test]
fn misspelt_fields_are_refused_by_name() {
    let text = "(shape: Line(from: (0, 0, 0), to: (1, 0, 0), segments: 8), pin: [0])";
    assert!(ron::from_str::<RodSpec>(text).unwrap_err().to_string().contains("pin"));
    let text = "(shape: Line(form: (0, 0, 0), to: (1, 0, 0), segments: 8))";
    assert!(ron::from_str::<RodSpec>(text).unwrap_err().to_string().contains("form"));
    let json = r#"{ "preset": "Rubber", "fiction": 0.3 }"#;
    assert!(
        serde_json::from_str::<Material>(json)
            .unwrap_err()
            .to_string()
            .contains("fiction")
    );
    assert!(ron::from_str::<RodSpec>("(shape: Line(from: (0,0,0), to: (1,0,0), segments: -8))").is_err());
}

#[test]
fn tampered_descriptions_are_refused() {
    let tampered = |change: &dyn Fn(&mut Value)| {
        let mut json = serde_json::to_value(line(4).pin(0).build().unwrap()).unwrap();
        change(&mut json);
        let message = serde_json::from_value::<RodDescription>(json.clone())
            .unwrap_err()
            .to_string();
        // The typed error is there for who reads the parts first.
        let typed = serde_json::from_value::<RodParts>(json).map(RodDescription::new);
        (message, typed.ok().and_then(Result::err))
    };
    let (message, typed) = tampered(&|json| json["vertices"][3]["radius"] = (-1.0).into());
    let expected = RodError::NotPositive {
        at: Place::item("vertices[].radius", 3),
        value: -1.0,
    };
    assert_eq!(message, expected.to_string());
    assert_eq!(typed, Some(expected));

    let (message, typed) = tampered(&|json| json["joints"][1]["second"] = 3.into());
    let expected = RodError::NotMeeting {
        at: Place::item("joints[]", 1),
        first: 1,
        second: 3,
    };
    assert_eq!((message, typed), (expected.to_string(), Some(expected)));

    let (_, typed) = tampered(&|json| json["segments"][2]["head"] = 99.into());
    let at = Place::item("segments[].head", 2);
    assert_eq!(
        typed,
        Some(RodError::OutOfRange {
            at,
            target: 99,
            count: 5
        })
    );

    let (message, _) = tampered(&|json| json["vertices"][0]["colour"] = 1.into());
    assert!(message.contains("colour"));
    let (message, _) = tampered(&|json| json["vertices"][0]["mass"] = Value::Null);
    assert!(!message.is_empty());
}

#[test]
fn what_was_written_reads_back_bit_for_bit() {
    let rod = RodSpec::new(Shape::helix(0.31, 0.07, 9.3, 400))
        .clamp_start()
        .build()
        .unwrap();
    let back: RodDescription = ron::from_str(&ron::to_string(&rod).unwrap()).unwrap();
    for (a, b) in rod.segments().iter().zip(back.segments()) {
        assert_eq!(
            a.frame.to_array().map(f64::to_bits),
            b.frame.to_array().map(f64::to_bits)
        );
        assert_eq!(a.rest_length.to_bits(), b.rest_length.to_bits());
    }
    assert_eq!(rod.topology(), Topology::Chain);
    assert_eq!(RodDescription::try_from(sound_parts()).unwrap().parts(), &sound_parts());
}
