//! Islands: the rods that hang together by dynamic bodies, and those bodies, stepped as one.
//!
//! A body that rods can move enters their solve; one that they can't (kinematic, static, a point in the world) is led, and every island has its own copy of it, so that
//! a thousand ropes on one ceiling stay a thousand islands. Islands share nothing, as blocks do, and go to threads in the same way. Rods of the
//! direct solver, and where rods touch things all that contact moves, are one system with the bodies ([`bodies`](crate::solver::direct)); others see a body as mass on their vertices (`lumped.rs`).

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{
    attachment::{AttachmentId, AttachmentSpec, Tie as TieKind, TieTo},
    host::{BodyId, BodyState},
    inertia::inertia,
    lumped::Lump,
    registry::Attachment,
};
use crate::{
    math::{
        Quaternion, Symmetric,
        lanes::{Double, DoubleKernel, dispatch_double},
    },
    rod::RodDescription,
    solver::{
        Integrator, Settings, Solver,
        direct::{
            bodies::{Bodies, Body, BodyHistory, Tie},
            memory::Memory,
            newton::Newton,
            plan::{Part, Plan},
            substep::{DirectStep, Features, measure, open},
        },
        stable_cosserat::{
            energy::{Softness, bend_moment},
            rows::{Outcome, Substep},
        },
        step::{Work, aim, arrive, conclude, push, substep_of},
        wind_field::Air,
    },
    state::{
        RodId,
        block::{Block, position, quaternion, softness_entries},
        reel::feed,
        resident::Resident,
    },
};

/// A rigid tie is so many times as stiff as the segment that it holds: its gap is then a hundredth of what the segment gives.
pub(super) const RIGID: f64 = 100.0;

/// A rod of an island.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its block in the world; it is alone there, in lane 0.
    pub block: u32,
    /// Where it stands in the plan; `None` for a rod of Stable Cosserat.
    pub part: Option<Part>,
}

/// An attachment in an island.
#[derive(Clone, Debug)]
pub(crate) struct IslandTie {
    /// Slot of the attachment.
    pub attachment: u32,
    pub member: usize,
    pub body: usize,
    pub segment: u32,
    pub along: f64,
    /// As the user wants it; the frame of a weld is taken from its first substep when it is not given.
    pub spec: AttachmentSpec,
    /// Number of the tie in the plan, and of the weld's joint.
    pub tie: Option<usize>,
    pub joint: Option<usize>,
    /// Of a weld: stiffness about the segment's three axes, N·m, and relaxation time, s.
    pub turning: [f64; 3],
    pub turning_relaxation: f64,
    /// What it did in the last substep.
    pub force: DVec3,
    pub torque: DVec3,
    pub gap: DVec3,
    pub angle: f64,
    /// Gave way.
    pub broken: bool,
}

/// Where the state of a body comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// Number of the host's body among those that were read.
    Host(usize),
    /// The place that an attachment holds to: slot of the attachment.
    Point(u32),
}

/// What an island is made from: as long as it is the same, so is the island.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub attachment: AttachmentId,
    pub rod: RodId,
    pub block: u32,
    pub form: Form,
    pub segment: u32,
    pub kind: TieKind,
    pub body: Option<BodyId>,
    /// The rod is one system with the body.
    pub joined: bool,
}

/// What the plan of a rod is made from: a chain is known by its length, a graph by its description, which is kept alive, so that no other one comes
/// to stand at its address.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Chain(u32),
    Graph(Arc<RodDescription>),
}

impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Chain(a), Self::Chain(b)) => a == b,
            (Self::Graph(a), Self::Graph(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Rods and bodies that are stepped as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    pub keys: Vec<Key>,
    pub members: Vec<Member>,
    pub sources: Vec<Source>,
    /// From the body's centre to its frame's origin, in its frame.
    pub offsets: Vec<DVec3>,
    pub ties: Vec<IslandTie>,
    /// Of the bodies, and of the members that the direct solver moves.
    pub plan: Option<Arc<Plan>>,
    pub bodies: Bodies,
    /// The members' blocks, while a step has lent them.
    pub blocks: Vec<Block>,
    pub outcomes: Vec<Outcome>,
    /// What bodies put on the vertices of the member that is being moved.
    pub lumps: Vec<Lump>,
    /// Bodies go by BDF2.
    pub second_order: bool,
    /// Some of its members are one system with the bodies.
    pub direct: bool,
    /// Somebody else solved this substep, or one of this step.
    pub solved: bool,
    pub touched: bool,
    /// The velocities of a lone body at the start of the step, m/s and rad/s.
    pub started: [DVec3; 2],
    /// Iterations of the last step.
    pub iterations: u32,
}

impl Island {
    /// Take up the state of a body.
    pub fn load(&mut self, body: usize, state: &BodyState) {
        self.offsets[body] = -state.center_of_mass;
        self.bodies.bodies[body] = Body {
            center: state.center(),
            orientation: state.orientation.normalize(),
            linear_velocity: state.linear_velocity,
            angular_velocity: state.angular_velocity,
            acceleration: state.acceleration,
            mass: state.mass(),
            inertia: inertia(state.inverse_inertia),
            history: None,
        };
    }

    /// A body that no rod is tied to, for shapes on it to be touched.
    pub fn lone(host: usize, plan: Arc<Plan>) -> Self {
        let mut island = Self {
            sources: vec![Source::Host(host)],
            plan: Some(plan),
            ..Self::default()
        };
        island.make_room(0);
        island
    }

    /// Room for the bodies and for so many ties.
    pub fn make_room(&mut self, ties: usize) {
        let idle = Body {
            center: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            linear_velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            mass: None,
            inertia: None,
            history: None,
        };
        self.bodies.bodies = vec![idle; self.sources.len()];
        self.offsets = vec![DVec3::ZERO; self.sources.len()];
        self.bodies.ties = vec![Tie::default(); ties];
        self.blocks.reserve(self.members.len());
        self.outcomes = vec![Outcome::default(); self.members.len()];
        self.lumps.reserve(self.ties.len());
    }

    /// Whether bodies go by BDF2: as all rods do that hang on them.
    pub fn is_second_order(&self) -> bool {
        let second = |block: &Block| {
            block.kind.solver
                == Solver::Direct {
                    integrator: Integrator::Bdf2,
                }
        };
        !self.blocks.is_empty() && self.blocks.iter().all(second)
    }

    /// All substeps of a step.
    pub fn step(&mut self, work: &mut Work, settings: &Settings, air: Option<Air<'_>>, dt: f32, h: f32, start: f64) {
        self.begin(settings, dt, h);
        for substep in 0..settings.substeps {
            let time = start + f64::from(h) * f64::from(substep);
            self.prepare(work, settings, air, h, time, settings.substeps - substep);
            self.solve(&mut work.direct, settings, h);
            self.conclude();
        }
        self.end();
    }

    /// Before the substeps.
    pub fn begin(&mut self, settings: &Settings, dt: f32, h: f32) {
        self.iterations = 0;
        self.touched = false;
        self.second_order = self.is_second_order();
        self.keep_histories(f64::from(h));
        for block in &mut self.blocks {
            // Whatever it is tied to may move: a tied rod does not sleep.
            block.wake(0);
            block.report_sleep();
            block.keep_previous(settings.interpolation);
            // What is tied goes where the body goes: it does not sleep.
            block.wake_all();
            aim(block, dt);
        }
    }

    /// The start of a substep, of which so many are left: forces, and the rods that see bodies as mass.
    pub fn prepare(
        &mut self,
        work: &mut Work,
        settings: &Settings,
        air: Option<Air<'_>>,
        h: f32,
        time: f64,
        left: u32,
    ) {
        for block in &mut self.blocks {
            feed(block, left);
            push(block, settings, air, h, time);
        }
        self.bodies.h = h.into();
        self.advance_lumped(work, settings, h);
        if self.direct {
            self.aim_ties(h);
        }
    }

    /// Move the rods that are one system with the bodies.
    pub fn solve(&mut self, memory: &mut Memory, settings: &Settings, h: f32) {
        if self.direct {
            self.iterations += self.launch(Phase::All, memory, settings, h);
            self.conclude_members();
        } else {
            self.coast();
        }
    }

    /// Lay out that system for somebody else to solve. Answers what its rods ask for.
    pub fn lay_out(&mut self, memory: &mut Memory, settings: &Settings, h: f32) -> Features {
        self.launch(Phase::Start, memory, settings, h);
        features(&self.members, &self.blocks, &self.ties)
    }

    /// Take up what was found for it.
    pub fn take_back(&mut self, memory: &mut Memory, settings: &Settings, h: f32, iterations: u32) {
        self.launch(Phase::Finish, memory, settings, h);
        self.solved = true;
        self.touched = true;
        self.iterations += iterations;
        self.conclude_members();
    }

    /// The end of a substep.
    pub fn conclude(&mut self) {
        self.look_at_lumped();
        for tie in &mut self.ties {
            tie.broken |= tie.force.length() > tie.spec.break_force || tie.torque.length() > tie.spec.break_torque;
        }
    }

    /// After the substeps.
    pub fn end(&mut self) {
        for block in &mut self.blocks {
            arrive(block);
            block.report_sleep();
        }
    }

    /// BDF2 wants equal steps.
    fn keep_histories(&mut self, h: f64) {
        for body in &mut self.bodies.bodies {
            let same = |history: &BodyHistory| self.second_order && (history.h - h).abs() < 1e-5 * h;
            body.history = body.history.filter(same);
        }
    }

    fn launch(&mut self, phase: Phase, memory: &mut Memory, settings: &Settings, h: f32) -> u32 {
        let kernel = IslandStep {
            substep: substep_of(settings, h, Solver::default()),
            island: self,
            memory,
            phase,
        };
        launch(settings, kernel)
    }

    fn conclude_members(&mut self) {
        for (member, block) in self.blocks.iter_mut().enumerate() {
            if self.members[member].part.is_some() {
                conclude(block, &self.outcomes[member]);
            }
        }
    }

    /// Ties of the direct members for a substep: gaps as they are now.
    fn aim_ties(&mut self, h: f32) {
        for k in 0..self.ties.len() {
            let Some(t) = self.ties[k].tie else { continue };
            let anchor = self.anchor(k);
            let body = &self.bodies.bodies[self.ties[k].body];
            let at = body.center + body.orientation * anchor;
            let gap = self.rod_point(k) - at;
            let tie = &self.ties[k];
            let stiffness = match (tie.broken, tie.spec.stiffness) {
                (true, _) => 0.0,
                (false, Some(stiffness)) => stiffness,
                (false, None) => RIGID * self.segment_stiffness(k),
            };
            self.bodies.ties[t] = Tie {
                along: tie.along,
                body: tie.body,
                anchor,
                gap,
                stiffness,
                alpha: tie.spec.relaxation / f64::from(h),
                max_force: tie.spec.max_force,
            };
            self.choose_frame(k);
        }
    }

    /// A weld without a frame of its own holds the segment as it is.
    pub(super) fn choose_frame(&mut self, k: usize) {
        if self.ties[k].spec.frame.is_none() && self.ties[k].spec.kind == TieKind::Weld {
            let body = self.bodies.bodies[self.ties[k].body].orientation;
            self.ties[k].spec.frame = Some((body.conjugate() * self.segment_orientation(k)).normalize());
        }
    }

    /// From the body's centre to the anchor, in the body's frame.
    pub(super) fn anchor(&self, k: usize) -> DVec3 {
        self.ties[k].anchor() + self.offsets[self.ties[k].body]
    }

    /// The tied point of the rod, world.
    pub(super) fn rod_point(&self, k: usize) -> DVec3 {
        let tie = &self.ties[k];
        let block = &self.blocks[tie.member];
        let Some(resident) = &block.rods[0] else {
            return DVec3::NAN;
        };
        let segment = &resident.description.segments()[tie.segment as usize];
        let [tail, head] = [segment.tail, segment.head].map(|v| {
            let (row, at) = block.vertex_place(0, v as usize);
            position(&block.vertices[row], at)
        });
        resident.origin + tail.lerp(head, tie.along)
    }

    pub(super) fn segment_orientation(&self, k: usize) -> DQuat {
        let tie = &self.ties[k];
        let block = &self.blocks[tie.member];
        let (row, at) = block.segment_place(0, tie.segment as usize);
        quaternion(&block.segments[row].orientation, at).as_dquat().normalize()
    }

    /// EA/l of the tied segment; of a broken one, as it was.
    pub(super) fn segment_stiffness(&self, k: usize) -> f64 {
        let tie = &self.ties[k];
        let resident = self.blocks[tie.member].rods[0].as_ref();
        resident.map_or(0.0, |resident| {
            let segment = &resident.description.segments()[tie.segment as usize];
            segment.axial / segment.rest_length * (1.0 + segment.relaxation / self.bodies.h)
        })
    }

    /// Gaps and angles of the ties that are not in the plan.
    fn look_at_lumped(&mut self) {
        for k in 0..self.ties.len() {
            if self.ties[k].tie.is_some() {
                continue;
            }
            let body = self.bodies.bodies[self.ties[k].body];
            let gap = self.rod_point(k) - (body.center + body.orientation * self.anchor(k));
            let segment = self.segment_orientation(k);
            let tie = &mut self.ties[k];
            tie.gap = gap;
            tie.angle = tie
                .spec
                .frame
                .map_or(0.0, |frame| between(body.orientation * frame, segment));
        }
    }

    /// Bodies that no direct rod holds go by their velocities.
    fn coast(&mut self) {
        let h = self.bodies.h;
        for body in &mut self.bodies.bodies {
            if body.mass.is_some() {
                body.linear_velocity += body.acceleration * h;
            }
            body.center += body.linear_velocity * h;
            body.turn(h);
        }
    }
}

/// The direct members of an island and its bodies, one substep.
struct IslandStep<'a> {
    island: &'a mut Island,
    memory: &'a mut Memory,
    substep: Substep,
    phase: Phase,
}

/// How much of a substep: its start, its end, or everything.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    All,
    Start,
    Finish,
}

/// Kept out of line: one copy of the kernel.
#[inline(never)]
fn launch(settings: &Settings, kernel: IslandStep<'_>) -> u32 {
    dispatch_double(settings.arithmetic, true, kernel)
}

impl DoubleKernel for IslandStep<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<R: Double>(self) -> u32 {
        let Island {
            members,
            plan: Some(plan),
            blocks,
            second_order,
            bodies,
            ties,
            outcomes,
            ..
        } = self.island
        else {
            return 0;
        };
        let features = features(members, blocks, ties);
        let memory = self.memory;
        let mut taken = 0;
        if self.phase != Phase::Finish {
            open::<R>(memory, features);
            for (member, block) in members.iter().zip(blocks.iter_mut()) {
                let Some(part) = &member.part else { continue };
                step(block, plan, memory, self.substep, features).start::<R>(0, part);
            }
            bodies.start(plan, memory);
            start_welds(plan, memory, bodies, ties, features);
            measure::<R>(memory, plan);
        }
        if self.phase == Phase::All {
            taken = Newton {
                anisotropic: features.anisotropic,
                damped: features.damped,
                chain: false,
                plan,
                memory,
                iterations: self.substep.iterations,
                bodies: Some(bodies),
            }
            .run::<R>();
        }
        if self.phase == Phase::Start {
            return taken;
        }
        for (member, block) in members.iter().zip(blocks.iter_mut()).enumerate() {
            let (member, (place, block)) = (member, block);
            let Some(part) = &place.part else { continue };
            outcomes[member] = Outcome::default();
            step(block, plan, memory, self.substep, features).finish::<R>(&mut outcomes[member], 0, part);
        }
        answer(plan, memory, bodies, ties);
        bodies.finish(plan, memory, *second_order);
        taken
    }
}

#[inline(always)]
fn step<'a>(
    block: &'a mut Block,
    plan: &'a Plan,
    memory: &'a mut Memory,
    substep: Substep,
    features: Features,
) -> DirectStep<'a> {
    let second_order = block.kind.solver
        == Solver::Direct {
            integrator: Integrator::Bdf2,
        };
    DirectStep {
        block,
        plan,
        memory,
        substep,
        features,
        second_order,
    }
}

/// What any of the rods, or a weld, asks for.
fn features(members: &[Member], blocks: &[Block], ties: &[IslandTie]) -> Features {
    let direct = members.iter().zip(blocks).filter(|(member, _)| member.part.is_some());
    let all = direct.fold(Features::default(), |all, (_, block)| all.or(Features::of(block)));
    ties.iter().filter(|tie| tie.joint.is_some()).fold(all, |all, tie| {
        let [a, b, c] = tie.turning;
        all.or(Features {
            anisotropic: a != b || b != c,
            damped: tie.turning_relaxation > 0.0,
            ..Features::default()
        })
    })
}

/// Lay out the welds as joints between bodies and segments.
fn start_welds(plan: &Plan, m: &mut Memory, bodies: &Bodies, ties: &[IslandTie], features: Features) {
    for tie in ties {
        let (Some(j), Some(frame)) = (tie.joint, tie.spec.frame) else {
            continue;
        };
        let stiffness = if tie.broken { [0.0; 3] } else { tie.turning };
        let largest = stiffness.into_iter().fold(0.0, f64::max);
        frame.write_to_slice(&mut m.rests[4 * j..4 * j + 4]);
        m.joint_stiffness[j] = largest;
        if features.anisotropic {
            let entries = softness_entries(DQuat::IDENTITY, stiffness, true);
            m.softness[8 * j..8 * j + 8].copy_from_slice(&entries);
        }
        if features.damped {
            let first = bodies.bodies[tie.body].orientation;
            let second = DQuat::from_slice(&m.start_q[4 * plan.joints[j].second as usize..]);
            m.joint_alpha[j] = tie.turning_relaxation / bodies.h;
            (first.conjugate() * second).write_to_slice(&mut m.turns[4 * j..4 * j + 4]);
        }
    }
}

fn softness([a, b, c, d, e, f, real, ratio]: [f64; 8]) -> Softness<f64> {
    let matrix = Symmetric([a, b, c, d, e, f]);
    Softness { matrix, real, ratio }
}

/// What the ties did: forces, torques and what is left of gaps and angles.
fn answer(plan: &Plan, m: &Memory, bodies: &Bodies, ties: &mut [IslandTie]) {
    for tie in ties {
        let Some(t) = tie.tie else { continue };
        (tie.force, tie.gap) = bodies.force(plan, m, t);
        let (Some(j), Some(frame)) = (tie.joint, tie.spec.frame) else {
            continue;
        };
        let at = &plan.joints[j];
        let [first, second] = [at.first, at.second].map(|f| DQuat::from_slice(&m.q[4 * f as usize..]));
        tie.turn(first, second, frame);
    }
}

impl IslandTie {
    /// Take up what an attachment is now: where on the rod, and how stiff a weld is there.
    pub(super) fn aim(&mut self, attachment: &Attachment, rod: Option<&Resident>) {
        self.spec = attachment.spec;
        self.broken = false;
        let Some(rod) = rod else { return };
        self.along = attachment.along;
        if rod.broken.contains(&self.segment) {
            // Its two ends have nothing in common any more: the nearer one is held.
            self.along = self.along.round();
        }
        if self.spec.kind == TieKind::Weld {
            // A winch changes the length of the segment at the end.
            (self.turning, self.turning_relaxation) = weld_stiffness(&rod.description, self.segment, self.along);
        }
    }

    /// The place that it holds to, in the body's frame.
    fn anchor(&self) -> DVec3 {
        match self.spec.to {
            TieTo::Body { anchor, .. } => anchor,
            TieTo::Point(_) => DVec3::ZERO, // The body itself is there.
        }
    }

    /// Torque and angle of a weld between a body and a segment that are turned so.
    pub(super) fn turn(&mut self, body: DQuat, segment: DQuat, frame: DQuat) {
        let stiffness = if self.broken { [0.0; 3] } else { self.turning };
        let largest = stiffness.into_iter().fold(0.0, f64::max);
        let entries = softness_entries(DQuat::IDENTITY, stiffness, true);
        let [first, second, rest] = [body, segment, frame].map(Quaternion::from);
        let moment = bend_moment(first, second, rest, largest, softness(entries));
        self.torque = -DVec3::from(moment);
        self.angle = between(body * frame, segment);
    }
}

/// The angle between two orientations.
fn between(a: DQuat, b: DQuat) -> f64 {
    let off = a.conjugate() * b;
    2.0 * off.xyz().length().atan2(off.w.abs())
}

/// Which of a rod's stiffness a weld has, about the segment's axes, N·m, and its relaxation time.
pub(super) fn weld_stiffness(rod: &RodDescription, segment: u32, along: f64) -> ([f64; 3], f64) {
    let own = &rod.segments()[segment as usize];
    let near = (rod.joints().iter()).find(|j| j.first == segment || j.second == segment);
    // A lone segment has no joint to tell: a round, solid section of its stiffness and radius.
    let ([a, b], torsion, relaxation) = near.map_or_else(
        || {
            let radius = rod.vertices()[own.tail as usize].radius;
            let bending = 0.25 * own.axial * radius * radius;
            ([bending; 2], bending, own.relaxation)
        },
        |j| (j.bending, j.torsion, j.relaxation),
    );
    let ends = |vertex: u32| {
        let at = |s: &&crate::rod::Segment| s.tail == vertex || s.head == vertex;
        rod.segments().iter().filter(at).count() == 1
    };
    let is_end = (along == 0.0 && ends(own.tail)) || (along == 1.0 && ends(own.head));
    if is_end {
        // As a clamp: half a segment between the end and the middle of the segment.
        (
            [a, b, torsion].map(|rigidity| 4.0 * rigidity / (0.5 * own.rest_length)),
            relaxation,
        )
    } else {
        let most = RIGID * 4.0 * a.max(b).max(torsion) / own.rest_length;
        ([most; 3], 0.0)
    }
}
