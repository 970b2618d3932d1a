//! Trees in a gusty wind, and their leaves: `cargo run --example trees --features examples`.
//!
//! The scene is paper 1's, as `lab run trees` measures it.

#[path = "stage/play.rs"]
mod play;
#[path = "../scenes/mod.rs"]
mod scenes;
mod stage;

use bevy::{
    asset::RenderAssetUsages,
    camera::visibility::NoFrustumCulling,
    mesh::{Indices, PrimitiveTopology, VertexAttributeValues},
    prelude::*,
};
use lariat::prelude::*;
use stage::Stage;

fn main() -> AppExit {
    let scene = match scenes::builtin::trees::trees(&Default::default()) {
        Ok(scene) => scene,
        Err(error) => {
            eprintln!("{error}");
            return AppExit::error();
        }
    };
    let bark = |_: &str| RodLook::smooth(Color::srgb(0.33, 0.25, 0.19)).detail(6, 1);
    Stage::new("Trees in the wind: 9,948 vertices")
        .seen_from([2.0, 3.0, 17.0], [0.0, 3.4, 0.0])
        .play(scene, bark)
        .add_systems(Update, grow_leaves)
        .add_systems(PostUpdate, move_leaves)
        .run()
}

/// The leaves of a tree: which twigs they grow on.
#[derive(Component)]
struct Leaves {
    tree: Entity,
    /// Segments that end in the air.
    twigs: Vec<(u32, u32, u32)>,
}

const PER_TWIG: usize = 5;

/// A crown for each tree, as soon as it stands.
fn grow_leaves(
    mut commands: Commands,
    rods: Res<Rods>,
    trees: Query<(Entity, &RodHandle), Changed<RodHandle>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (tree, handle) in &trees {
        let Some(rod) = handle.id().and_then(|id| rods.rod(id)) else {
            continue;
        };
        let segments = rod.description().segments();
        let mut meeting = vec![0u32; rod.vertex_count()];
        for segment in segments {
            meeting[segment.tail as usize] += 1;
            meeting[segment.head as usize] += 1;
        }
        let ends = segments
            .iter()
            .zip(0u32..)
            .filter(|(segment, _)| meeting[segment.head as usize] == 1);
        let twigs: Vec<(u32, u32, u32)> = ends.map(|(segment, k)| (segment.tail, segment.head, k)).collect();
        let leaves = twigs.len() * PER_TWIG;
        let quad = |leaf: u32| [0, 1, 2, 2, 1, 3].map(|corner| 4 * leaf + corner);
        let greens = (0..leaves).flat_map(|leaf| {
            let shade = 0.7 + 0.3 * random(leaf as u32, 3);
            [[0.20 * shade, 0.42 * shade, 0.09 * shade, 1.0]; 4]
        });
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0f32; 3]; 4 * leaves])
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0f32, 1.0, 0.0]; 4 * leaves])
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, greens.collect::<Vec<_>>())
            .with_inserted_indices(Indices::U32((0..leaves as u32).flat_map(quad).collect()));
        let green = StandardMaterial {
            perceptual_roughness: 0.8,
            reflectance: 0.2,
            diffuse_transmission: 0.3,
            double_sided: true,
            cull_mode: None,
            ..default()
        };
        commands.spawn((
            Leaves { tree, twigs },
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(materials.add(green)),
            NoFrustumCulling,
        ));
    }
}

/// Leaves go with their twigs.
fn move_leaves(leaves: Query<(&Leaves, &Mesh3d)>, poses: Query<&RodPose>, mut meshes: ResMut<Assets<Mesh>>) {
    for (leaves, mesh) in &leaves {
        let Ok(pose) = poses.get(leaves.tree) else { continue };
        let Some(mut mesh) = meshes.get_mut(mesh) else { continue };
        let mut corners = Vec::new();
        let mut normals = Vec::new();
        for (twig, &(tail, head, segment)) in leaves.twigs.iter().enumerate() {
            let [from, to] = [tail, head].map(|vertex| pose.positions[vertex as usize]);
            let frame = pose.orientations[segment as usize];
            for leaf in 0..PER_TWIG {
                let seed = (twig * PER_TWIG + leaf) as u32;
                let [turn, tilt, part, size] = [4, 5, 6, 7].map(|salt| random(seed, salt));
                let out = frame
                    * Quat::from_rotation_z(std::f32::consts::TAU * turn)
                    * Quat::from_rotation_y(0.5 + 0.8 * tilt);
                let (along, across, up) = (out * Vec3::Z, out * Vec3::Y, out * Vec3::X);
                let root = from.lerp(to, 0.3 + 0.7 * part);
                let (long, wide) = (0.13 + 0.10 * size, 0.05 + 0.03 * size);
                for corner in [
                    root,
                    root + 0.5 * long * along + wide * across,
                    root + 0.5 * long * along - wide * across,
                    root + long * along - 0.02 * up,
                ] {
                    corners.push(corner.to_array());
                    normals.push((up + 0.6 * Vec3::Y).normalize_or(Vec3::Y).to_array());
                }
            }
        }
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, VertexAttributeValues::Float32x3(corners));
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, VertexAttributeValues::Float32x3(normals));
    }
}

/// A number from 0 to 1 that is always the same for the same leaf.
fn random(leaf: u32, salt: u32) -> f32 {
    let mut bits = leaf.wrapping_mul(0x9e37_79b1) ^ salt.wrapping_mul(0x85eb_ca77);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297a_2d39);
    ((bits ^ (bits >> 15)) >> 8) as f32 / (1u32 << 24) as f32
}
