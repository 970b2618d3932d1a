//! Cantilevers against the elastica, integrated here by shooting: small and large deflections, own weight and tip force, EI over nine decades.

use glam::Vec3;
use lariat::prelude::*;

use crate::{
    change, close,
    common::{line, rod, run},
    direct, with,
};

/// The tip of an inextensible elastica of length 1 and EI = 1, clamped along x: `θ'' = −(w (1 − s) + f) cos θ` for weight `w` and
/// tip force `f`, both downwards; `θ(0) = 0`, `θ'(1) = 0`. Bisection on `θ'(0)`, Runge–Kutta of fourth order.
fn elastica(weight: f64, force: f64) -> [f64; 2] {
    // θ is counted downwards: θ'' = −(w (1 − s) + f) cos θ.
    let shoot = |start: f64| {
        let n = 2000;
        let h = 1.0 / f64::from(n);
        let slope = |s: f64, y: [f64; 4]| {
            [
                y[1],
                -(weight * (1.0 - s) + force) * y[0].cos(),
                y[0].cos(),
                -y[0].sin(),
            ]
        };
        let mut y = [0.0, start, 0.0, 0.0];
        for k in 0..n {
            let s = f64::from(k) * h;
            let plus = |y: [f64; 4], d: [f64; 4], t: f64| std::array::from_fn(|i| y[i] + t * d[i]);
            let a = slope(s, y);
            let b = slope(s + 0.5 * h, plus(y, a, 0.5 * h));
            let c = slope(s + 0.5 * h, plus(y, b, 0.5 * h));
            let d = slope(s + h, plus(y, c, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
        }
        y
    };
    let (mut low, mut high) = (0.0, weight + force + 1.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > 0.0 {
            high = middle
        } else {
            low = middle
        }
    }
    let [_, _, x, y] = shoot(low);
    [x, y]
}

#[test]
fn the_elastica_is_integrated_well() {
    // Small: w L⁴/8EI and F L³/3EI. Large: Bisshopp and Drucker (1945), F L²/EI = 1: 0.3017 down, and 10: 0.8106.
    close(elastica(1e-4, 0.0)[1], -1e-4 / 8.0, 1e-6, "own weight");
    close(elastica(0.0, 1e-4)[1], -1e-4 / 3.0, 1e-6, "tip force");
    close(elastica(0.0, 1.0)[1], -0.3017, 3e-4, "unit tip force");
    close(elastica(0.0, 10.0)[1], -0.8106, 3e-4, "large tip force");
}

/// The settled tip of a metre of rod, clamped along x.
struct Bar {
    ei: f64,
    /// EA L²/EI: 4·10⁴ is a bar of 1 cm radius, 4·10⁶ of 1 mm.
    slenderness: f64,
    segments: u32,
}

impl Bar {
    /// Under its own weight `w L³/EI` and a tip force `F L²/EI`.
    fn tip(&self, weight: f64, force: f64) -> [f64; 2] {
        let ei = self.ei;
        // From 0.1 g/m at the softest to 3 kg/m at the stiffest.
        let density = 0.1 * ei.sqrt();
        let frequency = 1.8751f64.powi(2) * (ei / density).sqrt();
        let ea = self.slenderness * ei;
        let spec = line(1.0, self.segments)
            .material(Material::rigidity(ea, ea / 2.6, ei, ei / 1.3, density))
            .clamp_start();
        let settings = Settings {
            gravity: Vec3::new(0.0, (-weight * ei / density) as f32, 0.0),
            ..crate::game()
        };
        // Critically damped; twelve time constants leave 1e-4 of the way.
        let options = RodOptions {
            drag: (2.0 * frequency) as f32,
            ..direct()
        };
        let (mut world, id) = with(&spec, options, settings);
        let tip = self.segments as usize;
        change(&mut world, id, |rod| {
            rod.set_force(tip, Vec3::new(0.0, (-force * ei) as f32, 0.0))
        });
        run(&mut world, (60.0 * (12.0 / frequency).max(1.0)) as usize);
        let tip = rod(&world, id).position(tip);
        assert!(tip.z.abs() < 1e-4, "{} m out of plane", tip.z);
        [tip.x, tip.y]
    }
}

const STIFFNESSES: [f64; 4] = [1e-6, 1e-3, 1.0, 1e3];

#[test]
fn small_deflection() {
    for ei in STIFFNESSES {
        for slenderness in [4e4, 4e6] {
            let bar = Bar {
                ei,
                slenderness,
                segments: 16,
            };
            // 0.4% is what 16 segments cost (1/n²) and settling leaves.
            let [_, own] = bar.tip(0.16, 0.0);
            close(own, elastica(0.16, 0.0)[1], 0.01, format!("EI {ei:e}, own weight"));
            let [_, tip] = bar.tip(0.0, 0.06);
            close(tip, elastica(0.0, 0.06)[1], 0.01, format!("EI {ei:e}, tip force"));
        }
    }
}

#[test]
fn large_deflection() {
    for ei in STIFFNESSES {
        for (weight, force) in [(10.0, 0.0), (0.0, 5.0), (4.0, 2.0)] {
            let bar = Bar {
                ei,
                slenderness: 4e5,
                segments: 32,
            };
            let found = bar.tip(weight, force);
            let expected = elastica(weight, force);
            for axis in 0..2 {
                let error = (found[axis] - expected[axis]).abs();
                // Of a rod of 1 m.
                assert!(
                    error < 5e-3,
                    "EI {ei:e}, weight {weight}, force {force}: {found:?} instead of {expected:?}"
                );
            }
        }
    }
}

/// The same rod whatever it is cut into.
#[test]
fn number_of_segments_does_not_matter() {
    let bar = |segments| Bar {
        ei: 1.0,
        slenderness: 4e5,
        segments,
    };
    let expected = elastica(2.0, 0.5)[1];
    for (segments, share) in [(8, 0.02), (16, 5e-3), (48, 1.5e-3)] {
        close(
            bar(segments).tip(2.0, 0.5)[1],
            expected,
            share,
            format!("{segments} segments"),
        );
    }
}

/// S3 of the scenes: 1 m, EI = 24.525 N·m², 1 kg/m, tip at −0.0499 m, with the same settings for every number of segments.
#[test]
fn s3() {
    for segments in [16, 32, 64] {
        let material = Material::elastic(3.1226e9, 0.5, 1.0).with_density(Density::Linear(1.0));
        let spec = line(1.0, segments).material(material).radius(0.01).clamp_start();
        let options = RodOptions { drag: 10.0, ..direct() };
        let (mut world, id) = with(&spec, options, crate::game());
        run(&mut world, 240);
        let tip = rod(&world, id).position(segments as usize).y;
        close(tip, -0.0499, 0.02, format!("{segments} segments"));
        close(
            tip,
            elastica(9.81 / 24.525, 0.0)[1],
            5e-3,
            format!("{segments} segments"),
        );
    }
}
