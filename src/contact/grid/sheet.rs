//! The strands of a block as samples: places along them that stand for a piece each.
//!
//! A segment has as many samples as it is cells long, so that what the grid sees does not depend on how a strand is divided. A vertex gives a share of its mass to every sample on its segments, and gets
//! the same share of what the sample gains.

use bytemuck::Zeroable;
use glam::DVec3;

use super::bricks::{Bricks, NONE};
use crate::{
    contact::settings::HairGrid,
    math::lanes::Row,
    state::block::{Block, position, set_vector, vector},
};

/// A segment has no more samples than this: the longest segments of hair are coarser than the grid.
const MOST_SAMPLES: f64 = 8.0;

/// What goes farther than so many cells in a substep is not hair among hair: it would take everybody along.
const FARTHEST: f32 = 100.0;

/// A piece of a strand, as it always is.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Row and lane of the vertices at both ends of its segment.
    ends: [(u32, u32); 2],
    /// The lane of the strand.
    lane: u32,
    /// How far along the segment, from 0 to 1.
    along: f32,
    /// What it gets of the ends' masses.
    shares: [f32; 2],
    /// m³.
    volume: f32,
}

/// A piece of a strand in a substep.
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct Sample {
    /// The cell that it is in, and where there, from 0 to 1.
    pub cell: [i32; 3],
    pub at: [f32; 3],
    /// m/s; later what it gains.
    pub velocity: [f32; 3],
    /// kg.
    pub mass: f32,
    /// m³.
    pub volume: f32,
    /// Its brick, or [`NONE`].
    pub brick: u32,
}

/// See the head of the file.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pieces: Vec<Piece>,
    pub samples: Vec<Sample>,
}

impl Sheet {
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.samples.clear();
    }

    /// Take up the strand in a lane.
    pub fn add(&mut self, block: &Block, lane: usize, grid: &HairGrid) {
        let Some(resident) = &block.rods[lane] else { return };
        let rod = &resident.description;
        let place = |vertex: u32| {
            let (row, at) = block.vertex_place(lane, vertex as usize);
            (row as u32, at as u32)
        };
        // The ends of an open strand are on one segment, the others on two, forks on more.
        let met = |vertex: u32| {
            let ends = rod.segments().iter().flat_map(|segment| [segment.tail, segment.head]);
            ends.filter(|end| *end == vertex).count() as f64
        };
        for segment in rod.segments() {
            let ends = [segment.tail, segment.head];
            let count = (segment.rest_length / f64::from(grid.cell)).ceil();
            let count = count.clamp(1.0, MOST_SAMPLES);
            let radii = ends.map(|vertex| rod.vertices()[vertex as usize].radius);
            let area = std::f64::consts::PI * radii[0] * radii[1];
            let shares = ends.map(|vertex| 2.0 / (count * met(vertex)));
            for sample in 0..count as u32 {
                let along = (f64::from(sample) + 0.5) / count;
                self.pieces.push(Piece {
                    ends: ends.map(place),
                    lane: lane as u32,
                    along: along as f32,
                    shares: [shares[0] * (1.0 - along), shares[1] * along].map(|share| share as f32),
                    volume: (area * segment.rest_length / count * f64::from(grid.hairs)) as f32,
                });
            }
        }
        self.samples.resize(self.pieces.len(), Sample::zeroed());
    }

    /// Where the samples are and how they move.
    pub fn read(&mut self, block: &Block, grid: &HairGrid, h: f32) {
        let fastest = FARTHEST * grid.cell / h;
        let per_cell = 1.0 / f64::from(grid.cell);
        for (piece, sample) in self.pieces.iter().zip(&mut self.samples) {
            sample.brick = NONE;
            let Some(resident) = block.rods[piece.lane as usize].as_ref() else {
                continue;
            };
            let [a, b] = piece.ends.map(|(row, at)| (&block.vertices[row as usize], at as usize));
            let along = f64::from(piece.along);
            let place = resident.origin + position(a.0, a.1).lerp(position(b.0, b.1), along);
            let place = place * per_cell;
            let corner = place.floor();
            let [first, second] = [a, b].map(|(row, at)| row.mass.0[at]);
            let [first, second] = [first * piece.shares[0], second * piece.shares[1]];
            let mass = first + second;
            let [va, vb] = [a, b].map(|(row, at)| vector(&row.velocity, at));
            let velocity = (va * first + vb * second) / mass;
            // What went bad, or is beyond any grid, takes no part.
            let sound = velocity.length() < fastest && mass > 0.0 && place.abs().cmplt(DVec3::splat(1e9)).all();
            if !sound || resident.quarantined {
                continue;
            }
            *sample = Sample {
                cell: [corner.x as i32, corner.y as i32, corner.z as i32],
                at: (place - corner).as_vec3().to_array(),
                velocity: velocity.to_array(),
                mass,
                volume: piece.volume,
                brick: 0,
            };
        }
    }

    /// What the samples gain of the grid.
    pub fn gain(&mut self, bricks: &Bricks) {
        for sample in self.samples.iter_mut().filter(|sample| sample.brick != NONE) {
            sample.velocity = bricks.gained(sample);
        }
    }

    /// Strands take what they gained in the course of a substep of `h`.
    pub fn press(&self, block: &mut Block, h: f32) {
        if self.pieces.is_empty() {
            return;
        }
        if block.acceleration.is_empty() {
            block.acceleration = vec![[Row::default(); 3]; block.vertices.len()];
        }
        let per_step = 1.0 / h;
        for (piece, sample) in self.pieces.iter().zip(&self.samples) {
            if sample.brick == NONE {
                continue;
            }
            for ((row, at), share) in piece.ends.into_iter().zip(piece.shares) {
                let (row, at) = (row as usize, at as usize);
                // Nothing moves what is pinned.
                let share = share * per_step * block.vertices[row].free.0[at];
                let cell = &mut block.acceleration[row];
                let more = vector(cell, at) + glam::Vec3::from_array(sample.velocity) * share;
                set_vector(cell, at, more);
            }
        }
    }
}
