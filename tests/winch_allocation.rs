//! A winch allocates nothing between births and deaths. The only test of its binary: see `counting`.

mod common;
#[path = "common/counting.rs"]
mod counting;

use common::{built, line, run, settings, uneven, world};
use counting::Counting;
use lariat::prelude::*;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

#[test]
fn a_winch_allocates_nothing_between_births_and_deaths() {
    let mut world = world(settings(2, 4));
    let rope = line(2.0, 8).material(uneven(500.0, [0.02, 0.03], 0.01)).clamp_start();
    let ids = [Solver::default(), Solver::GROOM].map(|solver| {
        let options = RodOptions {
            solver,
            ..RodOptions::default()
        };
        world.insert_with(built(&rope), options).expect("room")
    });
    let mut born = 0;
    for frame in 0..40 {
        let before = ALLOCATOR.calls();
        let mut births = 0;
        for id in ids {
            births += world.reel(id, RodEnd::Start, 0.01).expect("a sound winch").births;
        }
        run(&mut world, 1);
        let calls = ALLOCATOR.calls() - before;
        // The first call gives the rod a description of its own.
        assert!(frame == 0 || births > 0 || calls == 0, "{calls} in frame {frame}");
        born += births;
    }
    assert_eq!(born, 4);
}
