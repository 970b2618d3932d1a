//! What a rod *is*: shape, material and topology, validated once into an immutable [`RodDescription`].
//!
//! A person writes a [`RodSpec`] (a recipe in physical units) or wires a [`GraphBuilder`]; both resolve to the same
//! [`RodDescription`], which every solver, host and file format reads. Resolution is in `f64`, so that a strand of hair
//! and a bridge lose nothing before the run-time state rounds to `f32`. The energies that the numbers feed are those of
//! papers 1 and 2: `k_ss = EA·l` a segment, `k_bt = 4·EI/l` a joint.

mod build;
mod checks;
mod description;
mod error;
mod frames;
mod graph;
mod layout;
mod masses;
mod material;
mod point;
mod presets;
mod remade;
mod resample;
mod resize;
mod resolve;
mod section;
pub(crate) mod serde_forms;
mod shape;
mod spec;
mod validate;

#[cfg(test)]
mod tests;

pub use checks::MAX_ELEMENTS;
pub use description::{Clamp, DEFAULT_FRICTION, Joint, RodDescription, RodParts, Segment, Topology, Vertex};
pub use error::{Place, RodError};
pub use graph::{GraphBuilder, JointProperties, SegmentProperties};
pub(crate) use masses::Masses;
pub use material::{Damping, Density, Material, Shear, Stiffness};
pub use point::{RodPoint, RodPointError};
pub use presets::Preset;
pub use section::{Section, Taper};
pub use shape::{Joints, Shape};
pub use spec::{BreakLimit, ClampAt, Load, RestShape, RodSpec, Twist, Yield};
