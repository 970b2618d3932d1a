//! A flag on its pole, and the halyard beside it: `cargo run --example flag --features examples`.
//!
//! The flag is a net of threads with a cloth drawn over it; the halyard is a rope that slaps against the pole.

mod stage;

use bevy::{
    asset::RenderAssetUsages,
    camera::visibility::NoFrustumCulling,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use glam::DVec3;
use lariat::{prelude::*, rod::Material};
use parry3d::shape::SharedShape;
use stage::{Props, Stage, props::Finish};

const COLUMNS: u32 = 24;
const ROWS: u32 = 14;
const MESH: f64 = 0.1;
const TOP: f64 = 5.0;

fn main() -> AppExit {
    Stage::new("Flag and halyard")
        .seen_from([2.2, 2.6, 7.0], [0.9, 2.75, 0.0])
        .with_contact()
        .settings(|settings| {
            settings.substeps = 8;
            settings.wind = Some(Wind {
                direction: Vec3::new(1.0, 0.0, 0.25),
                speed: 9.0,
                wavelength: 6.0,
                base: 0.7,
                drag: AirDrag::default(),
            });
        })
        .app()
        .add_systems(Startup, raise)
        .add_systems(PostUpdate, drape)
        .run()
}

/// The cloth over a net.
#[derive(Component)]
struct Cloth(Entity);

fn raise(mut props: Props) -> Result {
    let pole = Transform::from_xyz(0.0, 2.6, 0.0);
    let touched = (
        RodCollider::new(SharedShape::capsule_y(2.6, 0.05)),
        RodColliderPose::at(DVec3::Y * 2.6),
    );
    props.add(Cylinder::new(0.05, 5.2), Finish::White, pole).insert(touched);
    props.add(
        Sphere::new(0.09).mesh().uv(32, 16),
        Finish::Yellow,
        Transform::from_xyz(0.0, 5.26, 0.0),
    );
    // Threads of the cloth, held at the hoist.
    let thread = SegmentProperties {
        radius: 0.02,
        ..SegmentProperties::new(120.0, 0.012)
    };
    let bend = JointProperties::new(2e-4);
    let mut graph = GraphBuilder::new();
    let at = |i: u32, j: u32| {
        DVec3::new(
            0.1 + MESH * f64::from(i),
            TOP - MESH * f64::from(j),
            0.02 * f64::from(i % 3),
        )
    };
    let knots: Vec<Vec<u32>> = (0..=ROWS)
        .map(|j| (0..=COLUMNS).map(|i| graph.add_vertex(at(i, j))).collect())
        .collect();
    for row in &knots {
        graph.add_path(row, &thread, Some(&bend));
    }
    for i in 0..=COLUMNS as usize {
        let column: Vec<u32> = knots.iter().map(|row| row[i]).collect();
        graph.add_path(&column, &thread, Some(&bend));
    }
    for row in &knots {
        graph.pin(row[0]);
    }
    let net = Rod::new(graph.finish()?).solver(Solver::GROOM);
    let net = props
        .commands
        .spawn((net, RodLayers(CollisionLayers::NONE), Visibility::Hidden))
        .id();
    let halyard = Shape::curve(
        [
            DVec3::new(0.07, 5.1, 0.03),
            DVec3::new(0.22, 2.8, 0.12),
            DVec3::new(0.07, 0.9, 0.03),
        ],
        60,
    );
    let halyard = RodSpec::new(halyard)
        .material(Material::hemp_rope())
        .radius(0.01)
        .rest(RestShape::Straight)
        .pin(0)
        .pin_last();
    props.commands.spawn((Rod::new(halyard), RodLook::rope()));
    let cloth = StandardMaterial {
        perceptual_roughness: 0.9,
        reflectance: 0.15,
        double_sided: true,
        cull_mode: None,
        diffuse_transmission: 0.25,
        ..default()
    };
    let (mesh, material) = (props.meshes.add(cloth_mesh()), props.materials.add(cloth));
    props
        .commands
        .spawn((Cloth(net), Mesh3d(mesh), MeshMaterial3d(material), NoFrustumCulling));
    Ok(())
}

/// Three stripes.
fn cloth_mesh() -> Mesh {
    let count = ((COLUMNS + 1) * (ROWS + 1)) as usize;
    let stripe = |j: u32| match 3 * j / (ROWS + 1) {
        0 => [0.05, 0.12, 0.35, 1.0],
        1 => [0.85, 0.82, 0.72, 1.0],
        _ => [0.55, 0.06, 0.05, 1.0],
    };
    let colors: Vec<[f32; 4]> = (0..=ROWS).flat_map(|j| (0..=COLUMNS).map(move |_| stripe(j))).collect();
    let cell = |k: u32| {
        let corner = k / COLUMNS * (COLUMNS + 1) + k % COLUMNS;
        let [a, b, c, d] = [corner, corner + 1, corner + COLUMNS + 1, corner + COLUMNS + 2];
        [a, c, b, b, c, d]
    };
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0f32; 3]; count])
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0f32, 0.0, 1.0]; count])
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32((0..COLUMNS * ROWS).flat_map(cell).collect()))
}

/// The cloth goes where the net is.
fn drape(cloths: Query<(&Cloth, &Mesh3d)>, poses: Query<&RodPose>, mut meshes: ResMut<Assets<Mesh>>) {
    for (cloth, mesh) in &cloths {
        let Ok(pose) = poses.get(cloth.0) else { continue };
        let Some(mut mesh) = meshes.get_mut(mesh).filter(|_| !pose.positions.is_empty()) else {
            continue;
        };
        let corners: Vec<[f32; 3]> = pose.positions.iter().map(Vec3::to_array).collect();
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, corners);
        mesh.compute_smooth_normals();
    }
}
