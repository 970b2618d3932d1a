//! A mesh with buffers of its own.

use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::{PoseBuffer, TubeError, TubeLayout, TubeOptions, TubePose, TubeSurface};
use crate::{rod::RodDescription, state::RodRef};

/// The tubes of a rod as a triangle mesh, written again each frame without allocating.
///
/// ```
/// use glam::DVec3;
/// use lariat::{prelude::*, render::{TubeMesh, TubeOptions}};
///
/// let rope = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, 16)).pin(0).build()?;
/// let mut world = RodWorld::default();
/// let id = world.insert(rope)?;
/// let mut mesh = TubeMesh::default();
/// for _ in 0..3 {
///     world.step(1.0 / 60.0)?;
///     if let Some(rod) = world.rod(id) {
///         // Drawn by a node at the rod's origin, which is near: single precision is enough.
///         let shape_is_new = mesh.write(&rod, rod.origin(), &TubeOptions::default())?;
///         if shape_is_new {
///             // Upload mesh.indices() and mesh.uvs() too, not only what moved.
///         }
///     }
/// }
/// assert_eq!(mesh.positions().len(), mesh.uvs().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TubeMesh {
    layout: TubeLayout,
    read: PoseBuffer,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    uvs: Vec<Vec2>,
    indices: Vec<u32>,
    bounds: Option<[Vec3; 2]>,
}

impl TubeMesh {
    /// Write the tubes of a rod as it is now, counted from `origin`. Answers whether indices and UVs are new, too.
    pub fn write(&mut self, rod: &RodRef<'_>, origin: DVec3, options: &TubeOptions) -> Result<bool, TubeError> {
        let mut read = std::mem::take(&mut self.read);
        read.read(rod, origin);
        let answer = self.write_pose(rod.description(), rod.broken(), &read.pose(), options);
        self.read = read;
        answer
    }

    /// Write the tubes of a rod in a pose of the caller's, for instance between two steps.
    pub fn write_pose(
        &mut self,
        rod: &Arc<RodDescription>,
        broken: &[u32],
        pose: &TubePose<'_>,
        options: &TubeOptions,
    ) -> Result<bool, TubeError> {
        pose.check(rod)?;
        let new = self.layout.lay(rod, broken, options)?;
        if new {
            let vertices = self.layout.vertex_count();
            self.positions.resize(vertices, Vec3::ZERO);
            self.normals.resize(vertices, Vec3::ZERO);
            self.tangents.resize(vertices, Vec4::ZERO);
            self.uvs.resize(vertices, Vec2::ZERO);
            self.indices.resize(self.layout.index_count(), 0);
            self.layout.write_shape(0, &mut self.uvs, &mut self.indices)?;
        }
        let surface = TubeSurface {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: &mut self.tangents,
        };
        self.bounds = self.layout.write_checked(pose, surface);
        Ok(new)
    }

    /// From the origin of the drawing, m.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Outwards, of unit length.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Direction in which u grows, and 1 for w: see [`TubeSurface`].
    pub fn tangents(&self) -> &[Vec4] {
        &self.tangents
    }

    /// u once around, v along the rod at rest.
    pub fn uvs(&self) -> &[Vec2] {
        &self.uvs
    }

    /// Three for each triangle, counterclockwise as seen from outside.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// A box that holds the mesh, lowest and highest corner; `None` when it is empty.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        self.bounds
    }
}
