//! Paper 1's slingshot: a stiff handle with two forks and four soft rubber bands, pulled back and let go.
//!
//! 44 vertices, 46 segments, 47 joints: 7 in the handle, 2 where the forks leave it, 4 in each fork, 6 in each band and
//! the 6 pairs of bands at the centre. Bands are tied to the forks without a joint, so they turn freely there.

use glam::{DVec3, Vec3};
use lariat::prelude::{GraphBuilder, JointProperties, RodError, SegmentProperties};

use super::super::{Act, Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

const HANDLE: u32 = 8;
const PIECE: f64 = 0.3;
const FORK: u32 = 5;
const FORK_RADIUS: f64 = 0.9;
const BAND: u32 = 7;

/// The scene: the centre is pulled back 5 m in a second, held for half a second, and let go.
pub fn slingshot() -> Result<Scene, RodError> {
    let wood = SegmentProperties {
        radius: 0.06,
        ..SegmentProperties::new(1e6, 3.0)
    };
    let stiff = JointProperties::new(1e5);
    let rubber = SegmentProperties {
        radius: 0.02,
        rest_scale: 0.94,
        ..SegmentProperties::new(400.0, 0.2)
    };
    let soft = JointProperties::new(0.1);

    let mut graph = GraphBuilder::new();
    let handle: Vec<u32> = (0..=HANDLE)
        .map(|i| graph.add_vertex(DVec3::Y * PIECE * f64::from(i)))
        .collect();
    let grip = graph.add_path(&handle, &wood, Some(&stiff));
    let top = DVec3::Y * PIECE * f64::from(HANDLE);
    let mut anchors = Vec::new();
    for side in [-1.0, 1.0] {
        // A quarter circle: it leaves the handle sideways and ends upright.
        let mut fork = vec![handle[HANDLE as usize]];
        fork.extend((1..=FORK).map(|i| {
            let (sin, cos) = (std::f64::consts::FRAC_PI_2 * f64::from(i) / f64::from(FORK)).sin_cos();
            graph.add_vertex(top + FORK_RADIUS * DVec3::new(side * sin, 1.0 - cos, 0.0))
        }));
        let pieces = graph.add_path(&fork, &wood, Some(&stiff));
        graph.add_joint(grip[HANDLE as usize - 1], pieces[0], &stiff);
        anchors.extend([fork[FORK as usize], fork[FORK as usize - 1]]);
    }

    let centre_at = top + DVec3::Y * 0.85 * FORK_RADIUS;
    let centre = graph.add_vertex(centre_at);
    let mut last_pieces = Vec::new();
    for anchor in anchors {
        let start = graph.position(anchor).unwrap_or(top);
        let mut band = vec![anchor];
        band.extend((1..BAND).map(|i| graph.add_vertex(start.lerp(centre_at, f64::from(i) / f64::from(BAND)))));
        band.push(centre);
        let pieces = graph.add_path(&band, &rubber, Some(&soft));
        last_pieces.extend(pieces.last().copied());
    }
    for (i, a) in last_pieces.iter().enumerate() {
        for b in &last_pieces[i + 1..] {
            graph.add_joint(*a, *b, &soft);
        }
    }
    // A hand holds the lower part of the handle; another will hold the pouch.
    for vertex in &handle[..5] {
        graph.pin(*vertex);
    }
    graph.pin(centre).hold(grip[0]);

    let pull = Act::Move {
        vertex: centre.into(),
        velocity: DVec3::Z * 5.0,
    };
    let mut scene = Scene::new(
        "slingshot",
        "Paper 1: rubber bands a thousand times softer than the handle are pulled back 5 m, held and let go.",
    )
    .timed(30.0, 34, 4, 90)
    .solved_by(STABLE_COSSERAT)
    .with_rod(SceneRod::described("slingshot", graph.finish()?).drag(1.0))
    .with_action(0.0, Some(1.0), "slingshot", pull)
    .with_action(1.5, None, "slingshot", Act::Release { vertex: centre.into() })
    .with_probe("pouch", "slingshot", What::Position(centre.into()))
    .with_probe("fork", "slingshot", What::Position(Index(i64::from(HANDLE + FORK))));
    scene.gravity = Vec3::new(0.0, -9.8, 0.0);
    Ok(scene)
}
