//! A slinky walks down stairs (paper 5, Fig. 1): a hand flips its top over to the next step and lets go, and it goes on by itself.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};
use lariat::prelude::{ContactSettings, Integrator, Material, RodSpec, Shape, Solver};

use super::super::{Act, Index, Scene, SceneRod, SceneShape, What, curves, shapes::Kind};

/// The numbers of slinky and stairs. Those of the slinky are about what a steel one from a shop has, with fewer, thicker turns.
#[derive(Clone, Debug)]
pub struct Stairs {
    /// Turns of wire.
    pub turns: u32,
    /// Segments a turn.
    pub segments_a_turn: u32,
    /// Of the coil, and of the wire, m.
    pub coil: f64,
    pub wire: f64,
    /// kg.
    pub mass: f64,
    /// N/m.
    pub spring: f64,
    /// Steps below the first.
    pub steps: u32,
    /// From step to step, down and along, m.
    pub down: f64,
    pub along: f64,
    /// How long the hand takes, s, and how far above the straight way it goes, m.
    pub hand: f64,
    pub lift: f64,
    /// Of wire and stairs.
    pub friction: f64,
}

impl Default for Stairs {
    fn default() -> Self {
        Self {
            turns: 30,
            segments_a_turn: 18,
            coil: 0.034,
            wire: 0.001,
            mass: 0.2,
            spring: 0.5,
            steps: 8,
            down: 0.12,
            along: 0.11,
            hand: 0.5,
            lift: 0.14,
            friction: 0.6,
        }
    }
}

impl Stairs {
    /// The slinky as it stands on the first step, whose top is at y = 0.
    pub fn points(&self) -> Vec<DVec3> {
        let segment = TAU * self.coil / f64::from(self.segments_a_turn);
        curves::slinky(self.coil, self.wire, f64::from(self.turns), segment)
    }

    /// Half of how wide the stairs are, m: a slinky sways.
    pub fn half_width(&self) -> f64 {
        4.0 * self.coil
    }

    /// Where the hand takes what it holds, as (seconds, offset): over in half a turn.
    fn flip(&self, place: DVec3) -> Vec<(f64, DVec3)> {
        /// Straight pieces of the way.
        const PIECES: u32 = 32;
        let from = DVec3::Y * place.y;
        let to = DVec3::new(self.along, -self.down + 1.5 * self.wire, 0.0);
        let offset = |k: u32| {
            let share = f64::from(k) / f64::from(PIECES);
            let angle = PI * share;
            let middle = DVec3::new(
                0.5 * to.x * (1.0 - angle.cos()),
                from.y + (to.y - from.y) * share + self.lift * angle.sin(),
                0.0,
            );
            let now = middle + DQuat::from_rotation_z(-angle) * (place - from);
            (self.hand * share, now - place)
        };
        (1..=PIECES).map(offset).collect()
    }
}

/// See the head of the file.
pub fn stairs(stairs: &Stairs) -> Scene {
    let points = stairs.points();
    let last = points.len() - 1;
    let length = TAU * stairs.coil * f64::from(stairs.turns);
    // A close-coiled spring: k = GJ / 2πR³n. Round steel wire bends 1.3 times as hard as it twists.
    let torsion = stairs.spring * TAU * stairs.coil.powi(3) * f64::from(stairs.turns);
    let bending = 1.3 * torsion;
    let material = Material {
        friction: stairs.friction,
        ..Material::rigidity(5e3, 5e3, bending, torsion, stairs.mass / length)
    };
    // A hand holds the top turn at four places.
    let held: Vec<usize> = (0..4).map(|k| last - k * stairs.segments_a_turn as usize / 4).collect();
    let spec = RodSpec::new(Shape::polyline(points.clone()))
        .radius(stairs.wire)
        .material(material);
    let mut scene = Scene::new(
        "stairs",
        "Paper 5: a slinky walks down stairs after its top was flipped over once.",
    )
    .at_game_rate(240)
    .solved_by(Solver::Direct {
        integrator: Integrator::Bdf2,
    })
    .with_rod(SceneRod::new("slinky", spec))
    .with_probe("first", "slinky", What::Position(0.into()))
    .with_probe("last", "slinky", What::Position(Index::LAST));
    for step in 0..=stairs.steps {
        let (k, deep) = (f64::from(step), 0.5);
        let size = DVec3::new(stairs.along, deep, 2.0 * stairs.half_width());
        let place = DVec3::new(k * stairs.along, -k * stairs.down - 0.5 * deep, 0.0);
        scene = scene.with_shape(SceneShape::new(Kind::Box { size }, place, stairs.friction));
    }
    for vertex in held {
        let index = Index::from(vertex as u32);
        let way = Act::Path {
            vertex: index,
            points: stairs.flip(points[vertex]),
        };
        let over = stairs.hand + 0.02;
        scene = scene.with_action(0.0, Some(stairs.hand), "slinky", way).with_action(
            over,
            None,
            "slinky",
            Act::Release { vertex: index },
        );
    }
    // The step of a game takes the swing out of it: with a few substeps of second order it goes on.
    scene.substeps = 4;
    scene.contact = Some(ContactSettings::default());
    scene
}
