//! The same rod of another material, size or load: everything is resolved again by the formulas that built it.

use super::build::{break_strain, check_break_limit, meeting};
use super::checks::{index, not_negative, positive};
use super::description::{RodParts, Topology};
use super::error::{Place, RodError};
use super::masses::Masses;
use super::material::{Material, Stiffness};
use super::resolve::{Make, yield_limits};
use super::section::Section;
use super::spec::{BreakLimit, Yield};

impl RodParts {
    fn section(&self) -> Section {
        self.section.unwrap_or(Section::round(self.vertices[0].radius))
    }

    /// How much larger the section is at each vertex.
    fn factors(&self, section: &Section) -> Vec<f64> {
        let unit = section.equivalent_radius();
        self.vertices.iter().map(|vertex| vertex.radius / unit).collect()
    }

    /// Makes the rod of another material: stiffness, own mass, damping and friction. Loads and the limits of strain stay.
    pub(crate) fn set_material(&mut self, material: &Material, topology: Topology) -> Result<(), RodError> {
        material.check()?;
        let section = self.section();
        let factors = self.factors(&section);
        let make = Make {
            section: &section,
            material,
            factors: &factors,
        };
        let length: f64 = self.segments.iter().map(|segment| segment.rest_length).sum();
        let lengths = (topology != Topology::Graph).then(|| [length, length / self.segments.len() as f64]);
        let [stretch_relaxation, bend_relaxation] = material.relaxation(&section, lengths)?;
        let loads = Masses::of(self).loads;
        for (vertex, load) in self.vertices.iter_mut().zip(loads) {
            vertex.mass = load;
        }
        for segment in &mut self.segments {
            segment.relaxation = stretch_relaxation;
            segment.mass = make.segment_mass([segment.tail, segment.head], segment.rest_length);
            for end in [segment.tail, segment.head] {
                self.vertices[end as usize].mass += segment.mass / 2.0;
            }
        }
        for joint in &mut self.joints {
            joint.relaxation = bend_relaxation;
        }
        for clamp in &mut self.clamps {
            clamp.relaxation = bend_relaxation;
        }
        self.friction = material.friction;
        self.stiffen(&make);
        Ok(())
    }

    /// Gives the rod another stiffness and nothing else.
    pub(crate) fn set_stiffness(&mut self, stiffness: Stiffness) -> Result<(), RodError> {
        let material = Material {
            stiffness,
            bending_factor: 1.0,
            ..Material::default()
        };
        material.check()?;
        let section = self.section();
        let factors = self.factors(&section);
        self.stiffen(&Make {
            section: &section,
            material: &material,
            factors: &factors,
        });
        Ok(())
    }

    fn stiffen(&mut self, make: &Make<'_>) {
        for segment in &mut self.segments {
            [segment.axial, segment.shear] = make.stretching([segment.tail, segment.head], segment.rest_length);
        }
        for joint in &mut self.joints {
            let [a, b] = [joint.first, joint.second].map(|s| &self.segments[s as usize]);
            (joint.bending, joint.torsion) = make.bending(meeting(a, b), joint.length);
        }
        for clamp in &mut self.clamps {
            let held = &self.segments[clamp.segment as usize];
            let other = if held.tail == clamp.vertex {
                held.head
            } else {
                held.tail
            };
            (clamp.bending, clamp.torsion) = make.clamping(clamp.vertex, other, held.rest_length);
        }
    }

    /// Makes the rod thicker or thinner: EA, GA and own mass go with the square, EI and GJ with the fourth power. `radius` is that of the disc of the
    /// section's area where the rod is not tapered.
    pub(crate) fn set_radius(&mut self, radius: f64) -> Result<(), RodError> {
        positive(Place::field("radius"), radius)?;
        let section = self.section();
        let factor = radius / section.equivalent_radius();
        self.section = Some(section.scaled(factor));
        let (second, fourth) = (factor.powi(2), factor.powi(4));
        let masses = Masses::of(self);
        for (vertex, load) in self.vertices.iter_mut().zip(&masses.loads) {
            vertex.radius *= factor;
            vertex.mass = load + (vertex.mass - load) * second;
        }
        for (s, segment) in self.segments.iter_mut().enumerate() {
            segment.mass = masses.segment(s) * second;
            segment.axial *= second;
            segment.shear *= second;
        }
        for joint in &mut self.joints {
            joint.bending = joint.bending.map(|bending| bending * fourth);
            joint.torsion *= fourth;
            joint.yield_curvature /= factor;
        }
        for clamp in &mut self.clamps {
            clamp.bending = clamp.bending.map(|bending| bending * fourth);
            clamp.torsion *= fourth;
            clamp.yield_curvature /= factor;
        }
        Ok(())
    }

    /// Changes when segments break.
    pub(crate) fn set_break_at(&mut self, limit: BreakLimit) -> Result<(), RodError> {
        let limit = check_break_limit(limit)?;
        for segment in &mut self.segments {
            segment.break_strain = break_strain(limit, segment.axial);
        }
        Ok(())
    }

    /// Changes when the rod yields. A stress is taken over the section with Young's modulus as EA has it.
    pub(crate) fn set_yield(&mut self, limit: Yield) -> Result<(), RodError> {
        let section = self.section();
        let factors = self.factors(&section);
        let factor = |vertex: u32| factors[vertex as usize];
        // EA of the untapered section: all segments have the same, or each is as good as the first.
        let first = &self.segments[0];
        let young = first.axial / (factor(first.tail) * factor(first.head) * section.area());
        let [strain, curvature] = yield_limits(limit, &Material::elastic(young, 0.0, 1.0), &section)?;
        for segment in &mut self.segments {
            segment.yield_strain = strain;
        }
        for joint in &mut self.joints {
            let [a, b] = [joint.first, joint.second].map(|s| &self.segments[s as usize]);
            joint.yield_curvature = curvature / factor(meeting(a, b));
        }
        for clamp in &mut self.clamps {
            clamp.yield_curvature = curvature / factor(clamp.vertex);
        }
        Ok(())
    }

    /// Ties a mass (kg) to a vertex in the place of what was tied to it.
    pub(crate) fn set_load(&mut self, vertex: u32, load: f64) -> Result<(), RodError> {
        not_negative(Place::field("load"), load)?;
        let vertex = index(Place::field("vertex"), vertex, self.vertices.len())?;
        let masses = Masses::of(self);
        for (s, segment) in self.segments.iter_mut().enumerate() {
            segment.mass = masses.segment(s);
        }
        let own = self.vertices[vertex].mass - masses.loads[vertex];
        self.vertices[vertex].mass = own + load;
        Ok(())
    }
}
