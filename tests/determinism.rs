//! The same bits at any number of threads, in any lane and beside any neighbour; the same bits from every arithmetic but the fused one.

mod common;

use common::{apart, breeze, placed, positions, rod, run, world, zoo};
use glam::{DVec3, Vec3};
use lariat::prelude::*;

const FRAMES: usize = 30;

/// Every kind of rod eleven times, in wind, with forces, torques and led pins.
fn busy(threads: usize, arithmetic: Arithmetic) -> RodWorld {
    let mut world = world(Settings {
        substeps: 3,
        iterations: 5,
        threads: Some(threads),
        wind: Some(breeze()),
        arithmetic,
        ..Settings::default()
    });
    for (n, description) in (0..11).flat_map(|_| zoo()).enumerate() {
        let lambda = if n % 2 == 0 { Lambda::Approximate } else { Lambda::Exact };
        let options = RodOptions {
            solver: Solver::StableCosserat { lambda },
            ..placed(n)
        };
        let id = world.insert_with(description, options).expect("a sound rod");
        let mut rod = world.rod_mut(id).expect("just inserted");
        if n % 4 == 1 {
            rod.set_force(7, Vec3::new(0.0, 0.3, 0.1)).expect("a sound force");
        }
        if n % 5 == 2 {
            rod.set_torque(3, Vec3::new(0.01, 0.0, 0.02)).expect("a sound torque");
        }
    }
    world
}

fn lead(world: &mut RodWorld, frame: usize) {
    let ids: Vec<RodId> = world.ids().collect();
    for id in ids {
        let from = rod(world, id).origin();
        let to = from + DVec3::new(0.0, 0.1 * (0.2 * frame as f64).sin(), 0.0);
        // Some rods have no pin at vertex 0.
        let _ = world.rod_mut(id).expect("the rod is there").set_target(0, to);
    }
}

/// A fingerprint after every frame, and the events.
fn history(mut world: RodWorld) -> (Vec<u64>, Vec<Event>) {
    let hashes = (0..FRAMES)
        .map(|frame| {
            lead(&mut world, frame);
            run(&mut world, 1);
            world.state_hash()
        })
        .collect();
    (hashes, world.drain_events().collect())
}

#[test]
fn threads_do_not_matter() {
    for arithmetic in [Arithmetic::Fast, Arithmetic::Reproducible] {
        let one = history(busy(1, arithmetic));
        assert!(
            one.1.iter().any(|event| matches!(event, Event::Broke { .. })),
            "nothing broke"
        );
        assert_eq!(history(busy(2, arithmetic)), one);
        assert_eq!(history(busy(8, arithmetic)), one);
        let mut distinct = one.0.clone();
        distinct.dedup();
        assert_eq!(distinct.len(), FRAMES, "the fingerprint does not see the motion");
    }
}

#[test]
fn scalar_and_lanes_give_the_same_bits() {
    assert_eq!(
        history(busy(1, Arithmetic::Scalar)),
        history(busy(1, Arithmetic::Reproducible))
    );
}

/// Fused multiply–add rounds once instead of twice. The difference grows as the rods swing and break; over a fifth of a second it
/// stays near the rounding of positions of a metre.
#[test]
fn fused_arithmetic_agrees() {
    let (mut fast, mut exact) = (busy(1, Arithmetic::Fast), busy(1, Arithmetic::Reproducible));
    run(&mut fast, 12);
    run(&mut exact, 12);
    let mut largest: f64 = 0.0;
    for id in exact.ids() {
        largest = largest.max(apart(&positions(&fast, id), &positions(&exact, id)));
    }
    assert!(largest < 2e-4, "{largest:e} m apart");
}

#[test]
fn a_clone_goes_the_same_way() {
    let mut original = busy(2, Arithmetic::Fast);
    run(&mut original, 5);
    let copy = original.clone();
    let once = history(original);
    assert_eq!(history(copy), once);
}

/// Bits of one rod's state.
fn bits(world: &RodWorld, id: RodId) -> Vec<u64> {
    let rod = rod(world, id);
    let places = (0..rod.vertex_count()).flat_map(|v| rod.position(v).to_array().map(f64::to_bits));
    let speeds = (0..rod.vertex_count()).flat_map(|v| rod.velocity(v).to_array().map(|c| c.to_bits().into()));
    let frames = (0..rod.segment_count()).flat_map(|s| rod.orientation(s).to_array().map(|c| c.to_bits().into()));
    places.chain(speeds).chain(frames).collect()
}

#[test]
fn neighbours_in_a_block_do_not_matter() {
    for description in zoo() {
        let alone = |others: usize| {
            let mut world = world(Settings {
                threads: Some(1),
                wind: Some(breeze()),
                ..Settings::default()
            });
            for n in 0..others {
                world
                    .insert_with(description.clone(), placed(n + 1))
                    .expect("a sound rod");
            }
            let id = world.insert_with(description.clone(), placed(0)).expect("a sound rod");
            run(&mut world, 10);
            bits(&world, id)
        };
        let first = alone(0);
        assert_eq!(alone(3), first, "in another lane");
        assert_eq!(alone(12), first, "in another block");
    }
}

/// Lanes are used again by others, neighbours come and go, slots are filled in another order: each rod goes its own way.
#[test]
fn order_of_insertion_and_removal_does_not_matter() {
    let zoo = zoo();
    let put = |world: &mut RodWorld, n: usize, place: usize| {
        world.insert_with(zoo[n].clone(), placed(place)).expect("a sound rod")
    };
    let calm = || world(common::settings(8, 8));
    let mut plain = calm();
    let plain_ids: Vec<RodId> = (0..zoo.len()).map(|n| put(&mut plain, n, n)).collect();
    run(&mut plain, 10);

    let mut busy = calm();
    let guests: Vec<RodId> = (0..5 * zoo.len())
        .map(|n| put(&mut busy, n % zoo.len(), 50 + n))
        .collect();
    for &id in &guests {
        let mut guest = busy.rod_mut(id).expect("just inserted");
        guest.set_force(4, Vec3::new(0.2, 0.5, 0.0)).expect("a sound force");
        guest.set_torque(2, Vec3::new(0.05, 0.0, 0.1)).expect("a sound torque");
        guest.set_drag(2.0).expect("a sound drag");
    }
    run(&mut busy, 5);
    let (leave, stay): (Vec<_>, Vec<_>) = guests
        .into_iter()
        .partition(|id| busy.ids().position(|i| i == *id).is_some_and(|n| n % 3 > 0));
    for id in leave {
        assert!(busy.remove(id).is_some());
    }
    let mut busy_ids: Vec<RodId> = (0..zoo.len()).rev().map(|n| put(&mut busy, n, n)).collect();
    busy_ids.reverse();
    run(&mut busy, 5);
    for id in stay {
        assert!(busy.remove(id).is_some());
    }
    run(&mut busy, 5);
    for (n, (plain_id, busy_id)) in plain_ids.into_iter().zip(busy_ids).enumerate() {
        assert!(bits(&plain, plain_id) == bits(&busy, busy_id), "rod {n}");
    }
}
