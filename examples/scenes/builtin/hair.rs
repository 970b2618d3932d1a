//! Hair that falls over a head: strands touch the head exactly, and each other on a grid (paper 1, section 5.6).

use glam::DVec3;
use lariat::prelude::{ContactSettings, HairGrid, Material, RodSpec, Shape};

use super::super::{Copies, Index, Layout, Scene, SceneRod, SceneShape, What, names::STABLE_COSSERAT};

/// The numbers of the hair.
#[derive(Clone, Debug)]
pub struct Hair {
    /// Strands, and segments of each.
    pub strands: u32,
    pub segments: u32,
    /// m.
    pub length: f64,
    /// Radius of the head, m.
    pub head: f64,
    /// The grid; without one strands pass through each other.
    pub grid: Option<HairGrid>,
}

impl Default for Hair {
    fn default() -> Self {
        Self {
            strands: 600,
            segments: 16,
            length: 0.2,
            head: 0.1,
            grid: Some(HairGrid {
                hairs: 10.0,
                ..HairGrid::default()
            }),
        }
    }
}

/// Strands stand on a head and fall.
pub fn hair(hair: &Hair) -> Scene {
    let spec = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::Y * hair.length, hair.segments))
        .radius(4e-4)
        .material(Material {
            friction: 0.3,
            ..Material::rigidity(20.0, 20.0, 1e-6, 1e-6, 0.01)
        })
        .pin(0)
        .hold_segment(0);
    let copies = Copies {
        layout: Layout::Sphere {
            count: hair.strands,
            radius: hair.head,
            cover: 0.4,
        },
        turn: 0.0,
        scatter: 0.0,
        seed: 1,
    };
    let mut strand = SceneRod::new("strand", spec).drag(1.0).copies(copies);
    if hair.grid.is_some() {
        strand = strand.on_grid();
    }
    let mut scene = Scene::new(
        "hair",
        "Strands fall over a head: they keep the volume of all, on a grid, and stay out of the head, exactly.",
    )
    .timed(60.0, 4, 8, 120)
    .solved_by(STABLE_COSSERAT)
    .with_shape(SceneShape::ball(DVec3::ZERO, hair.head, 0.3))
    .with_rod(strand)
    .with_probe("tip", "strand[0]", What::Position(Index::LAST));
    scene.contact = Some(ContactSettings {
        hair: hair.grid.unwrap_or_default(),
        ..ContactSettings::default()
    });
    scene
}
