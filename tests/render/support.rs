//! Meshes, and what is true of every one of them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use glam::{DVec3, Vec3};
use lariat::{
    prelude::*,
    render::{Caps, TubeMesh, TubeOptions},
};

use crate::common::built;

/// Sides, subdivisions and caps that differ from the defaults, so that no default hides.
pub fn options() -> TubeOptions {
    TubeOptions {
        sides: 7,
        subdivisions: 3,
        ..TubeOptions::default()
    }
}

pub fn with_caps(caps: Caps) -> TubeOptions {
    TubeOptions { caps, ..options() }
}

/// The mesh of a rod as it is described, some segments broken.
pub fn mesh_of(spec: &RodSpec, broken: &[usize], options: &TubeOptions) -> TubeMesh {
    let mut world = RodWorld::default();
    let id = world.insert(built(spec)).expect("a sound rod");
    for &segment in broken {
        let mut rod = world.rod_mut(id).expect("the rod is there");
        rod.break_segment(segment).expect("a segment of the rod");
    }
    let mut mesh = TubeMesh::default();
    let rod = world.rod(id).expect("the rod is there");
    mesh.write(&rod, DVec3::ZERO, options).expect("sound options");
    mesh
}

/// The mesh of a description in a pose given by its points, frames as described.
pub fn posed(spec: &RodSpec, points: &[Vec3], options: &TubeOptions) -> TubeMesh {
    let rod = Arc::new(built(spec));
    let mut mesh = TubeMesh::default();
    let frames: Vec<_> = rod.segments().iter().map(|s| s.frame.as_quat()).collect();
    let radii: Vec<_> = rod.vertices().iter().map(|v| v.radius as f32).collect();
    let pose = lariat::render::TubePose {
        positions: points,
        orientations: &frames,
        radii: &radii,
    };
    mesh.write_pose(&rod, &[], &pose, options).expect("a sound pose");
    mesh
}

pub fn triangles(mesh: &TubeMesh) -> impl Iterator<Item = [usize; 3]> + '_ {
    let (triangles, rest) = mesh.indices().as_chunks::<3>();
    assert!(rest.is_empty());
    triangles.iter().map(|t| t.map(|i| i as usize))
}

/// Volume that the surface encloses (divergence theorem), m³.
pub fn volume(mesh: &TubeMesh) -> f64 {
    triangles(mesh)
        .map(|t| {
            let [a, b, c] = t.map(|i| mesh.positions()[i].as_dvec3());
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

/// A place to the bit: the seams of a tube repeat positions exactly.
fn place(p: Vec3) -> [u32; 3] {
    p.to_array().map(|c| (c + 0.0).to_bits())
}

/// Every edge is run through once each way: no holes, no wrong side out. Answers vertices − edges + faces.
pub fn assert_closed(mesh: &TubeMesh) -> i64 {
    let mut edges: HashMap<_, i32> = HashMap::new();
    let mut corners = HashSet::new();
    let mut faces = 0;
    for t in triangles(mesh) {
        faces += 1;
        for k in 0..3 {
            let [a, b] = [t[k], t[(k + 1) % 3]].map(|i| place(mesh.positions()[i]));
            corners.insert(a);
            let (edge, way) = if a < b { ((a, b), 1) } else { ((b, a), -1) };
            let both = edges.entry(edge).or_default();
            // The lower half counts the ways off against each other, the upper one how many there are.
            *both += way + (1 << 16);
        }
    }
    let open = edges.values().filter(|&&both| both != 2 << 16).count();
    assert_eq!(open, 0, "of {} edges", edges.len());
    corners.len() as i64 - edges.len() as i64 + faces
}

/// How many parts there are that no triangle connects: tubes with their round caps, and flat caps.
pub fn parts(mesh: &TubeMesh) -> usize {
    let mut above = Vec::from_iter(0..mesh.positions().len());
    fn top(above: &mut [usize], mut i: usize) -> usize {
        while above[i] != i {
            above[i] = above[above[i]];
            i = above[i];
        }
        i
    }
    for t in triangles(mesh) {
        let [a, b, c] = t.map(|i| top(&mut above, i));
        above[b] = a;
        let c = top(&mut above, c);
        above[c] = a;
    }
    (0..above.len()).filter(|&i| above[i] == i).count()
}

/// Numbers finite, indices in range, vectors of unit length and across one another, inside the box, normals on the side that the
/// triangles face, no triangle without area.
pub fn assert_sound(mesh: &TubeMesh) {
    let count = mesh.positions().len();
    assert_eq!(
        [mesh.normals().len(), mesh.tangents().len(), mesh.uvs().len()],
        [count; 3]
    );
    let [low, high] = mesh.bounds().expect("something to see");
    for i in 0..count {
        let (position, normal, tangent) = (mesh.positions()[i], mesh.normals()[i], mesh.tangents()[i]);
        assert!(
            position.is_finite() && mesh.uvs()[i].is_finite(),
            "vertex {i}: {position}"
        );
        // Rounding of the box's own sums.
        let slack = 1e-6 * (1.0 + position.abs().max_element());
        assert!(position.cmpge(low - slack).all() && position.cmple(high + slack).all());
        // A dozen roundings of single precision.
        assert!((normal.length() - 1.0).abs() < 2e-6, "vertex {i}: {normal}");
        assert!(
            (tangent.truncate().length() - 1.0).abs() < 2e-6,
            "vertex {i}: {tangent}"
        );
        assert!(normal.dot(tangent.truncate()).abs() < 2e-6, "vertex {i}");
        assert_eq!(tangent.w, 1.0);
    }
    for t in triangles(mesh) {
        let [a, b, c] = t.map(|i| mesh.positions()[i]);
        assert!((b - a).cross(c - a).length() > 0.0, "triangle {t:?}: {a} {b} {c}");
    }
}

/// Triangles face where their normals point; not so where a tube turns more sharply than it is thick.
pub fn assert_faces_out(mesh: &TubeMesh) {
    for t in triangles(mesh) {
        let [a, b, c] = t.map(|i| mesh.positions()[i]);
        let face = (b - a).cross(c - a).normalize();
        let out: Vec3 = t.iter().map(|&i| mesh.normals()[i]).sum();
        assert!(face.dot(out.normalize()) > 0.5, "triangle {t:?}");
    }
}
