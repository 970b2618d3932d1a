//! Rods beside a rigid-body engine of one's own: a crane lets a crate down to the ground.
//!
//! ```text
//! cargo run --release --example own_engine
//! ```
//!
//! The engine is below, in less than a hundred lines. What couples it to rods is `impl HostBodies`, and one more call a frame.

use glam::{DMat3, DQuat, DVec3};
use lariat::prelude::*;

const FRAME: f64 = 1.0 / 60.0; // s
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0); // m/s²

/// A box, or a ball if it has no corners.
struct Body {
    position: DVec3,
    orientation: DQuat,
    velocity: DVec3,
    spin: DVec3,
    /// 1/kg; zero for a body that is led.
    inverse_mass: f64,
    /// About its own axes, 1/(kg·m²).
    inverse_inertia: DVec3,
    /// What may touch the ground, in its own frame.
    corners: Vec<DVec3>,
    radius: f64,
}

impl Body {
    fn cuboid(position: DVec3, half: DVec3, mass: f64) -> Self {
        let h = half * half;
        let corner = |k: u32| half * DVec3::new(sign(k & 1), sign(k & 2), sign(k & 4));
        Self {
            inverse_inertia: 3.0 / (mass * DVec3::new(h.y + h.z, h.x + h.z, h.x + h.y)),
            corners: (0..8).map(corner).collect(),
            radius: 0.0,
            ..Self::ball(position, 1.0, mass)
        }
    }

    fn ball(position: DVec3, radius: f64, mass: f64) -> Self {
        Self {
            position,
            orientation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            inverse_mass: 1.0 / mass,
            inverse_inertia: DVec3::splat(2.5 / (mass * radius * radius)),
            corners: Vec::new(),
            radius,
        }
    }

    /// A body that goes where it is told, such as the trolley of a crane.
    fn led(position: DVec3) -> Self {
        Self {
            inverse_mass: 0.0,
            inverse_inertia: DVec3::ZERO,
            ..Self::ball(position, 0.1, 1.0)
        }
    }

    fn world_inverse_inertia(&self) -> DMat3 {
        let turn = DMat3::from_quat(self.orientation);
        turn * DMat3::from_diagonal(self.inverse_inertia) * turn.transpose()
    }

    fn kick(&mut self, impulse: DVec3, angular: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.world_inverse_inertia() * angular;
    }

    /// Stop a point, an `arm` away from the centre, that is about to go into the ground, with friction.
    fn touch_ground(&mut self, arm: DVec3) {
        let depth = -(self.position + arm).y;
        let speed = self.velocity + self.spin.cross(arm);
        // Closing no faster than the distance allows, and out of the ground again by a tenth a frame.
        let allowed = if depth > 0.0 {
            0.1 * depth / FRAME
        } else {
            depth / FRAME
        };
        if speed.y >= allowed {
            return;
        }
        let give = |body: &Self, n: DVec3| {
            let lever = arm.cross(n);
            body.inverse_mass + lever.dot(body.world_inverse_inertia() * lever)
        };
        let normal = DVec3::Y * ((allowed - speed.y) / give(self, DVec3::Y));
        let sliding = DVec3::new(speed.x, 0.0, speed.z);
        let grip = 0.6 * normal.y;
        let along = sliding.normalize_or_zero();
        let push = normal - along * grip.min(sliding.length() / give(self, along));
        self.kick(push, arm.cross(push));
    }

    fn step(&mut self) {
        if self.inverse_mass > 0.0 {
            self.velocity += GRAVITY * FRAME;
            for _ in 0..8 {
                if self.corners.is_empty() {
                    self.touch_ground(DVec3::Y * -self.radius);
                }
                for k in 0..self.corners.len() {
                    self.touch_ground(self.orientation * self.corners[k]);
                }
            }
        }
        self.position += self.velocity * FRAME;
        self.orientation = (DQuat::from_scaled_axis(self.spin * FRAME) * self.orientation).normalize();
    }
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// The engine: bodies by their numbers.
struct Engine(Vec<Body>);

/// All that rods want: how a body is, and that it takes an impulse.
impl HostBodies for Engine {
    fn body(&self, id: BodyId) -> Option<BodyState> {
        let body = self.0.get(id.0 as usize)?;
        Some(BodyState {
            linear_velocity: body.velocity,
            angular_velocity: body.spin,
            inverse_mass: body.inverse_mass,
            inverse_inertia: body.world_inverse_inertia(),
            acceleration: if body.inverse_mass > 0.0 { GRAVITY } else { DVec3::ZERO },
            ..BodyState::fixed(body.position, body.orientation)
        })
    }

    fn apply(&mut self, id: BodyId, impulse: BodyImpulse) {
        if let Some(body) = self.0.get_mut(id.0 as usize) {
            body.kick(impulse.linear, impulse.angular);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A trolley at 6 m, a rope of 3 m, and a crate of 200 kg on its end, turned a little, so that it lands on an edge.
    let (trolley, cargo, ball) = (BodyId(0), BodyId(1), BodyId(2));
    let half = DVec3::new(0.5, 0.4, 0.5);
    let mut crate_ = Body::cuboid(DVec3::new(0.0, 2.6, 0.0), half, 200.0);
    crate_.spin = DVec3::new(0.2, 0.5, 0.1);
    let mut engine = Engine(vec![
        Body::led(DVec3::Y * 6.0),
        crate_,
        Body::ball(DVec3::new(0.5, 1.7, 0.5), 0.1, 10.0),
    ]);

    let mut rods = RodWorld::default();
    let rope = |from: DVec3, to: DVec3| {
        let material = Material::steel_cable().with_damping(Damping::Time(0.02));
        RodSpec::new(Shape::line(from, to, 24))
            .material(material)
            .radius(0.006)
            .build()
    };
    let hoist = rods.insert(rope(DVec3::Y * 6.0, DVec3::Y * 3.0)?)?;
    let leash = rods.insert(rope(DVec3::new(0.5, 2.2, 0.5), DVec3::new(0.5, 1.8, 0.5))?)?;
    let mut tie = |rod, at, body, anchor| rods.attach(AttachmentSpec::ball(rod, at, TieTo::Body { body, anchor }));
    tie(hoist, RodPoint::Start, trolley, DVec3::ZERO)?;
    let hook = tie(hoist, RodPoint::End, cargo, DVec3::Y * half.y)?;
    // A ball of 10 kg hangs from a lower corner of the crate.
    tie(leash, RodPoint::Start, cargo, DVec3::new(half.x, -half.y, half.z))?;
    tie(leash, RodPoint::End, ball, DVec3::Y * 0.1)?;

    println!("  time   trolley     crate      ball   tension       gap");
    println!("     s         m         m         m         N        mm");
    for frame in 0..=480 {
        let time = f64::from(frame) * FRAME;
        // Down at 1 m/s for 3 s, after a second.
        engine.0[0].velocity = if (1.0..4.0).contains(&time) {
            -DVec3::Y
        } else {
            DVec3::ZERO
        };
        rods.step_with(FRAME as f32, &mut engine)?; // Rods first: bodies get their impulses …
        engine.0.iter_mut().for_each(Body::step); // … and then the engine takes its own step.

        if frame % 40 == 0 {
            let [trolley, cargo, ball] = [0, 1, 2].map(|k: usize| engine.0[k].position.y);
            let tension = rods.attachment(hook).map_or(0.0, |hook| hook.force.length());
            let crate_ = &engine.0[1];
            let end = rods.rod(hoist).map_or(DVec3::NAN, |rope| rope.position(24));
            let gap = 1e3 * end.distance(crate_.position + crate_.orientation * DVec3::Y * half.y);
            println!("{time:6.2}  {trolley:8.3}  {cargo:8.3}  {ball:8.3}  {tension:8.1}  {gap:8.3}");
        }
    }
    Ok(())
}
