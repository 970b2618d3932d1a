//! Rods among rigid bodies, and as components: how well ties hold, what a load on a rope costs beside rapier's own chain of joints, how smooth a winch is, and what keeping
//! rods in an ECS costs.
//!
//! `cargo bench --bench plugin --features rapier3d`. One core, 60 Hz.

mod common;
#[path = "../examples/scenes/mod.rs"]
mod scenes;

use bevy_ecs::prelude::{Schedule, World};
use common::{Clock, figure, median, quick};
use glam::{DVec3, Vec3};
use lariat::{hosts::rapier3d::RapierHost, prelude::*};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder, Vector,
};

const FRAME: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;
/// S2: a rope of 2 m and 1 kg/m in 64 segments, with a ball of 100 kg.
const SEGMENTS: u32 = 64;
const LENGTH: f64 = 2.0;
const EA: f64 = 5e4;
const LOAD: f64 = 100.0;
const RADIUS: f64 = 0.15;

type Figures = Vec<(&'static str, f64)>;

fn main() {
    let mut figures = Figures::new();
    spinning(&mut figures);
    loads(&mut figures);
    winch(&mut figures);
    components(&mut figures);
    for (name, value) in figures {
        figure(name, value);
    }
}

/// Rapier and rods.
struct Scene {
    host: RapierHost,
    rods: RodWorld,
    physics: PhysicsWorld,
}

impl Scene {
    fn new(gravity: f64) -> Self {
        let settings = Settings {
            gravity: Vec3::Y * -gravity as f32,
            threads: Some(1),
            ..Settings::default()
        };
        let mut physics = PhysicsWorld::new();
        physics.gravity = Vector::Y * -gravity as f32;
        physics.integration_parameters.dt = FRAME as f32;
        Self {
            host: RapierHost::default(),
            rods: RodWorld::new(settings).expect("sound settings"),
            physics,
        }
    }

    fn frame(&mut self) {
        self.host.step(&mut self.rods, &mut self.physics).expect("a sound step");
    }

    fn ball(&mut self, place: DVec3) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().translation(vector(place)).can_sleep(false);
        let shape = ColliderBuilder::ball(RADIUS as f32).mass(LOAD as f32);
        self.physics.insert(body, shape).0
    }

    /// How far rope and body are apart after the frame, m, and how far a welded segment is turned from where the body has it, rad.
    fn gap(&self, tie: AttachmentId) -> (f64, f64) {
        let state = self.rods.attachment(tie).expect("the tie");
        let TieTo::Body { body, anchor } = state.to else {
            return (0.0, 0.0);
        };
        let rod = self.rods.rod(state.rod).expect("the rod");
        let segment = rod.description().segments()[state.segment as usize];
        let [tail, head] = [segment.tail, segment.head].map(|v| rod.position(v as usize));
        let body = &self.physics.bodies[RigidBodyHandle::from(body)];
        let q = body.rotation();
        let q = glam::DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into());
        let place = double(body.translation()) + q * anchor;
        // Bodies and segments of these scenes start unturned to one another.
        let rest = glam::DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
        let along = rod.orientation(state.segment as usize).as_dquat() * DVec3::Z;
        let angle = along.angle_between(q * (rest * DVec3::Z));
        (tail.lerp(head, state.along).distance(place), angle)
    }
}

/// A springy rod welded to a crate that spins at 20 rad/s.
fn spinning(figures: &mut Figures) {
    let (mut far, mut turned) = (0.0f64, 0.0f64);
    for axis in [DVec3::Z, DVec3::new(0.3, 1.0, 0.8)] {
        let mut scene = Scene::new(0.0);
        let body = RigidBodyBuilder::dynamic()
            .can_sleep(false)
            .angvel(vector(axis.normalize() * 20.0));
        let shape = ColliderBuilder::cuboid(0.2, 0.15, 0.18).mass(50.0);
        let body = scene.physics.insert(body, shape).0;
        let material = Material::rigidity(1e4, 1e4, 0.5, 0.5, 0.05).with_damping(Damping::Time(0.01));
        let line = lariat::rod::Shape::line(DVec3::X * 0.2, DVec3::X * 0.5, 16);
        let rod = RodSpec::new(line)
            .material(material)
            .radius(0.005)
            .build()
            .expect("a sound rod");
        let rod = scene.rods.insert(rod).expect("room");
        let to = TieTo::Body {
            body: body.into(),
            anchor: DVec3::X * 0.2,
        };
        let tie = scene
            .rods
            .attach(AttachmentSpec::weld(rod, RodPoint::Start, to))
            .expect("a weld");
        for frame in 0..300 {
            scene.frame();
            // It is whipped up to speed first.
            if frame >= 60 {
                let (gap, angle) = scene.gap(tie);
                (far, turned) = (far.max(gap), turned.max(angle));
            }
        }
    }
    println!("weld at 20 rad/s: {:.4} mm, {turned:.5} rad", far * 1e3);
    figures.push(("tie_gap_mm", far * 1e3));
    figures.push(("tie_gap_rad", turned));
}

/// What a load on a rope does and costs.
struct Outcome {
    ms: f64,
    stretch: f64,
    /// rms speed in the last second, m/s
    jitter: f64,
}

/// 300 frames of a scene whose ball hangs below the origin.
fn play(mut start: impl FnMut() -> Scene, ball: RigidBodyHandle, frame: impl Fn(&mut Scene)) -> Outcome {
    let rounds = if quick() { 1 } else { 5 };
    let mut outcome = Outcome {
        ms: 0.0,
        stretch: 0.0,
        jitter: 0.0,
    };
    let mut times = Vec::new();
    for _ in 0..rounds {
        let mut scene = start();
        let clock = Clock::start();
        let mut squares = 0.0;
        for n in 0..300 {
            frame(&mut scene);
            if n >= 240 {
                squares += f64::from(scene.physics.bodies[ball].linvel().length_squared());
            }
        }
        times.push(clock.seconds() * 1e3 / 300.0);
        let place = double(scene.physics.bodies[ball].translation());
        outcome.stretch = (place.length() - RADIUS) / LENGTH - 1.0;
        outcome.jitter = (squares / 60.0f64).sqrt();
    }
    outcome.ms = median(times);
    outcome
}

fn loads(figures: &mut Figures) {
    let expected = GRAVITY * (LOAD + 0.5 * LENGTH) / EA;
    println!("100 kg on a rope of 64 segments          ms   stretch   (T/EA)   rms speed");
    let row = |name: &str, outcome: &Outcome, expected: f64| {
        println!(
            "{name:<34} {:>8.4} {:>8.3}% {:>7.3}% {:>8.3} mm/s",
            outcome.ms,
            outcome.stretch * 100.0,
            expected * 100.0,
            outcome.jitter * 1e3
        );
    };
    let ball = loaded().1;
    let ours = play(|| loaded().0, ball, Scene::frame);
    row("rope of lariat, ball of rapier", &ours, expected);
    figures.push(("load_ms", ours.ms));
    figures.push(("load_stretch", ours.stretch));
    figures.push(("load_stretch_error", (ours.stretch / expected - 1.0).abs()));
    figures.push(("load_jitter", ours.jitter));
    let ball = chain(4).1;
    for (name, steps, [ms, stretch]) in [
        (
            "joints of rapier, as they come",
            4,
            ["load_ms_rapier", "load_stretch_rapier"],
        ),
        (
            "joints of rapier, 64 iterations",
            64,
            ["load_ms_rapier_64", "load_stretch_rapier_64"],
        ),
    ] {
        let rapier = play(|| chain(steps).0, ball, |scene| scene.physics.step());
        row(name, &rapier, 0.0);
        figures.push((ms, rapier.ms));
        figures.push((stretch, rapier.stretch));
    }
}

fn rope() -> RodSpec {
    RodSpec::new(lariat::rod::Shape::line(DVec3::ZERO, DVec3::Y * -LENGTH, SEGMENTS))
        .material(Material::rigidity(EA, EA, 0.01, 0.01, 1.0))
        .radius(0.01)
        .pin(0)
}

fn loaded() -> (Scene, RigidBodyHandle) {
    let mut scene = Scene::new(GRAVITY);
    let ball = scene.ball(DVec3::Y * -(LENGTH + RADIUS));
    let rod = rope().build().expect("a sound rod");
    let rod = scene.rods.insert(rod).expect("room");
    let to = TieTo::Body {
        body: ball.into(),
        anchor: DVec3::Y * RADIUS,
    };
    scene
        .rods
        .attach(AttachmentSpec::ball(rod, RodPoint::End, to))
        .expect("a tie");
    (scene, ball)
}

/// The same rope as bodies and spherical joints.
fn chain(iterations: usize) -> (Scene, RigidBodyHandle) {
    let mut scene = Scene::new(GRAVITY);
    scene.physics.integration_parameters.num_solver_iterations = iterations;
    let link = LENGTH / f64::from(SEGMENTS);
    let anchor = RigidBodyBuilder::fixed();
    let (mut above, _) = scene.physics.insert(anchor, ColliderBuilder::ball(0.01).sensor(true));
    let mut hang = Vector::ZERO;
    for k in 0..SEGMENTS {
        let middle = DVec3::Y * -(f64::from(k) + 0.5) * link;
        let body = RigidBodyBuilder::dynamic().translation(vector(middle)).can_sleep(false);
        // The rope's own weight; links do not touch one another, which would only cost time.
        let shape = ColliderBuilder::capsule_y(0.5 * link as f32 - 0.01, 0.01)
            .mass(link as f32)
            .sensor(true);
        let (body, _) = scene.physics.insert(body, shape);
        let joint = SphericalJointBuilder::new()
            .local_anchor1(hang)
            .local_anchor2(Vector::Y * (0.5 * link) as f32)
            .contacts_enabled(false);
        scene.physics.insert_impulse_joint(above, body, joint);
        above = body;
        hang = Vector::Y * (-0.5 * link) as f32;
    }
    let ball = scene.ball(DVec3::Y * -(LENGTH + RADIUS));
    let joint = SphericalJointBuilder::new()
        .local_anchor1(hang)
        .local_anchor2(Vector::Y * RADIUS as f32)
        .contacts_enabled(false);
    scene.physics.insert_impulse_joint(above, ball, joint);
    (scene, ball)
}

/// A winch pays out and hauls in a ball of 100 kg at 0.5 m/s: the greatest change of tension from frame to frame, of the weight.
fn winch(figures: &mut Figures) {
    let mut worst = 0.0f64;
    for speed in [0.5, -0.5] {
        let (mut scene, ball) = loaded();
        let (tie, rod) = scene
            .rods
            .attachments()
            .map(|(id, state)| (id, state.rod))
            .next()
            .expect("the tie");
        (0..600).for_each(|_| scene.frame());
        let mut last: Option<f64> = None;
        for frame in 0..240 {
            // Up to speed within a second: a sudden start would bounce the ball on its rope.
            let ramp = (f64::from(frame) * FRAME).min(1.0);
            let by = speed * ramp * ramp * (3.0 - 2.0 * ramp) * FRAME;
            scene.rods.reel(rod, RodEnd::Start, by).expect("a sound winch");
            scene.frame();
            let now = scene.rods.attachment(tie).expect("the tie").force.length();
            if let (Some(last), true) = (last, frame >= 60) {
                worst = worst.max((now - last).abs() / (LOAD * GRAVITY));
            }
            last = Some(now);
        }
        let depth = double(scene.physics.bodies[ball].translation()).length();
        println!("winch at {speed} m/s: the ball is {depth:.3} m deep after 4 s");
    }
    println!("winch: tension jumps by {:.4} of the weight at most", worst);
    figures.push(("winch_tension_jump", worst));
}

/// A thousand ropes of 32 segments as components.
fn components(figures: &mut Figures) {
    let ropes = if quick() { 100 } else { 1_000 };
    let (mut world, mut schedule) = (World::new(), Schedule::default());
    world.insert_resource(RodSettings(Settings {
        threads: Some(1),
        ..Settings::default()
    }));
    lariat::ecs::install(&mut world, &mut schedule);
    for k in 0..ropes {
        let from = DVec3::new(f64::from(k % 40), 0.0, f64::from(k / 40));
        let spec = RodSpec::new(lariat::rod::Shape::line(from, from + DVec3::X, 32));
        let material = Material::rigidity(EA, EA, 0.01, 0.01, 1.0);
        world.spawn(Rod::new(spec.material(material).radius(0.01).pin(0)));
    }
    let mut shares = Vec::new();
    for frame in 0..(if quick() { 20 } else { 120 }) {
        schedule.run(&mut world);
        world.clear_trackers();
        let diagnostics = world.resource::<RodDiagnostics>();
        // The first runs put the ropes in.
        if frame >= 5 {
            let around = diagnostics.gather + diagnostics.write_back;
            shares.push(around.as_secs_f64() / diagnostics.step.as_secs_f64());
        }
    }
    let share = median(shares);
    println!(
        "components: gather and write-back take {:.3} % of a step of {ropes} ropes",
        share * 100.0
    );
    figures.push(("ecs_share", share));
}

fn vector(v: DVec3) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

fn double(v: Vector) -> DVec3 {
    DVec3::new(v.x.into(), v.y.into(), v.z.into())
}
