//! Paper 1's cable-stayed bridge (a model of the Margaret Hunt Hill Bridge): segments break at a strain of 0.5 %.
//!
//! 2,208 vertices, 2,298 segments, 347 joints: three spans of 72 pieces, an arch of 84, 34 ties, 58 cables.

use glam::{DVec3, Vec3};
use lariat::prelude::{AirDrag, BreakLimit, GraphBuilder, JointProperties, RodError, SegmentProperties, Wind};

use super::super::{Index, Scene, SceneRod, What, names::STABLE_COSSERAT};

/// What of the bridge may vary.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// The strain at which a segment breaks.
    pub break_strain: f64,
    /// Whether the authors' wind blows.
    pub wind: bool,
    /// Its speed, m/s.
    pub wind_speed: f32,
}

impl Default for Bridge {
    fn default() -> Self {
        Self {
            break_strain: 0.005,
            wind: true,
            wind_speed: CALM,
        }
    }
}

impl Bridge {
    /// In a wind that breaks it.
    pub fn storm() -> Self {
        Self {
            wind_speed: 20.0,
            ..Self::default()
        }
    }
}

/// The authors' wind, m/s; the bridge stands it.
const CALM: f32 = 7.0;
const SPAN: u32 = 72;
const ARCH: u32 = 84;
const MIDDLE: u32 = SPAN / 2;
const APEX: u32 = ARCH / 2;
/// The side spans pass through these vertices of the arch, counted from its feet: there y = 2.364, z = ∓1.752.
const CROSSING: u32 = 4;
/// Ties every so many metres, but not at the held ends.
const TIE: u32 = 4;
/// Cables a side: from 6 to 34 m from the middle of the main span, to 7 to 35 vertices from the apex.
const CABLES: u32 = 29;
const FIRST_ON_SPAN: u32 = 6;
const FIRST_ON_ARCH: u32 = 7;
/// Cables are cut into pieces of at most this, m.
const PIECE: f64 = 0.7;

/// Point i of the arch: z = asinh(t)/2.1, y = 22.2 − cosh(2.1 z), t even over ± sinh 3.78.
fn arch_point(i: u32) -> DVec3 {
    let reach = 3.78f64.sinh();
    let t = reach * (2.0 * f64::from(i) / f64::from(ARCH) - 1.0);
    let z = t.asinh() / 2.1;
    DVec3::new(f64::from(MIDDLE), 22.2 - (2.1 * z).cosh(), z)
}

/// The scene.
pub fn bridge(bridge: &Bridge) -> Result<Scene, RodError> {
    let breaking = BreakLimit::Strain(bridge.break_strain);
    let steel = |ea: f64, density: f64, radius: f64| SegmentProperties {
        radius,
        break_at: breaking,
        ..SegmentProperties::new(ea, density)
    };
    let deck = steel(2e4, 0.25, 0.08);
    let (arch_steel, cable) = (steel(8e4, 2.0, 0.2), steel(2e3, 0.01, 0.02));
    let (deck_bend, stiff_bend) = (JointProperties::new(5.0), JointProperties::new(4e4));

    let mut graph = GraphBuilder::new();
    let main: Vec<u32> = (0..=SPAN)
        .map(|i| graph.add_vertex(DVec3::new(f64::from(i), 2.0, 0.0)))
        .collect();
    let arch: Vec<u32> = (0..=ARCH).map(|i| graph.add_vertex(arch_point(i))).collect();
    graph.add_path(&main, &deck, Some(&deck_bend));
    let arch_pieces = graph.add_path(&arch, &arch_steel, Some(&stiff_bend));

    let mut sides = Vec::new();
    for crossing in [CROSSING, ARCH - CROSSING] {
        let at = arch_point(crossing);
        let vertices: Vec<u32> = (0..=SPAN)
            .map(|i| match i {
                MIDDLE => arch[crossing as usize],
                _ => graph.add_vertex(DVec3::new(f64::from(i), at.y, at.z)),
            })
            .collect();
        let pieces = graph.add_path(&vertices, &deck, Some(&deck_bend));
        sides.push((vertices, pieces));
    }

    // Cross beams: the two ties at a place keep their angle to one another and to the side spans.
    for i in (TIE..SPAN).step_by(TIE as usize) {
        let mut beam = Vec::new();
        for (vertices, pieces) in &sides {
            let tie = graph.add_segment(main[i as usize], vertices[i as usize], &deck);
            graph.add_joint(tie, pieces[i as usize], &stiff_bend);
            beam.push(tie);
        }
        graph.add_joint(beam[0], beam[1], &stiff_bend);
    }

    for k in 0..CABLES {
        let (away, down) = (FIRST_ON_SPAN + k, FIRST_ON_ARCH + k);
        for (foot, head) in [(MIDDLE - away, APEX - down), (MIDDLE + away, APEX + down)] {
            let (from, to) = (main[foot as usize], arch[head as usize]);
            let (a, b) = (DVec3::new(f64::from(foot), 2.0, 0.0), arch_point(head));
            let count = (a.distance(b) / PIECE).ceil() as u32;
            let mut path = vec![from];
            path.extend((1..count).map(|i| graph.add_vertex(a.lerp(b, f64::from(i) / f64::from(count)))));
            path.push(to);
            graph.add_path(&path, &cable, None);
        }
    }

    graph
        .pin(main[0])
        .pin(main[SPAN as usize])
        .pin(arch[0])
        .pin(arch[ARCH as usize]);
    for (vertices, _) in &sides {
        graph.pin(vertices[0]).pin(vertices[SPAN as usize]);
    }
    graph.hold(arch_pieces[0]).hold(arch_pieces[ARCH as usize - 1]);

    let (name, about) = if bridge.wind_speed > CALM {
        (
            "bridge_storm",
            "Paper 1's bridge in a storm: members break at a strain of 0.5 %.",
        )
    } else {
        (
            "bridge",
            "Paper 1: a cable-stayed bridge whose members would break at a strain of 0.5 %, in a gusty wind.",
        )
    };
    let mut scene = Scene::new(name, about)
        .timed(30.0, 34, 4, 90)
        .solved_by(STABLE_COSSERAT)
        .with_rod(SceneRod::described("bridge", graph.finish()?).drag(0.1))
        .with_probe("deck", "bridge", What::Position(Index(i64::from(main[18]))))
        .with_probe("apex", "bridge", What::Position(Index(i64::from(arch[APEX as usize]))))
        .with_probe("stretch", "bridge", What::Stretch);
    scene.gravity = Vec3::new(0.0, -0.981, 0.0);
    scene.wind = bridge.wind.then_some(Wind {
        direction: Vec3::new(2.0, 0.0, 3.0),
        speed: bridge.wind_speed,
        wavelength: 4.0,
        base: 1.0,
        drag: AirDrag::Paper { coefficient: 7e-3 },
    });
    Ok(scene)
}
