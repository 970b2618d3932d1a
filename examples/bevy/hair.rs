//! Four hundred curly strands on a head that is shaken: `cargo run --example hair --features examples`.
//!
//! The strands are those of `lab run groom`, fewer and thicker to the eye; a whole groom has ten thousand.

#[path = "stage/play.rs"]
mod play;
#[path = "../scenes/mod.rs"]
mod scenes;
mod stage;

use bevy::prelude::*;
use lariat::{prelude::*, render::Caps};
use play::Play;
use scenes::builtin::groom::{Groom, groom};
use stage::{Props, Stage, props::Finish};

const STRANDS: u32 = 400;

fn main() -> AppExit {
    let scene = groom(&Groom {
        strands: STRANDS,
        ..Groom::default()
    });
    Stage::new("400 strands of hair on a head that is shaken")
        .seen_from([0.25, 0.16, 0.62], [0.0, 0.03, 0.0])
        .without_ground()
        .play(scene, |_| RodLook {
            radius_scale: 24.0,
            ..RodLook::smooth(Color::srgb(0.42, 0.22, 0.10))
                .detail(5, 2)
                .caps(Caps::Open)
        })
        .add_systems(Startup, head)
        .add_systems(PostUpdate, follow.before(TransformSystems::Propagate))
        .run()
}

#[derive(Component)]
struct Head;

fn head(mut props: Props) {
    props
        .add(Sphere::new(0.099).mesh().uv(64, 32), Finish::Skin, Transform::default())
        .insert(Head);
}

/// The head is where the roots are.
fn follow(play: Res<Play>, poses: Query<&RodPose>, mut head: Single<&mut Transform, With<Head>>) {
    let roots = play.cast().iter().flat_map(|cast| &cast.rods);
    let first = roots
        .clone()
        .next()
        .and_then(|&rod| poses.get(rod).ok())
        .and_then(|pose| pose.positions.first());
    let Some(&first) = first else { return };
    // The first strand stands on the top of the head.
    head.translation = first - Vec3::Y * 0.1;
}
