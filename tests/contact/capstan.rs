//! Ropes over round bars: Euler and Eytelwein's capstan, Atwood's machine.

use std::f64::consts::PI;

use parry3d::shape::SharedShape;

use super::*;

const BAR: f64 = 0.05;
const ROPE: f64 = 0.004;
const SEGMENT: f64 = 0.008;

/// A rope that hardly resists bending: the closed forms know none.
fn limp(friction: f64) -> Material {
    Material {
        stiffness: Stiffness::Rigidity {
            ea: 2e4,
            ga: 2e4,
            ei: [1e-5; 2],
            gj: 1e-5,
        },
        density: Density::Linear(0.02),
        damping: Damping::Time(0.003),
        friction,
        ..Material::hemp_rope()
    }
}

fn bar(friction: f64) -> Collider {
    Collider::new(SharedShape::capsule_z(0.5, BAR as f32)).friction(friction)
}

/// The ratio of tensions of a rope that is pulled over a bar.
fn ratio(angle: f64, friction: f64) -> f64 {
    let mut world = common::world(weightless());
    world.add_collider(bar(friction)).expect("a sound bar");
    let points = curves::capstan(BAR, ROPE, 0.05 * ROPE, angle, 0.2, SEGMENT);
    let last = points.len() - 1;
    let spec = along(&points, ROPE)
        .rest(RestShape::Straight)
        .material(limp(friction))
        .pin(last as u32);
    let id = world.insert(common::built(&spec)).expect("a sound rod");
    let pull = (points[0] - points[1]).normalize() * 10.0;
    change(&mut world, id, |rod| rod.set_force(0, pull.as_vec3()));
    let out = (points[last] - points[last - 1]).normalize();
    let (mut sum, mut count) = (0.0, 0.0);
    let start = std::time::Instant::now();
    // It is drawn out at 5 cm/s: what friction gives before it slips, and the stretch of the rope, are gone after 1.5 s, the rest is read.
    for frame in 1..=150 {
        let place = points[last] + out * (0.05 * f64::from(frame) / 60.0);
        change(&mut world, id, |rod| rod.set_target(last, place));
        common::run(&mut world, 1);
        if frame > 90 {
            let rod = common::rod(&world, id);
            sum += rod.tension(last - 3) / rod.tension(3);
            count += 1.0;
        }
    }
    println!(
        "capstan {angle:.2} {friction}: {:.3} ms a step",
        start.elapsed().as_secs_f64() / 150.0 * 1e3
    );
    sum / count
}

#[test]
fn tensions_grow_with_the_exponential_of_the_angle() {
    // 5%: the rope is a polygon, whose corners come over the bar one by one.
    for (angle, friction) in [
        (0.5 * PI, 0.5),
        (PI, 0.1),
        (PI, 0.3),
        (2.0 * PI, 0.3),
        (4.0 * PI, 0.1),
        (4.0 * PI, 0.5),
    ] {
        let expected = (friction * angle).exp();
        close(
            ratio(angle, friction),
            expected,
            0.05,
            format!("{angle:.2} rad, coefficient {friction}"),
        );
    }
}

/// The acceleration of a rope over a bar with a mass at either end, from 0.15 to 0.35 s.
fn atwood(masses: [f64; 2], friction: f64, substeps: u32) -> f64 {
    let mut world = common::world(Settings { substeps, ..touching() });
    world.add_collider(bar(friction)).expect("a sound bar");
    // Both ends hang down from the bar.
    let points = curves::capstan(BAR, ROPE, 0.05 * ROPE, PI, 0.6, SEGMENT);
    let last = points.len() as u32 - 1;
    let spec = along(&points, ROPE)
        .rest(RestShape::Straight)
        .material(limp(friction))
        .load(0, masses[0])
        .load(last, masses[1]);
    let id = world.insert(common::built(&spec)).expect("a sound rod");
    let mut speeds = [0.0; 2];
    for (frames, speed) in [9, 12].into_iter().zip(&mut speeds) {
        common::run(&mut world, frames);
        let rod = common::rod(&world, id);
        *speed = 0.5 * f64::from(rod.velocity(last as usize).y - rod.velocity(0).y);
    }
    (speeds[1] - speeds[0]) / 0.2
}

#[test]
fn a_machine_of_atwood_without_friction() {
    let rope = 0.02 * (1.2 + PI * (BAR + ROPE));
    let expected = 9.81 * (2.0 - 1.0) / (3.0 + rope);
    // 3%: the rope's sides differ by up to 0.3 m (2% of a difference of 1 kg, in the mean half of it), and the polygon jolts.
    close(atwood([2.0, 1.0], 0.0, 1), expected, 0.03, "Atwood");
}

#[test]
fn a_machine_of_atwood_with_friction() {
    // The rope hangs down by 0.6 m on either side.
    let hanging = 0.02 * 0.6;
    for (masses, friction) in [
        ([2.0, 1.0], 0.1),
        ([1.0, 2.0], 0.1),
        ([3.0, 1.0], 0.2),
        ([20.0, 10.0], 0.1),
    ] {
        // M g − T = M a on the heavy side, t − m g = m a on the light one, T = t e^{μπ}.
        let [heavy, light] = [f64::max, f64::min].map(|pick| pick(masses[0], masses[1]) + hanging);
        let grip = (friction * PI).exp();
        let expected = 9.81 * (heavy - grip * light) / (heavy + grip * light);
        // Friction goes by the normal force of the substep before, when a segment was nearer to the light side: at 0.8 m/s it comes round the bar by 0.25 rad in a frame, and μ · 0.25 is what the ratio of
        // tensions lacks, 5% at most, half of it in the mean; the acceleration is off by twice that. It goes with the substep; what stays is as without friction, less: less rope changes sides.
        for (substeps, tolerance) in [(1, 0.05), (8, 0.02)] {
            let found = atwood(masses, friction, substeps).abs();
            let name = format!("Atwood {masses:?}, coefficient {friction}, {substeps} substeps");
            close(found, expected, tolerance, name);
        }
    }
}
