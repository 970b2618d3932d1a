//! Which vertex of the mesh lies where on the rod: rows around each path, pole to pole, and the triangles between them.
//!
//! A row has a vertex more than sides, so that u can run from 0 to 1. Seen from outside with v downwards u runs to the right: textures
//! are not mirrored (a right-laid rope stays one), and with w = 1 the bitangent points against v, as glTF has it.

use std::{f32::consts::FRAC_PI_2, ops::Range, sync::Arc};

use glam::{Vec2, Vec3};

use super::{
    Caps, TubeError, TubeOptions, TubePose, TubeSurface,
    paths::{End, Path, Step, paths},
    pose::count,
    surface::{Circle, Knot, write_strand},
};
use crate::rod::RodDescription;

/// A path with its place in the buffers.
#[derive(Clone, Debug)]
pub(super) struct Strand {
    pub steps: Range<usize>,
    pub closed: bool,
    pub ends: [End; 2],
    pub caps: [Caps; 2],
    /// v over rest length, 1/m.
    pub v_scale: f64,
    pub vertices: Range<usize>,
}

/// How the tubes of a rod lie in buffers of vertices and indices.
///
/// [`TubeMesh`](super::TubeMesh) has one with buffers of its own. Use it alone to put many rods into one mesh: rods of the same description can
/// even share a layout, one after the other.
#[derive(Clone, Debug, Default)]
pub struct TubeLayout {
    /// What it was made for. Holding the description makes its address a proof that it is the same.
    made_for: Option<(Arc<RodDescription>, TubeOptions)>,
    broken: Vec<u32>,
    steps: Vec<Step>,
    strands: Vec<Strand>,
    circle: Circle,
    knots: Vec<Knot>,
    vertices: usize,
    indices: usize,
}

impl TubeLayout {
    /// Make the layout for a rod. Answers whether it is another than before: then indices and UVs must be written again.
    pub fn lay(&mut self, rod: &Arc<RodDescription>, broken: &[u32], options: &TubeOptions) -> Result<bool, TubeError> {
        let same = |(made, old): &(Arc<RodDescription>, TubeOptions)| Arc::ptr_eq(made, rod) && old == options;
        if self.made_for.as_ref().is_some_and(same) && self.broken == broken {
            return Ok(false);
        }
        options.validate()?;
        let paths = paths(rod, broken);
        let shapes = || paths.iter().map(|path| (path, caps(path, options)));
        let vertices: usize = shapes().map(|(path, caps)| vertex_count(path, caps, options)).sum();
        if u32::try_from(vertices).is_err() {
            return Err(TubeError::TooLarge { vertices });
        }
        self.steps.clear();
        self.strands.clear();
        let mut at = 0;
        for (path, caps) in shapes() {
            let first = self.steps.len();
            self.steps.extend(&path.steps);
            let vertices = at..at + vertex_count(path, caps, options);
            at = vertices.end;
            let length = f64::from(options.texture_length);
            self.strands.push(Strand {
                steps: first..self.steps.len(),
                closed: path.closed,
                ends: path.ends,
                caps,
                v_scale: path
                    .around
                    .map_or(1.0 / length, |around| (around / length).round().max(1.0) / around),
                vertices,
            });
        }
        self.circle.make(options.sides as usize);
        self.vertices = vertices;
        self.indices = shapes().map(|(path, caps)| index_count(path, caps, options)).sum();
        self.broken.clear();
        self.broken.extend(broken);
        self.made_for = Some((rod.clone(), *options));
        Ok(true)
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Number of indices, three for each triangle.
    pub fn index_count(&self) -> usize {
        self.indices
    }

    /// Write what stays while the shape does. `first_vertex` is added to the indices: where this rod begins in a mesh of many. Triangles run
    /// counterclockwise as seen from outside.
    ///
    /// The slices must have as many elements as the layout says.
    pub fn write_shape(&self, first_vertex: u32, uvs: &mut [Vec2], indices: &mut [u32]) -> Result<(), TubeError> {
        count("uvs", uvs.len(), self.vertices)?;
        count("indices", indices.len(), self.indices)?;
        let vertices = self.vertices + first_vertex as usize;
        if u32::try_from(vertices).is_err() {
            return Err(TubeError::TooLarge { vertices });
        }
        let Some((rod, options)) = &self.made_for else {
            return Ok(());
        };
        let mut rest = indices;
        for strand in &self.strands {
            let steps = &self.steps[strand.steps.clone()];
            write_uvs(rod, options, steps, strand, &mut uvs[strand.vertices.clone()]);
            let triangles = Triangles {
                out: rest,
                at: first_vertex + strand.vertices.start as u32,
                sides: options.sides,
            };
            rest = triangles.strand(steps.len() * options.subdivisions as usize, strand.caps, options);
        }
        Ok(())
    }

    /// Write what moves. Answers the box that it is in, lowest and highest corner; `None` when there is nothing to see.
    ///
    /// The slices must have as many elements as the layout says. A bad pose changes nothing.
    pub fn write_pose(
        &mut self,
        pose: &TubePose<'_>,
        surface: TubeSurface<'_>,
    ) -> Result<Option<[Vec3; 2]>, TubeError> {
        if let Some((rod, _)) = &self.made_for {
            pose.check(rod)?;
        }
        Ok(self.write_checked(pose, surface.checked(self.vertices)?))
    }

    /// The same for a pose and slices that are known to fit.
    pub(super) fn write_checked(&mut self, pose: &TubePose<'_>, mut surface: TubeSurface<'_>) -> Option<[Vec3; 2]> {
        let (_, options) = self.made_for.as_ref()?;
        let mut bounds = None;
        for strand in &self.strands {
            let steps = &self.steps[strand.steps.clone()];
            let knots = &mut self.knots;
            write_strand(
                strand,
                steps,
                pose,
                options,
                &self.circle,
                knots,
                &mut surface,
                &mut bounds,
            );
        }
        bounds
    }
}

fn caps(path: &Path, options: &TubeOptions) -> [Caps; 2] {
    path.ends.map(|end| match (options.caps, end) {
        _ if path.closed => Caps::Open,
        (Caps::Flat, End::Junction | End::Inside) => Caps::Round,
        (chosen, _) => chosen,
    })
}

fn vertex_count(path: &Path, caps: [Caps; 2], options: &TubeOptions) -> usize {
    let sides = options.sides as usize;
    let row = sides + 1;
    let rows = path.steps.len() * options.subdivisions as usize + 1;
    let cap = |cap| match cap {
        Caps::Round => (options.cap_strips() - 1) * row + sides,
        Caps::Flat => sides,
        Caps::Open => 0,
    };
    rows * row + caps.map(cap).iter().sum::<usize>()
}

fn index_count(path: &Path, caps: [Caps; 2], options: &TubeOptions) -> usize {
    let sides = options.sides as usize;
    let strips = path.steps.len() * options.subdivisions as usize;
    let cap = |cap| match cap {
        Caps::Round => (options.cap_strips() - 1) * 2 * sides + sides,
        Caps::Flat => sides - 2,
        Caps::Open => 0,
    };
    3 * (strips * 2 * sides + caps.map(cap).iter().sum::<usize>())
}

/// Texture coordinates of a strand: v is rest length, so that a texture sticks to the material and stretches only as the rod does.
fn write_uvs(rod: &RodDescription, options: &TubeOptions, steps: &[Step], strand: &Strand, out: &mut [Vec2]) {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return;
    };
    let sides = options.sides as usize;
    let mut out = out.iter_mut();
    let mut put = |uv: Vec2| {
        if let Some(slot) = out.next() {
            *slot = uv;
        }
    };
    let across = |k: usize| k as f32 / sides as f32;
    let radius = |vertex: u32| rod.vertices()[vertex as usize].radius * f64::from(options.radius_scale);
    // Along the meridian of a round cap, `strip` strips from its rim.
    let strips = options.cap_strips();
    let beyond = |vertex: u32, strip: usize| {
        let angle = f64::from(FRAC_PI_2) * strip as f64 / strips as f64;
        radius(vertex) * angle
    };
    let v = |arc: f64| (arc * strand.v_scale) as f32;
    let disc = |k: usize, side: f32| {
        let (sine, cosine) = (std::f32::consts::TAU * across(k)).sin_cos();
        // Row k lies at minus this angle from d1.
        Vec2::new(0.5 + 0.5 * cosine, 0.5 + 0.5 * side * sine)
    };
    let start = first.arc;
    match strand.caps[0] {
        Caps::Round => {
            let pole = v(start - beyond(first.from, strips));
            (0..sides).for_each(|k| put(Vec2::new(across(k) + 0.5 / sides as f32, pole)));
            for strip in (1..strips).rev() {
                let v = v(start - beyond(first.from, strip));
                (0..=sides).for_each(|k| put(Vec2::new(across(k), v)));
            }
        }
        Caps::Flat => (0..sides).for_each(|k| put(disc(k, -1.0))),
        Caps::Open => {}
    }
    let pieces = options.subdivisions;
    for step in steps {
        for piece in 0..pieces {
            let v = v(step.arc + step.rest_length * f64::from(piece) / f64::from(pieces));
            (0..=sides).for_each(|k| put(Vec2::new(across(k), v)));
        }
    }
    let end = last.arc + last.rest_length;
    let v_end = v(end);
    (0..=sides).for_each(|k| put(Vec2::new(across(k), v_end)));
    match strand.caps[1] {
        Caps::Round => {
            for strip in 1..strips {
                let v = v(end + beyond(last.to, strip));
                (0..=sides).for_each(|k| put(Vec2::new(across(k), v)));
            }
            let pole = v(end + beyond(last.to, strips));
            (0..sides).for_each(|k| put(Vec2::new(across(k) + 0.5 / sides as f32, pole)));
        }
        Caps::Flat => (0..sides).for_each(|k| put(disc(k, 1.0))),
        Caps::Open => {}
    }
}

/// Writes triangles, from the start of a strand to its end.
struct Triangles<'a> {
    out: &'a mut [u32],
    /// The first vertex that is not used yet.
    at: u32,
    sides: u32,
}

impl<'a> Triangles<'a> {
    /// Writes a strand of so many strips and gives back what is left of the slice.
    fn strand(mut self, strips: usize, caps: [Caps; 2], options: &TubeOptions) -> &'a mut [u32] {
        let sides = self.sides;
        match caps[0] {
            Caps::Round => {
                let pole = self.at;
                self.at += sides;
                for k in 0..sides {
                    self.put([pole + k, self.at + k, self.at + k + 1]);
                }
                (1..options.cap_strips()).for_each(|_| self.strip());
            }
            Caps::Flat => {
                for k in 1..sides - 1 {
                    self.put([self.at, self.at + k, self.at + k + 1]);
                }
                self.at += sides;
            }
            Caps::Open => {}
        }
        (0..strips).for_each(|_| self.strip());
        match caps[1] {
            Caps::Round => {
                (1..options.cap_strips()).for_each(|_| self.strip());
                let pole = self.at + sides + 1;
                for k in 0..sides {
                    self.put([self.at + k, pole + k, self.at + k + 1]);
                }
            }
            Caps::Flat => {
                let disc = self.at + sides + 1;
                for k in 1..sides - 1 {
                    self.put([disc, disc + k + 1, disc + k]);
                }
            }
            Caps::Open => {}
        }
        self.out
    }

    /// From the row at hand to the next, which becomes the row at hand.
    fn strip(&mut self) {
        let (upper, lower) = (self.at, self.at + self.sides + 1);
        for k in 0..self.sides {
            self.put([upper + k, lower + k, upper + k + 1]);
            self.put([upper + k + 1, lower + k, lower + k + 1]);
        }
        self.at = lower;
    }

    fn put(&mut self, triangle: [u32; 3]) {
        let out = std::mem::take(&mut self.out);
        if let Some((now, rest)) = out.split_first_chunk_mut::<3>() {
            *now = triangle;
            self.out = rest;
        }
    }
}
