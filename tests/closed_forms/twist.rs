//! A straight rod between two walls, of which one is turned.

use glam::DQuat;
use lariat::prelude::*;

use crate::support::*;

#[test]
fn twist_spreads_evenly_and_takes_the_moment_of_theory() {
    // Turned by most of a full turn, which only a ramp can tell from the rest of it. The moment, 3.5, is below Greenhill's 8.99 EI/L.
    let (n, torsion, angle) = (24_u32, 0.7, 5.0);
    let material = Material::rigidity(1e3, 1e3, 1.0, torsion, 1.0);
    let spec = straight(n, material).clamp_start().clamp_end();
    let mut world = world(0.0, 8);
    let id = insert(&mut world, &spec, exact(7.0));
    let wall = rod(&world, id).description().clamps()[1].frame;
    watch(&mut world, 2.0, 1e-3, |world, t| {
        let turn = DQuat::from_rotation_z(angle * (t / 1.5).min(1.0));
        rod_mut(world, id)
            .set_clamp(1, wall * turn)
            .expect("the clamp is there");
    });
    run(&mut world, 1.0, 1e-3);
    let rod = rod(&world, id);
    for joint in 0..n as usize - 1 {
        // Half angles for angles: the clamps' half joints turn a little more than half, by (φ/n)²/24 = 2e-3 of their share, 1/n.
        assert_near(
            &format!("twist of joint {joint}"),
            rod.twist(joint),
            angle / f64::from(n),
            2e-4,
        );
        // The same (φ/n)²/24.
        let moment = f64::from(rod.moment(joint).z.abs());
        assert_near(&format!("moment of joint {joint}"), moment, torsion * angle, 2e-3);
    }
    for vertex in 0..=n as usize {
        // It stays where it was.
        let start = rod.description().vertices()[vertex].position;
        assert!(rod.position(vertex).distance(start) < 1e-5, "{}", rod.position(vertex));
    }
}
