//! Ropes that hang: the game scenes S1 (one rope falls), S2 and S2t (a heavy load), S4 (a thousand).

use glam::DVec3;
use lariat::prelude::{Material, RodSpec, Shape};

use super::super::{Index, Layout, Scene, SceneRod, What};

/// The rope of the game scenes: radius 1 cm, 1 kg/m. Strands that slide over one another leave little of a solid bar's
/// bending stiffness.
#[derive(Clone, Debug)]
pub struct Rope {
    /// m.
    pub length: f64,
    /// Segments over the length.
    pub segments: u32,
    /// m.
    pub radius: f64,
    /// kg/m.
    pub linear_density: f64,
    /// EA = GA, N. The default is a climbing rope: 100 kg stretch it by 2 %.
    pub ea: f64,
    /// EI = GJ, N·m².
    pub ei: f64,
}

impl Default for Rope {
    fn default() -> Self {
        Self {
            length: 2.0,
            segments: 64,
            radius: 0.01,
            linear_density: 1.0,
            ea: 5e4,
            ei: 0.01,
        }
    }
}

impl Rope {
    /// A steel rope: 1,000 kg stretch it by 1 %.
    pub fn steel() -> Self {
        Self {
            ea: 1e6,
            ..Self::default()
        }
    }

    /// The recipe of the rope from the origin along a direction, its first vertex pinned.
    pub fn spec(&self, direction: DVec3) -> RodSpec {
        RodSpec::new(Shape::line(DVec3::ZERO, direction * self.length, self.segments))
            .radius(self.radius)
            .material(Material::rigidity(
                self.ea,
                self.ea,
                self.ei,
                self.ei,
                self.linear_density,
            ))
            .pin(0)
    }

    /// The same with a mass tied to its end, kg; zero is none.
    pub fn carrying(&self, load: f64, direction: DVec3) -> RodSpec {
        let spec = self.spec(direction);
        if load > 0.0 {
            spec.load(self.segments, load)
        } else {
            spec
        }
    }
}

/// S1: the rope starts along +x and falls.
pub fn hanging(rope: &Rope) -> Scene {
    Scene::new(
        "hanging_rope",
        "S1: a rope of 2 m and 1 kg/m, pinned at one end, is let go from the horizontal and swings.",
    )
    .at_game_rate(240)
    .with_rod(SceneRod::new("rope", rope.spec(DVec3::X)))
    .with_probe("tip", "rope", What::Position(Index::LAST))
    .with_probe("stretch", "rope", What::Stretch)
    .with_probe("tension", "rope", What::Tension(Index(0)))
}

/// S2: the rope hangs with a load at its end, or (S2t) starts tilted by some degrees, because a hanging start is an
/// exact equilibrium where a frozen solver looks perfect. Tilted, the load must cross x = 0 at 0.70–0.75 s.
pub fn loaded(rope: &Rope, load: f64, tilt_degrees: f64) -> Scene {
    let (sin, cos) = tilt_degrees.to_radians().sin_cos();
    let own = rope.linear_density * rope.length;
    let (name, about) = if tilt_degrees == 0.0 {
        let about = format!("S2: {load} kg hang on a rope of {own} kg. It must stretch by T/EA, no more and no less.");
        ("loaded_rope", about)
    } else {
        let swings = format!("S2t: {load} kg on a rope of {own} kg swing from a tilt of {tilt_degrees}°.");
        ("loaded_rope_tilted", swings + " The load crosses x = 0 at 0.70–0.75 s.")
    };
    Scene::new(name, &about)
        .at_game_rate(300)
        .with_rod(SceneRod::new("rope", rope.carrying(load, DVec3::new(sin, -cos, 0.0))))
        .with_probe("load", "rope", What::Position(Index::LAST))
        .with_probe("speed", "rope", What::Velocity(Index::LAST))
        .with_probe("stretch", "rope", What::Stretch)
        .with_probe("tension", "rope", What::Tension(Index(0)))
}

/// S4: ropes of 32 segments and 1 m, pinned, falling, a grid of them along x and z.
pub fn many(counts: [u32; 2]) -> Scene {
    let rope = Rope {
        length: 1.0,
        segments: 32,
        ..Rope::default()
    };
    let layout = Layout::Grid {
        counts: [counts[0], 1, counts[1]],
        spacing: DVec3::new(0.25, 0.0, 0.25),
    };
    Scene::new(
        "ropes",
        "S4: a thousand ropes of 1 m and 32 segments, pinned at one end, fall and swing.",
    )
    .at_game_rate(240)
    .with_rod(SceneRod::new("rope", rope.spec(DVec3::X)).copies(layout.into()))
    .with_probe("tip", "rope[0]", What::Position(Index::LAST))
}
