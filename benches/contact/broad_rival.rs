//! The broad phase against a plain sorted grid, on a heap of ropes that still creeps.

use glam::{DVec3, Vec3A};
use lariat::contact::broad::{Box3, Broad};
use std::time::Instant;

const ROPES: usize = 1625;
const SEGMENTS: usize = 40;
const FRAMES: usize = 60;
/// Metres.
const RADIUS: f64 = 0.01;
/// Of a segment, metres.
const LENGTH: f64 = 0.05;
/// How fast ropes creep along each axis at most, metres a second: one segment in fifteen leaves its box in a frame.
const SPEED: f64 = 0.03;
/// Neighbours along a rope that can't touch.
const NEAR_ALONG: usize = 3;

/// Numbers that look random (Steele, Lea and Flood's SplitMix).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }
}

/// Vertices of ropes that wander through a flat heap, and how each rope creeps, in metres a second.
struct Heap {
    vertices: Vec<DVec3>,
    creep: Vec<DVec3>,
}

impl Heap {
    fn new(speed: f64) -> Heap {
        let mut random = Random(5);
        let half = DVec3::new(1.4, 1.4, 0.35);
        let mut vertices = Vec::new();
        let mut creep = Vec::new();
        for rope in 0..ROPES {
            // The broad phase counts from the first item: there, so that floats hold its boxes exactly.
            let mut at = if rope == 0 { DVec3::ZERO } else { random.vector() * half };
            let mut along = random.vector().normalize_or(DVec3::X);
            for _ in 0..=SEGMENTS {
                vertices.push(at);
                // Turns back at the sides of the heap.
                let out = at.abs().cmpgt(half);
                along = DVec3::select(out, -at.signum() * along.abs(), along);
                along = (along + 0.5 * random.vector() * DVec3::new(1.0, 1.0, 0.5)).normalize_or(DVec3::X);
                at += along * LENGTH;
            }
            creep.push(random.vector() * speed);
        }
        Heap { vertices, creep }
    }

    /// The boxes of all segments at a time: ropes creep and sway.
    fn boxes(&self, time: f64, boxes: &mut Vec<Box3>) {
        boxes.clear();
        for (rope, (vertices, &creep)) in self.vertices.chunks_exact(SEGMENTS + 1).zip(&self.creep).enumerate() {
            let at = |i: usize| {
                let phase = rope as f64 + 0.3 * i as f64;
                vertices[i] + creep * (time + 0.5 * ((phase + 2.0 * time).sin() - phase.sin()))
            };
            boxes.extend((0..SEGMENTS).map(|i| Box3::of([at(i), at(i + 1)]).grown(RADIUS)));
        }
    }
}

fn wanted(a: u32, b: u32) -> bool {
    let (a, b) = (a as usize, b as usize);
    a / SEGMENTS != b / SEGMENTS || b - a > NEAR_ALONG
}

/// A grid whose cells are as large as the largest box: an item is in the cell of its least corner, and what it overlaps is there or next to it. Items are
/// sorted by cell with a counting sort, and their boxes copied in that order, so that a row of cells is one run through memory.
#[derive(Default)]
struct Grid {
    cells: Vec<u32>,
    starts: Vec<u32>,
    items: Vec<(Vec3A, Vec3A)>,
    numbers: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Grid {
    fn update(&mut self, boxes: &[(Vec3A, Vec3A)]) {
        let mut low = Vec3A::INFINITY;
        let mut high = Vec3A::NEG_INFINITY;
        let mut size = Vec3A::ZERO;
        for b in boxes {
            low = low.min(b.0);
            high = high.max(b.0);
            size = size.max(b.1 - b.0);
        }
        let scale = 0.9999 / size.max_element();
        let extent = ((high - low) * scale).as_uvec3() + 1;
        let (nx, ny) = (extent.x, extent.y);
        let cell_of = |p: Vec3A| {
            let c = ((p - low) * scale).as_uvec3();
            (c.z * ny + c.y) * nx + c.x
        };
        self.starts.clear();
        self.starts.resize((nx * ny * extent.z) as usize + 1, 0);
        self.cells.clear();
        for b in boxes {
            let cell = cell_of(b.0);
            self.cells.push(cell);
            self.starts[cell as usize + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.items.resize(boxes.len(), (Vec3A::ZERO, Vec3A::ZERO));
        self.numbers.resize(boxes.len(), 0);
        for (number, (b, &cell)) in boxes.iter().zip(&self.cells).enumerate() {
            let slot = &mut self.starts[cell as usize];
            self.items[*slot as usize] = *b;
            self.numbers[*slot as usize] = number as u32;
            *slot += 1;
        }
        // Each start has moved to the next one.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        self.pairs.clear();
        for z in 0..extent.z {
            for y in 0..ny {
                for x in 0..nx {
                    let cell = ((z * ny + y) * nx + x) as usize;
                    let (first, last) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
                    if first == last {
                        continue;
                    }
                    // The half of the neighbours that comes later: the rest of this cell and the next one, then rows of three.
                    let row = |dx: i64, dy: i64, dz: i64, cells: u32| {
                        let (y, z) = (i64::from(y) + dy, i64::from(z) + dz);
                        if y < 0 || y >= i64::from(ny) || z >= i64::from(extent.z) {
                            return (0, 0);
                        }
                        let from = (i64::from(x) + dx).max(0);
                        let to = (i64::from(x) + dx + i64::from(cells)).min(i64::from(nx));
                        let base = (z * i64::from(ny) + y) * i64::from(nx);
                        (
                            self.starts[(base + from) as usize] as usize,
                            self.starts[(base + to) as usize] as usize,
                        )
                    };
                    let rows = [
                        row(0, 0, 0, 2),
                        row(-1, 1, 0, 3),
                        row(-1, -1, 1, 3),
                        row(-1, 0, 1, 3),
                        row(-1, 1, 1, 3),
                    ];
                    for i in first..last {
                        let (low, high) = self.items[i];
                        for (which, &(from, to)) in rows.iter().enumerate() {
                            let from = if which == 0 { i + 1 } else { from };
                            for j in from..to {
                                let other = &self.items[j];
                                if (low.cmple(other.1) & high.cmpge(other.0)).all() {
                                    let (a, b) = (
                                        self.numbers[i].min(self.numbers[j]),
                                        self.numbers[i].max(self.numbers[j]),
                                    );
                                    if wanted(a, b) {
                                        self.pairs.push((a, b));
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Pairs a second of the broad phase, and its time in shares of the grid's. The grid is given the boxes of the broad phase for nothing, and does not sort its
/// pairs.
pub fn measure(quick: bool) -> (f64, f64) {
    let frames = if quick { FRAMES / 3 } else { FRAMES };
    let heap = Heap::new(SPEED);
    let mut boxes = Vec::new();
    let mut broad = Broad::new(1 << 22);
    let mut grid = Grid::default();
    let mut fat = Vec::new();
    let (mut pairs, mut broad_time, mut grid_time) = (0, 0.0, 0.0);
    for frame in 0..frames {
        heap.boxes(frame as f64 / 60.0, &mut boxes);
        let start = Instant::now();
        for (index, tight) in boxes.iter().enumerate() {
            broad.place(index as u32, tight, RADIUS / 2.0, DVec3::ZERO);
        }
        broad.update_pairs(wanted);
        broad_time += start.elapsed().as_secs_f64();
        pairs += broad.pairs().len();

        fat.clear();
        let stored = (0..boxes.len()).filter_map(|index| broad.stored(index as u32));
        fat.extend(stored.map(|b| (b.low.as_vec3a(), b.high.as_vec3a())));
        let start = Instant::now();
        grid.update(&fat);
        grid_time += start.elapsed().as_secs_f64();
        assert_eq!(grid.pairs.len(), broad.pairs().len(), "frame {frame}");
    }
    (pairs as f64 / broad_time, broad_time / grid_time)
}
