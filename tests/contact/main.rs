//! Contact as a whole, judged from outside: by tools that know positions only, and by closed forms.

#[path = "../common/mod.rs"]
mod common;
#[path = "../coupling/bodies.rs"]
mod host;
#[path = "../../examples/scenes/mod.rs"]
mod scenes;

mod bad_input;
mod bodies;
mod capstan;
mod incline;
mod knit;
mod knots;
mod laws;
mod led;
mod passing;
mod plectoneme;
mod stable_cosserat;
mod starts;

use common::FRAME;
use glam::{DVec3, Vec3};
use lariat::{
    contact::{Collider, Contact, Touched},
    prelude::*,
};
use scenes::{curves, topology};
use topology::{PassThrough, Tube, deepest_overlap};

/// Contact on, one substep a frame: between frames every vertex moves about straight, which is what the judge of passes assumes.
fn touching() -> Settings {
    Settings {
        contact: Some(ContactSettings::default()),
        ..common::settings(1, 8)
    }
}

fn weightless() -> Settings {
    Settings {
        gravity: Vec3::ZERO,
        ..touching()
    }
}

/// Hemp with a coefficient of friction.
fn hemp(friction: f64) -> Material {
    Material {
        friction,
        ..Material::hemp_rope()
    }
}

/// A rope along points as they are.
fn along(points: &[DVec3], radius: f64) -> RodSpec {
    let points = points.to_vec();
    RodSpec::new(Shape::Polyline { points }).radius(radius)
}

fn thrown(velocity: Vec3) -> RodOptions {
    RodOptions {
        velocity,
        ..RodOptions::default()
    }
}

fn change<T>(world: &mut RodWorld, id: RodId, f: impl FnOnce(&mut RodMut<'_>) -> Result<T, RodAccessError>) -> T {
    f(&mut world.rod_mut(id).expect("the rod is there")).expect("a sound change")
}

/// A world and those who watch it.
struct Watched {
    world: RodWorld,
    rods: Vec<RodId>,
    radii: Vec<f64>,
    closed: Vec<bool>,
    judge: PassThrough,
    /// Deepest overlap so far, as a share of the thinner radius.
    deepest: f64,
    seconds: f64,
    frames: u32,
    slowest: f64,
}

impl Watched {
    fn new(settings: Settings) -> Self {
        Self {
            world: common::world(settings),
            rods: Vec::new(),
            radii: Vec::new(),
            closed: Vec::new(),
            judge: PassThrough::new(),
            deepest: f64::NEG_INFINITY,
            seconds: 0.0,
            frames: 0,
            slowest: 0.0,
        }
    }

    fn add(&mut self, spec: &RodSpec, options: RodOptions) -> RodId {
        let rod = common::built(spec);
        self.radii.push(rod.vertices()[0].radius);
        self.closed.push(rod.topology() == Topology::Loop);
        let id = self.world.insert_with(rod, options).expect("a sound rod");
        self.rods.push(id);
        self.judge = PassThrough::with_rings(&self.closed);
        id
    }

    fn positions(&self) -> Vec<Vec<DVec3>> {
        self.rods.iter().map(|&id| common::positions(&self.world, id)).collect()
    }

    /// A frame. Answers the positions after it.
    fn step(&mut self) -> Vec<Vec<DVec3>> {
        self.step_by(FRAME)
    }

    /// The same, of another length.
    fn step_by(&mut self, dt: f32) -> Vec<Vec<DVec3>> {
        if self.frames == 0 {
            self.judge.feed(&self.positions());
        }
        let start = std::time::Instant::now();
        self.world.step(dt).expect("a sound step");
        let seconds = start.elapsed().as_secs_f64();
        self.seconds += seconds;
        self.slowest = self.slowest.max(seconds);
        self.frames += 1;
        let positions = self.positions();
        self.judge.feed(&positions);
        let tubes: Vec<Tube<'_>> = (0..positions.len())
            .map(|k| Tube {
                points: &positions[k],
                radius: self.radii[k],
                closed: self.closed[k],
            })
            .collect();
        // Half a circle of the rope's own radius is π radii long: what is nearer along a rope bends, and does not touch. Stretch may add a little.
        if let Some(overlap) = deepest_overlap(&tubes, 4.0) {
            let thinner = self.radii[overlap.first.0].min(self.radii[overlap.second.0]);
            self.deepest = self.deepest.max(overlap.depth / thinner);
        }
        positions
    }

    fn run(&mut self, frames: u32) {
        for _ in 0..frames {
            self.step();
        }
    }

    /// Nothing passed and nothing overlapped by more than a tenth of the radius, at any frame.
    #[track_caller]
    fn assert_sound(&mut self, what: &str) {
        println!(
            "{what}: {:.3} ms a step, slowest {:.1}, deepest overlap {:.3} radii, {} passes",
            1e3 * self.seconds / f64::from(self.frames),
            1e3 * self.slowest,
            self.deepest,
            self.judge.passes().len()
        );
        let frozen = self
            .world
            .drain_events()
            .filter(|event| matches!(event, Event::Quarantined { .. }))
            .count();
        assert_eq!(frozen, 0, "{what}: rods went non-finite");
        // The judge moves points straight from frame to frame; the solve takes them there in straight pieces. Where a rope whips by half its length in a frame the
        // judge may see it go through another and back at once, which says nothing: what counts is the sum for two rods in a frame. Nor can it tell whether an end that is nearer than the way
        // that the two went was gone around.
        let mut sums = std::collections::BTreeMap::new();
        for pass in self.judge.passes() {
            let entry = sums
                .entry((pass.feed, pass.first.0, pass.second.0))
                .or_insert((0, false));
            *entry = (entry.0 + pass.sign, entry.1 || pass.is_certain());
        }
        sums.retain(|_, (sum, certain)| *sum != 0 && *certain);
        assert!(sums.is_empty(), "{what}: through in (frame, rod, rod): {sums:?}");
        assert!(self.deepest <= 0.1, "{what}: {} radii deep", self.deepest);
    }
}

/// `found` within a share of `expected`.
#[track_caller]
fn close(found: f64, expected: f64, share: f64, what: impl std::fmt::Display) {
    let error = found / expected - 1.0;
    println!("{what}: {found:.5} for {expected:.5}, off by {:.2}%", 100.0 * error);
    assert!(
        error.abs() <= share,
        "{what}: {found:.6e} instead of {expected:.6e}, off by {:.3}%",
        100.0 * error
    );
}
