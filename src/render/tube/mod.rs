//! Tubes around rods: one for each path that a rod's segments make.
//!
//! What depends on the rod's shape (indices, UVs) is apart from what moves (positions, normals, tangents): the former is
//! written again only when the description, the broken segments or the options change. The core takes slices, so that poses
//! between two steps can be drawn as well.

mod layout;
mod mesh;
mod options;
mod paths;
mod pose;
mod surface;

pub use layout::TubeLayout;
pub use mesh::TubeMesh;
pub use options::{Caps, TubeError, TubeOptions};
pub use pose::{PoseBuffer, TubePose};
pub use surface::TubeSurface;
