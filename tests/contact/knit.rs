//! A knit that is wrung and let go is still a knit.

use super::{
    common,
    scenes::{
        Stage,
        builtin::knit::{Knit, YARN},
    },
    topology::{PassThrough, Tube, deepest_overlap, kept_legs, leg_links},
};

/// Plays the scene of a small patch, with contact or without. Answers passes, the deepest overlap in radii, legs in their loops while it is wrung and after it was let go, and all legs.
fn wring(touching: bool) -> (usize, f64, [usize; 2], usize) {
    let knit = Knit {
        columns: 6,
        rows: 6,
        turns: 1.5,
        rate: 1.5,
        hold: 0.1,
        release: 0.5,
    };
    let mut scene = knit.scene();
    scene.contact = scene.contact.filter(|_| touching);
    let mut stage = Stage::new(&scene).expect("a sound scene");
    let see = |stage: &Stage| -> Vec<Vec<_>> { stage.ids().map(|id| common::positions(&stage.world, id)).collect() };
    let start = see(&stage);
    let legs = knit.legs(&start);
    let links = leg_links(&start, &legs);
    let mut passing = PassThrough::new();
    passing.feed(&start);
    let mut deepest = f64::NEG_INFINITY;
    let mut wrung = 0;
    let [_, release] = knit.times();
    for _ in 0..scene.frames {
        stage.advance().expect("a sound step");
        let yarns = see(&stage);
        passing.feed(&yarns);
        let tubes: Vec<Tube<'_>> = yarns.iter().map(|yarn| Tube::open(yarn, YARN)).collect();
        if let Some(overlap) = deepest_overlap(&tubes, std::f64::consts::PI) {
            deepest = deepest.max(overlap.depth / YARN);
        }
        if stage.time() < release {
            wrung = kept_legs(&links, &leg_links(&yarns, &legs));
        }
    }
    let kept = kept_legs(&links, &leg_links(&see(&stage), &legs));
    (passing.passes().len(), deepest, [wrung, kept], legs.len())
}

#[test]
fn a_knit_that_is_wrung_and_let_go_keeps_its_pattern() {
    let (passes, deepest, [wrung, kept], legs) = wring(true);
    println!("{passes} passes, {deepest:.3} radii deep, {wrung} and then {kept} of {legs} legs in their loops");
    assert_eq!(passes, 0, "yarns passed through yarns");
    assert!(deepest <= 0.1, "{deepest} radii deep");
    assert_eq!(kept, legs, "legs slipped out of their loops");
}

/// The judges see what contact prevents.
#[test]
fn without_contact_yarns_pass() {
    let (passes, deepest, _, _) = wring(false);
    assert!(passes > 10 && deepest > 1.0, "{passes} passes, {deepest} radii deep");
}
