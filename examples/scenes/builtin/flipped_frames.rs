//! Paper 4, Fig. 2: a bar whose material frames are flipped from segment to segment is the same bar, and bends like it.
//!
//! Discrete elastic rods that measure curvature in the mean of two frames do not see that: the mean of two opposite frames is nothing, and nothing bends.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use lariat::prelude::{Material, RodDescription, RodError, RodSpec, Shape};

use super::super::{
    Index, Scene, SceneRod, What,
    names::{ELASTIC, ELASTIC_MEAN_FRAME},
};

/// The bar: 30 vertices, as the paper's.
#[derive(Clone, Debug)]
pub struct FlippedFrames {
    /// Segments over the length of 1 m.
    pub segments: u32,
    /// EI = GJ, N·m².
    pub ei: f64,
    /// 1/s.
    pub drag: f32,
}

impl Default for FlippedFrames {
    fn default() -> Self {
        Self {
            segments: 29,
            ei: 2.0,
            drag: 3.0,
        }
    }
}

impl FlippedFrames {
    /// The bar as it is built.
    pub fn straight(&self) -> Result<RodDescription, RodError> {
        RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X, self.segments))
            .radius(0.01)
            .material(Material::rigidity(1e5, 1e5, self.ei, self.ei, 1.0))
            .clamp_start()
            .build()
    }

    /// The same with every other segment's frame turned by half a turn about the bar, at rest and now.
    pub fn flipped(&self) -> Result<RodDescription, RodError> {
        let mut parts = self.straight()?.into_parts();
        for segment in parts.segments.iter_mut().skip(1).step_by(2) {
            segment.frame *= DQuat::from_rotation_z(PI);
        }
        for joint in &mut parts.joints {
            let [first, second] = [joint.first, joint.second].map(|s| parts.segments[s as usize].frame);
            joint.rest = first.conjugate() * second;
        }
        RodDescription::new(parts)
    }
}

/// Four bars side by side: curvature in the mean frame, straight and flipped, and in both frames, straight and flipped.
pub fn flipped_frames(bar: &FlippedFrames) -> Result<Scene, RodError> {
    let mut scene = Scene::new(
        "flipped_frames",
        "Paper 4, Fig. 2: bars held at their left ends, as built and with every other frame flipped. In the mean of two frames (left pair) the flipped one \
         does not resist bending; in both frames (right pair) it bends as the other does.",
    )
    .at_game_rate(240)
    .solved_by(ELASTIC);
    let bars = [
        ("mean", bar.straight()?, ELASTIC_MEAN_FRAME),
        ("mean_flipped", bar.flipped()?, ELASTIC_MEAN_FRAME),
        ("both", bar.straight()?, ELASTIC),
        ("both_flipped", bar.flipped()?, ELASTIC),
    ];
    for (k, (name, description, solver)) in bars.into_iter().enumerate() {
        let rod = SceneRod::described(name, description)
            .at(DVec3::X * (1.3 * k as f64))
            .drag(bar.drag);
        let rod = SceneRod {
            solver: Some(solver),
            ..rod
        };
        scene = scene.with_rod(rod).with_probe(name, name, What::Position(Index::LAST));
    }
    Ok(scene)
}
