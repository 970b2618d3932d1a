//! The curves are what they say, evenly spaced, and free of overlap up to the thickness they promise.

use super::topology::*;
use crate::curves::*;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Depth (or gap, negative) of open ropes of one radius, over the radius.
fn depth(ropes: &[Vec<DVec3>], radius: f64) -> f64 {
    let tubes: Vec<_> = ropes.iter().map(|rope| Tube::open(rope, radius)).collect();
    deepest_overlap(&tubes, PI).map_or(f64::NEG_INFINITY, |found| found.depth / radius)
}

/// No overlap at the promised ratio, however coarse the segments up to two radii, and an overlap at most a quarter beyond: the
/// promise is neither broken nor idle.
fn bears(name: &str, tightest: f64, ropes: impl Fn(f64) -> Vec<Vec<DVec3>>) {
    // Where the corners fall upon a bend is chance: many lengths of segments try many places.
    for step in 0..=50 {
        let segment = 0.3 + 1.7 * f64::from(step) / 50.0;
        let found = depth(&ropes(segment * tightest), tightest);
        assert!(found <= 0.0, "{name} with segments of {segment} radii: {found}");
    }
    let beyond = depth(&ropes(0.3 * tightest), 1.25 * tightest);
    assert!(beyond > 0.0, "{name} could be thicker: {beyond}");
}

fn evenly_spaced(points: &[DVec3], segment: f64) {
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        // Chords are shorter than arcs where the curve bends: 3 % at one radian a segment.
        assert!((length / segment - 1.0).abs() < 0.05, "{length} for {segment}");
    }
}

/// One closed curve of two ropes that leave to the left and to the right: lower ends joined below, upper ends above.
fn tied_round(ropes: &[Vec<DVec3>; 2]) -> Vec<DVec3> {
    let far = |x: f64, y: f64| DVec3::new(40.0 * x, 40.0 * y, 0.0);
    let mut whole = ropes[0].clone();
    whole.extend([far(-1.0, -1.0), far(1.0, -1.0)]);
    whole.extend(ropes[1].iter().rev());
    whole.extend([far(1.0, 1.0), far(-1.0, 1.0)]);
    whole
}

#[test]
fn knots_are_those_they_are_called() {
    for segment in [0.1, 0.5] {
        let determinants = |rope: &[DVec3]| [Ends::Outwards, Ends::Along].map(|ends| alexander_determinant(rope, ends));
        assert_eq!(determinants(&overhand(1.0, 5.0, segment)), [Some(3); 2]);
        assert_eq!(determinants(&figure_eight(1.0, 5.0, segment)), [Some(5); 2]);
        let slip = slip_knot(1.0, 5.0, segment);
        assert_eq!(determinants(&slip), [Some(1); 2]);
        // Cut at the tip of its bight it is an overhand knot: the point furthest right before the tail.
        let inside = slip.iter().enumerate().filter(|(_, p)| p.y > -1.0);
        let tip = inside
            .max_by(|a, b| a.1.x.total_cmp(&b.1.x))
            .map_or(0, |(index, _)| index);
        assert_eq!(alexander_determinant(&slip[..=tip], Ends::Outwards), Some(3));
        let (reef, granny) = (
            tied_round(&reef(1.0, 5.0, segment)),
            tied_round(&granny(1.0, 5.0, segment)),
        );
        assert_eq!(alexander_determinant(&reef, Ends::Joined), Some(9));
        assert_eq!(alexander_determinant(&granny, Ends::Joined), Some(9));
        // A reef knot is a trefoil and its mirror image, whose writhes cancel; a granny knot is twice the same.
        assert!(writhe(&reef).abs() < 1e-9);
        assert!(writhe(&granny).abs() > 5.0);
    }
}

#[test]
fn knots_bear_the_thickness_they_promise() {
    bears("overhand", OVERHAND_TIGHTEST, |s| vec![overhand(1.0, 3.0, s)]);
    bears("figure-eight", FIGURE_EIGHT_TIGHTEST, |s| {
        vec![figure_eight(1.0, 3.0, s)]
    });
    bears("slip", SLIP_TIGHTEST, |s| vec![slip_knot(1.0, 3.0, s)]);
    bears("reef", REEF_TIGHTEST, |s| reef(1.0, 3.0, s).to_vec());
    bears("granny", REEF_TIGHTEST, |s| granny(1.0, 3.0, s).to_vec());
    bears("knit", KNIT_TIGHTEST, |s| knit_patch(4, 5, 1.0, 1.0, s));
}

#[test]
fn points_are_evenly_spaced() {
    for segment in [0.1, 0.3] {
        for rope in [
            overhand(1.0, 5.0, segment),
            figure_eight(1.0, 5.0, segment),
            slip_knot(1.0, 5.0, segment),
        ] {
            evenly_spaced(&rope, segment);
        }
        reef(1.0, 5.0, segment)
            .iter()
            .for_each(|rope| evenly_spaced(rope, segment));
    }
    evenly_spaced(&overhand(1.0, 0.0, 0.1), 0.1);
    knit_patch(2, 3, 1.0, 0.5, 0.05)
        .iter()
        .for_each(|yarn| evenly_spaced(yarn, 0.05));
    evenly_spaced(&helix(1.0, 0.3, 5.0, 0.1), 0.1);
    evenly_spaced(&capstan(0.2, 0.02, 0.001, 7.0, 1.0, 0.02), 0.02);
    evenly_spaced(&straight(DVec3::ZERO, DVec3::ONE, 0.1), 0.1);
    let around = resample_closed(&ring(DVec3::ZERO, DVec3::X, DVec3::Y, 1.0, 0.01), 0.1);
    evenly_spaced(&around, 0.1);
    assert!((around[0].distance(around[around.len() - 1]) / 0.1 - 1.0).abs() < 0.05);
}

#[test]
fn a_chain_is_linked_ring_by_ring() {
    let rings = chain(6, 0.1, 0.02);
    for (i, a) in rings.iter().enumerate() {
        for (j, b) in rings.iter().enumerate().skip(i + 1) {
            let expected = f64::from(u8::from(j == i + 1));
            assert!((linking_number(a, b).abs() - expected).abs() < 1e-9, "{i} {j}");
        }
    }
    for segment in [0.005, 0.025] {
        let rings = chain(6, 0.1, segment);
        let tubes = |ratio: f64| rings.iter().map(|r| Tube::closed(r, 0.1 * ratio)).collect::<Vec<_>>();
        let found = deepest_overlap(&tubes(CHAIN_TIGHTEST), PI).expect("pairs");
        assert!(found.depth <= 0.0, "{segment}: {found:?}");
        assert!(deepest_overlap(&tubes(0.35), PI).expect("pairs").depth > 0.0);
    }
}

#[test]
fn a_capstan_touches_its_bar_and_turns_by_its_angle() {
    let (bar, rope) = (0.05, 0.01);
    for angle in [0.5 * PI, PI, TAU, 2.0 * TAU] {
        for segment in [0.002, 0.01, 0.05] {
            let points = capstan(bar, rope, 0.0, angle, 0.5, segment);
            let axis = [DVec3::Z * -10.0, DVec3::Z * 10.0];
            let distances = points.windows(2).map(|s| segment_distance([s[0], s[1]], axis));
            let nearest = distances.fold(f64::INFINITY, f64::min);
            assert!((nearest - bar - rope).abs() < 1e-12, "{nearest}");
            assert!(depth(std::slice::from_ref(&points), rope) < 0.0, "{angle} {segment}");
            // Seen along the bar, the tangents turn by the angle.
            let flat: Vec<_> = points.windows(2).map(|p| (p[1] - p[0]).truncate()).collect();
            let turned: f64 = flat.windows(2).map(|t| t[0].perp_dot(t[1]).atan2(t[0].dot(t[1]))).sum();
            assert!((turned - angle).abs() < 1e-9, "{turned} {angle}");
        }
    }
}

#[test]
fn springs_do_not_overlap() {
    for (wire, segment) in [(0.002, 0.002), (0.005, 0.02), (0.0125, 0.01)] {
        let spring = slinky(0.05, wire, 8.0, segment);
        let found = depth(std::slice::from_ref(&spring), wire);
        assert!(found < 0.0 && found > -0.25, "{wire}: {found}");
        assert!((spring[0].y - wire).abs() < 1e-12);
    }
    assert!(depth(&[helix(1.0, 0.4, 4.0, 0.1)], 0.195) < 0.0);
}

#[test]
fn rows_of_a_knit_are_interlocked() {
    let columns = 5;
    let yarns = knit_patch(4, columns, 1.0, 1.0, 0.05);
    for pair in yarns.windows(2) {
        // Foot before a leg of the row below, up behind its head, down behind it, before its other leg.
        let seen = crossings(&pair[1], &pair[0], DVec3::new(0.01, 0.003, 1.0)).expect("a clear view");
        let over: Vec<_> = seen.iter().map(|c| c.first_over).collect();
        assert_eq!(over, [true, false, false, true].repeat(columns));
    }
}

/// Whole rows are never linked (a knit can be unravelled), but the leg of a stitch goes through the stitch below: closed by
/// its foot chord the lower one is a ring, and closed far above and in front the leg is linked with it, left and right legs with opposite signs.
#[test]
fn legs_go_through_the_stitch_below() {
    let columns = 3;
    // Without tails every stitch has the same number of points, but for rounding of a hundredth of a stitch.
    let rows = knit_patch(2, columns, 1.0, 0.0, 0.01);
    let at = |row: usize, stitches: f64| ((rows[row].len() - 1) as f64 * stitches / columns as f64).round() as usize;
    for column in 0..columns {
        let (start, middle, end) = (column as f64, column as f64 + 0.5, column as f64 + 1.0);
        let below = &rows[0][at(0, start)..=at(0, end)];
        let through = |lift: f64, from: f64, to: f64| {
            let leg = rows[1][at(1, from)..=at(1, to)].iter().map(|&p| p + DVec3::Z * lift);
            let mut leg: Vec<DVec3> = leg.collect();
            let (first, last) = (leg[0], leg[leg.len() - 1]);
            let (foot, head) = if first.y < last.y { (first, last) } else { (last, first) };
            let mut far = vec![
                head + DVec3::Y * 50.0,
                head + DVec3::new(0.0, 50.0, 50.0),
                foot + DVec3::Z * 50.0,
            ];
            if first == head {
                far.reverse();
            }
            leg.extend(far);
            linking_number(below, &leg)
        };
        let (left, right) = (through(0.0, start, middle), through(0.0, middle, end));
        assert!(
            (left.abs() - 1.0).abs() < 1e-9 && (left + right).abs() < 1e-9,
            "{left} {right}"
        );
        // Lifted off the row below, it goes through nothing.
        assert!(through(0.5, start, middle).abs() < 1e-9);
    }
}
