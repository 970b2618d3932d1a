//! A sparse grid: bricks of 4 × 4 × 4 nodes where there is hair, found by a table of their places.
//!
//! Every brick sums up its own samples, in the order of the strands, and then what its neighbours have for it, in a fixed order: the result does not depend on who does it when.

use super::{super::step::Aside, sheet::Sample};
use crate::{contact::settings::HairGrid, solver::step::Workers};

/// No brick.
pub const NONE: u32 = u32::MAX;
/// Nodes along the side of a brick, and with those beyond that its samples reach.
pub const SIDE: usize = 4;
const WIDE: usize = SIDE + 1;
/// Nodes of a brick.
pub const NODES: usize = SIDE * SIDE * SIDE;
const SHIFT: i32 = 2;

/// What a node knows: its mass, kg, momentum or velocity, how full it is (1 is packed), and what it gains, m/s.
pub type Node = [f32; 8];
pub const MASS: usize = 0;
pub const MOTION: usize = 1;
pub const FULL: usize = 4;
pub const GAIN: usize = 5;

/// The samples of a brick on its nodes and those beyond.
#[derive(Clone, Debug)]
struct Wide {
    index: u32,
    /// There are samples in it.
    filled: bool,
    nodes: [Node; WIDE * WIDE * WIDE],
}

/// The nodes of a brick.
#[derive(Clone, Debug)]
pub struct Brick {
    index: u32,
    pub nodes: [Node; NODES],
}

/// See the head of the file.
#[derive(Clone, Debug, Default)]
pub struct Bricks {
    pub count: usize,
    keys: Vec<[i32; 3]>,
    /// Which of the eight bricks from here on samples reach, a bit each.
    reach: Vec<u8>,
    /// Numbers of a brick and those around it.
    around: Vec<[u32; 27]>,
    table: Vec<u32>,
    /// Where the samples of each brick start in `order`, which has their blocks and numbers there; once sorted, where they end.
    starts: Vec<u32>,
    order: Vec<(u32, u32)>,
    wide: Vec<Wide>,
    pub bricks: Vec<Brick>,
}

impl Bricks {
    /// Find the bricks of all samples, and sort the samples by them.
    pub fn sort(&mut self, asides: &mut [Aside]) {
        self.count = 0;
        self.keys.clear();
        self.reach.clear();
        self.table.fill(NONE);
        self.starts.clear();
        let mut last = ([i32::MAX; 3], NONE);
        let mut total = 0;
        for aside in asides.iter_mut() {
            for sample in aside.hair.samples.iter_mut().filter(|sample| sample.brick != NONE) {
                let key = sample.cell.map(|c| c >> SHIFT);
                if key != last.0 {
                    last = (key, self.find_or_add(key));
                }
                sample.brick = last.1;
                let [x, y, z] = sample.cell.map(|c| u8::from(c & 3 == 3));
                self.reach[last.1 as usize] |= REACHED[usize::from(x + 2 * y + 4 * z)];
                self.starts[last.1 as usize] += 1;
                total += 1;
            }
        }
        for brick in 0..self.count {
            let reach = self.reach[brick];
            for to in (1..8).filter(|to| reach & (1 << to) != 0) {
                let by = [to & 1, to >> 1 & 1, to >> 2];
                let key: [i32; 3] = std::array::from_fn(|axis| self.keys[brick][axis] + by[axis]);
                self.find_or_add(key);
            }
        }
        self.find_neighbours();
        let mut first = 0;
        for start in &mut self.starts {
            first += std::mem::replace(start, first);
        }
        self.starts.push(first);
        self.order.clear();
        self.order.resize(total, (0, 0));
        for (block, aside) in (0u32..).zip(asides) {
            let known = (0u32..).zip(&aside.hair.samples);
            for (number, sample) in known.filter(|(_, sample)| sample.brick != NONE) {
                let slot = &mut self.starts[sample.brick as usize];
                self.order[*slot as usize] = (block, number);
                *slot += 1;
            }
        }
        // Each start has become an end: see `samples_of`.
        let empty = [0.0; 8];
        for index in self.wide.len()..self.count {
            let index = index as u32;
            self.wide.push(Wide {
                index,
                filled: false,
                nodes: [empty; WIDE * WIDE * WIDE],
            });
            self.bricks.push(Brick {
                index,
                nodes: [empty; NODES],
            });
        }
    }

    fn find_or_add(&mut self, key: [i32; 3]) -> u32 {
        if 2 * self.count >= self.table.len() {
            self.widen_table();
        }
        let slot = self.slot(key);
        if self.table[slot] == NONE {
            self.table[slot] = self.count as u32;
            self.count += 1;
            self.keys.push(key);
            self.reach.push(0);
            self.starts.push(0);
        }
        self.table[slot]
    }

    fn widen_table(&mut self) {
        let length = (2 * self.table.len()).max(256);
        self.table.clear();
        self.table.resize(length, NONE);
        for brick in 0..self.count {
            let slot = self.slot(self.keys[brick]);
            self.table[slot] = brick as u32;
        }
    }

    /// Where a brick is in the table, or would be.
    fn slot(&self, key: [i32; 3]) -> usize {
        let mask = self.table.len() - 1;
        let mixed = [0x9e37_79b9_u32, 0x85eb_ca6b, 0xc2b2_ae35]
            .into_iter()
            .zip(key)
            .fold(0, |sum: u32, (factor, part)| {
                (sum ^ part as u32).wrapping_mul(factor).rotate_left(15)
            });
        let mut slot = mixed as usize & mask;
        while self.table[slot] != NONE && self.keys[self.table[slot] as usize] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn find_neighbours(&mut self) {
        self.around.clear();
        for brick in 0..self.count {
            let key = self.keys[brick];
            let list = std::array::from_fn(|n| {
                let n = n as i32;
                let key = [key[0] + n % 3 - 1, key[1] + n / 3 % 3 - 1, key[2] + n / 9 - 1];
                self.table[self.slot(key)]
            });
            self.around.push(list);
        }
    }

    /// Every brick takes up its samples.
    pub fn splat(&mut self, asides: &[Aside], workers: &Workers) {
        let (starts, order) = (&self.starts, &self.order);
        workers.each(&mut self.wide[..self.count], |wide, _| {
            let samples = samples_of(starts, wide.index as usize);
            wide.filled = !samples.is_empty();
            if wide.filled {
                wide.nodes.fill([0.0; 8]);
            }
            for &(block, number) in &order[samples] {
                splat(&mut wide.nodes, &asides[block as usize].hair.samples[number as usize]);
            }
        });
    }

    /// Every brick takes up what it and its neighbours have for its nodes, and makes velocities of momenta.
    pub fn collect(&mut self, grid: &HairGrid, workers: &Workers) {
        let (around, wide) = (&self.around, &self.wide);
        let per_packed = 1.0 / (grid.packing * grid.cell * grid.cell * grid.cell);
        workers.each(&mut self.bricks[..self.count], |brick, _| {
            let around = &around[brick.index as usize];
            brick.nodes.fill([0.0; 8]);
            for side in SIDES {
                let from = around[CENTRE - offset(side)];
                if from == NONE || !wide[from as usize].filled {
                    continue;
                }
                // From below only nodes on a lower face are reached.
                let source = &wide[from as usize].nodes;
                each_shared(side, |own, beyond| {
                    (0..8).for_each(|k| brick.nodes[own][k] += source[beyond][k]);
                });
            }
            for node in &mut brick.nodes {
                let per_mass = if node[MASS] > 0.0 { 1.0 / node[MASS] } else { 0.0 };
                (MOTION..FULL).for_each(|k| node[k] *= per_mass);
                node[FULL] *= per_packed;
            }
        });
    }

    /// Number and place of a node that is so far along an axis from one of a brick's; `None` where there is no brick.
    pub fn beside(&self, node: usize, axis: usize, up: bool) -> Option<usize> {
        let (brick, number) = (node / NODES, node % NODES);
        let stride = [1, SIDE, SIDE * SIDE][axis];
        let place = number / stride % SIDE;
        match (place, up) {
            (0, false) => self.along(brick, axis, 0, number + stride * (SIDE - 1)),
            (place, true) if place == SIDE - 1 => self.along(brick, axis, 2, number - stride * (SIDE - 1)),
            (_, true) => Some(node + stride),
            (_, false) => Some(node - stride),
        }
    }

    fn along(&self, brick: usize, axis: usize, step: usize, number: usize) -> Option<usize> {
        let mut by = [1; 3];
        by[axis] = step;
        let other = self.around[brick][by[0] + 3 * by[1] + 9 * by[2]];
        (other != NONE).then(|| other as usize * NODES + number)
    }

    pub fn node(&self, node: usize) -> &Node {
        &self.bricks[node / NODES].nodes[node % NODES]
    }

    pub fn node_mut(&mut self, node: usize) -> &mut Node {
        &mut self.bricks[node / NODES].nodes[node % NODES]
    }

    /// Every brick makes ready what its samples gain: what a node wants of their velocities, and how strongly.
    pub fn spread(&mut self, grid: &HairGrid, h: f32, workers: &Workers) {
        let (around, bricks) = (&self.around, &self.bricks);
        workers.each(&mut self.wide[..self.count], |wide, _| {
            if !wide.filled {
                return;
            }
            let around = &around[wide.index as usize];
            for side in SIDES {
                let from = around[CENTRE + offset(side)];
                if from == NONE {
                    continue;
                }
                let source = &bricks[from as usize].nodes;
                each_shared(side, |own, beyond| {
                    wide.nodes[beyond] = wanted(&source[own], grid.friction * h);
                });
            }
        });
    }

    /// What a sample gains, m/s.
    pub fn gained(&self, sample: &Sample) -> [f32; 3] {
        let nodes = &self.wide[sample.brick as usize].nodes;
        let mut sum = [0.0; 4];
        for (node, weight) in corners(sample) {
            (0..4).for_each(|k| sum[k] += weight * nodes[node][k]);
        }
        std::array::from_fn(|axis| sum[MOTION + axis] - sum[0] * sample.velocity[axis])
    }
}

/// A brick and those above it, by the axes along which they are.
const SIDES: [[usize; 3]; 8] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
];
/// A brick among those around it.
const CENTRE: usize = 13;

/// How far a side is from the centre among those around.
fn offset([x, y, z]: [usize; 3]) -> usize {
    x + 3 * y + 9 * z
}

/// Calls `each` with the nodes that a brick has in common with the samples of the one that it is above of: numbers among its own, and among those that the samples reach.
#[inline(always)]
fn each_shared([x, y, z]: [usize; 3], mut each: impl FnMut(usize, usize)) {
    // Along an axis where it is above, only its first nodes.
    let last = |by: usize| if by == 1 { 1 } else { SIDE };
    for k in 0..last(z) {
        for j in 0..last(y) {
            for i in 0..last(x) {
                let own = i + SIDE * (j + SIDE * k);
                let beyond = i + SIDE * x + WIDE * (j + SIDE * y + WIDE * (k + SIDE * z));
                each(own, beyond);
            }
        }
    }
}

/// What a node wants of the samples around it: how strongly it holds them, and its velocity times that with what it gains.
fn wanted(node: &Node, rate: f32) -> Node {
    let rate = rate * node[FULL].min(1.0);
    // Implicit: at any rate strands go with the hair around them at most.
    let hold = rate / (1.0 + rate);
    let mut wanted = [0.0; 8];
    wanted[0] = hold;
    for axis in 0..3 {
        wanted[MOTION + axis] = hold * node[MOTION + axis] + node[GAIN + axis];
    }
    wanted
}

/// Where the samples of a brick are, from the ends of all.
fn samples_of(ends: &[u32], brick: usize) -> std::ops::Range<usize> {
    let first = if brick == 0 { 0 } else { ends[brick - 1] };
    first as usize..ends[brick] as usize
}

/// Which of the eight bricks a sample reaches, by the axes along which it is in the last cell.
const REACHED: [u8; 8] = [
    0b0000_0001,
    0b0000_0011,
    0b0000_0101,
    0b0000_1111,
    0b0001_0001,
    0b0011_0011,
    0b0101_0101,
    0b1111_1111,
];

/// The eight nodes around a sample with its weights there.
#[inline(always)]
fn corners(sample: &Sample) -> impl Iterator<Item = (usize, f32)> {
    let [x, y, z] = sample.cell.map(|c| (c & 3) as usize);
    let first = x + WIDE * (y + WIDE * z);
    let [fx, fy, fz] = sample.at;
    let (wx, wy, wz) = ([1.0 - fx, fx], [1.0 - fy, fy], [1.0 - fz, fz]);
    (0..8).map(move |corner| {
        let (i, j, k) = (corner & 1, corner >> 1 & 1, corner >> 2);
        (first + i + WIDE * (j + WIDE * k), wx[i] * wy[j] * wz[k])
    })
}

#[inline(always)]
fn splat(nodes: &mut [Node; WIDE * WIDE * WIDE], sample: &Sample) {
    let Sample {
        mass,
        velocity: [x, y, z],
        volume,
        ..
    } = *sample;
    let given = [mass, mass * x, mass * y, mass * z, volume, 0.0, 0.0, 0.0];
    for (node, weight) in corners(sample) {
        (0..8).for_each(|k| nodes[node][k] += weight * given[k]);
    }
}
