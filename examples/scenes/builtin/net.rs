//! A net of cords, knotted where they cross and held at its corners, drops and sags.

use glam::DVec3;
use lariat::prelude::{GraphBuilder, JointProperties, RodError, SegmentProperties};

use super::super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

/// The numbers of the net.
#[derive(Clone, Debug)]
pub struct Net {
    /// Meshes along x and z.
    pub meshes: [u32; 2],
    /// Width of a mesh, m.
    pub mesh: f64,
    /// EA = GA of a cord, N.
    pub ea: f64,
    /// EI = GJ of a cord, N·m².
    pub ei: f64,
    /// Of a cord, kg/m.
    pub linear_density: f64,
    /// Weight in the middle, kg.
    pub load: f64,
}

impl Default for Net {
    fn default() -> Self {
        Self {
            meshes: [20, 20],
            mesh: 0.1,
            ea: 500.0,
            ei: 1e-3,
            linear_density: 0.05,
            load: 0.5,
        }
    }
}

/// Cords bend elastically along themselves, and turn freely about one another at the knots.
pub fn net(net: &Net) -> Result<Scene, RodError> {
    let [nx, nz] = net.meshes;
    let mut graph = GraphBuilder::new();
    let mut knot = vec![vec![0; nx as usize + 1]; nz as usize + 1];
    for (j, row) in knot.iter_mut().enumerate() {
        for (i, vertex) in row.iter_mut().enumerate() {
            *vertex = graph.add_vertex(DVec3::new(i as f64, 0.0, j as f64) * net.mesh);
        }
    }
    let cord = SegmentProperties {
        radius: 0.004,
        ..SegmentProperties::new(net.ea, net.linear_density)
    };
    let bend = JointProperties::new(net.ei);
    for row in &knot {
        graph.add_path(row, &cord, Some(&bend));
    }
    for i in 0..=nx as usize {
        let column: Vec<u32> = knot.iter().map(|row| row[i]).collect();
        graph.add_path(&column, &cord, Some(&bend));
    }
    for j in [0, nz as usize] {
        for i in [0, nx as usize] {
            graph.pin(knot[j][i]);
        }
    }
    let middle = knot[nz as usize / 2][nx as usize / 2];
    graph.load(middle, net.load);
    Ok(Scene::new(
        "net",
        "A net of 20 × 20 meshes, held at its corners, drops with a weight in its middle.",
    )
    .timed(60.0, 16, 4, 180)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::described("net", graph.finish()?).drag(0.3))
    .with_probe("middle", "net", What::Position(Index(i64::from(middle))))
    .with_probe("stretch", "net", What::Stretch))
}
