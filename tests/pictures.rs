//! The examples' pictures, looked at: a rod is to be seen where it is, and nothing else changes when rods are left out.
//!
//! Built by `cargo build --features examples --examples` before, they are run here.

use std::{path::PathBuf, process::Command};

use bevy::{
    asset::RenderAssetUsages,
    image::{CompressedImageFormats, Image, ImageSampler, ImageType},
    math::{Vec2, Vec3},
};

const SIZE: [usize; 2] = [640, 360];
/// Colours that are so far from each other, of 255 in one of three channels, are not the same: noise of filtering is below.
const OTHER: u8 = 16;
/// Pixels around a rod or its shadow that may change with it: smooth edges of both.
const MARGIN: f32 = 8.0;

struct Picture(Vec<u8>);

impl Picture {
    fn read(file: &PathBuf) -> Self {
        let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let image = Image::from_buffer(
            &bytes,
            ImageType::Extension("png"),
            CompressedImageFormats::NONE,
            true,
            ImageSampler::Default,
            RenderAssetUsages::MAIN_WORLD,
        )
        .expect("a PNG");
        assert_eq!([image.width() as usize, image.height() as usize], SIZE);
        Self(image.data.expect("pixels"))
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let start = 4 * (y * SIZE[0] + x);
        [self.0[start], self.0[start + 1], self.0[start + 2]]
    }

    fn differs(&self, other: &Self, x: usize, y: usize) -> bool {
        (self.at(x, y).iter().zip(other.at(x, y))).any(|(&a, b)| a.abs_diff(b) >= OTHER)
    }

    /// Mean and deviation of the light, of 255.
    fn light(&self) -> (f64, f64) {
        let light = |rgba: &[u8]| rgba[..3].iter().map(|&c| f64::from(c)).sum::<f64>() / 3.0;
        let count = (self.0.len() / 4) as f64;
        let mean = self.0.chunks_exact(4).map(light).sum::<f64>() / count;
        let spread = self.0.chunks_exact(4).map(|rgba| (light(rgba) - mean).powi(2));
        (mean, (spread.sum::<f64>() / count).sqrt())
    }
}

/// What `--points` tells.
struct Points {
    /// To the right, up, and back.
    camera: [Vec3; 3],
    /// Half the height of the picture, over its distance.
    slope: f32,
    eye: Vec3,
    sun: Vec3,
    /// Rod, radius and place.
    vertices: Vec<(u32, f32, Vec3)>,
}

impl Points {
    fn read(file: &PathBuf) -> Self {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let lines = || {
            text.lines().filter_map(|line| {
                let mut words = line.split_whitespace();
                let name = words.next()?;
                Some((
                    name,
                    words.map(|word| word.parse().expect("a number")).collect::<Vec<f32>>(),
                ))
            })
        };
        let find = |wanted: &str| {
            (lines().find(|(name, _)| *name == wanted))
                .expect("a line of that name")
                .1
        };
        let place = |wanted: &str| Vec3::from_slice(&find(wanted));
        assert_eq!(find("size"), SIZE.map(|side| side as f32));
        let back = (place("eye") - place("target")).normalize();
        let right = Vec3::Y.cross(back).normalize();
        Self {
            camera: [right, back.cross(right), back],
            slope: (0.5 * find("view")[0].to_radians()).tan(),
            eye: place("eye"),
            sun: place("sun"),
            vertices: (lines().filter(|(name, _)| *name == "vertex"))
                .map(|(_, n)| (n[0] as u32, n[1], Vec3::from_slice(&n[2..])))
                .collect(),
        }
    }

    /// Where a place is in the picture, in pixels; `None` behind the camera.
    fn project(&self, place: Vec3) -> Option<Vec2> {
        let seen = Vec3::from(self.camera.map(|axis| axis.dot(place - self.eye)));
        let scale = 0.5 * SIZE[1] as f32 / (self.slope * -seen.z);
        let middle = Vec2::new(SIZE[0] as f32, SIZE[1] as f32) / 2.0;
        (seen.z < -1e-3).then(|| middle + scale * Vec2::new(seen.x, -seen.y))
    }

    /// Where its shadow falls on level ground.
    fn shadow(&self, place: Vec3) -> Vec3 {
        place - self.sun * (place.y / self.sun.y)
    }
}

/// The part of the vertices in the picture at which it shows something that is not there without rods; and how many these are.
fn seen(points: &Points, with: &Picture, without: &Picture, shift: Vec2) -> (f64, usize) {
    let inside =
        |at: &Vec2| at.cmpge(Vec2::splat(1.0)).all() && at.x < SIZE[0] as f32 - 2.0 && at.y < SIZE[1] as f32 - 2.0;
    let vertices = points
        .vertices
        .iter()
        .filter_map(|&(_, _, place)| points.project(place));
    let places: Vec<Vec2> = vertices.map(|at| at + shift).filter(inside).collect();
    let visible = places.iter().filter(|at| {
        let (x, y) = (at.x as usize, at.y as usize);
        (y - 1..=y + 1).any(|y| (x - 1..=x + 1).any(|x| with.differs(without, x, y)))
    });
    (visible.count() as f64 / places.len().max(1) as f64, places.len())
}

/// The part of the picture that changes with rods, outside of what is near them or their shadows.
fn strays(points: &Points, with: &Picture, without: &Picture) -> f64 {
    let mut near = vec![false; SIZE[0] * SIZE[1]];
    for pair in points.vertices.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        for cast in [|_: &Points, place| place, Points::shadow] {
            let [a, b] = [pair[0].2, pair[1].2].map(|place| cast(points, place));
            let steps = 1
                + ([a, b].map(|place| points.project(place)))
                    .into_iter()
                    .flatten()
                    .reduce(|a, b| a - b)
                    .map_or(0, |way| way.length() as usize / 4);
            for step in 0..=steps {
                let place = a.lerp(b, step as f32 / steps as f32);
                let Some(at) = points.project(place) else { continue };
                let thick = pair[0].1 * SIZE[1] as f32 / (2.0 * points.slope * place.distance(points.eye));
                let reach = MARGIN + 2.0 * thick;
                let [low, high] = [at - reach, at + reach].map(|at| at.max(Vec2::ZERO));
                for y in low.y as usize..(high.y as usize).min(SIZE[1]) {
                    for x in low.x as usize..(high.x as usize).min(SIZE[0]) {
                        near[y * SIZE[0] + x] = true;
                    }
                }
            }
        }
    }
    let far = |i: &usize| !near[*i] && with.differs(without, i % SIZE[0], i / SIZE[0]);
    (0..near.len()).filter(far).count() as f64 / near.len() as f64
}

fn look_at(name: &str) {
    let tests = std::env::current_exe().expect("the path of this test");
    let example = tests
        .parent()
        .and_then(|deps| deps.parent())
        .expect("a folder")
        .join("examples")
        .join(name);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    let [picture, bare, points] = ["png", "bare.png", "txt"].map(|end| folder.join(format!("{name}.{end}")));
    let status = Command::new(&example)
        .args(["--at", "1", "--size", &format!("{}x{}", SIZE[0], SIZE[1])])
        .args([
            "--shot".as_ref(),
            picture.as_os_str(),
            "--bare".as_ref(),
            bare.as_os_str(),
        ])
        .args(["--points".as_ref(), points.as_os_str()])
        .status();
    let status = status.unwrap_or_else(|error| panic!("{}, which is to be built before: {error}", example.display()));
    assert!(status.success(), "{name} ended with {status}");

    let (with, without) = (Picture::read(&picture), Picture::read(&bare));
    let points = Points::read(&points);
    for (what, picture) in [("", &with), (" without rods", &without)] {
        let (mean, deviation) = picture.light();
        assert!(
            (40.0..230.0).contains(&mean),
            "{name}{what}: too dark or too light, {mean:.0} of 255"
        );
        // The sky alone has more than that.
        assert!(
            deviation > 4.0,
            "{name}{what}: nothing is to be seen, deviation {deviation:.1}"
        );
    }
    let (part, of) = seen(&points, &with, &without, Vec2::ZERO);
    println!("{name}: {:.0}% of {of} vertices are seen", 100.0 * part);
    // Some are behind other things, or inside of what they are tied to.
    assert!(
        of > 20 && part > 0.7,
        "{name}: only {:.0}% of {of} vertices are seen",
        100.0 * part
    );
    // The judge has to see that, too: a few diameters aside there are no rods.
    for shift in [Vec2::new(40.0, 25.0), Vec2::new(-40.0, -25.0)] {
        let (part, _) = seen(&points, &with, &without, shift);
        assert!(part < 0.4, "{name}: {:.0}% are seen where they are not", 100.0 * part);
    }
    let strays = strays(&points, &with, &without);
    println!("{name}: {:.2}% of the picture changes elsewhere", 100.0 * strays);
    // Shadows fall on other things than the ground, too.
    assert!(
        strays < 0.005,
        "{name}: {:.2}% of the picture changes far from rods",
        100.0 * strays
    );
}

#[test]
fn a_hanging_rope_is_where_it_is() {
    look_at("hello_rope");
}

#[test]
fn a_knot_is_where_it_is() {
    look_at("knot");
}

#[test]
fn the_rope_of_a_crane_is_where_it_is() {
    look_at("crane");
}
