//! A recording replays to the bit, and says where it does not.

use glam::{DQuat, DVec3, Quat, Vec3};
use lariat::{
    io::{Change, Command, CommandError, Done, Edit, Recorder, Recording, Replay, ReplayError},
    prelude::*,
};

use super::busy;
use crate::common::{FRAME, built, line, placed, rod, settings, world};

/// Every call that there is, on a rod with a clamp and pins. Most are made on others than they are meant for as well, and some are refused.
fn edits(n: usize, origin: DVec3) -> Vec<Edit> {
    let sway = 0.05 * (0.4 * n as f64).sin();
    vec![
        Edit::Pin { vertex: 2 },
        Edit::SetTarget {
            vertex: 0,
            place: origin + DVec3::Y * sway,
        },
        Edit::Unpin { vertex: 2 },
        Edit::SetClamp {
            clamp: 0,
            frame: DQuat::from_rotation_x(1.5 + sway),
        },
        Edit::HoldSegment { segment: 3 },
        Edit::ReleaseSegment { segment: 3 },
        Edit::SetOrientation {
            segment: 4,
            orientation: Quat::from_rotation_y(1.4),
        },
        Edit::SetPosition {
            vertex: 6,
            place: origin + DVec3::new(0.3, sway, 0.1),
        },
        Edit::SetVelocity {
            vertex: 5,
            velocity: Vec3::new(0.0, 1.0, sway as f32),
        },
        Edit::Translate {
            by: DVec3::new(sway, 0.0, 0.0),
        },
        Edit::Teleport {
            translation: DVec3::Z * sway,
            rotation: DQuat::from_rotation_y(0.1 + sway),
            about: origin,
        },
        Edit::SetForce {
            vertex: 7,
            force: Vec3::new(0.1, 0.0, sway as f32),
        },
        Edit::SetTorque {
            segment: 5,
            torque: Vec3::X * 0.001,
        },
        Edit::SetDrag { drag: 0.3 },
        Edit::SetGravityScale { scale: 0.7 },
        Edit::SetWindScale { scale: 1.3 },
        Edit::SetLayers {
            layers: CollisionLayers::NONE,
        },
        Edit::BreakSegment { segment: 8 },
        Edit::ClearLoads,
        Edit::ReleaseClamp { clamp: 0 },
        Edit::Sleep,
        Edit::SetSleepAllowed { allowed: true },
        Edit::Wake,
    ]
}

/// Forty frames of a host that does everything to everybody.
fn recorded() -> (Recording, RodWorld) {
    let (mut world, _) = busy();
    crate::common::run(&mut world, 3);
    let mut recorder = Recorder::new(&world, 4);
    let mut refused = 0;
    for n in 0..40 {
        let ids: Vec<RodId> = world.ids().collect();
        for k in 0..6 {
            let id = ids[(7 * n + 11 * k) % ids.len()];
            let all = edits(n, rod(&world, id).origin());
            let edit = all[(n + 5 * k) % all.len()];
            refused += usize::from(recorder.apply(&mut world, Command::Edit { rod: id, edit }).is_err());
        }
        if n % 9 == 4 {
            let gone = ids[n % ids.len()];
            recorder
                .apply(&mut world, Command::Remove { rod: gone })
                .expect("the rod is there");
            let description = built(&line(1.0, 6 + n as u32 % 3).pin(0)).into();
            let put = Command::Insert {
                description,
                options: placed(n),
            };
            match recorder.apply(&mut world, put).expect("a sound rod") {
                Done::Inserted(id) => assert!(world.contains(id)),
                other => panic!("{other:?}"),
            }
        }
        if n == 20 {
            let lighter = Settings {
                gravity: Vec3::new(0.0, -3.7, 0.0),
                ..world.settings().clone()
            };
            recorder
                .apply(&mut world, Command::SetSettings(lighter))
                .expect("sound settings");
            recorder
                .apply(&mut world, Command::WakeAll)
                .expect("it can't be refused");
        }
        recorder.step(&mut world, FRAME).expect("a sound step");
    }
    let last = world.ids().next().expect("there are many");
    recorder
        .apply(&mut world, Command::Remove { rod: last })
        .expect("the rod is there");
    assert!(refused > 5, "nothing was refused");
    assert_eq!(recorder.recording().len(), 40);
    (recorder.finish(), world)
}

#[test]
fn a_recording_replays_to_the_bit() {
    let (recording, original) = recorded();
    let text = serde_json::to_string(&recording).expect("it can be written");
    let read: Recording = serde_json::from_str(&text).expect("it can be read");
    for recording in [recording, read] {
        // In a world that was something else.
        let mut again = world(settings(1, 1));
        again.insert(built(&line(1.0, 4))).expect("a sound rod");
        let mut replay = Replay::new(&recording, &mut again);
        replay.run(&mut again).expect("the same way");
        assert_eq!(again.state_hash(), original.state_hash());
        assert!(again.ids().eq(original.ids()));
        assert_eq!(again.time(), original.time());
        assert_eq!(replay.step(&mut again), Ok(None), "it ended");
    }
}

#[test]
fn the_first_step_that_differs_is_named() {
    let (recording, _) = recorded();
    let mut again = RodWorld::default();
    let mut replay = Replay::new(&recording, &mut again);
    for _ in 0..9 {
        replay.step(&mut again).expect("the same way");
    }
    // Somebody touches the world between the ninth and the tenth step; fingerprints are taken every fourth.
    let id = again.ids().nth(5).expect("there are many");
    let free = (0..rod(&again, id).vertex_count())
        .find(|&v| !rod(&again, id).is_pinned(v))
        .expect("a free vertex");
    let mut touched = again.rod_mut(id).expect("the rod is there");
    touched.set_velocity(free, Vec3::new(0.0, 1e-3, 0.0)).expect("a number");
    match replay.run(&mut again) {
        Err(ReplayError::Differs { step: 11, .. }) => {}
        other => panic!("{other:?}"),
    }
    // A rod that is not there any more.
    let mut again = RodWorld::default();
    let mut replay = Replay::new(&recording, &mut again);
    let ids: Vec<RodId> = again.ids().collect();
    for id in ids {
        again.remove(id);
    }
    match replay.run(&mut again) {
        Err(ReplayError::Command {
            step: 0,
            error: CommandError::NoSuchRod { .. },
            ..
        }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn another_format_is_refused() {
    let world = RodWorld::default();
    let recording = Recorder::new(&world, 0).finish();
    assert!(recording.is_empty() && recording.start().is_empty());
    let text = serde_json::to_string(&recording).expect("it can be written");
    serde_json::from_str::<Recording>(&text).expect("it can be read");
    let other = text.replace("lariat recording 1", "lariat recording 77");
    let error = serde_json::from_str::<Recording>(&other).expect_err("it must be refused");
    assert!(error.to_string().contains("lariat recording 77"), "{error}");
}

/// A body that falls and takes impulses, as a host has it.
struct Crate(BodyState);

impl HostBodies for Crate {
    fn body(&self, body: BodyId) -> Option<BodyState> {
        (body == BodyId(7)).then_some(self.0)
    }

    fn apply(&mut self, _: BodyId, impulse: BodyImpulse) {
        self.0.linear_velocity += impulse.linear * self.0.inverse_mass;
        self.0.angular_velocity += self.0.inverse_inertia * impulse.angular;
    }
}

impl Crate {
    fn step(&mut self) {
        self.0.linear_velocity += self.0.acceleration * f64::from(FRAME);
        self.0.position += self.0.linear_velocity * f64::from(FRAME);
    }
}

/// A crate on a rope that is reeled in and cut: the replay has no crate, and goes the same way all the same.
#[test]
fn bodies_cuts_and_winches_are_replayed() {
    let mut world = world(settings(1, 8));
    let mut recorder = Recorder::new(&world, 1);
    let put = Command::Insert {
        description: built(&RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y * 2.0, 12)).pin(0)).into(),
        options: RodOptions::default(),
    };
    let Done::Inserted(rope) = recorder.apply(&mut world, put).expect("a sound rod") else {
        panic!("nothing was put in");
    };
    let hang = AttachmentSpec::ball(
        rope,
        RodPoint::End,
        TieTo::Body {
            body: BodyId(7),
            anchor: DVec3::ZERO,
        },
    );
    let Done::Attached(hook) = recorder.apply(&mut world, Command::Attach(hang)).expect("a sound tie") else {
        panic!("nothing was tied");
    };
    let mut host = Crate(BodyState {
        inverse_mass: 0.1,
        acceleration: DVec3::NEG_Y * 9.81,
        linear_velocity: DVec3::X,
        ..BodyState::fixed(DVec3::NEG_Y * 2.0, DQuat::IDENTITY)
    });
    for n in 0..60 {
        let reel = Command::Reel {
            rod: rope,
            end: RodEnd::Start,
            by: -0.01,
        };
        recorder.apply(&mut world, reel).expect("long enough");
        match n {
            10 => {
                for change in [Change::Material(Material::nylon_rope()), Change::Friction(0.3)] {
                    let command = Command::Change { rod: rope, change };
                    recorder.apply(&mut world, command).expect("a sound rod");
                }
            }
            20 => {
                let place = DVec3::Y * 0.05;
                let command = Command::MoveAttachment {
                    attachment: hook,
                    place,
                };
                recorder.apply(&mut world, command).expect("it is there");
            }
            35 => {
                let at = RodPoint::Arc(1.0);
                let done = recorder.apply(&mut world, Command::Cut { rod: rope, at });
                assert!(matches!(done, Ok(Done::Cut(cut)) if cut.piece.is_some()));
            }
            45 => {
                recorder
                    .apply(&mut world, Command::Detach { attachment: hook })
                    .expect("it is there");
            }
            _ => {}
        }
        recorder.step_with(&mut world, FRAME, &mut host).expect("a sound step");
        host.step();
    }
    // On the rope it would be 1.4 m below the winch.
    assert!(
        host.0.position.y < -2.0,
        "the crate did not fall: {}",
        host.0.position.y
    );
    let recording = recorder.finish();
    let text = serde_json::to_string(&recording).expect("it can be written");
    let read: Recording = serde_json::from_str(&text).expect("it can be read");
    let mut again = RodWorld::default();
    Replay::new(&read, &mut again).run(&mut again).expect("the same way");
    assert_eq!(again.state_hash(), world.state_hash());
    assert_eq!(again.len(), 2);
}
