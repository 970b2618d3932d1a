//! Poses between the last two steps.

use glam::{DQuat, DVec3, Quat, Vec3};
use lariat::prelude::*;

use super::busy;
use crate::common::{built, line, rod, run, settings, world};

fn pose(world: &RodWorld, id: RodId, alpha: f32) -> (Vec<Vec3>, Vec<Quat>) {
    let (mut positions, mut orientations) = (vec![Vec3::NAN; 3], vec![Quat::NAN; 200]);
    rod(world, id).interpolated_into(alpha, &mut positions, &mut orientations);
    (positions, orientations)
}

fn now(world: &RodWorld, id: RodId) -> (Vec<Vec3>, Vec<Quat>) {
    let mut positions = Vec::new();
    let rod = rod(world, id);
    rod.positions_into(&mut positions);
    (
        positions,
        (0..rod.segment_count()).map(|s| rod.orientation(s)).collect(),
    )
}

/// To the rounding of `f32` at the distance that the rods of the tests are away (500 m), and of quaternions.
fn near(a: &(Vec<Vec3>, Vec<Quat>), b: &(Vec<Vec3>, Vec<Quat>)) -> bool {
    assert_eq!((a.0.len(), a.1.len()), (b.0.len(), b.1.len()));
    let places = a.0.iter().zip(&b.0).all(|(a, b)| a.distance(*b) < 1e-4);
    places && a.1.iter().zip(&b.1).all(|(a, b)| a.dot(*b).abs() > 1.0 - 1e-5)
}

fn kept() -> (RodWorld, Vec<RodId>) {
    let (mut world, ids) = busy();
    let settings = world.settings().clone();
    let with = Settings {
        interpolation: true,
        ..settings
    };
    world.set_settings(with).expect("sound settings");
    (world, ids)
}

#[test]
fn poses_go_from_the_last_step_but_one_to_the_last() {
    let (mut world, ids) = kept();
    run(&mut world, 5);
    let before: Vec<_> = ids.iter().map(|&id| now(&world, id)).collect();
    run(&mut world, 1);
    let mut moved = 0;
    for (&id, before) in ids.iter().zip(before) {
        let after = now(&world, id);
        assert!(near(&pose(&world, id, 0.0), &before));
        assert!(near(&pose(&world, id, 1.0), &after));
        moved += usize::from(!near(&before, &after));
        let halfway = pose(&world, id, 0.5);
        for (v, half) in halfway.0.iter().enumerate() {
            let mean = 0.5 * (before.0[v] + after.0[v]);
            assert!(half.distance(mean) < 1e-4);
        }
        for (s, half) in halfway.1.iter().enumerate() {
            assert!(half.is_normalized());
            // As far from the one as from the other.
            let (back, forth) = (half.angle_between(before.1[s]), half.angle_between(after.1[s]));
            assert!((back - forth).abs() < 2e-3, "{back} {forth}");
        }
        // Beyond the two steps is cut off.
        assert_eq!(pose(&world, id, -3.0), pose(&world, id, 0.0));
        assert_eq!(pose(&world, id, f32::NAN), pose(&world, id, 1.0));
        assert_eq!(pose(&world, id, f32::INFINITY), pose(&world, id, 1.0));
    }
    assert!(moved > ids.len() / 2, "only {moved} rods moved");
}

/// Quaternions of opposite sign are the same turn: the pose between them is that turn, and not something else.
#[test]
fn the_sign_of_a_quaternion_does_not_matter() {
    let (mut world, ids) = kept();
    run(&mut world, 3);
    let mut twin = world.clone();
    let turned = rod(&world, ids[0]).orientation(2);
    let mut rod = twin.rod_mut(ids[0]).expect("the rod is there");
    rod.set_orientation(2, -turned).expect("a rotation");
    for world in [&mut world, &mut twin] {
        run(world, 1);
    }
    assert!(near(&pose(&world, ids[0], 0.5), &pose(&twin, ids[0], 0.5)));
}

#[test]
fn what_was_put_elsewhere_is_not_smeared() {
    let (mut world, ids) = kept();
    run(&mut world, 5);
    for &id in &ids {
        let before = (pose(&world, id, 0.5), rod(&world, id).origin());
        let mut rod = world.rod_mut(id).expect("the rod is there");
        rod.translate(DVec3::new(0.0, 64.0, 0.0)).expect("a number");
        for (was, is) in before.0.0.iter().zip(pose(&world, id, 0.5).0) {
            assert!(is.distance(*was + Vec3::Y * 64.0) < 1e-4);
        }
        let mut rod = world.rod_mut(id).expect("the rod is there");
        rod.set_position(3, before.1).expect("a number");
        rod.set_orientation(3, Quat::from_rotation_z(2.0)).expect("a rotation");
        let (places, turns) = pose(&world, id, 0.25);
        assert!(places[3].distance(before.1.as_vec3()) < 1e-4);
        assert!(turns[3].dot(Quat::from_rotation_z(2.0)).abs() > 1.0 - 1e-5);
    }
    // A lane that is used again knows nothing of who was there before.
    let description = world.remove(ids[0]).expect("the rod is there");
    let options = RodOptions {
        translation: DVec3::X * 9.0,
        rotation: DQuat::from_rotation_z(1.0),
        ..RodOptions::default()
    };
    let id = world.insert_with(description, options).expect("a sound rod");
    assert!(near(&pose(&world, id, 0.0), &now(&world, id)));
}

#[test]
fn without_being_asked_it_is_the_pose_now() {
    let mut world = world(settings(1, 4));
    let id = world.insert(built(&line(1.0, 8).pin(0))).expect("a sound rod");
    run(&mut world, 10);
    assert!(near(&pose(&world, id, 0.0), &now(&world, id)));
    // Asked for, and then not any more.
    let with = Settings {
        interpolation: true,
        ..settings(1, 4)
    };
    world.set_settings(with).expect("sound settings");
    run(&mut world, 2);
    assert!(!near(&pose(&world, id, 0.0), &now(&world, id)));
    world.set_settings(settings(1, 4)).expect("sound settings");
    run(&mut world, 1);
    assert!(near(&pose(&world, id, 0.0), &now(&world, id)));
    // One that is put to sleep in the middle of a swing stands still.
    world
        .set_settings(Settings {
            interpolation: true,
            ..settings(1, 4)
        })
        .expect("sound settings");
    run(&mut world, 2);
    let mut tired = world.rod_mut(id).expect("the rod is there");
    tired.sleep().expect("not frozen");
    assert!(near(&pose(&world, id, 0.0), &now(&world, id)));
    run(&mut world, 2);
    assert!(near(&pose(&world, id, 0.0), &now(&world, id)));
}
