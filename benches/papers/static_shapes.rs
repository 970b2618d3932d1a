//! Where rods come to rest does not depend on the method: the same descriptions, settled by every solver, end in the same shapes.
//!
//! Rope, cantilever, helical spring and a sagging coil. EA is so large that neither stretch nor shear, which some of the methods do not have, shows (0.1 %), and so small that the
//! methods which creep when it is large still arrive. XPBD forgets its forces after every substep and must find them again in the iterations of the next: where those do not carry a wave as far as it
//! goes in a substep, the rod comes to rest all right, but far too low. So the coils are short, and their substeps too.

use std::f64::consts::PI;

use glam::DVec3;
use lariat::prelude::{
    Material, RestShape, RodDescription, RodError, RodOptions, RodSpec, RodWorld, Settings, Shape, Solver,
};

use crate::scenes::names::{DIRECT, ELASTIC, GENERALIZED_ALPHA, STABLE_COSSERAT_EXACT, XPBD, solver_name};

/// Segments a turn of a coil. Discrete elastic rods measure a joint's angle φ by 2 tan(φ/2), so that a coil is stiffer by 1/cos⁴(φ/2): 3.5% at 24 a turn, 0.4% here.
const A_TURN: f64 = 72.0;

/// A solver with what it needs to settle at 60 Hz.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub solver: Solver,
    pub substeps: u32,
    pub iterations: u32,
    /// Whether it goes from element to element. Short segments then need short substeps, and it needs twice the time to arrive.
    pub iterates: bool,
}

const fn newton(solver: Solver) -> Method {
    Method {
        solver,
        substeps: 1,
        iterations: 16,
        iterates: false,
    }
}

const fn sweeping(solver: Solver, substeps: u32, iterations: u32) -> Method {
    Method {
        solver,
        substeps,
        iterations,
        iterates: true,
    }
}

/// All methods. The first is what the others are compared with in the table.
pub const METHODS: &[Method] = &[
    newton(DIRECT),
    newton(ELASTIC),
    newton(GENERALIZED_ALPHA),
    sweeping(STABLE_COSSERAT_EXACT, 64, 8),
    sweeping(XPBD, 64, 24),
];

/// A rod that sinks to its place.
#[derive(Clone, Debug)]
pub struct Static {
    pub name: &'static str,
    pub rod: RodDescription,
    /// Near its critical damping, 1/s.
    pub drag: f32,
    /// Until it is at rest, s.
    pub seconds: f64,
    /// How many times more substeps its short segments need. More than are needed shake a rod: rounding is a kick in each.
    pub finer: u32,
}

/// The four rods.
pub fn statics() -> Result<[Static; 4], RodError> {
    let wire = |ei: f64, density: f64| Material::rigidity(5e3, 5e3, ei, ei, density);
    // An arc of 1 m over a span of 0.8 m: the rope is longer than its chord, and swings down from the level.
    let arc = (0..=24).map(|i| {
        let along = f64::from(i) / 24.0;
        DVec3::new(0.8 * along, 0.0, 0.273 * (PI * along).sin())
    });
    let rope = RodSpec::new(Shape::polyline(arc.collect::<Vec<_>>()))
        .material(wire(1e-3, 0.2))
        .rest(RestShape::Straight)
        .pin(0)
        .pin_last();
    let cantilever = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 24))
        .material(wire(0.5, 0.2))
        .clamp_start();
    let coil = |axis: DVec3, radius: f64, pitch: f64, turns: f64| {
        RodSpec::new(Shape::Helix {
            centre: DVec3::ZERO,
            axis,
            radius,
            pitch,
            turns,
            segments: (turns * A_TURN) as u32,
        })
    };
    let spring = coil(-DVec3::Y, 0.05, 0.03, 1.5)
        .material(wire(0.01, 0.02))
        .clamp_start()
        .load((1.5 * A_TURN) as u32, 0.04);
    let slinky = coil(DVec3::X, 0.1, 0.08, 2.0)
        .material(wire(0.03, 0.08))
        .clamp_start()
        .clamp_end();
    Ok([
        Static {
            name: "rope",
            rod: rope.build()?,
            drag: 6.0,
            seconds: 6.0,
            finer: 1,
        },
        Static {
            name: "cantilever",
            rod: cantilever.build()?,
            drag: 6.0,
            seconds: 6.0,
            finer: 1,
        },
        Static {
            name: "helix",
            rod: spring.build()?,
            drag: 20.0,
            seconds: 2.0,
            finer: 4,
        },
        Static {
            name: "coil",
            rod: slinky.build()?,
            drag: 20.0,
            seconds: 2.0,
            finer: 4,
        },
    ])
}

/// Where the vertices of a rod come to rest, and the fastest of them at the end, m/s.
pub fn settle(rod: &Static, method: &Method) -> (Vec<DVec3>, f64) {
    let settings = Settings {
        substeps: if method.iterates {
            method.substeps * rod.finer
        } else {
            method.substeps
        },
        iterations: method.iterations,
        threads: Some(1),
        ..Settings::default()
    };
    let options = RodOptions {
        solver: method.solver,
        drag: rod.drag,
        ..RodOptions::default()
    };
    let seconds = if method.iterates {
        2.0 * rod.seconds
    } else {
        rod.seconds
    };
    let mut world = RodWorld::new(settings).unwrap_or_else(|error| panic!("{error}"));
    let id = (world.insert_with(rod.rod.clone(), options)).unwrap_or_else(|error| panic!("{}: {error}", rod.name));
    for _ in 0..(seconds * 60.0) as u32 {
        world.step(1.0 / 60.0).unwrap_or_else(|error| panic!("{error}"));
    }
    let Some(rod) = world.rod(id) else {
        return (Vec::new(), f64::NAN);
    };
    let vertices = 0..rod.vertex_count();
    let speed = vertices
        .clone()
        .map(|v| f64::from(rod.velocity(v).length()))
        .fold(0.0, f64::max);
    (vertices.map(|v| rod.position(v)).collect(), speed)
}

/// The farthest that any vertex of any two shapes is apart, over the farthest that a vertex of the first went from where it began.
pub fn relative_spread(rod: &Static, shapes: &[Vec<DVec3>]) -> f64 {
    let begin: Vec<DVec3> = rod.rod.vertices().iter().map(|vertex| vertex.position).collect();
    let apart = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let went = shapes.first().map_or(f64::NAN, |first| apart(first, &begin));
    let pairs = shapes
        .iter()
        .enumerate()
        .flat_map(|(i, a)| shapes[..i].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| apart(a, b) / went).fold(0.0, f64::max)
}

/// Prints where each method comes to rest; answers the largest relative spread.
pub fn spread(methods: &[Method]) -> f64 {
    let statics = match statics() {
        Ok(statics) => statics,
        Err(error) => {
            println!("static shapes: {error}");
            return f64::NAN;
        }
    };
    println!(
        "static shapes: relative distance to the first, last vertex (middle one where both ends are held), speed left"
    );
    let mut most = 0.0;
    for rod in &statics {
        let mut shapes = Vec::new();
        for method in methods {
            let (shape, speed) = settle(rod, method);
            let held = rod.rod.is_pinned(shape.len() as u32 - 1);
            let probe = shape[if held { shape.len() / 2 } else { shape.len() - 1 }];
            shapes.push(shape);
            let first = [shapes[0].clone(), shapes[shapes.len() - 1].clone()];
            println!(
                "{:<11} {:<28} {:>9.6}  ({:.5}, {:.5}, {:.5}) m  {:.1e} m/s",
                rod.name,
                solver_name(&method.solver),
                relative_spread(rod, &first),
                probe.x,
                probe.y,
                probe.z,
                speed
            );
        }
        most = relative_spread(rod, &shapes).max(most);
    }
    most
}
