//! Paper 5's slinky of 50 curls and 1,000 segments, with a flat section: it hangs from its first curl and bobs.

use glam::DVec3;
use lariat::prelude::{Density, Material, RodSpec, Shape, Stiffness};

use super::super::{Index, Scene, SceneRod, What, names::XPBD};

/// The numbers of the slinky.
#[derive(Clone, Debug)]
pub struct SlinkyCurls {
    /// Turns.
    pub curls: u32,
    /// Segments a turn.
    pub segments_a_curl: u32,
    /// m.
    pub radius: f64,
    /// m a turn.
    pub pitch: f64,
    /// EA = GA, N.
    pub ea: f64,
    /// EI about d1 and d2, N·m²: flat, so that a curl widens less readily than it opens.
    pub ei: [f64; 2],
    /// GJ, N·m².
    pub gj: f64,
    /// kg/m.
    pub linear_density: f64,
}

impl Default for SlinkyCurls {
    fn default() -> Self {
        Self {
            curls: 50,
            segments_a_curl: 20,
            radius: 0.035,
            pitch: 0.004,
            // Soft, so that a wave goes no farther than a segment or two in a substep: stiffer, too few iterations would leave strain that nothing has worked for.
            ea: 50.0,
            ei: [0.01, 0.004],
            gj: 0.004,
            linear_density: 0.01,
        }
    }
}

impl SlinkyCurls {
    /// Number of segments.
    pub fn segments(&self) -> u32 {
        self.curls * self.segments_a_curl
    }

    /// The recipe.
    pub fn spec(&self) -> RodSpec {
        let shape = Shape::Helix {
            centre: DVec3::ZERO,
            axis: DVec3::NEG_Y,
            radius: self.radius,
            pitch: self.pitch,
            turns: f64::from(self.curls),
            segments: self.segments(),
        };
        let material = Material {
            stiffness: Stiffness::Rigidity {
                ea: self.ea,
                ga: self.ea,
                ei: self.ei,
                gj: self.gj,
            },
            density: Density::Linear(self.linear_density),
            ..Material::rigidity(self.ea, self.ea, self.gj, self.gj, self.linear_density)
        };
        RodSpec::new(shape).radius(0.001).material(material).clamp_start()
    }
}

/// The paper's frames of 10 ms. Its 50 iterations of one step leave the wire as soft as rubber, 50 substeps of four find what Direct finds. The stairs are left out.
pub fn slinky_curls(slinky: &SlinkyCurls) -> Scene {
    Scene::new(
        "slinky_curls",
        "Paper 5: a slinky of 50 curls and 1,000 segments, flat in its section, hangs from its first curl and bobs.",
    )
    .timed(100.0, 50, 4, 400)
    .solved_by(XPBD)
    .with_rod(SceneRod::new("slinky", slinky.spec()).drag(0.5))
    .with_probe("end", "slinky", What::Position(Index::LAST))
}
