//! Paper 1's three trees in the wind: 9,948 vertices grown by space colonization.

use glam::{DVec3, Vec3};
use lariat::prelude::{AirDrag, GraphBuilder, JointProperties, RodDescription, RodError, SegmentProperties, Wind};

use super::{
    super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT},
    tree_growth::{Growth, Skeleton, grow},
};

/// What of the trees may vary.
#[derive(Clone, Debug)]
pub struct Trees {
    /// How each grows; the seed of tree i is `growth.seed + i`.
    pub growth: Growth,
    /// How many.
    pub count: u32,
    /// Whether the authors' wind blows.
    pub wind: bool,
}

impl Default for Trees {
    fn default() -> Self {
        Self {
            growth: Growth::default(),
            count: 3,
            wind: true,
        }
    }
}

/// What a tree is made of: with M twice the length of the branches above a vertex (plus 0.2 m, so that tips have some)
/// and m the mean of a segment's ends, EA = axial·m/l, density·m/l kg/m, and EI = bending·M^1.8 for every pair of
/// segments that meet at a vertex.
#[derive(Clone, Debug)]
pub struct Wood {
    /// N.
    pub axial: f64,
    /// kg/m.
    pub density: f64,
    /// N·m².
    pub bending: f64,
}

impl Default for Wood {
    /// Paper 1's: its authors' stored values are k_ss 4e3–1.3e7 and k_bt 400–4.2e8, and so are these.
    fn default() -> Self {
        Self {
            axial: 1e4,
            density: 0.88,
            bending: 50.0,
        }
    }
}

/// A grown tree as a rod, its root and its first segment held.
pub fn tree(skeleton: &Skeleton, wood: &Wood) -> Result<RodDescription, RodError> {
    let load: Vec<f64> = skeleton
        .length_above()
        .iter()
        .map(|length| 2.0 * length + 0.2)
        .collect();
    let mut graph = GraphBuilder::new();
    for p in &skeleton.vertices {
        graph.add_vertex(*p);
    }
    let mut meeting: Vec<Vec<u32>> = vec![Vec::new(); skeleton.vertices.len()];
    for (child, parent) in (1u32..).zip(&skeleton.parents) {
        let (c, p) = (child as usize, *parent as usize);
        let length = skeleton.vertices[c].distance(skeleton.vertices[p]);
        let m = 0.5 * (load[c] + load[p]);
        let branch = SegmentProperties {
            // For the eye and for contact only: thicker where more hangs on it.
            radius: 0.005 * m.sqrt(),
            ..SegmentProperties::new(wood.axial * m / length, wood.density * m / length)
        };
        let segment = graph.add_segment(*parent, child, &branch);
        meeting[c].push(segment);
        meeting[p].push(segment);
    }
    for (segments, load) in meeting.iter().zip(&load) {
        let bend = JointProperties::new(wood.bending * load.powf(1.8));
        for (i, a) in segments.iter().enumerate() {
            for b in &segments[i + 1..] {
                graph.add_joint(*a, *b, &bend);
            }
        }
    }
    graph.pin(0).hold(0);
    graph.finish()
}

/// The trees in a row, 9 m apart.
pub fn trees(trees: &Trees) -> Result<Scene, RodError> {
    let mut scene = Scene::new(
        "trees",
        "Paper 1: three trees, 9,948 vertices grown by space colonization, in a gusty wind.",
    )
    .timed(30.0, 34, 4, 60)
    .solved_by(STABLE_COSSERAT);
    scene.gravity = Vec3::new(0.0, -9.8, 0.0);
    for i in 0..trees.count {
        let growth = Growth {
            seed: trees.growth.seed + u64::from(i),
            ..trees.growth.clone()
        };
        let skeleton = grow(&growth);
        let highest = (0..skeleton.vertices.len())
            .max_by(|a, b| skeleton.vertices[*a].y.total_cmp(&skeleton.vertices[*b].y))
            .unwrap_or(0);
        let name = format!("tree {}", i + 1);
        let along = f64::from(i) - 0.5 * f64::from(trees.count.saturating_sub(1));
        scene = scene
            .with_rod(
                SceneRod::described(&name, tree(&skeleton, &Wood::default())?)
                    .at(DVec3::X * 9.0 * along)
                    .drag(0.01),
            )
            .with_probe(&format!("top {}", i + 1), &name, What::Position(Index(highest as i64)));
    }
    scene.wind = trees.wind.then_some(Wind {
        direction: Vec3::new(2.0, 0.0, 3.0),
        speed: 15.0,
        wavelength: 20.0,
        base: 0.0,
        drag: AirDrag::Paper { coefficient: 3.0 },
    });
    Ok(scene)
}
