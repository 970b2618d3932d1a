use bevy_ecs::prelude::*;
use glam::{DQuat, DVec3, Vec3};
use lariat::prelude::*;

use crate::{
    common::{line, soft},
    support::{Host, by_hand, rope},
};

fn spawn(host: &mut Host, more: impl Bundle) -> Entity {
    host.world.spawn((Rod::new(rope()), more)).id()
}

fn pinned(host: &Host, entity: Entity) -> Vec<usize> {
    let rod = host.rod(entity);
    (0..rod.vertex_count()).filter(|&v| rod.is_pinned(v)).collect()
}

#[test]
fn pins_replace_those_that_are_described_and_follow_every_change() {
    let mut host = Host::new();
    let entity = spawn(&mut host, RodPins(vec![3, 16]));
    host.run(1);
    assert_eq!(pinned(&host, entity), [3, 16]);
    host.change(entity, |pins: &mut RodPins| pins.0 = vec![5]);
    host.run(1);
    assert_eq!(pinned(&host, entity), [5]);
    host.change(entity, |pins: &mut RodPins| pins.0.clear());
    host.run(1);
    assert!(pinned(&host, entity).is_empty());
    host.world.entity_mut(entity).remove::<RodPins>();
    host.run(1);
    assert_eq!(pinned(&host, entity), [0]);
    host.world.entity_mut(entity).insert(RodPins(vec![1]));
    host.run(1);
    assert_eq!(pinned(&host, entity), [1]);
}

#[test]
fn pins_that_nobody_took_over_by_a_component_are_left_alone() {
    let mut host = Host::new();
    let entity = spawn(&mut host, RodDrag(0.1));
    host.run(1);
    let id = host.id(entity).expect("in");
    let mut rods = host.world.resource_mut::<Rods>();
    rods.rod_mut(id).expect("there").pin(7).expect("a vertex");
    host.world.entity_mut(entity).remove::<RodDrag>();
    host.run(2);
    assert_eq!(pinned(&host, entity), [0, 7]);
}

#[test]
fn targets_lead_pinned_vertices_as_a_direct_call_does() {
    let place = |frame: usize| DVec3::new(0.01 * frame as f64, 0.02 * frame as f64, 0.0);
    let mut host = Host::new();
    let entity = spawn(&mut host, RodTargets(Vec::new()));
    for frame in 0..20 {
        // The last five frames change nothing: the vertex stays where it was led.
        if frame < 15 {
            host.change(entity, |targets: &mut RodTargets| targets.0 = vec![(0, place(frame))]);
        }
        host.run(1);
    }
    let direct = by_hand(20, |frame, world, id| {
        if frame < 15 {
            let mut rod = world.rod_mut(id).expect("there");
            rod.set_target(0, place(frame)).expect("pinned");
        }
    });
    assert_eq!(host.pose(entity).positions, direct);
    assert_eq!(direct[0], place(14).as_vec3());
}

#[test]
fn forces_act_until_they_are_changed_or_removed() {
    let mut host = Host::new();
    let push = Vec3::new(0.0, 0.0, 2.0);
    let turn = Vec3::new(0.05, 0.0, 0.0);
    let entity = spawn(&mut host, ());
    host.run(2);
    host.world.entity_mut(entity).insert(RodForces {
        forces: vec![(16, push), (8, push)],
        torques: vec![(4, turn)],
    });
    host.run(5);
    // Vertex 8 and the torque are taken back.
    host.change(entity, |loads: &mut RodForces| {
        loads.forces.pop();
        loads.torques.clear();
    });
    host.run(5);
    host.world.entity_mut(entity).remove::<RodForces>();
    host.run(5);
    let direct = by_hand(17, |frame, world, id| {
        let mut rod = world.rod_mut(id).expect("there");
        let forces: &[(usize, usize, Vec3)] = &[(2, 16, push), (2, 8, push), (7, 8, Vec3::ZERO), (12, 16, Vec3::ZERO)];
        for (_, vertex, force) in forces.iter().filter(|(at, ..)| *at == frame) {
            rod.set_force(*vertex, *force).expect("sound");
        }
        match frame {
            2 => rod.set_torque(4, turn).expect("sound"),
            7 => rod.set_torque(4, Vec3::ZERO).expect("sound"),
            _ => {}
        }
    });
    // A force of zero and no force take the same path but for one addition of zero.
    let apart = host.pose(entity).positions.iter().zip(&direct);
    assert!(apart.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) < 1e-6);
    assert!(direct[16].z > 0.05, "the force does something: {}", direct[16]);
}

#[test]
fn clamps_turn_with_their_walls() {
    let frame = DQuat::from_rotation_y(0.4) * DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    let spec = line(1.0, 16).material(soft(500.0, 5.0)).clamp_start();
    let mut host = Host::new();
    let entity = host.world.spawn((Rod::new(spec.clone()), RodClamps(vec![None]))).id();
    host.run(1);
    host.change(entity, |clamps: &mut RodClamps| clamps.0[0] = Some(frame));
    host.run(20);

    let mut world = crate::common::world(crate::common::settings(1, 8));
    let id = world.insert(crate::common::built(&spec)).expect("sound");
    crate::common::run(&mut world, 1);
    world.rod_mut(id).expect("there").set_clamp(0, frame).expect("a clamp");
    crate::common::run(&mut world, 20);
    let direct = crate::common::positions(&world, id);
    for (here, there) in host.pose(entity).positions.iter().zip(direct) {
        assert_eq!(*here, there.as_vec3());
    }
    assert!(host.pose(entity).positions[16].z < -0.1, "the wall does turn the rod");
}

#[test]
fn drag_changes_and_goes_back_to_what_the_rod_came_with() {
    // A free rod without gravity keeps its speed but for the drag: e^{−ct}, which the solver takes as 1/(1 + ch) a step or better.
    let mut host = Host::new();
    host.world.resource_mut::<RodSettings>().gravity = Vec3::ZERO;
    let free = line(1.0, 8).material(soft(500.0, 0.01));
    let entity = host.world.spawn(Rod::new(free).moving(Vec3::X)).id();
    let speed = |host: &Host| host.rod(entity).velocity(4).x;
    host.run(10);
    assert!((speed(&host) - 1.0).abs() < 1e-4);
    host.world.entity_mut(entity).insert(RodDrag(2.0));
    host.run(30);
    let slowed = speed(&host);
    // Half a second at 2/s; one part in thirty of the exponent is the step's own error.
    assert!((slowed / (-1.0f32).exp() - 1.0).abs() < 0.04, "{slowed}");
    host.change(entity, |drag: &mut RodDrag| drag.0 = 0.0);
    host.run(10);
    assert!((speed(&host) / slowed - 1.0).abs() < 1e-4);
    host.change(entity, |drag: &mut RodDrag| drag.0 = 5.0);
    host.run(1);
    host.world.entity_mut(entity).remove::<RodDrag>();
    let before = speed(&host);
    host.run(10);
    assert!((speed(&host) / before - 1.0).abs() < 1e-4);
}

#[test]
fn components_of_a_replaced_rod_act_on_the_new_one() {
    let mut host = Host::new();
    let entity = spawn(&mut host, (RodPins(vec![4]), RodDrag(1.0)));
    host.run(1);
    host.world.entity_mut(entity).insert(Rod::new(rope()));
    host.run(1);
    assert_eq!(pinned(&host, entity), [4]);
}

#[test]
fn bad_controls_are_reported_and_the_good_part_takes_effect() {
    let mut host = Host::new();
    let entity = spawn(
        &mut host,
        (
            RodPins(vec![2, 99]),
            RodTargets(vec![(5, DVec3::ZERO), (2, DVec3::Y)]),
            RodForces {
                forces: vec![(3, Vec3::NAN), (3, Vec3::X)],
                torques: vec![(16, Vec3::X)],
            },
            RodClamps(vec![Some(DQuat::IDENTITY)]),
            RodDrag(f32::NAN),
        ),
    );
    host.run(1);
    let failed = host.heard::<RodControlFailed>();
    let failed: Vec<_> = failed.iter().map(|f| (f.component, f.error.clone())).collect();
    let outside = |element, index, count| RodControlError::from(RodAccessError::OutOfRange { element, index, count });
    assert!(failed.contains(&("RodPins", outside("vertex", 99, 17))));
    assert!(failed.contains(&("RodTargets", RodAccessError::NotPinned { index: 5 }.into())));
    assert!(failed.contains(&("RodForces", outside("segment", 16, 16))));
    assert!(failed.contains(&("RodClamps", outside("clamp", 0, 0))));
    let bad = |name| failed.iter().filter(|(component, _)| *component == name).count();
    assert_eq!([bad("RodForces"), bad("RodDrag")], [2, 1]);
    assert_eq!(failed.len(), 6);
    assert_eq!(pinned(&host, entity), [2]);
    assert_eq!(host.pose(entity).positions[2], Vec3::Y);
    // Nothing is said twice.
    host.run(1);
    assert!(host.heard::<RodControlFailed>().is_empty());
    assert!(host.pose(entity).positions.iter().all(|p| p.is_finite()));
}

#[test]
fn a_pose_is_marked_as_changed_only_when_it_was_written() {
    let mut host = Host::new();
    let entity = spawn(&mut host, ());
    host.run(1);
    let changed = |host: &mut Host| {
        host.world
            .get_mut::<RodPose>(entity)
            .is_some_and(|pose| pose.is_changed())
    };
    // `run` has cleared the trackers.
    assert!(!changed(&mut host));
    host.schedule.run(&mut host.world);
    assert!(changed(&mut host));
    host.world.clear_trackers();
    // Time stands still: nothing is written.
    host.world.insert_resource(RodTimestep::fixed(1.0 / 60.0));
    host.schedule.run(&mut host.world);
    assert!(!changed(&mut host));
    assert_eq!(host.world.resource::<RodDiagnostics>().written, 0);
}

#[test]
fn scales_and_layers_change_and_go_back_to_what_the_rod_came_with() {
    let mut host = Host::new();
    let options = RodOptions {
        gravity_scale: 0.5,
        wind_scale: 0.25,
        layers: CollisionLayers {
            member_of: 2,
            ..CollisionLayers::default()
        },
        ..RodOptions::default()
    };
    let entity = host.world.spawn(Rod::new(rope()).options(options)).id();
    host.run(1);
    let now = |host: &Host| {
        let rod = host.rod(entity);
        (rod.gravity_scale(), rod.wind_scale(), rod.layers().member_of)
    };
    assert_eq!(now(&host), (0.5, 0.25, 2));
    let layers = CollisionLayers {
        member_of: 4,
        ..CollisionLayers::default()
    };
    (host.world.entity_mut(entity)).insert((RodGravityScale(-1.0), RodWindScale(0.0), RodLayers(layers)));
    host.run(1);
    assert_eq!(now(&host), (-1.0, 0.0, 4));
    host.change(entity, |scale: &mut RodGravityScale| scale.0 = -2.0);
    host.run(20);
    assert_eq!(now(&host), (-2.0, 0.0, 4));
    assert!(host.pose(entity).positions[16].y > 0.1, "it rises");
    host.world
        .entity_mut(entity)
        .remove::<(RodGravityScale, RodWindScale, RodLayers)>();
    host.run(1);
    assert_eq!(now(&host), (0.5, 0.25, 2));
    host.world
        .entity_mut(entity)
        .insert((RodGravityScale(f32::NAN), RodWindScale(-1.0)));
    host.run(1);
    assert_eq!(host.heard::<RodControlFailed>().len(), 2);
    assert_eq!(now(&host), (0.5, 0.25, 2));
}

#[test]
fn zones_and_fields_of_wind_blow_where_they_are_and_cease_when_they_go() {
    let mut host = Host::new();
    host.world.resource_mut::<RodSettings>().gravity = Vec3::ZERO;
    let [here, there] = [0.0, 100.0].map(|z| host.world.spawn(Rod::new(rope()).at(DVec3::Z * z)).id());
    let speed = |host: &Host, entity| host.rod(entity).velocity(16).y;
    host.run(5);
    assert_eq!([speed(&host, here), speed(&host, there)], [0.0; 2]);
    let zone = WindZone {
        place: DVec3::X,
        radius: 2.0,
        velocity: DVec3::Y * 20.0,
    };
    let zone = host.world.spawn(zone).id();
    host.run(10);
    assert!(speed(&host, here) > 0.05, "{}", speed(&host, here));
    assert_eq!(speed(&host, there), 0.0);
    // The field blows everywhere, and adds to the zone.
    host.world
        .insert_resource(RodWindField::new(|_: DVec3, _: f64| DVec3::Y * 20.0));
    host.run(10);
    assert!(speed(&host, there) > 0.05);
    host.world.despawn(zone);
    host.world.insert_resource(RodWindField(None));
    host.run(1);
    let id = host.world.spawn(Rod::new(rope())).id();
    host.run(5);
    assert_eq!(speed(&host, id), 0.0, "the air is still again");
}

#[test]
fn a_changed_material_makes_the_rod_another() {
    let mut host = Host::new();
    let hanging = RodSpec::new(Shape::line(DVec3::ZERO, DVec3::NEG_Y, 16))
        .material(soft(50.0, 0.01))
        .pin(0);
    let entity = host.world.spawn((Rod::new(hanging), RodDrag(4.0))).id();
    host.run(300);
    // Its own weight of 1 kg/m stretches it by ρ g L²/(2 EA) = 0.098 m.
    let length = |host: &Host| host.rod(entity).length();
    assert!((length(&host) - 1.0981).abs() < 2e-3, "{}", length(&host));
    host.world.entity_mut(entity).insert(RodMaterial(soft(200.0, 0.01)));
    host.run(300);
    assert!((length(&host) - 1.0245).abs() < 1e-3, "{}", length(&host));
    host.change(entity, |material: &mut RodMaterial| material.0 = soft(100.0, 0.01));
    host.run(300);
    assert!((length(&host) - 1.0490).abs() < 1e-3, "{}", length(&host));
    // Another rod in the same place is made of it, too.
    host.world.entity_mut(entity).insert(Rod::new(rope()));
    host.run(1);
    let axial = host.rod(entity).description().segments()[0].axial;
    assert!((axial - 100.0).abs() < 1e-9);
    host.change(entity, |material: &mut RodMaterial| material.0 = soft(f64::NAN, 0.01));
    host.run(1);
    let failed = host.heard::<RodControlFailed>();
    assert_eq!(failed.len(), 1);
    assert!(matches!(failed[0].error, RodControlError::Change(_)));
}
