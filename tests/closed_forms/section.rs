//! A section that is not round bends about each axis with its own EI.

use glam::{DVec3, dvec2};
use lariat::prelude::*;

use crate::{elastica::Elastica, support::*};

#[test]
fn a_flat_bar_bends_over_its_flat_side_and_over_its_edge_as_theory_says() {
    // Width 0.2 along d1 (z here), height 0.1 along d2 (y, up): EI₁ = E w h³/12 = 1 resists a pull along y, EI₂ = E w³ h/12 = 4 along z.
    let (width, height, n) = (0.2_f64, 0.1_f64, 16);
    let young = 12.0 / (width * height.powi(3));
    let axial = young * width * height;
    let section = Section::rectangular(width, height);
    let material = Material::elastic(young, 0.3, 1.0 / section.area());
    let spec = straight(n, material).section(section).up(DVec3::Y).clamp_start();
    let force = 0.3;
    let pulls = [DVec3::Y, DVec3::Z, DVec3::NEG_Z, (DVec3::Y + DVec3::Z).normalize()];
    let mut world = world(0.0, 8);
    let rods = pulls.map(|pull| {
        let id = insert(&mut world, &spec, exact(7.0));
        pull_tip(&mut world, id, pull * force);
        id
    });
    run(&mut world, 6.0, sound_step(1.0 / f64::from(n), axial, 1.0));
    for (pull, id) in pulls.into_iter().zip(rods) {
        let tip = tip(&world, id);
        for (along, bending) in [(DVec3::Y, 1.0), (DVec3::Z, 4.0)] {
            let load = force * pull.dot(along) / bending;
            let what = format!("pull {pull:.1} along {along}");
            if load == 0.0 {
                // Pulled along a main axis it does not leave the plane: single precision.
                assert!(tip.dot(along).abs() < 1e-5, "{what}: {tip}");
            } else {
                // In units of EI of this axis. Discretization 1/2n² = 2e-3, single precision 1e-3; on the diagonal the two
                // directions shorten one another, which each elastica does not know: the square of the slope, 1%.
                let plane = Elastica {
                    axial: axial / bending,
                    force: |_| dvec2(0.0, load),
                };
                let expected = plane.tip(1.6 * load.signum(), 0.0).y;
                let diagonal = pull.abs().max_element() < 1.0;
                assert_near(&what, tip.dot(along), expected, if diagonal { 1e-2 } else { 3e-3 });
            }
        }
    }
}
