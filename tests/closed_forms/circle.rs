//! A couple M at the tip bends a straight rod into an arc of curvature M/EI.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3, Vec3, dvec2};
use lariat::prelude::*;

use crate::support::*;

/// The settled tip of a rod of EI = 1 in the plane of the couple, EI sideways and GJ as given.
fn rolled(segments: u32, couple: f64, sideways: f64) -> DVec2 {
    let axial = 1e3;
    let mut material = even(axial, 1.0);
    material.stiffness = Stiffness::Rigidity {
        ea: axial,
        ga: axial,
        ei: [1.0, sideways],
        gj: 1.0,
    };
    let mut world = world(0.0, 16);
    // d2 is up: the couple about z bends about d1.
    let spec = straight(segments, material).up(DVec3::Y).clamp_start();
    let id = insert(&mut world, &spec, exact(7.0));
    let h = sound_step(1.0 / f64::from(segments), axial, 1.0);
    let last = segments as usize - 1;
    watch(&mut world, 7.0, h, |world, t| {
        let now = Vec3::Z * (couple * (t / 3.0).min(1.0)) as f32;
        rod_mut(world, id).set_torque(last, now).expect("the couple is sound");
    });
    let tip = tip(&world, id);
    assert!(tip.z.abs() < 1e-4, "leaves the plane: {tip}");
    tip.truncate()
}

#[test]
fn a_couple_rolls_a_rod_into_a_half_circle() {
    // M = πEI/L: the tip comes to 2L/π above the root.
    let end = dvec2(0.0, 2.0 / PI);
    let errors = [8, 16, 32].map(|n| rolled(n, PI, 1.0).distance(end));
    assert_second_order("half circle", &errors);
    // Half angles for angles in the joints: (π/n)²/24 more curvature moves the tip by 0.5/n². The couple acts on the last segment, beyond
    // whose middle the rod is straight: π/8n².
    assert!(errors[0] < 0.9 / 64.0, "{errors:?}");
}

#[test]
fn a_couple_rolls_a_rod_into_a_circle() {
    // M = 2πEI/L: the tip returns to the root. Not with a section that bends alike both ways: a couple that keeps its direction is not
    // conservative, and from about 0.7 of this one on it makes such a rod flutter out of the plane, whatever GJ is (linearized about
    // the arc, the rate is 6.8/s at a drag of 7/s). Twice the stiffness sideways prevents it.
    let errors = [16, 32, 64].map(|n| rolled(n, TAU, 2.0).length());
    assert_second_order("full circle", &errors);
    // As above with 2π for π; a joint of two stiffnesses, one twice the other, is (2π/n)²/12 stiffer at its angle of 2π/n, which leaves
    // the circle open by that share of the length: 3.3/n².
    assert!(errors[0] < 4.0 / 256.0, "{errors:?}");
}
