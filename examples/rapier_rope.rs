//! A ball of rapier on a rope, made from rapier's joints and from a rod: `cargo run --release --example rapier_rope --features rapier3d`.

use glam::DVec3;
use lariat::{hosts::rapier3d::RapierHost, prelude::*};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder, Vector,
};

const LENGTH: f32 = 2.0;
const LINKS: u32 = 32;
/// Mass of the rope, kg.
const ROPE: f32 = 0.6;
const BALL: f32 = 100.0;
const RADIUS: f32 = 0.15;

/// The ball hangs below the origin.
fn ball(physics: &mut PhysicsWorld) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(Vector::Y * -(LENGTH + RADIUS));
    physics.insert(body, ColliderBuilder::ball(RADIUS).mass(BALL)).0
}

/// Before: a body a link, and a joint between each two.
fn chain(physics: &mut PhysicsWorld, ball: RigidBodyHandle) {
    let link = LENGTH / LINKS as f32;
    let mut above = physics.bodies.insert(RigidBodyBuilder::fixed());
    let mut hook = Vector::ZERO;
    for k in 0..LINKS {
        let middle = RigidBodyBuilder::dynamic().translation(Vector::Y * -(k as f32 + 0.5) * link);
        let capsule = ColliderBuilder::capsule_y(0.5 * link - 0.01, 0.01).mass(ROPE / LINKS as f32);
        let (body, _) = physics.insert(middle, capsule.sensor(true));
        let joint = SphericalJointBuilder::new()
            .local_anchor1(hook)
            .local_anchor2(Vector::Y * 0.5 * link);
        physics.insert_impulse_joint(above, body, joint.contacts_enabled(false));
        above = body;
        hook = Vector::Y * -0.5 * link;
    }
    let joint = SphericalJointBuilder::new()
        .local_anchor1(hook)
        .local_anchor2(Vector::Y * RADIUS);
    physics.insert_impulse_joint(above, ball, joint.contacts_enabled(false));
}

/// After: one rod, and one tie.
fn rope(rods: &mut RodWorld, ball: RigidBodyHandle) -> Result<RodId, Box<dyn std::error::Error>> {
    let line = Shape::line(DVec3::ZERO, DVec3::NEG_Y * f64::from(LENGTH), LINKS);
    let rope = RodSpec::new(line).material(Material::hemp_rope()).radius(0.01).pin(0);
    let rope = rods.insert(rope.build()?)?;
    let hook = TieTo::Body {
        body: ball.into(),
        anchor: DVec3::Y * f64::from(RADIUS),
    };
    rods.attach(AttachmentSpec::ball(rope, RodPoint::End, hook))?;
    Ok(rope)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut physics = PhysicsWorld::new();
    let hung = ball(&mut physics);
    chain(&mut physics, hung);
    for _ in 0..300 {
        physics.step();
    }
    report("joints of rapier", physics.bodies[hung].translation().y);

    let mut physics = PhysicsWorld::new();
    let mut rods = RodWorld::default();
    let mut host = RapierHost::default(); // Keep it beside the physics.
    let hung = ball(&mut physics);
    let rope = rope(&mut rods, hung)?;
    for _ in 0..300 {
        host.step(&mut rods, &mut physics)?; // Instead of physics.step().
    }
    report("a rod of lariat", physics.bodies[hung].translation().y);
    let rope = rods.rod(rope).ok_or("the rope is gone")?;
    println!("it pulls at the nail with {:.0} N", rope.tension(0));
    // 100.5 kg on EA = 220 kN: T/EA is 0.45%.
    assert!((rope.stretch() - 0.0045).abs() < 0.0002, "{}", rope.stretch());
    Ok(())
}

fn report(name: &str, height: f32) {
    let length = -height - RADIUS;
    println!("{name}: {LENGTH} m of rope are {length:.3} m long after 5 s");
}
