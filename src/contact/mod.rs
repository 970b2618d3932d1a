//! What rods touch: each other, themselves, and shapes.
//!
//! - `broad`: which segments may touch at all; `scene`: the rods in world space;
//! - `closest`, `shape`: distances; `barrier`, `friction`: what surfaces do to each other (paper 1, Eq. 30–33);
//! - `stage`: a substep: who may touch whom; `layout`: rods that may touch as groups, and back; `group`: Newton's method on a group, `look` (what is near), `couple` (what couples
//!   the sides), `bounds` (nothing passes through anything) and `apart` (a first guess that keeps its distances); `lead`: shapes that are led; `crowd`: too many in one place; `grid`: hair among hair.

mod apart;
pub(crate) mod barrier;
mod body;
pub(crate) mod bounds;
pub mod broad;
pub(crate) mod closest;
pub(crate) mod collider;
pub(crate) mod couple;
mod crowd;
pub(crate) mod friction;
mod grid;
pub(crate) mod group;
mod kept;
mod layout;
pub(crate) mod lead;
pub(crate) mod look;
pub(crate) mod meet;
mod rouse;
pub(crate) mod scene;
mod settings;
pub(crate) mod shape;
pub(crate) mod stage;
mod standing;
pub(crate) mod start;
mod step;
pub(crate) mod touch;
mod world;

pub use collider::{Collider, ColliderError, ColliderId};
pub(crate) use kept::Kept;
pub use meet::Neighbor;
pub(crate) use scene::Home;
pub use settings::{ContactSettings, HairGrid};
pub(crate) use stage::Stage;
pub(crate) use step::step;
pub use world::{Contact, Touched};
