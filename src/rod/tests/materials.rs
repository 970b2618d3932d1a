//! Sections against closed forms, damping, presets.

use std::f64::consts::{PI, TAU};

use super::super::{Damping, Density, Material, Preset, Section, Shear, Stiffness};
use super::{close, line};

/// ∫ f dA over an ellipse or rectangle by midpoint sums.
fn integrate(inside: impl Fn(f64, f64) -> bool, half: [f64; 2], f: impl Fn(f64, f64) -> f64) -> f64 {
    let count = 2000;
    let step = half.map(|h| 2.0 * h / f64::from(count));
    let mut sum = 0.0;
    for i in 0..count {
        let x = -half[0] + (f64::from(i) + 0.5) * step[0];
        for j in 0..count {
            let y = -half[1] + (f64::from(j) + 0.5) * step[1];
            if inside(x, y) {
                sum += f(x, y);
            }
        }
    }
    sum * step[0] * step[1]
}

#[test]
fn moments_are_the_integrals_that_they_stand_for() {
    let ellipse = |x: f64, y: f64| (x / 0.3).powi(2) + (y / 0.1).powi(2) <= 1.0;
    let section = Section::elliptical(0.3, 0.1);
    close(section.area() / integrate(ellipse, [0.3, 0.1], |_, _| 1.0), 1.0, 1e-4);
    close(
        section.second_moments()[0] / integrate(ellipse, [0.3, 0.1], |_, y| y * y),
        1.0,
        1e-4,
    );
    close(
        section.second_moments()[1] / integrate(ellipse, [0.3, 0.1], |x, _| x * x),
        1.0,
        1e-4,
    );
    let section = Section::rectangular(0.6, 0.2);
    close(section.area() / 0.12, 1.0, 1e-14);
    close(
        section.second_moments()[0] / integrate(|_, _| true, [0.3, 0.1], |_, y| y * y),
        1.0,
        1e-6,
    );
    close(
        section.second_moments()[1] / integrate(|_, _| true, [0.3, 0.1], |x, _| x * x),
        1.0,
        1e-6,
    );
}

#[test]
fn torsion_constants_against_tables() {
    close(Section::round(0.1).torsion_constant(), PI * 1e-4 / 2.0, 1e-18);
    // A circle is an ellipse of equal axes.
    close(
        Section::elliptical(0.1, 0.1).torsion_constant() / Section::round(0.1).torsion_constant(),
        1.0,
        1e-14,
    );
    // Timoshenko and Goodier's table: J = β p s³ with β = 0.1406, 0.229, 0.263, 0.312 for p/s = 1, 2, 3, 10.
    for (ratio, beta) in [(1.0, 0.1406), (2.0, 0.229), (3.0, 0.263), (10.0, 0.312)] {
        close(Section::rectangular(ratio, 1.0).torsion_constant() / ratio, beta, 6e-4);
        close(Section::rectangular(1.0, ratio).torsion_constant() / ratio, beta, 6e-4);
    }
    // A thin strip: p s³ / 3.
    close(Section::rectangular(1e4, 1.0).torsion_constant() / 1e4, 1.0 / 3.0, 1e-4);
}

#[test]
fn equivalent_radius_keeps_the_area() {
    for section in [
        Section::round(0.2),
        Section::elliptical(0.3, 0.1),
        Section::rectangular(0.5, 0.2),
    ] {
        close(PI * section.equivalent_radius().powi(2), section.area(), 1e-15);
    }
}

#[test]
fn damping_ratio_of_the_first_bending_mode() {
    // ω = 1.8751² √(EI / ρA L⁴), τ = 2ζ/ω (from ζ = τω/2).
    let material = Material::rigidity(1e5, 1e5, 2.0, 1.0, 0.5).with_damping(Damping::Ratio(0.05));
    let rod = line(20).material(material).build().unwrap();
    let omega = 1.8751f64.powi(2) * (2.0f64 / 0.5).sqrt();
    let tau = rod.joints()[0].relaxation;
    close(tau * omega / 2.0, 0.05, 1e-6);
    assert_eq!(rod.segments()[0].relaxation, tau);
    // The softer way of a flat section governs.
    let flat = Material {
        stiffness: Stiffness::Rigidity {
            ea: 1e5,
            ga: 1e5,
            ei: [8.0, 2.0],
            gj: 1.0,
        },
        ..material
    };
    close(
        line(20).material(flat).build().unwrap().joints()[0].relaxation,
        tau,
        1e-12,
    );
}

#[test]
fn damping_ratio_does_not_depend_on_the_number_of_segments() {
    let material = Material::rubber().with_damping(Damping::Ratio(0.1));
    let [coarse, fine] = [4, 64].map(|n| line(n).material(material).build().unwrap().joints()[0].relaxation);
    close(coarse / fine, 1.0, 1e-12);
}

#[test]
fn damping_times() {
    let times = |damping| {
        let rod = line(4)
            .material(Material::rubber().with_damping(damping))
            .clamp_start()
            .build()
            .unwrap();
        (
            rod.segments()[0].relaxation,
            rod.joints()[0].relaxation,
            rod.clamps()[0].relaxation,
        )
    };
    assert_eq!(times(Damping::None), (0.0, 0.0, 0.0));
    assert_eq!(times(Damping::Time(0.01)), (0.01, 0.01, 0.01));
    assert_eq!(
        times(Damping::Times {
            stretch: 0.02,
            bend: 0.03
        }),
        (0.02, 0.03, 0.03)
    );
}

#[test]
fn linear_density_ignores_the_section() {
    let material = Material::rubber().with_density(Density::Linear(0.25));
    close(
        line(7).radius(0.3).material(material).build().unwrap().mass(),
        0.25,
        1e-12,
    );
}

#[test]
fn bending_factor_softens_bending_and_twist_only() {
    let solid = Material::elastic(1e9, 0.3, 1000.0);
    let [a, b] = [
        solid,
        Material {
            bending_factor: 0.1,
            ..solid
        },
    ]
    .map(|material| line(4).material(material).build().unwrap());
    assert_eq!(a.segments(), b.segments());
    close(b.joints()[0].bending[0] / a.joints()[0].bending[0], 0.1, 1e-12);
    close(b.joints()[0].torsion / a.joints()[0].torsion, 0.1, 1e-12);
}

#[test]
fn shear_by_modulus_and_by_ratio_agree() {
    let by_ratio = Material::elastic(2.6e9, 0.3, 1000.0);
    let shear = Shear::Modulus(1e9);
    let by_modulus = Material {
        stiffness: Stiffness::Elastic { young: 2.6e9, shear },
        ..by_ratio
    };
    let [a, b] = [by_ratio, by_modulus].map(|material| line(4).material(material).build().unwrap());
    close(a.segments()[0].shear / b.segments()[0].shear, 1.0, 1e-14);
    close(a.joints()[0].torsion / b.joints()[0].torsion, 1.0, 1e-14);
}

#[test]
fn presets_build_and_weigh_what_tables_say() {
    for preset in Preset::ALL {
        let rod = line(8).material(preset).build().unwrap();
        assert!(
            rod.joints()[0].bending[0] > 0.0 && rod.joints()[0].relaxation > 0.0,
            "{preset:?}"
        );
        assert_eq!(Material::from(preset), preset.material());
    }
    // 20 mm manila weighs 0.277 kg/m and breaks at 26 kN, stretched by about 12%.
    let hemp = line(8).radius(0.01).material(Material::hemp_rope()).build().unwrap();
    close(hemp.mass(), 0.277, 0.002);
    close(26e3 / hemp.segments()[0].axial, 0.12, 0.01);
    let nylon = line(8).radius(0.01).material(Material::nylon_rope()).build().unwrap();
    close(nylon.mass(), 0.253, 0.002);
    // A strand of hair of 80 µm weighs some 6.6 mg a metre.
    let hair = line(8).radius(40e-6).material(Material::human_hair()).build().unwrap();
    close(hair.mass(), 6.6e-6, 0.1e-6);
    // Everyday damping: tan δ of rubber at 5 Hz.
    close(
        line(8).material(Material::rubber()).build().unwrap().joints()[0].relaxation * TAU * 5.0,
        0.1,
        1e-12,
    );
}
