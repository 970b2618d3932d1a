//! Spring constant of an open helix: torsion and bending of the wire together.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat::prelude::*;

use crate::support::*;

const SEGMENTS: u32 = 32;
const AXIAL: f64 = 100.0;

/// One turn of radius 1 that is pulled along the axis z.
struct Spring {
    id: RodId,
    /// From the end of the wire to the axis, in the frame of the last segment: a rigid arm on which the force acts.
    arm: DVec3,
}

impl Spring {
    fn new(world: &mut RodWorld, spec: &RodSpec, force: DVec3) -> Self {
        let id = insert(world, spec, exact(0.15));
        let tip = tip(world, id);
        let arm = DVec3::Z * tip.z - tip;
        let last = SEGMENTS as usize - 1;
        pull_tip(world, id, force);
        let couple = arm.cross(force).as_vec3();
        rod_mut(world, id)
            .set_torque(last, couple)
            .expect("the couple is sound");
        Self {
            id,
            arm: rod(world, id).orientation(last).as_dquat().conjugate() * arm,
        }
    }

    /// Height of the arm's end.
    fn height(&self, world: &RodWorld) -> f64 {
        let turned = rod(world, self.id).orientation(SEGMENTS as usize - 1).as_dquat() * self.arm;
        (tip(world, self.id) + turned).z
    }
}

#[test]
fn an_open_helix_is_as_stiff_as_theory_says() {
    // A force F on the axis twists the wire with FR cos α and bends it with FR sin α all along its length S, so that its point of
    // attack moves by δ = F R² S (cos²α/GJ + sin²α/EI), and by F S/EA of the model's stretch and shear. The couple of the arm acts
    // on the last segment: half a segment at the end does not bend. Pulled and pushed: the mean has no quadratic part.
    let force = 5e-3;
    let mut world = world(0.0, 16);
    let mut cases = Vec::new();
    for angle in [10.0_f64.to_radians(), 30.0_f64.to_radians()] {
        for torsion in [0.5, 0.77, 1.5] {
            let spec = RodSpec::new(Shape::helix(1.0, TAU * angle.tan(), 1.0, SEGMENTS))
                .material(Material::rigidity(AXIAL, AXIAL, 1.0, torsion, 1.0))
                .clamp_start();
            let pair = [force, -force].map(|force| Spring::new(&mut world, &spec, DVec3::Z * force));
            cases.push((angle, torsion, pair));
        }
    }
    run(&mut world, 100.0, sound_step(TAU / f64::from(SEGMENTS), AXIAL, 1.0));
    for (angle, torsion, [pulled, pushed]) in cases {
        let moved = 0.5 * (pulled.height(&world) - pushed.height(&world));
        let wire = TAU / angle.cos();
        let bent = wire * (1.0 - 0.5 / f64::from(SEGMENTS));
        let softness = angle.cos().powi(2) / torsion + angle.sin().powi(2);
        let expected = force * (bent * softness + wire / AXIAL);
        // A polygon for a circle: (π/n)²/6 = 1.6e-3 of the length. What is left of the motion, single precision: 1e-3.
        let what = format!("pitch {:.0}°, GJ {torsion}", angle.to_degrees());
        assert_near(&what, moved, expected, 4e-3);
    }
}
