//! One test a kind of bad recipe: the exact error, with field and index.

use glam::DVec3;

use super::super::{
    BreakLimit, Damping, Density, Joints, Material, Place, RestShape, RodError, RodSpec, Section, Shape, Shear,
    Stiffness, Taper, Twist,
};
use super::{corner, line, spec_error as error};

#[test]
fn bad_sections() {
    let section = |section| error(line(4).section(section));
    let bad = |field, value| RodError::NotPositive {
        at: Place::field(field),
        value,
    };
    assert_eq!(section(Section::round(-0.01)), bad("section.radius", -0.01));
    assert_eq!(section(Section::round(0.0)), bad("section.radius", 0.0));
    assert_eq!(section(Section::elliptical(0.0, 1.0)), bad("section.a", 0.0));
    assert_eq!(section(Section::elliptical(1.0, -2.0)), bad("section.b", -2.0));
    assert_eq!(section(Section::rectangular(0.0, 1.0)), bad("section.width", 0.0));
    assert_eq!(section(Section::rectangular(1.0, 0.0)), bad("section.height", 0.0));
    assert_eq!(
        section(Section::round(f64::NAN)),
        RodError::NotFinite {
            at: Place::field("section.radius")
        }
    );
}

#[test]
fn bad_tapers() {
    let taper = |taper| error(line(4).taper(taper));
    let at = Place::field("taper");
    assert_eq!(
        taper(Taper::Factors(vec![1.0; 4])),
        RodError::CountMismatch {
            at,
            count: 4,
            expected: 5
        }
    );
    assert_eq!(
        taper(Taper::Radii(vec![1.0; 6])),
        RodError::CountMismatch {
            at,
            count: 6,
            expected: 5
        }
    );
    assert_eq!(
        taper(Taper::Factors(vec![1.0, 1.0, -1.0, 1.0, 1.0])),
        RodError::NotPositive {
            at: Place::item("taper[]", 2),
            value: -1.0
        }
    );
    assert_eq!(
        taper(Taper::Linear { start: 1.0, end: 0.0 }),
        RodError::NotPositive {
            at: Place::field("taper.end"),
            value: 0.0
        }
    );
    let ring = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, 8));
    assert_eq!(
        error(ring.taper(Taper::Linear { start: 1.0, end: 0.5 })),
        RodError::Unsupported { at, shape: "loop" }
    );
}

#[test]
fn bad_materials() {
    let sound = Material::elastic(1e9, 0.3, 1000.0);
    let stiffness = |stiffness| error(line(4).material(Material { stiffness, ..sound }));
    let bad = |field, value| RodError::NotPositive {
        at: Place::field(field),
        value,
    };
    let poisson = Shear::Poisson(0.3);
    assert_eq!(
        stiffness(Stiffness::Elastic {
            young: 0.0,
            shear: poisson
        }),
        bad("material.stiffness.young", 0.0)
    );
    assert_eq!(
        stiffness(Stiffness::Elastic {
            young: 1.0,
            shear: Shear::Modulus(-1.0)
        }),
        bad("material.stiffness.shear", -1.0)
    );
    assert_eq!(
        stiffness(Stiffness::Elastic {
            young: 1.0,
            shear: Shear::Poisson(0.6)
        }),
        RodError::OutsideRange {
            at: Place::field("material.stiffness.shear"),
            value: 0.6,
            low: -1.0,
            high: 0.5
        }
    );
    assert_eq!(
        stiffness(Stiffness::Rigidity {
            ea: 0.0,
            ga: 1.0,
            ei: [1.0; 2],
            gj: 1.0
        }),
        bad("material.stiffness.ea", 0.0)
    );
    assert_eq!(
        stiffness(Stiffness::Rigidity {
            ea: 1.0,
            ga: 1.0,
            ei: [1.0, -1.0],
            gj: 1.0
        }),
        RodError::Negative {
            at: Place::field("material.stiffness.ei"),
            value: -1.0
        }
    );
    assert_eq!(
        stiffness(Stiffness::Paper { k_ss: -1.0, k_bt: 1.0 }),
        bad("material.stiffness.k_ss", -1.0)
    );
    assert_eq!(
        error(line(4).material(sound.with_density(Density::Linear(0.0)))),
        bad("material.density", 0.0)
    );
    assert_eq!(
        error(line(4).material(sound.with_damping(Damping::Time(-1.0)))),
        RodError::Negative {
            at: Place::field("material.damping"),
            value: -1.0
        }
    );
    assert_eq!(
        error(line(4).material(sound.with_friction(-0.1))),
        RodError::Negative {
            at: Place::field("material.friction"),
            value: -0.1
        }
    );
    assert_eq!(
        error(line(4).material(Material {
            bending_factor: 0.0,
            ..sound
        })),
        bad("material.bending_factor", 0.0)
    );
    let limp = Material::rigidity(1.0, 1.0, 0.0, 0.0, 1.0);
    assert!(line(4).material(limp).build().is_ok());
    assert_eq!(
        error(line(4).material(limp.with_damping(Damping::Ratio(0.1)))),
        bad("material.stiffness", 0.0)
    );
}

#[test]
fn bad_ends_and_loads() {
    assert_eq!(
        error(line(4).pin(2).pin(5)),
        RodError::OutOfRange {
            at: Place::item("pins[]", 1),
            target: 5,
            count: 5
        }
    );
    assert_eq!(
        error(line(4).hold_segment(4)),
        RodError::OutOfRange {
            at: Place::item("held_segments[]", 0),
            target: 4,
            count: 4
        }
    );
    assert_eq!(
        error(line(4).load(1, 1.0).load(8, 1.0)),
        RodError::OutOfRange {
            at: Place::item("loads[].vertex", 1),
            target: 8,
            count: 5
        }
    );
    assert_eq!(
        error(line(4).load(1, -1.0)),
        RodError::Negative {
            at: Place::item("loads[].mass", 0),
            value: -1.0
        }
    );
    assert_eq!(
        error(line(4).clamp_at(9, 0)),
        RodError::OutOfRange {
            at: Place::item("clamps[].vertex", 0),
            target: 9,
            count: 5
        }
    );
    assert_eq!(
        error(line(4).clamp_start().clamp_at(0, 9)),
        RodError::OutOfRange {
            at: Place::item("clamps[].segment", 1),
            target: 9,
            count: 4
        }
    );
    assert_eq!(
        error(line(4).clamp_at(2, 0)),
        RodError::ClampApart {
            at: Place::item("clamps[]", 0),
            vertex: 2,
            segment: 0
        }
    );
    assert_eq!(
        error(line(4).clamp_start().clamp_at(0, 0)),
        RodError::Duplicate {
            at: Place::item("clamps[]", 1),
            earlier: 0
        }
    );
    let ring = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 1.0, 8));
    assert_eq!(
        error(ring.clamp_start()),
        RodError::Unsupported {
            at: Place::item("clamps[]", 0),
            shape: "loop"
        }
    );
    assert_eq!(
        error(line(4).break_at(BreakLimit::Tension(0.0))),
        RodError::NotPositive {
            at: Place::field("break_at"),
            value: 0.0
        }
    );
}

#[test]
fn bad_rest_and_twist() {
    assert_eq!(
        error(line(4).rest_scale(0.0)),
        RodError::NotPositive {
            at: Place::field("rest_scale"),
            value: 0.0
        }
    );
    assert_eq!(
        error(line(4).rest(RestShape::Curve(vec![DVec3::ZERO, DVec3::NAN]))),
        RodError::NotFinite {
            at: Place::item("rest[]", 1)
        }
    );
    assert_eq!(
        error(line(4).rest(RestShape::Curve(vec![DVec3::X]))),
        RodError::TooFew {
            at: Place::field("rest"),
            count: 1,
            least: 2
        }
    );
    assert_eq!(
        error(line(4).twist(Twist::PerSegment(vec![0.0; 3]))),
        RodError::CountMismatch {
            at: Place::field("twist"),
            count: 3,
            expected: 4
        }
    );
    assert_eq!(
        error(line(2).rest_twist(Twist::PerSegment(vec![0.0, f64::NAN]))),
        RodError::NotFinite {
            at: Place::item("rest_twist[]", 1)
        }
    );
    assert_eq!(
        error(line(4).up(DVec3::X)),
        RodError::NoDirection { at: Place::field("up") }
    );
    assert_eq!(
        error(line(4).up(DVec3::ZERO)),
        RodError::NoDirection { at: Place::field("up") }
    );
    let graph = || RodSpec::new(Shape::graph(corner(), [[0, 1], [1, 2]], Joints::All));
    let unsupported = |field| RodError::Unsupported {
        at: Place::field(field),
        shape: "graph",
    };
    assert_eq!(error(graph().rest(RestShape::Straight)), unsupported("rest"));
    assert_eq!(error(graph().twist(Twist::Total(1.0))), unsupported("twist"));
    let ratio = Material::rubber().with_damping(Damping::Ratio(0.1));
    assert_eq!(error(graph().material(ratio)), unsupported("material.damping"));
}
