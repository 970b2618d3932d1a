//! What strands may not do to each other on the grid: give momentum to nobody, or energy from nowhere.

use lariat::prelude::*;

use crate::{cloud, common, kinetic, momentum, options, settings, strand, weightless};

/// A cloud that is packed from the start: 60 strands of 0.1 m in a cube of 0.1 m.
const PACKED: f32 = 0.004;

#[test]
fn momentum_is_kept() {
    let second = Solver::Direct {
        integrator: Integrator::Bdf2,
    };
    for (speed, friction, solver) in [
        (0.0, 20.0, Solver::default()),
        (5.0, 0.0, Solver::default()),
        (5.0, 20.0, second),
    ] {
        let grid = HairGrid {
            packing: 0.3 * PACKED,
            speed,
            friction,
            ..HairGrid::default()
        };
        let mut world = common::world(weightless(settings(2, grid)));
        let rods = cloud(&mut world, 60, 0.3, solver);
        let (before, _) = momentum(&world, &rods);
        let start = kinetic(&world, &rods);
        common::run(&mut world, 30);
        let (now, sizes) = momentum(&world, &rods);
        let (change, energy) = ((now - before).length() / sizes, kinetic(&world, &rods));
        println!("momentum changed by {change:.1e} of its parts; energy {start:.2e} to {energy:.2e} J");
        assert!((energy / start - 1.0).abs() > 0.2, "something happened");
        // 60 substeps, each of which rounds velocities to 6e-8 of the largest.
        assert!(change < 5e-6, "{change:e}");
    }
}

#[test]
fn friction_takes_out_energy_only() {
    let grid = HairGrid {
        packing: PACKED,
        speed: 0.0,
        friction: 10.0,
        ..HairGrid::default()
    };
    let play = |hair: HairCollision| {
        let mut world = common::world(weightless(settings(1, grid)));
        let rods = cloud(&mut world, 60, 0.3, Solver::default());
        for &id in &rods {
            let mut rod = world.rod_mut(id).expect("it is there");
            rod.set_hair_collision(hair).expect("not frozen");
            rod.set_layers(CollisionLayers::NONE).expect("not frozen");
        }
        let mut before = f64::INFINITY;
        let mut grown: f64 = 0.0;
        for _ in 0..30 {
            common::run(&mut world, 1);
            let energy: f64 = rods.iter().map(|&id| common::rod(&world, id).energy().total()).sum();
            grown = grown.max(energy / before - 1.0);
            before = energy;
        }
        (before, grown)
    };
    let ((rubbed, grown), (free, _)) = (play(HairCollision::Grid), play(HairCollision::Exact));
    println!("{rubbed:.3e} J with friction, {free:.3e} J without; grown by {grown:.1e} at most");
    assert!(grown < 1e-5, "rounding: {grown:e}");
    // After half a second at up to 10/s the strands within reach of each other go together.
    assert!(rubbed < 0.5 * free);
}

#[test]
fn pressure_gives_back_what_is_stored_at_most() {
    let (strands, over) = (60, 3.0);
    let grid = HairGrid {
        packing: PACKED / over,
        speed: 1.0,
        friction: 0.0,
        ..HairGrid::default()
    };
    for substeps in [1, 16] {
        let mut world = common::world(weightless(settings(substeps, grid)));
        let rods = cloud(&mut world, strands, 0.0, Solver::default());
        let mut most: f64 = 0.0;
        for _ in 0..60 {
            common::run(&mut world, 1);
            most = most.max(kinetic(&world, &rods));
        }
        // ½ M₀ c² e², with all hair at the density that it would have were it even in the cube. Where strands cross by chance it is denser: twice as dense is six times the energy.
        let mass = f64::from(strands) * 0.1 * 0.01;
        let excess = f64::from(over) - 1.0;
        let stored = 0.5 * mass / f64::from(over) * excess * excess;
        println!("{substeps} substeps: {most:.3e} J of {stored:.3e} J");
        assert!(most < 2.0 * stored && most > 0.02 * stored);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let grid = HairGrid {
        packing: 0.5 * PACKED,
        ..HairGrid::default()
    };
    let play = |threads: usize| {
        let mut world = common::world(Settings {
            threads: Some(threads),
            ..settings(2, grid)
        });
        cloud(&mut world, 60, 0.3, Solver::default());
        common::run(&mut world, 20);
        world.state_hash()
    };
    assert_eq!(play(1), play(2));
}

#[test]
fn a_world_goes_back_to_the_same_bits() {
    let grid = HairGrid {
        packing: 0.5 * PACKED,
        ..HairGrid::default()
    };
    let mut world = common::world(settings(2, grid));
    cloud(&mut world, 40, 0.3, Solver::GROOM);
    common::run(&mut world, 5);
    let before = world.snapshot();
    common::run(&mut world, 10);
    let after = world.state_hash();
    world.restore(&before);
    common::run(&mut world, 10);
    assert_eq!(world.state_hash(), after);
    // A stored one in a new world, too.
    let text = serde_json::to_string(&before).expect("it can be written");
    let stored: Snapshot = serde_json::from_str(&text).expect("it can be read");
    let mut other = common::world(common::settings(1, 4));
    other.restore(&stored);
    let id = other.ids().next().expect("strands");
    assert_eq!(common::rod(&other, id).hair_collision(), HairCollision::Grid);
    common::run(&mut other, 10);
    assert_eq!(other.state_hash(), after);
}

#[test]
fn pinned_vertices_stay() {
    let mut world = common::world(settings(
        2,
        HairGrid {
            packing: 0.3 * PACKED,
            ..HairGrid::default()
        },
    ));
    cloud(&mut world, 40, 1.0, Solver::XPBD);
    let points: Vec<glam::DVec3> = (0..=8).map(|k| glam::DVec3::X * 0.01 * f64::from(k)).collect();
    let spec = strand(points).pin(0).pin(4);
    let id = world
        .insert_with(common::built(&spec), options(Solver::GROOM))
        .expect("a strand");
    let start = common::positions(&world, id);
    common::run(&mut world, 20);
    let now = common::positions(&world, id);
    assert_eq!([now[0], now[4]], [start[0], start[4]]);
    assert!(now[8].distance(start[8]) > 1e-3, "others move");
}

#[test]
fn a_strand_that_goes_bad_takes_nobody_along() {
    let grid = HairGrid {
        packing: 0.3 * PACKED,
        ..HairGrid::default()
    };
    let mut world = common::world(settings(1, grid));
    let rods = cloud(&mut world, 40, 0.1, Solver::GROOM);
    let mut rod = world.rod_mut(rods[3]).expect("it is there");
    rod.set_velocity(5, glam::Vec3::new(0.0, -9e17, 9e17)).expect("finite");
    common::run(&mut world, 20);
    assert!(common::rod(&world, rods[3]).is_quarantined());
    for &id in rods.iter().filter(|id| **id != rods[3]) {
        for place in common::positions(&world, id) {
            assert!(place.is_finite() && place.length() < 10.0, "{place}");
        }
    }
}

#[test]
fn bad_grids_are_refused() {
    let good = HairGrid::default();
    let cases = [
        ("contact.hair.cell", HairGrid { cell: 0.0, ..good }),
        ("contact.hair.packing", HairGrid { packing: 0.0, ..good }),
        ("contact.hair.packing", HairGrid { packing: 1.5, ..good }),
        ("contact.hair.hairs", HairGrid { hairs: -1.0, ..good }),
        ("contact.hair.speed", HairGrid { speed: -1.0, ..good }),
        ("contact.hair.friction", HairGrid { friction: -1.0, ..good }),
    ];
    for (name, grid) in cases {
        match RodWorld::new(settings(1, grid)) {
            Err(SettingsError::OutOfRange { field, .. }) => assert_eq!(field, name),
            other => panic!("{name}: {other:?}"),
        }
    }
    for (name, grid) in [
        ("contact.hair.cell", HairGrid { cell: f32::NAN, ..good }),
        (
            "contact.hair.friction",
            HairGrid {
                friction: f32::INFINITY,
                ..good
            },
        ),
    ] {
        match RodWorld::new(settings(1, grid)) {
            Err(SettingsError::NotFinite { field }) => assert_eq!(field, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}
