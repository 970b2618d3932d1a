//! Shapes on bodies of the host, through a step.
//!
//! A body that rods can't move leads its shapes; one that they can is an unknown of the groups that it is in (`body.rs`). Here is where shapes are, who of the rods near them may
//! touch them, and how far around them one looks.

use glam::{DQuat, DVec3};
use parry3d::shape::ShapeType;

use super::{
    collider::{ColliderId, Placed},
    group::{LED, ShapeNow},
    lead::way,
    scene::Scene,
    shape::Pose,
    stage::Stage,
};
use crate::{
    coupling::{BodyId, Coupling, Island},
    solver::direct::bodies::rotation_by,
    state::{Event, RodWorld},
};

/// A shape whose body was put elsewhere by more than this, m and rad, and by this share of its way, is not led there: it is there.
const JUMP: f64 = 0.02;
const SHARE: f64 = 0.1;
/// A body is looked around by this share of its size, at least.
const AROUND: f64 = 0.01;

/// A body that shapes stand on and that rods can move, during a substep.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Its number among all bodies that shapes stand on.
    seat: u32,
    /// The island that it is in, and its number there.
    pub island: u32,
    pub body: u32,
    /// Its centre, at the start of the substep, and where it would go by itself, m and rad.
    pub start: Pose,
    pub guess: [DVec3; 2],
    /// kg; infinite where it only turns.
    pub mass: f64,
    /// How far it would fall, m.
    pub pushed: f64,
    /// How far from the centre turning moves its shapes, m for a radian, and how large they are, m.
    pub swing: f64,
    pub size: f64,
    /// How far any point of its shapes goes by itself, and how far around that one looks, m.
    pub speed: f64,
    pub margin: f64,
    /// How many times farther than usual.
    pub slack: f64,
    /// Its number in its group.
    pub number: u32,
}

impl Standing {
    fn new(seat: u32, (island, body): (u32, u32)) -> Self {
        Self {
            seat,
            island,
            body,
            start: Pose::default(),
            guess: [DVec3::ZERO; 2],
            mass: f64::INFINITY,
            pushed: 0.0,
            swing: 0.0,
            size: 0.0,
            speed: 0.0,
            margin: 0.0,
            slack: 1.0,
            number: LED,
        }
    }

    /// From the centre of the body to a shape on it.
    fn local(&self, placed: &Placed, islands: &[Island]) -> Pose {
        let own = placed.own();
        Pose {
            position: islands[self.island as usize].offsets[self.body as usize] + own.position,
            rotation: own.rotation,
        }
    }

    /// A shape on it.
    pub fn shape(&self, index: u32, placed: &Placed, islands: &[Island]) -> ShapeNow {
        let local = self.local(placed, islands);
        let end = Pose {
            position: self.start.position + self.guess[0],
            rotation: rotation_by(self.guess[1]) * self.start.rotation,
        };
        let swing = swing(placed, &local);
        ShapeNow {
            shape: placed.collider.shape.clone(),
            from: self.start.then(&local),
            to: end.then(&local),
            travel: self.guess[0].length() + swing * self.guess[1].length(),
            friction: placed.collider.friction,
            body: Some(index),
            local,
            swing,
        }
    }
}

/// How far turning its body by a radian moves points of a shape, m: a ball about the centre turns in itself.
fn swing(placed: &Placed, local: &Pose) -> f64 {
    let round = placed.collider.shape.shape_type() == ShapeType::Ball;
    let reach = if round { 0.0 } else { placed.extent.min(1e6) };
    local.position.length() + reach
}

impl RodWorld {
    /// Before a step: put the shapes on bodies where the bodies are. What sleeps near one that is new wakes.
    pub(crate) fn seat_shapes(&mut self, dt: f32) {
        for slot in 0..self.contact.colliders.slots.len() as u32 {
            let id = self.contact.colliders.name(slot);
            let Some(body) = self.contact.colliders.get(id).and_then(|placed| placed.collider.body) else {
                continue;
            };
            let way = self.coupling.way_of(body, dt.into());
            let seats = self.coupling.seats();
            let seat = seats.binary_search_by_key(&body, |seat| seat.body).ok();
            let moved = seat.is_some_and(|seat| seats[seat].island.is_some());
            let Some(placed) = self.contact.colliders.get_mut(id) else {
                continue;
            };
            let Some(way) = way else {
                placed.here = false;
                continue;
            };
            let new = !placed.here;
            placed.lead(way, moved);
            if new {
                self.wake_near(id);
            }
        }
        let Self { contact, coupling, .. } = self;
        contact.seat(coupling);
    }

    /// Bodies are gone, and with them the shapes on them.
    pub(crate) fn lose_bodies(&mut self, gone: &[BodyId]) {
        if gone.is_empty() {
            return;
        }
        for slot in 0..self.contact.colliders.slots.len() as u32 {
            let collider = self.contact.colliders.name(slot);
            let on = self
                .contact
                .colliders
                .get(collider)
                .and_then(|placed| placed.collider.body);
            if let Some(body) = on.filter(|body| gone.contains(body)) {
                self.remove_collider(collider);
                self.events.push(Event::ColliderLost { collider, body });
            }
        }
    }

    /// Where a collider is in the world, at the end of the last step: position and rotation. That may be short of where it was led to ([`Event::ColliderHeld`]). `None` when it is not there, or the host has not yet said where its body is.
    pub fn collider_pose(&self, id: ColliderId) -> Option<(DVec3, DQuat)> {
        let placed = self.contact.colliders.get(id).filter(|placed| placed.here)?;
        Some((placed.from.position, placed.from.rotation))
    }
}

impl Placed {
    /// Where it is at the start of a step, and where its body takes it.
    fn lead(&mut self, ends: [(DVec3, DQuat); 2], moved: bool) {
        let own = self.own();
        let [now, then] = ends.map(|(position, rotation)| Pose { position, rotation }.then(&own));
        let speed = now.position.distance(then.position);
        // The host may take a body elsewhere than it said: by a little, its shapes are led on from where they were.
        let [off, turned] = way(&self.aimed(), &now);
        let near = off <= JUMP + SHARE * speed && turned <= JUMP + SHARE * now.angle(&then);
        if moved || !(self.here && near) {
            self.from = now;
            self.behind = None;
        }
        self.to = then;
        self.here = true;
    }
}

impl Scene {
    /// Whether a segment does not touch a collider because it is tied to its body.
    pub fn is_excluded(&self, excluded: &[[u32; 3]], collider: u32, segment: usize) -> bool {
        let rod = &self.rods[self.rod_of[segment] as usize];
        let local = (segment - rod.segments.start) as u32;
        let known = |part: u32| excluded.binary_search(&[collider, rod.id.index(), part]).is_ok();
        !excluded.is_empty() && (known(LED) || known(local))
    }
}

impl Scene {
    /// How far a shape that is led would carry a segment, m.
    fn carried(&self, segment: u32, shape: &ShapeNow) -> f64 {
        let turn = shape.from.turn_to(&shape.to);
        let along = shape.to.position - shape.from.position;
        let far = self.ends[segment as usize].map(|p| {
            let from = self.start[p as usize] - shape.from.position;
            (along + turn.cross(from)).length()
        });
        far[0].max(far[1])
    }
}

impl Stage {
    /// Number the bodies that rods can move.
    fn seat(&mut self, coupling: &Coupling) {
        self.bodies.clear();
        let seats = coupling.seats();
        let moved = (0u32..).zip(seats).filter_map(|(at, seat)| Some((at, seat.island?)));
        self.bodies
            .extend(moved.map(|(seat, place)| Standing::new(seat, place)));
        for placed in self.colliders.iter_mut() {
            let body = placed.collider.body.filter(|_| placed.here);
            let seat = body.and_then(|body| seats.binary_search_by_key(&body, |seat| seat.body).ok());
            let standing = seat.and_then(|seat| {
                let seat = seat as u32;
                self.bodies.binary_search_by_key(&seat, |body| body.seat).ok()
            });
            placed.standing = standing.map(|standing| standing as u32);
        }
    }

    /// Rods that are tied to a body do not touch its shapes, or do so beside the tie.
    pub fn exclude(&mut self, coupling: &Coupling) {
        self.excluded.clear();
        for (collider, placed) in self.colliders.iter() {
            let Some(body) = placed.collider.body else { continue };
            for held in coupling.held_by(body) {
                if !placed.collider.touches_tied {
                    self.excluded.push([collider, held.rod, LED]);
                    continue;
                }
                let rods = &self.scene.rods;
                let Ok(rod) = rods.binary_search_by_key(&held.rod, |rod| rod.id.index()) else {
                    continue;
                };
                let segments = rods[rod].description.segments();
                let Some(tied) = segments.get(held.segment as usize) else {
                    continue;
                };
                let ends = [tied.tail, tied.head];
                let near = (0u32..)
                    .zip(segments)
                    .filter(|(_, other)| ends.contains(&other.tail) || ends.contains(&other.head));
                self.excluded
                    .extend(near.map(|(segment, _)| [collider, held.rod, segment]));
            }
        }
        self.excluded.sort_unstable();
    }

    /// Where bodies are at the start of a substep, and where they would go.
    pub(super) fn look_at_bodies(&mut self, islands: &[Island]) {
        for standing in &mut self.bodies {
            let known = &islands[standing.island as usize].bodies;
            let body = &known.bodies[standing.body as usize];
            let h = known.h;
            let ([moves, turns], _) = body.ahead(h);
            standing.start = Pose {
                position: body.center,
                rotation: body.orientation,
            };
            standing.guess = [
                if body.mass.is_some() {
                    moves
                } else {
                    body.linear_velocity * h
                },
                if body.inertia.is_some() {
                    turns
                } else {
                    body.angular_velocity * h
                },
            ];
            standing.mass = body.mass.unwrap_or(f64::INFINITY);
            standing.pushed = body.acceleration.length() * h * h;
            (standing.swing, standing.size) = (0.0, 0.0);
            standing.slack = 1.0;
        }
        for (_, placed) in self.colliders.iter() {
            if let Some(standing) = placed.standing {
                let standing = &mut self.bodies[standing as usize];
                let local = standing.local(placed, islands);
                standing.swing = standing.swing.max(swing(placed, &local));
                standing.size = standing.size.max(local.position.length() + placed.extent.min(1e6));
            }
        }
        for standing in &mut self.bodies {
            standing.speed = standing.guess[0].length() + standing.swing * standing.guess[1].length();
        }
    }

    /// How far around bodies one looks.
    pub(super) fn choose_margins(&mut self) {
        for body in &mut self.bodies {
            body.margin = body.slack * (AROUND * body.size + 0.125 * body.speed + 0.5 * body.pushed);
        }
    }

    /// How far around a shape one looks.
    pub(super) fn margin_of(&self, shape: &ShapeNow) -> f64 {
        shape.body.map_or(0.0, |body| self.bodies[body as usize].margin)
    }

    /// What is hit by something fast goes far itself. Answers whether somebody has to be looked for farther.
    pub(super) fn hurry(&mut self) -> bool {
        let mut faster = false;
        for &(s, collider) in &self.spots {
            let rod = self.scene.rod_of[s as usize] as usize;
            let shape = &self.shapes[collider as usize];
            let Some(body) = shape.body else {
                // What is led takes along what it meets.
                let wanted = self.scene.carried(s, shape);
                if wanted > self.margins[rod] {
                    self.margins[rod] = wanted;
                    faster = true;
                }
                continue;
            };
            let body = &mut self.bodies[body as usize];
            for (margin, speed) in [
                (&mut self.margins[rod], body.speed),
                (&mut body.margin, self.speeds[rod]),
            ] {
                let wanted = 0.5 * speed;
                if wanted > *margin {
                    *margin = wanted;
                    faster = true;
                }
            }
        }
        faster
    }

    /// The step is over: shapes are where their bodies are.
    pub fn land(&mut self, islands: &[Island]) {
        self.look_at_bodies(islands);
        for placed in self.colliders.iter_mut() {
            if let Some(standing) = placed.standing {
                let standing = &self.bodies[standing as usize];
                placed.to = standing.start.then(&standing.local(placed, islands));
            }
        }
    }
}
