use super::{Box3, Broad, box3::Near, tree::Tree};
use glam::DVec3;
use std::sync::atomic::{AtomicUsize, Ordering};

const PLENTY: usize = 1 << 20;

/// Numbers that look random (Steele, Lea and Flood's SplitMix).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Coordinates between -1 and 1.
    fn vector(&mut self) -> DVec3 {
        2.0 * DVec3::new(self.unit(), self.unit(), self.unit()) - DVec3::ONE
    }
}

fn cube(middle: DVec3, half: f64) -> Box3 {
    Box3::of([middle]).grown(half)
}

fn overlap(a: &Near, b: &Near) -> bool {
    (0..3).all(|k| a.low[k] <= b.high[k] && b.low[k] <= a.high[k])
}

fn wanted(a: u32, b: u32) -> bool {
    !(a + b).is_multiple_of(7)
}

/// All wanted pairs of stored boxes, by comparing every two.
fn brute(broad: &Broad) -> Vec<(u32, u32)> {
    let boxes = &broad.boxes;
    let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| (a, b)));
    let near = all.filter(|&(a, b)| overlap(&boxes[a], &boxes[b]));
    near.map(|(a, b)| (a as u32, b as u32))
        .filter(|&(a, b)| wanted(a, b))
        .collect()
}

/// Items wander, rest, jump, come and go around a place that may itself move; pairs are those of brute force in every frame.
fn wander(seed: u64, origin: DVec3, drift: DVec3, speed: f64) {
    const ITEMS: usize = 240;
    let mut random = Random(seed);
    let mut broad = Broad::new(PLENTY);
    let mut places: Vec<DVec3> = (0..ITEMS).map(|_| random.vector()).collect();
    let mut tight: Vec<Option<Box3>> = vec![None; ITEMS];
    let (mut some, mut none) = (0, 0);
    for frame in 0..150 {
        let rests = frame % 5 == 4;
        for (index, place) in places.iter_mut().enumerate() {
            let number = index as u32;
            if rests {
                continue;
            }
            let step = speed * random.vector();
            *place += step;
            match random.unit() {
                x if x < 0.01 => *place = random.vector(),
                x if x < 0.03 => {
                    broad.remove(number);
                    tight[index] = None;
                    continue;
                }
                x if x < 0.1 && tight[index].is_none() => continue,
                _ => {}
            }
            let b = cube(
                origin + drift * f64::from(frame) + *place,
                0.02 + 0.1 * (index % 3) as f64,
            );
            assert!(broad.place(number, &b, 0.01, 3.0 * step + drift));
            tight[index] = Some(b);
        }
        let changed = broad.changed.len();
        some += usize::from(changed > 0 && changed * 2 < broad.count);
        none += usize::from(changed == 0);
        assert_eq!(broad.update_pairs(wanted), changed > 0);
        let pairs = broad.pairs();
        assert!(pairs == brute(&broad), "frame {frame}");
        assert!(!broad.overflowed());
        // Independent of stored boxes: what touches is there.
        for (a, one) in tight.iter().enumerate() {
            let Some(one) = one else {
                assert_eq!(broad.stored(a as u32), None);
                continue;
            };
            for (b, other) in tight.iter().enumerate().skip(a + 1) {
                let pair = (a as u32, b as u32);
                if other.is_some_and(|other| one.overlaps(&other)) && wanted(pair.0, pair.1) {
                    assert!(pairs.binary_search(&pair).is_ok(), "frame {frame}: {pair:?} is missing");
                }
            }
        }
    }
    // Both ways to make pairs were taken, and neither.
    assert!(none >= 25, "{none}");
    assert_eq!(some > 50, speed < 0.01, "{some}");
}

#[test]
fn pairs_are_those_of_brute_force() {
    wander(1, DVec3::ZERO, DVec3::ZERO, 0.004);
    wander(2, DVec3::ZERO, DVec3::ZERO, 0.1);
}

#[test]
fn pairs_are_found_far_from_the_origin_and_under_way() {
    wander(3, DVec3::new(1e4, -1e4, 300.0), DVec3::ZERO, 0.004);
    wander(4, DVec3::new(1e4, -1e4, 300.0), DVec3::new(9.0, -4.0, 0.5), 0.1);
}

#[test]
fn boxes_stay_as_large_as_asked_for_wherever_the_items_go() {
    let mut broad = Broad::new(PLENTY);
    for kilometre in 0..100 {
        for index in 0..20 {
            let at = DVec3::new(1e3 * f64::from(kilometre), 0.02 * f64::from(index), 0.1);
            broad.place(index, &cube(at, 0.005), 0.001, DVec3::ZERO);
        }
        broad.update_pairs(|_, _| true);
        // The place before the centre followed was rounded to 6e-5 m, a kilometre away.
        let stored = broad.stored(7).unwrap();
        assert!(
            (stored.high - stored.low - 0.012).abs().max_element() < 2.5e-4,
            "{stored:?}"
        );
        assert!(broad.pairs().is_empty());
    }
}

#[test]
fn touching_boxes_are_a_pair_10_km_away() {
    let mut random = Random(5);
    for _ in 0..200 {
        let mut broad = Broad::new(PLENTY);
        let corner = 1e4 * random.vector();
        let size = DVec3::splat(0.003);
        broad.place(
            0,
            &Box3 {
                low: corner - size,
                high: corner,
            },
            0.0,
            DVec3::ZERO,
        );
        broad.place(
            1,
            &Box3 {
                low: corner,
                high: corner + size,
            },
            0.0,
            DVec3::ZERO,
        );
        broad.update_pairs(|_, _| true);
        assert_eq!(broad.pairs(), [(0, 1)]);
    }
}

#[test]
fn a_list_does_not_depend_on_the_tree() {
    let mut random = Random(6);
    let mut old = Broad::new(PLENTY);
    for _ in 0..10 {
        for index in 0..500 {
            old.place(index, &cube(random.vector(), 0.1), 0.01, DVec3::ZERO);
        }
        old.update_pairs(wanted);
    }
    let mut fresh = Broad::new(PLENTY);
    fresh.centre = old.centre;
    fresh.boxes = old.boxes.clone();
    fresh.count = old.count;
    fresh.is_changed = vec![false; 500];
    fresh.invalidate();
    fresh.update_pairs(wanted);
    assert!(old.pairs().len() > 500);
    assert!(old.pairs() == fresh.pairs());
}

#[test]
fn a_crowd_at_one_place_is_cut_off() {
    const ITEMS: u32 = 10_000;
    let limit = 25_000;
    let mut broad = Broad::new(limit);
    for everything in [true, false] {
        for frame in 0..2 {
            for index in 0..ITEMS {
                broad.place(index, &cube(DVec3::splat(f64::from(frame)), 0.1), 0.01, DVec3::ZERO);
            }
            let asked = AtomicUsize::new(0);
            broad.update_pairs(|_, _| {
                asked.fetch_add(1, Ordering::Relaxed);
                everything
            });
            assert!(broad.overflowed());
            // The bound on overlaps and a row beyond it, against 5e7 pairs.
            let asked = asked.into_inner();
            assert!(asked <= 2 * limit + 17 * ITEMS as usize, "{asked}");
            let expected: Vec<_> = (0..3)
                .flat_map(|a| (a + 1..ITEMS).map(move |b| (a, b)))
                .take(limit)
                .collect();
            assert!(broad.pairs() == if everything { expected.as_slice() } else { &[] });
        }
    }
    // It recovers as soon as the crowd is gone.
    for index in 0..ITEMS {
        broad.place(index, &cube(DVec3::X * f64::from(index / 2), 0.1), 0.01, DVec3::ZERO);
    }
    broad.update_pairs(|_, _| true);
    assert!(!broad.overflowed());
    assert!(
        broad
            .pairs()
            .iter()
            .copied()
            .eq((0..ITEMS / 2).map(|i| (2 * i, 2 * i + 1)))
    );
}

#[test]
fn a_list_may_be_as_long_as_its_limit() {
    for (limit, overflows) in [(45, false), (44, true)] {
        let mut broad = Broad::new(limit);
        for index in 0..10 {
            broad.place(index, &cube(DVec3::ZERO, 0.1), 0.01, DVec3::ZERO);
        }
        broad.update_pairs(|_, _| true);
        assert_eq!((broad.pairs().len(), broad.overflowed()), (limit, overflows));
    }
}

#[test]
fn boxes_that_are_none_remove_the_item() {
    let good = cube(DVec3::ONE, 0.1);
    let bad = [
        Box3 {
            low: DVec3::splat(f64::NAN),
            ..good
        },
        Box3 {
            high: DVec3::new(1.0, f64::NAN, 1.0),
            ..good
        },
        Box3 {
            high: DVec3::INFINITY,
            ..good
        },
        Box3 {
            low: good.high,
            high: good.low,
        },
        cube(DVec3::splat(1e200), 0.1),
        Box3::EMPTY,
    ];
    for b in bad {
        let mut broad = Broad::new(PLENTY);
        assert!(!broad.place(0, &b, 0.01, DVec3::ZERO), "{b:?}");
        assert!(broad.place(0, &good, 0.01, DVec3::ZERO));
        assert!(broad.place(1, &good, 0.01, DVec3::ZERO));
        assert!(broad.update_pairs(|_, _| true));
        assert_eq!(broad.pairs(), [(0, 1)]);
        assert!(!broad.place(1, &b, 0.01, DVec3::ZERO), "{b:?}");
        assert_eq!(broad.stored(1), None);
        assert!(broad.update_pairs(|_, _| true));
        assert!(broad.pairs().is_empty());
    }
    assert!(!Broad::new(1).place(0, &good, f64::INFINITY, DVec3::ZERO));
}

#[test]
fn a_box_shrinks_when_its_item_rests() {
    let mut broad = Broad::new(PLENTY);
    broad.place(0, &cube(DVec3::ZERO, 0.1), 0.01, DVec3::X);
    broad.place(1, &cube(DVec3::X, 0.1), 0.01, DVec3::ZERO);
    broad.place(2, &cube(DVec3::Y, 0.1), 0.01, DVec3::ZERO);
    broad.update_pairs(|_, _| true);
    assert_eq!(broad.pairs(), [(0, 1)]);
    broad.place(0, &cube(DVec3::ZERO, 0.1), 0.01, DVec3::ZERO);
    assert!(broad.update_pairs(|_, _| true));
    assert!(broad.pairs().is_empty());
    broad.place(0, &cube(DVec3::ZERO, 0.1), 0.01, DVec3::ZERO);
    assert!(!broad.update_pairs(|_, _| true));
}

#[test]
fn few_items_may_have_any_numbers() {
    let mut broad = Broad::new(PLENTY);
    let mut at = |index: u32, x: f64| {
        broad.place(index, &cube(DVec3::X * x, 0.1), 0.01, DVec3::ZERO);
        broad.update_pairs(|_, _| true);
        broad.pairs().to_vec()
    };
    assert_eq!(at(40, 0.0), []);
    assert_eq!(at(70, 0.1), [(40, 70)]);
    assert_eq!(at(70, 1.0), []);
    assert_eq!(at(9, 1.0), [(9, 70)]);
    broad.remove(70);
    broad.remove(40);
    broad.update_pairs(|_, _| true);
    assert_eq!(broad.pairs(), []);
    broad.remove(9);
    assert!(broad.update_pairs(|_, _| true));
    assert_eq!(broad.stored(9), None);
}

#[test]
fn fewer_items_and_other_wishes() {
    let mut broad = Broad::new(PLENTY);
    let place = |broad: &mut Broad| {
        (0..6).for_each(|index| assert!(broad.place(index, &cube(DVec3::ZERO, 0.1), 0.01, DVec3::ZERO)));
    };
    place(&mut broad);
    broad.update_pairs(|a, _| a == 4);
    assert_eq!(broad.pairs(), [(4, 5)]);
    broad.resize(3);
    assert_eq!(broad.pairs(), []);
    broad.invalidate();
    assert!(broad.update_pairs(|_, _| true));
    assert_eq!(broad.pairs(), [(0, 1), (0, 2), (1, 2)]);
    broad.clear();
    assert_eq!((broad.pairs().len(), broad.stored(0)), (0, None));
    place(&mut broad);
    broad.update_pairs(|_, _| true);
    assert_eq!(broad.pairs().len(), 15);
}

#[test]
fn a_box_finds_the_items_that_it_overlaps() {
    let mut random = Random(8);
    let mut broad = Broad::new(PLENTY);
    let origin = DVec3::new(-2e3, 7e3, 0.0);
    for index in 0..300 {
        broad.place(index, &cube(origin + random.vector(), 0.05), 0.01, DVec3::ZERO);
    }
    broad.update_pairs(wanted);
    for _ in 0..50 {
        let b = cube(origin + random.vector(), 0.3 * random.unit());
        let mut found = Vec::new();
        broad.overlapping(&b, |index| found.push(index));
        found.sort_unstable();
        let expected = (0..300).filter(|&index| broad.stored(index).is_some_and(|s| s.overlaps(&b)));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}

#[test]
fn a_decayed_tree_is_built_anew() {
    let mut random = Random(9);
    let mut scatter = || -> Vec<Near> {
        let near = |_| Near::around(&cube(random.vector(), 0.02), DVec3::ZERO).unwrap();
        (0..4000).map(near).collect()
    };
    let all: Vec<u32> = (0..4000).collect();
    let mut tree = Tree::default();
    tree.build(&scatter());
    let boxes = scatter();
    tree.tend(&boxes, 1.0);
    let fresh = tree.visits(&boxes);
    tree.change(&boxes, &all);
    let decayed = tree.visits(&boxes);
    tree.tend(&boxes, 1.0);
    let tended = tree.visits(&boxes);
    // Everything has been thrown elsewhere: a query visits most of the tree until it is built again.
    assert!(decayed > 5 * fresh, "{decayed} {fresh}");
    assert!(2 * tended < 3 * fresh, "{tended} {fresh}");
}
