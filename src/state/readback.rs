//! Looking at a rod: where it is, how it is strained, what energy it holds. All of it is computed when asked for, in `f64`.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use super::{
    block::{Block, position, quaternion, vector},
    resident::Resident,
    world::RodId,
};
use crate::{
    math::Quaternion,
    rod::RodDescription,
    solver::{Curvature, Solver, elastic::readback as elastic, law::BentJoint},
};

/// The energy of a rod, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of stretch and shear.
    pub stretch: f64,
    /// Of bending and twist.
    pub bend: f64,
    /// Of height, against the world's gravity.
    pub gravity: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.stretch + self.bend + self.gravity
    }
}

/// A rod of a [`RodWorld`](super::RodWorld), to look at. An index outside the rod answers NaN, never a panic.
#[derive(Clone, Copy, Debug)]
pub struct RodRef<'a> {
    pub(super) block: &'a Block,
    pub(super) lane: usize,
    pub(super) resident: &'a Resident,
    pub(super) id: RodId,
    gravity: Vec3,
}

impl<'a> RodRef<'a> {
    pub(super) fn new(block: &'a Block, lane: usize, id: RodId, gravity: Vec3) -> Option<Self> {
        let resident = block.rods[lane].as_ref()?;
        Some(Self {
            block,
            lane,
            resident,
            id,
            gravity: gravity * resident.gravity_scale,
        })
    }

    /// Its name.
    pub fn id(&self) -> RodId {
        self.id
    }

    /// What the rod is.
    pub fn description(&self) -> &'a Arc<RodDescription> {
        &self.resident.description
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.description().vertices().len()
    }

    /// Number of segments.
    pub fn segment_count(&self) -> usize {
        self.description().segments().len()
    }

    /// Where the rod's coordinates are counted from.
    pub fn origin(&self) -> DVec3 {
        self.resident.origin
    }

    /// Position of a vertex, world, m.
    pub fn position(&self, vertex: usize) -> DVec3 {
        if vertex >= self.vertex_count() {
            return DVec3::NAN;
        }
        self.resident.origin + self.local(vertex)
    }

    /// Position from the rod's origin.
    fn local(&self, vertex: usize) -> DVec3 {
        let (row, lane) = self.block.vertex_place(self.lane, vertex);
        position(&self.block.vertices[row], lane)
    }

    /// Velocity of a vertex, m/s.
    pub fn velocity(&self, vertex: usize) -> Vec3 {
        if vertex >= self.vertex_count() {
            return Vec3::NAN;
        }
        let (row, lane) = self.block.vertex_place(self.lane, vertex);
        vector(&self.block.vertices[row].velocity, lane)
    }

    /// Orientation of a segment: `d₃ = orientation · Z` points along it.
    pub fn orientation(&self, segment: usize) -> Quat {
        if segment >= self.segment_count() {
            return Quat::NAN;
        }
        let (row, lane) = self.block.segment_place(self.lane, segment);
        quaternion(&self.block.segments[row].orientation, lane)
    }

    /// Whether a vertex is pinned.
    pub fn is_pinned(&self, vertex: usize) -> bool {
        vertex < self.vertex_count() && {
            let (row, lane) = self.block.vertex_place(self.lane, vertex);
            self.block.vertices[row].free.0[lane] == 0.0
        }
    }

    /// Whether a segment is broken.
    pub fn is_broken(&self, segment: usize) -> bool {
        self.resident.broken.iter().any(|&s| s as usize == segment)
    }

    /// The segments that broke, in the order in which they did.
    pub fn broken(&self) -> &'a [u32] {
        &self.resident.broken
    }

    /// Outer forces on vertices, as [`RodMut::set_force`](super::RodMut::set_force) set them, N.
    pub fn forces(&self) -> impl Iterator<Item = (usize, Vec3)> + 'a {
        self.resident
            .forces
            .iter()
            .map(|&(vertex, force)| (vertex as usize, force))
    }

    /// The frame of the wall that a clamp holds to. `None` when there is no such clamp, or it was released.
    pub fn clamp_frame(&self, clamp: usize) -> Option<Quat> {
        let rod = self.description();
        rod.clamps().get(clamp)?;
        let [_, (row, lane)] = self.block.joint_places(self.lane, rod, rod.joints().len() + clamp);
        if self.block.joints[row].stiffness.0[lane] == 0.0 {
            return None;
        }
        let (row, lane) = self.block.wall_place(self.lane, rod, clamp);
        Some(quaternion(&self.block.segments[row].orientation, lane))
    }

    /// Whether the rod went non-finite and was frozen.
    pub fn is_quarantined(&self) -> bool {
        self.resident.quarantined
    }

    /// Length of the unbroken segments now, m.
    pub fn length(&self) -> f64 {
        self.whole_segments().map(|s| self.edge(s).length()).sum()
    }

    /// Length now over length at rest, less one; unbroken segments.
    pub fn stretch(&self) -> f64 {
        let rest: f64 = (self.whole_segments()).map(|s| self.rest_length(s)).sum();
        if rest > 0.0 { self.length() / rest - 1.0 } else { 0.0 }
    }

    /// Rest length of a segment as it is now, m: what a winch feeds and what flowed is in it.
    pub fn rest_length(&self, segment: usize) -> f64 {
        if segment >= self.segment_count() {
            return f64::NAN;
        }
        let (row, lane) = self.block.segment_place(self.lane, segment);
        self.block.segments[row].rest_length.0[lane].into()
    }

    /// Strain of a segment: length now over rest length, less one.
    pub fn segment_strain(&self, segment: usize) -> f64 {
        match self.description().segments().get(segment) {
            Some(_) => self.edge(segment).length() / self.rest_length(segment) - 1.0,
            None => f64::NAN,
        }
    }

    /// Force through a segment, in its own frame: shear along d₁ and d₂, tension along d₃, N.
    pub fn section_force(&self, segment: usize) -> Vec3 {
        self.stress(segment).map_or(Vec3::NAN, |(_, force)| force.as_vec3())
    }

    /// Strain and force of a segment in its own frame, with the stiffness that its solver gives it.
    fn stress(&self, segment: usize) -> Option<(DVec3, DVec3)> {
        self.description().segments().get(segment)?;
        if let Solver::GeneralizedAlpha { .. } = self.block.kind.solver {
            // No strain to tell the force by: it is an unknown of the solver.
            let head = self.lane * self.vertex_count() + segment + 1;
            return Some((DVec3::ZERO, DVec3::from_array(self.block.alpha_nodes[head].force)));
        }
        let frame = self.orientation(segment).as_dquat().normalize();
        let strain = frame.conjugate() * (self.edge(segment) / self.rest_length(segment)) - DVec3::Z;
        let (row, lane) = self.block.segment_place(self.lane, segment);
        let row = &self.block.segments[row];
        let axial = f64::from(row.axial.0[lane]);
        let shear = self.block.kind.solver.shear_stiffness(axial, row.shear.0[lane].into());
        Some((strain, strain * DVec3::new(shear, shear, axial)))
    }

    /// Tension of a segment, N; negative under pressure.
    pub fn tension(&self, segment: usize) -> f64 {
        self.section_force(segment).z.into()
    }

    /// Moment that a joint puts on its second segment, in that segment's frame (about d₁, d₂ and, twisting, d₃), N·m.
    pub fn moment(&self, joint: usize) -> Vec3 {
        if let Solver::Elastic { curvature } = self.block.kind.solver {
            return self
                .elastic_joint(joint, curvature)
                .map_or(Vec3::NAN, |j| j.moment.as_vec3());
        }
        let Some(bent) = self.joint_state(joint) else {
            return Vec3::NAN;
        };
        let world = self.block.kind.solver.bend_moment(&bent);
        DVec3::from(bent.second.conjugate().rotate(world.into())).as_vec3()
    }

    /// Twist of a joint about the rod's axis, away from rest, rad. Discrete elastic rods count whole turns.
    pub fn twist(&self, joint: usize) -> f64 {
        if let Solver::Elastic { curvature } = self.block.kind.solver {
            return self.elastic_joint(joint, curvature).map_or(f64::NAN, |j| j.twist);
        }
        let Some(BentJoint {
            first, second, rest, ..
        }) = self.joint_state(joint)
        else {
            return f64::NAN;
        };
        let r = rest.conjugate() * (first.conjugate() * second);
        let (z, w) = if r.w < 0.0 { (-r.z, -r.w) } else { (r.z, r.w) };
        2.0 * z.atan2(w)
    }

    /// The energy of the rod, clamps included.
    pub fn energy(&self) -> Energy {
        let rod = self.description();
        let mut energy = Energy::default();
        for (v, vertex) in rod.vertices().iter().enumerate() {
            let velocity = self.velocity(v).as_dvec3();
            energy.kinetic += 0.5 * vertex.mass * velocity.length_squared();
            energy.gravity -= vertex.mass * self.gravity.as_dvec3().dot(self.position(v));
        }
        for s in 0..rod.segments().len() {
            let stress = self.stress(s);
            energy.stretch += stress.map_or(0.0, |(strain, force)| 0.5 * self.rest_length(s) * strain.dot(force));
        }
        if let Solver::Elastic { curvature } = self.block.kind.solver {
            for segment in 0..rod.segments().len() {
                energy.kinetic += elastic::spin_energy(self.block, self.lane, rod, segment);
            }
            for joint in 0..rod.joints().len() + rod.clamps().len() {
                energy.bend += self.elastic_joint(joint, curvature).map_or(0.0, |j| j.energy);
            }
            return energy;
        }
        for joint in 0..rod.joints().len() + rod.clamps().len() {
            if let Some(bent) = self.joint_state(joint) {
                energy.bend += self.block.kind.solver.bend_energy(&bent);
            }
        }
        energy
    }

    /// Mixes the bits of the state into a fingerprint (FNV-1a over words).
    pub(super) fn hash_into(&self, hash: u64) -> u64 {
        let vertices = (0..self.vertex_count()).flat_map(|v| {
            let (row, lane) = self.block.vertex_place(self.lane, v);
            let row = &self.block.vertices[row];
            [
                vector(&row.position, lane),
                vector(&row.residual, lane),
                vector(&row.velocity, lane),
            ]
            .into_iter()
            .flat_map(|v| v.to_array())
        });
        let segments = (0..self.segment_count()).flat_map(|s| self.orientation(s).to_array());
        let spins = (0..self.segment_count()).flat_map(|s| {
            let (row, lane) = self.block.segment_place(self.lane, s);
            let spin = self.block.spin.get(row).map(|spin| vector(spin, lane).to_array());
            spin.into_iter().flatten()
        });
        let twists =
            (self.block.twists.iter()).flat_map(|twist| [&twist.residual, &twist.twist].map(|row| row.0[self.lane]));
        vertices
            .chain(segments)
            .chain(spins)
            .chain(twists)
            .fold(hash, |hash, value| {
                (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }

    fn elastic_joint(&self, joint: usize, curvature: Curvature) -> Option<elastic::JointReading> {
        elastic::joint(self.block, self.lane, self.description(), joint, curvature)
    }

    fn whole_segments(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.segment_count()).filter(|&s| !self.is_broken(s))
    }

    fn edge(&self, segment: usize) -> DVec3 {
        let s = &self.description().segments()[segment];
        self.local(s.head as usize) - self.local(s.tail as usize)
    }

    /// The two orientations of a joint (clamps come after the joints), its rest orientation, stiffness and softness as the solver has them.
    fn joint_state(&self, joint: usize) -> Option<BentJoint> {
        let rod = self.description();
        let (first, second) = if let Some(j) = rod.joints().get(joint) {
            (self.orientation(j.first as usize), self.orientation(j.second as usize))
        } else {
            let k = joint - rod.joints().len();
            let clamp = rod.clamps().get(k)?;
            let (row, lane) = self.block.wall_place(self.lane, rod, k);
            let wall = quaternion(&self.block.segments[row].orientation, lane);
            (wall, self.orientation(clamp.segment as usize))
        };
        let (rest, stiffness, softness) = self.block.stored_joint(self.lane, rod, joint);
        Some(BentJoint {
            first: unit(first),
            second: unit(second),
            rest: unit(rest),
            stiffness,
            softness,
        })
    }
}

/// To `f64`, and to unit length there: single precision is off by 1e-7, which a stiff rod would show.
fn unit(q: Quat) -> Quaternion<f64> {
    Quaternion::from(q.as_dquat().normalize())
}
