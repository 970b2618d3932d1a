//! The watch on passes: it sees what passed, nothing else, and its signs add up to the change of the linking number.

use super::{closed, random::Random, topology::*};
use crate::curves::straight;
use glam::DVec3;

fn two(height: f64, aside: f64) -> [Vec<DVec3>; 2] {
    [
        vec![DVec3::NEG_X, DVec3::X],
        vec![DVec3::new(aside + 0.1, -1.0, height), DVec3::new(aside, 1.0, height)],
    ]
}

#[test]
fn a_segment_pushed_through_another_counts_once() {
    let mut watch = PassThrough::new();
    assert_eq!(watch.feed(&two(1.0, 0.0)), 0);
    assert_eq!(watch.feed(&two(0.5, 0.0)), 0);
    assert_eq!(watch.feed(&two(-0.5, 0.3)), 1);
    assert_eq!(watch.passed_pairs().len(), 1);
    let pass = watch.passes()[0];
    assert_eq!((pass.feed, pass.first, pass.second), (2, (0, 0), (1, 0)));
    assert!((pass.share - 0.5).abs() < 1e-12, "{pass:?}");
    // Back again: another pass, but now nothing is through anything.
    assert_eq!(watch.feed(&two(0.5, 0.0)), 1);
    assert!(watch.passed_pairs().is_empty());
}

#[test]
fn a_segment_that_goes_around_does_not_count() {
    let mut watch = PassThrough::new();
    for (height, aside) in [
        (1.0, 0.0),
        (0.2, 1.2),
        (-0.2, 1.2),
        (-1.0, 0.0),
        (-0.1, -0.5),
        (-1.0, 0.5),
    ] {
        assert_eq!(watch.feed(&two(height, aside)), 0, "{height} {aside}");
    }
}

#[test]
fn a_stop_in_the_plane_counts_once() {
    // Touching exactly at the end of a call, then going on through, or going back.
    for (end, passes) in [(-0.5, 1), (0.5, 0)] {
        let mut watch = PassThrough::new();
        let found: usize = [0.5, 0.0, end].map(|height| watch.feed(&two(height, 0.0))).iter().sum();
        assert_eq!(watch.passed_pairs().len(), passes);
        assert_eq!(found % 2, passes);
    }
}

#[test]
fn a_pass_at_a_vertex_counts_once() {
    // Both rods have a vertex at the origin of the plane, and meet there in exact numbers.
    let bent = [DVec3::new(-1.0, 0.0, 0.0), DVec3::ZERO, DVec3::new(1.0, 0.5, 0.0)];
    let other = |height: f64| {
        [
            DVec3::new(0.25, -1.0, height),
            DVec3::Z * height,
            DVec3::new(0.0, 1.0, height),
        ]
    };
    let mut watch = PassThrough::new();
    watch.feed(&[bent, other(1.0)]);
    assert_eq!(watch.feed(&[bent, other(-1.0)]), 1);
}

#[test]
fn a_rod_through_itself_counts() {
    let hook = |height: f64| {
        [vec![
            DVec3::NEG_X,
            DVec3::X,
            DVec3::new(1.5, 1.0, 0.5 * height),
            DVec3::new(0.1, 1.0, height),
            DVec3::new(0.0, -1.0, height),
        ]]
    };
    let mut watch = PassThrough::new();
    watch.feed(&hook(0.3));
    assert_eq!(watch.feed(&hook(-0.4)), 1);
    let sign = watch.passes()[0].sign;
    assert_eq!(watch.passed_pairs(), [(0, 0, sign)]);
    // The writhe jumps by two; what it moves besides is of the order of the height.
    let [[before], [after]] = [hook(1e-4), hook(-1e-4)];
    let jump = writhe_open(&after) - writhe_open(&before);
    assert!((jump - 2.0 * f64::from(sign)).abs() < 1e-2, "{jump}");
}

#[test]
fn signs_add_up_to_the_change_of_the_linking_number() {
    let mut random = Random::new(3);
    let mut polygon = || -> Vec<DVec3> {
        let mut points = closed(14, |t| DVec3::new(t.cos(), t.sin(), 0.0));
        points.iter_mut().for_each(|p| *p += random.in_ball() * 1.5);
        points
    };
    let mut watch = PassThrough::with_rings(&[true, true]);
    let (mut rings, mut total, mut linked) = ([polygon(), polygon()], 0, 0);
    watch.feed(&rings);
    let start = linking_number(&rings[0], &rings[1]).round() as i32;
    for frame in 0..60 {
        rings = [polygon(), polygon()];
        total += watch.feed(&rings);
        let between = watch.passes().iter().filter(|p| p.first.0 != p.second.0);
        let sum: i32 = between.map(|p| p.sign).sum();
        let now = linking_number(&rings[0], &rings[1]).round() as i32;
        assert_eq!(sum, now - start, "frame {frame}");
        linked += i32::from(now != start);
    }
    assert!(total > 500 && linked > 10, "{total} passes, {linked} changes: too tame");
}

#[test]
fn rods_that_were_cut_are_not_compared() {
    let mut watch = PassThrough::new();
    watch.feed(&two(1.0, 0.0));
    let [fixed, _] = two(1.0, 0.0);
    let shorter = straight(DVec3::new(0.0, -1.0, -1.0), DVec3::new(0.0, 1.0, -1.0), 0.5);
    assert_eq!(watch.feed(&[fixed.clone(), shorter]), 0);
    assert_eq!(watch.feed(&[fixed]), 0);
}

#[test]
fn gauss_jumps_by_one_where_a_rod_passed() {
    let rod = |across: DVec3, shift: DVec3| straight(shift - across * 5.0, shift + across * 5.0, 0.5);
    let (fixed, dip) = (rod(DVec3::X, DVec3::ZERO), DVec3::Z * 0.2);
    let [above, below, higher] = [dip, -dip, dip * 2.0].map(|shift| rod(DVec3::Y, shift));
    assert_eq!(gauss_jump([&fixed, &above], [&fixed, &below]).abs(), 1);
    assert_eq!(gauss_jump([&fixed, &above], [&fixed, &higher]), 0);
    let mut watch = PassThrough::new();
    watch.feed(&[&fixed, &above]);
    watch.feed(&[&fixed, &below]);
    assert_eq!(
        watch.passed_pairs()[0].2,
        gauss_jump([&fixed, &above], [&fixed, &below])
    );
}

#[test]
fn a_pass_near_a_free_end_is_not_certain() {
    // A rod along x goes down through one along z of 1 m, at a distance from its end, by a way.
    let seen = |from_end: f64, way: f64| {
        let line = |a: DVec3, b: DVec3| (0..=20).map(|k| a.lerp(b, f64::from(k) / 20.0)).collect::<Vec<_>>();
        let still = line(DVec3::Z * (from_end - 1.0), DVec3::Z * from_end);
        let falling = |y: f64| line(DVec3::new(-0.51, y, 0.0), DVec3::new(0.49, y, 0.0));
        let mut watch = PassThrough::new();
        for y in [0.5 * way, -0.5 * way] {
            watch.feed(&[still.clone(), falling(y)]);
        }
        assert_eq!(watch.passes().len(), 1);
        watch.passes()[0]
    };
    let far = seen(0.413, 0.2);
    assert!((far.moved - 0.2).abs() < 1e-12 && far.is_certain());
    // From the segment, not from the place: up to a segment of 5 cm less.
    assert!(far.from_end > 0.36 && far.from_end < 0.414, "{}", far.from_end);
    assert!(!seen(0.113, 0.2).is_certain(), "it may have gone around the end");
    assert!(seen(0.113, 0.05).is_certain(), "not on so short a way");
}
