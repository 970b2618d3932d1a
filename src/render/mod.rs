//! How rods look: tube meshes ([`TubeMesh`]) and debug lines ([`draw`]), into the caller's own buffers.
//!
//! Nothing here knows a renderer. Meshes are slices of `glam` vectors, lines go through a trait with one function. Both are counted from an
//! origin that the caller chooses, so that single precision is enough far from the world's.

mod debug_lines;
mod tube;

pub use debug_lines::{DebugLines, DebugOptions, draw, draw_rod, draw_tie};
pub use tube::{Caps, PoseBuffer, TubeError, TubeLayout, TubeMesh, TubeOptions, TubePose, TubeSurface};
