//! A ball on a bridge of ropes: shapes with a mass, and probes of shapes.

use crate::{
    built_in_scenes::built_in,
    scenes::{Overrides, file, run},
};

const GRAVITY: f64 = 9.81;

#[test]
fn a_ball_rolls_over_the_bridge_and_is_borne() {
    let scene = built_in("bridge_ball");
    let run = run(&scene, &Overrides::default(), |_| {}).expect("it plays");
    let (ball, force) = (&run.report.probes["ball"], &run.report.probes["force"]);
    let far = ball.iter().map(|row| row[1]).fold(f64::NEG_INFINITY, f64::max);
    // It starts 1.6 m from the middle, and gets as far on the other side: a tenth for what the ropes' swinging gives and takes.
    assert!((far / 1.6 - 1.0).abs() < 0.1, "it got to {far} m");
    let low = ball.iter().map(|row| row[2]).fold(f64::INFINITY, f64::min);
    let aside = ball.iter().map(|row| row[3].abs()).fold(0.0, f64::max);
    // The ropes of 300 N hang down by w L²/8T, 7 cm under themselves, and m g/2 over 4 T/L, 2 cm, under the ball, whose middle is 15 cm above them.
    assert!(low > 0.02 && aside < 0.03, "it was as low as {low} m, {aside} m aside");
    // What the ropes give it is what it takes to carry it: over whole seconds at the end, its weight, within 3% for how it still moves up and down.
    let last = &force[force.len() - 240..];
    let mean = last.iter().map(|row| row[2]).sum::<f64>() / last.len() as f64;
    assert!((mean / GRAVITY - 1.0).abs() < 0.03, "{mean} N");
    assert!(
        run.report.contacts.max_penetration < 1e-3,
        "{}",
        run.report.contacts.max_penetration
    );
}

#[test]
fn shapes_with_a_mass_are_checked() {
    let scene = |shape: &str, probe: &str| {
        let rod = "(name: \"a\", rod: (shape: Line(from: (0, 0, 0), to: (1, 0, 0), segments: 4)))";
        let text = format!("(version: 1, name: \"x\", rods: [{rod}], shapes: [{shape}], probes: [{probe}])");
        file::parse(&text, "x", None)
            .err()
            .map(|error| (error.field, error.message))
    };
    let ball = "(kind: Ball(radius: 0.1), mass: 2, velocity: (1, 0, 0))";
    assert_eq!(scene(ball, "(name: \"p\", what: ShapePosition(-1))"), None);
    for (shape, probe, field) in [
        ("(kind: Ground, mass: 1)", "", "shapes[0].mass"),
        ("(kind: Ball(radius: 0.1), mass: 0)", "", "shapes[0].mass"),
        (
            "(kind: Ball(radius: 0.1), velocity: (1, 0, 0))",
            "",
            "shapes[0].velocity",
        ),
        (ball, "(name: \"p\", what: ShapeForce(1))", "probes[0].what"),
        (ball, "(name: \"p\", rod: \"a\", what: ShapeForce(0))", "probes[0].rod"),
    ] {
        assert_eq!(scene(shape, probe).map(|(field, _)| field), Some(field.to_owned()));
    }
}
