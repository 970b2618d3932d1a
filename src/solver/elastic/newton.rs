//! Newton's method on the incremental potential of one rod.
//!
//! The potential of a substep is `Σ m/2h² |u − û|² + Σ I/2h² (θ − θ̂)² + E` (paper 4, Eq. 1), with the inertia of edges about themselves. An iteration assembles the
//! banded system at the current place, solves, and moves; where the potential would rise the step is halved. Bending and twist enter with their Gauss–Newton
//! part, stretch with its exact Hessian, projected: the matrix is positive definite, and every step leads down.

use std::mem::swap;

use glam::{DMat3, DVec3};

use super::{
    Curvature,
    angles::unwrapped,
    banded::Banded,
    energy::{HeldLaw, JointLaw, Law, stretch},
    geometry::{Bent, Edge, LOCAL, curvature, curvature_gradient, twist, twist_gradient},
};

/// Two steps in a row whose ratio is below this are on their way to the end.
const SHRINKING: f64 = 0.25;
/// Half-steps before a solve gives up.
const HALVINGS: u32 = 12;
/// Done when no vertex is going to move by more than this share of a mean segment, and no edge to turn by more than this, rad.
const TOLERANCE: f64 = 1e-5;
/// A first guess with so many times the potential of standing still is thrown away.
const HOPELESS: f64 = 1e4;

/// What a vertex brings into a substep.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub free: bool,
    /// m/h², N/m.
    pub inertia: f64,
    /// `û`: where it would go by itself; of a pinned one where it is led, m.
    pub inertial: DVec3,
    /// The first guess, m.
    pub guess: DVec3,
    /// Of the couples that turn its edges, N.
    pub force: DVec3,
    /// What further stages add: `g·u + ½ uᵀHu`.
    pub extra: Option<(DVec3, DMat3)>,
}

/// How an edge resists stretch.
#[derive(Clone, Copy, Debug)]
pub enum EdgeLaw {
    /// In its length.
    Free(Law),
    /// Against a frame that does not turn.
    Held(HeldLaw),
}

/// What an edge brings into a substep.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The edge before the substep, m.
    pub span: DVec3,
    pub law: EdgeLaw,
    /// I/h² about itself, N·m.
    pub inertia: f64,
    /// `θ̂`, rad.
    pub inertial: f64,
    /// Outer torque, world, N·m.
    pub couple: DVec3,
    /// Its part about the edge itself, N·m.
    pub torque: f64,
}

impl Segment {
    fn held(&self) -> bool {
        matches!(self.law, EdgeLaw::Held(_))
    }

    fn energy(&self, place: &Place, s: usize) -> f64 {
        let away = place.turns[s] - self.inertial;
        let spin = 0.5 * self.inertia * away * away - self.torque * place.turns[s];
        let edge = &place.edges[s + 1];
        spin + match &self.law {
            EdgeLaw::Free(law) => law.energy(edge.length),
            EdgeLaw::Held(law) => law.energy(edge.tangent * edge.length),
        }
    }
}

/// A configuration of the rod.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Increments of the vertices since the start of the substep, m.
    pub u: Vec<DVec3>,
    /// Turns of the edges about themselves since then, rad.
    pub turns: Vec<f64>,
    /// The wall at the start, the edges, the wall at the end.
    pub edges: Vec<Edge>,
    /// Of joint j between `edges[j]` and `edges[j + 1]`.
    pub curvatures: Vec<[f64; 4]>,
    /// Likewise, with whole turns counted, rad.
    pub twists: Vec<f64>,
}

impl Place {
    /// Room for a rod of so many segments.
    pub fn resize(&mut self, segments: usize) {
        let wall = Edge::wall(glam::DQuat::IDENTITY);
        self.u.resize(segments + 1, DVec3::ZERO);
        self.turns.resize(segments, 0.0);
        self.edges.resize(segments + 2, wall);
        self.curvatures.resize(segments + 1, [0.0; 4]);
        self.twists.resize(segments + 1, 0.0);
    }

    /// Make this what another place becomes when its vertices and edges move on.
    pub fn follow(
        &mut self,
        from: &Self,
        problem: &Problem,
        vertex: impl Fn(usize) -> DVec3,
        turn: impl Fn(usize) -> f64,
    ) {
        let count = problem.segments.len();
        for v in 0..=count {
            self.u[v] = from.u[v] + vertex(v);
        }
        for (s, segment) in problem.segments.iter().enumerate() {
            let turned = turn(s);
            self.turns[s] = from.turns[s] + turned;
            let span = segment.span + (self.u[s + 1] - self.u[s]);
            self.edges[s + 1] = from.edges[s + 1].moved(span, turned);
        }
        self.edges[0] = from.edges[0];
        self.edges[count + 1] = from.edges[count + 1];
        let turned = |edge: usize| {
            if (1..=count).contains(&edge) {
                turn(edge - 1)
            } else {
                0.0
            }
        };
        for (j, joint) in problem.joints.iter().enumerate() {
            if joint.is_some() {
                let near = from.twists[j] + turned(j + 1) - turned(j);
                self.measure(j, near, problem.measure);
            }
        }
    }

    /// Curvature and twist of a joint, from its edges.
    pub fn measure(&mut self, joint: usize, near: f64, measure: Curvature) {
        let [first, second] = [self.edges[joint], self.edges[joint + 1]];
        let bent = Bent::new(&first, &second);
        self.curvatures[joint] = curvature(&first, &second, &bent, measure);
        self.twists[joint] = unwrapped(twist(&first, &second), near);
    }
}

/// Everything about a substep that stays as it is while it is solved.
#[derive(Clone, Debug)]
pub struct Problem {
    pub vertices: Vec<Vertex>,
    pub segments: Vec<Segment>,
    /// `None` where nothing resists: joints that broke, and ends without a wall.
    pub joints: Vec<Option<JointLaw>>,
    pub measure: Curvature,
    /// m.
    pub mean_length: f64,
    /// Whether outer torques act.
    pub turned: bool,
}

impl Default for Problem {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            segments: Vec::new(),
            joints: Vec::new(),
            measure: Curvature::BothFrames,
            mean_length: 1.0,
            turned: false,
        }
    }
}

impl Problem {
    fn unknowns(&self) -> usize {
        4 * self.segments.len() + 3
    }

    /// Put the outer torques on the edges as they lie. Across an edge a torque is a couple at its ends, `e × f = τ` with `f = τ × e/|e|²`. No potential has it
    /// (the edges turn away under it), so that it is taken anew in every iteration and as constant within.
    fn apply_couples(&mut self, place: &Place) {
        if !self.turned {
            return;
        }
        for vertex in &mut self.vertices {
            vertex.force = DVec3::ZERO;
        }
        for (s, segment) in self.segments.iter_mut().enumerate() {
            let edge = &place.edges[s + 1];
            let force = segment.couple.cross(edge.tangent) / edge.length;
            self.vertices[s].force -= force;
            self.vertices[s + 1].force += force;
            segment.torque = segment.couple.dot(edge.tangent);
        }
    }

    /// The potential at a place, J.
    pub fn potential(&self, place: &Place) -> f64 {
        let mut energy = 0.0;
        for (vertex, &u) in self.vertices.iter().zip(&place.u) {
            if !vertex.free {
                continue;
            }
            energy += 0.5 * vertex.inertia * (u - vertex.inertial).length_squared() - vertex.force.dot(u);
            if let Some((gradient, hessian)) = vertex.extra {
                energy += u.dot(gradient + hessian * u * 0.5);
            }
        }
        for (s, segment) in self.segments.iter().enumerate() {
            energy += segment.energy(place, s);
        }
        for (j, joint) in self.joints.iter().enumerate() {
            if let Some(law) = joint {
                energy += law.energy(&place.curvatures[j], place.twists[j]);
            }
        }
        energy
    }

    /// Less the gradient of the potential at a place into `force`, and its positive Hessian into `matrix`.
    pub fn assemble(&self, place: &Place, force: &mut [f64], matrix: &mut Banded) {
        let unknowns = self.unknowns();
        matrix.clear(unknowns);
        force[..unknowns].fill(0.0);
        for (v, vertex) in self.vertices.iter().enumerate() {
            let mut pull = (vertex.inertial - place.u[v]) * vertex.inertia + vertex.force;
            let mut block = DMat3::from_diagonal(DVec3::splat(vertex.inertia));
            if let Some((gradient, hessian)) = vertex.extra {
                pull -= gradient + hessian * place.u[v];
                block += hessian;
            }
            add_vector(force, 4 * v, pull);
            add_block(matrix, 4 * v, &block);
        }
        for (s, segment) in self.segments.iter().enumerate() {
            let edge = &place.edges[s + 1];
            let (pull, block) = match &segment.law {
                EdgeLaw::Free(law) => stretch(edge.tangent, edge.length, law),
                EdgeLaw::Held(law) => law.stretch(edge.tangent * edge.length),
            };
            let (tail, angle, head) = (4 * s, 4 * s + 3, 4 * s + 4);
            add_vector(force, tail, pull);
            add_vector(force, head, -pull);
            add_block(matrix, tail, &block);
            add_block(matrix, head, &block);
            for row in 0..3 {
                for column in 0..3 {
                    *matrix.at(head + row, tail + column) -= block.col(column)[row];
                }
            }
            force[angle] += segment.inertia * (segment.inertial - place.turns[s]) + segment.torque;
            *matrix.at(angle, angle) += segment.inertia;
        }
        for (j, joint) in self.joints.iter().enumerate() {
            let Some(law) = joint else { continue };
            let (first, second) = (&place.edges[j], &place.edges[j + 1]);
            let bent = Bent::new(first, second);
            let rows = curvature_gradient(first, second, &bent, self.measure);
            let twisted = twist_gradient(first, second, &bent);
            let element = law.element(&place.curvatures[j], &rows, place.twists[j], &twisted);
            for i in 0..LOCAL {
                if let Some(unknown) = (4 * j + i).checked_sub(4).filter(|&at| at < unknowns) {
                    force[unknown] -= element.gradient[i];
                }
            }
            matrix.add(&element, j, unknowns);
        }
        for (v, _) in self.vertices.iter().enumerate().filter(|(_, vertex)| !vertex.free) {
            force[4 * v..4 * v + 3].fill(0.0);
            (4 * v..4 * v + 3).for_each(|unknown| matrix.hold(unknown, unknowns));
        }
        for (s, _) in self.segments.iter().enumerate().filter(|(_, segment)| segment.held()) {
            force[4 * s + 3] = 0.0;
            matrix.hold(4 * s + 3, unknowns);
        }
    }

    /// How far a step goes: the most that a vertex moves (in mean segments) or an edge turns (rad); and the most that an edge swings, rad.
    fn size(&self, place: &Place, step: &[f64]) -> (f64, f64) {
        let (mut moved, mut swung) = (0.0f64, 0.0f64);
        let vertex = |v: usize| DVec3::from_slice(&step[4 * v..4 * v + 3]);
        for v in 0..self.vertices.len() {
            moved = moved.max(vertex(v).length() / self.mean_length);
        }
        for s in 0..self.segments.len() {
            moved = moved.max(step[4 * s + 3].abs());
            let edge = &place.edges[s + 1];
            let change = vertex(s + 1) - vertex(s);
            swung = swung.max(edge.tangent.cross(change).length() / edge.length);
        }
        (moved, swung)
    }
}

fn add_vector(list: &mut [f64], at: usize, v: DVec3) {
    for (entry, value) in list[at..at + 3].iter_mut().zip(v.to_array()) {
        *entry += value;
    }
}

fn add_block(matrix: &mut Banded, at: usize, block: &DMat3) {
    for row in 0..3 {
        for column in 0..=row {
            *matrix.at(at + row, at + column) += block.col(column)[row];
        }
    }
}

/// The memory of a solve, and the loop that lowers the potential.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub problem: Problem,
    /// Before the substep.
    pub start: Place,
    /// The current place.
    pub now: Place,
    next: Place,
    matrix: Banded,
    step: Vec<f64>,
}

impl Memory {
    /// Room for chains of so many segments.
    pub fn reserve(&mut self, segments: usize) {
        let most = segments.max(self.problem.segments.capacity());
        for place in [&mut self.start, &mut self.now, &mut self.next] {
            if place.turns.len() < most {
                place.resize(most);
            }
        }
        let problem = &mut self.problem;
        problem.vertices.clear();
        problem.segments.clear();
        problem.joints.clear();
        problem.vertices.reserve(most + 1);
        problem.segments.reserve(most);
        problem.joints.reserve(most + 1);
        self.matrix.reserve(4 * most + 3);
        if self.step.len() < 4 * most + 3 {
            self.step.resize(4 * most + 3, 0.0);
        }
    }

    /// Lower the potential from the guess. Answers the number of iterations.
    pub fn solve(&mut self, iterations: u32) -> u32 {
        self.problem.apply_couples(&self.start);
        let standing = self.stand();
        let (start, problem) = (&self.start, &self.problem);
        let guess = |v: usize| problem.vertices[v].guess;
        let spin = |s: usize| {
            if problem.segments[s].held() {
                0.0
            } else {
                problem.segments[s].inertial
            }
        };
        self.now.follow(start, problem, guess, spin);
        let mut energy = problem.potential(&self.now);
        // A guess that far above standing still (of a stiff bar under a sudden load) helps nobody. NaN is no guess either.
        let hopeful = energy <= HOPELESS * standing.abs();
        if !hopeful {
            energy = self.stand();
        }
        let (mut taken, mut energy) = self.descend(energy, iterations);
        // Where that ended above standing still, start once more from there: a substep never ends above where it began.
        // (With torques the two potentials are not the same function.)
        let below = self.problem.turned || energy <= standing + 1e-9 * standing.abs() + 1e-24;
        if !below {
            energy = self.stand();
            taken += self.descend(energy, iterations).0;
        }
        taken
    }

    /// Nothing moves but what is led. Answers the potential there.
    fn stand(&mut self) -> f64 {
        let problem = &self.problem;
        let led = |v: usize| {
            let vertex = &problem.vertices[v];
            if vertex.free { DVec3::ZERO } else { vertex.inertial }
        };
        self.now.follow(&self.start, problem, led, |_| 0.0);
        problem.potential(&self.now)
    }

    /// Go down from the current place, at the potential `energy`. Answers the iterations taken and the potential reached.
    fn descend(&mut self, mut energy: f64, iterations: u32) -> (u32, f64) {
        let unknowns = self.problem.unknowns();
        // Size of the last step where it was taken in full, else zero.
        let mut last = 0.0;
        for iteration in 0..iterations {
            if self.problem.turned {
                self.problem.apply_couples(&self.now);
                energy = self.problem.potential(&self.now);
            }
            let problem = &self.problem;
            let step = &mut self.step[..unknowns];
            problem.assemble(&self.now, step, &mut self.matrix);
            self.matrix.factor(unknowns);
            self.matrix.solve(step);
            let (moved, swung) = problem.size(&self.now, step);
            // No edge swings by more than about a radian at once: beyond, the model of the step says nothing.
            let mut scale = 1.0 / swung.max(1.0);
            let mut found = None;
            for _ in 0..HALVINGS {
                let step = &self.step;
                let vertex = |v: usize| DVec3::from_slice(&step[4 * v..4 * v + 3]) * scale;
                self.next
                    .follow(&self.now, problem, vertex, |s| step[4 * s + 3] * scale);
                let reached = problem.potential(&self.next);
                // Rounding of the sums is no rise.
                if reached <= energy + 1e-12 * (energy.abs() + reached.abs()) + 1e-24 {
                    found = Some(reached);
                    break;
                }
                scale *= 0.5;
            }
            let Some(reached) = found else {
                return (iteration + 1, energy);
            };
            swap(&mut self.now, &mut self.next);
            energy = reached;
            if scale == 1.0 && left_over(moved, last) <= TOLERANCE {
                return (iteration + 1, energy);
            }
            last = if scale == 1.0 { moved } else { 0.0 };
        }
        (iterations, energy)
    }
}

/// What a step leaves over, as far as two of them in a row can tell: the next is at most this one times the ratio of the last two, once they shrink.
fn left_over(moved: f64, last: f64) -> f64 {
    if moved < SHRINKING * last {
        moved * moved / last
    } else {
        moved
    }
}
