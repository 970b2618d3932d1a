//! Debug lines: what they show is what the rods do.

use glam::{DQuat, DVec3, Vec3};
use lariat::{
    prelude::*,
    render::{DebugLines, DebugOptions, draw, draw_rod, draw_tie},
};

use crate::common::{built, line, net, soft};

#[derive(Default)]
struct Lines(Vec<(Vec3, Vec3, [f32; 4])>);

impl DebugLines for Lines {
    fn line(&mut self, a: Vec3, b: Vec3, color: [f32; 4]) {
        self.0.push((a, b, color));
    }
}

/// Nothing at all, to switch one thing on.
fn off() -> DebugOptions {
    DebugOptions {
        centre_line: false,
        pins: false,
        clamps: false,
        forces: false,
        ..DebugOptions::default()
    }
}

fn lines(world: &RodWorld, options: &DebugOptions) -> Vec<(Vec3, Vec3, [f32; 4])> {
    let mut lines = Lines::default();
    draw(world, options, &mut lines);
    for (a, b, color) in &lines.0 {
        assert!(a.is_finite() && b.is_finite() && color.iter().all(|c| (0.0..=1.0).contains(c)));
    }
    lines.0
}

fn one(spec: &RodSpec) -> (RodWorld, RodId) {
    let mut world = RodWorld::default();
    let id = world.insert(built(spec)).expect("a sound rod");
    (world, id)
}

/// The colour of a segment stretched by a strain.
fn color_at(spec: &RodSpec, strain: f64, options: &DebugOptions) -> [f32; 4] {
    let (mut world, id) = one(spec);
    let mut rod = world.rod_mut(id).expect("the rod is there");
    rod.set_position(1, DVec3::X * (1.0 + strain))
        .expect("a vertex of the rod");
    lines(&world, options)[0].2
}

#[test]
fn the_centre_line_runs_from_blue_through_grey_to_red() {
    let line_only = DebugOptions {
        centre_line: true,
        reference_strain: 0.1,
        ..off()
    };
    let spec = line(1.0, 1).material(soft(100.0, 0.1));
    let at = |strain| color_at(&spec, strain, &line_only);
    let [none, pulled, full, more, pressed] = [0.0, 0.05, 0.1, 0.3, -0.1].map(at);
    assert!(none[0] == none[1] && none[1] == none[2], "grey: {none:?}");
    assert!(pulled[0] > none[0] && pulled[2] < none[2] && full[0] > pulled[0]);
    assert_eq!(full, more);
    assert!(pressed[2] > 0.9 && pressed[0] < 0.3, "blue: {pressed:?}");
    // Of a rod that breaks the limit is full red, whatever the reference.
    let breaks = spec.clone().break_at(BreakLimit::Strain(0.3));
    let near = color_at(&breaks, 0.3, &line_only);
    assert!((0..4).all(|c| (near[c] - full[c]).abs() < 1e-5), "{near:?}");
    assert!(color_at(&breaks, 0.1, &line_only)[0] < pulled[0]);
    let unscaled = DebugOptions {
        reference_strain: 0.0,
        ..line_only
    };
    assert_eq!(color_at(&spec, 0.0, &unscaled), none);
}

#[test]
fn broken_segments_are_left_out() {
    let (mut world, id) = one(&RodSpec::new(net(4)));
    let all = DebugOptions {
        centre_line: true,
        ..off()
    };
    assert_eq!(lines(&world, &all).len(), 24);
    world
        .rod_mut(id)
        .expect("the rod is there")
        .break_segment(5)
        .expect("a segment of the rod");
    assert_eq!(lines(&world, &all).len(), 23);
}

#[test]
fn frames_are_where_segments_are_and_turned_as_they_are() {
    let (world, id) = one(&line(2.0, 4).twist(Twist::Total(1.0)));
    let drawn = lines(&world, &DebugOptions { frames: true, ..off() });
    let rod = world.rod(id).expect("the rod is there");
    assert_eq!(drawn.len(), 12);
    for (s, axes) in drawn.chunks(3).enumerate() {
        for ((a, b, _), axis) in axes.iter().zip(Vec3::AXES) {
            assert!(a.distance(Vec3::X * (0.25 + 0.5 * s as f32)) < 1e-6);
            assert!((*b - *a).normalize().distance(rod.orientation(s) * axis) < 1e-5);
        }
    }
}

#[test]
fn pins_clamps_forces_and_velocities_show() {
    let (mut world, id) = one(&line(1.0, 4).clamp_start());
    let count = |world: &RodWorld, options| lines(world, &options).len();
    let (pins, clamps) = (
        DebugOptions { pins: true, ..off() },
        DebugOptions { clamps: true, ..off() },
    );
    let forces = DebugOptions {
        forces: true,
        force_scale: 0.5,
        ..off()
    };
    let velocities = DebugOptions {
        velocities: true,
        velocity_scale: 2.0,
        ..off()
    };
    assert_eq!(count(&world, off()), 0);
    assert_eq!(
        [pins, clamps, forces, velocities].map(|options| count(&world, options)),
        [3, 7, 0, 0]
    );
    let mut rod = world.rod_mut(id).expect("the rod is there");
    let turned = DQuat::from_rotation_y(0.4);
    rod.set_clamp(0, turned).expect("a clamp of the rod");
    rod.set_force(4, Vec3::Y * 3.0).expect("a vertex of the rod");
    rod.set_velocity(2, Vec3::Z).expect("a vertex of the rod");
    rod.pin(4).expect("a vertex of the rod");
    let d3 = lines(&world, &clamps)[2];
    assert!((d3.1 - d3.0).normalize().distance((turned * DVec3::Z).as_vec3()) < 1e-5);
    assert_eq!(count(&world, pins), 6);
    let pull = lines(&world, &forces);
    assert!(pull[0].0.distance(Vec3::X) < 1e-6 && pull[0].1.distance(Vec3::new(1.0, 1.5, 0.0)) < 1e-6);
    let motion = lines(&world, &velocities);
    assert_eq!(motion.len(), 3, "vertices at rest have no arrow");
    assert!((motion[0].1 - motion[0].0).distance(Vec3::Z * 2.0) < 1e-6);
    (world.rod_mut(id).expect("the rod is there").release_clamp(0)).expect("a clamp of the rod");
    assert_eq!(count(&world, clamps), 0);
}

#[test]
fn lines_are_counted_from_the_origin() {
    let (mut world, id) = one(&line(1.0, 4));
    let far = DVec3::splat(1e7);
    world
        .rod_mut(id)
        .expect("the rod is there")
        .translate(far)
        .expect("a finite way");
    let mut first = None;
    let from_there = DebugOptions {
        origin: far,
        ..DebugOptions::default()
    };
    let rod = world.rod(id).expect("the rod is there");
    draw_rod(&rod, &from_there, &mut |a: Vec3, b: Vec3, _| {
        first = first.or(Some((a, b)))
    });
    let (a, b) = first.expect("a line");
    assert!(a.length() < 1e-8 && b.distance(Vec3::X * 0.25) < 1e-8);
}

#[test]
fn a_tie_is_drawn_between_its_points() {
    let mut drawn = Lines::default();
    draw_tie(Vec3::ZERO, Vec3::X, 0.1, &mut drawn);
    assert_eq!(drawn.0.len(), 7);
    assert_eq!((drawn.0[0].0, drawn.0[0].1), (Vec3::ZERO, Vec3::X));
}
