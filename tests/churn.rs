//! Rods come and go a hundred thousand times: handles, the live set, lanes used again, memory.

mod common;
#[path = "common/counting.rs"]
mod counting;

use std::{collections::HashSet, sync::Arc};

use common::{placed, run, settings, world, zoo};
use counting::Counting;
use lariat::prelude::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

const ROUNDS: usize = 100_000;
/// Rods at a time, about.
const CROWD: usize = 300;

/// A live rod, and what it takes to make its twin.
#[derive(Clone, Copy)]
struct Alive {
    id: RodId,
    kind: usize,
    place: usize,
}

/// A linear congruential generator (Knuth's MMIX): the same churn on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn assert_gone(world: &mut RodWorld, id: RodId) {
    assert!(!world.contains(id));
    assert!(world.rod(id).is_none());
    assert!(world.rod_mut(id).is_none());
    assert!(world.remove(id).is_none());
}

#[test]
fn a_hundred_thousand_rods_come_and_go() {
    let zoo: Vec<Arc<RodDescription>> = zoo().into_iter().map(Arc::new).collect();
    let put = |world: &mut RodWorld, kind: usize, place: usize| -> RodId {
        world
            .insert_with(zoo[kind].clone(), placed(place % 1000))
            .expect("a sound rod")
    };
    let mut world = world(settings(1, 1));
    let mut dice = Dice(7);
    let mut alive: Vec<Alive> = Vec::new();
    let mut dead: Vec<RodId> = Vec::with_capacity(ROUNDS);
    let mut given = HashSet::with_capacity(ROUNDS);
    let mut settled = 0;
    for round in 0..ROUNDS {
        let kind = dice.below(zoo.len());
        let id = put(&mut world, kind, round);
        assert!(given.insert(id), "a name came twice");
        alive.push(Alive { id, kind, place: round });
        // Crowds that swell and shrink, so that blocks fill, thin out and vanish.
        while alive.len() > CROWD / 2 + dice.below(CROWD) {
            let leaves = alive.swap_remove(dice.below(alive.len()));
            let description = world.remove(leaves.id).expect("it was alive");
            assert!(Arc::ptr_eq(&description, &zoo[leaves.kind]));
            dead.push(leaves.id);
        }
        if round % 1000 == 0 {
            run(&mut world, 1); // Lanes are left dirty.
            if !dead.is_empty() {
                let stale = dead[dice.below(dead.len())];
                assert_gone(&mut world, stale);
            }
            assert_eq!(world.len(), alive.len());
            let listed: HashSet<RodId> = world.ids().collect();
            assert_eq!(listed, alive.iter().map(|a| a.id).collect());
        }
        if round == ROUNDS / 5 {
            settled = ALLOCATOR.bytes();
        }
    }
    // A fifth of the rounds shows the largest crowd; four fifths more must not need half as much again.
    let bytes = ALLOCATOR.bytes();
    assert!(bytes < settled + settled / 2, "{settled} bytes grew to {bytes}");
    for &id in &dead {
        assert_gone(&mut world, id);
    }

    // Everybody out and others in: in used lanes they move as in a world of their own.
    for a in alive.drain(..) {
        assert!(world.remove(a.id).is_some());
    }
    assert!(world.is_empty() && world.ids().next().is_none());
    let twins: Vec<(usize, usize)> = (0..CROWD).map(|n| (dice.below(zoo.len()), n)).collect();
    for &(kind, place) in &twins {
        alive.push(Alive {
            id: put(&mut world, kind, place),
            kind,
            place,
        });
    }
    for _ in 0..CROWD / 2 {
        let leaves = alive.swap_remove(dice.below(alive.len()));
        assert!(world.remove(leaves.id).is_some());
    }
    let mut fresh = common::world(settings(1, 1));
    // The fingerprint goes by slots: fill the fresh ones in that order.
    alive.sort_by_key(|a| world.ids().position(|id| id == a.id));
    for a in &alive {
        put(&mut fresh, a.kind, a.place);
    }
    run(&mut world, 10);
    run(&mut fresh, 10);
    assert_eq!(world.state_hash(), fresh.state_hash());
}
