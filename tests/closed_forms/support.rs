//! Worlds and rods in natural units, and how they are watched: unless a test says otherwise L = EI = ρA = 1.

use glam::{DVec3, Vec3};
use lariat::prelude::*;

/// First root of `cos x cosh x = −1`: βL of the first bending mode, clamped at one end.
pub const CLAMPED_FREE: f64 = 1.875_104_068_711_961;

/// Substeps of one call of `step`: the state is looked at between calls only.
const SUBSTEPS: u32 = 32;

/// A world on the test's own thread.
pub fn world(gravity: f64, iterations: u32) -> RodWorld {
    let settings = Settings {
        gravity: Vec3::NEG_Y * gravity as f32,
        substeps: SUBSTEPS,
        iterations,
        threads: Some(1),
        ..Settings::default()
    };
    RodWorld::new(settings).expect("settings are sound")
}

/// The longest substep with which the alternation of positions and orientations follows a segment: the time that sound
/// takes along it, `l √(ρA/EA)`. Then `m/h²` is as large as `EA/l`, and an iteration turns a segment by half of its way.
pub fn sound_step(segment: f64, axial: f64, density: f64) -> f64 {
    segment * (density / axial).sqrt()
}

/// Runs for some seconds in substeps of at most `h` and calls `look` with the time after every 32 of them.
pub fn watch(world: &mut RodWorld, seconds: f64, h: f64, mut look: impl FnMut(&mut RodWorld, f64)) {
    let frames = (seconds / (h * f64::from(SUBSTEPS))).ceil().max(1.0);
    for frame in 1..=frames as usize {
        world.step((seconds / frames) as f32).expect("the step is sound");
        look(world, seconds * frame as f64 / frames);
    }
    assert_eq!(world.drain_events().count(), 0, "nothing breaks or goes non-finite");
}

/// Runs for some seconds in substeps of at most `h`.
pub fn run(world: &mut RodWorld, seconds: f64, h: f64) {
    watch(world, seconds, h, |_, _| ());
}

/// Bends and twists alike, linear density 1.
pub fn even(axial: f64, bending: f64) -> Material {
    Material::rigidity(axial, axial, bending, bending, 1.0)
}

/// A straight rod of length 1 along x.
pub fn straight(segments: u32, material: Material) -> RodSpec {
    RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, segments)).material(material)
}

/// λ to the letter of the model, and linear drag (1/s).
pub fn exact(drag: f64) -> RodOptions {
    with_lambda(Lambda::Exact, drag)
}

/// This λ, and linear drag (1/s).
pub fn with_lambda(lambda: Lambda, drag: f64) -> RodOptions {
    RodOptions {
        solver: Solver::StableCosserat { lambda },
        drag: drag as f32,
        ..RodOptions::default()
    }
}

/// Puts a rod in.
pub fn insert(world: &mut RodWorld, spec: &RodSpec, options: RodOptions) -> RodId {
    let rod = spec.build().expect("the recipe is sound");
    world.insert_with(rod, options).expect("the rod fits")
}

/// A rod to look at.
pub fn rod(world: &RodWorld, id: RodId) -> RodRef<'_> {
    world.rod(id).expect("the rod is there")
}

/// A rod to act on.
pub fn rod_mut(world: &mut RodWorld, id: RodId) -> RodMut<'_> {
    world.rod_mut(id).expect("the rod is there")
}

/// Position of the last vertex.
pub fn tip(world: &RodWorld, id: RodId) -> DVec3 {
    let rod = rod(world, id);
    rod.position(rod.segment_count())
}

/// Gives every free vertex the velocity that `field` has at its place.
pub fn set_velocities(world: &mut RodWorld, id: RodId, field: impl Fn(DVec3) -> DVec3) {
    for vertex in 0..rod(world, id).vertex_count() {
        let view = rod(world, id);
        if !view.is_pinned(vertex) {
            let velocity = field(view.position(vertex)).as_vec3();
            rod_mut(world, id)
                .set_velocity(vertex, velocity)
                .expect("the velocity is sound");
        }
    }
}

/// Lets a rod ring for some seconds and measures its tip's motion along a direction.
pub fn ring(world: &mut RodWorld, id: RodId, along: DVec3, seconds: f64, h: f64) -> Ringing {
    let start = tip(world, id).dot(along);
    let mut samples = Vec::new();
    watch(world, seconds, h, |world, t| {
        samples.push((t, tip(world, id).dot(along) - start))
    });
    Ringing::of(&samples)
}

/// Puts a force on the last vertex, N.
pub fn pull_tip(world: &mut RodWorld, id: RodId, force: DVec3) {
    let last = rod(world, id).segment_count();
    rod_mut(world, id)
        .set_force(last, force.as_vec3())
        .expect("the force is sound");
}

/// Fails when `value` is further from `expected` than `tolerance` times it; says how far.
#[track_caller]
pub fn assert_near(what: &str, value: f64, expected: f64, tolerance: f64) {
    let error = value / expected - 1.0;
    println!("{what}: {value:.6e}, expected {expected:.6e}, error {error:+.2e} of {tolerance:.1e}");
    assert!(
        error.abs() <= tolerance,
        "{what}: {value:e} is not {expected:e} (error {error:+.2e} > {tolerance:.1e})"
    );
}

/// What single precision makes of a settled shape, as a share of the length: a segment does not feel a torque below 6e-8 of the
/// stiffnesses that meet in it, `2 EA l + 8 EI/l`, and sixty segments add up. A rod of 64 that is loaded further and let back settles this
/// far from where it was.
const ROUNDING: f64 = 2e-5;

/// Fails when errors at doubling resolutions do not fall at second order: each must be a quarter of the one before within 15% (the
/// next term of the expansion; orders from 1.8 to 2.2) and rounding.
#[track_caller]
pub fn assert_second_order(what: &str, errors: &[f64]) {
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("{what}: errors {errors:.6?}, orders {orders:.2?}");
    for pair in errors.windows(2) {
        let quarter = 0.25 * pair[0];
        let allowed = 0.15 * quarter.abs() + ROUNDING;
        assert!(
            (pair[1] - quarter).abs() <= allowed,
            "{what}: errors {errors:.6?}, orders {orders:.2?}"
        );
    }
}

/// Angular frequency and decay rate of a sampled oscillation `A e^{−σt} sin(ωt + φ)`.
pub struct Ringing {
    pub frequency: f64,
    pub decay: f64,
}

impl Ringing {
    /// From the zeros (which damping keeps evenly spaced) and from the extremes between them.
    pub fn of(samples: &[(f64, f64)]) -> Self {
        let mut zeros: Vec<f64> = Vec::new();
        let mut peaks: Vec<(f64, f64)> = Vec::new();
        for pair in samples.windows(2) {
            let [(t0, y0), (t1, y1)] = [pair[0], pair[1]];
            if y0 * y1 < 0.0 {
                zeros.push(t0 + (t1 - t0) * y0 / (y0 - y1));
            }
        }
        for three in samples.windows(3) {
            let [(_, y0), (t1, y1), (t2, y2)] = [three[0], three[1], three[2]];
            if y1.abs() > y0.abs() && y1.abs() >= y2.abs() {
                // The top of the parabola through the three.
                let (slope, bend) = (0.5 * (y2 - y0), y2 - 2.0 * y1 + y0);
                peaks.push((t1 - slope / bend * (t2 - t1), (y1 - 0.5 * slope * slope / bend).abs()));
            }
        }
        assert!(zeros.len() >= 3 && peaks.len() >= 3, "rings for a period and a half");
        let spacing = (zeros[zeros.len() - 1] - zeros[0]) / (zeros.len() - 1) as f64;
        // Straight line through the logarithms of the peaks, least squares.
        let count = peaks.len() as f64;
        let mean = peaks.iter().map(|p| p.0).sum::<f64>() / count;
        let (above, below) = peaks.iter().fold((0.0, 0.0), |(above, below), (t, y)| {
            (above + (t - mean) * y.ln(), below + (t - mean) * (t - mean))
        });
        Self {
            frequency: std::f64::consts::PI / spacing,
            decay: -above / below,
        }
    }
}

#[test]
fn ringing_is_measured_right() {
    let sample = |i: i32| {
        let t = f64::from(i) * 0.01;
        (t, (-0.2 * t).exp() * (5.0 * t + 0.3).sin())
    };
    let ringing = Ringing::of(&(0..500).map(sample).collect::<Vec<_>>());
    assert_near("frequency", ringing.frequency, 5.0, 1e-4);
    assert_near("decay", ringing.decay, 0.2, 1e-3);
}
