//! S5 by rapier: a rigid capsule a segment, joined by spherical joints.

use glam::DVec3;
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SphericalJointBuilder, Vector,
};

use crate::{
    FRAME, FRICTION, Figures, RADIUS,
    film::Film,
    pile::{ROPES, SEGMENTS, frames, stair},
};

const LINK: f64 = 1.0 / SEGMENTS as f64;

struct Scene {
    physics: PhysicsWorld,
    ropes: Vec<Vec<RigidBodyHandle>>,
}

impl Scene {
    fn new() -> Self {
        let mut physics = PhysicsWorld::new();
        physics.gravity = Vector::Y * -9.81;
        physics.integration_parameters.dt = FRAME;
        let floor = ColliderBuilder::cuboid(10.0, 1.0, 10.0).friction(FRICTION as f32);
        physics.insert(RigidBodyBuilder::fixed().translation(Vector::Y * -1.0), floor);
        let half = (0.5 * LINK) as f32;
        let mut ropes = Vec::new();
        for k in 0..ROPES {
            let (middle, along) = stair(k);
            let turn = Vector::Y * -along.z.atan2(along.x) as f32;
            let mut rope: Vec<RigidBodyHandle> = Vec::new();
            for s in 0..SEGMENTS {
                let place = middle + along * ((s as f64 + 0.5) * LINK - 0.5);
                // Awake, like ours.
                let body = RigidBodyBuilder::dynamic()
                    .translation(Vector::new(place.x as f32, place.y as f32, place.z as f32))
                    .rotation(turn)
                    .can_sleep(false);
                let shape = ColliderBuilder::capsule_x(half, RADIUS as f32)
                    .mass(LINK as f32)
                    .friction(FRICTION as f32);
                let (body, _) = physics.insert(body, shape);
                if let Some(&before) = rope.last() {
                    let joint = SphericalJointBuilder::new()
                        .local_anchor1(Vector::X * half)
                        .local_anchor2(Vector::X * -half)
                        .contacts_enabled(false);
                    physics.insert_impulse_joint(before, body, joint);
                }
                rope.push(body);
            }
            ropes.push(rope);
        }
        Self { physics, ropes }
    }

    /// Centre lines: where joints gape, the middle of the gap.
    fn points(&self) -> Vec<Vec<DVec3>> {
        let line = |rope: &Vec<RigidBodyHandle>| {
            let ends: Vec<[DVec3; 2]> = rope.iter().map(|&body| self.ends(body)).collect();
            let joints = ends.windows(2).map(|pair| 0.5 * (pair[0][1] + pair[1][0]));
            let first = ends.iter().take(1).map(|e| e[0]);
            first.chain(joints).chain(ends.last().map(|e| e[1])).collect()
        };
        self.ropes.iter().map(line).collect()
    }

    fn ends(&self, body: RigidBodyHandle) -> [DVec3; 2] {
        let body = &self.physics.bodies[body];
        let (place, q) = (body.translation(), body.rotation());
        let place = DVec3::new(place.x.into(), place.y.into(), place.z.into());
        let q = glam::DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into()).normalize();
        [-0.5, 0.5].map(|share| place + q * DVec3::X * (share * LINK))
    }
}

pub fn measure(figures: &mut Figures) {
    let mut scene = Scene::new();
    let (count, late) = frames();
    let film = Film::shoot(&mut scene, count, late, |scene, _| scene.physics.step(), Scene::points);
    let verdict = film.judge(RADIUS, true);
    println!(
        "S5, capsules of rapier: {} pairs passed, overlap {:.4} r, {:.2} ms settled, {:.2} ms over all",
        verdict.passed,
        verdict.deepest / RADIUS,
        film.ms_late,
        film.ms
    );
    figures.push(("s5_rapier_ms", film.ms_late));
}
