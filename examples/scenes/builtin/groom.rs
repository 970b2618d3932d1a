//! A groom: ten thousand curly strands of 32 vertices on a head that is shaken. Paper 1's regime of hair (k_ss about 1,
//! k_bt about 100): soft along, stiff in curl, and far from both in mass, so the strands spring.

use glam::DVec3;
use lariat::prelude::{Density, Material, RodSpec, Shape, Stiffness};

use super::super::{Act, Copies, Index, Layout, Scene, SceneRod, What, names::STABLE_COSSERAT};

/// The numbers of the groom.
#[derive(Clone, Debug)]
pub struct Groom {
    /// Strands.
    pub strands: u32,
    /// Vertices a strand.
    pub vertices: u32,
    /// Height of a strand above the head, m.
    pub height: f64,
    /// Paper 1's stretch constant, N·m.
    pub k_ss: f64,
    /// Paper 1's bending constant, N·m.
    pub k_bt: f64,
    /// kg/m.
    pub linear_density: f64,
    /// Radius of the head, m.
    pub head: f64,
    /// Whether the head is shaken; else the strands only settle.
    pub shaken: bool,
}

impl Default for Groom {
    fn default() -> Self {
        Self {
            strands: 10_000,
            vertices: 32,
            height: 0.16,
            k_ss: 1.0,
            k_bt: 100.0,
            linear_density: 2.0,
            head: 0.1,
            shaken: true,
        }
    }
}

impl Groom {
    /// One strand: it leaves the head straight along +y and then curls.
    pub fn strand(&self) -> RodSpec {
        let last = self.vertices.saturating_sub(1).max(1);
        let points: Vec<DVec3> = (0..=last)
            .map(|i| {
                let s = f64::from(i) / f64::from(last);
                let (sin, cos) = (2.5 * std::f64::consts::TAU * s).sin_cos();
                let curl = 0.012 * (s * 4.0).min(1.0);
                DVec3::new(curl * sin, self.height * s, curl * (1.0 - cos))
            })
            .collect();
        let material = Material {
            stiffness: Stiffness::Paper {
                k_ss: self.k_ss,
                k_bt: self.k_bt,
            },
            density: Density::Linear(self.linear_density),
            ..Material::human_hair()
        };
        RodSpec::new(Shape::curve(points, last))
            .radius(5e-5)
            .material(material.with_damping(lariat::prelude::Damping::None))
            .pin(0)
            .hold_segment(0)
    }
}

/// The groom, with the paper's steps: 34 a frame of 1/30 s, 8 iterations.
pub fn groom(groom: &Groom) -> Scene {
    let copies = Copies {
        layout: Layout::Sphere {
            count: groom.strands,
            radius: groom.head,
            cover: 0.6,
        },
        turn: std::f64::consts::PI,
        scatter: 0.0,
        seed: 1,
    };
    let mut scene = Scene::new(
        "groom",
        "Ten thousand curly strands of 32 vertices on a head that is shaken.",
    )
    .timed(30.0, 34, 8, 45)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::new("strand", groom.strand()).drag(1.0).copies(copies))
    .with_probe("tip", "strand[0]", What::Position(Index::LAST))
    .with_probe("stretch", "strand[0]", What::Stretch);
    if groom.shaken {
        let there = DVec3::new(0.06, 0.0, 0.02);
        let shake = Act::Path {
            vertex: Index(0),
            points: vec![(0.2, there), (0.5, -there), (0.8, there), (1.0, DVec3::ZERO)],
        };
        scene = scene.with_action(0.0, None, "strand", shake);
    }
    scene
}
