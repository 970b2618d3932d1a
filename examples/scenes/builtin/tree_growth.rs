//! Grows trees by space colonization (Runions, Lane and Prusinkiewicz 2007): points that fill the crown attract the
//! nearest branch, which grows a segment towards their mean, and vanish once a branch has come close.

use std::collections::HashMap;

use glam::{DVec3, IVec3};

use super::super::random::Random;

/// The numbers of a tree. The crown, the trunk and the attraction are paper 1's; with its 1,500 points and a kill distance
/// of 0.18 m this growth ends at some 2,000 vertices, so there are more points, reached from a little farther, and growth
/// stops at the authors' 3,316 vertices. That leaves 7 % more joints than theirs.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Points in the crown.
    pub points: u32,
    /// Horizontal radius of the crown, m.
    pub radius: f64,
    /// Its height above its centre, m.
    pub above: f64,
    /// And below, m.
    pub below: f64,
    /// Height of its centre, m.
    pub centre: f64,
    /// Height of the bare trunk, m.
    pub trunk: f64,
    /// Length of a segment, m.
    pub segment: f64,
    /// Points nearer than this attract, m.
    pub attraction: f64,
    /// Points nearer than this have been reached, m.
    pub kill: f64,
    /// Growth stops at so many vertices.
    pub max_vertices: usize,
    /// The seed of the points.
    pub seed: u64,
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            points: 3600,
            radius: 4.0,
            above: 1.5,
            below: 4.0,
            centre: 5.5,
            trunk: 3.0,
            segment: 0.2,
            attraction: 0.6,
            kill: 0.22,
            max_vertices: 3316,
            seed: 1,
        }
    }
}

/// A tree: every vertex but the root hangs on an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    /// m.
    pub vertices: Vec<DVec3>,
    /// The vertex that vertex i + 1 grew from.
    pub parents: Vec<u32>,
}

impl Skeleton {
    /// The length of all branches above each vertex, m.
    pub fn length_above(&self) -> Vec<f64> {
        let mut above = vec![0.0; self.vertices.len()];
        // Children come after their parents, so backwards every vertex is finished before it is used.
        for child in (1..self.vertices.len()).rev() {
            let parent = self.parents[child - 1] as usize;
            above[parent] += above[child] + self.vertices[child].distance(self.vertices[parent]);
        }
        above
    }
}

/// Grows a tree from the origin.
pub fn grow(growth: &Growth) -> Skeleton {
    let mut random = Random::new(growth.seed);
    let mut points: Vec<DVec3> = (0..growth.points)
        .map(|_| {
            let p = random.in_ball();
            let height = if p.y > 0.0 { growth.above } else { growth.below };
            DVec3::new(p.x * growth.radius, growth.centre + p.y * height, p.z * growth.radius)
        })
        .collect();
    let mut grid = Grid::new(growth.attraction);
    let mut tree = Skeleton::default();
    let trunk = (growth.trunk / growth.segment).round() as usize;
    for i in 0..=trunk {
        tree.vertices.push(DVec3::Y * growth.segment * i as f64);
        if i > 0 {
            tree.parents.push(i as u32 - 1);
        }
        grid.add(i as u32, tree.vertices[i]);
    }
    points.retain(|p| grid.nearest(*p, &tree.vertices).is_none_or(|(_, d)| d > growth.kill));
    while tree.vertices.len() < growth.max_vertices {
        let buds = attracted(&points, &grid, &tree.vertices);
        let mut grown = false;
        for (vertex, pull) in buds {
            let from = tree.vertices[vertex as usize];
            let to = from + pull.normalize_or_zero() * growth.segment;
            // Two points on opposite sides pull to nowhere new: a bud at the place of an earlier one is not grown.
            let crowded = grid
                .nearest(to, &tree.vertices)
                .is_some_and(|(_, d)| d < 0.25 * growth.segment);
            if crowded || tree.vertices.len() >= growth.max_vertices {
                continue;
            }
            let new = tree.vertices.len() as u32;
            tree.vertices.push(to);
            tree.parents.push(vertex);
            grid.add(new, to);
            grown = true;
        }
        points.retain(|p| grid.nearest(*p, &tree.vertices).is_none_or(|(_, d)| d > growth.kill));
        if !grown {
            break;
        }
    }
    tree
}

/// The vertices that are nearest to points, each with the sum of the directions to its points, in order of vertex.
fn attracted(points: &[DVec3], grid: &Grid, vertices: &[DVec3]) -> Vec<(u32, DVec3)> {
    let mut pulls: HashMap<u32, DVec3> = HashMap::new();
    for p in points {
        if let Some((vertex, _)) = grid.nearest(*p, vertices) {
            let towards = (*p - vertices[vertex as usize]).normalize_or_zero();
            *pulls.entry(vertex).or_default() += towards;
        }
    }
    let mut pulls: Vec<(u32, DVec3)> = pulls.into_iter().collect();
    pulls.sort_by_key(|(vertex, _)| *vertex);
    pulls
}

/// Vertices by cell; a cell is as wide as the reach of a search, so that 27 cells hold all that is near.
struct Grid {
    width: f64,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl Grid {
    fn new(width: f64) -> Self {
        Self {
            width,
            cells: HashMap::new(),
        }
    }

    fn cell(&self, p: DVec3) -> IVec3 {
        (p / self.width).floor().as_ivec3()
    }

    fn add(&mut self, vertex: u32, p: DVec3) {
        let cell = self.cell(p);
        self.cells.entry(cell).or_default().push(vertex);
    }

    /// The nearest vertex within reach; of equally near ones the first.
    fn nearest(&self, p: DVec3, vertices: &[DVec3]) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64)> = None;
        let middle = self.cell(p);
        for i in 0..27 {
            let offset = IVec3::new(i % 3, i / 3 % 3, i / 9) - IVec3::ONE;
            for vertex in self.cells.get(&(middle + offset)).into_iter().flatten() {
                let distance = p.distance(vertices[*vertex as usize]);
                let closer = best.is_none_or(|(v, d)| distance < d || (distance == d && *vertex < v));
                if distance <= self.width && closer {
                    best = Some((*vertex, distance));
                }
            }
        }
        best
    }
}
