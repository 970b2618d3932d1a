//! Paper 1, Fig. 12: a patch of stockinette is clamped at its top and bottom rows, wrung by whole turns, and let go.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use lariat::prelude::{ContactSettings, Material, RodSpec, Shape};

use super::super::{Act, Scene, SceneRod, What, curves, names::DIRECT, topology::Leg};

/// Width of a stitch, m.
const WIDTH: f64 = 0.02;
/// Radius of the yarn, m: loose enough that five turns draw no yarn tight.
pub const YARN: f64 = 0.001;
/// Frames a second, and substeps of each. The upper corners go three radii in a substep, and neighbours a tenth of that past each other.
const RATE: f64 = 240.0;
const SUBSTEPS: u32 = 2;

/// The numbers of the scene.
#[derive(Clone, Debug)]
pub struct Knit {
    /// Stitches of a row.
    pub columns: usize,
    /// Rows, a yarn each.
    pub rows: usize,
    /// Turns of the upper clamp.
    pub turns: f64,
    /// How many of them a second.
    pub rate: f64,
    /// How long the clamps stand still before the upper one lets go, s.
    pub hold: f64,
    /// How long the patch is watched after that, s.
    pub release: f64,
}

impl Default for Knit {
    fn default() -> Self {
        Self {
            columns: 20,
            rows: 20,
            turns: 5.0,
            rate: 1.25,
            hold: 0.1,
            release: 0.6,
        }
    }
}

impl Knit {
    /// When the upper clamp stops, and when it lets go, s.
    pub fn times(&self) -> [f64; 2] {
        let stop = self.turns / self.rate;
        [stop, stop + self.hold]
    }

    /// The yarns as they start, bottom row first.
    pub fn yarns(&self) -> Vec<Vec<DVec3>> {
        curves::knit_patch(self.rows, self.columns, WIDTH, WIDTH, 0.25 * WIDTH)
    }

    /// The legs of the loops, with the loops that they go through: of all rows but the lowest, which goes through nothing, and of all columns but the outermost two, whose yarns end there and
    /// may slip out as they do where a knit is cut.
    pub fn legs(&self, yarns: &[Vec<DVec3>]) -> Vec<Leg> {
        // Points are spaced evenly, and all stitches are of one length.
        let points = yarns[0].len() - 1;
        let length: f64 = yarns[0].windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        let tail = WIDTH / length;
        let at = |stitches: f64| {
            let share = tail + (1.0 - 2.0 * tail) * stitches / self.columns as f64;
            (share * points as f64).round() as usize
        };
        let mut legs = Vec::new();
        for row in 1..self.rows {
            for column in 1..self.columns.saturating_sub(1) {
                let [left, head, right] = [0.0, 0.5, 1.0].map(|part| at(column as f64 + part));
                for leg in [left..head + 1, head..right + 1] {
                    let through = (row - 1, left..right + 1);
                    legs.push(Leg {
                        leg: (row, leg),
                        through,
                    });
                }
            }
        }
        legs
    }

    /// The scene.
    pub fn scene(&self) -> Scene {
        let yarns = self.yarns();
        let material = Material {
            friction: 0.3,
            ..Material::rigidity(50.0, 50.0, 5e-6, 5e-6, 0.004)
        };
        let [stop, release] = self.times();
        let frames = ((release + self.release) * RATE).round() as u32;
        let mut scene = Scene::new(
            "knit",
            "Paper 1, Fig. 12: a patch of stockinette is clamped at top and bottom, wrung by five turns, and let go. No yarn passes through another.",
        )
        .timed(RATE, SUBSTEPS, 8, frames)
        .solved_by(DIRECT);
        let axis = DVec3::X * (0.5 * self.columns as f64 * WIDTH);
        let middle = yarns.len() / 2;
        for (index, yarn) in yarns.into_iter().enumerate() {
            // The lowest row is held by its feet, the highest by its heads, and both by their ends.
            let side = match index {
                0 => -1.0,
                _ if index + 1 == self.rows => 1.0,
                _ => 0.0,
            };
            let last = yarn.len() - 1;
            let is_extreme = |v: usize| {
                let y = |v: usize| side * yarn[v].y;
                v == 0 || v == last || y(v) > y(v - 1) && y(v) >= y(v + 1)
            };
            let held: Vec<u32> = (0..=last)
                .filter(|&v| side != 0.0 && is_extreme(v))
                .map(|v| v as u32)
                .collect();
            let name = format!("yarn{index}");
            for &vertex in held.iter().filter(|_| side > 0.0) {
                let place = yarn[vertex as usize];
                let turn = Act::Circle {
                    vertex: vertex.into(),
                    centre: DVec3::new(axis.x - place.x, 0.0, axis.z - place.z),
                    axis: DVec3::Y,
                    rate: TAU * self.rate,
                };
                let let_go = Act::Release { vertex: vertex.into() };
                scene = scene
                    .with_action(0.0, Some(stop), &name, turn)
                    .with_action(release, None, &name, let_go);
            }
            let mut spec = RodSpec::new(Shape::polyline(yarn)).radius(YARN).material(material);
            for vertex in held {
                spec = spec.pin(vertex);
            }
            scene = scene.with_rod(SceneRod::new(&name, spec).drag(2.0));
        }
        scene.gravity = Vec3::ZERO;
        scene.contact = Some(ContactSettings::default());
        scene.with_probe("middle", &format!("yarn{middle}"), What::Position(0.into()))
    }
}
