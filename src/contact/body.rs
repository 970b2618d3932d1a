//! Bodies in a group: shapes stand on them, and what touches those moves them.
//!
//! A body's centre and rotation are two points of its system. The side of a contact that is on a body moves by `u + θ × a`, with `a` the arm from the centre to the place: that is all that Newton's method and
//! the conjugate gradients have to know. The place is that on the rod's centre line, where the rod is pressed, so that action and reaction have one line and angular momentum stays what it is. Rods
//! are not spun by what rubs on them: a ball rolls on a rope as if it were larger by the rope's radius, and a rope drives a drum at its centre line.

use glam::{DMat3, DQuat, DVec3};

use super::{
    group::{Ask, Group, LED, Point, System},
    look::Spot,
    shape::{Pose, ShapePoint},
    touch::{Side, Touch},
};
use crate::solver::direct::{bodies::cross, memory::Memory, plan::Plan};

/// A body that shapes of a group stand on.
#[derive(Clone, Copy, Debug)]
pub struct GroupBody {
    pub system: u32,
    /// Points of the group. That of the rotation holds the sum of all turns since the start of the substep.
    pub center: u32,
    pub rotation: u32,
    /// Its rotation among the frames of the plan.
    pub frame: u32,
    /// Of its centre, at the start of the substep.
    pub start: Pose,
    /// Now.
    pub orientation: DQuat,
    /// The sum of turns where the step starts.
    pub kept: DVec3,
    /// How far turning by a radian moves points of its shapes, m.
    pub swing: f64,
    /// How far they may stray from where they were thought to go, m.
    pub leash: f64,
}

impl GroupBody {
    /// Its centre, after so much of the step.
    fn pose(&self, points: &[Point], scale: f64) -> Pose {
        let [center, turn] = [self.center, self.rotation].map(|point| &points[point as usize]);
        Pose {
            position: center.now + center.step * scale,
            rotation: turned(self.orientation, turn.step * scale),
        }
    }

    /// How far the step takes points of shapes that turning by a radian moves so far, at most, m.
    pub fn reach(&self, points: &[Point], swing: f64) -> f64 {
        let [center, turn] = [self.center, self.rotation].map(|point| points[point as usize].step.length());
        center + turn * swing
    }

    /// Go where the system went.
    pub fn place(&mut self, systems: &[System], points: &mut [Point]) {
        let system = &systems[self.system as usize];
        let at = 4 * self.frame as usize;
        self.orientation = DQuat::from_slice(&system.memory.q[at..at + 4]).normalize();
        let turn = &mut points[self.rotation as usize];
        turn.now = self.kept + turn.step * system.scale;
    }

    /// Whether so much of the step takes it where nobody looked.
    pub fn strays(&self, points: &[Point], scale: f64) -> bool {
        let [center, turn] = [self.center, self.rotation].map(|point| &points[point as usize]);
        let off = |moved: DVec3, thought: DVec3| {
            let part = moved.dot(thought) / thought.length_squared().max(f64::MIN_POSITIVE);
            moved.distance(thought * part.clamp(0.0, 1.0))
        };
        let moved = center.now + center.step * scale - center.start;
        let turned = turn.now + turn.step * scale;
        off(moved, center.led) + self.swing * off(turned, turn.led) > self.leash
    }
}

/// As Newton's method turns (`newton.rs`): by 2 atan |ω/2| about ω.
fn turned(q: DQuat, step: DVec3) -> DQuat {
    let half = step * 0.5;
    (DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * q).normalize()
}

impl Group {
    /// Where the shape of a spot is, after so much of the step.
    pub(super) fn pose_of(&self, spot: &Spot, ask: &Ask<'_>, part: f64) -> Pose {
        let shape = &ask.shapes[spot.collider as usize];
        match self.bodies.get(spot.body as usize) {
            Some(body) => {
                let scale = part * self.systems[body.system as usize].scale;
                body.pose(&self.points, scale).then(&shape.local)
            }
            None => {
                let progress = self.progress + part * self.led_scale * (1.0 - self.progress);
                shape.from.lerp(&shape.to, progress)
            }
        }
    }

    /// The system of what a spot touches, or [`LED`].
    pub(super) fn system_under(&self, spot: &Spot) -> u32 {
        let body = self.bodies.get(spot.body as usize);
        body.map_or(LED, |body| body.system)
    }

    /// How far the shape of a spot went, and how far it may still go, m.
    pub(super) fn way_of_shape(&self, spot: &Spot, ask: &Ask<'_>) -> (f64, f64) {
        match self.bodies.get(spot.body as usize) {
            Some(body) => (self.travel_of(body.system), self.reach_of(body.system)),
            None => {
                let travel = ask.shapes[spot.collider as usize].travel;
                (travel * self.progress, travel * self.led_share * (1.0 - self.progress))
            }
        }
    }

    /// How far the step takes the points of a spot past its shape, at most, m.
    pub(super) fn moves_past(&self, spot: &Spot, ask: &Ask<'_>) -> f64 {
        let shape = &ask.shapes[spot.collider as usize];
        let points = spot.points.map(|point| &self.points[point as usize]);
        let scale = self.scale(points[0].system);
        if let Some(body) = self.bodies.get(spot.body as usize) {
            let shape = self.systems[body.system as usize].scale * body.reach(&self.points, shape.swing);
            return shape + scale * points[0].step.length().max(points[1].step.length());
        }
        // In the frame of what is led, which turns evenly about an axis that stays: the speed of a point there is linear in time, and greatest at one of the ends.
        let part = self.led_scale * (1.0 - self.progress);
        let went = (shape.to.position - shape.from.position) * part;
        let turn = shape.from.turn_to(&shape.to) * part;
        let origin = shape.from.position.lerp(shape.to.position, self.progress);
        let speeds = points.map(|point| {
            let step = point.step * scale - went;
            let speed = |from: DVec3| (step - turn.cross(from)).length();
            speed(point.now - origin).max(speed(point.now - origin + step))
        });
        speeds[0].max(speeds[1])
    }

    /// The mass behind the shape of a spot, kg; infinite where it is led.
    pub(super) fn mass_under(&self, spot: &Spot) -> f64 {
        let body = self.bodies.get(spot.body as usize);
        body.map_or(f64::INFINITY, |body| self.points[body.center as usize].mass)
    }

    /// The side of a spot that is on a body, touched at a place, and by how much more it moved since the start of the substep than a side can say. `None` where the shape is led.
    pub(super) fn side_under(&self, spot: &Spot, place: DVec3) -> Option<(Side, DVec3)> {
        let body = self.bodies.get(spot.body as usize)?;
        let pose = body.pose(&self.points, 0.0);
        let side = Side {
            points: [body.center, body.rotation],
            weights: [1.0, 0.0],
            segment: None,
            arm: Some(place - pose.position),
        };
        let moved = place - body.start.point(pose.inverse_point(place));
        Some((side, moved - side.value(&self.increments)))
    }

    /// How fast a step closes the gap of a spot, from the side of the rod and from that of the shape, m.
    pub(super) fn closing(&self, spot: &Spot, found: &ShapePoint, ask: &Ask<'_>) -> [f64; 2] {
        let [a, b] = spot
            .points
            .map(|point| -found.normal.dot(self.points[point as usize].step));
        let Some(body) = self.bodies.get(spot.body as usize) else {
            let shape = &ask.shapes[spot.collider as usize];
            let origin = shape.from.position.lerp(shape.to.position, self.progress);
            let turned = shape.from.turn_to(&shape.to).cross(found.on_shape - origin);
            let went = shape.to.position - shape.from.position + turned;
            return [a.max(b), found.normal.dot(went) * (1.0 - self.progress)];
        };
        let [center, turn] = [body.center, body.rotation].map(|point| self.points[point as usize].step);
        let arm = found.on_shape - self.points[body.center as usize].now;
        [a.max(b), found.normal.dot(center + turn.cross(arm))]
    }
}

/// Put a contact on a body: gradient and Hessian of `u + θ × a` on its centre and its rotation, and between them.
pub fn press(m: &mut Memory, plan: &Plan, nodes: [u32; 2], arm: DVec3, gradient: DVec3, touch: &Touch) {
    let [center, rotation] = nodes.map(|node| node as usize);
    let [xx, yy, zz, xy, xz, yz] = touch.hessian();
    let hessian = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    // θ × a = −[a]× θ.
    let turns = cross(arm) * -1.0;
    let between = hessian * turns;
    let about = turns.transpose() * between;
    for (node, push, square) in [(center, gradient, hessian), (rotation, arm.cross(gradient), about)] {
        let [x, y, z] = [square.x_axis, square.y_axis, square.z_axis];
        let more = [push.x, push.y, push.z, x.x, y.y, z.z, y.x, z.x, z.y];
        for (entry, more) in m.contact[9 * node..9 * node + 9].iter_mut().zip(more) {
            *entry += more;
        }
    }
    let body = 9 * (center - plan.first_body());
    for (entry, more) in m.contact_bodies[body..body + 9].iter_mut().zip(between.to_cols_array()) {
        *entry += more;
    }
}
