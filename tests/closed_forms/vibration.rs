//! First bending frequency of a rod clamped at one end.

use glam::DVec3;

use crate::support::*;

/// The first mode: deflection at `x`, up to scale.
pub fn first_mode(x: f64) -> f64 {
    let (root, at) = (CLAMPED_FREE, CLAMPED_FREE * x);
    let ratio = (root.cosh() + root.cos()) / (root.sinh() + root.sin());
    at.cosh() - at.cos() - ratio * (at.sinh() - at.sin())
}

#[test]
fn rings_at_the_first_bending_frequency_and_converges_at_second_order() {
    // ω = 1.8751² √(EI/ρA L⁴). The model's shear lowers ω² by ∫Q²/GA over ∫EI w″² = 4.648 EI/(GA L²) with GA = EA (first order; the
    // second is 1e-5).
    let axial = 1e3;
    let expected = CLAMPED_FREE.powi(2) * (1.0_f64 - 4.648 / axial).sqrt();
    let errors = [8, 16, 32].map(|n| {
        // Enough iterations that what is left is implicit Euler: it damps at hω²/2 and slows by (hω)²/3, 6e-5 at 8 segments.
        let mut world = world(0.0, 24);
        let id = insert(&mut world, &straight(n, even(axial, 1.0)).clamp_start(), exact(0.0));
        // To an amplitude of 1.5% of the length.
        set_velocities(&mut world, id, |place| DVec3::Y * 0.025 * first_mode(place.x));
        let h = sound_step(1.0 / f64::from(n), axial, 1.0);
        let frequency = ring(&mut world, id, DVec3::Y, 5.0, h).frequency;
        // Discretization: 1/n² of a deflection (see `cantilever`) is half of that in a frequency; masses at the vertices, the rest.
        assert_near(&format!("{n} segments"), frequency, expected, 1.0 / f64::from(n * n));
        frequency / expected - 1.0
    });
    assert_second_order("frequency", &errors);
}
