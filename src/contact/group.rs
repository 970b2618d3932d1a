//! A group: systems (a rod each) that touch each other or shapes, solved together.
//!
//! Newton's method on the sum of the systems' potentials, barriers and friction. In an iteration every system is factored with its own share of the contacts' Hessians; what
//! couples the sides is left to conjugate gradients with those factors as the preconditioner (`couple.rs`). Then every system goes as far as it may
//! without passing through anything (`bounds.rs`).

use std::{ops::Range, sync::Arc};

use glam::DVec3;
use rayon::prelude::*;
use tracing::trace_span;

use super::{
    body::{GroupBody, press},
    bounds::Watch,
    couple::Gradients,
    look::{Deep, Pair, Spot, Usual},
    shape::{Pose, ShapePoint},
    touch::{Remembered, Touch},
};
use crate::{
    math::lanes::Arithmetic,
    solver::direct::{bodies::Bodies, memory::Memory, plan::Plan, substep::Features, touching::Touching},
};

/// Stands for a system that is led: a shape, or a rod that nothing here can move.
pub const LED: u32 = u32::MAX;

/// A point of a group: a vertex.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// World, at the start of the substep and now.
    pub start: DVec3,
    pub now: DVec3,
    /// The step that is to be taken.
    pub step: DVec3,
    pub radius: f64,
    /// kg; infinite where it is held.
    pub mass: f64,
    /// Its system, or [`LED`], and its node there.
    pub system: u32,
    pub node: u32,
    /// Where it was thought to go, from the start; of a point that is led, where it goes.
    pub led: DVec3,
    /// How far it may stray from the way there, m: beyond, nobody looked for what is in its way.
    pub leash: f64,
}

/// A system of a group.
#[derive(Clone, Debug)]
pub struct System {
    pub plan: Arc<Plan>,
    pub memory: Memory,
    pub features: Features,
    pub owner: Owner,
    /// The bodies among its unknowns, while they are lent.
    pub bodies: Option<Bodies>,
    pub points: Range<usize>,
    /// It wanted to go where nobody looked.
    pub strayed: bool,
    /// How much of the step it takes.
    pub scale: f64,
    /// How far its points went in all, at most, and how far the step takes them, m.
    pub travel: f64,
    pub reach: f64,
    pub energy: f64,
}

/// What a system is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A rod of the scene.
    Rod(u32),
    /// The rods and bodies of an island.
    Island(u32),
}

/// A shape as a group sees it: where it is at the start and at the end of the substep.
#[derive(Clone)]
pub struct ShapeNow {
    pub shape: parry3d::shape::SharedShape,
    pub from: Pose,
    pub to: Pose,
    /// How far any of its points goes, m.
    pub travel: f64,
    pub friction: f64,
    /// Number of the body that it stands on, if that is an unknown, where it is from the body's centre, and how far turning that by a radian moves it, m.
    pub body: Option<u32>,
    pub local: Pose,
    pub swing: f64,
}

impl ShapeNow {
    /// Whether a segment can be nearest to it between its ends: not to a plane.
    pub fn is_round(&self) -> bool {
        self.shape.shape_type() != parry3d::shape::ShapeType::HalfSpace
    }

    /// Whether it goes somewhere whatever rods do, if they let it.
    pub fn is_led(&self) -> bool {
        self.body.is_none() && self.travel > 0.0
    }

    /// Stands where there is none.
    pub fn nowhere() -> Self {
        Self {
            shape: parry3d::shape::SharedShape::ball(0.0),
            from: Pose::default(),
            to: Pose::default(),
            travel: 0.0,
            friction: 0.0,
            body: None,
            local: Pose::default(),
            swing: 0.0,
        }
    }
}

/// What a solve is asked for.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub h: f64,
    /// m/s².
    pub gravity: f64,
    pub iterations: u32,
    pub arithmetic: Arithmetic,
    /// Go on where a system strays, as far as it may.
    pub anyway: bool,
    /// Systems of one group may go to several threads.
    pub parallel: bool,
    pub shapes: &'a [ShapeNow],
}

/// What a solve took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub iterations: u32,
    pub linear: u32,
    pub halvings: u32,
}

/// See the head of the file.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub systems: Vec<System>,
    pub points: Vec<Point>,
    /// Bodies that shapes stand on.
    pub bodies: Vec<GroupBody>,
    pub pairs: Vec<Pair>,
    pub spots: Vec<Spot>,
    pub touches: Vec<Touch>,
    /// What is known from the substep before, by key.
    pub remembered: Vec<Remembered>,
    /// By rods and what they touched in the substep before. Sorted.
    pub usual: Vec<Usual>,
    /// How much of the led motion was done, how much of what is left is to come next, and how much of that comes.
    pub progress: f64,
    pub led_share: f64,
    pub led_scale: f64,
    /// How far what is led goes at most, m.
    pub led_travel: f64,
    pub report: Report,
    /// Some of its segments are crowded: what can't be right anyway is not worth many iterations.
    pub crowded: bool,
    /// Some system strayed: everybody has to look again, and farther.
    pub strayed: bool,
    /// The touches that the last step was chosen by.
    pub(super) before: Vec<Touch>,
    pub increments: Vec<DVec3>,
    pub(super) watches: Vec<Watch>,
    /// Of watches that were judged fine: how much of their steps the two took.
    pub(super) judged: Vec<Option<[f64; 2]>>,
    pub(super) found: Vec<ShapePoint>,
    pub(super) gradients: Gradients,
    /// By how much the first guess was bent, of points.
    pub(super) bent: Vec<DVec3>,
    /// Places on shapes whose bands are drawn in. Sorted.
    pub(super) deep: Vec<Deep>,
    pub(super) starting: bool,
    /// A barrier was made stronger: energies before and after do not compare.
    pub(super) strengthened: bool,
}

/// Half-steps before a step is taken as it is.
const HALVINGS: u32 = 3;
/// Done when nothing moves by more than this share of the thinnest radius.
const STILL: f64 = 1e-4;
/// Nor by more than this share of the way that it went, and of the radius.
const STILL_MOVING: f64 = 1e-3;
const STILL_FAST: f64 = 5e-3;
/// So many times the iterations where something is still led against rods, or held back.
const LONGER: u32 = 3;
/// And so many times fewer in a crowd.
const FEWER: u32 = 4;
/// Or when an iteration gained less than this share of the energies.
const LITTLE: f64 = 1e-4;
/// The same with bodies: what rolls or turns on rods goes along with little energy, and what is left over at the end would brake it.
const LITTLE_OF_BODIES: f64 = 1e-7;
/// Systems are factored by several threads from so many points on.
const MANY: usize = 1000;

impl Group {
    /// Forget everything but the memory.
    pub fn clear(&mut self) {
        self.points.clear();
        self.bodies.clear();
        self.pairs.clear();
        self.spots.clear();
        self.touches.clear();
        self.before.clear();
        self.remembered.clear();
        self.usual.clear();
        self.deep.clear();
        self.led_travel = 0.0;
        self.crowded = false;
    }

    /// Move everything by a substep.
    pub fn solve(&mut self, ask: &Ask<'_>) {
        let radius = self.points.iter().fold(f64::INFINITY, |least, p| least.min(p.radius));
        self.report = Report::default();
        self.strayed = false;
        self.begin(ask);
        let mut before = f64::INFINITY;
        let mut halvings = 0;
        // What is led gets where it is led to, if it takes longer; and what is held back would lose its momentum.
        let mut iteration = 0;
        let (mut led, mut whole) = (true, false);
        let (most, longest) = if self.crowded {
            (ask.iterations / FEWER, ask.iterations / FEWER)
        } else {
            (ask.iterations, LONGER * ask.iterations)
        };
        while iteration < most || !whole && iteration < longest {
            iteration += 1;
            self.report.iterations += 1;
            let sound = self.look(ask);
            self.pace_led(iteration == 1);
            let rubbed = rubbing(&self.before, &self.increments);
            let pushing: f64 = self.touches.iter().map(|touch| touch.energy).sum();
            self.assemble();
            let rods = self.sweep(ask);
            let energy = rods + pushing + rubbed;
            let fine = sound && energy <= before + 1e-9 * before.abs() + 1e-15;
            // Where something is led against rods, that lifts the potential.
            if iteration > 1 && !(fine || led && sound) && halvings < HALVINGS {
                halvings += 1;
                self.report.halvings += 1;
                std::mem::swap(&mut self.touches, &mut self.before);
                self.shorten(0.5, ask.arithmetic);
                continue;
            }
            halvings = 0;
            // What is left to gain is too little to matter.
            let gained = before - energy;
            let little = if self.bodies.is_empty() {
                LITTLE
            } else {
                LITTLE_OF_BODIES
            };
            let done = iteration > 3 && gained < little * (rods.abs() + pushing);
            before = rods + pushing + rubbing(&self.touches, &self.increments);
            self.couple(ask);
            let moved = self.choose_step(ask.arithmetic);
            self.strengthened = false;
            self.bound(ask);
            if self.strayed && !ask.anyway {
                return;
            }
            led = self.progress < 1.0;
            if self.strengthened {
                before = f64::INFINITY;
            }
            self.advance(ask.arithmetic);
            whole = self.progress >= 1.0 && self.systems.iter().all(|system| system.scale >= 1.0);
            let farthest = self
                .systems
                .iter()
                .fold(0.0, |most: f64, system| most.max(system.travel));
            let still = (STILL_MOVING * farthest).min(STILL_FAST * radius).max(STILL * radius);
            // Nor does what is held come further by waiting.
            let stuck = self.led_scale == 0.0 && self.progress < 1.0 && moved < STILL * radius;
            if stuck && !self.strengthened || whole && (moved < still || done) {
                break;
            }
        }
        self.look(ask);
        tracing::trace!(
            systems = self.systems.len(),
            pairs = self.pairs.len(),
            touches = self.touches.len(),
            iterations = self.report.iterations,
            linear = self.report.linear,
            halvings = self.report.halvings,
            "a group is solved"
        );
    }

    /// Stand still, see what is near, and go to the first guess as far as that is safe.
    fn begin(&mut self, ask: &Ask<'_>) {
        self.progress = 0.0;
        self.led_share = 1.0;
        for (index, system) in (0u32..).zip(&mut self.systems) {
            system.memory.has_contact = true;
            system.travel = 0.0;
            system.scale = 1.0;
            system.touching(ask.arithmetic).open();
            system.read_step(index, &mut self.points, &self.bodies);
        }
        self.increments.clear();
        self.increments.resize(self.points.len(), DVec3::ZERO);
        self.starting = true;
        self.look(ask);
        self.touches.clear();
        self.keep_apart(ask);
        self.bound(ask);
        self.starting = false;
        self.advance(ask.arithmetic);
    }

    /// Factor every system. Answers the sum of their potentials.
    fn sweep(&mut self, ask: &Ask<'_>) -> f64 {
        let _span = trace_span!("factor").entered();
        let arithmetic = ask.arithmetic;
        let visit = |system: &mut System| system.energy = system.touching(arithmetic).sweep();
        if ask.parallel && self.points.len() >= MANY {
            self.systems.par_iter_mut().for_each(visit);
        } else {
            self.systems.iter_mut().for_each(visit);
        }
        self.systems.iter().map(|system| system.energy).sum()
    }

    /// Put what touches into the systems.
    fn assemble(&mut self) {
        for system in &mut self.systems {
            system.memory.contact.fill(0.0);
            system.memory.contact_edges.fill(0.0);
            system.memory.contact_bodies.fill(0.0);
        }
        for touch in &mut self.touches {
            let slid = touch.slid(&self.increments);
            touch.sliding = touch.friction.stiffness(slid);
            let gradient = touch.gradient(slid, self.led_share);
            let hessian = touch.hessian();
            let normal = touch.normal_square();
            let sides = if touch.fixed { 1 } else { 2 };
            for ((side, sign), tilt) in touch.sides[..sides].iter().zip([-1.0, 1.0]).zip(touch.tilt) {
                let system = self.points[side.points[0] as usize].system;
                let Some(system) = self.systems.get_mut(system as usize) else {
                    continue;
                };
                let m = &mut system.memory;
                if let Some(arm) = side.arm {
                    let [center, rotation] = side.points.map(|point| self.points[point as usize].node);
                    press(m, &system.plan, [center, rotation], arm, gradient * sign, touch);
                    continue;
                }
                for (&point, &weight) in side.points.iter().zip(&side.weights) {
                    let cell = 9 * self.points[point as usize].node as usize;
                    let push = gradient * (sign * weight);
                    for (entry, more) in m.contact[cell..cell + 3].iter_mut().zip(push.to_array()) {
                        *entry += more;
                    }
                    for (entry, more) in m.contact[cell + 3..cell + 9].iter_mut().zip(hessian) {
                        *entry += more * (weight * weight);
                    }
                    for (entry, more) in m.contact[cell + 3..cell + 9].iter_mut().zip(normal) {
                        *entry += more * tilt;
                    }
                }
                if let Some(segment) = side.segment {
                    let cell = 6 * segment as usize;
                    let weight = side.weights[0] * side.weights[1];
                    for (entry, (more, square)) in m.contact_edges[cell..cell + 6]
                        .iter_mut()
                        .zip(hessian.into_iter().zip(normal))
                    {
                        *entry += more * weight - square * tilt;
                    }
                }
            }
        }
    }

    /// The step of every system from its right-hand side. Answers the largest motion, m.
    fn choose_step(&mut self, arithmetic: Arithmetic) -> f64 {
        let mut most: f64 = 0.0;
        for (index, system) in (0u32..).zip(&mut self.systems) {
            let (_, turned) = system.touching(arithmetic).limit();
            for body in self.bodies.iter_mut().filter(|body| body.system == index) {
                body.kept = self.points[body.rotation as usize].now;
            }
            // No segment turns by more than about a radian at once: beyond, the model of the step says nothing.
            system.scale = 1.0 / turned.max(1.0);
            system.read_step(index, &mut self.points, &self.bodies);
            most = most.max(system.reach);
        }
        most
    }

    /// Take the step.
    fn advance(&mut self, arithmetic: Arithmetic) {
        self.progress += self.led_scale * (1.0 - self.progress);
        if self.progress > 1.0 - 1e-12 {
            self.progress = 1.0;
        }
        for system in &mut self.systems {
            system.travel += system.scale * system.reach;
        }
        self.place(arithmetic);
    }

    /// Go back a part of the step. (What travelled did so: the bounds of what was not looked at count the way there and back.)
    fn shorten(&mut self, by: f64, arithmetic: Arithmetic) {
        for system in &mut self.systems {
            system.travel += system.scale * system.reach;
            system.scale *= by;
        }
        self.place(arithmetic);
    }

    fn place(&mut self, arithmetic: Arithmetic) {
        let points = &mut self.points;
        for system in &mut self.systems {
            let scale = system.scale;
            system.touching(arithmetic).place(scale);
            let vertices = system.plan.vertices as u32;
            // Rotations come after.
            for point in points[system.points.clone()].iter_mut().filter(|p| p.node < vertices) {
                let at = 3 * point.node as usize;
                point.now = point.start + DVec3::from_slice(&system.memory.u[at..at + 3]);
            }
        }
        for body in &mut self.bodies {
            body.place(&self.systems, points);
        }
        for point in points.iter_mut().filter(|point| point.system == LED) {
            point.now = point.start + point.led * self.progress;
        }
        for (increment, point) in self.increments.iter_mut().zip(&self.points) {
            *increment = point.now - point.start;
        }
    }
}

impl System {
    /// The parts of Newton's method.
    pub fn touching(&mut self, arithmetic: Arithmetic) -> Touching<'_> {
        Touching {
            plan: &self.plan,
            memory: &mut self.memory,
            features: self.features,
            bodies: self.bodies.as_ref(),
            arithmetic,
        }
    }

    /// Look at the step of the points.
    pub(super) fn read_step(&mut self, index: u32, points: &mut [Point], bodies: &[GroupBody]) {
        let mut most: f64 = 0.0;
        let vertices = self.plan.first_body() as u32;
        for point in &mut points[self.points.clone()] {
            debug_assert_eq!(point.system, index);
            let at = 3 * point.node as usize;
            point.step = DVec3::from_slice(&self.memory.step[at..at + 3]);
            if point.node < vertices {
                most = most.max(point.step.length_squared());
            }
        }
        self.reach = most.sqrt();
        for body in bodies.iter().filter(|body| body.system == index) {
            self.reach = self.reach.max(body.reach(points, body.swing));
        }
    }
}

/// The potential of friction.
fn rubbing(touches: &[Touch], increments: &[DVec3]) -> f64 {
    let parts = touches
        .iter()
        .map(|touch| touch.friction.energy(touch.slid(increments)));
    parts.sum()
}
