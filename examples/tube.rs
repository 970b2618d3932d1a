//! Draws tubes without a window: `cargo run --release --example tube` writes `out/tube/tubes.png` and the time that a thousand ropes take.
//!
//! The rasterizer is as small as it can be; what it shows is [`TubeMesh`]. Stripes are made from the UVs, so that twist and stretch can be seen.

use std::{error::Error, fs, path::Path, time::Instant};

use glam::{
    DVec3, Mat4, Vec3, Vec4,
    camera::rh::{proj::directx::perspective, view::look_at_mat4},
};
use lariat::{
    prelude::*,
    render::{Caps, TubeMesh, TubeOptions},
};

type Answer<T> = Result<T, Box<dyn Error>>;

const WIDTH: usize = 1600;
const HEIGHT: usize = 1000;
/// Samples of a pixel, each way.
const SAMPLES: usize = 2;

fn main() -> Answer<()> {
    let mut canvas = Canvas::new(WIDTH * SAMPLES, HEIGHT * SAMPLES);
    let mut mesh = TubeMesh::default();
    for (rod, options, color) in scene()? {
        let mut world = RodWorld::default();
        let id = world.insert(rod.description)?;
        for _ in 0..rod.frames {
            world.step(1.0 / 60.0)?;
        }
        for &segment in &rod.breaks {
            (world.rod_mut(id).ok_or("no rod")?).break_segment(segment)?;
        }
        mesh.write(&world.rod(id).ok_or("no rod")?, DVec3::ZERO, &options)?;
        canvas.draw(&mesh, color);
    }
    let file = Path::new("out/tube/tubes.png");
    fs::create_dir_all("out/tube")?;
    fs::write(file, canvas.png())?;
    println!("wrote {}", file.display());
    measure()
}

/// A rod, how long it moves before its picture is taken, and what breaks then.
struct Subject {
    description: RodDescription,
    frames: u32,
    breaks: Vec<usize>,
}

/// Everything that can go wrong with a tube, side by side.
fn scene() -> Answer<Vec<(Subject, TubeOptions, Vec3)>> {
    let rope = TubeOptions {
        sides: 16,
        subdivisions: 4,
        texture_length: 0.25,
        ..TubeOptions::default()
    };
    let flat = TubeOptions {
        caps: Caps::Flat,
        ..rope
    };
    let fine = TubeOptions {
        subdivisions: 12,
        ..rope
    };
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let still = |spec: RodSpec| -> Answer<Subject> {
        Ok(Subject {
            description: spec.build()?,
            frames: 0,
            breaks: Vec::new(),
        })
    };
    let hanging = Subject {
        frames: 240,
        ..still(
            RodSpec::new(Shape::curve([at(-2.3, 1.3), at(-1.4, 0.3), at(-0.5, 1.3)], 24))
                .material(Material::hemp_rope())
                .radius(0.04)
                .rest(RestShape::Straight)
                .pin(0)
                .pin_last(),
        )?
    };
    let broken = Subject {
        breaks: vec![6],
        ..still(RodSpec::new(Shape::curve([at(-0.2, 1.2), at(0.5, 0.7), at(1.2, 1.2)], 14)).radius(0.06))?
    };
    let twisted = RodSpec::new(Shape::line(at(-2.3, -0.2), at(-0.5, -0.2), 12))
        .radius(0.06)
        .twist(Twist::Total(12.0));
    let circle = RodSpec::new(Shape::circle(at(0.3, -0.1), DVec3::new(0.3, 0.5, 1.0), 0.45, 10))
        .radius(0.09)
        .twist(Twist::Total(std::f64::consts::TAU));
    let zigzag = [0.0, 0.4, 0.02, 0.42, 0.04, 0.44].iter().zip(0..);
    let zigzag: Vec<DVec3> = zigzag
        .map(|(x, i)| at(-2.3 + 2.5 * x, -0.6 - 0.1 * f64::from(i)))
        .collect();
    let folded = RodSpec::new(Shape::polyline(zigzag)).radius(0.03);
    let coil = Shape::Helix {
        centre: at(0.9, -1.4),
        axis: DVec3::new(-0.3, 1.0, 0.5),
        radius: 0.25,
        pitch: 0.3,
        turns: 2.2,
        segments: 30,
    };
    let horn = RodSpec::new(coil)
        .radius(0.09)
        .taper(Taper::Linear { start: 1.0, end: 0.1 });
    let net: Vec<DVec3> = (0..16)
        .map(|i| DVec3::new(1.4 + 0.25 * f64::from(i % 4), 1.3 - 0.25 * f64::from(i / 4), 0.3))
        .collect();
    let across = (0..16u32).filter(|i| i % 4 < 3).map(|i| [i, i + 1]);
    let threads: Vec<[u32; 2]> = across.chain((0..12).map(|i| [i, i + 4])).collect();
    let net = RodSpec::new(Shape::graph(net, threads, Joints::All)).radius(0.025);
    let tree = [
        [0.0, 0.0],
        [0.02, 0.3],
        [0.0, 0.6],
        [-0.2, 0.8],
        [-0.35, 1.0],
        [0.15, 0.85],
        [0.22, 1.1],
        [0.3, 0.45],
        [0.5, 0.6],
    ]
    .map(|[x, y]| at(1.9 + x, -1.3 + y));
    let branches = [[0, 1], [1, 2], [2, 3], [3, 4], [2, 5], [5, 6], [1, 7], [7, 8]];
    let thick = vec![1.0, 0.9, 0.7, 0.5, 0.3, 0.5, 0.3, 0.5, 0.3];
    let tree = RodSpec::new(Shape::graph(tree, branches, Joints::All))
        .radius(0.09)
        .taper(Taper::Factors(thick));
    let hemp = Vec3::new(0.75, 0.6, 0.35);
    Ok(vec![
        (hanging, rope, hemp),
        (broken, rope, Vec3::new(0.8, 0.3, 0.25)),
        (still(twisted)?, flat, Vec3::new(0.3, 0.6, 0.8)),
        (still(circle)?, rope, Vec3::new(0.85, 0.75, 0.2)),
        (still(folded)?, fine, Vec3::new(0.6, 0.4, 0.7)),
        (still(horn)?, flat, Vec3::new(0.8, 0.75, 0.65)),
        (still(net)?, rope, Vec3::new(0.5, 0.7, 0.4)),
        (still(tree)?, rope, Vec3::new(0.55, 0.4, 0.3)),
    ])
}

/// A thousand ropes of 32 segments, 8 sides and 2 subdivisions, on one core.
fn measure() -> Answer<()> {
    let rope = std::sync::Arc::new(
        RodSpec::new(Shape::line(DVec3::ZERO, DVec3::X * 2.0, 32))
            .pin(0)
            .build()?,
    );
    let mut world = RodWorld::default();
    let ids: Vec<RodId> = (0..1000)
        .map(|_| world.insert(rope.clone()))
        .collect::<Result<_, _>>()?;
    (0..20).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    let mut meshes = vec![TubeMesh::default(); ids.len()];
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for (&id, mesh) in ids.iter().zip(&mut meshes) {
            mesh.write(&world.rod(id).ok_or("no rod")?, DVec3::ZERO, &TubeOptions::default())?;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let vertices: usize = meshes.iter().map(|mesh| mesh.positions().len()).sum();
    println!("1,000 ropes, {vertices} vertices: {:.2} ms", best * 1e3);
    Ok(())
}

struct Canvas {
    width: usize,
    height: usize,
    color: Vec<Vec3>,
    depth: Vec<f32>,
    view: Mat4,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        let camera = look_at_mat4(Vec3::new(0.4, 0.3, 5.9), Vec3::new(0.1, -0.05, 0.0), Vec3::Y);
        Self {
            width,
            height,
            color: vec![Vec3::new(0.93, 0.94, 0.96); width * height],
            depth: vec![f32::INFINITY; width * height],
            view: perspective(0.55, width as f32 / height as f32, 0.1, 100.0) * camera,
        }
    }

    fn draw(&mut self, mesh: &TubeMesh, color: Vec3) {
        let half = Vec3::new(self.width as f32, self.height as f32, 2.0) / 2.0;
        let placed = |p: &Vec3| {
            let clip: Vec4 = self.view * p.extend(1.0);
            let p = clip.truncate() / clip.w;
            Vec3::new((p.x + 1.0) * half.x, (1.0 - p.y) * half.y, p.z)
        };
        let screen: Vec<Vec3> = mesh.positions().iter().map(placed).collect();
        for triangle in mesh.indices().as_chunks::<3>().0 {
            let corners = triangle.map(|i| i as usize);
            let [a, b, c] = corners.map(|i| screen[i]);
            let area = (b - a).cross(c - a).z;
            // With y downwards a front face turns clockwise; a back face that shows is a hole, painted magenta.
            let back = area > 0.0;
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            for y in low.y.max(0.0) as usize..(high.y.ceil().max(0.0) as usize).min(self.height) {
                for x in low.x.max(0.0) as usize..(high.x.ceil().max(0.0) as usize).min(self.width) {
                    let p = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0);
                    let part = [(b, c), (c, a), (a, b)].map(|(s, e)| (e - s).cross(p - s).z / area);
                    let depth = a.z * part[0] + b.z * part[1] + c.z * part[2];
                    let at = y * self.width + x;
                    if part.iter().all(|&w| w >= 0.0) && depth < self.depth[at] {
                        self.depth[at] = depth;
                        let mix = |k: usize| (mesh.normals()[corners[k]] * part[k], mesh.uvs()[corners[k]] * part[k]);
                        let [(n0, t0), (n1, t1), (n2, t2)] = [mix(0), mix(1), mix(2)];
                        let (normal, uv) = ((n0 + n1 + n2).normalize(), t0 + t1 + t2);
                        // Three strands, laid to the right (as in the middle of a Z), with a seam line where u is 0.
                        let strand = (3.0 * (uv.x + uv.y)).rem_euclid(1.0);
                        let stripe = if uv.x < 0.04 {
                            0.25
                        } else {
                            0.75 + 0.25 * (strand * std::f32::consts::TAU).sin()
                        };
                        let light = 0.25 + 0.75 * normal.dot(Vec3::new(-0.4, 0.7, 0.6).normalize()).max(0.0);
                        self.color[at] = if back {
                            Vec3::X + Vec3::Z
                        } else {
                            color * stripe * light
                        };
                    }
                }
            }
        }
    }

    /// Samples averaged, as a PNG of stored (not compressed) blocks.
    fn png(&self) -> Vec<u8> {
        let mut raw = Vec::new();
        for y in 0..HEIGHT {
            raw.push(0); // No filter.
            for x in 0..WIDTH {
                let samples = (0..SAMPLES * SAMPLES).map(|s| (x * SAMPLES + s % SAMPLES, y * SAMPLES + s / SAMPLES));
                let sum: Vec3 = samples.map(|(x, y)| self.color[y * self.width + x]).sum();
                raw.extend(
                    (sum / (SAMPLES * SAMPLES) as f32)
                        .to_array()
                        .map(|c| (c.clamp(0.0, 1.0) * 255.0) as u8),
                );
            }
        }
        let mut stream = vec![0x78, 0x01];
        let blocks = raw.chunks(0xffff);
        for (i, block) in blocks.clone().enumerate() {
            let size = block.len() as u16;
            stream.push(u8::from(i + 1 == blocks.len()));
            stream.extend(size.to_le_bytes().into_iter().chain((!size).to_le_bytes()));
            stream.extend(block);
        }
        let (low, high) = (raw.iter()).fold((1u32, 0u32), |(a, b), &byte| {
            let a = (a + u32::from(byte)) % 65521;
            (a, (b + a) % 65521)
        });
        stream.extend((high << 16 | low).to_be_bytes());
        let mut header = [WIDTH as u32, HEIGHT as u32].map(u32::to_be_bytes).concat();
        header.extend([8, 2, 0, 0, 0]); // Eight bits, RGB.
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (name, body) in [(b"IHDR", header), (b"IDAT", stream), (b"IEND", Vec::new())] {
            let named = [&name[..], &body].concat();
            file.extend((body.len() as u32).to_be_bytes());
            file.extend(&named);
            file.extend(checksum(&named).to_be_bytes());
        }
        file
    }
}

/// CRC-32 as PNG has it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}
