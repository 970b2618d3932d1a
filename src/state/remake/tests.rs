use glam::{DQuat, DVec3, Vec3};

use crate::prelude::*;

fn rods() -> Vec<RodDescription> {
    let uneven = Material {
        stiffness: Stiffness::Rigidity {
            ea: 300.0,
            ga: 200.0,
            ei: [0.05, 0.4],
            gj: 0.1,
        },
        ..Material::rigidity(1.0, 1.0, 1.0, 1.0, 1.0).with_damping(Damping::Time(0.01))
    };
    let line = || RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 12)).material(uneven);
    let long = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 120)).material(uneven);
    [
        line().clamp_start().clamp_end(),
        line().clamp_start().clamp_end().break_at(BreakLimit::Strain(0.2)),
        line().clamp_start().clamp_end().yields(Yield::At {
            strain: 0.01,
            curvature: 0.2,
        }),
        long.pin(0),
        RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.3, 21))
            .material(uneven)
            .pin(3),
    ]
    .iter()
    .map(|spec| spec.build().expect("a sound rod"))
    .collect()
}

fn fill(world: &mut RodWorld) -> Vec<RodId> {
    let solvers = [
        Solver::default(),
        Solver::GROOM,
        Solver::XPBD,
        Solver::Direct {
            integrator: Integrator::Bdf2,
        },
        Solver::Elastic {
            curvature: Curvature::default(),
        },
    ];
    let mut ids = Vec::new();
    for solver in solvers {
        for rod in rods().into_iter().filter(|rod| solver.takes(rod.topology())) {
            for copy in 0..3 {
                let options = RodOptions {
                    solver,
                    translation: DVec3::new(f64::from(copy), 1e3, 0.1),
                    velocity: Vec3::new(0.0, 0.1 * copy as f32, 0.2),
                    drag: 0.1 * copy as f32,
                    ..RodOptions::default()
                };
                ids.push(world.insert_with(rod.clone(), options).expect("room"));
            }
        }
    }
    ids
}

/// Everything that can be told to a rod.
fn tell(world: &mut RodWorld, ids: &[RodId]) -> Result<(), RodAccessError> {
    for (n, &id) in ids.iter().enumerate() {
        let clamped = !world.rod(id).expect("there").description().clamps().is_empty();
        let place = world.rod(id).expect("there").position(7);
        let mut rod = world.rod_mut(id).expect("there");
        rod.pin(7)?;
        rod.set_target(7, place + DVec3::new(0.0, 0.02, 0.01))?;
        if n % 3 != 0 {
            continue;
        }
        rod.set_force(5, Vec3::new(0.0, 0.3, 0.1))?;
        rod.set_torque(4, Vec3::new(0.01, 0.0, 0.02))?;
        rod.hold_segment(2)?;
        rod.break_segment(9)?;
        if clamped {
            rod.set_clamp(0, DQuat::from_rotation_y(0.3))?;
            rod.release_clamp(1)?;
        }
    }
    Ok(())
}

#[test]
fn a_rod_moves_alike_wherever_it_is_put() {
    let run = |relocate: bool| {
        let settings = Settings {
            substeps: 2,
            threads: Some(1),
            ..Settings::default()
        };
        let mut world = RodWorld::new(settings).expect("sound settings");
        let ids = fill(&mut world);
        let mut hashes = Vec::new();
        for frame in 0..24 {
            if frame == 6 {
                tell(&mut world, &ids).expect("sound calls");
            }
            if relocate && matches!(frame, 4 | 6 | 7 | 15) {
                for &id in ids.iter().skip(frame % 2).step_by(2) {
                    assert!(world.relocate(id, frame != 15));
                    let place = world.place(id).expect("there");
                    let block = world.blocks[place.block as usize].as_ref().expect("there");
                    assert_eq!(block.kind.alone, frame != 15);
                    assert!(frame == 15 || block.rods.iter().flatten().count() == 1);
                }
                // What comes later does not move in with a rod that is alone.
                let late = world.insert(rods().remove(0)).expect("room");
                world.remove(late);
            }
            world.step(1.0 / 60.0).expect("a sound step");
            hashes.push(world.state_hash());
        }
        (hashes, world.drain_events().count())
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn a_rod_that_is_gone_is_not_moved() {
    let mut world = RodWorld::default();
    let id = world.insert(rods().remove(0)).expect("room");
    world.remove(id);
    assert!(!world.relocate(id, true));
    assert!(world.is_empty());
}
