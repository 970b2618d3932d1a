//! Things to put on stage, by what they are made of.

use bevy::{ecs::system::SystemParam, platform::collections::HashMap, prelude::*};

/// Meshes and materials: `props.add(Cuboid::…, Finish::Wood, transform)`.
#[derive(SystemParam)]
pub struct Props<'w, 's> {
    pub commands: Commands<'w, 's>,
    pub meshes: ResMut<'w, Assets<Mesh>>,
    pub materials: ResMut<'w, Assets<StandardMaterial>>,
    made: ResMut<'w, Made>,
}

#[derive(Resource, Default)]
struct Made(HashMap<Finish, Handle<StandardMaterial>>);

/// What a thing is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    Wood,
    DarkWood,
    Iron,
    Steel,
    Stone,
    Red,
    Blue,
    Yellow,
    Green,
    White,
    Skin,
}

impl Finish {
    fn material(self) -> StandardMaterial {
        let (color, roughness, metallic) = match self {
            Self::Wood => ([0.58, 0.43, 0.28], 0.75, 0.0),
            Self::DarkWood => ([0.30, 0.21, 0.15], 0.8, 0.0),
            Self::Iron => ([0.20, 0.21, 0.23], 0.5, 0.6),
            Self::Steel => ([0.62, 0.64, 0.66], 0.35, 0.8),
            Self::Stone => ([0.55, 0.54, 0.52], 0.95, 0.0),
            Self::Red => ([0.62, 0.23, 0.18], 0.6, 0.0),
            Self::Blue => ([0.20, 0.34, 0.55], 0.5, 0.0),
            Self::Yellow => ([0.80, 0.61, 0.18], 0.5, 0.0),
            Self::Green => ([0.25, 0.50, 0.25], 0.7, 0.0),
            Self::White => ([0.92, 0.92, 0.90], 0.6, 0.0),
            Self::Skin => ([0.85, 0.62, 0.50], 0.6, 0.0),
        };
        StandardMaterial {
            base_color: Color::srgb_from_array(color),
            perceptual_roughness: roughness,
            metallic,
            reflectance: 0.35,
            ..default()
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Made>();
}

impl Props<'_, '_> {
    /// Something to be seen; more components make it more than that.
    pub fn add(&mut self, shape: impl Into<Mesh>, finish: Finish, place: Transform) -> EntityCommands<'_> {
        let look = self.look(shape, finish);
        self.commands.spawn((look, place))
    }

    /// The looks alone, to put onto an entity.
    pub fn look(&mut self, shape: impl Into<Mesh>, finish: Finish) -> (Mesh3d, MeshMaterial3d<StandardMaterial>) {
        let materials = &mut self.materials;
        let material = self
            .made
            .0
            .entry(finish)
            .or_insert_with(|| materials.add(finish.material()));
        (Mesh3d(self.meshes.add(shape)), MeshMaterial3d(material.clone()))
    }
}
