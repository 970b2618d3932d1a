//! Rods get what they need to be seen: a mesh and a material. Looks that are alike share a material.

use std::collections::HashMap;

use bevy::{
    camera::{primitives::Aabb, visibility::NoAutoAabb},
    prelude::*,
};

use super::{
    look::{RodLook, RodSurface},
    texture::pattern,
    tubes::RodTube,
};
use crate::ecs::{Rod, RodCut};

/// Materials and patterns that were made. Materials that no rod wears any more stay: there are as many as looks.
#[derive(Resource, Debug, Default)]
pub(super) struct Wardrobe {
    materials: HashMap<(RodSurface, [u8; 4]), Handle<StandardMaterial>>,
    patterns: HashMap<RodSurface, Option<[Handle<Image>; 2]>>,
}

impl Wardrobe {
    /// The material of a look; `None` when it is the user's.
    fn material(
        &mut self,
        look: &RodLook,
        materials: &mut Assets<StandardMaterial>,
        images: &mut Assets<Image>,
    ) -> Option<Handle<StandardMaterial>> {
        if look.surface == RodSurface::Own {
            return None;
        }
        let color = look.color.to_srgba().to_u8_array();
        let Self {
            materials: made,
            patterns,
        } = self;
        let handle = made.entry((look.surface, color)).or_insert_with(|| {
            let pictures = patterns.entry(look.surface);
            let pictures =
                pictures.or_insert_with(|| pattern(look.surface).map(|both| both.map(|image| images.add(image))));
            let [light, normals] = match pictures {
                Some([light, normals]) => [Some(light.clone()), Some(normals.clone())],
                None => [None, None],
            };
            let metal = look.surface == RodSurface::Wire;
            materials.add(StandardMaterial {
                base_color: look.color,
                base_color_texture: light,
                normal_map_texture: normals,
                perceptual_roughness: if metal { 0.4 } else { 0.85 },
                metallic: if metal { 0.8 } else { 0.0 },
                reflectance: 0.3,
                alpha_mode: if look.color.alpha() < 1.0 {
                    AlphaMode::Blend
                } else {
                    AlphaMode::Opaque
                },
                ..default()
            })
        });
        Some(handle.clone())
    }
}

type Undressed<'a> = (Entity, &'a RodLook, Has<RodTube>);

/// New rods, and those whose look was changed.
pub(super) fn dress(
    mut commands: Commands,
    mut wardrobe: ResMut<Wardrobe>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
    meshes: Res<Assets<Mesh>>,
    changed: Query<Undressed, (With<Rod>, Changed<RodLook>)>,
) {
    for (entity, look, dressed) in &changed {
        let mut commands = commands.entity(entity);
        if !dressed {
            // Its box follows from what is drawn; the mesh is shown as soon as there is something in it.
            commands.insert((RodTube::new(&meshes), Aabb::default(), NoAutoAabb, Transform::default()));
            commands.insert_if_new(Visibility::default());
        }
        if let Some(material) = wardrobe.material(look, &mut materials, &mut images) {
            commands.insert(MeshMaterial3d(material));
        }
    }
}

/// What is cut off a rod looks as the rod does.
pub(super) fn hand_down(cut: On<RodCut>, mut commands: Commands, looks: Query<&RodLook>) {
    if let (Some(piece), Ok(look)) = (cut.piece, looks.get(cut.entity)) {
        commands.entity(piece).try_insert(look.clone());
    }
}
