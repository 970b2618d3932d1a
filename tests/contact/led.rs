//! Shapes that are led, fast and turning: ropes around them stay around them, and on their own side.
//!
//! The judge knows positions only. Seen along the bar, every vertex has an angle about its axis: along the rope from the first one on, and in time from where it was. The two agree until the rope goes through
//! the axis; then they are whole turns apart. Bars are so long that nothing comes around their ends.

use std::f64::consts::{PI, TAU};

use glam::DQuat;
use parry3d::shape::SharedShape;

use super::{host::Bodies, *};

/// A bar along its own y.
#[derive(Clone, Copy, Debug)]
enum Bar {
    Capsule { half: f64, radius: f64 },
    Cylinder { half: f64, radius: f64 },
    Flat { half: DVec3 },
}

const HALF: f64 = 5.0;
const BARS: [Bar; 3] = [
    Bar::Capsule {
        half: HALF,
        radius: 0.05,
    },
    Bar::Cylinder {
        half: HALF,
        radius: 0.05,
    },
    Bar::Flat {
        half: DVec3::new(0.09, HALF, 0.015),
    },
];

impl Bar {
    fn shape(self) -> SharedShape {
        match self {
            Self::Capsule { half, radius } => SharedShape::capsule_y(half as f32, radius as f32),
            Self::Cylinder { half, radius } => SharedShape::cylinder(half as f32, radius as f32),
            Self::Flat { half } => SharedShape::cuboid(half.x as f32, half.y as f32, half.z as f32),
        }
    }

    /// Distance of a place in the bar's own frame from its surface, negative inside.
    fn distance(self, place: DVec3) -> f64 {
        // From how far beyond each side it is.
        let signed = |beyond: DVec3| beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0);
        match self {
            Self::Capsule { half, radius } => place.distance(DVec3::Y * place.y.clamp(-half, half)) - radius,
            Self::Cylinder { half, radius } => {
                let across = place.x.hypot(place.z) - radius;
                signed(DVec3::new(across, place.y.abs() - half, f64::NEG_INFINITY))
            }
            Self::Flat { half } => signed(place.abs() - half),
        }
    }
}

/// The angle between two directions in the plane across the bar, from −π to π.
fn angle(from: DVec3, to: DVec3) -> f64 {
    (from.z * to.x - from.x * to.z).atan2(from.x * to.x + from.z * to.z)
}

/// Watches one rope and a bar.
struct Judge {
    bar: Bar,
    radius: f64,
    closed: bool,
    /// The last frame, in the frame of the bar, and the angles, rad.
    before: Vec<DVec3>,
    angles: Vec<f64>,
    /// The nearest that the centre line came, in radii.
    nearest: f64,
}

impl Judge {
    fn new(bar: Bar, radius: f64, closed: bool) -> Self {
        Self {
            bar,
            radius,
            closed,
            before: Vec::new(),
            angles: Vec::new(),
            nearest: f64::INFINITY,
        }
    }

    /// Answers by how many turns the rope jumped.
    fn feed(&mut self, points: &[DVec3], (position, rotation): (DVec3, DQuat)) -> f64 {
        let mut local: Vec<DVec3> = (points.iter())
            .map(|point| rotation.conjugate() * (*point - position))
            .collect();
        if self.closed {
            local.push(local[0]);
        }
        if self.before.is_empty() {
            self.before.clone_from(&local);
        }
        let mut jump: f64 = 0.0;
        let first = self.angles.first().copied().unwrap_or(0.0) + angle(self.before[0], local[0]);
        let mut angles = vec![first];
        for (a, b) in local.iter().zip(&local[1..]) {
            angles.push(angles[angles.len() - 1] + angle(*a, *b));
            for k in 0..8 {
                let place = a.lerp(*b, f64::from(k) / 8.0);
                self.nearest = self.nearest.min(self.bar.distance(place) / self.radius);
                assert!(place.y.abs() < 0.9 * HALF, "the rope came near the end of the bar");
            }
        }
        for (k, (&then, &now)) in self.angles.iter().zip(&angles).enumerate() {
            let [from, to] = [self.before[k], local[k]];
            // A free end may whip around the bar within a frame: nobody can tell which way it went.
            let near = from.x.hypot(from.z).min(to.x.hypot(to.z));
            if from.distance(to) < near {
                jump = jump.max((now - then - angle(from, to)).abs() / TAU);
            }
        }
        (self.before, self.angles) = (local, angles);
        jump
    }
}

/// Where a bar is meant to be at a time.
type Way<'a> = &'a dyn Fn(f64) -> (DVec3, DQuat);

struct Led {
    world: RodWorld,
    rope: RodId,
    bar: ColliderId,
    judge: Judge,
    frames: u32,
    jumps: Vec<(u32, f64)>,
    late: u32,
    slowest: f64,
}

impl Led {
    fn new(settings: Settings, bar: Bar, way: Way<'_>, rope: &RodSpec, options: RodOptions) -> Self {
        let mut world = common::world(settings);
        let rod = common::built(rope);
        let judge = Judge::new(bar, rod.vertices()[0].radius, rod.topology() == Topology::Loop);
        let rope = world.insert_with(rod, options).expect("a sound rope");
        let (position, rotation) = way(0.0);
        let collider = Collider::new(bar.shape()).at(position).turned(rotation);
        let bar = world.add_collider(collider).expect("a sound bar");
        Self {
            world,
            rope,
            bar,
            judge,
            frames: 0,
            jumps: Vec::new(),
            late: 0,
            slowest: 0.0,
        }
    }

    /// How far the bar is behind where it is meant to be.
    fn behind(&self, way: Way<'_>) -> f64 {
        let (position, rotation) = way(f64::from(self.frames) * f64::from(FRAME));
        let (at, turned) = self.world.collider_pose(self.bar).expect("it is there");
        at.distance(position) + (turned.conjugate() * rotation).xyz().length()
    }

    fn run(&mut self, frames: u32, way: Way<'_>) {
        for _ in 0..frames {
            if self.frames == 0 {
                self.look();
            }
            self.frames += 1;
            let (position, rotation) = way(f64::from(self.frames) * f64::from(FRAME));
            self.world
                .move_collider(self.bar, position, rotation)
                .expect("it is there");
            let start = std::time::Instant::now();
            self.world.step(FRAME).expect("a sound step");
            self.slowest = self.slowest.max(start.elapsed().as_secs_f64());
            self.late += u32::from(self.behind(way) > 1e-9);
            self.look();
        }
    }

    fn look(&mut self) {
        let points = common::positions(&self.world, self.rope);
        let pose = self.world.collider_pose(self.bar).expect("it is there");
        let jump = self.judge.feed(&points, pose);
        if jump > 0.01 {
            self.jumps.push((self.frames, jump));
        }
    }

    #[track_caller]
    fn assert_sound(&self, what: &str) {
        println!(
            "{what}: nearest {:.3} radii, late in {} of {} frames, slowest {:.1} ms, jumps {:?}",
            self.judge.nearest,
            self.late,
            self.frames,
            1e3 * self.slowest,
            self.jumps
        );
        assert!(!common::rod(&self.world, self.rope).is_quarantined());
        assert!(
            self.jumps.is_empty(),
            "{what}: through in (frame, turns) {:?}",
            self.jumps
        );
        assert!(self.judge.nearest > 0.9, "{what}: {} radii", self.judge.nearest);
    }
}

/// A closed rope hangs on a bar that goes in circles at a speed, and spins about its axis.
fn ring_on(bar: Bar, speed: f64, spin: f64, substeps: u32) -> (Led, impl Fn(f64) -> (DVec3, DQuat)) {
    let circle = 0.4;
    let way = move |time: f64| {
        let around = speed / circle * time;
        let place = DVec3::new(around.cos() - 1.0, around.sin(), 0.0) * circle;
        // The bar's y along the world's z, a little askew.
        let along = DQuat::from_rotation_x(0.5 * PI + 0.1 * (3.0 * time).sin());
        (place, along * DQuat::from_rotation_y(spin * time))
    };
    let ring = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Z, 0.2, 48)).radius(0.01);
    let settings = Settings { substeps, ..touching() };
    (Led::new(settings, bar, &way, &ring, RodOptions::default()), way)
}

#[test]
fn a_ring_of_rope_stays_on_a_bar_that_is_swung_and_spun() {
    for bar in BARS {
        for (speed, spin) in [(3.0, 10.0), (8.0, 20.0), (5.0, 50.0)] {
            let (mut scene, way) = ring_on(bar, speed, spin, 1);
            scene.run(60, &way);
            scene.assert_sound(&format!("ring on {bar:?} at {speed} m/s and {spin} rad/s"));
            // Rods get out of the way in a frame, but for a hit now and then.
            assert!(scene.late <= 3, "late in {} frames", scene.late);
        }
        // What a substep left is done in the next.
        let (mut scene, way) = ring_on(bar, 8.0, 20.0, 4);
        scene.run(30, &way);
        scene.assert_sound(&format!("ring on {bar:?}, 4 substeps"));
    }
}

/// A bar is led down onto a rope that is held at both ends, 2 m deep, and up again.
fn through_held(bar: Bar, speed: f64, spin: f64) -> (Led, impl Fn(f64) -> (DVec3, DQuat)) {
    let way = move |time: f64| {
        let down = (speed * time).min(4.0 - speed * time).max(-0.5);
        let along = DQuat::from_rotation_x(0.5 * PI);
        (DVec3::Y * (0.2 - down), along * DQuat::from_rotation_y(spin * time))
    };
    let rope = RodSpec::new(Shape::line(DVec3::X * -1.0, DVec3::X * 1.0, 50))
        .radius(0.01)
        .pin(0)
        .pin(50);
    (Led::new(touching(), bar, &way, &rope, RodOptions::default()), way)
}

#[test]
fn a_rope_that_is_held_at_both_ends_stops_a_bar() {
    for bar in BARS {
        for (speed, spin) in [(2.0, 0.0), (5.0, 10.0), (20.0, 50.0)] {
            let (mut scene, way) = through_held(bar, speed, spin);
            scene.run((60.0 * 5.0 / speed) as u32, &way);
            scene.assert_sound(&format!("held rope against {bar:?} at {speed} m/s and {spin} rad/s"));
        }
    }
}

/// A rope that hangs from a pin with a weight at its end, and a bar that comes across.
fn whipped(bar: Bar, speed: f64, spin: f64) -> (Led, impl Fn(f64) -> (DVec3, DQuat)) {
    let way = move |time: f64| {
        let along = DQuat::from_rotation_x(0.5 * PI);
        let place = DVec3::new(0.6 - speed * time, -0.4, 0.0);
        (place, along * DQuat::from_rotation_y(spin * time))
    };
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::Y * -1.0, 40))
        .radius(0.008)
        .pin(0)
        .load(40, 0.1);
    (Led::new(touching(), bar, &way, &rope, RodOptions::default()), way)
}

#[test]
fn a_rope_is_whipped_around_a_bar() {
    for bar in BARS {
        for (speed, spin) in [(4.0, 10.0), (10.0, 30.0), (6.0, -50.0)] {
            let (mut scene, way) = whipped(bar, speed, spin);
            scene.run(30, &way);
            scene.assert_sound(&format!("whipped around {bar:?} at {speed} m/s and {spin} rad/s"));
        }
    }
}

#[test]
fn a_propeller_takes_a_rope_along() {
    for bar in BARS {
        for spin in [3.0, 10.0, 25.0] {
            let way = move |time: f64| {
                let lying = DQuat::from_rotation_x(0.5 * PI);
                (DVec3::ZERO, DQuat::from_rotation_y(spin * time) * lying)
            };
            let rope = RodSpec::new(Shape::line(DVec3::new(0.8, 2.0, 0.3), DVec3::new(0.8, -2.0, 0.3), 80))
                .radius(0.01)
                .pin(0)
                .pin(80);
            let mut scene = Led::new(touching(), bar, &way, &rope, RodOptions::default());
            scene.run((60.0 * PI / spin) as u32, &way);
            scene.assert_sound(&format!("propeller {bar:?} at {spin} rad/s"));
        }
    }
}

/// A steel wire that is held at both ends, in the way of a bar.
fn wire(along: f64) -> RodSpec {
    let ends = [-0.5, 0.5].map(|x| DVec3::new(x, 0.0, along));
    RodSpec::new(Shape::line(ends[0], ends[1], 25))
        .radius(0.005)
        .material(Material::steel_cable())
        .pin(0)
        .pin(25)
}

/// Wood under the wire, which can't get out of the way of what comes from above.
fn back_up(world: &mut RodWorld) {
    let block = Collider::new(SharedShape::cuboid(0.6, 0.1, 0.2)).at(DVec3::Y * -0.1065);
    world.add_collider(block).expect("a sound block");
}

fn held(world: &mut RodWorld) -> usize {
    let events = world.drain_events();
    events
        .filter(|event| matches!(event, Event::ColliderHeld { .. }))
        .count()
}

#[test]
fn a_bar_that_was_held_comes_after_at_its_pace() {
    let (speed, deep) = (6.0, 5.0);
    let way = move |time: f64| {
        let down = (speed * time).min(deep);
        (DVec3::Y * (0.2 - down), DQuat::from_rotation_x(0.5 * PI))
    };
    let mut scene = Led::new(touching(), BARS[0], &way, &wire(0.0), RodOptions::default());
    back_up(&mut scene.world);
    scene.run(60, &way);
    scene.assert_sound("a steel wire on wood holds a bar");
    assert!(scene.behind(&way) > 0.5, "it is held: {}", scene.behind(&way));
    assert_eq!(held(&mut scene.world), 1, "told once");

    // Going back, in memory and stored, it goes on the same way.
    let snapshot = scene.world.snapshot();
    let stored = serde_json::to_string(&snapshot).expect("it can be stored");
    let stored: Snapshot = serde_json::from_str(&stored).expect("and read");
    let after: Vec<(u64, Option<(DVec3, DQuat)>)> = [&snapshot, &snapshot, &stored]
        .into_iter()
        .map(|from| {
            scene.world.restore(from);
            common::run(&mut scene.world, 5);
            (scene.world.state_hash(), scene.world.collider_pose(scene.bar))
        })
        .collect();
    assert_eq!(after[0], after[1]);
    assert_eq!(after[0], after[2]);
    assert_eq!(held(&mut scene.world), 0, "not told again");

    // The wire is gone: no faster than it was led.
    scene.world.remove(scene.rope).expect("it is there");
    let mut at = scene.world.collider_pose(scene.bar).expect("it is there").0;
    for _ in 0..90 {
        common::run(&mut scene.world, 1);
        let now = scene.world.collider_pose(scene.bar).expect("it is there").0;
        let went = now.distance(at) / f64::from(FRAME);
        assert!(went < speed * 1.001, "it comes after at {went} m/s");
        at = now;
    }
    assert_eq!(at, DVec3::Y * (0.2 - deep), "it is where it should be");
}

#[test]
fn a_bar_waits_for_the_slowest_of_all_ropes() {
    // A wire holds it; a rope beside that hangs loose, and would have gone along.
    let mut world = common::world(touching());
    back_up(&mut world);
    let loose = RodSpec::new(Shape::line(DVec3::new(-0.4, 0.1, 1.0), DVec3::new(0.4, 0.1, 1.0), 30)).radius(0.01);
    let rods = [wire(0.0), loose].map(|spec| world.insert(common::built(&spec)).expect("a sound rod"));
    let mut judges = [0.005, 0.01].map(|radius| Judge::new(BARS[0], radius, false));
    let along = DQuat::from_rotation_x(0.5 * PI);
    let bar = Collider::new(BARS[0].shape()).at(DVec3::Y * 0.2).turned(along);
    let bar = world.add_collider(bar).expect("a sound bar");
    for frame in 1..=30 {
        let place = DVec3::Y * (0.2 - 0.1 * f64::from(frame));
        world.move_collider(bar, place, along).expect("it is there");
        common::run(&mut world, 1);
        let pose = world.collider_pose(bar).expect("it is there");
        for (judge, &rod) in judges.iter_mut().zip(&rods) {
            let jump = judge.feed(&common::positions(&world, rod), pose);
            assert!(jump < 0.01, "through in frame {frame}");
            assert!(judge.nearest > 0.9, "{} radii in frame {frame}", judge.nearest);
        }
    }
    assert_eq!(held(&mut world), 1, "told once");
}

#[test]
fn a_body_that_the_host_leads_does_not_take_its_shape_through() {
    let mut world = common::world(touching());
    let mut host = Bodies::new();
    let along = DQuat::from_rotation_x(0.5 * PI);
    let body = BodyState {
        linear_velocity: DVec3::Y * -4.0,
        angular_velocity: DVec3::Z * 12.0,
        ..BodyState::fixed(DVec3::Y * 0.2, along)
    };
    host.bodies.insert(1, body);
    let rope = world.insert(common::built(&wire(0.0))).expect("a sound rod");
    let bar = BARS[2];
    let collider = Collider::new(bar.shape()).on_body(BodyId(1));
    let collider = world.add_collider(collider).expect("a sound bar");
    let mut judge = Judge::new(bar, 0.005, false);
    for frame in 0..90 {
        if frame == 30 {
            let body = host.get_mut(BodyId(1));
            body.linear_velocity = DVec3::Y * 4.0;
        }
        world.step_with(FRAME, &mut host).expect("a sound step");
        host.step(FRAME.into());
        let pose = world.collider_pose(collider).expect("it is there");
        let jump = judge.feed(&common::positions(&world, rope), pose);
        assert!(jump < 0.01, "through in frame {frame}");
        assert!(judge.nearest > 0.9, "{} radii in frame {frame}", judge.nearest);
    }
    assert!(held(&mut world) > 0, "told");
    let (at, _) = world.collider_pose(collider).expect("it is there");
    let off = at.distance(host.get(BodyId(1)).position);
    assert!(off < 1e-9, "back on its body, {off} m off");
}
