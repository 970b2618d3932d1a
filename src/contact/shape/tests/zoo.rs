//! One shape of every kind, and random numbers.

use glam::{DQuat, DVec3};
use parry3d::bounding_volume::{Aabb, BoundingSphere};
use parry3d::mass_properties::MassProperties;
use parry3d::math::{IVector, Pose as ParryPose, Vector};
use parry3d::query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection};
use parry3d::shape::*;

use super::super::Pose;

pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// From 0 to 1 (the splitmix generator).
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(super) fn vector(&mut self, half: f64) -> DVec3 {
        let mut each = || (2.0 * self.unit() - 1.0) * half;
        DVec3::new(each(), each(), each())
    }

    pub(super) fn pose(&mut self, half: f64) -> Pose {
        let axis = self.vector(1.0).normalize();
        Pose {
            position: self.vector(half),
            rotation: DQuat::from_axis_angle(axis, 6.0 * self.unit()),
        }
    }
}

type Named = (&'static str, SharedShape);

/// Convex shapes that have an inside.
pub(super) fn solids() -> Vec<Named> {
    let mut random = Random::new(77);
    let cloud: Vec<Vector> = (0..20).map(|_| random.vector(1.0).as_vec3()).collect();
    let hull = ConvexPolyhedron::from_convex_hull(&cloud).expect("a hull");
    let cuboid = Cuboid::new(Vector::new(0.7, 0.4, 1.1));
    let cylinder = Cylinder::new(0.8, 0.5);
    let cone = Cone::new(0.8, 0.6);
    let triangle = Triangle::new(Vector::ZERO, Vector::new(1.0, 0.2, 0.1), Vector::new(0.1, 0.9, -0.3));
    let ends = (Vector::new(-0.5, 0.1, 0.2), Vector::new(0.6, 0.4, -0.3));
    let normal = Vector::new(0.36, 0.8, 0.48);
    vec![
        ("ball", SharedShape::ball(0.8)),
        ("cuboid", SharedShape::new(cuboid)),
        ("capsule", SharedShape::new(Capsule::new(ends.0, ends.1, 0.3))),
        ("half-space", SharedShape::new(HalfSpace { normal })),
        ("cylinder", SharedShape::new(cylinder)),
        ("cone", SharedShape::new(cone)),
        ("hull", SharedShape::new(hull.clone())),
        ("round cuboid", SharedShape::new(round(cuboid))),
        ("round cylinder", SharedShape::new(round(cylinder))),
        ("round cone", SharedShape::new(round(cone))),
        ("round hull", SharedShape::new(round(hull))),
        ("round triangle", SharedShape::new(round(triangle))),
        ("custom", SharedShape::new(OfAUser(Ball::new(0.9)))),
    ]
}

fn round<S>(inner_shape: S) -> RoundShape<S> {
    RoundShape {
        inner_shape,
        border_radius: 0.15,
    }
}

/// Everything else.
pub(super) fn surfaces() -> Vec<Named> {
    let mut random = Random::new(78);
    let corner = |random: &mut Random| random.vector(1.0).as_vec3();
    let line: Vec<Vector> = (0..9).map(|_| corner(&mut random)).collect();
    let (a, b, c) = (corner(&mut random), corner(&mut random), corner(&mut random));
    let part = |at: [f32; 3], shape: SharedShape| {
        let turned = glam::Quat::from_rotation_x(at[0]);
        (ParryPose::from_parts(Vector::from_array(at), turned), shape)
    };
    let parts = vec![
        part([0.9, 0.0, 0.0], SharedShape::cuboid(0.3, 0.2, 0.4)),
        part([-0.8, 0.3, 0.0], SharedShape::ball(0.35)),
        part([0.0, -0.9, 0.5], SharedShape::capsule_y(0.3, 0.2)),
        part([0.0, 0.9, -0.5], field()),
        part([0.0, 0.0, 0.0], SharedShape::cone(0.3, 0.2)),
    ];
    vec![
        ("segment", SharedShape::segment(a, b)),
        ("triangle", SharedShape::triangle(a, b, c)),
        ("polyline", SharedShape::polyline(line, None)),
        ("mesh", flat_mesh(8, 0.3, 0.4)),
        ("height field", field()),
        ("compound", SharedShape::compound(parts)),
        ("voxels", voxels()),
    ]
}

/// A square mesh of `2·(n-1)²` triangles with cells of a given size, waves of a given height, in the plane y = 0.
pub(super) fn flat_mesh(n: u32, cell: f32, height: f32) -> SharedShape {
    let middle = 0.5 * (n - 1) as f32;
    let at = |i: u32| (i as f32 - middle) * cell;
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let wave = height * (2.1 * at(i)).sin() * (1.7 * at(j)).cos();
            points.push(Vector::new(at(i), wave, at(j)));
            if i + 1 < n && j + 1 < n {
                let k = i * n + j;
                triangles.push([k, k + 1, k + n]);
                triangles.push([k + 1, k + n + 1, k + n]);
            }
        }
    }
    SharedShape::trimesh(points, triangles).expect("a mesh")
}

fn field() -> SharedShape {
    let mut random = Random::new(79);
    let heights = (0..20).map(|_| random.unit() as f32).collect();
    let heights = parry3d::utils::Array2::new(4, 5, heights);
    SharedShape::heightfield(heights, Vector::new(2.0, 0.4, 1.5))
}

fn voxels() -> SharedShape {
    let mut keys = Vec::new();
    for x in -3..4 {
        for y in -3..3 {
            for z in -2..4 {
                // A block with two opposite corners cut off and a hole.
                let cut = x + y + z > 4 || x + y + z < -5;
                if !cut && (x, y, z) != (0, 0, 0) {
                    keys.push(IVector::new(x, y, z));
                }
            }
        }
    }
    SharedShape::voxels(Vector::new(0.3, 0.25, 0.2), &keys)
}

/// A ball in disguise, for shapes that parry3d knows nothing of.
#[derive(Clone)]
pub(super) struct OfAUser(Ball);

impl RayCast for OfAUser {
    fn cast_local_ray_and_get_normal(&self, ray: &Ray, far: f32, solid: bool) -> Option<RayIntersection> {
        self.0.cast_local_ray_and_get_normal(ray, far, solid)
    }
}

impl PointQuery for OfAUser {
    fn project_local_point(&self, point: Vector, solid: bool) -> PointProjection {
        self.0.project_local_point(point, solid)
    }

    fn project_local_point_and_get_feature(&self, point: Vector) -> (PointProjection, FeatureId) {
        self.0.project_local_point_and_get_feature(point)
    }
}

impl Shape for OfAUser {
    fn compute_local_aabb(&self) -> Aabb {
        self.0.compute_local_aabb()
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        self.0.compute_local_bounding_sphere()
    }

    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    fn scale_dyn(&self, _: Vector, _: u32) -> Option<Box<dyn Shape>> {
        None
    }

    fn mass_properties(&self, density: f32) -> MassProperties {
        self.0.mass_properties(density)
    }

    fn shape_type(&self) -> ShapeType {
        ShapeType::Custom
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        TypedShape::Custom(self)
    }

    fn ccd_thickness(&self) -> f32 {
        self.0.ccd_thickness()
    }

    fn ccd_angular_thickness(&self) -> f32 {
        self.0.ccd_angular_thickness()
    }

    fn as_support_map(&self) -> Option<&dyn SupportMap> {
        Some(&self.0)
    }
}
