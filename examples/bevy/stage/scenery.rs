//! The camera, the sun, the sky and the ground.

use avian3d::prelude::{Collider, RigidBody};
use bevy::{
    asset::RenderAssetUsages,
    camera::visibility::NoFrustumCulling,
    core_pipeline::tonemapping::Tonemapping,
    light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, NotShadowCaster, NotShadowReceiver},
    mesh::{Indices, PrimitiveTopology},
    pbr::{DistanceFog, FogFalloff},
    prelude::*,
};
use glam::DVec3;
use lariat::prelude::{RodCollider, RodColliderPose};
use parry3d::shape::SharedShape;

use super::Stage;

/// Colours of the sky from the horizon up.
const HORIZON: LinearRgba = LinearRgba::rgb(0.72, 0.78, 0.84);
const ZENITH: LinearRgba = LinearRgba::rgb(0.20, 0.36, 0.62);
/// How high the camera sees, degrees, and where the sun shines to.
pub const VIEW: f32 = 45.0;
pub const SUN: Vec3 = Vec3::new(-0.55, -1.0, -0.65);
const GROUND: Color = Color::srgb(0.56, 0.57, 0.55);

pub fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(HORIZON.into()))
        .insert_resource(DirectionalLightShadowMap { size: 4096 })
        .insert_resource(GlobalAmbientLight {
            brightness: 0.0,
            ..default()
        })
        .add_systems(Startup, build);
}

fn build(
    mut commands: Commands,
    stage: Res<Stage>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let distance = stage.eye.distance(stage.target);
    let sky = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::srgb(0.80, 0.85, 0.95),
        Color::srgb(0.85, 0.85, 0.85),
        Color::srgb(0.60, 0.57, 0.52),
    );
    commands.spawn((
        Camera3d::default(),
        IsDefaultUiCamera,
        Transform::from_translation(stage.eye).looking_at(stage.target, Vec3::Y),
        Projection::from(PerspectiveProjection {
            fov: VIEW.to_radians(),
            far: 4000.0,
            ..default()
        }),
        Tonemapping::KhronosPbrNeutral,
        sky.with_intensity(1100.0),
        DistanceFog {
            color: HORIZON.into(),
            falloff: FogFalloff::Linear {
                start: 3.0 * distance,
                end: 20.0 * distance,
            },
            ..default()
        },
    ));
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(1.0, 0.95, 0.86),
            illuminance: 4500.0,
            shadow_maps_enabled: true,
            // Thin things close to the ground keep their shadows; where texels are large, that would leave stripes.
            shadow_normal_bias: if distance < 15.0 { 0.6 } else { 2.5 },
            shadow_depth_bias: if distance < 15.0 { 0.01 } else { 0.06 },
            ..default()
        },
        Transform::default().looking_to(SUN, Vec3::Y),
        CascadeShadowConfigBuilder {
            num_cascades: 3,
            first_cascade_far_bound: 1.1 * distance,
            maximum_distance: 5.0 * distance,
            ..default()
        }
        .build(),
    ));
    commands.spawn((
        Mesh3d(meshes.add(dome())),
        MeshMaterial3d(materials.add(StandardMaterial {
            unlit: true,
            fog_enabled: false,
            cull_mode: None,
            ..default()
        })),
        Transform::from_translation(stage.eye),
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
    ));
    if stage.ground {
        commands.spawn((
            Mesh3d(meshes.add(Plane3d::default().mesh().size(4000.0, 4000.0))),
            MeshMaterial3d(materials.add(StandardMaterial {
                base_color: GROUND,
                perceptual_roughness: 0.95,
                reflectance: 0.2,
                ..default()
            })),
        ));
        let floor = commands.spawn(RodCollider::new(SharedShape::halfspace(Vec3::Y))).id();
        if stage.bodies {
            commands.entity(floor).insert((
                RigidBody::Static,
                Collider::half_space(Vec3::Y),
                Transform::default(),
                RodColliderPose::at(DVec3::ZERO),
            ));
        }
    }
}

/// A ball around everything, lighter towards the horizon.
fn dome() -> Mesh {
    const AROUND: u32 = 32;
    const UP: u32 = 48;
    let (mut positions, mut colors, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..=UP {
        let height = 2.0 * row as f32 / UP as f32 - 1.0;
        let ring = (1.0 - height * height).max(0.0).sqrt();
        let part = height.clamp(0.0, 1.0).powf(0.6);
        let color = HORIZON.to_vec4().lerp(ZENITH.to_vec4(), part);
        for column in 0..=AROUND {
            let angle = std::f32::consts::TAU * column as f32 / AROUND as f32;
            positions.push((Vec3::new(ring * angle.cos(), height, ring * angle.sin()) * 3500.0).to_array());
            colors.push(color.to_array());
        }
    }
    for row in 0..UP {
        for column in 0..AROUND {
            let [a, b] = [row, row + 1].map(|row| row * (AROUND + 1) + column);
            indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; positions.len()])
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32(indices))
}
