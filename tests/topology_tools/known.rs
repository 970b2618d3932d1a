//! Values from the tables of knots and links, and what must not change them.

use super::{closed, random::Random, topology::*, torus};
use crate::curves::ring;
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Sums of some 10⁴ solid angles, each good to 1e-16 turns or so.
const ROUNDING: f64 = 1e-11;

fn hopf() -> [Vec<DVec3>; 2] {
    [
        ring(DVec3::ZERO, DVec3::X, DVec3::Y, 1.0, 0.1),
        ring(DVec3::X, DVec3::X, DVec3::Z, 1.0, 0.1),
    ]
}

/// A lemniscate and a ring in the alternating diagram with five crossings: heights change sign from crossing to crossing.
fn whitehead() -> [Vec<DVec3>; 2] {
    let lemniscate = closed(120, |t| {
        DVec3::new(2.0 * t.sin(), (2.0 * t).sin(), 0.3 * (5.0 * t).cos())
    });
    [lemniscate, ring(DVec3::ZERO, DVec3::X, DVec3::Y, 1.276, 0.1)]
}

fn figure_eight() -> Vec<DVec3> {
    closed(150, |t| {
        let radius = 2.0 + (2.0 * t).cos();
        DVec3::new(radius * (3.0 * t).cos(), radius * (3.0 * t).sin(), (4.0 * t).sin())
    })
}

#[test]
fn links_have_their_numbers() {
    let [a, b] = hopf();
    let reversed: Vec<_> = b.iter().rev().copied().collect();
    let number = linking_number(&a, &b);
    assert!((number.abs() - 1.0).abs() < ROUNDING, "{number}");
    assert!((number + linking_number(&a, &reversed)).abs() < ROUNDING);
    assert!((number - linking_number(&b, &a)).abs() < ROUNDING);
    assert_eq!(link_determinant(&[&a, &b]), Some(2));
    // A right-handed crossing counts +1: seen from +z the upper strand along x passes over one along y, (x × y)·z > 0.
    // A right-handed torus link with four crossings is made of two such strands and has linking number +2.
    let strand = |turn: f64| {
        closed(90, move |t| {
            let radius = 2.0 + (2.0 * t + turn).cos();
            DVec3::new(radius * t.cos(), radius * t.sin(), (2.0 * t + turn).sin())
        })
    };
    let twice = linking_number(&strand(0.0), &strand(PI));
    assert!((twice.abs() - 2.0).abs() < ROUNDING, "{twice}");
    let crossing = [
        [DVec3::new(-1.0, 0.1, 1.0), DVec3::new(1.0, 0.0, 1.0)],
        [DVec3::new(0.1, -1.0, 0.0), DVec3::new(0.0, 1.0, 0.0)],
    ];
    let seen = crossings(&crossing[0], &crossing[1], DVec3::Z).expect("a clear view");
    assert_eq!((seen.len(), seen[0].first_over, seen[0].sign), (1, true, 1));
    assert!(gauss_integral(&crossing[0], &crossing[1]) > 0.0);

    let apart = ring(DVec3::X * 2.5, DVec3::X, DVec3::Z, 1.0, 0.1);
    assert!(linking_number(&a, &apart).abs() < ROUNDING);
    assert_eq!(link_determinant(&[&a, &apart]), Some(0));
}

#[test]
fn whitehead_link_is_seen_by_its_determinant_alone() {
    let [a, b] = whitehead();
    assert!(linking_number(&a, &b).abs() < ROUNDING);
    assert_eq!(link_determinant(&[&a, &b]), Some(8));
}

#[test]
fn knots_have_their_determinants() {
    // Torus knots (2, q) have determinant q; for (p, q) both odd it is 1 although (3, 5) is knotted; for p even it is q.
    for (p, q, expected) in [
        (2.0, 3.0, 3),
        (2.0, 5.0, 5),
        (2.0, 7.0, 7),
        (3.0, 4.0, 3),
        (3.0, 5.0, 1),
    ] {
        assert_eq!(
            alexander_determinant(&torus(p, q), Ends::Joined),
            Some(expected),
            "torus knot {p} {q}"
        );
    }
    assert_eq!(alexander_determinant(&figure_eight(), Ends::Joined), Some(5));
    assert_eq!(alexander_determinant(&hopf()[0], Ends::Joined), Some(1));
    // Cut open at the outermost point, the ends pulled outwards: the same knot.
    assert_eq!(alexander_determinant(&torus(2.0, 3.0), Ends::Outwards), Some(3));
}

#[test]
fn nothing_is_said_about_bad_curves() {
    assert_eq!(alexander_determinant(&[], Ends::Outwards), None);
    assert_eq!(alexander_determinant(&[DVec3::ZERO; 5], Ends::Along), None);
    assert_eq!(alexander_determinant(&[DVec3::NAN; 5], Ends::Joined), None);
    // Two sides of this star meet in its middle: a view would have to guess which is over.
    let star = [
        DVec3::X,
        -DVec3::X,
        DVec3::new(-1.0, 1.0, 1.0),
        DVec3::Y,
        -DVec3::Y,
        DVec3::new(1.0, -1.0, 1.0),
    ];
    assert_eq!(alexander_determinant(&star, Ends::Joined), None);
}

/// Moves corner after corner at random, keeping (when `watched`) only what passes through nothing.
fn tangle(mut curve: Vec<DVec3>, seed: u64, moves: usize, watched: bool) -> Vec<DVec3> {
    let mut random = Random::new(seed);
    for _ in 0..moves {
        let mut next = curve.clone();
        let corner = (random.bits() % curve.len() as u64) as usize;
        // Held to a ball, or the polygon would unfold as it grows.
        next[corner] = (next[corner] + random.in_ball()).clamp_length_max(2.0);
        let mut watch = PassThrough::with_rings(&[true]);
        watch.feed(&[&curve]);
        if !watched || watch.feed(&[&next]) == 0 {
            curve = next;
        }
    }
    curve
}

#[test]
fn tangling_keeps_the_knot_unless_it_passes_through_itself() {
    let unknot = closed(30, |t| DVec3::new(2.0 * t.cos(), 2.0 * t.sin(), 0.0));
    let trefoil: Vec<_> = torus(2.0, 3.0).into_iter().step_by(5).map(|p| p * 0.6).collect();
    let mut changed = 0;
    for seed in 0..12 {
        let tangled = tangle(unknot.clone(), seed, 3000, true);
        assert_eq!(
            alexander_determinant(&tangled, Ends::Joined),
            Some(1),
            "unknot, seed {seed}"
        );
        let tangled = tangle(trefoil.clone(), seed, 3000, true);
        assert_eq!(
            alexander_determinant(&tangled, Ends::Joined),
            Some(3),
            "trefoil, seed {seed}"
        );
        // Free to pass, some random polygon of 30 sides in a ball must be knotted: the moves do tangle.
        let passed = tangle(unknot.clone(), seed, 3000, false);
        changed += i32::from(alexander_determinant(&passed, Ends::Joined) != Some(1));
    }
    assert!(changed > 0);
}

#[test]
fn rigid_motion_changes_nothing() {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, -2.0, 0.5).normalize(), 1.234);
    let shift = DVec3::new(30.0, -7.0, 11.0);
    let moved = |curve: &[DVec3]| -> Vec<DVec3> { curve.iter().map(|&p| turn * p + shift).collect() };
    // Coordinates of 30 m round at 4e-15 m, which is some 1e-13 of these curves; hundreds of segments share it.
    let tolerance = 1e-10;
    for [a, b] in [hopf(), whitehead(), [torus(2.0, 3.0), figure_eight()]] {
        let (c, d) = (moved(&a), moved(&b));
        assert!((linking_number(&a, &b) - linking_number(&c, &d)).abs() < tolerance);
        assert!((writhe(&a) - writhe(&c)).abs() < tolerance);
        assert!((writhe_open(&b) - writhe_open(&d)).abs() < tolerance);
        assert_eq!(
            alexander_determinant(&a, Ends::Joined),
            alexander_determinant(&c, Ends::Joined)
        );
        assert_eq!(link_determinant(&[&a, &b]), link_determinant(&[&c, &d]));
    }
}

#[test]
fn writhe_of_plane_mirrored_and_helical_curves() {
    let plane = closed(40, |t| {
        DVec3::new(t.cos(), 0.4 * (2.0 * t).sin(), 0.0) + DVec3::Y * t.cos().powi(2)
    });
    assert!(writhe(&plane).abs() < ROUNDING);
    let knot = torus(2.0, 3.0);
    let mirrored: Vec<_> = knot.iter().map(|p| DVec3::new(p.x, p.y, -p.z)).collect();
    assert!((writhe(&knot) + writhe(&mirrored)).abs() < ROUNDING);
    // A long helix of pitch angle α has a writhe of 1 − sin α for each turn (Fuller 1978): right-handed, so positive. Its ends cost less
    // than a turn.
    let (radius, pitch, turns) = (1.0, 2.0, 60.0);
    let helix = crate::curves::helix(radius, pitch, turns, 0.2);
    let expected = turns * (1.0 - pitch / (TAU * radius).hypot(pitch));
    let found = writhe_open(&helix);
    assert!((found - expected).abs() < 0.02 * expected, "{found} {expected}");
}

/// A rod along x with a bump that turns about its axis twice, of a height from 0 to 1; its first and last segments stay.
fn bumped(height: f64) -> Vec<DVec3> {
    (0..=200)
        .map(|i| {
            let s = i as f64 / 200.0;
            let bump = height * ((s - 0.05) / 0.9 * PI).sin().max(0.0).powi(2) * f64::from((0.05..0.95).contains(&s));
            let (sine, cosine) = (2.0 * TAU * s).sin_cos();
            DVec3::new(3.0 * s, bump * cosine, bump * sine)
        })
        .collect()
}

/// Frames carried along the curve, then turned evenly about its tangents so that the whole twist is `twist` turns.
fn twisted(points: &[DVec3], twist: f64) -> Vec<DQuat> {
    let tangents: Vec<DVec3> = points.windows(2).map(|p| (p[1] - p[0]).normalize()).collect();
    let mut carried = DQuat::from_rotation_arc(DVec3::Z, tangents[0]);
    let joints = (tangents.len() - 1) as f64;
    let mut frames = vec![carried];
    for (i, pair) in tangents.windows(2).enumerate() {
        carried = DQuat::from_rotation_arc(pair[0], pair[1]) * carried;
        frames.push(DQuat::from_axis_angle(pair[1], twist * TAU * (i + 1) as f64 / joints) * carried);
    }
    frames
}

#[test]
fn link_of_a_held_rod_is_conserved() {
    let closure = close_far(&bumped(0.0), Ends::Along);
    let straight = twisted(&bumped(0.0), 3.25);
    let start = held_link(&bumped(0.0), &straight, &closure);
    let mut twist = 3.25;
    for step in 1..=50 {
        let points = bumped(step as f64 / 50.0);
        // The last frame is held: what the curve's own turning did to it, the twist takes back. Steps are small, so that
        // the angle is the small one.
        let frames = twisted(&points, twist);
        let tangent = (points[200] - points[199]).normalize();
        let (is, held) = (frames[199] * DVec3::X, straight[199] * DVec3::X);
        twist += is.cross(held).dot(tangent).atan2(is.dot(held)) / TAU;
        let frames = twisted(&points, twist);
        assert!((frames[199] * DVec3::X).distance(held) < 1e-9);
        assert!((total_twist(&points, &frames) - twist).abs() < 1e-9);
        let link = held_link(&points, &frames, &closure);
        assert!((link - start).abs() < 1e-9, "step {step}: {link} from {start}");
    }
    // So much went from twist to writhe that the test means something.
    assert!((twist - 3.25).abs() > 0.5, "{twist}");
    // An end that is turned adds its turn.
    let turned = held_link(&bumped(0.0), &twisted(&bumped(0.0), 4.0), &closure);
    assert!((turned - start - 0.75).abs() < 1e-9);
}
