//! What a recipe resolves to: masses, lengths, stiffness, ends, topology.

use glam::DVec3;

use super::super::{
    BreakLimit, DEFAULT_FRICTION, GraphBuilder, JointProperties, Joints, Material, RodDescription, RodSpec, Section,
    SegmentProperties, Shape, Stiffness, Taper, Topology,
};
use super::{close, line, sound_parts};

#[test]
fn a_line_has_the_material_numbers() {
    let material = Material::elastic(2e9, 0.25, 1000.0);
    let rod = line(10).radius(0.02).material(material).build().unwrap();
    let section = Section::round(0.02);
    assert_eq!(
        (rod.vertices().len(), rod.segments().len(), rod.joints().len()),
        (11, 10, 9)
    );
    assert_eq!(rod.topology(), Topology::Chain);
    close(rod.rest_length(), 1.0, 1e-12);
    close(rod.mass(), 1000.0 * section.area(), 1e-12);
    close(rod.vertices()[0].mass, rod.mass() / 20.0, 1e-12);
    close(rod.vertices()[5].mass, rod.mass() / 10.0, 1e-12);
    for segment in rod.segments() {
        close(segment.axial, 2e9 * section.area(), 1e-3);
        close(segment.shear, 0.8e9 * section.area(), 1e-3);
        close((segment.frame * DVec3::Z).distance(DVec3::X), 0.0, 1e-15);
        assert_eq!(segment.break_strain, f64::INFINITY);
    }
    for joint in rod.joints() {
        close(joint.length, 0.1, 1e-12);
        close(joint.bending[0], 2e9 * section.second_moments()[0], 1e-9);
        close(joint.torsion, 0.8e9 * section.torsion_constant(), 1e-9);
    }
    assert_eq!(rod.friction(), DEFAULT_FRICTION);
    close(rod.arc_length(4).unwrap(), 0.4, 1e-12);
    assert_eq!(rod.arc_length(11), None);
}

#[test]
fn pins_are_sorted_and_clamps_pin() {
    let rod = line(8)
        .pin(5)
        .pin(2)
        .pin(5)
        .clamp_end()
        .hold_segment(3)
        .hold_segment(3)
        .build()
        .unwrap();
    assert_eq!(rod.pins(), [2, 5, 8]);
    assert_eq!(rod.held_segments(), [3]);
    assert!(rod.is_pinned(8) && !rod.is_pinned(0));
    assert_eq!(line(8).pin_last().build().unwrap().pins(), [8]);
    let again = RodDescription::new(rod.parts().clone()).unwrap();
    assert_eq!(again, rod, "sealing twice changes nothing");
}

#[test]
fn a_clamp_is_a_joint_of_half_length() {
    let rod = line(4).clamp_start().clamp_end().build().unwrap();
    for (clamp, (vertex, segment)) in rod.clamps().iter().zip([(0, 0), (4, 3)]) {
        assert_eq!((clamp.vertex, clamp.segment), (vertex, segment));
        close(clamp.length, 0.125, 1e-15);
        assert_eq!(clamp.bending, rod.joints()[0].bending);
        assert_eq!(clamp.torsion, rod.joints()[0].torsion);
        assert_eq!(clamp.relaxation, rod.joints()[0].relaxation);
        assert_eq!(clamp.frame, rod.segments()[segment as usize].frame);
    }
    assert_eq!(rod.topology(), Topology::Chain);
    assert_eq!(line(4).clamp_at(2, 1).build().unwrap().topology(), Topology::Graph);
}

#[test]
fn loads_add() {
    let bare = line(4).build().unwrap();
    let rod = line(4).load(4, 2.0).load(4, 3.0).build().unwrap();
    close(rod.vertices()[4].mass - bare.vertices()[4].mass, 5.0, 1e-12);
    close(rod.mass() - bare.mass(), 5.0, 1e-12);
}

#[test]
fn breaking_by_strain_and_by_tension() {
    let material = Material::rigidity(2e4, 2e4, 1.0, 1.0, 1.0);
    let strain = line(4)
        .material(material)
        .break_at(BreakLimit::Strain(0.005))
        .build()
        .unwrap();
    assert_eq!(strain.segments()[2].break_strain, 0.005);
    let tension = line(4)
        .material(material)
        .break_at(BreakLimit::Tension(100.0))
        .build()
        .unwrap();
    close(tension.segments()[2].break_strain, 0.005, 1e-15);
}

#[test]
fn rest_scale_shortens_lengths_and_masses() {
    let rod = line(10).rest_scale(0.94).build().unwrap();
    close(rod.rest_length(), 0.94, 1e-12);
    close(rod.joints()[3].length, 0.094, 1e-12);
    close(rod.mass(), 0.94 * line(10).build().unwrap().mass(), 1e-12);
}

#[test]
fn paper_constants_hold_for_every_segment() {
    let material = Material {
        stiffness: Stiffness::Paper { k_ss: 30.0, k_bt: 7.0 },
        ..Material::default()
    };
    let points = [DVec3::ZERO, DVec3::X, DVec3::X * 3.0, DVec3::X * 3.5];
    let rod = RodSpec::new(Shape::polyline(points))
        .material(material)
        .build()
        .unwrap();
    for segment in rod.segments() {
        close(segment.axial * segment.rest_length, 30.0, 1e-12);
    }
    for joint in rod.joints() {
        close(4.0 * joint.bending[0] / joint.length, 7.0, 1e-12);
        close(4.0 * joint.torsion / joint.length, 7.0, 1e-12);
    }
}

#[test]
fn taper_follows_the_cone() {
    let material = Material::elastic(1e9, 0.25, 1000.0);
    let rod = line(50)
        .radius(0.02)
        .material(material)
        .taper(Taper::Linear { start: 1.0, end: 0.5 })
        .build()
        .unwrap();
    close(rod.vertices()[0].radius, 0.02, 1e-15);
    close(rod.vertices()[25].radius, 0.015, 1e-12);
    close(rod.vertices()[50].radius, 0.01, 1e-15);
    // Volume of a truncated cone, and the compliance of one in a pull: L / (E π r₀ r₁).
    let volume = std::f64::consts::PI / 3.0 * (0.02f64.powi(2) + 0.02 * 0.01 + 0.01f64.powi(2));
    close(rod.mass() / (1000.0 * volume), 1.0, 1e-12);
    let compliance: f64 = rod
        .segments()
        .iter()
        .map(|segment| segment.rest_length / segment.axial)
        .sum();
    close(compliance * 1e9 * std::f64::consts::PI * 0.02 * 0.01, 1.0, 1e-12);
    // EI at the joint's own vertex.
    close(
        rod.joints()[24].bending[0],
        1e9 * Section::round(0.015).second_moments()[0],
        1e-9,
    );
}

#[test]
fn radii_and_factors_agree() {
    let radii: Vec<f64> = (0..5).map(|i| 0.01 + 0.002 * f64::from(i)).collect();
    let factors = radii.iter().map(|radius| radius / 0.01).collect();
    let by_radius = line(4).radius(0.01).taper(Taper::Radii(radii.clone())).build().unwrap();
    let by_factor = line(4).radius(0.01).taper(Taper::Factors(factors)).build().unwrap();
    assert_eq!(by_radius, by_factor);
    for (vertex, radius) in by_radius.vertices().iter().zip(radii) {
        close(vertex.radius, radius, 1e-15);
    }
}

#[test]
fn a_loop_wraps() {
    let rod = RodSpec::new(Shape::circle(DVec3::ZERO, DVec3::Y, 0.5, 12))
        .build()
        .unwrap();
    assert_eq!(rod.topology(), Topology::Loop);
    assert_eq!(
        (rod.vertices().len(), rod.segments().len(), rod.joints().len()),
        (12, 12, 12)
    );
    assert_eq!((rod.segments()[11].tail, rod.segments()[11].head), (11, 0));
    assert_eq!((rod.joints()[11].first, rod.joints()[11].second), (11, 0));
    let chord = 2.0 * 0.5 * (std::f64::consts::PI / 12.0).sin();
    close(rod.rest_length(), 12.0 * chord, 1e-12);
    let mass = rod.vertices()[0].mass;
    assert!(rod.vertices().iter().all(|vertex| (vertex.mass - mass).abs() < 1e-12));
}

#[test]
fn topology_is_derived_from_the_parts() {
    assert_eq!(RodDescription::new(sound_parts()).unwrap().topology(), Topology::Chain);
    let mut parts = sound_parts();
    parts.joints.remove(1);
    assert_eq!(RodDescription::new(parts).unwrap().topology(), Topology::Graph);
    let mut parts = sound_parts();
    parts.segments.swap(0, 1);
    parts.joints.clear();
    parts.clamps.clear();
    let graph = RodDescription::new(parts).unwrap();
    assert_eq!(graph.topology(), Topology::Graph);
    assert_eq!(graph.arc_length(1), None);
    assert_eq!(line(1).build().unwrap().topology(), Topology::Chain);
}

#[test]
fn graph_joints_by_rule() {
    // A cross: four arms at vertex 0.
    let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y];
    let arms = [[0, 1], [0, 2], [0, 3], [4, 0]];
    let joints = |joints| {
        RodSpec::new(Shape::graph(vertices, arms, joints))
            .build()
            .unwrap()
            .joints()
            .len()
    };
    assert_eq!(joints(Joints::All), 6);
    assert_eq!(joints(Joints::None), 0);
    assert_eq!(joints(Joints::List(vec![[0, 2], [1, 3]])), 2);
}

#[test]
fn a_graph_by_hand_mixes_materials() {
    let mut builder = GraphBuilder::new();
    let vertices: Vec<u32> = (0..4).map(|i| builder.add_vertex(DVec3::Y * f64::from(i))).collect();
    let stiff = SegmentProperties {
        radius: 0.05,
        ..SegmentProperties::new(1e6, 3.0)
    };
    let soft = SegmentProperties {
        rest_scale: 0.5,
        relaxation: 0.01,
        break_at: BreakLimit::Tension(4.0),
        ..SegmentProperties::new(400.0, 0.2)
    };
    let path = builder.add_path(&vertices[..3], &stiff, Some(&JointProperties::new(1e5)));
    let band = builder.add_segment(vertices[2], vertices[3], &soft);
    builder
        .clamp(0, path[0], &JointProperties::new(1e5))
        .load(3, 10.0)
        .friction(0.7);
    assert_eq!(builder.ends(band), Some([2, 3]));
    assert_eq!(builder.position(3), Some(DVec3::Y * 3.0));
    let rod = builder.finish().unwrap();
    assert_eq!(rod.pins(), [0]);
    close(rod.vertices()[2].mass, 1.5 + 0.05, 1e-12);
    close(rod.vertices()[3].mass, 10.05, 1e-12);
    assert_eq!(rod.vertices()[2].radius, 0.05);
    assert_eq!(rod.vertices()[3].radius, 0.01);
    close(rod.segments()[2].rest_length, 0.5, 1e-12);
    close(rod.segments()[2].break_strain, 0.01, 1e-15);
    assert_eq!(rod.joints().len(), 1);
    close(rod.clamps()[0].length, 0.5, 1e-15);
    assert_eq!(rod.friction(), 0.7);
}

#[test]
fn properties_of_a_material() {
    let (material, section) = (Material::rubber(), Section::round(0.01));
    let rod = line(4).material(material).section(section).build().unwrap();
    let segment = SegmentProperties::of(&material, &section).unwrap();
    let joint = JointProperties::of(&material, &section).unwrap();
    assert_eq!(
        (segment.axial, segment.shear),
        (rod.segments()[0].axial, rod.segments()[0].shear)
    );
    assert_eq!(
        (joint.bending, joint.torsion),
        (rod.joints()[0].bending, rod.joints()[0].torsion)
    );
    assert_eq!(joint.relaxation, rod.joints()[0].relaxation);
}

#[test]
fn a_groom_is_described_in_a_moment() {
    // Ten thousand strands of 32 segments are built at start-up: well below a second even on a slow machine.
    let start = std::time::Instant::now();
    let mut vertices = 0;
    for i in 0..10_000 {
        let root = DVec3::new(f64::from(i) * 1e-3, 0.0, 0.0);
        let strand = RodSpec::new(Shape::line(root, root - DVec3::Y * 0.3, 32))
            .radius(40e-6)
            .material(Material::human_hair())
            .clamp_start();
        vertices += strand.build().unwrap().vertices().len();
    }
    assert_eq!(vertices, 330_000);
    let seconds = start.elapsed().as_secs_f64();
    println!("10,000 strands described in {:.1} ms", seconds * 1e3);
    assert!(seconds < 5.0, "{seconds} s");
}
