//! What contact must conserve, and what it may only take.

use super::*;

/// Momentum and energy of all rods, and the sum of the sizes of momenta.
struct Sums {
    linear: DVec3,
    energy: f64,
    size: f64,
}

fn sums(scene: &Watched) -> Sums {
    let mut sums = Sums {
        linear: DVec3::ZERO,
        energy: 0.0,
        size: 0.0,
    };
    for &id in &scene.rods {
        let rod = common::rod(&scene.world, id);
        let energy = rod.energy();
        sums.energy += energy.kinetic + energy.stretch + energy.bend;
        for (v, vertex) in rod.description().vertices().iter().enumerate() {
            let momentum = rod.velocity(v).as_dvec3() * vertex.mass;
            sums.linear += momentum;
            sums.size += momentum.length();
        }
    }
    sums
}

#[test]
fn momentum_is_conserved_without_friction_and_energy_only_lost() {
    for friction in [0.0, 0.6] {
        let mut scene = Watched::new(weightless());
        for (side, direction) in [(-1.0, DVec3::X), (1.0, DVec3::new(0.3, 1.0, 0.0).normalize())] {
            let middle = DVec3::new(0.1 * side, 0.05, side * 0.05);
            let spec = RodSpec::new(Shape::line(middle - direction * 0.5, middle + direction * 0.5, 25))
                .radius(0.01)
                .material(hemp(friction));
            scene.add(&spec, thrown(Vec3::new(0.5, 0.0, -4.0 * side as f32)));
        }
        let start = sums(&scene);
        let mut touched = false;
        for frame in 0..60 {
            scene.step();
            touched |= scene.world.contacts().next().is_some();
            let now = sums(&scene);
            if friction == 0.0 {
                // Velocities are single precision, in 26 vertices of random rounding.
                let lost = (now.linear - start.linear).length() / start.size;
                assert!(lost < 1e-5, "frame {frame}: momentum off by {lost:e}");
            }
            assert!(
                now.energy <= start.energy * (1.0 + 1e-6),
                "friction {friction}, frame {frame}: {} J from {} J",
                now.energy,
                start.energy
            );
        }
        assert!(touched, "they met");
        scene.assert_sound("crossing ropes");
    }
}
