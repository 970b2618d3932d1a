//! What vertices, segments and joints add to the potential of a substep, at the place in work memory; its sum, and that of standing still.

use std::mem::swap;

use super::{
    blocks::{read_vector, write_vector},
    element::{Bend, BendLaw, Stretch, StretchLaw, bend, stretch},
    memory::Memory,
    newton::{Newton, read_quaternion, read_softness},
};
use crate::{
    math::{Symmetric, Vector, lanes::Double},
    solver::stable_cosserat::energy::Softness,
};

/// What a vertex adds.
pub struct VertexPart<R> {
    pub energy: R,
    /// Less the gradient.
    pub force: Vector<R>,
    /// On the diagonal, three times.
    pub inertia: R,
    /// What further stages add to its block.
    pub extra: Option<Symmetric<R>>,
}

/// How a vertex moves when nothing moves but what is led.
#[inline(always)]
pub fn still<R: Double>(m: &Memory, v: usize) -> Vector<R> {
    let led = read_vector::<R>(&m.inertial, 3 * v);
    Vector::select_positive(R::read(&m.free, v), Vector::zero(), led)
}

impl Newton<'_> {
    /// Inertia of a vertex, and what further stages add to it.
    #[inline(always)]
    pub(super) fn vertex<R: Double>(&self, v: usize) -> VertexPart<R> {
        let m = &*self.memory;
        let inertia = R::read(&m.inertia, v);
        let u = read_vector::<R>(&m.u, 3 * v);
        let away = u - read_vector(&m.inertial, 3 * v);
        let mut part = VertexPart {
            energy: away.length_squared() * R::splat(0.5) * inertia,
            force: -(away * inertia),
            inertia,
            extra: None,
        };
        if m.has_extra {
            let mut hessian = [R::zero(); 6];
            for (k, entry) in hessian.iter_mut().enumerate() {
                *entry = R::read(&m.extra, 9 * v + 3 + k);
            }
            let hessian = Symmetric(hessian);
            let gradient = read_vector::<R>(&m.extra, 9 * v);
            let pull = hessian.apply(u);
            part.energy = part.energy + u.dot(gradient + pull * R::splat(0.5));
            part.force = part.force - (gradient + pull);
            part.extra = Some(hessian);
        }
        part
    }

    /// Stretch and shear of a segment, and the torque on it.
    #[inline(always)]
    pub(super) fn segment<R: Double>(&self, s: usize) -> Stretch<R> {
        let at = &self.plan.segments[s];
        self.segment_between(s, at.tail as usize, at.head as usize)
    }

    #[inline(always)]
    pub(super) fn segment_between<R: Double>(&self, s: usize, tail: usize, head: usize) -> Stretch<R> {
        let (damped, m) = (self.damped, &*self.memory);
        let edge = read_vector::<R>(&m.edges, 3 * s) + (read_vector(&m.u, 3 * head) - read_vector(&m.u, 3 * tail));
        let law = StretchLaw {
            axial: R::read(&m.segments, 4 * s),
            shear: R::read(&m.segments, 4 * s + 1),
            length: R::read(&m.segments, 4 * s + 2),
            inverse_length: R::read(&m.segments, 4 * s + 3),
            alpha: if damped {
                R::read(&m.segment_alpha, s)
            } else {
                R::zero()
            },
            before: if damped {
                read_vector(&m.strains, 3 * s)
            } else {
                Vector::zero()
            },
        };
        let q = read_quaternion::<R>(&m.q, 4 * s);
        let mut part = stretch(damped, edge, q, &law);
        if m.has_torque {
            // An outer torque works along the rotation since the start; its gradient is −τ up to the square of that rotation.
            let outer = read_vector::<R>(&m.torque, 3 * s);
            let since = q * read_quaternion::<R>(&m.start_q, 4 * s).conjugate();
            let since = since.flip_by(since.w).vector();
            part.energy = part.energy - (since + since).dot(outer);
            part.torque = part.torque - outer;
        }
        part
    }

    /// Bend and twist of a joint.
    #[inline(always)]
    pub(super) fn joint<R: Double>(&self, j: usize) -> Bend<R> {
        let at = &self.plan.joints[j];
        self.joint_between(j, at.first as usize, at.second as usize)
    }

    #[inline(always)]
    pub(super) fn joint_between<R: Double>(&self, j: usize, first: usize, second: usize) -> Bend<R> {
        let (anisotropic, damped, m) = (self.anisotropic, self.damped, &*self.memory);
        let rest = read_quaternion(&m.rests, 4 * j);
        let law = BendLaw {
            rest,
            stiffness: R::read(&m.joint_stiffness, j),
            softness: if anisotropic {
                read_softness(&m.softness, 8 * j)
            } else {
                Softness::none()
            },
            alpha: if damped { R::read(&m.joint_alpha, j) } else { R::zero() },
            before: if damped { read_quaternion(&m.turns, 4 * j) } else { rest },
        };
        let first = read_quaternion::<R>(&m.q, 4 * first);
        let second = read_quaternion::<R>(&m.q, 4 * second);
        bend(anisotropic, damped, first, second, &law)
    }

    /// Above zero in the lanes whose potential is above `times` that of standing still.
    ///
    /// What the vertices lack of their inertial motion is known from the start, and mostly decides; the elastic part is summed up only where it does not.
    #[inline(always)]
    pub(super) fn above_standing<R: Double>(&mut self, energy: R, times: f64) -> R {
        let (zero, one, times) = (R::zero(), R::one(), R::splat(times));
        let mut standing = R::read(&self.memory.standing, 0);
        if !self.memory.standing_is_whole {
            if !(energy - standing * times).any_positive() {
                return zero;
            }
            standing = self.standing::<R>();
            standing.write(&mut self.memory.standing, 0);
            self.memory.standing_is_whole = true;
        }
        let slack = standing.mul_add(R::splat(1e-9), R::splat(1e-24));
        R::select_positive(energy - standing * times - slack, one, zero)
    }

    /// Potential where nothing moves but what is led.
    #[inline(always)]
    fn standing<R: Double>(&mut self) -> R {
        let (plan, m) = (self.plan, &mut *self.memory);
        for v in 0..plan.vertices {
            write_vector(still::<R>(m, v), &mut m.still, 3 * v);
        }
        swap(&mut m.u, &mut m.still);
        swap(&mut m.q, &mut m.start_q);
        let energy = self.potential::<R>();
        let m = &mut *self.memory;
        swap(&mut m.u, &mut m.still);
        swap(&mut m.q, &mut m.start_q);
        energy
    }

    /// Potential at the current place, and nothing else.
    #[inline(always)]
    pub(super) fn potential<R: Double>(&self) -> R {
        let plan = self.plan;
        let mut energy = R::zero();
        for v in 0..plan.vertices {
            energy = energy + self.vertex::<R>(v).energy;
        }
        for s in 0..plan.segments.len() {
            energy = energy + self.segment::<R>(s).energy;
        }
        for j in 0..plan.joints.len() {
            energy = energy + self.joint::<R>(j).energy;
        }
        if let Some(bodies) = self.bodies {
            energy = energy + R::splat(bodies.energy(plan, self.memory));
        }
        energy
    }
}
