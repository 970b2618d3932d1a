//! Rods as tubes: what moves is written in parallel into buffers beside the meshes, which then change places with those inside.

use bevy::{
    asset::RenderAssetUsages,
    camera::primitives::Aabb,
    ecs::change_detection::{DetectChanges, Tick},
    mesh::{Indices, PrimitiveTopology, VertexAttributeValues},
    prelude::*,
};

use super::look::RodLook;
use crate::{
    ecs::{RodAsleep, RodFrozen, RodHandle, RodPose, RodTimestep, Rods},
    render::{PoseBuffer, TubeError, TubeLayout, TubeOptions, TubeSurface},
    state::RodRef,
};

/// The tube of a rod: the plugin puts it onto every rod that has a [`RodLook`], with a `Mesh3d`.
///
/// The mesh lies about the rod's own origin, so that ropes far from the world's are drawn as exactly; the entity's `Transform` says where that is and is
/// the plugin's to write.
#[derive(Component, Debug)]
pub struct RodTube {
    mesh: Handle<Mesh>,
    layout: TubeLayout,
    pose: PoseBuffer,
    /// In the form that Bevy's meshes want. They hold what is drawn two frames later, and change places with the mesh's.
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    /// As the tube writes them.
    directions: Vec<Vec4>,
    drawn: Option<Drawn>,
    /// What `show` has to do.
    news: News,
    refused: Option<TubeError>,
}

/// What was drawn last.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    pose: Tick,
    alpha: f32,
    options: TubeOptions,
    at: Vec3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum News {
    #[default]
    None,
    /// It moved.
    Moved,
    /// It is another mesh altogether.
    Shape,
}

impl RodTube {
    pub(super) fn new(meshes: &Assets<Mesh>) -> Self {
        Self {
            // To be filled when there is something in it.
            mesh: meshes.reserve_handle(),
            layout: TubeLayout::default(),
            pose: PoseBuffer::default(),
            positions: Vec::new(),
            normals: Vec::new(),
            tangents: Vec::new(),
            directions: Vec::new(),
            drawn: None,
            news: News::None,
            refused: None,
        }
    }

    /// Its mesh.
    pub fn mesh(&self) -> Handle<Mesh> {
        self.mesh.clone()
    }

    /// Write what a rod looks like at a part of the way between its last two steps. Answers the box that it is in.
    fn write(&mut self, rod: &RodRef<'_>, alpha: f32, options: &TubeOptions) -> Result<Option<[Vec3; 2]>, TubeError> {
        let new = self.layout.lay(rod.description(), rod.broken(), options)?;
        let count = self.layout.vertex_count();
        self.positions.resize(count, [0.0; 3]);
        self.normals.resize(count, [0.0; 3]);
        self.directions.resize(count, Vec4::ZERO);
        let PoseBuffer {
            positions,
            orientations,
            radii,
        } = &mut self.pose;
        let origin = rod.origin();
        positions.clear();
        positions.extend((0..rod.vertex_count()).map(|v| (rod.interpolated_position(v, alpha) - origin).as_vec3()));
        orientations.clear();
        orientations.extend((0..rod.segment_count()).map(|s| rod.interpolated_orientation(s, alpha)));
        radii.clear();
        radii.extend(rod.description().vertices().iter().map(|vertex| vertex.radius as f32));
        let surface = TubeSurface {
            positions: bytemuck::cast_slice_mut(&mut self.positions),
            normals: bytemuck::cast_slice_mut(&mut self.normals),
            tangents: &mut self.directions,
        };
        let bounds = self.layout.write_pose(&self.pose.pose(), surface)?;
        self.tangents.clear();
        self.tangents
            .extend(self.directions.iter().map(|tangent| tangent.to_array()));
        self.news = match self.news {
            News::Shape => News::Shape,
            _ if new => News::Shape,
            _ => News::Moved,
        };
        Ok(bounds)
    }

    /// A mesh of what was written, to begin with and when the shape is another.
    fn make(&self) -> Result<Mesh, TubeError> {
        let mut uvs = vec![Vec2::ZERO; self.layout.vertex_count()];
        let mut indices = vec![0; self.layout.index_count()];
        self.layout.write_shape(0, &mut uvs, &mut indices)?;
        let uvs: Vec<[f32; 2]> = uvs.iter().map(|uv| uv.to_array()).collect();
        // Both worlds keep it: its vectors are used again in each frame.
        let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, self.positions.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_TANGENT, self.tangents.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
        mesh.insert_indices(Indices::U32(indices));
        Ok(mesh)
    }

    /// Give the mesh what moved.
    fn hand_over(&mut self, mesh: &mut Mesh) {
        if let Ok(VertexAttributeValues::Float32x3(inside)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_POSITION) {
            std::mem::swap(inside, &mut self.positions);
        }
        if let Ok(VertexAttributeValues::Float32x3(inside)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_NORMAL) {
            std::mem::swap(inside, &mut self.normals);
        }
        if let Ok(VertexAttributeValues::Float32x4(inside)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_TANGENT) {
            std::mem::swap(inside, &mut self.tangents);
        }
    }
}

type Drawable<'a> = (
    &'a RodHandle,
    Ref<'a, RodPose>,
    &'a RodLook,
    &'a mut RodTube,
    &'a mut Transform,
    &'a mut Aabb,
    Has<RodAsleep>,
    Has<RodFrozen>,
);

/// Tubes are written, several at a time. A rod that looks the same as last time is left alone.
pub(super) fn draw(rods: Res<Rods>, timestep: Res<RodTimestep>, mut all: Query<Drawable>) {
    let alpha = timestep.alpha();
    all.par_iter_mut().for_each(
        |(handle, pose, look, mut tube, mut transform, mut bounds, asleep, frozen)| {
            let Some(rod) = handle.id().and_then(|id| rods.rod(id)) else {
                return;
            };
            let now = Drawn {
                pose: pose.last_changed(),
                // What rests is where it is.
                alpha: if asleep || frozen { 1.0 } else { alpha },
                options: look.tube(rod.description()),
                at: rod.origin().as_vec3(),
            };
            if tube.drawn == Some(now) {
                return;
            }
            tube.drawn = Some(now);
            match tube.write(&rod, now.alpha, &now.options) {
                Ok(found) => {
                    let found = found.map_or(Aabb::default(), |[low, high]| Aabb::from_min_max(low, high));
                    bounds.set_if_neq(found);
                    transform.set_if_neq(Transform::from_translation(now.at));
                    tube.refused = None;
                }
                Err(error) => {
                    if tube.refused.as_ref() != Some(&error) {
                        tracing::warn!(%error, "a rod can't be drawn");
                        tube.refused = Some(error);
                    }
                }
            }
        },
    );
}

/// What was written gets into the meshes.
pub(super) fn show(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut all: Query<(Entity, &mut RodTube, Has<Mesh3d>)>,
) {
    for (entity, mut tube, shown) in &mut all {
        match std::mem::take(&mut tube.bypass_change_detection().news) {
            News::None => continue,
            News::Moved => {
                let id = tube.mesh.id();
                if let Some(mut mesh) = meshes.get_mut(id) {
                    tube.hand_over(&mut mesh);
                }
            }
            // Written just now by the same layout, into a place that is kept for it: nothing is left to go wrong.
            News::Shape => match tube.make() {
                Ok(mesh) => {
                    let _ = meshes.insert(tube.mesh.id(), mesh);
                }
                Err(error) => tracing::warn!(%error, "a rod can't be drawn"),
            },
        }
        if !shown {
            commands.entity(entity).insert(Mesh3d(tube.mesh()));
        }
    }
}
