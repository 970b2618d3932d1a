//! Paper 1's cantilever as its authors run it (SCENES A): 10 segments, vertex 0 and segment 0 held, step 1/120 s, drag 3.

use lariat::prelude::*;

use crate::support::*;

/// Tip after so many seconds with so many iterations a step.
fn tip_after(seconds: f64, iterations: u32, lambda: Lambda) -> f64 {
    let settings = Settings {
        gravity: glam::Vec3::NEG_Y * 9.8,
        substeps: 1,
        iterations,
        threads: Some(1),
        ..Settings::default()
    };
    let mut world = RodWorld::new(settings).expect("settings are sound");
    let spec = straight(10, even(100.0, 4.0)).pin(0).hold_segment(0);
    let id = insert(&mut world, &spec, with_lambda(lambda, 3.0));
    for _ in 0..(seconds * 120.0).round() as u32 {
        world.step(1.0 / 120.0).expect("the step is sound");
    }
    tip(&world, id).y
}

#[test]
fn settles_where_the_authors_rod_settles() {
    // Their figure is rounded to 1e-4; what is left of the motion after 15 s is below that.
    for lambda in [Lambda::Approximate, Lambda::Exact] {
        let tip = tip_after(15.0, 16, lambda);
        assert!((tip + 0.2846).abs() < 1.5e-4, "{lambda:?}: {tip}");
    }
}

#[test]
fn falls_no_further_from_the_truth_than_the_authors_rod_at_any_iteration_count() {
    // The iteration error shows in the transient. They sweep in index order and start with the positions, we sweep red and black and let the
    // frames follow the first guess: the same limit, approached from nearer. Theirs is rounded to 1e-3; at 64 iterations both are there.
    let authors = [
        (1, -0.232),
        (2, -0.291),
        (4, -0.342),
        (8, -0.379),
        (16, -0.394),
        (64, -0.396),
    ];
    let limit = tip_after(0.5, 512, Lambda::Approximate);
    assert!((limit + 0.396).abs() < 2e-3, "the limit is {limit}");
    for (iterations, theirs) in authors {
        let ours = tip_after(0.5, iterations, Lambda::Approximate);
        println!("{iterations} iterations: {ours:.4}, theirs {theirs}");
        let (our_error, their_error) = ((ours - limit).abs(), (theirs - limit).abs());
        assert!(
            our_error < their_error + 1e-3,
            "{iterations} iterations: {ours}, theirs {theirs}"
        );
    }
}
