//! Rods that touch: does anything pass through, how deep do surfaces overlap, does friction hold what it should, and what does it cost beside rapier's capsules?
//!
//! `cargo bench --bench contact --features rapier3d`. One core, 60 Hz. What passed and overlapped is judged from positions alone, by tools that share nothing with the
//! crate.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

#[path = "contact/broad_rival.rs"]
mod broad_rival;
#[path = "contact/capstan.rs"]
mod capstan;
#[path = "contact/crowd.rs"]
mod crowd;
#[path = "contact/film.rs"]
mod film;
#[path = "contact/hair.rs"]
mod hair;
#[path = "contact/knit.rs"]
mod knit;
#[path = "contact/knot.rs"]
mod knot;
#[path = "contact/pile.rs"]
mod pile;
#[path = "contact/pile_of_capsules.rs"]
mod pile_of_capsules;
#[path = "contact/stages.rs"]
mod stages;

use common::{figure, quick};
use glam::{DVec3, Vec3};
use lariat::{contact::ContactSettings, prelude::*};
use scenes::{curves, topology};

const FRAME: f32 = 1.0 / 60.0;
/// Of the rope of the game scenes, m.
const RADIUS: f64 = 0.01;
const FRICTION: f64 = 0.5;

type Figures = Vec<(&'static str, f64)>;
type Part = (&'static str, fn(&mut Figures));

fn main() {
    let mut figures = Figures::new();
    let parts: [Part; 8] = [
        ("pile", pile::measure),
        ("capsules", pile_of_capsules::measure),
        ("knot", knot::measure),
        ("capstan", capstan::measure),
        ("knit", knit::measure),
        ("hair", hair::measure),
        ("crowd", crowd::measure),
        ("broad", broad_phase),
    ];
    // Names of parts choose them; without any, all are played.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for (name, measure) in parts {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            measure(&mut figures);
        }
    }
    for (name, value) in figures {
        figure(name, value);
    }
}

fn broad_phase(figures: &mut Figures) {
    let (pairs, share) = broad_rival::measure(quick());
    println!("broad phase: {pairs:.0} pairs a second, in {share:.3} of the time of a sorted grid");
    figures.push(("broad_phase_pairs_per_second", pairs));
    figures.push(("broad_phase_vs_grid", share));
}

/// A world with contact, on the calling thread.
fn world(gravity: f32) -> RodWorld {
    let settings = Settings {
        gravity: Vec3::Y * -gravity,
        contact: Some(ContactSettings::default()),
        threads: Some(1),
        ..Settings::default()
    };
    RodWorld::new(settings).expect("sound settings")
}

/// The rope of the game scenes, straight at rest.
fn rope(points: Vec<DVec3>, friction: f64) -> RodSpec {
    let material = Material {
        friction,
        ..Material::rigidity(5e4, 5e4, 0.01, 0.01, 1.0)
    };
    RodSpec::new(Shape::polyline(points))
        .rest(RestShape::Straight)
        .radius(RADIUS)
        .material(material)
}

/// The vertices of a rod.
fn points(world: &RodWorld, id: RodId) -> Vec<DVec3> {
    let rod = world.rod(id).expect("the rod");
    (0..rod.description().vertices().len())
        .map(|v| rod.position(v))
        .collect()
}
