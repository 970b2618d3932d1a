//! Patterns of ropes, drawn once: colour (to be multiplied with the look's) and normals, with all their smaller copies, so that a rope in the distance does not
//! flicker.
//!
//! u goes once around the rope, v along it for one turn of its strands; both close. Heights are in radii of the rope.

use std::f32::consts::{PI, TAU};

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

use super::look::{LAID, RodSurface, WIRE};

/// Pixels each way, a power of two.
const SIZE: usize = 256;

/// What a pattern is at a place: height, and how light it is.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    height: f32,
    light: f32,
}

/// The two pictures of a pattern; `None` for surfaces that have none.
pub(super) fn pattern(surface: RodSurface) -> Option<[Image; 2]> {
    let (spot, length): (fn(f32, f32) -> Spot, f32) = match surface {
        RodSurface::Laid => (laid, LAID),
        RodSurface::Wire => (wire, WIRE),
        RodSurface::Braided => (braided, TAU),
        RodSurface::Smooth | RodSurface::Own => return None,
    };
    let at = |x: usize, y: usize| spot((x % SIZE) as f32 / SIZE as f32, (y % SIZE) as f32 / SIZE as f32);
    let spots: Vec<Spot> = (0..SIZE * SIZE).map(|i| at(i % SIZE, i / SIZE)).collect();
    let height = |x: usize, y: usize| spots[(y % SIZE) * SIZE + x % SIZE].height;
    let [across, along] = [TAU, length].map(|size| size / SIZE as f32);
    let normals = (0..SIZE * SIZE).map(|i| {
        let (x, y) = (i % SIZE + SIZE, i / SIZE + SIZE);
        let du = (height(x + 1, y) - height(x - 1, y)) / (2.0 * across);
        let dv = (height(x, y + 1) - height(x, y - 1)) / (2.0 * along);
        // The second direction of the map points against v.
        Vec3::new(-du, dv, 1.0).normalize()
    });
    let normals: Vec<Vec3> = normals.collect();
    let lights: Vec<Vec3> = spots.iter().map(|spot| Vec3::splat(spot.light)).collect();
    let light_bytes = |c: Vec3| {
        (c.clamp(Vec3::ZERO, Vec3::ONE) * 255.0)
            .to_array()
            .map(|c| c.round() as u8)
    };
    let normal_bytes = |n: Vec3| {
        ((n.normalize_or(Vec3::Z) * 0.5 + 0.5) * 255.0)
            .to_array()
            .map(|c| c.round() as u8)
    };
    Some([
        image(lights, light_bytes, TextureFormat::Rgba8UnormSrgb),
        image(normals, normal_bytes, TextureFormat::Rgba8Unorm),
    ])
}

/// Where a strand of a laid rope is seen: across it from −1 to 1.
fn across(turns: f32) -> f32 {
    2.0 * turns.rem_euclid(1.0) - 1.0
}

fn strand(strands: f32, yarns: f32, u: f32, v: f32, fibre: f32) -> Spot {
    let s = across(strands * (u + v));
    let round = (1.0 - 0.92 * s * s).max(0.0).sqrt();
    // Yarns are twisted the other way than strands, and so run along the rope; they dive at a strand's edges.
    let yarn = (TAU * (yarns * u) + 0.9 * PI * s).cos();
    let noise = fibres(u, v);
    Spot {
        height: 0.30 * round * 3.0 / strands + 0.018 * yarn * round + 0.012 * fibre * noise,
        light: (0.30 + 0.62 * round + 0.07 * yarn + 0.13 * fibre * noise).clamp(0.0, 1.0),
    }
}

fn laid(u: f32, v: f32) -> Spot {
    strand(3.0, 24.0, u, v, 1.0)
}

fn wire(u: f32, v: f32) -> Spot {
    let s = across(6.0 * (u + v));
    let round = (1.0 - 0.9 * s * s).max(0.0).sqrt();
    let wire = (TAU * 30.0 * u + 0.8 * PI * s).cos().abs();
    Spot {
        height: 0.17 * round + 0.03 * wire,
        light: 0.35 + 0.45 * round + 0.2 * wire,
    }
}

fn braided(u: f32, v: f32) -> Spot {
    const THREADS: f32 = 8.0;
    let (right, left) = (THREADS * (u + v), THREADS * (u - v));
    // Each thread goes over one and under one: on a chessboard of crossings one colour has the right-handed thread on top.
    let over = (right.floor() + left.floor()).rem_euclid(2.0) < 1.0;
    let (s, t) = if over {
        (across(right), across(left))
    } else {
        (across(left), across(right))
    };
    let round = (1.0 - 0.85 * s * s).max(0.0).sqrt() * (1.0 - 0.45 * t * t);
    let yarn = (2.5 * PI * s).cos();
    Spot {
        height: 0.16 * round + 0.01 * yarn * round,
        light: (0.42 + 0.52 * round + 0.05 * yarn + 0.05 * fibres(u, v)).clamp(0.0, 1.0),
    }
}

/// Fibres along the rope, from −1 to 1: smooth noise on a lattice that closes.
fn fibres(u: f32, v: f32) -> f32 {
    const ACROSS: u32 = 96;
    const ALONG: u32 = 12;
    let (x, y) = (u * ACROSS as f32, v * ALONG as f32);
    let (i, j) = (x.floor() as u32, y.floor() as u32);
    let at = |i: u32, j: u32| {
        let mut bits = (i % ACROSS).wrapping_mul(0x9e37_79b1) ^ (j % ALONG).wrapping_mul(0x85eb_ca77);
        bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d);
        bits = (bits ^ (bits >> 12)).wrapping_mul(0x297a_2d39);
        f32::from((bits >> 16) as u16) / 32767.5 - 1.0
    };
    let (x, y) = (x.fract(), y.fract());
    let y = y * y * (3.0 - 2.0 * y);
    let row = |j: u32| at(i, j) * (1.0 - x) + at(i + 1, j) * x;
    row(j) * (1.0 - y) + row(j + 1) * y
}

/// A picture that repeats, with smaller copies down to one pixel, each the mean of four.
fn image(mut pixels: Vec<Vec3>, bytes: impl Fn(Vec3) -> [u8; 3], format: TextureFormat) -> Image {
    let mut data = Vec::with_capacity(SIZE * SIZE * 4 * 4 / 3 + 4);
    let (mut size, mut levels) = (SIZE, 1);
    loop {
        for pixel in &pixels {
            data.extend(bytes(*pixel));
            data.push(255);
        }
        if size == 1 {
            break;
        }
        let half = size / 2;
        let mean = |i: usize| {
            let (x, y) = (2 * (i % half), 2 * (i / half));
            let at = |x: usize, y: usize| pixels[y * size + x];
            0.25 * (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1))
        };
        pixels = (0..half * half).map(mean).collect();
        size = half;
        levels += 1;
    }
    let extent = Extent3d {
        width: SIZE as u32,
        height: SIZE as u32,
        depth_or_array_layers: 1,
    };
    let mut image = Image::new_uninit(extent, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.mip_level_count = levels;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        // Ropes are seen along their length more often than not.
        anisotropy_clamp: 8,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern that does not close would show a seam along every rope.
    #[test]
    fn patterns_close() {
        for (name, spot) in [
            ("laid", laid as fn(f32, f32) -> Spot),
            ("wire", wire),
            ("braided", braided),
        ] {
            for k in 0..64 {
                let at = k as f32 / 64.0 + 0.003;
                for (a, b) in [(spot(0.0, at), spot(1.0, at)), (spot(at, 0.0), spot(at, 1.0))] {
                    assert!((a.height - b.height).abs() < 1e-3, "{name} at {at}: {a:?} {b:?}");
                    assert!((a.light - b.light).abs() < 1e-2, "{name} at {at}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn pictures_have_all_their_levels() {
        for surface in [RodSurface::Laid, RodSurface::Wire, RodSurface::Braided] {
            for picture in pattern(surface).expect("a pattern") {
                let pixels: usize = (0..picture.texture_descriptor.mip_level_count)
                    .map(|level| (SIZE >> level).pow(2))
                    .sum();
                assert_eq!(picture.data.as_ref().map(Vec::len), Some(4 * pixels));
                assert_eq!(SIZE >> (picture.texture_descriptor.mip_level_count - 1), 1);
            }
        }
    }
}
